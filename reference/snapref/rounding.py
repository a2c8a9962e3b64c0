"""Rounding to the nearest multiple of Λ = 2**m, ties toward +∞ (001/002 §2.2 and the four cases of §4.2.2).

The notes divide by Λ, round to an integer and multiply back; on a floating-point number the division under- and the
product overflows. Cutting the significand at the bit that is worth Λ is the same rounding and does neither. (The proofs
find the four branches by the comments "# Case n".)
"""

from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format


def round_to_lattice(bits: int, m: int, fmt: Format = BINARY64) -> int:
    """The pattern of x rounded to a multiple of 2**m, for the pattern of any finite x. A zero result is +0."""
    if m < fmt.min_exponent or m > fmt.max_exponent:
        raise ParameterError("the format does not hold the lattice 2**m")
    sign, significand, unit = fmt.unpack(bits)
    cut = m - unit  # Λ is worth 2**cut units in the last place
    y = significand.bit_length() - 1 - cut  # ⌊log2|x|⌋ - m, for x ≠ 0

    # Case 1: every number as large as x is a multiple of Λ.
    if y >= fmt.precision - 1:
        return bits

    # Case 2: |x| >= Λ. Cut off `cut` bits: |x|/Λ to the nearest integer, ties away from zero (x > 0) or to it (x < 0).
    if y >= 0:
        multiple = (2 * significand + (1 << cut) - sign) >> (cut + 1)
        magnitude = ((unit - fmt.min_exponent) << fmt.fraction_bits) + (multiple << cut)  # a carry raises the exponent
        if magnitude >= fmt.infinity:
            raise ParameterError("the rounded number overflows the format")
        return sign * fmt.sign_bit + magnitude

    # Case 3: Λ/2 <= |x| < Λ. To ±Λ, but for the tie at -Λ/2, which goes up to 0.
    if y == -1 and significand != 0:
        if sign == 1 and significand == 1 << (cut - 1):
            return 0
        return sign * fmt.sign_bit + fmt.power_of_two(m)

    # Case 4: |x| < Λ/2, zero included.
    return 0
