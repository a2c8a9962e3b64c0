"""Where the proof cuts its boxes: evaluate/boxes.py does the rest.

The quantities of the proof jump (a binade ends) and bend (a maximum of several bounds), so a cut goes across the
longest side, whatever the quantity does along it; t, on which little depends, counts for less.
"""

from fractions import Fraction

from snapref_proofs.evaluate.boxes import Box, Quantity, halves
from snapref_proofs.evaluate.intervals import Engine

WEIGHTS = {"t": Fraction(1, 32)}


def across_the_longest(quantity: Quantity, box: Box, engine: Engine) -> list[dict[str, tuple[Fraction, Fraction]]]:
    return halves(box, max(box, key=lambda name: (box[name][1] - box[name][0]) * WEIGHTS.get(name, 1)))
