"""Watching processes from the outside."""

import os
import time
from pathlib import Path


def alive(pid: int) -> bool:
    """Whether it runs; a zombie does not."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return not Path("/proc/self").exists()
    return state != "Z"


def wait_for_pids(file: Path, count: int, patience: float = 60) -> list[int]:
    """The pids that checks write to `file`, once there are `count` of them."""
    end = time.monotonic() + patience
    while not file.exists() or len(file.read_text().split()) < count:
        assert time.monotonic() < end, "the checks never started"
        time.sleep(0.02)
    return [int(word) for word in file.read_text().split()]


def wait_until_gone(pids: list[int], patience: float = 30) -> list[int]:
    """Those that are still alive when patience ends: none, one hopes."""
    end = time.monotonic() + patience
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < end:
        time.sleep(0.02)
    return left
