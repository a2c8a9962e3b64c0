"""Tests never assert a time: Hypothesis has no deadline here. And no test prints to a terminal, whatever xdist says."""

import gc
import os
import signal

from hypothesis import settings

settings.register_profile("snapref", deadline=None)
settings.load_profile("snapref")
os.environ.pop("COLUMNS", None)
# A shell that starts the tests in the background makes them ignore Ctrl-C, and so would all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What is there now stays: the collector of garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()
