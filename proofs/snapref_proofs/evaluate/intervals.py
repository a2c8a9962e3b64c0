"""One interface to two interval engines: mpmath's iv, and Arb's balls (through python-flint).

Both round outward. For exp and log mpmath does not always reach far enough, and `widened` makes up for that.

An *enclosure* is an interval that contains a number. An expression is written once, as a function of an engine and its
enclosures (which have + - * / and unary minus), and is evaluated with both engines. Two enclosures of one number
overlap; where they do not, one of the engines is wrong, and `Disagreement` is raised. What callers rely on: the
enclosure of an expression contains every value that it takes on the enclosures of its arguments.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

import flint
from mpmath import libmp
from mpmath.ctx_iv import MPIntervalContext

from snapref_ledger.engines import using

Enclosure = Any  # an ivmpf or an arb: the engines bring their own types, and no stubs


class Disagreement(ArithmeticError):
    """Two engines enclose the same number in intervals that do not meet."""


class Engine(Protocol):
    """What an expression may ask of an engine beside the operators of its enclosures."""

    @property
    def name(self) -> str: ...

    def between(self, low: Fraction, high: Fraction) -> Enclosure:
        """An enclosure of the whole interval [low, high]."""
        ...

    def hull(self, x: Enclosure, y: Enclosure) -> Enclosure: ...

    def exp(self, x: Enclosure) -> Enclosure: ...

    def log(self, x: Enclosure) -> Enclosure: ...

    def ends(self, x: Enclosure) -> tuple[Fraction, Fraction] | None:
        """The exact ends of an enclosure, or None where it says nothing (it is not finite)."""
        ...

    def working(self) -> Any:
        """A context manager: the engine's precision is set inside it."""
        ...


@dataclass(frozen=True)
class Iv:
    """mpmath's intervals [low, high], with `bits` bits."""

    bits: int
    name: str = "mpmath.iv"

    @property
    def context(self) -> Any:
        return _iv_context(self.bits)

    def between(self, low: Fraction, high: Fraction) -> Enclosure:
        (first, _), (_, last) = (_iv_quotient(self.bits, end.numerator, end.denominator)._mpi_ for end in (low, high))
        return self.context.make_mpf((first, last))

    def hull(self, x: Enclosure, y: Enclosure) -> Enclosure:
        return self.context.mpf([min(x.a, y.a, key=_left), max(x.b, y.b, key=_right)])

    def exp(self, x: Enclosure) -> Enclosure:
        return self.context.make_mpf(widened(self.context.exp(x)._mpi_, self.bits))

    def log(self, x: Enclosure) -> Enclosure:
        return self.context.make_mpf(widened(self.context.log(x)._mpi_, self.bits))

    def ends(self, x: Enclosure) -> tuple[Fraction, Fraction] | None:
        using(self.name)
        low, high = (_from_mpf(end) for end in x._mpi_)
        return None if low is None or high is None else (low, high)

    @contextmanager
    def working(self) -> Iterator[None]:
        yield


def widened(ends: tuple[Any, Any], bits: int) -> tuple[Any, Any]:
    """An interval of mpmath's exp or log, with each end moved outward by four units in the last place.

    mpmath computes these with some bits more, and rounds outward what it got. That is not always an enclosure: e**18
    lies 0.0002 units beyond the upper end that mpmath 1.4.1 gives at 200 bits (its issue 1181). What is trusted is that
    its error is less than four units.
    """
    return _moved(ends[0], bits, libmp.round_floor), _moved(ends[1], bits, libmp.round_ceiling)


def _moved(end: Any, bits: int, direction: Any) -> Any:
    _, man, exponent, length = end
    if not man:  # 0 and the infinities
        return end
    units = libmp.from_man_exp(4, exponent + length - bits)
    return libmp.mpf_add(end, units if direction == libmp.round_ceiling else libmp.mpf_neg(units), bits, direction)


@lru_cache(maxsize=32)
def _iv_context(bits: int) -> Any:
    context = MPIntervalContext()
    context.prec = bits
    return context


@lru_cache(maxsize=1 << 12)
def _iv_quotient(bits: int, numerator: int, denominator: int) -> Enclosure:
    context = _iv_context(bits)
    return context.mpf(numerator) / context.mpf(denominator)


def _from_mpf(x: Any) -> Fraction | None:
    sign, man, exponent, _ = x
    if not man and exponent:  # mpmath's infinities and NaN
        return None
    return _dyadic(-int(man) if sign else int(man), int(exponent))


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    """mantissa·2^exponent."""
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _left(x: Any) -> Fraction:
    value = _from_mpf(x._mpi_[0])
    if value is None:
        raise ArithmeticError("the hull of an unbounded interval")
    return value


def _right(x: Any) -> Fraction:
    value = _from_mpf(x._mpi_[1])
    if value is None:
        raise ArithmeticError("the hull of an unbounded interval")
    return value


@dataclass(frozen=True)
class Arb:
    """Arb's balls, middle ± radius, with `bits` bits in the middle."""

    bits: int
    name: str = "Arb"

    def between(self, low: Fraction, high: Fraction) -> Enclosure:
        ball = flint.arb(flint.fmpq(low.numerator, low.denominator))
        return ball if low == high else ball.union(flint.arb(flint.fmpq(high.numerator, high.denominator)))

    def hull(self, x: Enclosure, y: Enclosure) -> Enclosure:
        return x.union(y)

    def exp(self, x: Enclosure) -> Enclosure:
        return x.exp()

    def log(self, x: Enclosure) -> Enclosure:
        return x.log()

    def ends(self, x: Enclosure) -> tuple[Fraction, Fraction] | None:
        using(self.name)
        if not x.is_finite():
            return None
        (m, e), (n, f) = x.lower().man_exp(), x.upper().man_exp()
        return _dyadic(int(m), int(e)), _dyadic(int(n), int(f))

    @contextmanager
    def working(self) -> Iterator[None]:
        before, flint.ctx.prec = flint.ctx.prec, self.bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def both(bits: int) -> tuple[Engine, Engine]:
    """mpmath.iv and Arb."""
    return Iv(bits), Arb(bits)


Expression = Callable[[Engine], Enclosure]


def enclose(expression: Expression, engine: Engine) -> tuple[Fraction, Fraction]:
    """The exact ends of one engine's enclosure."""
    with engine.working():
        ends = engine.ends(expression(engine))
    if ends is None:
        raise ArithmeticError(f"{engine.name} cannot bound the expression")
    return ends


def agreed(expression: Expression, bits: int) -> tuple[Fraction, Fraction]:
    """What both engines say: the part that their enclosures have in common. `Disagreement` where there is none."""
    (low, high), (low2, high2) = (enclose(expression, engine) for engine in both(bits))
    if max(low, low2) > min(high, high2):
        raise Disagreement(f"[{low}, {high}] and [{low2}, {high2}] do not meet")
    return max(low, low2), min(high, high2)


def sign(expression: Expression, bits: int, most: int = 1 << 14) -> int:
    """The sign: +1 or -1 if each engine finds the same one by itself; 0 if `most` bits do not decide it."""
    while bits <= most:
        verdicts = {_sign(enclose(expression, engine)) for engine in both(bits)}
        if {1, -1} <= verdicts:
            raise Disagreement("the engines give the expression opposite signs")
        if len(verdicts) == 1 and (found := verdicts.pop()):
            return found
        bits *= 2
    return 0


def _sign(ends: tuple[Fraction, Fraction]) -> int:
    return 1 if ends[0] > 0 else -1 if ends[1] < 0 else 0
