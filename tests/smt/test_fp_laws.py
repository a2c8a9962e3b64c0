"""The laws of rounding: exhaustively in a small format by other means, and statements that must not go through."""

from bisect import bisect
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import z3

from snapref_smt import fp_laws as laws
from tests.breaking import fails, fails_on_bits

P, EMIN = 4, -2  # the 7-bit format of laws.SMALL: p = 4, smallest normal 2^-2, quantum 2^-5
ETA, NORMAL, MU = Fraction(1, 2**P), Fraction(1, 4), Fraction(1, 64)
NUMBERS = sorted(
    {sign * m * Fraction(2) ** e for sign in (-1, 1) for e in range(-5, 1) for m in range(16) if m >= 8 or e == -5}
)


def rounded(value: Fraction) -> Fraction:
    """The nearest of all numbers, the one with the even significand on a tie. By search, sharing nothing with smt/."""

    def odd(number: Fraction) -> bool:
        quantum = MU * 2
        while abs(number) >= 2**P * quantum:
            quantum *= 2
        return (number / quantum) % 2 == 1

    place = bisect(NUMBERS, value)
    return min(NUMBERS[max(place - 1, 0) : place + 1], key=lambda number: (abs(number - value), odd(number)))


def obeys(value: Fraction) -> bool:
    return (1 + ETA) * abs(rounded(value) - value) <= ETA * abs(value)


def test_the_constants_describe_the_small_format() -> None:
    assert laws.eta(laws.SMALL) == ETA
    assert laws.smallest_normal(laws.SMALL) == NORMAL
    assert laws.half_quantum(laws.SMALL) == MU
    assert laws.smallest_normal(laws.DOUBLE) == Fraction(1, 2**1022)
    assert laws.half_quantum(laws.DOUBLE) == Fraction(1, 2**1075)


SUMS = {a + b for a, b in product(NUMBERS, repeat=2)}
PRODUCTS = {a * b for a, b in product(NUMBERS, repeat=2)}


def test_sums_and_products_of_the_small_format_obey_the_laws() -> None:
    assert all(obeys(v) for v in SUMS if abs(v) <= max(NUMBERS))
    for v in PRODUCTS:
        error = abs(rounded(v) - v)
        assert error <= ETA * abs(v) or not NORMAL - MU < abs(v) <= max(NUMBERS)
        assert error <= MU or abs(v) > NORMAL


def test_the_working_format_holds_every_sum_and_product_of_the_small_one() -> None:
    for value in (SUMS | PRODUCTS) - {0}:
        laws.number(laws.WORK, abs(value))


def test_the_threshold_for_products_is_attained() -> None:
    at = [(a, b) for a, b in product(NUMBERS, repeat=2) if a * b == NORMAL - MU]
    assert at
    assert not any(obeys(a * b) for a, b in at)
    a, b = 1 - 2.0**-53, 2.0**-1022  # the same in binary64
    exact = Fraction(a) * Fraction(b)
    assert exact == Fraction(1, 2**1022) - Fraction(1, 2**1075)
    assert abs(Fraction(a * b) - exact) > Fraction(1, 2**53) * exact


@pytest.mark.parametrize("value", [Fraction(1), Fraction(1, 2**53), Fraction(3, 4), Fraction(2**60 - 1, 2**70)])
def test_a_constant_is_the_number_it_stands_for(value: Fraction) -> None:
    for sort in (laws.QUAD, z3.FPSort(12, 80)):
        assert z3.simplify(z3.fpToReal(laws.number(sort, value))).as_fraction() == value


def test_a_constant_that_the_format_does_not_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="holds"):
        laws.number(laws.SMALL, Fraction(1, 3))
    with pytest.raises(ValueError, match="holds"):
        laws.number(laws.SMALL, Fraction(1, 2**20))


def test_what_is_too_strong_is_not_proved() -> None:
    law = laws.error_for_every_p()
    error = laws.magnitude(laws.c - laws.v)
    assert fails(replace(law, conclusion=(2 * laws.n + 2) * error <= laws.magnitude(laws.v)))
    threshold = laws.product_threshold("binary16")[0]
    assert fails_on_bits(replace(threshold, hypotheses=threshold.hypotheses[:-1]))
    assert fails_on_bits(laws.exact_sum(laws.DOUBLE, laws.QUAD, 61))
