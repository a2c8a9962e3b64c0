"""Row 6: the SMT obligations about doubles, in our encoding and in a plain one; and two workers against one.

The obligations are those about binary64 that `snapref verify` runs. Where one has no plain form (plain.UNSAID), its
time counts on our side, and nothing on the plain side. Left out are the laws of ⊕ and ⊗, which are stated in the theory
of floating point anyway, and what is about reals, such as Figure 2.
"""

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from snapref_harness.bench import plain
from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, Measured, Skipped, Turn, in_turns
from snapref_ledger.obligations import Obligation, Run
from snapref_ledger.runner import run_all

GROUPS: dict[str, tuple[str, ...]] = {
    "clamp": ("smt.clamp.*",),
    "lattice": ("smt.lattice.*",),
    "round": ("smt.round.*", "smt.spec.*"),
    "round, then clamp": ("smt.pipeline.*",),
    "printed formulas": ("smt.printed.*",),
}
AT_A_GLANCE = ("clamp", "lattice")
# For the comparison of two workers with one: obligations of about the same size. The former ask two solvers at once,
# which takes two cores; the latter are work for one thread.
TWO_SOLVERS, ONE_THREAD = "smt.clamp.*", "proofs.accuracy.[n-s]*"
WORKLOAD = (*(pattern for patterns in GROUPS.values() for pattern in patterns), ONE_THREAD)
REPEATS = 3  # at most, as solvers take long
OURS = "ours: bit-vectors, path by path, two solvers, twins"
PLAIN = "plain: whole functions, floating-point theory, one call of z3 each"


class Disagreement(Exception):
    """The two encodings do not say the same; the message names the obligation."""


@dataclass(frozen=True)
class Reading:
    """The turns of one obligation in each encoding. `other` is None where it has no plain form."""

    obligation: Obligation
    ours: tuple[Turn, ...]
    other: tuple[Turn, ...] | None


def ours(obligation: Obligation, run: Run) -> Contender:
    """As `snapref verify` does it: two solvers, and the twins that must fail."""
    limited = replace(run, timeout=obligation.timeout or run.timeout)

    def turn() -> Turn:
        start = time.perf_counter()
        outcome = obligation.check(limited)
        return Turn(1, time.perf_counter() - start, stopped=not obligation.passes(outcome))

    return Contender(OURS, turn)


def theirs(obligation: Obligation, patience: float) -> Contender:
    """The same claim in one call of z3."""
    wanted = {"proved": "unsat", "refuted": "sat"}[obligation.expected]

    def turn() -> Turn:
        start = time.perf_counter()
        theorems = plain.statement(obligation.id)
        assert theorems is not None
        verdict = plain.decided(theorems, patience).verdict
        if verdict not in (wanted, "timeout", "unknown"):
            raise Disagreement(f"the plain encoding of {obligation.id} is {verdict}, not {wanted}")
        return Turn(1, time.perf_counter() - start, stopped=verdict != wanted)

    return Contender(PLAIN, turn)


def read(obligation: Obligation, run: Run, effort: Effort) -> Reading:
    """Measures both encodings of one obligation. Lifting the code is not measured, as both share it."""
    repeats, long = min(effort.repeats, REPEATS), effort.patience / 10
    if plain.statement(obligation.id) is None:
        (alone,) = in_turns([ours(obligation, run)], repeats, long)
        return Reading(obligation, alone, None)
    mine, other = in_turns([ours(obligation, run), theirs(obligation, effort.patience)], repeats, long)
    return Reading(obligation, mine, other)


def total(parts: Sequence[tuple[Turn, ...]], count: int) -> tuple[Turn, ...]:
    """The turns of several obligations added up; each turn counts as `count` obligations."""
    return tuple(
        Turn(count, sum(part.seconds for part in turn), any(part.stopped for part in turn))
        for turn in zip(*parts, strict=True)
    )


def compared(name: str, readings: Sequence[Reading], effort: Effort) -> Line:
    """A line of the table about some of the obligations."""
    what, count = f"obligations: {name}", len(readings)
    lost = [reading.obligation.id for reading in readings if any(turn.stopped for turn in reading.ours)]
    if lost:
        return Skipped(6, what, f"not decided in time: {', '.join(lost)}")
    said = [reading.other for reading in readings if reading.other is not None]
    if not said:
        return Skipped(6, what, "the plain encoding says none of it")
    mine, other = total([reading.ours for reading in readings], count), total(said, count)
    given_up = sum(any(turn.stopped for turn in turns) for turns in said)
    everything = [*(reading.ours for reading in readings), *said]
    once = sum(all(turn is turns[0] for turn in turns) for turns in everything)
    if once == len(everything):  # nothing was repeated: there is no spread to show
        mine, other = mine[:1], other[:1]
    notes = [f"{_seconds(mine)} against {_seconds(other)}", f"{len(said)} plain statements for {count} obligations"]
    notes += [f"{given_up} of them given up after {effort.patience:g} s"] * bool(given_up)
    notes += [f"{once} of {len(everything)} readings were long and taken once"] * bool(once)
    return Comparison(6, what, "obligations/s", Measured(OURS, mine), Measured(PLAIN, other), note="; ".join(notes))


def _seconds(turns: Sequence[Turn]) -> str:
    return f"{statistics.median(turn.seconds for turn in turns):.1f} s"


def encodings(effort: Effort, run: Run, selected: Sequence[Obligation]) -> Iterator[Line]:
    """Compares the encodings group by group, and for the whole suite. With --quick, only what takes seconds."""
    suite: list[Reading] = []
    for name, patterns in GROUPS.items():
        if effort.size < 0.1 and name not in AT_A_GLANCE:
            yield Skipped(6, f"obligations: {name}", "takes a minute or more: not with --quick")
            continue
        group = [o for o in selected if any(fnmatchcase(o.id, pattern) for pattern in patterns)]
        try:
            readings = [read(o, run, effort) for o in group]
        except Disagreement as disagreement:
            yield Skipped(6, f"obligations: {name}", str(disagreement))
            return
        suite += readings
        yield compared(name, readings, effort)
    if effort.size >= 0.1:
        yield compared("the whole suite", suite, effort)


def workers(name: str, selected: Sequence[Obligation], run: Run, repeats: int) -> Line:
    """Runs the same obligations with two workers and with one, measured on the clock."""
    what = f"obligations: {len(selected)} {name}"
    spent: dict[int, list[float]] = {1: [], 2: []}  # seconds from the start of each obligation to its end, together
    lost: set[str] = set()

    def contender(jobs: int) -> Contender:
        def turn() -> Turn:
            start = time.perf_counter()
            with closing(run_all(selected, run, jobs)) as running:
                results = list(running)
            seconds = time.perf_counter() - start
            spent[jobs].append(sum(result.seconds for result in results))
            lost.update(result.obligation.id for result in results if not result.passed)
            return Turn(len(selected), seconds)

        return Contender(f"{jobs} worker{'s' if jobs > 1 else ''}", turn)

    contenders = [contender(2), contender(1)]
    two, one = map(Measured, (c.name for c in contenders), in_turns(contenders, repeats))
    if lost:
        return Skipped(6, what, f"not decided in time: {', '.join(sorted(lost))}")
    slower = statistics.median(both / alone for both, alone in zip(spent[2], spent[1], strict=True))
    outside = statistics.median(turn.seconds - own for turn, own in zip(one.turns, spent[1], strict=True))
    note = f"two at a time, each takes {slower:.2f} times as long; starting takes {outside:.1f} s"
    return Comparison(6, what, "obligations/s", two, one, note=note)


def obligations(effort: Effort, run: Run, selected: list[Obligation]) -> Iterator[Line]:
    """Row 6. `selected`: the obligations of WORKLOAD."""
    doubles = [o for o in selected if not o.id.endswith(".working")]
    yield from encodings(effort, run, doubles)
    for name, pattern in (("of one thread each", ONE_THREAD), ("of two solvers each", TWO_SOLVERS)):
        some = [o for o in doubles if fnmatchcase(o.id, pattern)][: max(2, effort.scaled(40))]
        yield workers(name, some, run, min(effort.repeats, REPEATS))
