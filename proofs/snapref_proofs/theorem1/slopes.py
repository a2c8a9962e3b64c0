"""The lemma `slopes` of Theorem 1 (004 §4): what the joints use of f(w) = ln(1 - e**-w) and of ln P.

Each fact is a function here. The joints (joined.py, joined_inside.py) take it as known, and `statements` shows the very
same formula. Trusted are the mean value theorem and the remainder of the trapezoid rule, which give the value of a
derivative at some number between; e**w ≥ 1 + w; and that P(x|c) = 0 where w ≤ 0, so that there is no loss to bound.
"""

from collections.abc import Iterator, Sequence
from inspect import get_annotations, isfunction
from typing import Any

import z3

from snapref_proofs.theorem1.calculus import LOW, at, average, averaged
from snapref_smt.engine.statement import Statement, absolute


def tangent(rise: Any, slope: Any, low: Any, start: Any, moved: Any, most: Any) -> Any:
    """f is concave: from w = start ≥ low it rises by at most N(low)·most, if w moves by at most `most`.

    `rise`, `moved` and `most` may all be divided by one positive number; so it is with `trapezoid`.
    """
    held = z3.And(low > 0, low <= start, moved <= most, most >= 0)
    return z3.And(z3.Implies(low > 0, slope > 0), z3.Implies(held, rise <= slope * most))


def trapezoid(rise: Any, mean: Any, low: Any, start: Any, moved: Any, apart: Any, further: Any) -> Any:
    """N = f' is convex: the same with the average of N(low) and N(low + apart), where most = apart + further."""
    held = z3.And(low > 0, low <= start, apart >= 0, further >= 0, moved <= apart + further)
    return z3.Implies(held, rise <= mean * (apart + further))


def limited(mean: Any, low: Any) -> Any:
    """N(w) ≤ 1/w: the average of N(low) and N(low + apart) is at most 1/LOW, if low ≥ LOW."""
    limit = z3.RealVal(str(LOW))
    return z3.Implies(low >= limit, z3.And(mean >= 0, mean * limit <= 1))


def carried(moved: Any, distance: Any) -> Any:
    """c and c' in region II, or at its ends: ln P with exact exponents changes by at most ε|c - c'|."""
    return moved <= distance


def across(loss: Any, g: Any, g_p: Any) -> Any:
    """One threshold, c and c' on its two sides: the loss is ln(2 - e**-g) + g'."""
    return loss <= g + g_p


def beyond(loss: Any, g: Any, g_p: Any) -> Any:
    """One threshold, c and c' beyond it: the loss is a difference of ln(1 - e**-g/2)."""
    return loss <= absolute(g - g_p)


def unshown(stated: Sequence[Statement]) -> Iterator[str]:
    """Facts that no statement shows: a function here that returns a formula, without a statement of its name."""
    shown = {one.name for one in stated}
    facts = {
        name.strip("_")
        for name, one in globals().items()
        if isfunction(one) and one.__module__ == __name__ and get_annotations(one).get("return") is Any
    }
    return (f"no statement shows {name}" for name in sorted(facts - shown))


def statements() -> list[Statement]:
    return [*_concave(), _tangent(), _trapezoid(), _limited(), _carried(), _across(), _beyond()]


class Derivative:
    """At w, if w > 0: the first derivative of f, minus the second, or the third. They are positive, as e**w - 1 ≥ w."""

    def __init__(self, order: int, w: Any) -> None:
        self.w, self.value, d = w, z3.Real(f"f{order}({w})"), z3.Real(f"exp({w})-1")
        self.fact = z3.Implies(w > 0, z3.And(d >= w, at(order, self.value, d)))

    @staticmethod
    def first(w: Any) -> Any:
        """N(w)."""
        return Derivative(1, w).value


def _falls(n: Derivative, later: Derivative) -> Any:
    """N falls."""
    return z3.Implies(z3.And(n.w > 0, n.w <= later.w), later.value <= n.value)


def _rises(a: Any, moved: Any, more: Any, rise: Any, other: Any) -> Any:
    """f rises: from a, by moved, it rises no more than by more."""
    return z3.Implies(z3.And(a > 0, moved <= more), rise <= other)


def _less(a: Any, b: Any, moved: Any, rise: Any, other: Any) -> Any:
    """f rises no more from b than from a."""
    return z3.Implies(z3.And(a > 0, a <= b, moved >= 0), other <= rise)


def _rule(n: Derivative, later: Derivative, rise: Any) -> Any:
    """The trapezoid rule, above the rise."""
    moved = later.w - n.w
    return z3.Implies(z3.And(n.w > 0, moved >= 0), rise <= moved * average(n.value, later.value))


def _concave() -> list[Statement]:
    """What the sign of one derivative says of the function before it."""
    a, b, moved, more, rise, other, mean = z3.Reals("a b moved more rise other mean")
    first, second, third = (Derivative(order, mean) for order in (1, 2, 3))
    at_a, at_b = Derivative(1, a), Derivative(1, b)
    rule, positive = (b - a) * average(at_a.value, at_b.value), z3.Implies(a > 0, mean > 0)
    twice = second.value * moved * (b - a)  # the mean value theorem for f(w + moved) - f(w), and once more
    falls, rises = _falls(at_a, at_b), _rises(a, moved, more, rise, other)
    less, above = _less(a, b, moved, rise, other), _rule(at_a, at_b, rise)
    fallen = at_b.value - at_a.value == -second.value * (b - a)
    return [
        Statement("falls", [fallen, positive, second.fact], falls, at_b.value <= at_a.value),
        Statement("rises", [other - rise == first.value * (more - moved), positive, first.fact], rises, rise <= other),
        Statement("less", [other - rise == -twice, positive, second.fact], less, other <= rise),
        Statement(
            "rule",
            [rise == rule - third.value * ((b - a) * (b - a) * (b - a)) / 12, positive, third.fact],
            above,
            rise <= rule,
        ),
    ]


def _tangent() -> Statement:
    low, start, moved, most, rise, mean = z3.Reals("low start moved most rise mean")
    at_mean, at_low = Derivative(1, mean), Derivative(1, low)
    facts = [rise == at_mean.value * moved, z3.Implies(moved >= 0, mean >= start), z3.Implies(start > 0, mean > 0)]
    facts += [_falls(at_low, at_mean), at_low.fact, at_mean.fact]
    return Statement("tangent", facts, tangent(rise, at_low.value, low, start, moved, most), rise <= 0)


def _trapezoid() -> Statement:
    """The rise is largest if w starts at `low` (f is concave) and moves by `most` (f is increasing)."""
    low, start, moved, apart, further, rise, from_low, whole = z3.Reals("low start moved apart further rise r0 r1")
    most = apart + further
    n_low, n_apart, n_most = (Derivative(1, w) for w in (low, low + apart, low + most))
    facts = [
        _rises(start, moved, z3.RealVal(0), rise, z3.RealVal(0)),
        _less(low, start, moved, from_low, rise),
        _rises(low, moved, most, from_low, whole),
        _rule(n_low, n_most, whole),
        _falls(n_apart, n_most),
        n_low.fact,
        n_apart.fact,
    ]
    mean = averaged(Derivative.first, low, apart)
    return Statement("trapezoid", facts, trapezoid(rise, mean, low, start, moved, apart, further), rise <= 0)


def _limited() -> Statement:
    """N(low)·(e**low - 1) = 1, and N falls."""
    low, apart = z3.Reals("low apart")
    n_low, n_apart = Derivative(1, low), Derivative(1, low + apart)
    facts = [apart >= 0, _falls(n_low, n_apart), n_low.fact, n_apart.fact]
    mean = averaged(Derivative.first, low, apart)
    return Statement("limited", facts, limited(mean, low), mean <= 1)


def _carried() -> Statement:
    """P = 1 - x/2 - y/2 with x = e**-α, y = e**-γ. Moving c changes α and γ by the same, in opposite directions."""
    x, y, slope, moved, distance = z3.Reals("x y slope moved distance")
    facts = [x > 0, x <= 1, y > 0, y <= 1, x + y < 2, distance >= 0, moved == slope * distance]
    facts += [z3.Or(slope * (2 - x - y) == x - y, slope * (2 - x - y) == y - x)]
    return Statement("carried", facts, carried(moved, distance), moved <= 0)


def _across() -> Statement:
    """ln(2 - e**-g) ≤ g, because 2 - 1/X ≤ X for X = e**g."""
    g, g_p, log, big, power = z3.Reals("g g' log X power")
    facts = [big >= 1, power * big == 2 * big - 1, z3.Implies(power <= big, log <= g)]
    return Statement("across", facts, across(log + g_p, g, g_p), log <= 0)


def _beyond() -> Statement:
    """The derivative 1/(2e**g - 1) of ln(1 - e**-g/2) is in (0, 1]."""
    g, g_p, slope, big = z3.Reals("g g' slope X")
    facts = [big >= 1, slope * (2 * big - 1) == 1]
    return Statement("beyond", facts, beyond(slope * (g - g_p), g, g_p), slope * (g - g_p) <= 0)
