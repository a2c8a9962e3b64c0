"""`snapref crosscheck`: checks a production implementation, in any language, against the reference."""

import os
import tempfile
import time
from typing import TYPE_CHECKING, Annotated

import typer

from snapref_harness.cli.numbers import number, whole_number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    UNDECIDED,
    Failure,
    JsonOption,
    QuietOption,
    console,
    plural,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from snapref_crosscheck.checks import Result
    from snapref_crosscheck.run import Report

EXAMPLE = "snapref crosscheck mypackage.dp:Snapping  (or --command 'node target.js')"
STYLES = {"pass": "green", "fail": "bold red", "unsupported": "yellow"}
WIDTH = 20


def crosscheck(
    target: Annotated[
        str | None,
        typer.Argument(metavar="TARGET", help="module:attribute, or a .toml or .json file that describes a C library."),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(metavar="CMD", help="A program that speaks the protocol on standard input and output."),
    ] = None,
    cases: Annotated[
        int,
        typer.Option(parser=whole_number, metavar="N", help="How many cases to search for each operation."),
    ] = 300,
    releases: Annotated[
        int, typer.Option(parser=whole_number, metavar="N", help="How many releases to judge at each setting.")
    ] = 10_000,
    alpha: Annotated[
        float,
        typer.Option(parser=number, metavar="A", help="How likely a correct target may fail by chance."),
    ] = 1e-6,
    seed: Annotated[int, typer.Option(parser=whole_number, metavar="N", help="The seed of the search.")] = 0,
    timeout: Annotated[float, typer.Option(parser=number, metavar="S", help="Seconds for one request.")] = 10.0,
    time_limit: Annotated[
        float, typer.Option("--time", parser=number, metavar="S", help="Seconds for the whole run.")
    ] = 300.0,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Check a production implementation against the reference.

    The target is a Python object, a C library or any program that speaks the protocol (see notes/crosscheck.md). Each
    of its stages is compared with the reference bit for bit, and its releases with the exact probabilities. Operations
    that it does not offer are not checked; `release` alone is enough. It runs in a process of its own. Exit code: 0 it
    conforms, 1 it does not, 2 a usage error, 3 there was nothing to judge."""
    from snapref_crosscheck.opening import open_target
    from snapref_crosscheck.run import CHECKS, Effort
    from snapref_crosscheck.run import crosscheck as check_all
    from snapref_harness.cli.progress import Bar

    if (target is None) == (command is None):
        raise Failure("name a TARGET, or a --command, and not both")
    if not 0 < alpha < 1:
        raise Failure("--alpha must lie between 0 and 1")
    if cases < 0 or releases < 1 or not timeout > 0 or not time_limit > 0:
        raise Failure("--cases, --releases, --timeout and --time must be positive")
    deadline = time.monotonic() + time_limit
    effort = Effort(search=cases, releases=releases, alpha=alpha, seed=seed, deadline=deadline)
    try:
        opened = open_target(target, command, timeout, deadline)
    except ValueError as error:
        raise Failure(f"cannot open the target: {error}") from None
    found: list[Result] = []

    def note(result: "Result") -> None:
        found.append(result)
        if json != "-" and not quiet:
            bar.line(_line(result))
        bar.advance()

    with tempfile.TemporaryDirectory() as scratch, Bar(len(CHECKS), quiet=quiet) as bar:
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", scratch)  # nothing is left where the user is
        try:
            report = check_all(opened, effort, note)
        except KeyboardInterrupt:
            bar.__exit__()
            _print_failures(found, to_stdout=json != "-")
            raise
    if json is not None:
        write_json(report.as_json(), json)
    _finish(report, quiet, to_stdout=json != "-")
    return {True: AS_EXPECTED, False: REFUTED, None: UNDECIDED}[report.conforms]


def _line(result: "Result") -> "Text":
    """One line for each check; long remarks are cut at the end of the terminal."""
    from rich.text import Text

    line = Text(f"{result.status:11}", style=STYLES[result.status])
    first = (result.witness or "").splitlines()[0] if result.witness and result.status != "fail" else ""
    line.append(
        f"  {result.name:{WIDTH}}  {result.cases:>7} {plural(result.cases, 'case'):5}", style="not bold default"
    )
    line.append(f"  {first}" if first else "", style="not bold default")
    return line


def _print_failures(results: "Sequence[Result]", to_stdout: bool) -> None:
    """The counterexamples, in full."""
    from rich.text import Text

    out = console(stderr=not to_stdout)
    for result in results:
        if result.status == "fail":
            out.print(Text(f"\nFAIL {result.name}", style=STYLES["fail"]), soft_wrap=True)
            for line in (result.witness or "").splitlines():
                out.print(Text(f"  {line}"), soft_wrap=True)


def _finish(report: "Report", quiet: bool, to_stdout: bool) -> None:
    """The counterexamples, then the verdict."""
    from rich.text import Text

    out = console(stderr=not to_stdout)
    _print_failures(report.results, to_stdout)
    words = {
        True: ("conforms", "green"),
        False: ("does not conform", "bold red"),
        None: ("nothing to judge: it offers neither snap nor release", "yellow"),
    }
    text, style = words[report.conforms]
    if to_stdout and (not quiet or report.conforms is not True):
        deviations = [r.witness for r in report.results if r.witness and r.witness.startswith("declared deviation")]
        for deviation in deviations:
            out.print(Text(deviation), soft_wrap=True)
        out.print(Text(f"\n{report.target}: {text}", style=style), soft_wrap=True)
