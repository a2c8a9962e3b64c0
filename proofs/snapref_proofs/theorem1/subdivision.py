"""Where the proof of Theorem 1 divides its boxes (the `cut` of evaluate/boxes.py).

The quantities of the proof jump where a binade ends, and bend where a maximum of several bounds changes. So a box is
divided across its longest side, whatever the quantity does along it. The side t counts for less, as little depends on
it.
"""

from fractions import Fraction

from snapref_proofs.evaluate.boxes import Box, Quantity, halves
from snapref_proofs.evaluate.intervals import Engine

WEIGHTS = {"t": Fraction(1, 16)}


def across_the_longest(quantity: Quantity, box: Box, engine: Engine) -> list[dict[str, tuple[Fraction, Fraction]]]:
    return halves(box, max(box, key=lambda name: (box[name][1] - box[name][0]) * WEIGHTS.get(name, 1)))
