"""Progress: counts, time, and an estimate of what is left. On standard error: a bar on a terminal; elsewhere nothing,
unless lines are asked for."""

import sys
import time
from typing import TYPE_CHECKING, Self

from snapref_harness.cli.output import console, print_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text


EVERY = 15.0  # seconds from one line of progress to the next, where there is no terminal


class Bar:
    """A line at the bottom of the terminal, which disappears at the end. Without a terminal nothing is shown, or, if
    `lines` is set, a line now and then."""

    def __init__(self, total: float, *, quiet: bool = False, counted: int | None = None, lines: bool = False) -> None:
        """`total` is the amount of work, in the unit that `advance` gets. `counted` is the number of pieces, if that is
        another number."""
        self.total, self.pieces = total, int(total) if counted is None else counted
        self.work = 0.0  # done, of the total
        self.count = 0  # done, of the pieces
        self.first = (0.0, 0.0)  # when the first piece was done, and what it was of the work
        self.progress = _progress(total) if total > 0 and not quiet and sys.stderr.isatty() else None
        self.said = time.monotonic() if lines and not quiet and self.progress is None else None  # the last line's time

    def __enter__(self) -> Self:
        if self.progress:
            self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress:
            self.progress.stop()

    def line(self, line: "Text", out: "Console | None" = None) -> None:
        """Prints one line of the result. If the bar is on the same terminal, the bar itself has to print the line."""
        shared = self.progress is not None and sys.stdout.isatty()
        print_line(self.progress.console if self.progress and shared else out or console(), line)

    def advance(self, work: float = 1, note: str = "", *, pieces: int = 1, known: bool = False) -> None:
        """So much work is done. `known`: the result was there already, so it does not count for the estimate."""
        self.count += pieces
        if known:
            self.total -= work
        else:
            self.work += work
            self.first = self.first if self.first[1] else (time.monotonic(), work)
        if self.progress:
            count, task = f"{self.count}/{self.pieces}", self.progress.task_ids[0]
            self.progress.update(task, total=self.total, completed=self.work, count=count, left=self.left(), note=note)

        if self.said is not None and time.monotonic() - self.said >= EVERY:
            self.said = time.monotonic()
            parts = [f"{self.count} of {self.pieces} done", note, self.left()]
            print(f"snapref: {', '.join(part for part in parts if part)}", file=sys.stderr, flush=True)

    def left(self) -> str:
        """The time left, at the speed since the first piece was done. What came before that was preparation."""
        since, before = self.first
        if not before < self.work < self.total:
            return ""
        return about((time.monotonic() - since) / (self.work - before) * (self.total - self.work)) + " left"


def about(seconds: float) -> str:
    """A rough time: an estimate deserves no more digits."""
    if seconds < 90:
        return f"about {max(5, 5 * round(seconds / 5))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


def _progress(total: float) -> "Progress":
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    progress = Progress(
        BarColumn(bar_width=20),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[note]}"),
        console=console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    progress.add_task("", total=total, count="", left="", note="")
    return progress
