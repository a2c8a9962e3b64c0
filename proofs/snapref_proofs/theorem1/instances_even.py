"""What the lemmas for ties to even assume is true of concrete configurations (001 and 002, §4.2.2): part of instances.

The lemmas are those of even.py and ties.py. c and c' are above the output. The interval of an even k has both of its
ends: near cells are closed then, and far ones open. For an odd k it is the other way round.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from snapref.arithmetic import context, scaled
from snapref.budget import floor_log2
from snapref_proofs.evaluate.dyadics import from_fraction, from_mpfr
from snapref_proofs.theorem1 import even, joined, rows, ties
from snapref_proofs.theorem1 import instances_joints as joints
from snapref_proofs.theorem1.evaluating import exact, is_true
from snapref_proofs.theorem1.even import Even
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built, some_pattern
from snapref_proofs.theorem1.instances_cells import Cells, by_kind, widths
from snapref_proofs.theorem1.instances_program import MOST, least_float
from snapref_proofs.theorem1.scenarios import SMALL


class EvenSide(OneSide):
    """A configuration with c and c' above the output, and ties to even."""

    @property
    def closed(self) -> bool:
        return self.configuration.k % 2 == 0

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


class EvenCells(Cells):
    def row(self) -> Iterator[Assumed]:
        """The rows of even.py that are about this configuration, or some that are enough for them."""
        head, p, ell = self.configuration.head(self.one.cells["1'"]), self.pattern, self.lattice / self.one.unit
        own = self.values(self.top / 2)
        facts = [*built(even.facts, head, self.closed), *built(widths, self.closed, p)]
        yield Assumed(f"even, {head}, {p}, closed={self.closed}", facts, own)
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
        if numbers:
            case = self.configuration.backward_case(self.one.cells["1'"])
            yield joints.backward(case, joined.of_sensitivity, self.one.regime, numbers)


def _table() -> dict[Any, list[even.Row]]:
    found: dict[Any, list[even.Row]] = {}
    for row in even.table():
        found.setdefault((row.head, row.pattern, row.ell[1], row.closed), []).append(row)
    return found


def _sharpest() -> dict[Any, list[even.Row]]:
    return by_kind(rows.sharpest(even.table()))
