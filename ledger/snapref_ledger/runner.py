"""The runner: runs obligations in parallel processes, each with a limit of processor time, and yields results as they
come.

An obligation passes only when its worker handed over a complete outcome with the expected status. If the worker dies or
uses up its time, the obligation is `undecided`. Ctrl-C and SIGTERM end the run, and whatever is unfinished then is
`undecided`. However the run ends, no process that it started is left (worker.py says how). It forks, so it needs POSIX.

Obligations that run side by side share caches, memory and the processors' speed, and may slow each other down. So an
obligation that came out `undecided` beside another one is run once more, alone, when all others are done. Only the
second result counts.
"""

import array
import contextlib
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from types import FrameType
from typing import Any, Self

from snapref_ledger.limits import backstop, overran, overran_text
from snapref_ledger.obligations import Obligation, Outcome, Run
from snapref_ledger.wire import decode
from snapref_ledger.worker import serve

GRACE = 10.0  # seconds that a killed group of processes may take to disappear
INTERRUPTED = "interrupted"  # the first word of the detail where Ctrl-C or SIGTERM ended an obligation
STARTUP = 60.0  # seconds to wait for the obligations to be imported; after that the first one is started anyway
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from snapref_ledger.worker import serve; serve(int(sys.argv[1]), json.loads(sys.argv[3]))"
)


@dataclass(frozen=True)
class Result:
    """What came out of one obligation."""

    obligation: Obligation
    outcome: Outcome
    seconds: float
    cached: bool = False

    @property
    def passed(self) -> bool:
        return self.obligation.passes(self.outcome)

    @property
    def interrupted(self) -> bool:
        """Whether the run ended before this obligation did."""
        return self.outcome.status == "undecided" and self.outcome.detail.startswith(INTERRUPTED)


def run_all(
    obligations: Iterable[Obligation],
    run: Run,
    jobs: int,
    start_server: "Callable[[Sequence[str]], Server] | None" = None,
) -> Generator[Result]:
    """Runs every obligation, `jobs` at a time, and yields each result as soon as it is known. The server that forks the
    workers is a new interpreter, unless `start_server` makes another one for the modules that it gets."""
    waiting = deque(obligations)
    if not waiting:
        return
    active: list[_Job] = []
    put_back: list[Obligation] = []  # to be run once more, alone
    modules = sorted({obligation.module for obligation in waiting})
    with _Interrupt() as interrupt, (start_server or Server)(modules) as server:
        try:
            server.wait_until_ready(interrupt)
            while (waiting or active or put_back) and not interrupt.seen:
                if not (waiting or active):
                    waiting.extend(put_back)
                    put_back.clear()
                    jobs = 1
                while waiting and len(active) < jobs:
                    active.append(_Job(waiting.popleft(), run, server))
                for job in active:
                    job.alone = job.alone and len(active) == 1
                _wait(active, interrupt)
                for job, result in _finished(active):
                    if result.outcome.status == "undecided" and not job.alone:
                        put_back.append(job.obligation)
                    else:
                        yield result
            for job in active:
                job.kill(INTERRUPTED)
            while active:
                _wait(active)
                for _, result in _finished(active):
                    yield result
            for obligation in (*waiting, *put_back):
                yield Result(obligation, Outcome("undecided", f"{INTERRUPTED} before its turn came"), 0.0)
        finally:  # also where the caller stops listening, or a second Ctrl-C comes
            for job in active:
                job.kill(INTERRUPTED)
            while active:
                _wait(active)
                _finished(active)


class _Job:
    """One obligation that is running. Closing the pipe `orders` kills it. The pipe `results` ends when all of its
    processes are gone."""

    def __init__(self, obligation: Obligation, run: Run, server: "Server") -> None:
        self.obligation = obligation
        self.limit = run.timeout if obligation.timeout is None else obligation.timeout
        self.alone = True  # whether no other job has run at the same time
        self.killed = ""  # why it was killed, if it was
        self.ended = False
        self.received = b""
        self.started = time.monotonic()
        self.deadline = self.started + backstop(self.limit)
        order = {"module": obligation.module, "id": obligation.id, "run": asdict(replace(run, timeout=self.limit))}
        orders_read, self.orders = os.pipe()
        self.results, results_write = os.pipe()
        try:
            os.write(self.orders, json.dumps(order).encode())
            server.start(orders_read, results_write)
        finally:
            os.close(orders_read)
            os.close(results_write)

    def read(self) -> None:
        chunk = os.read(self.results, 1 << 16)
        self.received += chunk
        self.ended = not chunk

    def kill(self, reason: str) -> None:
        if not self.killed:
            self.killed = reason
            self.deadline = time.monotonic() + GRACE
            os.close(self.orders)

    def at_deadline(self) -> None:
        if self.killed:
            self.killed += "; some of its processes may still be running"
            self.ended = True
        else:
            self.kill(f"had not ended after {time.monotonic() - self.started:.0f} s on the clock and was killed")

    def result(self) -> Result:
        seconds = time.monotonic() - self.started
        if not self.killed:
            os.close(self.orders)
        os.close(self.results)
        return Result(self.obligation, self._outcome(), seconds)

    def _outcome(self) -> Outcome:
        messages = list(_messages(self.received))
        for message in messages:
            if "outcome" in message:
                try:
                    return decode(message["outcome"])
                except ValueError as error:
                    return Outcome("error", str(error))
        if self.killed:
            return Outcome("undecided", self.killed)
        for message in messages:
            if "exit" in message:
                if overran(message["exit"]):
                    return Outcome("undecided", overran_text(self.limit))
                return Outcome("undecided", _death(message["exit"], message["log"]))
        return Outcome("undecided", "the worker and its guard died without a word")


def _messages(received: bytes) -> Iterator[dict[str, Any]]:
    """The messages in complete lines. A line that a dying worker cut short is not JSON, and is left out."""
    for line in received.split(b"\n"):
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if isinstance(message, dict):
                yield message


def _death(code: int, log: str) -> str:
    if code < 0:
        how = f"the worker was killed by {_signal_name(-code)} before it had a result"
    else:
        how = f"the worker exited with status {code} before it had a result"
    return f"{how}; it last wrote:\n{log}" if log else how


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"


def _wait(active: Sequence[_Job], interrupt: "_Interrupt | None" = None) -> None:
    """Waits until a message arrives or a deadline passes."""
    with selectors.DefaultSelector() as selector:
        for job in active:
            selector.register(job.results, selectors.EVENT_READ, job)
        if interrupt is not None:
            selector.register(interrupt.reader, selectors.EVENT_READ)
        patience = min(job.deadline for job in active) - time.monotonic()
        for key, _ in selector.select(max(0.0, patience)):
            if key.data is not None:
                key.data.read()
    for job in active:
        if not job.ended and time.monotonic() >= job.deadline:
            job.at_deadline()


def _finished(active: list[_Job]) -> list[tuple[_Job, Result]]:
    """Removes the jobs that have ended from `active`, and returns them with their results."""
    ended = [job for job in active if job.ended]
    active[:] = [job for job in active if not job.ended]
    return [(job, job.result()) for job in ended]


class Server:
    """The process that forks the workers, and the socket through which it receives their pipes."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, str(theirs.fileno()), json.dumps(sys.path), json.dumps(modules)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the runner to handle
            )

    def wait_until_ready(self, interrupt: "_Interrupt") -> None:
        """Waits until the server has imported the obligations, so that this takes no obligation's time."""
        select.select([self.control.fileno(), interrupt.reader], [], [], STARTUP)

    def start(self, orders: int, results: int) -> None:
        """Hands over the two pipes of a job. If the server is dead, the results of the job end at once."""
        pipes = array.array("i", [orders, results])
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.control.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, pipes)])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.control.close()
        self.process.kill()
        self.process.wait()


class ForkedServer(Server):
    """A server that is a fork of this process. What is imported here already it need not import again; the process
    must not have threads."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            self.pid = os.fork()
            if self.pid == 0:
                try:
                    self.control.close()
                    os.setsid()
                    serve(theirs.fileno(), modules)
                finally:
                    os._exit(0)

    def __exit__(self, *_: object) -> None:
        self.control.close()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class _Interrupt:
    """Turns Ctrl-C and SIGTERM into a byte in a pipe, on which the runner waits. So a signal never interrupts the
    runner's code half-way.

    A second signal acts as if there were no handler. A signal that was ignored before stays ignored."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __enter__(self) -> Self:
        self.seen = False
        self.reader, self.writer = os.pipe()
        self.previous: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in self.SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self.previous[number] = signal.signal(number, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        os.write(self.writer, b"!")
        signal.signal(number, self.previous[number])

    def __exit__(self, *_: object) -> None:
        for number, handler in self.previous.items():
            signal.signal(number, handler)
        os.close(self.reader)
        os.close(self.writer)
