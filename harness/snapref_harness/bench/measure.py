"""Contenders that do the same work, timed in turns: rates, their medians and spreads, and the ratio of each turn."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Turn(NamedTuple):
    """One turn of a contender: so many units of work in so many seconds. `stopped`: it was given up at that time."""

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
        """Whether it was given up at least once: its rate is then at most what is shown."""
        return any(turn.stopped for turn in self.turns)


@dataclass(frozen=True)
class Comparison:
    """A line of the table: ours against another, the ratio being taken turn by turn."""

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
    size: float  # of one turn, 1 being a good fraction of a second
    patience: float  # seconds after which a solver is given up
    thorough: bool = False

    def scaled(self, count: int) -> int:
        return max(1, int(count * self.size))


QUICK, NORMAL, THOROUGH = Effort(3, 0.02, 5.0), Effort(7, 1.0, 12.0), Effort(11, 2.0, 300.0, True)


def timed(name: str, work: Callable[[], float], clock: Callable[[], float] = time.process_time) -> Contender:
    """A contender in this process: `work` returns how many units it did, in seconds of the processor.

    What else the machine does while it waits does not count; so this is for work that one thread does alone."""

    def turn() -> Turn:
        start = clock()
        units = work()
        return Turn(units, clock() - start)

    return Contender(name, turn)


def on_the_clock(name: str, work: Callable[[], float]) -> Contender:
    """The same in seconds of the clock, for work that other processes have a part in."""
    return timed(name, work, time.perf_counter)


def repeated(name: str, once: Callable[[], object], count: int) -> Contender:
    """A contender that does one thing `count` times, one unit each."""

    def work() -> float:
        for _ in range(count):
            once()
        return count

    return timed(name, work)


def race(contenders: Sequence[Contender], repeats: int) -> list[Measured]:
    """All of them in turns: first a turn each that does not count, then `repeats` turns each, in alternating order."""
    for contender in contenders:
        contender.turn()
    return [Measured(c.name, t) for c, t in zip(contenders, in_turns(contenders, repeats), strict=True)]


def in_turns(contenders: Sequence[Contender], repeats: int, long: float = math.inf) -> list[tuple[Turn, ...]]:
    """In alternating order. What is given up, or takes long, has one turn, and that counts in every one."""
    turns = [[contender.turn()] for contender in contenders]
    for i in range(1, repeats):
        pairs = list(zip(contenders, turns, strict=True))
        for contender, own in pairs if i % 2 == 0 else reversed(pairs):
            again = not own[0].stopped and own[0].seconds <= long
            own.append(contender.turn() if again else own[0])
    return [tuple(own) for own in turns]
