"""Doubles as integers, and other p-bit binary formats likewise (001/002 §4.1: the IEEE 754 representation).

The *pattern* of a number is a Python integer: one sign bit, then the exponent field, then the fraction. The stages that
must be exact (Λ, rounding, clamp) work on patterns alone, with integers, shifts and comparisons.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import gmpy2
from gmpy2 import mpfr

from snapref.arithmetic import exact, scaled
from snapref.errors import ParameterError


@dataclass(frozen=True)
class Format:
    """A binary floating-point format. `precision` is p, the number of significant bits, the hidden one included."""

    precision: int
    exponent_bits: int

    @cached_property
    def fraction_bits(self) -> int:
        return self.precision - 1

    @cached_property
    def hidden(self) -> int:
        """The leading 1 of a normal significand, which a pattern leaves out."""
        return 1 << self.fraction_bits

    @cached_property
    def special(self) -> int:
        """The exponent field of infinities and NaN: all ones."""
        return (1 << self.exponent_bits) - 1

    @cached_property
    def bias(self) -> int:
        return self.special >> 1

    @cached_property
    def infinity(self) -> int:
        """The pattern of +∞; a larger magnitude is a NaN."""
        return self.special << self.fraction_bits

    @cached_property
    def sign_bit(self) -> int:
        return 1 << (self.fraction_bits + self.exponent_bits)

    @cached_property
    def min_exponent(self) -> int:
        """2**min_exponent is the smallest positive number (a subnormal): -1074 for doubles."""
        return 1 - self.bias - self.fraction_bits

    @cached_property
    def max_exponent(self) -> int:
        """2**max_exponent is the largest power of two: 1023 for doubles."""
        return self.bias

    def split(self, bits: int) -> tuple[int, int, int]:
        """(sign, exponent field, fraction)."""
        magnitude = bits & (self.sign_bit - 1)
        return (
            bits >> (self.fraction_bits + self.exponent_bits),
            magnitude >> self.fraction_bits,
            magnitude & (self.hidden - 1),
        )

    def join(self, sign: int, exponent: int, fraction: int) -> int:
        """The inverse of `split`."""
        return (sign << (self.fraction_bits + self.exponent_bits)) | (exponent << self.fraction_bits) | fraction

    def unpack(self, bits: int) -> tuple[int, int, int]:
        """(sign, significand, unit) of a finite number, normal or subnormal, with |x| = significand * 2**unit."""
        sign, exponent, fraction = self.split(bits)
        if exponent == self.special:
            raise ParameterError("not a finite number")
        if exponent == 0:  # a subnormal or zero: it has no hidden bit, and the unit of the smallest normal
            return sign, fraction, self.min_exponent
        return sign, fraction + self.hidden, self.min_exponent + exponent - 1

    def power_of_two(self, exponent: int) -> int:
        """The pattern of 2**exponent, for min_exponent <= exponent <= max_exponent."""
        if exponent < 1 - self.bias:  # a subnormal
            return 1 << (exponent - self.min_exponent)
        return (exponent + self.bias) << self.fraction_bits

    def encode(self, number: float | mpfr) -> int:
        """The pattern of a number. An error where the format does not hold the number exactly."""
        if isinstance(number, bool) or not isinstance(number, (int, float, mpfr)):
            raise ParameterError("not a float or an int")
        x = exact(number)
        sign = int(gmpy2.is_signed(x))
        if gmpy2.is_nan(x):
            raise ParameterError("not a number (NaN)")
        if gmpy2.is_infinite(x):
            return self.join(sign, self.special, 0)
        mantissa, exponent = map(int, x.as_mantissa_exp())
        if mantissa == 0:
            return self.join(sign, 0, 0)
        significand = abs(mantissa)
        unit = max(significand.bit_length() + exponent - self.precision, self.min_exponent)
        dropped = unit - exponent  # how many low bits of the significand lie below the last place
        if dropped > 0 and significand & ((1 << dropped) - 1):
            raise ParameterError(f"a number that {self.precision} bits do not hold exactly")
        significand = significand >> dropped if dropped > 0 else significand << -dropped
        # Adding the significand, not or-ing its fraction, lets the hidden bit raise the exponent field from 0 to 1.
        magnitude = ((unit - self.min_exponent) << self.fraction_bits) + significand
        if magnitude >= self.infinity:
            raise ParameterError(f"a number beyond the largest of the format, 2**{self.max_exponent + 1}")
        return sign * self.sign_bit + magnitude

    def decode(self, bits: int) -> mpfr:
        """The number that a finite pattern stands for, as an MPFR number. The sign of a zero is kept."""
        sign, significand, unit = self.unpack(bits)
        if significand == 0:
            return mpfr(-0.0 if sign else 0.0)
        return scaled(-significand if sign else significand, unit)


BINARY64 = Format(precision=53, exponent_bits=11)


def working_format(precision: int) -> Format:
    """The format in which the mechanism computes: p bits, and the exponents of binary128, 2**-16382 to 2**16383.

    The proofs assume unbounded exponents, and these are wide enough for that. If scale and bound are doubles, and the
    logarithm lies between 2**-p and 2**64 in size, no product or sum overflows or underflows, for any p up to 15000.
    """
    return Format(precision, exponent_bits=15)


def doubles_have_room(scale: Fraction, bound: Fraction) -> bool:
    """Whether binary64 has room for all that the mechanism computes with this λ and B at 53 bits.

    As 2**-53 <= |LN| <= 2**64, the product λ⊗LN is then a normal double. A sum of two doubles that is too small to be
    normal is exact.
    """
    return Fraction(1, 2**900) <= scale <= 2**900 and Fraction(1, 2**900) <= bound <= 2**900
