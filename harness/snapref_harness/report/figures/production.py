"""Figures: public implementations, cross-checked. What each check said, and exact losses (notes/production.md).

The results are those of the last `make crosscheck-real` and, where a checkout is needed, of crosscheck/real/run.py.
They are kept in snapref_crosscheck/production.json.
"""

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from markupsafe import Markup

from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table

FILE = "production.json"
STYLES = {
    "pass": ("✓", "green"),
    "fail": ("✗", "red"),
    "unsupported": ("–", "muted"),
    "not judged": ("?", "muted"),
}
LOSS_STYLES = ("orange", "blue")  # of the libraries, in the order in which they come


def results() -> dict[str, Any]:
    text = (resources.files("snapref_crosscheck") / FILE).read_text(encoding="utf-8")
    return dict(json.loads(text))


def checks(found: dict[str, Any]) -> Figure:
    targets = list(found["targets"].values())
    libraries = {adapter.partition(":")[0] for adapter in found["targets"]}
    names = list(dict.fromkeys(check["name"] for target in targets for check in target["checks"]))
    status = {(t["target"], c["name"]): c for t in targets for c in t["checks"]}
    return Figure(
        id="production-checks",
        title="Real implementations, check by check",
        caption=f"{len(libraries)} public implementations in {len(targets)} settings. A check that a library offers no "
        "way to make is not held against it. What each failure means for those who use the library is in "
        "notes/production.md.",
        wide=_matrix(targets, names, status, WIDE, "production-wide"),
        narrow=_matrix(targets, names, status, NARROW, "production-narrow"),
        legend=(
            Key(svg.mark(svg.text(8, 13, "✓", class_="green")), "pass"),
            Key(svg.mark(svg.text(8, 13, "✗", class_="red")), "fail: there is a counterexample"),
            Key(svg.mark(svg.text(8, 13, "–", class_="muted")), "unsupported"),
        ),
        table=Table(
            ("target", "check", "status", "cases", "what was found"),
            [
                (t["target"], c["name"], c["status"], str(c["cases"]), " ".join((c["witness"] or "").split()))
                for t in targets
                for c in t["checks"]
            ],
        ),
        commands=("make crosscheck-real", "python crosscheck/real/run.py NAME=CHECKOUT"),
    )


def _matrix(targets: Sequence[Any], names: Sequence[str], status: dict[Any, Any], width: int, key: str) -> Markup:
    """Targets across, by number; checks down."""
    left = 150 if width == NARROW else 210
    column = (width - left - 6) / len(targets)
    top, row = 34, 24
    parts = []
    for number, _ in enumerate(targets):
        parts.append(svg.text(left + (number + 0.5) * column, 18, f"{number + 1}", class_="small"))
    for place, name in enumerate(names):
        y = top + place * row
        if place % 2 == 0:
            parts.append(svg.rectangle(0, y - 8, width, row, "band"))
        parts.append(svg.text(6, y + 8, name, "start"))
        for number, target in enumerate(targets):
            check = status.get((target["target"], name))
            glyph, colour = STYLES[check["status"]] if check else ("", "muted")
            parts.append(svg.text(left + (number + 0.5) * column, y + 9, glyph, class_=f"{colour} glyph"))
    bottom = top + len(names) * row + 14
    for number, target in enumerate(targets):
        parts.append(svg.text(6, bottom + number * 19, f"{number + 1}  {target['target']}", "start", "small"))
    text = "For each target and check whether it passed; the same as a table below."
    return svg.drawing(width, bottom + len(targets) * 19, "Cross-check of production libraries", text, key, parts)


def losses(found: dict[str, Any]) -> Figure:
    rows = [row for row in found["losses"] if row["epsilon"] == "0x1.0000000000000p+0"]
    libraries = list(dict.fromkeys(row["library"] for row in rows))
    return Figure(
        id="production-losses",
        title="Real implementations: their exact loss against ε",
        caption="ε = 1 was asked for. The loss is exact for a model of each library's arithmetic. Above the line the "
        "promise is broken: by little for everyday bounds, by "
        f"{max(row['excess'] for row in rows):.0%} at most. Below it, part of ε is unused.",
        wide=_losses(rows, libraries, WIDE, "losses-wide"),
        narrow=_losses(rows, libraries, NARROW, "losses-narrow"),
        legend=tuple(Key(svg.mark(_shape(8, 8, number)), name) for number, name in enumerate(libraries)),
        table=Table(
            ("library", "ε", "B", "Δ", "loss", "loss/ε − 1", "guarantee"),
            [
                (
                    row["library"],
                    f"{float.fromhex(row['epsilon']):g}",
                    f"{float.fromhex(row['bound']):g}",
                    f"{float.fromhex(row['sensitivity']):g}",
                    row["loss"],
                    f"{row['excess']:+.1e}",
                    "holds" if row["holds"] else "broken",
                )
                for row in found["losses"]
            ],
        ),
        commands=("make crosscheck-real",),
    )


def _shape(x: float, y: float, number: int) -> Markup:
    colour = LOSS_STYLES[number % len(LOSS_STYLES)]
    return svg.diamond(x, y, f"{colour} fill", 5.5) if number == 0 else svg.dot(x, y, f"{colour} fill", 4.5)


def _losses(rows: Sequence[Any], libraries: Sequence[str], width: int, key: str) -> Markup:
    """loss/ε - 1 on a logarithmic scale in both directions from 0."""
    ratios = sorted({float.fromhex(r["bound"]) / float.fromhex(r["sensitivity"]) for r in rows})
    x = svg.Axis(ratios[0] / 3, ratios[-1] * 3, 62, width - 12, log=True)
    above, below = svg.Axis(1e-17, 1, 150, 28, log=True), svg.Axis(1e-17, 1, 170, 292, log=True)
    exponents = (-15, -10, -5, 0)
    ticks = [(10.0**e, svg.power(10, e)) for e in exponents]
    parts = [
        svg.y_axis(above, x.start, [(v, "+" + words) for v, words in ticks], "loss/ε − 1", x.end),
        svg.y_axis(below, x.start, [(v, "−" + words) for v, words in ticks], "", x.end),
        svg.line((x.start, 160), (x.end, 160), "red stroke dashed"),
        svg.text(x.end, 164, "ε", "start", "name"),
    ]
    every = [(10.0**e, svg.power(10, e)) for e in range(1, 20, 2 if width == WIDE else 4) if 10.0**e < x.high]
    parts.append(svg.x_axis(x, 302, every, "B/Δ"))
    for number, name in enumerate(libraries):
        for row in (r for r in rows if r["library"] == name):
            axis = above if row["excess"] > 0 else below
            place = x.at(float.fromhex(row["bound"]) / float.fromhex(row["sensitivity"]))
            parts.append(_shape(place, axis.at(min(1.0, abs(row["excess"]))), number))
    text = "One library is above its ε at every bound, the other below."
    return svg.drawing(width, 345, "Exact losses of production libraries", text, key, parts)
