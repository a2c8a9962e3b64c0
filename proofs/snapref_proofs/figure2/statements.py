"""What is true about rounding errors in 004 §4, for all reals: the lemmas behind Figure 2 and the seven cases.

obligations.py uses them, and so do the folders budget and accuracy. Two solvers decide each statement. It has a *twin*,
a stronger statement that must turn out false, and its hypotheses must be satisfiable; otherwise it would be vacuous. RN
is rounding to the nearest p-bit number, with unlimited exponents, and η = 2^-p. Two facts about it are used: it is
monotone and keeps floats, and |RN(t) - t| ≤ |t|·η/(1 + η). The second is a lemma of its own (`rounding_error`).
"""

from collections.abc import Callable
from typing import Any

import z3

from snapref_smt.engine.statement import Statement, absolute

Formula = Any


def rounds(result: Formula, exact: Formula, eta: Formula) -> Formula:
    """What is used of result = RN(exact): its relative error is at most η/(1 + η)."""
    return absolute(result - exact) * (1 + eta) <= eta * absolute(exact)


def rounding_error() -> Statement:
    """|RN(t) - t| ≤ |t|·η/(1 + η), for t scaled to [P, 2P) with P = 2^(p-1), where floats are 1 apart; η = 1/(2P).

    n = RN(t) is P or at least P + 1, and |n - t| ≤ ½. The worst t is P + ½.
    """
    t, n, top = z3.Reals("t n P")
    eta = 1 / (2 * top)
    return Statement(
        "|RN(t) - t| ≤ |t|·η/(1 + η) for round to nearest on p bits",
        [top >= 1, t >= top, z3.Or(n == top, n >= top + 1), n - t <= z3.Q(1, 2), t - n <= z3.Q(1, 2)],
        absolute(n - t) * (1 + eta) <= eta * t,
        absolute(n - t) * (1 + eta) * 2 <= eta * t,
    )


def grid_of_uniform() -> Statement:
    """The least float above t is at most t(1 + 2η). For t scaled to [P, 2P), P = 2^(p-1), it is at most t + 1."""
    t, q, top = z3.Reals("t q P")
    eta = 1 / (2 * top)
    return Statement(
        "the least value of U* above t is at most t(1 + 2η)",
        [top >= 1, t >= top, q > t, q <= t + 1],
        q <= t * (1 + 2 * eta),
        q <= t * (1 + eta),
    )


def ends_below() -> tuple[Statement, Statement]:
    """What w < T and w ≥ T say about y = -ln u > 0, for the sign S = +1 and c ≥ T.

    The program computes Y = RN(y), Z = RN(λY) and w = RN(c - Z).
    """
    c, t, scale, eta, y = z3.Reals("c T lambda eta y")
    big_y, z, w = z3.Reals("Y Z w")
    program = [
        z3.And(eta > 0, eta <= z3.Q(1, 4), scale > 0, y > 0, c >= t),
        rounds(big_y, y, eta),
        rounds(z, scale * big_y, eta),
        rounds(w, c - z, eta),
    ]
    near, far = c - t - eta * absolute(t), c - t + eta * absolute(t)
    return (
        Statement(
            "w < T implies -ln u ≥ ε(c - T - η|T|)(1 - η)²",
            [*program, w < t],
            z3.Or(near <= 0, scale * y >= near * (1 - eta) * (1 - eta)),
            scale * y >= c - t,
        ),
        Statement(
            "w ≥ T implies -ln u ≤ ε(c - T + η|T|)(1 + η)²",
            [*program, w >= t],
            scale * y <= far * (1 + eta) * (1 + eta),
            scale * y <= c - t,
        ),
    )


def ends_above() -> tuple[Statement, Statement]:
    """The mirror image of `ends_below`: the sign S = -1, w = RN(c + Z), and c < T."""
    c, t, scale, eta, y = z3.Reals("c T lambda eta y")
    big_y, z, w = z3.Reals("Y Z w")
    program = [
        z3.And(eta > 0, eta <= z3.Q(1, 4), scale > 0, y > 0, c < t),
        rounds(big_y, y, eta),
        rounds(z, scale * big_y, eta),
        rounds(w, c + z, eta),
    ]
    near, far = t - c - eta * absolute(t), t - c + eta * absolute(t)
    return (
        Statement(
            "w ≥ T implies -ln u ≥ ε(T - c - η|T|)(1 - η)²",
            [*program, w >= t],
            z3.Or(near <= 0, scale * y >= near * (1 - eta) * (1 - eta)),
            scale * y >= t - c,
        ),
        Statement(
            "w < T implies -ln u ≤ ε(T - c + η|T|)(1 + η)²",
            [*program, w < t],
            scale * y <= far * (1 + eta) * (1 + eta),
            scale * y <= t - c,
        ),
    )


def signs() -> tuple[Statement, Statement]:
    """RN is monotone and keeps the float c; Z > 0. So S = +1 never moves up and S = -1 never moves down."""
    rn = z3.Function("RN", z3.RealSort(), z3.RealSort())
    c, z, t = z3.Reals("c Z T")

    def monotone(a: Formula, b: Formula) -> Formula:
        return z3.Implies(a <= b, rn(a) <= rn(b))

    down = [z > 0, rn(c) == c, monotone(c - z, c), monotone(c, c - z)]
    up = [z > 0, rn(c) == c, monotone(c, c + z), monotone(c + z, c)]
    return (
        Statement("S = +1 gives w ≤ c: no output above [c]", [*down, c < t], rn(c - z) < t, rn(c - z) < c),
        Statement("S = -1 gives w ≥ c: no output below [c]", [*up, c >= t], rn(c + z) >= t, rn(c + z) > c),
    )


def the_end() -> tuple[Statement, Statement]:
    """When the output is -B or B, in units of Λ: k < B ≤ k + 1, n = ⌊w + ½⌋ (ties toward +∞), the output is clamp_B(n).

    k and n are integers. The statements use only this of it: n ≤ j or n ≥ j + 1, for j = k and for j = -k - 1.
    """
    k, n, bound, w = z3.Reals("k n B w")
    whole = [z3.Or(n <= j, n >= j + 1) for j in (k, -k - 1)]
    hypotheses = [k >= 0, k < bound, bound <= k + 1, n <= w + z3.Q(1, 2), w + z3.Q(1, 2) < n + 1, *whole]
    output = z3.If(n > bound, bound, z3.If(n < -bound, -bound, n))
    edge = k + z3.Q(1, 2)
    return (
        Statement(
            "the output is -B iff w < -b - Λ/2",
            hypotheses,
            (output == -bound) == (w < -edge),
            (output == -bound) == (w <= -edge),
        ),
        Statement(
            "the output is B iff w ≥ b + Λ/2",
            hypotheses,
            (output == bound) == (w >= edge),
            (output == bound) == (w > edge),
        ),
    )


def ideal() -> tuple[Statement, ...]:
    """The exact Laplace mechanism between fixed thresholds: |d ln P(x|c)/dc| ≤ 1 in units of λ, in every region.

    q1 and q2 ∈ (0, 1] stand for exp(-distance). In the regions I and III nothing has to be decided: there
    P = ½|q2 - q1|, and its derivative is ∓P.
    """
    q1, q2, a, b, t1, t2 = z3.Reals("q1 q2 a b T1 T2")
    ranges = [q1 > 0, q1 <= 1, q2 > 0, q2 <= 1]
    slope, mass = (q1 - q2) / 2, 1 - (q1 + q2) / 2
    return (
        Statement("region II: |P'| ≤ P", [*ranges, q1 * q2 < 1], absolute(slope) <= mass, 2 * absolute(slope) <= mass),
        Statement("x = ±B, f beyond the threshold: |P'| ≤ P", ranges, q1 / 2 <= 1 - q1 / 2, q1 <= 1 - q1 / 2),
        Statement(
            "case D: ln(P(x|a)/P(x|a')) = (a' - T2) - (T1 - a) ≤ d - κ, and so is its inverse",
            [a <= t1, t1 < t2, t2 <= b],
            z3.And((b - t2) - (t1 - a) <= (b - a) - (t2 - t1), (t1 - a) - (b - t2) <= (b - a) - (t2 - t1)),
            (b - t2) - (t1 - a) <= (b - a) - 2 * (t2 - t1),
        ),
        Statement(
            "case C in reverse: |ln P(x|T2) - ln P(x|a)| ≤ T2 - a gives ln(P(x|a')/P(x|a)) ≤ d - 2(a' - T2)",
            [a <= t2, t2 <= b],
            (t2 - a) - (b - t2) <= (b - a) - 2 * (b - t2),
            (t2 - a) - (b - t2) <= (b - a) - 3 * (b - t2),
        ),
    )


def cases_of_outputs() -> tuple[Statement, Statement]:
    """Exactly one of the cases A, G, CE, C, E, B, D, F is the first that applies, for -B ≤ x ≤ B, [f(a)] ≤ [f(a')]."""
    x, bound, a, b = z3.Reals("x B ra rb")
    hypotheses = [bound > 0, -bound <= x, x <= bound, a <= b]
    tests = [
        ("A", x == -bound),
        ("G", x == bound),
        ("CE", z3.And(x == a, x == b)),
        ("C", x == a),
        ("E", x == b),
        ("B", x < a),
        ("D", z3.And(a < x, x < b)),
        ("F", x > b),
    ]
    first: list[Formula] = []
    seen: list[Formula] = []
    for _, test in tests:
        first.append(z3.And(test, *(z3.Not(s) for s in seen)))
        seen.append(test)
    exactly_one = z3.Sum([z3.If(condition, 1, 0) for condition in first]) == 1
    return (
        Statement("exactly one case holds, the first that applies", hypotheses, exactly_one, z3.Or(*first[:-1])),
        Statement("the last three exclude each other", hypotheses, z3.Not(z3.And(x < a, x > b)), z3.Not(x < a)),
    )


def only_one_lattice() -> Statement:
    """Of two powers of two, one at least twice the other, not both can be the smallest that is ≥ 1/ε."""
    small, large, epsilon = z3.Reals("small large epsilon")

    def smallest(power: Formula) -> Formula:
        return z3.And(power >= 1 / epsilon, power / 2 < 1 / epsilon)

    return Statement(
        "Λ = 2^k ≥ 1/ε > 2^(k-1) determines Λ",
        [epsilon > 0, small > 0, smallest(small), large >= small],
        z3.Or(large < 2 * small, z3.Not(smallest(large))),
        z3.Not(smallest(large)),
    )


def absolute_errors() -> tuple[Statement, ...]:
    """Figure 1 completed: the error of a rounded operation on c1 and c2, where |c1 - r1| ≤ e1 and |c2 - r2| ≤ e2."""
    r1, r2, c1, c2, e1, e2, f, eta = z3.Reals("r1 r2 c1 c2 e1 e2 f eta")
    premises = [e1 >= 0, e2 >= 0, absolute(c1 - r1) <= e1, absolute(c2 - r2) <= e2, eta > 0, eta < 1]

    def rule(name: str, exact: Callable[[Formula, Formula], Formula], carried: Formula) -> Statement:
        result, value = exact(c1, c2), exact(r1, r2)
        error = carried + eta * (absolute(value) + carried)
        return Statement(
            f"{name}: err = carried + η(|r| + carried)",
            [*premises, absolute(f - result) <= eta * absolute(result)],
            absolute(f - value) <= error,
            absolute(f - value) <= carried + eta,
        )

    product = absolute(r1) * e2 + absolute(r2) * e1 + e1 * e2
    return (
        rule("PLUS, carried = err1 + err2", lambda a, b: a + b, e1 + e2),
        rule("SUB, carried = err1 + err2", lambda a, b: a - b, e1 + e2),
        rule("TIMES, carried = |r1|err2 + |r2|err1 + err1·err2", lambda a, b: a * b, product),
    )


def printed_middle() -> Statement:
    """The closed form of ln(r̄/r') in 004's case x = -B, as it should be: the difference of the printed exponents.

    T = -b - Λ/2, f = f(a), f(a') = f + 1 and n = 1 + η. Both sides are multiplied by n².
    """
    t, f, n = z3.Reals("T f n")
    exponent = (t * n - f) - (t * n - (f + 1) * n * n) * n * n
    corrected = -t * (n * n * n - n) + f * (n * n * n * n - 1) + n * n * n * n
    printed = t * (n * n * n - n) + f * (n * n * n * n - 1) + n * n * n * n
    return Statement("n²·ln(r̄/r')/ε = -T(n³ - n) + f(n⁴ - 1) + n⁴", [], exponent == corrected, exponent == printed)


def corrected_chain() -> Statement:
    """The corrected closed form is at most 1 + 12Bη (times ε), if -T ≤ 2B, |f| ≤ B, |f + 1| ≤ B and η ≤ 1/8.

    -T ≤ 2B is true because -T ≤ B + Λ/2 and Λ ≤ 2B.
    """
    t, f, bound, n = z3.Reals("T f B n")
    form = -t * (n - 1 / n) + f * (n * n - 1 / (n * n)) + n * n
    hypotheses = [n > 1, n <= z3.Q(9, 8), bound > 0, t < 0, -t <= 2 * bound, f >= -bound, f + 1 <= bound]
    return Statement(
        "the closed form is at most 1 + 12Bη",
        hypotheses,
        form <= 1 + 12 * bound * (n - 1),
        form <= 1 + 5 * bound * (n - 1),
    )


def more_is_more() -> Statement:
    """For x = B: RN is monotone, so noise that carries f(a) to the threshold carries f(a') ≥ f(a) there too."""
    rn = z3.Function("RN", z3.RealSort(), z3.RealSort())
    a, b, z, t = z3.Reals("a b z T")
    hypotheses = [a <= b, z3.Implies(a + z <= b + z, rn(a + z) <= rn(b + z))]
    return Statement(
        "f(a) ≤ f(a') gives P(B|a) ≤ P(B|a')",
        hypotheses,
        z3.Implies(rn(a + z) >= t, rn(b + z) >= t),
        z3.Implies(rn(b + z) >= t, rn(a + z) >= t),
    )


def away_from_both() -> Statement:
    """For case F forward: -ε + C·Bεη + 2η ≤ ε + 12Bεη + 2η if C ≤ 20 and m = Bη ≤ ¼; everything divided by ε."""
    constant, m = z3.Reals("C m")
    return Statement(
        "-1 + C·Bη ≤ 1 + 12·Bη",
        [constant > 0, constant <= 20, m > 0, m <= z3.Q(1, 4)],
        -1 + constant * m <= 1 + 12 * m,
        -1 + constant * m <= 12 * m,
    )


def one_threshold_for_all() -> tuple[Statement, ...]:
    """What the error model `shared` rests on (rates.py).

    The point t* from which on RN gives T or more depends on T alone, and is within η|T| of T. A float c is on the same
    side of t* as of T. And Z ≥ τ or Z ≤ τ bounds y = -ln u with the errors of ⊗ and LN only.
    """
    rn = z3.Function("RN", z3.RealSort(), z3.RealSort())
    r, r2, t, c, eta, scale, y, big_y, z, tau = z3.Reals("r r2 T c eta lambda y Y Z tau")
    small = z3.And(eta > 0, eta <= z3.Q(1, 4))
    program = [small, scale > 0, y > 0, tau > 0, rounds(big_y, y, eta), rounds(z, scale * big_y, eta)]
    return (
        Statement(
            "{r: RN(r) ≥ T} is closed upward: it has a least bound t*",
            [r <= r2, rn(r) <= rn(r2), rn(r) >= t],
            rn(r2) >= t,
            rn(r2) > rn(r),
        ),
        Statement(
            "RN(r) ≥ T implies r ≥ T - η|T|",
            [small, rounds(rn(r), r, eta), rn(r) >= t],
            r >= t - eta * absolute(t),
            r >= t,
        ),
        Statement(
            "RN(r) < T implies r ≤ T + η|T|",
            [small, rounds(rn(r), r, eta), rn(r) < t],
            r <= t + eta * absolute(t),
            r <= t,
        ),
        Statement("a float c ≥ T has RN(c) ≥ T", [rn(c) == c, c >= t], rn(c) >= t, rn(c) > t),
        Statement(
            "Z ≥ τ implies -ln u ≥ ετ(1 - η)²",
            [*program, z >= tau],
            scale * y >= tau * (1 - eta) * (1 - eta),
            scale * y >= tau,
        ),
        Statement(
            "Z ≤ τ implies -ln u ≤ ετ(1 + η)²",
            [*program, z <= tau],
            scale * y <= tau * (1 + eta) * (1 + eta),
            scale * y <= tau,
        ),
    )


def one_error_for_all() -> tuple[Statement, Statement]:
    """What the error model `absolute` rests on (rates.py), in units of B.

    Up to |Z| = z the error of w = f ⊕ (λ ⊗ LN(u)) is at most e. And z - e is beyond every threshold, so that larger
    noise is beyond it, too: the program is monotone in u.
    """
    y, c, eta, s, big_y, big_z, w = z3.Reals("Z c eta s Y1 Z1 w")
    reach = 2 + s / 2
    z, wide = reach * (1 + 4 * eta), 1 + s / 2 + 4 * eta * reach
    error = eta * wide + z * (2 * eta + eta * eta) * (1 + eta)
    ranges = [eta > 0, eta <= z3.Q(1, 2**11), s >= 0, s <= 2]
    program = [
        z3.And(y > 0, y <= z, c >= -1, c <= 1, absolute(c - y) <= wide),
        z3.And(big_y >= y * (1 - eta), big_y <= y * (1 + eta)),  # λ·LN(u), in units of B
        z3.And(big_z >= big_y * (1 - eta), big_z <= big_y * (1 + eta)),
        absolute(w - (c - big_z)) <= eta * absolute(c - big_z),
    ]
    return (
        Statement("z - e ≥ 2 + Λ/(2B)", ranges, z - error >= reach, z - 2 * error >= reach),
        Statement(
            "|w - (c - Z)| ≤ e for Z ≤ z",
            [*ranges, *program],
            absolute(w - (c - y)) <= error,
            absolute(w - (c - y)) <= error / 4,
        ),
    )
