"""Row 4: small formats, exhaustively: every λ in [1, 2), four bounds B near 4Λ, every pair of values, every output."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, Measured, race, timed
from snapref_proofs.evaluate.small_formats import grid, small_numbers, survey

TEN_MINUTES = 600.0


def exhaustive(precision: int) -> Contender:
    def work() -> float:
        return survey(grid(precision, small_numbers(precision, [0]), [2])).pairs

    return timed(f"p = {precision}", work)


def seconds(measured: Measured) -> float:
    return min(turn.seconds for turn in measured.turns)


def largest(measured: list[Measured], first: int) -> str:
    """The largest p that takes at most ten minutes, if every further bit costs the same factor as the last one."""
    growth = seconds(measured[-1]) / seconds(measured[-2])
    precision, time = first + len(measured) - 1, seconds(measured[-1])
    extrapolated = False
    while time * growth <= TEN_MINUTES:
        precision, time, extrapolated = precision + 1, time * growth, True
    how = (
        f"extrapolated from p = {first + len(measured) - 1}, {growth:.1f} times for each bit"
        if extrapolated
        else "measured"
    )
    return f"largest p within ten minutes: {precision} ({time:.0f} s, {how})"


def small_formats(effort: Effort) -> Iterator[Line]:
    """Row 4."""
    first, last = (2, 4) if effort.size < 0.1 else (4, 7)
    repeats = min(effort.repeats, 3)
    measured = race([exhaustive(p) for p in range(first, last + 1)], repeats)
    if effort.thorough:  # measured until it takes too long
        while seconds(measured[-1]) * 5 < TEN_MINUTES:
            last += 1
            turn = exhaustive(last).turn()
            measured.append(Measured(f"p = {last}", (turn,) * repeats))
    lines = [
        Comparison(4, f"small formats: {more.name} over {less.name}", "pairs of values/s", more, less)
        for less, more in pairwise(measured)
    ]
    yield from lines[:-1]
    yield replace(lines[-1], note=largest(measured, first))
