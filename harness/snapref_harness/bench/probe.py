"""Runs inside another interpreter, which has diffprivlib and nothing of ours: `python probe.py`.

The first line it writes is what it measures. Then, for each count it reads, the seconds of the processor that so many
releases took.
"""

import importlib.util
import sys
import time
from importlib import metadata


def main() -> None:
    from diffprivlib.mechanisms import Snapping  # type: ignore[import-not-found]

    logarithm = "crlibm's" if importlib.util.find_spec("crlibm") else "numpy's"
    mechanism = Snapping(epsilon=1.0, sensitivity=1.0, lower=-10.0, upper=10.0)
    mechanism.randomise(3.25)
    print(f"diffprivlib {metadata.version('diffprivlib')}, {logarithm} log", flush=True)
    for line in sys.stdin:
        start = time.process_time()
        for _ in range(int(line)):
            mechanism.randomise(3.25)
        print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
