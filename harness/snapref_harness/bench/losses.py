"""Row 3: exact losses. Thresholds found by inverting the mechanism, against bisection; and growth with B and p."""

import random
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction

from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, race, timed
from snapref_proofs.evaluate.bisection import mass
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import entries
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail

BISECTED = 25  # one threshold in so many is bisected, so that a turn of each method takes about as long


def thresholds(effort: Effort) -> Iterator[Line]:
    """Inversion and bisection on the same questions: a value and a threshold, for p = 53, λ = 1, B = 1000."""
    rng = random.Random(0)
    mechanism = Parameters(Fraction(1), Fraction(1000))
    questions = [
        (from_fraction(rng.uniform(-1000, 1000)), rng.randrange(-1000, 1000)) for _ in range(effort.scaled(5000))
    ]
    some = questions[::BISECTED]
    sides = [1 if tail(mechanism, c, boundary(mechanism, j)).below else -1 for c, j in some]

    def invert() -> float:
        for c, j in questions:
            tail(mechanism, c, boundary(mechanism, j))
        return len(questions)

    def bisect() -> float:
        for (c, j), side in zip(some, sides, strict=True):
            mass(mechanism, c, j, side)
        return len(some)

    a, b = race([timed("inversion", invert), timed("bisection", bisect)], effort.repeats)
    yield Comparison(3, "exact loss: thresholds", "thresholds/s", a, b, aim=50.0)


def outputs(bound: int, precision: int) -> Contender:
    """A contender that goes through every output of a mechanism with λ = 1, for two values."""
    mechanism = Parameters(Fraction(1), Fraction(bound), precision)
    a, b = from_fraction(0.25), from_fraction(1.25)

    def work() -> float:
        return sum(1 for _ in entries(mechanism, a, b))

    return timed(f"B = {bound}, p = {precision}", work)


def peak(bound: int) -> int:
    """The largest number of bytes in use while it goes through all outputs."""
    contender = outputs(bound, 53)
    contender.turn()
    tracemalloc.start()
    try:
        contender.turn()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def growth(effort: Effort) -> Iterator[Line]:
    """Outputs per second, with few outputs and with many, and at other precisions. If the rate is the same with many,
    the time grows linearly."""
    few = effort.scaled(500) + 10
    many = 16 * few
    a, b, c, d = race([outputs(few, 53), outputs(many, 53), outputs(few, 24), outputs(few, 118)], effort.repeats)
    memory = f"largest memory {peak(few) / 1024:.0f} KiB and {peak(many) / 1024:.0f} KiB"
    what = "exact loss: growth with"
    yield Comparison(3, f"{what} B, 16 times the outputs", "outputs/s", b, a, note=memory)
    yield Comparison(3, f"{what} p, 24 bits", "outputs/s", c, a)
    yield Comparison(3, f"{what} p, 118 bits", "outputs/s", d, a)


def loss(effort: Effort) -> Iterator[Line]:
    """Row 3."""
    yield from thresholds(effort)
    yield from growth(effort)
