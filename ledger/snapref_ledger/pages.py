"""The generated notes: errata.md, map.md and the table of trust.md, written into a checkout and checked."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from snapref_ledger import errata, grounds, map
from snapref_ledger.claims import Claim
from snapref_ledger.ledger import Entry
from snapref_ledger.obligations import Obligation
from snapref_ledger.runner import Result


def write_pages(
    notes: Path, claims: Mapping[str, Claim], obligations: Sequence[Obligation], entries: Sequence[Entry]
) -> None:
    (notes / errata.NAME).write_text(errata.errata(entries), encoding="utf-8")
    (notes / map.NAME).write_text(map.claim_map(claims, obligations, notes.parent / "tests"), encoding="utf-8")
    trust = notes / grounds.NAME
    trust.write_text(grounds.in_page(_read(trust), _results(entries)), encoding="utf-8")


def stale_pages(
    notes: Path, claims: Mapping[str, Claim], obligations: Sequence[Obligation], entries: Sequence[Entry]
) -> Iterator[str]:
    """One line for each page that is missing or says something else than it would say now."""
    if not errata.same(_read(notes / errata.NAME), errata.errata(entries)):
        yield f"{errata.NAME} is not current: run snapref claims --write"
    if stale_map(notes, claims, obligations):
        yield f"{map.NAME} is not current: run snapref claims --write"
    trust = _read(notes / grounds.NAME)
    if trust != grounds.in_page(trust, _results(entries)):
        yield f"{grounds.NAME} is not current: run snapref claims --write"


def stale_map(notes: Path, claims: Mapping[str, Claim], obligations: Sequence[Obligation]) -> bool:
    """This page needs no evidence, so tests can check it too."""
    return _read(notes / map.NAME) != map.claim_map(claims, obligations, notes.parent / "tests")


def _results(entries: Sequence[Entry]) -> list[Result]:
    """The result of every obligation once; of what a plain `snapref verify` runs, so that the count stays the same."""
    pieces = {piece.obligation.id: piece for entry in entries for piece in entry.pieces}
    return [p.result for p in pieces.values() if p.result and not p.obligation.thorough]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
