"""What is true of 001 and 002, §6, for all parameters; the obligations of this folder use these statements.

Two solvers decide each statement, and each has a *twin*, a variant that must turn out false. N = |f - output| is the
error, Y' the Laplace noise, and Z = |Y'| + Λ/2, which is at least N. The other names are those of the documents: P_L
and P_U are the probabilities of the outputs -B and B; P_L^+, P_U^- and F_Z^- are the printed bounds on P_L, P_U and on
F_Z, the distribution function of Z.

The first part is about events. Lengths are in units of Λ. w = f + Y' is the noisy value, n = round(w) is the integer
with n - ½ ≤ w < n + ½, and the output is clamp_B(n). Of numbers being integers the statements use only this: two of
them are equal or at least 1 apart (`whole`). If one event implies another, its probability is at most the other's. The
event w < T has the probability F(T - f), where F is the distribution function of Y'.

The second part is about probabilities. Lengths are in units of λ', with L = Λ/λ' ∈ [1, 2). The exponential is a
function E of which a few properties are known: it is positive and increasing, E(0) = 1, and, where needed, instances of
E(x)·E(-x) = 1 and of E(x + y) = E(x)·E(y). So the statements are true of e^x.
"""

from itertools import combinations
from typing import Any

import z3

from snapref_smt.engine.statement import Statement, absolute

Term = Any
Statements = tuple[Statement, ...]
HALF = z3.Q(1, 2)

# ---- the mechanism, in units of Λ

f, bound, w, x, n, last = z3.Reals("f B w x n K")
rounding = [n <= w + HALF, w + HALF < n + 1]
program = [bound > 0, f >= -bound, f <= bound, *rounding]
above_zero = [*program, f >= 0]
output = z3.If(n > bound, bound, z3.If(n < -bound, -bound, n))
error = absolute(f - output)


def whole(first: Term, *others: Term) -> list[Term]:
    """What is used of the numbers being integers: the first is equal to each of the others, or at least 1 away."""
    return [z3.Or(first <= other - 1, first == other, first >= other + 1) for other in others]


multiple = [last == bound, *whole(n, last, -last)]
between_multiples = [last - 1 < bound, bound < last, *whole(n, last, -last)]


def three_cases() -> Statements:
    """Eq. 6.1: the error N in three cases, for the outputs -B and B and for those in between."""
    inside = z3.And(output != -bound, output != bound)
    at_ends = z3.And(z3.Implies(output == -bound, error == bound + f), z3.Implies(output == bound, error == bound - f))
    conclusion = z3.And(at_ends, z3.Implies(inside, error == absolute(f - n)))
    twin = z3.Implies(inside, error == absolute(f - w))
    return (Statement("eq. 6.1", above_zero, conclusion, twin),)


def lower_end() -> Statements:
    """If B is a multiple of Λ, the output is -B iff round(w) ≤ -B, and iff w < -B + Λ/2."""
    low = output == -bound
    conclusion = z3.And(low == (n <= -bound), low == (w < -bound + HALF))
    return (Statement("output -B", [*program, *multiple], conclusion, low == (w <= -bound + HALF)),)


def upper_end() -> Statements:
    """If B is a multiple of Λ, the output is B iff round(w) ≥ B, and iff w ≥ B - Λ/2."""
    high = output == bound
    conclusion = z3.And(high == (n >= bound), high == (w >= bound - HALF))
    return (Statement("output B", [*program, *multiple], conclusion, high == (w > bound - HALF)),)


def strictly_below() -> Statements:
    """If B is not a multiple of Λ, the output is -B iff round(w) < -B."""
    low = output == -bound
    return (Statement("round < -B", [*program, *between_multiples], low == (n < -bound), low == (n < -bound - 1)),)


def not_above() -> Statements:
    """For every B the output is -B iff round(w) ≤ -B."""
    low = output == -bound
    return (Statement("round ≤ -B", program, low == (n <= -bound), low == (n < -bound)),)


def not_below() -> Statements:
    """For every B the output is B iff round(w) ≥ B."""
    high = output == bound
    return (Statement("round ≥ B", program, high == (n >= bound), high == (n > bound)),)


def ends_at_most() -> Statements:
    """For every B the output -B needs w < -B + Λ/2, and the output B needs w ≥ B - Λ/2."""
    conclusion = z3.And(z3.Implies(output == -bound, w < -bound + HALF), z3.Implies(output == bound, w >= bound - HALF))
    return (Statement("the ends", program, conclusion, (output == -bound) == (w < -bound + HALF)),)


def triangle() -> Statements:
    """|f - round(w)| ≤ |w - f| + |w - round(w)| ≤ |Y'| + Λ/2, and N is at most that, too."""
    steps = absolute(w - f) + absolute(w - n)
    conclusion = z3.And(absolute(f - n) <= steps, steps <= absolute(w - f) + HALF)
    return (
        Statement("triangle", rounding, conclusion, steps == absolute(w - f) + HALF),
        Statement("N ≤ Z", program, error <= absolute(w - f) + HALF, error < absolute(w - f) + HALF),
    )


def clamp_helps() -> Statements:
    """|f - clamp_B(v)| ≤ |f - v| for f ∈ [-B, B]."""
    v = z3.Real("v")
    clamped = z3.If(v > bound, bound, z3.If(v < -bound, -bound, v))
    inside = [bound > 0, f >= -bound, f <= bound]
    closer = absolute(f - clamped) <= absolute(f - v)
    return (Statement("clamp", inside, closer, absolute(f - clamped) < absolute(f - v)), triangle()[1])


def largest_error() -> Statements:
    """N ≤ B + f for f ≥ 0, and N ≤ 2B for every f."""
    return (
        Statement("N ≤ B + f", above_zero, error <= bound + f, error <= bound),
        Statement("N ≤ 2B", program, error <= 2 * bound, error < 2 * bound),
    )


def lattice_and_scale() -> Statements:
    """λ'/2 ≤ Λ/2 < λ': Λ is the smallest power of two ≥ λ', so the power of two Λ/2 is less than λ'."""
    scale, lattice = z3.Reals("scale Lambda")
    smallest = [scale > 0, lattice >= scale, z3.Implies(lattice / 2 >= scale, lattice <= lattice / 2)]
    conclusion = z3.And(scale / 2 <= lattice / 2, lattice / 2 < scale)
    return (Statement("λ'/2 ≤ Λ/2 < λ'", smallest, conclusion, scale < lattice),)


def lower_value() -> Statements:
    """If f > 0 and B is a multiple of Λ, N = B + f iff w < -B + Λ/2."""
    holds = error == bound + f
    hypotheses = [*above_zero, *multiple, f > 0]
    return (Statement("N = B + f", hypotheses, holds == (w < -bound + HALF), holds == (w <= -bound + HALF)),)


def lower_value_at_most() -> Statements:
    """If f > 0, for every B, N = B + f needs w < -B + Λ/2."""
    holds = error == bound + f
    return (
        Statement(
            "N = B + f needs", [*above_zero, f > 0], z3.Implies(holds, w < -bound + HALF), holds == (w < -bound + HALF)
        ),
    )


def upper_value() -> Statements:
    """If B is a multiple of Λ, and f = B or 2f is not a multiple of Λ, then N = B - f iff w ≥ B - Λ/2."""
    holds, m = error == bound - f, z3.Real("m")
    no_multiple = z3.And(m < 2 * f, 2 * f < m + 1)
    hypotheses = [*above_zero, *multiple, *whole(m, n + last, 0), z3.Or(f == bound, no_multiple)]
    return (Statement("N = B - f", hypotheses, holds == (w >= bound - HALF), holds == (w > bound - HALF)),)


# ---- the exact distribution of N: kΛ is the first multiple of Λ that is ≥ f - x, and lΛ the last that is ≤ f + x

k, l = z3.Reals("k l")  # noqa: E741
around = [x >= 0, k - 1 < f - x, f - x <= k, l <= f + x, f + x < l + 1, last - 1 < bound, bound <= last]
around += [*whole(n, k, l, last, -last), *whole(k, 1 - last), *whole(l, last)]
below, above = output < f - x, output > f + x


def exact_law() -> Statements:
    """N > x iff w < (k - ½)Λ or w ≥ (l + ½)Λ. The first is impossible if x ≥ B + f, the second if x ≥ B - f."""
    low = z3.And(x < bound + f, w < k - HALF)
    high = z3.And(x < bound - f, w >= l + HALF)
    return (
        Statement("two sides", [*program, *around], (error > x) == z3.Or(below, above), (error >= x) == (error > x)),
        Statement("the lower side", [*program, *around], below == low, below == (w < k - HALF)),
        Statement("the upper side", [*program, *around], above == high, above == (w >= l + HALF)),
    )


def law_without_minus_b() -> Statements:
    """When N ≤ x and the output is not -B: w lies between two thresholds.

    The lower threshold is the one below max(k, 1 - K), with K = ⌈B/Λ⌉. The upper one is that above l; there is none if
    x ≥ B - f.
    """
    holds = z3.And(error <= x, output != -bound)
    start = z3.If(k > 1 - last, k, 1 - last)
    law = z3.And(w >= start - HALF, z3.Or(x >= bound - f, w < l + HALF))
    return (Statement("N_sub", [*program, *around], holds == law, holds == z3.And(w >= start - HALF, w < l + HALF)),)


def noise_bounds_error_without_minus_b() -> Statements:
    """If x < B + f, then Z ≤ x implies that N ≤ x and that the output is not -B. If x ≥ B + f, N ≤ x always."""
    small = [*program, x < bound + f, absolute(w - f) + HALF <= x]
    kept = z3.And(error <= x, output != -bound)
    twin = z3.And(error < x, output != -bound)
    return (
        Statement("F_Nsub ≥ F_Z", small, kept, twin),
        Statement("beyond", [*above_zero, x >= bound + f], error <= x, error < x),
    )


def thresholds_apart() -> Statements:
    """The two thresholds of `exact_law` are l - k + 1 ≥ ⌊2x⌋ apart, and each is more than x - ½ away from f."""
    m = z3.Real("M")
    hypotheses = [*program, *around, m <= 2 * x, 2 * x < m + 1, *whole(l - k + 1, m)]
    d_low, d_high = f - (k - HALF), l + HALF - f
    conclusion = z3.And(d_low + d_high >= m, d_low > x - HALF, d_high > x - HALF)
    return (Statement("thresholds", hypotheses, conclusion, d_low + d_high >= m + 1),)


def thresholds_inside() -> Statements:
    """If errors > x exist on one side of f, its threshold T has |T| < B + Λ/2. Rounding errors depend on |T|."""
    low, high = absolute(k - HALF) < bound + HALF, absolute(l + HALF) < bound + HALF
    conclusion = z3.And(z3.Implies(x < bound + f, low), z3.Implies(x < bound - f, high))
    return (Statement("|T|", [*program, *around], conclusion, absolute(k - HALF) < bound),)


def one_side_beyond() -> Statements:
    """No output is above f + x if x ≥ B - f, none is below f - x if x ≥ B + f, and N ≤ x if x ≥ B + |f|."""
    conclusion = z3.And(
        z3.Implies(x >= bound - f, z3.Not(above)),
        z3.Implies(x >= bound + f, z3.Not(below)),
        z3.Implies(x >= bound + absolute(f), error <= x),
    )
    return (Statement("one side", [*program, x >= 0], conclusion, z3.Implies(x > bound, error <= x)),)


def far_from_f() -> Statements:
    """N > x ≥ B - f needs w < f - x + Λ/2."""
    hypotheses = [*program, x >= bound - f, error > x]
    return (Statement("one tail", hypotheses, w < f - x + HALF, w < f - x),)


def steps_are_closed_on_the_left() -> Statements:
    """There is a smallest x with P(N > x) ≤ α.

    k, l and the two sides of `exact_law` do not change on [x, x + δ) for some δ > 0, and so G(x) = P(N > x) is constant
    there. Therefore the set {G ≤ α} contains its lower end q. It has no negative members if α < 1, as N > x for x < 0.
    """
    y, delta, q, level = z3.Reals("y delta q alpha")
    far, near = bound + f, bound - f
    rooms = [l + 1 - (f + x), f - x - (k - 1), z3.If(x < far, far - x, 1), z3.If(x < near, near - x, 1)]
    room = [delta > 0, *(delta <= r for r in rooms)]
    same = z3.And(
        k - 1 < f - y, f - y <= k, l <= f + y, f + y < l + 1, (x < far) == (y < far), (x < near) == (y < near)
    )
    g = z3.Function("G", z3.RealSort(), z3.RealSort())
    constant = z3.Implies(z3.And(q <= y, y < q + delta), g(y) == g(q))
    close = [delta > 0, constant, q <= y, y < q + delta, g(y) <= level]
    positive = z3.And(*(r > 0 for r in rooms))
    return (
        Statement("room", around, positive, z3.And(*(r > 1 for r in rooms))),
        Statement("no step", [*around, *room, x <= y, y < x + delta], same, z3.And(same, y < x + HALF)),
        Statement("the least is reached", close, g(q) <= level, g(q) < level),
        Statement("none below 0", [*program, x < 0], error > x, error > x + 1),
    )


def no_tighter() -> Statements:
    """N = B + f implies N > x for every x < B + f."""
    hypotheses = [*above_zero, x < bound + f, error == bound + f]
    return (Statement("N > x", hypotheses, error > x, output == -bound),)


# ---- probabilities, in units of λ'

exp = z3.Function("E", z3.RealSort(), z3.RealSort())
ratio, b, alpha, lower_plus, a, z = z3.Reals("L b alpha PLplus a z")
lattice = [ratio >= 1, ratio < 2]


def facts(*points: Term) -> list[Term]:
    """What the statements use of the exponential at these points: its sign, its order, and E(0) = 1."""
    everywhere = [*points, z3.RealVal(0)]
    order = [(p < q) == (exp(p) < exp(q)) for p, q in combinations(everywhere, 2)]
    order += [(p == q) == (exp(p) == exp(q)) for p, q in combinations(everywhere, 2)]
    return [exp(z3.RealVal(0)) == 1, *(exp(p) > 0 for p in points), *order]


def inverse(point: Term) -> list[Term]:
    """E(x)·E(-x) = 1, and what follows from it (`at_least_two`)."""
    return [exp(point) * exp(-point) == 1, exp(point) + exp(-point) >= 2]


def at_least_two() -> Statements:
    """If uv = 1 and u > 0, then u + v ≥ 2, because u + v - 2 = v(u - 1)²."""
    u, v, d = z3.Reals("u v d")
    pair, product = [u > 0, v > 0, u * v == 1, d == u - 1], v * (d * d)
    return (
        Statement("u + v - 2 = v(u - 1)²", pair, u + v - 2 == product, u + v > 2),
        Statement("v(u - 1)² ≥ 0", [v > 0], product >= 0, product > 0),
        Statement("u + v ≥ 2", [*pair, product >= 0], u + v >= 2, u + v > 2),
    )


def cdf(point: Term) -> Term:
    """F, the distribution function of Y' (eq. 6.2)."""
    return z3.If(point < 0, exp(point) / 2, 1 - exp(-point) / 2)


def z_cdf(point: Term) -> Term:
    """F_Z(z) = P(|Y'| + Λ/2 ≤ z), the distribution function of Z."""
    return z3.If(point >= ratio / 2, 1 - exp(ratio / 2 - point), 0)


def increasing() -> Statements:
    """F is strictly increasing."""
    p, q = z3.Reals("p q")
    return (Statement("F", [p < q, *facts(p, q, -p, -q)], cdf(p) < cdf(q), cdf(p) < cdf(q) / 2),)


def lower_plus_is_larger() -> Statements:
    """F(-B - f + Λ/2) < F(-B - f + λ')."""
    p, q = -b + ratio / 2, -b + 1  # b stands for B + f
    hypotheses = [*lattice, b > 0, *facts(p, q, -p, -q)]
    return (Statement("P_L < P_L^+", hypotheses, cdf(p) < cdf(q), cdf(p) < cdf(q) / 2),)


def upper_between() -> Statements:
    """1 - F(B - f - λ'/2) ≤ 1 - F(B - f - Λ/2) < 1 - F(B - f - λ')."""
    points = b - HALF, b - ratio / 2, b - 1
    hypotheses = [*lattice, b >= 0, *facts(*points, *(-p for p in points))]
    least, middle, most = (1 - cdf(p) for p in points)
    conclusion = z3.And(least <= middle, middle < most)
    return (Statement("P_U", hypotheses, conclusion, least < middle),)


def z_at_most() -> Statements:
    """F_Z(z) ≤ 1 - e^(1/2 - z) if and only if z ≥ λ'/2."""
    hypotheses = [*lattice, *facts(ratio / 2 - z, HALF - z)]
    holds = z_cdf(z) <= 1 - exp(HALF - z)
    return (Statement("F_Z ≤", hypotheses, holds == (z >= HALF), holds),)


def z_more_than() -> Statements:
    """F_Z(z) > 1 - e^(1 - z) for every z."""
    hypotheses = [*lattice, *facts(ratio / 2 - z, 1 - z)]
    return (Statement("F_Z >", hypotheses, z_cdf(z) > 1 - exp(1 - z), z_cdf(z) >= 1 - exp(ratio / 2 - z) + 1),)


def z_reaches() -> Statements:
    """P(Z ≥ a) = 1 - F_Z(a) < e^(1 - a) for every a.

    For α ≤ 1, a = Λ/2 - ln α gives P(Z ≥ a) = α, and a = 1 - ln α gives P(Z ≥ a) < α.
    """
    hypotheses = [*lattice, *facts(ratio / 2 - a, 1 - a)]
    tail = 1 - z_cdf(a)
    level = [alpha > 0, alpha <= 1]
    return (
        Statement("P(Z ≥ a)", hypotheses, tail < exp(1 - a), tail < exp(1 - a) / 2),
        Statement("Λ/2 - ln α", [*hypotheses, *level, exp(ratio / 2 - a) == alpha], tail == alpha, tail < alpha),
        Statement("1 - ln α", [*hypotheses, *level, exp(1 - a) == alpha], tail < alpha, tail < alpha / 2),
    )


def reframed() -> Statements:
    """If P(N > x and output ≠ -B) ≤ α - P_L^+, then P(N > x) ≤ α.

    The same follows if the conditional probability c of N > x, given that the output is not -B, is at most α - P_L^+.
    """
    p, q, lower, c, exceeds = z3.Reals("p q PL c exceeds")
    common = [p >= 0, p < 1, p <= lower, lower < lower_plus, q >= 0, z3.Or(exceeds == p + q, exceeds == q)]
    room, twin = alpha - lower_plus, exceeds <= alpha - lower_plus
    return (
        Statement("joint", [*common, q <= room], exceeds <= alpha, twin),
        Statement("given", [*common, c * (1 - p) == q, c <= room], exceeds <= alpha, twin),
    )


def solved() -> Statements:
    """If 1 - e^(1 - x') ≥ 1 - s, then the solution x of 1 - e^(1 - x) = 1 - s is at most x'."""
    s, other = z3.Reals("s other")
    hypotheses = [s > 0, exp(1 - x) == s, 1 - exp(1 - other) >= 1 - s, *facts(1 - x, 1 - other)]
    return (Statement("x ≤ x'", hypotheses, x <= other, x < other),)


def case_two() -> Statements:
    """GETACCURACY, case 2: if e^(1 - a) = α - P_L^+, then P(Z > a) < α - P_L^+ and a ≤ B - f."""
    s = alpha - lower_plus
    hypotheses = [
        *(*lattice, b >= 0, lower_plus > 0, s > 0, alpha <= 1),
        *(1 - exp(1 - b) >= 1 - s, exp(1 - a) == s),
        *facts(ratio / 2 - a, 1 - a, 1 - b),
    ]
    conclusion = z3.And(1 - z_cdf(a) < s, a <= b)
    return (Statement("case 2", hypotheses, conclusion, 1 - z_cdf(a) < s / 2), triangle()[1])


def case_three() -> Statements:
    """GETACCURACY, case 3: P(N > B - f) ≤ F(Λ/2 - (B - f)) < α."""
    upper = cdf(1 - b)  # P_U^- = 1 - F(b - 1) = F(1 - b)
    hypotheses = [
        *(*lattice, b >= 0, lower_plus > 0, exp(1 - b) - upper <= alpha - lower_plus),
        *facts(ratio / 2 - b, b - ratio / 2, 1 - b, b - 1),
        *inverse(1 - b),
    ]
    tail = cdf(ratio / 2 - b)
    return (Statement("case 3", hypotheses, tail < alpha, tail < alpha / 2), *at_least_two(), *far_from_f())


def case_four() -> Statements:
    """GETACCURACY, case 4, corrected: if a ≥ B - f and e^(1 - a) ≤ 2α, then P(N > a) ≤ F(Λ/2 - a) < α."""
    hypotheses = [
        *(*lattice, b >= 0, a >= b, alpha > 0, exp(1 - a) <= 2 * alpha),
        *facts(ratio / 2 - a, a - ratio / 2, 1 - a, a - 1),
        *inverse(1 - a),
    ]
    tail = cdf(ratio / 2 - a)
    case = Statement("case 4", hypotheses, tail < alpha, tail < alpha / 2)
    return (case, *at_least_two(), *far_from_f(), largest_error()[0])


def case_four_printed() -> Statements:
    """The printed a of case 4, with e^(1 - a) = α - P_L^+ + P_U^-.

    If α ≥ P_U^- - P_L^+, this is ≤ 2α, and a > B - f.
    """
    upper, s = cdf(1 - b), alpha - lower_plus
    hypotheses = [
        *(b >= 0, lower_plus > 0, s > 0, exp(1 - b) - upper > s, exp(1 - a) == s + upper, alpha >= upper - lower_plus),
        *facts(1 - a, 1 - b, b - 1),
        *inverse(1 - b),
    ]
    conclusion = z3.And(exp(1 - a) <= 2 * alpha, a > b)
    return (Statement("α ≥ P_U^- - P_L^+", hypotheses, conclusion, exp(1 - a) <= alpha), *case_four())


def printed_second() -> Statements:
    """GETACCURACY2 returns a = ½ - ln(1 - α). If α < ½, then P(Z ≥ a) > α.

    For P(Z ≥ a) = E(L/2 - a) = E((L - 1)/2)·(1 - α), and L ≥ 1.
    """
    tail = z3.Real("tail")
    rise = exp((ratio - 1) / 2)
    hypotheses = [*lattice, alpha > 0, alpha < HALF, tail == rise * (1 - alpha), *facts((ratio - 1) / 2)]
    return (Statement("α < ½", hypotheses, tail > alpha, tail > 2 * alpha),)


def case_four_range() -> Statements:
    """If f ≥ 0.61 λ', the a of case 4 is in (B - f, B + f).

    It uses g = e^(-2f) ≤ e^-1.22 < 0.2953 and e < 2.7183, which the obligation checks.
    """
    upper, g, value = cdf(1 - b), z3.Real("g"), z3.Real("f")
    s = alpha - lower_plus
    hypotheses = [
        *(b >= 0, value >= z3.Q(61, 100), s > 0, exp(1 - b) - upper > s, exp(1 - a) == s + upper),
        *(g > 0, g < z3.Q(2953, 10000), exp(1 - b - 2 * value) == g * exp(1 - b), exp(1 - b) < z3.Q(27183, 10000)),
        *facts(1 - a, 1 - b, b - 1, 1 - b - 2 * value),
        *inverse(1 - b),
    ]
    conclusion = z3.And(a > b, a < b + 2 * value)  # B + f = (B - f) + 2f
    return (Statement("B - f < a < B + f", hypotheses, conclusion, a > b + value), *at_least_two())


def printed_cases(i: int) -> tuple[list[Term], Term]:
    """GETACCURACY at f_i, with its result a_i: what its cases 2, 3 and 4 say of E(1 - a_i). c_i is E(1 - (B - f_i))."""
    lower, upper, c, e = z3.Reals(f"PL{i} PU{i} c{i} e{i}")
    s = alpha - lower
    cases = z3.Or(z3.And(c <= s, e == s), z3.And(c > s, c - upper <= s, e == c), z3.And(c - upper > s, e == s + upper))
    return [lower > 0, lower < alpha, upper >= lower, c > 0, cases], e


def returns_fall() -> Statements:
    """If f_1 < f_2 and neither is in case 1, the accuracy returned at f_2 is smaller. So the accuracy reveals f."""
    (first, e1), (second, e2) = printed_cases(1), printed_cases(2)
    order = [z3.Real("PL1") > z3.Real("PL2"), z3.Real("PU1") < z3.Real("PU2"), z3.Real("c1") < z3.Real("c2")]
    return (Statement("strictly decreasing", [*first, *second, *order], e1 < e2, 2 * e1 < e2), *increasing())


def tail_at_most_exponential() -> Statements:
    """F(y) ≤ ½e^y for every y, and so 1 - F(y) = F(-y) ≤ ½e^-y."""
    y = z3.Real("y")
    hypotheses = [*facts(y, -y), *inverse(y)]
    mirror = 1 - cdf(y) == cdf(-y)
    return (
        Statement("F ≤ ½E", hypotheses, cdf(y) <= exp(y) / 2, cdf(y) < exp(y) / 2),
        Statement("1 - F(y) = F(-y)", [*hypotheses, y != 0], mirror, cdf(y) == cdf(-y)),
        *at_least_two(),
    )


def two_tails() -> Statements:
    """If q ≤ p ≤ m and pq ≤ R ≤ m², then p + q ≤ m + R/m.

    It is used with p = e^-d, q = e^-d', m = e^-(a - Λ/2) and R = e^-(⌊2a/Λ⌋Λ), where d and d' are the distances of two
    thresholds from f. In the proof t = R/p ≥ q and o = R/m. If t ≤ m, then m + o - p - t = (m - p)(m - t)/m ≥ 0. If
    t > m, then p < o ≤ m.
    """
    p, q, m, t, r, o, d, left, right = z3.Reals("p q m t R o d left right")
    ends = [m > 0, p > 0, q > 0, t * p == r, o * m == r]
    product = [left >= 0, right >= 0, d * m == left * right]
    return (
        Statement("q ≤ t", [*ends, p * q <= r], q <= t, q < t),
        Statement("t ≤ m", ends, (m + o - p - t) * m == (m - p) * (m - t), m == p),
        Statement("the quotient", [m > 0, *product], d >= 0, d > 0),
        Statement("p < o", [*ends, t > m], p < o, p < o / 2),
        Statement("o ≤ m", [*ends, r <= m * m], o <= m, o < m),
        Statement("t > m", [q <= p, p < o, o <= m], p + q <= m + o, p + q <= m),
    )


def algebra_of_case_two() -> Statements:
    """From 1 - E(1 - ε'a) = 1 - s it follows that 1 - ε'a = ln s, and so a = (1 - ln s)/ε'; ln is the inverse of E."""
    s, log, rate = z3.Reals("s log rate")
    given = [rate > 0, s > 0, 1 - exp(1 - rate * a) == 1 - s, exp(log) == s, *facts(1 - rate * a, log)]
    conclusion = z3.And(1 - rate * a == log, rate * a == 1 - log)
    return (Statement("a = (1 - ln s)/ε'", given, conclusion, rate * a + 1 == log),)


def same_scale() -> Statements:
    """((1 + 12Bη)/(ε - 2η))·v = (ε(1 + 12Bη)/(ε - 2η))·(1/ε)·v for v = S·LN(U*).

    Each quotient is a variable that is given by its product with the divisor.
    """
    epsilon, eta, one, other, v, size = z3.Reals("epsilon eta one other v B")
    ranges = [eta > 0, epsilon > 2 * eta, size > 0]
    quotients = [*ranges, one * epsilon == 1, other * (epsilon - 2 * eta) == 1 + 12 * size * eta]
    return (Statement("Y'", quotients, other * v == epsilon * other * (one * v), other * v == one * v),)
