"""Document 000: the four cases of the distance (§3.1), the distributions that it leaves open, and utility (§2.3).

The claims are `U-…`. The four cases are decided for all reals by two solvers (statements.py). The closed formulas of
model.py are decided by exact differentiation and summation. They are also compared with runs of the ideal mechanism at
exact parameters (ideal/model.py).
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial

from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.boxes import Quantity, establish
from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.exact.law_obligations import vanishes
from snapref_proofs.ideal.model import HALF, ExpSum, Ideal, clamp, constant, round_to_lattice
from snapref_proofs.utility import statements
from snapref_proofs.utility.model import (
    ExpPolynomial,
    Side,
    absolute_error,
    at_least,
    binding_threshold,
    clamped_probability,
    compare,
    derivative,
    distance_bound,
    distance_exceeds,
    distance_expectation,
    expected_loss,
    mean_excess,
    settled,
    sides,
    squared_error,
)
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves

ONE = Fraction(1)


# ---- the four cases (§3.1)


@proves(
    "proofs.utility.inner",
    claim="U-3.1.2b",
    scope="every real B > 0, f > B, Y and Λ/2 < λ ≤ Λ with round(B + Y) in [-B, B]",
)
def inner() -> list[Statement]:
    """The printed chain of inequalities holds, and is strict where it is printed strict. At f = B it would not be."""
    return [*statements.inner_clamp()]


@obligation(
    "proofs.utility.footnote.printed",
    claim="U-fn2",
    kind="exact",
    expected="refuted",
    scope="λ = Λ = 1, B = 1, f = -3, Y = 1/2: the inner clamp binds",
)
def footnote_printed(run: Run) -> Outcome:
    """For f < -B not only the strictness of the bound of dist_2 changes: the printed bound itself is negative."""
    mechanism, f, noise = Ideal(Parameters(ONE, ONE)), Fraction(-3), HALF
    rounded = round_to_lattice(clamp(f, ONE) + noise, mechanism.lattice)
    distance, printed = abs(f + noise - mechanism.output_from(f, noise)), f - 1 + HALF
    mirrored = -f - 1 + HALF
    if abs(rounded) > 1 or distance <= printed or distance != mirrored:
        return Outcome("undecided", f"dist_2 = {distance}, printed {printed}")
    return Outcome(
        "refuted",
        "",
        f"f = -3, B = 1, Λ = 1, Y = ½: dist_2 = |f + Y - round(-B + Y)| = {distance}; f - B + Λ/2 = {printed}\n"
        f"with |f| in place of f the bound {mirrored} is attained: ≤, not <",
    )


@proves(
    "proofs.utility.footnote",
    claim="U-fn2",
    part="corrected",
    scope="every real B > 0, f ≤ 0, Y and Λ/2 < λ ≤ Λ, in each of the four cases",
)
def footnote() -> list[Statement]:
    """What the four cases say for f ≤ 0."""
    return [*statements.below_zero()]


@proves(
    "proofs.utility.outer",
    claim="U-3.1.3a",
    scope="every real B > 0, 0 < f ≤ B and Y with round(f + Y) outside [-B, B]; ± read as: one of the two, and which",
)
def outer() -> list[Statement]:
    """The output is B if the rounded value is above B, and -B if below: dist_3 = |f + Y - B| or |f + Y + B|."""
    return [*statements.outer_clamp()]


@proves(
    "proofs.utility.outer.unbounded",
    claim="U-3.1.3b",
    scope="every real B > 0, 0 < f ≤ B, M > 0: all Y ≥ M + 2B + Λ, which have a positive probability",
)
def outer_unbounded() -> list[Statement]:
    """dist_3 has no upper bound: for every M, noise of at least M + 2B + Λ is in the case and has dist_3 > M."""
    f, b = statements.F, statements.B
    return [*statements.unbounded(f, [f > 0, f <= b], "dist_3")]


@proves(
    "proofs.utility.both",
    claim="U-3.1.4",
    scope="every real B > 0, f > B and Y with round(B + Y) outside [-B, B]; every M > 0; ± read as above",
)
def both() -> list[Statement]:
    """clamp_B(f) = B; dist_4 is |f + Y - B| above and |f + Y + B| below; and dist_4 has no upper bound."""
    f, b = statements.F, statements.B
    return [*statements.both_clamps(), *statements.unbounded(b, [f > b], "dist_4")]


# ---- the laws of dist_3 and dist_4: events, integrals, and the program

# I(x) = E max(Y - x, 0) and G(x) = P(Y ≥ x), as in model.py; here x is measured from the center g of a side.
Form = Mapping[str, int]  # a sum of the named terms with these coefficients: I and G at T, at b + t and at b - t

# The tail of one side and its integral from t to ∞, in the three ranges of t: up to T - b, up to b - T, and beyond.
RANGES: dict[str, tuple[Form, Form]] = {
    "t ≤ T - b": ({"G(T)": 1}, {"(T-b)·G(T)": 1, "t·G(T)": -1, "I(T)": 1}),
    "t ≤ b - T": (
        {"G(b+t)": 1, "G(T)": 1, "G(b-t)": -1},
        {"I(b+t)": 1, "(T-b)·G(T)": -1, "t·G(T)": -1, "I(T)": -1, "I(b-t)": 1},
    ),
    "t ≥ |T - b|": ({"G(b+t)": 1}, {"I(b+t)": 1}),
}
CHAIN_RULE: dict[str, Form] = {"I(b+t)": {"G(b+t)": -1}, "I(b-t)": {"G(b-t)": 1}, "t·G(T)": {"G(T)": 1}}  # as I' = -G
# What the terms become at the end of a range, where it meets the next one, and at t = 0.
MEETS: dict[str, dict[str, Form]] = {
    "t ≤ T - b": {"t·G(T)": {"(T-b)·G(T)": 1}, "I(b+t)": {"I(T)": 1}},
    "t ≤ b - T": {"t·G(T)": {"(T-b)·G(T)": -1}, "I(b-t)": {"I(T)": 1}},
}
START: dict[str, Form] = {"t·G(T)": {}, "I(b+t)": {"I(b)": 1}, "I(b-t)": {"I(b)": 1}}
MEANS: dict[str, Form] = {
    "t ≤ T - b": {"I(T)": 1, "(T-b)·G(T)": 1},
    "t ≤ b - T": {"I(b)": 2, "I(T)": -1, "(T-b)·G(T)": -1},
}
# I = E max(Y - x, 0) and G = P(Y ≥ x) in units of λ, for x ≥ 0 and for x < 0: Σ c·x^i·e^(jx)
EXCESS: tuple[ExpPolynomial, ExpPolynomial] = ({(0, -1): HALF}, {(1, 0): -ONE, (0, 1): HALF})
TAIL: tuple[ExpPolynomial, ExpPolynomial] = ({(0, -1): HALF}, {(0, 0): ONE, (0, 1): -HALF})


def substituted(form: Form, table: Mapping[str, Form], keep: bool) -> dict[str, int]:
    """Each term replaced by what the table has for it.

    Other terms are kept, or dropped (as constants, in derivatives).
    """
    result: dict[str, int] = {}
    for atom, c in form.items():
        for other, factor in table.get(atom, {atom: 1} if keep else {}).items():
            result[other] = result.get(other, 0) + c * factor
    return {atom: c for atom, c in result.items() if c}


def at_zero(terms: ExpPolynomial) -> Fraction:
    """Σ c·x^i·e^(jx) at x = 0."""
    return sum((c for (i, _), c in terms.items() if i == 0), Fraction(0))


def valued(form: Form, side: Side, t: Fraction) -> ExpSum:
    """The value of a form at exact parameters."""
    g, scale = side.center, side.scale
    points = {"(T)": side.threshold, "(b)": side.target, "(b+t)": side.target + t, "(b-t)": side.target - t}
    total = constant(0)
    for atom, c in form.items():
        *factor, function = atom.split("·")
        of = at_least if function[0] == "G" else mean_excess
        weight = {"t": t, "(T-b)": side.threshold - side.target}[factor[0]] if factor else ONE
        total = total + c * weight * of(points[function[1:]] - g, scale)
    return total


def integrals() -> str:
    """What is wrong with the closed form of the expectation, or "" if nothing is."""
    if any(derivative(i) != {k: -c for k, c in g.items()} for i, g in zip(EXCESS, TAIL, strict=True)):
        return "I' = -G fails"
    if any(at_zero(pair[0]) != at_zero(pair[1]) for pair in (EXCESS, TAIL)) or any(j >= 0 for _, j in EXCESS[0]):
        return "I or G jumps at 0, or I does not fall to 0"
    for name, (tail, rest) in RANGES.items():
        if substituted(rest, CHAIN_RULE, keep=False) != {atom: -c for atom, c in tail.items()}:
            return f"{name}: the derivative of the integral is not minus the tail"
        beyond = RANGES["t ≥ |T - b|"][1]
        meets = MEETS.get(name, {})
        if substituted(rest, meets, keep=True) != substituted(beyond, meets, keep=True):
            return f"{name}: the integral jumps where the next range starts"
        if name in MEANS and substituted(rest, START, keep=True) != MEANS[name]:
            return f"{name}: the integral from 0 is not the expectation"
    return ""


PLACES = [Fraction(n, 4) for n in range(-9, 14)]  # f, in units of λ, B = 5/4 … 7/4: inside, at the ends, outside
MECHANISMS = [Ideal(Parameters(ONE, b)) for b in (Fraction(5, 4), Fraction(3, 2), Fraction(7, 4), Fraction(2))]
MECHANISMS += [Ideal(Parameters(*p)) for p in ((Fraction(3, 4), Fraction(1, 4)), (Fraction(9, 16), Fraction(5, 2)))]


def questions(outside: bool) -> Iterator[tuple[Ideal, Fraction]]:
    for mechanism in MECHANISMS:
        for f in PLACES:
            if f >= 0 and (f > mechanism.bound) == outside:
                yield mechanism, f


def forms_agree(outside: bool) -> str:
    """Where model.py's formulas differ, at exact parameters, from the forms that `integrals` decides; "" if nowhere."""
    for mechanism, f in questions(outside):
        for side in sides(mechanism, f):
            early = "t ≤ T - b" if side.threshold >= side.target else "t ≤ b - T"
            edge = abs(side.threshold - side.target)
            if side.expectation != valued(MEANS[early], side, Fraction(0)):
                return f"{side}: another expectation"
            for t in (Fraction(0), edge / 2, edge, edge + HALF):
                tail = RANGES[early if t < edge else "t ≥ |T - b|"][0]
                if side.exceeds(t) != valued(tail, side, t):
                    return f"{side}, t = {t}: another tail"
    return ""


def _register_law(name: str, claim: str, outside: bool, where: str) -> None:
    @proves(
        f"proofs.utility.{name}.event",
        claim=claim,
        scope=f"every real λ, Λ, B > 0, {where}, Y, t ≥ 0: where the case holds, on which side, and distance > t",
    )
    def event() -> list[Statement]:
        """The tail is the probability of two rays and an interval of Y. From t0 on it is e^(-(B+t)/λ)·cosh(f/λ)."""
        return [*statements.binding(), *statements.tail(), *statements.hyperbolic()]

    @obligation(
        f"proofs.utility.{name}.integral",
        claim=claim,
        kind="algebra",
        scope=f"every real λ, Λ, B > 0, {where}: I' = -G, and the integral of the tail, in each range of t",
    )
    def integral(run: Run) -> Outcome:
        """The closed formula of the expectation is the integral of the tail, and model.py computes both formulas."""
        wrong = integrals() or forms_agree(outside)
        return Outcome("refuted", wrong) if wrong else Outcome("proved", "3 ranges of t; both branches of I and G")

    @obligation(
        f"proofs.utility.{name}.program",
        claim=claim,
        kind="exact",
        decides=False,
        scope=f"{where}: six mechanisms, B a multiple of Λ and not, f in quarters; the program on a grid of noise, "
        "sums that bracket the expectation, and β = 1/10, 1/1000",
    )
    def program(run: Run) -> Outcome:
        """The formulas agree with runs of the ideal mechanism: the case, the distance, the expectation, the bound."""
        for mechanism, f in questions(outside):
            checks = (against_the_program, against_sums, against_the_bound, against_memory)
            wrong = next(filter(None, (check(mechanism, f) for check in checks)), "")
            if wrong:
                return Outcome("refuted", "", f"λ = {mechanism.scale}, B = {mechanism.bound}, f = {f}: {wrong}")
        return Outcome("proved", f"{sum(1 for _ in questions(outside))} pairs of a mechanism and a value")


def against_the_program(mechanism: Ideal, f: Fraction) -> str:
    """Where runs of the ideal mechanism on multiples of 1/8 as noise differ from `sides`: in side or distance."""
    bound, center, threshold = mechanism.bound, clamp(f, mechanism.bound), binding_threshold(mechanism)
    above, below = sides(mechanism, f)
    for n in range(-48, 49):
        noise = Fraction(n, 8)
        rounded = round_to_lattice(center + noise, mechanism.lattice)
        distance = abs(f + noise - mechanism.output_from(f, noise))
        side = above if rounded > bound else below if rounded < -bound else None
        if (rounded > bound) != (center + noise >= threshold) or (rounded < -bound) != (-center - noise > threshold):
            return f"noise {noise}: another side"
        x = noise if side is above else -noise
        if side and distance != abs(side.center + x - side.target):
            return f"noise {noise}: distance {distance}"
    return ""


def against_sums(mechanism: Ideal, f: Fraction, step: Fraction = Fraction(1, 4), steps: int = 40) -> str:
    """Whether the expectation lies between two sums over a grid. They enclose the integral, because the tail falls."""
    tails = [distance_exceeds(mechanism, f, n * step) for n in range(steps + 1)]
    rest = mechanism.scale * tails[-1]  # beyond the grid the tail is exponential
    low = sum(tails[1:], constant(0)) * step + rest
    high = sum(tails[:-1], constant(0)) * step + rest
    expectation = distance_expectation(mechanism, f)
    if settled(mechanism, f) > steps * step:
        return "the grid ends too early"
    return "" if (expectation - low).sign() >= 0 and (high - expectation).sign() >= 0 else "not between the sums"


def against_memory(mechanism: Ideal, f: Fraction) -> str:
    """Given case 3, and if |f| ≤ T, the tail from t0 on is e^(-(B + t - T)/λ), whatever f is."""
    threshold, t = binding_threshold(mechanism), settled(mechanism, f) + 1
    if abs(f) > min(threshold, mechanism.bound):
        return ""
    shift = (mechanism.bound + t - threshold) / mechanism.scale
    given = ExpSum({r - shift: c for r, c in clamped_probability(mechanism, f).terms.items()})
    return "" if given == distance_exceeds(mechanism, f, t) else "the tail given the case is another"


def against_the_bound(mechanism: Ideal, f: Fraction) -> str:
    """P(the clamp binds and distance > t) ≤ β at t = `distance_bound`, and not just below it, unless that is t0."""
    for beta in (Fraction(1, 10), Fraction(1, 1000)):
        t = distance_bound(mechanism, f, beta)
        if not distance_exceeds(mechanism, f, t).at_most(beta):
            return f"β = {beta}: exceeded with a larger probability"
        less = t - Fraction(1, 2**40)
        if t > settled(mechanism, f) and distance_exceeds(mechanism, f, less).at_most(beta):
            return f"β = {beta}: a smaller bound would do"
        if not (clamped_probability(mechanism, f) - distance_exceeds(mechanism, f, Fraction(0))).sign() >= 0:
            return "the tail is more than the case"
    return ""


_register_law("dist3", "U-C3", False, "0 ≤ f ≤ B")
_register_law("dist4", "U-C4", True, "f > B")


# ---- utility

BOX = {"κ": (Fraction(1), Fraction(2)), "φ": (Fraction(0), HALF)}
ABSOLUTE, SQUARED = (Fraction(85, 100), Fraction(132, 100)), (Fraction(202, 100), Fraction(25, 10))


def within(error: Quantity, limits: tuple[Fraction, Fraction], margin: Fraction) -> Outcome:
    """Whether the error is between the limits on the whole box. Limits that are closer by the margin must fail."""

    def above(limit: Fraction) -> Quantity:
        return lambda engine, box: error(engine, box) - engine.between(limit, limit)

    def below(limit: Fraction) -> Quantity:
        return lambda engine, box: engine.between(limit, limit) - error(engine, box)

    low, high = limits
    answers = [establish(above(high), BOX), establish(below(low), BOX)]
    for answer in answers:
        if answer.status != "established":
            return Outcome("refuted" if answer.status == "fails" else "undecided", str(answer))
    twins = [establish(above(high - margin), BOX), establish(below(low + margin), BOX)]
    if any(twin.status != "fails" for twin in twins):
        return Outcome("undecided", f"closer limits do not fail: {', '.join(map(str, twins))}")
    return Outcome("proved", f"{sum(answer.leaves for answer in answers)} boxes; closer by {margin} fails")


@obligation(
    "proofs.utility.absolute",
    claim="U-util",
    kind="interval",
    scope="without clamps: every λ ≤ Λ < 2λ and every real f, by κ = Λ/λ ∈ [1, 2], φ = |f - round(f)|/Λ ∈ [0, ½]",
)
def absolute(run: Run) -> Outcome:
    """E|output - f| is between 0.85 and 1.32 times that of Laplace noise of the same λ."""
    return within(absolute_error, ABSOLUTE, Fraction(1, 100))


@obligation(
    "proofs.utility.smaller_and_larger",
    claim="U-util",
    kind="interval",
    scope="without clamps: every λ ≤ Λ < 2λ, by κ = Λ/λ ∈ [1, 2]; f a multiple of Λ, φ = 0, and halfway, φ = ½",
)
def smaller_and_larger(run: Run) -> Outcome:
    """Compared with Laplace noise of the same λ, the expected error is smaller at multiples of Λ, larger halfway."""
    kappa = (ONE, Fraction(2))
    for phi, sign in ((Fraction(0), 1), (HALF, -1)):
        answer = establish(partial(beyond_laplace, sign), {"κ": kappa, "φ": (phi, phi)}, 1000)
        if answer.status != "established":
            return Outcome("refuted" if answer.status == "fails" else "undecided", f"φ = {phi}: {answer}")
    return Outcome("proved", "below 1 at φ = 0 and above 1 at φ = ½, by a hundredth at least")


def beyond_laplace(sign: int, engine: Engine, box: Mapping[str, Enclosure]) -> Enclosure:
    """sign·(E|output - f|/λ - 1) + 1/100: at most 0 where snapping is better (sign 1), or worse (sign -1)."""
    return sign * (absolute_error(engine, box) - 1) + engine.between(Fraction(1, 100), Fraction(1, 100))


@obligation(
    "proofs.utility.squared",
    claim="U-util",
    kind="interval",
    timeout=120,
    scope="without clamps: every λ ≤ Λ < 2λ and every real f, by κ = Λ/λ ∈ [1, 2], φ = |f - round(f)|/Λ ∈ [0, ½]",
)
def squared(run: Run) -> Outcome:
    """E(output - f)² is between 2.02 and 2.5 times λ²; Laplace noise has 2."""
    return within(squared_error, SQUARED, Fraction(6, 100))


@proves(
    "proofs.utility.clamps",
    claim="U-util",
    scope="every real B > 0, Y, Λ > 0; |f| ≤ B, where clamping helps, and f > B, where it hurts; the error against |Y|",
)
def clamps() -> list[Statement]:
    """For |f| ≤ B clamping increases no error; for f > B the error is ≥ f - B; without clamps it is |Y| within Λ/2."""
    return [*statements.clamping_helps()]


# Let y = e^(-κ/2), f = φΛ and N = round(f + Y)/Λ. Then P(N ≥ k) = ½e^(φκ)·y^(2k-1) and P(N ≤ -k) = ½e^(-φκ)·y^(2k-1).
# The next two are partial sums of n terms, with p = y^(2n), multiplied by (1 - y²) and by (1 - y²)².


def geometric_sum(y: int, p: int) -> int:
    """Σ y^(2k-1), k = 1 … n."""
    return y * (1 - p)


def weighted_sum(y: int, p: int, n: int) -> int:
    """Σ (2k-1)·y^(2k-1), k = 1 … n."""
    return y * (1 + y**2 - p * (2 * n + 1 - (2 * n - 1) * y**2))


def sums_hold(plain: Callable[[int, int], int], weighted: Callable[[int, int, int], int]) -> bool:
    """Whether both closed forms are right, by induction: they are 0 for n = 0, and grow by the next term."""
    start = vanishes(lambda y: plain(y, 1), 1, 6) and vanishes(lambda y: weighted(y, 1, 0), 1, 6)
    step = vanishes(lambda y, p: plain(y, p * y**2) - plain(y, p) - y * p * (1 - y**2), 2, 6)
    both_steps = vanishes(
        lambda y, p, n: weighted(y, p * y**2, n + 1) - weighted(y, p, n) - (2 * n + 1) * y * p * (1 - y**2) ** 2, 3, 6
    )
    return start and step and both_steps


def layers_hold(first: int = 1, square: int = 2) -> bool:
    """Whether Σ |k - φ|^i·P(N = k) may be written as a sum over tails a_k = P(N ≥ k), for i = 1 and i = 2.

    The next k ≥ 1 adds (k - φ)^i·(a_k - a_{k+1}) to the first sum. To the second it adds ((k - φ)^i - (k-1 - φ)^i)·a_k,
    and the remainder at the end changes from -(k-1 - φ)^i·a_k to -(k - φ)^i·a_{k+1}. The two must be equal. For k < 0
    the same is true with -φ for φ.
    """

    def adds(power: int, step: Callable[[int, int], int]) -> bool:
        return vanishes(
            lambda a, b, k, phi: (
                (k - phi) ** power * (a - b) - (step(k, phi) * a - (k - phi) ** power * b + (k - 1 - phi) ** power * a)
            ),
            variables=4,
            degree=3,
        )

    return adds(1, lambda k, phi: first) and adds(2, lambda k, phi: square * (k - phi) - 1)


def hyperbolic_sums() -> bool:
    """Whether y/(1-y²) = 1/(2sinh(κ/2)) and y(1+y²)/(1-y²)² = cosh(κ/2)/(2sinh²(κ/2)) for y = e^(-κ/2)."""
    for y in map(Fraction, range(2, 12)):
        sinh, cosh = (1 / y - y) / 2, (1 / y + y) / 2
        if y / (1 - y**2) != 1 / (2 * sinh) or y * (1 + y**2) / (1 - y**2) ** 2 != cosh / (2 * sinh**2):
            return False
    return True  # cleared of denominators, polynomials of degree < 10 with 10 zeros


@obligation(
    "proofs.utility.sums",
    claim="U-util",
    kind="algebra",
    scope="every κ > 0, |φ| ≤ ½, y = e^(-κ/2): the sums and series behind the closed forms, by induction on the number "
    "of terms; E|Y| = λ and E Y² = 2λ² for Laplace noise",
)
def sums(run: Run) -> Outcome:
    """The steps to the closed formulas: expectations as sums of tails, two sums in closed form, E|Y| and E Y²."""
    twin = sums_hold(geometric_sum, lambda y, p, n: y * (1 + y**2 - p * (2 * n + 1 - 2 * n * y**2)))
    # ∫ x·e^-x = -(x + 1)e^-x and ∫ x²·e^-x = -(x² + 2x + 2)e^-x: 1 and 2 from 0 to ∞
    first: ExpPolynomial = {(1, -1): -ONE, (0, -1): -ONE}
    second: ExpPolynomial = {(2, -1): -ONE, (1, -1): Fraction(-2), (0, -1): Fraction(-2)}
    laplace = derivative(first) == {(1, -1): ONE} and derivative(second) == {(2, -1): ONE}
    laplace = laplace and -at_zero(first) == 1 and -at_zero(second) == 2
    good = layers_hold() and sums_hold(geometric_sum, weighted_sum) and hyperbolic_sums() and laplace
    good = good and not twin and not layers_hold(square=3)
    return Outcome("proved" if good else "refuted", "by induction; wrong coefficients fail it")


def at_point(error: Quantity, point: Mapping[str, Fraction], engine: Engine) -> Enclosure:
    return error(engine, {name: engine.between(x, x) for name, x in point.items()})


@obligation(
    "proofs.utility.closed",
    claim="U-util",
    kind="exact",
    decides=False,
    scope="λ = 1, 3/4, 9/16, B = 48, nine values of f in [0, Λ/2]: the sum over all outputs",
)
def closed(run: Run) -> Outcome:
    """The closed formulas agree with the exact sum over the outputs of a mechanism whose bound B is far away."""
    for scale in (ONE, Fraction(3, 4), Fraction(9, 16)):
        mechanism = Ideal(Parameters(scale, Fraction(48)))
        for n in range(9):
            f = n * mechanism.lattice / 16
            point = {"κ": mechanism.lattice / scale, "φ": f / mechanism.lattice}
            for power, error in ((1, absolute_error), (2, squared_error)):
                low, high = agreed(partial(at_point, error, point), 192)
                exact = expected_loss(mechanism, f, power).enclosure(192)
                if abs(exact[0] / scale**power - low) > Fraction(1, 10**15) or high - low > Fraction(1, 10**20):
                    return Outcome("refuted", "", f"λ = {scale}, f = {f}, power {power}")
    return Outcome("proved", "54 expectations, to 15 digits: what is beyond B is of that order")


@obligation(
    "proofs.utility.both_ways",
    claim="U-util",
    kind="exact",
    decides=False,
    scope="ε = 1, B = 16, λ as the reference has it for p = 53: f = 0, 1/2, 16 and 20",
)
def both_ways(run: Run) -> Outcome:
    """Compared with Laplace, snapping has the smaller expected error at 0 and at B, the larger at Λ/2 and outside."""
    bound = Fraction(16)
    found = {f: compare(ONE, bound, f).absolute for f in (Fraction(0), HALF, bound, Fraction(20))}
    wins, loses = (found[Fraction(0)], found[bound]), (found[HALF], found[Fraction(20)])
    text = ", ".join(f"f = {f}: {ratio:.4f}" for f, ratio in found.items())
    return Outcome("proved" if max(wins) < 1 < min(loses) else "refuted", text)
