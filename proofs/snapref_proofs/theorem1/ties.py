"""The other tie rules of round_Λ (001 and 002, §4.2.2): what of Theorem 1 is true of them (claim `N-4.2.2-priv`).

Ties toward -∞ are the mirror image of ties toward +∞: the output from c is distributed as minus the output, with ties
up, from -c. The conditions of the theorem do not depend on the sign of c. Ties away from zero agree with one or the
other rule at every output but 0. To 0 they give none of its ends.

Ties to even give an output both of its thresholds if k is even, and none if k is odd. Here is what that makes of the
lemmas about the program: `rounding`, `probability` and `cases`. even.py proves the rest.
"""

from fractions import Fraction
from typing import Any

import z3

from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import compose, inversion
from snapref_proofs.theorem1.inversion import to_nearest
from snapref_smt.engine.statement import Statement, absolute, clamped

ENDS = (True, False)  # whether the ends of an interval belong to it with ties to even: k even, k odd


def length(k: int, rule: Ties) -> Fraction:
    """The length of the interval of values c ± Z that lead to the output k, at p = 53, λ = Λ = 1, B = 8."""
    mechanism = Parameters(Fraction(1), Fraction(8), ties=rule)
    low, high = (to_fraction(boundary(mechanism, j).number) for j in (k - 1, k))
    return high - low


def mirrored() -> list[Statement]:
    """Each stage turns the negated input into the negated output, with the other tie rule. Λ = 1."""
    x, r, a, b, rn, rn_mirror, bound = z3.Reals("x r a b RN(r) RN(-r) B")
    up, down = z3.Ints("up down")
    even = z3.Bool("b_is_even")
    nearest = [*to_nearest(r, a, b, rn, even), *to_nearest(-r, -b, -a, rn_mirror, z3.Not(even)), a <= r, r <= b]
    held = [rn <= b, rn >= a, rn_mirror <= -a, rn_mirror >= -b, bound > 0]  # RN is monotone, and a and b are floats
    c, cp, sensitivity = z3.Reals("c c' Delta")
    inside = z3.And(absolute(c) <= bound, absolute(cp) <= bound, absolute(c - cp) <= sensitivity)
    negated = z3.And(absolute(-c) <= bound, absolute(-cp) <= bound, absolute(-c + cp) <= sensitivity)
    return [
        Statement("round", [_up(-x, up), _down(x, down)], down == -up, _up(x, down)),
        Statement("RN", [*nearest, *held], rn_mirror == -rn, rn == b),
        Statement("clamp", [bound > 0], clamped(-x, bound) == -clamped(x, bound), clamped(x, bound) == x),
        Statement("conditions", [], inside == negated, inside),
    ]


def away() -> list[Statement]:
    """Ties away from zero: what leads to k > 0 is what does so with ties up; for k < 0, with ties down.

    The interval of k = 0 has neither of its ends.
    """
    w, n = z3.Real("w"), z3.Int("n")
    rule = z3.Or(z3.And(w > 0, _up(w, n)), z3.And(w <= 0, _down(w, n)))
    inside = inversion.within(2 * w, -1, 1, False, False)
    same = z3.If(n > 0, _up(w, n), z3.If(n < 0, _down(w, n), inside))
    return [Statement("away from zero", [], rule == same, rule == _up(w, n))]


def _up(x: Any, n: Any) -> Any:
    """n is x rounded to an integer, ties toward +∞."""
    return inversion.within(2 * x, 2 * n - 1, 2 * n + 1, *inversion.TIES_UP)


def _down(x: Any, n: Any) -> Any:
    return inversion.within(2 * x, 2 * n - 1, 2 * n + 1, *reversed(inversion.TIES_UP))


def even() -> list[Statement]:
    """Ties to even: the mirror image, the thresholds, P(x|c), and where c and c' lie."""
    seen = {own: [*inversion.probabilities(own, own), *compose.regions(own, own)] for own in ENDS}
    named = [one for own, statements in seen.items() for one in inversion.with_ends(statements, own, own)]
    return [*_nearest_even(), *_even_thresholds(), *named]


def _nearest_even() -> list[Statement]:
    """The interval of k, in units of Λ: with both ends if k is even, with none if it is odd. And its mirror image."""
    x = z3.Real("x")
    k, mirrored, half = z3.Ints("k mirrored half")

    def to_even(x: Any, n: Any) -> list[Any]:
        return [2 * absolute(x - z3.ToReal(n)) <= 1, z3.Implies(2 * absolute(x - z3.ToReal(n)) == 1, n % 2 == 0)]

    low, high = z3.ToReal(k) - z3.RealVal(1) / 2, z3.ToReal(k) + z3.RealVal(1) / 2
    closed, open_ = (inversion.within(x, low, high, own, own) for own in ENDS)
    rule = z3.And(*to_even(x, k))
    return [
        Statement("k even", [k == 2 * half], rule == closed, rule == open_),
        Statement("k odd", [k == 2 * half + 1], rule == open_, rule == closed),
        Statement("mirror", [*to_even(x, k), *to_even(-x, mirrored)], mirrored == -k, k >= 0),
    ]


def _even_thresholds() -> list[Statement]:
    """w ≥ T iff r ≥ T - g, and w > T iff r > T + g, where w = RN(r) and g is half the gap below T, or above it.

    T has an even significand (`rounding`), so its neighbours have odd ones.
    """
    r, w, t, g = z3.Reals("r w T g")
    even, other = z3.Ints("even other")
    down = [g > 0, *to_nearest(r, t - 2 * g, t, w, z3.BoolVal(True))]
    up = [g > 0, *to_nearest(r, t, t + 2 * g, w, z3.BoolVal(False)), z3.Or(w <= t, w >= t + 2 * g)]
    neighbours = z3.And(2 * even + 1 != 2 * other, 2 * even - 1 != 2 * other)
    return [
        Statement("odd neighbours", [even >= 1], neighbours, 2 * even + 2 != 2 * other),
        Statement("w ≥ T", down, (w >= t) == (r >= t - g), (w >= t) == (r > t - g)),
        Statement("w > T", up, (w > t) == (r > t + g), (w > t) == (r >= t + g)),
    ]
