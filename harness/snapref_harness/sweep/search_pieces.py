"""Sweeps of the kind `search`: searches for the largest loss, one for each seed (as `snapref loss --search`).

Keys of the specification (an *axis* is one value, a list, or a range):

    seed                   axis of whole numbers
    budget                 sets of parameters that each search tries; by default 2000
    sensitivity            axis, by default 1
    precision, uniform     axes, by default 53 and "unbounded"
    scale, bound, a, b     axes of what stays fixed; what is left out is searched

That a search finds nothing proves nothing.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from snapref.budget import MAX_PRECISION
from snapref.certificate import hexadecimal
from snapref.errors import ParameterError
from snapref_harness.sweep.exact_loss import judged, number, uniforms, written
from snapref_harness.sweep.pieces import Piece, Result, piece
from snapref_harness.sweep.table import SpecError, Table
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.search import Search
from snapref_proofs.evaluate.witness import Witness

COUNTS = ("tried",)
FIXED = ("scale", "bound", "a", "b")


def pieces(table: Table) -> Iterator[Piece]:
    seeds = table.integers("seed", least=0, most=999_999_999)
    budget = table.integer("budget", 2000, least=1, most=10**7)
    sensitivities = table.numbers("sensitivity", Fraction(1), positive=True)
    precisions = table.integers("precision", 53, least=2, most=MAX_PRECISION)
    laws = uniforms(table)
    fixed = {name: table.numbers(name, optional=True, positive=name in ("scale", "bound")) for name in FIXED}
    table.finish()
    given = {name: axis for name, axis in fixed.items() if axis} | {"sensitivity": sensitivities}
    for values, precision, uniform, seed in product(product(*given.values()), precisions, laws, seeds):
        numbers = dict(zip(given, values, strict=True))
        varying = {name: written(name, x, precision) for name, x in numbers.items()}
        _check(numbers)
        yield piece("search", {**varying, "precision": precision, "uniform": uniform, "seed": seed}, {"budget": budget})


def _check(numbers: Mapping[str, Fraction]) -> None:
    if {"a", "b"} <= set(numbers) and (apart := abs(numbers["a"] - numbers["b"])) > numbers["sensitivity"]:
        raise SpecError(f"a and b are {hexadecimal(apart)} apart: more than the sensitivity")
    if {"scale", "bound"} <= set(numbers) and numbers["bound"] < numbers["scale"]:
        scale, bound = (hexadecimal(numbers[name]) for name in ("scale", "bound"))
        raise SpecError(f"bound = {bound} is not allowed: at least the scale {scale}")
    for name in ("a", "b"):
        if {name, "bound"} <= set(numbers) and abs(numbers[name]) > numbers["bound"]:
            value, bound = (hexadecimal(numbers[key]) for key in (name, "bound"))
            raise SpecError(f"{name} = {value} is not allowed: from -B to B, for bound = {bound}")


def run(piece: Mapping[str, Any]) -> Result:
    """The largest loss that the search with this seed finds."""
    precision, uniform, sensitivity = piece["precision"], piece["uniform"], number(piece["sensitivity"])
    fixed = {name: number(piece[name]) for name in FIXED if name in piece}
    found = Search(precision, uniform, sensitivity, fixed).run(piece["budget"], piece["seed"])
    pair = found.pair
    if pair.a == pair.b:
        raise ParameterError("what is fixed leaves no two values that the search may look at")
    x = to_fraction(output(pair.parameters, found.entry.k))
    witness = Witness(pair.parameters, pair.a, pair.b, x, sensitivity)
    return judged(piece, witness, "nothing_found", tried=piece["budget"])
