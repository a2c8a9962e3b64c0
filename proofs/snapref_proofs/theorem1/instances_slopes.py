"""What the lemma `slopes` assumes is true of f(w) = ln(1 - e**-w) and of ln P (004 §4): part of instances.

The mean value theorem and the trapezoid rule say that a derivative has a certain value at some number between. Here
that number is found, and every hypothesis is evaluated with the values that f and its derivatives have. Most of them
are no rationals. They are known to many digits, and a comparison counts as true where these digits do not refute it.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from gmpy2 import mpq

from snapref_proofs.theorem1 import slopes
from snapref_proofs.theorem1.instances import Assumed, assumed, built
from snapref_proofs.theorem1.instances_program import exp, f, log, log_probability
from snapref_smt.engine.statement import variables_of

CLOSE = Fraction(1, 2**80)  # numbers that differ by less count as equal
HALVINGS = 110
SHORT = 2**64  # numbers with a smaller denominator were chosen here, and are exact
NAME = re.compile(r"(f(?P<order>\d)|exp)\((?P<w>.*)\)(-1)?")  # of a derivative, or of e**w - 1, in slopes.py
ZERO = Fraction(0)
STARTS = Fraction(1, 8), Fraction(1), Fraction(3)  # values of w
MOVES = tuple(Fraction(n, 32) for n in (-1, 0, 5, 64))
DERIVATIVES: dict[int, Callable[[Any], Any]] = {  # of f, where d = e**w - 1; minus the second
    1: lambda d: 1 / d,
    2: lambda d: (1 + d) / d**2,
    3: lambda d: (1 + d) * (2 + d) / d**3,
}


class Near:
    """A number that is known to many digits."""

    def __init__(self, value: Any) -> None:
        self.value = mpq(value)

    def __add__(self, other: Any) -> "Near":
        return Near(self.value + _plain(other))

    def __mul__(self, other: Any) -> "Near":
        return Near(self.value * _plain(other))

    def __neg__(self) -> "Near":
        return Near(-self.value)

    def __sub__(self, other: Any) -> "Near":
        return Near(self.value - _plain(other))

    def __rsub__(self, other: Any) -> "Near":
        return Near(_plain(other) - self.value)

    def __truediv__(self, other: Any) -> "Near":
        return Near(self.value / _plain(other))

    __radd__, __rmul__ = __add__, __mul__

    def __le__(self, other: Any) -> bool:
        return bool(self.value <= _plain(other) + CLOSE)

    def __ge__(self, other: Any) -> bool:
        return bool(self.value >= _plain(other) - CLOSE)

    __lt__, __gt__ = __le__, __ge__

    def __eq__(self, other: object) -> bool:
        return self <= other and self >= other

    __hash__ = None  # type: ignore[assignment]


def _plain(number: Any) -> Any:
    return number.value if isinstance(number, Near) else number


def where(function: Callable[[Fraction], Fraction], value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The number between low and high at which a falling function has this value."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > value else (low, middle)
    return low


def mean(order: int, value: Fraction, *ends: Fraction) -> Fraction:
    """Where a derivative of f has this value, between the least and the greatest of the ends."""
    return where(lambda w: DERIVATIVES[order](exp(w) - 1), value, min(ends), max(ends))


def points() -> Iterator[Assumed]:
    """What each statement assumes, at many numbers."""
    for a, b in product(STARTS, repeat=2):
        yield from _one_interval(a, b)
        for moved in MOVES:
            yield from _two_intervals(a, b, moved)
            yield from _from_low(a, b, moved)
    for low, apart in product((ZERO, *STARTS), repeat=2):
        yield at("limited", {"low": low, "apart": apart})
    for a, g, distance in product((ZERO, *STARTS), STARTS, (ZERO, Fraction(1, 32))):
        yield from _inside(a, g, distance)
    for g, g_p in product((ZERO, *STARTS), repeat=2):
        yield from _one_threshold(g, g_p)


def at(name: str, own: dict[str, Fraction]) -> Assumed:
    """A statement, with these values and those of the derivatives that it names."""
    (one,) = assumed(built(slopes.statements), own, [name])
    values = dict(own)
    for variable in map(str, variables_of(one.hypotheses)):
        if found := NAME.fullmatch(variable):
            w = sum(own[part] for part in found["w"].split(" + "))
            d = exp(w) - 1 if w else ZERO
            values[variable] = DERIVATIVES[int(found["order"])](d) if found["order"] and d else d
    return one._replace(values={name: Near(v) if v.denominator > SHORT else v for name, v in values.items()})


def _one_interval(a: Fraction, b: Fraction) -> Iterator[Assumed]:
    """The mean value theorem for f', and the remainder of the trapezoid rule."""
    first, last = (1 / (exp(w) - 1) for w in (a, b))
    rise, rule = f(b) - f(a), (b - a) * (first + last) / 2
    yield at("falls", {"a": a, "b": b, "mean": mean(2, quotient(first - last, b - a), a, b)})
    yield at("rule", {"a": a, "b": b, "rise": rise, "mean": mean(3, quotient(12 * (rule - rise), (b - a) ** 3), a, b)})


def _two_intervals(a: Fraction, b: Fraction, moved: Fraction) -> Iterator[Assumed]:
    """The mean value theorem for f, and for the difference of two values of f."""
    rise, other = f(a + moved) - f(a), f(b + moved) - f(b)
    own = {"a": a, "b": b, "moved": moved, "rise": rise}
    slope = quotient(rise - other, moved * (b - a))
    yield at("less", {**own, "other": other, "mean": mean(2, slope, a, b, a + moved, b + moved)})
    for more in (moved, b / 4):
        other = f(a + more) - f(a)
        m = mean(1, quotient(other - rise, more - moved), a + moved, a + more)
        yield at("rises", {**own, "more": more, "other": other, "mean": m})


def _from_low(low: Fraction, start: Fraction, moved: Fraction) -> Iterator[Assumed]:
    rise = f(start + moved) - f(start)
    own = {"low": low, "start": start, "moved": moved, "rise": rise}
    yield at("tangent", {**own, "mean": mean(1, quotient(rise, moved), start, start + moved)})
    for apart, further in product((ZERO, Fraction(1, 4)), repeat=2):
        whole = f(low + apart + further) - f(low)
        lengths = {"apart": apart, "further": further, "r0": f(low + moved) - f(low), "r1": whole}
        yield at("trapezoid", {**own, **lengths})


def _inside(a: Fraction, g: Fraction, distance: Fraction) -> Iterator[Assumed]:
    """α = a grows by the distance, and γ = g becomes less by it; or the other way round."""

    def powers(t: Fraction) -> tuple[Fraction, Fraction]:
        return exp(-a - t), exp(t - g)

    def slope_at(t: Fraction) -> Fraction:
        x, y = powers(t)
        return (x - y) / (2 - x - y)

    moved = log_probability(a + distance, g - distance) - log_probability(a, g)
    m = where(slope_at, quotient(moved, distance), ZERO, distance)
    x, y = powers(m)
    slope = quotient(moved, distance) or slope_at(m)
    for (first, second), sign in product(((x, y), (y, x)), (1, -1)):
        own = {"x": first, "y": second, "slope": sign * slope, "moved": sign * moved, "distance": distance}
        yield at("carried", own)


def _one_threshold(g: Fraction, g_p: Fraction) -> Iterator[Assumed]:
    power = 2 - exp(-g)
    yield at("across", {"g": g, "g'": g_p, "X": exp(g), "power": power, "log": log(power)})
    slope = quotient(log(1 - exp(-g) / 2) - log(1 - exp(-g_p) / 2), g - g_p) or 1 / (2 * exp(g) - 1)
    yield at("beyond", {"g": g, "g'": g_p, "slope": slope, "X": (1 / slope + 1) / 2})


def quotient(above: Fraction, below: Fraction) -> Fraction:
    """Where an interval has no length, every number will do."""
    return above / below if below else ZERO
