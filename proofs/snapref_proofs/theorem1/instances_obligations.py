"""The obligations `theorem.instances.*`: what Theorem 1's lemmas assume is true of concrete configurations (004 §4).

They support the proof: a hypothesis that says more than the program gives is false somewhere, and is noticed. And every
statement of the lemmas that are looked at is met by a configuration.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, cycle
from typing import Any

import z3

from snapref.budget import eta, floor_log2, round_to_bits
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import (
    below,
    coarse,
    compose,
    coverage,
    even,
    every,
    faithful,
    grid,
    instances_faithful,
    instances_slopes,
    inversion,
    joined,
    joined_inside,
    meanings,
    parity,
    premises,
    slopes,
    ties,
)
from snapref_proofs.theorem1 import instances_joints as joints
from snapref_proofs.theorem1.instances import Assumed, OneSide, false
from snapref_proofs.theorem1.instances_cells import Cells
from snapref_proofs.theorem1.instances_even import EvenSide
from snapref_proofs.theorem1.instances_program import draws
from snapref_proofs.theorem1.replay import Configuration, configurations, number
from snapref_proofs.theorem1.scenarios import lattices
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, EVERY, REGIMES, TWELVE, Regime
from snapref_smt.engine.statement import Statement

CLAIM = "F-T1"
ENOUGH = 3  # configurations of one sort, for each statement
SCOPE = "configurations inside the conditions of each constant, p = 7 … 21 and 53, random, adversarial, across binades"
Part = Callable[[Configuration, Regime], Iterator[Assumed]]


def crossing(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """Neighbouring floats c and c' so small that Δ is below the spacing at τ2', and a power of two lies between τ2 and
    τ2', or between τ1 and τ1'. They are above an output x < 0, or below one that is > 0."""
    while True:
        p = rng.choice((53, regime.min_precision + 3, regime.min_precision + 4))
        mechanism = Parameters(number(rng, p, 0), Fraction(rng.choice((5, 6, 7, 8, 12))), p)
        k = rng.choice((-1, 1)) * rng.randint(1, max(1, mechanism.last - 1))
        near, far = (k, k - 1) if k < 0 else (k - 1, k)
        t = to_fraction(boundary(mechanism, rng.choice((near, far))).number)
        least = Fraction(2) ** (floor_log2(abs(t)) + 1) - abs(t)  # where the distance is a power of two
        sensitivity, sign = Fraction(2) ** (floor_log2(least) + rng.choice((1, 2)) - p), 1 if k < 0 else -1
        away = round_to_bits(least, p, up=True)
        away += sensitivity if k > 0 and away == least else 0  # there a power of two belongs to the binade below it
        if abs(k) < mechanism.last and away <= mechanism.bound:
            yield Configuration(mechanism, sensitivity, k, sign * (away - sensitivity), sign * away)


def opposite(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """c and c' on the other side of 0 than an output with |x| = 2**n, a little further away: there `parity` is used."""
    while True:
        p = rng.choice((53, regime.min_precision + 3, regime.min_precision + 4))
        scale, k = number(rng, p, 0), rng.choice((1, -1)) * 2 ** rng.randint(0, 2)
        lattice = Parameters(scale, scale, p).lattice
        spacing = Fraction(2) ** (floor_log2(2 * abs(k) * lattice) + 1 - p)
        size = abs(k) * lattice + lattice / 2 + rng.randint(1, 6) * spacing
        mechanism = Parameters(scale, size + rng.choice((0, 1)) * spacing, p)
        sign, beyond = -1 if k > 0 else 1, 3 * lattice / 4 + rng.choice((1, 2, 3)) * spacing / 4  # τ2 is below P then
        sensitivity = mechanism.spacing * rng.choice((4, 2, 1, Fraction(1, 2), 2**p))
        less = rng.choice((spacing, beyond)) if sensitivity > lattice else min(spacing, sensitivity)
        yield Configuration(mechanism, sensitivity, k, sign * (size - less), sign * size)


def edges(rng: random.Random, regime: Regime, most: Fraction | None) -> Iterator[Configuration]:
    """At the ends of what the theorem allows: the least p, B·η/λ as large as it may be or B = λ, c' = ±B, x next to B
    or to c', Δ as large as the spacing at 2B, or as small as c' allows."""
    while True:
        p = regime.min_precision
        scale, largest = number(rng, p, 0), min(regime.max_beta * 2**p, most or 2**p)
        mechanism = Parameters(scale, scale * rng.choice((1, 2, Fraction(2) ** floor_log2(largest))), p)
        sign, last = rng.choice((1, -1)), mechanism.last - 1
        away, k = sign * mechanism.bound, rng.choice((last, -last, 0, rng.randint(-last, last)))
        least = Fraction(2) ** (floor_log2(mechanism.bound) + 1 - p)  # the spacing at B
        sensitivity = rng.choice((mechanism.spacing, least, mechanism.spacing * 2 ** rng.randint(0, p)))
        yield Configuration(mechanism, sensitivity, k, away - sign * rng.choice((least, sensitivity)), away)


def at_a_power(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """τ1', or τ2', is a power of two: c' lies between x and 0, or next to 0."""
    while True:
        p = rng.choice((53, regime.min_precision + 3, regime.min_precision + 4))
        mechanism = Parameters(number(rng, p, 0), Fraction(rng.choice((6, 12, 24))), p)
        sign, k = rng.choice((1, -1)), rng.randint(1, mechanism.last - 1)
        t = to_fraction(boundary(mechanism, -sign * k - rng.choice((0, 1))).number)  # c' is on the other side of it
        power = Fraction(2) ** (floor_log2(abs(t)) + rng.choice((0, 1)))
        away, sensitivity = t + sign * power, mechanism.spacing * rng.choice((1, 2, Fraction(1, 2)))
        if away and abs(away) <= mechanism.bound and round_to_bits(abs(away), p, up=True) == abs(away):
            yield Configuration(mechanism, sensitivity, -sign * k, away - sign * sensitivity, away)


def widest(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """Λ = 2P: c and c' are the two floats below T1 = Λ/2, and τ1' is Λ. As cells are closed, its binade ends there."""
    while True:
        p = rng.choice((53, regime.min_precision, regime.min_precision + 3))
        mechanism = Parameters(number(rng, p, 0), Fraction(rng.choice((6, 12, 24))), p)
        half, spacing = mechanism.lattice / 2, eta(p) * mechanism.lattice / 2
        yield Configuration(mechanism, spacing, 1, half - spacing, half - 2 * spacing)


def alike(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """Δ is half the spacing at the four distances, which are in one binade; k is no power of two. There `parallel` is
    used."""
    while True:
        p = rng.choice((53, regime.min_precision + 3, regime.min_precision + 4))
        scale, k = 1 + Fraction(rng.getrandbits(p - 1), 2 ** (p - 1)), rng.choice((1, -1)) * rng.choice((5, 6))
        lattice = Parameters(scale, scale, p).lattice
        sensitivity, sign = 4 * eta(p) * lattice, -1 if k > 0 else 1  # P is 4Λ
        size = rng.randint(1, 2**p * 3 // 8) * sensitivity
        yield Configuration(Parameters(scale, 8 * lattice, p), sensitivity, k, sign * size, sign * (size + sensitivity))


def at_zero(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """c or c' is 0."""
    while True:
        p = rng.choice((53, regime.min_precision + 3, regime.min_precision + 4))
        mechanism = Parameters(number(rng, p, 0), Fraction(rng.choice((6, 12, 24))), p)
        sensitivity = mechanism.spacing * rng.choice((1, 2, Fraction(1, 2), Fraction(1, 64)))
        k, away = rng.choice((1, -1)) * rng.randint(1, mechanism.last - 1), rng.choice((1, -1)) * sensitivity
        yield Configuration(mechanism, sensitivity, k, *rng.choice(((Fraction(0), away), (away, Fraction(0)))))


def found(regime: Regime, seed: int, most: Fraction | None = None) -> Iterator[Configuration]:
    """Configurations with c and c' on one side of the output, from several sources, in units of 1, 1/8 and 8."""
    rng = random.Random(seed)
    sources = [configurations(rng, regime, most), crossing(rng, regime), opposite(rng, regime)]
    sources += [configurations(rng, regime, most), edges(rng, regime, most), at_a_power(rng, regime)]
    sources += [below.adversarial(rng, regime)] if most is None else []
    sources += [widest(rng, regime), alike(random.Random(seed), regime), edges(random.Random(seed), EVERY, most)]
    sources += [at_zero(random.Random(seed), regime)]
    for one, unit in zip(chain.from_iterable(zip(*sources, strict=False)), cycle((1, Fraction(1, 8), 8)), strict=False):
        m = one.parameters
        inside = m.scale <= m.bound and regime.covers(m.precision, m.beta) and abs(one.c) <= m.bound
        if inside and one.c != one.c_p and one.distances() is not None:
            larger = Parameters(unit * m.scale, unit * m.bound, m.precision)
            yield Configuration(larger, unit * one.sensitivity, one.k, unit * one.c, unit * one.c_p)


def sort_of(one: Configuration, regime: Regime) -> tuple[Any, ...]:
    """Configurations of one sort are alike for the lemmas: in the sizes of x and of Δ, the side of c, whether Λ is 2P,
    whether c or c' is 0, and whether they are at an end of what the theorem allows."""
    m, side = one.parameters, OneSide(one, regime)
    x, delta = abs(one.k) * m.lattice / side.unit, one.sensitivity / side.unit * 2**m.precision
    sizes = [max(-3, min(3, floor_log2(size))) if size else None for size in (x, delta)]
    at_an_end = m.precision == regime.min_precision, m.beta == regime.max_beta, m.scale == m.bound
    zero = tuple(value == 0 for value in side.values_of_f)
    return *sizes, one.k > 0, one.c > one.c_p, side.closed, m.lattice > side.unit, zero, at_an_end


def untrue(
    part: Part, count: int, most: Fraction | None, names: Iterable[str], regimes: Sequence[Regime]
) -> Iterator[str]:
    """Hypotheses that are false at a configuration, and statements that none of the configurations meets.

    Where a statement is not met by so many configurations, up to ten times as many are tried.
    """
    met, sorts = set[str](), Counter[Any]()
    wanted = set(names)
    for regime in regimes:
        for tried, configuration in enumerate(found(regime, 300 + int(regime.constant), most)):
            last = wanted <= met or regime != regimes[-1] or tried >= 10 * count
            if tried >= count and last:
                break
            sort = sort_of(configuration, regime)
            here = set[str]()
            for one in part(configuration, regime):
                if one.name not in here:
                    here.add(one.name)
                    sorts[one.name, sort] += 1
                if sorts[one.name, sort] <= ENOUGH:
                    yield from (f"{configuration}: {text}" for text in false(one))
            met |= here
    yield from (f"no configuration meets {name}" for name in sorted(wanted - met))


NEVER = Assumed("a false hypothesis", [z3.BoolVal(False)], {})


def outcome(
    part: Part,
    count: int,
    run: Run,
    stated: list[Statement],
    most: Fraction | None = None,
    regimes: Sequence[Regime] = (*REGIMES.values(),),
    sizes: Iterable[str] = (),
) -> Outcome:
    """Every statement must be met by a configuration, and so must the names of sizes."""
    count *= 20 if run.thorough else 1
    if not any(untrue(lambda one, regime: iter([NEVER]), 1, most, [], regimes)):
        return Outcome("error", "a hypothesis that is false is not noticed")
    names = [*(statement.name for statement in stated), *sizes]
    return concluded(untrue(part, count, most, names, regimes), f"{len(regimes) * count} configurations")


def concluded(faults: Iterator[str], tried: str) -> Outcome:
    if fault := next(faults, ""):
        return Outcome("refuted", "a lemma assumes what is not so", fault)
    return Outcome("proved", tried)


@obligation("theorem.instances.configuration", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_configurations(run: Run) -> Outcome:
    """`cases`, `premises`, `coverage`, `offsets` and `coarse` assume nothing that is false of a configuration."""
    stated = [*compose.regions(*inversion.TIES_UP), *premises.premises(TWELVE), *coarse.offsets()]
    stated += [*coarse.spacing_at_2b(), *coarse.few_values(), *coverage.independent(EIGHTEEN)]
    return outcome(lambda one, regime: OneSide(one, regime).assumptions(), 400, run, stated)


@obligation("theorem.instances.cells", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_cells(run: Run) -> Outcome:
    """`boundaries`, `cells`, `coarse` and `parity` assume nothing that is false of a configuration."""
    stated = [*grid.boundaries(), *grid.cells(), *coarse.next_binade(), *parity.parity(), *every.grains()]
    return outcome(lambda one, regime: Cells(OneSide(one, regime)).assumptions(), 400, run, stated)


@obligation("theorem.instances.rows", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_rows(run: Run) -> Outcome:
    """Wherever `coverage` finds a row, what this row assumes is true, also for every Δ."""
    return outcome(lambda one, regime: Cells(OneSide(one, regime)).row(), 400, run, [])


@obligation("theorem.instances.program", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_draws(run: Run) -> Outcome:
    """`rounding`, `errors`, `probability` and `parallel` assume nothing that is false of the program's own draws."""
    stated = [*inversion.rounding(), *inversion.walk(), *inversion.probabilities(*inversion.TIES_UP)]
    stated += [*inversion.parallel(), *inversion.steps(), *joined.sizes(), *joined.relative()]
    return outcome(lambda one, regime: draws(OneSide(one, regime)), 60, run, stated, Fraction(200))


@obligation("theorem.instances.faithful", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_faithful_arithmetic(run: Run) -> Outcome:
    """What `theorem.faithful` assumes of rays, errors and gaps is true of rounding to nearest."""
    stated = [*faithful.rays(), *faithful.errors(), *faithful.gaps(), *faithful.conditions()]
    return outcome(lambda one, regime: instances_faithful.draws(OneSide(one, regime)), 60, run, stated, Fraction(200))


@obligation(
    "theorem.instances.slopes",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="intervals with ends from 0 to 4, some without length; α, γ and g from 0 to 3",
)
def of_slopes(run: Run) -> Outcome:
    """What `slopes` assumes of means and derivatives is true of f(w) = ln(1 - e**-w) and of ln P."""
    points = list(instances_slopes.points())
    faults = (text for one in points for text in false(one))
    unmet = {statement.name for statement in slopes.statements()} - {one.name for one in points}
    return concluded(chain(faults, (f"nothing meets {name}" for name in sorted(unmet))), f"{len(points)} points")


def _one_side(one: Configuration, regime: Regime) -> Iterator[Assumed]:
    yield from joints.one_side(OneSide(one, regime))


@obligation("theorem.instances.joints", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_joints(run: Run) -> Outcome:
    """The joints of one-sided outputs, and `meanings`, assume nothing that is false of a configuration, at any Λ/P."""
    stated = [one for one in meanings.meanings(TWELVE) if one.hypotheses and one.name not in ("N", "slope")]
    sizes = [*(joints.size_of(ell) for _, ell in lattices()), *joints.SLOPES]
    return outcome(_one_side, 250, run, stated, Fraction(200), sizes=sizes)


def apart(one: Configuration) -> Iterator[Configuration]:
    """The same mechanism, with c' = B, and c at the other end or next to 0: outputs lie between them, also if B = λ."""
    m = one.parameters
    for c in (-m.bound, m.lattice / 4):
        yield replace(one, sensitivity=4 * Fraction(2) ** floor_log2(m.bound), c=c, c_p=m.bound)


def _around(one: Configuration, regime: Regime) -> Iterator[Assumed]:
    yield from joints.ends(one, regime)
    for each in (one, *apart(one)):
        yield from joints.inside(each, regime)
        yield from joints.around(each, regime)


@obligation("theorem.instances.around", claim=CLAIM, kind="sampled", decides=False, scope=SCOPE, timeout=600)
def of_outputs_around(run: Run) -> Outcome:
    """The joints and the coverage of x = ±B, and of outputs around c, assume nothing that is false."""
    stated = [*coverage.inside(TWELVE), *coverage.ends(TWELVE), *joined_inside.inside(TWELVE)]
    return outcome(_around, 250, run, stated, Fraction(200))


def _even(one: Configuration, regime: Regime) -> Iterator[Assumed]:
    """With ties to even, where c and c' are above the output; and with ties away from zero, if the output is 0."""
    rules: tuple[Ties, ...] = ("even",) if one.k else ("even", "away")
    for rule in rules:
        other = replace(one, parameters=replace(one.parameters, ties=rule))
        found = other.distances()
        if found is not None and not found[0]:
            yield from EvenSide(other, regime).assumptions()


@obligation(
    "theorem.instances.even",
    claim="N-4.2.2-priv",
    kind="sampled",
    decides=False,
    scope=f"ties to even, and away from zero at x = 0; {SCOPE}",
    timeout=600,
)
def of_ties_to_even(run: Run) -> Outcome:
    """The lemmas of ties.py, premises, coverage and rows of even.py, and `steps`, assume nothing that is false."""
    stated = [*ties.mirrored(), *ties.away(), *ties.even()]
    stated += [*even.premises(EVEN), *even.multiples(), *inversion.steps(), *meanings.steps()]
    return outcome(_even, 400, run, stated, regimes=[EVEN])
