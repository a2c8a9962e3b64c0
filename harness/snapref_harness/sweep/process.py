"""What runs in a local worker: it reads pieces from standard input and writes answers, a line of JSON for each."""

import contextlib
import os
import queue
import signal
import sys
import threading
import time

from snapref_harness.sweep.work import do

GRACE = 2.0  # seconds in which a worker ends the target that it is checking, before it ends itself


def serve() -> None:
    """Works until the client closes the input or dies. Then it stops, even in the middle of a piece."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the client was told to ignore
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a piece prints is no answer
    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        while True:
            print(do(orders.get()), file=answers, flush=True)


def _listen(orders: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        orders.put(line)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # what it has open is closed on the way out
    time.sleep(GRACE)
    os._exit(0)
