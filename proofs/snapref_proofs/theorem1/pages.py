"""The pages of Theorem 1's lemmas (004 §4): what each lemma concludes, once more and in plain variables.

A lemma concludes a formula, and another lemma starts from it. Both call the same function for it. But a lemma could
call it with other numbers, or add something, and so show less than the other one uses. So each lemma has a page, and
two solvers decide that it concludes just what its page says (`with_page`). Read the pages to see what lemmas promise
each other. Every statement that has hypotheses is on a page. The others are true of all numbers.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref_proofs.theorem1 import (
    coarse,
    coverage,
    interior,
    inversion,
    joined,
    one_threshold,
    parity,
    two_sided,
)
from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.coverage import Unknowns
from snapref_proofs.theorem1.grid import SIDES, Four
from snapref_proofs.theorem1.joined import Threshold
from snapref_proofs.theorem1.pages_of_tables import Table, within_sides
from snapref_proofs.theorem1.rows import number, spacing_in
from snapref_proofs.theorem1.scenarios import DEEP, HALF, TOP
from snapref_proofs.theorem1.statement import EIGHTEEN, Regime
from snapref_proofs.theorem1.terms import flat
from snapref_proofs.theorem1.widths import far_most
from snapref_smt.engine.statement import SOME_CASE, Family, Stated, Statement, absolute


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
    r, exact, low = variables("r v lo_y")
    return {
        "V and Y": here.v_and_y(eta),
        "relative errors": z3.And(*joined.close(r * here.tau, exact, low + number(HALF) - exact, eta)),
        "E_u ≤ 2η": here.e_u(scale),
        "g": linear(z3.And(g <= a + errors, g >= a - errors - 2 * eta)),
    }


def of_cells(regime: Regime) -> Table:
    """On each side of c: D1, D2 ≥ 0, the bound on D1, and the width of an interval."""
    found: Table = {}
    for closed in SIDES:
        four, tail = Four(closed), f", closed={closed}"
        sensitivity, h1, top = variables("Delta h1 H")
        found["monotone" + tail] = z3.And(four.d2 >= 0, four.d1 >= 0)
        found["far, Δ a multiple of H" + tail] = four.d1 <= far_most(sensitivity, h1, top, coarse=False)
        found["far, 2Δ ≤ H" + tail] = four.d1 <= far_most(sensitivity, h1, top, coarse=True)
        found |= of_width(four)
    return found


def of_width(four: Four) -> Table:
    """V1 - V2 - Λ ≥ -(h1 + h2)/2 - |δ|."""
    width = four.c1.middle - four.c2.middle - four.lattice
    return {f"V1 - V2 - Λ, closed={four.closed}": width >= -(four.h1 + four.h2) / 2 - absolute(four.delta)}


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
    (h,) = variables("h")
    sides = [(closed, binade) for closed in SIDES for binade in range(DEEP + 1)]
    spacings = {f"binade -{binade}, closed={closed}": z3.And(spacing_in(binade, h)) for closed, binade in sides}
    sensitivity = Unknowns(False, coverage.ANY, regime).sensitivity()
    ell, unit = variables("Lambda u")
    found: Table = {"sizes": linear(sizes(regime)), "sensitivity": z3.And(*sensitivity), "H ≤ Λ/32": 64 * unit <= ell}
    for closed in SIDES:
        found |= of_places(Unknowns, closed, regime)
    return {**found, **spacings}


def of_places(unknowns: type[Unknowns], closed: bool, regime: Regime) -> Table:
    """The half gaps for each kind of k; and |δ| ≤ offset·ηB."""
    g1, g2, eta_b = variables("g1 g2 eta_B")
    places = unknowns(closed, coverage.ANY, regime).places()
    found = {f"{kind}, closed={closed}": z3.And(*facts) for kind, facts in places.items()}
    return {**found, f"|δ|, closed={closed}": absolute(g1 - g2) <= number(regime.offset) * eta_b}


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


def of_binades(regime: Regime) -> Table:
    """Binades in units of Λ, and the sizes of Λ/P."""
    q, v, ell = variables("Q epsilon_V Lambda")
    return {"binades": z3.And(q * ell < v * ell, v * ell < 2 * q * ell), **of_lattices(4, 4)}


def of_lattices(*widest: int) -> Table:
    """Λ/P is less than 4, or than 2; so it is one of the powers of two below that, down to 1/64 and less."""
    (ell,), found = variables("Lambda"), {}
    for closed, limit in zip(SIDES, widest, strict=True):
        exact = [number(Fraction(limit, 2**n)) for n in range(1, 8) if 32 * limit >= 2**n]
        found[f"Λ < {limit}P, closed={closed}"] = ell < limit
        found[f"lattices, closed={closed}"] = z3.Or(z3.And(ell > 0, 64 * ell <= 1), *(ell == size for size in exact))
    return found


def of_ends(regime: Regime) -> Table:
    """x = ±B: which case applies, distances that add up to 2B at most, and |D - d|."""
    c, cp, q, ell, g, bound, t, tp = variables("c c' q Lambda g B t t'")
    eta = number(regime.eta)
    zero, anywhere = tp - ell * (1 + eta) / 2, (tp - ell * (1 + eta) / 2) / (2 + eta)
    small = z3.And(ell >= 0, ell <= 4)
    cases = (
        z3.And(bound >= zero, bound >= ell / 2, small),
        z3.And(bound >= anywhere, bound >= ell, small),
        bound >= 2,
    )
    found: Table = {}
    for closed in SIDES:
        threshold = (q + ell / 2) - g if closed else -(q + ell / 2) - g
        both = absolute(c - threshold) + absolute(cp - threshold) <= 2 * bound
        found |= {f"between, closed={closed}": both, f"beyond, closed={closed}": both}
        found[f"ends, closed={closed}"] = z3.And(t <= tp, tp >= 1, tp <= 2, z3.Or(*cases))
    v, vp, d, h, hp = variables("V V' d h h'")
    return {**found, "|D - d| ≤ (h + h')/2": 2 * absolute(vp - v - d) <= h + hp}


def of_inside(regime: Regime) -> Table:
    """Outputs around c: the boxes, in units of λ; and how far c' is from the interval, in units of B."""
    b, kappa, c, cp, x, g1, g2, beta, eta, part = variables("b kappa c c' x g1 g2 beta eta part")
    low, high = x - kappa / 2 - g1, x + kappa / 2 - g2
    width, offset = high - low, number(regime.offset)
    own = {"K": (width, 1), "part": (c - low, width), "kappa": (kappa, 1), "e": (width - kappa, beta * offset)}
    own |= {"h": (eta, 1), "beta": (beta, 1), "u": (1, b)}
    r, lattice, h = variables("R Lambda h")
    furthest = linear(r <= 2 - lattice / 2 + h * (1 + lattice / 2))
    return {
        **{f"{one.name}: box": within_sides(one.box, own) for one in two_sided.inequalities(regime)},
        "K > 0": width > 0,
        "A": part * width == c - low,
        "G": (1 - part) * width == high - c,
        "III, I: R1 + R2": z3.And((low - c) + (cp - high) + width <= cp - c, (low - c) + (cp - high) <= 2 * b),
        "I, II: R": furthest,
        "III, II: R": furthest,
    }


def of_meanings(regime: Regime) -> Table:
    """What the words of the quantities stand for, in units of s: N, Y, s itself, and steps."""
    n, x, y, most, s, t, given = variables("N X Y most s t given_t")
    steps, apart, error, narrow = variables("quotient apart y_error w-w'")
    found: Table = {"N": linear(n * (x - 1) == 1), "y_error": linear(y <= z3.Real("least #0"))}
    for tail in ("", ", ℓ may be 0"):
        found |= {"step" + tail: linear(given * most == s), "share" + tail: linear(z3.And(t >= 0, t <= 1))}
    for name, value in {"steps": steps, "steps, κV1' ≥ 2P": apart + 4 * error}.items():
        found[name] = linear(z3.And(narrow <= value, value >= 0))
    return found


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


def reaches(x: Any, y: Any, closed: bool) -> Any:
    return x >= y if closed else x > y


def of_probability(low: bool, high: bool) -> Table:
    """P(x|c): about one Z, with 1 and 0 in place of probabilities. low and high say whether t1* and t2* belong to the
    interval of an output, and low whether t* belongs to what is above it. And P(x|c)/P(x|c') for c and c' on one side,
    with q2 and q1 = q2·r."""
    c, z, t1, t2, t, q2, r, q2p, rp = variables("c Z t1* t2* t* q2 r q2' r'")

    def one(event: Any) -> Any:
        return z3.If(event, z3.RealVal(1), z3.RealVal(0))

    def half(output: Callable[[Any], Any]) -> Any:
        return (one(output(c - z)) + one(output(c + z))) / 2

    inside = half(lambda w: z3.And(reaches(w, t1, low), reaches(t2, w, high)))
    above, below = half(lambda w: reaches(w, t, low)), half(lambda w: z3.Not(reaches(w, t, low)))
    down, up = one(reaches(z, c - t, not low)), one(reaches(z, t - c, low))
    out_below, out_above = one(reaches(z, c - t1, not low)), one(reaches(z, t2 - c, not high))
    return {
        "I": inside == (one(reaches(z, c - t2, high)) - out_below) / 2,
        "II": inside == 1 - out_below / 2 - out_above / 2,
        "III": inside == (one(reaches(z, t1 - c, low)) - out_above) / 2,
        "x = -B": below == down / 2,
        "x = -B, beyond": below == 1 - up / 2,
        "x = B": above == up / 2,
        "x = B, beyond": above == 1 - down / 2,
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


def of_cases(low: bool, high: bool) -> Table:
    """Exactly one of six cases, for the same intervals; and the outputs are ±B and those inside."""
    (c, cp, t1, t2, bound), (k, last) = variables("c c' t1 t2 B"), z3.Ints("k K")

    def regions(v: Any) -> Table:
        inside = z3.And(reaches(v, t1, low), reaches(t2, v, high))
        return {"I": reaches(v, t2, not high), "II": inside, "III": reaches(t1, v, not low)}

    first, second = regions(c), regions(cp)
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
        "carried": moved <= distance,
        "across": log + gp <= g + gp,
        "beyond": slope * (g - gp) <= absolute(g - gp),
        **of_derivatives(),
    }


def of_derivatives() -> Table:
    """N falls, f rises and is concave, the trapezoid rule lies above the rise, and N(w) ≤ 1/w."""
    a, b, moved, more, rise, other, low, at_a, at_b = variables("a b moved more rise other low f1(a) f1(b)")
    mean, limit = (z3.Real("f1(low)") + z3.Real(f"f1({low + z3.Real('apart')})")) / 2, number(LOW)
    return {
        "falls": z3.Implies(z3.And(a > 0, a <= b), at_b <= at_a),
        "rises": z3.Implies(z3.And(a > 0, moved <= more), rise <= other),
        "less": z3.Implies(z3.And(a > 0, a <= b, moved >= 0), other <= rise),
        "rule": z3.Implies(z3.And(a > 0, a <= b), rise <= (b - a) * ((at_a + at_b) / 2)),
        "limited": z3.Implies(low >= limit, z3.And(mean >= 0, mean * limit <= 1)),
    }


def of_forward(regime: Regime) -> Table:
    """The theorem for one-sided outputs. In units of s = ηεP, β is s·B/P and 2η is 2λ/P."""
    return one_sided(regime, map(str, joined.KINDS))


def one_sided(regime: Regime, names: Iterable[str]) -> Table:
    """The theorem for one-sided outputs, and that s is used as it may be: the room is at most B/P."""
    loss, sensitivity, bound, scale, s = variables("loss Delta/u B/P lambda/P s")
    constant = number(regime.constant) + regime.slope * (s * bound)
    theorem, room = linear(loss <= sensitivity + constant * bound + 2 * scale), linear(z3.Real("greatest #3") <= bound)
    return {name + tail: fact for name in names for tail, fact in (("", theorem), (": s", room))}


def of_backward(regime: Regime) -> Table:
    return one_sided(regime, names_of(interior.backward()))


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


def with_ends(page: Table, low: bool, high: bool) -> Table:
    """The same under other names: whether the ends of an interval belong to it."""
    return {f"{name}, ends={low}, {high}": meant for name, meant in page.items()}


def of_faithful() -> Table:
    """The same for every faithful arithmetic, with η° = 2η in place of η (faithful.py)."""
    start, before, b, power, bound = variables("start a b Q B")
    found = {"where the ray starts": z3.And(before <= start, start <= b)}
    found |= {f"Q < B, k {sign} 0": power < bound for sign in "≠="}
    for ends in product((True, False), repeat=2):
        found |= with_ends(of_probability(*ends), *ends)
    here, (eta, scale, r, v, w) = Threshold(""), variables("eta lambda/P r v w")
    g1, g2, eta_t, eta_b, b = variables("g1 g2 eta_T eta_B b")
    (v1, v2, t1, t2), (larger, larger_beta, larger_u) = variables("V V' tau tau'"), variables("eta° beta° eta°P")
    return {
        **found,
        "V and Y": here.v_and_y(2 * eta),
        "relative errors": z3.And(*joined.close(r * here.tau, v, w - v, 2 * eta)),
        "E_u ≤ 2η°": here.e_u(scale),
        "D - d": absolute((v2 - v1) - (t2 - t1)) <= number(TOP) * larger_u,
        "g": z3.And(*(absolute(g) <= 2 * eta_t for g in (g1, g2)), absolute(g1 - g2) <= 2 * eta_b),
        "conditions": z3.And(larger <= number(EIGHTEEN.eta), larger_beta <= number(EIGHTEEN.max_beta)),
        "18 becomes 38": 2 * (18 * b + 2) <= 38 * b + 2,
    }


IDENTITIES = ("slope",)  # what these conclude is true of all numbers


def with_page(stated: Iterable[Stated], page: Table) -> list[Stated]:
    """The statements, and that they conclude what the page says."""
    built = list(stated)
    return [*built, *compared(built, page)]


def compared(stated: Iterable[Stated], page: Table) -> Iterator[Statement]:
    """The statements conclude what the page says. Of one without hypotheses it need not say it, and of a family in
    cases it also says from what it starts. What is on the page and not stated, or the other way round, is noticed."""
    left, nothing = dict(page), z3.BoolVal(False)
    for one in stated:
        members, common = (one.members, one.common) if isinstance(one, Family) else ([one], ())
        alike = []
        if isinstance(one, Family) and one.cases:
            alike.append(z3.And(*common) == left.pop(one.name, nothing))
        for member in members:
            universal = not (common or member.hypotheses) or member.name in (SOME_CASE, *IDENTITIES)
            if member.name in left or not universal:
                alike.append(member.conclusion == left.pop(member.name, nothing))
        if alike:
            yield Statement(f"{one.name}: its page", [], z3.And(*alike), z3.Not(z3.And(*alike)))
    yield from (Statement(f"not stated: {name}", [], nothing) for name in left)


def blind() -> Iterator[str]:
    """Lemmas that show less, or something else, than the table says, and are not noticed. There should be none."""
    x, y = variables("x y")
    shown = {"less": z3.Or(x > 0, y > 0), "more": z3.And(x > 0, y > 0), "something else": y > 0}
    for name, conclusion in shown.items():
        if not any(coverage.uncovered(compared([Statement("", [], conclusion)], {"": x > 0}))):
            yield f"nobody notices that a lemma shows {name}"
    one, family = Statement("one", [y > 0], x > 0), Family("", [y > 0], [], cases=True)
    unlike: list[tuple[str, list[Stated], Table]] = [
        ("a statement is on no page", [one], {}),
        ("nothing is stated", [], {"one": x > 0}),
        ("a table starts from something else", [family], {"": x > 0}),
    ]
    for name, stated, page in unlike:
        if not any(coverage.uncovered(compared(stated, page))):
            yield f"nobody notices that {name}"
