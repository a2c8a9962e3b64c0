"""A target that is a program: it reads one JSON line for each request and writes one JSON line as the answer.

The program is not trusted. It is started without a shell, in a session of its own. The whole session is killed when the
program breaks the protocol, when an answer is late, and at the end. (A process that moves to another session escapes
this.) How much it may write is limited. After a failure the next request starts a fresh process, so that one broken
operation does not hide the others.
"""

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from snapref_crosscheck.protocol import (
    Answer,
    Args,
    Broken,
    Description,
    OutOfTime,
    Refused,
    Unsupported,
    checked,
    description,
    from_wire,
    shown,
    to_wire,
)

MAX_LINE = 1 << 20  # bytes of one answer: 10000 floats fit with room to spare
MAX_COMPLAINT = 2000  # bytes that are kept of what it writes to standard error: half from the start, half from the end
STARTUP = 20.0  # additional seconds for the first answer of a process
PATIENCE = 4  # failures in a row after which the target is given up
GRACE = 1.0  # seconds that the program has to end after the end of its input


class CommandTarget:
    """A program that speaks the protocol. `seconds` is the limit for one request, `deadline` that of the whole run."""

    def __init__(
        self,
        command: str | Sequence[str],
        name: str = "",
        seconds: float = 10.0,
        deadline: float | None = None,
        cwd: str | None = None,
    ) -> None:
        self.argv = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.argv:
            raise ValueError("the command is empty")
        self.name = name or (command if isinstance(command, str) else shlex.join(command))
        self.seconds, self.deadline, self.cwd = seconds, deadline, cwd
        self.serial = 0
        self.failures = 0  # in a row
        self._process: subprocess.Popen[bytes] | None = None
        self._answers, self._complaints = b"", b""
        self._answered = False  # whether this process has answered anything yet
        self.exit_code: int | None = None  # of the last process that died
        self.complaint = ""  # what it last wrote to standard error

    def start(self) -> None:
        """Starts the program, if it is not running. Raises Broken if that is impossible."""
        self._started()

    def describe(self) -> Description:
        try:
            reply = self._ask({"op": "describe"})
            return description({"name": self.name, **{k: v for k, v in reply.items() if k != "id"}})
        except (Unsupported, Refused):
            return Description(self.name)
        except ValueError as error:
            raise Broken(f"describe: {error}") from None

    def call(self, op: str, args: Args) -> Answer:
        reply = self._ask({"op": op, **{name: to_wire(number) for name, number in args.items()}})
        key = "results" if op == "release" else "result"
        try:
            if key not in reply:
                raise ValueError(f"the answer has no {key!r}: {shown(reply)}")
            numbers = [from_wire(x) for x in reply[key]] if isinstance(reply[key], list) else from_wire(reply[key])
            return checked(op, args, numbers)
        except (ValueError, Broken) as error:
            self._kill()
            raise Broken(f"{op}: {error}") from None

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
        _ended(process)
        self._kill()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request, its id checked."""
        if self.failures >= PATIENCE:
            raise Broken(f"was given up after {PATIENCE} failures in a row")
        try:
            reply = self._exchange(request)
        except (Broken, OutOfTime):
            self.failures += 1
            self._kill()
            raise
        except (Unsupported, Refused):
            self.failures = 0
            raise
        self.failures = 0
        return reply

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._started()
        self.serial += 1
        line = json.dumps({"id": self.serial, **request}).encode() + b"\n"
        self._read_pending(process)
        if self._answers:
            raise Broken(f"wrote {shown(self._answers)} before it was asked")
        try:
            os.write(process.stdin.fileno(), line)  # type: ignore[union-attr]
        except BlockingIOError:
            raise Broken("does not read its standard input") from None
        except OSError:
            raise Broken(self._death(process)) from None
        reply = _parsed(self._line(process))
        if type(reply.get("id")) is not int or reply["id"] != self.serial:
            raise Broken(f"answered id {shown(reply.get('id'))} where {self.serial} was asked ({request['op']})")
        if reply.get("unsupported") is True:
            raise Unsupported(request["op"])
        if "error" in reply:
            raise Refused(shown(reply["error"]))
        return reply

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    self.argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, cwd=self.cwd, bufsize=0
                )
            except OSError as error:
                raise Broken(f"cannot start {shown(self.argv[0])}: {error.strerror}") from None
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]
            self._answers, self._complaints, self._answered = b"", b"", False
        return self._process

    def _line(self, process: subprocess.Popen[bytes]) -> bytes:
        """The next line of the target, within the limits."""
        limit = self.seconds + (0.0 if self._answered else STARTUP)
        end = time.monotonic() + limit
        last = end if self.deadline is None else min(end, self.deadline)
        while b"\n" not in self._answers:
            if len(self._answers) > MAX_LINE:
                raise Broken(f"answered with more than {MAX_LINE} bytes in one line")
            patience = last - time.monotonic()
            if patience <= 0:
                if last < end:
                    raise OutOfTime
                raise Broken(f"did not answer within {limit:g} s")
            if not self._read(process, patience):
                raise Broken(self._death(process))
        line, _, self._answers = self._answers.partition(b"\n")
        self._answered = True
        return line

    def _read_pending(self, process: subprocess.Popen[bytes]) -> None:
        self._read(process, 0.0)

    def _read(self, process: subprocess.Popen[bytes], patience: float) -> bool:
        """Reads what has arrived. False at the end of the target's output."""
        with selectors.DefaultSelector() as selector:
            for stream in (process.stdout, process.stderr):
                if stream is not None and not stream.closed:
                    selector.register(stream, selectors.EVENT_READ)
            for key, _ in selector.select(patience):
                chunk = os.read(key.fd, 1 << 16)
                if key.fileobj is process.stdout:
                    self._answers += chunk
                    if not chunk:
                        return False
                elif chunk:
                    self._complaints = _bounded(self._complaints + chunk)
                else:
                    process.stderr.close()  # type: ignore[union-attr]
        return True

    def _death(self, process: subprocess.Popen[bytes]) -> str:
        code = _ended(process)
        with contextlib.suppress(OSError, ValueError):
            rest = os.read(process.stderr.fileno(), 1 << 16)  # type: ignore[union-attr]
            self._complaints = _bounded(self._complaints + rest)
        if code is None:
            how = "closed its standard output"
        elif code < 0:
            how = f"was killed by signal {-code}"
        else:
            how = f"ended with exit status {code}"
        self.exit_code = code
        self.complaint = self._complaints.decode("utf-8", "replace").strip()
        lines = self.complaint.splitlines()
        ends = [*lines[:1], *lines[1:][-1:]]  # a panic begins with its reason, a traceback ends with it
        wrote = f"; it wrote: {' … '.join(shown(text, 200) for text in ends)}" if ends else ""
        return f"{how} before it answered{wrote}"

    def _kill(self) -> None:
        """Kills the whole group: the target and all that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        process.wait()
        self._answers = b""


def _bounded(text: bytes) -> bytes:
    half = MAX_COMPLAINT // 2
    return text if len(text) <= MAX_COMPLAINT else text[:half] + text[-half:]


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    """Its exit status (negative: the signal that killed it), or None if it is still running. The process is not reaped
    here, so that the number of its group stays valid."""
    end = time.monotonic() + GRACE
    while (found := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)) is None:
        if time.monotonic() >= end:
            return None
        time.sleep(0.005)
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        raise Broken(f"answered {shown(line)}, which is not JSON") from None
    if not isinstance(reply, dict):
        raise Broken(f"answered {shown(line)}, which is not a JSON object")
    return reply
