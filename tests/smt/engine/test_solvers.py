"""Solver processes: what they answer is read as it is, and nothing else is ever read as sat or unsat."""

import os
import subprocess
import sys
from fractions import Fraction

import pytest

from snapref_smt.engine import solvers
from snapref_smt.engine.solvers import SOLVERS, Answer, ask, overall, parse_values, spent

UNSAT = "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (bvult x x))(check-sat)"
SAT = "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (= x #x2a))(check-sat)"
# Factoring a 96-bit product of two primes: no solver is done with it in a second.
HARD = """(set-logic QF_BV)(declare-fun a () (_ BitVec 128))(declare-fun b () (_ BitVec 128))
(assert (= (bvmul a b) (_ bv79228162514264337584954015909 128)))
(assert (bvult a (_ bv562949953421312 128)))(assert (bvult b (_ bv562949953421312 128)))
(assert (bvugt a (_ bv1 128)))(assert (bvugt b (_ bv1 128)))(check-sat)"""


def all_of(answers: object) -> bool:
    return False


def instead_of_a_solver(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    real = subprocess.Popen

    def start(command: list[str], **options: object) -> object:
        return real([sys.executable, "-c", program], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", start)


@pytest.mark.parametrize("solver", SOLVERS)
def test_answers(solver: str) -> None:
    (unsat,) = ask(UNSAT, ["x"], [solver], 30, all_of)
    (sat,) = ask(SAT, ["x"], [solver], 30, all_of)
    assert (unsat.verdict, sat.verdict, dict(sat.model)) == ("unsat", "sat", {"x": 42})


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_broken_script_is_an_error_and_not_an_answer(solver: str) -> None:
    (answer,) = ask(UNSAT.replace("bvult x x", "nonsense x"), [], [solver], 30, all_of)
    assert answer.verdict == "error"
    assert answer.detail


# Several questions in one script


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        (["unsat", "unsat"], "unsat"),
        (["unsat", "sat"], "sat"),
        (["unknown", "unsat"], "unknown"),
        (["unknown", "sat"], "sat"),
        (["unsat"], ""),  # fewer answers than questions
        (["unsat", "unsat", "unsat"], ""),
        (["unsat", "(error"], ""),
        ([], ""),
    ],
)
def test_one_verdict_for_two_questions(verdicts: list[str], verdict: str) -> None:
    assert overall(verdicts, 2) == verdict


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_answers_each_question(solver: str) -> None:
    for script, verdict in ((f"{UNSAT}(reset){UNSAT}", "unsat"), (f"{UNSAT}(reset){SAT}", "sat")):
        (answer,) = ask(script, [], [solver], 30, all_of, 2)
        assert answer.verdict == verdict


@pytest.mark.parametrize("said", ["unsat", "unsat\nunsat\nunsat", "unsat\ntimeout", ""])
def test_a_solver_that_does_not_answer_each_question_is_in_error(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_a_solver(monkeypatch, f"print({said!r})")
    (answer,) = ask(UNSAT, [], ["z3"], 30, all_of, 2)
    assert answer.verdict == "error"


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_limit_is_in_processor_time(solver: str) -> None:
    (answer,) = ask(HARD, [], [solver], 0.5, all_of)
    assert (answer.verdict, answer.detail) == ("timeout", "used its limit of 1 s of processor time")
    assert 0.5 < answer.seconds < 2  # the kernel samples, by the tick
    assert _children() == []


def test_time_in_which_nothing_is_computed_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_a_solver(monkeypatch, "import time; time.sleep(1.5); print('unsat')")
    (answer,) = ask(UNSAT, [], ["z3"], 1.0, all_of)
    assert answer.verdict == "unsat"
    assert answer.seconds < 1


def test_who_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_a_solver(monkeypatch, "import time; time.sleep(600)")
    monkeypatch.setattr(solvers, "backstop", lambda seconds: seconds)
    (answer,) = ask(UNSAT, [], ["z3"], 0.5, all_of)
    assert (answer.verdict, answer.detail) == ("timeout", "not ended after 0.5 s on the clock")


def test_without_time_nobody_is_asked() -> None:
    answers = ask(UNSAT, [], SOLVERS, 0.0, all_of)
    assert [(answer.verdict, answer.seconds) for answer in answers] == [("timeout", 0.0)] * 3


def test_a_question_takes_the_time_of_the_solver_that_used_most() -> None:
    assert spent([Answer("z3", "unsat", 0.5), Answer("cvc5", "cancelled", 1.5)]) == 1.5
    assert spent([]) == 0.0


def test_what_is_no_longer_needed_is_cancelled() -> None:
    answers = ask(SAT, ["x"], ["bitwuzla", "z3"], 30, lambda a: len(a) == 1)
    assert sorted(answer.verdict for answer in answers)[0] in ("cancelled", "sat")
    assert _children() == []


def test_a_third_solver_starts_when_one_of_two_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "PATIENCE", 0.0)
    answers = ask(SAT, ["x"], ["bitwuzla", "no-such-solver", "cvc5"], 30, all_of)
    assert {a.solver for a in answers if a.verdict == "sat"} == {"bitwuzla", "cvc5"}
    assert [a.verdict for a in answers if a.solver == "no-such-solver"] == ["error"]


def test_a_crash_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_a_solver(monkeypatch, "print('unsat'); import os; os.abort()")
    (answer,) = ask(UNSAT, [], ["z3"], 30, all_of)
    assert answer.verdict == "error"


def test_values() -> None:
    text = (
        "((a #x0f) (b #b101) (c true) (d (- 3)) (e (/ 1.0 3.0)) (f (fp #b1 #b10 #b01)) (g (_ +oo 5 11)) (h (_ bv7 9)))"
    )
    assert parse_values(text) == {
        "a": 15,
        "b": 5,
        "c": True,
        "d": -3,
        "e": Fraction(1, 3),
        "f": 0b11001,
        "g": 0x7C00,
        "h": 7,
    }
    assert parse_values("((r (root-obj (+ (^ x 2) (- 2)) 2)))") == {"r": "(root-obj (+ (^ x 2) (- 2)) 2)"}
    assert parse_values("((|exp(-psi°)| 1.0) (|a name| (- 2)))") == {"exp(-psi°)": 1, "a name": -2}
    with pytest.raises(ValueError, match="not a name"):
        parse_values("(a)")
    assert parse_values("") == {}


def _children() -> list[str]:
    output = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    ).stdout
    return [line for line in output.splitlines() if "solver_process" in line]


def test_an_answer_is_plain_data() -> None:
    assert Answer("z3", "unsat", 0.1).model == {}
