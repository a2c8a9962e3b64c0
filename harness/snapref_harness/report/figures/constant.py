"""Figure: what is known about the constant C of the bound Δ/λ + C·B·η/λ + 2η (004 §4, Theorem 1), from both sides."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table
from snapref_proofs.theorem1.below import constant, worst
from snapref_proofs.theorem1.statement import EVERY, SHARP, TWELVE, Regime

PROVED = (SHARP, TWELVE, EVERY)  # what is shown; EVERY alone is for every Δ
HIGHER = 18  # the label of the limit: its neighbours are close


@dataclass(frozen=True)
class Mark:
    value: float
    label: str  # a few words, in the picture
    meaning: str
    kind: str  # exhibited, limit or proved


def marks() -> list[Mark]:
    low, _ = constant(worst())
    return [
        Mark(float(low), f"{float(low):.4f}", "an exact loss that has this constant, at 53 bits", "exhibited"),
        Mark(
            4 + 12 / (math.e - 1),
            "4 + 12/(e − 1)",
            "the limit from both sides, as Bη/λ falls and B/λ grows",
            "limit",
        ),
        Mark(
            float(SHARP.constant),
            "10.984",
            f"{_conditions(SHARP)}, and the condition on Δ; plus {SHARP.slope}·Bη/λ",
            "proved",
        ),
        Mark(
            float(TWELVE.constant),
            "12",
            f"{_conditions(TWELVE)}, and the condition on Δ (the documents' constant)",
            "proved",
        ),
        Mark(
            float(EVERY.constant),
            "12.42",
            f"{_conditions(EVERY)}, for every Δ; plus {EVERY.slope}·Bη/λ",
            "proved",
        ),
    ]


def _conditions(regime: Regime) -> str:
    return f"p ≥ {regime.min_precision}, λ ≤ B, Bη/λ ≤ {svg.power(2, 1 - regime.max_beta.denominator.bit_length())}"


def figure() -> Figure:
    found = marks()
    needs = "; ".join(f"{mark.label} needs {mark.meaning}" for mark in found if mark.kind == "proved")
    return Figure(
        id="constant",
        title="The constant of Theorem 1, from both sides",
        caption="loss ≤ Δ/λ + C·B·η/λ + 2η. From above: constants with a chain of lemmas behind them, each under its "
        "conditions (the graph of Theorem 1 below has the status of each lemma): "
        f"{needs}. The condition on Δ: it is a power of two, or a multiple of the spacing of p-bit numbers at 2B. "
        "From below: an exact loss that is exhibited. The shaded gap is what is not known.",
        wide=_draw(found, WIDE, "constant-wide"),
        narrow=_draw(found, NARROW, "constant-narrow"),
        legend=(
            Key(svg.mark(svg.dot(8, 8, "blue fill", 4.5)), "exhibited: no smaller constant can hold"),
            Key(
                svg.mark(svg.diamond(8, 8, "purple stroke thick", 5.5)),
                "4 + 12/(e − 1): the limit from both sides",
            ),
            Key(svg.mark(svg.rectangle(4, 3, 8, 10, "green fill")), "the chain of lemmas gives this constant"),
        ),
        table=Table(("C", "kind", "meaning"), [(f"{m.value:.6g}", m.kind, m.meaning) for m in found]),
        commands=("snapref theorem",),
    )


def _draw(found: Sequence[Mark], width: int, key: str) -> Markup:
    whole = svg.Axis(10, 13, 20, width - 20)
    close = svg.Axis(10.9828, 10.9846, 20, width - 20)
    parts = [
        *_scale(found, whole, 46, [(float(n), str(n)) for n in range(10, 14)]),
        *_magnifier(whole, close),
        *_scale(found, close, 150, [(10.983 + n / 2000, f"{10.983 + n / 2000:.4f}") for n in range(3)]),
    ]
    text = "Exhibited 10.9835; proved 10.984 and 12 under conditions, 12.42 for every Δ; below, the gap magnified."
    return svg.drawing(width, 176, "Bracket around the constant", text, key, parts)


def _scale(found: Sequence[Mark], axis: svg.Axis, y: float, ticks: list[tuple[float, str]]) -> list[Markup]:
    inside = [mark for mark in found if axis.low <= mark.value <= axis.high]
    gap = (axis.at(inside[0].value), axis.at(float(SHARP.constant)))
    parts = [svg.rectangle(gap[0], y - 14, gap[1] - gap[0], 14, "gap"), svg.x_axis(axis, y, ticks)]
    magnified = axis.high < 12
    for mark in inside:
        x = axis.at(mark.value)
        shape = {
            "exhibited": svg.dot(x, y - 7, "blue fill", 5),
            "limit": svg.diamond(x, y - 7, "purple stroke thick", 6),
            "proved": svg.rectangle(x - 4, y - 14, 8, 14, "green fill"),
        }[mark.kind]
        if magnified or mark.kind == "proved":
            up = HIGHER if mark.kind == "limit" else 0
            parts += [shape, svg.text(x, y - 22 - up, mark.label, class_="name")]
    return parts


def _magnifier(whole: svg.Axis, close: svg.Axis) -> list[Markup]:
    """Two lines from the short piece of the upper scale to the ends of the lower one."""
    return [
        svg.line((whole.at(close.low), 66), (close.start, 116), "grid strong"),
        svg.line((whole.at(close.high), 66), (close.end, 116), "grid strong"),
    ]
