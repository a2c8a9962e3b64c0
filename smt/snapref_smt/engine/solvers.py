"""Runs z3, bitwuzla and cvc5 on SMT-LIB 2 text: each in its own process, two at a time, with limited processor time.

A solver process stays in the caller's process group and starts no process itself, so killing the group leaves none
behind. Only a plain `sat` or `unsat` is taken as such. Anything else (an error message beside the answer, a crash, a
solver that ran out of time) counts as no answer.
"""

import importlib.util
import math
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal

from snapref_ledger.limits import backstop, overran, overran_text, whole

SOLVERS = ("bitwuzla", "z3", "cvc5")
AT_ONCE = 2
PATIENCE = 30.0  # seconds on the clock before a further solver is started beside a running one: its work may be in vain
_CHILD = Path(__file__).with_name("solver_process.py")

Verdict = Literal["sat", "unsat", "unknown", "timeout", "error", "cancelled"]
# The value of a variable in a model. Bit-vectors, patterns of floats and integers are ints; reals are Fractions. A
# value that is none of these (an irrational algebraic number) stays as the solver wrote it.
Value = bool | int | Fraction | str


@dataclass(frozen=True)
class Answer:
    """What one solver said about one script."""

    solver: str
    verdict: Verdict
    seconds: float  # of processor time
    model: Mapping[str, Value] = field(default_factory=dict)  # of a `sat`
    detail: str = ""  # of an `error` or a `timeout`
    questions: int = 1  # how many questions got this verdict
    each: Sequence[str] = ()  # the verdict on each of several questions


def installed(solver: str) -> bool:
    return importlib.util.find_spec(solver) is not None


def ask(
    script: str,
    names: Sequence[str],
    solvers: Sequence[str],
    seconds: float,
    enough: Callable[[Sequence[Answer]], bool],
    questions: int = 1,
) -> list[Answer]:
    """Runs the solvers on the script, in this order and two at a time, until `enough` says that their answers suffice.

    Each solver may use so many `seconds` of processor time. Those that are still running at the end are cancelled, and
    their answer says so; those that were not started are left out. A further solver is started beside a running one
    only after PATIENCE seconds without an answer. A script may ask several questions. Then `unsat` means that each of
    them is unsatisfiable, and `sat` that at least one is satisfiable.
    """
    if seconds <= 0:
        return [Answer(solver, "timeout", 0.0, {}, "no processor time is left for it") for solver in solvers]
    waiting, running, answers = list(solvers), list[_Process](), list[Answer]()
    patience = 0.0
    try:
        while (waiting or running) and not enough(answers):
            while waiting and len(running) < AT_ONCE and (not running or time.monotonic() >= patience):
                running.append(_Process(waiting.pop(0), script, names, seconds, questions))
            arrived = _next_answers(running, patience if waiting else math.inf)
            if arrived:
                patience = time.monotonic() + PATIENCE
            answers += arrived
    finally:
        cancelled = [process.cancel() for process in running]
    return answers + cancelled


def spent(answers: Sequence[Answer]) -> float:
    """How much of a shared limit of processor time these answers used up.

    The solvers run side by side, so it is the time of the one that used most."""
    return max((answer.seconds for answer in answers), default=0.0)


def _next_answers(running: "list[_Process]", until: float) -> list[Answer]:
    """Waits until a process has ended or is past its deadline, or until the time `until`. Removes such processes from
    the list and returns their answers."""
    with selectors.DefaultSelector() as selector:
        for process in running:
            selector.register(process.output, selectors.EVENT_READ, process)
        end = min(p.deadline for p in running)
        if until > time.monotonic():
            end = min(end, until)
        for key, _ in selector.select(max(0.0, end - time.monotonic())):
            key.data.read()
    done = [p for p in running if p.ended or time.monotonic() >= p.deadline]
    running[:] = [p for p in running if p not in done]
    return [p.answer() for p in done]


class _Process:
    """One solver at work on one script."""

    def __init__(self, solver: str, script: str, names: Sequence[str], seconds: float, questions: int) -> None:
        self.solver, self.limit, self.questions = solver, seconds, questions
        self.deadline = time.monotonic() + backstop(seconds)
        self.received, self.ended = b"", False
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed where it ends
        with tempfile.TemporaryFile() as text:
            text.write(script.encode())
            text.seek(0)
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_CHILD), solver, str(whole(seconds)), *names],
                stdin=text,
                stdout=subprocess.PIPE,
                stderr=self.complaints,
            )
        assert self.process.stdout is not None
        self.output = self.process.stdout

    def read(self) -> None:
        chunk = os.read(self.output.fileno(), 1 << 16)
        self.received += chunk
        self.ended = not chunk

    def answer(self) -> Answer:
        """What the solver said. If it has not ended, it is killed and the answer is `timeout`."""
        if not self.ended:
            return self._kill("timeout", f"not ended after {backstop(self.limit):g} s on the clock")
        status, seconds = self._reap()
        said, complaint = self.received.decode(errors="replace"), self._complaint()
        if overran(status):
            return Answer(self.solver, "timeout", seconds, {}, overran_text(self.limit))
        verdict, _, values = said.partition("\n")
        each = said.split() if self.questions > 1 else []
        if each:
            verdict, values = overall(each, self.questions), ""
        if status != 0 or verdict not in ("sat", "unsat", "unknown"):
            last = (said + complaint).strip().splitlines()[-1:] or [""]
            return Answer(self.solver, "error", seconds, {}, f"exit status {status}: {last[0]}")
        if verdict == "sat":
            try:
                return Answer(self.solver, "sat", seconds, parse_values(values), each=each)
            except (ValueError, IndexError) as error:
                detail = f"a model that cannot be read: {error}: {values.strip()}"
                return Answer(self.solver, "error", seconds, {}, detail)
        said_so: Verdict = "unsat" if verdict == "unsat" else "unknown"
        return Answer(self.solver, said_so, seconds, questions=self.questions)

    def cancel(self) -> Answer:
        return self._kill("cancelled")

    def _kill(self, verdict: Verdict, detail: str = "") -> Answer:
        os.kill(self.process.pid, signal.SIGKILL)  # Popen.kill() could reap it, and lose its processor time
        _, seconds = self._reap()
        self.complaints.close()
        return Answer(self.solver, verdict, seconds, {}, detail)

    def _reap(self) -> tuple[int, float]:
        """Waits for the process to end, and returns its exit status and the processor time that it used."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.output.close()
        return self.process.returncode, round(usage.ru_utime + usage.ru_stime, 3)

    def _complaint(self) -> str:
        with self.complaints:
            self.complaints.seek(0)
            return self.complaints.read().decode(errors="replace")


def overall(verdicts: Sequence[str], questions: int) -> str:
    """One verdict for all questions. Empty, for an error, where an answer is missing or is no verdict."""
    if len(verdicts) != questions or not set(verdicts) <= {"sat", "unsat", "unknown"}:
        return ""
    return next(verdict for verdict in ("sat", "unknown", "unsat") if verdict in verdicts)


# Below: reading what a solver prints as a model, such as ((x #x0f) (r (/ 1.0 3.0)) …)

Expression = str | list["Expression"]


_TOKEN = re.compile(r"\|[^|]*\||[()]|[^\s()|]+")  # a name between bars may hold anything


def parse_values(text: str) -> dict[str, Value]:
    """The answer to (get-value …)."""
    if not text.strip():
        return {}
    tokens = iter(_TOKEN.findall(text))
    pairs = _expression(tokens, next(tokens))
    model: dict[str, Value] = {}
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ValueError(f"not a name and its value: {_text(pair)}")
        name, value = pair[0], pair[1]
        model[name.strip("|")] = _value(value)
    return model


def _expression(tokens: Iterator[str], token: str) -> Expression:
    if token != "(":
        return token
    items: list[Expression] = []
    for inner in tokens:
        if inner == ")":
            return items
        items.append(_expression(tokens, inner))
    raise ValueError("an unclosed parenthesis")


def _text(expression: Expression) -> str:
    return expression if isinstance(expression, str) else "(" + " ".join(map(_text, expression)) + ")"


def _value(expression: Expression) -> Value:
    match expression:
        case "true" | "false":
            return expression == "true"
        case str() if expression.startswith("#"):
            return _bits(expression)[0]
        case str() if "." in expression:
            return Fraction(expression)
        case str():
            return int(expression)
        case ["-", inner] if not isinstance(value := _value(inner), str):
            return -value
        case ["/", over, under] if not isinstance(a := _value(over), str) and not isinstance(b := _value(under), str):
            return Fraction(a) / Fraction(b)
        case ["_", str() as literal, str() as width] if literal.startswith("bv") and width.isdigit():
            return int(literal[2:])
        case ["fp", str() as sign, str() as exponent, str() as fraction]:
            return _float_pattern(sign, exponent, fraction)
        case ["_", str() as special, str() as exponent_bits, str() as precision]:
            return _special_pattern(special, int(exponent_bits), int(precision))
    return _text(expression)


def _bits(literal: str) -> tuple[int, int]:
    """(value, width) of #b… or #x…"""
    digits = literal[2:]
    return (int(digits, 2), len(digits)) if literal[1] == "b" else (int(digits, 16), 4 * len(digits))


def _float_pattern(sign: str, exponent: str, fraction: str) -> int:
    pattern = 0
    for part in (sign, exponent, fraction):
        value, width = _bits(part)
        pattern = (pattern << width) | value
    return pattern


def _special_pattern(special: str, exponent_bits: int, precision: int) -> int:
    infinity = ((1 << exponent_bits) - 1) << (precision - 1)
    sign = 1 << (exponent_bits + precision - 1)
    return {
        "+zero": 0,
        "-zero": sign,
        "+oo": infinity,
        "-oo": infinity | sign,
        "NaN": infinity | 1 << (precision - 2),
    }[special]
