"""The symbolic executor: runs the reference's own integer functions, as they are, on integers that are unknown.

An unknown integer (`Symbolic`) wraps a signed bit-vector term. Arithmetic on it builds terms; a branch on it forks: the
function is run again from the start for each feasible string of decisions (`explore`). Python's integers do not
overflow, bit-vectors do; so every operation leaves a side condition that the width holds its exact result and that a
shift is by a valid amount, to be proved under the decisions made before it. Whatever would turn an unknown integer
into a known one (an index, a hash, a format string, a float) raises `Escape`: nothing becomes concrete unnoticed.

Not modelled, and refused: division, powers, `~`, `^`, and any operand that is neither an int nor a Symbolic.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NoReturn

import z3


class Escape(TypeError):
    """An unknown integer would have become a known one."""


@dataclass(frozen=True)
class Side:
    """What must hold for a term to mean what Python means: under the decisions before it, in every input."""

    what: str
    decisions: tuple[z3.BoolRef, ...]
    condition: z3.BoolRef


@dataclass(frozen=True)
class Path:
    """One way through a function. Its decisions are conditions on the inputs; `result` or `error` is where it ends."""

    decisions: tuple[z3.BoolRef, ...]
    result: z3.BitVecRef | None  # signed, `width` bits; None where the path ends in an error
    error: Exception | None
    line: int  # of the source file of the function, where it returned or raised
    sides: tuple[Side, ...]

    @property
    def condition(self) -> z3.BoolRef:
        return z3.And(*self.decisions)


@dataclass
class _Execution:
    """The run under way: the decisions to repeat, those made so far, and what they depend on."""

    width: int
    solver: z3.Solver  # holds the hypotheses and the decisions made so far
    prefix: list[bool]
    taken: list[bool] = field(default_factory=list)
    decisions: list[z3.BoolRef] = field(default_factory=list)
    open_alternatives: list[list[bool]] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)

    def decide(self, condition: z3.BoolRef) -> bool:
        if len(self.taken) < len(self.prefix):
            choice = self.prefix[len(self.taken)]
        else:
            # `unknown` counts as feasible: a path too many is harmless, and that none is missing is proved apart.
            choice = self.solver.check(condition) != z3.unsat
            if choice and self.solver.check(z3.Not(condition)) != z3.unsat:
                self.open_alternatives.append([*self.taken, False])
        self.taken.append(choice)
        self.decisions.append(condition if choice else z3.Not(condition))
        self.solver.add(self.decisions[-1])
        return choice

    def demand(self, what: str, condition: z3.BoolRef) -> None:
        condition = z3.simplify(condition)
        if not z3.is_true(condition):
            self.sides.append(Side(what, tuple(self.decisions), condition))


def explore(
    function: Callable[..., Any],
    arguments: Iterable[z3.BitVecRef],
    width: int,
    hypotheses: Iterable[z3.BoolRef] = (),
    constants: Iterable[Any] = (),
    expected_error: type[Exception] = ValueError,
) -> list[Path]:
    """Every path of function(*arguments, *constants) that the hypotheses leave possible.

    The arguments are signed bit-vectors of `width` bits. An exception of the expected type ends a path; another one is
    a defect, of the function or of this file, and is raised.
    """
    given, fixed, hypotheses = list(arguments), list(constants), list(hypotheses)
    paths: list[Path] = []
    pending: list[list[bool]] = [[]]
    while pending:
        solver = z3.SolverFor("QF_BV")
        solver.set("rlimit", 20_000_000)  # steps, not seconds: the same on a busy machine
        solver.add(*hypotheses)
        execution = _Execution(width, solver, pending.pop())
        unknowns = [Symbolic(term, execution) for term in given]
        result, error, line = _run(function, [*unknowns, *fixed], expected_error)
        term = None if error else _term(result, execution)
        paths.append(Path(tuple(execution.decisions), term, error, line, tuple(execution.sides)))
        pending += execution.open_alternatives
    return paths


def _run(
    function: Callable[..., Any], arguments: list[Any], expected_error: type[Exception]
) -> tuple[Any, Exception | None, int]:
    """(result, error, line): calls the function and notes the line at which its own frame ends."""
    line, code = 0, getattr(function, "__code__", None)

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal line
        if event == "return" and frame.f_code is code:
            line = frame.f_lineno

    previous = sys.getprofile()
    sys.setprofile(note)
    try:
        return function(*arguments), None, line
    except Escape:
        raise
    except expected_error as error:
        return None, error, line
    finally:
        sys.setprofile(previous)


def _term(value: Any, execution: _Execution) -> z3.BitVecRef:
    if isinstance(value, Symbolic):
        if value.execution is not execution:
            raise Escape("an unknown integer of another run")
        return value.term
    if type(value) is not int:
        raise Escape(f"{value!r} is not an int")
    half = 1 << (execution.width - 1)
    if not -half <= value < half:
        raise Escape(f"{value} does not fit {execution.width} bits")
    return z3.BitVecVal(value, execution.width)


class Condition:
    """The truth of a comparison of unknown integers. Asking for it (`if`, `and`, `or`, `not`) forks the run."""

    __slots__ = ("execution", "term")

    def __init__(self, term: z3.BoolRef, execution: _Execution) -> None:
        self.term, self.execution = term, execution

    def __bool__(self) -> bool:
        return self.execution.decide(self.term)

    def _escape(self, *_: Any) -> NoReturn:
        raise Escape("the truth of a comparison is used as a value")

    __index__ = __int__ = __float__ = __hash__ = __str__ = __repr__ = __format__ = _escape
    __eq__ = __ne__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _escape
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _escape


class Symbolic:
    """An unknown integer: a signed bit-vector term that, under the side conditions, is the exact value."""

    __slots__ = ("execution", "term")

    def __init__(self, term: z3.BitVecRef, execution: _Execution) -> None:
        self.term, self.execution = term, execution

    # Arithmetic

    def __add__(self, other: Any) -> "Symbolic":
        a, b = self.term, self._operand(other)
        self._demand("+", z3.SignExt(1, a + b) == z3.SignExt(1, a) + z3.SignExt(1, b))
        return self._new(a + b)

    def __sub__(self, other: Any) -> "Symbolic":
        return self._difference(self.term, self._operand(other))

    def __rsub__(self, other: Any) -> "Symbolic":
        return self._difference(self._operand(other), self.term)

    def _difference(self, a: z3.BitVecRef, b: z3.BitVecRef) -> "Symbolic":
        self._demand("-", z3.SignExt(1, a - b) == z3.SignExt(1, a) - z3.SignExt(1, b))
        return self._new(a - b)

    def __mul__(self, other: Any) -> "Symbolic":
        a, b = self.term, self._operand(other)
        extra = other.bit_length() + 1 if isinstance(other, int) else self.execution.width  # bits of an exact product
        self._demand("*", z3.SignExt(extra, a * b) == z3.SignExt(extra, a) * z3.SignExt(extra, b))
        return self._new(a * b)

    def __neg__(self) -> "Symbolic":
        return 0 - self

    def __and__(self, other: Any) -> "Symbolic":  # two's complement, as Python's own on integers of unlimited width
        return self._new(self.term & self._operand(other))

    def __or__(self, other: Any) -> "Symbolic":
        return self._new(self.term | self._operand(other))

    __radd__, __rmul__, __rand__, __ror__ = __add__, __mul__, __and__, __or__

    def __lshift__(self, other: Any) -> "Symbolic":
        return self._left(self.term, self._operand(other))

    def __rlshift__(self, other: Any) -> "Symbolic":
        return self._left(self._operand(other), self.term)

    def _left(self, a: z3.BitVecRef, amount: z3.BitVecRef) -> "Symbolic":
        width = self.execution.width
        least, most = z3.BitVecVal(-1 << (width - 1), width), z3.BitVecVal((1 << (width - 1)) - 1, width)
        fits = z3.And(least >> amount <= a, a <= most >> amount)  # a·2^amount in range ⟺ a in ⌊range / 2^amount⌋
        self._demand("<<", z3.And(amount >= 0, amount < width, fits))
        return self._new(a << amount)

    def __rshift__(self, other: Any) -> "Symbolic":
        return self._right(self.term, self._operand(other))

    def __rrshift__(self, other: Any) -> "Symbolic":
        return self._right(self._operand(other), self.term)

    def _right(self, a: z3.BitVecRef, amount: z3.BitVecRef) -> "Symbolic":
        self._demand(">>", amount >= 0)  # however large: what is shifted out leaves the sign, as in Python
        return self._new(a >> amount)

    def bit_length(self) -> "Symbolic":
        """As int.bit_length: of the magnitude, 0 for 0. The most negative number has no magnitude in this width."""
        width = self.execution.width
        self._demand("bit_length", self.term != z3.BitVecVal(1 << (width - 1), width))
        magnitude = z3.If(self.term < 0, -self.term, self.term)
        length = z3.BitVecVal(0, width)
        for bit in range(width):  # the highest 1 wins
            length = z3.If(z3.Extract(bit, bit, magnitude) == 1, z3.BitVecVal(bit + 1, width), length)
        return self._new(length)

    # Comparison

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return self._condition(self.term == self._operand(other))

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        return self._condition(self.term != self._operand(other))

    def __lt__(self, other: Any) -> Condition:
        return self._condition(self.term < self._operand(other))

    def __le__(self, other: Any) -> Condition:
        return self._condition(self.term <= self._operand(other))

    def __gt__(self, other: Any) -> Condition:
        return self._condition(self.term > self._operand(other))

    def __ge__(self, other: Any) -> Condition:
        return self._condition(self.term >= self._operand(other))

    def __bool__(self) -> bool:
        return bool(self != 0)

    # What would make it concrete, and what is not modelled

    def _escape(self, *_: Any) -> NoReturn:
        raise Escape("an unknown integer is used as a known one")

    __index__ = __int__ = __float__ = __complex__ = __hash__ = _escape
    __str__ = __repr__ = __format__ = __bytes__ = _escape
    __round__ = __trunc__ = __floor__ = __ceil__ = __abs__ = __invert__ = _escape
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _escape
    __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __xor__ = __rxor__ = _escape

    def _operand(self, other: Any) -> z3.BitVecRef:
        return _term(other, self.execution)

    def _new(self, term: z3.BitVecRef) -> "Symbolic":
        return Symbolic(z3.simplify(term), self.execution)

    def _condition(self, term: z3.BoolRef) -> Condition:
        return Condition(z3.simplify(term), self.execution)

    def _demand(self, what: str, condition: z3.BoolRef) -> None:
        self.execution.demand(what, condition)
