"""The symbolic executor: runs integer functions, as they are, on integers that are unknown.

An unknown integer (`Symbolic`) is a signed bit-vector term between bounds. Arithmetic on it builds terms; a branch on
it forks: the function is run again from the start for each feasible string of decisions (`paths`, `explore`). Python's
integers do not overflow, bit-vectors do. So where its bounds do not show that the width holds the exact result of an
operation, or that a shift is by a valid amount, the operation leaves this as a side condition, to be proved under the
decisions made before it. Bounds rely on the side conditions that were left before them. Whatever would turn an unknown
integer into a known one (an index, a hash, a format string, a float) raises `Escape`: nothing becomes concrete
unnoticed.

Not modelled, and refused: division, powers, `~`, `^`, and any operand that is neither an int nor a Symbolic.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from operator import add, mul, sub
from types import FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, NoReturn

import z3

SHIFTED = 32  # so many zeros at the end of a number are no accident


class Escape(TypeError):
    """An unknown integer would have become a known one."""


@dataclass(frozen=True)
class Side:
    """What must hold for a term to mean what Python means: under the decisions before it, in every input."""

    what: str
    decisions: tuple[z3.BoolRef, ...]
    condition: z3.BoolRef

    @property
    def reached(self) -> z3.BoolRef:
        return z3.And(*self.decisions) if self.decisions else z3.BoolVal(True)


@dataclass(frozen=True)
class Path:
    """One way through a program. Its decisions are conditions on the inputs; `result` or `error` is where it ends."""

    decisions: tuple[z3.BoolRef, ...]
    result: Any  # of `explore`: a signed term of `width` bits; None where the path ends in an error
    error: Exception | None
    line: int  # of the source file of the function, where it returned or raised; 0 where none is noted
    sides: tuple[Side, ...]

    @property
    def condition(self) -> z3.BoolRef:
        return z3.And(*self.decisions) if self.decisions else z3.BoolVal(True)


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

    @property
    def least(self) -> int:
        return -1 << (self.width - 1)

    @property
    def most(self) -> int:
        return -1 - self.least

    def decide(self, condition: z3.BoolRef) -> bool:
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return bool(z3.is_true(condition))
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

    def settled(self, number: "Symbolic") -> "Symbolic":
        """The number, or the one value that it has on this path. That it has it becomes a decision of the path."""
        if number.low == number.high or self.solver.check() != z3.sat:
            return number
        value = self.solver.model().eval(number.term, model_completion=True)
        if self.solver.check(number.term != value) != z3.unsat or not self.decide(number.term == value):
            return number
        return self.known(value.as_signed_long())

    def known(self, number: int) -> "Symbolic":
        if not self.least <= number <= self.most:
            raise Escape(f"{number} does not fit {self.width} bits")
        return Symbolic(z3.BitVecVal(number, self.width), number, number, self)

    def operand(self, value: Any) -> "Symbolic":
        """An int, or an unknown integer of this run."""
        if _run_under_way() is not self or (isinstance(value, Symbolic) and value.execution is not self):
            raise Escape("an unknown integer of another run")
        if isinstance(value, Symbolic):
            return value
        if type(value) is not int:
            raise Escape(f"{value!r} is not an int")
        return self.known(value)


_under_way: list[_Execution] = []  # the innermost last


def _run_under_way() -> _Execution:
    if not _under_way:
        raise Escape("no run is under way")
    return _under_way[-1]


def decide(condition: z3.BoolRef) -> bool:
    """Which way the run under way takes; where the condition is known, the only one."""
    return _run_under_way().decide(condition)


def assume(fact: z3.BoolRef) -> None:
    """Tells the run under way, if there is one, what is known of a variable. This only rules out paths: whoever
    introduces the variable puts the fact among the hypotheses of what is to be proved."""
    if _under_way:
        _under_way[-1].solver.add(fact)


def demand(what: str, condition: z3.BoolRef) -> None:
    """Leaves a side condition, to be proved under the decisions that the run under way made before it."""
    _run_under_way().demand(what, condition)


def truth(term: z3.BoolRef) -> "Condition":
    """The truth of a comparison in the run under way."""
    return Condition(z3.simplify(term), _run_under_way())


def unknown(term: z3.BitVecRef) -> Any:
    """An unknown integer of the run under way: what a narrower bit-vector without a sign stands for, or a signed one of
    the full width."""
    run = _run_under_way()
    term = z3.ZeroExt(run.width - term.size(), term) if term.size() < run.width else term
    return Symbolic(term, *_shown(term), run)


def paths(
    program: Callable[[], Any],
    width: int,
    hypotheses: Iterable[z3.BoolRef] = (),
    expected_error: type[Exception] = ValueError,
    noted: Callable[..., Any] | None = None,
) -> list[Path]:
    """Every path of program() that the hypotheses leave possible, with what it returned.

    An exception of the expected type ends a path; another one is a defect, of the program or of this file, and is
    raised. The line of a path is where the function `noted` ended.
    """
    hypotheses, found = list(hypotheses), list[Path]()
    pending: list[list[bool]] = [[]]
    while pending:
        solver = z3.Solver()
        solver.set("rlimit", 20_000_000)  # steps, not seconds: the same on a busy machine
        solver.add(*hypotheses)
        execution = _Execution(width, solver, pending.pop())
        result, error, lines = None, None, [0]
        _under_way.append(execution)
        try:
            with _noting(noted, lines) if noted else nullcontext():
                result = program()
        except Escape:
            raise
        except expected_error as expected:
            error = expected
        finally:
            _under_way.pop()
        found.append(Path(tuple(execution.decisions), result, error, lines[-1], tuple(execution.sides)))
        pending += execution.open_alternatives
    return found


def explore(
    function: Callable[..., Any],
    arguments: Iterable[z3.BitVecRef],
    width: int,
    hypotheses: Iterable[z3.BoolRef] = (),
    constants: Iterable[Any] = (),
    expected_error: type[Exception] = ValueError,
) -> list[Path]:
    """Every path of function(*arguments, *constants), which returns an integer: a path has its term.

    The arguments are signed bit-vectors of `width` bits.
    """
    given, fixed = list(arguments), list(constants)

    def program() -> z3.BitVecRef:
        return _run_under_way().operand(function(*map(unknown, given), *fixed)).term

    return paths(program, width, hypotheses, expected_error, noted=function)


def rebound(module: ModuleType, names: Mapping[str, Any]) -> SimpleNamespace:
    """The functions and classes of a module as they are, with other meanings of some names that they use."""
    world = dict(vars(module))

    def with_world(value: Any) -> Any:
        if isinstance(value, property):
            return property(with_world(value.fget))
        if not isinstance(value, FunctionType) or value.__globals__ is not vars(module):
            return value
        copy = FunctionType(value.__code__, world, value.__name__, value.__defaults__, value.__closure__)
        copy.__kwdefaults__ = value.__kwdefaults__
        return copy

    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__:
            own = {key: with_world(v) for key, v in vars(value).items() if isinstance(v, FunctionType | property)}
            world[name] = type(name, (value,), own)
        else:
            world[name] = with_world(value)
    world.update(names)
    return SimpleNamespace(**world)


@contextmanager
def _noting(function: Callable[..., Any], lines: list[int]) -> Iterator[None]:
    """Notes the lines at which the function's own frames end."""
    code = getattr(function, "__code__", None)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is code:
            lines.append(frame.f_lineno)

    previous = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(previous)


class Condition:
    """The truth of a comparison of unknown integers. Asking for it (`if`, `and`, `or`, `not`) forks the run."""

    __slots__ = ("execution", "term")

    def __init__(self, term: z3.BoolRef, execution: _Execution) -> None:
        self.term, self.execution = term, execution

    def __bool__(self) -> bool:
        if _run_under_way() is not self.execution:
            raise Escape("a comparison of another run")
        return self.execution.decide(self.term)

    def _escape(self, *_: Any) -> NoReturn:
        raise Escape("the truth of a comparison is used as a value")

    __index__ = __int__ = __float__ = __hash__ = __str__ = __repr__ = __format__ = _escape
    __eq__ = __ne__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _escape
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _escape


class Symbolic:
    """An unknown integer: a signed bit-vector term that, under the side conditions, is the exact value; and then it is
    at least `low` and at most `high`."""

    __slots__ = ("execution", "high", "low", "term")

    def __init__(self, term: z3.BitVecRef, low: int, high: int, execution: _Execution) -> None:
        self.term, self.low, self.high, self.execution = term, low, high, execution

    # Arithmetic. What comes out is an int where there is only one that it can be.

    def __add__(self, other: Any) -> Any:
        b = self._operand(other)
        exact = _exact(add, self.term, b.term, 1)
        return self._new("+", _upper(add, self.term, b.term), self.low + b.low, self.high + b.high, exact)

    def __sub__(self, other: Any) -> Any:
        return self._difference(self, self._operand(other))

    def __rsub__(self, other: Any) -> Any:
        return self._difference(self._operand(other), self)

    def _difference(self, a: "Symbolic", b: "Symbolic") -> Any:
        exact = _exact(sub, a.term, b.term, 1)
        return self._new("-", _upper(sub, a.term, b.term), a.low - b.high, a.high - b.low, exact)

    def __mul__(self, other: Any) -> Any:
        b = self._operand(other)
        extra = other.bit_length() + 1 if isinstance(other, int) else self.execution.width  # bits of an exact product
        ends = [x * y for x in (self.low, self.high) for y in (b.low, b.high)]
        return self._new("*", self.term * b.term, min(ends), max(ends), _exact(mul, self.term, b.term, extra))

    def __neg__(self) -> Any:
        return 0 - self

    # Bitwise: two's complement, as Python's own on integers of unlimited width

    def __and__(self, other: Any) -> Any:
        b = self._operand(other)
        natural = [number.high for number in (self, b) if number.low >= 0]
        low, high = (0, min(natural)) if natural else _any_bits(self, b)
        return self._new("&", self.term & b.term, low, high)

    def __or__(self, other: Any) -> Any:
        b = self._operand(other)
        low, high = _any_bits(self, b)
        return self._new("|", self.term | b.term, max(self.low, b.low) if min(self.low, b.low) >= 0 else low, high)

    __radd__, __rmul__, __rand__, __ror__ = __add__, __mul__, __and__, __or__

    def __lshift__(self, other: Any) -> Any:
        return self._left(self, self._amount(other))

    def __rlshift__(self, other: Any) -> Any:
        return self._left(self._operand(other), self._amount(self))

    def _left(self, a: "Symbolic", amount: "Symbolic") -> Any:
        run, width, by = self.execution, self.execution.width, amount.term

        def fits() -> z3.BoolRef:
            least, most = z3.BitVecVal(run.least, width), z3.BitVecVal(run.most, width)
            return z3.And(least >> by <= a.term, a.term <= most >> by)  # a·2^by in range ⟺ a in ⌊range / 2^by⌋

        if not 0 <= amount.low <= amount.high < width:
            self._demand("<<", z3.And(by >= 0, by < width))
        ends = [x << n for x in (a.low, a.high) for n in amount.valid()]
        return self._new("<<", a.term << by, min(ends), max(ends), fits)

    def __rshift__(self, other: Any) -> Any:
        return self._right(self, self._amount(other))

    def __rrshift__(self, other: Any) -> Any:
        return self._right(self._operand(other), self._amount(self))

    def _right(self, a: "Symbolic", amount: "Symbolic") -> Any:
        if amount.low < 0:  # however large: what is shifted out leaves the sign, as in Python
            self._demand(">>", amount.term >= 0)
        ends = [x >> n for x in (a.low, a.high) for n in amount.valid()]
        return self._new(">>", a.term >> amount.term, min(ends), max(ends))

    def bit_length(self) -> Any:
        """As int.bit_length: of the magnitude, 0 for 0. The most negative number has no magnitude in this width."""
        run, number = self.execution, self._operand(self)
        if number.low == run.least:
            self._demand("bit_length", number.term != z3.BitVecVal(run.least, run.width))
        magnitude = number.term if number.low >= 0 else z3.If(number.term < 0, -number.term, number.term)
        longest = max(number.low.bit_length(), number.high.bit_length())
        shortest = 0 if number.low <= 0 <= number.high else min(number.low.bit_length(), number.high.bit_length())
        length = z3.BitVecVal(0, run.width)
        for bit in range(min(longest, run.width)):  # the highest 1 wins
            length = z3.If(z3.Extract(bit, bit, magnitude) == 1, z3.BitVecVal(bit + 1, run.width), length)
        return self._new("bit_length", length, shortest, longest)

    # Comparison

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return self._condition(self.term == self._operand(other).term)

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        return self._condition(self.term != self._operand(other).term)

    def __lt__(self, other: Any) -> Condition:
        return self._condition(self.term < self._operand(other).term)

    def __le__(self, other: Any) -> Condition:
        return self._condition(self.term <= self._operand(other).term)

    def __gt__(self, other: Any) -> Condition:
        return self._condition(self.term > self._operand(other).term)

    def __ge__(self, other: Any) -> Condition:
        return self._condition(self.term >= self._operand(other).term)

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

    def valid(self) -> tuple[int, int]:
        """The least and the largest amount by which a shift can be. From the width on, all are alike."""
        width = self.execution.width
        return min(max(self.low, 0), width), min(max(self.high, 0), width)

    def _operand(self, other: Any) -> "Symbolic":
        return self.execution.operand(other)

    def _amount(self, other: Any) -> "Symbolic":
        return self.execution.settled(self._operand(other))

    def _new(
        self, what: str, term: z3.BitVecRef, low: int, high: int, exact: Callable[[], z3.BoolRef] | None = None
    ) -> Any:
        """The result of an operation, whose exact value lies between the bounds. Where they leave the width, that the
        term is `exact` is a side condition."""
        run, term = self.execution, z3.simplify(term)
        if exact is not None and not run.least <= low <= high <= run.most:
            self._demand(what, exact())
        least, most = _shown(term)
        low, high = max(low, least), min(high, most)
        if low > high:  # then the side condition is false
            low, high = least, most
        return low if low == high else Symbolic(term, low, high, run)

    def _condition(self, term: z3.BoolRef) -> Condition:
        return Condition(z3.simplify(term), self.execution)

    def _demand(self, what: str, condition: z3.BoolRef) -> None:
        self.execution.demand(what, condition)


Operation = Callable[[z3.BitVecRef, z3.BitVecRef], z3.BitVecRef]


def _exact(operation: Operation, a: z3.BitVecRef, b: z3.BitVecRef, extra: int) -> Callable[[], z3.BoolRef]:
    """That the result is that of the same operation with so many bits more."""
    return lambda: z3.SignExt(extra, operation(a, b)) == operation(z3.SignExt(extra, a), z3.SignExt(extra, b))


def _upper(operation: Operation, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    """a + b or a - b. Where b was shifted, so that its low bits are zeros, it is written such that those of a stay."""
    last = b.arg(b.num_args() - 1) if z3.is_app_of(b, z3.Z3_OP_CONCAT) else b
    lowest = last.as_long() if z3.is_bv_value(last) else 1
    zeros = (lowest & -lowest).bit_length() - 1 if lowest else last.size()
    if not SHIFTED <= zeros < b.size():
        return operation(a, b)
    upper = operation(*(z3.simplify(z3.Extract(b.size() - 1, zeros, number)) for number in (a, b)))
    return z3.Concat(upper, z3.Extract(zeros - 1, 0, a))


def _any_bits(a: Symbolic, b: Symbolic) -> tuple[int, int]:
    """What two numbers' bits, put together in any way, can come to."""
    ends = (a.low, a.high, b.low, b.high)
    reach = 1 << max(end.bit_length() for end in ends)
    return 0 if min(ends) >= 0 else -reach, reach - 1


def _shown(term: z3.BitVecRef) -> tuple[int, int]:
    """The least and the largest value that a signed term can have, as far as its outermost operation shows."""
    if z3.is_bv_value(term):
        return term.as_signed_long(), term.as_signed_long()
    inner = term.arg(0) if term.num_args() else term
    if z3.is_app_of(term, z3.Z3_OP_ZERO_EXT) and inner.size() < term.size():
        return 0, (1 << inner.size()) - 1
    if z3.is_app_of(term, z3.Z3_OP_CONCAT) and z3.is_bv_value(inner):
        free = term.size() - inner.size()
        least = inner.as_signed_long() << free
        return least, least + (1 << free) - 1
    half = 1 << ((inner if z3.is_app_of(term, z3.Z3_OP_SIGN_EXT) else term).size() - 1)
    return -half, half - 1
