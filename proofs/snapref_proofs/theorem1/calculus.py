"""The lemmas `calculus` and `slopes` of Theorem 1 (004 §4): the function f(w) = ln(1 - e**-w), and small inequalities.

f is increasing and concave, and its derivative N is convex. Hence f(w) - f(w') ≤ W·(N(L) + N(L + W))/2 wherever w' ≥ L
and w - w' ≤ W. For f is concave, so the difference is largest at w' = L, w = L + W. And it is the integral of the
convex function N, which the trapezoid rule bounds from above.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise, zip_longest
from operator import mul
from typing import Any

import z3

from snapref_smt.engine.statement import Statement

LOW = Fraction(1, 2)  # the inequalities on boxes check that w does not fall below it
Polynomial = list[int]  # the coefficients, the constant first
Rational = tuple[Polynomial, Polynomial]  # numerator and denominator
# In X = e**w, with dX/dw = X. f = ln(1 - 1/X) = ln(X - 1) - ln X, so its derivative is X/(X - 1) - 1: the first line.
DERIVATIVES: tuple[Rational, ...] = (
    ([1], [-1, 1]),  # the first: 1/(X-1)
    ([0, -1], [1, -2, 1]),  # the second: -X/(X-1)²
    ([0, 1, 1], [-1, 3, -3, 1]),  # the third: X(X+1)/(X-1)³
)


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for k, b in enumerate(q):
            product[i + k] += a * b
    return product


def plus(p: Polynomial, q: Polynomial) -> Polynomial:
    return [a + b for a, b in zip_longest(p, q, fillvalue=0)]


def slope(p: Polynomial) -> Polynomial:
    """dp/dX."""
    return [i * a for i, a in enumerate(p)][1:] or [0]


def derivative(r: Rational) -> Rational:
    """dr/dw = X·dr/dX, by the rule for quotients."""
    n, d = r
    change = plus(times(slope(n), d), times([-1], times(n, slope(d))))
    return times([0, 1], change), times(d, d)


def equal(r: Rational, s: Rational) -> bool:
    return not any(plus(times(r[0], s[1]), times([-1], times(s[0], r[1]))))


def wrong_derivatives() -> Iterator[str]:
    """Formulas of DERIVATIVES that are wrong: each must be the derivative of the one before it.

    The first must be the derivative of f, which is X/(X - 1) - 1 = (X - (X - 1))/(X - 1).
    """
    if not equal((plus([0, 1], [1, -1]), [-1, 1]), DERIVATIVES[0]):
        yield "the first derivative"
    for order, (r, s) in enumerate(pairwise(DERIVATIVES), 2):
        if not equal(derivative(r), s):
            yield f"the derivative of order {order}"


def inequalities() -> list[Statement]:
    """Slopes of ln P for the cases with c inside or beyond: x = e**-α and y = e**-γ in (0, 1], X = e**g ≥ 1."""
    x, y, big, square = z3.Reals("x y X square")  # square = (X - 1)²
    unit = [x > 0, x <= 1, y > 0, y <= 1]
    return [
        # P = 1 - x/2 - y/2 between two thresholds: |d ln P/dc| ≤ ε
        Statement("slope", unit, z3.And(x - y <= 2 - x - y, y - x <= 2 - x - y), x - y <= 1 - x - y),
        # one threshold, c and c' on its two sides: ln(2 - e**-g) ≤ g, that is 2X - 1 ≤ X² = square + 2X - 1
        Statement("both sides", [big >= 1, square >= 0], 2 * big - 1 <= square + 2 * big - 1, 2 * big - 1 <= big),
        # one threshold, c and c' beyond it: the derivative 1/(2e**g - 1) of ln(1 - e**-g/2) is in (0, 1]
        Statement("beyond", [big >= 1], 2 * big - 1 >= 1, 2 * big - 1 >= 2),
        # E_u: 0 ≤ ln(1 + 2η) ≤ 2η is used as it stands
    ]


def signs() -> list[Statement]:
    """For every w > 0, with X = e**w > 1: the first derivative of f, minus the second, and the third are positive.

    Each is a quotient of DERIVATIVES, here in powers of d = X - 1: a variable that is given by its product with the
    denominator.
    """
    d, first, second, third = z3.Reals("d f1 minus_f2 f3")
    given = [
        [d > 0, sign * f * _after_one(below, d) == _after_one(above, d)]
        for sign, f, (above, below) in zip((1, -1, 1), (first, second, third), DERIVATIVES, strict=True)
    ]
    return [
        Statement("f increasing", given[0], first > 0, first > 1),
        Statement("f concave", given[1], second > 0, second > 1),
        Statement("f' convex", given[2], third > 0, third > 2),
    ]


def _after_one(p: Polynomial, d: Any) -> Any:
    """p(1 + d), in powers of d."""
    shifted: Polynomial = [0]
    for a in reversed(p):
        shifted = plus(times(shifted, [1, 1]), [a])
    return sum(a * reduce(mul, [d] * i, z3.RealVal(1)) for i, a in enumerate(shifted) if a)
