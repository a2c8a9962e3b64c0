"""From the program to exact thresholds (004 §4): L0 to L3, statements about reals and integers for two solvers.

RN is rounding to nearest, ties to even. Between two neighbouring floats a < b: RN(r) = b above the middle, a below it,
and at the middle the even one. So RN(r) ≥ b exactly when r ≥ (a+b)/2 (b even) or r > (a+b)/2 (b odd): a set of r that
does not depend on what was added to what. Backwards through ⊕, ⊗ and LN this gives, for a distance τ = |c - t*|,

    -ln P(Z ≥ τ) = εV + E_y - E_u,   V = S(τ) the middle of τ's cell,   |E_y| ≤ η·2**⌊log2 εV⌋,   0 ≤ E_u < ln(1 + 2η).

ln of a dyadic number other than 1 is transcendental (Lindemann), so LN never meets a tie.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import z3

from snapref.budget import floor_log2
from snapref_proofs.dyadics import from_fraction, to_fraction
from snapref_proofs.exact import snapping
from snapref_proofs.intervals import both
from snapref_proofs.theorem.linear import Statement
from snapref_proofs.theorem.replay import rounded


def rounding() -> list[Statement]:
    """RN(r) ≥ b, for every real r, from the definition of RN and its monotony."""
    r, a, b, result = z3.Reals("r a b RN")
    even = z3.Bool("b_is_even")
    middle = (a + b) / 2
    facts = [a < b, z3.Implies(r >= b, result >= b), z3.Implies(r <= a, result <= a)]
    between = z3.And(a < r, r < b)
    facts += [
        z3.Implies(z3.And(between, r > middle), result == b),
        z3.Implies(z3.And(between, r < middle), result == a),
    ]
    facts += [z3.Implies(r == middle, result == z3.If(even, b, a))]
    reached = z3.If(even, r >= middle, r > middle)
    return [Statement("RN(r) ≥ b", facts, (result >= b) == reached, (result >= b) == (r >= middle))]


def thresholds() -> list[Statement]:
    """T = (2k+1)Λ/2 is a float with an even significand s: an odd number below 2**(p-1) =: M, scaled up to [M, 2M).

    Scaling is by a power of two: by 1, or by an even number, and then s is even."""
    odd, limit, s, half = z3.Ints("odd M s half")
    facts = [odd >= 1, limit >= 2, odd < limit, s >= limit, z3.Or(s == odd, s == 2 * half)]
    gap = z3.Reals("c Z t")
    c, z, t = gap
    return [
        Statement("even significand", facts, s == 2 * half, s == odd),
        # L1: what Z must reach. S = +1 moves down, S = -1 moves up, Z > 0
        Statement("down", [z > 0], (c - z < t) == (z > c - t), (c - z < t) == (z >= c - t)),
        Statement("up", [z > 0], (c + z >= t) == (z >= t - c), (c + z >= t) == (z > t - c)),
        Statement("only one sign", [z > 0, c >= t], z3.Not(c + z < t), z3.Not(c - z < t)),
    ]


def errors() -> list[Statement]:
    """In units of the spacing h = 1: τ in [Q, 2Q] with η = 1/(2Q), so h/2 ≤ ητ; the same cell lemma serves V and ψ°.

    E_u: q, the least float at or above t = e**-ψ°, follows a float below t, so q - t < 1 and 1 ≤ t/Q = 2ηt."""
    t, lo, q, least, before = z3.Reals("t lo Q q before")
    held = [q >= 1, t >= q, lo <= t, t <= lo + 1]
    half = z3.RealVal(1) / 2
    middle = lo + half
    above = [q >= 1, t >= q, before < t, least == before + 1]
    return [
        Statement("|V - τ| ≤ h/2", held, z3.And(middle - t <= half, t - middle <= half), middle <= t),
        Statement("h/2 ≤ ητ", held, half * q <= t / 2, half * q <= t / 4),
        Statement("E_u", above, z3.And(least - t < 1, q <= t), least <= t),
    ]


def boundary_table(precision: int) -> Iterator[str]:
    """Where the exact evaluator's boundaries are not t* = T - g, closed, or δ not as in `offset`. Should be empty."""
    p, eta = precision, Fraction(1, 2**precision)
    mechanism = snapping(from_fraction(Fraction(1)), from_fraction(Fraction(2) ** (p - 7)), p)  # Λ = 1
    gaps: dict[int, Fraction] = {}
    for j in range(-mechanism.last, mechanism.last):
        threshold = Fraction(2 * j + 1, 2)
        gaps[j] = eta * Fraction(2) ** floor_log2(abs(threshold)) / (2 if threshold == Fraction(1, 2) else 1)
        boundary = mechanism.boundary(j)
        if not boundary.closed or to_fraction(boundary.number) != threshold - gaps[j]:
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


def wrong_errors(precision: int) -> Iterator[str]:
    """Distances for which -ln P(Z ≥ τ) leaves [εV - Y - ln(1+2η), εV + Y]: every λ of a binade, every τ in quarter
    spacings of four binades around λ, open and closed. There should be none."""
    p, eta = precision, Fraction(1, 2**precision)
    engine = both(128)[1]
    for significand in range(1 << (p - 1), 1 << p):
        scale = Fraction(significand, 1 << (p - 1))
        mechanism = snapping(from_fraction(scale), from_fraction(scale), p)
        for power in (Fraction(1, 4), Fraction(1), Fraction(2), Fraction(8)):
            for n in range(4 << (p - 1)):
                t = power * (1 + Fraction(n, 4 << (p - 1)))
                for strict in (True, False):
                    q = to_fraction(mechanism.reaches(*from_fraction(t), strict))
                    v = rounded(t, not strict, p).middle / scale
                    error = eta * Fraction(2) ** floor_log2(v)
                    if not _inside(engine, q, v, error, eta):
                        yield f"p = {p}, λ = {scale}, τ = {t}, strict = {strict}"


def _inside(engine: Any, q: Fraction, v: Fraction, error: Fraction, eta: Fraction) -> bool:
    """e**-(v + error) ≤ q ≤ (1 + 2η)e**-(v - error), decided with an enclosure."""
    with engine.working():
        low, high = (engine.ends(engine.exp(engine.between(-x, -x))) for x in (v + error, v - error))
    return bool(low[1] <= q <= (1 + 2 * eta) * high[0])
