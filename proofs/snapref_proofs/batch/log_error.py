"""The error of the batch logarithm, cell by cell: what the obligation proofs.batch.log decides.

The batch logarithm (`logarithms` in snapref/batch/logarithm.py) divides the mantissas into the *cells* of a table. It
writes u as 2**-k times a number whose logarithm is that of the table plus ln(1 + r), with a small r. Here that program
itself runs, but on `Number`s in place of floats. A `Number` says three things about a computed float, for all mantissas
of a cell: what exact arithmetic would give (a polynomial in k and r), how large the float can be, and how far it can be
from the exact value (each rounding has a relative error of at most u = 2**-53).

What a rounded sum loses has a name, until the program subtracts it again. It does so without an error if the first
number of the sum is 0 or not smaller than the second (proofs.batch.two-sum). The logarithms in the table are compared
with rigorous enclosures, to 160 bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from gmpy2 import mpq

from snapref.batch.logarithm import CELL_BITS, CELLS, LARGEST_EXPONENT, UPPER, Tables, logarithms
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.dyadics import to_fraction

ZERO, U = mpq(0), mpq(1, 2**53)
ENCLOSURE_BITS = 160

Polynomial = dict[tuple[int, int], mpq]  # (power of k, power of r) → coefficient
Bound = tuple[mpq, ...]  # b0 + b1·|r| + b2·r² + …
NOTHING: Bound = ()


class Unproved(AssertionError):
    """A condition that the error bound needs does not hold."""


def demand(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Unproved(otherwise)


# Bounds and polynomials


def plus(a: Bound, b: Bound) -> Bound:
    long, short = (a, b) if len(a) >= len(b) else (b, a)
    return tuple(x + y for x, y in zip(long, short, strict=False)) + long[len(short) :]


def times(a: Bound, b: Bound) -> Bound:
    result = [ZERO] * (len(a) + len(b) - 1 if a and b else 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return tuple(result)


def by(factor: mpq, a: Bound) -> Bound:
    return tuple(factor * x for x in a)


def at(a: Bound, r: mpq) -> mpq:
    return sum((x * r**i for i, x in enumerate(a)), ZERO)


def underflow(size: Bound) -> Bound:
    """The largest error of a product that is not a normal double, 2**-1075, as a multiple of a power of r.

    The power is the lowest in the product's size. If r is 0, the product is 0 and not rounded; otherwise |r| ≥ 2**-64.
    """
    lowest = next(i for i, x in enumerate(size) if x)
    return (*[ZERO] * lowest, mpq(1, 2 ** (1075 - 64 * lowest)))


def added(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    result = dict(a)
    for power, coefficient in b.items():
        result[power] = result.get(power, ZERO) + sign * coefficient
    return {power: coefficient for power, coefficient in result.items() if coefficient}


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for (i, j), x in a.items():
        for (k, m), y in b.items():
            result[i + k, j + m] = result.get((i + k, j + m), ZERO) + x * y
    return {power: coefficient for power, coefficient in result.items() if coefficient}


# What the program computes with


@dataclass
class Cell:
    """The inputs of one run: all mantissas x of a cell, and all exponents with k from `first` to `last`."""

    index: int
    first: int
    last: int
    n: int = 0  # the integer that x was multiplied with
    reach: mpq = ZERO  # |r| is at most this
    lost: dict[int, Bound] = field(default_factory=dict)  # how much each rounded sum can have lost


@dataclass(frozen=True, eq=False)
class Number:
    """What is known of a computed double: |computed - ideal - what sums lost| <= error, and |computed| <= size."""

    cell: Cell
    ideal: Polynomial
    size: Bound
    error: Bound = NOTHING
    lost: dict[int, int] = field(default_factory=dict)  # name of a sum → how often what it lost is in here
    unit: mpq | None = None  # it is a multiple of this power of two
    least: Bound = NOTHING  # it is 0 in the whole cell, or at least this large
    sum_of: "tuple[Number, Number] | None" = None
    name: int | None = None  # of what this sum has lost; None: nothing
    moved: "Number | None" = None  # the sum a + b of which this is (a + b) - a

    __array_ufunc__ = None  # numpy's numbers leave the operation to this class

    def _operand(self, other: Any) -> "Number":
        return other if isinstance(other, Number) else constant(self.cell, float(other))

    @property
    def zero(self) -> bool:
        return not any(self.size)

    def __add__(self, other: Any) -> "Number":
        a, b = self, self._operand(other)
        size, unit = plus(a.size, b.size), None if a.unit is None or b.unit is None else min(a.unit, b.unit)
        lost = {name: a.lost.get(name, 0) + b.lost.get(name, 0) for name in {*a.lost, *b.lost}}
        exact = a.zero or b.zero or (unit is not None and at(size, self.cell.reach) < 2**53 * unit)
        name = None if exact else len(self.cell.lost)
        if name is not None:
            self.cell.lost[name] = by(U, size)
            size, unit, lost = by(1 + U, size), None, {**lost, name: 1}
        lost = {name: times for name, times in lost.items() if times}
        ideal = added(a.ideal, b.ideal)
        result = Number(self.cell, ideal, size, plus(a.error, b.error), lost, unit)
        return replace(result, least=_least(result, a, b), sum_of=(a, b), name=name)

    def __neg__(self) -> "Number":
        lost = {name: -times for name, times in self.lost.items()}
        ideal = {power: -c for power, c in self.ideal.items()}
        return Number(self.cell, ideal, self.size, self.error, lost, self.unit, self.least)

    def __sub__(self, other: Any) -> "Number":
        b = self._operand(other)
        if self.sum_of is not None and self.sum_of[0] is b:
            return self._without(*self.sum_of)
        if b.moved is not None and b.moved.sum_of is not None and b.moved.sum_of[1] is self:
            return b.moved._lost_part()
        return self + -b

    def _without(self, a: "Number", b: "Number") -> "Number":
        """(a + b) - a, which is computed exactly: it is b plus the rounding error of the sum a + b."""
        at_most = at(b.size[1:], self.cell.reach)  # |b| <= b0 + at_most·|r|
        least = (*a.least, ZERO, ZERO)
        gap = least[0] - at(b.size[:1], self.cell.reach)
        larger = gap >= 0 and gap + min(ZERO, (least[1] - at_most) * self.cell.reach) >= 0
        demand(a.zero or larger, "a sum whose first number can be the smaller one")
        lost = b.lost if self.name is None else {**b.lost, self.name: 1}
        size = b.size if self.name is None else plus(b.size, self.cell.lost[self.name])
        return Number(self.cell, b.ideal, size, b.error, lost, moved=self)

    def _lost_part(self) -> "Number":
        """b - ((a + b) - a), which is computed exactly: it is minus the rounding error of the sum a + b."""
        if self.name is None:
            return Number(self.cell, {}, NOTHING)
        return Number(self.cell, {}, self.cell.lost[self.name], lost={self.name: -1})

    def __rsub__(self, other: Any) -> "Number":
        return self._operand(other) - self

    def __mul__(self, other: Any) -> "Number":
        a, b = self, self._operand(other)
        size, unit = times(a.size, b.size), None if a.unit is None or b.unit is None else a.unit * b.unit
        of_a, of_b = a.all_error(), b.all_error()
        error = plus(times(of_a, b.size), times(plus(a.size, of_a), of_b))
        if a.zero or b.zero:
            return Number(self.cell, {}, NOTHING)
        if unit is None or at(size, self.cell.reach) >= 2**53 * unit:
            rounding = plus(by(U, size), underflow(size))
            error, size, unit = plus(error, rounding), plus(size, rounding), None
        return Number(self.cell, multiplied(a.ideal, b.ideal), size, error, unit=unit)

    __radd__, __rmul__ = __add__, __mul__

    def all_error(self) -> Bound:
        """The error, including all that rounded sums lost."""
        error = self.error
        for name, times_ in self.lost.items():
            error = plus(error, by(mpq(abs(times_)), self.cell.lost[name]))
        return error

    def __eq__(self, other: Any) -> "Agreement":  # type: ignore[override]
        return Agreement(self, self._operand(other))


@dataclass(frozen=True, eq=False)
class Agreement:
    """Where two numbers are equal."""

    a: Number
    b: Number


def constant(cell: Cell, number: float) -> Number:
    value = mpq(number)
    if not value:
        return Number(cell, {}, NOTHING)
    unit = mpq(value.numerator & -value.numerator, value.denominator)
    return Number(cell, {(0, 0): value}, (abs(value),), unit=unit, least=(abs(value),))


def _least(total: Number, a: Number, b: Number) -> Bound:
    """A lower bound on |a + b|, if the sum is exact and linear in k, or if a is larger than b."""
    if a.zero or b.zero:
        return (b if a.zero else a).least
    cell = total.cell
    if not total.lost and not total.error and total.ideal.keys() <= {(0, 0), (1, 0)}:
        ends = [total.ideal.get((0, 0), ZERO) + k * total.ideal.get((1, 0), ZERO) for k in (cell.first, cell.last)]
        return (min(map(abs, ends)),) if ends[0] * ends[1] > 0 else NOTHING
    gap = at(a.least[:1], cell.reach) - at(b.size, cell.reach)
    return ((1 - U) * gap,) if gap > 0 else NOTHING


class Count:
    """The integer k, or the exponent e, of the cell."""

    __array_ufunc__ = None

    def __init__(self, cell: Cell, less: int = 0) -> None:
        self.cell, self.less = cell, less

    def __sub__(self, other: Any) -> "Count":
        return Count(self.cell, self.less + int(other))

    def __mul__(self, other: Any) -> Number:
        demand(self.less == int(self.cell.index >= UPPER), "k is not e, or e - 1 in the upper cells")
        factor = constant(self.cell, float(other))
        size, unit = by(mpq(self.cell.last), factor.size), factor.unit
        ideal = multiplied({(1, 0): mpq(1)}, factor.ideal)
        if self.cell.last == 0 or factor.zero:
            return Number(self.cell, {}, NOTHING)
        if unit is not None and at(size, ZERO) < 2**53 * unit:
            least = by(mpq(self.cell.first), factor.least)
            return Number(self.cell, ideal, size, unit=unit, least=least)
        return Number(self.cell, ideal, by(1 + U, size), by(U, size))

    __rmul__ = __mul__


class Mantissa:
    """The mantissas of the cell, and what 64-bit integer arithmetic makes of them: from `low` to `high`."""

    __array_ufunc__ = None

    def __init__(self, cell: Cell, low: int, high: int, factor: int = 1, offset: int = 0) -> None:
        self.cell, self.low, self.high = cell, low, high
        self.factor, self.offset = factor, offset  # it is (2**52 + mantissa)·factor + offset

    def __rshift__(self, bits: Any) -> "Mantissa":
        low, high = self.low >> int(bits), self.high >> int(bits)
        demand(low == high, "the cell is not the same in the whole cell")
        return Mantissa(self.cell, low, high, factor=0)

    def __or__(self, bits: Any) -> "Mantissa":
        demand(int(bits) == 1 << 52 > self.high and self.offset == -1 << 52, "not the hidden bit, or not of a mantissa")
        return Mantissa(self.cell, self.low + int(bits), self.high + int(bits))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float):
            return self._number(other)
        demand(self.offset == 0, "the product is not that of x")
        n = int(other)
        return Mantissa(self.cell, self.low * n, self.high * n, self.factor * n)

    def view(self, kind: type) -> Any:
        if self.factor == 0:
            return self.low
        demand(kind is np.int64, "only signed words are read")
        turns = {(end + (1 << 63)) >> 64 for end in (self.low, self.high)}
        demand(len(turns) == 1, "r is no double: 64-bit integers lose it")
        offset = -(turns.pop() << 64)
        return Mantissa(self.cell, self.low + offset, self.high + offset, self.factor, offset)

    def _number(self, unit: float) -> Number:
        """r = x·n/4096 - 1, where x is a 53-bit integer in units of 2**-52."""
        demand(unit == 2.0**-64 and self.offset == -1 << 64, "r is not the product less 1")
        largest = max(abs(self.low), abs(self.high))
        demand(largest < 1 << 53, "r is no double: it has more than 53 bits")
        self.cell.n, self.cell.reach = self.factor, mpq(largest, 1 << 64)
        one = mpq(1)
        return Number(self.cell, {(0, 1): one}, (ZERO, one), unit=mpq(1, 1 << 64), least=(ZERO, one))


# What is proved of the program


@dataclass(frozen=True)
class Error:
    """|what is computed before the last rounding - ln u| <= square·r² + rest, not counting the program's own margin."""

    square: mpq
    rest: mpq


def cell_errors(index: int, tables: Tables) -> Iterator[Error]:
    """The error bounds of a cell; `Unproved` is raised if an error can exceed the margin that the program adds.

    If the logarithm of the table is 0, k = 0 is a case of its own, because ln u is then as small as r.
    """
    first, last = (0, LARGEST_EXPONENT - 1) if index >= UPPER else (1, LARGEST_EXPONENT)
    cases = [(first, first), (first + 1, last)] if tables.high[index] == 0 else [(first, last)]
    return (run(Cell(index, *case), tables) for case in cases)


def run(cell: Cell, tables: Tables) -> Error:
    """Runs the program on the cell. Required: one end of the interval it computes is above ln u, the other below."""
    width = 1 << (52 - CELL_BITS)
    low = cell.index * width
    exponent: Any = Count(cell)
    mantissa: Any = Mantissa(cell, low, low + width - 1, offset=-1 << 52)
    found: Any = logarithms(exponent, mantissa, tables)
    ends = (found.certain.a, found.certain.b) if isinstance(found.certain, Agreement) else ()
    demand(len(ends) == 2 and found.value is ends[0], "certain is not where the value is what both ends round to")
    above, below = (_error(cell, end, side) for end, side in zip(ends, (1, -1), strict=True))
    return max(above, below, key=lambda error: (error.square, error.rest))


def _error(cell: Cell, end: Number, side: int) -> Error:
    """The error of an end of the interval, a sum before it is rounded; it must lie on the given side of ln u."""
    if end.sum_of is None:
        raise Unproved("an end of the interval is no sum")
    a, b = end.sum_of
    together = Number(
        cell,
        added(a.ideal, b.ideal),
        NOTHING,
        plus(a.error, b.error),
        {name: a.lost.get(name, 0) + b.lost.get(name, 0) for name in {*a.lost, *b.lost}},
    )
    ideal, error, reach = together.ideal, together.all_error(), cell.reach
    highest = max(power for _, power in ideal)
    demand(all(i == 0 or (i, j) == (1, 0) for i, j in ideal), "k and r are multiplied")
    demand(ideal.get((0, 1)) == 1, "r does not appear as it is")

    # ln u = ln(4096/n) - k·ln 2 + r - r²/2 + r³/3 - …: what is computed less that, in powers of r
    constant_term, slope = ideal.get((0, 0), ZERO), ideal.get((1, 0), ZERO)
    from_table = interval(constant_term, table_logarithm(cell.index >= UPPER, cell.n))
    from_k = interval(-slope, ln2())
    margin_rest = min(side * x for x in from_table) - cell.last * max(map(abs, from_k))
    margin_square = side * (ideal.get((0, 2), ZERO) + mpq(1, 2))
    series = sum(
        (abs(ideal.get((0, j), ZERO) - mpq((-1) ** (j + 1), j)) * reach ** (j - 2) for j in range(3, highest + 1)),
        ZERO,
    )
    series += reach ** (highest - 1) / (highest + 1) / (1 - reach)  # the powers after the highest
    square = at(error[2:], reach) + series
    rest = at(error[:2], reach)
    demand(margin_square >= square, f"the margin of r² is {float(margin_square):.3g}, the error {float(square):.3g}")
    demand(margin_rest >= rest, f"the margin is {float(margin_rest):.3g}, the error {float(rest):.3g}")
    return Error(square, rest)


def interval(value: mpq, ends: tuple[mpq, mpq]) -> tuple[mpq, mpq]:
    """The interval of value - x, for x between the ends."""
    return value - ends[1], value - ends[0]


def table_logarithm(upper: bool, n: int) -> tuple[mpq, mpq]:
    """Bounds on ln(4096/n), or on ln(2048/n) in the upper cells."""
    top = 2048 if upper else 4096
    smaller, larger = sorted((top, n))
    if smaller == larger:
        return ZERO, ZERO
    low, high = (mpq(to_fraction(end)) for end in enclosure.log1p(larger - smaller, smaller, ENCLOSURE_BITS))
    return (low, high) if n < top else (-high, -low)


@cache
def ln2() -> tuple[mpq, mpq]:
    low, high = (mpq(to_fraction(end)) for end in enclosure.log1p(1, 1, ENCLOSURE_BITS))
    return low, high


def failures(tables: Tables) -> Iterator[str]:
    """The cells in which the program is not proved to be right, in words."""
    for index in range(CELLS):
        try:
            list(cell_errors(index, tables))
        except Unproved as error:
            yield f"cell {index}: {error}"
