"""The ledger: what the five documents claim, what a machine checks about it, and what came out.

A *claim* is a statement of a document. An *obligation* is a check that is evidence for a claim. Its *outcome* says
whether the check proved or refuted something. The *verdict* on a claim follows from the outcomes.

The ledger imports none of the packages that it judges. They import it, and register what they can check:

    from snapref_ledger import Outcome, obligation

    @obligation("smt.clamp.range", claim="U-3.1.1a", kind="smt", scope="all 2^64 patterns of x and of B")
    def clamp_range(run: Run) -> Outcome: ...

Read the modules in this order:

    claims, obligations, verdicts    the statements, the checks, and the rule from checks to verdicts
    engines, grounds                 which engines a check called, and what its result therefore rests on
    wire, limits, worker, runner     running checks in processes of their own, with a limit on their processor time
    sources, cache, verify           which files a result depends on, and keeping results under a hash of these
    ledger, errata, map, pages       every claim with its evidence, and the pages of notes/ that are generated from it
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
