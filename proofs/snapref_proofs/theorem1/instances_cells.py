"""What Theorem 1's lemmas about cells assume is true of concrete configurations (004 §4): the second part of instances.

The cells are those of grid.py. Their ends are computed here from the distances. In most lemmas the unit is u = ηP, so
that H = 2; `parity` has H = 16.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import z3
from gmpy2 import mpq

from snapref_proofs.evaluate.boxes import Box
from snapref_proofs.theorem1 import coarse, coverage, every, grid, interior, parity, replay, rows
from snapref_proofs.theorem1.coverage import ANY, Unknowns
from snapref_proofs.theorem1.evaluating import exact, is_true
from snapref_proofs.theorem1.every import Anywhere
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built
from snapref_proofs.theorem1.replay import binade, lower_end
from snapref_proofs.theorem1.rows import R, Row, number
from snapref_proofs.theorem1.scenarios import SMALL, Pattern


class Cells:
    """The four distances of a configuration, with their cells."""

    def __init__(self, one: OneSide) -> None:
        self.one, self.closed = one, one.closed
        self.t2, self.t1, self.t2p, self.t1p = one.distances.values()
        self.h2, self.h1, self.h2p, self.top = (cell.spacing for cell in one.cells.values())
        self.delta, self.configuration = one.offset, one.configuration
        self.sensitivity, self.lattice = self.configuration.sensitivity, self.configuration.parameters.lattice
        self.fine = self.sensitivity % self.top == 0

    def values(self, unit: Fraction) -> dict[str, Any]:
        """The variables of grid.Four, in a unit of length."""
        lengths = {"delta": self.delta, "d": self.t2p - self.t2, "Delta": self.sensitivity, "Lambda": self.lattice}
        lengths |= {"h2": self.h2, "h1": self.h1, "h2p": self.h2p, "H": self.top, "t2": self.t2}
        near = {
            "c2": (self.t2, self.h2),
            "c2p": (self.t2p, self.h2p),
            "t2_in_h1": (self.t2, self.h1),
            "t2_in_h2p": (self.t2, self.h2p),
            "t2p_in_H": (self.t2p, self.top),
        }
        far = {
            "c1": (self.t1, self.h1),
            "c1p": (self.t1p, self.top),
            "t1_in_H": (self.t1, self.top),
            "t2+delta_in_h1": (self.t2 + self.delta, self.h1),
            "t2p+delta_in_H": (self.t2p + self.delta, self.top),
        }
        for held, closed in ((near, self.closed), (far, self.one.far_closed)):
            lengths |= {f"lo_{name}": lower_end(t, h, closed) for name, (t, h) in held.items()}
        # a power of two between the distances of c and of c', or at the upper end of both
        for name, nearer, away in (("edge2", "2", "2'"), ("edge1", "1", "1'")):
            low, high = (self.one.cells[which].power for which in (nearer, away))
            lengths[name] = high if low < high else 2 * high
        lengths |= {"edge": lengths["edge2"], "far_edge": lengths["edge1"], "H/2": self.top / 2}
        return {name: length / unit for name, length in lengths.items()} | {"Delta_is_a_multiple_of_H": self.fine}

    @property
    def pattern(self) -> Pattern:
        return Pattern(*(binade(self.one.cells[name].power, self.one.unit) for name in ("2", "1", "2'")))

    def assumptions(self) -> Iterator[Assumed]:
        u = self.top / 2
        own, tail = self.values(u), f", closed={self.closed}"
        yield from assumed(built(grid.cells), own, (name + tail for name in self.lemmas()))
        if 2 * self.sensitivity <= self.h2p and self.h2 < self.h2p:
            near, away = self.one.cells["2"].power, self.one.cells["2'"].power
            lengths = {"t2": self.t2, "t2'": self.t2p, "Q2": near, "Q2'": away, "edge": away}
            lengths |= {"h2'": self.h2p, "Delta": self.sensitivity}
            yield from assumed(built(coarse.next_binade), lengths, ["next binade" + tail])
        yield from self.boundaries()
        yield from self.parity()
        yield from self.grain()

    def boundaries(self) -> Iterator[Assumed]:
        """A distance, the cell that holds it, and multiples of the spacing around it."""
        for t, h in ((self.t2, self.h2), (self.t1, self.h1), (self.t2p, self.top)):
            lo = lower_end(t, h, self.closed) / h
            for steps in range(-2, 4):
                own = {"t": t / h, "lo": lo, "m": lo + steps}
                yield from assumed(built(grid.boundaries), own, [f"boundaries, closed={self.closed}"])

    def in_steps(self, own: dict[str, Any]) -> dict[str, Any]:
        """Equal cells lie a whole number of widths apart."""
        d1 = own["lo_c1p"] + own["H"] / 2 - own["lo_c1"] - own["h1"] / 2
        steps, halves = (d1 - own["Delta"]) / own["H"], (own["lo_c2"] - own["lo_t2_in_h1"]) / own["h2"]
        return {**own, "steps": steps, "half_steps": halves}

    def lemmas(self) -> Iterator[str]:
        """The lemmas of grid.cells that are about this configuration."""
        yield "monotone"
        yield "V1 - V2 - Λ"
        if self.fine:
            yield "far, Δ a multiple of H"
        if 2 * self.sensitivity <= self.top:
            yield "far, 2Δ ≤ H"

    def row(self) -> Iterator[Assumed]:
        """The rows of the table that are about this configuration, or some that are enough for them."""
        own = self.in_steps(self.values(self.top / 2))
        here, known = self.one.unknown(Unknowns), exact(self.one.unknowns())
        for mine in self.covering():
            stated = next(r for r in built(_kept, mine.fine)[mine.kind] if rows.enough(r, mine))
            name = rows.name_of(stated, self.closed)
            yield Assumed(name, built(_stated, mine.fine)[name], own)
            yield from (self.in_box(interior.box_of(one, self.one.regime)) for one in mine.scenarios)
        for case in interior.backward():
            if case.ell == here.range and is_true(built(coverage.applies, here, case), known):
                yield self.in_box(interior.backward_box(case, self.one.regime))
        yield from self._every()

    def covering(self) -> Iterator[Row]:
        """The rows that coverage.py finds."""
        head, ell = self.configuration.head(self.one.cells["1'"]), self.lattice / self.one.unit
        here, known = self.one.unknown(Unknowns), exact(self.one.unknowns())
        mine = built(replay.table)[head, self.pattern, max(ell, SMALL)]
        return (row for row in mine if is_true(built(Unknowns.covered, here, row), known))

    def in_box(self, box: Box | None) -> Assumed:
        """A row that coverage.py finds is about a box in which the configuration lies."""
        m = self.configuration.parameters
        own = {"kappa": m.lattice / m.scale, "a": self.one.distances["1'"] / self.one.unit, "t": Fraction(1)}
        sides = {name: (z3.Real(name), *map(number, ends)) for name, ends in (box or {}).items()}
        inside = [z3.And(low <= x, x <= high) for x, low, high in sides.values()]
        return Assumed("box", inside if box else [z3.BoolVal(False)], {**own, "ell": m.lattice / self.one.unit})

    def _every(self) -> Iterator[Assumed]:
        """The rows of every.py that are about this configuration; Δ is |c - c'| there."""
        known, own = exact(self.one.unknowns()), self.values(self.top / 2)
        own["Delta"] = own["d"]
        name = f"every, {self.pattern}, closed={self.closed}"
        yield Assumed(name, built(_every_facts)[name], own)
        for mine in self.covering_for_every():
            yield from assumed([built(every.stated, mine, self.closed)], own)
            if mine.grain:  # it divides c and c'
                parts = {f"{x}/grain": known[x] / (known["u"] * mpq(mine.grain)) for x in ("c", "c'")}
                yield Assumed(f"grain of {mine.scenario}", [z3.Int(x) % 1 == 0 for x in parts], parts)

    def covering_for_every(self) -> Iterator[every.Row]:
        """The rows of every.py that apply to this configuration."""
        here, known = self.one.unknown(Anywhere), exact(self.one.unknowns())
        rows_here = built(_every_row)[self.pattern, max(self.lattice / self.one.unit, SMALL)]
        return (mine for mine in rows_here if is_true(built(Anywhere.covered, here, mine), known))

    def parity(self) -> Iterator[Assumed]:
        """The lemma `parity` counts distances from the lower ends of their cells, and c from the near threshold T."""
        u, own = self.top / 2, self.one.unknowns()
        (threshold, _), sign = (self.one.thresholds[0], -1) if self.closed else (self.one.thresholds[1], 1)
        (c, c_p), lengths = self.one.values_of_f, {"delta": self.delta, "h1": self.h1, "H": self.top}
        ends = [lower_end(t, h, self.closed) for t, h in ((self.t2, self.h1), (self.t2p, self.top))]
        lengths |= {"t2": self.t2 - ends[0], "d": self.t2p - ends[1] - (self.t2 - ends[0])}
        lengths |= {"lo_t2_in_h1": Fraction(0), "lo_t2p_in_H": Fraction(0)}
        lengths |= {"c-T": c - sign * ends[0] - threshold, "c'-T": c_p - sign * ends[1] - threshold}
        moved = [lower_end(t + self.delta, h, self.closed) for t, h in ((self.t2, self.h1), (self.t2p, self.top))]
        lengths |= {"lo_t2+delta_in_h1": moved[0] - ends[0], "lo_t2p+delta_in_H": moved[1] - ends[1]}
        own |= {name: length / u for name, length in lengths.items()}
        own |= {f"({name})/u": own[name] for name in ("c-T", "c'-T")}
        own |= {
            f"{name}/h": own[name] / own[h] for name, h in (("lo_t2+delta_in_h1", "h1"), ("lo_t2p+delta_in_H", "H"))
        }
        for of, far in built(parity.uses):
            here = built(Unknowns, self.closed, ANY, self.one.regime)
            found = is_true(z3.And(here.parity(of)), exact(own)) and (of == "c'" or far == self.pattern.far)
            if found:
                yield from assumed(built(parity.parity), own, [parity.name_of(of, far, self.closed)])

    def grain(self) -> Iterator[Assumed]:
        """The largest power of two that divides c and c', for the bounds without a condition on Δ (every.py)."""
        c, c_p = self.one.values_of_f
        grain = min(Fraction(x.numerator & -x.numerator, x.denominator) for x in (c, c_p) if x)
        unit, tail, d = min(grain, self.h2), f", closed={self.closed}", self.t2p - self.t2
        low, low_p = lower_end(self.t2, self.h2, self.closed), lower_end(self.t2p, self.h2p, self.closed)
        lengths = {"t2": self.t2 - low, "h2": self.h2, "h2'": self.h2p, "grain": grain}
        lengths |= {"steps": self.h2 - (low_p - low - d)}
        own = {name: length / unit for name, length in lengths.items()}
        yield from assumed(built(every.grains), own, ["grain" + tail])
        more = {"t2": self.t2, "h2": self.h2, "h2'": self.h2p, "lo_any": low, "lo_any'": low_p, "d_any": d}
        yield from assumed(built(every.grains), more, ["no grain" + tail])


def by_kind(found: Iterable[R]) -> dict[Any, list[R]]:
    kinds: dict[Any, list[R]] = {}
    for row in found:
        kinds.setdefault(row.kind, []).append(row)
    return kinds


def _every_row() -> dict[tuple[Pattern, Fraction], list[every.Row]]:
    found: dict[tuple[Pattern, Fraction], list[every.Row]] = {}
    for row in every.table():
        found.setdefault((row.pattern, row.ell[1]), []).append(row)
    return found


def _stated(fine: bool) -> dict[str, list[Any]]:
    """What each statement about a row assumes."""
    return {one.name: [*family.common, *one.hypotheses] for family in rows.families(fine) for one in family.members}


def _every_facts() -> dict[str, Sequence[Any]]:
    """What all statements about a pattern assume, for every Δ."""
    return {family.name: family.common for family in every.stated_rows()}


def _kept(fine: bool) -> dict[Any, list[Row]]:
    return by_kind(rows.kept(fine))
