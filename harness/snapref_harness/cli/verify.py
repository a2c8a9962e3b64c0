"""`snapref verify`: runs the obligations and says whether each came out as expected."""

import time
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from typing import Annotated

import typer

from snapref_harness.cli.numbers import number, whole_number
from snapref_harness.cli.output import (
    UNDECIDED,
    Failure,
    JsonOption,
    QuietOption,
    check_target,
    complain,
    processes,
    write_json,
    write_text,
)

EXAMPLE = "snapref verify 'smt.*' --jobs 4 --timeout 120"


def verify(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATTERN", help="Run only obligations whose id matches, such as 'smt.clamp.*'."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="How many processes; by default one for each core."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=number,
            metavar="S",
            help="Seconds of processor time for each obligation; by default 60, or what it asks for itself.",
        ),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Solvers to use, of z3,bitwuzla,cvc5; by default all that are installed."),
    ] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Run the long checks too, and others at their largest sizes.")
    ] = False,
    certificates: Annotated[
        bool,
        typer.Option("--certificates", help="Have solvers' answers proved, and the proofs checked by another program."),
    ] = False,
    exitfirst: Annotated[
        bool, typer.Option("--exitfirst", help="Stop at the first obligation that does not come out as expected.")
    ] = False,
    junit: Annotated[str | None, typer.Option(metavar="FILE", help="Write a JUnit XML report to FILE.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write cached results.")] = False,
    progress: Annotated[
        bool, typer.Option("--progress", help="Say now and then how far it is, where there is no terminal, too.")
    ] = False,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Run the obligations and show what came out.

    An obligation is a check by machine that is evidence for a claim. It passes when it comes out as expected; some are
    expected to be refuted, because they state a printed formula that fails. PATTERN is matched as by a shell. Results
    for unchanged code come from the cache; without it, all of them take about six minutes on two cores. Exit code: 0
    all as expected, 1 one came out the other way, 2 an error, 3 one is undecided."""
    from snapref_harness.cli import junit as junit_xml
    from snapref_harness.cli.registry import default_run, load_obligations, select
    from snapref_harness.cli.verify_report import Report, as_json, exit_code
    from snapref_ledger.cache import Cache
    from snapref_ledger.verify import verify as verify_all

    check_target(junit)
    if json == "-" and junit == "-":
        raise Failure("--json and --junit cannot both go to standard output")
    run = replace(
        default_run(),
        timeout=60.0 if timeout is None else _positive(timeout),
        thorough=thorough,
        certificates=certificates,
    )
    if solver is not None:
        run = replace(run, solvers=_solvers(solver))
    if certificates and not all(map(find_spec, ("pysat", "dratify"))):
        raise Failure("--certificates needs python-sat and dratify: pip install 'snapref[certificates]'")
    workers = processes(jobs)

    selected = select(load_obligations(), patterns or [], thorough)
    if timeout is not None:  # the option takes precedence over the obligation's own limit
        selected = [replace(o, timeout=None) for o in selected]
    if not selected:
        complain("no obligation is registered, so nothing was checked")
    started = time.monotonic()
    results = []
    report = Report(selected, quiet=quiet, to_stdout="-" not in (json, junit), kept=not no_cache, progress=progress)
    with report, closing(verify_all(selected, run, workers, None if no_cache else Cache(), complain)) as stream:
        for result in stream:
            results.append(result)
            report.add(result)
            if exitfirst and not result.passed:
                break  # what is still running is ended, and the rest is not in the report
    seconds = time.monotonic() - started
    report.finish(results, seconds)
    if json is not None:
        write_json(as_json(results, seconds), json)
    if junit is not None:
        write_text(junit_xml.document(results, seconds), junit)
    return exit_code(results) if selected else UNDECIDED


def _positive(seconds: float) -> float:
    if not 0 < seconds < float("inf"):
        raise Failure("--timeout must be a positive number of seconds")
    return seconds


def _solvers(text: str) -> tuple[str, ...]:
    from snapref_harness.cli.registry import SOLVERS, installed_solvers

    wanted = [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in SOLVERS:
            raise Failure(f"--solver {name!r} is unknown; choose from {', '.join(SOLVERS)}, with commas between")
        if name not in installed_solvers():
            raise Failure(f"--solver {name} is not installed; pip install {SOLVERS[name]}")
    return tuple(name for name in SOLVERS if name in wanted)
