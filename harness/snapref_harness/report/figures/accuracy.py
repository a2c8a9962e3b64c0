"""Figure: the distribution of the error, with the accuracies that 002 §6.2 prints and those that hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from snapref.budget import plan_budget, show
from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table
from snapref_proofs.accuracy import check_alpha
from snapref_proofs.accuracy.printed import get_accuracy, get_accuracy2
from snapref_proofs.accuracy.program import program_of
from snapref_proofs.accuracy.sound import as_double, ideal_tail, least_accuracy, quantile
from snapref_proofs.ideal.model import Ideal

EPSILON, BOUND, VALUE = Fraction(5, 4), Fraction(10), Fraction(9)
IDEAL = program_of(plan_budget(EPSILON, BOUND, Fraction(1), 53)).ideal  # what a release with them runs
# α from 4/5 down to 1/400, twenty to a decade: preferred numbers (ISO 3, R20), each a double that can be typed.
_R20 = (900, 800, 710, 630, 560, 500, 450, 400, 355, 315, 280, 250, 224, 200, 180, 160, 140, 125, 112, 100)
_LEVELS = [check_alpha(float(f"{n}e-{decade}")) for decade in (3, 4, 5) for n in _R20]
LEAST = check_alpha(0.0025)  # the smallest α in the picture
ALPHAS = tuple(alpha for alpha in _LEVELS if LEAST <= alpha <= Fraction(4, 5))
SAMPLES = 8  # of the corrected bound between two of its steps


@dataclass(frozen=True)
class AtAlpha:
    """For one α: the accuracies, and how likely a larger error really is for the two printed ones."""

    alpha: Fraction
    exact: Fraction  # the smallest a with P(N > a) ≤ α, at f
    sound: Fraction  # one that holds at every f in [-B, B]
    printed: Fraction  # GETACCURACY, at f
    printed_risk: float
    printed2: Fraction  # GETACCURACY2, without f
    printed2_risk: float


def rows(ideal: Ideal = IDEAL, f: Fraction = VALUE, alphas: Sequence[Fraction] = ALPHAS) -> Iterator[AtAlpha]:
    for alpha in alphas:
        first = as_double(get_accuracy(ideal.scale, ideal.bound, f, alpha).high)
        second = as_double(get_accuracy2(ideal.scale, ideal.bound, alpha).high)
        yield AtAlpha(
            alpha,
            quantile(ideal, alpha, f),
            as_double(least_accuracy(ideal_tail(ideal), alpha)),
            first,
            float(ideal.exceeds(first, f)),
            second,
            float(ideal.exceeds(second, f)),
        )


def law(ideal: Ideal = IDEAL, f: Fraction = VALUE) -> list[tuple[Fraction, float]]:
    """The steps of P(N > a): each error that can happen, with how likely a larger one is."""
    errors = sorted({abs(f - ideal.output(k)) for k in range(-ideal.last, ideal.last + 1)})
    return [(error, float(ideal.exceeds(error, f))) for error in errors]


def corrected(ideal: Ideal = IDEAL, end: Fraction = BOUND) -> list[tuple[Fraction, float]]:
    """The bound on P(N > a) for every f, as a function of a up to `end`; at a step both of its ends.

    Between steps its logarithm is convex (a sum of two exponentials), so straight lines do not run below it."""
    tail, half = ideal_tail(ideal), ideal.lattice / 2
    points = [(Fraction(0), 1.0)]
    for number in range(1, int(end / half) + 1):
        start = number * half
        places = [start + half * n / SAMPLES for n in range(SAMPLES)]
        points += [(start, points[-1][1]), *((a, float(tail(a))) for a in places)]
        points.append((start + half, float(tail(start + half * (1 - Fraction(1, 2**40))))))  # just before the step
    return points


def figure() -> Figure:
    found, steps = list(rows()), law()
    wrong = [row.alpha for row in found if row.printed_risk > row.alpha]
    wrong2 = [row.alpha for row in found if row.printed2_risk > row.alpha]
    return Figure(
        id="accuracy",
        title="The error, and the accuracies that are promised",
        caption=f"The ideal mechanism of ε = {show(EPSILON)} and B = {show(BOUND)}, with λ' = {show(IDEAL.scale)} and "
        f"Λ = {show(IDEAL.lattice)}, at f = {show(VALUE)}. The accuracy a(α) is to be exceeded with a "
        "probability of at most α: a curve that promises it must not run below the staircase, the exact law of the "
        f"error N. Of {len(found)} values of α, GETACCURACY as printed promises too much at {len(wrong)} (α up to "
        f"{_largest(wrong)}), GETACCURACY2 at {len(wrong2)} (up to {_largest(wrong2)}). GETACCURACY2 promises a "
        "smaller error the smaller α is. The corrected bound holds for every f in [−B, B], and its curve has steps of "
        "its own.",
        wide=_draw(found, steps, WIDE, 360, "accuracy-wide"),
        narrow=_draw(found, steps, NARROW, 340, "accuracy-narrow"),
        legend=(
            Key(svg.mark(svg.path([(1, 4), (8, 4), (8, 12), (15, 12)], "blue stroke thick")), "P(N > a), exactly"),
            Key(svg.mark(svg.path([(1, 4), (15, 12)], "orange stroke thick")), "GETACCURACY as printed"),
            Key(svg.mark(svg.path([(1, 4), (15, 12)], "red stroke thick dashed")), "GETACCURACY2 as printed"),
            Key(
                svg.mark(svg.path([(1, 3), (6, 6), (6, 9), (15, 13)], "green stroke thick dotted")),
                "corrected, for every f",
            ),
        ),
        table=Table(
            ("α", "exact", "corrected", "GETACCURACY", "P(N > it)", "GETACCURACY2", "P(N > it)"),
            [
                (
                    f"{float(row.alpha):g}",
                    f"{float(row.exact):g}",
                    f"{float(row.sound):.4f}",
                    f"{float(row.printed):.4f}",
                    f"{row.printed_risk:.4f}" + (" > α" if row.printed_risk > row.alpha else ""),
                    f"{float(row.printed2):.4f}",
                    f"{row.printed2_risk:.4f}" + (" > α" if row.printed2_risk > row.alpha else ""),
                )
                for row in found
            ],
        ),
        commands=(
            f"snapref accuracy --epsilon {show(EPSILON)} --bound {show(BOUND)} --alpha 0.05 --value {show(VALUE)}",
        ),
    )


def _largest(alphas: Sequence[Fraction]) -> str:
    return f"{float(max(alphas)):g}" if alphas else "none"


def _draw(
    found: Sequence[AtAlpha], steps: Sequence[tuple[Fraction, float]], width: int, height: int, key: str
) -> Markup:
    x = svg.Axis(0, 5.5, 48, width - 10)
    y = svg.Axis(float(LEAST), 1, height - 44, 28, log=True)
    probabilities = [
        (1.0, "1"),
        (0.5, "0.5"),
        (0.2, "0.2"),
        (0.1, "0.1"),
        (0.05, "0.05"),
        (0.02, "0.02"),
        (0.01, "0.01"),
    ]
    parts = [
        svg.x_axis(x, y.start, [(float(n), str(n)) for n in range(6)], "error a", y.end),
        svg.y_axis(y, x.start, probabilities, "probability α", x.end),
    ]
    curves = (
        ("printed", "orange stroke thick"),
        ("printed2", "red stroke thick dashed"),
    )
    for name, style in curves:
        points = [(x.at(float(getattr(row, name))), y.at(float(row.alpha))) for row in found]
        parts.append(svg.path(points, style))
    above = [(x.at(float(a)), y.at(max(level, y.low))) for a, level in _visible(corrected(), y.low)]
    parts.append(svg.path(above, "green stroke thick dotted"))
    parts.append(svg.path(list(_staircase(steps, x, y)), "blue stroke thick"))
    text = (
        "The exact tail of the error as a staircase; both printed accuracies fall below it, the corrected one does not."
    )
    return svg.drawing(width, height, "The error and its promised accuracies", text, key, parts)


def _visible(points: Sequence[tuple[Fraction, float]], least: float) -> Iterator[tuple[Fraction, float]]:
    """Up to the first point that is not above `least`."""
    for point in points:
        yield point
        if point[1] <= least:
            return


def _staircase(steps: Sequence[tuple[Fraction, float]], x: svg.Axis, y: svg.Axis) -> Iterator[svg.Point]:
    """P(N > a) stays until a is the next error, and falls there."""
    level = 1.0
    yield x.at(0), y.at(level)
    for error, beyond in steps:
        if error > x.high:
            break
        yield x.at(float(error)), y.at(level)
        level = max(beyond, y.low)
        yield x.at(float(error)), y.at(level)
        if beyond < y.low:
            return
    yield x.end, y.at(level)
