"""⊕ and ⊗ at p bits: each the exact result, rounded once to the nearest p-bit number, ties to even (001/002 §2, §3).

MPFR rounds every operation correctly and its exponents do not end where the mechanism could reach (2**±(2**30)).
"""

from functools import lru_cache
from typing import NamedTuple

import gmpy2
from gmpy2 import mpfr


class Dyadic(NamedTuple):
    """The exact number significand * 2**exponent. U* is one: its exponent has no limit, so no format holds it."""

    significand: int
    exponent: int


@lru_cache(maxsize=64)
def context(precision: int, mode: int = gmpy2.RoundToNearest) -> gmpy2.context:
    """The MPFR context that rounds to `precision` bits."""
    return gmpy2.context(precision=precision, round=mode)


def add(a: mpfr, b: mpfr, precision: int) -> mpfr:
    """a ⊕ b"""
    return context(precision).add(a, b)


def multiply(a: mpfr, b: mpfr, precision: int) -> mpfr:
    """a ⊗ b"""
    return context(precision).mul(a, b)


def scaled(significand: int, exponent: int) -> mpfr:
    """significand * 2**exponent, exactly."""
    exact = mpfr(significand, 1)  # precision 1 means: as many bits as the integer needs
    exactly = context(exact.precision)
    return exactly.mul_2exp(exact, exponent) if exponent >= 0 else exactly.div_2exp(exact, -exponent)
