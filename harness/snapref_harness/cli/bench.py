"""`snapref bench`: the performance table. Each figure is a ratio of two speeds that were measured in one run."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snapref_harness.cli.output import AS_EXPECTED, Failure, JsonOption, QuietOption, write_json

if TYPE_CHECKING:
    from snapref_harness.bench.measure import Comparison, Effort, Line, Measured

EXAMPLE = "snapref bench --quick --rows 1,2"
ROWS = {
    1: "one release",
    2: "many releases at once",
    3: "exact loss",
    4: "small formats",
    5: "interval work",
    6: "obligations",
    7: "cross-check",
}


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Measure briefly; the figures are rough.")] = False,
    thorough: Annotated[bool, typer.Option("--thorough", help="Measure what is otherwise extrapolated.")] = False,
    rows: Annotated[
        str | None, typer.Option(metavar="LIST", help="Which rows, from 1 to 7, such as 1,2; by default all.")
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A Python that has diffprivlib installed; by default one is looked for."),
    ] = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Measure speed: each part against what one would use instead.

    The two sides take turns. The ratio that is shown is the median over all turns, followed by the smallest and the
    largest. What cannot be measured on this machine is skipped, and the line says why. All rows take about seven
    minutes. The exit code does not depend on the figures."""
    from snapref_harness.bench.machine import machine
    from snapref_harness.bench.measure import NORMAL, QUICK, THOROUGH
    from snapref_harness.cli.progress import Bar

    if quick and thorough:
        raise Failure("--quick and --thorough exclude each other")
    if python is not None and shutil.which(python) is None:
        raise Failure(f"--python {python} cannot be run: name an interpreter that has diffprivlib")
    wanted = _selected(rows)
    effort = QUICK if quick else THOROUGH if thorough else NORMAL
    where = machine()
    lines: list[Line] = []
    shown = json != "-" and not quiet
    if shown:
        print(f"{where['cpu']}, {where['cores']} cores, {where['system']}, Python {where['python']}; {_effort(effort)}")
    with Bar(len(wanted), quiet=quiet) as bar:
        for row in wanted:
            bar.advance(0, ROWS[row], pieces=0)
            for line in _measure(row, effort, python):
                lines.append(line)
                if shown:
                    bar.line(_text(line))
            bar.advance(1)
    if json is not None:
        write_json(as_json(where, effort, lines), json)
    return AS_EXPECTED


def _selected(rows: str | None) -> list[int]:
    if rows is None:
        return list(ROWS)
    parts = [part.strip() for part in rows.split(",")]
    if any(not part.isdecimal() or int(part) not in ROWS for part in parts):
        raise Failure(f"--rows {rows!r} must be numbers from {min(ROWS)} to {max(ROWS)}, such as --rows 1,2")
    return sorted({int(part) for part in parts})


def _measure(row: int, effort: "Effort", python: str | None) -> "Iterator[Line]":
    """The lines of one row. Each imports what it measures."""
    if row <= 2:
        from snapref_harness.bench import releases

        return (releases.one if row == 1 else releases.batch)(effort, python)
    if row == 3:
        from snapref_harness.bench.losses import loss

        return loss(effort)
    if row == 4:
        from snapref_harness.bench.small import small_formats

        return small_formats(effort)
    if row == 5:
        from snapref_harness.bench.boxes import intervals

        return intervals(effort)
    if row == 6:
        from snapref_harness.bench.obligations import WORKLOAD, obligations
        from snapref_harness.cli.registry import default_run, load_obligations, select

        return obligations(effort, default_run(), select(load_obligations(), WORKLOAD, False))
    from snapref_harness.bench.crosschecks import crosscheck

    return crosscheck(effort)


def _effort(effort: "Effort") -> str:
    return f"{effort.repeats} turns each, taken alternately"


def _text(line: "Line") -> Any:
    from rich.text import Text

    from snapref_harness.bench.measure import Skipped

    if isinstance(line, Skipped):
        return Text(f"{line.row}  {line.what}: skipped, {line.reason}")
    low, high = min(line.ratios), max(line.ratios)
    at_least = "≥ " if line.other.stopped else ""
    aim = "" if line.aim is None else f"; aim {line.aim:g}, {'met' if line.met else 'missed'}"
    note = f"; {line.note}" if line.note else ""
    spread = f" ({low:.3g} to {high:.3g})" if len(line.ratios) > 1 else ""
    result = f"{at_least}{line.ratio:.3g} times{spread}{aim}"
    if line.other.stopped and line.ratio < 1:  # it was stopped before it had had as much time as ours: no comparison
        result = f"given up after {max(turn.seconds for turn in line.other.turns if turn.stopped):.0f} s: no ratio"
    return Text(
        f"{line.row}  {line.what}: {result}\n"
        f"     {_rate(line.ours, line.unit)}\n     {_rate(line.other, line.unit)}{note}"
    )


def _rate(measured: "Measured", unit: str) -> str:
    spread = f" ({min(measured.rates):.4g} to {max(measured.rates):.4g})" if len(measured.rates) > 1 else ""
    return f"{'≤ ' if measured.stopped else ''}{measured.median:.4g} {unit}{spread}  {measured.name}"


def as_json(where: dict[str, str | int], effort: "Effort", lines: "list[Line]") -> dict[str, Any]:
    """The table for machines; bench.schema.json describes it."""
    from snapref_harness.bench.measure import Comparison

    return {
        "machine": where,
        "repeats": effort.repeats,
        "comparisons": [_comparison(line) for line in lines if isinstance(line, Comparison)],
        "skipped": [
            {"row": line.row, "what": line.what, "reason": line.reason}
            for line in lines
            if not isinstance(line, Comparison)
        ],
    }


def _comparison(line: "Comparison") -> dict[str, Any]:
    return {
        "row": line.row,
        "what": line.what,
        "unit": line.unit,
        "ours": _side(line.ours),
        "other": _side(line.other),
        "ratio": line.ratio,
        "ratio_low": min(line.ratios),
        "ratio_high": max(line.ratios),
        "aim": line.aim,
        "met": line.met,
        "note": line.note,
    }


def _side(measured: "Measured") -> dict[str, Any]:
    return {
        "name": measured.name,
        "rate": measured.median,
        "low": min(measured.rates),
        "high": max(measured.rates),
        "stopped": measured.stopped,
    }
