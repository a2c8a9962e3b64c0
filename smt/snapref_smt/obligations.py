"""Importing this module registers every SMT obligation."""

from snapref_smt import (
    any_precision,
    budget,
    clamp,
    draw,
    figure2_rules,
    formats,
    fp_laws,
    interface,
    kinds,
    lattice,
    logarithm,
    means,
    pipeline,
    release,
    rounding,
    spec_obligations,
    two_sum,
)
from snapref_smt.printed import obligations as printed_obligations

__all__ = [
    "any_precision",
    "budget",
    "clamp",
    "draw",
    "figure2_rules",
    "formats",
    "fp_laws",
    "interface",
    "kinds",
    "lattice",
    "logarithm",
    "means",
    "pipeline",
    "printed_obligations",
    "release",
    "rounding",
    "spec_obligations",
    "two_sum",
]
