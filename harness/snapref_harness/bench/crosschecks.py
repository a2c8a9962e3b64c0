"""Row 7: cross-checks. The same object is asked the same questions, in this process and through the protocol."""

import sys
from collections.abc import Iterator

from snapref import binary64
from snapref_crosscheck.cases import cases
from snapref_crosscheck.checks import Context
from snapref_crosscheck.components import judge
from snapref_crosscheck.process import CommandTarget
from snapref_crosscheck.protocol import Args, Description
from snapref_crosscheck.targets import PythonTarget, Target, stream
from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, on_the_clock, race

SERVED = "snapref.binary64"


def questions(count: int) -> list[tuple[str, Args]]:
    """Every operation in turn, `count` questions in all."""
    listed = [[(op, case.args) for case in cases(op)] for op in ("lattice", "round", "clamp", "log", "snap")]
    shortest = min(map(len, listed))
    mixed = [question for group in zip(*(part[:shortest] for part in listed), strict=True) for question in group]
    return (mixed * (count // len(mixed) + 1))[:count]


def asked(name: str, target: Target, asked: list[tuple[str, Args]], judged: bool) -> Contender:
    """A contender that asks all questions. `judged`: it also compares the answers, as a cross-check does."""
    context = Context(target, Description())

    def work() -> float:
        for (op, args), outcome in zip(asked, stream(target, asked), strict=True):
            if judged:
                assert judge(context, op, args, outcome) is None
        return len(asked)

    return on_the_clock(name, work)


def crosscheck(effort: Effort) -> Iterator[Line]:
    """Row 7."""
    some = questions(effort.scaled(2000))
    here = PythonTarget(binary64, SERVED)
    there = CommandTarget([sys.executable, "-m", "snapref_crosscheck.serve", SERVED])
    try:
        a, b, c, d = race(
            [
                asked("in this process", here, some, judged=True),
                asked("a subprocess", there, some, judged=True),
                asked("in this process, only asked", here, some, judged=False),
                asked("a subprocess, only asked", there, some, judged=False),
            ],
            effort.repeats,
        )
    finally:
        there.close()
    share = 1 - d.median / c.median
    whole = (1 / d.median - 1 / c.median) * b.median
    note = f"the protocol takes {whole:.0%} of the time of a cross-check in a subprocess, {share:.0%} of asking alone"
    yield Comparison(7, "cross-check", "cases/s", a, b, note=note)
    yield Comparison(7, "cross-check: asking alone", "cases/s", c, d)
