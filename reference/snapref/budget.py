"""The budget: which noise scale λ honours a given ε (001/002 §5), and when none does.

The bound on the privacy loss, its constant, its side conditions and the treatment of a sensitivity Δ ≠ 1 are here and
nowhere else:

    loss ≤ Δ/λ + 12·B·η/λ + 2η,    so    ε' = (ε - 2η) / (1 + 12(B/Δ)η)  and  λ = Δ/ε'.

All of it is computed in exact rationals, and rounded to the safe side. The bound is a claim of Mironov (CCS 2012), as
001/002 §5 and Theorem 1 of 004 quote it, with the side conditions that they leave out. notes/theorem1.md has the proof,
and says what the proof trusts.
"""

from dataclasses import dataclass
from fractions import Fraction

from snapref.errors import ParameterError

MAX_PRECISION = 4096


@dataclass(frozen=True)
class Regime:
    """A constant C of B·η/λ, and the conditions under which the bound is proved with it; λ ≤ B is always one."""

    constant: int | Fraction
    min_precision: int
    max_beta: Fraction  # of β = B·η/λ; a power of two

    @property
    def eta(self) -> Fraction:
        """The largest η = 2**-p."""
        return eta(self.min_precision)

    @property
    def most(self) -> str:
        """The largest β as a text: 2**-7."""
        return f"2**{floor_log2(self.max_beta)}"

    def covers(self, precision: int, beta: Fraction) -> bool:
        return precision >= self.min_precision and beta <= self.max_beta


# What is proved. The first row is the documents' bound, with the weakest conditions: the budget rests on it.
PROVED = (
    Regime(constant=12, min_precision=11, max_beta=Fraction(1, 2**7)),
    Regime(constant=11, min_precision=24, max_beta=Fraction(1, 2**13)),
    Regime(constant=Fraction(10985, 1000), min_precision=24, max_beta=Fraction(1, 2**16)),
)
WIDEST = PROVED[0]
CONSTANT = WIDEST.constant


def eta(precision: int) -> Fraction:
    """η = 2**-p, half a unit in the last place of 1: the largest relative error of one rounding."""
    return Fraction(1, 2**precision)


def check_precision(precision: int) -> None:
    if not WIDEST.min_precision <= precision <= MAX_PRECISION:
        limits = f"{WIDEST.min_precision} to {MAX_PRECISION} bits"
        raise ParameterError(f"precision = {precision} is out of range: {limits}")


def round_to_bits(x: Fraction, precision: int, up: bool) -> Fraction:
    """x > 0 rounded down, or up, to the nearest number with `precision` significant bits."""
    unit = Fraction(2) ** (floor_log2(x) + 1 - precision)
    multiple = x / unit
    return unit * (-(-multiple.numerator // multiple.denominator) if up else multiple.numerator // multiple.denominator)


def floor_log2(x: Fraction) -> int:
    """The largest k with 2**k <= x, for x > 0."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return k if Fraction(2) ** k <= x else k - 1


def padded_sensitivity(sensitivity: Fraction, bound: Fraction, precision: int) -> Fraction:
    """Δ where it is a power of two, else Δ rounded up to a multiple of the spacing of p-bit floats at 2B.

    The mechanism rounds differences of up to 2B to that spacing. So two thresholds that are Δ apart can come out as far
    apart as the padded Δ.
    """
    spacing = Fraction(2) ** (floor_log2(2 * bound) + 1 - precision)
    if sensitivity == Fraction(2) ** floor_log2(sensitivity):
        return sensitivity
    return -(-sensitivity // spacing) * spacing


def loss_bound(
    scale: Fraction, bound: Fraction, sensitivity: Fraction, precision: int, constant: int | Fraction = CONSTANT
) -> Fraction:
    """Δ/λ + C·B·η/λ + 2η."""
    return (sensitivity + constant * bound * eta(precision)) / scale + 2 * eta(precision)


def certified_loss(
    scale: Fraction, bound: Fraction, sensitivity: Fraction, precision: int
) -> tuple[Fraction, int | Fraction]:
    """The smallest bound on the loss that is proved for these parameters, and its constant. An error where none is."""
    check_precision(precision)
    beta = bound * eta(precision) / scale
    if scale > bound:
        raise ParameterError(f"scale = {show(scale)} must be at most the bound, {show(bound)} (condition λ ≤ B)")
    if beta > WIDEST.max_beta:
        raise ParameterError(
            f"B·η/λ = {show(beta)} must be at most {WIDEST.most}: take a smaller bound or a larger scale"
        )
    constant = min(regime.constant for regime in PROVED if regime.covers(precision, beta))
    padded = padded_sensitivity(sensitivity, bound, precision)
    return loss_bound(scale, bound, padded, precision, constant), constant


def inner_epsilon(epsilon: Fraction, bound: Fraction, sensitivity: Fraction, precision: int) -> Fraction:
    """ε' = (ε - 2η) / (1 + 12(B/Δ)η), rounded down to p bits. Where Δ is padded to Δ', the 1 becomes Δ'/Δ."""
    h = eta(precision)
    if epsilon <= 2 * h:
        raise ParameterError(
            f"epsilon = {show(epsilon)} is not larger than 2η = 2**{1 - precision}: no noise can honour it; "
            f"ask for more than {show(2 * h)}, or raise the precision"
        )
    padding = padded_sensitivity(sensitivity, bound, precision) / sensitivity
    return round_to_bits((epsilon - 2 * h) / (padding + CONSTANT * bound / sensitivity * h), precision, up=False)


def notes_precision(epsilon: Fraction, logarithm_bits: int = 118) -> int:
    """The notes' rule for p (001/002 §5): p = m + 2 for the smallest power of two 2**-m >= ε, and at least 118."""
    m = floor_log2(1 / epsilon)
    return max(m + 2, logarithm_bits)


@dataclass(frozen=True)
class Condition:
    """A side condition of the bound, as it was checked."""

    name: str
    statement: str


@dataclass(frozen=True)
class Budget:
    """The parameters of one mechanism, all exact, and the conditions under which the bound covers them."""

    epsilon: Fraction
    inner_epsilon: Fraction
    scale: Fraction
    bound: Fraction
    sensitivity: Fraction
    padded_sensitivity: Fraction
    precision: int
    honoured: Fraction  # the bound on the privacy loss: at most epsilon
    conditions: tuple[Condition, ...]


def plan_budget(epsilon: Fraction, bound: Fraction, sensitivity: Fraction, precision: int) -> Budget:
    """λ for ε, B, Δ > 0 and p. Where the bound does not cover these, an error that says what to change."""
    check_precision(precision)
    h = eta(precision)
    inner = inner_epsilon(epsilon, bound, sensitivity, precision)
    scale = round_to_bits(sensitivity / inner, precision, up=True)
    padded = padded_sensitivity(sensitivity, bound, precision)
    honoured = loss_bound(scale, bound, padded, precision)

    if scale > bound:
        advice = f"an epsilon of at least {suggest(padded / bound + (CONSTANT + 2) * h, precision, up=True)}"
        if epsilon > (CONSTANT + 6) * h:  # a larger bound may need more padding of Δ, at most 4·B·η more
            least = suggest(sensitivity / (epsilon - (CONSTANT + 6) * h), precision, up=True)
            advice = f"a bound of at least {least}, or {advice}"
        raise ParameterError(
            f"bound = {show(bound)} is smaller than the scale λ = {show(scale)} that epsilon = {show(epsilon)} needs "
            f"(condition λ ≤ B): take {advice}"
        )
    if bound * h > WIDEST.max_beta * scale:
        limit = WIDEST.max_beta / h  # B/λ may be at most this
        most = suggest(2 * h + (padded / bound + CONSTANT * h) * limit, precision, up=False)
        largest = suggest(sensitivity * limit / (epsilon - 2 * h), precision, up=False)
        enough = floor_log2(bound * epsilon / (sensitivity * WIDEST.max_beta)) + 1  # as λ ≥ Δ/ε at any precision
        raise ParameterError(
            f"bound = {show(bound)} is too large against the scale λ = {show(scale)} (condition B·η/λ ≤ {WIDEST.most}, "
            f"η = 2**-{precision}): take a bound of at most {largest}, an epsilon of at most {most}, "
            f"or a precision of at least {enough}"
        )
    return Budget(
        epsilon,
        inner,
        scale,
        bound,
        sensitivity,
        padded,
        precision,
        honoured,
        (
            Condition("precision", f"{WIDEST.min_precision} ≤ p = {precision}"),
            Condition("epsilon", f"ε = {show(epsilon)} > 2η = 2**{1 - precision}"),
            Condition("bound against scale", f"λ = {show(scale)} ≤ B = {show(bound)}"),
            Condition("bound against precision", f"B·η/λ = {show(bound * h / scale)} ≤ {WIDEST.most}"),
            Condition("honoured", f"Δ/λ + {CONSTANT}·B·η/λ + 2η ≤ ε, as ε' is rounded down and λ up"),
        ),
    )


def show(x: Fraction) -> str:
    """About six significant digits, for a message. It never raises, however large or small x is."""
    if x == 0:
        return "0"
    try:
        approximate = float(x)
    except OverflowError:
        approximate = 0.0
    return f"{approximate:.6g}" if approximate else f"about 2**{floor_log2(abs(x))}"


def suggest(x: Fraction, precision: int, up: bool) -> str:
    """A number a little on the safe side of x, short enough to type, that p bits hold."""
    margin = 1 + 8 * eta(precision) if up else 1 - 8 * eta(precision)
    safe = round_to_bits(x * margin, min(precision, 20), up)
    try:
        return repr(float(safe))
    except OverflowError:
        return show(safe)
