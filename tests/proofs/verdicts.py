"""The verdict that the obligations of a claim give when they run, here and now, without a cache."""

from snapref_ledger import REGISTRY, Run
from snapref_ledger.claims import load_claims
from snapref_ledger.verdicts import Evidence, Verdict, judge


def verdict(claim: str, *packages: str) -> Verdict:
    """What the registered obligations whose id starts with one of these decide about the claim."""
    evidence = [
        Evidence(view, view.check(Run()))
        for obligation in REGISTRY.values()
        for view in obligation.views
        if view.claim == claim and view.id.startswith(packages) and not view.thorough
    ]
    return judge(load_claims()[claim], evidence)
