"""Runs pieces in worker processes on this machine. They read pieces and write answers, as lines of JSON.

If a worker dies (killed, or out of memory), its piece goes to a fresh worker. After ATTEMPTS deaths the piece is an
error. When the iterator ends, no worker is left. A worker whose client is gone ends by itself, and so does the target
that it is checking. (Only a worker that is killed with SIGKILL cannot end its target.)

Dask's LocalCluster would not do. Its workers exit at once when their client is gone, so that a target that hangs is
left over. Its scheduler runs whatever any user of the machine sends to its port. And it takes longer to start.
"""

import contextlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator
from typing import Any, Self

from snapref_harness.sweep.pieces import Piece
from snapref_harness.sweep.process import GRACE
from snapref_harness.sweep.work import WorkError, failure

ATTEMPTS = 3
LOG_TAIL = 500  # bytes of what a dead worker wrote
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from snapref_harness.sweep.process import serve; serve()"
)


class Worker:
    """A worker process, and the piece that it is working on."""

    def __init__(self) -> None:
        try:
            self.log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
            self.process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                start_new_session=True,  # Ctrl-C is for the client to handle
            )
        except OSError as error:
            raise WorkError(f"cannot start a worker: {error.strerror}; what was done is kept") from None
        self.piece: Piece = {}
        self.received = b""

    def give(self, piece: Piece) -> None:
        self.piece, self.received = piece, b""
        with contextlib.suppress(BrokenPipeError):  # it has died: the end of its output will say so
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps([piece]).encode() + b"\n")
            self.process.stdin.flush()

    def read(self) -> dict[str, Any] | None:
        """The answer, or None if it is not complete yet. An EOFError if the worker died."""
        assert self.process.stdout is not None
        chunk = os.read(self.process.stdout.fileno(), 1 << 16)
        if not chunk:
            raise EOFError
        self.received += chunk
        return json.loads(self.received)[0] if self.received.endswith(b"\n") else None

    def dismiss(self) -> None:
        """Closes its input: the worker ends, even in the middle of a piece."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]

    def death(self) -> str:
        """How it died, in words."""
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.log.seek(0, 2)
        self.log.seek(max(0, self.log.tell() - LOG_TAIL))
        lines = [line.strip() for line in self.log.read().decode(errors="replace").splitlines() if line.strip()]
        how = f"killed by signal {-code}" if code < 0 else f"ended with status {code}"
        return f"{how}; it last wrote: {lines[-1]}" if lines else how


class Pool:
    """At most `jobs` workers, started when they are needed."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.selector = selectors.DefaultSelector()
        self.busy: set[Worker] = set()
        self.idle: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.selector.close()
        workers = (*self.busy, *self.idle)
        for worker in workers:
            worker.dismiss()
        end = time.monotonic() + GRACE + 1
        for worker in workers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.process.wait(max(0.0, end - time.monotonic()))
            worker.kill()

    @property
    def has_room(self) -> bool:
        return len(self.busy) < self.jobs

    def give(self, piece: Piece) -> None:
        if not self.idle:
            self.idle.append(worker := Worker())
            self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
        worker = self.idle.pop()
        self.busy.add(worker)
        worker.give(piece)

    def wait(self) -> Iterator[tuple[Piece, dict[str, Any] | str]]:
        """The next pieces that are done, each with its answer; or, if the worker died, with a text that says how."""
        for key, _ in self.selector.select():
            worker: Worker = key.data
            try:
                answer = worker.read()
            except EOFError:
                self.selector.unregister(key.fileobj)
                if worker in self.idle:
                    self.idle.remove(worker)
                else:
                    self.busy.remove(worker)
                    yield worker.piece, worker.death()
                worker.kill()
                continue
            if answer is not None:
                self.busy.remove(worker)
                self.idle.append(worker)
                yield worker.piece, answer


def run(pieces: Iterator[Piece], jobs: int) -> Generator[dict[str, Any]]:
    """The answers, as they come."""
    again: deque[Piece] = deque()
    deaths: Counter[str] = Counter()
    with Pool(jobs) as pool:
        while True:
            while pool.has_room and (piece := again.popleft() if again else next(pieces, None)):
                pool.give(piece)
            if not pool.busy:
                return
            for piece, answer in pool.wait():
                if not isinstance(answer, str):
                    yield answer
                    continue
                deaths[piece["id"]] += 1
                if deaths[piece["id"]] < ATTEMPTS:
                    again.append(piece)
                else:
                    yield failure(piece, f"its worker died {ATTEMPTS} times: {answer}")
