"""The table of scenarios is right, row by row: the lemmas `rows.fine` and `rows.coarse` of Theorem 1 (004 §4).

scenarios.py writes down bounds (gain, apart, width) for each pattern of binades and each place of x. For each row, two
solvers derive these bounds from the facts about the four cells (grid.py, coarse.py), with the spacings and the δ of the
row. coverage.py shows that every configuration has a row whose facts are true of it. The units are those of
scenarios.py: u = 1, H = 2.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import z3

from snapref_proofs.theorem1.coarse import neighbours
from snapref_proofs.theorem1.grid import SIDES, Four, at_least_zero, moved, named
from snapref_proofs.theorem1.scenarios import DEEP, HEADS, QUARTER, TOP, Pattern, Scenario, forward, spacings
from snapref_smt.engine.statement import Family, Statement, absolute

TOO_MUCH = Fraction(3)  # in units of u: more than the difference of any two spacings in a row
Limits = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Row:
    """A row: a size of Δ (`head`), a place of x, a pattern of binades, and one scenario or two of which one applies."""

    head: str
    place: str
    pattern: Pattern
    ell: tuple[Fraction, Fraction]
    scenarios: tuple[Scenario, ...]

    @property
    def limits(self) -> Limits:
        return offset_limits(self.place, self.ell[1])

    @property
    def fine(self) -> bool:
        return self.head == "fine"

    @property
    def parity(self) -> str:
        """For which of c and c' the row uses the lemma `parity`: "c'", "both", or none."""
        return parity_of(self.place)

    @property
    def loose(self) -> bool:
        return self.scenarios[0].loose

    def implies(self, other: "Row") -> bool:
        """Whether this row allows every δ that the other allows, and its bounds are at least as sharp.

        Then the other row needs no statement of its own.
        """
        (low, high), (low_o, high_o) = self.limits, other.limits
        wider = (low is None or (low_o is not None and low <= low_o)) and (
            high is None or (high_o is not None and high_o <= high)
        )
        pairs = list(zip(self.scenarios, other.scenarios, strict=False))
        sharper = all(s.gain <= o.gain and s.apart <= o.apart and s.width >= o.width for s, o in pairs)
        sharper = sharper and all(s.parallel or not o.parallel for s, o in pairs)
        return wider and sharper and len(self.scenarios) == len(other.scenarios)

    @property
    def kind(self) -> tuple[Any, ...]:
        """What the facts of a row depend on beside δ; only rows of one kind are compared."""
        return self.head, self.parity, self.loose, self.pattern, len(self.scenarios)


R = TypeVar("R", bound=Row)


@cache
def table() -> list[Row]:
    """Every row, of every scenario."""
    found: dict[tuple[str, str, Pattern, tuple[Fraction, Fraction]], list[Scenario]] = {}
    for scenario in forward():
        head, place = scenario.name.split(", ", 1)
        place = place.removesuffix(", at most Δ + H/4").removesuffix(", at most Δ - H/4")
        found.setdefault((head, place, scenario.pattern, scenario.ell), []).append(scenario)
    return [Row(head, place, p, ell, tuple(s)) for (head, place, p, ell), s in found.items()]


def kept(fine: bool) -> list[Row]:
    return sharpest(row for row in table() if row.fine == fine)


def sharpest(every: Iterable[R]) -> list[R]:
    """The rows that no other row implies."""
    found: dict[tuple[Any, ...], list[R]] = {}
    for row in every:
        rows = found.setdefault(row.kind, [])
        if not any(other.implies(row) for other in rows):
            rows[:] = [other for other in rows if not row.implies(other)] + [row]
    return [row for rows in found.values() for row in rows]


def unproved(fine: bool, stated: Sequence[Family]) -> Iterator[str]:
    """Rows whose bounds follow from no statement, on one of the two sides of c. There are none.

    A statement about a row is enough for another one with the same facts, if it allows the δ of the other, and if its
    bounds, put in for D2 - Δ, D2 - D1 and V1' - V2' - Λ, keep what the other promises.
    """
    told = {member.name for family in stated for member in family.members}
    every = [row for row in table() if row.fine == fine]
    yield from unstated(every, [row for row in every if {name_of(row, closed) for closed in (False, True)} <= told])


def name_of(row: Row, closed: bool) -> str:
    return f"{row.scenarios[0]}, closed={closed}"


def unstated(every: Iterable[Row], proved: Iterable[Row]) -> Iterator[str]:
    """Rows whose bounds follow from no row that is proved."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in proved:
        found.setdefault(row.kind, []).append(row)
    for row in every:
        if not any(enough(other, row) for other in found.get(row.kind, [])):
            yield f"{row.scenarios[0]}: no statement is about it"


def enough(row: Row, other: Row) -> bool:
    ends = [Fraction(sign * 10**9 if end is None else end) for end, sign in zip(other.limits, (-1, 1), strict=True)]
    facts = [fact for end in ends for fact in within(end, row.limits)]
    for s, o in zip(row.scenarios, other.scenarios, strict=True):
        facts += [*promises(o, s.gain, s.apart, s.width), s.parallel or not o.parallel]
    return all(fact is True for fact in facts)


def stand_in(place: int) -> Iterator[str]:
    """What `unstated` says if a row is to stand for one with other facts (another parity, Δ, pattern, or loose), with a
    sharper bound, or with a δ that it does not allow."""
    row = next(row for row in table() if row.parity and row.fine and len(row.scenarios) == 1)
    (one,), tail = row.scenarios, f"P, parity of {row.parity}"
    sharper = (
        replace(one, gain=one.gain - 1),
        replace(one, apart=one.apart - 1),
        replace(one, width=one.width + 1),
        replace(one, parallel=True),
    )
    others = (
        replace(row, place=row.place.partition(", ")[0]),
        replace(row, head=next(head for head in HEADS if head != row.head)),
        replace(row, pattern=replace(row.pattern, near=DEEP)),
        *(replace(row, scenarios=(s,)) for s in (replace(one, loose=True), *sharper)),
        *(replace(row, place=f"x = {xi}{tail}") for xi in (-64, 64)),
    )
    return unstated([others[place]], [row])


STAND_INS = range(10)


def families(fine: bool) -> Iterator[Family]:
    """Every row, on both sides of c; rows with the same head share the facts that the solvers read."""
    found: dict[tuple[str, Pattern, bool], list[Statement]] = {}
    for row in kept(fine):
        for closed in SIDES:
            found.setdefault((row.head, row.pattern, closed), []).append(statement(row, closed))
    known = {key: facts(*key) for key in {(head, closed) for head, _, closed in found}}
    for (head, pattern, closed), statements in found.items():
        hypotheses = [*known[head, closed], *widths(named(closed), pattern)]
        yield Family(f"{head}, {pattern}, closed={closed}", hypotheses, statements)


def offset_limits(place: str, ell: Fraction) -> Limits:
    """The least and the largest δ/u of a place; None where there is no limit."""
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
        return (Fraction(0), abs(xi) / 2) if xi < 0 else (-size, Fraction(0))
    return -size, size


def parity_of(place: str) -> str:
    return place.partition("parity of ")[2]


def facts(head: str, closed: bool, far_closed: bool | None = None) -> list[Any]:
    """What is known of the four cells for this size of Δ, for every pattern and wherever x is."""
    four = Four(closed, far_closed)
    return [*four.facts(), *(fine_facts(four) if head == "fine" else coarse_facts(four, closed))]


def statement(row: Row, closed: bool) -> Statement:
    """The bounds of the row, for the δ of its place."""
    four = named(closed)
    own = [*assumed(row, four.multiple, four.sensitivity, four.delta), *four.aligned(row.parity)]
    if len(row.scenarios) == 2:  # equal cells lie a whole number of widths apart
        steps, half_steps = z3.Int("steps"), z3.Int("half_steps")
        own += [four.d1 - four.sensitivity == 2 * steps, four.c2.lo - four.t2_in_h1.lo == 1 * half_steps]

    def one_of(less: Fraction) -> Any:
        """The bounds of one of the row's scenarios."""
        return z3.Or(*(z3.And(promised(four, s, less), *(parallel(four) if s.parallel else ())) for s in row.scenarios))

    return Statement(name_of(row, closed), own, one_of(Fraction(0)), one_of(TOO_MUCH))


def promised(four: Four, s: Scenario, less: Fraction) -> Any:
    """The bounds of a scenario, with the bound on D2 - Δ smaller by `less` (for the twin)."""
    return z3.And(*promises(replace(s, gain=s.gain - less), *bounded(four, absolute(four.delta), s)))


def bounded(here: Any, offset: Any, row: Any) -> tuple[Any, Any, Any]:
    """What a row, or a kind of rows, bounds, of four cells or of a configuration: D2 - Δ; D2 - D1, or D2 alone; and
    V1' - V2' - Λ, where a row that is loose adds |δ|."""
    apart = here.d2 if row.mode == "monotone" else here.d2 - here.d1
    return here.d2 - here.sensitivity, apart, here.width + offset if row.loose else here.width


def promises(s: Scenario, gain: Any, apart: Any, width: Any) -> list[Any]:
    """The bounds of a scenario on D2 - Δ, D2 - D1 and V1' - V2' - Λ (plus |δ| if it is loose), given as solver terms
    or as numbers."""
    return [gain <= s.gain, apart <= s.apart, width >= s.width]


def parallel(four: Four) -> list[Any]:
    """What the lemma `parallel` assumes: D1 = D2, and the cells of the two thresholds are Λ apart, for c and for c'."""
    near, far = four.c1.lo - four.c2.lo, four.c1p.lo - four.c2p.lo
    return [four.d1 == four.d2, near == four.lattice, far == four.lattice]


def widths(four: Four, p: Pattern) -> list[Any]:
    """The spacings of the pattern. "3 or more binades down" leaves an interval."""
    facts = [four.top == number(TOP)]
    for h, binade in ((four.h2, p.near), (four.h1, p.far), (four.h2p, p.near_p)):
        facts += spacing_in(binade, h)
    return facts


def spacing_in(binade: int, h: Any) -> list[Any]:
    """What the spacing h in a binade is, in units of u (`premises`)."""
    least, *most = map(number, spacings(binade))
    return [h >= least, h <= most[0]] if most else [h == least]


def within(delta: Any, limits: Limits) -> list[Any]:
    least, most = limits
    facts = [] if least is None else [delta >= least]
    return facts if most is None else [*facts, delta <= most]


def assumed(row: Row, multiple: Any, sensitivity: Any, delta: Any) -> list[Any]:
    """What a row takes as known of Δ and δ, in units of u; coverage.py asks for it. `multiple`: H divides Δ."""
    return [has_size(HEADS[row.head], multiple, sensitivity), *within(delta, row.limits)]


def fine_facts(four: Four) -> list[Any]:
    """What is known if Δ is a multiple of H, and so of every spacing."""
    return [z3.Implies(four.multiple, z3.And(*four.fine()))]


def coarse_facts(four: Four, closed: bool) -> list[Any]:
    """What is known if Δ is a power of two below H.

    If Δ ≥ h2', then Δ is a multiple of h2'. If Δ < h2', then τ2 and τ2' lie in one binade, or a power of two (`edge`)
    lies between them and they are in neighbouring binades (lemma `coarse`).
    """
    edge = z3.Real("edge")
    same = [fact for step in (0, 1, 2) for fact in four.c2p.beside(four.c2.lo + step * four.h2)]
    passed = (four.t2 <= edge, edge < four.c2p.t) if closed else (four.t2 < edge, edge <= four.c2p.t)
    crossing = [*passed, neighbours(four.h2, four.h2p)]
    for cell in (four.c2, four.c2p, four.t2_in_h2p):
        crossing += cell.beside(edge) + cell.beside(edge + cell.h) + cell.beside(edge - cell.h)
    for cell in (four.t2_in_h1, four.t2p_in_top):
        beside = cell.beside(edge) + cell.beside(edge - four.top)
        crossing.append(z3.Implies(four.h2p == four.top, z3.And(beside)))
    smaller = z3.And(
        2 * four.sensitivity <= four.h2p,
        z3.Or(z3.And(four.h2 == four.h2p, *same), z3.And(four.h2 < four.h2p, *crossing)),
    )
    ordered = map(at_least_zero, moved(four.d2, four.d1))
    return [*ordered, z3.Or(z3.And(four.h2p <= four.sensitivity, *four.fine()), smaller)]


def has_size(size: Fraction | None, multiple: Any, sensitivity: Any) -> Any:
    """Δ is a multiple of H (None), or Δ/u has this size."""
    return multiple if size is None else of_size(sensitivity, size)


def of_size(sensitivity: Any, size: Fraction) -> Any:
    """Δ/u is one of SIZES; the last of these is an upper bound."""
    return sensitivity == number(size) if size > QUARTER else z3.And(sensitivity > 0, sensitivity <= number(size))


def number(x: Any) -> Any:
    """A number as a solver term; a solver term as it is."""
    return _constant(Fraction(x)) if isinstance(x, int | Fraction) else x


@cache
def _constant(x: Fraction) -> Any:
    return z3.RealVal(str(x))
