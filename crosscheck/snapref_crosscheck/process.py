"""A target that is a program: it reads one JSON line for each request and writes one JSON line as the answer.

The program is not trusted. It is started without a shell, in a session of its own. The whole session is killed when the
program breaks the protocol, when an answer is late, and at the end. (A process that moves to another session escapes
this.) How much it may write is limited.

Several requests are in flight at once; the answers come in order. Neither side can block the other: we write only what
the pipe takes, and read whatever has come. A request that fails may have failed because of us, or of a busy machine. So
it is asked again, alone and in a fresh process with twice the time, before the failure counts.
"""

import contextlib
import itertools
import json
import os
import re
import selectors
import shlex
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from snapref_crosscheck.protocol import (
    Answer,
    Args,
    Broken,
    Description,
    Number,
    Outcome,
    OutOfTime,
    Refused,
    TooSlow,
    Unsupported,
    checked,
    description,
    from_wire,
    printable,
    sent,
    shown,
)

MAX_LINE = 1 << 20  # bytes of one answer: 10000 floats fit with room to spare
MAX_COMPLAINT = 2000  # bytes that are kept of what it writes to standard error: half from the start, half from the end
STARTUP = 20.0  # additional seconds for the first answer of a process
PATIENCE = 4  # requests in a row that failed, after which the target is given up for the current check
GRACE = 1.0  # seconds that the program has to end after the end of its input
IN_FLIGHT = 256  # requests at once; a release counts as one for every RELEASES_AS_ONE of its releases
RELEASES_AS_ONE = 16
FROM_OUTSIDE = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
KNOWN_FLOATS = 1 << 12  # spellings that are remembered: releases repeat a few outputs very often

_USUAL = re.compile(rb'\{"id": ?([1-9][0-9]{0,14}), ?"result": ?"([-+.0-9a-zA-Z]*)"\}\s*')  # read without a JSON parser
_DECODER = json.JSONDecoder(
    parse_float=Number,
    parse_int=Number,
    parse_constant={"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.__getitem__,
)
Reply = dict[str, Any] | Refused | Unsupported | Broken | TooSlow | OutOfTime


class _Request(NamedTuple):
    serial: int
    op: str
    args: Args
    line: bytes
    weight: int


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
        try:
            self.argv = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise ValueError(f"the command {command} cannot be split into words: {error}") from None
        if not self.argv:
            raise ValueError("the command is empty")
        self.name = name or (command if isinstance(command, str) else shlex.join(command))
        self.seconds, self.deadline, self.cwd = seconds, deadline, cwd
        self.window = IN_FLIGHT
        self.told = Description(self.name)
        self.serial = 0
        self.failures = 0  # requests in a row that failed
        self.hiccups = 0  # requests that failed and were answered when they were asked again
        self._process: subprocess.Popen[bytes] | None = None
        self._selector: selectors.BaseSelector | None = None
        self._outbox = b""
        self._lines: deque[bytes] = deque()
        self._rest, self._complaints = b"", b""
        self._answered = False  # whether this process has answered anything yet
        self._floats: dict[str, float] = {}
        self.exit_code: int | None = None  # of the last process that died
        self.complaint = ""  # what it last wrote to standard error

    def start(self) -> None:
        """Starts the program, if it is not running. Raises Broken if that is impossible."""
        self._started()

    def describe(self) -> Description:
        try:
            reply = _value(next(self._replies([("describe", {})]))[1])
            if reply.get("op") == "describe":
                raise Broken("repeats the question as its answer")
            told = {key: x for key, x in reply.items() if key != "id"}
            self.told = description({"name": self.name, **told})
        except (Unsupported, Refused):
            pass
        except ValueError as error:
            raise Broken(f"describe: {error}") from None
        return self.told

    def call(self, op: str, args: Args) -> Answer:
        return _answer(next(self.stream([(op, args)])))

    def stream(self, requests: Iterable[tuple[str, Args]]) -> Iterator[Outcome]:
        """The outcome of each request, in order. Failures are values here, so that one does not hide the next."""
        for request, reply in self._replies(requests):
            yield self._outcome(request.op, request.args, reply) if isinstance(reply, dict) else reply

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]
        _ended(process)
        self._kill()

    def _outcome(self, op: str, args: Args, reply: dict[str, Any]) -> Outcome:
        key = "results" if op == "release" else "result"
        if key not in reply:
            return Broken(f"{op}: the answer has no {key!r}: {shown(_plain(reply))}")
        try:
            told = reply[key]
            if not isinstance(told, list) and op != "release":
                return self._float(told)
            return checked(op, args, [self._float(x) for x in told] if isinstance(told, list) else self._float(told))
        except (ValueError, Broken) as error:
            return Broken(f"{op}: {error}")

    def _float(self, text: object) -> float:
        known = self._floats.get(text) if isinstance(text, str) else None
        if known is not None:
            return known
        number = from_wire(text)
        if isinstance(text, str) and len(self._floats) < KNOWN_FLOATS:
            self._floats[text] = number
        return number

    # ---- requests and replies --------------------------------------------------------------------------------------

    def _replies(self, requests: Iterable[tuple[str, Args]]) -> Iterator[tuple[_Request, Reply]]:
        """Each request with its reply. Those that fail are asked again before the failure is the reply."""
        source = itertools.starmap(self._request, requests)
        ahead = next(source, None)  # the next request to be sent
        waiting: deque[_Request] = deque()
        load = 0
        try:
            while ahead or waiting:
                if load <= self.window // 2:  # then many at once, so that one write wakes the target for all of them
                    fresh: list[_Request] = []
                    while ahead and (not (waiting or fresh) or load + ahead.weight <= self.window):
                        fresh.append(ahead)
                        load, ahead = load + ahead.weight, next(source, None)
                    waiting.extend(fresh)
                    self._outbox += b"".join(request.line for request in fresh)
                reply = self._reply(waiting[0], waiting)
                answered = waiting.popleft()
                load -= answered.weight
                yield answered, reply
        finally:
            if waiting:  # answers that nobody waits for would spoil the next question
                self._kill()

    def _request(self, op: str, args: Args) -> _Request:
        self.serial += 1
        told = [
            f', "{name}": {x}' if isinstance(x, int) else f', "{name}": "{x.hex()}"'
            for name, x in sent(args, self.told).items()
        ]
        line = f'{{"id": {self.serial}, "op": "{op}"{"".join(told)}}}\n'.encode()
        return _Request(self.serial, op, args, line, 1 + int(args.get("count", 0)) // RELEASES_AS_ONE)

    def _reply(self, request: _Request, waiting: Iterable[_Request]) -> Reply:
        """The reply to the first of the waiting requests."""
        if self.failures >= PATIENCE:
            self._outbox = b""
            return TooSlow(f"was given up after {PATIENCE} failures in a row")
        reply: dict[str, Any] | Broken | TooSlow | OutOfTime
        try:
            reply = self._exchange(request, self.seconds)
        except OutOfTime as late:
            self._kill()
            return late
        except (Broken, TooSlow) as failure:
            reply = self._again(request, failure)
            self._outbox = b"".join(other.line for other in waiting if other.serial != request.serial)
        if isinstance(reply, Broken | TooSlow | OutOfTime):
            return reply
        self.failures = 0
        if reply.get("unsupported") is True:
            return Unsupported(request.op)
        if "error" in reply:
            return Refused(printable(_plain(reply["error"])))
        return reply

    def _again(self, request: _Request, failure: Exception) -> dict[str, Any] | Broken | TooSlow | OutOfTime:
        """Asks once more, alone, in a fresh process. The second failure is the target's."""
        self._kill()
        self.window = max(1, self.window // 8)
        try:
            self._outbox = request.line
            reply = self._exchange(request, 2 * self.seconds)
        except OutOfTime as late:
            self._kill()
            return late
        except (Broken, TooSlow) as second:
            self._kill()
            self.failures += 1
            # what could be our fault or the machine's is never turned into an accusation by the other attempt
            return failure if isinstance(failure, TooSlow) else second
        self.hiccups += 1
        return reply

    def _exchange(self, request: _Request, seconds: float) -> dict[str, Any]:
        process = self._started()
        limit = seconds + (0.0 if self._answered else STARTUP)
        line = self._line(process, limit)
        usual = _USUAL.fullmatch(line)
        if usual is not None and int(usual[1]) == request.serial:
            return {"result": usual[2].decode()}
        reply = _parsed(line)
        told = reply.get("id")
        if not isinstance(told, Number) or told != str(request.serial):
            raise Broken(f"answered id {shown(_plain(told))} where {request.serial} was asked ({request.op})")
        return reply

    # ---- the process -----------------------------------------------------------------------------------------------

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    self.argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, cwd=self.cwd, bufsize=0
                )
            except OSError as error:
                raise Broken(f"cannot start {shown(self.argv[0])}: {error.strerror}") from None
            self._selector = selectors.DefaultSelector()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]
                if stream is not self._process.stdin:
                    self._selector.register(stream, selectors.EVENT_READ)  # type: ignore[arg-type]
            self._lines.clear()
            self._rest, self._complaints, self._answered = b"", b"", False
        return self._process

    def _line(self, process: subprocess.Popen[bytes], limit: float) -> bytes:
        """The next line of the target, within the limits."""
        end = time.monotonic() + limit
        last = end if self.deadline is None else min(end, self.deadline)
        while True:
            if self._outbox:
                self._write(process)
            if self._lines:
                self._answered = True
                return self._lines.popleft()
            if len(self._rest) > MAX_LINE:
                raise Broken(f"answered with more than {MAX_LINE} bytes in one line")
            patience = last - time.monotonic()
            if patience <= 0:
                if last < end:
                    raise OutOfTime
                raise TooSlow(f"did not answer within {limit:g} s")
            if not self._read(process, patience):
                raise self._death(process)

    def _write(self, process: subprocess.Popen[bytes]) -> None:
        """Sends as much as the pipe takes now."""
        try:
            count = os.write(process.stdin.fileno(), self._outbox)  # type: ignore[union-attr]
            self._outbox = self._outbox[count:]
        except BlockingIOError:
            pass
        except OSError:
            self._outbox = b""  # it reads no more; the end of its output will say what happened

    def _read(self, process: subprocess.Popen[bytes], patience: float) -> bool:
        """Waits until something can be read, or written if there is something to write, and reads what has come. False
        at the end of the target's output."""
        assert self._selector is not None
        if self._outbox:
            self._selector.register(process.stdin, selectors.EVENT_WRITE)  # type: ignore[arg-type]
        try:
            ready = self._selector.select(patience)
        finally:
            if self._outbox:
                self._selector.unregister(process.stdin)  # type: ignore[arg-type]
        for key, _ in ready:
            if key.fileobj is process.stdin:
                continue
            chunk = os.read(key.fd, 1 << 16)
            if key.fileobj is process.stdout:
                if not chunk:
                    return False
                *lines, self._rest = (self._rest + chunk).split(b"\n")
                self._lines.extend(lines)
            elif chunk:
                self._complaints = _bounded(self._complaints + chunk)
            else:
                self._selector.unregister(key.fileobj)
        return True

    def _death(self, process: subprocess.Popen[bytes]) -> Broken | TooSlow:
        """How it ended. A signal that programs do not send themselves came from outside, as from a machine without
        memory."""
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
        kind = TooSlow if code is not None and -code in FROM_OUTSIDE else Broken
        return kind(f"{how} before it answered{wrote}")

    def _kill(self) -> None:
        """Kills the whole group: the target and all that it started."""
        process, self._process = self._process, None
        self._outbox = b""
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        if self._selector is not None:
            self._selector.close()
        for stream in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        process.wait()
        self._lines.clear()
        self._rest = b""


def _value(reply: Reply) -> dict[str, Any]:
    if isinstance(reply, dict):
        return reply
    raise reply


def _answer(outcome: Outcome) -> Answer:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _plain(x: object) -> object:
    """A reply as its sender wrote it: numbers are kept as their text."""
    if isinstance(x, dict):
        return {key: _plain(y) for key, y in x.items()}
    if isinstance(x, Number):
        return float(x) if any(c in x for c in ".eE") else int(x[:400])
    return [_plain(y) for y in x[:20]] if isinstance(x, list) else x


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
        reply = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Broken(f"answered {shown(line)}, which is not JSON") from None
    if not isinstance(reply, dict):
        raise Broken(f"answered {shown(line)}, which is not a JSON object")
    return reply
