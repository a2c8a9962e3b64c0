"""The edges of Theorem 1's conditions, from both sides (004 §4): where the bound with 12 holds, and where it fails.

The condition on p is none: the lemmas for 12 are about every p that the other conditions allow (statement.py). Here are
the other edges: λ ≤ B, the limit of B·η/λ, and rounding to nearest. notes/constant.md tells what is known of each.
"""

from fractions import Fraction
from math import isqrt
from typing import get_args

from snapref.mechanism import snapped
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.loss import Loss
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.exact.obligations import refutation
from snapref_proofs.theorem1 import below, directed, directed_law, faithful, few_bits, needed
from snapref_proofs.theorem1.directed_law import Direction
from snapref_proofs.theorem1.pages import of_faithful, with_page
from snapref_proofs.theorem1.replay import Configuration
from snapref_proofs.theorem1.statement import REGIMES, TWELVE
from snapref_smt.engine.statement import Stated
from snapref_smt.engine.stating import proves

CLAIM = "F-T1"
EVERY_P = range(8, 121)  # of `theorem.edge.big_bound`

# B = 0.249λ, κ close to 2. c' lies at the beginning of a cell and c at the end of one, so D - Δ is 3/4 of a spacing.
# The two errors of LN have nearly their full size, and those of U* a large part of it.
QUARTER = Witness(
    Parameters(Fraction(2251940254521459, 2**51), Fraction(2242932493503373, 2**53)),
    Fraction(-4485864985666129, 2**54),
    Fraction(-8971729971459067, 2**55),
    Fraction(2242932493503373, 2**53),
    Fraction(63405, 2**54),
)


def above_quarter(precision: int) -> Witness:
    """B·η/λ just above 1/4: no draw gives Z = 2**p, and from c = 2**(p-1) the output x = -c needs just that.

    Λ = 2, λ = 2 - m·2**(2-p) and y = 2**(p-1) + m, from where on -LN(u) moves in steps of 1. With m² = (3/4)·2**(p-2),
    λy is 2**p - 3/4, and Z = 2**p - 1; the next y gives λy > 2**p + 1, and Z = 2**p + 2.
    """
    half, m = Fraction(2) ** (precision - 1), isqrt(3 * 2 ** (precision - 4))
    parameters = Parameters(2 - m * Fraction(2) ** (2 - precision), half + 1, precision)
    return Witness(parameters, half, half - Fraction(1, 2), -half, Fraction(1, 2))


@obligation(
    "theorem.edge.small_bound",
    claim="F-T1-smallB",
    kind="exact",
    expected="refuted",
    scope="p = 53, B = 0.249λ, Δ a multiple of the spacing at 2B, x = B",
)
def small_bound(run: Run) -> Outcome:
    """The bound fails already at B = 0.249λ. So λ ≤ B can be weakened to B ≥ λ/4 at the most."""
    m = QUARTER.parameters
    if m.bound < Fraction(248, 1000) * m.scale or QUARTER.sensitivity % m.spacing:
        return Outcome("error", "these are not the parameters that the scope names")
    return refutation(QUARTER)


@obligation(
    "theorem.edge.big_bound",
    claim="F-T1-bigB",
    kind="exact",
    expected="refuted",
    scope=f"every p from {EVERY_P[0]} to {EVERY_P[-1]}: Λ = 2, B = 2^(p-1) + 1, λ = 2 - m·2^(2-p) with m² ≈ "
    "(3/4)·2^(p-2), so B·η/λ < 1/4 + 2^(-p/2); Δ = 1/2, f(a) = 2^(p-1), x = -2^(p-1)",
)
def big_bound(run: Run) -> Outcome:
    """Just above B·η/λ = 1/4 the loss is infinite, for small p and large."""
    for p in EVERY_P:
        found = above_quarter(p)
        m = found.parameters
        if not found.loss.infinite:
            return Outcome("undecided", f"p = {p}: the loss is finite")
        if (m.beta - Fraction(1, 4)) ** 2 * 2**p >= 1:
            return Outcome("error", f"p = {p}: B·η/λ is not that of the scope")
        if p % 20 == 11 and not found.replays():
            return Outcome("error", f"p = {p}: the reference gives other probabilities than the evaluator")
    return refutation(above_quarter(53))


@obligation(
    "theorem.edge.formats",
    claim=CLAIM,
    kind="exhaustive",
    decides=False,
    scope="p = 4, 5 (thorough: 6): every λ, every B with λ/4 ≤ B ≤ 2^(p-2)·λ, so B·η/λ ≤ 1/4; every pair of p-bit "
    "values in [-B, B], every output, every u, every Δ",
    timeout=600,
)
def up_to_a_quarter(run: Run) -> Outcome:
    """In these formats the bound with 12 holds from B = λ/4 up to B·η/λ = 1/4, far beyond 2^-7. With 3 it does not."""
    return whole([(p, None) for p in ((4, 5, 6) if run.thorough else (4, 5))], Fraction(1, 4), Fraction(1, 4))


@obligation(
    "theorem.edge.directed",
    claim=CLAIM,
    kind="exhaustive",
    decides=False,
    scope="⊕, ⊗ and LN all up, down, toward 0, away from 0; p = 4, 5 (thorough: 6): every λ, every B with λ ≤ B ≤ "
    "2^(p-2)·λ, so B·η/λ ≤ 1/4; every pair of p-bit values in [-B, B], every output, every u, every Δ",
    timeout=600,
)
def directed_formats(run: Run) -> Outcome:
    """In these formats the bound with 12 holds for every direction of rounding. With 3 it does not."""
    precisions = (4, 5, 6) if run.thorough else (4, 5)
    return whole([(p, direction) for p in precisions for direction in get_args(Direction)], Fraction(1, 4))


@obligation(
    "theorem.edge.precision",
    claim=CLAIM,
    kind="exhaustive",
    decides=False,
    scope="p = 7, λ/4 ≤ B ≤ λ (thorough: p = 8, λ/4 ≤ B ≤ 2λ), all that B·η/λ ≤ 2^-7 leaves, and B down to λ/4: every "
    "λ, every pair of p-bit values in [-B, B], every output, every u, every Δ",
    timeout=600,
)
def fewest_bits(run: Run) -> Outcome:
    """With the fewest bits that the conditions allow, the bound with 12 holds, as lemmas say. With 2 it does not."""
    return whole([(p, None) for p in ((7, 8) if run.thorough else (7,))], TWELVE.max_beta, Fraction(1, 4), 2)


def whole(
    kinds: list[tuple[int, Direction | None]], beta: Fraction, least: Fraction = Fraction(1), too_small: int = 3
) -> Outcome:
    """Whether the bound with 12 holds for every λ and B, from least·λ up to B·η/λ = β, for each p and way to round."""
    count = 0
    for p, direction in kinds:
        for mechanisms in few_bits.formats(p, beta, direction=direction, least=least):
            count += 1
            if fault := next(mechanisms.broken(), ""):
                return Outcome("refuted", "the bound is not shown to hold", fault)
        twins = few_bits.formats(p, beta, Fraction(too_small), direction, least)
        if not any(next(twin.broken(), "") for twin in twins):
            return Outcome("error", f"p = {p}: with {too_small} in place of 12 nothing fails")
    if count != (every := sum(2 ** (p - 1) for p, _ in kinds)):  # as many as there are λ in one binade
        return Outcome("error", f"{count} formats, and there are {every}")
    return Outcome("proved", f"{count} formats, each whole")


@obligation(
    "theorem.needed.rounding_mode",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="⊕, ⊗ and LN all up, toward 0, away from 0, down; p = 53, the parameters of directed.solve, inside the "
    "conditions of every constant; bisection through the program",
)
def rounding_mode(run: Run) -> Outcome:
    """Rounding up or toward 0 makes 11.819, away from 0 10.983, down 10.655. So 11 needs rounding to nearest."""
    least: dict[Direction, int] = {"up": 11819, "toward 0": 11819, "away from 0": 10983, "down": 10655}
    lines, solved = [], {spot: directed.solve(spot) for _, spot in directed.SPOTS.values()}
    for name, (mode, spot) in directed.SPOTS.items():
        configuration = solved[spot]
        m = configuration.parameters
        inside = all(regime.covers(53, m.beta) for regime in REGIMES.values())
        if not (below.legal(configuration) and inside and configuration.sensitivity % m.spacing == 0):
            return Outcome("error", f"{name}: the parameters are outside the conditions")
        if needed.constant(configuration, needed.loss_of(configuration, snapped)) > TWELVE.constant:
            return Outcome("error", "the reference itself exceeds the bound")
        loss = needed.loss_of(configuration, directed.program(mode))
        if not as_inverted(configuration, name, loss):
            return Outcome("error", f"{name}: the law in directed_law.py gives another loss than the program")
        found = needed.constant(configuration, loss)
        if found <= Fraction(least[name], 1000):
            return Outcome("undecided", f"{name}: the constant is only {float(found):.4f}")
        lines.append(f"{name}: (loss - ε - 2η)/(Bεη) = {float(found):.5f}\n{configuration}\nloss {loss.text()}")
    return Outcome("proved", "a constant for each direction", "\n".join(lines))


def as_inverted(configuration: Configuration, direction: Direction, loss: Loss) -> bool:
    """Whether following the program backwards gives the loss that bisection through it finds."""
    m, k = configuration.parameters, configuration.k
    one, other = (directed_law.probability(m, direction, k, c) for c in (configuration.c, configuration.c_p))
    return loss.smaller * max(one, other) == loss.larger * min(one, other)


@proves(
    "theorem.faithful",
    claim=CLAIM,
    decides=False,
    scope="all reals; with `theorem.independent`, `theorem.coverage.independent` and `theorem.joined.independent`: "
    f"C = {faithful.CRUDE}, every Δ, p ≥ {faithful.CRUDE.min_precision}, B·η/λ ≤ {faithful.CRUDE.most}, λ ≤ B",
    count=61,
)
def every_faithful_arithmetic() -> list[Stated]:
    """If ⊕, ⊗ and LN are faithful and monotone, 38 takes the place of 12: their errors are those of 18, with 2η."""
    return with_page(faithful.statements(), of_faithful())
