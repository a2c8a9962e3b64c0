"""The processes that do the checking: a server that forks, and for every obligation a guard and a worker.

    runner ── server ──┬── guard ── worker ── solvers, …      one session (and process group) per obligation
                       └── guard ── worker ── solvers, …

The server imports every obligation once. A worker is then only a fork: it starts at once, and none of its processor
time is used yet.

The guard runs no solver and makes no long call, so it can always react. When the runner closes the pipe of orders, or
dies, the guard kills the whole group. It does the same when the worker has ended, so that no process that a check
started is left over.

The pipe of results ends when guard and worker are both gone. It carries lines of JSON:

    {"outcome": {…}}                 from the worker, if it got that far
    {"exit": status, "log": "…"}     from the guard, when the worker has ended
"""

import array
import contextlib
import importlib
import json
import os
import resource
import signal
import socket
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from typing import IO, Any, NoReturn

from snapref_ledger.limits import limit_processor_time
from snapref_ledger.obligations import REGISTRY, Outcome, Run
from snapref_ledger.wire import encode

LOG_TAIL = 2000  # how many of the last bytes that a dead worker wrote are shown


def serve(control_fd: int, modules: Sequence[str]) -> None:
    """The server: imports the obligations, then forks a guard for each pair of pipes, until the runner is gone."""
    trouble = _import_all(modules)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the guards
    control = socket.socket(fileno=control_fd)
    with contextlib.suppress(BrokenPipeError):
        control.send(b".")  # ready
    while pipes := _receive_pipes(control):
        if os.fork() == 0:
            try:
                control.close()
                _guard(*pipes, trouble)
            finally:
                os._exit(1)
        for fd in pipes:
            os.close(fd)


def _import_all(modules: Sequence[str]) -> str:
    try:
        for module in modules:
            importlib.import_module(module)
    except BaseException:  # process boundary: every obligation of this run reports it as its error
        return traceback.format_exc()
    return ""


def _receive_pipes(control: socket.socket) -> tuple[int, int] | None:
    """The pipes of the next job, for orders and for results. None when the runner is gone."""
    fds = array.array("i")
    try:
        byte, ancillary, _, _ = control.recvmsg(1, socket.CMSG_LEN(2 * fds.itemsize))
    except ConnectionResetError:
        return None
    for _level, _type, data in ancillary if byte else []:
        fds.frombytes(data)
    if len(fds) != 2:
        return None
    for fd in fds:
        os.set_inheritable(fd, False)
    return fds[0], fds[1]


def _guard(orders: int, results: int, trouble: str) -> NoReturn:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    order = os.read(orders, 1 << 16)
    if not order:
        os._exit(0)
    log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the guard
    worker = os.fork()
    if worker == 0:
        os.close(orders)
        _work(json.loads(order), results, log, trouble)
    threading.Thread(target=_kill_group_at_end, args=(orders,), daemon=True).start()
    _, status = os.waitpid(worker, 0)
    end = {"exit": os.waitstatus_to_exitcode(status), "log": _tail(log)}
    with contextlib.suppress(OSError):  # nobody listens any more
        _write(results, b"\n" + json.dumps(end).encode() + b"\n")
    _kill_group()


def _kill_group_at_end(orders: int) -> None:
    while os.read(orders, 1):
        pass
    _kill_group()


def _kill_group() -> NoReturn:
    os.killpg(0, signal.SIGKILL)
    os._exit(1)  # not reached: the signal above is for this process too


def _tail(log: IO[bytes]) -> str:
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - LOG_TAIL))
    return log.read().decode(errors="replace").strip()


def _work(order: Mapping[str, Any], results: int, log: IO[bytes], trouble: str) -> NoReturn:
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    worker = os.getpid()
    limit_processor_time(order["run"]["timeout"])
    try:
        outcome = encode(_check(order, trouble))
    except MemoryError:
        outcome = encode(Outcome("undecided", "the check ran out of memory"))
    except BaseException as error:  # process boundary: whatever a check raises becomes an `error`
        outcome = encode(Outcome("error", f"{one_line(error)}\n{traceback.format_exc()}"))
    if os.getpid() != worker:  # this is a child that the check forked and forgot: only the worker itself may answer
        os._exit(1)
    _write(results, json.dumps({"outcome": outcome}).encode() + b"\n")
    os._exit(0)  # without the interpreter's clean-up: a solver that crashes there says nothing about the check


def _check(order: Mapping[str, Any], trouble: str) -> Outcome:
    if trouble:
        return Outcome("error", f"the obligations cannot be imported: {trouble.strip().splitlines()[-1]}\n{trouble}")
    if order["id"] not in REGISTRY:
        return Outcome("error", f"importing {order['module']} does not register {order['id']}")
    run = Run(**{**order["run"], "solvers": tuple(order["run"]["solvers"])})
    return REGISTRY[order["id"]].run(run)


def one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
