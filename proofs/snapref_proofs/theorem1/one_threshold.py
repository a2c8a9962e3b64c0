"""The outputs x = ±B: one threshold (004 §4, cases A and G). 10.01 in place of 12, for every Δ.

T = ∓(K - 1/2)Λ with (K-1)Λ < B ≤ KΛ. Seen from c and c' on the side of 0: P = q/2, and the loss g' - g is at most
ε(D - Δ) + Y + Y' + εΔ + 2η one way, Y + Y' + 2η the other way; D - Δ ≤ D - d ≤ (h + h')/2. With c and c' on the two
sides of t*, or both beyond it (calculus.inequalities), the loss is at most g + g', or |g - g'|, of distances that are
together at most 2B.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from snapref_proofs.evaluate.boxes import Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine
from snapref_proofs.theorem1 import reach
from snapref_proofs.theorem1.interior import Box, Numbers
from snapref_proofs.theorem1.scenarios import DEEP, TOP, highest, spacings
from snapref_proofs.theorem1.statement import Regime


@dataclass(frozen=True)
class End:
    """Unit P = 2**E ≤ τ' < 2P as in scenarios.py; the binade of τ below it; the number K of lattice steps up to B."""

    steps: Literal["K = 1", "K ≥ 2", "Λ ≥ 4P"]
    binade: int

    def __str__(self) -> str:
        return f"x = ±B, {self.steps}, binade -{self.binade}"

    def room(self, n: Numbers, a: Enclosure, ell: Enclosure, eta: Enclosure) -> Enclosure:
        """B is at least this."""
        if self.steps == "K = 1":
            return n.greatest(reach.at_zero(a, ell, eta), ell / 2)
        if self.steps == "K ≥ 2":
            return n.greatest(reach.anywhere(a, ell, eta), ell)
        return n(2)  # B ≥ λ > Λ/2

    def near(self, n: Numbers, a: Enclosure) -> Enclosure:
        """The largest τ."""
        return n.least(a, n(highest(self.binade)))


def ends() -> Iterator[End]:
    steps: tuple[Literal["K = 1", "K ≥ 2", "Λ ≥ 4P"], ...] = ("K = 1", "K ≥ 2", "Λ ≥ 4P")
    for step, binade in product(steps, range(DEEP + 1)):
        yield End(step, binade)


def box_of(end: End) -> Box:
    return {"a": (Fraction(1), Fraction(2)), "ell": (Fraction(0), Fraction(4))}


def excess(end: End, regime: Regime) -> Quantity:
    """(loss - εΔ - 2η)/(ηεP) - C·B/P where c and c' are on the side of 0."""
    gain = (TOP + max(spacings(end.binade))) / 2

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = Numbers(engine)
        a, ell, eta = v["a"], v["ell"], n(regime.eta)
        room, near = end.room(n, a, ell, eta), end.near(n, a)
        return n(gain) + (a + near) * (1 + eta) - n(regime.constant) * room

    return quantity


def two_sides(regime: Regime) -> Fraction:
    """The constant where t* lies between c and c', or beyond both: (τ + τ')(2η + η²) with τ + τ' ≤ 2B."""
    return 2 * (2 + regime.eta)
