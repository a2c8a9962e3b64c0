"""Importing this module registers every obligation of the package."""

from snapref_proofs import exact_obligations, figure2_obligations, law_obligations, small_obligations
from snapref_proofs.theorem import obligations as theorem_obligations

__all__ = ["exact_obligations", "figure2_obligations", "law_obligations", "small_obligations", "theorem_obligations"]
