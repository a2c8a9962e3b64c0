"""The lemmas of Theorem 1 as a graph: what rests on what, each with what became of it (004 §4, notes/theorem1.md)."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from snapref_harness.core.ledger import NOT_RUN, Piece
from snapref_harness.core.verdicts import Verdict
from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure, Key, Table, readable
from snapref_proofs.theorem.compose import CASES, LEMMAS, Lemma

THEOREM = "theorem"
CLAIM = "F-T1"  # which asks for the strongest true form of the theorem
HEIGHT, GAP = 40, 44


@dataclass(frozen=True)
class Node:
    """A lemma, or the theorem itself, in its place."""

    name: str
    status: str
    x: float
    y: float
    width: float


def statuses(pieces: Mapping[str, Piece]) -> dict[str, str]:
    """What the ledger has for each lemma: proved only where it is, for every constant that has it."""
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
    """Who leads to whom, without what follows through a third."""
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
    """The theorem last, and everything else as close to it as those that use it allow."""
    distance = {THEOREM: 0}
    for name in reversed(list(uses)):
        for used in uses[name]:
            distance[used] = max(distance.get(used, 0), distance[name] + 1)
    return [[name for name in uses if distance[name] == d] for d in range(max(distance.values()), -1, -1)]


def figure(pieces: Mapping[str, Piece], verdict: Verdict) -> Figure:
    """`verdict`: of the claim that the theorem answers. It decides about the theorem, not the lemmas alone."""
    found = statuses(pieces)
    whole = "proved" if verdict == "true" else "open"
    return Figure(
        id="lemma-graph",
        title="The lemmas of Theorem 1",
        caption="An arrow leads from a lemma to what uses it; one that follows through a third is left out here, and "
        "stands in the table. “Replayed” compares a lemma with the exact evaluator. "
        f"{sum(s == 'proved' for s in found.values())} of {len(found)} are proved for the code as it is now.",
        wide=_draw(found, whole, WIDE, 5, "graph-wide"),
        narrow=_draw(found, whole, NARROW, 3, "graph-narrow"),
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
        command="snapref theorem",
    )


def _draw(found: Mapping[str, str], whole: str, width: int, most: int, key: str) -> Markup:
    uses = main_lemmas()
    edges = arrows(uses)
    nodes = _place({**found, THEOREM: whole}, levels(uses), edges, width, most)
    parts = [_edge(nodes[start], nodes[end]) for start, end in edges]
    parts += [_box(node, found.get(f"{node.name}.replayed")) for node in nodes.values()]
    height = max(node.y for node in nodes.values()) + HEIGHT + 8
    text = "Every lemma with what it rests on; the same as a table below."
    return svg.drawing(width, height, "Graph of the lemmas", text, key, parts)


def _place(
    found: Mapping[str, str], rows: list[list[str]], edges: list[tuple[str, str]], width: int, most: int
) -> dict[str, Node]:
    """Rows of at most `most` boxes, from the last to the first, each in the order that keeps its arrows short."""
    nodes: dict[str, Node] = {}
    y = 6.0 + (HEIGHT + GAP) * (sum(-(-len(row) // most) for row in rows) - 1)
    for row in reversed(rows):
        ways = (_spread(order, found, width, most, y) for order in itertools.permutations(row))
        nodes |= min(ways, key=partial(_length, nodes, edges))
        y -= (HEIGHT + GAP) * -(-len(row) // most)
    return nodes


def _length(placed: Mapping[str, Node], edges: list[tuple[str, str]], way: Mapping[str, Node]) -> float:
    """How far to the side the arrows from one level go."""
    return sum(abs(way[start].x - placed[end].x) for start, end in edges if start in way)


def _spread(order: Sequence[str], found: Mapping[str, str], width: int, most: int, bottom: float) -> dict[str, Node]:
    """One level, on several lines where it has more than `most` boxes, the last line at `bottom`."""
    lines = [order[start : start + most] for start in range(0, len(order), most)]
    nodes = {}
    for number, line in enumerate(lines):
        y = bottom - (HEIGHT + GAP) * (len(lines) - 1 - number)
        for place, name in enumerate(line):
            nodes[name] = Node(name, found[name], width * (place + 0.5) / len(line), y, width / most - 14)
    return nodes


def _edge(start: Node, end: Node) -> Markup:
    """A curve down, with a small head."""
    a, b = start.y + HEIGHT, end.y - 2
    bend = (b - a) * 0.55
    curve = f"M{start.x:.1f} {a:g}C{start.x:.1f} {a + bend:.1f} {end.x:.1f} {b - bend:.1f} {end.x:.1f} {b:g}"
    return svg.element("path", d=f"{curve}m-3.5 -6l3.5 6l3.5 -6", class_="edge")


def _box(node: Node, replayed: str | None) -> Markup:
    glyph, colour = _glyph(node.status)
    left, middle = node.x - node.width / 2, node.y + HEIGHT / 2
    words = [svg.text(node.x + 9, middle + (4 if replayed is None else -3), node.name, class_="name")]
    if replayed is not None:
        words.append(svg.text(node.x + 9, middle + 12, f"replayed {_glyph(replayed)[0]}", class_="small"))
    return svg.element(
        "g",
        svg.element("title", f"{node.name}: {node.status}"),
        svg.rectangle(left, node.y, node.width, HEIGHT, f"node {colour}", rx=6),
        svg.text(left + 13, middle + 5, glyph, class_=f"{colour} glyph"),
        *words,
    )


def _glyph(status: str) -> tuple[str, str]:
    return {"proved": ("✓", "green"), NOT_RUN: ("○", "muted"), "open": ("?", "purple")}.get(status, ("✗", "red"))
