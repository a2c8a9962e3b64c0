"""The lemmas `offsets`, `parity` and `coarse` of Theorem 1 (004 §4), and parts of `reach`: decided by two solvers.

`offsets` says what the offset δ of an output is. `parity` is about outputs with |x| = 2**(E-1): if τ2' ≥ 2**E, then
|c'| ≥ 2**(E-1), so that c' is a multiple of H/2, and δ is too small to push a distance across a cell boundary. `coarse`
is about a Δ that is a power of two smaller than the spacing H at τ1': then two different floats at most Δ apart are at
most 2**p Δ in size. The notation is that of widths.py and grid.py.
"""

from typing import Any

import z3

from snapref_proofs.theorem1.grid import SIDES, Cell, Four
from snapref_proofs.theorem1.widths import far_most
from snapref_smt.engine.statement import Statement, absolute

# For |x| = 2**(E-1): a name, whether cells are closed, what the half gap g of the near threshold adds to τ2, and δ, the
# last two in units of H/16. The rows: c above x = -2**(E-1); c below x = 2**(E-1) ≥ 2Λ; c below x = Λ = 2**(E-1).
PARITY = (("x < 0", False, 2, 2), ("x > 0", True, -2, -2), ("x = Λ", True, -1, -3))


def offsets() -> list[Statement]:
    """The offset δ = g1 - g2 of the output kΛ is 0 unless k = 0 or |k| is a power of two.

    g is half the gap between a threshold and the float below it. In units of Λ/2 the thresholds are odd numbers. The
    two around 2k lie in one binade [P, 2P) unless 2k = 2P.
    """
    k, binade = z3.Ints("k P")
    lower = [k >= 1, binade >= 1, binade <= 2 * k - 1, 2 * k - 1 < 2 * binade]
    crossing = [*lower, 2 * k + 1 >= 2 * binade]
    g1, g2, eta = z3.Reals("g1 g2 eta")
    # half the gap below: η·P for a threshold in [P, 2P), or in (-2P, -P]; half of that at T = Λ/2, a power of two
    above = [*crossing, eta == 1, g2 == 2 * z3.ToReal(binade)]
    return [
        Statement("a power of two between", crossing, z3.And(k == binade, 2 * k + 1 < 4 * binade), k == 1),
        Statement("x > 0", [*above, k > 1, g1 == z3.ToReal(binade)], g1 - g2 == -z3.ToReal(k), g1 == g2),
        Statement("x = Λ", [*above, k == 1, 2 * g1 == z3.ToReal(binade)], 2 * (g1 - g2) == -3 * z3.ToReal(k), g1 == g2),
        Statement(
            "x < 0",
            [*crossing, eta == 1, g1 == 2 * z3.ToReal(binade), g2 == z3.ToReal(binade)],
            g1 - g2 == z3.ToReal(k),
            g1 == g2,
        ),
        # below T1 = -Λ/2 lies the gap of its own binade, below T2 = Λ/2 that of the next: η/2 and η/4 in units of Λ
        Statement("x = 0", [2 * g1 == eta, 4 * g2 == eta, eta > 0], g1 - g2 == eta / 4, g1 - g2 == eta / 2),
        *_offset_against_beta(),
    ]


def _offset_against_beta() -> list[Statement]:
    """ε|δ| ≤ 3β/4: for k = 0 because Λ ≤ 2λ ≤ 2B makes ηΛ/4 at most ηB/2, and otherwise because |x| ≤ B."""
    delta, eta_lattice, eta_x, eta_bound = z3.Reals("delta eta_Lambda eta_x eta_B")
    facts = [eta_lattice >= 0, eta_lattice <= 2 * eta_bound, eta_x >= 0, eta_x <= eta_bound, delta >= 0]
    sizes = [z3.Or(4 * delta <= eta_lattice, 4 * delta <= 3 * eta_x)]
    return [Statement("ε|δ| ≤ 3β/4", [*facts, *sizes], 4 * delta <= 3 * eta_bound, 2 * delta <= eta_bound)]


def _parity_of_quarters(closed: bool, g: int, delta: int) -> Any:
    """The twin of `parity`: the same for a c' that is only a multiple of H/4."""
    n, m, lo, lo_moved = z3.Ints("any_n any_m any_lo any_lo_moved")
    t = z3.ToReal(4 * n + 16 * m + g)
    cells = [Cell(t + d, z3.RealVal(16), z3.ToReal(16 * end), closed) for d, end in ((0, lo), (delta, lo_moved))]
    return z3.Implies(z3.And([fact for cell in cells for fact in cell.around()]), lo == lo_moved)


def parity() -> list[Statement]:
    """If |x| = 2**(E-1) and c is a multiple of H/2, the cell of width H that holds τ2 also holds τ2 + δ.

    Units: H/16.
    """
    n, m, lo, lo_moved = z3.Ints("n m lo lo_moved")
    statements = []
    for name, closed, g, delta in PARITY:
        t = z3.ToReal(8 * n + 16 * m + g)
        cells = [Cell(t, z3.RealVal(16), z3.ToReal(16 * lo), closed)]
        cells.append(Cell(t + delta, z3.RealVal(16), z3.ToReal(16 * lo_moved), closed))
        held = [fact for cell in cells for fact in cell.around()]
        statements.append(Statement(f"parity, {name}", held, lo == lo_moved, _parity_of_quarters(closed, g, delta)))
    return statements


def large_values() -> list[Statement]:
    """When `parity` applies: if |x| = 2**(E-1) = P/2 and τ2' = |c'| + |x| - Λ/2 ± g ≥ P, then |c'| ≥ P/2.

    It never does for H ≥ 4Δ.
    """
    c, lattice, g, top, power, sensitivity, limit = z3.Reals("c Lambda g H P Delta limit")
    t2 = c + power / 2 - lattice / 2 + g
    facts = [top > 0, power > 0, 32 * top <= lattice, absolute(g) <= top / 8, sensitivity >= 0]
    return [
        Statement("|c'| ≥ 2**(E-1)", [*facts, t2 >= power], c >= power / 2, c >= power),
        Statement(
            "|c| ≥ 2**(E-1)", [*facts, t2 >= power - sensitivity, sensitivity <= top / 2], c >= power / 2, c >= power
        ),
        Statement("not for H ≥ 4Δ", [*facts, c <= limit, limit <= power / 2], t2 < power, t2 < power / 2),
    ]


def few_values() -> list[Statement]:
    """Different floats c ≠ c' at most Δ apart have |c| ≤ 2**p Δ, if Δ is a power of two. Here Δ = 1 and P = 2**p.

    Above P the floats are multiples of 2. If the larger of the two is a multiple 2m > P of 2, the other is at least 2
    away, or below P.
    """
    m, n, half = z3.Ints("m n half")  # P = 2·half
    other = z3.Real("other")
    facts = [half >= 1, m > half, other < 2 * z3.ToReal(m)]
    facts += [z3.Implies(other >= 2 * z3.ToReal(half), z3.And(other == 2 * z3.ToReal(n), n < m))]
    gap = 2 * z3.ToReal(m) - other
    return [Statement("neighbours above 2**p Δ", facts, gap > 1, gap > 2)]


def coarse() -> list[Statement]:
    """Bounds on D2 if Δ ≤ h2'/2; and D2 ≤ D1 if δ is too small to push a distance across a cell boundary."""
    return [statement for closed in SIDES for statement in _coarse(closed)]


def _coarse(closed: bool) -> list[Statement]:
    four = Four(closed)
    edge = z3.Real("edge")
    tail = f", closed={closed}"
    facts = [*four.facts(), four.sensitivity * 2 <= four.h2p, four.sensitivity > 0, four.h2p > 0]
    equal = [*facts, four.h2 == four.h2p]
    equal += (
        four.c2p.beside(four.c2.lo) + four.c2p.beside(four.c2.lo + four.h2) + four.c2p.beside(four.c2.lo + 2 * four.h2)
    )
    passed = (four.t2 <= edge, edge < four.c2p.t) if closed else (four.t2 < edge, edge <= four.c2p.t)
    crossing = [*facts, *passed, edge >= four.h2p]
    half = [*crossing, four.h2 * 2 == four.h2p]
    for cell in (four.c2, four.c2p, four.t2_in_h2p):
        half += cell.beside(edge) + cell.beside(edge + cell.h) + cell.beside(edge - cell.h)
    top = [*half, four.h2p == four.top, four.h1 == four.top, *four.aligned()]
    for cell in (four.t2_in_h1, four.t2p_in_top):
        top += cell.beside(edge) + cell.beside(edge - four.top) + cell.beside(edge + four.top)
    beyond = [*four.facts(), *four.t1_in_top.around(), *four.c1.inside(four.t1_in_top), four.sensitivity > 0]
    beyond += [four.sensitivity * 2 <= four.top, four.h1 > 0]
    for step in (0, 1, 2):
        beyond += four.c1p.beside(four.t1_in_top.lo + step * four.top)
    far_edge = z3.Real("far_edge")  # a power of two between τ1 and τ1' where the spacing changes there
    t1, t1p = four.c1.t, four.c1p.t
    crossed = (t1 <= far_edge, far_edge < t1p) if closed else (t1 < far_edge, far_edge <= t1p)
    passing = [*crossed, *four.t1_in_top.beside(far_edge), *four.c1p.beside(far_edge), *four.c1.beside(far_edge)]
    passing += four.c1p.beside(far_edge + four.top) + four.c1.beside(far_edge - four.top / 2)
    beyond += [z3.Implies(four.h1 < four.top, z3.And(four.h1 * 2 <= four.top, *passing))]
    most = far_most(four.sensitivity, four.h1, four.top, coarse=True)
    return [
        Statement("coarse, D1" + tail, beyond, four.d1 <= most, four.d1 <= four.top / 2),
        Statement("coarse, one binade" + tail, equal, four.d2 <= four.h2p, four.d2 <= four.h2p / 2),
        Statement("coarse, next binade" + tail, crossing, four.t2 >= edge / 2, four.t2 >= edge),
        Statement("coarse, two binades" + tail, half, four.d2 == four.h2p * 3 / 4, four.d2 == four.h2p),
        Statement("coarse, D1 above D2" + tail, top, four.d2 <= four.d1, four.d2 < four.d1 - four.top / 3),
    ]


def lattice_multiples(eta: Any, beta: Any) -> list[Statement]:
    """H < Λ/16. Both are powers of two, so H ≤ Λ/32. y stands for η·B ≤ β·λ ≤ β·Λ.

    τ1' is at most |x| + |c'| + Λ/2 + g. Here x, c and g stand for η times |x|, |c'| and the half gap."""
    y, lattice, top, reach, x, c, g = z3.Reals("y Lambda H reach x c g")  # reach = η·τ1'
    most = 2 * y + eta * lattice / 2 + eta * (y + eta * lattice / 2)
    sizes = [lattice > 0, y >= 0, x <= y, c <= y, g <= eta * (x + eta * lattice / 2)]
    facts = [lattice > 0, y >= 0, y <= beta * lattice, top <= 2 * reach, reach >= 0, reach <= most]
    return [
        Statement("η·τ1'", [*sizes, reach <= x + c + eta * lattice / 2 + g], reach <= most, reach <= y),
        Statement("spacings divide Λ/2", facts, 16 * top < lattice, top <= 0),
    ]


def spacing_at_2b() -> list[Statement]:
    """H is at most the spacing at 2B: if 2**J ≤ 2B < 2**(J+1), τ1' lies below 2**(J+1). In units of Λ; Q = 2**J/Λ."""
    n, q = z3.Ints("n Q")
    bound, g, t1 = z3.Reals("B g t1")
    facts = [n >= 0, q >= 1, z3.ToReal(n) < bound, z3.ToReal(q) <= 2 * bound, bound < z3.ToReal(q)]
    low, high = z3.Reals("n' Q'")
    between = Statement("n < Q", [low < bound, bound < high], low < high, low + 1 < high)
    facts += [n < q, g >= 0, 2 * g < 1, t1 <= bound + z3.ToReal(n) + z3.RealVal(1) / 2 + g]
    return [between, Statement("below the next power of two", facts, t1 < 2 * z3.ToReal(q), t1 < z3.ToReal(q))]
