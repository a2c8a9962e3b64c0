"""The obligations `theorem.*` about Theorem 1 (004 §4): each lemma of compose.py, and what stands beside the proof.

A lemma that depends on the constant C is registered for each regime of statement.py: for C = 12, and for the sharper
C(β), under the next whole number, 11. `theorem.graph` decides that
no lemma is missing from the list. The claim is `F-T1`, and those in RESTING.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from snapref.mechanism import snapped
from snapref_ledger import Outcome, Run, obligation
from snapref_ledger.obligations import Part
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.variants import unclamped
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.exact.obligations import BIG_B, refutation
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import (
    below,
    compose,
    coverage,
    every,
    independent,
    joined,
    joined_inside,
    meanings,
    needed,
    pages_elsewhere,
    premises,
    replay,
    uniform64,
)
from snapref_proofs.theorem1.compose import LEMMAS, Lemma
from snapref_proofs.theorem1.pages import with_page
from snapref_proofs.theorem1.statement import EIGHTEEN, EVERY, PROVED, REGIMES, TWELVE, Regime, unproved
from snapref_smt.engine.statement import Stated
from snapref_smt.engine.stating import Beside, besides, proves

CLAIM = "F-T1"
SEQUENCE = range(12, 201)  # the precisions of `theorem.below.sequence`
INSIDE = "every p and λ ≤ B ≤ 2**(p-7) λ, Δ a power of two or a multiple of the spacing at 2B, unbounded U*"
# The claims that rest on the theorem with the constant 12. Every lemma is evidence for each of these claims, and so is
# `theorem.graph`, which decides that none is missing from the list. If one lemma is not proved, all stay open.
RESTING: tuple[tuple[str, Part], ...] = (
    ("N-5-mir", "conditional"),
    ("F-T1-x", "corrected"),
    ("F-T1-smallB", "conditional"),
    ("F-T1-bigB", "conditional"),
    ("F-T1-tail", "conditional"),
    ("F-T1-caseB", "conditional"),
    ("F-T1-caseD", "conditional"),
    ("F-T1-caseE", "conditional"),
    ("F-T1-dir", "corrected"),
    ("F-D2-clamp", "corrected"),
    ("N-4.2.2-priv", "conditional"),
    ("N-5-prec", "corrected"),
)


def resting(regime: Regime) -> tuple[tuple[str, Part], ...]:
    """The claims that rest on the theorem with this constant. N-5-mir says 11 as well; ties to even use its lemmas."""
    return RESTING if regime == TWELVE else tuple(one for one in RESTING if one[0] in ("N-5-mir", "N-4.2.2-priv"))


def name_of(lemma: Lemma, regime: Regime) -> str:
    return f"theorem.{lemma.name}" if lemma.common else f"theorem.{lemma.name}.{ceil(regime.constant)}"


def on_run(checks: Iterable[Callable[[Regime], Iterable[str]]], regime: Regime) -> dict[str, Any]:
    """The first of the checks beside the statements of an obligation, and the others, which must fail."""

    def at(check: Callable[[Regime], Iterable[str]]) -> Beside:
        return lambda run: check(regime)

    beside, *broken = map(at, checks)
    return {"beside": beside, "broken": broken}


def compared(
    compare: joined.Compare,
    listed: Callable[[Regime], Iterable[Inequality]],
    regime: Regime,
    wrong: Iterable[compose.Check] = (),
) -> dict[str, Any]:
    """That the list of inequalities is what is joined to the loss; and that a wrong list, or joint, is noticed."""
    return on_run([*joined.comparisons(compare, listed), *wrong], regime)


def register(lemma: Lemma, regime: Regime) -> None:
    conditions = "" if lemma.common else f"; C = {regime}, p ≥ {regime.min_precision}, B·η/λ ≤ {regime.most}"
    id, scope, also = name_of(lemma, regime), lemma.scope + conditions, resting(regime)
    if lemma.states is not None:

        def stated() -> Iterable[Stated]:
            return lemma.stated(regime)

        stated.__doc__ = lemma.says
        proves(
            id,
            claim=CLAIM,
            scope=scope,
            decides=False,
            timeout=600,
            also=also,
            count=lemma.count,
            **on_run((lemma.faults, *lemma.broken), lemma.seen(regime)),
        )(stated)
    else:

        def check(run: Run) -> Outcome:
            return lemma.check(regime, run)

        check.__doc__ = lemma.says
        obligation(id, claim=CLAIM, kind=lemma.kind, scope=scope, decides=False, timeout=600, also=also)(check)


for _lemma in LEMMAS:
    for _regime in [TWELVE] if _lemma.common else REGIMES.values():
        register(_lemma, _regime)


@obligation(
    "theorem.independent",
    claim=CLAIM,
    kind="interval",
    decides=False,
    scope=compose.INDEPENDENT.scope,
    timeout=600,
)
def figure2(run: Run) -> Outcome:
    """With all errors independent, as in Figure 2, the loss is bounded for every sensitivity with 18 in place of 12."""
    return compose.INDEPENDENT.check(EIGHTEEN, run)


@proves(
    "theorem.joined.independent",
    claim=CLAIM,
    decides=False,
    scope=compose.INDEPENDENT.scope,
    timeout=600,
    **compared(compose.unlike_independent, compose.independent_inequalities, EIGHTEEN),
    count=54,
)
def joined_independent() -> list[Stated]:
    """If the inequalities of `theorem.independent` hold, so does the bound with 18, in both directions, and at ±B."""
    inside = [*joined_inside.inside(EIGHTEEN), *joined.ends(EIGHTEEN)]
    stated = [*joined.independent(EIGHTEEN), *meanings.meanings(EIGHTEEN), *inside]
    return with_page(stated, pages_elsewhere.independent_joined())


@proves(
    "theorem.coverage.independent",
    claim=CLAIM,
    decides=False,
    scope=compose.INDEPENDENT.scope,
    timeout=600,
    **on_run(compose.in_boxes(coverage.independent, independent.boxes(EIGHTEEN)), EIGHTEEN),
    count=77,
)
def covered_independent() -> list[Stated]:
    """Every configuration, whatever its Δ, lies in the box of an inequality of `theorem.independent`."""
    stated = [*coverage.independent(EIGHTEEN), *premises.beside_tables(EIGHTEEN)]
    return with_page(stated, pages_elsewhere.independent_covered())


ANY_DELTA = f"every Δ > 0: C = {EVERY}, p ≥ {EVERY.min_precision}, λ ≤ B, B·η/λ ≤ {EVERY.most}"


EVERY_DELTA = Lemma(
    "every",
    "without a condition on Δ, the inequalities hold with 12.42 + 32β in place of 12",
    ANY_DELTA,
    "interval",
    (),
    bounds=every.inequalities,
    short=Fraction(123, 10),
    common=False,
)


@obligation("theorem.every", claim=CLAIM, kind="interval", decides=False, scope=ANY_DELTA, timeout=600)
def every_sensitivity(run: Run) -> Outcome:
    """Without a condition on Δ, the inequalities hold with 12.42 + 32β in place of 12."""
    return EVERY_DELTA.check(EVERY, run)


@proves("theorem.every.rows", claim=CLAIM, decides=False, scope=ANY_DELTA, timeout=600, count=1350)
def every_rows() -> list[Stated]:
    """The bounds on D2 - d, D2 - D1 and V1' - V2' in every row of every.py: from the cells, and the grain of c, c'."""
    return with_page([*every.grains(), *every.stated_rows()], pages_elsewhere.every_row())


@proves(
    "theorem.every.coverage",
    claim=CLAIM,
    decides=False,
    scope=ANY_DELTA,
    timeout=600,
    **on_run(
        compose.in_rows(every.forward, every.Anywhere, *coverage.OF_ROWS, coverage.Odd, *map(every.small, range(2))),
        EVERY,
    ),
    count=619,
)
def every_configuration() -> list[Stated]:
    """Every configuration, whatever its Δ, has a row of every.py that applies to it; so for the other ratio."""
    return with_page(every.covered(EVERY), pages_elsewhere.every_covered())


@proves(
    "theorem.every.joined",
    claim=CLAIM,
    decides=False,
    scope=ANY_DELTA,
    timeout=600,
    **compared(every.unlike, every.inequalities, EVERY),
    count=70,
)
def every_joined() -> list[Stated]:
    """If the inequalities of `theorem.every` hold, so does the bound, in both directions, at every output."""
    return with_page(every.joints(EVERY), pages_elsewhere.every_joined())


TOO_MUCH: tuple[dict[str, Any], ...] = ({"constant": 10}, {"min_precision": 6}, {"max_beta": Fraction(1, 2**6)})


@obligation(
    "theorem.table",
    claim=CLAIM,
    kind="algebra",
    decides=False,
    scope="every row of snapref.budget.PROVED",
    also=RESTING,
)
def rows_of_the_reference(run: Run) -> Outcome:
    """Every constant that the reference uses follows, under its conditions, from one that is proved."""
    wrong = [replace(row, **change) for row in PROVED for change in TOO_MUCH]
    smaller = [row for row in PROVED if row.constant < TWELVE.constant]
    wrong += [replace(row, max_beta=TWELVE.max_beta) for row in smaller]  # there C(β) is larger
    unseen = [str(row) for row in wrong if not list(unproved([row]))]
    if computed := besides([*unproved(PROVED), *(f"{row} is not proved, and nobody notices" for row in unseen)], []):
        return computed
    return Outcome("proved", f"{len(PROVED)} rows")


@obligation(
    "theorem.mironov.printed",
    claim="N-5-mir",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 1, B = 2^53, f(a) = B, f(a') = B - 1, x = 1 - B",
)
def mironov_printed(run: Run) -> Outcome:
    """Without a side condition the bound is wrong: here the loss is infinite."""
    return refutation(BIG_B)


@obligation(
    "theorem.tail",
    claim="F-T1-tail",
    kind="interval",
    part="conditional",
    scope="U* over the doubles, p = 53, every λ ≤ B ≤ 353λ: the law of the output is that with unbounded U*",
)
def tail(run: Run) -> Outcome:
    """Theorem 1 with B in place of x is true for U* over the doubles, if all thresholds are normal doubles."""
    fits = uniform64.fits()
    return Outcome("proved", "B ≤ 353λ") if fits else Outcome("refuted", "a threshold reaches 2**-1022")


CASE_D = Witness(
    Parameters(Fraction(1, 2**10), Fraction(2), uniform="binary64"), Fraction(0), Fraction(1), Fraction(1, 2**10)
)
CASE_E = Witness(
    Parameters(Fraction(8760781714584223, 2**23), Fraction(2**20)),
    Fraction(562949952372735, 2**20),
    Fraction(562949953421311, 2**20),
    Fraction(0),
)


@obligation(
    "theorem.case_d.printed",
    claim="F-T1-caseD",
    kind="exact",
    expected="refuted",
    scope="p = 53, U* over the doubles, λ = 2^-10, B = 2, f(a) = 0, f(a') = 1, x = 2^-10",
)
def case_d(run: Run) -> Outcome:
    """The printed statement does not say how small u can be.

    With doubles x has probability 0 from a', but not from a.
    """
    entry = CASE_D.entry
    if not (CASE_D.loss.infinite and entry.a.significand > 0 and CASE_D.replays()):
        return Outcome("undecided", "the loss is finite, or the replay differs")
    return Outcome("refuted", "an infinite loss", CASE_D.trace())


@obligation(
    "theorem.case_e.printed",
    claim="F-T1-caseE",
    kind="exact",
    expected="refuted",
    scope=f"p = 53, λ = {float(CASE_E.parameters.scale)!r}, B = 2^20, f(a) = f(a') - 1, f(a') = {float(CASE_E.b)!r}, "
    "neither clamped, x = 0 = [f(a')]",
)
def case_e(run: Run) -> Outcome:
    """If f is not clamped and B is small compared with λ, the bound is small, but the rounding errors are not."""
    larger = to_fraction(CASE_E.entry.a) > to_fraction(CASE_E.entry.b)
    beyond = CASE_E.loss.exceeds(CASE_E.loss_bound)
    if not (larger and beyond and CASE_E.b - CASE_E.a == 1 and CASE_E.replays(unclamped)):
        return Outcome("undecided", "the loss does not exceed the bound, or the replay differs")
    return Outcome("refuted", "", CASE_E.trace(replay="snapref verify theorem.case_e.printed --no-cache"))


@obligation(
    "theorem.scenarios",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="2,000 random and adversarial configurations inside the conditions of each constant (with --thorough "
    "50,000), p = 7 … 21 and 53",
    timeout=600,
)
def replayed(run: Run) -> Outcome:
    """Every configuration that was tried has a scenario of the proof that covers it, compared in exact rationals."""
    count = 50_000 if run.thorough else 2_000
    for regime in REGIMES.values():
        rng = random.Random(int(regime.constant))
        for configuration, _ in zip(replay.configurations(rng, regime), range(count), strict=False):
            if fault := configuration.missed(regime):
                return Outcome("refuted", "a configuration that no scenario covers", fault)
    return Outcome("proved", f"{len(REGIMES) * count} configurations, none missed")


@obligation(
    "theorem.evaluated",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="3,000 random and adversarial sets of parameters inside the conditions of each constant (with --thorough "
    "100,000), p = 7 … 21 and 53, the exact evaluator",
    timeout=600,
)
def evaluated(run: Run) -> Outcome:
    """At the parameters that were tried, the exact loss does not exceed the proved bound."""
    count = 100_000 if run.thorough else 3_000
    for regime in REGIMES.values():
        found = below.adversarial(random.Random(100 + int(regime.constant)), regime)
        for configuration, _ in zip(found, range(count), strict=False):
            if replay.beyond(configuration, regime):
                return Outcome("refuted", "the loss exceeds the bound", str(configuration))
    return Outcome("proved", f"{len(REGIMES) * count} sets of parameters, none above the bound")


@obligation(
    "theorem.joined.replayed",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="below.worst(53), and random and adversarial configurations inside the conditions, p = 7 … 21 and 53",
    timeout=600,
)
def own_rows(run: Run) -> Outcome:
    """The exact loss is at most what the inequality of its own row says at its own point, in both directions."""
    count = 20_000 if run.thorough else 1000
    for regime in REGIMES.values():
        found = islice(below.adversarial(random.Random(200 + int(regime.constant)), regime), count)
        for configuration in (below.worst(), *found):
            if fault := configuration.above_its_row(regime):
                return Outcome("refuted", "the loss exceeds the bound of its row", fault)
    return Outcome("proved", f"{len(REGIMES) * (count + 1)} configurations, none above its row")


@obligation(
    "theorem.below",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="p = 53, unbounded U*, Δ = 1: the parameters of below.worst(53), inside the conditions of every constant",
)
def exhibited(run: Run) -> Outcome:
    """A set of parameters meets all conditions, and its loss exceeds ε + 10.9835·Bεη + 2η; it is replayed."""
    found = below.worst()
    low, high = below.constant(found)
    m, witness = found.parameters, below.witness(found)
    if not below.legal(found) or not all(regime.covers(m.precision, m.beta) for regime in REGIMES.values()):
        return Outcome("error", "the parameters are outside the conditions")
    if low <= Fraction(109835, 10000) or below.against_the_limit(high) >= 0:
        return Outcome("refuted", f"the constant is {float(low)}")
    if not witness.replays():
        return Outcome("error", "the reference gives other probabilities than the evaluator")
    return Outcome("proved", f"(loss - ε - 2η)/(Bεη) = {float(low):.6f}", witness.trace(witness.loss_bound))


@obligation(
    "theorem.below.sequence",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope=f"p = {SEQUENCE[0]} … {SEQUENCE[-1]}, unbounded U*, Δ = 1: the parameters of below.worst(p), B/λ from 9 to "
    "2**65",
)
def sequence_from_below(run: Run) -> Outcome:
    """The exact losses come as close to ε + (4 + 12/(e - 1))·Bεη + 2η as one likes, and do not reach it.

    The gap is less than 32·2**-⌊(p-2)/3⌋.
    """
    for p in SEQUENCE:
        found = below.worst(p)
        low, high = below.constant(found)
        close = below.against_the_limit(low + Fraction(32, 2 ** ((p - 2) // 3))) > 0
        if not (below.legal(found) and close and below.against_the_limit(high) < 0):
            return Outcome("refuted", f"p = {p}: the constant is {float(low)}", str(found))
        if p % 20 == 13 and not below.witness(found).replays():
            return Outcome("error", f"p = {p}: the reference gives other probabilities than the evaluator")
    return Outcome("proved", f"{len(SEQUENCE)} sets of parameters; the last is within 2**-61 of the limit")


@obligation(
    "theorem.binary64",
    claim=CLAIM,
    kind="interval",
    decides=False,
    scope="U* over the doubles, p = 53, λ ≤ B ≤ 353λ: every threshold lies where the two laws of U* agree",
)
def binary64(run: Run) -> Outcome:
    """No threshold reaches the subnormal numbers, so the output has the same distribution as with unbounded U*."""
    if not uniform64.fits():
        return Outcome("refuted", "a threshold reaches 2**-1022")
    if uniform64.fits(uniform64.LIMIT + 1):
        return Outcome("error", "the limit is not the largest whole number")
    difference = next(uniform64.differences(2000 if run.thorough else 200, seed=64), "")
    return Outcome("refuted", "the laws differ", difference) if difference else Outcome("proved", "B ≤ 353λ")


@obligation(
    "theorem.needed.sensitivity",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="p = 53, the values of below.worst(53), Δ = |a - b|: a multiple of a quarter of the spacing at 2B",
)
def sensitivity_needed(run: Run) -> Outcome:
    """If Δ is not a multiple of the spacing, the loss can exceed Δ/λ + 11.98·B·η/λ + 2η. So 11 needs the condition."""
    witness = below.witness(below.worst())
    m, distance, h = witness.parameters, abs(witness.a - witness.b), Fraction(1, 2**53)
    limit = (distance + Fraction(1198, 100) * m.bound * h) / m.scale + 2 * h
    if not witness.loss.exceeds(limit):
        return Outcome("undecided", "the loss stays within the bound")
    return Outcome("proved", f"Δ = 1 - {float(1 - distance):.3g}, the loss exceeds 11.98", witness.trace(limit))


@obligation(
    "theorem.needed.logarithm",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="p = 53, the parameters of below.worst(53), LN faithful and monotone, not the nearest next to four numbers",
)
def logarithm_needed(run: Run) -> Outcome:
    """If LN is only faithful, the loss can exceed Δ/λ + 19.6·B·η/λ + 2η. So 12 needs a correctly rounded logarithm."""
    configuration = below.worst()
    steered = needed.against(configuration)
    loss = needed.loss_of(configuration, steered.program)
    if needed.constant(configuration, needed.loss_of(configuration, snapped)) > TWELVE.constant:
        return Outcome("error", "the reference itself exceeds the bound")
    found = needed.constant(configuration, loss)
    if found <= Fraction(196, 10):
        return Outcome("undecided", f"the constant is only {float(found):.4f}")
    numbers = ", ".join(str(y) for y in sorted(steered.easy | steered.hard))
    trace = f"{configuration}\nrounded to the other side just before -LN(u) = {numbers}\nloss {loss.text()}"
    return Outcome("proved", f"(loss - ε - 2η)/(Bεη) = {float(found):.4f}", trace)
