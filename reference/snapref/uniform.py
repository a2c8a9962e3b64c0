"""U*: each float of (0, 1) with a probability equal to its unit in the last place (001/002 §3).

U* = (1.m1 m2 …)_2 * 2**-e with e geometric on {1, 2, …} and the m_i fair bits. Here that is a pure function of e and
the mantissa bits, so that every draw can be replayed and the law checked exactly: P(U* < t) = t for every float t.
"""

from dataclasses import dataclass

from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError


@dataclass(frozen=True)
class Uniform:
    """The law of U* on numbers of `precision` bits, the smallest of them 2**smallest (None: no smallest)."""

    precision: int
    smallest: int | None = None

    def __call__(self, exponent: int, mantissa: int) -> Dyadic:
        """(1 + mantissa * 2**-(p-1)) * 2**-exponent, cut down to the grid of subnormals where the format ends."""
        if exponent < 1:
            raise ParameterError("exponent must be at least 1: U* is less than 1")
        hidden = 1 << (self.precision - 1)
        if not 0 <= mantissa < hidden:
            raise ParameterError(f"mantissa must have at most {self.precision - 1} bits")
        significand = hidden + mantissa
        unit = 1 - self.precision - exponent
        if self.smallest is not None and unit < self.smallest:
            significand >>= self.smallest - unit
            return Dyadic(max(significand, 1), self.smallest)  # what would fall below the smallest number goes to it
        return Dyadic(significand, unit)


def uniform_law(kind: str, precision: int) -> Uniform:
    """`unbounded` · `binary64` (always doubles, whatever the precision of the arithmetic) · `bounded:EMIN`."""
    if kind == "unbounded":
        return Uniform(precision)
    if kind == "binary64":
        return Uniform(53, -1074)
    name, _, smallest = kind.partition(":")
    if name == "bounded" and smallest.removeprefix("-").isdecimal() and int(smallest) < 0:
        return Uniform(precision, int(smallest))
    raise ParameterError(f"uniform must be unbounded, binary64 or bounded:EMIN with EMIN < 0, not {kind!r}")
