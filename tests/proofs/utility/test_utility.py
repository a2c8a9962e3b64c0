"""Document 000: the cases, the laws of dist_3 and dist_4, utility; and what breaks every check."""

from dataclasses import replace
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref_ledger import REGISTRY, Run
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.ideal.model import Ideal, clamp, exponential
from snapref_proofs.utility import model as utility
from snapref_proofs.utility import obligations
from snapref_proofs.utility import statements as utility_statements
from snapref_proofs.utility.model import (
    Side,
    binding_threshold,
    clamped_probability,
    compare,
    distance_bound,
    distance_exceeds,
    distance_expectation,
    expected_loss,
    settled,
    sides,
)
from snapref_smt.engine.decide import decide_all
from tests.breaking import fails

ONE, HALF = Fraction(1), Fraction(1, 2)


def test_another_tie_rule_breaks_the_strictness(monkeypatch):
    """Ties toward -∞: then dist_2 < … holds for f < -B, and the footnote's ≤ is no longer attained."""
    monkeypatch.setattr(utility_statements, "rounded", lambda w: -z3.ToInt(-w + utility_statements.HALF))
    outcome = decide_all(obligations.footnote(), Run())
    assert outcome.status == "error"
    assert "the twin that must fail holds as well" in outcome.detail


def test_an_inner_clamp_that_is_left_out_is_seen(monkeypatch):
    monkeypatch.setattr(utility_statements, "clamped", lambda x, bound: x)
    for check in (obligations.footnote, obligations.outer, obligations.both, obligations.clamps):
        assert fails(check())


def test_the_footnote_needs_its_witness(monkeypatch):
    monkeypatch.setattr(obligations, "HALF", Fraction(1, 4))
    assert obligations.footnote_printed(Run()).status == "undecided"


# ---- the laws


def test_a_wrong_integral_is_seen(monkeypatch):
    assert obligations.integrals() == ""
    with monkeypatch.context() as patch:
        patch.setattr(obligations, "EXCESS", ({(0, -1): ONE}, obligations.EXCESS[1]))
        assert "I' = -G" in obligations.integrals()
    with monkeypatch.context() as patch:  # another constant of integration
        patch.setattr(obligations, "EXCESS", (obligations.EXCESS[0], {**obligations.EXCESS[1], (0, 0): ONE}))
        assert "jumps at 0" in obligations.integrals()
    for name in ("t ≤ T - b", "t ≤ b - T"):
        tail, rest = obligations.RANGES[name]
        for change, message in (("I(b+t)", "derivative"), ("I(T)", "jumps where")):
            with monkeypatch.context() as patch:
                patch.setitem(obligations.RANGES, name, (tail, {**rest, change: 5}))
                assert message in obligations.integrals()
        with monkeypatch.context() as patch:
            patch.setitem(obligations.MEANS, name, {"I(T)": 7})
            assert "not the expectation" in obligations.integrals()
            assert "another expectation" in obligations.forms_agree(outside=False)


def test_another_tail_in_the_code_is_seen(monkeypatch):
    right = Side.exceeds
    monkeypatch.setattr(Side, "exceeds", lambda self, t: right(self, t) * Fraction(1, 2))
    assert "another tail" in obligations.forms_agree(outside=True)
    assert REGISTRY["proofs.utility.dist3.integral"].check(Run()).status == "refuted"
    assert REGISTRY["proofs.utility.dist4.program"].check(Run()).status == "refuted"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("binding_threshold", lambda mechanism: binding_threshold(mechanism) + mechanism.lattice),
        ("sides", lambda mechanism, f: tuple(replace(s, target=mechanism.bound) for s in sides(mechanism, f))),
        ("distance_bound", lambda mechanism, f, beta: distance_bound(mechanism, f, beta) + ONE),
        ("distance_bound", lambda mechanism, f, beta: distance_bound(mechanism, f, beta * 2)),
        ("distance_expectation", lambda mechanism, f: distance_expectation(mechanism, f) * 2),
    ],
)
def test_a_wrong_formula_is_seen_by_the_program(monkeypatch, name, wrong):
    monkeypatch.setattr(obligations, name, wrong)
    assert REGISTRY["proofs.utility.dist4.program"].check(Run()).status == "refuted"


def test_a_grid_that_ends_early_and_a_case_that_is_too_small_are_seen(monkeypatch):
    mechanism, f = Ideal(Parameters(ONE, Fraction(3, 2))), Fraction(3)
    assert obligations.against_sums(mechanism, f, steps=1) == "the grid ends too early"
    monkeypatch.setattr(obligations, "clamped_probability", lambda mechanism, f: distance_exceeds(mechanism, f, ONE))
    assert "more than the case" in obligations.against_the_bound(mechanism, f)


quarters = st.integers(1, 20).map(lambda n: Fraction(n, 4))


@given(st.fractions(Fraction(1, 4), 3, max_denominator=8), quarters, st.integers(-24, 24).map(lambda n: Fraction(n, 4)))
@settings(max_examples=80, deadline=None)
def test_the_tail_from_t0_on_is_one_formula_for_both_cases(scale, bound, f):
    mechanism = Ideal(Parameters(scale, bound))
    t = settled(mechanism, f)
    for extra in (Fraction(0), HALF):
        exponents = ((f - bound - t - extra) / scale, (-f - bound - t - extra) / scale)
        assert distance_exceeds(mechanism, f, t + extra) == HALF * (
            exponential(exponents[0]) + exponential(exponents[1])
        )
    if abs(f) <= bound:
        assert t <= mechanism.lattice / 2
    assert distance_exceeds(mechanism, f, Fraction(0)) == clamped_probability(mechanism, f)


def test_given_the_case_the_tail_does_not_depend_on_f(monkeypatch):
    mechanism = Ideal(Parameters(ONE, Fraction(9, 4)))
    assert not any(obligations.against_memory(mechanism, f) for f in (Fraction(0), HALF, Fraction(2), Fraction(5)))
    monkeypatch.setattr(obligations, "binding_threshold", lambda mechanism: mechanism.bound)
    assert obligations.against_memory(mechanism, HALF)


@given(st.integers(-64, 64).map(lambda n: Fraction(n, 16)), st.integers(0, 12).map(lambda n: Fraction(n, 4)))
@settings(max_examples=60, deadline=None)
def test_the_program_is_in_the_tail_where_the_sides_say(noise, f):
    mechanism = Ideal(Parameters(ONE, Fraction(3, 2)))
    center, edge = clamp(f, mechanism.bound), binding_threshold(mechanism)
    above, below = sides(mechanism, f)
    x, side = (center + noise, above) if center + noise >= edge else (-center - noise, below)
    if x >= edge and (side is above or x > edge):
        assert abs(f + noise - mechanism.output_from(f, noise)) == abs(x - side.target)


# ---- utility


def test_closer_limits_fail(monkeypatch):
    monkeypatch.setattr(obligations, "ABSOLUTE", (Fraction(86, 100), Fraction(132, 100)))
    assert obligations.absolute(Run()).status == "refuted"
    monkeypatch.setattr(obligations, "ABSOLUTE", (Fraction(1, 2), Fraction(132, 100)))
    assert obligations.absolute(Run()).status == "undecided"  # too wide: the twin holds
    monkeypatch.setattr(obligations, "SQUARED", (Fraction(2), Fraction(244, 100)))
    assert obligations.squared(Run()).status == "refuted"


def test_wrong_sums_fail(monkeypatch):
    assert obligations.layers_hold()
    assert obligations.hyperbolic_sums()
    assert not obligations.layers_hold(first=2)
    monkeypatch.setattr(obligations, "weighted_sum", lambda y, p, n: 0)
    assert obligations.sums(Run()).status == "refuted"


def test_a_wrong_closed_form_fails(monkeypatch):
    monkeypatch.setattr(obligations, "squared_error", utility.absolute_error)
    assert obligations.closed(Run()).status == "refuted"
    monkeypatch.setattr(obligations, "compare", lambda *_: utility.AgainstLaplace(1.0, 1.0))
    assert obligations.both_ways(Run()).status == "refuted"


def test_comparison_at_equal_epsilon():
    """ε = 1 gives λ a little above 1, and so Λ = 2, not 1."""
    found = compare(ONE, Fraction(16), Fraction(0))
    assert found.absolute == pytest.approx(1 / 1.1752011936438014, rel=1e-6)  # the rest is beyond B
    assert found.squared > 1
    assert compare(ONE, Fraction(16), Fraction(20)).absolute > 4


def test_expected_loss_is_the_expected_error():
    mechanism = Ideal(Parameters(Fraction(3, 4), Fraction(5, 2)))
    assert expected_loss(mechanism, HALF, 1) == mechanism.expected_error(HALF)
