"""The four cases of the distance (000 §3.1) for all reals; obligations.py uses these statements.

Two solvers decide each statement, and each has a *twin*, a variant that must turn out false. Lengths are in units of Λ:
rounding is ⌊x + ½⌋, and ½ < λ ≤ 1 (§2.2). The noise Y, the answer f and the bound B are arbitrary reals, except for
what a case assumes. dist_1 to dist_4 are 000's names for the distance in its four cases.
"""

from typing import Any

import z3

from snapref_proofs.ideal.statements import HALF, rounded
from snapref_smt.engine.statement import Statement, absolute, clamped

F, Y, B, SCALE, M, T = z3.Reals("f Y B lambda M t")
BOUND, LATTICE = B > 0, z3.And(SCALE > HALF, SCALE <= 1)


def outer(center: Any) -> tuple[Any, Any, Any]:
    """(round(center + Y); whether it is outside [-B, B]; its value after the outer clamp)."""
    r = z3.ToReal(rounded(center + Y))
    return r, z3.Or(r > B, r < -B), clamped(r, B)


def inner_clamp() -> list[Statement]:
    """§3.1.2, where only the inner clamp binds: f > B, and round(B + Y) is in [-B, B]."""
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
    """Where the outer clamp binds: at which end it does, and so which sign B has in the distance."""
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
    """§3.1.3, where only the outer clamp binds: 0 < f ≤ B."""
    return signs_of(F, [BOUND, F > 0, F <= B], "dist_3")


def both_clamps() -> list[Statement]:
    """§3.1.4, where both clamps bind: f > B."""
    return signs_of(B, [BOUND, F > B], "dist_4")


def unbounded(center: Any, hypotheses: list[Any], name: str) -> list[Statement]:
    """Any noise Y ≥ M + 2B + Λ is in the case and has a distance of more than M."""
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
    """When the outer clamp binds, and at what distance, in terms of X = c + Y and T = (⌊B/Λ⌋ + ½)Λ.

    Above, it binds iff X ≥ T, and the distance is |X - b| with b = B - (f - c). Below, it is the mirror image. Both
    k = ⌊B/Λ⌋ and the rounded value r are integers. The statements use only this of it: r ≤ j or r ≥ j + 1, for j = k
    and for j = -k - 1.
    """
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
    """The event "X ≥ T and |X - b| > t" has two disjoint parts: X > b + t with X ≥ T, and T ≤ X < b - t."""
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
    """The sum of the two tails is e·cosh(f/λ), with e = e^(-(B+t)/λ), y = e^(f/λ) and w = 1/y.

    That is ½e^(-(B+t-f)/λ) + ½e^(-(B+t+f)/λ) = e·cosh(f/λ). For 0 ≤ f ≤ B it is at most e^(-t/λ); z is e^(B/λ). If
    |f| ≤ T, the probability of the case is the same with s = e^(-T/λ) in place of e. So, given the case, the tail is
    k = e/s = e^(-(B+t-T)/λ).
    """
    e, y, w, z, s, k = z3.Reals("e y w z s k")
    return [
        Statement(
            "the sum of two tails", [e > 0, y * w == 1], e * y / 2 + e * w / 2 == e * ((y + w) / 2), e * y == e * w
        ),
        Statement("cosh(f/λ) ≤ e^(B/λ)", [y >= 1, w <= 1, w > 0, z >= y], (y + w) / 2 <= z, y + w <= z),
        Statement("given the case: k·P(case)", [e == s * k, y > 0, w > 0], e * (y + w) == k * (s * (y + w)), e == k),
    ]


def clamping_helps() -> list[Statement]:
    """For |f| ≤ B the outer clamp never moves the output away from f. For f > B the error is at least f - B."""
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
