"""What passes from one lemma of Theorem 1 to the next, on one page (004 §4): the obligation `theorem.passed_on`.

A lemma concludes a formula, and another lemma starts from it. Both call the same function for it. But a lemma could
call it with other numbers, or add something, and so show less than the other one uses. Below stands what each of these
lemmas concludes, in plain variables; two solvers decide that it concludes just this. Read this page to see what the
lemmas promise each other. What coverage.py finds for a configuration is a row of the tables.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import z3

from snapref_proofs.theorem1 import (
    coarse,
    compose,
    coverage,
    even,
    every,
    faithful,
    interior,
    inversion,
    joined,
    joined_inside,
    one_threshold,
    parity,
    rows,
    slopes,
    two_sided,
)
from snapref_proofs.theorem1.grid import SIDES, Four
from snapref_proofs.theorem1.joined import Threshold
from snapref_proofs.theorem1.rows import Row, number, spacing_in
from snapref_proofs.theorem1.scenarios import DEEP, HALF, HEADS, TOP, patterns
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, EVERY, Regime
from snapref_proofs.theorem1.terms import flat
from snapref_proofs.theorem1.widths import far_most, width_any
from snapref_smt.engine.statement import Statement, absolute

Table = dict[str, Any]  # the name of a statement → what it concludes


def variables(names: str) -> list[Any]:
    return list(z3.Reals(names))


def linear(formula: Any) -> Any:
    """The formula with every product as a variable of its own, as joined.py states it."""
    return flat("", [], formula, formula).conclusion


def of_errors(regime: Regime) -> Table:
    """For one threshold, in the units of joined.py: V and Y, E_u, and both together for g = εV + E_y - E_u."""
    here, (eta, scale) = Threshold(""), variables("eta lambda/P")
    a, v, error, lost = variables("A epsilon_V E_y E_u")
    errors = joined.both_errors(eta) * eta * a
    g = v + error - lost
    return {
        "V and Y": here.v_and_y(eta),
        "E_u ≤ 2η": here.e_u(scale),
        "g": linear(z3.And(g <= a + errors, g >= a - errors - 2 * eta)),
    }


def of_cells(regime: Regime) -> Table:
    """On each side of c: D1, D2 ≥ 0, the bound on D1, and the width of an interval."""
    found: Table = {}
    for closed in SIDES:
        four, tail = Four(closed), f", closed={closed}"
        sensitivity, h2, h1, top, delta = variables("Delta h2 h1 H delta")
        found["monotone" + tail] = z3.And(four.d2 >= 0, four.d1 >= 0)
        found["far, Δ a multiple of H" + tail] = four.d1 <= far_most(sensitivity, h1, top, coarse=False)
        found["far, 2Δ ≤ H" + tail] = four.d1 <= far_most(sensitivity, h1, top, coarse=True)
        width = four.c1.middle - four.c2.middle - four.lattice
        found["V1 - V2 - Λ" + tail] = width >= width_any(h2, h1, absolute(delta))
    return found


def of_offsets(regime: Regime) -> Table:
    """Which k are no powers of two, and what that means for their thresholds."""
    return {"|k| no power of two": z3.And(*coarse.no_power(*z3.Ints("size_x Lambda low high")))}


def of_coarse(regime: Regime) -> Table:
    """How large c and c' can be, and τ1'; and which binades are neighbours."""
    near = {f"next binade, closed={closed}": coarse.neighbours(*variables("Q2 Q2'")) for closed in SIDES}
    return {
        "|c| ≤ 2**p Δ": coarse.few(*variables("c c' 2**p")),
        "below the next power of two": coarse.below_next(*variables("t1 Q")),
        **near,
    }


def of_premises(regime: Regime) -> Table:
    """|δ| ≤ offset·ηB; and the spacing in each binade."""
    g1, g2, eta_b, h = variables("g1 g2 eta_B h")
    sides = [(closed, binade) for closed in SIDES for binade in range(DEEP + 1)]
    spacings = {f"binade -{binade}, closed={closed}": z3.And(spacing_in(binade, h)) for closed, binade in sides}
    offset = coverage.small_offset(g1 - g2, eta_b, regime)
    here = [coverage.Unknowns(closed, coverage.ANY, regime) for closed in SIDES]
    found: Table = {"sizes": linear(sizes(regime)), "sensitivity": z3.And(*here[0].sensitivity())}
    for one in here:
        found |= {f"{kind}, closed={one.closed}": z3.And(*facts) for kind, facts in one.places().items()}
    return {**found, **{f"|δ|, closed={closed}": offset for closed in SIDES}, **spacings}


def sizes(regime: Regime) -> Any:
    """How large c, c', x, λ, Λ and B are, and their products with η. The unit is P."""
    c, cp, x, eta, bound, scale, lattice = variables("size_c size_c' size_x eta B lambda Lambda")
    most, beta = number(regime.eta), number(regime.max_beta)
    facts = [c <= bound, cp <= bound, x < bound, scale <= bound, scale <= lattice, lattice < 2 * scale]
    facts += [eta > 0, eta <= most, 64 * eta <= lattice, eta * bound <= beta * scale]
    for length, limit in ((x, bound), (lattice, 2 * bound)):
        facts += [eta * length <= most * length, eta * length <= eta * limit]
    return z3.And(*facts, eta * x >= 0, eta * lattice > 0)


def of_parity(regime: Regime) -> Table:
    """δ pushes no distance across a cell boundary. Distances count from the lower ends of their cells."""
    found = {}
    for (of, far), closed in ((use, closed) for use in parity.uses() for closed in SIDES):
        four = Four(closed)
        found[parity.name_of(of, far, closed)] = z3.And(*four.aligned(of))
    return found


def of_ends(regime: Regime) -> Table:
    """x = ±B: distances that add up to 2B at most, and |D - d|."""
    c, cp, q, ell, g, bound = variables("c c' q Lambda g B")
    found: Table = {}
    for closed in SIDES:
        threshold = (q + ell / 2) - g if closed else -(q + ell / 2) - g
        both = absolute(c - threshold) + absolute(cp - threshold) <= 2 * bound
        found |= {f"between, closed={closed}": both, f"beyond, closed={closed}": both}
    v, vp, d, h, hp = variables("V V' d h h'")
    return {**found, "|D - d| ≤ (h + h')/2": 2 * absolute(vp - v - d) <= h + hp}


def of_inside(regime: Regime) -> Table:
    """Outputs around c: how far c' is from the interval, in units of B."""
    r, lattice, h = variables("R Lambda h")
    furthest = linear(r <= two_sided.furthest(lattice, h))
    return {"I, II: R": furthest, "III, II: R": furthest}


def of_parallel(regime: Regime) -> Table:
    """The modes of a row: Y is the same for all four, or 2Y2 ≤ ηεV1'; and how far the middles of cells move."""
    q, q2, v, v1p, e = variables("Q Q2 epsilon_V v1' e")
    n2, n2p, n1, n1p = z3.Ints("n2 n2p n1 n1p")
    moved, moved_far = z3.ToReal(n2p) - z3.ToReal(n2), z3.ToReal(n1p) - z3.ToReal(n1)
    return {
        "parallel": z3.And(moved <= e + 1, moved - moved_far <= 1),
        "Q < εV": inversion.above(q, v),
        "one binade": inversion.level(q, q2),
        "two binades": inversion.spread(q2, v1p),
    }


def of_probability(regime: Regime) -> Table:
    """P(x|c) where T1 belongs to the interval of an output, and T2 does not: about one Z, with 1 and 0 in place of
    probabilities. And P(x|c)/P(x|c') for c and c' on one side, with q2 and q1 = q2·r."""
    c, z, t1, t2, t, q2, r, q2p, rp = variables("c Z t1* t2* t* q2 r q2' r'")

    def one(event: Any) -> Any:
        return z3.If(event, z3.RealVal(1), z3.RealVal(0))

    def half(output: Callable[[Any], Any]) -> Any:
        return (one(output(c - z)) + one(output(c + z))) / 2

    inside, low, high = half(lambda w: z3.And(t1 <= w, w < t2)), half(lambda w: w < t), half(lambda w: w >= t)
    return {
        "I": inside == (one(z > c - t2) - one(z > c - t1)) / 2,
        "II": inside == 1 - one(z > c - t1) / 2 - one(z >= t2 - c) / 2,
        "III": inside == (one(z >= t1 - c) - one(z >= t2 - c)) / 2,
        "x = -B": low == one(z > c - t) / 2,
        "x = -B, beyond": low == 1 - one(z >= t - c) / 2,
        "x = B": high == one(z >= t - c) / 2,
        "x = B, beyond": high == 1 - one(z > c - t) / 2,
        "ratio": (q2 - q2 * r) / 2 * (q2p * (1 - rp)) == (q2p - q2p * rp) / 2 * (q2 * (1 - r)),
    }


def of_rounding(regime: Regime) -> Table:
    """From w back to r: w reaches T where r reaches the middle below T. From Z to u: Z ≥ τ, or Z > τ, is u < q."""
    w, t, r, low, c, first, last, t1, t2 = variables("w T r T- c T1 T2 t1* t2*")
    reached = {
        "w ≥ T": (w >= t) == (r >= (low + t) / 2),
        "c ≠ t*": c != (low + t) / 2,
        "T1 ≤ w < T2": z3.And(w >= first, w < last) == z3.And(r >= t1, r < t2),
    }
    product, y, quotient, before, zeta, z, tau, u, q = variables("lambda_Y Y V/lambda zeta- zeta Z tau u q")
    middle = (before + zeta) / 2
    same = z3.And((product > middle) == (y > quotient), (product >= middle) == (y >= quotient))
    return {**reached, "λY ≥ V": same, "Z > τ": (z > tau) == (u < q), "Z ≥ τ": (z >= tau) == (u < q)}


def of_boundaries(regime: Regime) -> Table:
    """In units of h: the cell is on the side of the multiple m on which t is."""
    (lo, m), (t,) = z3.Ints("lo m"), variables("t")
    open_ = z3.And(z3.Implies(t >= m, lo >= m), z3.Implies(t < m, lo + 1 <= m))
    closed = z3.And(z3.Implies(t > m, lo >= m), z3.Implies(t <= m, lo + 1 <= m))
    return {"boundaries, closed=False": open_, "boundaries, closed=True": closed}


def of_cases(regime: Regime) -> Table:
    """Exactly one of six cases, for the same intervals; and the outputs are ±B and those inside."""
    (c, cp, t1, t2, bound), (k, last) = variables("c c' t1 t2 B"), z3.Ints("k K")
    first, second = ({"I": v >= t2, "II": z3.And(t1 <= v, v < t2), "III": v < t1} for v in (c, cp))
    pairs = (("I", "I"), ("II", "I"), ("II", "II"), ("III", "I"), ("III", "II"), ("III", "III"))
    return {
        "six cases": z3.Sum([z3.If(z3.And(first[a], second[b]), 1, 0) for a, b in pairs]) == 1,
        "outputs": z3.Or(k == last, k == -last, z3.And(k < last, k > -last)),
        "|x| < B inside": z3.And(k < bound, -k < bound),
    }


def of_slopes(regime: Regime) -> Table:
    """What the joints use of f: its slope N falls, and the trapezoid rule; and of ln P, how far it moves."""
    low, start, moved, apart, most, rise, n = variables("low start moved apart most rise f1(low)")
    further, distance, g, gp, log, slope = variables("further distance g g' log slope")
    mean = (n + z3.Real(f"f1({low + apart})")) / 2
    held = z3.And(low > 0, low <= start)
    tangent = z3.Implies(z3.And(held, moved <= most, most >= 0), rise <= n * most)
    return {
        "tangent": z3.And(z3.Implies(low > 0, n > 0), tangent),
        "trapezoid": z3.Implies(
            z3.And(held, apart >= 0, further >= 0, moved <= apart + further), rise <= mean * (apart + further)
        ),
        "carried": slopes.carried(moved, distance),
        "across": slopes.across(log + gp, g, gp),
        "beyond": slopes.beyond(slope * (g - gp), g, gp),
    }


def of_forward(regime: Regime) -> Table:
    """The theorem for one-sided outputs. In units of s = ηεP, β is s·B/P and 2η is 2λ/P."""
    loss, sensitivity, bound, scale, s = variables("loss Delta/u B/P lambda/P s")
    constant = number(regime.constant) + regime.slope * (s * bound)
    theorem = linear(loss <= sensitivity + constant * bound + 2 * scale)
    return {str(kind): theorem for kind in joined.KINDS}


def of_backward(regime: Regime) -> Table:
    (theorem, *_) = of_forward(regime).values()
    return dict.fromkeys(names_of(interior.backward()), theorem)


def names_of(cases: Iterable[interior.Backward]) -> list[str]:
    """What the joints of these cases are called."""
    return [*{(one.place, one.coarse): str(one) for one in cases}.values()]


def of_joined_ends(regime: Regime) -> Table:
    """The theorem for x = ±B: in the same units, for g' - g and g - g'; and in units of λ."""
    sensitivity, bound, scale, delta, beta, eta, loss = variables("Delta/u B/P lambda/P Delta beta eta loss")
    most, (near, far) = sensitivity + number(regime.constant) * bound + 2 * scale, (Threshold(""), Threshold("'"))
    theorem = loss <= delta + number(regime.constant) * beta + 2 * eta
    found = {"t* between": theorem, "beyond t*": theorem}
    for end in one_threshold.ends():
        found |= {f"{end}": linear(far.g - near.g <= most), f"{end}, the other ratio": linear(near.g - far.g <= most)}
    return found


def of_joined_inside(regime: Regime) -> Table:
    """How far errors move ln P; and the theorem for outputs around c, in units of λ, or of ηb without ε|c - c'|."""
    moved, loss, delta, beta, eta, h, u = variables("ln_P/eta loss Delta beta eta h u")
    constant = number(regime.constant)
    return {
        "II up": linear(moved <= two_sided.UP),
        "II down": linear(moved <= two_sided.DOWN),
        "II, II": loss <= delta + constant * beta + 2 * eta,
        "I, II": linear(loss <= constant + 2 * u),
        "I, II reverse": linear(loss <= delta + constant * beta + 2 * h),
        "I, III": linear(loss <= delta + constant * beta + 2 * h),
    }


def other_chains() -> Iterator[tuple[str, Iterable[Statement], Table]]:
    """The chains for every Δ, for ties to even and for 18: the same theorem, each with its own constant."""
    for name, joints, regime, kinds in (
        ("every", every.joints(EVERY), EVERY, joined.KINDS),
        ("even", even.joints(EVEN), EVEN, even.KINDS),
        ("independent", [*joined_inside.inside(EIGHTEEN), *joined.ends(EIGHTEEN)], EIGHTEEN, ()),
    ):
        (theorem, *_) = of_forward(regime).values()
        cases = {"every": every.backward(), "even": interior.backward(), "independent": ()}[name]
        own = dict.fromkeys([*map(str, kinds), *names_of(cases)], theorem)
        yield name, joints, {**own, **of_joined_ends(regime), **of_joined_inside(regime)}


def some_rows() -> list[Row]:
    """Every 25th row of rows.py, and all that are parallel. They stand for all: one program states them."""
    single = [row for fine in (True, False) for row in rows.kept(fine) if len(row.scenarios) == 1]
    return [*single[::25], *(row for row in single if row.scenarios[0].parallel)]


def of_rows(some: Iterable[Row], closed: bool) -> Table:
    """The bounds of a row: D2 - Δ ≤ gain, D2 - D1 ≤ apart, V1' - V2' - Λ ≥ width; and what `parallel` assumes, where it
    is used."""
    four, found = Four(closed), {}
    v1p, v2, v1, v2p = (cell.middle for cell in (four.c1p, four.c2, four.c1, four.c2p))
    for row in some:
        (one,) = row.scenarios
        width = v1p - v2p - four.lattice + (absolute(four.delta) if one.loose else 0)
        facts = [v2p - v2 - four.sensitivity <= number(one.gain), v2p - v2 - (v1p - v1) <= number(one.apart)]
        facts += [width >= number(one.width)]
        if one.parallel:
            facts += [v2p - v2 == v1p - v1, v1 - four.h1 / 2 - (v2 - four.h2 / 2) == four.lattice]
            facts += [v1p - four.top / 2 - (v2p - four.h2p / 2) == four.lattice]
        found[rows.name_of(row, closed)] = z3.And(*facts)
    return found


def of_found(here: coverage.Unknowns) -> Table:
    """A configuration has one of the rows of its pattern; and one of the cases of the other ratio, whatever Δ."""
    tail = f"ℓ ≤ {here.range[1]}, closed={here.closed}"
    own = [row for row in rows.table() if row.ell == here.range]
    found = {f"{p}, {tail}": z3.Or(*(here.covered(row) for row in own if row.pattern == p)) for p in patterns()}
    cases = [case for case in interior.backward() if case.ell == here.range]
    other = z3.Or(*(z3.And(here.sized(case.coarse), coverage.applies(here, case)) for case in cases))
    return {**found, **{f"backward, {head}, {tail}": other for head in HEADS}}


def of_faithful() -> Table:
    """The same for every faithful arithmetic, with η° = 2η in place of η (faithful.py)."""
    here, (eta, scale, r, v, w) = Threshold(""), variables("eta lambda/P r v w")
    g1, g2, eta_t, eta_b, b = variables("g1 g2 eta_T eta_B b")
    (v1, v2, t1, t2), (larger, larger_beta, larger_u) = variables("V V' tau tau'"), variables("eta° beta° eta°P")
    return {
        "V and Y": here.v_and_y(2 * eta),
        "relative errors": z3.And(*joined.close(r * here.tau, v, w - v, 2 * eta)),
        "E_u ≤ 2η°": here.e_u(scale),
        "D - d": absolute((v2 - v1) - (t2 - t1)) <= number(TOP) * larger_u,
        "g": z3.And(*(absolute(g) <= 2 * eta_t for g in (g1, g2)), absolute(g1 - g2) <= 2 * eta_b),
        "conditions": z3.And(larger <= number(EIGHTEEN.eta), larger_beta <= number(EIGHTEEN.max_beta)),
        "18 becomes 38": 2 * (18 * b + 2) <= 38 * b + 2,
    }


# The lemmas, by their names in compose.py
PASSED_ON: dict[str, Callable[[Regime], Table]] = {
    "rounding": of_rounding,
    "boundaries": of_boundaries,
    "slopes": of_slopes,
    "errors": of_errors,
    "probability": of_probability,
    "cells": of_cells,
    "offsets": of_offsets,
    "coarse": of_coarse,
    "parity": of_parity,
    "parallel": of_parallel,
    "cases": of_cases,
    "premises": of_premises,
    "coverage.ends": of_ends,
    "coverage.inside": of_inside,
    "joined.forward": of_forward,
    "joined.backward": of_backward,
    "joined.ends": of_joined_ends,
    "joined.inside": of_joined_inside,
}


def compared(lemma: str, stated: Iterable[Any], table: Table) -> Iterator[Statement]:
    """The statements of these names conclude what the table says."""
    found = {one.name: one.conclusion for one in stated}
    for name, meant in table.items():
        same = found[name] == meant
        yield Statement(f"{lemma}: {name}", [], same, z3.Not(same))


def blind() -> Iterator[str]:
    """Lemmas that show less, or something else, than the table says, and are not noticed. There should be none."""
    x, y = variables("x y")
    shown = {"less": z3.Or(x > 0, y > 0), "more": z3.And(x > 0, y > 0), "something else": y > 0}
    for name, conclusion in shown.items():
        stated = compared("", [Statement("", [], conclusion)], {"": x > 0})
        if not any(coverage.uncovered(stated)):
            yield f"nobody notices that a lemma shows {name}"


def passed_on(regime: Regime) -> Iterator[Statement]:
    """Each lemma concludes what stands above."""
    for lemma in compose.LEMMAS:
        if lemma.name in PASSED_ON:
            assert lemma.states is not None, "it has statements"
            yield from compared(lemma.name, lemma.states(lemma.seen(regime)), PASSED_ON[lemma.name](regime))
    some = some_rows()
    for closed in SIDES:
        yield from compared("rows", (rows.statement(row, closed) for row in some), of_rows(some, closed))
    for closed in SIDES:
        here = coverage.Unknowns(closed, (HALF, HALF), regime)  # it stands for every Λ and every Δ: one program
        tables = [table(here.closed, here.range, regime) for table in (coverage.forward, coverage.backward)]
        yield from compared("coverage", (one for table in tables for one in table.members), of_found(here))
    yield from compared("faithful", faithful.statements(), of_faithful())
    here = coverage.Unknowns(False, coverage.ANY, regime)  # multiples.py: Λ/2 is a multiple of every spacing
    yield Statement("H ≤ Λ/32", here.sizes(), 32 * (number(TOP) * here.unit) <= here.ell, 64 * here.unit < here.ell)
