"""The exact privacy loss of an implementation, by bisection through its own code.

An adapter with a method `draw(value, epsilon, bound, sensitivity, sign, u)` runs the implementation with its randomness
given. Where the output is monotone in u for each sign, the draws that lead to one output are an interval. Bisection
finds its two ends, and the law of u says how likely it is. Nothing is modelled, and nothing is sampled. That the output
is monotone follows from reading the code; here it is checked on the draws that are asked for, and no further.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import Loss, loss_of

Crosses = Callable[[float], bool]
Mass = Callable[[Crosses], Fraction]  # P(crosses(u)), where `crosses` holds below some u and not above it


def first_outside(count: int, inside: Callable[[int], bool]) -> int:
    """How many of 0, 1, …, count - 1 are inside, where those inside come first."""
    if not inside(0):
        return 0
    if inside(count - 1):
        return count
    low, high = 1, count - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if inside(middle) else (low, middle)
    return low


def doubles(crosses: Crosses) -> Fraction:
    """U* over the doubles of (0,1): the k-th of them is the one with the pattern k + 1, and P(U* < t) = t."""

    def u(k: int) -> float:
        return float(struct.unpack("<d", struct.pack("<Q", k + 1))[0])

    count = struct.unpack("<Q", struct.pack("<d", 1.0))[0] - 1
    within = first_outside(count, lambda k: crosses(u(k)))
    return Fraction(u(within)) if within else Fraction(0)


def equally_spaced(crosses: Crosses) -> Fraction:
    """The 2^53 multiples of 2^-53 in [0,1), all equally likely: what most generators call uniform."""
    return Fraction(first_outside(2**53, lambda k: crosses(k * 2.0**-53)), 2**53)


def decimal_draws(crosses: Crosses) -> Fraction:
    """What ektelo draws: 52 random bits as a decimal fraction 0.n, times 10^e, where e = 1, 2, … has P(e) = 2^-e.

    For each e and each number of digits of n, the draw grows with n; n = 0 is 0 for every e. From some e on nothing
    else crosses; what still does at e = 300 is taken to cross beyond, which is right to within 2^-300.
    """
    total = Fraction(int(crosses(0.0)), 2**52)
    for e in range(1, 301):
        share = Fraction(0)
        for digits in range(1, 17):
            first, after = 10 ** (digits - 1), min(10**digits, 2**52)
            inside = first_outside(after - first, lambda k: crosses(float(f"0.{first + k}") * 10**e))  # noqa: B023
            share += Fraction(inside, 2**52)
        total += share * Fraction(1, 2**e)
        if share == 0:
            return total
    return total + share * Fraction(1, 2**300)


@dataclass(frozen=True)
class Setting:
    """An adapter, its parameters, and the law of its u."""

    target: Any
    epsilon: float
    bound: float
    sensitivity: float = 1.0
    mass: Mass = doubles

    def draw(self, value: float, sign: int, u: float) -> float:
        drawn = self.target.draw(value, self.epsilon, self.bound, self.sensitivity, sign, u)
        return float(drawn)

    def probability(self, value: float, x: float) -> Fraction:
        """P(the release of this value is x), over both signs. The sign 1 gives smaller outputs for smaller u."""
        low = self.mass(lambda u: self.draw(value, 1, u) <= x) - self.mass(lambda u: self.draw(value, 1, u) < x)
        high = self.mass(lambda u: self.draw(value, -1, u) >= x) - self.mass(lambda u: self.draw(value, -1, u) > x)
        return (low + high) / 2

    def outputs(self, values: Iterable[float], us: Sequence[float]) -> list[float]:
        """Some possible outputs: those of the draws `us`. An error if they show that the output is not monotone."""
        found: set[float] = set()
        for value, sign in product(values, (1, -1)):
            drawn = [sign * self.draw(value, sign, u) for u in sorted(us)]
            if drawn != sorted(drawn):
                raise ValueError("the output is not monotone in u: bisection would not be exact")
            found.update(sign * x for x in drawn)
        return sorted(found)

    def loss(self, a: float, b: float, x: float) -> Loss:
        if abs(Fraction(a) - Fraction(b)) > Fraction(self.sensitivity):
            raise ValueError(f"{a} and {b} are more than Δ = {self.sensitivity} apart")
        return loss_of(*(from_fraction(self.probability(value, x)) for value in (a, b)))

    def worst(self, a: float, b: float, us: Sequence[float]) -> tuple[Loss, float]:
        """The largest loss at the outputs of some draws, and where it is."""
        losses = [(self.loss(a, b, x), x) for x in self.outputs((a, b), us)]
        best = losses[0]
        for one in losses[1:]:
            if one[0].above(best[0]):
                best = one
        return best
