"""The obligations `theorem.ties*`: Theorem 1 with the other tie rules of round_Λ (001 and 002, §4.2.2; 004 §4).

The claim is `N-4.2.2-priv`. For ties to even the chain is `program`, `rows`, `coverage`, `joined` and the inequalities.
Whatever does not depend on the tie rule is shared with the chain of the sharper constant, 11: obligations.py.
"""

from collections.abc import Iterator
from fractions import Fraction

from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.parameters import Ties
from snapref_proofs.evaluate.variants import with_ties
from snapref_proofs.theorem1 import (
    below,
    below_even,
    compose,
    coverage,
    even,
    inversion,
    misread,
    pages_elsewhere,
    replayed,
    ties,
)
from snapref_proofs.theorem1.obligations import compared, on_run
from snapref_proofs.theorem1.pages import with_page
from snapref_proofs.theorem1.scenarios import HALF
from snapref_proofs.theorem1.statement import EVEN, SHARP, TWELVE, Regime
from snapref_smt.engine.statement import Stated, Statement
from snapref_smt.engine.stating import Beside, proves

CLAIM = "N-4.2.2-priv"
SCOPE = (
    "ties to even, and ties away from zero at x = 0; Δ a power of two or a multiple of the spacing at 2B; "
    f"C = {EVEN}, p ≥ {EVEN.min_precision}, λ ≤ B, B·η/λ ≤ {EVEN.most}"
)


@proves(
    "theorem.ties",
    claim=CLAIM,
    part="conditional",
    scope="all reals: ties toward -∞ at every output; ties away from zero at every output but 0",
    count=5,
)
def other_ties() -> list[Statement]:
    """Ties toward -∞ are the mirror image of ties toward +∞, stage by stage. The theorem's conditions do not change."""
    return [*ties.mirrored(), *ties.away()]


@obligation(
    "theorem.ties.printed",
    claim=CLAIM,
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = Λ = 1, B = 8: the interval of c ± Z that leads to x = 3, ties to even, and to x = 0, ties away",
)
def ties_printed(run: Run) -> Outcome:
    """The proof needs the length Λ for the interval of x = 3, and Λ + ηΛ/4 for x = 0; other tie rules change these."""
    lines = []
    others: tuple[tuple[Ties, int], ...] = (("even", 3), ("away", 0))
    for rule, k in others:
        usual, other = ties.length(k, "up"), ties.length(k, rule)
        if usual == other:
            return Outcome("undecided", f"x = {k}, ties {rule}: the same length as with ties up")
        lines.append(f"x = {k}: length Λ {to_eta(usual - 1)} with ties up, Λ {to_eta(other - 1)} with ties {rule}")
    return Outcome(
        "refuted", "the lemma `premises` does not hold for them: they need an argument of their own", "\n".join(lines)
    )


def to_eta(x: Fraction) -> str:
    return f"{'-' if x < 0 else '+'} {abs(x) * 2**53}·η"


def other_conditions(regime: Regime) -> Iterator[str]:
    if (regime.min_precision, regime.max_beta) != (SHARP.min_precision, SHARP.max_beta):
        yield "the lemmas that do not depend on the tie rule are not about these conditions"


TIES_TO_EVEN = compose.Lemma(
    "ties.even",
    "with ties to even in round_Λ, the inequalities hold with 11.984 + 64β",
    SCOPE,
    "interval",
    (),
    faults=other_conditions,
    broken=(lambda regime: other_conditions(TWELVE),),
    bounds=even.inequalities,
    short=Fraction(1198, 100),
    common=False,
)


@obligation("theorem.ties.even", claim=CLAIM, kind="interval", part="conditional", scope=SCOPE, timeout=600)
def even_inequalities(run: Run) -> Outcome:
    """With ties to even in round_Λ, the inequalities hold with 11.984 + 64β; so the theorem has 12 where β ≤ 2**-12."""
    return TIES_TO_EVEN.check(EVEN, run)


def compared_with_the_evaluator(run: Run) -> Iterator[str]:
    """Where the evaluator has other thresholds or probabilities than the statements say."""
    for p in (11, 12, 13, 14):
        yield from replayed.even_table(p)
    yield from replayed.wrong_probabilities(5, "even")


WRONG: tuple[Beside, ...] = (
    lambda run: replayed.even_table(11, part=HALF),
    lambda run: replayed.wrong_probabilities(4, "even", part=HALF),
)


@proves(
    "theorem.ties.even.program",
    claim=CLAIM,
    part="conditional",
    scope=SCOPE,
    timeout=600,
    beside=compared_with_the_evaluator,
    broken=WRONG,
    count=78,
)
def even_program() -> list[Stated]:
    """Thresholds, probabilities, cases, half gaps with ties to even; w - w' in steps. Compared with the evaluator."""
    stated = [*ties.even(), *even.premises(EVEN), *even.multiples(), *inversion.steps()]
    return with_page(stated, pages_elsewhere.even_program())


@proves(
    "theorem.ties.even.rows",
    claim=CLAIM,
    part="conditional",
    scope=SCOPE,
    timeout=600,
    beside=lambda run: even.unstated(even.stated_rows()),
    broken=[lambda run: even.unstated(even.stated_rows()[1:])],
    count=429,
)
def even_rows() -> list[Stated]:
    """The bounds on D2 - Δ, D2 - D1, D2 and V1' - V2' in every row of even.py: from the facts about cells."""
    return with_page(even.stated_rows(), pages_elsewhere.even_row())


@proves(
    "theorem.ties.even.coverage",
    claim=CLAIM,
    part="conditional",
    scope=SCOPE,
    timeout=600,
    **on_run(compose.in_rows(even.forward, even.Even, *coverage.OF_ROWS, coverage.Unsized), EVEN),
    count=597,
)
def even_coverage() -> list[Stated]:
    """Every configuration with ties to even has a row of even.py that applies to it; so for the other cases."""
    return with_page(even.covered(EVEN), pages_elsewhere.even_covered())


@proves(
    "theorem.ties.even.joined",
    claim=CLAIM,
    part="conditional",
    scope=SCOPE,
    timeout=600,
    **compared(even.unlike, even.inequalities, EVEN, misread.misreadings(even.in_steps, misread.STEPS)),
    count=76,
)
def even_joined() -> list[Stated]:
    """If the inequalities of `theorem.ties.even` hold, so does the bound, in both directions, at every output."""
    return with_page(even.joints(EVEN), pages_elsewhere.even_joined())


@obligation(
    "theorem.ties.below",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="ties to even, unbounded U*, Δ = 1, p = 20 … 200: the parameters of below_even.worst(p)",
)
def even_from_below(run: Run) -> Outcome:
    """With ties to even the loss can exceed ε + 11.983·Bεη + 2η, at p = 53, which ties up never do. It is replayed.

    As p grows, the constants tend to 5 + 12/(e - 1); the gap is less than 96·2**-⌊(p-2)/3⌋.
    """
    for p in range(20, 201):
        found = below_even.worst(p)
        low, high = below.constant(found)
        close = below_even.against_the_limit(low + Fraction(96, 2 ** ((p - 2) // 3))) > 0
        if not below.legal(found) or not EVEN.covers(p, found.parameters.beta):
            return Outcome("error", f"p = {p}: the parameters are outside the conditions")
        if not close or below_even.against_the_limit(high) >= 0:
            return Outcome("refuted", f"p = {p}: the constant is {float(low)}", str(found))
    witness, (low, _) = below.witness(below_even.worst()), below.constant(below_even.worst())
    if low <= Fraction(11983, 1000):
        return Outcome("refuted", f"the constant is only {float(low)}")
    if not witness.replays(with_ties("even")):
        return Outcome("error", "the program with ties to even gives other probabilities than the evaluator")
    return Outcome("proved", f"181 sets of parameters; at p = 53 the constant is {float(low):.5f}", witness.trace())
