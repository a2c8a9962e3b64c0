"""The lemma `parity` of Theorem 1 (004 §4): where |x| = P/2, δ can be too small to push a distance into another cell.

A float of at least P/2 is a multiple of u = ηP = H/2; so are x and Λ/2. So a distance is a multiple of u, but for the
half gap of its threshold. This gap and δ are so small that no multiple of H lies between the distance and the same with
δ added. The hypotheses are what coverage.py finds (`Unknowns.parity`), and the conclusion is what a row takes as known
(`Four.aligned`).
"""

from typing import Any

import z3

from snapref_proofs.theorem1 import every, rows
from snapref_proofs.theorem1.coverage import ANY, Unknowns
from snapref_proofs.theorem1.grid import SIDES, Four
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.scenarios import HALF, TOP, spacings
from snapref_proofs.theorem1.statement import TWELVE
from snapref_smt.engine.statement import Statement, absolute


def uses() -> list[tuple[str, int]]:
    """What the tables use the lemma for: c' or both; for both also how many binades τ1 is below τ1', which gives h1."""
    found = [(row.parity, row.pattern) for row in rows.table()]
    found += [(row.parity, row.pattern) for row in every.table()]
    return sorted({(of, pattern.far if of == "both" else 0) for of, pattern in found if of})


def parity() -> list[Statement]:
    return [stated(of, far, closed) for of, far in uses() for closed in SIDES]


def name_of(of: str, far: int, closed: bool) -> str:
    return f"parity of {of}, τ1 in binade -{far}, closed={closed}"


def stated(of: str, far: int, closed: bool) -> Statement:
    """Lengths are in units of u, and each distance is counted from the lower end of its cell. c is counted from the
    near threshold T, which is a multiple of u, too."""
    here, four = Unknowns(closed, ANY, TWELVE), Four(closed)
    facts = [here.place(), *here.parity(of), four.delta == here.delta_u]
    near = here.c, "c-T", here.t2, four.t2_in_h1, four.shifted, spacings(far)[0]
    away = here.cp, "c'-T", here.t2p, four.t2p_in_top, four.shifted_p, TOP
    for c, whole, t, cell, moved, h in (near, away) if of == "both" else (away,):
        facts.append(z3.Implies(absolute(c) >= number(HALF), z3.Real(f"({whole})/u") == z3.ToReal(z3.Int(whole))))
        facts += [cell.t == in_units_of_u(here, t), cell.h == number(h), cell.lo == 0, *cell.around()]
        facts += [moved.lo == number(h) * z3.ToReal(z3.Int(f"{moved.lo}/h")), *moved.around()]
    claimed = four.aligned(of)
    return Statement(name_of(of, far, closed), facts, z3.And(*claimed), z3.And(*claimed, four.delta >= 0))


def in_units_of_u(here: Unknowns, distance: Any) -> Any:
    """The distance of a near threshold, as coverage.py has it. There the unit is P, and c is not counted from T."""
    own = [(here.x, number(0)), (here.ell, number(0)), (here.g1, here.gap_u), (here.g2, here.gap_u)]
    return z3.substitute(distance, *own, (here.c, z3.Real("(c-T)/u")), (here.cp, z3.Real("(c'-T)/u")))
