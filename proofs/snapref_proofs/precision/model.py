"""How many bits of ln u are needed to round it correctly to p bits (001 and 002, §3).

RN_p rounds to the nearest p-bit number. Its result changes at the midpoints between neighbouring p-bit numbers. So an
approximation of ln u with a relative error of at most 2**-w is sure to give RN_p(ln u) exactly when no midpoint is that
near to ln u. The loops below enclose ln u more and more tightly, with both interval engines. They end, because ln u is
never a midpoint itself: it is transcendental for every rational u ≠ 1 (Lindemann).
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from snapref.arithmetic import Dyadic
from snapref.budget import floor_log2
from snapref_proofs.evaluate.intervals import agreed
from snapref_proofs.figure2.semantics import nearest

# The hardest doubles for ln, each in some rounding mode, as reported by Lefèvre and Muller (Worst Cases for Correct
# Rounding of the Elementary Functions in Double Precision, 2003). That there are no harder ones is the result of a
# search that is far too long to be repeated here. That these are hard is checked.
HARDEST = (
    "0x1.ea71d85cee020p-509",
    "0x1.9476e304cd7c7p-384",
    "0x1.26e9c4d327960p-232",
    "0x1.613955dc802f8p-35",
    "0x1.62a88613629b6p+678",
)
NEAREST = (
    "0x1.613955dc802f8p-35"  # of these the one in (0, 1) that rounding to nearest through 107 … 113 bits gets wrong
)


def logarithm(u: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Two rationals with |ln u| between them, to about `bits` bits: what both engines agree on."""
    low, high = agreed(lambda engine: engine.log(engine.between(u, u)), bits)
    return (low, high) if low > 0 else (-high, -low)


def rounded_logarithm(u: Fraction, precision: int) -> Fraction:
    """RN_p(ln u), u > 0, u ≠ 1: the enclosure is refined until both its ends round to the same number."""
    bits = precision
    while True:
        bits += precision + 64
        low, high = (nearest(end, precision) for end in logarithm(u, bits))
        if low == high:
            return low if u > 1 else -low


def to_number(x: Fraction, precision: int) -> Fraction:
    """The distance of x > 0 from the nearest p-bit number, where the result of rounding toward 0 or ±∞ changes."""
    return abs(x - nearest(x, precision))


def to_midpoint(x: Fraction, precision: int) -> Fraction:
    """The distance of x > 0 from the nearest midpoint of neighbouring p-bit numbers, where RN_p changes."""
    power = Fraction(2) ** floor_log2(x)
    unit = power * Fraction(2) ** (1 - precision)
    middle = (x // unit + Fraction(1, 2)) * unit
    return min(abs(x - middle), x - (power - unit / 4))  # below a power of two the numbers are twice as dense


def bits_needed(u: Fraction, precision: int, jump: Callable[[Fraction, int], Fraction] = to_midpoint) -> int:
    """The least w such that every number within a relative 2**-w of ln u rounds to the p-bit number that ln u does."""
    bits = precision
    while True:
        bits += precision + 64
        low, high = logarithm(u, bits)
        near, far = (jump(end, precision) for end in (low, high))
        slack = high - low  # the distance of ln u itself differs from that of an end by at most this
        least, most = min(near, far) - slack, max(near, far) + slack
        if least > 0 and (w := floor_log2(high / least)) == floor_log2(low / most):
            return w + 1


def every_number(precision: int, bands: int) -> Iterator[Dyadic]:
    """Every p-bit number of [2**-bands, 1)."""
    for e in range(1, bands + 1):
        for significand in range(1 << (precision - 1), 1 << precision):
            yield Dyadic(significand, 1 - precision - e)
