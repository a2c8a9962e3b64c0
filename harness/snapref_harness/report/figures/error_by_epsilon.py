"""Picture: the error that a release may have, against ε (002 §6.2). `accuracy --plot` and `plan epsilon --plot` draw
it."""

import math
from fractions import Fraction

from markupsafe import Markup

from snapref.budget import Budget, plan_budget
from snapref.errors import ParameterError
from snapref_harness.report import svg
from snapref_proofs.accuracy.program import program_of
from snapref_proofs.accuracy.sound import least_accuracy, program_tail

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT = 62, 706
POINTS = 96  # along the curve
REACH = 16  # from ε/16 to 16·ε, as far as a release allows


def curve(budget: Budget, alpha: Fraction) -> list[tuple[float, float]]:
    """Pairs of ε and the error that is exceeded with probability at most α, for every value; B, Δ and p as given."""
    found = []
    for i in range(POINTS + 1):
        epsilon = float(budget.epsilon) * REACH ** (2 * i / POINTS - 1)
        try:
            there = plan_budget(Fraction(epsilon), budget.bound, budget.sensitivity, budget.precision)
        except ParameterError:  # no release has this ε
            continue
        found.append((epsilon, float(least_accuracy(program_tail(program_of(there)), alpha))))
    return found


def draw(budget: Budget, alpha: Fraction, wanted: Fraction | None = None) -> Markup:
    """The curve, the chosen ε on it, and, if there is one, the accuracy that was wanted."""
    points = curve(budget, alpha)
    chosen = float(least_accuracy(program_tail(program_of(budget)), alpha))
    errors = [error for _, error in points] + [chosen] + ([] if wanted is None else [float(wanted)])
    x = svg.Axis(points[0][0], points[-1][0], LEFT, RIGHT, log=True)
    y = svg.Axis(min(errors) / 1.3, max(errors) * 1.3, HEIGHT - 56, 46, log=True)
    parts = [svg.x_axis(x, HEIGHT - 56, _ticks(x), "ε", 46), svg.y_axis(y, LEFT, _ticks(y), "error", RIGHT)]
    parts.append(svg.path([(x.at(e), y.at(a)) for e, a in points], "blue stroke thick"))
    if wanted is not None:
        parts.append(svg.line((LEFT, y.at(float(wanted))), (RIGHT, y.at(float(wanted))), "red stroke dashed"))
        parts.append(svg.text(RIGHT, y.at(float(wanted)) - 6, f"wanted: {float(wanted):.6g}", "end", "small halo"))
    at = x.at(float(budget.epsilon)), y.at(chosen)
    parts.append(svg.dot(*at, "orange fill", 5))
    label = f"ε = {float(budget.epsilon):.6g}: error ≤ {chosen:.6g}"
    parts.append(svg.text(at[0] + 8, at[1] - 10, label, "start", "name halo"))  # ε is in the middle
    chance = f"{float(alpha):.4g}"
    parts.append(svg.text(RIGHT, 24, f"the error is larger with probability at most {chance}, for every value", "end"))
    words = f"As ε grows, the error falls, in steps where Λ jumps. At the chosen ε it is at most {chosen:.6g}."
    return svg.drawing(WIDTH, HEIGHT, "The error of a release against ε", words, "error-by-epsilon", parts)


def _ticks(axis: svg.Axis) -> list[tuple[float, str]]:
    """1, 2 and 5 times powers of ten."""
    powers = range(math.floor(math.log10(axis.low)), math.ceil(math.log10(axis.high)) + 1)
    few = math.log10(axis.high / axis.low) < 4
    values = [k * 10.0**n for n in powers for k in ((1, 2, 5) if few else (1,))]
    return [(value, f"{value:g}") for value in values if axis.low <= value <= axis.high]
