"""Rows 1 and 2: one release, and many at once, against diffprivlib and against the least that a release can cost."""

import os
import random
from collections.abc import Iterator
from itertools import cycle

from snapref import Mechanism
from snapref.arithmetic import context, exact
from snapref_harness.bench.bare import BareMechanism
from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, Skipped, race, repeated, timed
from snapref_harness.bench.rival import Missing, contender

PARAMETERS = (1.0, 10.0)  # ε and B, for everybody
VALUE = 3.25
UNIT = "releases/s"


def floor(count: int) -> Contender:
    """The least that a release costs with MPFR: one logarithm to 53 bits, and 16 bytes from the operating system."""
    rng = random.Random(0)
    numbers = cycle([exact(rng.random()) for _ in range(1000)])
    log = context(53).log

    def once() -> None:
        log(next(numbers))
        os.urandom(16)

    return repeated("floor: one MPFR logarithm and 16 random bytes", once, count)


def one(effort: Effort, interpreter: str | None) -> Iterator[Line]:
    """Row 1. The parameters are checked beforehand, for all contenders."""
    mechanism, count = Mechanism(*PARAMETERS), effort.scaled(20_000)
    ours = repeated("snapref, prepared", lambda: mechanism.release(VALUE), count)
    on_patterns = repeated("snapref, the program on patterns", lambda: mechanism.release(int(VALUE)), count)
    bare_mechanism = BareMechanism(mechanism)
    experiment = repeated("the same in one function, no checks", lambda: bare_mechanism.release(VALUE), count)
    what = "one release"
    others = [floor(count), on_patterns, experiment]
    try:
        with contender(interpreter, count) as theirs:
            mine, library, *rest = race([ours, theirs, *others], effort.repeats)
            yield Comparison(1, what, UNIT, mine, library, aim=2.5)
    except Missing as missing:
        yield Skipped(1, what, str(missing))
        mine, *rest = race([ours, *others], effort.repeats)
    least, patterns, bare = rest
    yield Comparison(1, what, UNIT, mine, least, aim=0.5)
    yield Comparison(1, what, UNIT, mine, patterns)
    yield Comparison(1, "experiment, not in use: one release", UNIT, bare, least)


def batch(effort: Effort, interpreter: str | None) -> Iterator[Line]:
    """Row 2. All contenders take their randomness from the operating system."""
    what = "many releases at once"
    try:
        import numpy as np

        from snapref.batch.mechanism import BatchMechanism
    except ModuleNotFoundError:
        yield Skipped(2, what, "numpy is not installed: pip install 'snapref[batch]'")
        return
    prepared, single = BatchMechanism(*PARAMETERS), Mechanism(*PARAMETERS)
    values = np.full(effort.scaled(1 << 20), VALUE)

    def work() -> float:
        return float(prepared.release(values).values.size)

    ours, count = timed("snapref, batch", work), effort.scaled(5000)
    scalar = repeated("snapref, prepared, one by one", lambda: single.release(VALUE), count)
    try:
        with contender(interpreter, count) as theirs:
            a, b, c = race([ours, theirs, scalar], effort.repeats)
            yield Comparison(2, what, UNIT, a, b, aim=50.0)
    except Missing as missing:
        yield Skipped(2, what, str(missing))
        a, c = race([ours, scalar], effort.repeats)
    yield Comparison(2, what, UNIT, a, c)
