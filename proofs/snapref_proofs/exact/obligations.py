"""Witnesses against sentences of 004 (Theorem 1, Definition 2) and of the notes' §5; and checks of the evaluator.

A witness is a set of concrete numbers at which a printed sentence fails. It counts only after a replay: bisection on u,
with runs of the reference itself, must give the same two probabilities as the evaluator. Most claims are `F-T1-…`.
"""

import random
from fractions import Fraction

from snapref.arithmetic import Dyadic, scaled
from snapref.budget import eta
from snapref.formats import working_format
from snapref.mechanism import snapped
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.bisection import Program, disagreements, grid_number, random_question, same
from snapref_proofs.evaluate.distribution import output, probabilities
from snapref_proofs.evaluate.dyadics import ONE, add, from_fraction, from_mpfr, subtract, to_fraction
from snapref_proofs.evaluate.loss import Loss, case, nearest
from snapref_proofs.evaluate.parameters import Parameters, smallest_lattice
from snapref_proofs.evaluate.small_formats import input_step, inputs, small_numbers, worst_loss
from snapref_proofs.evaluate.tails import ceil_to_grid, reaches
from snapref_proofs.evaluate.variants import unclamped
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.exact.law_obligations import vanishes

EXHIBIT = Witness(
    Parameters(Fraction(8896614941012091, 2**47), Fraction(2251799813685249, 2**39)),
    Fraction(-9006015882493377, 2**41),
    Fraction(-4501908429618913, 2**40),
    Fraction(2**12),
)
SMALL_B = Witness(Parameters(Fraction(92), Fraction(1)), Fraction(3, 4), Fraction(-1, 4), Fraction(-1))
BIG_B = Witness(Parameters(Fraction(1), Fraction(2**53)), Fraction(2**53), Fraction(2**53 - 1), Fraction(1 - 2**53))
BIG_B_11_BITS = Witness(
    Parameters(Fraction(1), Fraction(2**11), 11), Fraction(2**11), Fraction(2**11 - 1), Fraction(1 - 2**11)
)
TAIL = Witness(Parameters(Fraction(1), Fraction(400), uniform="binary64"), Fraction(400), Fraction(399), Fraction(-345))
TAIL_FINITE = Witness(
    Parameters(Fraction(1), Fraction(360), uniform="binary64"),
    Fraction(359.3635196463358),
    Fraction(358.3635196463358),
    Fraction(-359),
)
X_ZERO = Witness(Parameters(Fraction(3, 2), Fraction(16)), Fraction(-14), Fraction(-15), Fraction(0))
X_NEGATIVE = Witness(Parameters(Fraction(1), Fraction(10)), Fraction(13, 4), Fraction(17, 4), Fraction(-10))
NO_CLAMP = Witness(Parameters(Fraction(1), Fraction(2)), Fraction(64), Fraction(65), Fraction(0))
BITS_118 = Witness(Parameters(Fraction(1), Fraction(4), 118, "binary64"), Fraction(0), Fraction(1), Fraction(-3))


def refutation(
    witness: Witness, bound: Fraction | None = None, program: Program = snapped, replay: str = ""
) -> Outcome:
    """`refuted` if the loss at the witness is more than the bound and the program itself gives the same numbers."""
    if abs(witness.a - witness.b) > witness.sensitivity:
        return Outcome("error", "the two values are further apart than the sensitivity")
    if program is snapped and max(abs(witness.a), abs(witness.b)) > witness.parameters.bound:
        return Outcome("error", "a value lies outside [-B, B]")
    limit = witness.loss_bound if bound is None else bound
    if not witness.loss.exceeds(limit):
        return Outcome(
            "undecided", f"no refutation: the loss at the witness is within the bound\n{witness.trace(limit)}"
        )
    if not witness.replays(program):
        return Outcome("error", f"the reference gives other probabilities than the evaluator\n{witness.trace(limit)}")
    return Outcome("refuted", "an exact witness, replayed through the reference", witness.trace(limit, replay))


@obligation(
    "proofs.exact.inversion",
    claim="F-T1",
    kind="sampled",
    decides=False,
    scope="random thresholds: p from 2 to 118, every kind of U*, both signs, B from λ/16 to 8·2^p·Λ, values at 0, ±B, "
    "thresholds, near 0 and anywhere; inversion against bisection on u through the reference",
    timeout=300,
)
def inversion(run: Run) -> Outcome:
    """The evaluator's probability beyond a threshold is the one that bisection through the reference finds."""
    count = 20000 if run.thorough else 1500
    for disagreement in disagreements(count, seed=4):
        return Outcome("refuted", "inversion and bisection differ", disagreement)
    return Outcome("proved", f"{count} thresholds, {2 * count} bisections, no difference")


@obligation(
    "proofs.exact.inversion.small",
    claim="F-T1",
    kind="exhaustive",
    decides=False,
    scope="p = 4, U* bounded:-8: every λ of the binades of 1/2 and 1, B = Λ, 5Λ/4, 3Λ; every value of [-B, B] on "
    "the grid of Λ/32, both signs, every u through the reference, counted",
    timeout=300,
)
def inversion_small(run: Run) -> Outcome:
    """In a small format, the evaluator's probabilities are those that running the reference on every u gives."""
    precision, draws = 4, 0
    for scale in small_numbers(precision, range(-1, 1 if run.thorough else 0)):
        for factor in (Fraction(1), Fraction(5, 4), Fraction(3)):
            m = Parameters(scale, factor * smallest_lattice(scale), precision, "bounded:-8")
            for c in inputs(precision, m.bound, input_step(m)):
                value = Dyadic(c, input_step(m))
                counted, tried = count_every_u(m, value)
                draws += tried
                for k, (p,) in probabilities(m, (value,)):
                    if to_fraction(p) != counted.get(to_fraction(output(m, k)), 0):
                        return Outcome(
                            "refuted", "counting every u gives another law", f"{m}, c = {value}, output {k}: {p}"
                        )
    return Outcome("proved", f"{draws} runs of the reference, every probability as computed")


def count_every_u(mechanism: Parameters, c: Dyadic) -> tuple[dict[Fraction, Fraction], int]:
    """The law of the output, by running the reference on every u of a bounded U*; and how many runs that took."""
    fmt, grid = working_format(mechanism.precision), mechanism.law
    value, scale, bound = (fmt.encode(scaled(*x)) for x in (c, *mechanism.held))
    law: dict[Fraction, Fraction] = {}
    above, rank = Fraction(1), 0
    while (u := grid_number(grid, rank)) is not None:
        smaller = grid_number(grid, rank + 1)
        below = to_fraction(u) if smaller is not None else Fraction(0)  # P(U* < u)
        for sign in (1, -1):
            result = fmt.decode(snapped(value, scale, bound, sign, u, fmt))
            x = from_mpfr(result)
            law[x] = law.get(x, Fraction(0)) + (above - below) / 2
        above, rank = below, rank + 1
    return law, 2 * rank


@obligation(
    "proofs.exact.engines",
    claim="F-T1",
    kind="sampled",
    decides=False,
    scope="random arguments of e^-x and ln(1+r), Arb balls against mpmath intervals",
)
def engines(run: Run) -> Outcome:
    """For random arguments, both interval engines lead from e^-x to the same value of U*, and agree on ln(1 + r)."""
    rng, count = random.Random(5), 20000 if run.thorough else 2000
    for _ in range(count):
        mechanism, _, _ = random_question(rng)
        grid, bits = mechanism.law, mechanism.law.precision + 200
        n, e = rng.getrandbits(mechanism.precision) | 1, -rng.randint(0, mechanism.precision + 4)
        r = rng.getrandbits(60) + 1, rng.getrandbits(60) + 1
        ends = [exp(n, e, bits) for exp, _ in enclosure.ENGINES.values()]
        logs = [log(*r, bits) for _, log in enclosure.ENGINES.values()]
        numbers = {ceil_to_grid(end, grid) for pair in ends for end in pair}
        apart = any(subtract(logs[i][0], logs[1 - i][1]).significand > 0 for i in (0, 1))
        if len(numbers) != 1 or apart:
            return Outcome("refuted", "the two engines differ", f"e^-({n}·2^{e}): {ends}; ln(1+{r[0]}/{r[1]}): {logs}")
    return Outcome("proved", f"{count} exponentials and logarithms, no difference")


@obligation(
    "proofs.exact.total",
    claim="F-T1-unif",
    kind="exact",
    decides=False,
    part="conditional",
    scope="random mechanisms, p from 2 to 118, every kind of U*, up to 600 outputs each",
)
def total(run: Run) -> Outcome:
    """The probabilities of all outputs are not negative and add up to exactly 1."""
    rng, tried = random.Random(6), 0
    while tried < (1000 if run.thorough else 100):
        mechanism, c, _ = random_question(rng)
        if mechanism.last > 300:
            continue
        tried += 1
        whole = Dyadic(0, 0)
        for k, (p,) in probabilities(mechanism, (c,)):
            whole = add(whole, p)
            if p.significand < 0:
                return Outcome("refuted", "a negative probability", f"{mechanism}, c = {c}, output {k}: {p}")
        if not same(whole, ONE):
            return Outcome("refuted", "the sum is not 1", f"{mechanism}, c = {c}: {whole}")
    return Outcome("proved", f"{tried} laws, each with sum exactly 1")


@obligation(
    "proofs.exact.exhibit",
    claim="F-T1",
    kind="exact",
    decides=False,
    scope="p = 53, U* unbounded, λ ≤ B, B·η/λ < 2^-46: the worst that `snapref loss --search` has found",
)
def exhibit(run: Run) -> Outcome:
    """No constant up to 7.87 can replace 12: here the loss is above ε + 7.87·B·ε·η + 2η, and it is replayed."""
    h, epsilon = eta(53), 1 / EXHIBIT.parameters.scale
    allowed = epsilon + 2 * h
    least = allowed + Fraction(787, 100) * EXHIBIT.parameters.bound * epsilon * h
    found = refutation(EXHIBIT, bound=least)
    if found.status != "refuted":
        return found
    constant = EXHIBIT.loss.in_units(allowed, EXHIBIT.parameters.bound * epsilon * h)
    return Outcome("proved", f"loss = ε + 2η + {constant:.5f}·B·ε·η\n{found.witness}")


@obligation(
    "proofs.exact.small_bound",
    claim="F-T1-smallB",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 92, B = 1, f(a) = 3/4, f(a') = -1/4, x = -B",
)
def small_bound(run: Run) -> Outcome:
    """If B is far below λ, rounding errors of about Λ/λ·η are more than the bound's 12·B·ε·η + 2η."""
    return refutation(SMALL_B)


@obligation(
    "proofs.exact.big_bound",
    claim="F-T1-bigB",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 1, B = 2^53, f(a) = B, f(a') = B - 1, x = 1 - B",
)
def big_bound(run: Run) -> Outcome:
    """At B = 2^p·λ an output may be possible from a' and impossible from a: its two thresholds round together."""
    return refutation(BIG_B)


@obligation(
    "proofs.exact.big_bound.p11",
    claim="F-T1-bigB",
    kind="exact",
    expected="refuted",
    scope="p = 11, λ = 1, B = 2^11, f(a) = B, f(a') = B - 1, x = 1 - B",
)
def big_bound_11_bits(run: Run) -> Outcome:
    """At B = 2^p·λ the loss is infinite with 11 bits too; there every output can be listed."""
    return refutation(BIG_B_11_BITS)


@obligation(
    "proofs.exact.tail",
    claim="F-T1-tail",
    kind="exact",
    expected="refuted",
    scope="p = 53, U* binary64, λ = 1, B = 400, f(a) = B, f(a') = B - 1, x = -345",
)
def tail(run: Run) -> Outcome:
    """Doubles end at 2^-1074, so the noise ends near 744λ. An output that a' just reaches is impossible from a."""
    return refutation(TAIL)


@obligation(
    "proofs.exact.tail.subnormal",
    claim="F-T1-tail",
    kind="exact",
    expected="refuted",
    scope="p = 53, U* binary64, λ = 1, B = 360, f(a) = 359.3635…, f(a') = f(a) - 1, x = -359",
)
def tail_subnormal(run: Run) -> Outcome:
    """Below 2^-1022 doubles have fewer bits, so losses exceed the bound even where they are still finite."""
    return refutation(TAIL_FINITE)


@obligation(
    "proofs.exact.x_zero",
    claim="F-T1-x",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 3/2, B = 16, f(a) = -14, f(a') = -15, x = 0",
)
def x_zero(run: Run) -> Outcome:
    """At x = 0 the printed bound is ε + 2η; the errors grow with |f(a) - x|, not with x."""
    return refutation(X_ZERO, bound=1 / X_ZERO.parameters.scale + 2 * eta(53))


@obligation(
    "proofs.exact.x_negative",
    claim="F-T1-x",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 1, B = 10, f(a) = 13/4, f(a') = 17/4, x = -10",
)
def x_negative(run: Run) -> Outcome:
    """At x < 0 the printed bound may be less than ε. Not even exact arithmetic would meet that."""
    w = X_NEGATIVE
    return refutation(w, bound=(1 + 12 * w.x * eta(53)) / w.parameters.scale + 2 * eta(53))


@obligation(
    "proofs.exact.no_inner_clamp",
    claim="F-D2-clamp",
    kind="exact",
    expected="refuted",
    scope="p = 53, λ = 1, B = 2, f(a) = 64, f(a') = 65, neither clamped, x = 0; bound ε + 12Bεη + 2η and so ε + "
    "12xεη + 2η",
)
def no_inner_clamp(run: Run) -> Outcome:
    """Without the inner clamp the errors grow with |f(a)|, which nothing bounds."""
    return refutation(NO_CLAMP, program=unclamped, replay="snapref verify proofs.exact.no_inner_clamp --no-cache")


@obligation(
    "proofs.exact.working_precision",
    claim="N-5-prec",
    kind="exact",
    expected="refuted",
    scope="arithmetic and LN at p = 118, U* a double, λ = 1, B = 4, f(a) = 0, f(a') = 1, x = -3",
)
def working_precision(run: Run) -> Outcome:
    """A U* of 53 bits has steps of 2^-53, however precise the arithmetic is. A bound with η = 2^-118 ignores them."""
    return refutation(BITS_118)


@obligation(
    "proofs.exact.noise_scale",
    claim="F-D2-eps",
    kind="exact",
    expected="refuted",
    scope="p = 53, ε = 1/2, y = LN(u) ⊗ ε: P(|z| ≥ 1/ε) exactly",
)
def noise_scale(run: Run) -> Outcome:
    """With the noise LN(u) ⊗ ε the probability of noise ≥ 1/ε in size is about e^(-1/ε²); Laplace noise has e^-1."""
    half, one, two = Fraction(1, 2), Fraction(1), Fraction(2)
    printed, right = (to_fraction(reaches(Parameters(scale, one), 2, 0, strict=False)) for scale in (half, two))
    lines = (
        f"ε = 1/2\nP(|LN(u) ⊗ ε| ≥ 2)   = {printed} = {float(printed):.6f}\n"
        f"P(|LN(u) ⊗ 1/ε| ≥ 2) = {right} = {float(right):.6f}"
    )
    low, high = (to_fraction(end) for end in enclosure.exp_minus(1, 0, 80))
    if printed < low / 10 and low <= right < high * (1 + 2 * eta(52)):
        return Outcome("refuted", "Laplace noise of scale 1/ε = 2 has P(|z| ≥ 2) = e^-1 = 0.367879", lines)
    return Outcome("undecided", lines)


def tail_exponent(t: int, k: Fraction) -> Fraction:
    """-ln P(|k·ln u| ≥ t) for u uniform on (0, 1)."""
    return t / k


@obligation(
    "proofs.exact.noise_scale.corrected",
    claim="F-D2-eps",
    kind="algebra",
    part="corrected",
    scope="real arithmetic, every ε > 0 and t ≥ 0: y = ln(u)·(1/ε), so P(|y| ≥ t) = P(u ≤ e^(-εt)) = e^(-εt)",
)
def noise_scale_corrected(run: Run) -> Outcome:
    """For y = k·ln(u), P(|y| ≥ t) = e^(-t/k). This is e^(-εt) for every t if and only if k = 1/ε, not k = ε."""
    # e = 1, 2, 3 stand for ε; both sides are polynomials in t and ε once 1/k is cleared
    right = vanishes(lambda t, e: tail_exponent(t, Fraction(1, e + 1)) - (e + 1) * t, variables=2, degree=1)
    printed = vanishes(lambda t, e: (e + 1) * (tail_exponent(t, Fraction(e + 1)) - (e + 1) * t), variables=2, degree=2)
    return Outcome("proved" if right and not printed else "refuted", "t - (1/ε)·ε·t = 0; t - ε·ε·t is not")


@obligation(
    "proofs.exact.noise_scale.rounded",
    claim="F-D2-eps",
    kind="exhaustive",
    part="corrected",
    decides=False,
    scope="p = 6: every λ in [1, 2), every number z from λ/8 to 16λ: |ln P(λ ⊗ LN(u) ≤ -z) + z/λ| ≤ (2η + η²)z/λ + 2η",
)
def noise_scale_rounded(run: Run) -> Outcome:
    """The rounded noise λ ⊗ LN(u) has the Laplace tail e^(-z/λ), up to two rounding errors of z/λ and one of u."""
    h, count = eta(6), 0
    for scale in small_numbers(6, (0,)):
        m = Parameters(scale, Fraction(1), 6)
        for z in small_numbers(6, range(-3, 4)):
            n, e = reaches(m, *from_fraction(z), strict=False)
            low, high = Loss(1 << -e, n).enclosure(64) if e < 0 else (Fraction(0), Fraction(0))
            count += 1
            if max(abs(low - z / scale), abs(high - z / scale)) > (2 * h + h * h) * z / scale + 2 * h:
                return Outcome("refuted", "", f"λ = {scale}, z = {z}: P(Z ≥ z) = {n}·2^{e}")
    return Outcome("proved", f"{count} tails")


@obligation(
    "proofs.exact.direction",
    claim="F-T1-dir",
    kind="exact",
    expected="refuted",
    scope="p = 5, λ = 7/8, B = 17/8: every pair of values on the grid of 2^-6, every output",
)
def direction(run: Run) -> Outcome:
    """Looking only at f(a') = f(a) + 1 and at the ratio from a to a' misses the worst loss over |f(a) - f(a')| ≤ 1."""
    m = Parameters(Fraction(7, 8), Fraction(17, 8), 5)
    step = input_step(m)
    every = worst_loss(m, Fraction(1), step)
    values, one = inputs(5, Fraction(17, 8), step), 1 << -step
    kept = set(values)
    restricted = max(
        (Fraction(0), 0, 0),
        *(
            (to_fraction(p) / to_fraction(q), c, k)
            for c in values
            if c + one in kept
            for k, (p, q) in probabilities(m, (Dyadic(c, step), Dyadic(c + one, step)))
        ),
    )
    if not every.loss.larger > restricted[0] * every.loss.smaller:
        return Outcome("undecided", "the restricted pairs have the worst loss in this format")
    unit = Fraction(2) ** step
    return Outcome(
        "refuted",
        f"{every.pairs} ordered pairs, {every.outputs} outputs",
        f"p = 5, λ = 7/8, B = 17/8\n"
        f"worst of f(a') = f(a) + 1, ratio a/a': f(a) = {restricted[1] * unit}, ratio {float(restricted[0]):.8f}\n"
        f"worst of all: f(a) = {every.a}, f(a') = {every.b}, x = {every.x}, "
        f"ratio {every.loss.larger / every.loss.smaller:.8f}\n"
        f"replay: snapref loss --scale 0.875 --bound 2.125 --a {float(every.a)} --b {float(every.b)} --precision 5 "
        "(the larger ratio; it is within the bound)",
    )


@obligation(
    "proofs.exact.cases.overlap",
    claim="F-T1-miss",
    kind="exact",
    expected="refuted",
    scope="λ = Λ = 4, B = 8, f(a) = 0, f(a') = 1: x = 0 belongs to two of the printed cases",
)
def cases_overlap(run: Run) -> Outcome:
    """If f(a) and f(a') round to the same [f(a)] = [f(a')], two printed cases coincide, and neither derivation fits."""
    m = Parameters(Fraction(4), Fraction(8))
    a, b = from_fraction(0.0), from_fraction(1.0)
    holding = printed_cases(0, nearest(m, a), nearest(m, b), m.last)
    if len(holding) < 2:
        return Outcome("undecided", f"x = 0 belongs to {holding}")
    return Outcome(
        "refuted",
        f"both hold: {', '.join(holding)}",
        "λ = 4, B = 8, f(a) = 0, f(a') = 1: [f(a)] = [f(a')] = 0, so x = 0 is in the cases C and E\n"
        "replay: snapref loss --scale 4 --bound 8 --a 0 --b 1 (the case of x = 0 is CE)",
    )


@obligation(
    "proofs.exact.cases.partition",
    claim="F-T1-miss",
    kind="exhaustive",
    part="corrected",
    scope="every order of -B, B, [f(a)] ≤ [f(a')] and x in [-B, B] (all order types, in lattice units)",
)
def cases_partition(run: Run) -> Outcome:
    """The eight corrected cases, A to G and CE, exclude each other and leave nothing out."""
    tried = 0
    for last in (1, 2, 3, 4):
        m = Parameters(Fraction(1), Fraction(last))
        for first in range(-last - 1, last + 2):
            for second in range(first, last + 2):
                for k in range(-last, last + 1):
                    tried += 1
                    letters = case(m, k, from_fraction(Fraction(first)), from_fraction(Fraction(second)))
                    if [name for name, test in corrected_cases(k, first, second, last).items() if test] != [letters]:
                        return Outcome(
                            "refuted", "not a partition", f"K = {last}, x = {k}, [a] = {first}, [b] = {second}"
                        )
    return Outcome("proved", f"{tried} configurations, each in exactly one case")


def printed_cases(k: int, first: int, second: int, last: int) -> list[str]:
    """The cases of 004's proof whose printed condition the output x = kΛ meets."""
    tests = {
        "A": k == -last,
        "B": -last < k < first,
        "C": k == first,
        "D": first < k < second,
        "E": k == second,
        "F": second < k < last,
        "G": k == last,
    }
    return [name for name, test in tests.items() if test]


def corrected_cases(k: int, first: int, second: int, last: int) -> dict[str, bool]:
    """The corrected cases: the outputs ±B only in A and G, and a case CE of its own for [f(a)] = [f(a')]."""
    inner = -last < k < last
    return {
        "A": k == -last,
        "B": inner and k < first,
        "C": inner and k == first != second,
        "CE": inner and k == first == second,
        "D": inner and first < k < second,
        "E": inner and k == second != first,
        "F": inner and k > second,
        "G": k == last,
    }
