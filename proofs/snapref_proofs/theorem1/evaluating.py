"""Whether a formula of Theorem 1's lemmas is true at given values: exact, and quick enough for thousands of values.

A formula becomes a Python function once. z3 gives the same answers, and a test compares them; but it takes a hundred
times as long. The values are rationals, integers and truth values.
"""

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any

import z3

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
    z3.Z3_OP_DIV: lambda x, y: Fraction(x) / y,
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_TO_REAL: lambda x: x,
    z3.Z3_OP_MOD: operator.mod,
}
NAMED: dict[str, Callable[..., Any]] = {"least": min, "greatest": max}  # functions that terms.py only names
_KNOWN: dict[int, tuple[Any, Evaluator]] = {}  # by id(); the formula is kept, so that its id stays its own


def is_true(formula: Any, values: Values) -> bool:
    """Whether the formula is true. The variable a·b stands for a product of others (terms.flat)."""
    if id(formula) not in _KNOWN:
        _KNOWN[id(formula)] = formula, _function(formula)
    return bool(_KNOWN[id(formula)][1](values))


def _function(term: Any) -> Evaluator:
    if z3.is_rational_value(term) or z3.is_int_value(term):
        number = Fraction(str(term))
        return lambda values: number
    kind, inner = term.decl().kind(), [_function(child) for child in term.children()]
    if kind == z3.Z3_OP_UNINTERPRETED and not inner:
        name, parts = term.decl().name(), term.decl().name().split("·")
        return lambda values: values[name] if name in values else prod(values[part] for part in parts)
    apply = NAMED[term.decl().name()] if kind == z3.Z3_OP_UNINTERPRETED else OPERATIONS[kind]
    return lambda values: apply(*(one(values) for one in inner))
