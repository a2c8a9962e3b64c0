"""clamp_B: leaves a number inside [-B, B] as it is, and moves any other to the nearer end (001/002 §2.2)."""

from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format


def clamp(bits: int, bound: int, fmt: Format = BINARY64) -> int:
    """The pattern of x clamped to [-B, B]. Infinities go to ±B; a zero keeps its sign; a bound of -0 counts as 0."""
    magnitude = bits & (fmt.sign_bit - 1)
    limit = bound & (fmt.sign_bit - 1)
    if magnitude > fmt.infinity:
        raise ParameterError("a NaN cannot be clamped")
    if limit >= fmt.infinity:
        raise ParameterError("bound must be finite")
    if bound > fmt.sign_bit:
        raise ParameterError("bound must not be negative")
    if magnitude <= limit:  # of two numbers of one sign, the larger magnitude has the larger pattern
        return bits
    return bits - magnitude + limit  # ±B, with the sign of x
