"""Patterns: doubles as integers, and the same code at other precisions."""

import math
from fractions import Fraction

import gmpy2
import pytest
from gmpy2 import mpfr
from hypothesis import given
from hypothesis import strategies as st

from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format, doubles_have_room, working_format

from .oracle import bits_of, float_of

TINY = Format(precision=4, exponent_bits=3)
patterns64 = st.integers(0, 2**64 - 1)


def test_the_constants_of_binary64() -> None:
    assert BINARY64.bias == 1023
    assert BINARY64.min_exponent == -1074
    assert BINARY64.max_exponent == 1023
    assert BINARY64.infinity == bits_of(math.inf)
    assert BINARY64.sign_bit == bits_of(-0.0)


@given(patterns64)
def test_join_undoes_split(bits: int) -> None:
    sign, exponent, fraction = BINARY64.split(bits)
    assert (sign, exponent, fraction) == (bits >> 63, bits >> 52 & 2047, bits & (2**52 - 1))
    assert BINARY64.join(sign, exponent, fraction) == bits


@given(st.floats(allow_nan=False))
def test_encode_is_the_pattern_of_the_float(x: float) -> None:
    assert BINARY64.encode(x) == bits_of(x)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decode_undoes_encode(x: float) -> None:
    decoded = BINARY64.decode(BINARY64.encode(x))
    assert float(decoded) == x
    assert gmpy2.is_signed(decoded) == (math.copysign(1, x) < 0)


@given(patterns64.filter(lambda bits: bits >> 52 & 2047 != 2047))
def test_unpack_says_what_a_finite_pattern_is_worth(bits: int) -> None:
    sign, significand, unit = BINARY64.unpack(bits)
    assert (-1) ** sign * significand * Fraction(2) ** unit == Fraction(float_of(bits))
    assert significand < 2**53
    assert unit >= -1074


def test_every_pattern_of_a_small_format() -> None:
    values = []
    for bits in range(TINY.infinity):
        _, significand, unit = TINY.unpack(bits)
        values.append(significand * Fraction(2) ** unit)
        assert TINY.encode(TINY.decode(bits)) == bits
        assert TINY.encode(TINY.decode(bits | TINY.sign_bit)) == bits | TINY.sign_bit
    assert values == sorted(set(values))  # patterns are ordered as their numbers, and no two share one
    assert values[1] == Fraction(2) ** TINY.min_exponent
    assert values[-1] == Fraction(2) ** (TINY.max_exponent + 1) - Fraction(2) ** (TINY.max_exponent - 3)


@pytest.mark.parametrize("fmt", [TINY, BINARY64, working_format(53), working_format(118)])
def test_powers_of_two(fmt: Format) -> None:
    step = max(1, (fmt.max_exponent - fmt.min_exponent) // 3000)
    for exponent in [*range(fmt.min_exponent, fmt.max_exponent, step), fmt.max_exponent]:
        sign, significand, unit = fmt.unpack(fmt.power_of_two(exponent))
        assert (sign, significand * Fraction(2) ** unit) == (0, Fraction(2) ** exponent)


def test_a_double_fits_the_working_format_and_118_bits_need_it() -> None:
    wide = working_format(118)
    for x in (0.1, -5e-324, math.nextafter(math.inf, 0)):
        assert float(wide.decode(wide.encode(x))) == x
    third = gmpy2.context(precision=118).div(mpfr(1), mpfr(3))
    assert wide.decode(wide.encode(third)) == third
    with pytest.raises(ParameterError, match="53 bits do not hold"):
        working_format(53).encode(third)


@pytest.mark.parametrize("number", ["1.0", None, True, 1j, [1.0]])
def test_only_numbers_are_encoded(number: object) -> None:
    with pytest.raises(ParameterError, match="not a float or an int"):
        BINARY64.encode(number)  # type: ignore[arg-type]


def test_what_no_pattern_holds() -> None:
    with pytest.raises(ParameterError, match="NaN"):
        BINARY64.encode(math.nan)
    with pytest.raises(ParameterError, match="beyond the largest"):
        BINARY64.encode(2**1024)
    with pytest.raises(ParameterError, match="53 bits do not hold"):
        BINARY64.encode(2**53 + 1)
    with pytest.raises(ParameterError, match="53 bits do not hold"):
        BINARY64.encode(mpfr(5e-324) / 2)
    for special in (math.inf, -math.inf):
        with pytest.raises(ParameterError, match="not a finite"):
            BINARY64.decode(BINARY64.encode(special))


@pytest.mark.parametrize(
    "number", [math.nan, 2**1024, 2**53 + 1, mpfr("nan"), mpfr(5e-324) / 2, mpfr("1e400"), "1.0", True]
)
def test_what_is_no_double_is_refused(number: float) -> None:
    with pytest.raises(ParameterError):
        BINARY64.encode(number)


def test_where_doubles_have_room() -> None:
    low, high = Fraction(1, 2**900), Fraction(2**900)
    assert doubles_have_room(low, high)
    assert not doubles_have_room(low / 2, high)
    assert not doubles_have_room(low, 2 * high)
