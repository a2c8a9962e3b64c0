"""Drawing in SVG: elements as escaped markup, and axes that turn numbers into positions.

Colours are classes of style.css (`blue`, `orange`, …), so that a picture also fits the dark page and the printed one.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

Point = tuple[float, float]


def element(name: str, *content: str, **attributes: object) -> Markup:
    """<name …>content</name>. `class_` is class, `_` stands for `-`; None leaves an attribute out."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    written = Markup("").join(Markup(' {}="{}"').format(key, _number(value)) for key, value in pairs)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(name), written, Markup("").join(escape(part) for part in content))


def _number(value: object) -> object:
    """Rounds to two digits after the point, which is finer than any screen."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value


def drawing(width: float, height: float, title: str, description: str, key: str, content: Iterable[Markup]) -> Markup:
    """The picture, with a title and a description for those who cannot see it. `key` is unique on the page."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-desc"),
        *content,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
    )


def text(x: float, y: float, words: str, anchor: str = "middle", class_: str | None = None) -> Markup:
    return element("text", words, x=x, y=y, text_anchor=anchor, class_=class_)


def line(start: Point, end: Point, class_: str = "axis") -> Markup:
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], class_=class_)


def path(points: Sequence[Point], class_: str) -> Markup:
    steps = " ".join(f"{'L' if i else 'M'}{_number(float(x))} {_number(float(y))}" for i, (x, y) in enumerate(points))
    return element("path", d=steps, class_=class_)


def rectangle(x: float, y: float, width: float, height: float, class_: str, **more: object) -> Markup:
    return element("rect", x=x, y=y, width=width, height=height, class_=class_, **more)


def dot(x: float, y: float, class_: str, radius: float = 3.5) -> Markup:
    return element("circle", cx=x, cy=y, r=radius, class_=class_)


def diamond(x: float, y: float, class_: str, radius: float = 4.5) -> Markup:
    corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
    return element("polygon", points=" ".join(f"{_number(a)},{_number(b)}" for a, b in corners), class_=class_)


def power(base: int, exponent: int) -> str:
    """10⁻⁵ and the like; 1 for the exponent 0."""
    return str(base) + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")) if exponent else "1"


def mark(content: Markup) -> Markup:
    """A small picture for a legend, 16 by 16. The words beside it say what it is."""
    return element("svg", content, viewBox="0 0 16 16", aria_hidden="true", class_="mark")


def cross(x: float, y: float, class_: str, radius: float = 4.0) -> Markup:
    d = 2 * radius
    strokes = f"M{_number(x - radius)} {_number(y - radius)}l{d:g} {d:g}m0 -{d:g}l-{d:g} {d:g}"
    return element("path", d=strokes, class_=class_)


@dataclass(frozen=True)
class Axis:
    """Numbers from `low` to `high`, drawn from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high, value = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return self.start + (self.end - self.start) * (value - low) / (high - low)


def round_numbers(low: float, high: float, about: int = 8) -> list[float]:
    """Some round numbers from low to high, for an axis."""
    step = 10.0 ** math.floor(math.log10((high - low) / about))
    step = next(step * k for k in (1, 2, 5, 10, 20) if (high - low) / (step * k) <= about)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def x_axis(
    axis: Axis, y: float, ticks: Iterable[tuple[float, str]], name: str = "", top: float | None = None
) -> Markup:
    """A line with ticks below it; a grid up to `top` where that is given."""
    parts = [line((axis.start, y), (axis.end, y))]
    for value, words in ticks:
        x = axis.at(value)
        if top is not None:
            parts.append(line((x, y), (x, top), "grid"))
        parts += [line((x, y), (x, y + 4)), text(x, y + 17, words)]
    if name:
        parts.append(text((axis.start + axis.end) / 2, y + 36, name, class_="name"))
    return Markup("").join(parts)


def y_axis(
    axis: Axis, x: float, ticks: Iterable[tuple[float, str]], name: str = "", right: float | None = None
) -> Markup:
    """A line with ticks to its left, its name above it; a grid up to `right` where that is given."""
    parts = [line((x, axis.start), (x, axis.end))]
    for value, words in ticks:
        y = axis.at(value)
        if right is not None:
            parts.append(line((x, y), (right, y), "grid"))
        parts += [line((x - 4, y), (x, y)), text(x - 7, y + 4, words, "end")]
    if name:
        parts.append(text(4, axis.end - 12, name, "start", "name"))
    return Markup("").join(parts)
