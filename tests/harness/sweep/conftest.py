"""What the tests of sweeps share: a cluster, and a sweep whose results are known."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snapref_harness.cli import main
from tests.harness.sweep.sweeps import SPEC

UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
}


@pytest.fixture(scope="package")
def dask() -> Iterator[Any]:
    """A scheduler and two worker processes on loopback, which find what the tests can import. All tests share them: a
    worker that is killed is replaced. Nothing but answers is wanted: Dask need not watch itself all the time."""
    distributed = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed: pip install 'snapref[dask]'"
    )
    import dask

    with pytest.MonkeyPatch.context() as patch, dask.config.set(UNWATCHED):
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster:
            yield cluster


@pytest.fixture(scope="package")
def plan(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """The specification of a sweep, and the results of one worker that nobody disturbed."""
    spec = tmp_path_factory.mktemp("sweep") / "it.toml"
    spec.write_text(SPEC, encoding="utf-8")
    out = spec.with_suffix(".jsonl")
    assert main(["sweep", str(spec), "--jobs", "1", "--quiet", "--out", str(out)]) == 0
    return spec, out.read_bytes()
