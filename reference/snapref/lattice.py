"""Λ: the smallest power of two that is at least λ (001/002 §4.1, eq. 4.1, corrected for subnormal λ)."""

from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format


def lattice_exponent(scale: int, fmt: Format = BINARY64) -> int:
    """The m with Λ = 2**m, from the pattern of λ > 0. An error where the format does not hold Λ."""
    sign, significand, unit = fmt.unpack(scale)
    if sign == 1 or significand == 0:
        raise ParameterError("scale must be positive")
    m = unit + (significand - 1).bit_length()  # 2**(n-1).bit_length() is the smallest power of two >= n
    if m > fmt.max_exponent:
        raise ParameterError("scale is too large: the format holds no power of two that is at least as large")
    return m
