"""What Theorem 1 says (004 §4), as it is proved here.

For all p-bit numbers c and c' in [-B, B] with |c - c'| ≤ Δ, and every output x, under the conditions of conditions.py,

    |ln P(x|c)/P(x|c')|  ≤  Δ/λ + C·B·η/λ + 2η,        η = 2**-p.

P(x|c) is the probability of the output x from the clamped value c. All modules of this folder use the notation ε = 1/λ,
κ = εΛ in [1, 2), b = Bε ≥ 1 and β = Bεη.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from snapref import budget
from snapref_proofs.evaluate.parameters import Ties

PROVED = budget.PROVED
OFFSETS: dict[Ties, Fraction] = {"up": Fraction(1), "even": Fraction(2)}


@dataclass(frozen=True)
class Regime(budget.Regime):
    """What is proved: C(β) = constant + slope·β, under the conditions. With slope 0 it is one constant for all β."""

    slope: int = 0
    ties: Ties = "up"  # the rule of round_Λ

    @property
    def offset(self) -> Fraction:
        """The interval of an output has the length Λ + δ with |δ| ≤ offset·η·B, and ≤ offset·η·P if |x| ≤ P."""
        return OFFSETS[self.ties]

    @property
    def slack(self) -> Fraction:
        """The largest |δ| in units of P, where |x| ≤ P."""
        return self.offset * self.eta

    def at(self, beta: Any) -> Any:
        """C(β), for a number or a solver term."""
        return self.constant + self.slope * beta

    def limit(self, sensitivity: Any, bound: Any, eta: Any, beta: Any = 0) -> Any:
        """The bound of the theorem on the loss, in any unit: εΔ, Bεη and η are given in it. By default it is C(0)."""
        return sensitivity + self.at(beta) * bound + 2 * eta

    def implies(self, row: budget.Regime) -> bool:
        """Whether the row, a constant that the reference uses, follows: its conditions are stronger, and C(β) ≤ C."""
        stronger = row.min_precision >= self.min_precision and row.max_beta <= self.max_beta
        return stronger and bool(self.at(row.max_beta) <= row.constant)

    def __str__(self) -> str:
        return f"{float(self.constant):.6g}" + (f" + {self.slope}·B·η/λ" if self.slope else "")


# The documents' constant. It has no condition on p of its own: λ ≤ B and B·η/λ ≤ 2**-7 make p ≥ 7.
TWELVE = Regime(12, min_precision=7, max_beta=Fraction(1, 2**7))
SHARP = Regime(Fraction(10984, 1000), min_precision=18, max_beta=Fraction(1, 2**7), slope=64)
EVERY = Regime(Fraction(1242, 100), min_precision=11, max_beta=Fraction(1, 2**7), slope=32)  # for every Δ
EVEN = replace(SHARP, constant=Fraction(11984, 1000), ties="even")  # if round_Λ has ties to even
EIGHTEEN = replace(EVERY, constant=18, slope=0)  # for every Δ, if all errors were independent
REGIMES = {12: TWELVE, 11: SHARP}  # where Δ meets its condition; by the next whole number


def unproved(rows: Iterable[budget.Regime]) -> Iterator[str]:
    """Rows of the reference's table (snapref.budget) that follow from nothing that is proved. There should be none."""
    for row in rows:
        if not any(regime.implies(row) for regime in REGIMES.values()):
            yield f"C = {row.constant} for p ≥ {row.min_precision} and B·η/λ ≤ {row.most}"
