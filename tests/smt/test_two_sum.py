"""What a rounded sum loses: the theorem needs its hypothesis."""

from dataclasses import replace

from snapref_ledger import Run
from snapref_smt.two_sum import fast_two_sum


def test_the_order_of_the_numbers_matters() -> None:
    theorem = fast_two_sum()
    outcome = prove(replace(theorem, hypotheses=theorem.hypotheses[:-1]), Run(timeout=60.0))
    assert outcome.status == "undecided"
    assert "a counterexample" in outcome.detail
