"""Sweeps of the kind `small`: small formats, exhaustively. For each λ there is a piece: every pair of values, every
output, every u.

Keys of the specification (an *axis* is one value, a list, or a range):

    precision              axis: the bits of the format, 2 to 16
    exponent               axis: the binades [2^e, 2^(e+1)) of λ; every p-bit number of them
    ratio                  axis: the bounds at, just below, just above and 3/2 of 2^r·Λ
    inside                 only bounds with λ ≤ B ≤ 2^(p-2)·λ; by default true
    sensitivity, uniform   axes, by default 1 and "unbounded"

The values are all p-bit multiples of Λ·2^-(p+1) in [-B, B].
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from snapref.certificate import hexadecimal
from snapref.errors import ParameterError
from snapref_harness.sweep.exact_loss import judged, number, uniforms, written
from snapref_harness.sweep.pieces import Piece, Result, piece, result
from snapref_harness.sweep.table import SpecError, Table
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import grid, input_step, small_numbers, worst_loss
from snapref_proofs.evaluate.witness import Witness

COUNTS = ("formats", "pairs", "pairs_with_output")
MAX_SCALES = 1_000_000


def pieces(table: Table) -> Iterator[Piece]:
    precisions = table.integers("precision", least=2, most=16)
    exponents = table.integers("exponent", least=-1000, most=1000)
    ratios = table.integers("ratio", least=0, most=15)
    sensitivities = table.numbers("sensitivity", Fraction(1), positive=True)
    laws = uniforms(table)
    fixed = {"ratios": ratios, "inside": table.yes("inside", True)}
    table.finish()
    _check_count(precisions, len(exponents) * len(sensitivities) * len(laws))
    found = False
    for precision, sensitivity, uniform in product(precisions, sensitivities, laws):
        distance = written("sensitivity", sensitivity, precision)
        for scale in small_numbers(precision, exponents):
            numbers = {"scale": hexadecimal(scale), "sensitivity": distance}
            made = piece("small", {"precision": precision, **numbers, "uniform": uniform}, fixed)
            if _mechanisms(made):
                found = True
                yield made
    if not found:
        raise SpecError(f"ratio = {ratios} leaves no bound with λ ≤ B ≤ 2^(p-2)·λ; take others, or inside = false")


def _check_count(precisions: list[int], times: int) -> None:
    """Refuses too many scales before looking at any: with very many, even finding that none has a bound takes hours."""
    count = sum(times << (precision - 1) for precision in precisions)
    if count > MAX_SCALES:
        raise SpecError(
            f"precision = {precisions} is not allowed: with this many exponents it has {count} scales, "
            f"more than {MAX_SCALES}; split the sweep into several"
        )


def _mechanisms(piece: Mapping[str, Any]) -> list[Parameters]:
    """The mechanisms of a piece, one for each bound."""
    all_bounds = grid(piece["precision"], [number(piece["scale"])], piece["ratios"], piece["uniform"])
    return [m for m in all_bounds if not piece["inside"] or _inside(m)]


def _inside(m: Parameters) -> bool:
    return 1 <= m.bound / m.scale <= Fraction(1 << m.precision, 4)


def run(piece: Mapping[str, Any]) -> Result:
    """Decides whether the loss bound holds for every B of the piece. Reports the B that needs the largest constant."""
    sensitivity = number(piece["sensitivity"])
    found = [worst_loss(m, sensitivity, input_step(m)) for m in _mechanisms(piece)]
    counts = {
        "formats": len(found),
        "pairs": sum(w.pairs for w in found),
        "pairs_with_output": sum(w.pairs * w.outputs for w in found),
    }
    if not all(w.pairs for w in found):
        raise ParameterError(f"sensitivity = {piece['sensitivity']}: no two values of the format are that near")
    lossy = [w for w in found if w.loss.larger != w.loss.smaller]
    if not lossy:
        return result(piece, "holds", **counts)
    w = max([w for w in lossy if not w.holds] or lossy, key=lambda w: w.constant)
    return judged(piece, Witness(w.parameters, w.a, w.b, w.x, sensitivity), "holds", **counts)
