"""What Theorem 1 says (004 §4), as it is proved here.

For all p-bit numbers c and c' in [-B, B] with |c - c'| ≤ Δ, and every output x, under the conditions below,

    |ln P(x|c)/P(x|c')|  ≤  Δ/λ + C·B·η/λ + 2η,        η = 2**-p.

P(x|c) is the probability of the output x from the clamped value c. All modules of this folder use the notation ε = 1/λ,
κ = εΛ in [1, 2), b = Bε ≥ 1 and β = Bεη.
"""

from collections.abc import Callable
from dataclasses import replace

from snapref.budget import PROVED, Regime

__all__ = ["CONDITIONS", "EIGHTEEN", "ELEVEN", "REGIMES", "TWELVE", "Regime"]

# The constants and their conditions are those that the reference uses (snapref.budget): what it relies on is proved.
REGIMES = {regime.constant: regime for regime in PROVED}
TWELVE, ELEVEN = PROVED
EIGHTEEN = replace(TWELVE, constant=18)  # for every Δ; the others need the condition on Δ below


def _each(text: Callable[[Regime], str]) -> str:
    """One text for each constant: p ≥ 11 (for C = 12), …"""
    return ", ".join(f"{text(regime)} (for C = {regime.constant})" for regime in PROVED)


CONDITIONS = (
    ("numbers", "λ, B and the values f(D) are p-bit numbers; f(D) rounded to p bits first could differ by more than Δ"),
    ("arithmetic", "⊕, ⊗ and LN round to nearest (ties to even) at p bits, with exponents without limit"),
    ("uniform", "U* has p bits and exponents without limit: P(U* < t) = t for every p-bit t in (0, 1]"),
    ("inner clamp", "f(D) is clamped to [-B, B] before the noise is added"),
    ("bound against scale", "λ ≤ B"),
    ("bound against precision", f"B·η/λ {_each(lambda regime: f'≤ {regime.most}')}"),
    ("precision", _each(lambda regime: f"p ≥ {regime.min_precision}")),
    ("sensitivity", "Δ is a power of two, or a multiple of the spacing of p-bit numbers at 2B"),
    ("ties", "round_Λ sends (k + 1/2)Λ up; Λ is the smallest power of two that is at least λ"),
)
