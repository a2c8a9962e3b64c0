"""Pages about tables (004 §4): what a row promises, and when a row or a case applies.

They are written down from the definitions of the tables (scenarios.py, interior.py), and not with the functions by
which rows.py and coverage.py state them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import z3

from snapref_proofs.evaluate.boxes import Box
from snapref_proofs.theorem1 import coverage, interior, rows
from snapref_proofs.theorem1.coverage import Unknowns
from snapref_proofs.theorem1.grid import SIDES, Four
from snapref_proofs.theorem1.interior import Backward
from snapref_proofs.theorem1.rows import Row, number
from snapref_proofs.theorem1.scenarios import Pattern, Scenario, lowest, patterns
from snapref_proofs.theorem1.statement import Regime
from snapref_smt.engine.statement import absolute

Table = dict[str, Any]  # the name of a statement → what it concludes


def within_sides(box: Box, own: Mapping[str, tuple[Any, Any]]) -> Any:
    """A configuration lies in a box: `own` has for each side a number and its unit."""
    ends = [(number(low), *own[name], number(high)) for name, (low, high) in box.items()]
    return z3.And(*(z3.And(x >= low * unit, x <= high * unit) for low, x, unit, high in ends))


def of_rows(every: Iterable[Row], closed: bool) -> Table:
    """The bounds of a row, or of one of its two scenarios: D2 - Δ ≤ gain, D2 - D1 ≤ apart (or D2 alone), and
    V1' - V2' - Λ ≥ width; and what `parallel` assumes, where it is used."""
    four = Four(closed)
    v1p, v2, v1, v2p = (cell.middle for cell in (four.c1p, four.c2, four.c1, four.c2p))
    near, far = v1 - four.h1 / 2 - (v2 - four.h2 / 2), v1p - four.top / 2 - (v2p - four.h2p / 2)
    parallel = z3.And(v2p - v2 == v1p - v1, near == four.lattice, far == four.lattice)

    def bounds(one: Scenario) -> Any:
        apart = v2p - v2 - (0 if one.mode == "monotone" else v1p - v1)
        width = v1p - v2p - four.lattice + (absolute(four.delta) if one.loose else 0)
        gain = v2p - v2 - four.sensitivity <= number(one.gain)
        return z3.And(gain, apart <= number(one.apart), width >= number(one.width), parallel if one.parallel else True)

    return {rows.name_of(row, closed): z3.Or(*map(bounds, row.scenarios)) for row in every}


def of_kept(fine: bool) -> Table:
    """The rows of rows.py that no other row implies, on both sides of c."""
    every = rows.kept(fine)
    return {name: bounds for closed in SIDES for name, bounds in of_rows(every, closed).items()}


def everywhere(regime: Regime, unknowns: type[Unknowns] = Unknowns) -> list[Unknowns]:
    """A configuration on each side of c, with each size of Λ/P."""
    sizes = {closed: unknowns(closed, coverage.ANY, regime).lattices() for closed in SIDES}
    return [unknowns(closed, ell, regime) for closed in SIDES for ell in sizes[closed]]


def tail_of(here: Unknowns) -> str:
    return f"ℓ ≤ {here.range[1]}, closed={here.closed}"


def starts(here: Unknowns) -> Any:
    """What coverage starts from: c ≠ c' on one side of x, τ1' in the binade of P, the conditions, half gaps, and Δ."""
    low, high = map(number, here.range)
    t1p, ell, bound, scale, u, eta = here.t1p, number(here.ell), here.bound, here.scale, here.unit, number(here.eta)
    binade = z3.And(t1p > 1, t1p <= 2) if here.far_closed else z3.And(t1p >= 1, t1p < 2)
    lattice = ell == high if here.range[0] == here.range[1] else z3.And(ell > low, ell <= high)
    facts = [here.d > 0, here.t2 > 0, binade, lattice, here.t >= 0, here.t <= 1]
    facts += [absolute(value) <= bound for value in (here.c, here.cp)]
    facts += [absolute(here.x) < bound, scale <= bound, scale <= ell, ell < 2 * scale]
    facts += [u > 0, u <= eta, 64 * u <= ell, here.eta_bound <= number(here.regime.max_beta) * scale]
    facts += [here.eta_x >= 0, here.eta_x <= eta * absolute(here.x), here.eta_x <= here.eta_bound]
    facts += [here.eta_ell > 0, here.eta_ell <= eta * ell, here.eta_ell <= 2 * here.eta_bound]
    return z3.And(*facts, z3.Or(*(z3.And(*kind) for kind in here.places().values())), *here.sensitivity())


def of_table(configurations: Iterable[Unknowns], table: Sequence[Row]) -> Table:
    """Every configuration, whatever its pattern of binades, has a row of the table that applies to it."""
    found: Table = {}
    for here in configurations:
        fitting: dict[Pattern, list[Any]] = {p: [] for p in patterns()}
        written = Written(here)
        for row in table:
            if row.ell == here.range and getattr(row, "closed", here.closed) == here.closed:
                fitting[row.pattern].append(row_applies(here, row, written))
        found |= {f"{p}, {tail_of(here)}": z3.Or(*those) for p, those in fitting.items()}
        found[f"forward, {tail_of(here)}"] = starts(here)
    return found


def of_other_ratio(configurations: Iterable[Unknowns], cases: Sequence[Backward], heads: Iterable[str]) -> Table:
    """Every configuration, whatever its Δ, has a case of the other ratio that applies to it."""
    found: Table = {}
    for here in configurations:
        some = z3.Or(*(case_applies(here, case) for case in cases if case.ell == here.range))
        found |= {f"backward, {head}, {tail_of(here)}": some for head in heads}
        found[f"backward, {tail_of(here)}"] = starts(here)
    return found


class Written:
    """What many rows ask of a configuration. It is written once, because that takes long."""

    def __init__(self, here: Unknowns) -> None:
        self.here = here
        self.known: dict[Any, Any] = {}

    def once(self, key: Any, formula: Callable[[], Any]) -> Any:
        if key not in self.known:
            self.known[key] = formula()
        return self.known[key]

    def binades(self, p: Pattern) -> Any:
        near, far = self.here.within(self.here.t2, p.near), self.here.far_within(self.here.t1, p.far)
        return z3.And(near, far, self.here.within(self.here.t2p, p.near_p))

    def rooms(self, one: Scenario) -> Any:
        """B is large enough."""
        return z3.And(*(room <= self.here.bound for room in one.rooms(self.here.t1p, self.here.ell, self.here.eta)))

    def near_enough(self, one: Scenario) -> Any:
        """No distance is too large."""
        _, *most = coverage.Symbols().places(one, self.here.t1p, self.here.ell, number(self.here.regime.slack))
        return z3.And(*(m >= t for m, t in zip(most, (self.here.t2, self.here.t1, self.here.t2p), strict=True)))


def row_applies(here: Unknowns, row: Row, written: Written) -> Any:
    """The binades are those of the row, and so is what it takes as known of Δ, δ, c and c'. And for its scenarios B is
    large enough, the configuration is in the box, in a part that is not skipped, and no distance is too large."""
    once, slack = written.once, number(here.regime.slack)
    facts = [once(row.pattern, lambda: written.binades(row.pattern)), *here.assumed(row), *here.parity(row.parity)]
    for one in row.scenarios:
        if (box := interior.box_of(one, here.regime)) is None:
            return z3.BoolVal(False)
        facts.append(once(one.reaches, partial(written.rooms, one)))
        facts.append(once(tuple(box.items()), partial(in_box, here, box)))
        facts.append(once((one.pattern, one.loose, one.reach_of_c), partial(written.near_enough, one)))
        unskipped = here.t1p - here.ell + slack >= number(lowest(row.pattern.near_p))
        facts.append(small_delta(here) if one.loose else unskipped)
    return z3.And(*facts)


def case_applies(here: Unknowns, case: Backward) -> Any:
    """The same for a case of the other ratio."""
    near = case.near(here.t1p, here.ell, number(here.regime.slack))
    facts = [here.sized(case.coarse), in_box(here, interior.backward_box(case, here.regime)), small_delta(here)]
    facts += [room <= here.bound for room in case.rooms(coverage.Symbols(), here.t1p, here.ell, here.eta)]
    return z3.And(*facts, here.t2 <= near, here.t1 <= here.t1p, here.t2p <= near)


def in_box(here: Unknowns, box: Box) -> Any:
    own = {"kappa": (here.ell, here.scale), "a": (here.t1p, 1), "ell": (here.ell, 1), "t": (here.t, 1)}
    return within_sides(box, own)


def small_delta(here: Unknowns) -> Any:
    """|δ| ≤ offset·βλ."""
    return absolute(here.delta) <= number(here.regime.offset * here.regime.max_beta) * here.scale
