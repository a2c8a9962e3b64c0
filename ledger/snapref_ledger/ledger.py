"""Brings claims and results together: every claim, its evidence as far as the cache has it, and its verdict."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from snapref_ledger.cache import Cache
from snapref_ledger.claims import Claim
from snapref_ledger.obligations import Obligation, Outcome, Run
from snapref_ledger.runner import Result
from snapref_ledger.verdicts import Evidence, Verdict, judge

NOT_RUN = "not run"


@dataclass(frozen=True)
class Piece:
    """An obligation of a claim, and its result. The result is None where the cache has none for the present code."""

    obligation: Obligation
    result: Result | None

    @property
    def status(self) -> str:
        return self.result.outcome.status if self.result else NOT_RUN


@dataclass(frozen=True)
class Entry:
    """One claim with its verdict and its evidence."""

    claim: Claim
    verdict: Verdict
    pieces: tuple[Piece, ...]

    @property
    def witness(self) -> str:
        """The counterexamples to the printed sentence; empty where it was not refuted."""
        telling = [p for p in self.pieces if p.obligation.decides and p.status == "refuted"]
        found = [p.result.outcome.witness for p in telling if p.result]
        return "\n".join(witness for witness in found if witness)


def ledger(claims: Iterable[Claim], obligations: Iterable[Obligation], cache: Cache, run: Run) -> list[Entry]:
    """The entries of these claims. The cache is asked for their evidence only."""
    claims = list(claims)
    pieces: dict[str, list[Piece]] = {claim.id: [] for claim in claims}
    for obligation in obligations:
        if views := [view for view in obligation.views if view.claim in pieces]:
            found = _find(cache, obligation, run)
            for view in views:
                pieces[view.claim].append(Piece(view, found))
    return [_entry(claim, tuple(pieces[claim.id])) for claim in claims]


def problems(claims: Mapping[str, Claim], obligations: Iterable[Obligation], entries: Iterable[Entry]) -> Iterator[str]:
    """What keeps the ledger from being complete and current, one line each."""
    for obligation in obligations:
        for view in obligation.views:
            if view.claim not in claims:
                yield f"{obligation.id}: there is no claim {view.claim}"
    for entry in entries:
        if not entry.pieces:
            yield f"{entry.claim.id}: no obligation checks this claim"
            continue
        bad = list(_bad_pieces(entry))
        yield from bad
        if not bad and entry.verdict == "open" and not entry.claim.missing:
            yield f"{entry.claim.id}: its evidence does not decide it, and nothing says what is missing"


def _bad_pieces(entry: Entry) -> Iterator[str]:
    for piece in entry.pieces:
        name = f"{entry.claim.id}: {piece.obligation.id}"
        if piece.result is None:
            if not piece.obligation.thorough:
                yield f"{name}: no evidence for the code as it is now"
        elif not piece.result.passed:
            yield f"{name}: {piece.status}, expected {piece.obligation.expected}"


def _entry(claim: Claim, pieces: tuple[Piece, ...]) -> Entry:
    evidence = [
        Evidence(piece.obligation, piece.result.outcome if piece.result else Outcome("undecided", NOT_RUN))
        for piece in pieces
        if piece.result or not piece.obligation.thorough  # without --thorough, its own obligations have no result
    ]
    return Entry(claim, judge(claim, evidence), pieces)


def _find(cache: Cache, obligation: Obligation, run: Run) -> Result | None:
    """The result from the cache; of several runs, the one with the most demanding options."""
    for thorough in (True, False):
        for certificates in (True, False):
            found = cache.load(obligation, replace(run, thorough=thorough, certificates=certificates))
            if found:
                return found
    return None
