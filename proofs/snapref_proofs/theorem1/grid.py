"""Where rounded distances lie: the lemmas `boundaries` and `cells` of Theorem 1 (notes/theorem1.md, section 4).

A distance τ is rounded to V, the middle of the cell of width h that holds τ. A *cell* is [lo, lo+h) if c is above the
output, and (lo, lo+h] ("closed") if c is below it, where lo is a multiple of h. One fact about integers carries
everything (`boundaries`): a multiple of h never lies inside a cell. The spacings of floats are powers of two, so each
divides the larger ones. β ≤ 2**-7 makes all of them divide Λ/2. Two solvers decide the statements.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import z3

from snapref_proofs.theorem1.widths import far_most, width_any
from snapref_smt.engine.statement import Statement, absolute

SIDES = (False, True)  # open (c above the output), closed (c below it)


@dataclass(frozen=True)
class Cell:
    """The cell of width h that holds t."""

    t: Any
    h: Any
    lo: Any
    closed: bool
    asked: list[tuple[Any, Any]] | None = None  # every multiple for which `boundaries` is used, for multiples.py

    @property
    def middle(self) -> Any:
        return self.lo + self.h / 2

    def around(self) -> list[Any]:
        """t lies in the cell."""
        above, below = (self.t > self.lo, self.t <= self.lo + self.h), (self.t >= self.lo, self.t < self.lo + self.h)
        return [*(above if self.closed else below)]

    def beside(self, multiple: Any) -> list[Any]:
        """What `boundaries` says about one multiple of h: the whole cell is on the same side of it as t."""
        if self.asked is not None:
            self.asked.append((self.h, multiple))
        above, below = (
            (self.t > multiple, self.t <= multiple) if self.closed else (self.t >= multiple, self.t < multiple)
        )
        return [z3.Implies(above, self.lo >= multiple), z3.Implies(below, self.lo + self.h <= multiple)]

    def inside(self, coarse: "Cell") -> list[Any]:
        """What `boundaries` says about the ends of a coarser cell at the same place, and of its neighbours."""
        ends = (coarse.lo - coarse.h, coarse.lo, coarse.lo + coarse.h, coarse.lo + 2 * coarse.h)
        facts = [fact for end in ends for fact in self.beside(end)]
        return [*facts, *self.beside(coarse.lo + coarse.h - self.h), *self.beside(coarse.lo + self.h)]


def differences(four: Iterable[Any], lattice: Any) -> tuple[Any, Any, Any]:
    """D2, D1 and V1' - V2' - Λ, of V1', V2, V1 and V2': what the tables bound, and the loss depends on."""
    v1p, v2, v1, v2p = four
    return v2p - v2, v1p - v1, width(v1p, v2p, lattice)


def width(far: Any, near: Any, lattice: Any) -> Any:
    """How much wider an interval is after rounding than Λ."""
    return far - near - lattice


def unpushed(moved: Cell, cell: Cell) -> Any:
    """The cell of a distance to which δ is added is the cell of the distance itself (`parity`)."""
    return moved.lo == cell.lo


def boundaries() -> list[Statement]:
    """A multiple of h never lies inside a cell.

    In units of h, lo and m are integers. If t is on one side of m, the whole cell that holds t is on that side.
    """
    lo, m, t = z3.Int("lo"), z3.Int("m"), z3.Real("t")
    statements = []
    for closed in SIDES:
        cell = Cell(t, z3.RealVal(1), lo, closed)
        twin = z3.And(cell.beside(m + z3.RealVal(1) / 2))  # no multiple
        statements.append(Statement(f"boundaries, closed={closed}", cell.around(), z3.And(cell.beside(m)), twin))
    return statements


class Four:
    """The four distances of an interior output from c and from c' = c ± d, with their cells and all facts about them.

    t2 is the distance of c from the near threshold, and t2 + Λ + δ that from the far one. h2, h1, h2p and H are the
    spacings at the four distances; 2 and 1 stand for near and far, p (a prime) for c'. `closed` is about the cells of
    near distances; those of far ones are of the same kind, unless `far_closed` says otherwise.
    """

    def __init__(self, closed: bool, far_closed: bool | None = None) -> None:
        self.delta, self.d, self.sensitivity, self.lattice = z3.Reals("delta d Delta Lambda")
        self.multiple = z3.Bool("Delta_is_a_multiple_of_H")
        self.h2, self.h1, self.h2p, self.top = z3.Reals("h2 h1 h2p H")
        self.t2 = z3.Real("t2")
        self.closed, self.far_closed = closed, closed if far_closed is None else far_closed
        self.asked: list[tuple[Any, Any]] = []
        far, moved = self.t2 + self.lattice + self.delta, self.t2 + self.d
        self.c2, self.c1 = self.cell("c2", self.t2, self.h2), self.far_cell("c1", far, self.h1)
        self.c2p, self.c1p = self.cell("c2p", moved, self.h2p), self.far_cell("c1p", far + self.d, self.top)
        # the same points, in the cells of larger spacings
        self.t2_in_h1 = self.cell("t2_in_h1", self.t2, self.h1)
        self.t2_in_h2p = self.cell("t2_in_h2p", self.t2, self.h2p)
        self.t2p_in_top = self.cell("t2p_in_H", moved, self.top)
        self.t1_in_top = self.far_cell("t1_in_H", far, self.top)
        self.shifted = self.far_cell("t2+delta_in_h1", self.t2 + self.delta, self.h1)
        self.shifted_p = self.far_cell("t2p+delta_in_H", moved + self.delta, self.top)
        four = (cell.middle for cell in (self.c1p, self.c2, self.c1, self.c2p))
        self.d2, self.d1, self.width = differences(four, self.lattice)

    def cell(self, name: str, t: Any, h: Any) -> Cell:
        return Cell(t, h, z3.Real(f"lo_{name}"), self.closed, self.asked)

    def far_cell(self, name: str, t: Any, h: Any) -> Cell:
        return Cell(t, h, z3.Real(f"lo_{name}"), self.far_closed, self.asked)

    def facts(self) -> list[Any]:
        """The order of the spacings, |c - c'| ≤ Δ, and what `boundaries` says for the multiples that are known."""
        cells = (self.c2, self.c1, self.c2p, self.c1p, self.t2_in_h1, self.t2_in_h2p, self.t2p_in_top)
        facts = [self.h2 > 0, self.h2 <= self.h1, self.h2 <= self.h2p, self.h1 <= self.top, self.h2p <= self.top]
        facts += [self.d >= 0, self.d <= self.sensitivity]
        facts += [fact for cell in (*cells, self.shifted, self.shifted_p) for fact in cell.around()]
        facts += self.c2.inside(self.t2_in_h1) + self.c2.inside(self.t2_in_h2p)
        facts += self.c2p.inside(self.t2p_in_top)
        facts += self.shifted.inside(self.t2_in_h1) + self.shifted_p.inside(self.t2p_in_top)
        for cell, model in ((self.c1, self.shifted), (self.c1p, self.shifted_p)):  # Λ is a multiple of every spacing
            facts += cell.beside(model.lo + self.lattice) + cell.beside(model.lo + model.h + self.lattice)
        return facts

    def edges(self) -> list[Any]:
        """If the spacings at two distances differ, a power of two, which is a multiple of both, lies between them."""
        facts = []
        for name, first, second in (("edge2", self.c2, self.c2p), ("edge1", self.c1, self.c1p)):
            edge = z3.Real(name)
            between = (first.t <= edge, edge < second.t) if first.closed else (first.t < edge, edge <= second.t)
            facts += [z3.Implies(first.h < second.h, z3.And(*between)), *first.beside(edge), *second.beside(edge)]
            facts += [z3.Implies(first.h == second.h, z3.And(second.beside(first.lo)))]
        return facts

    def fine(self) -> list[Any]:
        """Δ is a multiple of every spacing."""
        shifted = self.t2_in_h2p.lo + self.sensitivity
        return self.c2p.beside(shifted) + self.c2p.beside(shifted + self.h2p)

    def far(self) -> list[Any]:
        """The same for the far threshold: τ1 in the cells of the spacing at τ1'."""
        shifted = self.t1_in_top.lo + self.sensitivity
        own = self.t1_in_top.around() + self.c1.inside(self.t1_in_top)
        return [*own, *self.c1p.beside(shifted), *self.c1p.beside(shifted + self.top)]

    def aligned(self, of: str) -> list[Any]:
        """δ is too small to push the distance of c', or those of both, across a cell boundary (`parity`)."""
        near, away = unpushed(self.shifted, self.t2_in_h1), unpushed(self.shifted_p, self.t2p_in_top)
        return {"": [], "c'": [away], "both": [near, away]}[of]


@cache
def named(closed: bool) -> Four:
    """The four distances, for many statements that use the same names: to build them anew each time takes long."""
    return Four(closed)


def moved(d2: Any, d1: Any) -> list[Any]:
    """What is at least 0, because c' is further away than c (`monotone`)."""
    return [d2, d1]


def at_least_zero(x: Any) -> Any:
    return x >= 0


def cells() -> list[Statement]:
    """`moved`, the bounds on D1, and how wide an interval is, on both sides of c.

    What a row of the tables promises, rows.py shows by itself.
    """
    return [statement for closed in SIDES for statement in _cells(closed)]


def _cells(closed: bool) -> list[Statement]:
    four, tail = Four(closed), f", closed={closed}"
    facts = four.facts()
    ordered = z3.And(*map(at_least_zero, moved(four.d2, four.d1)))
    fine, coarse = (far_most(four.sensitivity, four.h1, four.top, coarse=coarse) for coarse in (False, True))
    return [
        Statement("monotone" + tail, facts + four.edges(), ordered, four.d2 > 0),
        Statement("far, Δ a multiple of H" + tail, facts + four.far(), four.d1 <= fine, four.d1 <= four.sensitivity),
        Statement("far, 2Δ ≤ H" + tail, facts + far_and_coarse(four), four.d1 <= coarse, four.d1 <= four.top / 2),
        wide_enough(four),
    ]


def wide_enough(four: Four) -> Statement:
    """V1 - V2 - Λ is at least `width_any`, whatever the kinds of the cells."""
    found = width(four.c1.middle, four.c2.middle, four.lattice)
    least = width_any(four.h2, four.h1, absolute(four.delta))
    facts = [*four.c1.around(), *four.c2.around()]
    return Statement(f"V1 - V2 - Λ, closed={four.closed}", facts, found >= least, found >= 0)


def far_and_coarse(four: Four) -> list[Any]:
    """Δ is at most H/2. If the spacing at τ1 is smaller than H, a power of two (`far_edge`) is between τ1 and τ1'."""
    edge, half, (t1, t1p) = z3.Real("far_edge"), z3.Real("H/2"), (four.c1.t, four.c1p.t)
    facts = [2 * half == four.top, four.sensitivity <= half, *four.t1_in_top.around(), *four.c1.inside(four.t1_in_top)]
    for step in (0, 1, 2):
        facts += four.c1p.beside(four.t1_in_top.lo + step * four.top)
    passing = [*((t1 <= edge, edge < t1p) if four.closed else (t1 < edge, edge <= t1p))]
    passing += [
        *four.t1_in_top.beside(edge),
        *four.c1p.beside(edge),
        *four.c1.beside(edge),
        *four.c1.beside(edge - half),
    ]
    return [*facts, z3.Implies(four.h1 < four.top, z3.And(four.h1 <= half, *passing))]
