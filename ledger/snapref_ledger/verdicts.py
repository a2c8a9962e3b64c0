"""Verdicts: the rule by which the outcomes of obligations decide a claim. No verdict is typed in by hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from snapref_ledger.claims import Claim
from snapref_ledger.obligations import KINDS, Obligation, Outcome, Status

Verdict = Literal["true", "conditional", "false", "open"]
DECIDING = frozenset(KINDS) - {"sampled"}


@dataclass(frozen=True)
class Evidence:
    """An obligation together with the outcome of its check."""

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
    """The verdict on a claim.

    `true`: the printed sentence is proved. `conditional`: it is refuted as printed, and proved under the claim's side
    condition. `false`: it is refuted as printed, and a corrected sentence is proved. `open`: none of these, or some
    obligation did not come out as expected."""
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
