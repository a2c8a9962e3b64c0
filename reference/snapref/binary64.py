"""The stages as functions of Python floats. A library that computes in doubles can be compared with these bit for bit.

The names are those of the cross-check protocol (notes/crosscheck.md). There is no logic of its own here: each function
translates floats to patterns, calls the stage, and translates the result back.
"""

import math

from snapref.arithmetic import Dyadic, scaled
from snapref.clamp import clamp as clamp_pattern
from snapref.errors import ParameterError, finite, positive, whole
from snapref.formats import BINARY64, working_format
from snapref.lattice import lattice_exponent
from snapref.logarithm import ln
from snapref.mechanism import snapped
from snapref.rounding import round_to_lattice
from snapref.uniform import uniform_law

WIDE = working_format(53)


def lattice(scale: float) -> float:
    """Λ, the smallest power of two that is at least λ."""
    return math.ldexp(1.0, lattice_exponent(BINARY64.encode(scale)))


def round(x: float, lattice: float) -> float:
    """x to the nearest multiple of Λ, ties toward +∞."""
    positive("lattice", lattice)
    mantissa, exponent = math.frexp(lattice)
    if mantissa != 0.5:
        raise ParameterError(f"lattice must be a power of two, not {lattice}")
    return float(BINARY64.decode(round_to_lattice(BINARY64.encode(x), exponent - 1)))


def clamp(x: float, bound: float) -> float:
    """x clamped to [-B, B]."""
    return float(BINARY64.decode(clamp_pattern(BINARY64.encode(x), BINARY64.encode(bound))))


def log(u: float) -> float:
    """ln u, correctly rounded, for 0 < u < 1."""
    return float(ln(exactly(u), 53))


def uniform(exponent: int, mantissa: int) -> float:
    """U* of the law `binary64`: (1 + mantissa * 2**-52) * 2**-exponent, truncated to a subnormal where it is small."""
    return float(scaled(*uniform_law("binary64", 53)(whole("exponent", exponent), whole("mantissa", mantissa))))


def snap(value: float, scale: float, bound: float, sign: int, u: float) -> float:
    """The whole mechanism with S = sign and U* = u given. Sign +1 moves the value down, as ln u is negative."""
    if sign not in (1, -1):
        raise ParameterError(f"sign must be 1 or -1, not {sign}")
    result = snapped(WIDE.encode(value), WIDE.encode(scale), WIDE.encode(bound), sign, exactly(u), WIDE)
    return float(WIDE.decode(result))


def exactly(u: float) -> Dyadic:
    """A float of (0, 1) as an exact dyadic number."""
    numerator, denominator = finite("u", u).as_integer_ratio()
    return Dyadic(numerator, 1 - denominator.bit_length())
