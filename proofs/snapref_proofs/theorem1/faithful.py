"""A crude bound for every faithful arithmetic, from the constant 18 of independent errors (Theorem 1, 004 §4).

An operation is *faithful* if it returns one of the two floats around the exact result, and a float where that is exact;
here it is also a monotone function of the exact result. Rounding up, down, toward 0 and away from 0 are such, and so is
any mixture of them and of rounding to nearest, one for each operation and each sign. Then {r: result ≥ b} is a ray that
starts at some number of [a, b], where a is the float before b. Followed backwards through ⊕, ⊗ and LN, this gives a t*
for each threshold, a V for each distance and an exponent for each V, as in inversion.py; only the errors are larger.

The reasoning of `theorem.independent` uses no more than these errors, and it is about any real η. With η° = 2η in place
of η every one of its hypotheses holds: errors of ⊗ and LN are at most 2η, and two gaps differ by at most 2ηB. So the
loss is at most εΔ + 18·Bεη° + 2η° ≤ εΔ + 38·Bεη + 2η, for every Δ, if p ≥ 12 and B·η/λ ≤ 2**-8.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref_proofs.theorem1 import coverage, inversion, one_threshold
from snapref_proofs.theorem1.inversion import at_least, in_bounds, powers
from snapref_proofs.theorem1.joined import Threshold, close
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.scenarios import TOP
from snapref_proofs.theorem1.statement import EIGHTEEN, Regime
from snapref_smt.engine.statement import Statement, absolute

LARGER = Fraction(2)  # η°/η
CRUDE = Regime(38, min_precision=12, max_beta=Fraction(1, 2**8))


def statements() -> list[Statement]:
    return [*rays(), *errors(), *gaps(), *probabilities(), *conditions()]


def rays() -> list[Statement]:
    """What reaches b is a ray, because the arithmetic is monotone. It starts in [a, b], where a is the float before b.

    For b itself reaches b, and no number below a does: not even the one halfway between a and a start below a.
    """
    start, a, b, of_b, of_other = z3.Reals("start a b R(b) R(other)")
    closed, facts = z3.Bool("closed"), [a < b]
    for r, result in ((b, of_b), ((start + a) / 2, of_other)):
        facts += [z3.Implies(r >= b, result >= b), z3.Implies(r <= a, result <= a)]
        facts += [(result >= b) == z3.If(closed, at_least(r, start, True), at_least(r, start, False))]
    return [Statement("where the ray starts", facts, z3.And(*around(start, a, b)), start == b)]


def around(x: Any, low: Any, high: Any) -> list[Any]:
    """x lies between two neighbouring floats."""
    return [low <= x, x <= high]


def errors() -> list[Statement]:
    """|V - τ| ≤ η°τ, |E_y| ≤ η°εV and 0 ≤ E_u ≤ 2η°: what `joined.sizes` says of rounding to nearest, with η°.

    As there, the unit is the spacing at τ; Q = 1/(2η). V and τ lie in [lo, lo + 1], and so do εV and εV + E_y in the
    floats that LN gives. U* < q, where q is the least float ≥ t = e**-(εV + E_y), or the next one if u = t counts.
    """
    here = Threshold("")
    eta, q, r, scale, lo, lo_y, v, w = z3.Reals("eta Q r lambda/P lo lo_y v w")
    t, before, least = z3.Reals("t q- q")
    larger = number(LARGER) * eta
    s, units = larger * r, [2 * q * eta == 1, q > 1, r > 0]
    cells = [here.tau >= q, v == r * here.size, v >= q]  # εV may be a power of two here
    cells += [fact for x in (here.tau, here.size) for fact in around(x, lo, lo + 1)]
    cells += [fact for x in (v, w) for fact in around(x, lo_y, lo_y + 1)]
    cells += [here.error * s == w - v, here.y * s == 1]
    lost = [s > 0, scale * s == larger, t >= q, before <= t, t <= least, least == before + 1]
    lost += [here.lost >= 0, here.lost * s * t <= least - t]
    relative = z3.And(*close(r * here.tau, v, w - v, larger))
    return [
        Statement("V and Y", units + cells, here.v_and_y(larger), here.error >= 0),
        Statement("relative errors", units + cells, relative, v <= r * here.tau),
        Statement("E_u ≤ 2η°", units + lost, here.e_u(scale), here.lost * 4 <= scale),
        *_one_threshold(),
    ]


def _one_threshold() -> list[Statement]:
    """D - d at x = ±B is at most the sum of two spacings, 4ηP. With η° the largest spacing is TOP·η°P."""
    v, vp, t, tp, h, hp, u, larger = z3.Reals("V V' tau tau' h h' etaP eta°P")
    facts = [
        u > 0,
        larger == number(LARGER) * u,
        absolute(v - t) <= h,
        absolute(vp - tp) <= hp,
        h <= 2 * u,
        hp <= 2 * u,
    ]
    top = number(TOP) * larger
    moved, less = (z3.And(*one_threshold.moved((vp - v) - (tp - t), most, most)) for most in (top, top / 2))
    return [Statement("D - d", facts, moved, less)]


def gaps() -> list[Statement]:
    """t* = T - g with 0 ≤ g ≤ 2ηQ, where Q is the power of two at |T|: what is used of g at T1 and T2.

    For |k| ≥ 1, Q is at most |x| < B, because |T| < 2|x|, and of two powers of two one is at least twice the other or
    they are equal; x stands for the power of two at |x|. For k = 0 it is Λ/2 < λ ≤ B. ηQ, ηB … are variables.
    """
    q, size, x, ell, scale, bound = z3.Reals("Q size_T size_x Lambda lambda B")
    eta, eta_q, eta_b, eta_t, g1, g2 = z3.Reals("eta eta_Q eta_B eta_T g1 g2")
    held = [q > 0, q <= size, x >= 0, ell > 0, scale <= bound, ell < 2 * scale, in_bounds(x, bound)]
    low = z3.Real("power_at_x")
    away = [*held, low > 0, low <= x, x < 2 * low, low >= ell, powers(q, low), size <= x + ell / 2, x + ell <= 2 * low]
    zero = [*held, x == 0, size == ell / 2]
    small = [eta > 0, in_bounds(eta_q, eta_b), eta_q <= eta_t, eta_q > 0]
    small += [fact for g in (g1, g2) for fact in (g >= 0, g <= 2 * eta_q)]
    larger = number(LARGER)
    each = [fact for g in (g1, g2) for fact in coverage.small_gap(g, larger * eta_t)]
    used = z3.And(*each, coverage.small_offset(g1 - g2, larger * eta_b, EIGHTEEN))
    return [
        Statement("Q < B, k ≠ 0", away, in_bounds(q, bound), in_bounds(2 * q, bound)),
        Statement("Q < B, k = 0", zero, in_bounds(q, bound), in_bounds(2 * q, bound)),
        Statement("g", small, used, 2 * absolute(g1 - g2) <= larger * eta_b),
    ]


def probabilities() -> list[Statement]:
    """P(x|c) as in inversion.py, whichever ends belong to the interval of an output."""
    every = product((True, False), repeat=2)
    return [one for ends in every for one in inversion.with_ends(inversion.probabilities(*ends), *ends)]


def conditions() -> list[Statement]:
    """η° meets the conditions of EIGHTEEN, and its bound is at most that of CRUDE: divided by η, with b = B/λ ≥ 1."""
    eta, b, beta, larger, larger_beta = z3.Reals("eta b beta eta° beta°")
    facts = [eta > 0, b >= 1, *coverage.conditions(eta, beta, CRUDE)]
    facts += [larger == number(LARGER) * eta, larger_beta == number(LARGER) * beta]
    inside = z3.And(*coverage.conditions(larger, larger_beta, EIGHTEEN))
    bound = number(LARGER) * (number(EIGHTEEN.constant) * b + 2)
    twin = z3.Or(2 * larger <= number(EIGHTEEN.eta), 2 * larger_beta <= number(EIGHTEEN.max_beta))
    return [
        Statement("conditions", facts, inside, twin),
        Statement("18 becomes 38", facts, bound <= number(CRUDE.constant) * b + 2, bound <= 37 * b + 2),
    ]
