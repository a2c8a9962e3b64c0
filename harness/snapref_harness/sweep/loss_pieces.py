"""Sweeps of the kind `loss`: the exact privacy loss, over all outputs, at each point of a grid of parameters.

It is what `snapref loss` computes. Keys of the specification (an *axis* is one value, a list, or a range):

    scale, bound, a        axes of numbers
    gap                    axis: b = a - gap; by default the sensitivity
    sensitivity            axis, by default 1
    precision, uniform     axes, by default 53 and "unbounded"
    max_outputs            refuse pieces of more outputs than this; by default 2000000

Values outside [-B, B] are clamped, as the mechanism does.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from snapref.budget import MAX_PRECISION
from snapref.certificate import hexadecimal
from snapref_harness.sweep.exact_loss import judged, number, uniforms, written
from snapref_harness.sweep.pieces import Piece, Result, piece
from snapref_harness.sweep.table import SpecError, Table
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import clamped, entries, worst
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.witness import Witness

COUNTS = ("outputs",)


def pieces(table: Table) -> Iterator[Piece]:
    axes = (
        table.numbers("scale", positive=True),
        table.numbers("bound", positive=True),
        table.numbers("a"),
        _gaps(table),
        table.numbers("sensitivity", Fraction(1), positive=True),
        table.integers("precision", 53, least=2, most=MAX_PRECISION),
        uniforms(table),
    )
    most = table.integer("max_outputs", 2_000_000, least=1, most=10**9)
    table.finish()
    for scale, bound, a, gap, sensitivity, precision, uniform in product(*axes):
        b = a - (sensitivity if gap is None else gap)
        numbers = {"scale": scale, "bound": bound, "a": a, "b": b, "sensitivity": sensitivity}
        varying = {name: written("b = a - gap" if name == "b" else name, x, precision) for name, x in numbers.items()}
        if abs(a - b) > sensitivity:
            raise SpecError(
                f"gap = {hexadecimal(a - b)} is not allowed: at most the sensitivity {varying['sensitivity']}, in size"
            )
        _check_outputs(Parameters(scale, bound, precision, uniform), most)
        yield piece("loss", {**varying, "precision": precision, "uniform": uniform})


def _gaps(table: Table) -> Sequence[Fraction | None]:
    return table.numbers("gap", optional=True) or [None]


@lru_cache(1 << 16)
def _check_outputs(m: Parameters, most: int) -> None:
    count = 2 * m.last + 1
    if count > most:
        shown = str(count) if count < 10**15 else f"about 2^{count.bit_length()}"
        raise SpecError(
            f"scale = {hexadecimal(m.scale)} with bound = {hexadecimal(m.bound)} has {shown} outputs, more than "
            f"max_outputs = {most}"
        )


def run(piece: Mapping[str, Any]) -> Result:
    """Decides whether the bound holds at every output of these two values."""
    scale, bound, a, b, sensitivity = (number(piece[key]) for key in ("scale", "bound", "a", "b", "sensitivity"))
    m = Parameters(scale, bound, piece["precision"], piece["uniform"])
    inside = [clamped(from_fraction(x), m.held[1]) for x in (a, b)]
    entry = worst(entries(m, *inside))
    a, b, x = (to_fraction(number) for number in (*inside, output(m, entry.k)))
    witness = Witness(m, a, b, x, sensitivity)
    return judged(piece, witness, "holds", outputs=2 * m.last + 1)
