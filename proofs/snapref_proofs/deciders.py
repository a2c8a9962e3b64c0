"""The obligation `proofs.deciders`: what decides the lemmas does not prove what is wrong.

Statements are decided by `decide_all`, and inequalities on boxes by `decide_boxes`. Whatever they prove rests on their
own code. Here they get lists with one thing wrong: in each place of the list, in each part of a box, one solver where
there must be two, an engine that does not agree, a twin that does not fail. None of it may be proved. The same lists
without the fault must be. The parts of a box that an engine was given must cover it, and what an engine encloses over
an interval must contain what the other one encloses at its ends.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import z3

from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_proofs.evaluate import left_out
from snapref_proofs.evaluate.boxes import BITS, Box, Cut, split
from snapref_proofs.evaluate.intervals import Enclosure, Engine, both
from snapref_proofs.evaluate.left_out import Pair, Recorded, skipping
from snapref_proofs.inequalities import Inequality, decide_boxes
from snapref_proofs.theorem1.subdivision import across_the_longest
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement

SQUARE = {"x": (Fraction(0), Fraction(1)), "y": (Fraction(-1), Fraction(3))}
THIRDS = {"t": (Fraction(1, 3), Fraction(7, 5)), "x": (Fraction(-2, 7),) * 2, "y": (Fraction(1, 1000), Fraction(2))}
CUTS: dict[str, Cut | None] = {"by itself": None, "by `split`": split, "across the longest": across_the_longest}
PLACES = range(3)  # of a list
MANY_STATEMENTS, MANY_MEMBERS, MANY_INEQUALITIES = 300, 1500, 8000  # of long lists
FEW = 50  # boxes to look at, where there is no end to it
Tried = Iterable[tuple[str, bool, Outcome]]  # the name of a list, whether it is right, and what came out


@obligation(
    "proofs.deciders",
    claim="F-T1",
    kind="sampled",
    decides=False,
    scope="lists of three, and long ones, with one thing wrong; quantities that are positive in one of 16 parts of a "
    "box only; the parts of boxes with two and three sides; exp, log, + - · / and hulls over intervals from a grid",
)
def deciders(run: Run) -> Outcome:
    """`decide_all` and `decide_boxes` prove what is right, and nothing of what is wrong; engines leave nothing out."""
    tried = [*statements(run), *boxes(), *parts(), *engines()]
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
    many = [Statement(f"x > {i}", [x > i], x >= i, x > i + 1) for i in range(MANY_MEMBERS)]
    false = replace(many[0], name="behind many", conclusion=x >= 2)
    yield "many statements", True, decide_all(many[:MANY_STATEMENTS], run, MANY_STATEMENTS)
    yield "behind many statements", False, decide_all([*many[:MANY_STATEMENTS], false], run)
    yield "behind many members", False, decide_all([Family("all", [x > -1], [*many, false])], run)
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
    at_a_point = Inequality("at a point", _shifted(-1), point)
    many = [*[at_a_point] * MANY_INEQUALITIES, too_sharp[0]]
    yield "behind many inequalities", False, decide_boxes(many, too_sharp)
    for one, place in product(wrong, PLACES):
        listed = [one if i == place else other for i, other in enumerate(right)]
        yield f"inequality {place}: {one.name}", False, decide_boxes(listed, too_sharp, FEW)
    for i, j in product(range(4), repeat=2):  # a point in each of 16 parts, and in the middle of none
        x, y = Fraction(3 * i + 1, 12), Fraction(3 * j + 1, 3) - 1
        yield f"positive at {x}, {y}", False, decide_boxes([Inequality("", _peak(x, y), SQUARE)], too_sharp)


def parts() -> Tried:
    """The enclosures on which an engine shows an inequality cover its box, however it is divided; unless by a cut that
    forgets a part."""
    for (name, cut), (sides, box) in product(CUTS.items(), {"two": SQUARE, "three": THIRDS}.items()):
        yield f"{sides} sides, divided {name}", True, divided(box, cut)
    yield "a part that is forgotten", False, divided(SQUARE, skipping)


def divided(box: Box, cut: Cut | None) -> Outcome:
    """What is proved of a box, if each engine was given the whole of it."""
    recorded, too_sharp = Recorded(_bent), Inequality("too sharp", _shifted(1), {"x": SQUARE["x"]})
    outcome = decide_boxes([Inequality("recorded", recorded, box)], [too_sharp], cut=cut)
    if missing := recorded.misses(box, [engine.name for engine in both(BITS)]):
        return Outcome("undecided", f"not on the whole box: {', '.join(missing)}")
    return outcome


def engines() -> Tried:
    """The enclosures of an engine reach as far as they must; and one that takes lower ends is noticed each time."""
    for pair in left_out.engines():
        yield f"enclosures by {pair(BITS)[0].name}", True, enclosed(pair)
    for pair, name in product(left_out.broken(), ("exp", "log", "hull")):
        yield f"{name} of lower ends, by {pair(BITS)[0].name}", False, enclosed(pair, name)


def enclosed(pair: Pair, name: str = "") -> Outcome:
    """Whether an engine leaves out a value; only what the messages with this name say counts."""
    if faults := [text for text in left_out.left_out(pair) if name in text]:
        return Outcome("refuted", faults[0])
    return Outcome("proved", "nothing is left out")


def _bent(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
    """Negative, but an enclosure shows it on small parts only."""
    return sum((one - one * one for one in v.values()), engine.between(Fraction(-9, 10), Fraction(-9, 10)))


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
