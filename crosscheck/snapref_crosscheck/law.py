"""The exact distribution of a release at one setting, cut into cells.

Near the value every output that is likely enough is a cell of its own. Rare outputs and the tails are pooled.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise

from snapref.budget import round_to_bits
from snapref_crosscheck.protocol import Description
from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import clamped, nearest
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail

LEAST_CELL = 1 / 256  # cells that are rarer are pooled with their neighbour
REACH = 12  # thresholds on either side of the value; what lies beyond is one cell
ROUNDING = 2.0**-49  # how far, relatively, an output may be from k·Λ where Λ is in units of a Δ that is no power of two

# How likely it is that the noise moves down (or else up) and crosses a threshold, if it crosses it with probability
# `mass` given that it moves that way.
Share = Callable[[float, bool], float]


@dataclass(frozen=True, eq=False)
class Law:
    """The exact distribution of the outputs of one mechanism, for one clamped value."""

    parameters: Parameters  # in units of Δ, if Λ is
    value: Fraction
    unit: float  # of the outputs: 1, or Δ
    edge: float  # B as the target was told it

    @cached_property
    def centre(self) -> int:
        """The output nearest to the value, in units of Λ."""
        last = self.parameters.last
        return max(-last, min(last, nearest(self.parameters, from_fraction(self.value))))

    @cached_property
    def lattice(self) -> float:
        return float(self.parameters.lattice) * self.unit

    @cached_property
    def _tails(self) -> dict[int, tuple[bool, Fraction]]:
        """For the thresholds around the value: on which side they lie, and how likely the noise is to cross them, given
        that it moves there."""
        c, last = from_fraction(self.value), self.parameters.last
        near = range(max(-last, self.centre - REACH), min(last, self.centre + REACH))
        found = {j: tail(self.parameters, c, boundary(self.parameters, j)) for j in near}
        return {j: (t.below, to_fraction(t.mass)) for j, t in found.items()}

    def up_to(self, j: int) -> Fraction:
        """P(output number <= j), for j near the value."""
        if not -self.parameters.last <= j < self.parameters.last:
            return Fraction(j >= self.parameters.last)
        below, mass = self._tails[j]
        return mass / 2 if below else 1 - mass / 2

    def chance(self, low: int, high: int) -> float:
        """P(low <= output number <= high), for numbers near the value."""
        return float(self.up_to(high) - self.up_to(low - 1))

    @cached_property
    def edges(self) -> tuple[int, ...]:
        """Cell i holds the outputs k with edges[i-1] < k <= edges[i]."""
        edges, before = [], Fraction(0)
        for j in self._tails:
            if self.up_to(j) - before >= LEAST_CELL and 1 - self.up_to(j) >= LEAST_CELL:
                edges.append(j)
                before = self.up_to(j)
        return tuple(edges)

    @cached_property
    def probabilities(self) -> tuple[float, ...]:
        sums = [Fraction(0), *map(self.up_to, self.edges), Fraction(1)]
        return tuple(float(b - a) for a, b in pairwise(sums))

    def alternative(self, share: Share, power: float = 1.0) -> tuple[float, ...]:
        """The cells under another law: another way to draw the sign, and noise that is 1/power times as wide."""
        sums = [0.0]
        for j in self.edges:
            below, mass = self._tails[j]
            crossed = share(float(mass) ** power, below)
            sums.append(crossed if below else 1 - crossed)
        sums.append(1.0)
        return tuple(max(b - a, 1e-300) for a, b in pairwise(sums))

    def number(self, x: float) -> int | None:
        """The number k of the output x, in units of Λ. None where x is no output of the mechanism."""
        if abs(x) == self.edge:
            return self.parameters.last if x > 0 else -self.parameters.last
        if not abs(x) < self.edge:
            return None
        if self.unit == 1:
            return int(x / self.lattice) if math.fmod(x, self.lattice) == 0 else None  # exact: Λ is a power of two
        k = round(x / self.lattice)
        return k if abs(x - k * self.lattice) <= ROUNDING * abs(x) else None

    def possible(self, k: int) -> bool:
        """Whether the output number k has a positive probability."""
        return _possible(self.parameters, k, self.value)

    def cell(self, k: int) -> int:
        return bisect_left(self.edges, k)

    def output(self, k: int) -> float:
        return max(-self.edge, min(self.edge, k * self.lattice))


@lru_cache(maxsize=1 << 14)
def _possible(mechanism: Parameters, k: int, value: Fraction) -> bool:
    return probability(mechanism, k, from_fraction(value)).significand > 0


@lru_cache(maxsize=256)
def law(value: float, scale: Fraction, bound: float, told: Description, sensitivity: float = 1.0) -> Law:
    """The distribution for a target with this description and this λ."""
    in_units = told.lattice_unit == "sensitivity"
    unit = sensitivity if in_units else 1.0
    exact = round_to_bits(scale / Fraction(unit), told.precision, up=True)
    limit = Fraction(bound / unit)
    mechanism = Parameters(exact, limit, told.precision, told.uniform, told.ties)
    c = clamped(from_fraction(value / unit if math.isfinite(value) else value), mechanism.held[1])
    return Law(mechanism, to_fraction(c), unit, bound)


def fair(mass: float, below: bool) -> float:
    """The sign as it should be drawn."""
    return mass / 2


def biased(bias: float) -> Share:
    """The sign moves down with probability 1/2 + bias."""
    return lambda mass, below: mass * (0.5 + bias if below else 0.5 - bias)


def mantissa_bit(j: int, down: bool) -> Share:
    """The sign is the j-th bit of the mantissa of U*, 1 being the highest; a set bit moves down, or else up."""

    def with_bit_set(t: float) -> float:
        """P(U* < t and the bit is set)."""
        if t >= 1:
            return 0.5
        fraction, exponent = math.frexp(t)
        teeth = (2 * fraction - 1) * 2.0**j
        pairs, rest = divmod(teeth, 2.0)
        return math.ldexp(0.5 + (pairs + max(0.0, rest - 1)) * 2.0**-j, exponent - 1)

    return lambda mass, below: with_bit_set(mass) if below == down else mass - with_bit_set(mass)


def log_ratios(law: Law, alternative: Sequence[float]) -> list[float]:
    """For each cell: ln of how much more likely the alternative makes it."""
    return [math.log(q / p) for p, q in zip(law.probabilities, alternative, strict=True)]
