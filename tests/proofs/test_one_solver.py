"""With one solver alone nothing is proved, whatever the folder."""

import pytest

from snapref_harness.cli.registry import load_obligations
from snapref_ledger import Run

OBLIGATIONS = {obligation.id: obligation for obligation in load_obligations()}


@pytest.mark.parametrize(
    "id",
    [
        "proofs.figure1.rules",
        "proofs.figure2.sets.signs",
        "proofs.figure2.end",
        "proofs.figure2.cases",
        "proofs.batch.two-sum",
        "proofs.budget.positive",
        "proofs.precision.log118.rule",
        "proofs.utility.outer",
        "theorem.offsets",
    ],
)
def test_one_solver_alone_proves_nothing(id: str) -> None:
    outcome = OBLIGATIONS[id].check(Run(solvers=("z3",)))
    assert outcome.status == "undecided"
    assert "two different solvers must say unsat" in outcome.detail
