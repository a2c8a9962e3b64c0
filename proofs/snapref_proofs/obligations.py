"""Importing this module registers every obligation of the package."""

from snapref_proofs import deciders
from snapref_proofs.accuracy import (
    accuracy_obligations,
    completion_obligations,
    error_obligations,
    planning_obligations,
)
from snapref_proofs.batch import obligations as batch_obligations
from snapref_proofs.budget import obligations as budget_obligations
from snapref_proofs.exact import law_obligations, small_obligations
from snapref_proofs.exact import obligations as exact_obligations
from snapref_proofs.figure2 import obligations as figure2_obligations
from snapref_proofs.ideal import obligations as dilation_obligations
from snapref_proofs.precision import obligations as precision_obligations
from snapref_proofs.theorem1 import edges as edge_obligations
from snapref_proofs.theorem1 import graph_obligation, instances_obligations, ties_obligations
from snapref_proofs.theorem1 import kernel as kernel_obligations
from snapref_proofs.theorem1 import obligations as theorem_obligations
from snapref_proofs.utility import obligations as utility_obligations

__all__ = [
    "accuracy_obligations",
    "batch_obligations",
    "budget_obligations",
    "completion_obligations",
    "deciders",
    "dilation_obligations",
    "edge_obligations",
    "error_obligations",
    "exact_obligations",
    "figure2_obligations",
    "graph_obligation",
    "instances_obligations",
    "kernel_obligations",
    "law_obligations",
    "planning_obligations",
    "precision_obligations",
    "small_obligations",
    "theorem_obligations",
    "ties_obligations",
    "utility_obligations",
]
