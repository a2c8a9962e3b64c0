"""Λ is the smallest power of two that is at least λ, for every positive finite double."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import binary64
from snapref.errors import ParameterError
from snapref.formats import Format
from snapref.lattice import lattice_exponent


def is_smallest_power_at_least(lattice: Fraction, scale: Fraction) -> bool:
    return lattice / 2 < scale <= lattice


def test_around_every_power_of_two() -> None:
    for exponent in range(-1074, 1024):
        power = math.ldexp(1.0, exponent)
        assert binary64.lattice(power) == power
        for neighbour in (math.nextafter(power, 0.0), math.nextafter(power, math.inf)):
            if 0 < neighbour <= 2.0**1023:
                assert is_smallest_power_at_least(Fraction(binary64.lattice(neighbour)), Fraction(neighbour))


@given(st.floats(min_value=5e-324, max_value=2.0**1023))
def test_minimal(scale: float) -> None:
    assert is_smallest_power_at_least(Fraction(binary64.lattice(scale)), Fraction(scale))


def test_every_number_of_a_small_format() -> None:
    tiny = Format(precision=5, exponent_bits=3)
    for bits in range(1, tiny.infinity):
        _, significand, unit = tiny.unpack(bits)
        scale = significand * Fraction(2) ** unit
        if scale > Fraction(2) ** tiny.max_exponent:
            with pytest.raises(ParameterError, match="too large"):
                lattice_exponent(bits, tiny)
        else:
            assert is_smallest_power_at_least(Fraction(2) ** lattice_exponent(bits, tiny), scale)


@pytest.mark.parametrize("scale", [0.0, -0.0, -1.0, -5e-324])
def test_a_scale_is_positive(scale: float) -> None:
    with pytest.raises(ParameterError, match="positive"):
        binary64.lattice(scale)


@pytest.mark.parametrize("scale", [math.nextafter(2.0**1023, math.inf), math.nextafter(math.inf, 0.0)])
def test_no_double_is_large_enough(scale: float) -> None:
    with pytest.raises(ParameterError, match="too large"):
        binary64.lattice(scale)


@pytest.mark.parametrize("scale", [math.inf, -math.inf, math.nan])
def test_a_scale_is_finite(scale: float) -> None:
    with pytest.raises(ParameterError):
        binary64.lattice(scale)
