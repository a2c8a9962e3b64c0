"""`python -m tests.harness.sweep.slowly sweep …`: the command line, but every piece of a sweep takes its time.

So a test that disturbs a sweep in the middle is never too late, and few pieces are enough for it. The time is slept: it
costs nothing.
"""

import sys
import time

from snapref_harness.cli import main
from snapref_harness.sweep import cluster, local, process, work

PAUSE = 0.1
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from tests.harness.sweep.slowly import serve; serve()"


def do(order: str) -> str:
    """What a worker does, here or in a cluster."""
    time.sleep(PAUSE)
    return work.do(order)


def serve() -> None:
    """What runs in a local worker."""
    process.do = do
    process.serve()


if __name__ == "__main__":
    from tests.harness.sweep import slowly  # `do` must not be of __main__: workers look for it by its module

    cluster.do = slowly.do
    local._BOOT = _BOOT
    sys.exit(main(sys.argv[1:]))
