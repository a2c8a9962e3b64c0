"""The one way in which inequalities over boxes of parameters are decided: every part of a box by both interval engines.

Arb subdivides until the inequality is plain on every part, and mpmath.iv has to find the same on each part again
(evaluate/boxes.py). A *twin* is an inequality that is too sharp: it must fail somewhere, or nothing was tested.
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
    """proved: all inequalities hold, there are some, and one of the twins fails. At most `most` parts for each."""
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
