"""Tests never assert a time: Hypothesis has no deadline here. And no test prints to a terminal, whatever xdist says."""

import os

from hypothesis import settings

settings.register_profile("snapref", deadline=None)
settings.load_profile("snapref")
os.environ.pop("COLUMNS", None)
