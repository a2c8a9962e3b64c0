"""Sweeps of the kind `boxes`: the inequalities behind the constants, over whole boxes of parameters, cut into pieces.

Keys of the specification (an *axis* is one value, a list, or a range):

    proof = "figure2"      the error terms of 004 §4, case by case (rates.py), with the keys
      route                axis: independent, shared, absolute; by default independent
      case                 axis: A, B, C, CE, D; by default all
      direction            axis: forward, reverse; by default both
      constant             axis of numbers: is loss ≤ ε + constant·Bεη + 2η provable on this route?
      scope                wide (p ≥ 11) or small (p ≥ 24); by default wide
    proof = "theorem"      the inequalities of Theorem 1's proof (theorem1/compose.py), with the keys
      lemma                axis: forward, backward, ends, inside; by default all
      constant             axis: 12, 11; by default 12
    cuts                   each box is halved this often, across its longest side: 2^cuts pieces; by default 0
    most                   boxes that one piece may look at before it gives up; by default 100000

Each piece decides its inequality on its own box, by Arb and again by mpmath.iv. The lemmas on which the inequalities
rest are not repeated here; `snapref verify` decides them.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from snapref_harness.sweep.pieces import Piece, Result, Status, piece, result
from snapref_harness.sweep.table import SpecError, Table
from snapref_proofs.evaluate import boxes
from snapref_proofs.evaluate.boxes import Answer, Box, Quantity
from snapref_proofs.figure2.rates import FAMILIES, MODELS, SMALL, WIDE, Direction, Family, Scope, excess
from snapref_proofs.theorem1.compose import INEQUALITIES
from snapref_proofs.theorem1.statement import REGIMES
from snapref_proofs.theorem1.subdivision import across_the_longest

COUNTS = ("leaves",)
SCOPES: dict[str, Scope] = {"wide": WIDE, "small": SMALL}
DIRECTIONS: tuple[Direction, ...] = ("forward", "reverse")
STATUS: dict[str, Status] = {"established": "holds", "fails": "breaks", "undecided": "undecided"}


def pieces(table: Table) -> Iterator[Piece]:
    proof = table.word("proof", ("figure2", "theorem"), "figure2")
    cuts = table.integer("cuts", 0, least=0, most=16)
    fixed = {"cuts": cuts, "most": table.integer("most", 100_000, least=1, most=10**8)}
    statements = _figure2(table) if proof == "figure2" else _theorem(table)
    for varying in statements:
        for cell in range(1 << cuts):
            yield piece("boxes", {"proof": proof, **varying, "cell": cell}, fixed)


def _figure2(table: Table) -> Iterator[dict[str, Any]]:
    routes = table.words("route", tuple(MODELS), ("independent",))
    cases = table.words("case", tuple(FAMILIES))
    directions = table.words("direction", DIRECTIONS)
    constants = table.rationals("constant")
    scope = table.word("scope", tuple(SCOPES), "wide")
    table.finish()
    found = False
    for route, case, direction, constant in product(routes, cases, directions, constants):
        for family in FAMILIES[case]:
            if direction in family.directions:
                found = True
                yield {
                    "route": route,
                    "case": case,
                    "part": family.name,
                    "direction": direction,
                    "constant": str(constant),
                    "scope": scope,
                }
    if not found:
        raise SpecError(f"direction = {directions} leaves nothing of case = {cases}")


def _theorem(table: Table) -> Iterator[dict[str, Any]]:
    lemmas = table.words("lemma", tuple(INEQUALITIES))
    constants = table.integers("constant", 12, least=int(min(REGIMES)), most=int(max(REGIMES)))
    table.finish()
    for lemma, constant in product(lemmas, constants):
        for part in inequalities(lemma, constant):
            yield {"lemma": lemma, "part": part, "constant": str(constant)}


@cache
def inequalities(lemma: str, constant: int) -> dict[str, tuple[Quantity, Box]]:
    """The inequalities by name: each is a quantity that has to be at most 0, and the box on which."""
    listed = list(INEQUALITIES[lemma](REGIMES[constant]))
    named: dict[str, tuple[Quantity, Box]] = {name: (quantity, box) for name, quantity, box in listed}
    if len(named) != len(listed):
        raise AssertionError(f"two inequalities of {lemma} share a name")
    return named


def run(piece: Mapping[str, Any]) -> Result:
    """Whether the inequality holds on the whole box of the piece."""
    if piece["proof"] == "figure2":
        family = _family(piece["case"], piece["part"], piece["direction"])
        model, scope, constant = MODELS[piece["route"]], SCOPES[piece["scope"]], Fraction(piece["constant"])
        box = cell(family.box, piece["cuts"], piece["cell"])
        answer = boxes.establish(excess(family, model, scope, piece["direction"], constant), box, piece["most"])
    else:
        quantity, whole = inequalities(piece["lemma"], int(piece["constant"]))[piece["part"]]
        box = cell(whole, piece["cuts"], piece["cell"])
        answer = boxes.establish(quantity, box, piece["most"], across_the_longest)
    return _told(piece, box, answer)


def _family(case: str, part: str, direction: str) -> Family:
    (family,) = (f for f in FAMILIES[case] if f.name == part and direction in f.directions)
    return family


def cell(box: Box, cuts: int, number: int) -> Box:
    """One of the 2^cuts cells of a box. Each cut halves the longest side; a bit of `number` says which half to take."""
    for cut in reversed(range(cuts)):
        longest = max(box, key=lambda name: box[name][1] - box[name][0])
        box = boxes.halves(box, longest)[number >> cut & 1]
    return box


def _told(piece: Mapping[str, Any], box: Box, answer: Answer) -> Result:
    found: dict[str, Any] = {"leaves": answer.leaves, "box": _text(box)}
    if answer.box is not None:
        found["where"] = _text(answer.box)
    if answer.status == "fails":
        found["witness"] = f"{piece['id']}: the inequality fails {str(answer).removeprefix('fails ')}"
    return result(piece, STATUS[answer.status], **found)


def _text(box: Box) -> dict[str, list[str]]:
    """The sides of a box as exact fractions."""
    return {name: [str(low), str(high)] for name, (low, high) in box.items()}
