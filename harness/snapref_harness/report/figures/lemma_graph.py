"""Figure: the lemmas of Theorem 1 (004 §4, notes/theorem1.md), what rests on what, and the result of each."""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from markupsafe import Markup

from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table, readable
from snapref_ledger.ledger import NOT_RUN, Piece
from snapref_ledger.verdicts import Verdict
from snapref_proofs.theorem1.compose import CASES, LEMMAS, Lemma

THEOREM = "theorem"
CLAIM = "F-T1"  # which asks for the strongest true form of the theorem
HEIGHT, GAP = 56, 42
CHANNEL = 13  # the width of the gap in which an arrow passes between two boxes of a line
# A lemma and a line: its box, if the lemma is on that line; on a later line, the gap in which its arrows pass.
Place = tuple[str, int]
T = TypeVar("T")


@dataclass(frozen=True)
class Layout:
    """Boxes in lines, from what is used to what uses it. An arrow that passes a line goes between the boxes there."""

    boxes: Mapping[str, int]  # the line of each
    width: float  # of a box
    x: Mapping[Place, float]
    arrows: Sequence[tuple[str, str]]

    def is_box(self, place: Place) -> bool:
        return self.boxes[place[0]] == place[1]

    def top(self, line: int) -> float:
        return 6.0 + (HEIGHT + GAP) * line

    def steps(self) -> list[tuple[Place, Place]]:
        """Every piece of an arrow, from one line to the next. The arrows of one lemma share their gaps."""
        return sorted({step for arrow in self.arrows for step in itertools.pairwise(_way(self.boxes, arrow))})


def statuses(pieces: Mapping[str, Piece]) -> dict[str, str]:
    """The result of each lemma in the ledger. It is proved only if it is, for every constant that needs it."""
    return {lemma.name: _together([p.status for p in of_lemma(lemma, pieces)]) for lemma in LEMMAS}


def of_lemma(lemma: Lemma, pieces: Mapping[str, Piece]) -> list[Piece]:
    """The obligations of a lemma: theorem.NAME, or theorem.NAME.C for each constant C."""
    name = f"theorem.{lemma.name}"
    return [
        p for id, p in pieces.items() if id == name or (id.startswith(f"{name}.") and id[len(name) + 1 :].isdigit())
    ]


def _together(found: Sequence[str]) -> str:
    if not found or NOT_RUN in found:
        return NOT_RUN
    return "proved" if set(found) == {"proved"} else next(status for status in found if status != "proved")


def main_lemmas() -> dict[str, tuple[str, ...]]:
    """Each lemma that the theorem needs, and the theorem itself, with what it rests on."""
    return {m.name: m.uses for m in LEMMAS if not m.supporting} | {THEOREM: CASES}


def arrows(uses: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """The arrows of the graph, without those that follow from others by way of a third lemma."""
    everything: dict[str, set[str]] = {}
    for name, direct in uses.items():  # what is used comes first
        everything[name] = set(direct).union(*(everything[used] for used in direct))
    return [
        (used, name)
        for name, direct in uses.items()
        for used in direct
        if not any(used in everything[other] for other in direct)
    ]


def levels(uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The lemmas by level: the theorem is last, and every lemma is as late as it can be, before all that use it."""
    distance = {THEOREM: 0}
    for name in reversed(list(uses)):
        for used in uses[name]:
            distance[used] = max(distance.get(used, 0), distance[name] + 1)
    return [[name for name in uses if distance[name] == d] for d in range(max(distance.values()), -1, -1)]


def figure(pieces: Mapping[str, Piece], verdict: Verdict) -> Figure:
    """The figure. `verdict` is that of the claim that the theorem answers, and decides how the theorem is shown."""
    found = statuses(pieces)
    whole = "proved" if verdict == "true" else "open"
    own = [m.name for m in LEMMAS if not m.common]
    return Figure(
        id="lemma-graph",
        title="The lemmas of Theorem 1",
        caption="An arrow leads from a lemma to what uses it; one that follows through a third is left out here, and "
        "stands in the table. "
        f"{', '.join(own[:-1])} and {own[-1]} depend on the constant: each is an obligation for 12 and one for 11, "
        f"such as theorem.{own[0]}.12 and theorem.{own[0]}.11, and is marked as proved only where both are. The others "
        "are the same for both. “Replayed” compares a lemma with the exact evaluator. "
        f"{sum(s == 'proved' for s in found.values())} of {len(found)} are proved for the code as it is now.",
        wide=_draw(found, whole, WIDE, 5, "graph-wide"),
        narrow=_draw(found, whole, NARROW, 2, "graph-narrow"),
        legend=(
            Key(svg.mark(svg.text(8, 13, "✓", class_="green")), "proved"),
            Key(svg.mark(svg.text(8, 13, "○")), "not run for the code as it is now"),
            Key(svg.mark(svg.text(8, 13, "✗", class_="red")), "refuted"),
            Key(svg.mark(svg.text(8, 13, "?", class_="purple")), f"open: see the claim {CLAIM}"),
        ),
        table=Table(
            ("lemma", "status", "says", "scope", "by", "rests on"),
            [
                (m.name, found[m.name], readable(m.says), readable(m.scope), m.kind, ", ".join(m.uses) or "–")
                for m in LEMMAS
            ],
        ),
        commands=("snapref theorem",),
    )


def _draw(found: Mapping[str, str], whole: str, width: int, most: int, key: str) -> Markup:
    placed = layout(width, most)
    statuses = {**found, THEOREM: whole}
    parts = [_arrow(placed, *step) for step in placed.steps()]
    parts += [_box(placed, name, statuses[name], found.get(f"{name}.replayed")) for name in placed.boxes]
    height = placed.top(max(placed.boxes.values())) + HEIGHT + 8
    text = "Every lemma with what it rests on; the same as a table below."
    return svg.drawing(width, height, "Graph of the lemmas", text, key, parts)


@cache
def layout(width: int, most: int) -> Layout:
    """Lines of at most `most` boxes, each in an order that keeps the arrows short."""
    uses = main_lemmas()
    edges = arrows(uses)
    boxes = _lines(levels(uses), edges, most)
    orders = _orders(boxes, edges)
    box = _widest(orders, boxes, width)

    def made() -> Layout:
        return Layout(boxes, box, {p: x for order in orders for p, x in _spread(order, boxes, box, width)}, edges)

    _exchange(orders, lambda: (round(_length(made()), 6),))
    return made()


def _exchange(rows: Sequence[list[T]], cost: Callable[[], tuple[float, ...]]) -> None:
    """Exchanges two elements of a row as long as that costs less."""
    best, better = cost(), True
    while better:
        better = False
        for row in rows:
            for i, j in itertools.combinations(range(len(row)), 2):
                row[i], row[j] = row[j], row[i]
                if (changed := cost()) < best:
                    best, better = changed, True
                else:
                    row[i], row[j] = row[j], row[i]


def _lines(rows: list[list[str]], edges: Sequence[tuple[str, str]], most: int) -> dict[str, int]:
    """The line of each box. A level with more than `most` boxes is cut into several lines, so that boxes are wide."""

    def cut() -> dict[str, int]:
        lines = [level[start : start + most] for level in rows for start in range(0, len(level), most)]
        return {name: number for number, line in enumerate(lines) for name in line}

    def cost() -> tuple[float, int]:
        orders = _orders(boxes := cut(), edges)
        return -_widest(orders, boxes, NARROW), sum(map(len, orders))

    _exchange([level for level in rows if len(level) > most], cost)
    return cut()


def _orders(boxes: Mapping[str, int], edges: Sequence[tuple[str, str]]) -> list[list[Place]]:
    """What is on each line: boxes and gaps for arrows."""
    ways = sorted({place for edge in edges for place in _way(boxes, edge)})
    return [[place for place in ways if place[1] == number] for number in range(max(boxes.values()) + 1)]


def _widest(orders: Sequence[Sequence[Place]], boxes: Mapping[str, int], width: float) -> float:
    """How wide boxes can be, with a little room around each box and each gap."""
    counts = [(sum(boxes[name] == line for name, line in order), len(order)) for order in orders]
    return min(140.0, *((width - CHANNEL * (every - own)) / own - 6 for own, every in counts))


def _way(boxes: Mapping[str, int], arrow: tuple[str, str]) -> list[Place]:
    """From a box down to another, past the lines between them."""
    start, end = arrow
    return [*((start, line) for line in range(boxes[start], boxes[end])), (end, boxes[end])]


def _spread(
    order: Sequence[Place], boxes: Mapping[str, int], box: float, width: float
) -> Iterator[tuple[Place, float]]:
    """Places one line, with the same room around each box and each gap."""
    widths = [box if boxes[name] == line else CHANNEL for name, line in order]
    room = (width - sum(widths)) / len(order)
    left = room / 2
    for place, wide in zip(order, widths, strict=True):
        yield place, left + wide / 2
        left += wide + room


def _length(placed: Layout) -> float:
    """How far to the side the arrows go. Those that go far weigh more."""
    return math.fsum(abs(placed.x[start] - placed.x[end]) ** 1.5 for start, end in placed.steps())


def _arrow(placed: Layout, start: Place, end: Place) -> Markup:
    """A curve between two lines; then straight past the second, or a small head at its box."""
    a, b = placed.top(start[1]) + HEIGHT, placed.top(end[1])
    x, to = placed.x[start], placed.x[end]
    bend = (b - a) * 0.55
    curve = f"M{x:.1f} {a:g}C{x:.1f} {a + bend:.1f} {to:.1f} {b - bend:.1f} {to:.1f} {b:g}"
    rest = "m-3.5 -7l3.5 6l3.5 -6" if placed.is_box(end) else f"v{HEIGHT}"
    return svg.element("path", d=curve + rest, class_="edge")


def _box(placed: Layout, name: str, status: str, replayed: str | None) -> Markup:
    glyph, colour = _glyph(status)
    x, y = placed.x[name, placed.boxes[name]], placed.top(placed.boxes[name])
    parts = [svg.text(x if replayed is None else x - 35, y + 50, glyph, class_=f"{colour} glyph")]
    if replayed is not None:
        parts.append(svg.text(x + 8, y + 48, f"replayed {_glyph(replayed)[0]}", class_="small"))
    words = re.split(r"(?<=\.)", name)  # coverage.backward has two lines
    lines = (svg.element("tspan", word, x=x, y=y + 17 + 14 * number) for number, word in enumerate(words))
    return svg.element(
        "g",
        svg.element("title", f"{name}: {status}"),
        svg.rectangle(x - placed.width / 2, y, placed.width, HEIGHT, f"node {colour}", rx=6),
        svg.element("text", *lines, text_anchor="middle", class_="name"),
        *parts,
    )


def _glyph(status: str) -> tuple[str, str]:
    return {"proved": ("✓", "green"), NOT_RUN: ("○", "muted"), "open": ("?", "purple")}.get(status, ("✗", "red"))
