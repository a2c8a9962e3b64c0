"""U*: a random float of (0, 1), each with a probability equal to its unit in the last place (001/002 §3).

U* = (1.m1 m2 …)_2 * 2**-e, where e is geometric on {1, 2, …} and the m_i are fair bits. Here U* is a pure function of e
and the mantissa bits. So every draw can be replayed, and the law can be checked exactly: without a smallest number,
P(U* < t) = t for every p-bit t in (0, 1].
"""

from dataclasses import dataclass

from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError


@dataclass(frozen=True)
class Uniform:
    """The law of U* on numbers of `precision` bits. The smallest of them is 2**smallest; None: there is no smallest."""

    precision: int
    smallest: int | None = None

    def __call__(self, exponent: int, mantissa: int) -> Dyadic:
        """(1 + mantissa * 2**-(p-1)) * 2**-exponent. Where that is too small for the format, it is truncated to a
        multiple of the smallest number, and is never less than that."""
        if exponent < 1:
            raise ParameterError("exponent must be at least 1: U* is less than 1")
        hidden = 1 << (self.precision - 1)
        if not 0 <= mantissa < hidden:
            raise ParameterError(f"mantissa must have at most {self.precision - 1} bits")
        significand = hidden + mantissa
        unit = 1 - self.precision - exponent
        if self.smallest is not None and unit < self.smallest:
            significand >>= self.smallest - unit
            return Dyadic(max(significand, 1), self.smallest)  # below the smallest number: take the smallest
        return Dyadic(significand, unit)


def uniform_law(kind: str, precision: int) -> Uniform:
    """The law by its name: `unbounded`, `bounded:EMIN` (the smallest number is 2**EMIN), or `binary64`: always doubles,
    whatever the precision of the arithmetic."""
    if kind == "unbounded":
        return Uniform(precision)
    if kind == "binary64":
        return Uniform(53, -1074)
    name, _, smallest = kind.partition(":")
    if name == "bounded" and smallest.removeprefix("-").isdecimal() and int(smallest) < 0:
        return Uniform(precision, int(smallest))
    raise ParameterError(f"uniform must be unbounded, binary64 or bounded:EMIN with EMIN < 0, not {kind!r}")
