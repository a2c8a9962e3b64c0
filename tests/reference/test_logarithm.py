"""LN is correctly rounded: the known hardest doubles, and Arb as an independent engine."""

import math
import random
from fractions import Fraction

import gmpy2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import binary64
from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError
from snapref.logarithm import MPFR_EXPONENTS, ln, ln_far_below

from .oracle import logarithm


@pytest.mark.parametrize(
    ("u", "expected"),
    [
        ("0x1.9476e304cd7c7p-384", "-0x1.09b60caf47b36p+8"),
        ("0x1.613955dc802f8p-35", "-0x1.7f02f9baf6035p+4"),
        ("0x1.a8346abf875c7p-815", "-0x1.1a34780a6cd60p+9"),
        ("0x1.fffffffffffffp-1", "-0x1.0000000000000p-53"),
        ("0x0.0000000000001p-1022", "-0x1.74385446d71c3p+9"),
        ("0x1p-1", "-0x1.62e42fefa39efp-1"),
    ],
)
def test_known_hard_doubles(u: str, expected: str) -> None:
    assert binary64.log(float.fromhex(u)).hex() == float.fromhex(expected).hex()
    assert Fraction(float.fromhex(expected)) == logarithm(Fraction(float.fromhex(u)), 53)


def exact(number: object) -> Fraction:
    return Fraction(*(int(part) for part in number.as_integer_ratio()))  # type: ignore[attr-defined]


@pytest.mark.parametrize("precision", [2, 5, 11, 24, 53, 64, 118, 237])
def test_against_arb(precision: int) -> None:
    generator = random.Random(precision)
    for _ in range(700):
        significand = generator.getrandbits(precision) | 1
        exponent = -precision - generator.choice([0, 0, 1, 3, generator.randrange(3000)])
        u = Dyadic(significand, exponent)
        assert exact(ln(u, precision)) == logarithm(significand * Fraction(2) ** exponent, precision)


@pytest.mark.parametrize("precision", [5, 53, 118])
def test_just_below_one(precision: int) -> None:
    for below in range(1, 16):
        u = Dyadic(2**precision - below, -precision)
        assert exact(ln(u, precision)) == logarithm(1 - below * Fraction(2) ** -precision, precision)


@given(st.integers(1, 2**53 - 1), st.integers(53, 10**6), st.integers(2, 130))
def test_the_far_path_agrees_with_mpfr(significand: int, exponent: int, precision: int) -> None:
    u = Dyadic(significand, -exponent)
    assert ln_far_below(u, precision) == ln(u, precision)


@pytest.mark.parametrize("exponent", [MPFR_EXPONENTS - 1, MPFR_EXPONENTS, MPFR_EXPONENTS + 1, 2**60, 10**30])
def test_far_below_the_smallest_double(exponent: int) -> None:
    y = ln(Dyadic(2**52 + 1, -exponent), 53)
    approximate = math.log(2**52 + 1) - exponent * math.log(2)
    assert float(y) == pytest.approx(approximate, rel=1e-14)


def test_the_far_path_refines_where_the_rounding_is_in_doubt() -> None:
    """ln u within 2**-300 of 1.25 * 2**300, half-way between two numbers of two bits: a first try cannot decide."""
    with gmpy2.context(precision=400):
        exponent = int(gmpy2.rint(gmpy2.mpfr(5) * 2**298 / gmpy2.const_log2()))
        above = exponent * gmpy2.const_log2() > gmpy2.mpfr(5) * 2**298
    assert ln(Dyadic(1, -exponent), 2) == (-3 * 2**299 if above else -(2**300))


@pytest.mark.parametrize("u", [0.0, 1.0, 1.5, -0.5, math.inf, math.nan, "0.5", True])
def test_u_lies_between_0_and_1(u: float) -> None:
    with pytest.raises(ParameterError, match="u must"):
        binary64.log(u)
