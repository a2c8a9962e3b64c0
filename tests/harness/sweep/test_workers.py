"""`snapref sweep` on real processes: one, two, many; killed workers, killed clients, and a Dask cluster on loopback.

Whatever happens on the way, the file of a complete sweep is the same, byte for byte.
"""

import contextlib
import os
import pty
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from snapref_harness.cli import main
from snapref_harness.sweep import cluster, local, work
from snapref_harness.sweep.spec import read_sweep
from tests.harness.processes import alive, wait_until_gone
from tests.harness.sweep.sweeps import PATIENCE, PIECES, children, client, lines, wait_for
from tests.harness.test_verify import Capture


def when_half_way(path: Path, act: Any) -> threading.Thread:
    """Does something once a third of the results are there. A daemon, and with an end: no test waits for it forever."""

    def watch() -> None:
        end = time.monotonic() + PATIENCE
        while lines(path) < PIECES // 3 and time.monotonic() < end:
            time.sleep(0.005)
        act()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


# ---- local processes


def test_two_workers_find_what_one_finds(plan: tuple[Path, bytes], tmp_path: Path) -> None:
    spec, expected = plan
    assert expected.count(b"\n") == PIECES + 1
    assert main(["sweep", str(spec), "--jobs", "2", "--quiet", "--out", str(tmp_path / "two.jsonl")]) == 0
    assert (tmp_path / "two.jsonl").read_bytes() == expected


def test_killed_workers_are_replaced(plan: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[local.Worker] = []
    start = local.Worker.__init__

    def recorded(self: local.Worker) -> None:
        start(self)
        started.append(self)

    monkeypatch.setattr(local.Worker, "__init__", recorded)
    out = tmp_path / "killed.jsonl"
    thread = when_half_way(out, lambda: [os.kill(worker.process.pid, signal.SIGKILL) for worker in list(started)])
    assert main(["sweep", str(plan[0]), "--jobs", "2", "--quiet", "--out", str(out)]) == 0
    thread.join(PATIENCE)
    assert len(started) > 2  # some were killed, and others took over
    assert out.read_bytes() == plan[1]
    assert wait_until_gone([worker.process.pid for worker in started]) == []


POISON = (
    "import json, os, sys; sys.path[:] = json.loads(sys.argv[1]); from snapref_harness.sweep import loss_pieces; "
    "run = loss_pieces.run; "
    "loss_pieces.run = lambda piece: {action} if piece['a'] == '0x1.4p+3' else run(piece); "
    "from snapref_harness.sweep.process import serve; serve()"
)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("os.kill(os.getpid(), 9)", "its worker died 3 times: killed by signal 9"),
        ("(print('goodbye', file=sys.stderr, flush=True), os._exit(7))", "ended with status 7; it last wrote: goodbye"),
    ],
)
def test_a_piece_that_kills_its_workers_is_an_error_and_alone(
    plan: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch, action: str, why: str
) -> None:
    monkeypatch.setattr(local, "_BOOT", POISON.replace("{action}", action))
    pieces = list(read_sweep(plan[0]).pieces())[2:5]
    found = {answer["result"]["id"]: answer["result"] for answer in local.run(iter(pieces), 2)}
    assert [found[piece["id"]]["status"] for piece in pieces] == ["holds", "error", "holds"]
    assert why in found[pieces[1]["id"]]["why"]


def test_what_a_piece_prints_is_no_answer(plan: tuple[Path, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_BOOT", POISON.replace("{action}", "(os.system('echo loud'), run(piece))[1]"))
    pieces = [piece for piece in read_sweep(plan[0]).pieces() if piece["a"] == "0x1.4p+3"]
    assert [answer["result"]["status"] for answer in local.run(iter(pieces), 1)] == ["holds", "holds"]


def test_no_worker_is_left_when_nobody_listens_any_more(plan: tuple[Path, bytes]) -> None:
    before = children(os.getpid())  # what other tests of this process have started
    answers = local.run(read_sweep(plan[0]).pieces(), 2)
    next(answers)
    assert answers.gi_frame is not None  # type: ignore[attr-defined]
    workers = [child for child in children(os.getpid()) if child not in before]
    assert len(workers) >= 2
    answers.close()  # type: ignore[attr-defined]
    assert wait_until_gone(workers) == []


# ---- clients: killed, and on a terminal. (Interrupted ones: test_ends.py.)


def test_a_killed_client_is_resumed(
    plan: tuple[Path, bytes], tmp_path: Path, environment: dict[str, str], capsys: Capture
) -> None:
    out = tmp_path / "resumed.jsonl"
    with client(environment, "slowly", str(plan[0]), "--jobs", "2", "--out", str(out)) as process:
        wait_for(lambda: lines(out) > PIECES // 4)
        workers = children(process.pid)
        process.kill()
    assert wait_until_gone(workers) == []  # they notice that nobody listens any more
    kept = lines(out) - 1
    assert 0 < kept < PIECES
    with open(out, "ab") as file:
        file.write(b'{"id": "scale=')  # as if it had been killed while it wrote
    assert main(["sweep", str(plan[0]), "--jobs", "2", "--out", str(out)]) == 0
    assert f"{PIECES - kept} of {PIECES} pieces" in (said := capsys.readouterr().out)
    assert f"{kept} from before" in said
    assert out.read_bytes() == plan[1]


def test_progress_is_for_terminals(plan: tuple[Path, bytes], tmp_path: Path, environment: dict[str, str]) -> None:
    shown, slave = pty.openpty()
    out = tmp_path / "shown.jsonl"
    out.write_bytes(plan[1])
    with client(environment, "usual", str(plan[0]), "--jobs", "2", "--out", str(out), stderr=slave) as process:
        os.close(slave)
        said, _ = process.communicate(timeout=PATIENCE)
    text = b""
    with contextlib.suppress(OSError):  # the end of a pseudo-terminal
        while chunk := os.read(shown, 1 << 16):
            text += chunk
    os.close(shown)
    assert f"{PIECES}/{PIECES}" in text.decode()
    assert "\r" not in said


# ---- a Dask cluster


def test_a_cluster_finds_what_one_worker_finds_although_one_of_it_is_killed(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any
) -> None:
    out = tmp_path / "cluster.jsonl"
    victim = next(iter(dask.workers.values())).process.pid
    thread = when_half_way(out, lambda: os.kill(victim, signal.SIGKILL))
    assert main(["sweep", str(plan[0]), "--scheduler", dask.scheduler_address, "--quiet", "--out", str(out)]) == 0
    thread.join(PATIENCE)
    assert not alive(victim)
    assert out.read_bytes() == plan[1]


def test_answers_that_died_with_their_worker_are_made_again(plan: tuple[Path, bytes], dask: Any) -> None:
    """The killed worker has done its pieces, and holds their answers: the client has not fetched them yet."""
    answers = cluster.run(read_sweep(plan[0]).pieces(), dask.scheduler_address)
    found = [next(answers)]
    end = time.monotonic() + PATIENCE
    while {task.state for task in list(dask.scheduler.tasks.values())} > {"memory"} and time.monotonic() < end:
        time.sleep(0.01)
    there = [nanny for nanny in dask.workers.values() if nanny.worker_address in dask.scheduler.workers]
    victim = max(there, key=lambda nanny: len(dask.scheduler.workers[nanny.worker_address].has_what))
    assert dask.scheduler.workers[victim.worker_address].has_what
    os.kill(victim.process.pid, signal.SIGKILL)
    while victim.worker_address in dask.scheduler.workers and time.monotonic() < end:
        time.sleep(0.01)
    found.extend(answers)
    assert sorted(answer["result"]["id"] for answer in found) == sorted(read_sweep(plan[0]).ids)


def test_a_cluster_goes_on_where_local_workers_stopped(plan: tuple[Path, bytes], tmp_path: Path, dask: Any) -> None:
    out = tmp_path / "mixed.jsonl"
    out.write_bytes(b"".join(plan[1].splitlines(keepends=True)[: PIECES // 2]))
    assert main(["sweep", str(plan[0]), "--scheduler", dask.scheduler_address, "--quiet", "--out", str(out)]) == 0
    assert out.read_bytes() == plan[1]


def test_more_pieces_than_are_in_flight(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "AHEAD", 1)
    monkeypatch.setattr(cluster, "AT_LEAST", 2)
    out = tmp_path / "window.jsonl"
    assert main(["sweep", str(plan[0]), "--scheduler", dask.scheduler_address, "--quiet", "--out", str(out)]) == 0
    assert out.read_bytes() == plan[1]


def complaint(capsys: Capture, spec: Path, address: str, out: Path) -> str:
    assert main(["sweep", str(spec), "--scheduler", address, "--out", str(out)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_an_answer_that_is_not_text_is_not_unpickled(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    from pathlib import PurePosixPath

    monkeypatch.setattr(cluster, "do", PurePosixPath)  # its answers would have to be pickled
    err = complaint(capsys, plan[0], dask.scheduler_address, tmp_path / "pickled.jsonl")
    assert "something else than JSON text" in err


def test_a_worker_that_cannot_do_it_is_one_line(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(cluster, "do", int)
    err = complaint(capsys, plan[0], dask.scheduler_address, tmp_path / "unable.jsonl")
    assert "the cluster cannot do the work (ValueError: invalid literal" in err
    assert "; scheduler and workers need the same snapref" in err


def die(order: str) -> str:
    os._exit(9)


def test_a_piece_that_kills_every_worker_is_an_error(
    plan: tuple[Path, bytes], dask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask.scheduler, "allowed_failures", 0)
    monkeypatch.setattr(cluster, "do", die)
    monkeypatch.setattr(cluster, "bundle_size", lambda done, seconds: 2)
    pieces = list(read_sweep(plan[0]).pieces())[:2]
    found = cluster.run(iter(pieces), dask.scheduler_address)  # together, and then each alone
    by_id = {answer["result"]["id"]: answer for answer in found}
    assert by_id == {
        p["id"]: work.failure(p, "every worker that tried it died; have all of them snapref?") for p in pieces
    }


def test_pieces_that_travel_together(
    plan: tuple[Path, bytes], tmp_path: Path, dask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "bundle_size", lambda done, seconds: 5)
    out = tmp_path / "bundles.jsonl"
    assert main(["sweep", str(plan[0]), "--scheduler", dask.scheduler_address, "--quiet", "--out", str(out)]) == 0
    assert out.read_bytes() == plan[1]


def test_bundles_are_seconds_of_work() -> None:
    assert cluster.bundle_size(0, 0.0) == 1
    assert cluster.bundle_size(10, 1.0) == 100
    assert cluster.bundle_size(10, 1000.0) == 1
    assert cluster.bundle_size(10, 0.0) == cluster.MOST


def test_no_scheduler_is_one_line(
    plan: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1:port"):
        assert f"cannot reach the scheduler {address}" in complaint(capsys, plan[0], address, tmp_path / "none.jsonl")


def test_without_dask_the_error_says_what_to_install(
    plan: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    err = complaint(capsys, plan[0], "tcp://127.0.0.1:1", tmp_path / "none.jsonl")
    assert "pip install 'snapref[dask]'" in err


def test_a_lost_scheduler_is_one_line_and_what_is_done_is_kept(
    plan: tuple[Path, bytes], tmp_path: Path, capsys: Capture
) -> None:
    distributed = pytest.importorskip("distributed")
    out = tmp_path / "lost.jsonl"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=":0", silence_logs=50
    ) as doomed:
        thread = when_half_way(out, doomed.close)
        err = complaint(capsys, plan[0], doomed.scheduler_address, out)
        thread.join(PATIENCE)
    assert "lost the scheduler" in err
    assert main(["sweep", str(plan[0]), "--jobs", "1", "--quiet", "--out", str(out)]) == 0
    assert out.read_bytes() == plan[1]
