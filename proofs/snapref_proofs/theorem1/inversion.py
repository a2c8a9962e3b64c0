"""From the program to exact thresholds: the lemmas `rounding`, `probability`, `errors` and `parallel` of Theorem 1.

RN is rounding to nearest, ties to even. Let a < b be neighbouring floats. Above the middle between them RN gives b,
below it a, and at the middle the one with the even significand. So RN(r) ≥ b exactly when r ≥ (a+b)/2 (if b is even) or
r > (a+b)/2 (if b is odd). This condition on r does not depend on which numbers were added. Following the program
backwards through ⊕, ⊗ and LN gives, for a distance τ = |c - t*| with spacing h of the floats around it,

    -ln P(Z ≥ τ) = εV + E_y - E_u,   |E_y| ≤ η·2**⌊log2 εV⌋,   0 ≤ E_u < ln(1 + 2η).

V is the middle of the cell of τ: of the interval of width h, between two multiples of h, that holds τ. E_y is the error
of LN; E_u is there because U* has p bits. LN never meets a tie, as the logarithm of a dyadic number other than 1 is
transcendental (Lindemann). Two solvers decide the statements, and replayed.py compares them with the evaluator.
"""

from dataclasses import replace
from typing import Any

import z3

from snapref_proofs.theorem1.grid import SIDES, Cell
from snapref_smt.engine.statement import Statement


def to_nearest(r: Any, a: Any, b: Any, result: Any, even: Any) -> list[Any]:
    """What is used of result = RN(r) and two neighbouring floats a < b: RN is monotone, and nearest in between."""
    middle = (a + b) / 2
    return [
        a < b,
        z3.Implies(r > b, result >= b),
        z3.Implies(r < a, result <= a),
        z3.Implies(z3.And(middle < r, r <= b), result == b),
        z3.Implies(z3.And(a <= r, r < middle), result == a),
        z3.Implies(r == middle, result == z3.If(even, b, a)),
    ]


def at_least(x: Any, y: Any, closed: Any) -> Any:
    """x ≥ y if closed, and x > y if not."""
    return x >= y if closed else x > y


def rounding() -> list[Statement]:
    """w = RN(r) reaches a threshold T = (2k+1)Λ/2 exactly when r ≥ t*, the middle between T and the float below it.

    T has an even significand s. It is an odd number below M = 2**(p-1), multiplied by a power of two so that s is in
    [M, 2M). That power is not 1, so it is even, and s is, too. A float c is never t*. So an output from T1 ≤ w < T2 is
    one from an interval of r.
    """
    r, below, t, w, c = z3.Reals("r T- T w c")
    first, last, t1, t2 = z3.Reals("T1 T2 t1* t2*")
    odd, limit, s, half = z3.Ints("odd M s half")
    even, middle = s % 2 == 0, (below + t) / 2
    facts = [odd < limit, s >= limit, z3.Or(s == odd, s == 2 * half), *to_nearest(r, below, t, w, even)]
    reached, other = (at_least(r, middle, closed) for closed in (ABOVE, not ABOVE))
    no_float_between = [below < t, z3.Or(c <= below, c >= t)]
    led = [(w >= threshold) == at_least(r, start, ABOVE) for threshold, start in ((first, t1), (last, t2))]
    inside = z3.And(w >= first, w < last)
    return [
        Statement("w ≥ T", facts, (w >= t) == reached, (w >= t) == other),
        Statement("c ≠ t*", no_float_between, c != middle, c > middle),
        Statement("T1 ≤ w < T2", led, inside == within(r, t1, t2, *TIES_UP), inside == within(r, t1, t2, False, False)),
    ]


def walk() -> list[Statement]:
    """From Z = RN(λY) and Y = RN(-ln u) back to u: the event Z ≥ τ (or Z > τ) is the event u < q.

    ζ is the float that Z must reach, and ψ the float that Y must reach. A ° marks the middle between a float and the
    one before it. q is the least float > e**-ψ°. Whether λY may equal the middle V below ζ depends on the parity of ζ.
    LN meets no tie, and e**-ψ° is not a float (Lindemann).
    """
    tau, z, zeta, before, product, y, psi, before_y = z3.Reals("tau Z zeta zeta- lambda_Y Y psi psi-")
    log, u, q, before_q, power = z3.Reals("-ln_u u q q- exp(-psi°)")
    even, even_y = z3.Bools("zeta_is_even psi_is_even")
    middle, middle_y = (before + zeta) / 2, (before_y + psi) / 2
    quotient, scale = z3.Reals("V/lambda lambda")
    statements = [
        Statement(
            "λY ≥ V",
            [scale > 0, scale * quotient == middle, product == scale * y],
            z3.And(*alike(product, middle, y, quotient)),
            (product >= middle) == (y > quotient),
        )
    ]
    for closed in (False, True):
        event = at_least(z, tau, closed)
        facts = [*to_nearest(product, before, zeta, z, even), *to_nearest(log, before_y, psi, y, even_y)]
        facts += [
            z3.Or(x <= low, x >= high) for x, low, high in ((z, before, zeta), (y, before_y, psi), (u, before_q, q))
        ]
        facts += _around(tau, before, zeta, z3.BoolVal(closed)) + _around(quotient, before_y, psi, even)
        facts += alike(product, middle, y, quotient)
        facts += [(log >= middle_y) == (u <= power), log != middle_y, u != power, before_q < power, power < q]
        name = f"Z {'≥' if closed else '>'} τ"
        statements.append(Statement(name, facts, event == (u < q), event == (u < before_q)))
    return statements


def alike(x: Any, limit: Any, y: Any, other: Any) -> list[Any]:
    """x reaches its limit exactly when y reaches the other one; and so for exceeding it."""
    return [at_least(x, limit, closed) == at_least(y, other, closed) for closed in (False, True)]


def _around(t: Any, low: Any, high: Any, closed: Any) -> list[Any]:
    """high is the least float ≥ t if closed, and > t if not; low is the float before it."""
    return [z3.If(closed, z3.And(low < t, t <= high), z3.And(low <= t, t < high))]


ABOVE = True  # whether t* belongs to what is above it; with ties up it does, at both ends of an interval
TIES_UP = (ABOVE, not ABOVE)  # so the lower end of an interval belongs to it, and the upper end does not


def within(r: Any, t1: Any, t2: Any, low: bool, high: bool) -> Any:
    """r is in the interval from t1 to t2; low and high say whether its ends belong to it."""
    return z3.And(at_least(r, t1, low), at_least(t2, r, high))


def regions(v: Any, t1: Any, t2: Any, low: bool, high: bool) -> dict[str, Any]:
    """Where v lies: I is above the interval, II inside it, III below it."""
    return {"I": at_least(v, t2, not high), "II": within(v, t1, t2, low, high), "III": at_least(t1, v, not low)}


def in_bounds(x: Any, bound: Any) -> Any:
    """|x| < B, for an output other than ±B."""
    return x < bound


def one_side(near: Any, far: Any) -> Any:
    """P(x|c) for an interior output and c outside its interval: near and far are P(Z ≥ τ) at the two thresholds."""
    return (near - far) / 2


def between(low: Any, high: Any) -> Any:
    """P(x|c) for an interior output and c in its interval."""
    return 1 - low / 2 - high / 2


def tail(q: Any) -> Any:
    """P(x|c) for x = ±B, seen from the side of 0."""
    return q / 2


def beyond(q: Any) -> Any:
    """P(x|c) for x = ±B, if c is beyond the threshold."""
    return 1 - q / 2


def probabilities(low: bool, high: bool) -> list[Statement]:
    """P(x|c) is what the functions above say, in every region, below the output as above it.

    low and high say whether t1* and t2* belong to the interval, and low whether t* belongs to what is above it.

    Each sign has the probability ½, and w ≥ T exactly when c ± Z ≥ t*. The statements are about one Z, with 1 and 0 in
    place of probabilities. What holds for every Z holds for the expectations.
    """
    c, z, t1, t2, t = z3.Reals("c Z t1* t2* t*")

    def one(event: Any) -> Any:
        return z3.If(event, z3.RealVal(1), z3.RealVal(0))

    def stated(name: str, place: Any, output: Any, value: Any) -> Statement:
        both_signs = one(output(c - z)) + one(output(c + z))
        return Statement(name, [z > 0, t1 < t2, place], both_signs / 2 == value, both_signs == value)

    def inside(r: Any) -> Any:
        return within(r, t1, t2, low, high)

    def upper(r: Any) -> Any:
        return at_least(r, t, low)

    def lower(r: Any) -> Any:
        return z3.Not(upper(r))

    out_below, out_above = one(at_least(z, c - t1, not low)), one(at_least(z, t2 - c, not high))  # c in the interval
    down, up = one(at_least(z, c - t, not low)), one(at_least(z, t - c, low))
    near, far = one(at_least(z, c - t2, high)), one(at_least(z, t1 - c, low))  # c outside
    values = {"I": one_side(near, out_below), "II": between(out_below, out_above), "III": one_side(far, out_above)}
    places = regions(c, t1, t2, low, high)
    return [
        *(stated(name, place, inside, values[name]) for name, place in places.items()),
        stated("x = -B", upper(c), lower, tail(down)),
        stated("x = -B, beyond", lower(c), lower, beyond(up)),
        stated("x = B", lower(c), upper, tail(up)),
        stated("x = B, beyond", upper(c), upper, beyond(down)),
        *_ratio(),
    ]


def with_ends(statements: list[Statement], low: bool, high: bool) -> list[Statement]:
    """The same under other names: whether the ends of an interval belong to it."""
    return [replace(one, name=f"{one.name}, ends={low}, {high}") for one in statements]


def _ratio() -> list[Statement]:
    """With q = e**-g and r = e**-w: P(x|c)/P(x|c') is q2/q2'·(1 - r)/(1 - r').

    Its logarithm is g2' - g2 + f(w) - f(w').
    """
    q2, r, q2p, rp = z3.Reals("q2 r q2' r'")
    p, pp = one_side(q2, q2 * r), one_side(q2p, q2p * rp)
    same = p * (q2p * (1 - rp)) == pp * (q2 * (1 - r))
    return [Statement("ratio", [q2 > 0, q2p > 0, r < 1, rp < 1], same, p * (1 - rp) == pp * (1 - r))]


def nearly(near: tuple[Any, Any], far: tuple[Any, Any], distance: Any, spacing: Any) -> list[Any]:
    """What the lemma `parallel` says, and `joined.forward` uses: the middles of two cells move from the first of
    `near` and of `far` to the second, where the numbers in the cells move by `distance`."""
    moved, moved_far = near[1] - near[0], far[1] - far[0]
    return [moved <= distance + spacing, moved - moved_far <= spacing]


def parallel() -> list[Statement]:
    """If two numbers of a binade [Q, 2Q) move by the same e ≥ 0 and stay in it, their cells move by nearly the same.

    Counted from Q in units of the spacing 2Y: moved2 ≤ e + 1 and moved2 - moved1 ≤ 1. Whether a cell is open or closed
    depends on the parity of the float ζ. The two ζ of one c are Λ apart, which is an even number of spacings.
    """
    e, v1, v2 = z3.Reals("e v1 v2")
    n1, n2, n1p, n2p = z3.Ints("n1 n2 n1p n2p")
    closed, closed_p = z3.Bools("zeta_is_even zeta'_is_even")
    (near_held, near), (near_held_p, near_p) = cell(v2, n2, closed), cell(v2 + e, n2p, closed_p)
    (far_held, far), (far_held_p, far_p) = cell(v1, n1, closed), cell(v1 + e, n1p, closed_p)
    facts = [e >= 0, v1 > v2, near_held, near_held_p, far_held, far_held_p]
    moved = z3.And(*nearly((near, near_p), (far, far_p), e, 1))
    return [Statement("parallel", facts, moved, n2p - n2 == n1p - n1), _above(), *_one_binade()]


def cell(v: Any, n: Any, closed: Any) -> tuple[Any, Any]:
    """The cell with the number n, of width 1: that it holds v, and its middle."""
    open_, other = (Cell(v, z3.RealVal(1), z3.ToReal(n), kind) for kind in SIDES)
    return z3.If(closed, z3.And(other.around()), z3.And(open_.around())), open_.middle


def above(q: Any, v: Any) -> Any:
    """εV is above the power of two Q that begins its binade. So its cell lies in that binade, too."""
    return q < v


def in_binade(q: Any, v: Any) -> Any:
    """εV lies in the binade of Q."""
    return z3.And(above(q, v), v < 2 * q)


def _above() -> Statement:
    """In units of half the spacing at τ, V is an odd number above 2**p; λ is a power of two times a number below 2**p.
    If εV were a power of two, this number would not be smaller than the odd one, or the odd one would be even."""
    odd, half, other, s, limit = z3.Ints("odd half other_half s 2**p")
    q, v = z3.Reals("Q epsilon_V")
    facts = [odd == 2 * half + 1, odd > limit, s < limit, q <= v, z3.Implies(q == v, z3.Or(s >= odd, odd == 2 * other))]
    return Statement("Q < εV", facts, above(q, v), above(2 * q, v))


def errors_of_ln(error: Any, y: Any) -> list[Any]:
    """What is at least 0, because |E_y| ≤ Y."""
    return [y - error, y + error]


def level(y: Any, other: Any) -> Any:
    """In one binade, all errors of LN have the same bound: Y = ηQ. What `joined.forward` uses for `parallel`."""
    return y == other


def spread(y2: Any, v1p: Any) -> Any:
    """If εV2 and εV1' are not in one binade, 2Y2 ≤ ηεV1'. What `joined.forward` uses for `spread`."""
    return 2 * y2 <= v1p


def no_nearer(middle: Any, other: Any) -> Any:
    """g1' is not smaller than g1, but for E_u. What `joined.forward` uses for `monotone`."""
    return middle <= other


def _one_binade() -> list[Statement]:
    """εV2 ≤ εV ≤ εV1': if the first and the last are in one binade [Q, 2Q), all are. If not, 2Q2 ≤ εV1'."""
    v2, v, v1p, q2, q, q1p = z3.Reals("v2 v v1' Q2 Q Q1'")
    held = [fact for x, p in ((v2, q2), (v, q), (v1p, q1p)) for fact in (p > 0, in_binade(p, x))]
    held += [v2 <= v, v <= v1p, powers(q2, q1p), powers(q2, q)]
    return [
        Statement("one binade", [*held, q2 == q1p], level(q, q2), v == v2),
        Statement("two binades", [*held, q2 != q1p], spread(q2, v1p), 4 * q2 <= v1p),
    ]


def steps() -> list[Statement]:
    """What g without E_u (the middle ψ° of the cell of εV) can do: it moves in steps, and it is monotone in V.

    In one binade [Q, 2Q), counted from Q in units of the spacing 2Y, ψ° is n + 1/2 for the cell number n. Whether a
    cell is open or closed depends on the parity of a float, and so on V alone.
    """
    v2, v1, v2p, v1p = z3.Reals("v2 v1 v2' v1'")
    numbers, kinds = z3.Ints("n2 n1 n2' n1'"), z3.Bools("closed2 closed1 closed2' closed1'")
    cells = [cell(*one) for one in zip((v2, v1, v2p, v1p), numbers, kinds, strict=True)]
    facts = [above(0, v2), v1 > v2, v2p >= v2, v1p >= v1, *(held for held, _ in cells)]
    g2, g1, g2p, g1p = (middle for _, middle in cells)
    n2, n1, n2p, n1p = numbers
    count, apart = z3.ToReal(narrower(n1, n2, n1p, n2p)), narrower(v1, v2, v1p, v2p)
    claimed = z3.And(*in_steps(narrower(g1, g2, g1p, g2p), count, apart, 1))
    return [Statement("whole steps", facts, claimed, count <= apart + 1), *_monotone()]


def narrower(far: Any, near: Any, far_p: Any, near_p: Any) -> Any:
    """How much narrower an interval is for c' than for c: w - w' for the exponents, D2 - D1 for the distances."""
    return far - near - (far_p - near_p)


def in_steps(narrow: Any, count: Any, apart: Any, step: Any) -> list[Any]:
    """w - w' without E_u is at most a whole number of steps, at most 2 more than D2 - D1 has (`meanings` uses this)."""
    return [narrow <= count * step, count * step <= apart + 2 * step]


def _monotone() -> list[Statement]:
    """If V ≤ V', then ψ ≤ ψ', for the least float ψ ≥ εV (or > εV); and so for the middles ψ°."""
    v, vp, psi, psi_p, before, before_p = z3.Reals("v v' psi psi' psi- psi-'")
    closed, closed_p = z3.Bools("closed closed'")

    def reached(float_: Any, number: Any, closed: Any) -> Any:
        return z3.If(closed, float_ >= number, float_ > number)

    facts = [v <= vp, z3.Implies(v == vp, closed == closed_p), reached(psi_p, vp, closed_p)]
    facts += [z3.Implies(reached(psi_p, v, closed), psi <= psi_p)]  # ψ is the least
    # the float before ψ is the one before ψ', if ψ = ψ'; if not, ψ is at most the float before ψ'
    facts += [before < psi, before_p < psi_p, z3.Implies(psi == psi_p, before == before_p)]
    facts += [z3.Implies(psi < psi_p, psi <= before_p)]
    middle, middle_p = (before + psi) / 2, (before_p + psi_p) / 2
    return [Statement("ψ° ≤ ψ°'", facts, no_nearer(middle, middle_p), middle < middle_p)]


def powers(q: Any, r: Any) -> Any:
    """Two powers of two: they are equal, or one is at least twice the other."""
    return z3.Or(q == r, q >= 2 * r, 2 * q <= r)
