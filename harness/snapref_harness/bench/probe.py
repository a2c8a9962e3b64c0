"""Times diffprivlib, in an interpreter that has it and nothing of ours: `python probe.py`.

It first writes a line that says what it measures. Then it reads counts, one on each line, and answers each with the
seconds of processor time that so many releases took.
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
