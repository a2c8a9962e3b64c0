"""The lemmas `offsets` and `coarse` of Theorem 1 (004 §4), decided by two solvers.

`offsets` is about the powers of two at the two thresholds of an output, which decide its offset δ. `coarse` is about
the size of Δ: how it compares with H, and what follows if it is a power of two smaller than H. What a lemma concludes
is a function here, and the lemma that uses it takes the same function. The notation is that of widths.py and grid.py.
"""

from typing import Any

import z3

from snapref_proofs.theorem1.grid import SIDES
from snapref_proofs.theorem1.inversion import powers
from snapref_smt.engine.statement import Statement, absolute


def no_power(size: Any, lattice: Any, q1: Any, q2: Any) -> list[Any]:
    """If k is neither 0 nor a power of two: |x| ≥ 3Λ, and the powers of two at or below |T1| and |T2| are the same.
    The smaller of these two, which is |x| - Λ/2, is no power of two itself; so neither is the other."""
    return [size >= 3 * lattice, q1 == q2, 2 * q1 != 2 * size - lattice]


def offsets() -> list[Statement]:
    """`no_power`. In units of Λ/2 the thresholds are the odd numbers 2k ± 1; the powers of two at or below them are
    whole, so they are 1 or even. None of these is k, because k is no power of two; 1 and 2 are."""
    k, low, high, size, lattice = z3.Ints("k low high size_x Lambda")
    facts = [size == 2 * k, lattice == 2, k >= 1, k != 1, k != 2, k != low, powers(low, high)]
    for power, threshold in ((low, 2 * k - 1), (high, 2 * k + 1)):
        facts += [power >= 1, power <= threshold, threshold < 2 * power, z3.Or(power == 1, power % 2 == 0)]
    return [Statement("|k| no power of two", facts, z3.And(*no_power(size, lattice, low, high)), k >= 4)]


def coarse() -> list[Statement]:
    return [*few_values(), *spacing_at_2b(), *next_binade()]


def few(c: Any, c_p: Any, most: Any) -> Any:
    """Different floats c and c' at most Δ apart are at most 2**p Δ in size, if Δ is a power of two."""
    return z3.And(absolute(c) <= most, absolute(c_p) <= most)


def few_values() -> list[Statement]:
    """`few`, in units of Δ. Floats of at least 2**p are multiples of 2: different ones are at least 2 apart."""
    c, c_p, power = z3.Reals("c c' 2**p")
    sizes = [absolute(c), absolute(c_p)]
    facts = [c != c_p, absolute(c - c_p) <= 1, *(z3.Or(size <= power, size >= power + 2) for size in sizes)]
    facts += [z3.Implies(z3.And(*(size >= power for size in sizes)), absolute(c - c_p) >= 2)]
    return [Statement("|c| ≤ 2**p Δ", facts, few(c, c_p, power), few(c, c_p, power - 1))]


def below_next(t1: Any, q: Any) -> Any:
    """τ1' lies below the power of two that follows 2B, where q ≤ 2B < 2q."""
    return t1 < 2 * q


def spacing_at_2b() -> list[Statement]:
    """`below_next`, in units of Λ. |x| < B < q, where |x| and q are whole; τ1' is at most |c'| + |x| + Λ/2 + g."""
    x, q, bound, g, t1 = z3.Reals("size_x Q B g t1")
    facts = [x < bound, bound < q, x + 1 <= q, 2 * g < 1, t1 <= bound + x + z3.RealVal(1) / 2 + g]
    return [Statement("below the next power of two", facts, below_next(t1, q), t1 < q)]


def neighbours(near: Any, away: Any) -> Any:
    """The spacings, or the powers of two, of a binade and of the next one."""
    return 2 * near == away


def next_binade() -> list[Statement]:
    """If a power of two (`edge`) lies between τ2 and τ2', and 2Δ ≤ h2', their binades are `neighbours`.

    h2' is smaller than the power of two at τ2'. Where cells are closed, a power of two belongs to the binade below it.
    """
    t, t_p, q, q_p, edge, spacing, sensitivity = z3.Reals("t2 t2' Q2 Q2' edge h2' Delta")
    statements = []
    for closed in SIDES:
        facts = [powers(q, edge), powers(q, edge / 2), powers(q_p, edge), t_p - t <= sensitivity]
        facts += [2 * sensitivity <= spacing, spacing < q_p, q > 0, q_p > 0]
        facts += [z3.And(p < x, x <= 2 * p) if closed else z3.And(p <= x, x < 2 * p) for p, x in ((q, t), (q_p, t_p))]
        facts += [t <= edge, edge < t_p] if closed else [t < edge, edge <= t_p]
        statements.append(Statement(f"next binade, closed={closed}", facts, neighbours(q, q_p), 4 * q == q_p))
    return statements
