"""A claim that is changed (an inequality flipped, a condition dropped, a term forgotten) loses its verdict.

A handful is changed where the machine reads it and judged anew; all are judged without the words that their verdict
needs, and with one piece of evidence that surprises.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import z3

from snapref_harness.cli.registry import load_obligations
from snapref_ledger import REGISTRY, Outcome, Run
from snapref_ledger.claims import load_claims
from snapref_ledger.verdicts import Evidence, Verdict, judge
from snapref_proofs.accuracy import statements
from snapref_proofs.budget import obligations as budget_obligations
from snapref_proofs.ideal import statements as dilation_statements
from snapref_proofs.utility import obligations as utility_obligations
from snapref_smt import spec_obligations as specification

OBLIGATIONS = load_obligations()
CLAIMS = load_claims()


def verdict(claim: str, obligations: str) -> Verdict:
    """What the obligations whose id starts so decide about the claim when they run, here and now, without a cache."""
    evidence = [
        Evidence(view, view.check(Run()))
        for obligation in REGISTRY.values()
        for view in obligation.views
        if view.claim == claim and view.id.startswith(obligations) and not view.thorough
    ]
    return judge(CLAIMS[claim], evidence)


def without_minimality(scale: Any, lattice: Any) -> tuple[Any, ...]:
    """Λ ≥ λ, and nothing that says that it is the smallest such power of two."""
    return scale > 0, lattice > 0, lattice >= scale


def ties_down(w: Any) -> Any:
    return -z3.ToInt(-w + dilation_statements.HALF)


UNCLAMPED = statements.absolute(statements.f - statements.n)  # the error without the outer clamp
CHANGES: list[tuple[str, str, str, object, str, object]] = [
    # claim, its verdict, its obligations, where, what, by what
    (
        "N1-6-PL",
        "conditional",
        "proofs.accuracy.minus_b",
        statements,
        "multiple",
        [statements.last >= statements.bound],
    ),
    ("N-6-max", "true", "proofs.accuracy.largest", statements, "error", UNCLAMPED),
    ("N2-GA2-2B", "true", "proofs.accuracy.cap", statements, "error", UNCLAMPED),
    ("N-6-PLplus", "true", "proofs.accuracy.p_l_plus", statements, "lattice", [statements.ratio >= 1]),
    (
        "N-5-mono",
        "true",
        "proofs.budget.monotone",
        budget_obligations,
        "inner",
        lambda e, b, h: (e - 2 * h) * (1 + 12 * b * h),
    ),
    (
        "N-5-pos",
        "true",
        "proofs.budget.positive",
        budget_obligations,
        "inner",
        lambda e, b, h: (e - h) / (1 + 12 * b * h),
    ),
    ("V-P1-S", "false", "proofs.dilation.inverse", dilation_statements, "rounded", ties_down),
    (
        "U-util",
        "true",
        "proofs.utility.absolute",
        utility_obligations,
        "ABSOLUTE",
        (utility_obligations.ABSOLUTE[0], 1),
    ),
    ("U-2.2b", "true", "smt.reals.lattice", specification, "_lattice_of", without_minimality),
]


@pytest.mark.parametrize(("claim", "before", "ids", "where", "name", "changed"), CHANGES, ids=[c[0] for c in CHANGES])
def test_a_changed_claim_loses_its_verdict(
    claim: str,
    before: str,
    ids: str,
    where: object,
    name: str,
    changed: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert verdict(claim, ids) == before
    monkeypatch.setattr(where, name, changed)
    assert verdict(claim, ids) == "open"


def test_every_verdict_needs_its_words_and_all_of_its_evidence() -> None:
    evidence: dict[str, list[Evidence]] = {id: [] for id in CLAIMS}
    for obligation in OBLIGATIONS:
        for view in obligation.views:
            if not view.thorough:
                evidence[view.claim].append(Evidence(view, Outcome(view.expected)))
    for id, claim in CLAIMS.items():
        found = judge(claim, evidence[id])
        if found == "conditional":
            assert judge(replace(claim, condition=""), evidence[id]) != "conditional", id
        if found == "false":
            assert judge(replace(claim, corrected=""), evidence[id]) == "open", id
        if found != "open":
            for piece in evidence[id]:
                surprise = Outcome("proved" if piece.obligation.expected == "refuted" else "refuted")
                others = [other for other in evidence[id] if other is not piece]
                assert judge(claim, [*others, Evidence(piece.obligation, surprise)]) == "open", (
                    id,
                    piece.obligation.id,
                )
