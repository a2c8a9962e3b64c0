"""Verdicts: what the obligations that ran say about a claim. Nothing here is typed in by hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from snapref_ledger.claims import Claim
from snapref_ledger.obligations import KINDS, Obligation, Outcome, Status

Verdict = Literal["true", "conditional", "false", "open"]
DECIDING = frozenset(KINDS) - {"sampled"}


@dataclass(frozen=True)
class Evidence:
    """An obligation together with what came out when it ran."""

    obligation: Obligation
    outcome: Outcome

    @property
    def status(self) -> Status:
        return self.outcome.status

    @property
    def passed(self) -> bool:
        return self.obligation.passes(self.outcome)

    @property
    def decides(self) -> bool:
        return self.obligation.decides and self.obligation.kind in DECIDING


def judge(claim: Claim, evidence: Iterable[Evidence]) -> Verdict:
    """true: the printed sentence is proved. conditional: refuted as printed, proved inside its condition.
    false: refuted as printed, a correction proved. open: anything less, and whatever did not come out as expected."""
    pieces = list(evidence)
    if any(not piece.passed for piece in pieces):
        return "open"
    deciding = [piece for piece in pieces if piece.decides]
    refuted = any(p.obligation.part == "printed" and p.status == "refuted" for p in deciding)
    proved = {p.obligation.part for p in deciding if p.status == "proved"}
    if refuted and "conditional" in proved and claim.condition:
        return "conditional"
    if refuted and "corrected" in proved and claim.corrected:
        return "false"
    if not refuted and "printed" in proved and not claim.missing:
        return "true"
    return "open"
