"""Importing this module registers every obligation of the package."""

from snapref_proofs import (
    budget_obligations,
    dilation_obligations,
    exact_obligations,
    figure2_obligations,
    law_obligations,
    planning_obligations,
    precision_obligations,
    small_obligations,
    utility_obligations,
)
from snapref_proofs.accuracy import accuracy_obligations, completion_obligations, error_obligations
from snapref_proofs.batch import obligations as batch_obligations
from snapref_proofs.theorem import obligations as theorem_obligations

__all__ = [
    "accuracy_obligations",
    "batch_obligations",
    "budget_obligations",
    "completion_obligations",
    "dilation_obligations",
    "error_obligations",
    "exact_obligations",
    "figure2_obligations",
    "law_obligations",
    "planning_obligations",
    "precision_obligations",
    "small_obligations",
    "theorem_obligations",
    "utility_obligations",
]
