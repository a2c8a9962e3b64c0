"""What Theorem 1 says (004 §4), as it is proved here.

For all p-bit numbers c and c' in [-B, B] with |c - c'| ≤ Δ, and every output x, under the conditions below,

    |ln P(x|c)/P(x|c')|  ≤  Δ/λ + C·B·η/λ + 2η,        η = 2**-p.

P(x|c) is the probability of the output x from the clamped value c. All modules of this folder use the notation ε = 1/λ,
κ = εΛ in [1, 2), b = Bε ≥ 1 and β = Bεη.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Regime:
    """A constant C and the conditions under which it is proved."""

    constant: int | Fraction  # a fraction only where a constant that is too small is tried
    min_precision: int
    max_beta: Fraction  # of β = B·η/λ

    @property
    def eta(self) -> Fraction:
        """The largest η = 2**-p."""
        return Fraction(1, 2**self.min_precision)


EIGHTEEN = Regime(18, 11, Fraction(1, 2**7))  # for every Δ; the others need the condition on Δ below
TWELVE = Regime(12, 11, Fraction(1, 2**7))
ELEVEN = Regime(11, 24, Fraction(1, 2**13))
REGIMES = {12: TWELVE, 11: ELEVEN}

CONDITIONS = (
    ("numbers", "λ, B and the values f(D) are p-bit numbers; f(D) rounded to p bits first could differ by more than Δ"),
    ("arithmetic", "⊕, ⊗ and LN round to nearest (ties to even) at p bits, with exponents without limit"),
    ("uniform", "U* has p bits and exponents without limit: P(U* < t) = t for every p-bit t in (0, 1]"),
    ("inner clamp", "f(D) is clamped to [-B, B] before the noise is added"),
    ("bound against scale", "λ ≤ B"),
    ("bound against precision", "B·η/λ ≤ 2**-7 (for C = 12), ≤ 2**-13 (for C = 11)"),
    ("precision", "p ≥ 11 (for C = 12), p ≥ 24 (for C = 11)"),
    ("sensitivity", "Δ is a power of two, or a multiple of the spacing of p-bit numbers at 2B"),
    ("ties", "round_Λ sends (k + 1/2)Λ up; Λ is the smallest power of two that is at least λ"),
)
