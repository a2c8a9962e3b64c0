"""Row 5: interval arithmetic. A quantity of Figure 2 is enclosed over the same boxes by Arb and by mpmath.iv."""

from collections.abc import Iterator
from fractions import Fraction

from snapref_harness.bench.measure import Comparison, Contender, Effort, Line, Skipped, race, timed
from snapref_proofs.evaluate.boxes import BITS, Box, Quantity, halves, over
from snapref_proofs.evaluate.intervals import Engine, both
from snapref_proofs.figure2.rates import FAMILIES, MODELS, WIDE, excess


def cut(box: Box, count: int) -> list[Box]:
    """Cuts the box into at least `count` pieces, by halving one side after the other."""
    pieces, sides, turn = [box], [name for name, (low, high) in box.items() if low < high], 0
    while len(pieces) < count:
        pieces = [half for piece in pieces for half in halves(piece, sides[turn % len(sides)])]
        turn += 1
    return pieces


def enclosing(engine: Engine, quantity: Quantity, pieces: list[Box]) -> Contender:
    def work() -> float:
        for piece in pieces:
            over(quantity, piece, engine)
        return len(pieces)

    return timed(engine.name, work)


def intervals(effort: Effort) -> Iterator[Line]:
    """Row 5."""
    what = "interval work"
    try:
        iv, arb = both(BITS)
    except RuntimeError as error:
        yield Skipped(5, what, str(error))
        return
    model, family = next(iter(MODELS.values())), next(iter(FAMILIES.values()))[0]
    quantity = excess(family, model, WIDE, family.directions[0], Fraction(12))
    pieces = cut(family.box, effort.scaled(500))
    a, b = race([enclosing(arb, quantity, pieces), enclosing(iv, quantity, pieces)], effort.repeats)
    yield Comparison(5, what, "boxes/s", a, b)
