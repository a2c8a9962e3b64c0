"""The exact distribution of a release at one setting, cut into cells.

Near the value every output that is likely enough is a cell of its own. Rare outputs and the tails are pooled.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from snapref.budget import round_to_bits
from snapref_crosscheck.protocol import Description
from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import clamped, nearest
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail

LEAST_CELL = 1 / 256  # cells that are rarer are pooled with their neighbour
REACH = 12  # thresholds on either side of the value; what lies beyond is one cell


@dataclass(frozen=True)
class Law:
    """The exact distribution of the outputs of one mechanism, for one clamped value."""

    parameters: Parameters
    centre: int  # the output nearest to the value, in units of Λ
    edges: tuple[int, ...]  # cell i holds the outputs k with edges[i-1] < k <= edges[i]
    probabilities: tuple[float, ...]
    sides: tuple[float, float, float]  # below, at and above the centre
    spread: float  # P(|k - centre| >= 2)
    value: Fraction

    @cached_property
    def lattice(self) -> float:
        return float(self.parameters.lattice)

    @cached_property
    def bound(self) -> float:
        return float(self.parameters.bound)

    def number(self, x: float) -> int | None:
        """The number k of the output x, in units of Λ. None where x is no output of the mechanism."""
        if abs(x) == self.bound:
            return self.parameters.last if x > 0 else -self.parameters.last
        if not abs(x) < self.bound or math.fmod(x, self.lattice) != 0:
            return None
        return int(x / self.lattice)  # exact: Λ is a power of two

    def possible(self, k: int) -> bool:
        """Whether the output number k has a positive probability."""
        return _possible(self.parameters, k, self.value)

    def cell(self, k: int) -> int:
        return bisect_left(self.edges, k)

    def side(self, k: int) -> int:
        return (k > self.centre) - (k < self.centre)


@lru_cache(maxsize=1 << 14)
def _possible(mechanism: Parameters, k: int, value: Fraction) -> bool:
    return probability(mechanism, k, from_fraction(value)).significand > 0


@lru_cache(maxsize=256)
def law(value: float, scale: Fraction, bound: float, told: Description) -> Law:
    """The distribution for a target with this description and this λ."""
    exact = round_to_bits(scale, told.precision, up=True)
    mechanism = Parameters(exact, Fraction(bound), told.precision, told.uniform, told.ties)
    c = clamped(from_fraction(value), mechanism.held[1])
    centre, last = nearest(mechanism, c), mechanism.last
    centre = max(-last, min(last, centre))

    @lru_cache(maxsize=256)
    def up_to(j: int) -> Fraction:
        """P(output number <= j)."""
        if not -last <= j < last:
            return Fraction(j >= last)
        below, mass = tail(mechanism, c, boundary(mechanism, j))
        half = to_fraction(mass) / 2
        return half if below else 1 - half

    edges, probabilities, before = [], [], Fraction(0)
    for j in range(max(-last, centre - REACH), min(last, centre + REACH)):
        if up_to(j) - before >= LEAST_CELL and 1 - up_to(j) >= LEAST_CELL:
            edges.append(j)
            probabilities.append(float(up_to(j) - before))
            before = up_to(j)
    probabilities.append(float(1 - before))
    below, above = up_to(centre - 1), 1 - up_to(centre)
    spread = up_to(centre - 2) + 1 - up_to(centre + 1)
    sides = (float(below), float(1 - below - above), float(above))
    return Law(mechanism, centre, tuple(edges), tuple(probabilities), sides, float(spread), to_fraction(c))
