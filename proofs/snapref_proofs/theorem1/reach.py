"""How large B must be for a distance τ1' to occur: the lemma `reach` of Theorem 1 (004 §4); and `theorem.padding`.

These are linear inequalities. Two solvers decide them, and the proof on boxes (scenarios.py, interior.py) uses the same
functions. Lengths are in units of P, the power of two with P ≤ τ1' < 2P: a = τ1'/P, ℓ = Λ/P (ell), ξ = |x|/P (xi). η
stands for its largest value. g is half the gap between a threshold T and the float below it; g ≤ η|T|.
"""

from fractions import Fraction
from typing import Any

import z3

from snapref_smt.engine.statement import Statement, absolute

Number = Any  # a Fraction, an enclosure, or a z3 term


def anywhere(a: Number, ell: Number, eta: Number) -> Number:
    """A lower bound on B for every x: from |c'| ≤ B and |x| ≤ B."""
    return (a - ell * (1 + eta) / 2) / (2 + eta)


def at_zero(a: Number, ell: Number, eta: Number) -> Number:
    """A lower bound on B if x = 0."""
    return a - ell * (1 + eta) / 2


def opposite(a: Number, ell: Number, eta: Number, xi: Number) -> Number:
    """A lower bound on B if |x| = ξ; B ≥ ξ is another."""
    return a - (xi + ell / 2) * (1 + eta)


def same_side(a: Number, ell: Number, eta: Number, xi: Number) -> Number:
    """A lower bound on B if |x| = ξ and x lies between 0 and c'."""
    return a + xi * (1 - eta) - ell * (1 + eta) / 2


def beyond(a: Number, ell: Number, eta: Number, limit: Number) -> Number:
    """A lower bound on B if |c'| ≤ limit."""
    return (a - limit - ell * (1 + eta) / 2) / (1 + eta)


def statements(largest_eta: Fraction) -> list[Statement]:
    """Each of the functions above is a lower bound on B."""
    a, ell, bound, c, x, g, limit, xi = z3.Reals("a ell B c x g limit xi")
    eta = z3.RealVal(str(largest_eta))
    facts = [bound > 0, ell > 0, absolute(c) <= bound, absolute(x) <= bound, g >= 0, a <= absolute(c - x) + ell / 2 + g]
    facts += [g <= eta * (absolute(x) + ell / 2), xi >= 0]
    outside = z3.Or(z3.And(c >= x, x >= 0), z3.And(c <= x, x <= 0))
    power = [*facts, absolute(x) == xi]
    within = [*facts, absolute(x) <= xi]
    zero = at_zero(a, ell, eta)
    return [
        Statement("anywhere", facts, bound >= anywhere(a, ell, eta), bound >= a / 2),
        Statement("x = 0", [*facts, x == 0], bound >= zero, bound >= a),
        Statement("opposite", power, z3.And(bound >= xi, bound >= opposite(a, ell, eta, xi)), bound >= a / 2 + xi),
        Statement("|x| ≤ ξ", within, bound >= opposite(a, ell, eta, xi), bound >= a / 2 + xi),
        Statement("same side", [*power, outside], bound >= same_side(a, ell, eta, xi), bound >= a + xi),
        Statement("beyond", [*facts, absolute(c) <= limit], bound >= beyond(a, ell, eta, limit), bound >= a - limit),
    ]


def padding() -> list[Statement]:
    """If Δ' is Δ rounded up to a multiple of the spacing 2ηP at 2B, where P ≤ 2B < 2P, Δ' + C·Bη < Δ + (C + 4)·Bη.

    ηP and ηB are variables of their own; the hypothesis ηP ≤ 2ηB is what η > 0 makes of P ≤ 2B.
    """
    eta_power, eta_bound, sensitivity, padded, rest = z3.Reals("etaP etaB Delta Delta' rest")
    hypotheses = [eta_power > 0, eta_power <= 2 * eta_bound, rest == 12 * eta_bound]
    hypotheses += [sensitivity > 0, padded >= sensitivity, padded < sensitivity + 2 * eta_power]
    conclusion = padded + rest < sensitivity + 16 * eta_bound
    return [Statement("4Bη", hypotheses, conclusion, padded + rest < sensitivity + 15 * eta_bound)]
