"""What enclosures leave out: used by `proofs.deciders` to try the engines, and the procedure that divides a box.

An enclosure over [low, high] must contain the values at low and at high. For + - * / they are known exactly. For exp
and log the other engine encloses them, with many more bits. And the parts of a box that were decided must cover it.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from snapref_proofs.evaluate.boxes import BITS, Box, Quantity, halves
from snapref_proofs.evaluate.intervals import Arb, Enclosure, Engine, Expression, Iv, enclose

Ends = tuple[Fraction, Fraction]
Pair = Callable[[int], tuple[Engine, Engine]]  # from a number of bits: an engine to be tried, and the other one
MORE = 512  # bits of the other engine
GRID = [Fraction(n) for n in (-40, -3, -1, 0, 1, 18)] + [Fraction(-1, 3), Fraction(1, 2**20), Fraction(7, 5)]
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "·": operator.mul,
    "/": operator.truediv,
}


def intervals(grid: Iterable[Fraction]) -> list[Ends]:
    """All intervals with ends from the grid, also those without length."""
    return [*combinations_with_replacement(sorted(grid), 2)]


def engines() -> list[Pair]:
    """Each of the two engines, tried against the other."""
    return [lambda bits: (Iv(bits), Arb(MORE)), lambda bits: (Arb(bits), Iv(MORE))]


def left_out(pair: Pair) -> Iterator[str]:
    """The functions and operations that leave out a value, each with the enclosures of its arguments."""
    for bits in (BITS, 200):
        engine, other = pair(bits)
        yield from _of_functions(engine, other)
    yield from _of_intervals(pair(BITS)[0])
    yield from _of_operations(pair(BITS)[0])


def _of_functions(engine: Engine, other: Engine) -> Iterator[str]:
    """exp and log at the ends of an interval."""
    for name in ("exp", "log"):
        for ends in intervals(x for x in GRID if name == "exp" or x > 0):
            found = enclose(_function(name, ends), engine)
            for end in ends:
                low, high = enclose(_function(name, (end, end)), other)
                if found[1] < low or high < found[0]:
                    yield f"{engine.name}: {name} over [{ends[0]}, {ends[1]}] leaves out {name}({end})"


def _of_intervals(engine: Engine) -> Iterator[str]:
    """The ends of an interval, and those of two in their hull."""
    for ends in intervals(GRID):
        if not reaches(enclose(_interval(ends), engine), ends):
            yield f"{engine.name}: the interval from {ends[0]} to {ends[1]}"
    for x, y in product(intervals(GRID)[::4], repeat=2):
        if not reaches(enclose(_hull(x, y), engine), (min(*x, *y), max(*x, *y))):
            yield f"{engine.name}: hull of [{x[0]}, {x[1]}] and [{y[0]}, {y[1]}]"


def _of_operations(engine: Engine) -> Iterator[str]:
    """+ - · / at the corners of two intervals. The extremes are there, as no divisor is 0."""
    some = intervals(GRID)[::4]
    for (name, operation), x, y in product(OPERATIONS.items(), some, some):
        if name == "/" and y[0] <= 0 <= y[1]:
            continue
        values = [operation(a, b) for a, b in product(x, y)]
        if not reaches(enclose(_operation(operation, x, y), engine), (min(values), max(values))):
            yield f"{engine.name}: [{x[0]}, {x[1]}] {name} [{y[0]}, {y[1]}]"


def _interval(ends: Ends) -> Expression:
    return lambda engine: engine.between(*ends)


def _function(name: str, ends: Ends) -> Expression:
    return lambda engine: getattr(engine, name)(engine.between(*ends))


def _hull(x: Ends, y: Ends) -> Expression:
    return lambda engine: engine.hull(engine.between(*x), engine.between(*y))


def _operation(operation: Callable[[Any, Any], Any], x: Ends, y: Ends) -> Expression:
    return lambda engine: operation(engine.between(*x), engine.between(*y))


def reaches(found: Ends, ends: Ends) -> bool:
    """Whether an enclosure contains an interval."""
    return found[0] <= ends[0] and ends[1] <= found[1]


def _lower(engine: Engine, x: Enclosure) -> Enclosure:
    """The lower end of an enclosure, as an enclosure."""
    ends = engine.ends(x)
    assert ends is not None
    return engine.between(ends[0], ends[0])


class Lower:
    """What takes the lower end of each argument, in the place of an engine's own functions."""

    def exp(self: Any, x: Enclosure) -> Enclosure:
        return super().exp(_lower(self, x))  # type: ignore[misc]

    def log(self: Any, x: Enclosure) -> Enclosure:
        return super().log(_lower(self, x))  # type: ignore[misc]

    def hull(self: Any, x: Enclosure, y: Enclosure) -> Enclosure:
        return super().hull(_lower(self, x), _lower(self, y))  # type: ignore[misc]


class LowerIv(Lower, Iv):
    pass


class LowerArb(Lower, Arb):
    pass


def broken() -> list[Pair]:
    """Engines of which `left_out` must notice each function."""
    return [lambda bits: (LowerIv(bits), Arb(MORE)), lambda bits: (LowerArb(bits), Iv(MORE))]


class Recorded:
    """A quantity that records the enclosures that it is given, by each engine, where it is shown to be at most 0."""

    def __init__(self, quantity: Quantity) -> None:
        self.quantity = quantity
        self.shown: dict[str, list[dict[str, Ends]]] = {}

    def __call__(self, engine: Engine, enclosures: Mapping[str, Enclosure]) -> Enclosure:
        value = self.quantity(engine, enclosures)
        given = {name: engine.ends(one) for name, one in enclosures.items()}
        ends, known = engine.ends(value), {name: one for name, one in given.items() if one is not None}
        if ends is not None and ends[1] <= 0 and len(known) == len(given):
            self.shown.setdefault(engine.name, []).append(known)
        return value

    def misses(self, box: Box, names: Iterable[str]) -> list[str]:
        """The engines of these names that did not show it on the whole box."""
        return [name for name in names if not covered(box, self.shown.get(name, []))]


def covered(box: Box, parts: Iterable[Box]) -> bool:
    """Whether every point of the box lies in one of the parts: in exact rationals, whatever the parts are."""
    near = [part for part in parts if all(part[x][0] <= high and low <= part[x][1] for x, (low, high) in box.items())]
    if any(all(reaches(part[x], ends) for x, ends in box.items()) for part in near):
        return True
    cuts = ((x, end) for part in near for x, (low, high) in box.items() for end in part[x] if low < end < high)
    first = next(cuts, None)
    if first is None:
        return False
    x, at = first
    low, high = box[x]
    return all(covered({**box, x: ends}, near) for ends in ((low, at), (at, high)))


def skipping(quantity: Quantity, box: Box, engine: Engine) -> list[dict[str, Ends]]:
    """A cut that forgets the upper half across the longest side."""
    name = max(box, key=lambda side: box[side][1] - box[side][0])
    return halves(box, name)[:1]
