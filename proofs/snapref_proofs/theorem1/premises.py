"""What coverage.py starts from follows from the program and the conditions of Theorem 1: the lemma `premises` (004 §4).

coverage.Unknowns says how large η·|x|, η·Λ and η·B are, which half gaps the thresholds of an output have, and how large
Δ is. Here two solvers derive each of these facts. A configuration is c, c' and x = kΛ in [-B, B] with λ ≤ B, η ≤ 2**-p
and η·B ≤ β·λ. The half gap below a threshold T is η·Q, where Q is the power of two at or below |T|; it is half of that
if T is a positive power of two. Of powers of two only this is used: they are equal, or one is at least twice the other.

The unit of length is P, as in coverage.py. So the unit u of errors is η itself.
"""

from collections.abc import Mapping
from typing import Any

import z3

from snapref_proofs.theorem1 import coverage
from snapref_proofs.theorem1.coarse import below_next, few, no_power
from snapref_proofs.theorem1.coverage import ANY, Unknowns, in_binade, small_offset
from snapref_proofs.theorem1.grid import SIDES
from snapref_proofs.theorem1.inversion import in_bounds, powers
from snapref_proofs.theorem1.rows import number, spacing_in
from snapref_proofs.theorem1.scenarios import DEEP, HALF, TOP, highest, lowest
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import cancelled, flat, in_proportion, multiplied
from snapref_smt.engine.statement import Statement, absolute


def premises(regime: Regime) -> list[Statement]:
    open_, closed = (Unknowns(side, ANY, regime) for side in SIDES)
    gaps = [one for side in (open_, closed) for one in (*places(side), offset(side))]
    return [*sizes(open_), small_spacing(open_), *gaps, *sensitivity(open_), *binades()]


def beside_tables(regime: Regime) -> list[Statement]:
    """What a chain with conditions of its own needs beside its tables: premises, sizes of Λ/P, and the other boxes."""
    boxes = [*coverage.ends(regime), *coverage.inside(regime)]
    return [*premises(regime), *coverage.lattice_sizes(regime), *boxes]


def sizes(here: Unknowns) -> list[Statement]:
    """Unknowns.sizes: from η, B, λ and Λ, with H = 2u at P ≤ τ1' ≤ |c'| + |x| + Λ/2 + g, and g ≤ η(|x| + Λ/2)."""
    eta, c, cp, x, g = z3.Reals("eta size_c size_c' size_x g")
    bound, scale, ell, most = here.bound, here.scale, here.ell, here.eta
    facts = [
        eta > 0,
        scale > 0,
        c < bound,  # c lies between c' and x
        cp <= bound,
        x >= 0,
        in_bounds(x, bound),
        scale <= bound,
        scale <= ell,
        ell < 2 * scale,
    ]
    facts += [eta <= most, eta * bound <= number(here.regime.max_beta) * scale, cp + x + ell / 2 + g >= 1]
    facts += [g >= 0, g <= eta * (x + ell / 2), powers(64 * eta, ell), cancelled(ell, number(0), eta)]
    products = (x, bound - x, 2 * bound - ell, bound - cp, cp + x + ell / 2 + g - 1)
    facts += [*(multiplied(eta, term) for term in products), *(multiplied(most - eta, term) for term in (x, ell, g))]
    own = [(absolute(here.c), c), (absolute(here.cp), cp), (here.xi, x), (here.unit, eta)]
    own += [(here.eta_x, eta * x), (here.eta_ell, eta * ell), (here.eta_bound, eta * bound)]
    claimed = z3.substitute(z3.And(*here.sizes()), *own)
    return [flat("sizes", facts, claimed, z3.And(claimed, 2 * eta * x <= eta * bound))]


def small_spacing(here: Unknowns) -> Statement:
    """H ≤ Λ/32: so Λ/2 is a multiple of every spacing (multiples.py)."""
    return Statement("H ≤ Λ/32", here.sizes(), 32 * (number(TOP) * here.unit) <= here.ell, 64 * here.unit < here.ell)


def places(here: Unknowns) -> list[Statement]:
    """Unknowns.places: the half gaps g = η·q below T1 and T2, for each kind of k. g/u is q."""
    t1, t2 = here.x - here.ell / 2, here.x + here.ell / 2
    q1, q2, p1, p2 = z3.Reals("q1 q2 Q1 Q2")
    facts = [here.ell > 0, here.unit > 0, here.gap_u == (q1 if here.closed else q2), here.delta_u == q1 - q2]
    xi, ell, w, v = here.xi, here.ell, here.eta_x, here.eta_ell
    for t, power, q, g in ((t1, p1, q1, here.g1), (t2, p2, q2, here.g2)):
        facts += [power > 0, power <= absolute(t), absolute(t) < 2 * power, q == z3.If(t == power, power / 2, power)]
        lengths = [(xi, w), (xi / 2, w / 2), (xi / 4, w / 4), (ell / 2, v / 2), (ell / 4, v / 4)]
        for length, times_eta in (*lengths, (number(0), number(0)), (xi + ell / 2, w + v / 2)):
            facts += in_proportion(q, g, length, times_eta)
    facts += in_proportion(q1, here.g1, q2, here.g2)
    known = [powers(power, other) for power in (p1, p2) for other in (xi, xi / 2)]
    known += [powers(xi, number(1)), powers(xi, number(HALF))]
    kinds = {
        "k = 0": [here.x == 0, *(powers(power, ell / 2) for power in (p1, p2))],
        "|k| no power of two": no_power(xi, ell, p1, p2),
        "k = -2**n": [here.x < 0, xi >= ell, *known],
        "k = 2**n > 1": [here.x > 0, xi >= 2 * ell, *known],
        "k = 1": [here.x > 0, xi == ell, *known],
    }
    wrong = {name: here.g1 == 0 if "no power" in name else here.g1 == here.g2 for name in kinds}
    return each_kind(here, facts, kinds, wrong)


def each_kind(
    here: Unknowns, facts: list[Any], kinds: Mapping[str, list[Any]], wrong: Mapping[str, Any]
) -> list[Statement]:
    """What `here.places` says of each kind of k follows from the facts; `wrong` does not."""
    return [
        Statement(f"{name}, closed={here.closed}", [*facts, *kinds[name]], z3.And(*claimed), wrong[name])
        for name, claimed in here.places().items()
    ]


def offset(here: Unknowns) -> Statement:
    """`small_offset`, wherever x is."""
    delta, most = here.g1 - here.g2, here.eta_bound
    claimed = small_offset(delta, most, here.regime)
    return Statement(f"|δ|, closed={here.closed}", [*here.sizes(), here.place()], claimed, 2 * absolute(delta) <= most)


def sensitivity(here: Unknowns) -> list[Statement]:
    """Unknowns.sensitivity: Δ is a multiple of the spacing at 2B, or a power of two.

    The spacing at 2B is 2q in units of u, for the power of two q ≤ 2B < 2q. It is a multiple of H if it is at least H,
    and so is a power of two that is at least H. If Δ is a smaller one, |c| and |c'| are at most 2**p Δ = (Δ/u)P.
    """
    delta, q, multiple = z3.Real("Delta"), z3.Real("Q_at_2B"), z3.Bool("Delta_is_a_multiple_of_the_spacing_at_2B")
    facts = [here.unit > 0, here.size > 0, here.d > 0, here.d <= delta, here.t1p >= 1, below_next(here.t1p, q)]
    facts += [powers(q, number(1)), z3.Implies(z3.And(multiple, 2 * q >= number(TOP)), here.fine)]
    facts += [z3.Implies(z3.And(z3.Not(multiple), here.size >= number(TOP)), here.fine)]
    facts += [z3.Implies(here.size == number(s), delta == here.unit * number(s)) for s in (1, HALF)]  # Δ = (Δ/u)·u
    facts += [z3.Implies(here.size <= number(HALF / 2), 4 * delta <= here.unit)]
    facts += [z3.Or(multiple, z3.And(*(powers(here.size, number(s)) for s in (TOP, 1, HALF))))]
    facts += [z3.Or(multiple, few(here.c, here.cp, here.size))]
    return [Statement("sensitivity", facts, z3.And(*here.sensitivity()), here.fine)]


def binades() -> list[Statement]:
    """A pattern gives spacings: in units of u, 2Q for the power of two Q of the binade.

    Where cells are closed, a power of two belongs to the binade below it.
    """
    t, q, h = z3.Reals("tau Q h")
    statements = []
    for closed in SIDES:
        held = [z3.And(q < t, t <= 2 * q) if closed else z3.And(q <= t, t < 2 * q), q > 0, h == 2 * q]
        for binade in range(DEEP + 1):
            low, high, claimed = number(lowest(binade)), number(highest(binade)), spacing_in(binade, h)
            facts = [*held, in_binade(t, binade, closed), powers(q, low), powers(q, high / 2)]
            statements.append(Statement(f"binade -{binade}, closed={closed}", facts, z3.And(claimed), h <= high / 2))
    return statements
