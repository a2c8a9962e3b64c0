"""Inequalities over a whole box of parameters, by dividing the box (used by inequalities.py and by the proofs of 004).

`establish` shows that a quantity is at most 0 everywhere in a box, or returns a box where it is positive. It divides
the box with the engine Arb until every part (a *leaf*) is decided, and has the engine mpmath.iv decide every leaf
again, so that no part of the box rests on one engine. Nothing is sampled: all that is known about a quantity on a box
is an interval that contains its values on the whole box.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from snapref_proofs.evaluate.intervals import Enclosure, Engine, both

Box = Mapping[str, tuple[Fraction, Fraction]]
Quantity = Callable[[Engine, Mapping[str, Enclosure]], Enclosure]
Cut = Callable[[Quantity, Box, Engine], list[dict[str, tuple[Fraction, Fraction]]]]
BITS = 64
EARLY = 200  # so many boxes are searched for a quick failure; what fails only later fails on small boxes as well
ZERO, UNBOUNDED = Fraction(0), Fraction(1 << 60)


@dataclass(frozen=True)
class Answer:
    """What `establish` found.

    established: the quantity is at most 0 on the whole box. fails: it is positive everywhere in the smaller `box`.
    undecided: neither was found.
    """

    status: Literal["established", "fails", "undecided"]
    leaves: int  # boxes on which the inequality was decided, by both engines
    box: Box | None = None

    def __str__(self) -> str:
        where = "" if self.box is None else " on " + show(self.box)
        return f"{self.status}{where} ({self.leaves} boxes)"


def holds(quantity: Any) -> Any:
    """What is decided of a quantity on a box, and what a proof may take from it."""
    return quantity <= 0


def establish(quantity: Quantity, box: Box, most: int = 100_000, cut: Cut | None = None) -> Answer:
    """Whether the quantity `holds` on the whole box. Looks at `most` boxes at most. `cut` divides one, else `split`."""
    replayer, splitter = both(BITS)
    cut = cut or split
    todo, leaves, looked = [dict(box)], 0, 0
    while todo:
        current = todo.pop()
        looked += 1
        if looked > most:
            return Answer("undecided", leaves, current)
        low, high = over(quantity, current, splitter)
        if high is not None and holds(high):
            replayed = over(quantity, current, replayer)
            if replayed[1] is not None and holds(replayed[1]):
                leaves += 1
                continue
        if low is not None and low > 0:
            replayed = over(quantity, current, replayer)
            if replayed[0] is not None and replayed[0] > 0:
                return Answer("fails", leaves, _grown(quantity, current, box, (splitter, replayer)))
        if all(low == high for low, high in current.values()):
            return Answer("undecided", leaves, current)  # a point, and too close to call
        todo.extend(cut(quantity, current, splitter))
        if looked == 1:
            todo.extend(_positive_corners(quantity, box, splitter))
        if looked <= EARLY and (middle := over(quantity, centre(current), splitter)[0]) is not None and middle > 0:
            todo.append(centre(current))  # decided as a box of its own, by both engines
    return Answer("established", leaves)


def _grown(quantity: Quantity, start: Box, whole: Box, engines: tuple[Engine, ...]) -> Box:
    """A box around `start`, as large as can be found, on which the quantity is still positive by both engines.

    It stays inside the whole box. If no larger box is found, it is `start` itself.
    """
    for halvings in range(2, 12):
        candidate = {
            name: (
                max(whole[name][0], low - (whole[name][1] - whole[name][0]) / 2**halvings),
                min(whole[name][1], high + (whole[name][1] - whole[name][0]) / 2**halvings),
            )
            for name, (low, high) in start.items()
        }
        ends = [over(quantity, candidate, engine)[0] for engine in engines]
        if all(low is not None and low > 0 for low in ends):
            return candidate
    return start


def over(quantity: Quantity, box: Box, engine: Engine) -> tuple[Fraction | None, Fraction | None]:
    """The ends of the engine's enclosure of the quantity over a box; None, None where the engine cannot bound it."""
    with engine.working():
        enclosures = {name: engine.between(*ends) for name, ends in box.items()}
        return engine.ends(quantity(engine, enclosures)) or (None, None)


def split(quantity: Quantity, box: Box, engine: Engine) -> list[dict[str, tuple[Fraction, Fraction]]]:
    """The two halves of the box across one side: that for which the larger upper bound of the halves is smallest."""

    def outlook(name: str) -> tuple[Fraction, Fraction]:
        uppers = [over(quantity, half, engine)[1] for half in halves(box, name)]
        worst = max(UNBOUNDED if upper is None else upper for upper in uppers)
        return worst, box[name][0] - box[name][1]  # of equals, the longest side

    return halves(box, min((name for name, (low, high) in box.items() if low < high), key=outlook))


def halves(box: Box, name: str) -> list[dict[str, tuple[Fraction, Fraction]]]:
    """The two halves of a box across one of its sides."""
    low, high = box[name]
    middle = (low + high) / 2
    return [{**box, name: (low, middle)}, {**box, name: (middle, high)}]


def _positive_corners(quantity: Quantity, box: Box, engine: Engine) -> Iterator[dict[str, tuple[Fraction, Fraction]]]:
    """A corner of the box where the quantity is positive, if there is one: often the quickest way to a failure."""
    for corner in product(*({low: None, high: None} for low, high in box.values())):
        point = {name: (value, value) for name, value in zip(box, corner, strict=True)}
        if (low := over(quantity, point, engine)[0]) is not None and low > 0:
            yield point
            return


def centre(box: Box) -> dict[str, tuple[Fraction, Fraction]]:
    """The middle of a box, as a box."""
    return {name: ((low + high) / 2,) * 2 for name, (low, high) in box.items()}


def show(box: Box) -> str:
    """name = value or name in [low, high], to about six digits, for reading."""
    parts = (
        f"{name} = {float(low):.6g}" if low == high else f"{name} ∈ [{float(low):.6g}, {float(high):.6g}]"
        for name, (low, high) in box.items()
    )
    return ", ".join(parts)
