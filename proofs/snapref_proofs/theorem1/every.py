"""Theorem 1 without a condition on Δ (004 §4): the loss for two values c and c' is bounded by their own distance d.

Of the bounds in widths.py only that on D2 - Δ uses that Δ is a multiple of H. For any c and c', |V - τ| ≤ h/2 gives
D2 - d ≤ (h2 + h2')/2. It is less if c and c' are coarse: their *grain* is a power of two that divides both, and then
D2 - d ≤ (h2' - h2)/2 + max(0, h2 - grain) (`grains`). Floats of at least P/4 have the grain u/2, and those of at
least P/2 the grain u. Where c or c' is smaller than P/4, B is larger, or τ1 is smaller.

The rows are built like those of scenarios.py, and the same functions decide them: the formula of interior.py, the facts
about cells of grid.py, the configuration of coverage.py, and the joints of joined.py. d ≤ Δ, so the bound with d in
place of Δ is the stronger one. For x = ±B and for outputs between c and c', nothing of the proof uses Δ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import z3

from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import (
    coverage,
    interior,
    joined,
    joined_inside,
    meanings,
    one_threshold,
    reach,
    rows,
    two_sided,
)
from snapref_proofs.theorem1.coverage import Ell, Unknowns
from snapref_proofs.theorem1.grid import SIDES, Cell, named
from snapref_proofs.theorem1.interior import Backward, Numbers
from snapref_proofs.theorem1.premises import beside_tables
from snapref_proofs.theorem1.rows import TOO_MUCH, number, promised, widths, within
from snapref_proofs.theorem1.scenarios import (
    HALF,
    QUARTER,
    TOP,
    Pattern,
    Reach,
    Scenario,
    at_least,
    at_point,
    lattices,
    lowest,
    opposite,
    patterns,
    three_steps,
)
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.widths import gain_any
from snapref_smt.engine.statement import Family, Stated, Statement, absolute, largest

ZERO, ONE = Fraction(0), Fraction(1)
HEAD = "every"  # any size of Δ
GRAINS = {ZERO: ZERO, HALF: QUARTER, ONE: HALF}  # a grain in units of u, and how large c and c' must be for it


@dataclass(frozen=True)
class Row(rows.Row):
    """A row for every Δ, with the grain of c and c' (0 if none is used)."""

    grain: Fraction

    @property
    def scenario(self) -> Scenario:
        return self.scenarios[0]


@cache
def table() -> list[Row]:
    return [row for ell in lattices() for pattern in patterns() for row in _rows(ell, pattern)]


def _rows(ell: Ell, p: Pattern) -> Iterator[Row]:
    """The rows of one Λ/P and one pattern of binades; apart and width are as in scenarios.py."""

    def row(place: str, apart: Fraction, width: Fraction, *reaches: Reach, grain: Fraction = ZERO, **more: Any) -> Row:
        gain = p.worst(lambda h2, h1, h2p: gain_any(h2, h2p, max(ZERO, h2 - grain)))
        name = f"{HEAD}, {place}, grain {grain}"
        return Row(HEAD, place, p, ell, (Scenario(name, p, ell, gain, apart, width, reaches, **more),), grain)

    def both(place: str, apart: Fraction, width: Fraction, *reaches: Reach, **more: Any) -> Iterator[Row]:
        """One row for |c|, |c'| ≥ P/4; and one for |c| < P/4, where B is at least τ1 - P/4."""
        yield row(place, apart, width, *reaches, grain=HALF)
        yield row(place, apart, width, *reaches, _small(lowest(p.far)), **more)

    yield from both("δ = 0", p.aligned, p.low, reach.anywhere, three_steps)
    yield row("x = 0", p.wider(ell[1] / 4), p.low, reach.at_zero)
    if ell[1] <= QUARTER:
        yield row("|x| ≤ P/4", p.free, p.any_width(3 * QUARTER / 4), reach.anywhere, opposite(QUARTER))
    for xi in (HALF, ONE):
        if ell[1] > xi:
            continue
        delta = 3 * xi / 4 if ell[1] == xi else xi / 2  # x = Λ, or a larger power of two
        reaches, limit = (reach.anywhere, at_least(xi), opposite(xi)), {"reach_of_c": QUARTER + xi}
        if xi == HALF and p.near == 0:
            yield row(f"|x| = {xi}P, parity of both", ZERO, ZERO, *reaches, grain=ONE)
        else:
            yield from both(f"x = -{xi}P", p.wider(xi / 2), p.low, *reaches, **limit)
            if xi == HALF and p.near_p == 0:
                apart = p.worst(lambda h2, h1, h2p: (h1 - h2) / 2)
                yield from both(f"x = {xi}P, parity of c'", apart, ZERO, *reaches, **limit)
            else:
                yield from both(f"x = {xi}P", p.narrower(delta), p.any_width(delta), *reaches, **limit)
    yield row("|x| ≥ 2P", p.free, p.any_width(ZERO), at_least(Fraction(2)), loose=True)


@cache
def _small(far: Fraction) -> Reach:
    """A lower bound on B if |c| < P/4 and τ1 ≥ far."""
    return lambda a, ell, eta: reach.beyond(at_point(a, far), ell, eta, at_point(a, QUARTER))


def grains() -> list[Statement]:
    """The bound on D2 - d. The unit is the smaller of h2 and the grain: it divides h2, d and the ends of cells.

    Without a grain only |V - τ| ≤ h/2 is used.
    """
    steps = z3.Int("steps")  # h2 - (lo2' - lo2 - d), a multiple of the unit
    t, n, hp, grain = z3.Reals("t2 h2 h2' grain")
    statements = []
    for closed in SIDES:
        # counted from lo2 for τ2, and from lo2 + d for τ2'
        near, far = Cell(t, n, number(0), closed), Cell(t, hp, n - z3.ToReal(steps), closed)
        facts = [n >= 1, hp > 0, z3.Or(grain == 1, z3.And(n == 1, grain >= 1)), *near.around(), *far.around()]
        most = most_gain(near.h, hp, grain)
        d2 = far.middle - near.middle
        statements.append(Statement(f"grain, closed={closed}", facts, d2 <= most, d2 <= most - number(HALF)))
        h, low, low_p, e = z3.Reals("h2 lo_any lo_any' d_any")
        near, far = Cell(t, h, low, closed), Cell(t + e, hp, low_p, closed)
        facts, gain = [h > 0, hp > 0, *near.around(), *far.around()], far.middle - near.middle - e
        statements.append(
            Statement(f"no grain, closed={closed}", facts, gain <= most_gain(h, hp, ZERO), gain <= gain_any(h, hp, 0))
        )
    return statements


def most_gain(h2: Any, h2p: Any, grain: Any) -> Any:
    """The largest D2 - d."""
    return gain_any(h2, h2p, largest(number(0), h2 - number(grain)))


def stated_rows() -> Iterator[Family]:
    """Every row, on both sides of c: its bounds follow from the facts about cells, its δ, and `grains`."""
    found: dict[tuple[Pattern, bool], dict[Any, Statement]] = {}
    for row, closed in product(table(), SIDES):
        one = stated(row, closed)
        key = one.conclusion.get_id(), *(fact.get_id() for fact in one.hypotheses)  # the same for the same formulas
        found.setdefault((row.pattern, closed), {}).setdefault(key, one)
    facts = {closed: [*four.facts(), four.sensitivity == four.d] for closed in SIDES for four in [named(closed)]}
    for (pattern, closed), statements in found.items():
        common = [*facts[closed], *widths(named(closed), pattern)]
        yield Family(f"every, {pattern}, closed={closed}", common, list(statements.values()))


def stated(row: Row, closed: bool) -> Statement:
    four, s = named(closed), row.scenario
    facts = within(four.delta, row.limits)
    facts += [four.d2 - four.d <= most_gain(four.h2, four.h2p, row.grain)]
    facts += four.aligned(row.parity)
    return Statement(f"{s}, closed={closed}", facts, promised(four, s, ZERO), promised(four, s, TOO_MUCH))


class Anywhere(Unknowns):
    """A configuration of coverage.py about whose Δ nothing is known."""

    def sensitivity(self) -> list[Any]:
        return []

    def sized(self, size: Fraction | None) -> Any:
        return z3.BoolVal(True)

    def large(self, c: Any, grain: Fraction) -> Any:
        """c is so large that it is a multiple of the grain."""
        return absolute(c) >= number(GRAINS[grain])

    def assumed(self, row: Any) -> list[Any]:
        """What the row takes as known of the grain and δ."""
        large = [self.large(c, row.grain) for c in (self.c, self.cp) if row.grain]
        return [*large, *within(self.delta_u, row.limits)]


def small(place: int) -> type[Anywhere]:
    """The twin of Anywhere: it takes c, or c', for too small to have a grain."""

    class Small(Anywhere):
        def large(self, c: Any, grain: Fraction) -> Any:
            return z3.BoolVal(False) if c is (self.c, self.cp)[place] else super().large(c, grain)

    return Small


def covered(regime: Regime) -> list[Stated]:
    """Some row, and for the other ratio some case, applies to every configuration; so for the other outputs."""
    tables = (
        family(closed, ell, regime) for family in (forward, other_ratio) for closed in SIDES for ell in lattices()
    )
    return [*tables, *beside_tables(regime)]


def forward(closed: bool, ell: Ell, regime: Regime, unknowns: type[Anywhere] = Anywhere) -> Family:
    return coverage.some_row(unknowns(closed, ell, regime), [row for row in table() if row.ell == ell])


def other_ratio(closed: bool, ell: Ell, regime: Regime) -> Family:
    here, tail = Anywhere(closed, ell, regime), f"ℓ ≤ {ell[1]}, closed={closed}"
    known = [case for case in backward() if case.ell == ell]
    some = z3.Or(*(z3.And(here.sized(case.coarse), coverage.applies(here, case)) for case in known))
    member = Statement(f"backward, {HEAD}, {tail}", [], some, here.with_half_of_b(some))
    return Family(f"backward, {tail}", here.facts(), [member], cases=True)


class AnyDistance(Backward):
    """A case of the ratio P(x|c')/P(x|c) for every Δ: D1 ≤ d + (h1 + H)/2, so N·D1 - d ≤ 2Nu if N ≤ 1.

    That is what Backward takes if Δ is less than a quarter of u; but here B may be smaller.
    """

    def __str__(self) -> str:
        return f"backward, every Δ, {self.place}, ℓ ≤ {self.ell[1]}"

    def rooms(self, n: Numbers, a: Any, ell: Any, eta: Any) -> list[Any]:
        return super().rooms(n, a, ell, eta)[1:]  # without the bound on B that a small Δ gives


def backward() -> Iterator[AnyDistance]:
    for case in interior.backward():
        if case.coarse == QUARTER:
            yield AnyDistance(case.place, case.coarse, case.ell)


def inequalities(regime: Regime) -> Iterator[Inequality]:
    """All that is optimised for every Δ."""
    yield from interior.inequalities((row.scenario for row in table()), regime)
    yield from interior.backward_inequalities(backward(), regime)
    yield from one_threshold.inequalities(regime)
    yield from two_sided.inequalities(regime)


def joints(regime: Regime) -> list[Statement]:
    """If these inequalities hold, so does the theorem for every Δ."""
    one_side = [*joined.forward(regime), *joined.backward(regime, backward(), of_distance)]
    return [*one_side, *joined.ends(regime), *joined_inside.inside(regime), *meanings.meanings(regime)]


def of_distance(here: joined.OneSide, case: Backward, h1: Any) -> tuple[Any, list[Any]]:
    """D1 ≤ d + (h1 + H)/2, from |V - τ| ≤ h/2; and d ≤ Δ."""
    d = z3.Real("d/u")
    return d + (h1 + number(TOP)) / 2, [d <= here.sensitivity, *here.at_least(d, number(0))]


def unlike(listed: Sequence[Inequality], regime: Regime) -> Iterator[str]:
    """Inequalities that are optimised, but are not those that `joints` is about. There should be none."""
    yield from joined.unlike_forward(listed, regime, [row.scenario for row in table()])
    yield from joined.unlike_backward(listed, regime, backward())
    yield from joined.unlike_ends(listed, regime)
    yield from joined.unlike(listed, two_sided.inequalities(regime))
