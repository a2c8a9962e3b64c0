"""z3, bitwuzla and cvc5, each run in its own process on SMT-LIB 2 text, two at a time, each with a time limit.

A solver process starts nothing itself and stays in the caller's process group: whoever kills the group leaves none
behind. What is not plainly `sat` or `unsat` (an error before or beside the answer, a crash, an overrun) is never read
as either.
"""

import importlib.util
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal

SOLVERS = ("bitwuzla", "z3", "cvc5")
AT_ONCE = 2
PATIENCE = 3.0  # seconds
_CHILD = Path(__file__).with_name("solver_process.py")

Verdict = Literal["sat", "unsat", "unknown", "timeout", "error", "cancelled"]
# A bit-vector or a float's pattern as an int, an Int as an int, a Real as a Fraction; what is neither (an irrational
# algebraic number) stays the solver's own text.
Value = bool | int | Fraction | str


@dataclass(frozen=True)
class Answer:
    """What one solver said about one script."""

    solver: str
    verdict: Verdict
    seconds: float
    model: Mapping[str, Value] = field(default_factory=dict)  # of a `sat`
    detail: str = ""  # of an `error`


def installed(solver: str) -> bool:
    return importlib.util.find_spec(solver) is not None


def ask(
    script: str,
    names: Sequence[str],
    solvers: Sequence[str],
    seconds: float,
    enough: Callable[[Sequence[Answer]], bool],
) -> list[Answer]:
    """Runs the solvers on the script, in this order and two at a time, until `enough` of them have answered.

    Those still running then are cancelled, and say so; those not yet started are left out. While others wait, a solver
    gets at most half of the time that is left; and one that waits beside a running one has patience with it first.
    """
    deadline = time.monotonic() + seconds
    waiting, running, answers = list(solvers), list[_Process](), list[Answer]()
    patience = 0.0
    try:
        while (waiting or running) and not enough(answers):
            while waiting and len(running) < AT_ONCE and (not running or time.monotonic() >= patience):
                solver = waiting.pop(0)
                left = deadline - time.monotonic()
                running.append(_Process(solver, script, names, left if not waiting else left / 2))
            arrived = _next_answers(running, patience if waiting else deadline)
            if arrived:
                patience = time.monotonic() + PATIENCE
            answers += arrived
    finally:
        cancelled = [process.cancel() for process in running]
    return answers + cancelled


def _next_answers(running: "list[_Process]", until: float) -> list[Answer]:
    """Waits until a process has ended or overrun, or for a while, and takes such processes out of the list."""
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

    def __init__(self, solver: str, script: str, names: Sequence[str], seconds: float) -> None:
        self.solver = solver
        self.started = time.monotonic()
        self.deadline = self.started + seconds
        self.received, self.ended = b"", False
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in _close
        with tempfile.TemporaryFile() as text:
            text.write(script.encode())
            text.seek(0)
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_CHILD), solver, *names],
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
        if not self.ended:
            return self._close("timeout")
        status = self.process.wait()
        verdict, _, values = self.received.decode(errors="replace").partition("\n")
        if status != 0 or verdict not in ("sat", "unsat", "unknown"):
            self.complaints.seek(0)
            complaint = self.received.decode(errors="replace") + self.complaints.read().decode(errors="replace")
            last = complaint.strip().splitlines()[-1] if complaint.strip() else ""
            return self._close("error", detail=f"exit status {status}: {last}")
        if verdict == "sat":
            try:
                return self._close("sat", parse_values(values))
            except (ValueError, IndexError) as error:
                return self._close("error", detail=f"a model that cannot be read: {error}: {values.strip()}")
        return self._close("unsat" if verdict == "unsat" else "unknown")

    def cancel(self) -> Answer:
        return self._close("cancelled")

    def _close(self, verdict: Verdict, model: Mapping[str, Value] | None = None, detail: str = "") -> Answer:
        self.process.kill()
        self.process.wait()
        self.output.close()
        self.complaints.close()
        return Answer(self.solver, verdict, round(time.monotonic() - self.started, 3), model or {}, detail)


# Reading what a solver prints as a model: ((x #x0f) (r (/ 1.0 3.0)) …)

Expression = str | list["Expression"]


def parse_values(text: str) -> dict[str, Value]:
    """The answer to (get-value …)."""
    if not text.strip():
        return {}
    tokens = iter(text.replace("(", " ( ").replace(")", " ) ").split())
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
