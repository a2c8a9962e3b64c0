"""The table of scenarios, row by row: what scenarios.py writes down follows from the facts of grid.py and coarse.py.

For each pattern of binades and each place of x two solvers derive gain, apart and width from the facts about the four
cells, with the spacings and δ that belong to the row. What is left to read: that `place` names the right δ for its
words, which is `offsets` (|δ| = η|x|/2, or 3η|x|/4 at x = Λ; in units of u = ηP and ξ = |x|/P that is ξ/2, or 3ξ/4),
and that every configuration has a pattern and a place. Units as in scenarios.py: u = 1, H = 2.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import z3

from snapref_proofs.theorem.grid import SIDES, Four
from snapref_proofs.theorem.linear import Statement, absolute
from snapref_proofs.theorem.scenarios import DEEP, TOP, Scenario, forward, spacings

Key = tuple[Any, ...]


def statements(fine: bool) -> Iterator[Statement]:
    """One statement for every row that differs, on both sides of c."""
    rows: dict[Key, list[Scenario]] = {}
    for scenario in forward():
        head, place = scenario.name.split(", ", 1)
        if (head == "fine") == fine:
            place = place.removesuffix(", at most Δ + H/4").removesuffix(", at most Δ - H/4")
            limits = offset_limits(place, scenario.ell[1])
            rows.setdefault((head, place, scenario.pattern, limits, scenario.ell), []).append(scenario)
    seen: set[Key] = set()
    for (head, place, pattern, limits, _), scenarios in rows.items():
        bounds = tuple((s.gain, s.apart, s.width) for s in scenarios)
        key = (head, "parity" in place, "≥ 2P" in place, pattern, limits, bounds)
        if key not in seen:
            seen.add(key)
            for closed in SIDES:
                yield statement(head, place, scenarios, limits, closed)


def offset_limits(place: str, ell: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """The least and the largest δ/u of a place; None where nothing is said."""
    if place == "δ = 0":
        return Fraction(0), Fraction(0)
    if place == "x = 0":
        return Fraction(0), ell / 4
    if place == "|x| ≤ P/4":
        return -Fraction(3, 16), Fraction(3, 16)
    if place == "|x| ≥ 2P":
        return None, None
    xi = Fraction(place.split("= ")[1].split("P")[0])
    size = 3 * abs(xi) / 4 if ell == abs(xi) else abs(xi) / 2
    if place.startswith("x = "):
        return (abs(xi) / 2, abs(xi) / 2) if xi < 0 else (-size, Fraction(0))
    return -size, size


def statement(head: str, place: str, scenarios: list[Scenario], limits: Key, closed: bool) -> Statement:
    four = Four(closed)
    first = scenarios[0]
    facts = [*four.facts(), *widths(four, first), *offset(four, limits)]
    facts += four.fine() if head == "fine" else coarse_facts(four, head, closed)
    if "parity" in place:
        facts += [four.shifted_p.lo == four.t2p_in_top.lo, four.h2p == four.top]
        if head != "fine":
            facts += four.aligned()
    if len(scenarios) == 2:  # equal cells lie a whole number of widths apart
        steps, half_steps = z3.Int("steps"), z3.Int("half_steps")
        facts += [four.d1 - four.sensitivity == 2 * steps, four.c2.lo - four.t2_in_h1.lo == 1 * half_steps]
    size = absolute(four.delta) if "≥ 2P" in place else z3.RealVal(0)
    rows = [
        z3.And(
            four.d2 - four.sensitivity <= number(s.gain),
            four.d2 - four.d1 <= number(s.apart),
            four.width >= number(s.width) - size,
        )
        for s in scenarios
    ]
    return Statement(f"{first}, closed={closed}", facts, z3.Or(*rows))


def widths(four: Four, scenario: Scenario) -> list[Any]:
    """The spacings of the pattern; "3 or more binades down" leaves an interval, 0 standing for τ2 = 0."""
    facts = [four.top == number(TOP)]
    p = scenario.pattern
    for h, binade in ((four.h2, p.near), (four.h1, p.far), (four.h2p, p.near_p)):
        known = spacings(binade)
        facts += [h == number(known[0])] if binade < DEEP else [h >= 0, h <= number(known[1])]
    return facts


def offset(four: Four, limits: Key) -> list[Any]:
    least, most = limits
    facts = [] if least is None else [four.delta >= number(least)]
    return facts if most is None else [*facts, four.delta <= number(most)]


def coarse_facts(four: Four, head: str, closed: bool) -> list[Any]:
    """Δ is a power of two below H. Δ ≥ h2': a multiple of it. Δ < h2': one binade, or a power of two in between, and
    then the next binade (`coarse`)."""
    sizes = {"H = 2Δ": four.sensitivity == 1, "H = 4Δ": 2 * four.sensitivity == 1}
    size = sizes.get(head, z3.And(four.sensitivity > 0, 4 * four.sensitivity <= 1))
    edge = z3.Real("edge")
    same = [fact for step in (0, 1, 2) for fact in four.c2p.beside(four.c2.lo + step * four.h2)]
    passed = (four.t2 <= edge, edge < four.c2p.t) if closed else (four.t2 < edge, edge <= four.c2p.t)
    crossing = [*passed, 2 * four.h2 == four.h2p]
    for cell in (four.c2, four.c2p, four.t2_in_h2p):
        crossing += cell.beside(edge) + cell.beside(edge + cell.h) + cell.beside(edge - cell.h)
    for cell in (four.t2_in_h1, four.t2p_in_top):
        beside = cell.beside(edge) + cell.beside(edge - four.top) + cell.beside(edge + four.top)
        crossing.append(z3.Implies(four.h2p == four.top, z3.And(beside)))
    smaller = z3.And(
        2 * four.sensitivity <= four.h2p,
        z3.Or(z3.And(four.h2 == four.h2p, *same), z3.And(four.h2 < four.h2p, *crossing)),
    )
    return [size, four.d1 >= 0, z3.Or(z3.And(four.h2p <= four.sensitivity, *four.fine()), smaller)]


def number(x: Fraction | int) -> Any:
    return z3.RealVal(str(Fraction(x)))
