"""Judges a loss that a sweep has found, exactly, against the bound of Theorem 1 (004 §4).

If the loss exceeds the bound, it is replayed through the reference before it is reported.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from snapref.budget import eta
from snapref.certificate import hexadecimal
from snapref.uniform import uniform_law
from snapref_harness.sweep.pieces import Result, Status, result
from snapref_harness.sweep.table import SpecError, Table
from snapref_proofs.evaluate.dyadics import from_fraction, is_held
from snapref_proofs.evaluate.loss import decimal_text
from snapref_proofs.evaluate.witness import Witness


def uniforms(table: Table) -> list[str]:
    """The axis `uniform`."""
    allowed = "unbounded, binary64 or bounded:EMIN with EMIN < 0"
    return table.texts("uniform", lambda kind: uniform_law(kind, 53), allowed, "unbounded")


def number(text: str) -> Fraction:
    """A number of a piece, where it is written as C99 hex."""
    return Fraction(float.fromhex(text))


@lru_cache(1 << 16)
def written(name: str, x: Fraction, precision: int) -> str:
    """A number as C99 hex. An error unless it is a double and `precision` bits hold it."""
    bits = min(precision, 53)
    if not is_held(from_fraction(x), bits):
        raise SpecError(f"{name} = {hexadecimal(x)} is not a number that {bits} bits hold exactly")
    return hexadecimal(x)


def judged(piece: Mapping[str, Any], witness: Witness, otherwise: Status, **found: Any) -> Result:
    """`breaks` where the loss at the witness exceeds the bound, and `otherwise` where it does not."""
    if not (witness.entry.a.significand or witness.entry.b.significand):
        raise AssertionError(f"an output that is impossible from both values has no loss: {witness.command}")
    m = witness.parameters
    if abs(witness.a - witness.b) > witness.sensitivity or max(abs(witness.a), abs(witness.b)) > m.bound:
        raise AssertionError(f"the bound says nothing about these values: {witness.command}")
    loss, bound = witness.loss, witness.loss_bound
    h, ratio = eta(m.precision), m.bound / m.scale
    numbers = {
        **{name: hexadecimal(getattr(m, name)) for name in ("scale", "bound")},
        **{name: hexadecimal(getattr(witness, name)) for name in ("a", "b", "x")},
        "loss": loss.text(),
        "loss_bound": decimal_text(bound),
        # C with loss = ε + C·B·ε·η + 2η: the theorem says at most 12
        "constant": loss.in_units(witness.sensitivity / m.scale + 2 * h, ratio * h).hex(),
    }
    if not loss.exceeds(bound):
        return result(piece, otherwise, **numbers, **found)
    if not witness.replays():
        raise AssertionError(f"the reference does not replay what was found: {witness.command}")
    return result(piece, "breaks", **numbers, **found, witness=witness.trace())
