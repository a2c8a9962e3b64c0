"""How large B must be for a distance τ1' to occur: lower bounds on B, as formulas (Theorem 1, 004 §4).

The tables of the proof use them (scenarios.py, interior.py), and `coverage` shows that B is as large as the row of a
configuration says. Lengths are in units of P, the power of two with P ≤ τ1' < 2P: a = τ1'/P, ℓ = Λ/P (ell), ξ = |x|/P
(xi). η stands for its largest value.
"""

from collections.abc import Iterable
from typing import Any

Number = Any  # a Fraction, an enclosure, or a z3 term


def reached(rooms: Iterable[Number], bound: Number) -> list[Number]:
    """B is at least as large as the bounds below say."""
    return [room <= bound for room in rooms]


def spare(first: Number, second: Number, bound: Number) -> Number:
    """At least 0: two distances that together are at most 2B."""
    return 2 * bound - first - second


def anywhere(a: Number, ell: Number, eta: Number) -> Number:
    """A lower bound on B for every x: from |c'| ≤ B and |x| ≤ B."""
    return (a - ell * (1 + eta) / 2) / (2 + eta)


def at_zero(a: Number, ell: Number, eta: Number) -> Number:
    """A lower bound on B if x = 0."""
    return a - ell * (1 + eta) / 2


def opposite(a: Number, ell: Number, eta: Number, xi: Number) -> Number:
    """A lower bound on B if |x| = ξ; B ≥ ξ is another."""
    return a - (xi + ell / 2) * (1 + eta)


def beyond(a: Number, ell: Number, eta: Number, limit: Number) -> Number:
    """A lower bound on B if |c'| ≤ limit."""
    return (a - limit - ell * (1 + eta) / 2) / (1 + eta)
