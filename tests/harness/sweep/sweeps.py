"""Sweeps in processes of their own, and how to disturb them."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.harness.processes import alive

SPEC = """
kind = "loss"
scale = [1, 1.5]
bound = 200.25
a = { from = 9.25, to = 12, step = 0.25 }
"""
PIECES = 24
PATIENCE = 60.0
PROGRAMS = {"usual": "snapref_harness", "slowly": "tests.harness.sweep.slowly"}


@contextlib.contextmanager
def client(environment: dict[str, str], how: str, *args: str, **more: Any) -> "Iterator[subprocess.Popen[str]]":
    """A sweep in a process that does not outlive the test. `slowly` is for one that the test disturbs in the middle."""
    command = [sys.executable, "-m", PROGRAMS[how], "sweep", *args]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def children(pid: int) -> list[int]:
    """The processes that it started and that still run."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split() if alive(int(word))]


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)
