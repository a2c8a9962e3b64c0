"""`snapref report`: writes the dossier, one HTML page with everything on it, which needs no network."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    UNDECIDED,
    Failure,
    JsonOption,
    QuietOption,
    check_target,
    complain,
    worst,
    write_json,
    write_text,
)
from snapref_ledger.claims import notes_directory

if TYPE_CHECKING:
    from snapref_harness.report.evidence import Summary
    from snapref_harness.report.figure import Figure

EXAMPLE = "snapref report --out dossier.html"


def report(
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The page to write, such as dossier.html; - is standard output.")
    ],
    run: Annotated[
        bool, typer.Option("--run", help="First run `snapref verify` for results that are missing.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Write the dossier: everything that was checked, on one HTML page.

    The page has the verdicts, the evidence, figures, the errata of the documents and the versions of all programs, and
    needs no other file. The evidence is what `snapref verify` left in the cache for the present code; what was not run
    is shown as not run. Without --run this takes about ten seconds. Exit code: 0 everything was run and came out as
    expected, 1 something did not, 3 something was not run."""
    from snapref_harness.cli.claims import load_known
    from snapref_harness.cli.progress import Bar
    from snapref_harness.cli.registry import default_run, load_obligations
    from snapref_harness.cli.verify import verify
    from snapref_ledger.cache import Cache
    from snapref_ledger.ledger import ledger

    check_target(out)
    if out == "-" and json == "-":
        raise Failure("--out and --json cannot both go to standard output")
    if run and "-" in (out, json):
        raise Failure("--run shows results on standard output, so --out and --json must name files")
    verified = verify(quiet=quiet) if run else AS_EXPECTED  # the page follows from what it leaves in the cache
    from snapref_harness.report.evidence import summarise
    from snapref_harness.report.page import DRAWN, render
    from snapref_harness.report.provenance import provenance

    obligations = load_obligations()
    entries = ledger(load_known().values(), obligations, Cache(), default_run())
    figures: list[Figure] = []
    with Bar(len(DRAWN), quiet=quiet) as bar:
        for name, draw in DRAWN.items():
            figures += draw()
            bar.advance(note=f"drew {name}")
    page = render(entries, figures, provenance(), _checkout(out))
    write_text(page, out)
    summary = summarise(entries)
    if json is not None:
        write_json(_as_json(out, summary, [figure.id for figure in figures]), json)
    if not summary.complete:
        complain(
            f"{summary.states['not run']} of {sum(summary.states.values())} obligations have not been run for the code "
            "as it is now, and the page says so: run snapref verify first, or use --run"
        )
    if "-" not in (out, json) and not quiet:
        print(f"{out}: {len(page.encode()) // 1024} KiB, {_counts(summary)}")
    shown = REFUTED if summary.states["failed"] else AS_EXPECTED if summary.complete else UNDECIDED
    return worst([verified, shown])


def _checkout(out: str) -> str | None:
    """How the page gets to the checkout, for its links to notes and source. An installed snapref has neither."""
    notes = notes_directory()
    if notes is None or out == "-":
        return None
    return Path(os.path.relpath(notes.parent, Path(out).resolve().parent)).as_posix()


def _counts(summary: "Summary") -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in summary.verdicts.items())


def _as_json(out: str, summary: "Summary", figures: list[str]) -> dict[str, Any]:
    return {
        "file": out,
        "verdicts": summary.verdicts,
        "obligations": {name.replace(" ", "_"): count for name, count in summary.states.items()},
        "figures": ["lemma-graph", *figures],
        "as_expected": summary.as_expected,
    }
