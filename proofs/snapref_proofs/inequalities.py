"""How inequalities over boxes of parameters are decided: there is one way, and every argument uses it.

A *box* gives every parameter an interval. The engine Arb divides the box until an enclosure shows the inequality on
every part. Then the engine mpmath.iv must show it on each of these parts again (evaluate/boxes.py). A *twin* is a
sharper inequality that is false: the same procedure must see it fail, or the procedure has tested nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple

from snapref_ledger.obligations import Outcome
from snapref_proofs.evaluate.boxes import Box, Cut, Quantity, establish


class Inequality(NamedTuple):
    """quantity ≤ 0 on the whole box."""

    name: str
    quantity: Quantity
    box: Box


def decide_boxes(
    inequalities: Iterable[Inequality], twins: Iterable[Inequality], most: int = 100_000, cut: Cut | None = None
) -> Outcome:
    """The outcome is "proved" if there are inequalities, all of them hold, and one of the twins fails.

    Each inequality may look at `most` boxes. `cut` says how to divide a box, if not by `boxes.split`.
    """
    count = parts = 0
    for name, quantity, box in inequalities:
        answer = establish(quantity, box, most, cut)
        parts += answer.leaves
        if answer.status != "established":
            return Outcome("refuted" if answer.status == "fails" else "undecided", f"{name}: {answer}")
        count += 1
    if not count:
        return Outcome("undecided", "there is nothing to decide")
    for name, quantity, box in twins:
        answer = establish(quantity, box, 200, cut)
        if answer.status == "fails":
            engines = {engine: {"answer": f"{parts} boxes"} for engine in ("Arb", "mpmath.iv")}
            detail = f"{count} inequalities on {parts} boxes, each by Arb and by mpmath.iv; too sharp: {name} {answer}"
            return Outcome("proved", detail, engines=engines)
    return Outcome("undecided", f"{count} inequalities hold on {parts} boxes, but no twin of them was seen to fail")
