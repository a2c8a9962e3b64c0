"""Accuracy: what is sound is never exceeded, what is printed is as wrong as claimed, and every check can fail."""

from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref.budget import plan_budget
from snapref.errors import ParameterError
from snapref_harness.numbers import rounded_up
from snapref_ledger import REGISTRY, Outcome, Run
from snapref_ledger.claims import load_claims
from snapref_ledger.verdicts import Evidence, judge
from snapref_proofs import obligations
from snapref_proofs.accuracy import (
    accuracy,
    accuracy_obligations,
    completion_obligations,
    error_obligations,
    examples,
    sound,
    statements,
)
from snapref_proofs.accuracy import compare as comparison
from snapref_proofs.accuracy.compare import compare, worst_value
from snapref_proofs.accuracy.examples import Example
from snapref_proofs.accuracy.printed import Printed, get_accuracy, get_accuracy2
from snapref_proofs.accuracy.program import program_of
from snapref_proofs.accuracy.sound import TailBound, ideal_tail, least_accuracy, least_number, program_tail, quantile
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.figure2 import statements as lemmas
from snapref_proofs.ideal.model import Ideal, constant
from snapref_smt.engine.statement import Statement
from tests.breaking import fails, obligation_fails
from tests.proofs.ideal.test_model import mechanisms

assert obligations  # registers everything
OURS = {id: found for id, found in REGISTRY.items() if id.startswith("proofs.accuracy.")}


def run(name: str) -> Outcome:
    return OURS[f"proofs.accuracy.{name}"].check(Run())


@pytest.mark.parametrize("id", ["N1-6-PL", "N2-GA2"])
def test_a_claim_without_its_condition_or_correction_is_open(id):
    claim = replace(load_claims()[id], condition="", corrected="")
    pieces = [Evidence(found, Outcome(found.expected)) for found in OURS.values() if found.claim == id]
    assert judge(claim, pieces) == "open"


# ---- every check can fail


def test_statements_need_their_conditions(monkeypatch):
    monkeypatch.setattr(statements, "multiple", [statements.last >= statements.bound])
    assert obligation_fails("proofs.accuracy.minus_b")
    assert obligation_fails("proofs.accuracy.p_l")
    monkeypatch.setattr(statements, "lattice", [statements.ratio >= 1, statements.ratio < 3])
    for name in ("p_l_plus", "p_u_minus", "f_z_minus", "case2", "reaches"):
        assert obligation_fails(f"proofs.accuracy.{name}"), name


def test_statements_need_the_rounding(monkeypatch):
    monkeypatch.setattr(statements, "error", statements.absolute(statements.f - statements.n))  # no outer clamp
    for name in ("cases", "largest", "cap"):
        assert obligation_fails(f"proofs.accuracy.{name}"), name


@pytest.mark.parametrize("maker", ["exact_law", "two_tails", "thresholds_apart", "one_side_beyond"])
def test_a_lemma_that_claims_too_much_is_refuted(maker):
    first, *_ = getattr(statements, maker)()
    assert fails(replace(first, conclusion=first.twin))


def test_the_program_needs_its_lemmas(monkeypatch):
    first, second = lemmas.ends_below()
    monkeypatch.setattr(lemmas, "ends_below", lambda: (replace(first, conclusion=first.twin), second))
    assert obligation_fails("proofs.accuracy.program")
    x = z3.Real("x")
    false = Statement("false", [x > 0], x > 1)
    monkeypatch.setattr(statements, "thresholds_inside", lambda: (false,))
    assert obligation_fails("proofs.accuracy.program")


def test_numbers_that_case_four_uses(monkeypatch):
    monkeypatch.setattr(accuracy_obligations, "exponential", lambda exponent: constant(3))
    assert run("range").status == "refuted"


def nothing(*args: object) -> object:
    return constant(0)


# For each witness, one ingredient changed so that there is no contradiction left.
HARMLESS = {
    "minus_b.printed": (error_obligations, "equal", lambda p, q: True),
    "plus_b.printed": (error_obligations, "equal", lambda p, q: True),
    "strict.printed": (error_obligations, "equal", lambda p, q: True),
    "eq63.printed": (error_obligations, "equal", lambda p, q: True),
    "p_l.printed": (error_obligations, "equal", lambda p, q: True),
    "p_u.printed": (error_obligations, "equal", lambda p, q: True),
    "n_sub_002.printed": (error_obligations, "equal", lambda p, q: True),
    "p_u_plus.printed": (error_obligations, "equal", lambda p, q: False),  # the program says something else
    "p_u_minus.printed": (error_obligations, "equal", lambda p, q: False),
    "triangle.printed": (Ideal, "output_from", lambda self, f, y: Fraction(3, 4)),
    "scale.printed": (error_obligations, "noise", lambda sign, scale, u, precision: scale * 0),
    "eq63.values": (Example, "error_is", nothing),
    "n_p_l.printed": (Example, "error_is", nothing),
    "p_l_at_most.printed": (Example, "error_is", nothing),
    "reframed.printed": (Example, "exceeds", lambda self, a: constant(1)),
    "f_z_plus.printed": (Example, "z_at_most", lambda self, z: constant(-1)),
    "f_z_minus.step": (Example, "z_at_most", lambda self, z: constant(1)),
    "n_sub_001.printed": (error_obligations, "printed_law", lambda e, x, first: constant(1)),
    "n_sub_minus.printed": (error_obligations, "f_z_minus", nothing),
    "smallest.one": (Ideal, "law", lambda self, f: [(f, constant(2))]),
    "solution.printed": (accuracy_obligations, "f_z_minus", nothing),
    "no_tighter.printed": (accuracy_obligations, "quantile", lambda law, alpha, f: Fraction(5)),
    "case4.printed": (Example, "exceeds", nothing),
    "line.printed": (accuracy_obligations, "agreed", lambda expression, bits: (Fraction(-2), Fraction(-1))),
    "range.printed": (accuracy_obligations, "get_accuracy", lambda *args: Printed(Fraction(3), Fraction(3), 4)),
    "leak.two": (accuracy_obligations, "p_l_plus", nothing),
    "reaches.printed": (accuracy_obligations, "equal", lambda p, q: True),
    "accuracy2.printed": (Example, "exceeds", nothing),
}


def test_every_witness_has_its_counterpart():
    assert {f"proofs.accuracy.{name}" for name in HARMLESS} == {
        id for id, found in OURS.items() if found.expected == "refuted"
    }


@pytest.mark.parametrize("name", HARMLESS)
def test_a_witness_that_refutes_nothing_is_not_refuted(name, monkeypatch):
    monkeypatch.setattr(*HARMLESS[name])
    assert run(name).status == "proved"


def test_a_witness_that_the_program_does_not_share_is_an_error(monkeypatch):
    monkeypatch.setattr(examples, "CLOSE", Fraction(0))
    with pytest.raises(ArithmeticError, match="program"):
        run("case4.printed")


# ---- the code behind the numbers


def few(monkeypatch, count=25):
    every = completion_obligations.random_mechanisms
    monkeypatch.setattr(completion_obligations, "random_mechanisms", lambda _, seed: every(count, seed))


def test_a_wrong_tail_quantile_or_law_is_caught(monkeypatch):
    few(monkeypatch, 60)
    with monkeypatch.context() as patch:
        patch.setattr(TailBound, "_tail", lambda self, d: sound.exponential(-d * 2 / self.scale))
        assert "larger than its bound" in run("code").detail
    with monkeypatch.context() as patch:
        patch.setattr(completion_obligations, "quantile", lambda law, alpha, f: Fraction(-1))
        assert "quantile" in run("code").detail
    with monkeypatch.context() as patch:
        patch.setattr(Ideal, "last_not_above", lambda self, x: self.last_not_above.__self__.first_not_below(x) - 1)
        assert "sum over the outputs" in run("code").detail


def test_the_accuracy_without_f_is_tight(monkeypatch):
    monkeypatch.setattr(completion_obligations, "least_accuracy", lambda tail, alpha: 2 * least_accuracy(tail, alpha))
    assert run("tight").status == "refuted"


def test_the_printed_algorithm_on_a_grid(monkeypatch):
    points = accuracy_obligations.grid_points(fine=False)[::7]
    monkeypatch.setattr(accuracy_obligations, "grid_points", lambda fine: points)
    monkeypatch.setattr(accuracy_obligations, "get_accuracy", lambda *args: Printed(Fraction(0), Fraction(0), 2))
    assert run("grid").status == "refuted"
    monkeypatch.setattr(accuracy_obligations, "get_accuracy", lambda *args: Printed(Fraction(99), Fraction(99), 2))
    assert run("grid").status == "undecided"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_sound_bounds_are_sound_and_in_order(data):
    ideal = data.draw(mechanisms())
    f = ideal.bound * data.draw(st.fractions(min_value=-1, max_value=1, max_denominator=16))
    alpha = data.draw(st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(99, 100), max_denominator=10**6))
    exact = quantile(ideal, alpha, f)
    at_f, anywhere = (least_accuracy(tail, alpha) for tail in (ideal_tail(ideal, f), ideal_tail(ideal)))
    for a in (exact, at_f, anywhere):
        assert ideal.exceeds(a, f).at_most(alpha)
    assert exact <= at_f <= anywhere + ideal.lattice / 2**41  # each is found up to that
    assert anywhere <= 2 * ideal.bound
    smaller = [abs(f - x) for x, _ in ideal.law(f) if abs(f - x) < exact]
    assert all(not ideal.exceeds(a, f).at_most(alpha) for a in smaller)


@settings(max_examples=40, deadline=None)
@given(
    epsilon=st.floats(0.05, 4),
    ratio=st.integers(2, 40),
    place=st.integers(-16, 16),
    alpha=st.sampled_from([0.001, 0.05, 0.3, 0.7]),
)
def test_the_library_returns_only_what_is_sound(epsilon, ratio, place, alpha):
    bound = float(ratio / epsilon)
    value = bound * place / 16
    program = program_of(plan_budget(Fraction(epsilon), Fraction(bound), Fraction(1), 53))
    at_value, anywhere = accuracy(epsilon, bound, alpha, value=value), accuracy(epsilon, bound, alpha)
    for a in (at_value, anywhere):
        assert program.exceeds(a, Fraction(value)).at_most(Fraction(alpha))
    assert at_value <= anywhere
    for a in (at_value, anywhere):
        assert Fraction(float(a)) == a  # what a user gets is a double, and as sound
    less = Fraction(nextafter(float(at_value), -inf))
    assert at_value == 0 or not program.exceeds(less, Fraction(value)).at_most(Fraction(alpha))


def test_no_digit_that_is_shown_is_rounded_down():
    rounded = (
        Fraction(0.1) + 4,
        Fraction(781509351, 10**8),
        Fraction(11),
        Fraction(10**12) + Fraction(1, 3),
        Fraction(0),
    )
    for a in rounded:
        assert Fraction(rounded_up(a)) >= a
    assert rounded_up(Fraction(11)) == "11"


def test_the_example_of_the_package():
    assert float(accuracy(epsilon=0.5, bound=100.0, alpha=0.05, value=37.25)) == 6.75


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": 0.0}, "alpha must be positive"),
        ({"alpha": 1.0}, "alpha = 1.0 must be less than 1"),
        ({"alpha": float("nan")}, "alpha must be finite"),
        ({"value": 100.5}, "value = 100.5 is outside"),
        ({"value": float("inf")}, "value must be finite"),
        ({"value": 0.1, "precision": 20}, "20 bits"),
        ({"epsilon": -1.0}, "epsilon must be positive"),
        ({"bound": 100.1, "precision": 20}, "bound = 100.1 must be a number that 20 bits hold"),
    ],
)
def test_bad_parameters_are_refused(given, message):
    with pytest.raises(ParameterError, match=message):
        accuracy(**{"epsilon": 0.5, "bound": 100.0, "alpha": 0.05, **given})


def test_least_number():
    for least in range(20):
        assert least_number(lambda n, least=least: n >= least) == least


# ---- the printed algorithms


def test_get_accuracy_in_its_four_cases():
    one, ten = Fraction(1), Fraction(10)
    assert get_accuracy(one, ten, Fraction(1), Fraction(1, 10**6)) == Printed(Fraction(11), Fraction(11), 1)
    second = get_accuracy(one, ten, Fraction(1), Fraction(1, 20))
    assert second.case == 2
    assert abs(float(second.high) - 3.9958) < 1e-3  # 1 - ln(0.05 - ½e^-10)
    assert get_accuracy(one, ten, Fraction(6), Fraction(4, 100)).case == 3
    assert get_accuracy(one, ten, Fraction(6), Fraction(4, 100)).high == 4
    assert get_accuracy(one, ten, Fraction(5), Fraction(1, 1000)).case == 4
    assert get_accuracy(one, ten, Fraction(-5), Fraction(1, 1000)) == get_accuracy(
        one, ten, Fraction(5), Fraction(1, 1000)
    )


def test_get_accuracy2_and_its_cap():
    one = Fraction(1)
    assert abs(float(get_accuracy2(one, Fraction(10), Fraction(1, 20)).high) - 0.551293) < 1e-6
    assert get_accuracy2(one, Fraction(1, 4), Fraction(1, 20)).high == Fraction(1, 2)


def test_every_row_of_the_comparison():
    program = program_of(plan_budget(Fraction(1, 2), Fraction(100), Fraction(1), 53))
    rows = compare(program, Fraction(1, 1000), Fraction(95))
    assert [(row.source, row.uses_guess, row.law, row.sound) for row in rows] == [
        ("printed", True, "ideal", False),
        ("corrected", True, "ideal", True),
        ("exact", True, "ideal", True),
        ("exact", True, "program", True),
        ("printed", False, "ideal", False),
        ("corrected", False, "ideal", True),
        ("corrected", False, "program", True),
    ]
    for row in rows:
        law = program if row.law == "program" else program.ideal
        assert row.probability == law.exceeds(row.accuracy, row.at)
    assert len(compare(program, Fraction(1, 1000), None)) == 3


def test_a_bound_for_every_f_that_is_neither_proved_nor_refuted(monkeypatch):
    program = program_of(plan_budget(Fraction(1, 2), Fraction(100), Fraction(1), 53))
    assert compare(program, Fraction(3, 4), None)[0].sound is True
    monkeypatch.setattr(comparison, "ideal_tail", lambda ideal: lambda a: constant(1))  # a bound that says nothing
    monkeypatch.setattr(comparison, "least_accuracy", lambda tail, alpha: Fraction(9))
    assert compare(program, Fraction(3, 4), None)[0].sound is None


def test_the_worst_value_is_just_above_a_step():
    ideal = Ideal(Parameters(Fraction(1), Fraction(64)))
    a = Fraction(27, 8)
    f = worst_value(ideal, a)
    assert 0 < f < 2
    assert (ideal_tail(ideal)(a) - ideal.exceeds(a, f)).at_most(Fraction(1, 10**9))


def test_the_bound_for_the_program_is_hardly_larger():
    program = program_of(plan_budget(Fraction(1, 2), Fraction(100), Fraction(1), 53))
    ideal, computed = (least_accuracy(t, Fraction(1, 20)) for t in (ideal_tail(program.ideal), program_tail(program)))
    assert ideal <= computed <= ideal + Fraction(1, 2**30)
