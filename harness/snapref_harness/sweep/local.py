"""Workers on this machine: processes that read pieces and write answers, in lines of JSON.

A worker that dies (killed, out of memory) takes only its own piece with it: the piece is given to a fresh worker, and
after ATTEMPTS deaths it is an error. No worker is left when the iterator ends, and one whose client is gone ends
itself; what it was checking ends with it. (Only a worker that is killed outright cannot see to that.)

Dask's LocalCluster is no substitute: its workers exit at once when their client goes, so that a target that hangs stays
behind; its scheduler runs whatever any user of the machine sends to its port; and it takes some seconds more to start.
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
    """A process, and the piece it has."""

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
        """The answer, once all of it is there; an EOFError where the worker died."""
        assert self.process.stdout is not None
        chunk = os.read(self.process.stdout.fileno(), 1 << 16)
        if not chunk:
            raise EOFError
        self.received += chunk
        return json.loads(self.received)[0] if self.received.endswith(b"\n") else None

    def dismiss(self) -> None:
        """Nothing more comes: it leaves, also in the middle of a piece."""
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
        """The next pieces that are done, with the answer; or, where the worker died, how."""
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
