"""A crude bound for every faithful arithmetic, from the constant 18 of independent errors (Theorem 1, 004 §4).

An operation is *faithful* if it returns one of the two floats around the exact result, and a float where that is exact;
here it is also a monotone function of the exact result. Rounding up, down, toward 0 and away from 0 are such, and so is
any mixture of them and of rounding to nearest, one for each operation and each sign. Then {r: result ≥ b} is a ray that
starts at some number of [a, b], where a is the float before b. Followed backwards through ⊕, ⊗ and LN, this gives a t*
for each threshold, a V for each distance and an exponent for each V, as in inversion.py; only the errors are larger.

The reasoning of `theorem.independent` uses no more than these errors, and it is about any real η. With η° = 8η/3 in
place of η every one of its hypotheses holds: errors of ⊗ and LN are at most 2η, and two gaps differ by at most
2ηB = 3η°B/4. So the loss is at most εΔ + 18·Bεη° + 2η° ≤ εΔ + 52·Bεη + 2η, for every Δ, if p ≥ 13 and B·η/λ ≤ 2**-9.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref_proofs.theorem1.inversion import between, beyond, one_side, powers, tail
from snapref_proofs.theorem1.joined import Threshold, close
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.scenarios import TOP
from snapref_proofs.theorem1.statement import EIGHTEEN, Regime
from snapref_smt.engine.statement import Statement, absolute

LARGER = Fraction(8, 3)  # η°/η
CRUDE = Regime(52, min_precision=13, max_beta=Fraction(1, 2**9))


def statements() -> list[Statement]:
    return [*rays(), *errors(), *gaps(), *probabilities(), *conditions()]


def rays() -> list[Statement]:
    """Between neighbouring floats a < b: result ≥ b needs r > a, unless r = a = b; and r ≥ b is enough for it.

    The results of two numbers r ≤ r' are in the same order, so what reaches b is a ray: it starts in [a, b].
    """
    r, other, a, b, result, higher = z3.Reals("r r' a b R R'")
    facts = [a < b]
    for x, y in ((r, result), (other, higher)):
        facts += [z3.Implies(x >= b, y >= b), z3.Implies(x <= a, y <= a), z3.Or(y <= a, y >= b)]
    monotone = z3.Implies(r <= other, result <= higher)
    starts = z3.And(z3.Implies(result >= b, r > a), z3.Implies(r >= b, result >= b))
    return [
        Statement("where the ray starts", facts, starts, z3.Implies(r > a, result >= b)),
        Statement("a ray", [*facts, monotone, result >= b, other >= r], higher >= b, higher > b),
    ]


def errors() -> list[Statement]:
    """|V - τ| ≤ η°τ, |E_y| ≤ η°εV and 0 ≤ E_u ≤ 2η°: what `joined.sizes` says of rounding to nearest, with η°.

    As there, the unit is the spacing at τ; Q = 1/(2η). V and τ lie in [lo, lo + 1], and so do εV and εV + E_y in the
    floats that LN gives. U* < q, where q is the least float ≥ t = e**-(εV + E_y), or the next one if u = t counts.
    """
    here = Threshold("")
    eta, q, r, scale, lo, lo_y, v, w = z3.Reals("eta Q r lambda/P lo lo_y v w")
    t, before, least = z3.Reals("t q- q")
    larger = number(LARGER) * eta
    s, units = larger * r, [2 * q * eta == 1, q >= 1, r > 0]
    cells = [here.tau >= q, lo <= here.tau, here.tau <= lo + 1, lo <= here.size, here.size <= lo + 1]
    cells += [v == r * here.size, v >= q, lo_y <= v, v <= lo_y + 1, lo_y <= w, w <= lo_y + 1]
    cells += [here.error * s == w - v, here.y * s == 1]
    lost = [s > 0, scale * s == larger, t >= q, before <= t, t <= least, least == before + 1]
    lost += [here.lost >= 0, here.lost * s * t <= least - t]
    up, down, positive, at_most = here.positive(scale)
    relative = z3.And(*close(r * here.tau, v, w - v, larger))
    return [
        Statement("V and Y", units + cells, z3.And(*here.facts(larger), up >= 0, down >= 0), here.error >= 0),
        Statement("relative errors", units + cells, relative, v <= r * here.tau),
        Statement("E_u ≤ 2η°", units + lost, z3.And(positive >= 0, at_most >= 0), here.lost * 4 <= scale),
        *_one_threshold(),
    ]


def _one_threshold() -> list[Statement]:
    """D - d at x = ±B is at most the sum of two spacings, 4ηP, and so at most TOP·η°P."""
    v, vp, t, tp, h, hp, u, larger = z3.Reals("V V' tau tau' h h' etaP eta°P")
    facts = [
        u > 0,
        larger == number(LARGER) * u,
        absolute(v - t) <= h,
        absolute(vp - tp) <= hp,
        h <= 2 * u,
        hp <= 2 * u,
    ]
    moved = absolute((vp - v) - (tp - t))
    return [Statement("D - d", facts, moved <= number(TOP) * larger, 2 * moved <= number(TOP) * larger)]


def gaps() -> list[Statement]:
    """t* = T - g with 0 ≤ g ≤ 2ηQ, where Q is the power of two at |T|: what is used of g at T1 and T2.

    For |k| ≥ 1, Q is at most |x| < B, because |T| < 2|x|, and of two powers of two one is at least twice the other or
    they are equal; x stands for the power of two at |x|. For k = 0 it is Λ/2 < λ ≤ B. ηQ, ηB … are variables.
    """
    q, size, x, ell, scale, bound = z3.Reals("Q size_T size_x Lambda lambda B")
    eta, eta_q, eta_b, eta_t, g1, g2 = z3.Reals("eta eta_Q eta_B eta_T g1 g2")
    held = [q > 0, q <= size, x >= 0, ell > 0, scale <= bound, ell < 2 * scale, x <= bound]
    low = z3.Real("power_at_x")
    away = [*held, low > 0, low <= x, x < 2 * low, low >= ell, powers(q, low), size <= x + ell / 2, x + ell <= 2 * low]
    zero = [*held, x == 0, size == ell / 2]
    small = [eta > 0, eta_q <= eta_b, eta_q <= eta_t, eta_q >= 0]
    small += [fact for g in (g1, g2) for fact in (g >= 0, g <= 2 * eta_q)]
    larger = number(LARGER)
    used = z3.And(g1 <= larger * eta_t, g2 <= larger * eta_t, 4 * absolute(g1 - g2) <= 3 * larger * eta_b)
    return [
        Statement("Q ≤ B, k ≠ 0", away, q <= bound, 2 * q <= bound),
        Statement("Q ≤ B, k = 0", zero, q <= bound, 2 * q <= bound),
        Statement("g", small, used, 8 * absolute(g1 - g2) <= 3 * larger * eta_b),
    ]


def probabilities() -> list[Statement]:
    """P(x|c) as in inversion.py, where a threshold may itself belong to what is above it (`closed`) or not."""
    c, z, t1, t2, t = z3.Reals("c Z t1* t2* t*")

    def one(event: Any) -> Any:
        return z3.If(event, z3.RealVal(1), z3.RealVal(0))

    def above(r: Any, at: Any, closed: bool) -> Any:
        return r >= at if closed else r > at

    def stated(name: str, place: Any, output: Any, value: Any) -> Statement:
        both_signs = one(output(c - z)) + one(output(c + z))
        return Statement(name, [z > 0, t1 < t2, place], both_signs / 2 == value, both_signs == value)

    found = []
    for first, second in product((True, False), repeat=2):
        tail_of = f", closed={first}, {second}"

        def down(at: Any, closed: bool) -> Any:
            return one(z3.Not(above(c - z, at, closed)))

        def up(at: Any, closed: bool) -> Any:
            return one(above(c + z, at, closed))

        def inside(r: Any, first: bool = first, second: bool = second) -> Any:
            return z3.And(above(r, t1, first), z3.Not(above(r, t2, second)))

        in_1, in_2 = above(c, t1, first), above(c, t2, second)
        found += [
            stated("I" + tail_of, in_2, inside, one_side(down(t2, second), down(t1, first))),
            stated("II" + tail_of, z3.And(in_1, z3.Not(in_2)), inside, between(down(t1, first), up(t2, second))),
            stated("III" + tail_of, z3.Not(in_1), inside, one_side(up(t1, first), up(t2, second))),
        ]
    for closed in (True, False):

        def lower(r: Any, closed: bool = closed) -> Any:
            return z3.Not(above(r, t, closed))

        def upper(r: Any, closed: bool = closed) -> Any:
            return above(r, t, closed)

        high, low = above(c, t, closed), z3.Not(above(c, t, closed))
        fell, rose = one(lower(c - z)), one(upper(c + z))
        found += [
            stated(f"x = -B, closed={closed}", high, lower, tail(fell)),
            stated(f"x = -B, beyond, closed={closed}", low, lower, beyond(rose)),
            stated(f"x = B, closed={closed}", low, upper, tail(rose)),
            stated(f"x = B, beyond, closed={closed}", high, upper, beyond(fell)),
        ]
    return found


def conditions() -> list[Statement]:
    """η° meets the conditions of EIGHTEEN, and its bound is at most that of CRUDE: divided by η, with b = B/λ ≥ 1."""
    eta, b, beta, larger, larger_beta = z3.Reals("eta b beta eta° beta°")
    facts = [eta > 0, eta <= number(CRUDE.eta), beta <= number(CRUDE.max_beta), b >= 1]
    facts += [larger == number(LARGER) * eta, larger_beta == number(LARGER) * beta]
    inside = z3.And(larger <= number(EIGHTEEN.eta), larger_beta <= number(EIGHTEEN.max_beta))
    bound = number(LARGER) * (number(EIGHTEEN.constant) * b + 2)
    return [
        Statement("conditions", facts, inside, 2 * larger <= number(EIGHTEEN.eta)),
        Statement("18 becomes 52", facts, bound <= number(CRUDE.constant) * b + 2, bound <= 51 * b + 2),
    ]
