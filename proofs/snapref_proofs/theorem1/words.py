"""What the joints of Theorem 1 take for known of a word follows from what is shown of it (004 §4): `theorem.words`.

A *word* is a function that a joint does not run: it takes what the word means (terms.py). Each hypothesis here is what
`meanings`, `coverage` or `slopes` concludes, in plain variables, and each conclusion is what the joint takes. What is
taken of products is true of all numbers, so it needs no hypothesis.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import z3

from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.joined import OneSide
from snapref_proofs.theorem1.joined_inside import Beside, Inside
from snapref_proofs.theorem1.meanings import fits, limit_of_steps
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.statement import Regime
from snapref_smt.engine.statement import Statement


def words(regime: Regime) -> Iterator[Statement]:
    for back in (False, True):
        here = OneSide(regime, back)
        here.further = z3.Real("further")
        yield from (taken(f"{word}, back={back}", known, here.meaning(word, *given)) for word, given, known in of(here))
    yield from (around(up) for up in (False, True))
    yield beside()


def taken(name: str, known: list[Any], meaning: list[Any]) -> Statement:
    return Statement(name, known, z3.And(*meaning), z3.BoolVal(False))


def of(here: OneSide) -> Iterator[tuple[str, tuple[Any, list[Any]], list[Any]]]:
    """Each word, its value and what it is given, and what is known of it."""
    value, x, y, z, room = z3.Reals("value x y z room")
    t1p, t2, t1, t2p = here.four.values()
    of_regime = number(here.regime.max_beta), number(here.regime.eta)
    yield "step", (value, [x, room, y, z, *of_regime]), []
    for name, one in here.four.items():
        right = z3.And(x == here.a, y == here.ell, z == here.slack)
        yield f"place {name}", (value, [x, y, z]), [z3.Implies(right, one.tau <= value)]
    errors = [z3.Implies(z3.And(y == here.kappa, fits(one.size, x)), one.y <= value) for one in here.four.values()]
    yield "y_error", (value, [x, y]), errors
    narrow = t1.v + t1.error - (t2.v + t2.error) - (t1p.v + t1p.error - (t2p.v + t2p.error))
    apart = t2p.v - t2.v - (t1p.v - t1.v)
    right = z3.And(x == here.kappa, fits(t1p.size, y), apart <= z, z >= 0)
    yield "steps", (value, [x, y, z]), [z3.Implies(right, z3.And(limit_of_steps(narrow, value)))]
    w, moved = here.s * here.start, here.end - here.start
    held = z3.And(z == here.s, x > 0, x <= w, y >= 0, here.further >= 0, moved <= y + here.further)
    limited = z3.Implies(x >= number(LOW), z3.And(value >= 0, value * number(LOW) <= 1))
    yield "slope", (value, [x, y, z]), [z3.Implies(held, here.rise <= value * (y + here.further)), limited]
    held = z3.And(x > 0, x <= w, moved <= here.further, here.further >= 0)
    yield "N", (value, [x]), [z3.Implies(x > 0, value > 0), z3.Implies(held, here.rise <= value * here.further)]


def around(up: bool) -> Statement:
    """The tangent of ln P at (A, G), or at the lower point: x and y are e**-α and e**-γ there, the slopes of 2P."""
    here, (x, y, p, q, e, f) = Inside(up), z3.Reals("x y p q e f")
    here.powers = [(x, p), (y, q)]
    (a, g), known, rest = here.exact, [], 2 - x - y
    for (first, at_a), (second, at_g) in permutations(here.powers):
        at = z3.And(at_a == a, at_g == g) if up else z3.And(at_a == a - here.h * e, at_g == g - here.h * f)
        known.append(z3.Implies(z3.And(at, rest > 0), here.moved * rest <= first * e + second * f))
    return taken(f"tangent, up={up}", known, here.concave((e, f), 6))


def beside() -> Statement:
    here, (low, start, moved, most) = Beside("K"), z3.Reals("low start moved most")
    here.low = low
    held = z3.And(low > 0, low <= start, moved <= most, most >= 0)
    known = [z3.Implies(low > 0, here.slope > 0), z3.Implies(held, here.rise <= here.slope * most)]
    return taken("N, around c", known, here.concave(start, moved, most))
