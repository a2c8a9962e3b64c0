"""Numbers that are only names: a program runs on them, and what it did is a list of lines.

A stage is replaced by its name (`named`), for the time of the run. A call of it becomes a line with its arguments, and
returns a name again. A question about a name (a comparison, `if`, `isinstance`) is answered both ways: the executor
runs the program again for each answer, and the answer becomes a line. So `ways` finds all that a program can do: which
stages it calls, with what, in which order, after which answers, and what it returns or that it refuses.

Arithmetic on names is not simplified. Two programs that compute the same in another way have different lines.
"""

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from numbers import Rational
from typing import Any
from unittest.mock import patch

import z3

from snapref_ledger.obligations import Outcome
from snapref_smt.engine import executor
from snapref_smt.engine.executor import Escape

IF, UNLESS = "if ", "unless "
Lines = tuple[str, ...]
_logs: list[list[str]] = []  # of the runs under way, the innermost last


def note(line: str) -> None:
    """Adds a line to what the run under way did. A question that is asked again has the same answer: no line."""
    if _logs and not (line.startswith((IF, UNLESS)) and line in _logs[-1]):
        _logs[-1].append(line)


class Symbol:
    """A name, or a formula of names. Its attributes are names again, and it can be called."""

    text: str

    def __init__(self, text: str) -> None:
        object.__setattr__(self, "text", text)

    def __getattr__(self, name: str) -> "Symbol":
        if name.startswith("__"):
            raise AttributeError(name)
        return Symbol(f"{self.text}.{name}")

    def __call__(self, *given: Any, **options: Any) -> "Symbol":
        return _called(self.text, given, options)

    def __bool__(self) -> bool:
        answer = executor.decide(z3.Bool(self.text))
        note(f"{IF if answer else UNLESS}{self.text}")
        return answer

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        return self.text

    def __getitem__(self, index: Any) -> "Symbol":
        return Symbol(f"{self.text}[{shown(index)}]")

    def __neg__(self) -> "Symbol":
        return Symbol(f"-{self.text}")

    def __invert__(self) -> "Symbol":
        return Symbol(f"~{self.text}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise Escape(f"{self.text}.{name} is set, and nothing would read it")

    def __delattr__(self, name: str) -> None:
        raise Escape(f"{self.text}.{name} is deleted")

    def _escape(self, *_: object) -> Any:
        raise Escape(f"{self.text} is used as a known number")

    __hash__ = __iter__ = __len__ = __index__ = __int__ = __float__ = _escape


def _infix(sign: str, turned: bool = False) -> Callable[[Symbol, Any], Symbol]:
    def method(self: Symbol, other: Any) -> Symbol:
        left, right = (shown(other), self.text) if turned else (self.text, shown(other))
        return Symbol(f"({left} {sign} {right})")

    return method


for _name, _sign in {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "pow": "**",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}.items():  # fmt: skip
    setattr(Symbol, f"__{_name}__", _infix(_sign))
    setattr(Symbol, f"__r{_name}__", _infix(_sign, turned=True))
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Symbol, f"__{_name}__", _infix(_sign))


def shown(thing: Any) -> str:
    """A name, a number or a text as a line shows it."""
    if isinstance(thing, tuple) and hasattr(thing, "_fields"):
        parts = [f"{name}={shown(x)}" for name, x in zip(thing._fields, thing, strict=True)]
        return f"{type(thing).__name__}({', '.join(parts)})"
    if isinstance(thing, tuple):
        return f"({', '.join(map(shown, thing))})"
    if isinstance(thing, dict):
        return f"{{{', '.join(f'{key}: {shown(value)}' for key, value in thing.items())}}}"
    if isinstance(thing, slice):
        return f"{shown(thing.start)} to {shown(thing.stop)}"
    if isinstance(thing, Rational) and (exponent := log2(thing)) not in range(64):
        return f"2**{exponent}"
    return thing.text if isinstance(thing, Symbol) else str(getattr(thing, "__name__", repr(thing)))


def log2(number: Any) -> int:
    """k where the number is 2**k; else 0."""
    n, d = number.numerator, number.denominator
    return n.bit_length() - d.bit_length() if n > 0 and n & (n - 1) == 0 and d & (d - 1) == 0 else 0


def _called(name: str, given: Sequence[Any], options: dict[str, Any], result: str | None = None) -> Symbol:
    call = f"{name}({', '.join([*map(shown, given), *(f'{key}={shown(x)}' for key, x in options.items())])})"
    note(call if result is None else f"{result} = {call}")
    return Symbol(call if result is None else result)


def named(stage: str, *results: str) -> Callable[..., Any]:
    """A stage that only notes that it was called. It returns its call as a name, or the names of its results."""

    def call(*given: Any, **options: Any) -> Any:
        found = _called(stage, given, options, ", ".join(results) if results else None)
        return found if len(results) < 2 else tuple(map(Symbol, results))

    return call


def refusing(stage: str, error: type[Exception], result: str | None = None) -> Callable[..., Symbol]:
    """A stage that may also raise an error: both are tried."""

    def call(*given: Any, **options: Any) -> Symbol:
        found = _called(stage, given, options, result)
        if Symbol(f"{found} is refused"):
            raise error(f"{stage} refuses")
        return found

    return call


def asked_kind(thing: Any, kinds: Any) -> Any:
    """`isinstance`, where the kind of a name is unknown."""
    return Symbol(f"isinstance({thing}, {shown(kinds)})") if isinstance(thing, Symbol) else isinstance(thing, kinds)


def replaced(module: Any, **names: Any) -> Any:
    """A context in which the module's globals, and Python's own functions that it uses, are these."""
    return patch.multiple(module, create=True, **names)


def ways(program: Callable[[], Any], refusal: type[Exception] = ValueError) -> list[Lines]:
    """All that the program can do, each as its lines. The last is what it returns, or the name of its error."""

    def logged() -> Lines:
        _logs.append([])
        try:
            result = program()
            note(f"return {shown(result)}")
        except Escape:
            raise
        except refusal as error:
            note(f"raise {type(error).__name__}")
        finally:
            lines = tuple(_logs.pop())
        return lines

    return [path.result for path in executor.paths(logged, 1, (), refusal)]


def told(found: Sequence[Lines]) -> Iterator[str]:
    """The ways of one program as a text: what follows an answer stands below it, further to the right.

    Where one answer leads to nothing but a refusal, that stands on the line of the answer, and the rest goes on below.
    """
    common = sum(1 for _ in takewhile(lambda lines: len(set(lines)) == 1, zip(*found, strict=False)))
    yield from found[0][:common]
    branches: dict[str, list[Lines]] = {}
    for way in found:
        if len(way) > common:
            branches.setdefault(way[common], []).append(way[common + 1 :])
    refusals = [answer for answer, rest in branches.items() if len(rest) == 1 and rest[0][0].startswith("raise ")]
    for answer in refusals:
        yield f"{answer}: {branches[answer][0][0]}"
    for answer in sorted(branches.keys() - set(refusals)):  # "if" before "unless"
        if not refusals:
            yield f"{answer}:"
        yield from (line if refusals else f"    {line}" for line in told(branches[answer]))


def behaviour(program: Callable[[], Any]) -> str:
    """All that the program can do, as a text. Where it uses a name in a way that is not foreseen: the error."""
    try:
        return "\n".join(told(sorted(ways(program))))
    except (TypeError, AttributeError, KeyError) as error:  # such as Escape
        return f"{type(error).__name__}: {error}"


def differences(what: str, program: Callable[[], Any], expected: str) -> Iterator[str]:
    """The lines in which the program differs from what is expected of it."""
    found, wanted = behaviour(program), inspect.cleandoc(expected)
    if found != wanted:
        changed = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "expected", "found", lineterm="", n=0)
        yield "\n".join([f"{what} does something else:", *list(changed)[2:]])


@dataclass(frozen=True)
class Program:
    """A function of a module, the names that take the place of its stages, and what it should do."""

    name: str
    module: Any
    names: dict[str, Any]
    run: Callable[[], Any]
    expected: str

    def differences(self) -> Iterator[str]:
        with replaced(self.module, **self.names):
            yield from differences(self.name, self.run, self.expected)


def judged(programs: list[Program], beside: Iterable[str] = ()) -> Outcome:
    """Proved if each program does what is expected of it, and nothing else."""
    wrong = [*(line for program in programs for line in program.differences()), *beside]
    done = ", ".join(dict.fromkeys(program.name for program in programs))
    return Outcome("refuted", "\n".join(wrong)) if wrong else Outcome("proved", f"{len(programs)} programs: {done}")
