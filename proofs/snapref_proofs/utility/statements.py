"""The distance cases of 000 §3.1 for all reals: statements for two solvers, each with a twin that must fail.

In units of Λ: rounding is ⌊x + ½⌋ and ½ < λ ≤ 1 (§2.2). Y, f and B are arbitrary but for what a case assumes.
"""

from typing import Any

import z3

from snapref_proofs.ideal.statements import HALF, rounded
from snapref_smt.engine.statement import Statement, absolute, clamped

F, Y, B, SCALE, M, T = z3.Reals("f Y B lambda M t")
BOUND, LATTICE = B > 0, z3.And(SCALE > HALF, SCALE <= 1)


def outer(center: Any) -> tuple[Any, Any, Any]:
    """(round(center + Y), whether it is outside [-B, B], what the outer clamp makes of it)."""
    r = z3.ToReal(rounded(center + Y))
    return r, z3.Or(r > B, r < -B), clamped(r, B)


def inner_clamp() -> list[Statement]:
    """§3.1.2: f > B, round(B + Y) in [-B, B]."""
    r, binds, _ = outer(B)
    distance, limit = absolute(F + Y - r), F - B + HALF
    return [
        Statement(
            "dist_2 < |f - B + Λ/2| = f - B + Λ/2 < f - B + λ",
            [BOUND, LATTICE, F > B, z3.Not(binds)],
            z3.And(distance < absolute(limit), absolute(limit) == limit, limit < F - B + SCALE),
            distance < limit - z3.Q(1, 4),
        ),
        Statement("at f = B it is attained", [BOUND, LATTICE, F == B], distance <= limit, distance < limit),
    ]


def below_zero() -> list[Statement]:
    """Footnote 2, corrected: the four cases for f ≤ 0."""
    r, _, _ = outer(F)
    low, binds, _ = outer(-B)
    inside, outside = [BOUND, LATTICE, F <= 0, F >= -B], [BOUND, LATTICE, F < -B]
    limit = -F - B + HALF
    return [
        Statement(
            "dist_1 ≤ Λ/2 < λ", inside, z3.And(absolute(F + Y - r) <= HALF, SCALE > HALF), absolute(F + Y - r) < HALF
        ),
        Statement(
            "dist_2 ≤ -f - B + Λ/2 < -f - B + λ, not <",
            [*outside, z3.Not(binds)],
            z3.And(clamped(F, B) == -B, absolute(F + Y - low) <= limit, limit < -F - B + SCALE),
            absolute(F + Y - low) < limit,
        ),
        *signs_of(F, inside, "dist_3"),
        *signs_of(-B, outside, "dist_4"),
    ]


def signs_of(center: Any, hypotheses: list[Any], name: str) -> list[Statement]:
    """Where the outer clamp binds: which end, and so which sign."""
    r, binds, out = outer(center)
    distance = absolute(F + Y - out)
    return [
        Statement(
            f"{name} = |f + Y - B| above, |f + Y + B| below",
            [*hypotheses, binds],
            z3.And(
                clamped(F, B) == center,
                z3.Implies(r > B, z3.And(out == B, distance == absolute(F + Y - B))),
                z3.Implies(r < -B, z3.And(out == -B, distance == absolute(F + Y + B))),
            ),
            distance == absolute(F + Y - B),
        )
    ]


def outer_clamp() -> list[Statement]:
    """§3.1.3: 0 < f ≤ B."""
    return signs_of(F, [BOUND, F > 0, F <= B], "dist_3")


def both_clamps() -> list[Statement]:
    """§3.1.4: f > B."""
    return signs_of(B, [BOUND, F > B], "dist_4")


def unbounded(center: Any, hypotheses: list[Any], name: str) -> list[Statement]:
    """Y = M + 2B + Λ, or anything beyond, is in the case and has a distance of more than M."""
    r, _, out = outer(center)
    distance = absolute(F + Y - out)
    return [
        Statement(
            f"{name} > M for every Y ≥ M + 2B + Λ",
            [BOUND, *hypotheses, M > 0, Y >= M + 2 * B + 1],
            z3.And(r > B, distance > M),
            distance > 2 * M + 2 * B + 2,
        )
    ]


def binding() -> list[Statement]:
    """T = (⌊B/Λ⌋ + ½)Λ, X = c + Y: above, X ≥ T and the distance is |X - b|, b = B - (f - c); below, the mirror. That k
    = ⌊B/Λ⌋ and the rounded r are whole enters as: r is at most j or at least j + 1, for j = k and j = -k - 1."""
    c, k, r = z3.Reals("c k r")
    threshold = k + HALF
    x, mirrored, beyond = c + Y, -c - Y, F - c
    whole = [BOUND, k >= 0, k <= B, k + 1 > B, r <= x + HALF, x + HALF < r + 1]
    whole += [z3.Or(r <= j, r >= j + 1) for j in (k, -k - 1)]
    return [
        Statement("above iff X ≥ T", whole, (r > B) == (x >= threshold), (r > B) == (x > threshold)),
        Statement("below iff -X > T", whole, (r < -B) == (mirrored > threshold), (r < -B) == (mirrored >= threshold)),
        Statement(
            "|f + Y - B| = |X - b|",
            [BOUND],
            absolute(F + Y - B) == absolute(x - (B - beyond)),
            absolute(F + Y - B) == absolute(x - B),
        ),
        Statement(
            "|f + Y + B| = |-X - b'|, b' = B + (f - c)",
            [BOUND],
            absolute(F + Y + B) == absolute(mirrored - (B + beyond)),
            absolute(F + Y + B) == absolute(mirrored - B),
        ),
        Statement(
            "b - g = B - f above, B + f below: the same tail in both cases",
            [BOUND],
            z3.And((B - beyond) - c == B - F, (B + beyond) + c == B + F),
            (B - beyond) - c == B - c,
        ),
        Statement("|T - B| ≤ Λ/2", whole, absolute(threshold - B) <= HALF, absolute(threshold - B) < HALF),
    ]


def tail() -> list[Statement]:
    """The event of a tail on one side: X ≥ T and |X - b| > t is X > b + t with X ≥ T, or T ≤ X < b - t, never both."""
    x, edge, b, g = z3.Reals("X T b g")
    event = z3.And(x >= edge, absolute(x - b) > T)
    far, near = z3.And(x > b + T, x >= edge), z3.And(edge <= x, x < b - T)
    settled = [absolute(edge - b) <= T, g - b <= T]
    return [
        Statement("the two parts", [T >= 0], event == z3.Or(far, near), event == far),
        Statement("they exclude each other", [T >= 0], z3.Not(z3.And(far, near)), z3.Not(far)),
        Statement(
            "from t0 on: X > b + t alone, beyond the center",
            [T >= 0, *settled],
            z3.And(event == (x > b + T), b + T >= g),
            event == (x >= b + T),
        ),
    ]


def hyperbolic() -> list[Statement]:
    """e = e^(-(B+t)/λ), y = e^(f/λ), w = 1/y: ½e^(-(B+t-f)/λ) + ½e^(-(B+t+f)/λ) = e·cosh(f/λ); and for 0 ≤ f ≤ B, with
    z = e^(B/λ), this is at most e^(-t/λ). P(case) is the same with s = e^(-T/λ) for e, if |f| ≤ T: given the case, the
    tail is e/s = e^(-(B+t-T)/λ) = k."""
    e, y, w, z, s, k = z3.Reals("e y w z s k")
    return [
        Statement(
            "the sum of two tails", [e > 0, y * w == 1], e * y / 2 + e * w / 2 == e * ((y + w) / 2), e * y == e * w
        ),
        Statement("cosh(f/λ) ≤ e^(B/λ)", [y >= 1, w <= 1, w > 0, z >= y], (y + w) / 2 <= z, y + w <= z),
        Statement("given the case: k·P(case)", [e == s * k, y > 0, w > 0], e * (y + w) == k * (s * (y + w)), e == k),
    ]


def clamping_helps() -> list[Statement]:
    """Utility: for |f| ≤ B the outer clamp never moves the output away from f; outside, the error has a floor."""
    r, _, out = outer(F)
    _, _, out_far = outer(B)
    return [
        Statement(
            "|f| ≤ B: |clamp(r) - f| ≤ |r - f|",
            [BOUND, F >= -B, F <= B],
            absolute(out - F) <= absolute(r - F),
            absolute(out - F) == absolute(r - F),
        ),
        Statement("f > B: the error is at least f - B", [BOUND, F > B], absolute(out_far - F) >= F - B, out_far == B),
        Statement(
            "the error without clamps is |Y| to within Λ/2",
            [],
            z3.And(absolute(r - F) <= absolute(Y) + HALF, absolute(r - F) >= absolute(Y) - HALF),
            absolute(r - F) <= absolute(Y),
        ),
    ]
