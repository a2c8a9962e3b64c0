"""Python integers that are not known: the reference's integer code runs on them as it is, once for each way through it.

An unknown integer is a signed bit-vector with bounds; an operation whose result could leave the width raises, so that
no bit is lost. A branch on one asks the solver which ways are open, and `paths` takes all of them. (snapref_smt has an
engine of its own for such code; neither package relies on the other.)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import z3

from snapref import ParameterError

WIDTH = 160
SHIFTED = 32  # so many zeros are no accident


@dataclass(frozen=True)
class Path:
    """One way through a function: the conditions of its branches, and the result, or the error that ends it."""

    conditions: tuple[Any, ...]
    result: Any
    error: ParameterError | None = None

    @property
    def condition(self) -> Any:
        return z3.And(*self.conditions, z3.BoolVal(True))


@dataclass
class _Run:
    """The run under way: branches to repeat, then new ones."""

    solver: z3.Solver
    repeat: list[bool]
    taken: list[bool] = field(default_factory=list)
    conditions: list[Any] = field(default_factory=list)
    left: list[list[bool]] = field(default_factory=list)

    def decide(self, condition: Any) -> bool:
        if len(self.taken) < len(self.repeat):
            choice = self.repeat[len(self.taken)]
        else:  # `unknown` counts as open; that the paths together are all is proved apart, see `complete`
            choice = self.solver.check(condition) != z3.unsat
            if choice and self.solver.check(z3.Not(condition)) != z3.unsat:
                self.left.append([*self.taken, False])
        self.taken.append(choice)
        self.conditions.append(condition if choice else z3.Not(condition))
        self.solver.add(self.conditions[-1])
        return choice

    def settled(self, number: "Integer") -> Any:
        """The number itself, or the one value that it has on this path. That it has it is a condition of the path."""
        if self.solver.check() != z3.sat:
            return number
        value = self.solver.model().eval(number.term, model_completion=True)
        if self.solver.check(number.term != value) != z3.unsat:
            return number
        return value.as_signed_long() if self.decide(number.term == value) else number


_runs: list[_Run] = []


def paths(function: Callable[[], Any], hypotheses: Sequence[Any] = ()) -> Iterator[Path]:
    """Every path of function() that the hypotheses leave open. A ParameterError ends one; another error is raised."""
    pending: list[list[bool]] = [[]]
    while pending:
        solver = z3.Solver()
        solver.set("rlimit", 20_000_000)  # steps, not seconds: the same on a busy machine
        solver.add(*hypotheses)
        run = _Run(solver, pending.pop())
        _runs.append(run)
        try:
            result, error = function(), None
        except ParameterError as refused:
            result, error = None, refused
        finally:
            _runs.pop()
        yield Path(tuple(run.conditions), result, error)
        pending += run.left


def unknown(bits: Any) -> Any:
    """The integer that an unsigned bit-vector stands for."""
    return Integer(z3.ZeroExt(WIDTH - bits.size(), bits), 0, (1 << bits.size()) - 1)


def term_of(number: Any) -> Any:
    """A known or unknown integer as a signed bit-vector."""
    return number.term if isinstance(number, Integer) else z3.BitVecVal(number, WIDTH)


class Integer:
    """low <= term <= high."""

    def __init__(self, term: Any, low: int, high: int) -> None:
        self.term, self.low, self.high = term, low, high

    def __add__(self, other: Any) -> Any:
        b = _bounds(other)
        return _made(_upper(lambda x, y: x + y, self.term, term_of(other)), self.low + b[0], self.high + b[1])

    def __sub__(self, other: Any) -> Any:
        b = _bounds(other)
        return _made(_upper(lambda x, y: x - y, self.term, term_of(other)), self.low - b[1], self.high - b[0])

    def __rsub__(self, other: int) -> Any:
        return _made(term_of(other) - self.term, other - self.high, other - self.low)

    def __mul__(self, other: int) -> Any:
        ends = (self.low * other, self.high * other)
        return _made(self.term * _known(other), min(ends), max(ends))

    __radd__, __rmul__ = __add__, __mul__

    def __and__(self, mask: int) -> Any:
        """With a mask of low bits: those of any integer, as Python's integers are two's complement, too."""
        length = _known(mask).bit_length()
        if mask != (1 << length) - 1:
            raise TypeError("only masks of low bits are modelled")
        return _made(z3.ZeroExt(WIDTH - length, z3.Extract(length - 1, 0, self.term)), 0, mask)

    def __or__(self, other: Any) -> Any:
        low, high = _bounds(other)
        if min(low, self.low) < 0:
            raise TypeError("only natural numbers are or-ed")
        return _made(self.term | term_of(other), max(low, self.low), (1 << max(high, self.high).bit_length()) - 1)

    def __lshift__(self, amount: Any) -> Any:
        amount = _settled(amount)
        return _made(self.term << _known(amount), self.low << amount, self.high << amount)

    def __rlshift__(self, number: int) -> Any:
        return number << _known(_settled(self))

    def __rshift__(self, amount: Any) -> Any:
        amount = _settled(amount)
        return _made(self.term >> _known(amount), self.low >> amount, self.high >> amount)

    def bit_length(self) -> Any:
        if self.low < 0 and not self >= 0:
            raise TypeError("only the length of a natural number is modelled")
        length = z3.BitVecVal(0, WIDTH)
        for bit in range(self.high.bit_length()):  # the highest 1 wins
            length = z3.If(z3.Extract(bit, bit, self.term) == 1, z3.BitVecVal(bit + 1, WIDTH), length)
        found = _made(length, max(0, self.low).bit_length(), self.high.bit_length())
        return _settled(found)

    def __eq__(self, other: Any) -> bool:
        return decide(self.term == term_of(other))

    def __ne__(self, other: Any) -> bool:
        return decide(self.term != term_of(other))

    def __lt__(self, other: Any) -> bool:
        return decide(self.term < term_of(other))

    def __le__(self, other: Any) -> bool:
        return decide(self.term <= term_of(other))

    def __gt__(self, other: Any) -> bool:
        return decide(self.term > term_of(other))

    def __ge__(self, other: Any) -> bool:
        return decide(self.term >= term_of(other))

    def __bool__(self) -> bool:
        return self != 0

    def _escape(self, *_: Any) -> NoReturn:
        raise TypeError("an unknown integer is used as a known one")

    __index__ = __int__ = __float__ = __str__ = __repr__ = __format__ = _escape


def _bounds(number: Any) -> tuple[int, int]:
    return (number.low, number.high) if isinstance(number, Integer) else (_known(number), number)


def _settled(number: Any) -> Any:
    """A number that the path leaves one value only, as that value."""
    return _runs[-1].settled(number) if _runs and isinstance(number, Integer) else number


def _known(number: Any) -> int:
    if not isinstance(number, int):
        raise TypeError("this operand must be a known integer")
    return number


def _upper(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """a + b or a - b. Where b was shifted, so that its low bits are zeros, it is written such that those of a stay."""
    last = b.arg(b.num_args() - 1) if z3.is_app_of(b, z3.Z3_OP_CONCAT) else b
    lowest = last.as_long() if z3.is_bv_value(last) else 1
    zeros = (lowest & -lowest).bit_length() - 1 if lowest else last.size()
    if not SHIFTED <= zeros < WIDTH:
        return operation(a, b)
    upper = operation(*(z3.simplify(z3.Extract(WIDTH - 1, zeros, number)) for number in (a, b)))
    return z3.Concat(upper, z3.Extract(zeros - 1, 0, a))


def _made(term: Any, low: int, high: int) -> Any:
    """An integer between its bounds; a known one where they, or what the term comes to, leave one only."""
    if not -1 << (WIDTH - 1) <= low <= high < 1 << (WIDTH - 1):
        raise OverflowError("an integer could leave the width")
    term = z3.simplify(term)
    if z3.is_app_of(term, z3.Z3_OP_CONCAT) and z3.is_bv_value(first := term.arg(0)):  # its upper bits are known
        rest = WIDTH - first.size()
        least = first.as_signed_long() << rest
        low, high = max(low, least), min(high, least + (1 << rest) - 1)
    if low == high:
        return low
    return term.as_signed_long() if z3.is_bv_value(term) else Integer(term, low, high)


def decide(condition: Any) -> bool:
    """Which way the run under way takes; where the condition is known, the only one."""
    condition = z3.simplify(condition)
    if z3.is_true(condition) or z3.is_false(condition):
        return bool(z3.is_true(condition))
    return _runs[-1].decide(condition)
