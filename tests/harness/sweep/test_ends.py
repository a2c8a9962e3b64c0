"""Sweeps that do not come to their end: interrupted, terminated, killed, or left alone by their cluster.

They end soon, in one line that says how to go on; nothing that they started is left; and the next run ends with the
bytes of one that nobody disturbed.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from snapref_harness.cli import main
from snapref_harness.sweep import cluster
from snapref_harness.sweep.work import WorkError
from tests.harness.processes import alive, wait_for_pids, wait_until_gone
from tests.harness.sweep.sweeps import PATIENCE, children, client, lines, wait_for
from tests.harness.sweep.test_workers import complaint
from tests.harness.test_verify import Capture

ENOUGH = 3  # lines after which a sweep of 24 pieces is disturbed


# ---- signals


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("where", ["local", "dask"])
def test_an_interrupted_sweep_goes_on(
    where: str, signum: int, plan: tuple[Path, bytes], tmp_path: Path, environment: dict[str, str], dask: Any
) -> None:
    out = tmp_path / "it.jsonl"
    options = ["--jobs", "2"] if where == "local" else ["--scheduler", dask.scheduler_address]
    arguments = [str(plan[0]), "--out", str(out), *options]
    with client(environment, "slowly", *arguments) as process:
        wait_for(lambda: lines(out) > ENOUGH)
        workers = children(process.pid)
        process.send_signal(signum)
        said, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert complaint.startswith("snapref: interrupted: ")
    assert complaint.endswith("; the same command goes on from there\n")
    assert complaint.count("\n") == 1
    assert "holds" in said
    assert wait_until_gone(workers) == []
    assert out.read_bytes().endswith(b"\n")
    assert lines(out) < plan[1].count(b"\n")
    wait_for(lambda: not dask.scheduler.tasks)  # nobody works for a client that has left
    assert main(["sweep", *arguments, "--quiet"]) == 0
    assert out.read_bytes() == plan[1]


def test_a_cluster_forgets_a_client_that_was_killed(
    plan: tuple[Path, bytes], tmp_path: Path, environment: dict[str, str], dask: Any
) -> None:
    out = tmp_path / "it.jsonl"
    arguments = [str(plan[0]), "--out", str(out), "--scheduler", dask.scheduler_address]
    with client(environment, "slowly", *arguments) as process:
        wait_for(lambda: lines(out) > ENOUGH)
        process.kill()
    wait_for(lambda: not dask.scheduler.tasks)
    assert main(["sweep", *arguments, "--quiet"]) == 0
    assert out.read_bytes() == plan[1]


HANGING = """
import json, os, sys, time
for line in sys.stdin:
    order = json.loads(line)
    if order["op"] == "describe":
        print(json.dumps({"id": order["id"], "name": "hanging"}), flush=True)
    else:
        with open(sys.argv[1], "a") as file:
            print(os.getpid(), file=file)
        time.sleep(10**6)
"""


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_target_that_hangs_ends_with_the_sweep(signum: int, tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "hanging.py").write_text(HANGING, encoding="utf-8")
    command = f"{sys.executable} {tmp_path / 'hanging.py'} {tmp_path / 'pids'}"
    spec = tmp_path / "it.toml"
    spec.write_text(
        f'kind = "crosscheck"\nseed = 0\ncheck = ["round", "clamp"]\ntimeout = 600\ncommand = "{command}"\n',
        encoding="utf-8",
    )
    with client(environment, "usual", str(spec), "--jobs", "2", "--out", str(tmp_path / "it.jsonl")) as process:
        targets = wait_for_pids(tmp_path / "pids", 2)
        workers = children(process.pid)
        process.send_signal(signum)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == (-signum if signum == signal.SIGKILL else 3)
    assert wait_until_gone([*workers, *targets]) == []


# ---- clusters


@contextlib.contextmanager
def dask_process(environment: dict[str, str], what: str, *args: str, first: str = "pass") -> "Iterator[int]":
    """`dask scheduler` or `dask worker`, as on a machine of its own."""
    pytest.importorskip("distributed")
    code = f"import sys; {first}; from distributed.cli.dask_{what} import main; main()"
    command = [sys.executable, "-c", code, *args, "--no-dashboard"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet) as process:
        try:
            yield process.pid
        finally:
            process.kill()


@pytest.fixture
def alone() -> Iterator[str]:
    """The address of a scheduler without workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def scheduler(tmp_path: Path, environment: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The pid and the address of a scheduler in a process of its own, without workers."""
    file = tmp_path / "scheduler.json"
    with dask_process(
        environment, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
    ) as pid:
        wait_for(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        yield pid, json.loads(file.read_text())["address"]


@pytest.fixture
def worker_directory(tmp_path: Path) -> list[str]:
    return ["--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)]


def test_a_scheduler_that_is_killed(
    plan: tuple[Path, bytes],
    tmp_path: Path,
    environment: dict[str, str],
    scheduler: tuple[int, str],
    worker_directory: list[str],
) -> None:
    out = tmp_path / "it.jsonl"
    pid, address = scheduler
    with (
        dask_process(environment, "worker", address, *worker_directory),
        client(environment, "slowly", str(plan[0]), "--out", str(out), "--scheduler", address) as process,
    ):
        wait_for(lambda: lines(out) > ENOUGH)
        os.kill(pid, signal.SIGKILL)
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert complaint.startswith(f"snapref: lost the scheduler {address}; what was done is kept")
    assert complaint.count("\n") == 1
    assert main(["sweep", str(plan[0]), "--out", str(out), "--jobs", "2", "--quiet"]) == 0
    assert out.read_bytes() == plan[1]


WITHOUT = "sys.modules['snapref_harness'] = None"


def test_a_worker_without_snapref(
    plan: tuple[Path, bytes],
    tmp_path: Path,
    environment: dict[str, str],
    alone: str,
    worker_directory: list[str],
    capsys: Capture,
) -> None:
    import distributed

    with dask_process(environment, "worker", alone, *worker_directory, first=WITHOUT) as pid:
        with distributed.Client(alone, set_as_default=False) as there:
            there.wait_for_workers(1, PATIENCE)
        err = complaint(capsys, plan[0], alone, tmp_path / "it.jsonl")
        assert alive(pid)  # nothing was asked of it that it could die of
    assert "cannot do the work: ModuleNotFoundError" in err
    assert "it needs the same snapref" in err


def test_a_scheduler_without_workers(
    plan: tuple[Path, bytes],
    tmp_path: Path,
    alone: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.setattr(cluster, "ALONE", 0.5)
    err = complaint(capsys, plan[0], alone, tmp_path / "it.jsonl")
    assert f"the scheduler {alone} has no workers; start some" in err


def test_an_address_of_something_else(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    worker = next(iter(dask.scheduler.workers))
    assert "what answers there is none" in complaint(capsys, plan[0], worker, tmp_path / "it.jsonl")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        err = complaint(capsys, plan[0], address, tmp_path / "it.jsonl")
    assert f"cannot reach the scheduler {address}: no answer within 0.5 s" in err
    assert "missing port number" in complaint(capsys, plan[0], "", tmp_path / "it.jsonl")


@pytest.mark.parametrize("text", ["7", '"text"', "[7]", "[{}]", '[{"result": {"id": "x"}}]', "[", "{}", "[]"])
def test_an_answer_to_something_else_is_refused(text: str) -> None:
    class Future:
        def result(self) -> str:
            return text

    with pytest.raises(WorkError, match="a worker answered"):
        cluster._read(Future(), [{"id": "x"}])


def test_an_answer_to_another_piece_is_refused() -> None:
    class Future:
        def result(self) -> str:
            return '[{"result": {"id": "y"}, "seconds": 0.5, "made_by": {}}]'

    assert len(cluster._read(Future(), [{"id": "y"}])) == 1
    with pytest.raises(WorkError, match="something else than what it was asked"):
        cluster._read(Future(), [{"id": "x"}])
