"""Unknown rationals: runs functions on fractions, as they are, for all fractions at once.

An unknown rational (`Rational`) is a term over the reals. An unknown integer that occurs as an exponent (`Exponent`) is
known by its power of two: k < l means 2**k < 2**l, and k + l means 2**k·2**l. So p stands for η = 2**-p, and all that
is left is arithmetic of reals. Branches fork as in executor.py.

What is more than a polynomial becomes a variable of its own, with what is known of it (`Numbers`):

    q = a/b                   q·b = a; that b ≠ 0 is a side condition
    n = ⌊x⌋                   n ≤ x < n + 1, and n is an integer
    P = 2**⌊log2 x⌋           P ≤ x < 2P, and P is a power of two
    x = N/D in lowest terms   x·D = N, D ≥ 1, and both are integers
    W = 2**N.bit_length()     W/2 ≤ N < W, for N > 0
    f(x, y), proved apart     its facts; and equal arguments give equal values

Each of these variables exists, whatever x is, so that the facts are no restriction. Of two integers it is known that
they are equal or at least 1 apart; of two powers of two, that they are equal or one is at least twice the other.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, NoReturn

import z3

from snapref_smt.engine.executor import Condition, Escape, assume, decide, demand, truth
from snapref_smt.engine.script import subterms
from snapref_smt.engine.statement import variables_of

Term = Any  # a z3 term of sort Real
ONE = z3.RealVal(1)


@dataclass
class Numbers:
    """The variables of one statement that stand for something, with what is known of them."""

    integers: list[Term] = field(default_factory=list)
    powers: list[Term] = field(default_factory=list)
    _made: dict[tuple[Any, ...], "_Made"] = field(default_factory=dict)

    def integer(self, name: str) -> Term:
        self.integers.append(z3.Real(name))
        return self.integers[-1]

    def power(self, name: str) -> Term:
        """A power of two, with any exponent."""
        return self.function(name, (), lambda power: [power > 0], self.powers)

    def quotient(self, a: Term, b: Term) -> Term:
        """a/b, for b ≠ 0."""
        b = expanded(b)
        if z3.is_rational_value(b) and b.as_fraction():
            return expanded(a / b)
        return self.function("quotient", (a, b), lambda q: [z3.Implies(b != 0, q * b == a)])

    def floor(self, x: Term) -> Term:
        return self.function("floor", (x,), lambda n: [n <= x, x < n + 1], self.integers)

    def power_below(self, x: Term) -> Term:
        """2**⌊log2 x⌋, for x > 0."""
        return self.function(
            "power", (x,), lambda p: [p > 0, z3.Implies(x > 0, z3.And(p <= x, x < 2 * p))], self.powers
        )

    def function(
        self, name: str, arguments: Sequence[Term], known: Callable[[Term], Sequence[z3.BoolRef]], kind: Any = None
    ) -> Term:
        """The value of a function at these arguments: one variable for all calls with the same terms."""
        terms = tuple(expanded(term) for term in arguments)
        key = (name, *(term.get_id() for term in terms))
        if key not in self._made:
            count = sum(own[0] == name for own in self._made)
            value = z3.Real(f"{name}{count + 1}" if terms else name)
            self._made[key] = _Made(name, value, terms, tuple(known(value)))
            if kind is not None:
                kind.append(value)
        for fact in filter(_linear, self._made[key].facts):  # with the others, ruling out paths could take long
            assume(fact)
        return self._made[key].value

    def known(self, formulas: Iterable[z3.BoolRef], discrete: bool = False) -> list[z3.BoolRef]:
        """What is known of the variables in the formulas, and of those that occur in what is known.

        Equal arguments give equal values. If `discrete`, also: two integers are equal or at least 1 apart; of two
        powers of two, unless they are equal, one is at least twice the other.
        """
        names, chosen, pending = set[Term](), list[_Made](), list(formulas)
        while pending:
            names |= set(variables_of(pending))
            new = [made for made in self._made.values() if made.value in names and made not in chosen]
            chosen += new
            pending = [fact for made in new for fact in (*made.facts, *(a == a for a in made.arguments))]
        facts = [fact for made in chosen for fact in made.facts]
        for one, other in combinations(chosen, 2):
            if one.name == other.name and len(one.arguments) == len(other.arguments):
                same = [a == b for a, b in zip(one.arguments, other.arguments, strict=True)]
                facts.append(z3.Implies(z3.And(*same), one.value == other.value))
        if discrete:
            integers = [n for n in self.integers if n in names or z3.is_rational_value(n)]
            facts += [z3.Or(a == b, a + 1 <= b, b + 1 <= a) for a, b in combinations(integers, 2)]
            facts += [apart(a, b) for a, b in combinations([power for power in self.powers if power in names], 2)]
        return facts


def _linear(formula: z3.BoolRef) -> bool:
    return not any(
        z3.is_mul(term) and sum(not z3.is_rational_value(factor) for factor in term.children()) > 1
        for term in subterms([formula])
    )


def expanded(term: Term) -> Term:
    """The term as a sum of products, so that equal polynomials are the same term."""
    return z3.simplify(term, som=True)


def cancelled(over: Term, under: Term) -> tuple[Term, Term]:
    """over/under without `under`, where that is a factor of every summand, and not a number."""
    summands = over.children() if z3.is_add(over) else [over]
    rests = [[f for f in (t.children() if z3.is_mul(t) else [t]) if not f.eq(under)] for t in summands]
    counts = [len(t.children()) if z3.is_mul(t) else 1 for t in summands]
    if z3.is_rational_value(under) or any(len(rest) != count - 1 for rest, count in zip(rests, counts, strict=True)):
        return over, under
    return expanded(z3.Sum(*(z3.Product(ONE, *rest) for rest in rests))), ONE


def apart(a: Term, b: Term) -> z3.BoolRef:
    """What is known of two powers of two."""
    return z3.Or(a == b, 2 * a <= b, 2 * b <= a)


@dataclass(frozen=True, eq=False)
class _Made:
    """The value of a function at some arguments. They are kept, so that no other terms get their ids."""

    name: str
    value: Term
    arguments: tuple[Term, ...]
    facts: tuple[z3.BoolRef, ...]


class _Unknown:
    """What unknown rationals and unknown exponents have in common: nothing makes them concrete unnoticed."""

    __slots__ = ()

    def _escape(self, *_: Any) -> NoReturn:
        raise Escape("an unknown number is used as a known one, or in a way that is not modelled")

    __index__ = __int__ = __float__ = __complex__ = __hash__ = __bytes__ = _escape
    __round__ = __trunc__ = __floor__ = __ceil__ = __invert__ = _escape
    __mod__ = __rmod__ = __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = _escape


class Rational(_Unknown):
    """An unknown rational: a quotient of two terms. That `under` is not 0 was left as a side condition."""

    __slots__ = ("numbers", "over", "under")

    def __init__(self, over: Term, numbers: Numbers, under: Term = ONE) -> None:
        self.over, self.under = cancelled(expanded(over), expanded(under))
        self.numbers = numbers

    @property
    def term(self) -> Term:
        """The number as one term."""
        return self.numbers.quotient(self.over, self.under)

    def __add__(self, other: Any) -> "Rational":
        b = self._operand(other)
        if self.under.eq(b.under):
            return self._new(self.over + b.over, self.under)
        return self._new(self.over * b.under + b.over * self.under, self.under * b.under)

    def __mul__(self, other: Any) -> "Rational":
        b = self._operand(other)
        if self.under.eq(b.over):
            return self._new(self.over, b.under)
        if b.under.eq(self.over):
            return self._new(b.over, self.under)
        return self._new(self.over * b.over, self.under * b.under)

    def __truediv__(self, other: Any) -> "Rational":
        return self._over(self._operand(other))

    def _over(self, b: "Rational") -> "Rational":
        demand("/", b.over != 0)
        return self * self._new(b.under, b.over)

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> "Rational":
        return self + -self._operand(other)

    def __rsub__(self, other: Any) -> "Rational":
        return self._operand(other) + -self

    def __rtruediv__(self, other: Any) -> "Rational":
        return self._operand(other)._over(self)

    def __floordiv__(self, other: Any) -> "Rational":
        return self._new(self.numbers.floor((self / other).term))

    def __divmod__(self, other: Any) -> "tuple[Rational, Rational]":
        whole = self // other
        return whole, self - whole * other

    def __pow__(self, exponent: Any) -> "Rational":
        if not isinstance(exponent, Exponent) or not self.over.eq(z3.RealVal(2)) or not self.under.eq(ONE):
            self._escape()
        return exponent.power

    def __neg__(self) -> "Rational":
        return self._new(-self.over, self.under)

    def __abs__(self) -> "Rational":
        return -self if self < 0 else self

    @property
    def numerator(self) -> "Rational":
        return self._new(self._lowest_terms()[0])

    @property
    def denominator(self) -> "Rational":
        return self._new(self._lowest_terms()[1])

    def _lowest_terms(self) -> tuple[Term, Term]:
        known, x = self.numbers, self.term
        under = known.function("denominator", (x,), lambda d: [d >= 1], known.integers)
        return known.function("numerator", (x,), lambda n: [n == x * under], known.integers), under

    def bit_length(self) -> "Exponent":
        """As int.bit_length. Only numerators and denominators have it, and only above 0."""
        n = self.term
        if not any(n.eq(integer) for integer in self.numbers.integers):
            self._escape()
        demand("bit_length", n > 0)
        power = self.numbers.function("bits", (n,), lambda w: [w > 0, w / 2 <= n, n < w], self.numbers.powers)
        return Exponent({power: 1}, 0, self.numbers)

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        return truth(self.term == lifted(other))

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        return truth(self.term != lifted(other))

    def __lt__(self, other: Any) -> Condition:
        return truth(self.term < lifted(other))

    def __le__(self, other: Any) -> Condition:
        return truth(self.term <= lifted(other))

    def __gt__(self, other: Any) -> Condition:
        return truth(self.term > lifted(other))

    def __ge__(self, other: Any) -> Condition:
        return truth(self.term >= lifted(other))

    def __bool__(self) -> bool:
        return decide(self.term != 0)

    def __format__(self, spec: str) -> str:
        """A name for the number, which no digits can be read from. The same term has the same name."""
        return f"⟨{self.term.sexpr()}{':' if spec else ''}{spec}⟩"

    __str__ = __repr__ = __hash__ = _Unknown._escape

    def _operand(self, other: Any) -> "Rational":
        return other if isinstance(other, Rational) else self._new(lifted(other))

    def _new(self, over: Term, under: Term = ONE) -> "Rational":
        return Rational(over, self.numbers, under)


class Exponent(_Unknown):
    """An unknown integer: a sum of known multiples of unknown integers, each known by its power of two."""

    __slots__ = ("numbers", "powers", "shift")

    def __init__(self, powers: dict[Term, int], shift: int, numbers: Numbers) -> None:
        self.powers, self.shift, self.numbers = {p: n for p, n in powers.items() if n}, shift, numbers

    def _parts(self) -> tuple[Term, Term]:
        """2**k as a quotient of two products of powers."""
        over, under = z3.RealVal(str(Fraction(2) ** self.shift)), ONE
        for power, times in self.powers.items():
            for _ in range(abs(times)):
                over, under = (over * power, under) if times > 0 else (over, under * power)
        return expanded(over), expanded(under)

    @property
    def power(self) -> Rational:
        """2**k."""
        over, under = self._parts()
        return Rational(over, self.numbers, under)

    def __rpow__(self, base: Any) -> Rational:
        if type(base) is not int or base != 2:
            self._escape()
        return self.power

    def __add__(self, other: Any) -> "Exponent":
        if isinstance(other, Exponent):
            powers = {p: self.powers.get(p, 0) + other.powers.get(p, 0) for p in {**self.powers, **other.powers}}
            return Exponent(powers, self.shift + other.shift, self.numbers)
        if type(other) is not int:
            self._escape()
        return Exponent(self.powers, self.shift + other, self.numbers)

    __radd__ = __add__

    def __neg__(self) -> "Exponent":
        return Exponent({p: -n for p, n in self.powers.items()}, -self.shift, self.numbers)

    def __sub__(self, other: Any) -> "Exponent":
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> "Exponent":
        return (-self).__add__(other)

    def __eq__(self, other: Any) -> Condition:  # type: ignore[override]
        over, under = (self - other)._parts()
        return truth(over == under)

    def __ne__(self, other: Any) -> Condition:  # type: ignore[override]
        over, under = (self - other)._parts()
        return truth(over != under)

    def __lt__(self, other: Any) -> Condition:
        over, under = (self - other)._parts()
        return truth(over < under)

    def __le__(self, other: Any) -> Condition:
        over, under = (self - other)._parts()
        return truth(over <= under)

    def __gt__(self, other: Any) -> Condition:
        over, under = (self - other)._parts()
        return truth(over > under)

    def __ge__(self, other: Any) -> Condition:
        over, under = (self - other)._parts()
        return truth(over >= under)

    def __format__(self, spec: str) -> str:
        return f"⟨log2 {self.power.term.sexpr()}{':' if spec else ''}{spec}⟩"

    __mul__ = __rmul__ = __truediv__ = __floordiv__ = __pow__ = __bool__ = _Unknown._escape
    __str__ = __repr__ = __hash__ = _Unknown._escape


def lifted(number: Any) -> Term:
    """The term of a number, known or unknown."""
    if isinstance(number, Rational):
        return number.term
    if type(number) not in (int, Fraction):
        raise Escape(f"{number!r} is not a rational")
    return z3.RealVal(str(number))
