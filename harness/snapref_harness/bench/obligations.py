"""Row 6: the encoding of the SMT obligations against the plain one, and two workers against one."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import z3

from snapref_harness.bench import plain
from snapref_harness.bench.measure import Comparison, Effort, Line, Measured, Skipped, Turn
from snapref_harness.core.obligations import REGISTRY, Obligation, Run
from snapref_harness.core.runner import run_all

# Many of about the same size.
WORKLOAD = ("smt.lattice.*", "smt.clamp.*")


def ours(ids: tuple[str, ...], run: Run) -> tuple[Turn, float]:
    """The obligations that say it, one after the other, two solvers each, and the twins that must fail; and how many
    seconds of that z3 took to prove them."""
    start = time.perf_counter()
    outcomes = [REGISTRY[id].check(replace(run, timeout=REGISTRY[id].timeout or run.timeout)) for id in ids]
    turn = Turn(1, time.perf_counter() - start, stopped=any(outcome.status != "proved" for outcome in outcomes))
    return turn, sum(outcome.solvers.get("z3", {}).get("seconds", 0.0) for outcome in outcomes)


def theirs(build: Callable[[], list[z3.BoolRef]], seconds: float) -> Turn:
    """The same in one call of z3."""
    formulas = build()
    start = time.perf_counter()
    answer = plain.ask(formulas, seconds)
    return Turn(1, time.perf_counter() - start, stopped=answer != "unsat")


def encodings(effort: Effort, run: Run) -> Iterator[Line]:
    """One turn each: solvers are patient work, and the times differ by more than they spread."""
    for name, (build, ids) in plain.FUNCTIONS.items():
        build()  # lifting the code is shared, and not what is compared
        (mine, of_z3), other = ours(ids, run), theirs(build, effort.patience)
        if mine.stopped:
            yield Skipped(6, f"obligations: {name}", "an obligation was not proved in time")
            continue
        gave_up = f"the plain one was given up after {effort.patience:g} s; " if other.stopped else ""
        yield Comparison(
            6,
            f"obligations: {name}",
            "proofs/s",
            Measured("ours: path by path, bit-vectors, two solvers, twins", (mine,)),
            Measured("plain: the whole function, floating-point theory, one call of z3", (other,)),
            note=f"{gave_up}ours took {mine.seconds:.1f} s, z3 {of_z3:.1f} s of it",
        )


def workers(selected: list[Obligation], run: Run, jobs: int) -> Measured:
    """One turn: so many obligations, by so many processes, on the clock."""
    start = time.perf_counter()
    with closing(run_all(selected, run, jobs)) as results:
        count = sum(1 for _ in results)
    turn = Turn(count, time.perf_counter() - start)
    return Measured(f"{jobs} worker{'s' if jobs > 1 else ''}", (turn,))


def obligations(effort: Effort, run: Run, selected: list[Obligation]) -> Iterator[Line]:
    """Row 6. `selected`: the obligations of WORKLOAD."""
    yield from encodings(effort, run)
    some = selected[: max(2, effort.scaled(len(selected)))]
    two, one = workers(some, run, 2), workers(some, run, 1)
    yield Comparison(6, f"obligations: {len(some)} of them", "obligations/s", two, one)
