"""Losses: exact comparison, digits, the bound, cases; and the search."""

import math
from decimal import Decimal, getcontext
from fractions import Fraction

import pytest

from snapref.arithmetic import Dyadic
from snapref.budget import eta, loss_bound
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Loss, case, clamped, decimal_text, entries, entry_at, loss_of, nearest, worst
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.search import Search


def test_digits_of_a_loss() -> None:
    getcontext().prec = 80
    for larger, smaller in ((2, 1), (2**53 + 1, 2**53), (10**30, 1), (3, 2), (2**200 + 1, 2**200)):
        text = Loss(larger, smaller).text()
        exact = (Decimal(larger) / Decimal(smaller)).ln()
        assert len(text.partition("E")[0].replace(".", "").lstrip("0")) >= 40
        assert abs(Decimal(text) - exact) <= exact * Decimal(10) ** -(min(44, 78 - len(str(smaller))))
    assert Loss(5, 5).text() == "0"
    assert Loss(5, 0).text() == "inf"


def test_decimal_text() -> None:
    assert decimal_text(Fraction(1, 8), 5) == "0.12500"
    assert decimal_text(Fraction(2, 3), 5) == "0.66666"
    assert decimal_text(Fraction(10**9), 5) == "1.0000E+9"
    assert decimal_text(Fraction(999999, 10), 3) == "9.99E+4"


def test_exceeds_is_decided_next_to_the_boundary() -> None:
    loss = Loss(3, 2)
    low, high = loss.enclosure(2000)
    assert high - low < Fraction(1, 2**1900)
    assert loss.exceeds(low - Fraction(1, 2**1000))
    assert not loss.exceeds(high + Fraction(1, 2**1000))
    assert Loss(1, 0).exceeds(Fraction(10**100))
    assert not Loss(7, 7).exceeds(Fraction(0))


def test_comparison_is_exact() -> None:
    assert Loss(2**100 + 1, 2**100).above(Loss(2**101 + 1, 2**101))
    assert Loss(1, 0).above(Loss(10**9, 1))
    assert not Loss(1, 0).above(Loss(5, 0))
    assert not Loss(2, 1).above(Loss(4, 2))


def test_loss_of_probabilities_with_huge_exponents() -> None:
    assert loss_of(Dyadic(3, -(10**13)), Dyadic(1, -(10**13))) == Loss(3, 1)
    assert loss_of(Dyadic(0, 5), Dyadic(1, -(10**13))).infinite


def test_ideal_losses() -> None:
    """Away from the two values the loss is ε to within a few η; between them it is what Laplace noise gives."""
    m = Parameters(Fraction(1), Fraction(10))
    a, b = from_fraction(3.25), from_fraction(4.25)
    for entry in entries(m, a, b):
        letters = case(m, entry.k, a, b)
        if letters in "ABFG":
            assert abs(entry.loss.in_units(Fraction(1), eta(53))) < 100
        else:
            assert not entry.loss.exceeds(Fraction(1))
    below = to_fraction(worst(e for e in entries(m, a, b) if e.k == -10).a)
    assert math.isclose(float(below), math.exp(-12.75) / 2, rel_tol=1e-14)


@pytest.mark.parametrize(
    ("a", "b", "letters"),
    [
        (-1.5, 1.25, {-3: "A", -2: "B", -1: "C", 0: "D", 1: "E", 2: "F", 3: "G"}),
        (0.25, -0.25, {-3: "A", -2: "B", -1: "B", 0: "CE", 1: "F", 2: "F", 3: "G"}),
        (3.0, 2.0, {-3: "A", -2: "B", -1: "B", 0: "B", 1: "B", 2: "C", 3: "G"}),
        (-3.0, -3.0, {-3: "A", -2: "F", -1: "F", 0: "F", 1: "F", 2: "F", 3: "G"}),
    ],
)
def test_cases(a: float, b: float, letters: dict[int, str]) -> None:
    m = Parameters(Fraction(1), Fraction(3))
    assert {k: case(m, k, from_fraction(a), from_fraction(b)) for k in range(-3, 4)} == letters


def test_nearest_takes_ties_up() -> None:
    m = Parameters(Fraction(2), Fraction(10))
    assert [nearest(m, from_fraction(x)) for x in (-3.0, -1.0, -0.5, 1.0, 3.0, 2.9, 8.0)] == [-1, 0, 0, 1, 2, 1, 4]


def test_clamped() -> None:
    bound = from_fraction(2.5)
    assert [float(to_fraction(clamped(from_fraction(x), bound))) for x in (3.0, -3.0, 2.5, 0.0)] == [
        2.5,
        -2.5,
        2.5,
        0.0,
    ]


def test_worst_of_infinite_losses() -> None:
    m = Parameters(Fraction(1), Fraction(400), uniform="binary64")
    a, b = from_fraction(400.0), from_fraction(399.0)
    entry = worst(entries(m, a, b))
    assert entry.loss.infinite
    assert entry_at(m, entry.k, a, b) == entry
    assert {e.a.significand == 0 for e in entries(m, a, b)} == {True, False}


def test_search_is_reproducible_and_true() -> None:
    one, two = (Search(precision=24).run(300, seed=7) for _ in range(2))
    assert one == two
    m, h = one.pair.parameters, eta(24)
    assert m.scale <= m.bound
    assert 0 < abs(one.pair.a - one.pair.b) <= 1
    limit = 1 / m.scale + 2 * h + Fraction(one.constant) * m.bound / m.scale * h
    assert one.entry.loss.exceeds(limit - h / 1000)
    assert not one.entry.loss.exceeds(limit + h / 1000)
    assert one.excess > 2
    assert not one.entry.loss.exceeds(loss_bound(m.scale, m.bound, Fraction(1), 24))


def test_search_keeps_what_is_fixed() -> None:
    fixed = {"scale": Fraction(3, 2), "bound": Fraction(12)}
    found = Search(fixed=fixed).run(200, seed=0).pair.parameters
    assert (found.scale, found.bound) == (Fraction(3, 2), Fraction(12))
