"""The pages of the other chains (004 §4): for every Δ, for ties to even in round_Λ, and for 18.

Most of them are those of pages.py, with the conditions and the configuration of the chain.
"""

from typing import Any

import z3

from snapref_proofs.theorem1 import even, every, independent, interior, joined
from snapref_proofs.theorem1.grid import SIDES, Four
from snapref_proofs.theorem1.pages import (
    names_of,
    of_cases,
    of_ends,
    of_inside,
    of_joined_ends,
    of_joined_inside,
    of_lattices,
    of_meanings,
    of_places,
    of_premises,
    of_probability,
    of_width,
    one_sided,
    variables,
    with_ends,
)
from snapref_proofs.theorem1.pages_of_tables import Table, everywhere, of_other_ratio, of_rows, of_table, within_sides
from snapref_proofs.theorem1.rows import number, sharpest
from snapref_proofs.theorem1.scenarios import HEADS
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, EVERY, Regime
from snapref_proofs.theorem1.ties import ENDS
from snapref_smt.engine.statement import absolute, largest


def of_other_outputs(regime: Regime) -> Table:
    """The theorem for x = ±B, and for outputs around c."""
    return {**of_joined_ends(regime), **of_joined_inside(regime)}


def of_beside_tables(regime: Regime) -> Table:
    """Premises, the sizes of Λ/P, and the boxes of the other outputs."""
    return {**of_premises(regime), **of_lattices(4, 4), **of_ends(regime), **of_inside(regime)}


def of_grains() -> Table:
    """The largest D2 - d: from the grain of c and c', in its own unit; and without one."""
    steps, (h, hp, grain, low, low_p, d) = z3.ToReal(z3.Int("steps")), variables("h2 h2' grain lo_any lo_any' d_any")
    moved, moved_any = h - steps + hp / 2 - h / 2, low_p + hp / 2 - (low + h / 2)
    most = (hp - h) / 2 + largest(number(0), h - grain)
    without = (hp - h) / 2 + largest(number(0), h)  # that is (h2 + h2')/2
    found = {f"grain, closed={closed}": moved <= most for closed in SIDES}
    return {**found, **{f"no grain, closed={closed}": moved_any - d <= without for closed in SIDES}}


def every_row() -> Table:
    """Rows that say the same are stated once, under the name of the first."""
    first: dict[Any, every.Row] = {}
    for row in every.table():
        s = row.scenario
        said = row.pattern, s.gain, s.apart, s.width, s.loose, row.limits, row.parity, row.grain
        first.setdefault(said, row)
    return {**of_grains(), **of_rows(first.values(), False), **of_rows(first.values(), True)}


def every_covered() -> Table:
    here = everywhere(EVERY, every.Anywhere)
    other = of_other_ratio(here, [*every.backward()], [every.HEAD])
    return {**of_table(here, every.table()), **other, **of_beside_tables(EVERY)}


def every_joined() -> Table:
    own = one_sided(EVERY, [*map(str, joined.KINDS), *names_of(every.backward())])
    return {**own, **of_other_outputs(EVERY), **of_meanings(EVERY)}


def even_program() -> Table:
    """Which values lead to an even k, and which to an odd one; thresholds, P(x|c), cases, half gaps; and steps."""
    (x, r, w, t, g), (k, mirrored, even_, other, q) = variables("x r w T g"), z3.Ints("k mirrored even other Q")
    from_k = absolute(x - z3.ToReal(k))
    nearest = z3.And(2 * from_k <= 1, z3.Implies(2 * from_k == 1, k % 2 == 0))
    found = {
        "k even": nearest == (2 * from_k <= 1),
        "k odd": nearest == (2 * from_k < 1),
        "mirror": mirrored == -k,
        "odd neighbours": z3.And(2 * even_ + 1 != 2 * other, 2 * even_ - 1 != 2 * other),
        "w ≥ T": (w >= t) == (r >= t - g),
        "w > T": (w > t) == (r > t + g),
        "multiples of Λ": z3.Or(q + 1 <= k, q >= k),
    }
    for own in ENDS:
        found |= with_ends({**of_probability(own, own), **of_cases(own, own)}, own, own)
    for closed in SIDES:
        found |= {**of_places(even.Even, closed, EVEN), **of_width(Four(closed, not closed))}
    return {**found, **of_steps()}


def of_steps() -> Table:
    """w - w' without E_u is a whole number of steps, at most 2 more than D2 - D1 has; and ψ° is monotone."""
    (v2, v1, v2p, v1p), (n2, n1, n2p, n1p) = variables("v2 v1 v2' v1'"), z3.Ints("n2 n1 n2' n1'")
    psi, psi_p, before, before_p = variables("psi psi' psi- psi-'")
    narrow = z3.ToReal(n1) - z3.ToReal(n2) - (z3.ToReal(n1p) - z3.ToReal(n2p))  # ψ° is n + 1/2
    count = z3.ToReal(n1 - n2 - (n1p - n2p))
    return {
        "whole steps": z3.And(narrow <= count, count <= v1 - v2 - (v1p - v2p) + 2),
        "ψ° ≤ ψ°'": before + psi <= before_p + psi_p,
    }


def even_row() -> Table:
    """The rows that no other row implies."""
    both = {closed: [row for row in sharpest(even.table()) if row.closed == closed] for closed in SIDES}
    return {name: bounds for closed, own in both.items() for name, bounds in of_rows(own, closed).items()}


def even_covered() -> Table:
    here = everywhere(EVEN, even.Even)
    other = of_other_ratio(here, [*interior.backward()], HEADS)
    return {**of_table(here, even.table()), **other, **of_lattices(4, 2), **of_inside(EVEN)}


def even_joined() -> Table:
    own = one_sided(EVEN, [*map(str, even.KINDS), *names_of(interior.backward())])
    return {**own, **of_other_outputs(EVEN)}


def independent_covered() -> Table:
    """Where the unit is τ1'."""
    ell, scale, bound, t, eta = *variables("Lambda lambda B t"), number(EIGHTEEN.eta)
    own = {"kappa": (ell, scale), "a": (number(1), 1), "ell": (ell, 1), "t": (t, 1)}
    box = [within_sides(independent.box_of(case, EIGHTEEN), own) for case in independent.cases()]
    zero = 1 - ell * (1 + eta) / 2
    cases = z3.And(bound >= zero, box[0]), z3.And((2 + eta) * bound >= zero, bound >= ell, box[1])
    return {"independent: box": z3.Or(*cases), **of_beside_tables(EIGHTEEN)}


def independent_joined() -> Table:
    own = one_sided(EIGHTEEN, [f"{case}, back={back}" for case in independent.cases() for back in SIDES])
    return {**own, **of_other_outputs(EIGHTEEN), **of_meanings(EIGHTEEN)}
