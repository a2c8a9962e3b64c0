"""The lemma `calculus` of Theorem 1 (004 §4): the derivatives of f(w) = ln(1 - e**-w).

slopes.py has what follows: f is increasing and concave, and its derivative N is convex.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise, zip_longest
from operator import mul
from typing import Any

import z3

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


def wrong(derivatives: Sequence[Rational], taken: Sequence[Rational]) -> Iterator[str]:
    """Formulas of derivatives that are wrong, and those that `at` does not take for what they are."""
    yield from wrong_derivatives(derivatives)
    yield from wrong_values(taken)


def wrong_derivatives(derivatives: Sequence[Rational]) -> Iterator[str]:
    """Formulas of derivatives that are wrong: each must be the derivative of the one before it.

    The first must be the derivative of f, which is X/(X - 1) - 1 = (X - (X - 1))/(X - 1).
    """
    if not equal((plus([0, 1], [1, -1]), [-1, 1]), derivatives[0]):
        yield "the first derivative"
    for order, (r, s) in enumerate(pairwise(derivatives), 2):
        if not equal(derivative(r), s):
            yield f"the derivative of order {order}"


def average(first: Any, second: Any) -> Any:
    """Of N at the two ends of an interval: times its length, this is the trapezoid rule."""
    return (first + second) / 2


def averaged(function: Callable[[Any], Any], low: Any, apart: Any) -> Any:
    """Of a function, N, at the two ends of an interval that begins at `low`."""
    return average(function(low), function(low + apart))


def at(order: int, value: Any, d: Any) -> Any:
    """The value of the first derivative of f, of minus the second, or of the third, where e**w - 1 = d.

    It is a quotient of DERIVATIVES, here in powers of d: a number that is given by its product with the denominator.
    """
    above, below = DERIVATIVES[order - 1]
    sign = -1 if order == 2 else 1
    return sign * value * _after_one(below, d) == _after_one(above, d)


def wrong_values(derivatives: Sequence[Rational]) -> Iterator[str]:
    """Derivatives that `at` does not take for what they are. It is a polynomial in d of a degree below that of the
    numbers that are tried, so these decide it."""
    for order, (above, below) in enumerate(derivatives, 1):
        for d in range(1, 9):
            value = (-1 if order == 2 else 1) * Fraction(_at_number(above, 1 + d), _at_number(below, 1 + d))
            said = [z3.simplify(at(order, z3.RealVal(str(v)), z3.RealVal(d))) for v in (value, value + 1)]
            if not z3.is_true(said[0]) or not z3.is_false(said[1]):
                yield f"the derivative of order {order} where e**w = {1 + d}"


def _at_number(p: Polynomial, x: int) -> int:
    return sum(a * x**i for i, a in enumerate(p))


def _after_one(p: Polynomial, d: Any) -> Any:
    """p(1 + d), in powers of d."""
    shifted: Polynomial = [0]
    for a in reversed(p):
        shifted = plus(times(shifted, [1, 1]), [a])
    return sum(a * reduce(mul, [d] * i, z3.RealVal(1)) for i, a in enumerate(shifted) if a)
