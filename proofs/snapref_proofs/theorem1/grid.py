"""Where rounded distances lie: the lemmas `boundaries` and `cells` of Theorem 1 (notes/theorem1.md, section 4).

A distance τ is rounded to V, the middle of the cell of width h that holds τ. A *cell* is [lo, lo+h) if c is above the
output, and (lo, lo+h] ("closed") if c is below it, where lo is a multiple of h. One fact about integers carries
everything (`boundaries`): a multiple of h never lies inside a cell. The spacings of floats are powers of two, so each
divides the larger ones. β ≤ 2**-7 makes all of them divide Λ/2. Two solvers decide the statements.
"""

from dataclasses import dataclass
from typing import Any

import z3

from snapref_proofs.theorem1.widths import (
    apart_aligned,
    apart_any,
    apart_narrower,
    apart_wider,
    far_most,
    near_gain,
    width_aligned,
    width_any,
)
from snapref_smt.engine.statement import Statement, absolute

SIDES = (False, True)  # open (c above the output), closed (c below it)


@dataclass(frozen=True)
class Cell:
    """The cell of width h that holds t. A width of 0 stands for t = 0, which is in no cell of floats."""

    t: Any
    h: Any
    lo: Any
    closed: bool
    asked: list[tuple[Any, Any]] | None = None  # every multiple for which `boundaries` is used, for multiples.py

    @property
    def middle(self) -> Any:
        return self.lo + self.h / 2

    def around(self) -> list[Any]:
        """t lies in the cell; for a width of 0, t = lo."""
        above, below = (self.t > self.lo, self.t <= self.lo + self.h), (self.t >= self.lo, self.t < self.lo + self.h)
        held = z3.And(*(above if self.closed else below))
        return [z3.If(self.h > 0, held, self.t == self.lo)]

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


def boundaries() -> list[Statement]:
    """A multiple of h never lies inside a cell.

    In units of h, lo and m are integers. If t is on one side of m, the whole cell that holds t is on that side.
    """
    lo, m, t = z3.Int("lo"), z3.Int("m"), z3.Real("t")
    statements = []
    for closed in SIDES:
        cell = Cell(t, z3.RealVal(1), lo, closed)
        fraction = z3.And(cell.beside(m + z3.RealVal(1) / 2))
        statements.append(Statement(f"boundaries, closed={closed}", cell.around(), z3.And(cell.beside(m)), fraction))
    return statements


class Four:
    """The four distances of an interior output from c and from c' = c ± d, with their cells and all facts about them.

    t2 is the distance of c from the near threshold, and t2 + Λ + δ that from the far one. h2, h1, h2p and H are the
    spacings at the four distances; 2 and 1 stand for near and far, p (a prime) for c'. `closed` is about the cells of
    near distances; those of far ones are of the same kind, unless `far_closed` says otherwise.
    """

    def __init__(self, closed: bool, far_closed: bool | None = None) -> None:
        self.delta, self.d, self.sensitivity, self.lattice = z3.Reals("delta d Delta Lambda")
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

    def cell(self, name: str, t: Any, h: Any) -> Cell:
        return Cell(t, h, z3.Real(f"lo_{name}"), self.closed, self.asked)

    def far_cell(self, name: str, t: Any, h: Any) -> Cell:
        return Cell(t, h, z3.Real(f"lo_{name}"), self.far_closed, self.asked)

    @property
    def d2(self) -> Any:
        return self.c2p.middle - self.c2.middle

    @property
    def d1(self) -> Any:
        return self.c1p.middle - self.c1.middle

    @property
    def width(self) -> Any:
        """V1' - V2' - Λ."""
        return self.c1p.middle - self.c2p.middle - self.lattice

    def facts(self) -> list[Any]:
        """The order of the spacings, |c - c'| ≤ Δ, and what `boundaries` says for the multiples that are known."""
        cells = (self.c2, self.c1, self.c2p, self.c1p, self.t2_in_h1, self.t2_in_h2p, self.t2p_in_top)
        facts = [self.h2 >= 0, self.h2 <= self.h1, self.h2 <= self.h2p, self.h1 <= self.top, self.h2p <= self.top]
        facts += [self.h1 > 0, self.t2 >= 0, self.d >= 0, self.d <= self.sensitivity, self.top <= self.lattice / 32]
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
            equal = [*second.beside(first.lo), *second.beside(first.lo + first.h)]
            facts += [z3.Implies(first.h == second.h, z3.And(equal))]
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

    def aligned(self) -> list[Any]:
        """δ is too small to push a distance across a cell boundary. This is so if δ = 0, and by the lemma `parity`."""
        return [self.shifted.lo == self.t2_in_h1.lo, self.shifted_p.lo == self.t2p_in_top.lo]


def moved(d2: Any, d1: Any) -> list[Any]:
    """What is at least 0, because c' is further away than c (`monotone`)."""
    return [d2, d1]


def cells() -> list[Statement]:
    """The formulas of widths.py, for every ratio of the spacings at once, on both sides of c."""
    return [statement for closed in SIDES for statement in _cells(closed)]


def _cells(closed: bool) -> list[Statement]:
    four = Four(closed)
    h2, h1, h2p, top, delta = four.h2, four.h1, four.h2p, four.top, four.delta
    facts, fine, size = four.facts(), four.fine(), absolute(four.delta)
    tail = f", closed={closed}"
    apart = four.d2 - four.d1
    aligned, wider = apart_aligned(h2, h1, h2p, top), [*facts, delta >= 0]
    narrower = [*facts, delta <= 0]
    extra_wider = z3.If(delta <= h2, 0, delta)
    extra_narrower = z3.If(size <= h2p, 0, size)
    congruent = [*wider, *fine, *_thirds(four), delta <= h2]
    return [
        Statement(
            "monotone" + tail, facts + four.edges(), z3.And([d >= 0 for d in moved(four.d2, four.d1)]), four.d2 > 0
        ),
        Statement(
            "near" + tail, facts + fine, four.d2 <= four.sensitivity + near_gain(h2, h2p), four.d2 <= four.sensitivity
        ),
        Statement(
            "far" + tail,
            facts + four.far(),
            four.d1 <= far_most(four.sensitivity, h1, top, coarse=False),
            four.d1 <= four.sensitivity,
        ),
        Statement(
            "aligned" + tail,
            [*facts, *four.aligned()],
            z3.And(apart <= aligned, -apart <= aligned, four.width >= width_aligned(h2p, top)),
            apart <= aligned / 2,
        ),
        Statement("aligned by δ = 0" + tail, [*facts, delta == 0, h1 > 0], z3.And(four.aligned()), apart <= 0),
        Statement("wider" + tail, wider, apart <= apart_wider(h2, h1, h2p, top, extra_wider), apart <= aligned),
        Statement("wider, width" + tail, wider, four.width >= width_aligned(h2p, top), four.width >= 0),
        Statement(
            "narrower" + tail, narrower, apart <= apart_narrower(h2, h1, h2p, top, extra_narrower), apart <= aligned
        ),
        Statement("any" + tail, facts, apart <= apart_any(h2, h1, h2p, top), apart <= aligned),
        Statement("any, width" + tail, facts, four.width >= width_any(h2p, top, size), four.width >= 0),
        Statement(
            "near ends aligned" + tail,
            [*narrower, h2p == top, four.shifted_p.lo == four.t2p_in_top.lo],
            z3.And(apart <= (h1 - h2) / 2, four.width >= 0),
            apart <= 0,
        ),
        Statement(
            "congruent" + tail,
            congruent,
            z3.Or(four.d2 - four.sensitivity <= -top / 4, apart <= top / 4),
            four.d2 - four.sensitivity <= -top / 4,
        ),
    ]


def _thirds(four: Four) -> list[Any]:
    """h2 = H/2 and all other spacings are H (here 4), and cells of equal width are a whole number of widths apart."""
    steps, half_steps = z3.Int("steps"), z3.Int("half_steps")
    return [
        four.h2 * 2 == four.top,
        four.h1 == four.top,
        four.h2p == four.top,
        four.top == 4,
        four.d1 - four.sensitivity == 4 * steps,
        four.c2.lo - four.t2_in_h1.lo == 2 * half_steps,
    ]
