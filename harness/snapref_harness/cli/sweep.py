"""`snapref sweep`: many independent computations of one kind, on one machine or many."""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snapref_harness.cli.numbers import whole_number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    TROUBLE,
    UNDECIDED,
    Failure,
    JsonOption,
    QuietOption,
    check_target,
    complain,
    console,
    processes,
    worst,
    write_json,
)

if TYPE_CHECKING:
    from snapref_harness.sweep.drive import Progress
    from snapref_harness.sweep.summary import Summary

EXAMPLE = "snapref sweep notes/sweeps/loss.toml --jobs 2"
CODES = {"breaks": REFUTED, "undecided": UNDECIDED, "error": TROUBLE}


def sweep(
    spec: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="Says what to compute; notes/sweeps has examples.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the results, as JSON lines; by default SPEC.jsonl."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(parser=whole_number, metavar="N", help="How many processes; by default one for each core."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Use the Dask cluster of this scheduler, such as tcp://host:8786."),
    ] = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Run a sweep: a grid of exact losses, searches, small formats, boxes or cross-checks.

    A sweep consists of independent pieces. The results are the same whatever does the work, and in whatever order. Each
    is written as soon as it is there. If a sweep is interrupted, the same command goes on from there. How long it takes
    depends on SPEC.toml: each of those in notes/sweeps takes less than a minute. Exit code: 0 nothing speaks
    against the bound, 1 a piece breaks it, 2 an error, 3 undecided or interrupted."""
    from snapref_harness.cli.progress import Bar
    from snapref_harness.sweep.drive import Progress, drive
    from snapref_harness.sweep.spec import read_sweep
    from snapref_harness.sweep.store import Store, StoreError
    from snapref_harness.sweep.summary import Summary
    from snapref_harness.sweep.table import SpecError
    from snapref_harness.sweep.work import WorkError, made_by

    workers = processes(jobs)
    if jobs is not None and scheduler is not None:
        raise Failure("--jobs and --scheduler exclude each other")
    target = out or Path(f"{spec.stem}.jsonl")
    if str(target) == "-" or (json is not None and Path(json).resolve() == target.resolve()):
        raise Failure(f"--out {target} is not allowed: results need a file of their own, to go on from")
    check_target(str(target))
    try:
        plan = read_sweep(spec)
        started, progress, interrupted = time.monotonic(), Progress(len(plan.ids), 0), False
        with Store(target, plan, made_by(plan.kind)) as store:
            try:
                running = closing(drive(plan, store, workers, scheduler))
                with _terminable(), Bar(len(plan.ids), quiet=quiet) as bar, running as run:
                    for progress in run:
                        new = progress.before + progress.done - bar.count
                        bar.advance(new, pieces=new, known=progress.done == 0)
            except KeyboardInterrupt:
                interrupted = True
            summary, complete = Summary(plan.kind, store.results()), store.complete
    except SpecError as error:
        raise Failure(f"{spec}: {error}") from None
    except (StoreError, WorkError) as error:
        raise Failure(str(error)) from None
    seconds = time.monotonic() - started
    if json is not None:
        write_json(_document(summary, target, complete, progress, seconds), json)
    code = worst([_exit_code(summary), AS_EXPECTED if complete else UNDECIDED])
    if json != "-" and not (quiet and code == AS_EXPECTED):
        _print(summary, target, progress, seconds)
    if interrupted:
        done = progress.before + progress.done
        complain(f"interrupted: {done} of {progress.total} pieces are in {target}; the same command goes on from there")
    return code


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Treats SIGTERM, which a batch system may send, like Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():  # others cannot set signals, and get none
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit_code(summary: "Summary") -> int:
    codes = [CODES[status] for status in summary.counts if status in CODES]
    return worst([*codes, AS_EXPECTED if summary.judged else UNDECIDED])


def _document(summary: "Summary", target: Path, complete: bool, progress: "Progress", seconds: float) -> dict[str, Any]:
    return {
        **summary.as_json(),
        "results": str(target),
        "complete": complete,
        "pieces": progress.total,
        "done_before": progress.before,
        "done": progress.done,
        "seconds": round(seconds, 3),
        "work_seconds": round(progress.work, 3),
    }


def _print(summary: "Summary", target: Path, progress: "Progress", seconds: float) -> None:
    from rich.text import Text

    from snapref_harness.sweep.summary import constant

    out = console()

    def line(text: str, style: str = "") -> None:
        out.print(Text(text, style=style), soft_wrap=True)

    for result in summary.bad:
        line(f"{result['status']}  {result['id']}", "bold yellow" if result["status"] == "undecided" else "bold red")
        for row in str(result.get("witness") or result.get("why") or "").splitlines():
            line(f"  {row}")
    counts = ", ".join(f"{count} {status}" for status, count in summary.counts.items())
    totals = ", ".join(f"{total} {key.replace('_', ' ')}" for key, total in summary.totals.items())
    line(f"{summary.kind}: {counts or 'nothing done'}; {totals}")
    if summary.worst is not None:
        line(f"largest constant: loss = ε + 2η + {constant(summary.worst):.6g} B·ε·η at {summary.worst['id']}")
    before = f", {progress.before} from before" if progress.before else ""
    times = f"{seconds:.1f} s ({progress.work:.1f} s of work)"
    line(f"{progress.done} of {progress.total} pieces in {times}{before}; {target}")
