"""The obligations `theorem.*`: each lemma of the graph, for each constant where it depends on it, and the graph."""

import random
from fractions import Fraction

from snapref_harness.core import Outcome, Run, obligation
from snapref_proofs.exact_obligations import BIG_B, refutation
from snapref_proofs.theorem import below, compose, replay, rows, uniform64
from snapref_proofs.theorem.compose import LEMMAS, Lemma
from snapref_proofs.theorem.linear import Decision, decide_all
from snapref_proofs.theorem.statement import ELEVEN, REGIMES, TWELVE, Regime

CLAIM = "F-T1"
# Said wherever the whole chain is evidence: it supports, and does not decide, as long as this step is only read.
COMPOSITION = (
    "The rows of the table of scenarios are decided apart (theorem.rows.*); that every configuration has its row is "
    "read and sampled (theorem.scenarios), not decided."
)


def outcome(decision: Decision) -> Outcome:
    return Outcome(decision.status, decision.detail)


def register(lemma: Lemma, regime: Regime) -> None:
    name = f"theorem.{lemma.name}" if lemma.common else f"theorem.{lemma.name}.{regime.constant}"
    conditions = "" if lemma.common else f"; p ≥ {regime.min_precision}, B·η/λ ≤ {regime.max_beta}"

    def check(run: Run) -> Outcome:
        return outcome(lemma.check(regime))

    check.__doc__ = lemma.says
    scope = lemma.scope + conditions
    obligation(name, claim=CLAIM, kind=lemma.kind, scope=scope, decides=False, timeout=600)(check)


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
    """What Figure 2's independent errors prove, for every sensitivity: 18 in place of 12."""
    return outcome(compose.INDEPENDENT.check(TWELVE))


@obligation(
    "theorem.rows.fine",
    claim=CLAIM,
    kind="smt",
    decides=False,
    scope="Δ a multiple of H: every pattern of binades, every place of x, both sides of c",
    timeout=600,
)
def fine_rows(run: Run) -> Outcome:
    """Gain, apart and width of every row of the table of scenarios follow from the facts about cells."""
    return outcome(decide_all(list(rows.statements(fine=True))))


@obligation(
    "theorem.rows.coarse",
    claim=CLAIM,
    kind="smt",
    decides=False,
    scope="Δ a power of two below H: every pattern of binades, every place of x, both sides of c",
    timeout=600,
)
def coarse_rows(run: Run) -> Outcome:
    """The same where the spacing exceeds Δ."""
    return outcome(decide_all(list(rows.statements(fine=False))))


@obligation("theorem.graph", claim=CLAIM, kind="algebra", scope="the lemmas of compose.py, all of them", decides=False)
def graph(run: Run) -> Outcome:
    """Every lemma comes after what it uses, every case of the theorem is there, and nothing is left over."""
    faults = list(compose.graph_faults())
    return Outcome("refuted", "\n".join(faults)) if faults else Outcome("proved", f"{len(LEMMAS)} lemmas")


def whole(regime: Regime) -> Outcome:
    """The whole chain of lemmas, in one process."""
    results = list(compose.prove(regime, supporting=False))
    if compose.proved(results) and not list(compose.graph_faults()):
        return Outcome("proved", f"C = {regime.constant}: {len(results)} lemmas. {COMPOSITION}")
    found = [result for result in results if result.decision.status != "proved"]
    return Outcome("undecided", "\n".join(f"{r.lemma.name}: {r.decision.detail}" for r in found))


INSIDE = "every λ ≤ B ≤ 2**(p-7) λ, p ≥ 11, Δ a power of two or a multiple of the spacing at 2B, unbounded U*"


@obligation(
    "theorem.mironov", claim="N-5-mir", kind="interval", part="conditional", scope=INSIDE, decides=False, timeout=600
)
def mironov(run: Run) -> Outcome:
    """The bound of 001/002 §5, constant 12, under its side conditions."""
    return whole(TWELVE)


@obligation(
    "theorem.mironov.printed",
    claim="N-5-mir",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 1, B = 2^53, f(a) = B, f(a') = B - 1, x = 1 - B",
)
def mironov_printed(run: Run) -> Outcome:
    """Without a side condition the bound is wrong: an infinite loss."""
    return refutation(BIG_B)


@obligation(
    "theorem.bound", claim="F-T1-x", kind="interval", part="corrected", scope=INSIDE, decides=False, timeout=600
)
def with_bound(run: Run) -> Outcome:
    """Theorem 1 with B in place of x, under its side conditions."""
    return whole(TWELVE)


@obligation(
    "theorem.small_bound",
    claim="F-T1-smallB",
    kind="interval",
    part="conditional",
    scope=INSIDE,
    decides=False,
    timeout=600,
)
def small_bound(run: Run) -> Outcome:
    """Theorem 1 with B in place of x holds for B ≥ λ."""
    return whole(TWELVE)


@obligation(
    "theorem.big_bound",
    claim="F-T1-bigB",
    kind="interval",
    part="conditional",
    scope=INSIDE,
    decides=False,
    timeout=600,
)
def big_bound(run: Run) -> Outcome:
    """Theorem 1 with B in place of x holds for B ≤ 2**(p-7) λ."""
    return whole(TWELVE)


@obligation(
    "theorem.tail",
    claim="F-T1-tail",
    kind="interval",
    part="conditional",
    scope="U* over the doubles, p = 53, every λ ≤ B ≤ 353λ, Δ a power of two or a multiple of the spacing at 2B",
    decides=False,
    timeout=600,
)
def tail(run: Run) -> Outcome:
    """Theorem 1 with B in place of x holds for U* over the doubles as long as no threshold leaves the normal ones."""
    return whole(ELEVEN) if uniform64.fits() else Outcome("refuted", "a threshold reaches 2**-1022")


@obligation(
    "theorem.case_b", claim="F-T1-caseB", kind="interval", part="conditional", scope=INSIDE, decides=False, timeout=600
)
def case_b(run: Run) -> Outcome:
    """The case -B < x < [f(a)] of Theorem 1, under the side conditions of the whole."""
    return whole(TWELVE)


@obligation(
    "theorem.clamp", claim="F-D2-clamp", kind="interval", part="corrected", scope=INSIDE, decides=False, timeout=600
)
def clamped(run: Run) -> Outcome:
    """With f(D) clamped to [-B, B] before the noise is added, Theorem 1 with B in place of x holds."""
    return whole(TWELVE)


@obligation(
    "theorem.scenarios",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="random and adversarial configurations inside the conditions, p = 11 … 27 and 53",
    timeout=600,
)
def replayed(run: Run) -> Outcome:
    """Every configuration falls into a scenario of the proof, and that scenario bounds it, in exact rationals."""
    count = 50_000 if run.thorough else 4000
    for regime in REGIMES.values():
        rng = random.Random(regime.constant)
        for configuration, _ in zip(replay.configurations(rng, regime), range(count), strict=False):
            if fault := configuration.missed(regime):
                return Outcome("refuted", "a configuration that no scenario covers", fault)
    return Outcome("proved", f"{len(REGIMES) * count} configurations, none missed")


@obligation(
    "theorem.evaluated",
    claim=CLAIM,
    kind="sampled",
    decides=False,
    scope="random and adversarial parameters inside the conditions, p = 11 … 27 and 53, the exact evaluator",
    timeout=600,
)
def evaluated(run: Run) -> Outcome:
    """The exact loss never exceeds the proved bound."""
    count = 100_000 if run.thorough else 10_000
    for regime in REGIMES.values():
        found = below.adversarial(random.Random(100 + regime.constant), regime)
        for configuration, _ in zip(found, range(count), strict=False):
            if replay.beyond(configuration, regime):
                return Outcome("refuted", "the loss exceeds the bound", str(configuration))
    return Outcome("proved", f"{len(REGIMES) * count} sets of parameters, none above the bound")


@obligation(
    "theorem.below",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="p = 53, unbounded U*, Δ = 1: the parameters of record.json, inside the conditions of C = 11",
)
def exhibited(run: Run) -> Outcome:
    """The kept witness is legal, its loss exceeds ε + 10.97·Bεη + 2η, and the reference gives the same numbers."""
    record = below.load()
    low, _ = record.constant()
    scale, bound = (Fraction(float.fromhex(x)) for x in (record.scale, record.bound))
    if not record.legal() or bound * ELEVEN.eta > ELEVEN.max_beta * scale * 2 ** (53 - ELEVEN.min_precision):
        return Outcome("error", "the record lies outside the conditions")
    if low <= Fraction(1097, 100) or low > ELEVEN.constant:
        return Outcome("refuted", f"the record has the constant {float(low)}")
    if not record.witness().replays():
        return Outcome("error", "the reference gives other probabilities than the evaluator")
    return Outcome(
        "proved", f"(loss - ε - 2η)/(Bεη) = {float(low):.6f}", record.witness().trace(record.witness().loss_bound)
    )


@obligation(
    "theorem.binary64",
    claim=CLAIM,
    kind="interval",
    decides=False,
    scope="U* over the doubles, p = 53, λ ≤ B ≤ 353λ: every threshold lies where the two laws of U* agree",
)
def binary64(run: Run) -> Outcome:
    """No threshold reaches the subnormal numbers, so the output has the law that it has with unbounded U*."""
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
    scope="p = 53, the values of record.json, Δ = |a - b|: a multiple of a quarter of the spacing at 2B",
)
def sensitivity_needed(run: Run) -> Outcome:
    """A Δ that is no multiple of the spacing: the loss exceeds Δ/λ + 11.9·B·η/λ + 2η, so 11 needs the condition."""
    witness = below.load().witness()
    distance, h = abs(witness.a - witness.b), Fraction(1, 2**53)
    limit = (distance + Fraction(119, 10) * witness.bound * h) / witness.scale + 2 * h
    if not witness.loss.exceeds(limit):
        return Outcome("undecided", "the loss stays within the bound")
    return Outcome("proved", f"Δ = 1 - {float(1 - distance):.3g}, the loss exceeds 11.9", witness.trace(limit))
