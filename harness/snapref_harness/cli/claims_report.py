"""How `snapref claims` shows the ledger: as JSON, as a table, or one entry in full."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

from rich.text import Text

from snapref_harness.cli.output import complain, console, count, print_line
from snapref_ledger.ledger import NOT_RUN, Entry, Piece
from snapref_ledger.verdicts import Verdict

STYLES = {"true": "green", "conditional": "yellow", "false": "red", "open": "bold magenta"}
THOROUGH = "only with --thorough"  # a plain run does not produce it, so it does not count as missing
SHORT = 24  # columns of a shortened summary of the evidence
ENOUGH = 40  # columns that a statement should have beside a summary in full
LITTLE = 20  # with less than this a statement goes on a line of its own


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
    if any(_status(piece) == NOT_RUN for entry in entries for piece in entry.pieces):
        complain("some evidence has not been run for the code as it is now: run snapref verify first")


def _print_table(entries: Sequence[Entry]) -> None:
    out = console()
    for summary in (_evidence_summary, _short_summary):
        rows = [(entry.claim.id, entry.verdict, summary(entry)) for entry in entries]
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
        room = out.width - sum(widths) - 6  # for the statement
        if room >= ENOUGH:
            break
    for entry, (id, verdict, evidence) in zip(entries, rows, strict=True):
        line = Text(f"{id:{widths[0]}}  ")
        line.append(f"{verdict:{widths[1]}}", style=STYLES[verdict])
        statement = " ".join(entry.claim.statement.split())
        line.append(f"  {evidence:{widths[2]}}  {statement}" if room >= LITTLE else f"  {evidence}")
        print_line(out, line)
        if room < LITTLE:
            print_line(out, Text(f"  {statement}"))
    verdicts = Counter(entry.verdict for entry in entries)
    print(f"{count(len(entries), 'claim')}: " + ", ".join(f"{verdicts[name]} {name}" for name in get_args(Verdict)))


def _status(piece: Piece) -> str:
    return THOROUGH if piece.result is None and piece.obligation.thorough else piece.status


def _evidence_counts(entry: Entry) -> dict[str, int]:
    """How many pieces of evidence there are of each kind, and then how many were not run."""
    kinds: Counter[str] = Counter(piece.obligation.kind for piece in entry.pieces if piece.result)
    absent = Counter(_status(piece) for piece in entry.pieces if piece.result is None)
    return {**kinds, **{word: absent[word] for word in (NOT_RUN, THOROUGH) if absent[word]}}


def _evidence_summary(entry: Entry) -> str:
    return ", ".join(f"{n} {word}" for word, n in _evidence_counts(entry).items()) or "none"


def _short_summary(entry: Entry) -> str:
    """A short form: what was not run, then the most common kinds as far as they fit, and the rest as a number."""
    counts = _evidence_counts(entry)
    order = sorted(counts, key=lambda word: (word != NOT_RUN, word == THOROUGH, -counts[word]))
    for shown in range(len(order), 0, -1):
        rest = sum(counts[word] for word in order[shown:])
        parts = [f"{counts[word]} {word}" for word in order[:shown]] + ([f"+{rest}"] if rest else [])
        if len(", ".join(parts)) <= SHORT or shown == 1:
            return ", ".join(parts)
    return "none"


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
        fields.append(("evidence", f"{o.id} ({o.kind}, {o.part}): {_status(piece)}{expected}\n{o.scope}"))
    if not entry.pieces:
        fields.append(("evidence", "none"))
    width = console().width - 12
    for label, text in fields:
        lines = [part for line in text.splitlines() for part in textwrap.wrap(line, width)]
        for index, line in enumerate(lines):
            print(f"{label if index == 0 else '':10}  {line}")
