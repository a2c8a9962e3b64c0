"""Figure: the worst loss in a small format for every λ and many B, over all pairs of values, all outputs and all u."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from snapref.budget import floor_log2
from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table
from snapref_proofs.evaluate.small_formats import Worst, input_step, small_numbers, worst_loss
from snapref_proofs.exact.small_obligations import mechanisms

PRECISION = 5
EXPONENTS = range(-1, 6)  # λ and B: from 1/2 to 64
FACTORS = (Fraction(1), Fraction(3, 2))  # of B in each binade
LARGEST = 40  # B/λ beyond which a square is left empty: there every loss is infinite
EDGES = (0.0, 1.0, 2.0, 3.0, 4.0)  # between the colours of C; C never came near 12 where the conditions hold


@dataclass(frozen=True)
class Square:
    """One λ and one B, and the worst loss with them."""

    worst: Worst

    @property
    def scale(self) -> Fraction:
        return self.worst.parameters.scale

    @property
    def bound(self) -> Fraction:
        return self.worst.parameters.bound

    @property
    def words(self) -> str:
        if self.worst.loss.infinite:
            return "∞"
        return f"{self.worst.constant:.2f}" + ("" if self.worst.holds else " breaks")

    @property
    def colour(self) -> str:
        """A shade by C, or what the loss is where the bound breaks."""
        if self.worst.loss.infinite:
            return "infinite"
        if not self.worst.holds:
            return "broken"
        return f"shade{sum(self.worst.constant > edge for edge in EDGES)}"


def squares(exponents: range) -> Iterator[Square]:
    """The cells: one for each λ of the format and each B."""
    bounds = [factor * Fraction(2) ** e for e in exponents for factor in FACTORS]
    pairs = (
        (scale, bound) for scale in small_numbers(PRECISION, exponents) for bound in bounds if bound <= LARGEST * scale
    )
    for mechanism in mechanisms(PRECISION, pairs):
        yield Square(worst_loss(mechanism, Fraction(1), input_step(mechanism)))


def figure(exponents: range = EXPONENTS) -> Figure:
    found = list(squares(exponents))
    inside = [c for c in found if c.scale <= c.bound <= 2 ** (PRECISION - 2) * c.scale]
    worst = max(c.worst.constant for c in inside)
    broken = [c for c in found if not c.worst.holds]
    between = sum(c in inside for c in broken)
    pairs = sum(c.worst.pairs for c in found)
    return Figure(
        id="small-formats",
        title="Worst excess over a format of five bits",
        caption=f"For every λ of the 5-bit format from {_plain(exponents.start)} to {_plain(exponents.stop)} and "
        f"{len(exponents) * len(FACTORS)} bounds B: the C with which the worst loss is Δ/λ + C·B·η/λ + 2η, over every "
        f"pair of values at most Δ = 1 apart, every output and every u: {pairs:,} pairs of values. Between the two "
        f"lines, where λ ≤ B ≤ 2ᵖ⁻²·λ, C is at most {worst:.2f}. The bound, with 12, breaks in {len(broken)} of "
        f"{len(found)} squares, {between} of them between the lines. The theorem itself is about p ≥ 7: this is a "
        "microscope, not its proof. The data below has the C of every square; the sweep tells, for each λ of fewer "
        "binades, the bound that needs the largest C.",
        wide=_draw(found, exponents, WIDE, 400, "small-wide"),
        narrow=_draw(found, exponents, NARROW, 380, "small-narrow"),
        legend=(
            *(Key(svg.mark(svg.rectangle(1, 1, 14, 14, f"shade{i}")), words) for i, words in enumerate(_shades())),
            Key(svg.mark(_square("broken")), "the bound breaks, finite loss"),
            Key(svg.mark(_square("infinite")), "infinite loss"),
            Key(svg.mark(_square("empty")), f"B > {LARGEST}λ: not computed"),
        ),
        table=_table(found),
        commands=("snapref verify 'proofs.small.*'", "snapref sweep notes/sweeps/small.toml"),
    )


def _plain(exponent: int) -> str:
    """2^exponent, as people write it."""
    return str(2**exponent) if exponent >= 0 else f"1/{2**-exponent}"


def _square(colour: str) -> Markup:
    return svg.rectangle(1, 1, 14, 14, colour)


def _shades() -> list[str]:
    between = [f"{low:g} < C ≤ {high:g}" for low, high in itertools.pairwise(EDGES)]
    return [f"C ≤ {EDGES[0]:g}", *between, f"C > {EDGES[-1]:g}, within 12"]


def _table(found: Sequence[Square]) -> Table:
    """The data: a row for each λ and a column for each B."""
    bounds = sorted({c.bound for c in found})
    words = {(c.scale, c.bound): c.words for c in found}
    scales = sorted({c.scale for c in found})
    return Table(
        ("λ", *(f"B = {float(b):g}" for b in bounds)),
        [(f"{float(s):g}", *(words.get((s, b), "–") for b in bounds)) for s in scales],
    )


def _draw(found: Sequence[Square], exponents: range, width: int, height: int, key: str) -> Markup:
    low, high = 2.0**exponents.start, 2.0**exponents.stop
    x = svg.Axis(low, high, 42, width - 10, log=True)
    y = svg.Axis(low, high, height - 44, 28, log=True)
    ticks = [(2.0**e, _plain(e)) for e in range(exponents.start, exponents.stop + 1)]
    parts = [svg.rectangle(x.start, y.end, x.end - x.start, y.start - y.end, "empty")]
    rows = itertools.groupby(sorted(found, key=lambda c: (c.bound, c.scale)), key=lambda c: c.bound)
    for bound, row in rows:
        parts += _row(float(bound), list(row), x, y)
    parts += [svg.x_axis(x, y.start, ticks, "λ"), svg.y_axis(y, x.start, ticks, "B")]
    parts += _conditions(x, y, low, high)
    text = "A map of the worst constant over the scale and the bound; violations only outside the side conditions."
    return svg.drawing(width, height, "Worst excess over small formats", text, key, parts)


def _row(bound: float, row: list[Square], x: svg.Axis, y: svg.Axis) -> Iterator[Markup]:
    """Neighbours of one colour are one rectangle. A square reaches from its λ to the next, from its B to the next."""
    next_bound = bound * (1.5 if bound == 2.0 ** floor_log2(Fraction(bound)) else 4 / 3)
    top, bottom = y.at(next_bound), y.at(bound)
    for colour, run in itertools.groupby(row, key=lambda c: c.colour):
        same = list(run)
        left, right = x.at(float(same[0].scale)), x.at(_following(float(same[-1].scale)))
        yield svg.rectangle(left, top, right - left + 0.3, bottom - top + 0.3, colour)


def _following(scale: float) -> float:
    """The next number of the format."""
    return scale + 2.0 ** (floor_log2(Fraction(scale)) + 1 - PRECISION)


def _conditions(x: svg.Axis, y: svg.Axis, low: float, high: float) -> Iterator[Markup]:
    """The lines B = λ and B = 2^(p-2)·λ, as far as they are in the picture, each with its name."""
    for factor, words in ((1.0, "B = λ"), (2.0 ** (PRECISION - 2), "B = 2ᵖ⁻²·λ")):
        if low * factor < high:
            start, end = ((x.at(a), y.at(a * factor)) for a in (low, high / factor))
            yield svg.line(start, end, "condition back")
            yield svg.line(start, end, "condition")
            yield svg.text((start[0] + end[0]) / 2 + 8, (start[1] + end[1]) / 2 + 16, words, "start", "name halo")
