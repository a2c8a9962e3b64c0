"""The calculus behind the cases: f(w) = ln(1 - e**-w) is increasing and concave, N = f' convex; and small inequalities.

With these, f(w) - f(w') ≤ W·(N(L) + N(L + W))/2 wherever w' ≥ L and w - w' ≤ W: by concavity the difference is largest
at w' = L, w = L + W, and it is the integral of the convex N, which the trapezoid bounds from above.
"""

from fractions import Fraction
from typing import Any

import z3

from snapref_proofs.evaluate.boxes import Quantity
from snapref_smt.engine.statement import Statement

LOW, HIGH = Fraction(1, 2), Fraction(3)  # where the formulas of the derivatives are compared with Arb's own


def shape(sign: int) -> dict[str, Quantity]:
    """With sign 1 each is at most 0 on [1/2, 3]: -f', f'', -f'''.

    X = e**w: f' = 1/(X-1), f'' = -X/(X-1)², f''' = X(X+1)/(X-1)³.
    """

    def first(engine: Any, v: Any) -> Any:
        return -sign / (engine.exp(v["w"]) - 1)

    def second(engine: Any, v: Any) -> Any:
        x = engine.exp(v["w"])
        return -sign * x / ((x - 1) * (x - 1))

    def third(engine: Any, v: Any) -> Any:
        x = engine.exp(v["w"])
        return -sign * x * (x + 1) / ((x - 1) * (x - 1) * (x - 1))

    return {"f increasing": first, "f concave": second, "f' convex": third}


def series_agree(cells: int = 500) -> bool:
    """The three derivatives again, by Arb's automatic differentiation of ln(1 - e**-w), on cells over [1/2, 3]."""
    from flint import arb, arb_series, fmpq

    for n in range(cells):
        ends = (LOW + (HIGH - LOW) * Fraction(i, cells) for i in (n, n + 1))
        low, high = (arb(fmpq(end.numerator, end.denominator)) for end in ends)
        w = arb_series([low.union(high), 1], prec=4)
        _, first, second, third = (1 - (-w).exp()).log().coeffs()
        if not (first > 0 and second < 0 and third > 0):
            return False
    return True


def inequalities() -> list[Statement]:
    """x = e**-A and y = e**-G in (0, 1], X = e**g ≥ 1."""
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
    """For every w > 0, X = e**w > 1: 1/(X-1), X/(X-1)² and X(X+1)/(X-1)³ are positive. They are the first derivative of
    f, minus the second, and the third; the quotients stand here by their defining products, d for X - 1."""
    x, d, first, second, third = z3.Reals("X d f1 minus_f2 f3")
    above = [x > 1, d == x - 1]
    return [
        Statement("f increasing", [*above, first * d == 1], first > 0, first > 1),
        Statement("f concave", [*above, second * (d * d) == x], second > 0, second > 1),
        Statement("f' convex", [*above, third * (d * d * d) == x * (x + 1)], third > 0, third > 2),
    ]
