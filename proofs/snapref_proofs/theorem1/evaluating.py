"""Whether a formula of Theorem 1's lemmas is true at given values: exact, and quick enough for thousands of values.

A formula becomes a Python function once. z3 gives the same answers, and a test compares them; but it takes a hundred
times as long. The values are rationals, integers and truth values. Rationals are computed by GMP.
"""

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any

import z3
from gmpy2 import mpq

Values = Mapping[str, Any]  # {variable: its value}
Evaluator = Callable[[Values], Any]
OPERATIONS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_TRUE: lambda: True,
    z3.Z3_OP_FALSE: lambda: False,
    z3.Z3_OP_AND: lambda *xs: all(xs),
    z3.Z3_OP_OR: lambda *xs: any(xs),
    z3.Z3_OP_NOT: operator.not_,
    z3.Z3_OP_IMPLIES: lambda x, y: not x or y,
    z3.Z3_OP_ITE: lambda x, y, z: y if x else z,
    z3.Z3_OP_EQ: operator.eq,
    z3.Z3_OP_DISTINCT: operator.ne,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_ADD: lambda *xs: sum(xs),
    z3.Z3_OP_SUB: lambda *xs: reduce(operator.sub, xs),
    z3.Z3_OP_MUL: lambda *xs: prod(xs),
    z3.Z3_OP_DIV: lambda x, y: x / mpq(y),
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_TO_REAL: lambda x: x,
    z3.Z3_OP_MOD: operator.mod,
}
NAMED: dict[str, Callable[..., Any]] = {"least": min, "greatest": max}  # functions that terms.py only names
_KNOWN: dict[int, tuple[Any, Evaluator]] = {}  # by z3's number of a term; the term is kept, so the number stays its own


def exact(values: Values) -> Values:
    """The same values, for `is_true`."""
    return {name: mpq(value) if isinstance(value, Fraction) else value for name, value in values.items()}


def is_true(formula: Any, values: Values) -> bool:
    """Whether the formula is true. The variable a·b stands for a product of others (terms.flat)."""
    return bool(_function(formula)(values))


def value_of(term: Any, values: Values) -> Fraction:
    """The value of a term."""
    return Fraction(*map(int, mpq(_function(term)(exact(values))).as_integer_ratio()))


def _function(term: Any) -> Evaluator:
    """What computes the term; once for all formulas that it is a part of."""
    number = term.get_id()
    if number not in _KNOWN:
        _KNOWN[number] = term, _built(term)
    return _KNOWN[number][1]


def _built(term: Any) -> Evaluator:
    if z3.is_rational_value(term) or z3.is_int_value(term):
        number = mpq(str(term))
        return lambda values: number
    kind, inner = term.decl().kind(), [_function(child) for child in term.children()]
    if kind == z3.Z3_OP_UNINTERPRETED and not inner:
        name, parts = term.decl().name(), term.decl().name().split("·")
        return lambda values: values[name] if name in values else prod(values[part] for part in parts)
    apply = NAMED[term.decl().name()] if kind == z3.Z3_OP_UNINTERPRETED else OPERATIONS[kind]
    return lambda values: apply(*(one(values) for one in inner))
