"""`snapref claims`: the ledger, that is, all claims with their verdicts and the evidence for them."""

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    Failure,
    JsonOption,
    SilentOption,
    complain,
    count,
    near,
    write_json,
)
from snapref_ledger.claims import Claim, load_claims, notes_directory
from snapref_ledger.obligations import Kind
from snapref_ledger.verdicts import Verdict

if TYPE_CHECKING:
    from snapref_ledger.ledger import Entry

EXAMPLE = "snapref claims --verdict false"


def _ids(incomplete: str) -> list[str]:
    """For the shell's completion."""
    return [id for id in load_known() if id.startswith(incomplete)]


def _verdicts(incomplete: str) -> list[str]:
    return [verdict for verdict in get_args(Verdict) if verdict.startswith(incomplete)]


def claims(
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="Show this claim in full.", autocompletion=_ids)
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Fail unless all evidence is there and the notes are up to date.")
    ] = False,
    document: Annotated[
        str | None, typer.Option(metavar="D", help="Only claims of this document, such as 001.")
    ] = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            metavar="V", help="Only this verdict: true, conditional, false or open.", autocompletion=_verdicts
        ),
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="K", help="Only claims with this kind of evidence, such as smt.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the generated notes (errata.md, map.md) of a checkout.")
    ] = False,
    json: JsonOption = None,
    quiet: SilentOption = False,
) -> int:
    """List the claims of the five documents, with their verdicts.

    A claim is a statement of a document that can be checked. Its verdict is true, conditional, false or open. The
    verdict follows from the results that `snapref verify` left in the cache for the present code. Before all evidence
    has run, a claim is open."""
    from snapref_harness.cli.claims_report import as_json, print_entries
    from snapref_harness.cli.registry import default_run, load_obligations
    from snapref_ledger.cache import Cache
    from snapref_ledger.ledger import ledger, problems
    from snapref_ledger.pages import stale_pages, write_pages

    _one_of("--verdict", verdict, get_args(Verdict))
    _one_of("--evidence", evidence, get_args(Kind))
    known = load_known()
    _one_of("--document", document, sorted({name for claim in known.values() for name in _documents(claim)}))
    if id is not None and id not in known:
        raise Failure(f"there is no claim {id!r}{near(id, known)}")

    obligations = load_obligations()
    asked = known.values() if id is None or check or write else [known[id]]
    entries = ledger(asked, obligations, Cache(), default_run())
    shown = [entry for entry in entries if _wanted(entry, id, document, verdict, evidence)]
    if json is not None:
        write_json([as_json(entry) for entry in shown], json)
    found = list(problems(known, obligations, entries)) if check or write else []
    notes = notes_directory()
    if write:
        if notes is None:
            raise Failure("--write needs a checkout: an installed snapref has no notes")
        if found:
            raise Failure(f"the ledger is not complete, so no note was written; first of {len(found)}: {found[0]}")
        write_pages(notes, known, obligations, entries)
    elif check and notes is not None:
        found += stale_pages(notes, known, obligations, entries)
    shows = json != "-" and not quiet
    if shows and not check and not write:
        print_entries(shown, full=id is not None)
    for problem in found:
        complain(problem)
    if check and shows:
        print(f"{count(len(entries), 'claim')}, {count(len(found), 'problem')}")
    return REFUTED if found else AS_EXPECTED


def load_known() -> dict[str, Claim]:
    try:
        return load_claims()
    except FileNotFoundError as error:
        raise Failure(f"the ledger {error.filename} is not there; reinstall snapref") from None
    except (OSError, ValueError) as error:
        raise Failure(f"the ledger cannot be read: {error}") from None


def _one_of(option: str, value: str | None, known: tuple[str, ...] | list[str]) -> None:
    if value is not None and value not in known:
        raise Failure(f"{option} {value!r} is unknown; choose from {', '.join(known)}")


def _documents(claim: Claim) -> list[str]:
    return [name.strip() for name in claim.document.split(",")]


def _wanted(entry: "Entry", id: str | None, document: str | None, verdict: str | None, evidence: str | None) -> bool:
    return (
        (id is None or entry.claim.id == id)
        and (document is None or document in _documents(entry.claim))
        and (verdict is None or entry.verdict == verdict)
        and (evidence is None or any(piece.obligation.kind == evidence for piece in entry.pieces))
    )
