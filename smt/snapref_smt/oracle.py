"""What the functions should return, in exact rational arithmetic. Counterexamples are compared with this.

It uses neither the reference nor a solver.
"""

import math
from fractions import Fraction

from snapref_smt.spec import Layout


def number(bits: int, form: Layout) -> Fraction:
    """The exact value of a finite pattern."""
    fraction = bits & ((1 << (form.precision - 1)) - 1)
    field = (bits >> (form.precision - 1)) & ((1 << form.exponent_bits) - 1)
    if field == (1 << form.exponent_bits) - 1:
        raise ValueError("not a finite number")
    hidden = 0 if field == 0 else 1 << (form.precision - 1)
    magnitude = (hidden + fraction) * Fraction(2) ** (form.min_exponent + max(field, 1) - 1)
    return -magnitude if bits >> (form.width - 1) else magnitude


def pattern(value: Fraction, form: Layout) -> int | None:
    """The pattern of a number; that of 0 is +0. None where the format does not hold the number."""
    magnitude = abs(value)
    if magnitude == 0:
        return 0
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > magnitude
    unit = max(exponent - form.precision + 1, form.min_exponent)
    units = magnitude / Fraction(2) ** unit
    if units.denominator != 1 or exponent > form.max_exponent:
        return None
    bits = ((unit - form.min_exponent) << (form.precision - 1)) + int(units)
    return bits + (1 << (form.width - 1)) * (value < 0)


def rounded(x: Fraction, m: int) -> Fraction:
    """The multiple of 2^m nearest to x, ties toward +∞."""
    lattice = Fraction(2) ** m
    return lattice * math.floor(x / lattice + Fraction(1, 2))


def smallest_exponent(scale: Fraction) -> int:
    """The smallest m with 2^m ≥ scale > 0."""
    m = scale.numerator.bit_length() - scale.denominator.bit_length() - 1
    while Fraction(2) ** m < scale:
        m += 1
    return m


def clamped(x: Fraction, bound: Fraction) -> Fraction:
    return max(-bound, min(x, bound))
