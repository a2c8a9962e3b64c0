"""The constant 18, which the reasoning of Figure 2 proves: every error is taken as independent of every other (004 §4).

Each exponent g = -ln P(Z ≥ τ) lies between ετ - η(2+η)ετ - 2η and ετ + η(2+η)ετ. Where rounded distances lie is not
used, so this is true for every sensitivity Δ, whether it is a multiple of a spacing or not. With the same cases as in
interior.py it gives 18 in place of 12.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from snapref_proofs.evaluate.boxes import Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine
from snapref_proofs.theorem1 import reach
from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.interior import Box, numbers
from snapref_proofs.theorem1.statement import Regime


@dataclass(frozen=True)
class Case:
    """An interior output with c and c' on one side of it; `at_zero` means x = 0. It serves both ratios.

    The unit P is τ1' itself here, and ℓ = Λ/τ1'.
    """

    at_zero: bool

    def __str__(self) -> str:
        return f"independent, {'x = 0' if self.at_zero else 'x ≠ 0'}"

    def rooms(self, a: Any, ell: Any, eta: Any) -> list[Any]:
        """Lower bounds on B."""
        return [reach.at_zero(a, ell, eta)] if self.at_zero else [reach.anywhere(a, ell, eta), ell]


def cases() -> Iterator[Case]:
    yield from (Case(True), Case(False))


def box_of(case: Case, regime: Regime) -> Box:
    one, zero = Fraction(1), Fraction(0)
    longest = 1 / (1 - regime.max_beta)  # τ1' ≥ Λ + δ, |δ| ≤ 3ηB/4 ≤ 3βΛ/4
    return {"kappa": (one, Fraction(2)), "a": (one, one), "ell": (zero, longest), "t": (zero, one)}


def boxes(regime: Regime) -> list[Box]:
    return [box_of(case, regime) for case in cases()]


def excess(case: Case, regime: Regime) -> Quantity:
    """(loss - εΔ - 2η)/(ηεP) - C·B/P, where `offset` is what the offset |δ| ≤ 3ηB/4 adds."""

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = numbers(engine)
        kappa, a, ell, t = v["kappa"], v["a"], v["ell"], v["t"]
        eta, twice = n(regime.eta), n(2 + regime.eta)
        scale = ell / kappa  # λ/P
        room = n.greatest(scale, *case.rooms(a, ell, eta))
        s = n.step(t, room, kappa, ell, regime)
        near = n.greatest(a - ell, n(0))
        rest = 4 * scale
        low = kappa - s * twice * (a + near) - s * rest / 2 - n(2 * regime.max_beta)
        apart = 2 * twice * (a + near) + rest
        slope = n.slope(low, apart, s)
        offset = 2 * twice * (1 + slope) * eta * room
        total = 2 * twice * near + slope * apart + offset - n(regime.constant) * room
        return n.greatest(total, n(LOW) - low)

    return quantity
