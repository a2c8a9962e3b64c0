"""Figure 2: the rules on exact fractions and on doubles, and proofs that must not go through."""

import operator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from snapref_smt import figure2_rules as rules
from snapref_smt.engine.statement import NotReproduced
from tests.breaking import fails

ETA = rules.ETA
MU = Fraction(1, 2**1075)
doubles = st.floats(-1e100, 1e100, allow_subnormal=True)
fractions = st.fractions(-4, 4, max_denominator=12)


@st.composite
def enclosures(draw: st.DrawFn) -> tuple[float, Fraction, Fraction]:
    computed = draw(doubles)
    below, above = (abs(Fraction(draw(doubles))) * draw(st.sampled_from([0, ETA, 1])) for _ in range(2))
    return computed, Fraction(computed) - below, Fraction(computed) + above


@given(enclosures(), enclosures())
def test_the_corrected_rules_hold_for_doubles(one: tuple, other: tuple) -> None:
    (a, *box), (b, low, high) = one, other
    box += [low, high]
    assert rules.enclosed(Fraction(a + b), rules.corrected_plus(*box, ETA))
    assert rules.enclosed(Fraction(a - b), rules.corrected_sub(*box, ETA))
    assert rules.enclosed(Fraction(a * b), rules.corrected_times(*box, ETA, MU))
    if low > 0 or high < 0:
        assume(abs(a / b) < 1e300 if abs(b) > 1e-200 else False)
        assert rules.enclosed(Fraction(a / b), rules.corrected_quotient(*box, ETA, MU))


@given(st.fractions(-(10**300), 10**300) | st.fractions(0, 1).map(lambda f: f / 2**1070))
def test_the_corrected_constant_holds_for_doubles(constant: Fraction) -> None:
    assert rules.enclosed(Fraction(float(constant)), rules.corrected_const(constant, ETA, MU))


@pytest.mark.parametrize(
    ("rule", "operation", "condition"),
    [
        (rules.plus, operator.add, rules.plus_condition),
        (rules.times, operator.mul, rules.times_condition),
        (rules.sub, operator.sub, rules.sub_condition),
    ],
)
@given(fractions, fractions, fractions, fractions, st.sampled_from([Fraction(1, 2), Fraction(9, 10)]))
def test_no_point_of_a_box_inside_the_condition_escapes(rule, operation, condition, p, q, r, s, eta) -> None:
    assume(p != q and r != s)
    box = (min(p, q), max(p, q), min(r, s), max(r, s))
    shares = (Fraction(1, 10**6), Fraction(1, 2), 1 - Fraction(1, 10**6))
    points = [
        operation(box[0] + t * (box[1] - box[0]), box[2] + u * (box[3] - box[2])) for t, u in product(shares, repeat=2)
    ]
    rounded = [v + sign * eta / (1 + eta) * v for v in points for sign in (-1, 0, 1)]
    if condition(*box, eta):
        assert all(rules.inside(c, rule(*box, eta)) for c in rounded)


def test_the_sliver_in_which_sub_is_sound_is_not_empty() -> None:
    one, tiny = rules.around(Fraction(1)), rules.around(Fraction(1, 2**60))
    assert rules.sub_condition(*one, *tiny, ETA)
    assert rules.inside(Fraction(1.0 - 2.0**-60), rules.sub(*one, *tiny, ETA))
    assert not rules.sub_condition(*one, *rules.around(Fraction(1, 2)), ETA)


def test_a_counterexample_that_is_none_is_not_reproduced() -> None:
    half = Fraction(1, 2)
    good = (half, Fraction(1), half, Fraction(2), Fraction(1), half, Fraction(2), Fraction(2))
    with pytest.raises(NotReproduced, match="inside"):
        rules.replayed(rules.plus, rules.added, *good)
    with pytest.raises(NotReproduced, match="premises"):
        rules.replayed(rules.plus, rules.added, *good[:-1], Fraction(9))


def test_the_conditions_cannot_be_relaxed() -> None:
    def almost(l1, h1, l2, h2, eta):
        return l1 + l2 >= -1

    assert fails(rules.soundness(rules.plus, rules.added, almost))


def test_the_corrected_rules_cannot_do_without_their_corrections() -> None:
    printed_pairing = rules.widened(rules.l1 - rules.l2, rules.h1 - rules.h2, rules.eta, 0)
    assert fails(rules.correction(rules.subtracted, printed_pairing, 0))
    two_corners = rules.widened(rules.l1 * rules.l2, rules.h1 * rules.h2, rules.eta, 0)
    assert fails(rules.correction(rules.multiplied, two_corners, 0))
