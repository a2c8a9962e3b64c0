"""`python -m snapref_harness` is `snapref`."""

import sys

from snapref_harness.cli import main

if __name__ == "__main__":
    sys.exit(main())
