"""⊕ and ⊗ at p bits: each the exact result, rounded once to the nearest p-bit number, ties to even (001/002 §2, §3).

MPFR does the work. It rounds every operation correctly, and its exponents, up to about ±2**30, reach far beyond every
sum and product of the mechanism.
"""

from functools import lru_cache
from typing import NamedTuple

import gmpy2
from gmpy2 import mpfr


class Dyadic(NamedTuple):
    """The exact number significand * 2**exponent. U* is kept like this, as its exponent has no limit."""

    significand: int
    exponent: int


@lru_cache(maxsize=64)
def context(precision: int, mode: int = gmpy2.RoundToNearest) -> gmpy2.context:
    """The MPFR context that rounds to `precision` bits."""
    return gmpy2.context(precision=precision, round=mode)


def add(a: mpfr, b: mpfr, precision: int) -> mpfr:
    """a ⊕ b"""
    return context(precision).add(a, b)


def multiply(a: mpfr | int, b: mpfr, precision: int) -> mpfr:
    """a ⊗ b"""
    return context(precision).mul(a, b)


def scaled(significand: int, exponent: int) -> mpfr:
    """significand * 2**exponent, exactly."""
    exactly = context(significand.bit_length() or 1)
    return exactly.mul_2exp(significand, exponent) if exponent >= 0 else exactly.div_2exp(significand, -exponent)


def exact(number: float | mpfr) -> mpfr:
    """The same number as an MPFR number, without rounding. The sign of a zero is kept."""
    if isinstance(number, int):
        return scaled(number, 0)
    return context(53).plus(number) if isinstance(number, float) else number
