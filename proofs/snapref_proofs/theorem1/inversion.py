"""From the program to exact thresholds: the lemmas `rounding`, `probability`, `errors` and `parallel` of Theorem 1.

RN is rounding to nearest, ties to even. Let a < b be neighbouring floats. Above the middle between them RN gives b,
below it a, and at the middle the one with the even significand. So RN(r) ≥ b exactly when r ≥ (a+b)/2 (if b is even) or
r > (a+b)/2 (if b is odd). This condition on r does not depend on which numbers were added. Following the program
backwards through ⊕, ⊗ and LN gives, for a distance τ = |c - t*| with spacing h of the floats around it,

    -ln P(Z ≥ τ) = εV + E_y - E_u,   |E_y| ≤ η·2**⌊log2 εV⌋,   0 ≤ E_u < ln(1 + 2η).

V is the middle of the cell of τ: of the interval of width h, between two multiples of h, that holds τ. E_y is the error
of LN; E_u is there because U* has p bits. LN never meets a tie, as the logarithm of a dyadic number other than 1 is
transcendental (Lindemann). Two solvers decide the statements; the last functions compare them with the evaluator.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref.budget import floor_log2
from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.intervals import both
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import Boundary, boundary, reaches
from snapref_proofs.theorem1.replay import rounded
from snapref_smt.engine.statement import Statement

WHOLE = Fraction(1)


def to_nearest(r: Any, a: Any, b: Any, result: Any, even: Any) -> list[Any]:
    """What is used of result = RN(r) and two neighbouring floats a < b: RN is monotone, and nearest in between."""
    middle, between = (a + b) / 2, z3.And(a < r, r < b)
    return [
        a < b,
        z3.Implies(r >= b, result >= b),
        z3.Implies(r <= a, result <= a),
        z3.Implies(z3.And(between, r > middle), result == b),
        z3.Implies(z3.And(between, r < middle), result == a),
        z3.Implies(r == middle, result == z3.If(even, b, a)),
    ]


def rounding() -> list[Statement]:
    """When RN(r) ≥ b, for every real r: this follows from the definition of RN and from its being monotone."""
    r, a, b, result = z3.Reals("r a b RN")
    even = z3.Bool("b_is_even")
    middle = (a + b) / 2
    reached = z3.If(even, r >= middle, r > middle)
    facts = to_nearest(r, a, b, result, even)
    return [Statement("RN(r) ≥ b", facts, (result >= b) == reached, (result >= b) == (r >= middle))]


def walk() -> list[Statement]:
    """From Z = RN(λY) and Y = RN(-ln u) back to u: the event Z ≥ τ (or Z > τ) is the event u < q.

    ζ is the float that Z must reach, and ψ the float that Y must reach. A ° marks the middle between a float and the
    one before it. q is the least float ≥ e**-ψ°. Whether λY may equal the middle V below ζ depends on the parity of ζ.
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
            z3.And((product >= middle) == (y >= quotient), (product > middle) == (y > quotient)),
            (product >= middle) == (y > quotient),
        )
    ]
    for closed in (False, True):
        event = z >= tau if closed else z > tau
        facts = [*to_nearest(product, before, zeta, z, even), *to_nearest(log, before_y, psi, y, even_y)]
        facts += [
            z3.Or(x <= low, x >= high) for x, low, high in ((z, before, zeta), (y, before_y, psi), (u, before_q, q))
        ]
        facts += _around(tau, before, zeta, z3.BoolVal(closed)) + _around(quotient, before_y, psi, even)
        facts += [(product >= middle) == (y >= quotient), (product > middle) == (y > quotient)]
        facts += [(log >= middle_y) == (u <= power), log != middle_y, u != power, before_q < power, power <= q]
        name = f"Z {'≥' if closed else '>'} τ"
        statements.append(Statement(name, facts, event == (u < q), event == (u < before_q)))
    return statements


def _around(t: Any, low: Any, high: Any, closed: Any) -> list[Any]:
    """high is the least float ≥ t if closed, and > t if not; low is the float before it."""
    return [z3.If(closed, z3.And(low < t, t <= high), z3.And(low <= t, t < high))]


def thresholds() -> list[Statement]:
    """A threshold T = (2k+1)Λ/2 is a float with an even significand s; and which Z carries c across it.

    s is an odd number below M = 2**(p-1), multiplied by a power of two so that it is in [M, 2M). That power is not 1,
    so it is even, and s is, too.
    """
    odd, limit, s, half = z3.Ints("odd M s half")
    facts = [odd >= 1, limit >= 2, odd < limit, s >= limit, z3.Or(s == odd, s == 2 * half)]
    gap = z3.Reals("c Z t")
    c, z, t = gap
    return [
        Statement("even significand", facts, s == 2 * half, s == odd),
        # what Z must reach: S = +1 moves down, S = -1 moves up, Z > 0
        Statement("down", [], (c - z < t) == (z > c - t), (c - z < t) == (z >= c - t)),
        Statement("up", [], (c + z >= t) == (z >= t - c), (c + z >= t) == (z > t - c)),
        Statement("only one sign", [z > 0, c >= t], z3.Not(c + z < t), z3.Not(c - z < t)),
    ]


def within(r: Any, t1: Any, t2: Any, low: bool = True, high: bool = False) -> Any:
    """r is in the interval from t1 to t2; low and high say whether its ends belong to it."""
    return z3.And(t1 <= r if low else t1 < r, r <= t2 if high else r < t2)


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


def probabilities(low: bool = True, high: bool = False) -> list[Statement]:
    """P(x|c) is what the functions above say, in every region, below the output as above it.

    low and high say whether t1* and t2* belong to the interval, and low whether t* belongs to what is above it. With
    ties up, the lower end does, and the upper one does not.

    Each sign has the probability ½, and w ≥ T exactly when c ± Z ≥ t*. The statements are about one Z, with 1 and 0 in
    place of probabilities. What holds for every Z holds for the expectations.
    """
    c, z, t1, t2, t = z3.Reals("c Z t1* t2* t*")

    def one(event: Any) -> Any:
        return z3.If(event, z3.RealVal(1), z3.RealVal(0))

    def stated(name: str, place: Any, output: Any, value: Any) -> Statement:
        both_signs = one(output(c - z)) + one(output(c + z))
        return Statement(name, [z > 0, t1 < t2, place], both_signs / 2 == value, both_signs == value)

    def at_least(x: Any, y: Any, closed: bool) -> Any:
        return x >= y if closed else x > y

    def inside(r: Any) -> Any:
        return within(r, t1, t2, low, high)

    def upper(r: Any) -> Any:
        return at_least(r, t, low)

    def lower(r: Any) -> Any:
        return z3.Not(upper(r))

    out_below, out_above = one(at_least(z, c - t1, not low)), one(at_least(z, t2 - c, not high))  # c in the interval
    down, up = one(at_least(z, c - t, not low)), one(at_least(z, t - c, low))
    return [
        stated("I", at_least(c, t2, not high), inside, one_side(one(at_least(z, c - t2, high)), out_below)),
        stated("II", inside(c), inside, between(out_below, out_above)),
        stated("III", at_least(t1, c, not low), inside, one_side(one(at_least(z, t1 - c, low)), out_above)),
        stated("x = -B", upper(c), lower, tail(down)),
        stated("x = -B, beyond", lower(c), lower, beyond(up)),
        stated("x = B", lower(c), upper, tail(up)),
        stated("x = B, beyond", upper(c), upper, beyond(down)),
        *_ratio(),
    ]


def _ratio() -> list[Statement]:
    """With q = e**-g and r = e**-w: P(x|c)/P(x|c') is q2/q2'·(1 - r)/(1 - r').

    Its logarithm is g2' - g2 + f(w) - f(w').
    """
    q2, r, q2p, rp = z3.Reals("q2 r q2' r'")
    p, pp = one_side(q2, q2 * r), one_side(q2p, q2p * rp)
    same = p * (q2p * (1 - rp)) == pp * (q2 * (1 - r))
    return [Statement("ratio", [q2 > 0, q2p > 0, r < 1, rp < 1], same, p * (1 - rp) == pp * (1 - r))]


def wrong_probabilities(precision: int, ties: Ties = "up", part: Fraction = WHOLE) -> Iterator[str]:
    """Outputs and values whose probability is not what `probabilities` says; there are none.

    It tries every output from every value c of a small format, for a few λ and B. A `part` of the probability is wrong.
    """
    p, top = precision, 1 << (precision - 1)
    for scale, size in ((Fraction(1), Fraction(7, 2)), (Fraction(5, 4), Fraction(3)), (Fraction(15, 8), Fraction(2))):
        mechanism = Parameters(scale, size, p, ties=ties)
        floats = {Fraction(n, top) * Fraction(2) ** e for n in range(top, 2 * top) for e in (-2, -1, 0, 1)}
        values = [sign * x for x in sorted(floats) if x <= size for sign in (1, -1)]
        for k, c in product(range(-mechanism.last, mechanism.last + 1), values):
            if to_fraction(probability(mechanism, k, from_fraction(c))) != part * _by_thresholds(mechanism, k, c):
                yield f"p = {p}, λ = {scale}, B = {size}, c = {c}, k = {k}"


def _by_thresholds(m: Parameters, k: int, c: Fraction) -> Fraction:
    low, high = (None if abs(j) > m.last - (j >= 0) else boundary(m, j) for j in (k - 1, k))

    def above(at: Boundary) -> bool:
        t = to_fraction(at.number)
        return c >= t if at.closed else c > t

    def reached(at: Boundary) -> Fraction:
        """P(Z > c - t), or P(Z ≥ t - c), if t belongs to what is above it; if not, ≥ and > change places."""
        distance = abs(c - to_fraction(at.number))
        strict = above(at) == at.closed
        return to_fraction(reaches(m, *from_fraction(distance), strict=strict)) if distance else Fraction(1)

    if low is None or high is None:
        at = low if high is None else high
        assert at is not None
        return Fraction(tail(reached(at)) if above(at) == (low is None) else beyond(reached(at)))
    if above(low) and not above(high):
        return Fraction(between(reached(low), reached(high)))
    near, far = (high, low) if above(high) else (low, high)
    return Fraction(one_side(reached(near), reached(far)))


def nearly(near: Any, far: Any, distance: Any, spacing: Any) -> list[Any]:
    """What the lemma `parallel` says of two cells that move by `near` and `far`, where the numbers in them move by
    `distance`, and what `joined.forward` uses."""
    return [near <= distance + spacing, near - far <= spacing]


def parallel() -> list[Statement]:
    """If two numbers of a binade [Q, 2Q) move by the same e ≥ 0 and stay in it, their cells move by nearly the same.

    Counted from Q in units of the spacing 2Y: moved2 ≤ e + 1 and moved2 - moved1 ≤ 1. Whether a cell is open or closed
    depends on the parity of a float. For both thresholds of one c it is the same, because Λ is an even number of
    spacings. A closed cell that ends at Q lies in the binade below, and is only half as wide.
    """
    e, v1, v2 = z3.Reals("e v1 v2")
    closed, closed_p = z3.Bools("closed closed_p")
    n1, n2, n1p, n2p = z3.Ints("n1 n2 n1p n2p")

    def held(v: Any, n: Any, closed: Any) -> Any:
        return z3.If(closed, z3.And(n < v, v <= n + 1), z3.And(n <= v, v < n + 1))

    facts = [e >= 0, v2 >= 0, v1 > v2, held(v1, n1, closed), held(v2, n2, closed)]
    facts += [held(v1 + e, n1p, closed_p), held(v2 + e, n2p, closed_p)]
    moved2, moved1 = n2p - n2, n1p - n1
    moved = z3.And(*nearly(z3.ToReal(moved2), z3.ToReal(moved1), e, 1))
    # the middle of the narrower cell lies a quarter above that of the whole one: in quarters of a spacing
    rise, rise_p = z3.If(closed, 1, 0), z3.If(z3.And(closed_p, e == 0), 1, 0)
    quarters = 4 * moved2 + rise_p - rise
    at_the_end = [*facts, v2 == 0, moved]
    far, near, steps = z3.Ints("zeta1 zeta2 half_Lambda")
    return [
        Statement("parallel", facts, moved, moved2 == moved1),
        Statement(
            "parallel, v2 = Q",
            at_the_end,
            z3.And(*nearly(z3.ToReal(quarters), z3.ToReal(4 * moved1), 4 * e, 4)),
            quarters <= 4 * moved1,
        ),
        Statement("the same parity", [far == near + 2 * steps], (far % 2 == 0) == (near % 2 == 0), far == near),
        *_one_binade(),
    ]


def _one_binade() -> list[Statement]:
    """εV2 ≤ εV ≤ εV1': if the first and the last are in one binade [Q, 2Q), all are. If not, 2Q2 ≤ εV1'."""
    v2, v, v1p, q2, q, q1p = z3.Reals("v2 v v1' Q2 Q Q1'")
    held = [fact for x, p in ((v2, q2), (v, q), (v1p, q1p)) for fact in (p > 0, p <= x, x < 2 * p)]
    held += [v2 <= v, v <= v1p, powers(q2, q1p), powers(q2, q)]
    return [
        Statement("one binade", [*held, q2 == q1p], q == q2, v == v2),
        Statement("two binades", [*held, q2 != q1p], 2 * q2 <= v1p, 4 * q2 <= v1p),
    ]


def steps() -> list[Statement]:
    """What g without E_u (the middle ψ° of the cell of εV) can do: it moves in steps, and it is monotone in V.

    In one binade [Q, 2Q), counted from Q in units of the spacing 2Y, ψ° is n + 1/2 for the cell number n. A closed cell
    that ends at Q lies in the binade below, and is only half as wide. Whether a cell is open or closed depends on the
    parity of a float, and so on V alone.
    """
    v2, v1, v2p, v1p = z3.Reals("v2 v1 v2' v1'")
    numbers, kinds = z3.Ints("n2 n1 n2' n1'"), z3.Bools("closed2 closed1 closed2' closed1'")
    places = (v2, v1, v2p, v1p)
    facts = [v2 >= 0, v1 > v2, v2p >= v2, v1p >= v1]
    for v, n, closed in zip(places, numbers, kinds, strict=True):
        facts.append(z3.If(closed, z3.And(n < v, v <= n + 1), z3.And(n <= v, v < n + 1)))
    facts += [z3.Implies(v2 == v2p, kinds[0] == kinds[2]), z3.Implies(v1 == v1p, kinds[1] == kinds[3])]
    halves = [z3.ToReal(n) + z3.RealVal(1) / 2 for n in numbers]
    g2, g1, g2p, g1p = (
        z3.If(z3.And(v == 0, closed), -z3.RealVal(1) / 4, half)
        for v, closed, half in zip(places, kinds, halves, strict=True)
    )
    n2, n1, n2p, n1p = numbers
    count, apart = z3.ToReal(n1 - n2 - n1p + n2p), (v2p - v2) - (v1p - v1)
    narrow = g1 - g2 - g1p + g2p
    return [
        Statement("whole steps", facts, z3.And(narrow <= count, count <= apart + 2), count <= apart + 1),
        *_monotone(),
    ]


def _monotone() -> list[Statement]:
    """If V ≤ V', then ψ ≤ ψ', for the least float ψ ≥ εV (or > εV); so are the middles before them."""
    v, vp, psi, psi_p, before, before_p = z3.Reals("v v' psi psi' psi- psi-'")
    closed, closed_p = z3.Bools("closed closed'")

    def reached(float_: Any, number: Any, closed: Any) -> Any:
        return z3.If(closed, float_ >= number, float_ > number)

    facts = [v <= vp, z3.Implies(v == vp, closed == closed_p), reached(psi_p, vp, closed_p)]
    facts += [z3.Implies(reached(psi_p, v, closed), psi <= psi_p)]  # ψ is the least
    middles = [before < psi, before_p < psi_p, z3.Or(z3.And(psi == psi_p, before == before_p), psi <= before_p)]
    return [
        Statement("ψ ≤ ψ'", facts, psi <= psi_p, psi < psi_p),
        Statement("ψ° ≤ ψ°'", middles, before + psi <= before_p + psi_p, before + psi < before_p + psi_p),
    ]


def powers(q: Any, r: Any) -> Any:
    """Two powers of two: they are equal, or one is at least twice the other."""
    return z3.Or(q == r, q >= 2 * r, 2 * q <= r)


def boundary_table(precision: int, part: Fraction = WHOLE) -> Iterator[str]:
    """Thresholds T at which the evaluator's boundary is not t* = T - g, closed, or δ is not `offset`; there are none.

    g is half the gap between T and the float below it. A `part` of it is wrong.
    """
    p, eta = precision, part / 2**precision
    mechanism = Parameters(Fraction(1), Fraction(2) ** (p - 7), p)  # Λ = 1
    gaps: dict[int, Fraction] = {}
    for j in range(-mechanism.last, mechanism.last):
        threshold = Fraction(2 * j + 1, 2)
        gaps[j] = eta * Fraction(2) ** floor_log2(abs(threshold)) / (2 if threshold == Fraction(1, 2) else 1)
        number, closed = boundary(mechanism, j)
        if not closed or to_fraction(number) != threshold - gaps[j]:
            yield f"p = {p}: threshold {threshold}"
    for k in range(1 - mechanism.last, mechanism.last):
        if gaps[k - 1] - gaps[k] != offset(k, eta):
            yield f"p = {p}: δ at k = {k}"


def offset(k: int, eta: Fraction) -> Fraction:
    """δ for the output kΛ, in units of Λ."""
    if k == 0:
        return eta / 4
    if abs(k) & (abs(k) - 1):
        return Fraction(0)
    return eta * -k * (Fraction(3, 4) if k == 1 else Fraction(1, 2))


def wrong_errors(precision: int, part: Fraction = WHOLE) -> Iterator[str]:
    """Distances τ for which -ln P(Z ≥ τ) is not in [εV - Y - ln(1+2η), εV + Y]; there should be none.

    It tries every λ of a binade, and every multiple τ of a quarter spacing in four binades around λ, for Z > τ and for
    Z ≥ τ. A `part` of Y is too small.
    """
    p, eta = precision, Fraction(1, 2**precision)
    engine = both(128)[1]
    for significand in range(1 << (p - 1), 1 << p):
        scale = Fraction(significand, 1 << (p - 1))
        mechanism = Parameters(scale, scale, p)
        for power in (Fraction(1, 4), Fraction(1), Fraction(2), Fraction(8)):
            for n in range(4 << (p - 1)):
                t = power * (1 + Fraction(n, 4 << (p - 1)))
                for strict in (True, False):
                    q = to_fraction(reaches(mechanism, *from_fraction(t), strict))
                    v = rounded(t, not strict, p).middle / scale
                    error = part * eta * Fraction(2) ** floor_log2(v)
                    if not _inside(engine, q, v, error, eta):
                        yield f"p = {p}, λ = {scale}, τ = {t}, strict = {strict}"


def _inside(engine: Any, q: Fraction, v: Fraction, error: Fraction, eta: Fraction) -> bool:
    """e**-(v + error) ≤ q ≤ (1 + 2η)e**-(v - error), decided with an enclosure."""
    with engine.working():
        low, high = (engine.ends(engine.exp(engine.between(-x, -x))) for x in (v + error, v - error))
    return bool(low[1] <= q <= (1 + 2 * eta) * high[0])
