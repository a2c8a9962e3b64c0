"""Unknown integers of any size, for code whose precision is unknown too. The executor runs it, path by path.

`executor.Symbolic` is an integer of a given width: exact for one format. A `Whole` has no width, so that p itself can
be unknown. 2^p is then no number that solvers know. Each power of two, each quotient, remainder and bit length becomes
a variable of its own, with the facts that define it (`facts`): 2^(n+1) = 2·2^n, x = q·2^n + r with 0 ≤ r < 2^n, and so
on. Facts are true of Python's integers; where solvers need one that is not among them (2^a·2^b = 2^(a+b)), a statement
asks for it (`product`).

As in the executor, an operation that Python would refuse (a shift by a negative number) leaves a side condition, and so
does an operation that is modelled only in part: `|` for numbers without common bits, `&` for 2^n - 1.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, NoReturn

import z3

from snapref_smt.engine import executor
from snapref_smt.engine.executor import Escape, Path
from snapref_smt.engine.statement import Formula, Statement, occurring

_powers: dict[str, z3.ArithRef] = {}  # the name of 2^n → n
_defined: dict[str, tuple[z3.BoolRef, ...]] = {}  # the name of a quotient, remainder or length → what defines it


class Whole:
    """An unknown integer. `exponent` is n where it is 2^n, `ones` is n where it is 2^n - 1, `zeros` is n where it is a
    multiple of 2^n by construction."""

    __slots__ = ("exponent", "ones", "term", "zeros")

    def __init__(self, term: Any, exponent: Any = None, ones: Any = None, zeros: Any = None) -> None:
        self.term, self.exponent, self.ones, self.zeros = term, exponent, ones, zeros

    def __add__(self, other: Any) -> "Whole":
        return Whole(self.term + term_of(other))

    def __sub__(self, other: Any) -> "Whole":
        return Whole(self.term - term_of(other), ones=self.exponent if type(other) is int and other == 1 else None)

    def __rsub__(self, other: Any) -> "Whole":
        return Whole(term_of(other) - self.term)

    def __mul__(self, other: Any) -> "Whole":
        return Whole(self.term * term_of(other))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Whole":
        return Whole(-self.term)

    def __abs__(self) -> "Whole":
        return Whole(z3.If(self.term >= 0, self.term, -self.term))

    def __lshift__(self, other: Any) -> Any:
        return _shifted(self, other)

    def __rlshift__(self, other: Any) -> Any:
        return _shifted(other, self)

    def __rshift__(self, other: Any) -> Any:
        executor.demand(">>", term_of(other) >= 0)
        return Whole(divided(self.term, power(term_of(other)))[0])

    def __floordiv__(self, other: Any) -> Any:
        if type(other) is not int or other <= 0:
            raise Escape("a division by an unknown integer")
        return Whole(divided(self.term, z3.IntVal(other))[0])

    def __and__(self, other: Any) -> Any:
        number, ones = (self, other) if _ones(other) is not None else (other, self)
        if _ones(ones) is None:
            raise Escape("& of two unknown integers")
        return Whole(divided(term_of(number), power(_ones(ones)))[1])

    def __or__(self, other: Any) -> Any:
        """A multiple of 2^n, and a number below 2^n: no bit is in both, so their sum."""
        if self.zeros is None:
            raise Escape("| of two unknown integers")
        low, zeros = term_of(other), other.zeros if isinstance(other, Whole) else None
        executor.demand(
            "|", z3.And(low >= 0, low < power(self.zeros), *([] if zeros is None else [zeros <= self.zeros]))
        )
        return Whole(self.term + low, zeros=zeros)

    __rand__ = __and__

    def bit_length(self) -> Any:
        """As int.bit_length: the n with 2^(n-1) ≤ |x| < 2^n, and 0 for 0."""
        name, size = _name("length", self.term), z3.If(self.term >= 0, self.term, -self.term)
        length = z3.Int(name)
        between = z3.And(length >= 1, power(length - 1) <= size, size < power(length))
        return Whole(_define(name, (length,), z3.If(self.term == 0, length == 0, between))[0])

    def __eq__(self, other: Any) -> Any:
        return executor.truth(self.term == term_of(other))

    def __ne__(self, other: Any) -> Any:
        return executor.truth(self.term != term_of(other))

    def __lt__(self, other: Any) -> Any:
        return executor.truth(self.term < term_of(other))

    def __le__(self, other: Any) -> Any:
        return executor.truth(self.term <= term_of(other))

    def __gt__(self, other: Any) -> Any:
        return executor.truth(self.term > term_of(other))

    def __ge__(self, other: Any) -> Any:
        return executor.truth(self.term >= term_of(other))

    def __bool__(self) -> bool:
        return executor.decide(self.term != 0)

    def _escape(self, *_: Any) -> NoReturn:
        raise Escape("an unknown integer is used as a known one")

    __index__ = __int__ = __float__ = __hash__ = __invert__ = __xor__ = __rxor__ = _escape
    __truediv__ = __rtruediv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __rrshift__ = _escape

    def __str__(self) -> str:
        return str(self.term)

    __repr__ = __str__

    def __format__(self, how: str) -> str:  # in messages only
        return str(self.term)


def wholes(names: str) -> list[Any]:
    """Unknown integers with these names."""
    return [Whole(z3.Int(name)) for name in names.split()]


def term_of(number: Any) -> z3.ArithRef:
    """An int or an unknown integer as a term."""
    if isinstance(number, Whole):
        return number.term
    if type(number) is not int:
        raise Escape(f"{number!r} is not an int")
    return z3.IntVal(number)


def power(exponent: Any) -> z3.ArithRef:
    """2^exponent: a number where the exponent is one, else a variable. Of a negative exponent nothing is known."""
    exponent = z3.simplify(exponent if z3.is_expr(exponent) else z3.IntVal(exponent), som=True)
    if z3.is_int_value(exponent) and exponent.as_long() >= 0:
        return z3.IntVal(2 ** exponent.as_long())
    name = _name("pow2", exponent)
    if name not in _powers:
        _powers[name] = exponent
    executor.assume(*facts([z3.Int(name)]))
    return z3.Int(name)


def divided(number: z3.ArithRef, divisor: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
    """⌊number / divisor⌋ and the remainder, for divisor > 0."""
    name = _name("div", number, divisor)
    quotient, rest = z3.Int(name), z3.Int(f"rest.{name}")
    _define(name, (quotient, rest), z3.And(number == quotient * divisor + rest, rest >= 0, rest < divisor))
    return quotient, rest


def product(*exponents: Any) -> z3.BoolRef:
    """2^a·2^b = 2^(a+b), for a, b ≥ 0."""
    a, b = map(term_of, exponents)
    return z3.Implies(z3.And(a >= 0, b >= 0), power(a) * power(b) == power(a + b))


def against(exponent: Any, number: int) -> z3.BoolRef:
    """How 2^exponent compares with 2^number."""
    n, k = z3.simplify(term_of(exponent)), z3.IntVal(number)
    return z3.And(*_related(power(n), n, power(k), k))


def unique(number: z3.ArithRef, divisor: z3.ArithRef, quotient: z3.ArithRef, rest: z3.ArithRef) -> z3.BoolRef:
    """If number = quotient·divisor + rest with 0 ≤ rest < divisor, they are the quotient and the rest of `divided`.
    (`laws` proves that there are no two.)"""
    held = z3.And(number == quotient * divisor + rest, rest >= 0, rest < divisor)
    q, r = divided(number, divisor)
    return z3.Implies(held, z3.And(quotient == q, rest == r))


def times(a: z3.ArithRef, b: z3.ArithRef, factor: z3.ArithRef) -> z3.BoolRef:
    """a ≤ b gives a·c ≤ b·c, and b < a gives b·c < a·c, for c > 0."""
    more = z3.If(a <= b, a * factor <= b * factor, b * factor < a * factor)
    return z3.Implies(factor > 0, more)


def laws() -> list[Statement]:
    """What `unique` and `times` say holds: there is one quotient and one rest, and a positive factor keeps order."""
    a, b, c, r, t = z3.Ints("a b c r t")
    divisions = [c > 0, r >= 0, r < c, t >= 0, t < c, a * c + r == b * c + t]
    return [
        Statement("one quotient", divisions, z3.And(a == b, r == t), a == 0, solvers=("z3", "cvc5")),
        Statement("order", [c > 0], z3.And((a <= b) == (a * c <= b * c)), a <= b, solvers=("z3", "cvc5")),
    ]


def facts(formulas: Iterable[Formula]) -> list[z3.BoolRef]:
    """All that is known of the powers of two, quotients, remainders and lengths that occur in the formulas."""
    known: dict[str, z3.BoolRef] = {}
    pending = list(formulas)
    names: dict[str, None] = {}
    while pending:
        new = [name for variable in occurring(pending) if (name := variable.decl().name()) not in names]
        names.update(dict.fromkeys(new))
        pending = [fact for name in new for fact in _defined.get(name.removeprefix("rest."), ())]
        known.update({fact.sexpr(): fact for fact in pending})
        pending += [_powers[name] for name in new if name in _powers]
    powers = [name for name in names if name in _powers]
    sizes = [_size(name) for name in powers]
    pairs = [fact for one, other in combinations(powers, 2) for fact in _pair(one, other)]
    return [*known.values(), *sizes, *pairs]


@cache  # these are asked for again and again, and depend on the names alone
def _size(name: str) -> z3.BoolRef:
    p, n = z3.Int(name), _powers[name]
    return z3.And(z3.Implies(n == 0, p == 1), z3.Implies(n >= 1, p >= 2))


@cache
def _pair(one: str, other: str) -> tuple[z3.BoolRef, ...]:
    return tuple(_related(z3.Int(one), _powers[one], z3.Int(other), _powers[other]))


def _related(p: z3.ArithRef, n: z3.ArithRef, q: z3.ArithRef, m: z3.ArithRef) -> Iterator[z3.BoolRef]:
    """How p = 2^n and q = 2^m are related."""
    difference = z3.simplify(m - n, som=True)
    natural = z3.And(n >= 0, m >= 0)
    if z3.is_int_value(difference):
        steps = difference.as_long()
        yield z3.Implies(natural, q == p * 2**steps if steps >= 0 else p == q * 2**-steps)
    else:
        yield z3.Implies(z3.And(natural, n == m), p == q)
        yield z3.Implies(z3.And(natural, n < m), 2 * p <= q)
        yield z3.Implies(z3.And(natural, m < n), 2 * q <= p)


def _shifted(number: Any, by: Any) -> Any:
    amount = term_of(by)
    executor.demand("<<", amount >= 0)
    if type(number) is int and number == 1:
        return Whole(power(amount), exponent=amount, zeros=amount)
    return Whole(term_of(number) * power(amount), zeros=amount)


def _ones(number: Any) -> Any:
    if isinstance(number, Whole):
        return number.ones
    return number.bit_length() if type(number) is int and number >= 0 and number & (number + 1) == 0 else None


def _name(what: str, *terms: z3.ExprRef) -> str:
    """A name that depends on the terms alone, and that scripts can write."""
    texts = [re.sub(r"\s+", "_", z3.simplify(term, som=True).sexpr()) for term in terms]
    return f"{what}.{'.'.join(texts)}".replace("(", "<").replace(")", ">")


def _define(name: str, variables: tuple[z3.ArithRef, ...], *definition: z3.BoolRef) -> tuple[z3.ArithRef, ...]:
    _defined[name] = definition
    executor.assume(*facts(variables))
    return variables


@dataclass(frozen=True)
class Ran:
    """A program that was run on unknown integers: its paths, and the statements that these are all and are sound."""

    name: str
    hypotheses: tuple[z3.BoolRef, ...]
    paths: tuple[Path, ...]

    def complete(self, hints: Sequence[Formula] = ()) -> Iterator[Statement]:
        """Every input takes one of the paths; and what an operation relies on holds where it is reached."""
        conditions = [path.condition for path in self.paths]
        some, fewer = (z3.Or(False, *listed) for listed in (conditions, conditions[1:]))
        yield self.statement("the paths are all", (), some, fewer)
        owed = {side.condition.sexpr() + str(len(side.decisions)): side for path in self.paths for side in path.sides}
        for side in owed.values():
            yield self.statement(f"{side.what}", side.decisions, side.condition, z3.Not(side.condition), hints)

    def statement(
        self, name: str, given: Sequence[Formula], conclusion: Formula, twin: Formula, hints: Sequence[Formula] = ()
    ) -> Statement:
        """hypotheses ∧ given ⇒ conclusion, with the facts about all that occurs in it."""
        stated = [*self.hypotheses, *given, *hints]
        known = facts([*stated, conclusion, twin])
        return Statement(f"{self.name}: {name}", [*stated, *known], conclusion, twin, solvers=("z3", "cvc5"))


def run(
    name: str,
    program: Callable[[], Any],
    hypotheses: Iterable[z3.BoolRef] = (),
    refusal: type[Exception] = ValueError,
) -> Ran:
    """Runs a program on unknown integers, under the hypotheses."""
    given = tuple(hypotheses)
    return Ran(name, given, tuple(executor.paths(program, 1, [*given, *facts(given)], refusal)))
