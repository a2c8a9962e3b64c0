"""What rounding to nested grids can add, as formulas in the spacings. grid.py proves them with solvers, term by term
the same functions that interior.py then evaluates in numbers.

τ2 < τ1 are the distances from c to the near and the far end of an output's interval, τ2' and τ1' those from c'; h2, h1,
h2', H the spacings of floats there; D2 and D1 how far the rounded distances V are apart between c and c'; τ1 = τ2 + Λ +
δ.
"""

from typing import Any

Number = Any  # a Fraction, or a z3 term


def near_gain(h2: Number, h2p: Number) -> Number:
    """D2 - Δ, where Δ is a multiple of every spacing."""
    return (h2p - h2) / 2


def apart_aligned(h2: Number, h1: Number, h2p: Number, top: Number) -> Number:
    """|D2 - D1| where δ = 0, or where δ moves nothing into another cell."""
    return (h1 - h2 + top - h2p) / 2


def apart_wider(h2: Number, h1: Number, h2p: Number, top: Number, extra: Number) -> Number:
    """D2 - D1 where δ ≥ 0; extra is 0 if δ ≤ h2, and δ otherwise."""
    return (top - h2p) / 2 + (h1 + h2) / 2 + extra


def apart_narrower(h2: Number, h1: Number, h2p: Number, top: Number, extra: Number) -> Number:
    """D2 - D1 where δ ≤ 0; extra is 0 if |δ| ≤ h2', and |δ| otherwise."""
    return (h1 - h2) / 2 + (top + h2p) / 2 + extra


def apart_any(h2: Number, h1: Number, h2p: Number, top: Number) -> Number:
    """D2 - D1, always."""
    return (h1 + h2 + top + h2p) / 2


def width_aligned(h2p: Number, top: Number) -> Number:
    """V1' - V2' - Λ from below, where δ ≥ 0 or moves nothing."""
    return -(top - h2p) / 2


def width_any(h2p: Number, top: Number, delta: Number) -> Number:
    """V1' - V2' - Λ from below, always; delta is |δ|."""
    return -(top + h2p) / 2 - delta
