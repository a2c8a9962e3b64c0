"""clamp_B: identity inside, saturating outside."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import binary64
from snapref.errors import ParameterError
from snapref.formats import Format


@given(st.floats(allow_nan=False), st.floats(min_value=0.0, allow_infinity=False))
def test_clamp_is_the_nearest_number_of_the_interval(x: float, bound: float) -> None:
    result = binary64.clamp(x, bound)
    assert result == max(-bound, min(bound, x))
    if abs(x) <= bound:
        assert result.hex() == x.hex()


def test_every_pair_of_a_small_format() -> None:
    from snapref.clamp import clamp

    fmt = Format(precision=3, exponent_bits=3)
    for x in range(fmt.infinity + 1):
        for bound in range(fmt.infinity):
            for sign in (0, fmt.sign_bit):
                assert clamp(x | sign, bound, fmt) == (min(x, bound) | sign)
                assert clamp(x | sign, bound | fmt.sign_bit, fmt) == (min(x, 0) | sign) if bound == 0 else True


@pytest.mark.parametrize(
    ("x", "bound", "expected"),
    [
        (-0.0, 1.0, -0.0),
        (0.0, 1.0, 0.0),
        (-0.0, 0.0, -0.0),
        (math.inf, 3.0, 3.0),
        (-math.inf, 3.0, -3.0),
        (5.0, 0.0, 0.0),
        (5.0, -0.0, 0.0),
        (1.0, 1.0, 1.0),
        (math.nextafter(1.0, 2.0), 1.0, 1.0),
    ],
)
def test_edges(x: float, bound: float, expected: float) -> None:
    assert binary64.clamp(x, bound).hex() == expected.hex()


@pytest.mark.parametrize(
    ("x", "bound", "message"),
    [
        (math.nan, 1.0, "NaN"),
        (1.0, math.nan, "NaN"),
        (1.0, -1.0, "negative"),
        (1.0, -5e-324, "negative"),
        (1.0, math.inf, "finite"),
        (1.0, -math.inf, "finite"),
    ],
)
def test_refused(x: float, bound: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        binary64.clamp(x, bound)


def test_a_nan_pattern_is_refused() -> None:
    from snapref.clamp import clamp

    with pytest.raises(ParameterError, match="NaN"):
        clamp(0x7FF8000000000000, 0x3FF0000000000000)
    with pytest.raises(ParameterError, match="finite"):
        clamp(0x3FF0000000000000, 0xFFF8000000000000)
