"""The outputs x = ±B of Theorem 1 (004 §4, cases A and G): lemma `ends`. The constant is 10.01, for every Δ.

These outputs have one threshold, T = ∓(K - 1/2)Λ with (K-1)Λ < B ≤ KΛ. t* is where ⊕ starts to reach T; τ and τ' are
the distances from c and c' to t*, h and h' the spacings of floats there, g and g' the exponents -ln P(Z ≥ τ), Y and Y'
the bounds on the error of LN, and D = V' - V for the rounded distances (notes/theorem1.md, sections 2 and 3).

If c and c' are on the side of 0, P = q/2. Then the loss g' - g is at most ε(D - Δ) + Y + Y' + εΔ + 2η in one direction,
with D - Δ ≤ (h + h')/2, and at most Y + Y' + 2η in the other. If t* lies between c and c', the loss is at most g + g'.
If both are beyond t*, it is at most |g - g'| (slopes.py). In these two situations τ + τ' ≤ 2B, and the errors (τ +
τ')(2η + η²) add at most 4.01·Bεη (joined.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from snapref_proofs.evaluate.boxes import Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import reach
from snapref_proofs.theorem1.interior import Box, Numbers, numbers
from snapref_proofs.theorem1.scenarios import TOP
from snapref_proofs.theorem1.statement import Regime


@dataclass(frozen=True)
class End:
    """One part of the case. Lengths are in units of P = 2**E with P ≤ τ' < 2P, as in scenarios.py.

    `steps` says how many lattice steps K there are up to B.
    """

    steps: Literal["K = 1", "K ≥ 2", "Λ ≥ 4P"]

    def __str__(self) -> str:
        return f"x = ±B, {self.steps}"

    def room(self, n: Numbers, a: Enclosure, ell: Enclosure, eta: Enclosure) -> Enclosure:
        """A lower bound on B."""
        if self.steps == "K = 1":
            return n.greatest(reach.at_zero(a, ell, eta), ell / 2)
        if self.steps == "K ≥ 2":
            return n.greatest(reach.anywhere(a, ell, eta), ell)
        return n(2)  # B ≥ λ > Λ/2

    def applies(self, n: Numbers, distances: tuple[Any, Any], a: Any, ell: Any, bound: Any, eta: Any) -> list[Any]:
        """What `coverage` shows and `joined` takes: τ ≤ τ' ≤ a, and how large B is."""
        near, far = distances
        return [near <= far, far <= a, *reach.reached([self.room(n, a, ell, eta)], bound)]


def moved(more: Any, h: Any, h_p: Any) -> list[Any]:
    """|D - d| ≤ (h + h')/2, from |V - τ| ≤ h/2."""
    return [2 * more <= h + h_p, -2 * more <= h + h_p]


def ends() -> tuple[End, ...]:
    return End("K = 1"), End("K ≥ 2"), End("Λ ≥ 4P")


def box_of(end: End) -> Box:
    return {"a": (Fraction(1), Fraction(2)), "ell": (Fraction(0), Fraction(4))}


def excess(end: End, regime: Regime) -> Quantity:
    """(loss - εΔ - 2η)/(ηεP) - C·B/P, if c and c' are both on the side of 0. τ ≤ τ' = a and h ≤ h' ≤ TOP."""

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = numbers(engine)
        a, ell, eta = v["a"], v["ell"], n(regime.eta)
        return n(TOP) + 2 * a * (1 + eta) - n(regime.constant) * end.room(n, a, ell, eta)

    return quantity


def inequalities(regime: Regime) -> Iterator[Inequality]:
    """What is optimised."""
    for end in ends():
        yield Inequality(str(end), excess(end, regime), box_of(end))
