"""What the original states is proved: an obligation that is asked about a mutant decides only the rest."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
import z3

from snapref_harness.mutants import scout
from snapref_harness.mutants.answers import Answers
from snapref_ledger.obligations import Outcome, Run
from snapref_smt.engine import decide, stating
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement

X = z3.Real("x")
ONE = Statement("one", [X > 1], X > 0, X > 2)
MANY = Family("many", [X > 3], [Statement("first", [], X > 2, X > 4), Statement("second", [], X > 1, X > 5)])
Asked = list[Stated]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What reaches the solvers."""
    found: Asked = []

    def noted(stated: Iterable[Stated], run: Run, count: int | None = None) -> Outcome:
        found.extend(listed := list(stated))
        return decide_all(listed, run, count)

    monkeypatch.setattr(stating, "decide_all", stating.decide_all)  # put back at the end
    monkeypatch.setattr(scout, "decide_all", noted)
    monkeypatch.setattr(decide, "ask", decide.ask)  # Answers puts itself there
    return found


def decided(original: Sequence[Stated], mutant: Sequence[Stated], count: int | None = None) -> Outcome:
    looking = scout.Scout(Answers())
    looking.original = {"all": list(original)}
    looking.proved = {scout.with_twins(one) for one in original}
    return looking.decide_all(mutant, Run(), count)


def test_what_the_original_states(asked: Asked) -> None:
    again = Statement("another name", [X > 1], X > 0, X > 2)
    assert decided([ONE, MANY], [again, MANY], count=3).status == "proved"
    assert not asked


@pytest.mark.parametrize(
    "changed",
    [
        replace(ONE, hypotheses=[2 * X > 3]),
        replace(ONE, conclusion=X > -1),
        replace(ONE, twin=X > 3),
        replace(MANY, common=[2 * X > 7]),
        replace(MANY, cases=True),
        replace(MANY, members=MANY.members[:1]),
    ],
    ids=["hypothesis", "conclusion", "twin", "common", "cases", "members"],
)
def test_what_is_changed_is_decided(asked: Asked, changed: Stated) -> None:
    assert decided([ONE, MANY], [ONE, changed, MANY]).status == "proved"
    assert asked == [changed]


def test_what_is_wrong_is_noticed(asked: Asked) -> None:
    assert decided([ONE, MANY], [replace(ONE, conclusion=X > 9), MANY]).status == "undecided"
    assert decided([ONE], [replace(ONE, twin=None)]).status == "undecided"
    assert decided([ONE], [replace(ONE, twin=X > 0)]).status == "error"


def test_one_too_few(asked: Asked) -> None:
    assert decided([ONE, MANY], [ONE], count=3).status == "error"


def test_nothing_is_not_proved(asked: Asked) -> None:
    assert decided([ONE], []).status == "undecided"
