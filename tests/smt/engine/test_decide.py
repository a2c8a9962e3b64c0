"""What it takes to be called proved: two solvers, a twin that fails; and what it takes to be called refuted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import z3

from snapref_ledger import Run
from snapref_smt.engine import decide as module
from snapref_smt.engine.decide import decide, decide_all
from snapref_smt.engine.solvers import Answer, ask
from snapref_smt.engine.statement import Family, NotReproduced, Statement, satisfies

X = z3.BitVec("x", 16)
SMALL = z3.ULT(X, 100)
TRUE = Statement("x + 1 < 101", (SMALL,), z3.ULT(X + 1, 101), z3.ULT(X + 1, 100))
FALSE = Statement("x is not 7", (SMALL,), X != 7, X != 8)
RUN = Run()


def answering(*answers: Answer) -> Callable[..., list[Answer]]:
    def ask(*_: Any) -> list[Answer]:
        return list(answers)

    return ask


def test_two_solvers_prove() -> None:
    outcome = decide(TRUE, RUN)
    assert outcome.status == "proved"
    assert sum(answer["answer"] == "unsat" for answer in outcome.engines.values()) == 2


@pytest.mark.parametrize("solver", ["z3", "bitwuzla", "cvc5"])
def test_one_solver_alone_does_not(solver: str) -> None:
    outcome = decide(TRUE, Run(solvers=(solver,)))
    assert outcome.status == "undecided"
    assert "two different solvers" in outcome.detail


def test_one_solver_with_a_certificate_does() -> None:
    outcome = decide(TRUE, Run(solvers=("z3",), certificates=True))
    assert outcome.status == "proved"
    assert outcome.engines["cadical+dratify"]["answer"] == "unsat"


def test_no_solver_proves_nothing() -> None:
    assert decide(TRUE, Run(solvers=())).status == "undecided"


# Statements that say nothing, alone and beside another one, where one script asks for both

EMPTY = {
    "it has no twin": (replace(TRUE, twin=None), "undecided", "no twin"),
    "its twin holds": (replace(TRUE, twin=z3.ULT(X + 1, 200)), "error", "holds as well"),
    "its twin is itself": (replace(TRUE, twin=TRUE.conclusion), "error", "holds as well"),
    "its hypotheses contradict": (replace(TRUE, hypotheses=(SMALL, z3.UGT(X, 200))), "error", "holds as well"),
    "its condition never holds": (
        replace(TRUE, conclusion=z3.And(z3.Implies(z3.UGT(X, 200), X == 0), z3.Implies(X == 300, X == 0))),
        "error",
        "contradict the condition",
    ),
    "its conclusion is True": (replace(TRUE, conclusion=z3.BoolVal(True)), "error", "says nothing"),
    "its conclusion is a tautology": (
        replace(TRUE, conclusion=z3.Or(X == 1, X != 1), twin=z3.Or(X == 2, X != 2)),
        "error",
        "holds as well",
    ),
}


@pytest.mark.parametrize("why", EMPTY)
def test_what_says_nothing_is_not_proved(why: str) -> None:
    statement, status, words = EMPTY[why]
    for outcome in (decide(statement, RUN), decide_all([TRUE, statement], RUN)):
        assert outcome.status == status
        assert words in outcome.detail


def test_a_counterexample_is_replayed() -> None:
    seen: list[int] = []

    def replay(model: Mapping[str, Any]) -> str:
        seen.append(model["x"])
        return "x = 7"

    outcome = decide(replace(FALSE, replay=replay), RUN)
    assert (outcome.status, outcome.witness, seen) == ("refuted", "x = 7", [7])


def test_a_counterexample_that_nothing_replays_refutes_nothing() -> None:
    outcome = decide(FALSE, RUN)
    assert outcome.status == "undecided"
    assert "a counterexample that nothing replays: {'x': 7}" in outcome.detail


def test_a_counterexample_that_the_code_does_not_show_is_an_error() -> None:
    def replay(model: Mapping[str, Any]) -> str:
        raise NotReproduced("it does not")

    outcome = decide(replace(FALSE, replay=replay), RUN)
    assert outcome.status == "error"
    assert "does not reproduce it: it does not" in outcome.detail


def test_solvers_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ask", answering(Answer("z3", "sat", 0.1, {"x": 7}), Answer("cvc5", "unsat", 0.1)))
    outcome = decide(replace(FALSE, replay=lambda model: "x = 7"), RUN)
    assert outcome.status == "error"
    assert "DISAGREE" in outcome.detail


def test_a_model_that_does_not_fit_the_formula_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ask", answering(Answer("z3", "sat", 0.1, {"x": 8})))
    assert decide(replace(FALSE, replay=lambda model: "x = 8"), RUN).status == "error"


@pytest.mark.parametrize("verdict", ["unknown", "timeout", "error", "cancelled"])
def test_no_answer_is_never_a_pass(monkeypatch: pytest.MonkeyPatch, verdict: Any) -> None:
    monkeypatch.setattr(module, "ask", answering(Answer("z3", "unsat", 0.1), Answer("cvc5", verdict, 0.1)))
    for stated in (TRUE, FAMILY):
        assert decide(stated, RUN).status == "undecided"
    assert decide_all([TRUE, TRUE], RUN).status == "undecided"


def test_a_conjunction_is_proved_only_if_all_parts_are() -> None:
    outcome = decide_all([TRUE, replace(TRUE)], RUN)
    assert outcome.status == "proved"
    assert [answer["answer"] for answer in outcome.engines.values()] == ["unsat ×2"] * 2
    assert decide_all([TRUE, FALSE], RUN).status == "undecided"
    assert decide_all([], RUN).status == "undecided"


@pytest.mark.parametrize("missing", [1, -1])
def test_a_statement_that_is_missing_or_too_many_is_noticed(missing: int) -> None:
    members = [replace(TRUE, name=f"x + 1 < {n}", conclusion=z3.ULT(X + 1, n)) for n in (102, 103)]
    family = Family("two", (SMALL,), members)
    assert decide_all([TRUE, family], RUN, count=3).status == "proved"
    outcome = decide_all([TRUE, family], RUN, count=3 + missing)
    assert outcome.status == "error"
    assert "these are 3 different statements" in outcome.detail


def test_a_statement_that_takes_the_place_of_another_is_noticed() -> None:
    """Whatever it is called."""
    assert decide_all([TRUE, replace(TRUE, name="again")], RUN, count=2).status == "error"
    assert decide_all([TRUE, Family("again", (), [replace(TRUE, name="again")])], RUN, count=2).status == "error"


def test_time_that_one_statement_took_is_missing_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def slow(*arguments: Any) -> list[Answer]:
        limits.append(arguments[3])
        return [Answer("z3", "unknown", 20.0)]

    monkeypatch.setattr(module, "ask", slow)
    decide_all([TRUE, FAMILY], Run(timeout=50))
    assert limits == [50, 30]


def test_reals_go_to_the_solvers_that_know_them() -> None:
    r = z3.Real("r")
    outcome = decide(Statement("squares", (r > 5,), r * r > 25, r * r > 26), RUN)
    assert outcome.status == "proved"
    assert set(outcome.engines) == {"z3", "cvc5"}


def test_a_model_is_checked_by_evaluation() -> None:
    assert satisfies((X == 3,), (X,), {"x": 3})
    assert not satisfies((X == 3,), (X,), {"x": 4})
    assert not satisfies((X == 3,), (X,), {})


# Families

R = z3.Real("r")
ABOVE = Statement("r > 1", [R > 2], R > 1, R > 3)
BELOW = Statement("r < 1", [R < 0], R < 1, R < -1)
FAMILY = Family("two", [R < 9], [ABOVE, BELOW])


def test_a_family_is_proved_by_two_solvers() -> None:
    outcome = decide(FAMILY, RUN)
    assert outcome.status == "proved"
    assert [answer["answer"] for answer in outcome.engines.values()] == ["unsat ×2"] * 2
    assert decide(FAMILY, Run(solvers=("z3",))).status == "undecided"
    assert decide(replace(FAMILY, members=[]), RUN).status == "undecided"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (replace(FAMILY, members=[ABOVE, replace(BELOW, conclusion=z3.BoolVal(True))]), "r < 1: the conclusion holds"),
        (replace(FAMILY, members=[ABOVE, replace(BELOW, twin=None)]), "r < 1: its twin does not fail"),
        (replace(FAMILY, members=[ABOVE, replace(BELOW, twin=R < 2)]), "r < 1: its twin does not fail"),
        (replace(FAMILY, members=[replace(m, twin=None) for m in FAMILY.members], cases=True), "no member has a twin"),
        (replace(FAMILY, common=[R < 0, R > 0]), "the common hypotheses are unsat"),
        (replace(FAMILY, common=[R < 0]), "r > 1: its twin does not fail"),
        (
            replace(FAMILY, members=[ABOVE, replace(BELOW, hypotheses=[z3.BoolVal(False)])]),
            "r < 1: its twin does not fail",
        ),
        (replace(FAMILY, common=[R == 1], cases=True), "no member has a twin"),
    ],
)
def test_a_family_that_says_nothing_is_not_proved(broken: Family, words: str) -> None:
    outcome = decide(broken, RUN)
    assert outcome.status == "error"
    assert words in outcome.detail


def test_a_case_that_does_not_occur_needs_no_twin_that_fails() -> None:
    assert decide(replace(FAMILY, common=[R < 0], cases=True), RUN).status == "proved"


def test_a_member_that_fails_is_named_with_a_model() -> None:
    outcome = decide(replace(FAMILY, members=[ABOVE, replace(BELOW, hypotheses=[R > 1])]), RUN)
    assert outcome.status == "undecided"
    assert "r < 1: [r = " in outcome.detail


# Scripts


@pytest.mark.parametrize(
    ("formulas", "logic"),
    [
        ([z3.BitVec("a", 3) == 1], "QF_BV"),
        ([z3.FP("f", z3.Float64()) == 1.0], "QF_BVFP"),
        ([z3.Real("r") == 1], "QF_LIRA"),
        ([z3.Real("r") * z3.Real("r") == 2], "QF_NRA"),
        ([z3.ForAll([z3.Real("r")], z3.Real("r") == 1)], "NRA"),
        ([z3.Real("r") == 1, z3.BitVec("a", 3) == 1], "ALL"),
        ([z3.Real("r") == 1, z3.BoolVal(False)], "QF_NRA"),
    ],
)
def test_logics(formulas: Sequence[z3.BoolRef], logic: str) -> None:
    from snapref_smt.engine.script import logic as logic_of

    assert logic_of(formulas) == logic


def test_a_script_says_what_it_is_about() -> None:
    from snapref_smt.engine.script import script

    text = script(module.question(TRUE), ["claim N-4.2"], "unsat")
    assert text.startswith("; claim N-4.2\n")
    assert "(set-info :status unsat)" in text
    assert "(set-logic QF_BV)" in text


def test_a_script_has_no_words_that_the_standard_does_not_know() -> None:
    """z3 prints (and a), and, and (^ r 2); all solvers read what is written in their place."""
    from snapref_smt.engine.script import script

    a, b = z3.Bools("a b")
    short = [z3.And(a), z3.And(), z3.Implies(z3.And(), z3.Or(a, z3.And(b))), z3.Or(z3.And(z3.And(X == 3)))]
    text = script(([*short, z3.And(a, b)], ()))
    assert text.count("and") == 1
    (answer,) = ask(text, ["a", "b", "x"], ["bitwuzla"], 30, lambda answers: False)
    assert (answer.verdict, dict(answer.model)) == ("sat", {"a": True, "b": True, "x": 3})
    odd = z3.Real("r'")
    text = script(([odd**2 == 4, odd > 0], ()))
    assert "^" not in text
    for answer in ask(text, ["|r'|"], ["z3", "cvc5"], 30, lambda answers: False):
        assert (answer.verdict, dict(answer.model)) == ("sat", {"r'": 2})
