"""Rounding to a multiple of Λ against the definition in rationals: all four cases and their edges."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from snapref import binary64
from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format, working_format
from snapref.rounding import round_to_lattice

from .oracle import bits_of, float_of, nearest_multiple

LARGEST = math.nextafter(math.inf, 0.0)


def check(bits: int, m: int, fmt: Format = BINARY64) -> None:
    """One pattern, one lattice, against the definition."""
    sign, significand, unit = fmt.unpack(bits)
    exact = nearest_multiple((-1) ** sign * significand * Fraction(2) ** unit, Fraction(2) ** m)
    if abs(exact) >= Fraction(2) ** (fmt.max_exponent + 1):
        with pytest.raises(ParameterError, match="overflows"):
            round_to_lattice(bits, m, fmt)
        return
    result = round_to_lattice(bits, m, fmt)
    sign, significand, unit = fmt.unpack(result)
    assert (-1) ** sign * significand * Fraction(2) ** unit == exact
    assert result != fmt.sign_bit  # never -0


finite_patterns = st.integers(0, 2**64 - 1).filter(lambda bits: bits >> 52 & 2047 != 2047)


@given(finite_patterns, st.integers(-1074, 1023))
def test_any_double_on_any_lattice(bits: int, m: int) -> None:
    check(bits, m)


@given(finite_patterns, st.integers(-3, 56))
def test_lattices_near_the_number(bits: int, y: int) -> None:
    _, significand, unit = BINARY64.unpack(bits)
    check(bits, min(max(significand.bit_length() - 1 + unit - y, -1074), 1023))


@given(st.integers(-(2**52), 2**52), st.integers(-1073, 960), st.integers(-1, 1), st.booleans())
def test_ties_and_their_neighbours(k: int, m: int, step: int, negative: bool) -> None:
    tie = Fraction(2 * k + 1) * Fraction(2) ** (m - 1)
    if tie.numerator.bit_length() <= 53:
        bits = bits_of(float(tie)) ^ (BINARY64.sign_bit if negative else 0)
        check(bits + step if bits & (BINARY64.sign_bit - 1) > 0 else bits, m)


@pytest.mark.parametrize("fmt", [Format(4, 3), Format(5, 4), Format(3, 2)])
def test_every_pattern_and_lattice_of_a_small_format(fmt: Format) -> None:
    for magnitude in range(fmt.infinity):
        for m in range(fmt.min_exponent, fmt.max_exponent + 1):
            check(magnitude, m, fmt)
            check(magnitude | fmt.sign_bit, m, fmt)


@given(st.integers(0, 2**132 - 1), st.integers(-5, 120))
@example(0, 0)
def test_118_bits(bits: int, y: int) -> None:
    fmt = working_format(118)
    if bits >> fmt.fraction_bits < fmt.special:
        _, significand, unit = fmt.unpack(bits)
        check(bits, min(max(significand.bit_length() - 1 + unit - y, fmt.min_exponent), fmt.max_exponent), fmt)


@pytest.mark.parametrize(
    ("x", "lattice", "expected"),
    [
        (2.5, 1.0, 3.0),  # ties of both signs, toward +∞
        (-2.5, 1.0, -2.0),
        (0.5, 1.0, 1.0),  # case 3
        (-0.5, 1.0, 0.0),  # the tie that §4.2.2 Case 3 gets wrong
        (math.nextafter(-0.5, -1.0), 1.0, -1.0),
        (math.nextafter(0.5, 0.0), 1.0, 0.0),  # case 4
        (-0.0, 1.0, 0.0),
        (0.0, 5e-324, 0.0),
        (3.5, 4.0, 4.0),
        (7.999, 4.0, 8.0),  # a carry into the exponent
        (2.0**52 - 0.5, 1.0, 2.0**52),
        (2.0**51 + 0.5, 1.0, 2.0**51 + 1),
        (-(2.0**51) - 0.5, 1.0, -(2.0**51)),
        (2.0**52 + 1, 1.0, 2.0**52 + 1),
        (2.0**53, 1.0, 2.0**53),
        (2.0**53 - 1, 2.0, 2.0**53),
        (LARGEST, 1.0, LARGEST),
        (-LARGEST, 5e-324, -LARGEST),
        (5e-324, 5e-324, 5e-324),
        (5e-324, 1e-323, 1e-323),
        (-5e-324, 1e-323, 0.0),
        (math.nextafter(2.0**-1022, 0.0), 2.0**-1070, 2.0**-1022),  # a subnormal that becomes normal
        (2.0**1022, 2.0**1023, 2.0**1023),
        (-(2.0**1022), 2.0**1023, 0.0),
        (-(2.0**-1074), 2.0**1023, 0.0),
    ],
)
def test_edges(x: float, lattice: float, expected: float) -> None:
    result = binary64.round(x, lattice)
    assert result.hex() == expected.hex()
    check(bits_of(x), math.frexp(lattice)[1] - 1)


@pytest.mark.parametrize(("x", "m"), [(LARGEST, 1023), (LARGEST, 971 + 1), (-LARGEST, 1023), (1.5 * 2.0**1023, 1023)])
def test_overflow_is_an_error(x: float, m: int) -> None:
    with pytest.raises(ParameterError, match="overflows"):
        round_to_lattice(bits_of(x), m)


def test_a_negative_tie_below_the_overflow_stays() -> None:
    assert float_of(round_to_lattice(bits_of(-1.5 * 2.0**1023), 1023)) == -(2.0**1023)


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan])
def test_only_finite_numbers_are_rounded(x: float) -> None:
    with pytest.raises(ParameterError):
        binary64.round(x, 1.0)


@pytest.mark.parametrize("lattice", [3.0, 0.0, -1.0, math.inf, math.nan, 0.1])
def test_a_lattice_is_a_power_of_two(lattice: float) -> None:
    with pytest.raises(ParameterError, match="lattice"):
        binary64.round(1.0, lattice)


@pytest.mark.parametrize("m", [-1075, 1024])
def test_the_format_holds_the_lattice(m: int) -> None:
    with pytest.raises(ParameterError, match="lattice"):
        round_to_lattice(bits_of(1.0), m)
