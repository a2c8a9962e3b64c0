"""The inside of a local worker: pieces on standard input, answers on standard output, a line of JSON each."""

import contextlib
import os
import queue
import signal
import sys
import threading
import time

from snapref_harness.sweep.work import do

GRACE = 2.0  # seconds to leave in good order: a target that is being checked ends with its worker


def serve() -> None:
    """Until the client closes the input, or ends: in the middle of a piece too."""
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
