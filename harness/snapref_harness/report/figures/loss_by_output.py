"""Figure: the privacy loss at each output, exact and as the rules of Figure 2 bound it (004 §4), beside the bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from markupsafe import Markup

from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.intervals import agreed
from snapref_proofs.evaluate.loss import Loss, loss_of
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.figure2.seven_cases import MEANING, ROUTES, Case, Question, Route

# λ a little below Λ = 1/2, where errors weigh most; every one of the cases A to G has an output.
QUESTION = Question(Parameters(Fraction(0.49), Fraction(5), 53), Fraction(3, 4), Fraction(7, 4))
INFINITE = float("inf")
FAR_BELOW = -1000.0  # in η: outputs near f(a), whose loss is a fraction of ε
LEGEND = (
    (svg.dot(8, 8, "blue fill"), "exact, from rational probabilities"),
    (svg.path([(2, 12), (2, 4), (14, 4), (14, 12)], "orange stroke"), "Figure 2, errors independent"),
    (svg.path([(2, 8), (14, 8)], "green stroke thick"), "Figure 2, the error of ⊕ shared"),
    (svg.path([(0, 8), (16, 8)], "red stroke dashed"), "the bound ε + 12Bεη + 2η"),
    (svg.text(8, 13, "↓", class_="blue"), "far below"),
)


@dataclass(frozen=True)
class OutputLoss:
    """One output. Excesses are (loss - ε)/η."""

    x: Fraction
    case: Case
    loss: Loss
    exact: float
    derived: dict[Route, float]  # what the Figure 2 derivation bounds it by


def rows(question: Question) -> list[OutputLoss]:
    last = question.parameters.last
    return [_row(question, k) for k in range(-last, last + 1)]


def _row(q: Question, k: int) -> OutputLoss:
    p, r = (q.exact(k, c) for c in (q.a, q.b))
    loss = loss_of(from_fraction(p), from_fraction(r))
    derived = {route: _derived(q, k, route) for route in ROUTES}
    return OutputLoss(q.output(k), q.case(k), loss, loss.in_units(1 / q.scale, q.eta), derived)


def _derived(q: Question, k: int, route: Route) -> float:
    """An upper bound of (loss - ε)/η, in the worse direction; infinite where the semantics gives none."""
    if not q.bounded(k, route):
        return float("inf")
    constants = [agreed(partial(q.constant, k, route, reverse), q.bits)[1] for reverse in (False, True)]
    return float(max(constants) * q.bound / q.scale + 2)


def picture(question: Question) -> Markup:
    """The same picture for another question: what `snapref figure2 --plot` draws."""
    limit = float((question.limit - 1 / question.scale) / question.eta)
    return _draw(question, rows(question), limit, WIDE, "loss", keys=True)


def figure() -> Figure:
    q = QUESTION
    found = rows(q)
    limit = float((q.limit - 1 / q.scale) / q.eta)
    worst, eta = max(row.exact for row in found), svg.power(2, -q.parameters.precision)
    beyond = {route: sum(row.derived[route] > limit for row in found) for route in ROUTES}
    return Figure(
        id="loss-by-output",
        title="Privacy loss by output, against the bound",
        caption=f"λ = {float(q.scale)}, Λ = {q.lattice}, B = {q.bound}, f(a) = {q.a}, f(a') = {q.b}, "
        f"η = {eta}. Above: the exact loss at each of the {len(found)} outputs; it is ε = 1/λ "
        "up to a few η, but for some next to the two values, where it is less. Below: the same magnified, as "
        "(loss − ε)/η, and what the rules of Figure 2 prove for each output. With all rounding errors independent, as "
        f"Figure 2 has them, the derivation exceeds the bound at {beyond['independent']} outputs, so it proves nothing "
        f"there; with the error of ⊕ shared by both values, it does so at {beyond['shared']}. The exact loss is at "
        f"most ε + {worst:.1f} η here, the bound is ε + {limit:.0f} η.",
        wide=_draw(q, found, limit, WIDE, "loss-wide"),
        narrow=_draw(q, found, limit, NARROW, "loss-narrow"),
        legend=tuple(Key(svg.mark(content), words) for content, words in LEGEND),
        table=Table(
            ("x", "case", "where", "loss", "(loss − ε)/η", "Figure 2, independent", "Figure 2, shared", "bound"),
            [
                (
                    f"{float(row.x):g}",
                    row.case,
                    MEANING[row.case],
                    row.loss.text(20),
                    f"{row.exact:.4g}",
                    *(f"{row.derived[route]:.4g}" for route in ROUTES),
                    f"{limit:.4g}",
                )
                for row in found
            ],
        ),
        commands=tuple(f"snapref {verb} --scale 0.49 --bound 5 --a 0.75 --b 1.75" for verb in ("loss", "figure2")),
    )


def _draw(q: Question, found: Sequence[OutputLoss], limit: float, width: int, key: str, keys: bool = False) -> Markup:
    """`keys`: with the legend below, for a picture that stands alone."""
    left, right = 52, width - 10
    x = svg.Axis(-0.7, len(found) - 0.3, left, right)
    high = float(1 / q.scale) * 1.13
    top = svg.Axis(0, high, 168, 62)
    bounds = [row.derived["independent"] for row in found]
    highest = max(limit, *(bound for bound in bounds if bound < INFINITE)) * 1.08
    lowest = min(row.exact for row in found if row.exact > FAR_BELOW) - 10
    magnified = svg.Axis(lowest, highest, 420, 236)
    parts = [*_bands(found, x, 40, 420)]
    parts.append(svg.y_axis(top, left, [(v, f"{v:g}") for v in svg.round_numbers(0, high, 4)], "loss", right))
    epsilon = top.at(float(1 / q.scale))
    parts.append(svg.line((left, epsilon), (right, epsilon), "red stroke dashed"))
    parts.append(svg.text(right, epsilon - 8, "ε, and the bound", "end", "small halo"))
    ticks = [(v, f"{v:g}") for v in svg.round_numbers(0, highest, 6)]
    parts.append(svg.y_axis(magnified, left, ticks, "(loss − ε)/η, magnified", right))
    parts.append(svg.line((left, magnified.at(limit)), (right, magnified.at(limit)), "red stroke dashed"))
    parts.append(svg.text(right, magnified.at(limit) - 5, f"the bound, {limit:.0f} η above ε", "end", "small halo"))
    every = -(-len(found) // (12 if width == WIDE else 6))
    labels = [(float(i), f"{float(row.x):g}".replace("-", "−")) for i, row in enumerate(found) if i % every == 0]
    parts.append(svg.x_axis(x, 420, labels, "output x"))
    half = max(1.0, min(7.0, (right - left) / len(found) / 2 - 1))
    for i, row in enumerate(found):
        at = x.at(i)
        low, _ = row.loss.enclosure(64)
        parts.append(svg.dot(at, top.at(float(low)), "blue fill", min(3.5, half)))
        if row.exact > FAR_BELOW:
            parts += _magnified(row, at, half, magnified)
        else:
            parts.append(svg.text(at, magnified.start - 5, "↓", class_="blue"))
    for i, (content, words) in enumerate(LEGEND if keys else ()):
        where = f"translate({left + i % 2 * 330} {464 + i // 2 * 22})"
        parts.append(svg.element("g", content, svg.text(22, 12, words, "start"), transform=where))
    text = "Exact losses lie on ε or far below; in the magnified part all exact losses are below the bound."
    return svg.drawing(width, 535 if keys else 460, "Privacy loss by output", text, key, parts)


def _magnified(row: OutputLoss, at: float, half: float, axis: svg.Axis) -> list[Markup]:
    independent, shared = (axis.at(min(row.derived[route], axis.high)) for route in ROUTES)
    zero = axis.at(row.exact)
    bracket = [(at - half, zero), (at - half, independent), (at + half, independent), (at + half, zero)]
    return [
        svg.path(bracket, "orange stroke"),
        svg.line((at - half, shared), (at + half, shared), "green stroke thick"),
        svg.dot(at, zero, "blue fill", min(3.5, half)),
    ]


def _bands(found: Sequence[OutputLoss], x: svg.Axis, top: float, bottom: float) -> list[Markup]:
    """A stripe and a letter for each case."""
    parts = []
    starts = [i for i, row in enumerate(found) if i == 0 or row.case != found[i - 1].case]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(found)
        left, right = x.at(start - 0.5), x.at(end - 0.5)
        if number % 2:
            parts.append(svg.rectangle(left, top - 10, right - left, bottom - top + 10, "band"))
        parts.append(svg.text((left + right) / 2, top - 16, found[start].case, class_="name"))
    parts.append(svg.text(4, top - 16, "case", "start", "name"))
    return parts
