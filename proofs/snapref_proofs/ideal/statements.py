"""What is true of the ideal mechanism of document 003, for all reals; obligations.py uses these statements.

Two solvers decide each statement. Each has a *twin*, a variant that must turn out false. In place of the draw u the
statements speak of s = log(u)/ε, a real number, negative where u ∈ (0, 1), and of the noise t = S·s for the sign S.
These, f and the outputs n are measured in units of Λ. Because exp is increasing, u ≥ exp(ε·x) means s ≥ x, and
multiplying u by e^(-ε·d) subtracts d from s. A statement about one arbitrary point carries over to every set of points,
so it covers all events and all distributions on them.
"""

from itertools import combinations
from typing import Any

import z3

from snapref_smt.engine.statement import Statement, absolute, clamped

HALF = z3.Q(1, 2)


def rounded(w: Any) -> Any:
    """round(w) in units of Λ: ⌊w + ½⌋, ties toward +∞."""
    return z3.ToInt(w + HALF)


def inverse_images() -> list[Statement]:
    """Line 2 of the proof of Prop. 1, corrected: which u give the output n, for each sign."""
    n = z3.Int("n")
    f, s = z3.Reals("f s")
    low, high = n - HALF - f, n + HALF - f
    return [
        Statement(
            "S = 1: u ∈ [e^(ε(v - Λ/2 - f)), e^(ε(v + Λ/2 - f)))",
            [],
            (rounded(f + s) == n) == z3.And(low <= s, s < high),
            (rounded(f + s) == n) == z3.And(low <= s, s <= high),
        ),
        Statement(
            "S = -1: u ∈ (e^(-ε(v + Λ/2 - f)), e^(-ε(v - Λ/2 - f))]",
            [],
            (rounded(f - s) == n) == z3.And(-high < s, s <= -low),
            (rounded(f - s) == n) == z3.And(-high <= s, s <= -low),
        ),
    ]


def moved_images() -> list[Statement]:
    """Lines 3 and 4, corrected: with d = f(a') - f(a), the u that serve a' are those that serve a times e^(-ε·S·d)."""
    n = z3.Int("n")
    f, s, d = z3.Reals("f s d")
    return [
        Statement(
            "S = 1: I(a') = e^(-εd)·I(a)",
            [],
            (rounded(f + s) == n) == (rounded((f + d) + (s - d)) == n),
            (rounded(f + s) == n) == (rounded((f + d) + (s - 1)) == n),
        ),
        Statement(
            "S = -1: I(a') = e^(εd)·I(a)",
            [],
            (rounded(f - s) == n) == (rounded((f + d) - (s + d)) == n),
            (rounded(f - s) == n) == (rounded((f + d) - (s - d)) == n),
        ),
    ]


def transport() -> list[Statement]:
    """The noise t gives the same output from a as the noise t - d gives from a', with clamps and without.

    So any set of outputs is one event E of the noise from a, and the event E - d of the noise from a'.
    """
    f, g, t, bound = z3.Reals("f g t B")
    c, e = clamped(f, bound), clamped(g, bound)

    def snapped(center: Any, noise: Any) -> Any:
        return clamped(z3.ToReal(rounded(center + noise)), bound)

    return [
        Statement(
            "round(f(a) + t) = round(f(a') + t - d), d = f(a') - f(a)",
            [],
            rounded(f + t) == rounded(g + (t - (g - f))),
            rounded(f + t) == rounded(g + t),
        ),
        Statement(
            "with clamps, d = clamp(f(a')) - clamp(f(a))",
            [bound > 0],
            snapped(c, t) == snapped(e, t - (e - c)),
            snapped(c, t) == snapped(e, t - (g - f)),
        ),
        Statement(
            "clamping brings two values no further apart",
            [bound > 0],
            absolute(e - c) <= absolute(g - f),
            absolute(e - c) == absolute(g - f),
        ),
    ]


def parts() -> list[Statement]:
    """Which sign and which s give the noise t - d, for u ∈ (0, 1) and d > 0.

    There are three ways in which a draw of a corresponds to a draw of a'. Together they cover all draws but one, whose
    partner would have the noise 0, which no u < 1 gives. No draw is covered twice.
    """
    sign, s, d, sign2, s2 = z3.Reals("S s d S2 s2")
    draw = [d > 0, s < 0, z3.Or(sign == 1, sign == -1)]
    image = [s2 < 0, z3.Or(sign2 == 1, sign2 == -1), sign2 * s2 == sign * s - d]
    down = z3.And(sign2 == 1, s2 == s - d)  # u' = e^(-εd)·u
    reflected = z3.And(sign2 == 1, s2 == -s - d, -d < s2)  # u' = e^(-εd)/u
    up = z3.And(sign2 == -1, s2 == s + d)  # u' = e^(εd)·u
    return [
        Statement("S = 1 goes down", [*draw, *image, sign == 1], z3.And(down, s2 < -d), s2 < -2 * d),
        Statement("S = -1, u > e^(-εd) is reflected", [*draw, *image, sign == -1, s > -d], reflected, s2 == s),
        Statement("S = -1, u < e^(-εd) goes up", [*draw, *image, sign == -1, s < -d], up, s2 < -d),
        Statement("S = -1, u = e^(-εd) would need u' = 1", [*draw, sign == -1, s == -d], sign * s - d == 0, s > d),
        Statement(
            "every draw of a' but u' = e^(-εd), S = 1, for which u would be 1, is met",
            [d > 0, s2 < 0, z3.Or(sign2 == 1, sign2 == -1), z3.Not(z3.And(sign2 == 1, s2 == -d))],
            z3.Or(s2 + d < 0, z3.And(sign2 == 1, -d < s2, -s2 - d < 0), z3.And(sign2 == -1, s2 - d < 0)),
            s2 + d < 0,
        ),
        Statement(
            "d < 0 is d > 0 with the signs exchanged, which have equal probability",
            draw,
            -(sign * s - d) == (-sign) * s - (-d),
            -(sign * s - d) == (-sign) * s - d,
        ),
    ]


def uniform_parts() -> list[Statement]:
    """For u uniform on (0, 1), an interval (x, x + g) of each part is at most K times as likely as its image.

    Here K = e^(εΔ) and q = e^(-εd) ≥ 1/K. Both sides are measures, so the same is true of every event.
    """
    x, g, q, growth = z3.Reals("x g q K")
    y = x + g
    ranges = [x > 0, g > 0, y < 1, q > 0, q <= 1, growth * q >= 1]
    # (q/x, q/y) has the length q·g/(x·y); written as products, r for x·y, k for K·q
    r, k = z3.Reals("r k")
    return [
        Statement("down", ranges, g <= growth * (q * y - q * x), 2 * g <= growth * (q * y - q * x)),
        Statement("up", [*ranges, y < q], g * q <= growth * (y - x), 2 * g * q <= growth * (y - x)),
        Statement("x·y ≤ 1", [x > 0, g > 0, y < 1, r == x * y], r <= 1, r <= HALF),
        Statement("reflected: g ≤ K·q·g/(x·y)", [g > 0, r > 0, r <= 1, k >= 1], g * r <= k * g, g <= k * g * r),
    ]


def attained() -> list[Statement]:
    """For u uniform on (0, 1), an output below both values is exactly K times as likely from a as from a'.

    Here d = f(a') - f(a) > 0, q = e^(-εd) and K = 1/q. With clamps, -T is the threshold below which the output is -B;
    the last two statements say when there are two values that are 1 apart and above -T.
    """
    n, output = z3.Int("n"), z3.Int("round_c")
    c, s, t, x, y, q, growth, bound, threshold = z3.Reals("c s t x y q K B T")
    down = [s < 0]
    least = z3.If(threshold < bound, -threshold, -bound)
    room = [threshold > 0, bound + threshold >= 1]
    return [
        Statement(
            "an output below round(c) comes from S = 1 alone",
            [*down, output == rounded(c), n < output],
            rounded(c - s) != n,
            rounded(c + s) != n,
        ),
        Statement("and so does what is below a threshold t ≤ c", [*down, t <= c], c - s >= t, c + s >= t),
        Statement(
            "from a' its u are q times those from a, as likely as 1/K",
            [q > 0, q < 1, growth * q == 1, x >= 0, y > x],
            y - x == growth * (q * y - q * x),
            y - x == 2 * growth * (q * y - q * x),
        ),
        Statement(
            "with clamps, B ≥ ½ and B + T ≥ 1: c and c + 1 in [-B, B], both above -T",
            [*room, bound >= HALF],
            z3.And(least >= -bound, least + 1 <= bound, least >= -threshold),
            least + 2 <= bound,
        ),
        Statement(
            "with clamps, B < ½: less than 1 apart",
            [bound > 0, bound < HALF],
            absolute(clamped(x, bound) - clamped(y, bound)) <= 2 * bound,
            absolute(clamped(x, bound) - clamped(y, bound)) <= bound,
        ),
    ]


def scaling() -> list[Statement]:
    """For 0 < q ≤ 1 the map u → q·u takes (0, 1] into itself, is one to one, and takes intervals to intervals."""
    u, v, x, y, q = z3.Reals("u v x y q")
    factor = [q > 0, q <= 1]
    return [
        Statement("it stays in (0, 1]", [*factor, u > 0, u <= 1], z3.And(q * u > 0, q * u <= 1), q * u <= HALF),
        Statement("it is one to one", [*factor, q * u == q * v], u == v, u == 2 * v),
        Statement(
            "q·(x, y] = (qx, qy]",
            factor,
            z3.And(x < u, u <= y) == z3.And(q * x < q * u, q * u <= q * y),
            z3.And(x < u, u <= y) == z3.And(q * x < u, u <= q * y),
        ),
    ]


def values() -> list[Statement]:
    """Each event contributes a number ≤ 1 to D_ε, and the empty event 0. So the supremum is in [0, 1]."""
    m1, m2, growth = z3.Reals("m1 m2 K")
    masses = [growth >= 1, m1 >= 0, m1 <= 1, m2 >= 0, m2 <= 1]
    return [
        Statement("μ1(E) - e^ε·μ2(e^(-ε)E) ≤ 1", masses, m1 - growth * m2 <= 1, m1 - growth * m2 <= HALF),
        Statement("the empty event gives 0", [*masses, m1 == 0, m2 == 0], m1 - growth * m2 == 0, m1 == 1),
    ]


def pair_scaling() -> list[Statement]:
    """Scaling both components is one to one on pairs, takes squares to squares, and keeps equal components equal."""
    u, v, w, z, x, y, q = z3.Reals("u v w z x y q")
    factor = [q > 0, q <= 1]
    return [
        Statement(
            "it stays in (0, 1]²",
            [*factor, u > 0, u <= 1, v > 0, v <= 1],
            z3.And(q * u > 0, q * u <= 1, q * v > 0, q * v <= 1),
            q * u * 2 <= 1,
        ),
        Statement("one to one", [*factor, q * u == q * w, q * v == q * z], z3.And(u == w, v == z), u == v),
        Statement(
            "q·(x, y]² = (qx, qy]²",
            factor,
            z3.And(x < u, u <= y, x < v, v <= y)
            == z3.And(q * x < q * u, q * u <= q * y, q * x < q * v, q * v <= q * y),
            z3.And(x < u, u <= y, x < v, v <= y) == z3.And(q * x < q * u, q * u <= q * y, x < q * v, q * v <= y),
        ),
        Statement("the diagonal goes to the diagonal", factor, (u == v) == (q * u == q * v), (u == v) == (q * u == v)),
    ]


def on_the_diagonal() -> list[Statement]:
    """After Def. 3: a law on the diagonal is given by its marginal, and D_ε of two such laws is D_ε of the marginals.

    E is any set of pairs, E_d = {u : (u, u) ∈ E}, and Ψ is the diagonal.
    """
    event = z3.Function("E", z3.RealSort(), z3.RealSort(), z3.BoolSort())
    u, v, q = z3.Reals("u v q")
    return [
        Statement(
            "E ∩ Ψ = (E_d × U) ∩ Ψ, so μ_L(E) = μ1(E_d)",
            [],
            z3.And(event(u, v), u == v) == z3.And(event(u, u), u == v),
            event(u, v) == event(u, u),
        ),
        Statement(
            "E ∩ Ψ = (U × E_d) ∩ Ψ, so μ_R(E) = μ2(E_d)",
            [],
            z3.And(event(u, v), u == v) == z3.And(event(v, v), u == v),
            event(u, v) == event(v, v),
        ),
        Statement(
            "(q·E)_d = q·E_d: (u, u) = q·(u/q, u/q)",
            [q > 0, q <= 1],
            z3.Implies(u == v, event(u / q, v / q) == event(u / q, u / q)),
            event(u / q, v / q) == event(u / q, u / q),
        ),
    ]


def two_definitions() -> list[Statement]:
    """Def. 5 compared with Def. 2 on one event E: m1 = μ1(E), m2 = μ2(e^(-ε)E), K = e^ε, k = e^(-ε), w = K - k."""
    m1, m2, growth, k, w = z3.Reals("m1 m2 K k w")
    masses = [m1 >= 0, m1 <= 1, m2 >= 0, m2 <= 1]
    second, fifth = m1 - growth * m2, m1 - k * m2
    return [
        Statement(
            "Def. 5 is Def. 2 with e^(-2ε)·μ2 for μ2",
            [growth * k == 1],
            fifth == m1 - growth * (k * k * m2),
            fifth == m1 - growth * (k * m2),
        ),
        Statement("its excess over Def. 2 is w·m2", [w == growth - k], fifth == second + w * m2, fifth == second + m2),
        Statement("0 ≤ w·m2 ≤ w", [*masses, w >= 0], z3.And(w * m2 >= 0, w * m2 <= w), w * m2 == 0),
        Statement("w ≥ 0, and w = 0 for ε = 0", [growth >= 1, k <= 1, w == growth - k], w >= 0, w > 0),
    ]


def one_delta_for_a_set(cells: int = 4) -> list[Statement]:
    """An excess δ at each output adds up over a set of outputs; without an excess there is nothing to add up.

    m and n are the probabilities of an output from a and from a'.
    """
    delta, growth = z3.Reals("delta K")
    pairs = [z3.Reals(f"m{k} n{k}") for k in range(cells)]
    gaps = [m - growth * n for m, n in pairs]
    masses = [growth >= 1, delta >= 0, *(x >= 0 for pair in pairs for x in pair), *(gap <= delta for gap in gaps)]
    sets = [sum(chosen) for size in range(1, cells + 1) for chosen in combinations(gaps, size)]
    return [
        Statement(
            f"a δ for each of {cells} outputs gives {cells}δ", masses, sets[-1] <= cells * delta, sets[-1] <= delta
        ),
        Statement("no δ gives none for any set", [*masses, delta == 0], z3.And([s <= 0 for s in sets]), gaps[0] == 0),
    ]
