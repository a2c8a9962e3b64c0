"""LN: the natural logarithm, correctly rounded to p bits (001/002 §3, "exact rounding").

The notes (001/002) compute with 118 bits. No fixed number is needed: MPFR takes more bits until it knows how to round.
It always gets there: ln u is transcendental for every dyadic u ≠ 1 (Lindemann), so it never lies half-way between two
p-bit numbers.
"""

import gmpy2
from gmpy2 import mpfr

from snapref.arithmetic import Dyadic, context, scaled
from snapref.errors import ParameterError

MPFR_EXPONENTS = 2**29  # MPFR holds any u whose exponent is smaller than this, with room to spare


def ln(u: Dyadic, precision: int) -> mpfr:
    """LN(u) for 0 < u < 1."""
    significand, exponent = u
    if significand <= 0 or significand.bit_length() > -exponent:
        raise ParameterError("u must lie strictly between 0 and 1")
    if -exponent < MPFR_EXPONENTS:
        return context(precision).log(scaled(significand, exponent))
    return ln_far_below(u, precision)


def ln_far_below(u: Dyadic, precision: int) -> mpfr:
    """LN(u) where u is too small for MPFR. More bits are used until both ends of an enclosure of ln u round to the same
    p-bit number."""
    nearest, bits = context(precision), precision
    while True:
        bits += precision + 64  # room for the integer bits of exponent * ln 2
        low, high = enclosure(u, bits)
        if nearest.plus(low) == nearest.plus(high):
            return nearest.plus(low)


def enclosure(u: Dyadic, bits: int) -> tuple[mpfr, mpfr]:
    """Two ends between which ln u = ln(significand) + exponent * ln 2 lies, for exponent < 0: each operation is rounded
    down, or up, to so many bits."""
    down, up = context(bits, gmpy2.RoundDown), context(bits, gmpy2.RoundUp)
    significand, exponent = mpfr(u.significand, 1), mpfr(u.exponent, 1)  # 1: as many bits as the int has
    low = down.add(down.log(significand), down.mul(exponent, up.const_log2()))  # exponent < 0: ln 2 from above
    high = up.add(up.log(significand), up.mul(exponent, down.const_log2()))
    return low, high
