"""What it takes to be called proved: two solvers, a twin that fails; and what it takes to be called refuted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import z3

from snapref_ledger import Run
from snapref_smt.engine import prove as module
from snapref_smt.engine.statement import NotReproduced, Statement
from snapref_smt.engine.decide import decide, decide_all
from snapref_smt.engine.export_ import script
from snapref_smt.engine.solvers import Answer

X = z3.BitVec("x", 16)
SMALL = z3.ULT(X, 100)
TRUE = Statement("tests/smt/test_prove.py", (SMALL,), z3.ULT(X + 1, 101), z3.ULT(X + 1, 100), variables=(X,))
FALSE = Statement("tests/smt/test_prove.py", (SMALL,), X != 7, X != 8, variables=(X,))
RUN = Run(timeout=60)


def answering(*answers: Answer) -> Callable[..., list[Answer]]:
    def ask(*_: Any) -> list[Answer]:
        return list(answers)

    return ask


def test_two_solvers_prove() -> None:
    outcome = prove(TRUE, RUN)
    assert outcome.status == "proved"
    assert sum(answer["answer"] == "unsat" for answer in outcome.solvers.values()) == 2


@pytest.mark.parametrize("solver", ["z3", "bitwuzla", "cvc5"])
def test_one_solver_alone_does_not(solver: str) -> None:
    outcome = prove(TRUE, Run(timeout=60, solvers=(solver,)))
    assert outcome.status == "undecided"
    assert "two different solvers" in outcome.detail


def test_one_solver_with_a_certificate_does() -> None:
    outcome = prove(TRUE, Run(timeout=60, solvers=("z3",), certificates=True))
    assert outcome.status == "proved"
    assert outcome.solvers["cadical+dratify"]["answer"] == "unsat"


def test_no_solver_proves_nothing() -> None:
    assert prove(TRUE, Run(solvers=())).status == "undecided"


def test_contradictory_hypotheses_are_caught() -> None:
    vacuous = Statement(
        "test contradictory hypotheses are caught", (SMALL, z3.UGT(X, 200)), X == 3, X == 4, variables=(X,)
    )
    assert prove(vacuous, RUN).status == "error"


def test_an_empty_goal_is_caught() -> None:
    assert (
        prove(
            Statement(
                "test an empty goal is caught", (SMALL,), z3.Or(X == 1, X != 1), z3.Or(X == 2, X != 2), variables=(X,)
            ),
            RUN,
        ).status
        == "error"
    )


def test_without_a_twin_nothing_is_proved() -> None:
    assert (
        prove(Statement("test without a twin nothing is proved", (SMALL,), z3.ULT(X, 101), variables=(X,)), RUN).status
        == "undecided"
    )


def test_a_counterexample_is_replayed() -> None:
    seen: list[int] = []

    def replay(model: Mapping[str, Any]) -> str:
        seen.append(model["x"])
        return "x = 7"

    outcome = prove(
        Statement("test a counterexample is replayed", (SMALL,), FALSE.goal, replay=replay, variables=(X,)), RUN
    )
    assert (outcome.status, outcome.witness, seen) == ("refuted", "x = 7", [7])


def test_a_counterexample_that_nothing_replays_refutes_nothing() -> None:
    assert prove(FALSE, RUN).status == "undecided"


def test_a_counterexample_that_the_code_does_not_show_is_an_error() -> None:
    def replay(model: Mapping[str, Any]) -> str:
        raise NotReproduced("it does not")

    assert (
        prove(
            Statement(
                "test a counterexample that the code does not show is an error",
                (SMALL,),
                FALSE.goal,
                replay=replay,
                variables=(X,),
            ),
            RUN,
        ).status
        == "error"
    )


def test_solvers_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = answering(Answer("z3", "sat", 0.1, {"x": 7}), Answer("cvc5", "unsat", 0.1))
    monkeypatch.setattr(module, "ask", answers)
    outcome = prove(
        Statement(
            "test solvers that disagree are an error",
            (SMALL,),
            FALSE.goal,
            replay=lambda model: "x = 7",
            variables=(X,),
        ),
        RUN,
    )
    assert outcome.status == "error"
    assert "DISAGREE" in outcome.detail


def test_a_model_that_does_not_fit_the_formula_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ask", answering(Answer("z3", "sat", 0.1, {"x": 8})))
    assert (
        prove(
            Statement(
                "test a model that does not fit the formula is an error",
                (SMALL,),
                FALSE.goal,
                replay=lambda model: "x = 8",
                variables=(X,),
            ),
            RUN,
        ).status
        == "error"
    )


@pytest.mark.parametrize("verdict", ["unknown", "timeout", "error"])
def test_no_answer_is_never_a_pass(monkeypatch: pytest.MonkeyPatch, verdict: Any) -> None:
    monkeypatch.setattr(module, "ask", answering(Answer("z3", "unsat", 0.1), Answer("cvc5", verdict, 0.1)))
    assert prove(TRUE, RUN).status == "undecided"


def test_a_conjunction_is_proved_only_if_all_parts_are() -> None:
    assert prove_all({"a": TRUE, "b": TRUE}, RUN).status == "proved"
    assert prove_all({"a": TRUE, "b": FALSE}, RUN).status == "undecided"
    assert prove_all({}, RUN).status == "undecided"


def test_reals_go_to_the_solvers_that_know_them() -> None:
    r = z3.Real("r")
    outcome = prove(
        Statement("test reals go to the solvers that know them", (r > 5,), r * r > 25, r * r > 26, variables=(r,)), RUN
    )
    assert outcome.status == "proved"
    assert set(outcome.solvers) == {"z3", "cvc5"}


@pytest.mark.parametrize(
    ("formulas", "logic"),
    [
        ([z3.BitVec("a", 3) == 1], "QF_BV"),
        ([z3.FP("f", z3.Float64()) == 1.0], "QF_BVFP"),
        ([z3.Real("r") == 1], "QF_NRA"),
        ([z3.ForAll([z3.Real("r")], z3.Real("r") == 1)], "NRA"),
        ([z3.Real("r") == 1, z3.BitVec("a", 3) == 1], "ALL"),
    ],
)
def test_logics(formulas: Sequence[z3.BoolRef], logic: str) -> None:
    from snapref_smt.engine.script import logic as logic_of

    assert logic_of(formulas) == logic


def test_a_script_says_what_it_is_about() -> None:
    text = script(TRUE, ["claim N-4.2"])
    assert text.startswith("; claim N-4.2\n")
    assert "(set-info :status unsat)" in text
    assert "(set-logic QF_BV)" in text


def test_a_script_has_no_connective_that_the_standard_does_not_know() -> None:
    from snapref_smt.engine.script import script as script_of

    a, b = z3.Bools("a b")
    short = [z3.And(a), z3.And(), z3.Implies(z3.And(), z3.Or(a, z3.And(b))), z3.Or(z3.And(z3.And(X == 3)))]
    text = script_of([*short, z3.And(a, b)])
    assert text.count("and") == 1
    (answer,) = module.ask(text, ["a", "b", "x"], ["bitwuzla"], 30, lambda answers: False)
    assert (answer.verdict, dict(answer.model)) == ("sat", {"a": True, "b": True, "x": 3})
