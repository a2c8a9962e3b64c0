"""Picture: the distributions of the output for two values, on their lattice, and the loss by output against the bound
(004 §4). It is what `snapref loss --plot` draws."""

import math
from collections.abc import Sequence
from fractions import Fraction

from markupsafe import Markup

from snapref.arithmetic import Dyadic
from snapref_harness.report import svg
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.loss import Entry
from snapref_proofs.evaluate.parameters import Parameters

MOST = 400  # outputs that are drawn; of more, as many, evenly spread
WIDTH, HEIGHT = 720, 620
LEFT, RIGHT = 62, 706
FAR = 2.0  # further below ε than this many times the bound above it: not in the magnified part


def draw(m: Parameters, entries: Sequence[Entry], epsilon: Fraction, limit: Fraction) -> Markup:
    """Probabilities of every output for a and for b; the loss; and the loss magnified. `limit` is the bound on it."""
    shown = spread(entries)
    places = [float(to_fraction(output(m, entry.k))) for entry in shown]
    bound = float(m.bound)
    x = svg.Axis(-bound * 1.04, bound * 1.04, LEFT, RIGHT)
    labels = [(value, svg_number(value)) for value in svg.round_numbers(-bound, bound)]
    parts = [svg.x_axis(x, HEIGHT - 50, labels, "output x")]
    parts += _probabilities(shown, places, x)
    parts += _losses(shown, places, x, float(epsilon), float(limit))
    parts += _magnified(shown, places, x, m, epsilon, limit)
    few = "" if len(shown) == len(entries) else f" {len(shown)} of {len(entries)} outputs are drawn."
    words = f"Probabilities of each output for two values, and the loss by output against the bound.{few}"
    return svg.drawing(WIDTH, HEIGHT, "Distributions and privacy loss by output", words, "distributions", parts)


def spread(entries: Sequence[Entry]) -> list[Entry]:
    """All of them, or as many as are drawn, evenly spread, with both ends and the largest loss."""
    if len(entries) <= MOST:
        return list(entries)
    kept = {i * (len(entries) - 1) // (MOST - 2) for i in range(MOST - 1)}
    worst = max(range(len(entries)), key=lambda i: float(entries[i].loss.enclosure(64)[0]))
    return [entries[i] for i in sorted(kept | {worst})]


def size(shown: Sequence[Entry]) -> float:
    """The radius of a dot."""
    return 3.0 if len(shown) <= 120 else 1.5


def svg_number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _probabilities(shown: Sequence[Entry], places: Sequence[float], x: svg.Axis) -> list[Markup]:
    sides = [[log10(p) for p in (entry.a, entry.b)] for entry in shown]
    lowest = math.floor(min(p for pair in sides for p in pair if p > -math.inf))
    y = svg.Axis(lowest, 0, 190, 46)
    step = max(1, -lowest // 5)
    ticks = [(float(n), svg.power(10, n)) for n in range(0, lowest - 1, -step)]
    parts = [svg.y_axis(y, LEFT, ticks, "probability of the output", RIGHT)]
    for side, class_, name, at in ((0, "blue", "for a", 420), (1, "orange", "for b", 500)):
        known = [
            (x.at(place), y.at(pair[side])) for place, pair in zip(places, sides, strict=True) if pair[side] > -math.inf
        ]
        parts.append(svg.path(known, f"{class_} stroke"))
        if len(known) <= 120:
            parts += [svg.dot(*point, f"{class_} fill", 3) for point in known]
        parts += [svg.dot(at, 30, f"{class_} fill"), svg.text(at + 10, 34, name, "start")]
    return parts


def _losses(shown: Sequence[Entry], places: Sequence[float], x: svg.Axis, epsilon: float, limit: float) -> list[Markup]:
    found = [float(entry.loss.enclosure(64)[0]) for entry in shown if not entry.loss.infinite]
    highest = max([limit, *found]) * 1.15
    y = svg.Axis(0, highest, 360, 246)
    parts = [svg.y_axis(y, LEFT, [(v, f"{v:g}") for v in svg.round_numbers(0, highest, 5)], "privacy loss", RIGHT)]
    parts.append(svg.line((LEFT, y.at(limit)), (RIGHT, y.at(limit)), "red stroke dashed"))
    parts.append(svg.text(RIGHT, y.at(limit) - 6, f"ε = {epsilon:.6g}, and the bound", "end", "small halo"))
    for entry, place in zip(shown, places, strict=True):
        if entry.loss.infinite:
            parts.append(svg.cross(x.at(place), y.end, "red stroke thick"))
        else:
            parts.append(svg.dot(x.at(place), y.at(float(entry.loss.enclosure(64)[0])), "blue fill", size(shown)))
    return parts


def _magnified(
    shown: Sequence[Entry], places: Sequence[float], x: svg.Axis, m: Parameters, epsilon: Fraction, limit: Fraction
) -> list[Markup]:
    """(loss - ε)/η: what rounding adds. The bound is ε + 12Bεη/Δ + 2η."""
    eta = Fraction(1, 2**m.precision)
    top = float((limit - epsilon) / eta)
    excess = [None if entry.loss.infinite else entry.loss.in_units(epsilon, eta) for entry in shown]
    inside = [value for value in excess if value is not None and value > -FAR * top]
    low, high = min([0.0, *inside]), max([top, *inside])
    y = svg.Axis(low - 0.05 * (high - low), high + 0.08 * (high - low), HEIGHT - 50, 420)
    ticks = [(value, svg_number(value)) for value in svg.round_numbers(low, high, 5)]
    parts = [svg.y_axis(y, LEFT, ticks, "(loss − ε)/η: what rounding adds", RIGHT)]
    parts.append(svg.line((LEFT, y.at(top)), (RIGHT, y.at(top)), "red stroke dashed"))
    parts.append(svg.text(RIGHT, y.at(top) - 6, f"the bound, {top:.5g} η above ε", "end", "small halo"))
    for value, place in zip(excess, places, strict=True):
        if value is None:
            parts.append(svg.cross(x.at(place), y.end, "red stroke thick"))
        elif value > -FAR * top:
            parts.append(svg.dot(x.at(place), y.at(value), "blue fill", size(shown)))
        else:
            parts.append(svg.text(x.at(place), y.start - 5, "↓", class_="blue"))
    return parts


def log10(p: Dyadic) -> float:
    """The decimal logarithm of a probability n·2^e, however small."""
    significand, exponent = p
    if significand == 0:
        return -math.inf
    bits = significand.bit_length()
    return (math.log2(float(Fraction(int(significand), 1 << bits))) + bits + exponent) * math.log10(2)
