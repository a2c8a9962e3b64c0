"""Importing this module registers every SMT obligation."""

from snapref_smt import budget, clamp, figure2_rules, fp_laws, lattice, pipeline, rounding, spec_obligations, two_sum
from snapref_smt.printed import obligations as printed_obligations

__all__ = [
    "budget",
    "clamp",
    "figure2_rules",
    "fp_laws",
    "lattice",
    "pipeline",
    "printed_obligations",
    "rounding",
    "spec_obligations",
    "two_sum",
]
