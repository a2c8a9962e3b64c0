"""The inside of a local worker: pieces on standard input, answers on standard output, a line of JSON each."""

import contextlib
import os
import queue
import sys
import threading

from snapref_harness.sweep.work import do


def serve() -> None:
    """Until the client closes the input; or ends: then at once, in the middle of a piece too."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a piece prints is no answer
    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        while True:
            print(do(orders.get()), file=answers, flush=True)


def _listen(orders: "queue.SimpleQueue[str]") -> None:
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)
