"""The bottom of the harness: claims, obligations, evidence, verdicts, the runner and its cache.

It imports none of the packages that it judges. They import it, to register what they can check:

    from snapref_ledger import Outcome, obligation

    @obligation("smt.clamp.range", claim="U-3.1.1a", kind="smt", scope="all 2^64 patterns of x and of B")
    def clamp_range(run: Run) -> Outcome: ...
"""

from snapref_ledger.claims import Claim, load_claims
from snapref_ledger.obligations import REGISTRY, Obligation, Outcome, Run, obligation
from snapref_ledger.verdicts import Evidence, Verdict, judge

__all__ = [
    "REGISTRY",
    "Claim",
    "Evidence",
    "Obligation",
    "Outcome",
    "Run",
    "Verdict",
    "judge",
    "load_claims",
    "obligation",
]
