"""Document 003 on examples, computed exactly: the dilation of Defs. 2 and 5, and the mechanism of Defs. 1 and 4.

The *dilation* D_ε of two distributions μ1, μ2 of u is the largest μ1(E) - e^ε·μ2(e^(-ε)·E) over all events E. Three
choices make everything here rational, so that nothing is rounded. First, e^ε is a rational number K. Second, a
distribution (*law*) of u is a mixture of uniform ones on intervals; then the largest value is a finite sum. Third,
log(u)/ε = log_K(u) is compared with a rational threshold by comparing powers of u and of K.

These are the witnesses of obligations.py. The statements for all laws and all ε are in statements.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor, log

HALF = Fraction(1, 2)
SIGNS = (1, -1)  # S of Def. 1; log(u) < 0, so S = 1 moves down


@dataclass(frozen=True)
class Law:
    """A distribution of u, of total mass at most 1: (low, high, mass) spreads `mass` evenly over (low, high)."""

    pieces: tuple[tuple[Fraction, Fraction, Fraction], ...]

    def mass(self, low: Fraction, high: Fraction) -> Fraction:
        """P(low < u < high); the ends have no mass."""
        shares = ((max(low, a), min(high, b), m / (b - a)) for a, b, m in self.pieces)
        return sum((density * (y - x) for x, y, density in shares if x < y), Fraction(0))

    def ends(self) -> set[Fraction]:
        return {end for low, high, _ in self.pieces for end in (low, high)}


def uniform(low: Fraction | int, high: Fraction | int, mass: Fraction | int = 1) -> Law:
    return Law(((Fraction(low), Fraction(high), Fraction(mass)),))


def on_cells(growth: Fraction, *masses: Fraction) -> Law:
    """The law with mass number k on the interval (K^-(k+1), K^-k), where log_K(u) is between -(k+1) and -k."""
    return Law(tuple((growth ** -(k + 1), growth**-k, Fraction(m)) for k, m in enumerate(masses)))


def dilation(first: Law, second: Law, factor: Fraction, weight: Fraction) -> Fraction:
    """The supremum over all events E of μ1(E) - weight·μ2(factor·E).

    Between the ends of the pieces both densities are constant. So the best E is the union of the intervals on which the
    first term is the larger one.
    """
    ends = sorted(first.ends() | {end / factor for end in second.ends()})
    excess = (first.mass(x, y) - weight * second.mass(factor * x, factor * y) for x, y in pairwise(ends))
    return sum((e for e in excess if e > 0), Fraction(0))


def definition_2(first: Law, second: Law, growth: Fraction) -> Fraction:
    """D_ε of Def. 2, for e^ε = growth."""
    return dilation(first, second, 1 / growth, growth)


def definition_5(first: Law, second: Law, growth: Fraction) -> Fraction:
    """D_ε of Def. 5, for e^ε = growth. It multiplies the second probability by e^(-ε), where Def. 2 has e^ε."""
    return dilation(first, second, 1 / growth, 1 / growth)


@dataclass(frozen=True)
class Snap:
    """The mechanism of Def. 1: f + S·log_K(u), rounded to a multiple of Λ, ties toward +∞.

    With a bound it is that of Def. 4: f and the result are clamped.
    """

    growth: Fraction  # K = e^ε
    lattice: Fraction
    bound: Fraction | None = None

    def clamp(self, x: Fraction) -> Fraction:
        return x if self.bound is None else max(-self.bound, min(self.bound, x))

    def output(self, f: Fraction, sign: int, u: Fraction) -> Fraction:
        """The program on one u > 0, in exact arithmetic."""
        center = self.clamp(f)
        n = floor((center + sign * log(u) / log(self.growth)) / self.lattice + HALF)  # a first guess; then exactly
        while not self._reaches(center, sign, u, n):
            n -= 1
        while self._reaches(center, sign, u, n + 1):
            n += 1
        return self.clamp(n * self.lattice)

    def _reaches(self, center: Fraction, sign: int, u: Fraction, n: int) -> bool:
        """center + sign·log_K(u) ≥ (n - ½)Λ."""
        exponent = (n - HALF) * self.lattice - center
        return bool((u**sign) ** exponent.denominator >= self.growth**exponent.numerator)

    def interval(self, f: Fraction, sign: int, v: Fraction) -> tuple[Fraction, Fraction]:
        """The interval of the u in (0, 1) that give the output v: with its lower end if S = 1, its upper if S = -1."""
        center = self.clamp(f)
        low, high = (None if t is None else sign * (t - center) for t in self._thresholds(v)[::sign])
        above = Fraction(1) if high is None else min(self._power(high), Fraction(1))
        return (Fraction(0) if low is None else min(self._power(low), above)), above

    def _thresholds(self, v: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """The thresholds between which a noisy value gives the output v; None where there is none, for v = ±B."""
        half = self.lattice / 2
        if self.bound is not None and abs(v) == self.bound:
            last = ceil_to(self.bound, self.lattice) - half
            return (last, None) if v > 0 else (None, -last)
        return v - half, v + half

    def _power(self, exponent: Fraction) -> Fraction:
        if exponent.denominator != 1:
            raise ValueError(f"K^{exponent} is not rational: f, Λ and the output must fit together")
        return self.growth**exponent.numerator

    def probability(self, law: Law, f: Fraction, v: Fraction) -> Fraction:
        """P(Snap(μ, a) = v) for f = f(a): each sign has probability ½."""
        return sum((law.mass(*self.interval(f, sign, v)) for sign in SIGNS), Fraction(0)) / 2

    def outputs(self, f: Fraction, least: Fraction) -> Iterator[Fraction]:
        """Every output that some u ≥ least, u < 1, can lead to, in order."""
        low, high = self.output(f, 1, least), self.output(f, -1, least)
        yield low
        n = floor(low / self.lattice) + 1
        while n * self.lattice < high:
            yield n * self.lattice
            n += 1
        if high > low:
            yield high

    def replays(self, f: Fraction, v: Fraction) -> bool:
        """Whether the program agrees with `interval` at its ends, inside it, and outside."""
        for sign in SIGNS:
            low, high = self.interval(f, sign, v)
            for u in {low, (low + high) / 2, high, low / 2, (1 + high) / 2} - {Fraction(0), Fraction(1)}:
                inside = low <= u < high if sign > 0 else low < u <= high
                if inside != (self.output(f, sign, u) == v):
                    return False
        return True


def ceil_to(x: Fraction, lattice: Fraction) -> Fraction:
    """The smallest multiple of Λ that is at least x."""
    return -floor(-x / lattice) * lattice
