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
STYLES = {"pass": "green", "fail": "bold red", "unsupported": "yellow", "not judged": "yellow"}
THOROUGH_TIME = 12  # times as long as otherwise, with --thorough
WIDTH = 20
DEVIATION = "declared deviation"  # how a remark begins that is printed below, in full


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
    ] = 12_500,
    alpha: Annotated[
        float,
        typer.Option(parser=number, metavar="A", help="How likely a correct target may fail by chance."),
    ] = 1e-6,
    seed: Annotated[int, typer.Option(parser=whole_number, metavar="N", help="The seed of the search.")] = 0,
    timeout: Annotated[float, typer.Option(parser=number, metavar="S", help="Seconds for one request.")] = 10.0,
    time_limit: Annotated[
        float | None,
        typer.Option("--time", parser=number, metavar="S", help="Seconds for the whole run; 300, or 3600 if thorough."),
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Twenty times as many cases and releases: an hour, on a schedule.")
    ] = False,
    require: Annotated[
        str,
        typer.Option(metavar="OPS", help="Operations or checks that must have been checked, or all; with commas."),
    ] = "",
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Check a production implementation against the reference.

    The target is a Python object, a C library or any program that speaks the protocol (see notes/crosscheck.md). Each
    of its stages is compared with the reference bit for bit, and its releases with the exact probabilities. Operations
    that it does not offer are not checked; `release` alone is enough. It runs in a process of its own. With a fast
    target this takes about half a minute; with a slow one it ends after --time seconds. Exit code: 0 it conforms, 1 it
    does not, 2 a usage error or a target that does not speak the protocol, 3 there was nothing to judge, or not what
    --require names."""
    from snapref_crosscheck.opening import open_target
    from snapref_crosscheck.run import CHECKS, AdapterError, Effort, required
    from snapref_crosscheck.run import crosscheck as check_all
    from snapref_harness.cli.progress import Bar

    if (target is None) == (command is None):
        raise Failure("name a TARGET, or a --command, and not both")
    if not 0 < alpha < 1:
        raise Failure("--alpha must lie between 0 and 1")
    if time_limit is None:
        time_limit = 300.0 * (THOROUGH_TIME if thorough else 1)
    if cases < 0 or releases < 1 or not timeout > 0 or not time_limit > 0:
        raise Failure("--cases, --releases, --timeout and --time must be positive")
    try:
        wanted = required(require)
    except ValueError as error:
        raise Failure(f"--require: {error}") from None
    deadline = time.monotonic() + time_limit
    effort = Effort(search=cases, releases=releases, alpha=alpha, seed=seed, deadline=deadline)
    effort = effort.thorough() if thorough else effort
    try:
        opened = open_target(target, command, timeout, deadline)
    except ValueError as error:
        raise Failure(f"cannot open the target: {error}") from None

    def note(result: "Result") -> None:
        if json != "-" and not quiet:
            bar.line(_line(result))
        bar.advance()

    with tempfile.TemporaryDirectory() as scratch, Bar(len(CHECKS), quiet=quiet) as bar:
        os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", scratch)  # nothing is left where the user is
        try:
            report = check_all(opened, effort, note, wanted)
        except AdapterError as error:
            raise Failure(f"cannot check the target: {error}") from None
    if json is not None:
        write_json(report.as_json(), json)
    _finish(report, quiet, to_stdout=json != "-")
    if report.interrupted:
        raise KeyboardInterrupt
    return {True: AS_EXPECTED, False: REFUTED, None: UNDECIDED}[report.conforms]


def _line(result: "Result") -> "Text":
    """One line for each check; long remarks are cut at the end of the terminal. A deviation stands below the lines."""
    from rich.text import Text

    line = Text(f"{result.status:11}", style=STYLES[result.status])
    first = (result.witness or "").splitlines()[0] if result.witness and result.status != "fail" else ""
    line.append(
        f"  {result.name:{WIDTH}}  {result.cases:>7} {plural(result.cases, 'case'):5}", style="not bold default"
    )
    first = f"{DEVIATION}: see below" if first.startswith(DEVIATION) else first
    line.append(f"  {first}" if first else "", style="not bold default")
    return line


def _print_failures(results: "Sequence[Result]", to_stdout: bool) -> None:
    """The counterexamples, one of each kind."""
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
    style = {True: "green", False: "bold red", None: "yellow"}[report.conforms]
    if to_stdout and (not quiet or report.conforms is not True):
        witnesses = [result.witness or "" for result in report.results if result.status != "fail"]
        for deviation in dict.fromkeys(w for w in witnesses if w.startswith(DEVIATION)):
            out.print(Text(deviation), soft_wrap=True)
        out.print(Text(f"\n{report.target}: {report.verdict()}", style=style), soft_wrap=True)
