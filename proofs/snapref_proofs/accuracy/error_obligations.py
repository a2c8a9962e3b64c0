"""The error N = |f - output| (001 and 002, §6.1), and the probabilities P_L, P_U, F_Z and F_Nsub of §6.2.

The claims are `N-6…`, `N1-6…` and `N2-6…`. The documents assume f ≥ 0, B ≥ f and real arithmetic. They do not say
whether B is a multiple of Λ, and most of the verdicts depend on that. Their names: w = f + Y' is the noisy value, with
the noise Y'; F is the distribution function of Y'; P_L and P_U are the probabilities of the outputs -B and B; F_Z is
the distribution function of Z = |Y'| + Λ/2; F_Nsub(x) is the probability that N ≤ x and the output is not -B.
"""

from fractions import Fraction

from snapref.arithmetic import Dyadic, scaled
from snapref.budget import eta
from snapref.mechanism import noise
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.accuracy import statements as s
from snapref_proofs.accuracy.examples import Example, example
from snapref_proofs.accuracy.judging import BOTH_SIGNS, REALS, SCALES, equal, refutes, six, states
from snapref_proofs.accuracy.printed import f_z_minus, p_l_plus, p_u_minus
from snapref_proofs.evaluate.dyadics import from_fraction, from_mpfr
from snapref_proofs.figure2.semantics import nearest
from snapref_proofs.ideal.model import HALF, ExpSum, constant, exponential

NO_MULTIPLE = example(1, Fraction(3, 2), 0)  # B is no multiple of Λ
MULTIPLE = example(1, 2, Fraction(1, 4))
AT_ZERO = example(1, 1, 0)
HALFWAY = example(1, 2, HALF)  # 2f is a multiple of Λ: f - (B - f) is an output too
UNEVEN = example(Fraction(3, 4), 4, 1)  # λ' < Λ
INSIDE = example(1, 4, 1)
NEAR_B = example(1, 4, 3)

# ---- eq. 6.1 and 6.2

states("cases", "N-6.1", "Eq. 6.1, the three cases of N.", REALS, s.three_cases)


@obligation(
    "proofs.accuracy.laplace",
    claim="N-6.2",
    kind="algebra",
    scope="every x, in units of λ': functions Σ c·e^(rx), kept as the pairs r: c",
)
def laplace(run: Run) -> Outcome:
    """F' is the density ½e^-|x| on both sides of 0, F is continuous there, 0 at -∞ and 1 at +∞."""
    rising, falling = (ExpSum({Fraction(rate): HALF}) for rate in (1, -1))
    left, right = rising, 1 - falling
    slopes = slope(left) == rising and slope(right) == falling
    joined = sum(left.terms.values()) == sum(right.terms.values())
    limits = min(left.terms) > 0 and max(right.terms) == 0 and right.terms[Fraction(0)] == 1
    twin = slope(1 - 2 * falling) == falling  # the distribution function of |Y'|: must fail
    return Outcome("proved" if slopes and joined and limits and not twin else "refuted", "both branches and their ends")


def slope(function: ExpSum) -> ExpSum:
    """The derivative of x ↦ Σ c·e^(rx)."""
    return ExpSum({r: r * c for r, c in function.terms.items()})


@obligation(
    "proofs.accuracy.exponential",
    claim="N-6-exp",
    kind="algebra",
    scope="every x ≥ 0, in units of λ': functions Σ c·e^(rx), kept as the pairs r: c",
)
def absolute_value(run: Run) -> Outcome:
    """P(|Y'| ≤ x) = F(x) - F(-x) = 1 - e^-x."""
    falling = ExpSum({Fraction(-1): Fraction(1)})
    upper, lower = 1 - HALF * falling, HALF * falling  # F(x) and F(-x), as functions of x ≥ 0
    twin = upper == 1 - falling  # must fail
    return Outcome(
        "proved" if upper - lower == 1 - falling and not twin else "refuted", "1 - ½q - ½q = 1 - q, q = e^-x"
    )


# ---- the probabilities of -B and B


@refutes("minus_b.printed", "N1-6-PL", str(NO_MULTIPLE))
def minus_b() -> str:
    """For B = 3Λ/2 the output is -B iff round(w) ≤ -2Λ, that is w < -3Λ/2; the printed condition is w < -B + Λ/2."""
    e = NO_MULTIPLE
    exact, printed = e.probability(-e.ideal.bound), e.below(-e.ideal.bound - e.value + e.ideal.lattice / 2)
    if equal(exact, printed) or e.ideal.output_from(e.value, Fraction(-5, 4)) != -1:
        return ""
    return f"{e}: P(output = -B) = F(-3/2) = {six(exact)}, printed F(-1) = {six(printed)}; Y' = -5/4 gives -1, not -B"


states(
    "minus_b",
    "N1-6-PL",
    "The output is -B iff round(w) ≤ -B iff w < -B + Λ/2.",
    "all real f, Y' with |f| ≤ B and every B that is a multiple of Λ",
    s.lower_end,
    part="conditional",
)


@refutes("plus_b.printed", "N1-6-PU", str(NO_MULTIPLE))
def plus_b() -> str:
    """For B = 3Λ/2 the output is B iff w ≥ 3Λ/2; the printed condition is w ≥ B - Λ/2."""
    e = NO_MULTIPLE
    exact, printed = e.probability(e.ideal.bound), 1 - e.below(e.ideal.bound - e.value - e.ideal.lattice / 2)
    if equal(exact, printed) or e.ideal.output_from(e.value, Fraction(5, 4)) != 1:
        return ""
    return f"{e}: P(output = B) = 1 - F(3/2) = {six(exact)}, printed 1 - F(1) = {six(printed)}; Y' = 5/4 gives 1, not B"


states(
    "plus_b",
    "N1-6-PU",
    "The output is B iff round(w) ≥ B iff w ≥ B - Λ/2.",
    "all real f, Y' with |f| ≤ B and every B that is a multiple of Λ",
    s.upper_end,
    part="conditional",
)


@refutes("strict.printed", "N2-6-PL1", str(MULTIPLE))
def strict() -> str:
    """For B = 2Λ the output is -B not only if round(w) < -B, but also if round(w) = -B."""
    e = MULTIPLE
    exact, printed = e.probability(-2), e.below(Fraction(-5, 2) - e.value)  # round(w) < -2: w < -5/2
    if equal(exact, printed) or e.ideal.output_from(e.value, Fraction(-9, 4)) != -2:
        return ""
    return f"{e}: P(output = -B) = {six(exact)}, P(round < -B) = {six(printed)}; Y' = -9/4 has round(w) = -2 = -B"


states(
    "strict",
    "N2-6-PL1",
    "The output is -B iff round(w) < -B, for B between two multiples; iff round(w) ≤ -B for every B.",
    "all real f, Y' with |f| ≤ B: the first for every B that is no multiple of Λ, the second for every B",
    s.strictly_below,
    s.not_above,
    part="conditional",
)
states("not_below", "N2-6-PU1", "The output is B iff round(w) ≥ B.", BOTH_SIGNS, s.not_below)
states("ends", "N2-6-PL2", "Output -B needs w < -B + Λ/2, output B needs w ≥ B - Λ/2.", BOTH_SIGNS, s.ends_at_most)

# ---- the triangle inequality, the scale, eq. 6.3


@refutes("triangle.printed", "N1-6-tri", "Λ = 1, f = 0, Y' = 1/4")
def triangle() -> str:
    """|w - round(w)| is at most Λ/2, and need not be equal to it."""
    f, y, lattice = Fraction(0), Fraction(1, 4), Fraction(1)
    rounded = example(1, 4, 0).ideal.output_from(f, y)
    left, right = abs(f - (f + y)) + abs(f + y - rounded), abs(y) + lattice / 2
    return f"Λ = 1, f = 0, Y' = 1/4: {abs(y)} + |1/4 - {rounded}| = {left}, and not {right}" if left != right else ""


states(
    "triangle",
    "N1-6-tri",
    "|f - round(w)| ≤ |Y'| + |w - round(w)| ≤ |Y'| + Λ/2.",
    "all real f, Y', Λ",
    s.triangle,
    part="corrected",
)


@refutes("scale.printed", "N-6-scale", "ε = 1/3, B = 10, p = 53, U* = 3/4, S = 1, at 53 bits")
def scale() -> str:
    """With ⊗ as printed, the two noises are rounded, and are not proportional."""
    epsilon, h = nearest(Fraction(1, 3), 53), eta(53)
    factor = (1 + 120 * h) / (epsilon - 2 * h)
    laplace, snapping = (nearest(x, 53) for x in (1 / epsilon, factor))
    y, y2 = (noise(1, scaled(*from_fraction(x)), Dyadic(3, -2), 53) for x in (laplace, snapping))
    left, right = from_mpfr(y2), epsilon * factor * from_mpfr(y)
    if left == right:
        return ""
    off = float((right - left) / (abs(left) * h))
    return f"ε = {float(epsilon)!r}, B = 10, U* = 3/4, S = 1: Y' = {float(left)!r}, the right side {off:+.3f} η|Y'|"


states(
    "scale",
    "N-6-scale",
    "Without rounding, the two noises are proportional.",
    "all real ε > 2η > 0, B > 0 and S·LN(U*), the products not rounded",
    s.same_scale,
    part="conditional",
)


@refutes("eq63.printed", "N1-6.3", str(NO_MULTIPLE))
def first_63() -> str:
    """Both probabilities in eq. 6.3 are wrong if B is not a multiple of Λ."""
    return "\n".join(part for part in (minus_b(), plus_b()) if part) if minus_b() and plus_b() else ""


states(
    "eq63.multiple",
    "N1-6.3",
    "Eq. 6.3 with equalities, each line as the case of eq. 6.1 that it stands for.",
    "all real f, Y' with |f| ≤ B and every B that is a multiple of Λ",
    s.lower_end,
    s.upper_end,
    s.triangle,
    part="conditional",
)
states(
    "eq63",
    "N2-6.3",
    "Eq. 6.3 with inequalities, each line as the case of eq. 6.1 that it stands for.",
    BOTH_SIGNS,
    s.ends_at_most,
    s.triangle,
    part="conditional",
)


@refutes("eq63.values", "N2-6.3", f"read as printed, N taking the value: {AT_ZERO}")
def values_63() -> str:
    """Read as P(N = B + f), the first line of eq. 6.3 fails at f = 0, where B + f and B - f are equal."""
    e = AT_ZERO
    value, printed = e.error_is(1), e.below(-HALF)
    return f"{e}: P(N = B + f) = {six(value)} > F(-1/2) = {six(printed)}" if (value - printed).sign() > 0 else ""


states("largest", "N-6-max", "N ≤ B + f.", REALS, s.largest_error)
states("lattice", "N-6-Lam", "λ'/2 ≤ Λ/2 < λ'.", "every real λ' > 0", s.lattice_and_scale)

# ---- §6.2: P_L and P_U


@refutes("p_l.printed", "N-6-PLeq", f"{NO_MULTIPLE}, f = 1/4; and {AT_ZERO}")
def p_l() -> str:
    """P(N = B + f) is not as printed if B is not a multiple of Λ, nor if f = 0, where N = B + f at both ends."""
    first, second = example(1, Fraction(3, 2), Fraction(1, 4)), AT_ZERO
    pairs = [(e, e.error_is(e.ideal.bound + e.value), e.below(HALF - e.ideal.bound - e.value)) for e in (first, second)]
    if any(equal(exact, printed) for _, exact, printed in pairs):
        return ""
    return "\n".join(f"{e}: P(N = B + f) = {six(exact)}, printed {six(printed)}" for e, exact, printed in pairs)


states(
    "p_l",
    "N-6-PLeq",
    "N = B + f iff w < -B + Λ/2.",
    "all real f, Y' with 0 < f ≤ B and every B that is a multiple of Λ",
    s.lower_value,
    part="conditional",
)


@refutes("p_u.printed", "N-6-PUeq", f"{NO_MULTIPLE}, f = 1/8; and {HALFWAY}")
def p_u() -> str:
    """P(N = B - f) is not as printed if B is not a multiple of Λ, nor if 2f is one: 2f - B has the same error as B."""
    first, second = example(1, Fraction(3, 2), Fraction(1, 8)), HALFWAY
    pairs = [
        (e, e.error_is(e.ideal.bound - e.value), 1 - e.below(e.ideal.bound - e.value - HALF)) for e in (first, second)
    ]
    if any(equal(exact, printed) for _, exact, printed in pairs):
        return ""
    return "\n".join(f"{e}: P(N = B - f) = {six(exact)}, printed {six(printed)}" for e, exact, printed in pairs)


states(
    "p_u",
    "N-6-PUeq",
    "N = B - f iff w ≥ B - Λ/2.",
    "all real f, Y' with 0 ≤ f ≤ B, every B that is a multiple of Λ, and f = B or 2f no multiple of Λ",
    s.upper_value,
    part="conditional",
)
states(
    "p_l_plus", "N-6-PLplus", "F is increasing, and Λ/2 < λ'.", SCALES + ", all real B + f > 0", s.lower_plus_is_larger
)


def upper_bounds() -> tuple[ExpSum, ExpSum, ExpSum]:
    """P_U = 1 - F(B - f - Λ/2), 1 - F(B - f - λ'/2), 1 - F(B - f - λ') at λ' = 3/4, Λ = 1, B = 4, f = 1."""
    e = UNEVEN
    edge = e.ideal.bound - e.value
    return (
        1 - e.below(edge - HALF),
        1 - e.below(edge - e.ideal.scale / 2),
        p_u_minus(e.ideal.scale, e.ideal.bound, e.value),
    )


@refutes("p_u_plus.printed", "N1-6-PUplus", str(UNEVEN))
def p_u_plus() -> str:
    """P_U^+ = 1 - F(B - f - λ'/2) is no upper bound on P_U = 1 - F(B - f - Λ/2): λ'/2 ≤ Λ/2 makes it smaller."""
    exact, half, _ = upper_bounds()
    replay = equal(UNEVEN.probability(4), exact)
    return f"{UNEVEN}: P_U = {six(exact)} > P_U^+ = {six(half)}" if replay and (exact - half).sign() > 0 else ""


@refutes("p_u_minus.printed", "N2-6-PUminus", str(UNEVEN))
def p_u_minus_printed() -> str:
    """P_U^- = 1 - F(B - f - λ') is no lower bound on P_U = 1 - F(B - f - Λ/2): Λ/2 < λ' makes it larger."""
    exact, _, whole = upper_bounds()
    replay = equal(UNEVEN.probability(4), exact)
    return f"{UNEVEN}: P_U = {six(exact)} < P_U^- = {six(whole)}" if replay and (exact - whole).sign() < 0 else ""


for _name, _claim in (("p_u_plus", "N1-6-PUplus"), ("p_u_minus", "N2-6-PUminus")):
    states(
        _name,
        _claim,
        "1 - F(B - f - λ'/2) ≤ P_U < 1 - F(B - f - λ'), P_U = 1 - F(B - f - Λ/2).",
        SCALES + ", all real B - f ≥ 0",
        s.upper_between,
        part="corrected",
    )


@refutes("n_p_l.printed", "N1-6-NPL", str(INSIDE))
def n_p_l() -> str:
    """N ≤ P_L compares an error with a probability, and fails: the error N = B + f = 5 happens."""
    e = INSIDE
    largest = e.ideal.bound + e.value
    p_l = e.below(HALF - largest)
    happens = e.error_is(largest)
    if happens.sign() <= 0 or not p_l.at_most(largest):
        return ""
    return f"{e}: N = {largest} with probability {six(happens)}, P_L = {six(p_l)}"


@refutes("p_l_at_most.printed", "N2-6-NPL", str(AT_ZERO))
def p_l_at_most() -> str:
    """At f = 0 the error B occurs at both ends. So it is twice as likely as P_L, and more likely than P_L^+."""
    e = AT_ZERO
    exact, p_l, plus = e.error_is(1), e.below(-HALF), p_l_plus(e.ideal.scale, e.ideal.bound, e.value)
    if (exact - p_l).sign() <= 0 or (exact - plus).sign() <= 0:
        return ""
    return f"{e}: P(N = B + f) = {six(exact)} > P_L = {six(p_l)}, and > P_L^+ = {six(plus)}"


for _name, _claim, _part in (("n_p_l", "N1-6-NPL", "corrected"), ("p_l_at_most", "N2-6-NPL", "conditional")):
    states(
        _name,
        _claim,
        "f > 0: P(N = B + f) ≤ P_L = F(-B - f + Λ/2) < P_L^+ = F(-B - f + λ').",
        SCALES + ", all real f, B, Y' with 0 < f ≤ B, B a multiple of Λ or not",
        s.lower_value_at_most,
        s.lower_plus_is_larger,
        part=_part,  # type: ignore[arg-type]
    )


@refutes("reframed.printed", "N-6-equiv", f"{AT_ZERO}, α = 0.62, x = 0")
def reframed() -> str:
    """P(N > 0) ≤ α does not imply P(N_sub > 0) ≤ α - P_L^+, neither as a joint nor as a conditional probability."""
    e, alpha = AT_ZERO, Fraction(62, 100)
    plus, lower = p_l_plus(e.ideal.scale, e.ideal.bound, e.value), e.probability(-1)
    joint = e.exceeds(0) - lower
    room = alpha - plus
    if not e.exceeds(0).at_most(alpha) or (joint - room).sign() <= 0:  # given output ≠ -B it is larger still
        return ""
    return (
        f"{e}, α = 0.62: P(N > 0) = {six(e.exceeds(0))} ≤ α, so the smallest x is 0\n"
        f"P(N_sub > 0) = {six(joint)} > α - P_L^+ = {six(room)}, so there the smallest x is B = 1"
    )


states(
    "reframed",
    "N-6-equiv",
    "P(N_sub > x) ≤ α - P_L^+ implies P(N > x) ≤ α, whether P(N_sub > x) is joint with, or given, output ≠ -B.",
    "all values of the probabilities with P(output = -B) ≤ P_L < P_L^+, and " + SCALES,
    s.reframed,
    s.ends_at_most,
    s.lower_plus_is_larger,
    part="corrected",
)

# ---- §6.2: F_Z and F_Nsub


@refutes("f_z_plus.printed", "N-6-FZplus", f"{INSIDE}, z = 0")
def f_z_plus() -> str:
    """The inequality fails for z < λ'/2, because its right side is negative there."""
    left, right = INSIDE.z_at_most(0), 1 - exponential(HALF)
    return f"λ' = 1, z = 0: F_Z(0) = {six(left)} > 1 - e^(1/2) = {six(right)}" if (left - right).sign() > 0 else ""


states("f_z_plus", "N-6-FZplus", "True iff z ≥ λ'/2.", SCALES + ", every real z", s.z_at_most, part="conditional")
states("f_z_minus", "N2-6-FZminus", "F_Z(z) > 1 - e^(1 - z/λ').", SCALES + ", every real z", s.z_more_than)


@refutes("f_z_minus.step", "N2-6-FZminus", "the step of the derivation in between: λ' = 1, z = 1/4", decides=False)
def f_z_minus_step() -> str:
    """For z < λ' a step fails: P(|Y'| ≤ z - λ') is 0, not 1 - e^(1 - z/λ'), and for z < Λ/2 F_Z(z) is 0 as well."""
    printed, z = f_z_minus(Fraction(1), Fraction(1, 4)), INSIDE.z_at_most(Fraction(1, 4))
    return f"λ' = 1, z = 1/4: F_Z(z) = P(|Y'| ≤ z - λ') = 0, 1 - e^(3/4) = {six(printed)}" if z == constant(0) else ""


def law_of_n_sub(e: Example, x: Fraction) -> ExpSum:
    """F_Nsub(x) = P(N ≤ x and output ≠ -B), summed over the outputs."""
    kept = (y for y, _ in e.ideal.law(e.value) if y != -e.ideal.bound and abs(y - e.value) <= x)
    return sum((e.probability(y) for y in kept), constant(0))


def printed_law(e: Example, x: Fraction, first: bool) -> ExpSum:
    """F_Nsub as 001 prints it (`first`), with a maximum of B - f and x, or as 002 does, with their minimum."""
    near, far = e.ideal.bound - e.value, e.ideal.bound + e.value
    upper = 1 - e.below(near - e.ideal.lattice / 2)
    reached = upper if x >= near else constant(0)
    if first:
        return e.z_at_most(max(near, x)) + reached + e.z_at_most(min(far, x)) - e.z_at_most(near)
    rest = reached + e.z_at_most(min(far, x)) - e.z_at_most(near) if x >= near else constant(0)
    return e.z_at_most(min(near, x)) + rest


@refutes("n_sub_001.printed", "N1-6-FN", f"{INSIDE}, a = 10 and a = 1/2")
def n_sub_001() -> str:
    """The printed F_Nsub exceeds 1, which no distribution function does; and it takes Z for N, though only N ≤ Z."""
    e = INSIDE
    pairs = [(a, law_of_n_sub(e, a), printed_law(e, a, first=True)) for a in (Fraction(10), HALF)]
    if (pairs[0][2] - 1).sign() <= 0 or equal(pairs[1][1], pairs[1][2]):
        return ""
    return "\n".join(f"{e}: F_Nsub({a}) = {six(exact)}, printed {six(printed)}" for a, exact, printed in pairs)


@refutes("n_sub_002.printed", "N2-6-FN", f"{INSIDE}, x = 1/2 and x = 3")
def n_sub_002() -> str:
    """The printed F_Nsub takes Z for N, though only N ≤ Z: at x = 1/2 Z has no probability yet, N more than a third."""
    e = INSIDE
    pairs = [(x, law_of_n_sub(e, x), printed_law(e, x, first=False)) for x in (HALF, Fraction(3))]
    if any(equal(exact, printed) for _, exact, printed in pairs):
        return ""
    return "\n".join(f"{e}: F_Nsub({x}) = {six(exact)}, printed {six(printed)}" for x, exact, printed in pairs)


@refutes("n_sub_minus.printed", "N2-6-FNm", f"{NEAR_B}, x = 6")
def n_sub_minus() -> str:
    """The printed lower bound on F_Nsub exceeds F_Nsub, and even 1."""
    e, x = NEAR_B, Fraction(6)
    near = e.ideal.bound - e.value
    plus = 1 - exponential(HALF - near / e.ideal.scale)
    bound = p_u_minus(e.ideal.scale, e.ideal.bound, e.value) - plus
    bound += f_z_minus(e.ideal.scale, near) + f_z_minus(e.ideal.scale, x)
    exact = law_of_n_sub(e, x)
    return f"{e}: F_Nsub(6) = {six(exact)}, F_Nsub^-(6) = {six(bound)}" if (bound - 1).sign() > 0 else ""


for _name, _claim in (("n_sub_001", "N1-6-FN"), ("n_sub_002", "N2-6-FN")):
    states(
        _name,
        _claim,
        "The exact law of N_sub, as an interval of w between two thresholds.",
        BOTH_SIGNS + ", every real x ≥ 0",
        s.law_without_minus_b,
        part="corrected",
    )
states(
    "n_sub_minus",
    "N2-6-FNm",
    "x < B + f: Z ≤ x implies N ≤ x and output ≠ -B, so F_Nsub(x) ≥ F_Z(x) > F_Z^-(x).",
    f"{SCALES}; {REALS}; every real x",
    s.noise_bounds_error_without_minus_b,
    s.z_more_than,
    part="corrected",
)
