"""Formats of few bits, whole: the bound of Theorem 1 (004 §4) with 12 far beyond its condition B·η/λ ≤ 2**-7.

For one λ everything else is gone through: every B between two limits, every pair of p-bit numbers c and c' in
[-B, B], every output, every draw u, and every Δ ≥ |c - c'|. Multiplying by a power of two changes nothing, so every λ
of one binade is every λ. Four things make this short:

- P(x|c) for x = kΛ does not depend on B, and the bound grows with B. So the least B that allows c, c' and x decides.
- The bound grows with Δ, so Δ = |c - c'| decides.
- If c is larger in size than all values before it, it lies beyond them. What they have to be compared with is then one
  number: the least, or the largest, P(x|c')·e**(±εc') of them. No loop goes over pairs.
- For |c| < Λ/8, P(x|c) changes only at multiples of ηΛ/4 (all t* and cells are such multiples there). An odd multiple
  of ηΛ/8 stands for all numbers between two of them; the distance to it is taken as small as it can be.

All comparisons are of integers. Exponentials are enclosed: those of the few steps between neighbouring values by the
interval engines, their products by rounding down and up; that of the bound by the beginning of its series.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import factorial

from snapref.budget import eta, floor_log2
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import Cumulative, inputs
from snapref_proofs.theorem1.directed_law import DirectedLaw, Direction

BITS = 80  # of the enclosures of exponentials
ONE = 1 << BITS
TERMS = 9  # of the series of e**z
End = tuple[int, int]  # a lower and an upper bound


@dataclass(frozen=True)
class Format:
    """All mechanisms with one λ and least ≤ B ≤ most, at p bits; the constant C is that of the bound.

    ⊕, ⊗ and LN round to nearest, or all in the `direction`.
    """

    precision: int
    scale: Fraction
    least: Fraction
    most: Fraction
    constant: Fraction = Fraction(12)
    direction: Direction | None = None

    @cached_property
    def widest(self) -> Parameters:
        return Parameters(self.scale, self.most, self.precision)

    @cached_property
    def step(self) -> int:
        """Values are counted in units of 2**step = ηΛ/8."""
        return self.widest.lattice_exponent - self.precision - 3

    @cached_property
    def values(self) -> list[int]:
        """All values c ≥ 0, in order."""
        return [v for v in inputs(self.precision, self.most, self.step) if v >= 0]

    @cached_property
    def decay(self) -> dict[int, End]:
        """e**-εv for every value v, times 2**BITS."""
        found, strides = {0: (ONE, ONE)}, dict[int, End]()
        for low, high in zip(self.values, self.values[1:], strict=False):
            if high - low not in strides:
                ratio = (high - low) * Fraction(2) ** self.step / self.scale
                strides[high - low] = _exponential(ratio)
            (a, b), (c, d) = found[low], strides[high - low]
            found[high] = a * c >> BITS, -(-b * d >> BITS)
        return found

    def weight(self, v: int) -> End:
        """e**-εv for any value v, times 2**BITS."""
        low, high = self.decay[abs(v)]
        return (low, high) if v >= 0 else (ONE * ONE // high, -(-ONE * ONE // low))

    def weights(self, v: int) -> tuple[int, int, int, int]:
        """For v or any number that it stands for: e**-εv from above and below; the same for e**εv.

        The first is for v as the larger of two values, the second for v as the smaller one; then the other way round.
        """
        around = 1 if v % 2 and abs(v) < 1 << self.precision else 0
        return (
            self.weight(v - around)[1],
            self.weight(v + around)[0],
            self.weight(-v - around)[1],
            self.weight(-v + around)[0],
        )

    def allowed(self, bound: Fraction) -> int:
        """At most e**(C·B·η/λ + 2η), times 2**BITS."""
        z = (self.constant * bound / self.scale + 2) * eta(self.precision)
        return int(sum(z**n / factorial(n) for n in range(TERMS)) * ONE)

    def outputs(self) -> Iterator[tuple[str, Fraction, Fraction, list[int], list[int]]]:
        """Each output: its name, the B for which it is one (from, to), and its probabilities from v and from -v."""
        m, values = self.widest, self.values
        law = self.law()
        every = [*values, *(-v for v in values)]
        lattice, last, lower = m.lattice, m.last, [0] * len(every)

        def split(masses: list[int]) -> tuple[list[int], list[int]]:
            return masses[: len(values)], masses[len(values) :]

        for k in range(-last, last + 1):
            upper = law.below(law.boundary(k), every) if k < last else [law.one] * len(every)
            if abs(k) < last:
                yield f"x = {k}Λ", self.beyond(abs(k) * lattice), self.most, *split([*map(int.__sub__, upper, lower)])
            if k > 0:
                top = min(self.most, k * lattice)
                yield f"x = B ≤ {k}Λ", self.beyond((k - 1) * lattice), top, *split([law.one - low for low in lower])
            if k < 0:
                top = min(self.most, -k * lattice)
                yield f"x = -B ≥ {k}Λ", self.beyond((-k - 1) * lattice), top, *split(upper)
            lower = upper

    def law(self) -> Cumulative:
        m = self.widest
        if self.direction is None:
            return Cumulative(m, self.step, self.values[-1])
        furthest = 2 * m.bound + 3 * m.lattice  # e**-x > 2**-2x
        return DirectedLaw(m, self.direction, self.step, 2 * int(furthest / m.scale) + 2 * m.precision + 8)

    def beyond(self, x: Fraction) -> Fraction:
        """The least B that is large enough, and larger than x."""
        return max(self.least, x + Fraction(2) ** (floor_log2(x) + 1 - self.precision)) if x else self.least

    def broken(self) -> Iterator[str]:
        """Outputs and values at which the bound is not shown to hold."""
        unit = Fraction(2) ** self.step
        bounds = {v: self.allowed(max(self.least, v * unit)) for v in self.values}
        weights = {v: (self.weights(v), self.weights(-v)) for v in self.values}
        for name, least, top, right, left in self.outputs():
            floor = self.allowed(least)
            # of all values so far: the least e**-εc·P(x|c) for c as the smaller value, and the like
            small_down, small_up, large_down, large_up = right[0] * ONE, right[0] * ONE, 0, 0  # of c = 0
            for v, p, q in zip(self.values, right, left, strict=True):
                if v * unit > top:
                    break
                allowed = max(floor, bounds[v])
                (down, down_low, up, up_low), (minus_down, minus_down_low, minus_up, minus_up_low) = weights[v]
                # c = v is the larger value: P(c)·e**-εc ≤ R·P(c')·e**-εc' and P(c')·e**εc' ≤ R·P(c)·e**εc
                if v and (p * down << BITS > allowed * small_down or large_up << BITS > allowed * p * up_low):
                    yield f"{self}, {name}, c = {v * unit}"
                small_down, small_up = min(small_down, p * down_low), min(small_up, p * up_low)
                large_down, large_up = max(large_down, p * down), max(large_up, p * up)
                if not v:
                    continue
                # c = -v is the smaller value
                if large_down << BITS > allowed * q * minus_down_low or q * minus_up << BITS > allowed * small_up:
                    yield f"{self}, {name}, c = {-v * unit}"
                small_down, small_up = min(small_down, q * minus_down_low), min(small_up, q * minus_up_low)
                large_down, large_up = max(large_down, q * minus_down), max(large_up, q * minus_up)


def _exponential(x: Fraction) -> End:
    """e**-x for a rational x ≥ 0, times 2**BITS: between the exponentials of two dyadic numbers around x."""
    n = int(x * ONE)
    low, high = enclosure.exp_minus(n + 1, -BITS, BITS + 20)[0], enclosure.exp_minus(n, -BITS, BITS + 20)[1]
    return int(to_fraction(low) * ONE), int(to_fraction(high) * ONE) + 1


def formats(
    precision: int,
    beta: Fraction,
    constant: Fraction = Fraction(12),
    direction: Direction | None = None,
    least: Fraction = Fraction(1),
) -> Iterator[Format]:
    """One for each λ in [1, 2), with B from `least`·λ up to B·η/λ = β."""
    top = 1 << (precision - 1)
    for n in range(top, 2 * top):
        scale = Fraction(n, top)
        yield Format(precision, scale, least * scale, beta * 2**precision * scale, constant, direction)
