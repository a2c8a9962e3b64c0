"""How `snapref claims` shows the ledger: as JSON, as a table, or one entry in full."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

from rich.text import Text

from snapref_harness.cli.output import complain, console, print_line
from snapref_harness.core.ledger import NOT_RUN, Entry
from snapref_harness.core.verdicts import Verdict

STYLES = {"true": "green", "conditional": "yellow", "false": "red", "open": "bold magenta"}


def as_json(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.claim.id,
        "verdict": entry.verdict,
        "statement": entry.claim.statement,
        "condition": entry.claim.condition,
        "witness": entry.witness,
        "corrected": entry.claim.corrected,
        "evidence": [
            {
                "kind": piece.obligation.kind,
                "scope": piece.obligation.scope,
                "obligation": piece.obligation.id,
                "status": piece.status,
            }
            for piece in entry.pieces
        ],
    }


def print_entries(entries: Sequence[Entry], *, full: bool) -> None:
    if full:
        for entry in entries:
            _print_entry(entry)
    else:
        _print_table(entries)
    if any(piece.status == NOT_RUN for entry in entries for piece in entry.pieces):
        complain("some evidence has not been run for the code as it is now: run snapref verify first")


def _print_table(entries: Sequence[Entry]) -> None:
    out = console()
    rows = [(entry.claim.id, entry.verdict, _evidence_summary(entry)) for entry in entries]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for entry, (id, verdict, evidence) in zip(entries, rows, strict=True):
        line = Text(f"{id:{widths[0]}}  ")
        line.append(f"{verdict:{widths[1]}}", style=STYLES[verdict])
        line.append(f"  {evidence:{widths[2]}}  {' '.join(entry.claim.statement.split())}")
        print_line(out, line)
    verdicts = Counter(entry.verdict for entry in entries)
    print(f"{len(entries)} claims: " + ", ".join(f"{verdicts[name]} {name}" for name in get_args(Verdict)))


def _evidence_summary(entry: Entry) -> str:
    kinds = Counter(piece.obligation.kind for piece in entry.pieces if piece.result)
    missing = sum(piece.result is None for piece in entry.pieces)
    parts = [f"{count} {kind}" for kind, count in kinds.items()] + ([f"{missing} {NOT_RUN}"] if missing else [])
    return ", ".join(parts) or "none"


def _print_entry(entry: Entry) -> None:
    claim = entry.claim
    fields = [
        ("claim", claim.id + (" (left open by the documents, answered here)" if claim.completion else "")),
        ("document", f"{claim.document}, {claim.section}"),
        ("statement", claim.statement),
        ("assuming", claim.hypotheses),
        ("verdict", entry.verdict),
        ("condition", claim.condition),
        ("witness", entry.witness),
        ("answer" if claim.completion else "corrected", claim.corrected),
        ("missing", claim.missing),
    ]
    for piece in entry.pieces:
        o = piece.obligation
        expected = "" if piece.result is None or piece.result.passed else f", expected {o.expected}"
        fields.append(("evidence", f"{o.id} ({o.kind}, {o.part}): {piece.status}{expected}\n{o.scope}"))
    if not entry.pieces:
        fields.append(("evidence", "none"))
    width = console().width - 12
    for label, text in fields:
        lines = [part for line in text.splitlines() for part in textwrap.wrap(line, width)]
        for index, line in enumerate(lines):
            print(f"{label if index == 0 else '':10}  {line}")
