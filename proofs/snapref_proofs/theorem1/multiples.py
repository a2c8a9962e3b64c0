"""A check on Theorem 1's lemma `boundaries`: every number that the proof uses as a multiple of a spacing is one.

`boundaries` (grid.py) is a statement about multiples of a spacing h. Wherever it is used, the number is a sum of terms.
This module checks that each term is a multiple of h. Spacings are powers of two, so the smaller divides the larger. Λ
is a multiple of every spacing; so is Δ where a lemma assumes it; and so is a power of two at the end of a binade.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import z3

from snapref_proofs.theorem1 import rows
from snapref_proofs.theorem1.grid import SIDES, Four, far_and_coarse

EVERY = frozenset({"h2", "h1", "h2p", "H"})
DIVISORS: dict[str, frozenset[str]] = {  # h2 ≤ h1, h2' ≤ H ≤ Λ/32, all powers of two
    "h2": frozenset({"h2"}),
    "h1": frozenset({"h2", "h1"}),
    "h2p": frozenset({"h2", "h2p"}),
    "H": EVERY,
    "Lambda": EVERY,
}
CELLS = {  # the spacing that the lower end of a cell is a multiple of
    "lo_c2": "h2",
    "lo_c1": "h1",
    "lo_c2p": "h2p",
    "lo_c1p": "H",
    "lo_t2_in_h1": "h1",
    "lo_t2_in_h2p": "h2p",
    "lo_t2p_in_H": "H",
    "lo_t1_in_H": "H",
    "lo_t2+delta_in_h1": "h1",
    "lo_t2p+delta_in_H": "H",
}
NEAR, FAR = frozenset({"h2", "h2p"}), frozenset({"h1", "H"})
ONE_BINADE = {"lo_c2": NEAR, "h2": NEAR}  # for τ2 and τ2': h2 = h2'
ENDS = {"edge2": NEAR, "edge1": FAR, **ONE_BINADE, "lo_c1": FAR, "h1": FAR}
COARSE = {"Delta": NEAR, "edge": EVERY, **ONE_BINADE}
FAR_COARSE = {"far_edge": FAR, "H/2": frozenset({"h1"})}  # where h1 < H


def uses(four: Four) -> Iterator[tuple[str, Callable[[], Any], Mapping[str, frozenset[str]]]]:
    """Each place where `boundaries` is used, and what else is known to be a multiple there."""
    yield "cells", four.facts, {}
    yield "Δ a multiple of H", lambda: (four.fine(), four.far()), {"Delta": EVERY}
    yield "ends of binades", four.edges, ENDS
    yield "Δ below H", lambda: rows.coarse_facts(four, four.closed), COARSE
    yield "Δ below H, far", lambda: far_and_coarse(four), FAR_COARSE


def strays(every: Mapping[str, frozenset[str]] = DIVISORS) -> Iterator[str]:
    """Uses of `boundaries` for a number that is not found to be a multiple. There should be none."""
    for closed in SIDES:
        four = Four(closed)
        for name, use, given in uses(four):
            four.asked.clear()
            use()
            if not four.asked:
                yield f"{name}: nothing is asked"
            known = {**every, **{lo: DIVISORS[h] for lo, h in CELLS.items()}, **given}
            for h, multiple in four.asked:
                for atom, factor in terms(multiple).items():
                    if factor.denominator != 1 or str(h) not in known.get(atom, ()):
                        yield f"{name}: {multiple} as a multiple of {h}: {factor}·{atom}"


def terms(expression: Any) -> dict[str, Fraction]:
    """A linear solver term as {variable: factor}; a constant has the empty name."""
    if z3.is_rational_value(expression):
        return {"": expression.as_fraction()} if expression.as_fraction() else {}
    if z3.is_add(expression) or z3.is_sub(expression):
        first, *rest = expression.children()
        total = terms(first)
        for child in rest:
            for atom, factor in terms(child).items():
                total[atom] = total.get(atom, Fraction(0)) + (factor if z3.is_add(expression) else -factor)
        return total
    if z3.is_mul(expression):
        factor, term = expression.children()
        return {atom: factor.as_fraction() * value for atom, value in terms(term).items()}
    if z3.is_const(expression):
        return {str(expression): Fraction(1)}
    raise ValueError(f"{expression} is not a sum of multiples")
