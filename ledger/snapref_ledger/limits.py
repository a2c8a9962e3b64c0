"""How long a check may take. Limits count processor time: a busy machine makes an answer late, but never changes it.

An obligation has a limit in seconds. Each of its processes (the worker and every solver) may compute for that long;
then the kernel ends the process with the signal SIGXCPU. A limit on the clock is only for a process that hangs without
computing (`backstop`).

The kernel measures processor time by sampling: it charges a whole tick to the process that is running when the tick
ends. Where many processes share a processor, it can charge a fifth too much. So limits leave room, and an obligation
that ran out of time beside others is run once more, alone (runner.py).
"""

import math
import resource
import signal

LONGEST = 1_000_000  # seconds (eleven days): every system call accepts this much as a time to wait


def limit_processor_time(seconds: float) -> None:
    """Limits the process that calls this, counted from the start of the process. The kernel takes whole seconds, so the
    limit is rounded up."""
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
    """Seconds on the clock for a limit in processor time. A process that has not ended by then is taken to hang."""
    return min(max(600.0, 20.0 * seconds), LONGEST)
