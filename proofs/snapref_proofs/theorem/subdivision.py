"""Inequalities over whole boxes for the proof: boxes.py's notions, with a plain rule for where to cut.

The quantities of the proof jump (a binade ends) and bend (a maximum of several bounds), so a cut goes across the
longest side, whatever the quantity does along it; t, on which little depends, counts for less. Arb splits; mpmath.iv
proves every leaf again.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from snapref_proofs.boxes import BITS, Answer, Box, Quantity, centre, over
from snapref_proofs.intervals import both

WEIGHTS = {"t": Fraction(1, 32)}


def establish(quantity: Quantity, box: Box, most: int) -> Answer:
    """Whether quantity ≤ 0 on the whole box. At most `most` boxes are looked at."""
    replayer, splitter = both(BITS)
    todo, leaves, looked = [dict(box)], 0, 0
    while todo:
        current = todo.pop()
        looked += 1
        if looked > most:
            return Answer("undecided", leaves, current)
        low, high = over(quantity, current, splitter)
        if high is not None and high <= 0:
            again = over(quantity, current, replayer)[1]
            if again is not None and again <= 0:
                leaves += 1
                continue
        if low is not None and low > 0:
            again = over(quantity, current, replayer)[0]
            if again is not None and again > 0:
                return Answer("fails", leaves, current)
        if all(low == high for low, high in current.values()):
            return Answer("undecided", leaves, current)
        todo += halves(current)
        if looked == 1:
            todo += [corner for corner in corners(box) if (over(quantity, corner, splitter)[0] or 0) > 0]
        if (middle := over(quantity, centre(current), splitter)[0]) is not None and middle > 0:
            todo.append(centre(current))  # a box of its own, to be decided by both engines
    return Answer("established", leaves)


def corners(box: Box) -> Iterator[dict[str, tuple[Fraction, Fraction]]]:
    """The corners of a box, as boxes: where a failure often shows first."""
    for corner in product(*(sorted(set(ends)) for ends in box.values())):
        yield {name: (value, value) for name, value in zip(box, corner, strict=True)}


def halves(box: Box) -> list[dict[str, tuple[Fraction, Fraction]]]:
    """Two halves, cut across the longest side."""
    name = max(box, key=lambda name: (box[name][1] - box[name][0]) * WEIGHTS.get(name, 1))
    low, high = box[name]
    middle = (low + high) / 2
    return [{**box, name: (low, middle)}, {**box, name: (middle, high)}]
