"""Timing. Contenders that do the same work take turns; each turn gives a rate, and two rates give a ratio."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Turn(NamedTuple):
    """One turn of a contender: so many units of work in so many seconds. `stopped`: it was given up after that time."""

    units: float
    seconds: float
    stopped: bool = False

    @property
    def rate(self) -> float:
        return self.units / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Contender:
    """Something that does one turn of work when it is asked to."""

    name: str
    turn: Callable[[], Turn]


@dataclass(frozen=True)
class Measured:
    """The turns of one contender."""

    name: str
    turns: tuple[Turn, ...]

    @property
    def rates(self) -> list[float]:
        return [turn.rate for turn in self.turns]

    @property
    def median(self) -> float:
        return statistics.median(self.rates)

    @property
    def stopped(self) -> bool:
        """Whether it was given up at least once. Then its true rate is at most what is shown."""
        return any(turn.stopped for turn in self.turns)


@dataclass(frozen=True)
class Comparison:
    """A line of the table: ours against another. Each turn gives a ratio, and the line shows their median."""

    row: int
    what: str
    unit: str
    ours: Measured
    other: Measured
    aim: float | None = None  # the ratio is to be at least this
    note: str = ""

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours.rates, self.other.rates, strict=True)]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def met(self) -> bool | None:
        return None if self.aim is None else self.ratio >= self.aim


@dataclass(frozen=True)
class Skipped:
    """A line that could not be measured, and why."""

    row: int
    what: str
    reason: str


Line = Comparison | Skipped


class Effort(NamedTuple):
    """How long to measure."""

    repeats: int
    size: float  # how much work one turn is; at 1 it takes a good part of a second
    patience: float  # seconds after which a solver is given up
    thorough: bool = False

    def scaled(self, count: int) -> int:
        return max(1, int(count * self.size))


QUICK, NORMAL, THOROUGH = Effort(3, 0.02, 5.0), Effort(7, 1.0, 12.0), Effort(11, 2.0, 300.0, True)


def timed(name: str, work: Callable[[], float], clock: Callable[[], float] = time.process_time) -> Contender:
    """A contender that works in this process. `work` returns how many units it did. Processor time is measured, so
    other programs on the machine do not count. This is for work that a single thread does."""

    def turn() -> Turn:
        start = clock()
        units = work()
        return Turn(units, clock() - start)

    return Contender(name, turn)


def on_the_clock(name: str, work: Callable[[], float]) -> Contender:
    """The same, measured on the clock: for work in which other processes take part."""
    return timed(name, work, time.perf_counter)


def repeated(name: str, once: Callable[[], object], count: int) -> Contender:
    """A contender that does one thing `count` times, one unit each."""

    def work() -> float:
        for _ in range(count):
            once()
        return count

    return timed(name, work)


def race(contenders: Sequence[Contender], repeats: int) -> list[Measured]:
    """Measures all of them: one turn each that does not count, and then `repeats` turns each, in alternating order."""
    for contender in contenders:
        contender.turn()
    return [Measured(c.name, t) for c, t in zip(contenders, in_turns(contenders, repeats), strict=True)]


def in_turns(contenders: Sequence[Contender], repeats: int, long: float = math.inf) -> list[tuple[Turn, ...]]:
    """The turns of each contender, in alternating order. One that is given up, or takes long, has only one turn, which
    then stands for all of its turns."""
    turns = [[contender.turn()] for contender in contenders]
    for i in range(1, repeats):
        pairs = list(zip(contenders, turns, strict=True))
        for contender, own in pairs if i % 2 == 0 else reversed(pairs):
            again = not own[0].stopped and own[0].seconds <= long
            own.append(contender.turn() if again else own[0])
    return [tuple(own) for own in turns]
