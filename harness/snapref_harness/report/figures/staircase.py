"""Figure: rounding to Λ as a staircase, by the tie rule of the definition (001/002 §2.2) and by eq. 4.2 (§4.2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from snapref.binary64 import round as round_by_definition
from snapref.formats import BINARY64
from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table
from snapref_proofs.evaluate.variants import nearest_integer
from snapref_smt.printed.formulas import three_steps

REACH = 4.5  # in Λ
STEP = 8  # points for each Λ


@dataclass(frozen=True)
class Rounding:
    """A point x, in units of Λ = 1: where the definition, ties away from zero, and eq. 4.2 to the letter send it."""

    x: float
    definition: float
    away: float
    printed: float

    @property
    def tie(self) -> bool:
        return (2 * self.x) % 2 == 1


def rows() -> list[Rounding]:
    """Each from the code that the obligations are about."""
    points = [n / STEP for n in range(-int(REACH * STEP), int(REACH * STEP) + 1)]
    return [
        Rounding(
            x,
            round_by_definition(x, 1.0),
            float(nearest_integer(Fraction(x), "away")),
            float(BINARY64.decode(three_steps(BINARY64.encode(x), 0))),
        )
        for x in points
    ]


def figure() -> Figure:
    found = rows()
    return Figure(
        id="staircase",
        title="Rounding to a multiple of Λ, with both tie rules",
        caption="Half-way between two multiples of Λ the definition goes up; the bits of eq. 4.2, as they are meant, "
        "go away from zero. The two differ at the negative ties only. To the letter, eq. 4.2 loses the carry: from "
        "3Λ/2 up to 2Λ it gives Λ, from 7Λ/2 up to 4Λ it gives 2Λ, and the same on the negative side.",
        wide=_draw(found, WIDE, 340, "stairs-wide"),
        narrow=_draw(found, NARROW, 330, "stairs-narrow"),
        legend=(
            Key(svg.mark(svg.dot(8, 8, "blue fill")), "the definition: ties toward +∞ (the reference)"),
            Key(svg.mark(svg.diamond(8, 8, "orange stroke thick", 5.5)), "eq. 4.2 as meant: ties away from zero"),
            Key(svg.mark(svg.cross(8, 8, "red stroke")), "eq. 4.2 to the letter, where it gives something else"),
        ),
        table=Table(
            ("x/Λ", "definition", "ties away from zero", "eq. 4.2 to the letter"),
            [(f"{r.x:g}", f"{r.definition:g}", f"{r.away:g}", f"{r.printed:g}") for r in found],
        ),
        commands=("snapref verify 'smt.printed.eq42*'",),
    )


def _draw(found: Sequence[Rounding], width: int, height: int, key: str) -> Markup:
    x = svg.Axis(-REACH, REACH, 34, width - 8)
    y = svg.Axis(-5, 5, height - 40, 22)
    ticks = [(float(n), f"{n}".replace("-", "−")) for n in range(-4, 5)]
    parts = [
        svg.x_axis(x, y.start, ticks, "x/Λ", y.end),
        svg.y_axis(y, x.start, ticks, "round(x)/Λ", x.end),
    ]
    for k in range(-4, 5):
        start, end = x.at(max(-REACH, k - 0.5)), x.at(min(REACH, k + 0.5))
        parts.append(svg.line((start, y.at(k)), (end, y.at(k)), "blue stroke"))
    for row in found:
        if row.tie and abs(row.x) < REACH:
            parts.append(svg.diamond(x.at(row.x), y.at(row.away), "orange stroke thick", 6.5))
            parts.append(svg.dot(x.at(row.x), y.at(row.definition), "blue fill", 3.2))
        if row.printed not in (row.definition, row.away):
            parts.append(svg.cross(x.at(row.x), y.at(row.printed), "red stroke", 3.2))
    text = "A staircase with steps of one Λ. At negative ties the definition takes the upper step, eq. 4.2 the lower."
    return svg.drawing(width, height, "The rounding staircase", text, key, parts)
