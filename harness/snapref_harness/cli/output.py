"""What all verbs share: exit codes, errors as one line, writing JSON, and printing to terminals of any width."""

import difflib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    from markupsafe import Markup
    from rich.console import Console
    from rich.text import Text

AS_EXPECTED, REFUTED, TROUBLE, UNDECIDED = 0, 1, 2, 3
# The reader of a pipe went away, as in `snapref … | head`. This is what a shell reports of a program that SIGPIPE (13)
# ended: 128 + 13. It is not 0, because not everything was said.
READER_LEFT = 141
UNLIMITED = 10_000  # the width of a file or a pipe
NARROWEST = 40  # columns that a text needs beside its label

JsonOption = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write the result as JSON to FILE; - is standard output."),
]
PlotOption = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw a picture of the result: FILE ends in .svg or .png."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print only what did not come out as expected.")]
SilentOption = Annotated[bool, typer.Option("--quiet", help="Print nothing; --json still writes.")]


class Failure(Exception):
    """Ends the command with one line on standard error and an exit code."""

    def __init__(self, message: str, code: int = TROUBLE) -> None:
        super().__init__(message)
        self.code = code


def worst(codes: Iterable[int]) -> int:
    """One exit code for several: 2 if there is one, else 1, else 3, else 0."""
    found = set(codes)
    return next((code for code in (TROUBLE, REFUTED, UNDECIDED) if code in found), AS_EXPECTED)


def complain(message: str) -> None:
    """One line on standard error."""
    try:
        print("snapref: " + " ".join(message.split()), file=sys.stderr, flush=True)
    except OSError:  # there is nowhere left to say it
        abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """The reader of the stream went away: whatever is still written to it, at exit too, is dropped."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, stream.fileno())
    os.close(devnull)


def count(n: int, noun: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{n} {plural(n, noun)}"


def plural(n: int, noun: str) -> str:
    return noun if n == 1 else noun + "s"


def near(word: str, known: Iterable[str]) -> str:
    """A hint such as "; did you mean …?", or nothing."""
    names = list(known)
    wanted = word.lower().strip("*")
    close = difflib.get_close_matches(word, names, n=3) or [n for n in names if wanted and wanted in n.lower()][:3]
    return f"; did you mean {' or '.join(close)}?" if close else ""


def check_target(target: str | None) -> None:
    """An error unless a file can be written there. Asked before the work rather than after it."""
    if target is None or target == "-":
        return
    path = Path(target)
    if path.is_dir():
        raise Failure(f"{target} is a directory; name a file")
    if not path.parent.is_dir():
        raise Failure(f"the directory {path.parent} does not exist; create it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Failure(f"{target} cannot be written; check its permissions")


def check_folder(folder: Path) -> None:
    """An error where a folder is to be written and something else is there."""
    if folder.exists() and not folder.is_dir():
        raise Failure(f"{folder} is not a directory; name one, or a new one")


def check_plot(target: str | None) -> None:
    """An error unless a picture of this kind can be written."""
    if target is None:
        return
    from snapref_harness.report.standalone import PlotError, check_kind

    try:
        check_kind(target)
    except PlotError as error:
        raise Failure(str(error)) from None


def save_plot(picture: "Markup", target: str) -> None:
    from snapref_harness.report.standalone import PlotError, save

    try:
        save(picture, target)
    except PlotError as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror}") from None


def processes(jobs: int | None) -> int:
    """How many processes to run: as many as are asked for, by default one for each core."""
    if jobs is not None and jobs < 1:
        raise Failure("--jobs must be at least 1")
    return jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def write_text(text: str, target: str) -> None:
    if target == "-":
        sys.stdout.write(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror}") from None


def write_json(data: Any, target: str) -> None:
    write_text(json_text(data, target) + "\n", target)


def json_text(data: Any, target: str) -> str:
    """The JSON as it can be written there. Files are UTF-8; standard output may know only ASCII, where JSON has \\u."""
    utf8 = target != "-" or (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(data, indent=2, ensure_ascii=not utf8, allow_nan=False)


def _follows_terminal(stream: TextIO) -> bool:
    """Whether lines are fitted to a width: on a terminal, or if COLUMNS is set. In files and pipes they are not."""
    return stream.isatty() or os.environ.get("COLUMNS", "").isdigit()


def width() -> int:
    """How many columns a line of standard output may have."""
    return shutil.get_terminal_size().columns if _follows_terminal(sys.stdout) else UNLIMITED


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of so many columns. A word such as a number is never broken, even if it is longer, and "x = 1"
    stays on one line."""
    glued = text.replace(" = ", "\xa0=\xa0")
    lines = textwrap.wrap(glued, max(columns, 1), break_long_words=False, break_on_hyphens=False) or [""]
    return [line.replace("\xa0", " ") for line in lines]


def print_wrapped(text: str) -> None:
    """Prints a sentence, in as many lines as the width of the terminal needs. Lines after the first are indented."""
    first, *rest = wrapped(text, width())
    print("\n".join([first, *(f"  {line}" for line in wrapped(" ".join(rest), width() - 2) if rest)]))


def print_fields(fields: Sequence[tuple[str, str]], labels: int = 0) -> None:
    """Prints labels with their texts beside them; or below them, where the terminal is too narrow. `labels` is the
    least width of the column of labels."""
    labels = max(labels, *(len(label) for label, _ in fields))
    beside = width() >= labels + 2 + NARROWEST
    for label, text in fields:
        lines = wrapped(text, width() - (labels if beside else 0) - 2) if width() < UNLIMITED else [text]
        if not beside:
            print(label)
        for index, line in enumerate(lines):
            print(f"{label if index == 0 else '':{labels}}  {line}" if beside else f"  {line}")


def console(*, stderr: bool = False) -> "Console":
    """A console as wide as the terminal."""
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would exit with 1, which means something else here

    stream = sys.stderr if stderr else sys.stdout
    columns = None if _follows_terminal(stream) else UNLIMITED
    return PlainConsole(file=stream, width=columns, highlight=False, markup=False, emoji=False)


def print_line(target: "Console", line: "Text") -> None:
    """Prints one line, cut off at the width of the terminal."""
    target.print(line, no_wrap=True, overflow="ellipsis", crop=True)
