"""The redefinition of ε (001 and 002, §5), and what the bound B does to the noise and to the bias (§6.1): claims N-5-….

To honour ε in floating point, §5 runs the mechanism with a smaller ε' = (ε - 2η)/(1 + 12Bη) and the noise scale
λ' = 1/ε', for the sensitivity 1; η is 2^-p for arithmetic at p bits. All of this is real arithmetic. Statements for all
reals are decided by two solvers. The bias is computed on the ideal mechanism (ideal/model.py).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import z3

from snapref.budget import WIDEST, notes_precision
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.intervals import Engine, sign
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.figure2.statements import one_threshold_for_all
from snapref_proofs.ideal.model import ExpSum, Ideal, constant
from snapref_smt.engine.statement import Statement, absolute
from snapref_smt.engine.stating import proves


def inner(epsilon: Any, bound: Any, eta: Any) -> Any:
    """ε' = (ε - 2η)/(1 + 12Bη), for numbers or for solver terms."""
    return (epsilon - 2 * eta) / (1 + 12 * bound * eta)


# §5: λ, ε and ε'


@obligation(
    "proofs.budget.delta.printed",
    claim="N-5-delta",
    kind="exact",
    expected="refuted",
    scope="λ = 2, ε' = 1, δ = 1/ε' = 1, B = 1, η = 2^-53",
)
def delta_printed(run: Run) -> Outcome:
    """The notes set δ = 1/ε' and say nothing about λ. Without λ = 1/ε' the two bounds need not be equal."""
    scale, inside, bound, eta = Fraction(2), Fraction(1), Fraction(1), Fraction(1, 2**53)
    delta = 1 / inside
    first, second = (1 + 12 * bound * eta) / scale + 2 * eta, inside * (1 + 12 * bound * eta) + 2 * eta
    if first == second:
        return Outcome("proved")
    return Outcome(
        "refuted",
        "δ occurs in neither bound: what ties them together is λ = 1/ε'",
        f"λ = 2, ε' = 1, δ = {delta}, B = 1, η = 2^-53: {float(first):.6f} and {float(second):.6f}",
    )


@proves("proofs.budget.delta", claim="N-5-delta", part="corrected", scope="every B > 0, η > 0, ε' > 0 and λ > 0")
def delta() -> Statement:
    """(1 + 12Bη)/λ + 2η = ε'(1 + 12Bη) + 2η if and only if λ = 1/ε'."""
    bound, eta, inside, scale = z3.Reals("B eta e' lambda")
    equal = (1 + 12 * bound * eta) / scale + 2 * eta == inside * (1 + 12 * bound * eta) + 2 * eta
    return Statement("λ = 1/ε'", [bound > 0, eta > 0, inside > 0, scale > 0], equal == (scale * inside == 1), equal)


@proves("proofs.budget.algebra", claim="N-5-alg", scope="every real ε and ε', every B > 0 and η > 0")
def algebra() -> Statement:
    """ε = ε'(1 + 12Bη) + 2η if and only if ε' = (ε - 2η)/(1 + 12Bη). Twin: with -η for η in the second equation."""
    bound, eta, inside, epsilon = z3.Reals("B eta e' e")
    forward = epsilon == inside * (1 + 12 * bound * eta) + 2 * eta
    back, wrong = (inside == inner(epsilon, bound, sign * eta) for sign in (1, -1))
    return Statement("ε and ε'", [bound > 0, eta > 0], forward == back, forward == wrong)


@proves("proofs.budget.positive", claim="N-5-pos", scope="every real ε, every B > 0 and η > 0")
def positive() -> Statement:
    """ε' > 0 if and only if ε > 2η, for every η > 0 and so for η = 2^-p. Twin: ε > η in place of ε > 2η."""
    bound, eta, epsilon = z3.Reals("B eta e")
    good = inner(epsilon, bound, eta) > 0
    return Statement("ε' > 0", [bound > 0, eta > 0], good == (epsilon > 2 * eta), good == (epsilon > eta))


@proves("proofs.budget.monotone", claim="N-5-mono", scope="every ε > 2η > 0 and 0 < B1 < B2")
def monotone() -> Statement:
    """ε' falls strictly and λ' rises strictly when B rises. Twin: ε' falls by a tenth when B doubles."""
    first, second, eta, epsilon = z3.Reals("B1 B2 eta e")
    facts = [eta > 0, epsilon > 2 * eta, first > 0, second > first]
    before, after = inner(epsilon, first, eta), inner(epsilon, second, eta)
    twin = z3.Implies(second >= 2 * first, 10 * after <= 9 * before)
    return Statement("ε' and λ'", facts, z3.And(after < before, 1 / after > 1 / before), twin)


# §5: the rule p = m + 2

NO_FLOOR = -(10**6)  # the notes' rule alone, without its 118


@obligation(
    "proofs.budget.precision.printed",
    claim="N-5-p",
    kind="exact",
    expected="refuted",
    scope="ε = 4: m = -2 and p = 0",
)
def precision_printed(run: Run) -> Outcome:
    """Above ε = 2 the rule gives p ≤ 0, and no arithmetic has such a precision."""
    rule = notes_precision(Fraction(4), NO_FLOOR)
    if rule >= 1:
        return Outcome("proved")
    return Outcome(
        "refuted", "", f"ε = 4: 2^-m = 4, m = -2, p = m + 2 = {rule}; the least precision there is, 1, suffices"
    )


def precision_rule() -> list[Statement]:
    """Why p = m + 2 bits suffice for ε > 2η, and fewer do not.

    E = 2^-m is the smallest power of two ≥ ε, so E/2 < ε ≤ E. With p = m + 2, 2η = 2^(1-p) = E/2. A smaller p doubles
    2η at least once.
    """
    epsilon, power, twice, fewer = z3.Reals("e E 2eta 2eta'")
    facts = [epsilon > 0, power / 2 < epsilon, epsilon <= power]
    return [
        Statement("m + 2 bits suffice", [*facts, twice == power / 2], epsilon > twice, epsilon > twice * z3.Q(3, 2)),
        Statement("fewer do not", [*facts, fewer >= power], z3.Not(epsilon > fewer), z3.Not(2 * epsilon > fewer)),
        # powers of two: above 2 the next is 4
        Statement("p ≥ 1 for ε ≤ 2", [*facts, epsilon <= 2, z3.Or(power <= 2, power >= 4)], power <= 2, power <= 1),
    ]


def wrong_precisions(run: Run) -> Iterator[str]:
    """Every ε at which the reference's rule differs from the least p that trying them all finds."""
    for k in range(-20, 2):
        for numerator in range(1, 101):
            epsilon = Fraction(numerator, 100) * Fraction(2) ** k
            least = next(p for p in range(1, 100) if epsilon > Fraction(2) ** (1 - p))
            if notes_precision(epsilon, NO_FLOOR) != least:
                yield f"ε = {epsilon}: {least} bits suffice"


@proves(
    "proofs.budget.precision",
    claim="N-5-p",
    part="conditional",
    scope="every 0 < ε ≤ 2, with 2^-m as a real variable; and the reference's rule against trying every p, for 2000 ε",
    beside=wrong_precisions,
)
def precision() -> list[Statement]:
    """p = m + 2 is the least p ≥ 1 with ε > 2^(1-p)."""
    return precision_rule()


# §5 with §3: p bits in the arithmetic, q in U*

SHARE = z3.Q(3, 7)  # the most that the smaller of two neighbouring thresholds' masses is of the larger: e^-0.9 < 3/7


def apart() -> list[Statement]:
    """How far apart the exponents -ln q at the two thresholds T1 < T2 of an output |x| < B are.

    Lengths are in units of λ: the thresholds are κ = Λ/λ ≥ 1 apart, and b = B/λ with bη ≤ 2^-7 and p ≥ 11. The rounding
    of ⊕ moves each threshold by at most η|T| ≤ η(b + κ/2). ⊗ and LN turn a distance τ into an exponent from τ(1 - η)²
    to τ(1 + η)². So if both thresholds are on one side of c, the exponents differ by at least 9/10. If c lies between
    the thresholds, their sum is at least 9/10.
    """
    kappa, b, eta, t1, t2, g1, g2 = z3.Reals("kappa b eta tau1 tau2 g1 g2")
    moved = eta * (2 * b + kappa)
    within = [eta <= z3.RealVal(str(WIDEST.eta)), b * eta <= z3.RealVal(str(WIDEST.max_beta))]
    facts = [kappa >= 1, kappa <= 2, b >= 1, eta > 0, *within, t2 >= 0, t1 >= 0]
    exponents = [
        z3.And(g >= t * (1 - eta) * (1 - eta), g <= t * (1 + eta) * (1 + eta)) for g, t in ((g1, t1), (g2, t2))
    ]
    one_side = [*facts, *exponents, t1 - t2 >= kappa - moved, t1 <= 2 * b + kappa / 2 + moved]
    between = [*facts, *exponents, t1 + t2 >= kappa - moved]
    return [
        Statement("one side", one_side, g1 - g2 >= z3.Q(9, 10), g1 - g2 >= 1),
        Statement("between", between, g1 + g2 >= z3.Q(9, 10), g1 + g2 >= 1),
    ]


def steps() -> list[Statement]:
    """Rounding y up to p bits first makes no difference to rounding it up to q ≤ p bits.

    Let m be the least p-bit number ≥ y. Then the least q-bit number M ≥ y is also the least q-bit number ≥ m, because
    q-bit numbers are p-bit numbers. So M exceeds m by less than a q-bit unit, that is by less than 2^(1-q)·m = 2η_q·m.
    """
    y, m, from_y, from_m = z3.Reals("y m My Mm")
    least = [
        m >= y,
        from_y >= y,
        from_m >= m,
        z3.Implies(from_y >= y, from_y >= m),  # m is the least p-bit number ≥ y, and My is a p-bit number
        z3.Implies(from_y >= m, from_y >= from_m),  # Mm is the least q-bit number ≥ m
        z3.Implies(from_m >= y, from_m >= from_y),  # My is the least q-bit number ≥ y
    ]
    return [Statement("one grid inside the other", least, from_y == from_m, from_y == m)]


def coarser() -> list[Statement]:
    """What replacing each m by an M with m ≤ M ≤ m(1 + 2e), e = η_q, does to the probability of an output.

    It multiplies the probability by a factor between 1 - 5e and 1 + 7e/2. There are four kinds: (m2 - m1)/2 for an
    output beside c, 1 - (m1 + m2)/2 for an output around c, and m/2 and 1 - m/2 for the outputs ±B. The loss changes by
    at most 9e.
    """
    m1, m2, n1, n2, e = z3.Reals("m1 m2 M1 M2 e")
    facts = [e > 0, e <= z3.Q(1, 64), m1 > 0, m2 > 0, m1 <= 1, m2 <= 1]
    facts += [z3.And(n >= m, n <= m * (1 + 2 * e)) for n, m in ((n1, m1), (n2, m2))]

    def changes(name: str, hypotheses: list[Any], before: Any, after: Any) -> Statement:
        kept = z3.And(after >= (1 - 5 * e) * before, after <= (1 + 7 * e / 2) * before)
        return Statement(name, [*facts, *hypotheses], kept, after == before)

    x, y = z3.Reals("x y")  # 1 - m1 and 1 - m2, so that m1·m2 = 1 - x - y + xy
    complements = [x >= 0, y >= 0, x < 1, y < 1, 1 - x - y + x * y <= SHARE]
    high, low = (1 + 7 * e / 2), (1 - 5 * e)
    return [
        changes("beside", [m1 <= SHARE * m2], m2 - m1, n2 - n1),
        Statement("their sum", complements, (1 - x) + (1 - y) <= 1 + SHARE, (1 - x) + (1 - y) <= 1),
        changes("around", [m1 + m2 <= 1 + SHARE], 2 - m1 - m2, 2 - n1 - n2),
        changes("far end", [], m1, n1),
        changes("near end", [], 2 - m1, 2 - n1),
        Statement(
            "the loss: e^x ≥ 1 + x + x²/2",
            [e > 0, e <= z3.Q(1, 64)],
            high <= low * (1 + 9 * e + 81 * e * e / 2),
            high <= low * (1 + 8 * e + 32 * e * e),
        ),
    ]


def share_too_large(run: Run) -> Iterator[str]:
    """Whether both interval engines find e^(-9/10)·(1 + 2η)² ≤ 3/7 for η ≤ 2^-11.

    The factor (1 + 2η)² is there because each mass is rounded up to p bits.
    """

    def room(engine: Engine) -> Any:
        exponent, limit = Fraction(-9, 10), Fraction(3, 7) / (1 + 2 * WIDEST.eta) ** 2
        return engine.between(limit, limit) - engine.exp(engine.between(exponent, exponent))

    if sign(room, 64) <= 0:
        yield "e^-0.9·(1 + 2η)² is not below 3/7"


@proves(
    "proofs.budget.coarse_uniform",
    claim="N-5-prec",
    part="corrected",
    beside=share_too_large,
    scope="arithmetic at p ≥ 11 bits, λ ≤ B ≤ 2^(p-7)·λ, U* of q bits, 6 ≤ q ≤ p, exponents without limit: every pair "
    "of values and every output",
)
def coarse_uniform() -> list[Statement]:
    """With q bits in U* the loss is at most 9·2^-q above the loss with p bits, for every pair and every output."""
    program = one_threshold_for_all()  # what `apart` says of ⊕, ⊗ and LN
    return [*program, *apart(), *steps(), *coarser()]


# §6.1: B and the bias


def bias(mechanism: Ideal, f: Fraction) -> ExpSum:
    """E[output] - f, exactly."""
    return sum((x * p for x, p in mechanism.law(f)), constant(-f))


@obligation(
    "proofs.budget.bias.printed",
    claim="N-5-bias",
    kind="exact",
    expected="refuted",
    scope="ideal mechanism, η = 2^-53, ε = 1 + 2^-40, f = 3/4: B = 5 and B = 6; and f = 0, B = 2 and B = 4",
)
def bias_printed(run: Run) -> Outcome:
    """A larger B can increase the bias. At f = 3/4 clamping moves the mean down and rounding moves it up.

    The two nearly cancel at B = 5, but not at B = 6.
    """
    eta, epsilon, f = Fraction(1, 2**53), 1 + Fraction(1, 2**40), Fraction(3, 4)

    def ideal(bound: int) -> Ideal:
        return Ideal(Parameters(1 / inner(epsilon, Fraction(bound), eta), Fraction(bound)))

    small, large = (bias(ideal(b), f) for b in (5, 6))
    nothing = [bias(ideal(b), Fraction(0)) for b in (2, 4)]
    sizes = [value if value.sign() > 0 else -value for value in (small, large)]
    if (sizes[1] - sizes[0]).sign() <= 0:
        return Outcome("proved", f"|bias| = {float(sizes[0]):.6f} at B = 5, {float(sizes[1]):.6f} at B = 6")
    return Outcome(
        "refuted",
        "f ∈ [-B, B] throughout; Λ = 1",
        f"f = 3/4: E[output] - f = {float(small):.6f} at B = 5 and {float(large):.6f} at B = 6\n"
        f"f = 0: {float(nothing[0]):.0f} at B = 2 and {float(nothing[1]):.0f} at B = 4: no decrease either",
    )


def clamps() -> list[Statement]:
    """How far a clamp moves v, which is max(|v| - B, 0); and the distance from f to the outer clamp, in units of λ'."""
    v, first, second, eta, epsilon, f = z3.Reals("v B1 B2 eta e f")

    def moved(bound: Any) -> Any:
        return absolute(v - z3.If(v > bound, bound, z3.If(v < -bound, -bound, v)))

    larger = [first > 0, second > first]
    facts = [*larger, eta > 0, epsilon > 2 * eta, absolute(f) <= first]
    distance = [(b - absolute(f)) * inner(epsilon, b, eta) for b in (first, second)]
    limit = (epsilon - 2 * eta) / (12 * eta)
    return [
        Statement("a clamp moves no further", larger, moved(second) <= moved(first), moved(second) < moved(first)),
        Statement("(B - |f|)/λ' rises", facts, distance[1] > distance[0], distance[1] > 2 * distance[0]),
        Statement("but stays below (ε - 2η)/12η", facts, distance[1] < limit, 2 * distance[1] < limit),
    ]


@proves(
    "proofs.budget.bias",
    claim="N-5-bias",
    part="conditional",
    scope="every real v, f, every 0 < B1 < B2, η > 0 and ε > 2η, |f| ≤ B1",
)
def clamped() -> list[Statement]:
    """A larger B never moves a value further.

    The probability e^(-(B - |f|)/λ') that the noise reaches from f to B falls as B grows. But it stays above
    e^(-(ε - 2η)/(12η)), because λ' grows with B.
    """
    return clamps()
