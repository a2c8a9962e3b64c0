"""The obligation `proofs.deciders`: what decides the lemmas does not prove what is wrong.

Statements are decided by `decide_all`, and inequalities on boxes by `decide_boxes`. Whatever they prove rests on their
own code. Here they get lists with one thing wrong: in each place of the list, in each part of a box, one solver where
there must be two, an engine that does not agree, a twin that does not fail. None of it may be proved. The same lists
without the fault must be.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_proofs.evaluate.boxes import BITS
from snapref_proofs.evaluate.intervals import Enclosure, Engine, both
from snapref_proofs.inequalities import Inequality, decide_boxes
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement

SQUARE = {"x": (Fraction(0), Fraction(1)), "y": (Fraction(-1), Fraction(3))}
PLACES = range(3)  # of a list
FEW = 50  # boxes to look at, where there is no end to it
Tried = Iterable[tuple[str, bool, Outcome]]  # the name of a list, whether it is right, and what came out


@obligation(
    "proofs.deciders",
    claim="F-T1",
    kind="sampled",
    decides=False,
    scope="lists of three with one thing wrong; quantities that are positive in one of 16 parts of a box only",
)
def deciders(run: Run) -> Outcome:
    """`decide_all` and `decide_boxes` prove what is right, and nothing of what is wrong."""
    tried = [*statements(run), *boxes()]
    if faults := list(mistaken(tried)):
        return Outcome("refuted", f"taken for what they are not: {'; '.join(faults)}")
    return Outcome("proved", f"{len(tried)} lists")


def mistaken(tried: Tried) -> Iterator[str]:
    """The lists that are proved and wrong, or right and not proved."""
    return (name for name, right, outcome in tried if (outcome.status == "proved") != right)


def statements(run: Run) -> Tried:
    x = z3.Real("x")
    right = [Statement(f"x > {i}", [x > i], x >= i, x > i + 1) for i in PLACES]
    wrong = {
        "a conclusion": replace(right[0], name="wrong", conclusion=x >= 2),
        "a twin": replace(right[0], name="wrong", twin=x >= -1),
        "no twin": replace(right[0], name="wrong", twin=None),
        "hypotheses": replace(right[0], name="wrong", hypotheses=[x > 0, x < 0]),
    }
    yield "statements", True, decide_all(right, run, len(right))
    yield "families", True, decide_all([Family("all", [x > -1], right)], run, len(right))
    yield "no statement", False, decide_all([], run)
    yield "one solver", False, decide_all(right, replace(run, solvers=("z3",)), len(right))
    yield "one that is missing", False, decide_all(right[1:], run, len(right))
    yield "one that is there twice", False, decide_all([right[0], *right[:-1]], run, len(right))
    for (name, one), place in product(wrong.items(), PLACES):
        listed = [one if i == place else other for i, other in enumerate(right)]
        forms: dict[str, list[Stated]] = {"statement": [*listed], "member": [Family("all", [x > -1], listed)]}
        yield from ((f"{form} {place}: {name}", False, decide_all(built, run)) for form, built in forms.items())


def boxes() -> Tried:
    right = [Inequality(f"-{i}", _shifted(-1 - i), SQUARE) for i in PLACES]
    too_sharp = [Inequality("too sharp", _shifted(1), SQUARE)]
    yield "boxes", True, decide_boxes(right, too_sharp)
    yield "no box", False, decide_boxes([], too_sharp)
    yield "no twin", False, decide_boxes(right, [])
    yield "a twin that holds", False, decide_boxes(right, right)
    point = {"x": (Fraction(1, 3),) * 2}
    wrong = [*too_sharp, Inequality("too close", lambda engine, v: v["x"] - v["x"], point)]
    wrong += [Inequality("unbounded", lambda engine, v: 1 / v["y"], SQUARE)]
    for engine in both(BITS):
        wrong.append(Inequality(f"not by {engine.name}", _unless(engine, lambda x: x + 1), SQUARE))
        wrong.append(Inequality(f"unbounded by {engine.name}", _unless(engine, lambda x: 1 / (x - x)), SQUARE))
    for one, place in product(wrong, PLACES):
        listed = [one if i == place else other for i, other in enumerate(right)]
        yield f"inequality {place}: {one.name}", False, decide_boxes(listed, too_sharp, FEW)
    for i, j in product(range(4), repeat=2):  # a point in each of 16 parts, and in the middle of none
        x, y = Fraction(3 * i + 1, 12), Fraction(3 * j + 1, 3) - 1
        yield f"positive at {x}, {y}", False, decide_boxes([Inequality("", _peak(x, y), SQUARE)], too_sharp)


def _shifted(value: int) -> Any:
    return lambda engine, v: v["x"] - v["x"] * v["x"] + value  # x - x² lies between 0 and 1/4


def _unless(engine: Engine, wrong: Callable[[Enclosure], Enclosure]) -> Any:
    """At most -1, unless this engine evaluates it."""
    return lambda other, v: wrong(v["x"]) if other.name == engine.name else v["x"] - 2


def _peak(x: Fraction, y: Fraction) -> Any:
    """Positive next to (x, y), and nowhere else."""

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        at = [engine.between(one, one) for one in (x, y, Fraction(1, 1000))]
        return at[2] - (v["x"] - at[0]) * (v["x"] - at[0]) - (v["y"] - at[1]) * (v["y"] - at[1])

    return quantity
