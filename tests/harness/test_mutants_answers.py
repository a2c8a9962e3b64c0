"""What the solvers said about mutants is kept, part by part (harness/mutants/answers.py)."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import z3

from snapref_harness.mutants import answers
from snapref_smt.engine import decide
from snapref_smt.engine.script import script, scripts_in_turn
from snapref_smt.engine.solvers import Answer
from snapref_smt.engine.statement import Family, Statement

X = z3.Real("x")
SOLVERS = ("z3", "cvc5")


@cache
def positive(limit: int) -> Family:
    """Two members; the second fails if the limit is not above 0."""
    members = [Statement(str(more), [limit + more < X], X > 0) for more in (1, 0)]
    return Family(f"above {limit}", [X < 100], members)


def enough(found: Sequence[Answer]) -> bool:
    verdicts = [answer.verdict for answer in found]
    return "sat" in verdicts or verdicts.count("unsat") >= 2


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> answers.Answers:
    monkeypatch.setenv("SNAPREF_CACHE", str(tmp_path))
    monkeypatch.setattr(decide, "ask", decide.ask)  # Answers puts itself there
    return answers.Answers()


def asked(kept: answers.Answers, *limits: int) -> list[Answer]:
    questions = [decide.question(positive(limit)) for limit in limits]
    text = scripts_in_turn(questions) if len(questions) > 1 else script(questions[0])
    return kept.ask(text, (), SOLVERS, 60.0, enough, 2 * len(limits))


def test_each_part_is_asked_once(kept: answers.Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [(a.solver, a.verdict) for a in asked(kept, 0, 1, 2)] == [("z3", "unsat"), ("cvc5", "unsat")]
    texts = list[str]()
    right: Any = answers.ask

    def counted(text: str, *more: Any) -> list[Answer]:
        texts.append(text)
        return list(right(text, *more))

    monkeypatch.setattr(answers, "ask", counted)
    assert {a.verdict for a in asked(kept, 0, 1, 2)} == {"unsat"}
    assert {a.verdict for a in asked(kept, 2)} == {"unsat"}
    assert texts == []
    assert {a.verdict for a in asked(kept, 0, 1, 3, 2)} == {"unsat"}
    assert len(texts) == 1
    assert texts[0].count("(check-sat)") == 2


@pytest.mark.parametrize("both", [False, True])
def test_one_solver_lets_a_mutant_pass_and_two_say_that_it_is_stronger(
    both: bool, kept: answers.Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers = set[str]()
    right: Any = answers.ask

    def noted(text: str, names: Sequence[str], those: Sequence[str], *more: Any) -> list[Answer]:
        solvers.update(those)
        return list(right(text, names, those, *more))

    monkeypatch.setattr(answers, "ask", noted)
    kept.both = not both
    asked(kept, 0)  # what one solver said is not what two say
    solvers.clear()
    kept.both = both
    assert {a.verdict for a in asked(kept, 0)} == {"unsat"}
    assert solvers == ({"z3", "cvc5"} if both else {"z3"})


def test_what_one_solver_does_not_know_both_are_asked(kept: answers.Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "ALONE", 0.0)
    assert [(a.solver, a.verdict) for a in asked(kept, 0)] == [("z3", "unsat"), ("cvc5", "unsat")]


def test_the_part_that_fails_is_named(kept: answers.Answers) -> None:
    """The others need not be asked."""
    asked(kept, 1)
    found = {a.verdict: a for a in asked(kept, 1, -5, 2, 3, 4)}
    assert list(found["sat"].each)[:2] == ["unsat", "unsat"]
    assert "sat" in list(found["sat"].each)[2:4]
    assert len(found["sat"].each) == 10


def test_time_that_runs_out_settles_nothing(kept: answers.Answers) -> None:
    questions = [decide.question(positive(limit)) for limit in (0, 1)]
    found = kept.ask(scripts_in_turn(questions), (), SOLVERS, 0.0, enough, 4)
    assert {a.verdict for a in found} == {"timeout"}
    assert {a.verdict for a in asked(kept, 0, 1)} == {"unsat"}


def test_time_that_runs_out_between_two_parts_proves_nothing(
    kept: answers.Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "spent", lambda found: 60.0)
    assert {a.verdict for a in asked(kept, 0, 1, 2)} == {"timeout"}
