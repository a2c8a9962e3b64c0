"""What the lemmas for ties to even assume is true of concrete configurations (001 and 002, §4.2.2): part of instances.

The lemmas are those of even.py and ties.py. c and c' are above the output. The interval of an even k has both of its
ends: near cells are closed then, and far ones open. For an odd k it is the other way round; and so for the output 0, if
ties go away from zero. What the lemmas say of rounding to a multiple of Λ is asked next to x, next to -x, and next to
much larger multiples.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, floor
from typing import Any

from snapref.arithmetic import context, scaled
from snapref.budget import floor_log2
from snapref_proofs.evaluate.dyadics import from_fraction, from_mpfr
from snapref_proofs.theorem1 import even, joined, rows, ties
from snapref_proofs.theorem1 import instances_joints as joints
from snapref_proofs.theorem1.evaluating import exact, is_true
from snapref_proofs.theorem1.even import Even
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built, some_pattern
from snapref_proofs.theorem1.instances_cells import Cells, by_kind
from snapref_proofs.theorem1.instances_program import MOST, Walk, in_binades, least_float
from snapref_proofs.theorem1.scenarios import HALF, SMALL

FAR = 2**70  # a number of steps Λ that no configuration has


class EvenSide(OneSide):
    """A configuration with c and c' above the output, and ties to even; or away from zero, if the output is 0."""

    @property
    def closed(self) -> bool:
        return self.configuration.k % 2 == 0 and self.configuration.parameters.ties == "even"

    @property
    def far_closed(self) -> bool:
        return not self.closed

    def kind_of_power(self, k: int) -> str:
        return f"|k| = 2**n, x {'>' if k > 0 else '<'} 0"

    def assumptions(self) -> Iterator[Assumed]:
        power = [Fraction(2) ** floor_log2(abs(t)) / self.unit for t, _ in self.thresholds]
        gaps = [abs(gap) / self.unit for _, gap in self.thresholds]
        own = self.unknowns() | dict(zip(("Q1", "Q2", "gap1", "gap2"), (*power, *gaps), strict=True))
        own |= {"q1": gaps[0] / self.eta, "q2": gaps[1] / self.eta, "Q": power[0], "eta_Q": self.eta * power[0]}
        tail = f", closed={self.closed}"
        yield from assumed(built(even.premises, self.regime), own, [self.kind() + tail, "|δ|" + tail])
        here = self.unknown(Even)
        yield Assumed("coverage, ties to even", built(Even.facts, here), own)
        yield Assumed("some pattern, ties to even", built(some_pattern, here), own)
        yield from EvenCells(self).row()
        yield from self._offsets()
        for (t, gap), down in zip(self.thresholds, (self.closed, not self.closed), strict=True):
            yield from self._rounded(t, abs(gap), down)
        yield from multiples(abs(self.configuration.k))
        for number in {sign * (self.configuration.k + more) for sign, more in product((1, -1), (0, FAR))}:
            yield from to_multiples(number)
        yield from self._conditions()
        yield from self._regions()
        yield from self._walks()

    def _rounded(self, t: Fraction, g: Fraction, down: bool) -> Iterator[Assumed]:
        """Numbers r next to a threshold T, rounded by MPFR: with half the gap g below T, or above it; and the mirror
        image of rounding."""
        for r in (t + step * g / 2 for step in range(-5, 6)):
            w = from_mpfr(context(self.precision).plus(scaled(*from_fraction(r))))
            own: dict[str, Any] = {"r": r, "w": w, "T": t, "g": g}
            yield from assumed(built(ties.even), own, ["w ≥ T" if down else "w > T"])
            above = least_float(abs(r), self.precision, closed=True)
            for sign, a, b in ((1, above.before, above.value), (-1, -above.value, -above.before)):
                own |= {"a": a, "b": b, "b_is_even": above.even == (sign > 0), "B": g, "x": r}
                own |= {"r": sign * abs(r), "RN(r)": sign * abs(w), "RN(-r)": -sign * abs(w)}
                yield from assumed(built(ties.mirrored), own, ["RN", "clamp"])
        half = int(abs(t) / g) // 4  # the significand is even
        for other in (half, half + 1, -half, 0, FAR):
            yield from assumed(built(ties.even), {"even": half, "other": other}, ["odd neighbours"])

    def _conditions(self) -> Iterator[Assumed]:
        """The conditions of the theorem, and what is clamped: c and c', and the mirror image of both."""
        m = self.configuration.parameters
        for sign, (c, c_p) in product((1, -1), (self.values_of_f, self.values_of_f[::-1])):
            own = {"c": sign * c, "c'": sign * c_p, "Delta": self.configuration.sensitivity, "B": m.bound}
            yield from assumed(built(ties.mirrored), own, ["conditions"])
            for x in (sign * c, sign * m.bound, 3 * sign * m.bound):
                yield from assumed(built(ties.mirrored), {"x": x, "B": m.bound}, ["clamp"])

    def _regions(self) -> Iterator[Assumed]:
        """c in each place around the interval: above it, at its ends, in its middle, and below it."""
        m, k, own = self.configuration.parameters, self.configuration.k, self.closed
        low, high = (t - gap for t, gap in self.thresholds)
        above = sorted(self.values_of_f)
        places = [low + high - above[1], low + high - above[0], low, k * m.lattice, high, *above]
        tail, stated = f", ends={own}, {own}", built(ties.even)
        for c in places:
            inside = low <= c <= high if own else low < c < high
            region = "II" if inside else "I" if c >= high else "III"
            for z in {abs(c - low), abs(c - high), m.scale} - {Fraction(0)}:
                values = {"c": c, "Z": z, "t1*": low, "t2*": high}
                yield from assumed(stated, values, [region + tail])
                for t in (low, high):
                    ends = ("x = -B", "x = B, beyond") if c > t or (own and c == t) else ("x = -B, beyond", "x = B")
                    yield from assumed(stated, {**values, "t*": t}, [name + tail for name in ends])
        for c, c_p in combinations_with_replacement(places, 2):
            yield from assumed(stated, {"c": c, "c'": c_p, "t1": low, "t2": high}, ["six cases" + tail])
        for steps in {k, -k, m.last, -m.last}:
            own_k = {"k": steps, "K": m.last, "B": m.bound / m.lattice}
            names = ("outputs", "|x| < B inside") if abs(steps) < m.last else ("outputs",)
            yield from assumed(stated, own_k, [name + tail for name in names])

    def _walks(self) -> Iterator[Assumed]:
        """`steps`, where near and far cells are of different kinds; and the ratio of two probabilities."""
        m, kinds = self.configuration.parameters, (self.closed, self.far_closed) * 2
        walks = {name: Walk(m, t, closed) for (name, t), closed in zip(self.distances.items(), kinds, strict=True)}
        yield from in_binades(walks)
        if walks["1'"].v < MOST:
            q2, q1, q2p, q1p = (walk.q.value for walk in walks.values())
            ratios = {"q2": q2, "r": q1 / q2, "q2'": q2p, "r'": q1p / q2p}
            yield from assumed(built(ties.even), ratios, [f"ratio, ends={self.closed}, {self.closed}"])


def to_multiples(n: int) -> Iterator[Assumed]:
    """Numbers around n, in units of Λ, by each tie rule. A rule that is asked of k is asked of n, and of others."""
    for x in (n + Fraction(step, 4) for step in (-2, -1, 0, 2)):
        up, down = floor(-x + HALF), ceil(x - HALF)
        yield from assumed(built(ties.mirrored), {"x": x, "up": up, "down": down}, ["round"])
        to_even = {"x": x, "k": round(x), "mirrored": round(-x)}  # Python's rounding is to even
        yield from assumed(built(ties.even), to_even, ["mirror"])
        for k in (n, n + 1, -n):
            yield from assumed(built(ties.away), {"w": x, "n": k})
            own = {"x": x, "k": k, "half": k // 2, "mirrored": -k}
            yield from assumed(built(ties.even), own, ["k odd" if k % 2 else "k even"])


def multiples(k: int) -> Iterator[Assumed]:
    """Multiples of Λ: |x|, and powers of two around it, and far from it."""
    for steps in {max(1, k), k + 1, k + FAR}:
        power = 1 << (steps.bit_length() - 1)
        for q in {1, power, 2 * power, FAR}:
            yield from assumed(built(even.multiples), {"k": steps, "Q": q})


class EvenCells(Cells):
    def row(self) -> Iterator[Assumed]:
        """The rows of even.py that are about this configuration, or some that are enough for them."""
        head, p, ell = self.configuration.head(self.one.cells["1'"]), self.pattern, self.lattice / self.one.unit
        own = self.values(self.top / 2)
        name = f"even, {head}, {p}, closed={self.closed}"
        yield Assumed(name, built(_shared)[name], own)
        yield from assumed(built(even.premises, self.one.regime), own, [f"V1 - V2 - Λ, closed={self.closed}"])
        here, known = self.one.unknown(Even), exact(self.one.unknowns())
        near_enough = self.one.cells["1'"].middle < MOST * self.configuration.parameters.scale
        numbers = joints.numbers(self.one) if near_enough else {}
        for mine in built(_table)[head, p, max(ell, SMALL), self.closed]:
            if is_true(built(Even.covered, here, mine), known):  # coverage.py finds this row
                stated = next(r for r in built(_sharpest)[mine.kind] if rows.enough(r, mine))
                yield from assumed([built(even.stated, stated)], own)
                if numbers:
                    yield joints.forward(self.one, mine.scenarios[0], self.one.regime, numbers)
                    yield from joints.words(self.one, mine.scenarios[0], self.one.regime, numbers)
        if numbers:
            case = self.configuration.backward_case(self.one.cells["1'"])
            yield joints.backward(case, joined.of_sensitivity, self.one.regime, numbers)


def _table() -> dict[Any, list[even.Row]]:
    found: dict[Any, list[even.Row]] = {}
    for row in even.table():
        found.setdefault((row.head, row.pattern, row.ell[1], row.closed), []).append(row)
    return found


def _shared() -> dict[str, Sequence[Any]]:
    """What all statements about a size of Δ and a pattern assume."""
    return {family.name: family.common for family in even.stated_rows()}


def _sharpest() -> dict[Any, list[even.Row]]:
    return by_kind(rows.sharpest(even.table()))
