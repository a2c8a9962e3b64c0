"""Figure: the public implementations of the mechanism, and what was found in each (notes/production.md).

The findings are those that `crosscheck/real/findings.py NAME PATH --keep` replayed last, kept in report/field.json.
"""

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from markupsafe import Markup

from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table

FILE = "field.json"
# How a finding's meaning begins, its place in the row, and its colour; what begins otherwise comes last.
KINDS = (("breaks ε", "red"), ("wrong results", "purple"), ("", "muted"))


def results() -> list[dict[str, Any]]:
    text = (resources.files("snapref_harness.report") / FILE).read_text(encoding="utf-8")
    return list(json.loads(text)["implementations"])


def kind(means: str) -> int:
    """The column of a finding."""
    return next(number for number, (beginning, _) in enumerate(KINDS) if means.startswith(beginning))


def names(implementation: dict[str, Any], column: int) -> list[str]:
    """The findings of one column, each named once."""
    return list(dict.fromkeys(f["name"] for f in implementation["findings"] if kind(f["means"]) == column))


def breaks(implementation: dict[str, Any]) -> bool:
    """Whether it breaks the ε that it promises."""
    return bool(names(implementation, 0))


def figure(found: Sequence[dict[str, Any]]) -> Figure:
    broken = sum(map(breaks, found))
    return Figure(
        id="field",
        title="Public implementations, and what was found in each",
        caption=f"{len(found)} implementations, the worst first; {broken} of them break the ε that they promise, by "
        "little or by everything. Each finding was replayed through the implementation's own code. "
        "notes/production.md says what each means for those who use it.",
        wide=_rows(found, WIDE, "field-wide"),
        narrow=_rows(found, NARROW, "field-narrow"),
        legend=tuple(
            Key(svg.mark(svg.text(8, 13, "A1", class_=colour)), words)
            for (_, colour), words in zip(KINDS, ("breaks ε", "wrong results, ε not touched", "else"), strict=True)
        ),
        table=Table(
            ("implementation", "promises", "finding", "it means", "what was seen"),
            [
                (implementation["title"], implementation["promises"], f["name"], f["means"], f["seen"])
                for implementation in found
                for f in implementation["findings"]
            ],
        ),
        commands=("python crosscheck/real/findings.py NAME PATH",),
    )


def _rows(found: Sequence[dict[str, Any]], width: int, key: str) -> Markup:
    """One row for each implementation, the names of its findings in three columns."""
    left, top, row = (172, 14, 24) if width == NARROW else (230, 14, 24)
    column = (width - left) / len(KINDS)
    parts = []
    for place, implementation in enumerate(found):
        y = top + place * row
        if place % 2 == 0:
            parts.append(svg.rectangle(0, y - 8, width, row, "band"))
        parts.append(svg.text(6, y + 8, implementation["title"], "start", "small" if width == NARROW else None))
        for number, (_, colour) in enumerate(KINDS):
            words = " ".join(names(implementation, number))
            parts.append(svg.text(left + (number + 0.5) * column, y + 8, words, class_=f"{colour} small"))
    text = "For each implementation the names of its findings, by what they mean; the same as a table below."
    return svg.drawing(width, top + len(found) * row, "Findings in public implementations", text, key, parts)
