"""Honest targets that are slow, jittery, niced, stopped, killed or limited in B are never accused.

SNAPREF_HONEST_RUNS is the number of runs of each kind: 1 here, 25 for the 200 runs that the notes speak of.
"""

import os
import sys
import time

import pytest

from snapref_crosscheck import Effort, crosscheck
from snapref_crosscheck.process import CommandTarget
from tests.mutants.hardship import LIMITED, SUFFERING

RUNS = range(int(os.environ.get("SNAPREF_HONEST_RUNS", "1")))


@pytest.mark.parametrize("kind", SUFFERING, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("run", RUNS)
def test_suffering(kind: type, run: int) -> None:
    """Half a second for a request, four for the whole run: much of it will be late, and none of it wrong."""
    deadline = time.monotonic() + 4
    command = [sys.executable, "-m", "snapref_crosscheck.serve", f"tests.mutants.hardship:{kind.__name__}"]
    target = CommandTarget(command, seconds=0.5, deadline=deadline)
    report = crosscheck(target, Effort(search=5, releases=1000, stride=1 + run % 7, seed=run, deadline=deadline))
    assert [(result.name, result.witness) for result in report.results if result.status == "fail"] == []
    assert report.conforms is not False


@pytest.mark.parametrize("kind", LIMITED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("run", RUNS)
def test_limited(kind: type, run: int) -> None:
    """What it declares is what it is judged by, and enough is left to judge."""
    report = crosscheck(kind(run), Effort(search=10, releases=100, seed=run, stride=10))
    assert [(result.name, result.witness) for result in report.results if result.status == "fail"] == []
    assert report.conforms is True
    assert not any("refuses every setting" in (result.witness or "") for result in report.results)
