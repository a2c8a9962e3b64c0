"""The other tie rules of round_Λ (001 and 002, §4.2.2): what of Theorem 1 is true of them (claim `N-4.2.2-priv`).

Ties toward -∞ are the mirror image of ties toward +∞: the output from c is distributed as minus the output, with ties
up, from -c. The conditions of the theorem do not depend on the sign of c. Ties away from zero agree with one or the
other rule at every output but 0. To 0 they give none of its ends.

Ties to even give an output both of its thresholds if k is even, and none if k is odd. Here is what that makes of the
lemmas about the program: `rounding`, `probability`, `cases` and `offsets`. even.py proves the rest.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from snapref.budget import floor_log2
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import compose, inversion
from snapref_proofs.theorem1.inversion import to_nearest
from snapref_smt.engine.statement import Statement, absolute, clamped


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
        Statement("round", [*_up(-x, up), *_down(x, down)], down == -up, z3.And(*_up(x, down))),
        Statement("RN", [*nearest, *held], rn_mirror == -rn, rn == b),
        Statement("clamp", [bound > 0], clamped(-x, bound) == -clamped(x, bound), clamped(x, bound) == x),
        Statement("conditions", [bound > 0], inside == negated, inside),
    ]


def away() -> list[Statement]:
    """Ties away from zero: a w that leads to k > 0 does so with ties up, one that leads to k < 0 with ties down.

    A w that leads to k = 0 does so with both rules; it is at neither end of the interval.
    """
    w = z3.Real("w")
    n = z3.Int("n")
    rule = [z3.Or(z3.And(w > 0, *_up(w, n)), z3.And(w <= 0, *_down(w, n)))]
    up, down = z3.And(*_up(w, n)), z3.And(*_down(w, n))
    return [
        Statement("k > 0", [*rule, n > 0], up, w > n),
        Statement("k < 0", [*rule, n < 0], down, w > n),
        Statement("k = 0", [*rule, n == 0], z3.And(up, down), z3.And(up, w > 0)),
    ]


def _up(x: Any, n: Any) -> list[Any]:
    """n is x rounded to an integer, ties toward +∞."""
    return [2 * n - 1 <= 2 * x, 2 * x < 2 * n + 1]


def _down(x: Any, n: Any) -> list[Any]:
    return [2 * n - 1 < 2 * x, 2 * x <= 2 * n + 1]


def even() -> list[Statement]:
    """Ties to even: the mirror image, the thresholds, P(x|c), where c and c' lie, and the size of δ."""
    ends = ((True, True), (False, False))  # whether the ends of an interval belong to it: k even, k odd
    seen = [one for low, high in ends for one in (*inversion.probabilities(low, high), *compose.regions(low, high))]
    return [*_nearest_even(), *_even_thresholds(), *seen, *even_offsets()]


def _nearest_even() -> list[Statement]:
    """The interval of k, in units of Λ: with both ends if k is even, with none if it is odd. And its mirror image."""
    x = z3.Real("x")
    k, mirrored, half = z3.Ints("k mirrored half")

    def to_even(x: Any, n: Any) -> list[Any]:
        return [2 * absolute(x - z3.ToReal(n)) <= 1, z3.Implies(2 * absolute(x - z3.ToReal(n)) == 1, n % 2 == 0)]

    low, high = z3.ToReal(k) - z3.RealVal(1) / 2, z3.ToReal(k) + z3.RealVal(1) / 2
    closed, open_ = (inversion.within(x, low, high, own, own) for own in (True, False))
    rule = z3.And(*to_even(x, k))
    return [
        Statement("k even", [k == 2 * half], rule == closed, rule == open_),
        Statement("k odd", [k == 2 * half + 1], rule == open_, rule == closed),
        Statement("mirror", [*to_even(x, k), *to_even(-x, mirrored)], mirrored == -k, k >= 0),
    ]


def _even_thresholds() -> list[Statement]:
    """w ≥ T iff r ≥ T - g, and w > T iff r > T + g, where w = RN(r) and g is half the gap below T, or above it.

    T has an even significand (`rounding`), so its neighbours have odd ones. Then, which Z carries c across.
    """
    r, w, t, g, c, z = z3.Reals("r w T g c Z")
    even, other = z3.Ints("even other")
    down = [g > 0, *to_nearest(r, t - 2 * g, t, w, z3.BoolVal(True))]
    up = [g > 0, *to_nearest(r, t, t + 2 * g, w, z3.BoolVal(False)), z3.Or(w <= t, w >= t + 2 * g)]
    neighbours = z3.And(2 * even + 1 != 2 * other, 2 * even - 1 != 2 * other)
    return [
        Statement("odd neighbours", [even >= 1], neighbours, 2 * even + 2 != 2 * other),
        Statement("w ≥ T", down, (w >= t) == (r >= t - g), (w >= t) == (r > t - g)),
        Statement("w > T", up, (w > t) == (r > t + g), (w > t) == (r >= t + g)),
        Statement("down", [], (c - z <= t) == (z >= c - t), (c - z <= t) == (z > c - t)),
        Statement("up", [], (c + z > t) == (z > t - c), (c + z > t) == (z >= t - c)),
    ]


def even_offsets() -> list[Statement]:
    """|δ| = g1 + g2 for the output kΛ. In units of Λ/2 the thresholds are the odd numbers 2k ± 1; η is 1.

    g = P for a threshold in [P, 2P), above it and below it; and at Λ/2 on the side that is not that of 0. Where |k| is
    no power of two, both thresholds are in one binade (`offsets`), and P < 2|k|. Hence ε|δ| ≤ 2β.
    """
    k, binade = z3.Ints("k P")
    g1, g2, eta_lattice, eta_x, eta_bound = z3.Reals("g1 g2 eta_Lambda eta_x eta_B")
    p, size = z3.ToReal(binade), 2 * z3.ToReal(k)  # |x|
    own = [k >= 1, binade >= 1, binade <= 2 * k - 1, 2 * k - 1 < 2 * binade, g1 == p]
    inside = [*own, 2 * k + 1 < 2 * binade, g2 == p]
    crossing = [*own, 2 * k + 1 >= 2 * binade, g2 == 2 * p]
    sizes = [eta_lattice >= 0, eta_lattice <= 2 * eta_bound, eta_x >= 0, eta_x <= eta_bound]
    sizes += [z3.Or(g1 + g2 == eta_lattice, g1 + g2 <= 2 * eta_x)]
    small = 2 * eta_bound
    return [
        Statement("δ, no power of two", inside, z3.And(g1 + g2 == 2 * p, p < size), g1 + g2 == size),
        Statement("δ, a power of two", crossing, 2 * (g1 + g2) == 3 * size, g1 + g2 == size),
        Statement("δ, x = 0", [g1 == eta_lattice / 2, g2 == g1], g1 + g2 == eta_lattice, g1 == 0),
        Statement("ε|δ| ≤ 2β", sizes, g1 + g2 <= small, 2 * (g1 + g2) <= small),
    ]


def even_table(precision: int, part: Fraction = inversion.WHOLE) -> Iterator[str]:
    """Thresholds T at which the evaluator's boundary is not T - g, closed (a tie goes up), or T + g, open; and outputs
    whose δ is not `even_offset`; or the output 0 of ties away from zero is not as even.py says. There are none.
    A `part` of the gaps is wrong."""
    p, eta = precision, part / 2**precision
    mechanism = Parameters(Fraction(1), Fraction(2) ** (p - 7), p, ties="even")  # Λ = 1
    found = {j: boundary(mechanism, j) for j in range(-mechanism.last, mechanism.last)}
    for j, (number, closed) in found.items():
        threshold, up = Fraction(2 * j + 1, 2), j % 2 == 1  # a tie goes up to an even j + 1
        g = eta * Fraction(2) ** floor_log2(abs(threshold))
        if closed != up or to_fraction(number) != threshold + (-g if up else g):
            yield f"p = {p}: threshold {threshold}"
    for k in range(1 - mechanism.last, mechanism.last):
        if to_fraction(found[k].number) - to_fraction(found[k - 1].number) - 1 != even_offset(k, eta):
            yield f"p = {p}: δ at k = {k}"
    low, high = (boundary(replace(mechanism, ties="away"), j) for j in (-1, 0))
    if low.closed or not high.closed or to_fraction(high.number) - to_fraction(low.number) - 1 != -eta / 2:
        yield f"p = {p}: x = 0, ties away from zero"


def even_offset(k: int, eta: Fraction) -> Fraction:
    """δ for the output kΛ with ties to even, in units of Λ."""
    if k == 0:
        return eta
    power = 1 << (abs(k).bit_length() - 1)
    size = Fraction(3 * power, 2) if power == abs(k) else Fraction(2 * power)
    return eta * (size if k % 2 == 0 else -size)
