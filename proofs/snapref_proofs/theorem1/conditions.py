"""The conditions of Theorem 1 (004 §4), in words: what `snapref theorem` and the dossier print."""

from collections.abc import Callable

from snapref.budget import PROVED, Regime


def _each(text: Callable[[Regime], str]) -> str:
    """One text for each constant: p ≥ 11 (for C = 12), …"""
    return ", ".join(f"{text(regime)} (for C = {float(regime.constant):.6g})" for regime in PROVED)


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
