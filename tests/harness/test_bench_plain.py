"""The plain encoding says what ours says: its words agree with ours, and each statement can fail."""

import random
import struct
from fnmatch import fnmatchcase

import pytest
import z3

from snapref.formats import BINARY64
from snapref_harness.bench import plain
from snapref_harness.bench.obligations import GROUPS
from snapref_harness.cli.registry import load_obligations
from snapref_smt.engine.statement import satisfies
from snapref_smt.engine.stating import STATED, Built, listed
from snapref_smt.models import layout
from snapref_smt.oracle import number, pattern, rounded

INF, TINY, HUGE = float("inf"), 2.0**-1074, 1.5 * 2.0**1023
# For each statement, an input at which its twin fails; where a refutation is expected, the statement itself.
WITNESSES: dict[str, tuple[float, ...]] = {
    "smt.clamp.refusals": (1.0, -0.0),
    "smt.clamp.result": (2.0, 1.0),
    "smt.clamp.range": (2.0, 1.0),
    "smt.clamp.identity": (1.0, 2.0),
    "smt.clamp.infinities": (-INF, 1.0),
    "smt.clamp.idempotent": (2.0, 1.0),
    "smt.clamp.monotone": (2.0, 1.0, 3.0),
    "smt.clamp.lipschitz": (2.0, 1.0, 3.0),
    "smt.lattice.covers": (1.5,),
    "smt.lattice.minimal": (1.5, 1),
    "smt.lattice.refusals": (HUGE,),
    "smt.round.case1": (2.5, 0),
    "smt.round.refusals": (HUGE, 1023),
    "smt.round.multiple": (1.0, 0),
    "smt.round.distance": (2.5, 0),
    "smt.round.zero": (0.25, 0),
    "smt.round.idempotent": (0.25, 0),
    "smt.round.monotone": (1.0, 0, 1.25),
    "smt.pipeline.outputs": (7.0, 1, 3.0),
    "smt.pipeline.aligned": (7.0, 1, 4.0),
    "smt.printed.eq41.fails": (TINY, -1074),
    "smt.printed.eq41.exact": (1.5 * 2.0**-1023, -1022),
    "smt.printed.powers.fails": (TINY, -1074),
    "smt.printed.powers.exact": (3 * TINY, -1072),
    "smt.printed.divide.fails": (2.0**-1022, 1),
    "smt.printed.divide.exact": (2.0**-1022, 1),
    "smt.printed.case1": (2.0**52 + 1,),
    "smt.printed.case2.text": (-2.5,),
    "smt.printed.eq42.fails": (1.75,),
    "smt.printed.eq42.exact": (1.5,),
    "smt.printed.eq42.corrected": (-2.5,),
    "smt.printed.ties.fails": (1.5,),
    "smt.printed.ties.exact": (-1.5,),
    "smt.printed.ties.corrected": (2.5,),
    "smt.printed.case3.fails": (-0.5,),
    "smt.printed.case3.exact": (0.5,),
    "smt.printed.case3.corrected": (-0.5,),
    "smt.printed.case4": (0.25,),
    "smt.printed.zero.fails": (0.0, 0),
    "smt.printed.zero.exact": (0.0, 0),
    "smt.printed.steps.fails": (1.75, 0),
    "smt.printed.steps.exact": (-0.5, 0),
}


def bits(value: float) -> int:
    """A float as its pattern, an exponent as a 16-bit number."""
    if isinstance(value, int):
        return value % (1 << 16)
    return int.from_bytes(struct.pack(">d", value))


# The obligations of row 6, each with what is expected of it; taken before a test clears the registry.
SUITE = {
    o.id: o.expected
    for o in load_obligations()
    if not o.thorough
    and not o.id.endswith(".working")
    and any(fnmatchcase(o.id, pattern) for patterns in GROUPS.values() for pattern in patterns)
}


def test_every_obligation_is_said_or_has_a_reason() -> None:
    assert sorted(SUITE) == sorted([*WITNESSES, *plain.UNSAID])
    assert set(plain.ON_CODE) <= set(WITNESSES)
    assert all(plain.statement(id) is None for id in plain.UNSAID)


@pytest.mark.parametrize("id", WITNESSES)
def test_each_plain_statement_can_fail(id: str) -> None:
    """By evaluation alone. The claim itself holds there, or fails if that is expected."""
    theorems = plain.statement(id)
    assert theorems is not None
    failing = []
    for theorem in theorems.values():
        model = dict(zip(theorem.names, map(bits, WITNESSES[id]), strict=True))
        weaker = theorem.goal if theorem.twin is None else theorem.twin
        failing.append(satisfies((*theorem.hypotheses, z3.Not(weaker)), theorem.variables, model))
        refuted = satisfies(theorem.negation, theorem.variables, model)
        assert refuted == (SUITE[id] == "refuted" and failing[-1])
    assert sum(failing) == 1  # where there are several paths, the witness takes one of them


@pytest.mark.parametrize("id", sorted(set(WITNESSES) - set(plain.ON_CODE) - {"smt.clamp.idempotent"}))
def test_the_words_are_those_of_floating_point(id: str) -> None:
    """What is derived from our theorem is not that theorem (but for one that is about patterns alone); and building it
    leaves ours as it was."""

    def formulas(built: Built | None) -> list[z3.BoolRef]:
        assert built is not None
        return [z3.And(*theorem.negation) for theorem in listed(built).values()]

    ours, said, again = formulas(STATED[id]()), formulas(plain.statement(id)), formulas(STATED[id]())
    assert not any(mine.eq(other) for mine, other in zip(ours, said, strict=True))
    assert all(mine.eq(other) for mine, other in zip(ours, again, strict=True))


def test_a_plain_statement_is_decided_by_z3() -> None:
    for id, verdict in (("smt.lattice.covers", "unsat"), ("smt.printed.eq41.fails", "sat")):
        theorems = plain.statement(id)
        assert theorems is not None
        assert plain.decided(theorems, 600.0).verdict == verdict


def corners() -> list[tuple[int, int, int]]:
    """x, m and a candidate for the rounded x: the right one, or one beside it."""
    rng, form = random.Random(0), layout(BINARY64)
    fields = (0, 1, 2, 52, 53, 970, 1021, 1022, 1023, 1024, 1075, 2045, 2046)
    fractions = (0, 1, (1 << 51) - 1, 1 << 51, (1 << 51) + 1, (1 << 52) - 1)
    chosen = []
    for _ in range(400):
        fraction = rng.choice((*fractions, rng.getrandbits(52)))
        x = (rng.getrandbits(1) << 63) | (rng.choice(fields) << 52) | fraction
        near = max(1, x >> 52 & 2047) - 1023 - rng.choice((-60, -2, -1, 0, 1, 2, 30, 51, 52, 53, 60))
        m = min(max(near, form.min_exponent), form.max_exponent)
        right = pattern(rounded(number(x, form), m), form) or 0
        chosen.append((x, m, right ^ rng.choice((0, 0, 1, 1 << 63, 1 << 51))))
    return chosen


def test_the_words_agree_with_ours() -> None:
    """Each predicate, said in both ways, at finite corners where formats are special."""
    ours, theirs = layout(BINARY64), plain.FORM
    x, m, r = ours.pattern("x"), ours.lattice(), ours.pattern("r")
    words = [
        (
            form.rounds_to(x, m, r),
            form.rounds_to(x, m, r, ties="down"),
            form.overflows(x, m),
            form.is_lattice_point(x, m),
            form.is_lattice_point(r, m),
            form.at_most_power(x, m),
            form.at_most_power(x, m - 20000),
            form.less(x, r),
            form.at_most(x, r),
            form.same(x, r),
            form.zero(r),
            form.clamps_to(x, r & ~z3.BitVecVal(1 << 63, 64), x),
            form.finite(r),
            form.nan(r),
            form.at_most_power(x, m + 20000),
        )
        for form in (ours, theirs)
    ]
    held = []
    for values in corners():
        literals = [(v, z3.BitVecVal(value, v.size())) for v, value in zip((x, m, r), values, strict=True)]
        said = [[z3.is_true(z3.simplify(z3.substitute(word, *literals))) for word in spoken] for spoken in words]
        assert said[0] == said[1], values
        held.append(said[0])
    columns = list(zip(*held, strict=True))
    assert all(len(set(column)) == 2 for column in columns[:-3])  # the last three say the same of every finite corner
