"""A seeded search for λ, B, f(a) and f(a') with a large privacy loss, against the bound of Theorem 1 (004 §4).

The theorem allows the loss to exceed ε by 12·B·ε·η + 2η. The search starts where rounding errors are large compared
with that: λ just below a power of two, B just above one, f near ±B, the output x near the opposite end ∓B. From there
it changes one number at a time and keeps what is worst. Each loss that it reports is exact. It may miss the largest.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from snapref.budget import eta, floor_log2, round_to_bits
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import Entry, entries, entry_at, worst
from snapref_proofs.evaluate.parameters import Parameters

ELITE = 16
MAX_OUTPUTS = 20_000  # of the pair that is examined in full at the end
ByName = dict[str, Fraction]  # the four numbers that are searched, by name: scale, bound, a, b; not checked


@dataclass(frozen=True)
class Pair:
    """A mechanism and the two values that it is to hide from each other."""

    parameters: Parameters
    a: Fraction
    b: Fraction

    @property
    def numbers(self) -> ByName:
        return {"scale": self.parameters.scale, "bound": self.parameters.bound, "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Finding:
    """A pair, its worst output, and by how much the loss there exceeds ε."""

    pair: Pair
    entry: Entry
    excess: float  # (loss - ε)/η
    constant: float  # (loss - ε - 2η)/(B·ε·η): the theorem says at most 12


@dataclass(frozen=True)
class Search:
    """What to search: the precision, the law of U* and the sensitivity; numbers in `fixed` keep their values."""

    precision: int = 53
    uniform: str = "unbounded"
    sensitivity: Fraction = Fraction(1)
    fixed: Mapping[str, Fraction] | None = None

    @property
    def digits(self) -> int:
        """The bits of λ, B and the values: those of the arithmetic, but no more than a double has."""
        return min(self.precision, 53)

    def run(self, budget: int, seed: int) -> Finding:
        """The worst pair among `budget` evaluations. The same seed finds the same pair."""
        rng = random.Random(seed)
        elite: list[Finding] = []
        for _ in range(max(1, budget)):
            start = rng.choice(elite).pair.numbers if elite and rng.random() < 0.75 else self._start(rng)
            pair = self._legal(self._moved(start, rng) if elite else start)
            if pair is None or any(pair == found.pair for found in elite):
                continue
            elite.append(self.judge(pair, some_outputs(pair, rng)))
            elite.sort(key=lambda found: -found.constant)
            del elite[ELITE:]
        best = elite[0] if elite else self.judge_in_full(self._fallback())
        return self.judge_in_full(best.pair) if best.pair.parameters.last <= MAX_OUTPUTS else best

    def judge_in_full(self, pair: Pair) -> Finding:
        return self._scored(pair, worst(entries(pair.parameters, from_fraction(pair.a), from_fraction(pair.b))))

    def judge(self, pair: Pair, outputs: Iterator[int]) -> Finding:
        a, b = from_fraction(pair.a), from_fraction(pair.b)
        found = (entry_at(pair.parameters, k, a, b) for k in outputs)
        return self._scored(pair, worst(e for e in found if e.a.significand or e.b.significand))

    def _scored(self, pair: Pair, entry: Entry) -> Finding:
        m, h = pair.parameters, eta(self.precision)
        epsilon = self.sensitivity / m.scale
        return Finding(
            pair,
            entry,
            entry.loss.in_units(epsilon, h),
            entry.loss.in_units(epsilon + 2 * h, m.bound / m.scale * h),
        )

    def _start(self, rng: random.Random) -> ByName:
        """λ near the top of a binade, B at the bottom of one, a near ±B, b about one sensitivity away."""
        p, top = self.digits, 1 << (self.digits - 1)
        exponent = floor_log2(self.sensitivity) + rng.randint(-3, 9)
        scale = Fraction(2) ** exponent * (2 - Fraction(rng.randrange(1, top // 3 + 2), top))
        bound = Fraction(2) ** (exponent + 1 + rng.choice((0, 1, 2, 3, 4, 5, 6, 8, 10))) * (
            1 + Fraction(few(rng, p), top)
        )
        a = bound * (1 - Fraction(rng.randrange(top // 3 + 1), top)) * rng.choice((1, -1))
        start: ByName = {"scale": scale, "bound": bound, "a": a, "b": a, **(self.fixed or {})}
        a = start["a"]
        if a == 0 or "b" in (self.fixed or {}):
            return start
        gap = self.sensitivity - ulp(a, p) * few(rng, p) / 2
        return {**start, "b": a - gap if a > 0 else a + gap}

    def _moved(self, start: ByName, rng: random.Random) -> ByName:
        """One number moved by a few units in its last place. If it is a, then b is mostly put one sensitivity away."""
        p, name = self.digits, rng.choice(("scale", "bound", "a", "a", "b"))
        old = start[name]
        step = ulp(old, p) * few(rng, p) * rng.choice((1, -1)) if old else ulp(start["bound"], p)
        moved = {**start, name: old + step}
        if name == "a" and rng.random() < 0.9:
            gap = self.sensitivity if start["b"] > start["a"] else -self.sensitivity
            moved["b"] = moved["a"] + gap
        return moved

    def _legal(self, numbers: ByName) -> Pair | None:
        """The pair for these numbers, with fixed values restored and all rounded; None if it is outside the theorem."""
        p, wanted = self.digits, {**numbers, **(self.fixed or {})}
        if wanted["scale"] <= 0 or wanted["bound"] < wanted["scale"]:
            return None
        scale, bound = (round_to_bits(wanted[name], p, up=False) for name in ("scale", "bound"))
        a = toward(max(-bound, min(bound, wanted["a"])), Fraction(0), p)
        b = toward(max(-bound, min(bound, wanted["b"])), a, p)
        return self._pair(scale, bound, a, b) if 0 < abs(a - b) <= self.sensitivity else None

    def _fallback(self) -> Pair:
        """The pair of the fixed values, for the case that the search met no pair within the theorem's conditions."""
        nothing = {"scale": Fraction(1), "bound": Fraction(1), "a": Fraction(0), "b": Fraction(0)}
        return self._pair(**{**nothing, **(self.fixed or {})})

    def _pair(self, scale: Fraction, bound: Fraction, a: Fraction, b: Fraction) -> Pair:
        return Pair(Parameters(scale, bound, self.precision, self.uniform), a, b)


def some_outputs(pair: Pair, rng: random.Random) -> Iterator[int]:
    """The outputs where losses are large: the far end, powers of two, the middle, one at random."""
    last = pair.parameters.last
    away = -1 if pair.a + pair.b > 0 else 1
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
