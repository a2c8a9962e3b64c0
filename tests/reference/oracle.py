"""Independent definitions in exact rational arithmetic, to compare every stage of the reference with.

They share no code with `reference/`: numbers are Fractions, rounding is by division, logarithms come from Arb.
"""

import struct
from fractions import Fraction

from flint import arb, ctx, fmpq


def bits_of(x: float) -> int:
    return int.from_bytes(struct.pack(">d", x), "big")


def float_of(bits: int) -> float:
    return float(struct.unpack(">d", bits.to_bytes(8, "big"))[0])


def nearest_multiple(x: Fraction, unit: Fraction) -> Fraction:
    """The definition of §2.2: the nearest multiple of the unit, ties toward +∞."""
    return (x / unit + Fraction(1, 2)).__floor__() * unit


def clamped(x: Fraction, bound: Fraction) -> Fraction:
    return max(-bound, min(bound, x))


def magnitude(x: Fraction) -> int:
    """⌊log2|x|⌋ by search."""
    x, k = abs(x), 0
    while Fraction(2) ** k > x:
        k -= 1
    while Fraction(2) ** (k + 1) <= x:
        k += 1
    return k


def to_nearest_even(x: Fraction, precision: int) -> Fraction:
    """x rounded to `precision` bits, ties to even, exponents without limit."""
    if x == 0:
        return x
    unit = Fraction(2) ** (magnitude(x) + 1 - precision)
    return round(x / unit) * unit  # Python rounds a Fraction half to even


def logarithm(u: Fraction, precision: int) -> Fraction:
    """ln u rounded to nearest, from Arb balls, refined until both ends of the ball round alike."""
    bits = precision + 30
    while True:
        ctx.prec = bits
        ball = arb(fmpq(u.numerator, u.denominator)).log()
        low, high = (end_of(ball.lower()), end_of(ball.upper()))
        if to_nearest_even(low, precision) == to_nearest_even(high, precision):
            return to_nearest_even(low, precision)
        bits *= 2


def end_of(end: arb) -> Fraction:
    mantissa, exponent = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def mechanism(
    value: Fraction, scale: Fraction, bound: Fraction, sign: int, u: Fraction, precision: int
) -> tuple[Fraction, Fraction]:
    """(the output, its lattice), from the definition alone."""
    lattice = Fraction(2) ** magnitude(scale)
    lattice = lattice if lattice >= scale else 2 * lattice
    z = sign * to_nearest_even(scale * logarithm(u, precision), precision)
    w = to_nearest_even(clamped(value, bound) + z, precision)
    return clamped(nearest_multiple(w, lattice), bound), lattice
