"""The program on doubles against that on patterns. (That they are the same for all inputs, obligations decide.)"""

import math

from hypothesis import example, given
from hypothesis import strategies as st

from snapref import doubles
from snapref.clamp import clamp
from snapref.formats import BINARY64
from snapref.rounding import round_to_lattice

from .oracle import bits_of, float_of

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, st.floats(0.0, exclude_min=True, allow_infinity=False))
@example(-0.0, 1.0)
@example(-1.0, 1.0)
def test_clamp(x: float, bound: float) -> None:
    assert bits_of(doubles.clamp(x, bound)) == clamp(bits_of(x), bits_of(bound))


@given(st.one_of(st.floats(-(2.0**66), 2.0**66), st.integers(-(2**60), 2**60).map(lambda n: n / 2)))
@example(0.49999999999999994)
@example(-0.49999999999999994)
@example(-0.5)
@example(0.5)
@example(-0.0)
@example(2.0**52 + 1)
@example(-(2.0**51) - 0.5)
@example(5e-324)
@example(-5e-324)
def test_rounding(x: float) -> None:
    result = doubles.nearest_integer(x)
    assert float_of(round_to_lattice(bits_of(x), 0, BINARY64)) == result
    assert math.copysign(1.0, result * 1.0) == 1.0 or result  # a zero is +0
