"""The quantities of Theorem 1's boxes as solver terms: how joined.py runs the functions that are optimised (004 §4).

`Terms` stands in for an interval engine. Some functions it does not run; it names them, and the names are replaced by
variables with what is known of them (`Unfolding`). `flat` makes a statement linear. `Texts` does what `Terms` does, and
writes the terms as text: to see whether two formulas are the same.
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from typing import Any

import z3

from snapref_proofs.theorem1.interior import Numbers
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.scenarios import Scenario
from snapref_proofs.theorem1.statement import Regime
from snapref_smt.engine.script import subterms
from snapref_smt.engine.statement import Statement

REAL = z3.RealSort()
FOUR = ("1'", "2", "1", "2'")  # the order of Numbers.places
Polynomial = dict[tuple[str, ...], Fraction]  # {the variables of a product, sorted: its factor}


def applied(name: str, *xs: Any) -> Any:
    return _function(name, len(xs))(*xs)


@cache
def _function(name: str, arity: int) -> Any:
    return z3.Function(name, *[REAL] * (arity + 1))


class Named(Numbers, ABC):
    """The arithmetic of interior.py on terms. A function that has a meaning of its own is only named."""

    def __init__(self) -> None:
        self.asked: list[Any] = []  # the conditions under which a part of a box is skipped: (x, limit) for x < limit
        self.placed: list[Scenario] = []  # the scenarios whose distances are used

    @abstractmethod
    def applied(self, name: str, *xs: Any) -> Any:
        """The name of a function, with what it is applied to."""

    def least(self, *xs: Any) -> Any:
        return self.applied("least", *xs)

    def greatest(self, *xs: Any) -> Any:
        return self.applied("greatest", *xs)

    def below(self, x: Any, limit: Fraction) -> bool:
        self.asked.append((x, limit))
        return False

    def above_zero(self, x: Any) -> bool:
        return True

    def exp(self, x: Any) -> Any:
        return self.applied("exp", x)

    def amplification(self, w: Any) -> Any:
        return self.applied("N", w)

    def slope(self, low: Any, apart: Any, s: Any) -> Any:
        return self.applied("slope", low, apart, s)

    def step(self, t: Any, room: Any, kappa: Any, ell: Any, regime: Regime) -> Any:
        return self.applied("step", t, room, kappa, ell, self(regime.max_beta), self(regime.eta))

    def places(self, scenario: Scenario, a: Any, ell: Any, slack: Any) -> tuple[Any, ...]:
        self.placed.append(scenario)
        return tuple(self.applied(f"place {name}", a, ell, slack) for name in FOUR)

    def y_error(self, distance: Any, kappa: Any) -> Any:
        return self.applied("y_error", distance, kappa)

    def steps(self, kappa: Any, top: Any, apart: Any) -> Any:
        return self.applied("steps", kappa, top, apart)

    def power(self, x: Any) -> Any:
        return self.applied("power", x)

    def whole(self, x: Any) -> Any:
        return self.applied("whole", x)


class Terms(Named):
    """Terms of the solvers."""

    def __call__(self, x: Any) -> Any:
        return x if z3.is_expr(x) else number(x)

    def applied(self, name: str, *xs: Any) -> Any:
        return applied(name, *xs)


@dataclass(frozen=True)
class Text:
    """A term as text, each operation in parentheses. Two terms are the same if their texts are equal."""

    text: str

    def __str__(self) -> str:
        return self.text

    def __neg__(self) -> "Text":
        return Text(f"(- {self.text})")

    def __add__(self, x: Any) -> "Text":
        return Text(f"({self.text} + {x})")

    def __radd__(self, x: Any) -> "Text":
        return Text(f"({x} + {self.text})")

    def __sub__(self, x: Any) -> "Text":
        return Text(f"({self.text} - {x})")

    def __rsub__(self, x: Any) -> "Text":
        return Text(f"({x} - {self.text})")

    def __mul__(self, x: Any) -> "Text":
        return Text(f"({self.text} * {x})")

    def __rmul__(self, x: Any) -> "Text":
        return Text(f"({x} * {self.text})")

    def __truediv__(self, x: Any) -> "Text":
        return Text(f"({self.text} / {x})")

    def __rtruediv__(self, x: Any) -> "Text":
        return Text(f"({x} / {self.text})")


class Texts(Named):
    """Terms as text. To compare thousands of formulas they need no solver, and take a tenth of the time."""

    def __call__(self, x: Any) -> Text:
        return x if isinstance(x, Text) else Text(str(Fraction(x)))

    def applied(self, name: str, *xs: Any) -> Text:
        return Text(f"[{name}: {', '.join(map(str, xs))}]")


def multiplied(x: Any, y: Any) -> Any:
    """x·y ≥ 0 where x ≥ 0 and y ≥ 0. This, and the next three, are true of all numbers (`meanings`)."""
    return z3.Implies(z3.And(x >= 0, y >= 0), x * y >= 0)


def cancelled(x: Any, y: Any, factor: Any) -> Any:
    """x ≤ y follows from x·factor ≤ y·factor, where the factor is positive."""
    return z3.Implies(z3.And(factor > 0, x > y), x * factor > y * factor)


def replaced(x: Any, y: Any, factor: Any) -> Any:
    """x may take the place of y in a product, where they are equal."""
    return z3.Implies(x == y, x * factor == y * factor)


def in_proportion(x: Any, x_times: Any, y: Any, y_times: Any) -> list[Any]:
    """The products of x and of y with one positive factor compare as x and y do."""
    return [z3.Implies(x <= y, x_times <= y_times), z3.Implies(x >= y, x_times >= y_times)]


def in_turn(*factors: Any) -> list[Any]:
    """The product is at least 0 if the factors are: the first two, then these and the third …"""
    facts, product = [], factors[0]
    for factor in factors[1:]:
        facts.append(multiplied(product, factor))
        product = product * factor
    return facts


class Unfolding:
    """What is known of the functions that `Terms` only names. A case of the proof says what it knows (`meaning`)."""

    terms: type[Terms] = Terms

    def __init__(self, sides: str, **own: Any) -> None:
        self.sides = {name: z3.Real(name) for name in sides.split()}  # of the box
        self.own = own  # the variable that stands for the first use of a function
        self.factors: list[Any] = []  # numbers whose products are used
        self.skips: list[Any] | None = []  # what the quantity asks before it skips a part of its box; None: anything

    def positive(self, *terms: Any) -> list[Any]:
        """Each of the terms is at least 0, and so are its products with the factors that are."""
        products = [multiplied(factor, term) for factor in self.factors for term in terms]
        return [*products, *(term >= 0 for term in terms)]

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        raise ValueError(f"nothing is known of {name}")

    def unfolded(self, quantity: Callable[[Any, Any], Any], *facts: Any) -> tuple[Any, list[Any]]:
        """The quantity of a box as a polynomial; the facts, and what the names in both of them mean."""
        engine, own = self.terms(), dict(self.own)
        term = quantity(engine, self.sides)
        if self.skips not in (None, engine.asked):
            raise ValueError(f"it skips a part of its box: {engine.asked}")
        used = [one for one in subterms([term, *facts]) if _named(one)]
        pairs = [(one, own.pop(_name(one), z3.Real(f"{_name(one)} #{i}"))) for i, one in enumerate(used)]
        meanings = [z3.substitute(fact, *pairs) for fact in facts]
        for one, value in pairs:
            meanings += self.known_of(_name(one), value, [z3.substitute(x, *pairs) for x in one.children()])
        return z3.substitute(term, *pairs), meanings

    def known_of(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        """A quotient, a least or a greatest number is the same everywhere (`meanings`); what else is, a case says."""
        if name == "quotient":
            return [value * args[1] == args[0]]
        if name in ("least", "greatest"):
            sides = [x - value if name == "least" else value - x for x in args]
            return [*self.positive(*sides), z3.Or(*(value == x for x in args))]
        return self.meaning(name, value, args)


def _named(term: Any) -> bool:
    if z3.is_div(term):
        return not z3.is_rational_value(z3.simplify(term.arg(1)))
    return bool(term.num_args()) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED


def _name(term: Any) -> str:
    return "quotient" if z3.is_div(term) else str(term.decl().name())


def flat(name: str, hypotheses: Sequence[Any], conclusion: Any, twin: Any) -> Statement:
    """The statement with every product as a variable of its own: it says more, and it is linear.

    Products are multiplied out twice, by `polynomial` and by z3.
    """
    return Statement(name, [_flat(fact) for fact in hypotheses], _flat(conclusion), _flat(twin))


def _flat(formula: Any) -> Any:
    """By z3's number of a formula, which is the same for the same formula as long as it is kept."""
    if formula.get_id() not in _FLAT:
        _FLAT[formula.get_id()] = formula, _made_flat(formula)
    return _FLAT[formula.get_id()][1]


_FLAT: dict[int, tuple[Any, Any]] = {}


def _made_flat(formula: Any) -> Any:
    if not formula.num_args() or not z3.is_real(formula.arg(0)):
        return formula.decl()(*map(_flat, formula.children())) if formula.num_args() else formula
    difference = formula.arg(0) - formula.arg(1)
    total = polynomial(difference)
    if not _is_zero(difference - _sum(total, lambda names: z3.Product(*map(z3.Real, names)))):
        raise ArithmeticError(f"{formula} has another polynomial")
    return formula.decl()(_sum(total, lambda names: z3.Real("·".join(names))), number(0))


def _is_zero(term: Any) -> bool:
    """Whether z3 multiplies it out to 0. What one pass leaves, the next one may see."""
    while not (simpler := z3.simplify(term, som=True)).eq(term):
        term = simpler
    return bool(term.eq(number(0)))


def _sum(total: Polynomial, product: Callable[[tuple[str, ...]], Any]) -> Any:
    """The polynomial as a term, with a way to write products."""
    return z3.Sum(number(0), *(number(factor) * (product(names) if names else 1) for names, factor in total.items()))


def polynomial(term: Any) -> Polynomial:
    """A term as a sum of products."""
    if z3.is_rational_value(term):
        return {(): term.as_fraction()}
    if not term.num_args():
        return {(term.decl().name(),): Fraction(1)}
    parts = [polynomial(child) for child in term.children()]
    if z3.is_add(term) or z3.is_sub(term):
        return reduce(lambda p, q: plus(p, q, 1 if z3.is_add(term) else -1), parts)
    if z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return plus({}, parts[0], -1)
    if z3.is_div(term) and set(parts[1]) == {()}:
        return times(parts[0], {(): 1 / parts[1][()]})
    if z3.is_mul(term):
        return reduce(times, parts)
    raise ValueError(f"{term} is not a polynomial")


def plus(p: Polynomial, q: Polynomial, sign: int) -> Polynomial:
    return {names: p.get(names, Fraction(0)) + sign * q.get(names, Fraction(0)) for names in {**p, **q}}


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    product: Polynomial = {}
    for (first, x), (second, y) in itertools.product(p.items(), q.items()):
        names = tuple(sorted((*first, *second)))
        product[names] = product.get(names, Fraction(0)) + x * y
    return product
