"""Exact arithmetic on binary numbers n * 2**e, as pairs of integers (n, e); the evaluator computes with them.

A *p-bit number* is one whose significand n fits into p bits; its exponent may be any integer. A positive one is written
(s, unit) with 2**(p-1) <= s < 2**p. A function rounds only if its name says in which direction.
"""

from fractions import Fraction

from gmpy2 import mpfr

from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError

ZERO, ONE = Dyadic(0, 0), Dyadic(1, 0)
MAX_BITS = 1 << 26  # integers longer than this are refused with an error rather than computed


def from_fraction(x: Fraction | float) -> Dyadic:
    """The dyadic number x, reduced; an error for any other number."""
    numerator, denominator = Fraction(x).as_integer_ratio()
    if denominator & (denominator - 1):
        raise ParameterError("not a number that binary digits hold exactly")
    zeros = (numerator & -numerator).bit_length() - 1 if numerator else 0
    return Dyadic(numerator >> zeros, zeros + 1 - denominator.bit_length()) if numerator else ZERO


def from_mpfr(x: mpfr) -> Fraction:
    """The exact value of a finite MPFR number. `int` turns gmpy2's integers into Python's own, which Fraction keeps."""
    return Fraction(*map(int, x.as_integer_ratio()))


def to_fraction(x: Dyadic) -> Fraction:
    """The same number as a Fraction; an error where it would take too much memory."""
    if abs(x.exponent) > MAX_BITS:
        raise ParameterError(f"a number with an exponent of {x.exponent} is too long to write out as a fraction")
    return Fraction(x.significand) * Fraction(2) ** x.exponent


def is_held(x: Dyadic, precision: int) -> bool:
    """Whether x is a p-bit number (or zero)."""
    n = abs(x.significand)
    return n == 0 or (n // (n & -n)).bit_length() <= precision


def add(a: Dyadic, b: Dyadic) -> Dyadic:
    """a + b."""
    (m, e), (n, f) = a, b
    if m == 0 or n == 0:
        return b if m == 0 else a
    if abs(e - f) > MAX_BITS:
        raise ParameterError(f"a sum of numbers whose exponents differ by {abs(e - f)} is too long to write out")
    return Dyadic((m << (e - f)) + n, f) if e >= f else Dyadic(m + (n << (f - e)), e)


def subtract(a: Dyadic, b: Dyadic) -> Dyadic:
    """a - b."""
    return add(a, Dyadic(-b.significand, b.exponent))


def ceil_log2(x: Dyadic) -> int:
    """The smallest k with x <= 2**k, for x > 0."""
    return x.exponent + (x.significand - 1).bit_length()


def at_least(n: int, e: int, precision: int, strict: bool | int = False) -> tuple[int, int]:
    """The least p-bit number >= n * 2**e (strict: > it), for n > 0."""
    shift = n.bit_length() - precision
    if shift > 0:
        s = n >> shift
        if strict or s << shift != n:
            s += 1
    else:
        s = (n << -shift) + strict
    if s >> precision:  # s = 2**p: the next power of two
        return s >> 1, e + shift + 1
    return s, e + shift


def halfway_below(s: int, unit: int, precision: int) -> tuple[int, int]:
    """The middle between the p-bit number x = s * 2**unit and the one below it: from there on, numbers round to x."""
    if s == 1 << (precision - 1):  # below a power of two the numbers are twice as dense
        return 4 * s - 1, unit - 2
    return 2 * s - 1, unit - 1
