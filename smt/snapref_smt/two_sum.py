"""What a rounded sum loses is itself a number of the format, and three operations compute it (Dekker 1971).

snapref.batch keeps sums as two doubles in this way.
"""

import z3

from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves
from snapref_smt.fp_laws import DOWN, EVEN, FLOATS, HALF, UP, finite


@proves(
    "smt.laws.binary16.fast-two-sum",
    claim="F-PLUS",
    part="conditional",
    decides=False,
    scope="every pair of binary16 numbers with |a| ≥ |b| and a finite sum",
)
def fast_two_sum() -> Statement:
    """For s = a ⊕ b, both s ⊖ a and b ⊖ (s ⊖ a) are exact, so the latter is what s lost. Twin: s = a."""
    a, b = z3.FP("a", HALF), z3.FP("b", HALF)
    total = z3.fpAdd(EVEN, a, b)
    hypotheses = (*finite(a, b, total), z3.fpGEQ(z3.fpAbs(a), z3.fpAbs(b)))
    moved = [z3.fpSub(mode, total, a) for mode in (DOWN, UP)]
    lost = [z3.fpSub(mode, b, z3.fpSub(EVEN, total, a)) for mode in (DOWN, UP)]
    exact = z3.And(z3.fpEQ(*moved), z3.fpEQ(*lost))  # where two directed roundings agree, nothing was rounded
    return Statement("fast two sum", hypotheses, exact, z3.fpEQ(total, a), solvers=FLOATS, variables=(a, b))
