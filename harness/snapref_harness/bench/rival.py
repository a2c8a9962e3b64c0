"""diffprivlib's Snapping as a contender. It runs in an interpreter of its own, as we do not depend on diffprivlib."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snapref_harness.bench.measure import Contender, Turn
from snapref_ledger.claims import notes_directory

REAL = Path(".venv-real") / "bin" / "python"  # where `make crosscheck-real` installs it, in the checkout
PROBE = Path(__file__).with_name("probe.py")


class Missing(Exception):
    """There is no diffprivlib to compare with; the message says why."""


def find(asked: str | None) -> str:
    """The interpreter that has diffprivlib: the one that was asked for, this one, or that of `make crosscheck-real`."""
    if asked is not None:
        return asked
    if importlib.util.find_spec("diffprivlib"):
        return sys.executable
    notes = notes_directory()
    for folder in (Path(), *([notes.parent] if notes else [])):
        if (folder / REAL).exists():
            return str(folder / REAL)
    raise Missing(
        "diffprivlib is not installed: `make crosscheck-real` installs it in .venv-real, --python names another"
    )


@contextmanager
def contender(interpreter: str | None, count: int) -> Iterator[Contender]:
    """A contender that makes `count` releases in each turn. The other interpreter does the timing, so neither starting
    it nor talking to it counts."""
    python = find(interpreter)
    command = [python, str(PROBE)]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise Missing(f"{python} cannot be run: {error.strerror}") from None
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        name = process.stdout.readline().strip()
        if not name:
            complaint = process.stderr.read().strip().splitlines() or ["it says nothing"]
            raise Missing(f"diffprivlib does not work in {python}: {complaint[-1]}")

        def turn() -> Turn:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{count}\n")
            process.stdin.flush()
            return Turn(count, float(process.stdout.readline()))

        try:
            yield Contender(name, turn)
        finally:
            process.stdin.close()
