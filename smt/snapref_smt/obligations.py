"""Importing this module registers every SMT obligation."""

from snapref_smt import (
    clamping,
    figure2_rules,
    fp_laws,
    pipeline,
    printed_formulas,
    rounding,
    scales,
    specification,
    two_sum,
)

__all__ = [
    "clamping",
    "figure2_rules",
    "fp_laws",
    "pipeline",
    "printed_formulas",
    "rounding",
    "scales",
    "specification",
    "two_sum",
]
