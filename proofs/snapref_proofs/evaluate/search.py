"""A seeded search for the largest privacy loss: adversarial λ, B, f(a), f(a') for the bound of Theorem 1 (004 §4).

It starts where the errors of one rounding are largest against the allowance 12·B·ε·η + 2η: λ just below a power of two,
B just above one, f near ±B, x near ∓B; and climbs from there. What it finds is exact; that it finds the largest is not
claimed.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from snapref.budget import eta, floor_log2, round_to_bits
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import Entry, entries, entry_at, worst
from snapref_proofs.evaluate.tails import Snapping, snapping

ELITE = 16
MAX_OUTPUTS = 20_000  # of the point that is examined in full at the end


@dataclass(frozen=True)
class Point:
    """One set of parameters with its two values."""

    scale: Fraction
    bound: Fraction
    a: Fraction
    b: Fraction


@dataclass(frozen=True)
class Found:
    """A point, its worst output, and by how much the loss there exceeds ε."""

    point: Point
    entry: Entry
    excess: float  # (loss - ε)/η
    constant: float  # (loss - ε - 2η)/(B·ε·η): the theorem says at most 12


@dataclass(frozen=True)
class Search:
    """What is searched: the parameters that are fixed, and those named in `fixed`, which stay as they are."""

    precision: int = 53
    uniform: str = "unbounded"
    sensitivity: Fraction = Fraction(1)
    fixed: Mapping[str, Fraction] | None = None

    @property
    def digits(self) -> int:
        """The bits of λ, B and the values: those of the arithmetic, but no more than a double has."""
        return min(self.precision, 53)

    def run(self, budget: int, seed: int) -> Found:
        """The worst point among `budget` evaluations. The same seed finds the same point."""
        rng = random.Random(seed)
        elite: list[Found] = []
        for _ in range(max(1, budget)):
            start = rng.choice(elite).point if elite and rng.random() < 0.75 else self._start(rng)
            point = self._legal(self._moved(start, rng) if elite else start)
            if point is None or any(point == found.point for found in elite):
                continue
            elite.append(self.judge(point, some_outputs(self._mechanism(point), point, rng)))
            elite.sort(key=lambda found: -found.constant)
            del elite[ELITE:]
        best = elite[0] if elite else self.judge_in_full(self._fallback())
        return self.judge_in_full(best.point) if self._mechanism(best.point).last <= MAX_OUTPUTS else best

    def judge_in_full(self, point: Point) -> Found:
        a, b = from_fraction(point.a), from_fraction(point.b)
        return self._scored(point, worst(entries(self._mechanism(point), a, b)))

    def judge(self, point: Point, outputs: Iterator[int]) -> Found:
        mechanism, a, b = self._mechanism(point), from_fraction(point.a), from_fraction(point.b)
        found = (entry_at(mechanism, k, a, b) for k in outputs)
        return self._scored(point, worst(e for e in found if e.a.significand or e.b.significand))

    def _scored(self, point: Point, entry: Entry) -> Found:
        h, epsilon = eta(self.precision), self.sensitivity / point.scale
        return Found(
            point,
            entry,
            entry.loss.in_units(epsilon, h),
            entry.loss.in_units(epsilon + 2 * h, point.bound / point.scale * h),
        )

    def _mechanism(self, point: Point) -> Snapping:
        return snapping(from_fraction(point.scale), from_fraction(point.bound), self.precision, self.uniform)

    def _start(self, rng: random.Random) -> Point:
        """λ near the top of a binade, B at the bottom of one, a near ±B, b about one sensitivity away."""
        p, top = self.digits, 1 << (self.digits - 1)
        exponent = floor_log2(self.sensitivity) + rng.randint(-3, 9)
        scale = Fraction(2) ** exponent * (2 - Fraction(rng.randrange(1, top // 3 + 2), top))
        bound = Fraction(2) ** (exponent + 1 + rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 10))) * (
            1 + Fraction(few(rng, p), top)
        )
        a = bound * (1 - Fraction(rng.randrange(top // 3 + 1), top)) * rng.choice((1, -1))
        point = replace(Point(scale, bound, a, a), **(self.fixed or {}))
        if point.a == 0 or "b" in (self.fixed or {}):
            return point
        gap = self.sensitivity - ulp(point.a, p) * few(rng, p) / 2
        return replace(point, b=point.a - gap if point.a > 0 else point.a + gap)

    def _moved(self, point: Point, rng: random.Random) -> Point:
        """One parameter moved by a few units in its last place; b kept one sensitivity from a, mostly."""
        p, name = self.digits, rng.choice(("scale", "bound", "a", "a", "b"))
        old: Fraction = getattr(point, name)
        step = ulp(old, p) * few(rng, p) * rng.choice((1, -1)) if old else ulp(point.bound, p)
        moved = replace(point, **{name: old + step})
        if name == "a" and rng.random() < 0.9:
            gap = self.sensitivity if point.b > point.a else -self.sensitivity
            moved = replace(moved, b=moved.a + gap)
        return moved

    def _legal(self, point: Point) -> Point | None:
        """The point with what is fixed put back and everything rounded, if the theorem is about it."""
        p = self.digits
        point = replace(point, **(self.fixed or {}))
        if point.scale <= 0 or point.bound < point.scale:
            return None
        scale, bound = (round_to_bits(x, p, up=False) for x in (point.scale, point.bound))
        a = toward(max(-bound, min(bound, point.a)), Fraction(0), p)
        b = toward(max(-bound, min(bound, point.b)), a, p)
        return Point(scale, bound, a, b) if 0 < abs(a - b) <= self.sensitivity else None

    def _fallback(self) -> Point:
        """Where everything is fixed and nothing legal is left to try."""
        return replace(Point(Fraction(1), Fraction(1), Fraction(0), Fraction(0)), **(self.fixed or {}))


def some_outputs(mechanism: Snapping, point: Point, rng: random.Random) -> Iterator[int]:
    """The outputs where losses are large: the far end, powers of two, the middle, one at random."""
    last = mechanism.last
    away = -1 if point.a + point.b > 0 else 1
    chosen = {last, last - 1, last - 2, 0, 1, rng.randint(0, last)}
    chosen.update(1 << rng.randint(0, last.bit_length()) for _ in range(2))
    return iter(sorted({away * k for k in chosen if 0 <= k <= last}))


def few(rng: random.Random, p: int) -> int:
    """A small count, or now and then a large one."""
    return rng.choice((0, 1, 1, 2, 3, 4, rng.randint(0, 64), rng.getrandbits(rng.randint(1, p - 1))))


def ulp(x: Fraction, p: int) -> Fraction:
    """The unit in the last place of x ≠ 0 at p bits."""
    return Fraction(2) ** (floor_log2(abs(x)) + 1 - p)


def toward(x: Fraction, target: Fraction, p: int) -> Fraction:
    """x, rounded to p bits in the direction of the target."""
    if x == 0:
        return x
    return round_to_bits(abs(x), p, up=(target > x) == (x > 0)) * (1 if x > 0 else -1)
