"""A *lane*: one unknown element of a numpy array. numpy code runs on it as it is, and yields a formula of its result.

A lane is an unsigned or signed 64-bit word (numpy's arithmetic, modulo 2^64), a double (IEEE 754, rounding to nearest
even) or a truth value. numpy treats each element of an array on its own, so what is true of a lane is true of all
elements. An operation that is not modelled here raises an error, and so does a branch on a lane.
"""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import z3

DOUBLE, EVEN, DOWN = z3.Float64(), z3.RNE(), z3.RTN()


class Lane:
    """An unknown element. `given` are the facts that define the words which stand for the bits of a double."""

    def __init__(self, term: Any, signed: bool = False, given: tuple[Any, ...] = ()) -> None:
        self.term, self.signed, self.given = term, signed, given

    @property
    def is_double(self) -> bool:
        return bool(z3.is_fp(self.term))

    # Conversions

    def view(self, kind: type) -> "Lane":
        """The same 64 bits as another type.

        The bits of a double are a new word; `given` says that it is the double's.
        """
        bits, given = self.term, self.given
        if self.is_double:
            bits = z3.BitVec(f"bits!{self.term.get_id()}", 64)  # one word for one term
            given = (*given, z3.fpBVToFP(bits, DOUBLE) == self.term)
        if kind is np.float64:
            return Lane(z3.fpBVToFP(bits, DOUBLE), given=given)
        if kind not in (np.int64, np.uint64):
            raise TypeError("only words and doubles of 64 bits")
        return Lane(bits, kind is np.int64, given)

    def astype(self, kind: type) -> "Lane":
        """A word to the nearest double."""
        if kind is not np.float64 or not z3.is_bv(self.term):
            raise TypeError("only words are converted, and only to doubles")
        convert = z3.fpSignedToFP if self.signed else z3.fpUnsignedToFP
        return self._new(convert(EVEN, self.term, DOUBLE))

    def clip(self, low: Any, high: Any) -> "Lane":
        below, above = (self._new(self._operand(end), end) for end in (low, high))
        term = z3.If(
            z3.fpLT(self.term, below.term),
            below.term,
            z3.If(z3.fpGT(self.term, above.term), above.term, self.term),
        )
        return self._new(term, below, above)

    # Arithmetic

    def __add__(self, other: Any) -> "Lane":
        return self._binary(other, lambda a, b: z3.fpAdd(EVEN, a, b), lambda a, b: a + b)

    def __sub__(self, other: Any) -> "Lane":
        return self._binary(other, lambda a, b: z3.fpSub(EVEN, a, b), lambda a, b: a - b)

    def __rsub__(self, other: Any) -> "Lane":
        return self._binary(other, lambda a, b: z3.fpSub(EVEN, b, a), lambda a, b: b - a)

    def __mul__(self, other: Any) -> "Lane":
        return self._binary(other, lambda a, b: z3.fpMul(EVEN, a, b), lambda a, b: a * b)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Lane":
        return self._new(z3.fpNeg(self.term))

    def __and__(self, other: Any) -> "Lane":
        return self._binary(other, None, lambda a, b: a & b)

    def __xor__(self, other: Any) -> "Lane":
        return self._binary(other, None, lambda a, b: a ^ b)

    def __invert__(self) -> "Lane":
        return self._new(~self.term)

    def __lshift__(self, other: Any) -> "Lane":
        return self._binary(other, None, lambda a, b: a << b)

    def __rshift__(self, other: Any) -> "Lane":
        return self._binary(other, None, (lambda a, b: a >> b) if self.signed else z3.LShR)

    # Comparison

    def __lt__(self, other: Any) -> "Lane":
        return self._binary(other, z3.fpLT, (lambda a, b: a < b) if self.signed else z3.ULT)

    def __le__(self, other: Any) -> "Lane":
        return self._binary(other, z3.fpLEQ, (lambda a, b: a <= b) if self.signed else z3.ULE)

    def __gt__(self, other: Any) -> "Lane":
        return self._binary(other, z3.fpGT, (lambda a, b: a > b) if self.signed else z3.UGT)

    def __ge__(self, other: Any) -> "Lane":
        return self._binary(other, z3.fpGEQ, (lambda a, b: a >= b) if self.signed else z3.UGE)

    def __eq__(self, other: Any) -> "Lane":  # type: ignore[override]
        return self._binary(other, z3.fpEQ, lambda a, b: a == b)

    def __ne__(self, other: Any) -> "Lane":  # type: ignore[override]
        return self._binary(other, z3.fpNEQ, lambda a, b: a != b)

    # What numpy calls, and what would turn the unknown element into a known value

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> "Lane":
        if function is not np.floor or method != "__call__" or options or len(inputs) != 1:
            raise TypeError(f"{function} is not modelled")
        return self._new(z3.fpRoundToIntegral(DOWN, self.term))

    def _known(self, *_: Any) -> NoReturn:
        raise TypeError("an unknown element is used as a known one")

    __bool__ = __int__ = __float__ = __index__ = _known

    def _binary(self, other: Any, on_doubles: Callable[..., Any] | None, on_words: Callable[..., Any]) -> "Lane":
        function = on_doubles if self.is_double else on_words
        if function is None:
            raise TypeError("no operation on doubles")
        return self._new(function(self.term, self._operand(other)), other)

    def _operand(self, other: Any) -> Any:
        """The other operand as a term of this sort: a lane, a truth value as 0 or 1, a constant."""
        term = other.term if isinstance(other, Lane) else other
        if z3.is_bool(term):
            return z3.If(term, self._constant(1), self._constant(0))
        if isinstance(other, Lane):
            if term.sort() != self.term.sort() or (z3.is_bv(term) and other.signed != self.signed):
                raise TypeError("doubles, signed and unsigned words are not mixed")
            return term
        return self._constant(other)

    def _constant(self, number: Any) -> Any:
        return z3.FPVal(float(number), DOUBLE) if self.is_double else z3.BitVecVal(int(number), 64)

    def _new(self, term: Any, *others: Any) -> "Lane":
        given = [*self.given, *(fact for other in others if isinstance(other, Lane) for fact in other.given)]
        return type(self)(term, self.signed, tuple(given))


class LaneWords:
    """The two words of one release; the program reads them as `words[:, 0]` and `words[:, 1]`."""

    def __init__(self, *columns: Lane) -> None:
        self.columns = columns

    def __getitem__(self, index: tuple[slice, int]) -> Lane:
        rows, column = index
        if rows != slice(None):
            raise TypeError("all rows, or none")
        return self.columns[column]
