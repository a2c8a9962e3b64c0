"""Bounds on what rounding adds to differences of distances, as formulas in the spacings (Theorem 1, lemma `cells`).

The solvers prove these functions (grid.py), and the proof on boxes evaluates the same functions (scenarios.py).

τ2 < τ1 are the distances from c to the near and the far threshold of an output, and τ2' < τ1' those from c'. h2, h1,
h2' and H are the spacings of floats at these four distances. V stands for a rounded distance; D2 is V2' - V2, and D1 is
V1' - V1. The offset δ is defined by τ1 = τ2 + Λ + δ.
"""

from typing import Any

Number = Any  # a Fraction, or a z3 term


def near_gain(h2: Number, h2p: Number) -> Number:
    """An upper bound on D2 - Δ, if Δ is a multiple of every spacing."""
    return (h2p - h2) / 2


def far_most(sensitivity: Number, h1: Number, top: Number, coarse: bool) -> Number:
    """An upper bound on D1: Δ is smaller than H (coarse), or a multiple of every spacing."""
    return top if coarse else sensitivity + near_gain(h1, top)


def gain_any(h2: Number, h2p: Number, extra: Number) -> Number:
    """An upper bound on D2 - |c - c'|; extra is h2 less the grain of c and c', if that is positive (every.py)."""
    return (h2p - h2) / 2 + extra


def apart_aligned(h2: Number, h1: Number, h2p: Number, top: Number) -> Number:
    """An upper bound on |D2 - D1|, if δ = 0 or δ is too small to push a distance across a cell boundary."""
    return (h1 - h2 + top - h2p) / 2


def apart_wider(h2: Number, h1: Number, h2p: Number, top: Number, extra: Number) -> Number:
    """An upper bound on D2 - D1, if δ ≥ 0; extra is 0 if δ ≤ h2, and δ otherwise."""
    return (top - h2p) / 2 + (h1 + h2) / 2 + extra


def apart_narrower(h2: Number, h1: Number, h2p: Number, top: Number, extra: Number) -> Number:
    """An upper bound on D2 - D1, if δ ≤ 0; extra is 0 if |δ| ≤ h2', and |δ| otherwise."""
    return (h1 - h2) / 2 + (top + h2p) / 2 + extra


def apart_any(h2: Number, h1: Number, h2p: Number, top: Number) -> Number:
    """An upper bound on D2 - D1 for every δ."""
    return (h1 + h2 + top + h2p) / 2


def width_aligned(h2p: Number, top: Number) -> Number:
    """A lower bound on V1' - V2' - Λ, if δ ≥ 0 or δ is too small to push a distance across a cell boundary."""
    return -(top - h2p) / 2


def width_narrower(h2p: Number, top: Number) -> Number:
    """A lower bound on V1' - V2' - Λ, if -H < δ ≤ 0: τ2' + δ is at most one cell of width H below τ2'."""
    return -(3 * top - h2p) / 2


def width_any(h2p: Number, top: Number, delta: Number) -> Number:
    """A lower bound on V1' - V2' - Λ for every δ; delta is |δ|."""
    return -(top + h2p) / 2 - delta
