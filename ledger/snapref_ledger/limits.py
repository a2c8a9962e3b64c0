"""How long a check may take: in processor time, so that a busy machine delays an answer and never changes it.

Each process of an obligation (its worker, every solver) may compute for as many seconds as the obligation has; the
kernel ends one that goes on with SIGXCPU. The clock is only for what hangs without computing: see `backstop`.

The kernel samples: it charges whole ticks to whoever runs when one ends. Where many share a processor, that can be a
fifth too much. So limits leave room, and what ran out beside others is run once more alone (runner.py).
"""

import math
import resource
import signal

LONGEST = 1_000_000  # seconds, eleven days: what every call of the system takes as a time to wait


def limit_processor_time(seconds: float) -> None:
    """For the process that calls it, counted from its start. The kernel counts whole seconds, so this rounds up."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = whole(seconds) if hard == resource.RLIM_INFINITY else min(whole(seconds), hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def whole(seconds: float) -> int:
    return max(1, math.ceil(min(seconds, LONGEST)))


def overran(status: int) -> bool:
    """Whether an exit status, as `subprocess` gives it, says that the kernel ended the process at its limit."""
    return status == -signal.SIGXCPU


def overran_text(seconds: float) -> str:
    return f"used its limit of {whole(seconds)} s of processor time"


def backstop(seconds: float) -> float:
    """On the clock, for a limit in processor time: who has not ended by then hangs, or is starved beyond hope."""
    return min(max(600.0, 20.0 * seconds), LONGEST)
