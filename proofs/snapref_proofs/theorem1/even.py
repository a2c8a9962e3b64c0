"""Theorem 1 for ties to even in round_Λ (001 and 002, §4.2.2; 004 §4): c and c' on one side of an interior output.

Ties to even give the interval of an even k both of its ends, and that of an odd k none (ties.py). So its length is
Λ + δ with δ > 0 for an even k and δ < 0 for an odd one. |δ| is the spacing of floats at x, or 3/4 of it where |x| is a
power of two. If k is even, the cells of near distances are closed and those of far ones open. If k is odd, it is the
other way round. Below an output everything is as above it. So c and c' are above. Ties away from zero leave the output
0 without its ends; there it is treated like an odd k.

A δ that is never 0 would cost too much if all errors were independent. Two facts make up for it (`steps` in
inversion.py). Where the four εV lie in one binade, w - w' is a whole number of steps 2Y, but for E_u. And where Δ is
smaller than the spacing H, D2 is at most H, and g1' ≥ g1: so w - w' is at most g2' - g2.

The rows are built like those of scenarios.py, and the same functions decide them: the formula of interior.py, the facts
about cells of grid.py and rows.py, the configuration of coverage.py, and the joints of joined.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import z3

from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import (
    coverage,
    interior,
    joined,
    joined_inside,
    meanings,
    one_threshold,
    reach,
    rows,
    two_sided,
)
from snapref_proofs.theorem1.coarse import no_power
from snapref_proofs.theorem1.coverage import ANY, Ell, Unknowns
from snapref_proofs.theorem1.grid import SIDES, Four, named, wide_enough
from snapref_proofs.theorem1.inversion import powers
from snapref_proofs.theorem1.joined import Kind
from snapref_proofs.theorem1.premises import each_kind, offset
from snapref_proofs.theorem1.rows import TOO_MUCH, Limits, number, promised
from snapref_proofs.theorem1.scenarios import (
    HALF,
    QUARTER,
    SIZES,
    TOP,
    Pattern,
    Reach,
    Scenario,
    at_least,
    at_point,
    beyond,
    coarse_move,
    head_of,
    lattices,
    opposite,
    patterns,
    spacings,
)
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import in_proportion
from snapref_proofs.theorem1.widths import apart_narrower, apart_wider, near_gain, width_narrower
from snapref_smt.engine.statement import Family, Stated, Statement, absolute

ZERO, ONE = Fraction(0), Fraction(1)
SMALL, UP_TO_HALF, ABOVE_HALF, ABOVE_ONE = "|x| ≤ P/4", "P/4 < |x| ≤ P/2", "P/2 < |x| < P", "P ≤ |x| < 2P"
LARGEST = {"x = 0": TOP, SMALL: TOP, UP_TO_HALF: ONE, ABOVE_HALF: ONE, ABOVE_ONE: TOP}  # |δ|/u
KINDS = (
    *(Kind("independent", loose, reaches) for loose, reaches in ((False, 1), (False, 2), (False, 3), (True, 1))),
    *(Kind("independent", loose, reaches) for loose, reaches in ((False, 4), (True, 2))),
    *(Kind("monotone", False, reaches) for reaches in (2, 3, 4, 5)),
    *(Kind(mode, False, reaches) for mode in ("steps", "spread") for reaches in (3, 4)),
)


@dataclass(frozen=True)
class Row(rows.Row):
    """A row of the table for intervals with both ends (near cells are `closed`), or without."""

    closed: bool

    @property
    def limits(self) -> Limits:
        """The least and the largest δ/u; None where there is no limit. δ ≥ 0 with both ends, δ ≤ 0 without."""
        largest = LARGEST.get(self.place)
        if self.closed:
            return ZERO, largest
        return None if largest is None else -largest, ZERO

    @property
    def kind(self) -> tuple[Any, ...]:
        return *super().kind, self.closed


@cache
def scenarios() -> list[Scenario]:
    sizes = (None, *SIZES)
    return [one for ell, p, size in product(lattices(), patterns(), sizes) for one in _scenarios(ell, p, size)]


@cache
def table() -> list[Row]:
    """Every scenario as a row for intervals with both ends, and as one for intervals without."""
    found = []
    for one, closed in product(scenarios(), SIDES):
        _, head, place = one.name.split(", ")
        found.append(Row(head, place, one.pattern, one.ell, (one,), closed))
    return found


def _scenarios(ell: Ell, p: Pattern, size: Fraction | None) -> Iterator[Scenario]:
    """The scenarios of one Λ/P, one pattern of binades and one size of Δ: a multiple of H (None), or Δ/u.

    Where Δ < H, `apart` is a bound on D2, and with it one on D2 - D1.
    """
    found = (None, p.worst(lambda h2, h1, h2p: near_gain(h2, h2p))) if size is None else coarse_move(p, size)
    if found is None:
        return
    move, gain = found

    def scenario(place: str, apart: Fraction, width: Fraction, *reaches: Reach, mode: str = "independent") -> Scenario:
        loose = place == "|x| ≥ 2P"
        if size is not None and move is not None:
            apart, reaches, mode = move, (*reaches, beyond(size)), "independent" if loose else "monotone"
            width = width if loose else p.any_width(TOP)
        name = f"even, {head_of(size)}, {place}"
        return Scenario(name, p, ell, gain, apart, width, reaches, loose=loose, mode=mode)

    yield scenario("x = 0", p.free, p.any_width(TOP), reach.at_zero)
    if ell[1] <= QUARTER:
        yield scenario(SMALL, p.free, p.any_width(TOP), reach.anywhere, opposite(QUARTER))
    mode = "steps" if p.near <= 1 else "independent"  # where τ2 is smaller, independent errors are small enough
    for place, room, largest in ((UP_TO_HALF, opposite(HALF), HALF), (ABOVE_HALF, above_half, QUARTER)):
        if ell[1] <= largest:
            reaches = (reach.anywhere, one_step, room, *((_past_one(room),) if p.near_p == 0 else ()))
            yield scenario(place, apart_at(p, LARGEST[place]), width_at(p, LARGEST[place]), *reaches, mode=mode)
    if ell[1] <= 1:
        yield scenario(ABOVE_ONE, p.free, p.any_width(TOP), at_least(ONE))
    yield scenario("|x| ≥ 2P", p.free, p.any_width(ZERO), at_least(Fraction(2)))


def wider(p: Pattern, delta: Fraction) -> Fraction:
    """The largest D2 - D1, for 0 ≤ δ ≤ delta, if near cells are closed and far ones open."""
    extra = ZERO if delta < min(spacings(p.near)) else delta
    return min(p.free, p.worst(lambda h2, h1, h2p: apart_wider(h2, h1, h2p, TOP, extra)))


def narrower(p: Pattern, delta: Fraction) -> Fraction:
    """The largest D2 - D1, for -delta ≤ δ ≤ 0, if near cells are open and far ones closed."""
    extra = ZERO if delta < min(spacings(p.near_p)) else delta
    return min(p.free, p.worst(lambda h2, h1, h2p: apart_narrower(h2, h1, h2p, TOP, extra)))


def apart_at(p: Pattern, delta: Fraction) -> Fraction:
    """The largest D2 - D1, for |δ| ≤ delta: k is even and δ > 0, or k is odd and δ < 0."""
    return max(wider(p, delta), narrower(p, delta))


def width_at(p: Pattern, delta: Fraction) -> Fraction:
    """The smallest V1' - V2' - Λ, for |δ| ≤ delta < H."""
    return max(p.any_width(delta), -p.worst(lambda h2, h1, h2p: -width_narrower(h2p, TOP)))


def one_step(a: Any, ell: Any, eta: Any) -> Any:
    return ell  # |k| ≥ 1


def above_half(a: Any, ell: Any, eta: Any) -> Any:
    return at_point(eta, HALF) + ell  # |x| > P/2, and both are multiples of Λ


def _past_one(room: Reach) -> Reach:
    """A lower bound on B if τ2' ≥ P: then τ1' is at least P + Λ - |δ|."""
    return lambda a, ell, eta: room(1 + ell - 2 * eta, ell, eta)


@cache
def stated_rows() -> list[Family]:
    """The rows that no other row implies: their bounds follow from the facts about cells."""
    found: dict[tuple[str, Pattern, bool], list[Statement]] = {}
    for row in rows.sharpest(table()):
        found.setdefault((row.head, row.pattern, row.closed), []).append(stated(row))
    known = {(head, closed): facts(head, closed) for head, _, closed in found}
    families = []
    for (head, pattern, closed), statements in found.items():
        held = [*known[head, closed], *rows.widths(named(closed), pattern)]
        families.append(Family(f"even, {head}, {pattern}, closed={closed}", held, statements))
    return families


def facts(head: str, closed: bool) -> list[Any]:
    """What is known of the four cells: those of far distances are of the other kind."""
    return rows.facts(head, closed, not closed)


def unstated(stated: Sequence[Family]) -> Iterator[str]:
    """Rows whose bounds follow from no statement. There should be none."""
    told = {member.name for family in stated for member in family.members}
    return rows.unstated(table(), (row for row in table() if rows.name_of(row, row.closed) in told))


def stated(row: Row) -> Statement:
    four, s = named(row.closed), row.scenarios[0]
    right, too_much = (promised(four, s, less) for less in (ZERO, TOO_MUCH))
    own = rows.assumed(row, four.multiple, four.sensitivity, four.delta)
    return Statement(rows.name_of(row, row.closed), own, right, too_much)


class Even(Unknowns):
    """A configuration of coverage.py with ties to even. `closed`: the interval has both ends, as k is even.

    If it has none, k is odd, or it is 0 and ties go away from zero.
    """

    def __init__(self, closed: bool, ell: Ell, regime: Regime) -> None:
        super().__init__(closed, ell, regime)
        self.widest = 2 if closed else 4  # δ > 0 makes τ1' larger than Λ

    def places(self) -> dict[str, list[Any]]:
        """The half gaps at T1 and T2, for each kind of k. Q is the power of two below |x|, and eta_Q is ηQ."""
        ell, xi, w, v = self.ell, self.xi, self.eta_x, self.eta_ell
        q, eta_q = z3.Reals("Q eta_Q")
        powers_of_two = [powers(q, number(size)) for size in (4, 1, HALF, QUARTER)]
        power = z3.Or(xi <= number(QUARTER), xi == number(HALF), xi == 1, z3.And(xi >= 2, xi <= 4), xi >= 8)
        size = xi >= 2 * ell if self.closed else xi == ell  # the only odd power of two is 1
        smaller, larger = (w / 2, xi / 2), (w, xi)
        kinds = {
            "|k| = 2**n, x > 0": [self.x > 0, size, power, *self.gaps(smaller, larger)],
            "|k| = 2**n, x < 0": [self.x < 0, size, power, *self.gaps(larger, smaller)],
            "|k| no power of two": [
                xi >= 3 * ell,
                *powers_of_two,
                q + ell <= xi,
                xi < 2 * q,
                eta_q >= 0,
                eta_q <= w,
                eta_q <= self.eta * q,
                *self.gaps((eta_q, q), (eta_q, q)),
            ],
        }
        part = 2 if self.closed else 4  # without its ends, as ties away from zero leave it: the gaps next to 0
        return {"k = 0": [self.x == 0, *self.gaps((v / part, ell / part), (v / part, ell / part))], **kinds}

    def gaps(self, first: tuple[Any, Any], second: tuple[Any, Any]) -> list[Any]:
        """The half gaps at T1 and T2, each as a length and in units of u: outside the interval if k is even."""
        sign = 1 if self.closed else -1
        lengths = [self.g1 == sign * first[0], self.g2 == -sign * second[0]]
        return [*lengths, self.delta_u == sign * (first[1] + second[1])]


def premises(regime: Regime) -> list[Statement]:
    """What Even.places says follows from the binades of the thresholds, as in premises.py: the half gap is η·q.

    q is the power of two at or below |T|, or half of that between a power of two and the float nearer to 0. And cells
    of different kinds are as far apart as those of one kind.
    """
    here = [Even(closed, ANY, regime) for closed in SIDES]
    apart = [wide_enough(Four(closed, not closed)) for closed in SIDES]
    return [*(statement for one in here for statement in (*_premises(one), offset(one))), *apart]


def _premises(here: Even) -> list[Statement]:
    x, xi, ell, w, v = here.x, here.xi, here.ell, here.eta_x, here.eta_ell
    t1, t2 = x - ell / 2, x + ell / 2
    q1, q2, p1, p2, g1, g2, q, eta_q = z3.Reals("q1 q2 Q1 Q2 gap1 gap2 Q eta_Q")
    sign = 1 if here.closed else -1
    facts = [ell > 0, here.g1 == sign * g1, here.g2 == -sign * g2, here.delta_u == sign * (q1 + q2)]
    inward = (t1 > 0, t2 < 0) if here.closed else (t1 < 0, t2 > 0)  # the side of T on which its gap lies is that of 0
    for t, power, half, g, to_zero in ((t1, p1, q1, g1, inward[0]), (t2, p2, q2, g2, inward[1])):
        at_power = z3.And(to_zero, absolute(t) == power)
        facts += [power > 0, power <= absolute(t), absolute(t) < 2 * power]
        facts += [half == z3.If(at_power, power / 2, power), g <= here.eta * half]
        lengths = [(xi, w), (xi / 2, w / 2), (ell / 2, v / 2), (ell / 4, v / 4), (q, eta_q)]
        for length, times_eta in (*lengths, (number(0), number(0))):
            facts += in_proportion(half, g, length, times_eta)
    known = [powers(power, other) for power in (p1, p2) for other in (xi, xi / 2)]
    known += [powers(xi, number(4)), powers(xi, number(1)), powers(xi, number(HALF))]
    size = xi >= 2 * ell if here.closed else xi == ell
    apart = [z3.Or(q + ell <= xi, q >= xi), *(powers(q, number(s)) for s in (4, 1, HALF, QUARTER))]  # multiples of Λ
    kinds = {
        "k = 0": [x == 0, *(powers(power, ell / 2) for power in (p1, p2))],
        "|k| = 2**n, x > 0": [x > 0, size, *known],
        "|k| = 2**n, x < 0": [x < 0, size, *known],
        "|k| no power of two": [*no_power(xi, ell, p1, p2), q == p1, *apart],
    }
    return each_kind(here, facts, kinds, dict.fromkeys(kinds, g1 == 0))


def multiples() -> list[Statement]:
    """Different multiples of Λ are at least Λ apart. k and Q, a power of two that is at least Λ, are in units of Λ."""
    k, q = z3.Ints("k Q")
    facts = [k >= 1, q >= 1]
    return [Statement("multiples of Λ", facts, z3.Or(q + 1 <= k, q >= k), z3.Or(q + 2 <= k, q >= k))]


def covered(regime: Regime) -> list[Stated]:
    """Some row, and for the other ratio some case, applies to every configuration; and so for outputs around c."""
    stated: list[Stated] = [*coverage.lattice_sizes(regime, Even), *coverage.inside(regime)]
    for closed in SIDES:
        for ell in Even(closed, ANY, regime).lattices():
            stated += [forward(closed, ell, regime), coverage.backward(closed, ell, regime, Even)]
    return stated


def forward(closed: bool, ell: Ell, regime: Regime, unknowns: type[Even] = Even) -> Family:
    """Some row applies, for each pattern of binades."""
    own = [row for row in table() if (row.closed, row.ell) == (closed, ell)]
    return coverage.some_row(unknowns(closed, ell, regime), own)


def inequalities(regime: Regime) -> Iterator[Inequality]:
    """All that is optimised for ties to even."""
    yield from interior.inequalities(scenarios(), regime)
    yield from interior.backward_inequalities(interior.backward(), regime)
    yield from one_threshold.inequalities(regime)
    yield from two_sided.inequalities(regime)


def joints(regime: Regime) -> list[Statement]:
    """If these inequalities hold, so does the theorem for ties to even."""
    one_side = [*joined.forward(regime, KINDS), *joined.backward(regime)]
    return [*one_side, *joined.ends(regime), *joined_inside.inside(regime), *meanings.theorem(regime)]


def in_steps(regime: Regime, one_side: type[joined.OneSide]) -> list[Statement]:
    """The joint of a row whose mode is `steps`."""
    return joined.forward(regime, [next(kind for kind in KINDS if kind.mode == "steps")], one_side)


def unlike(listed: Sequence[Inequality], regime: Regime) -> Iterator[str]:
    """Inequalities that are optimised, but are not those that `joints` is about. There should be none."""
    yield from joined.unlike_forward(listed, regime, scenarios(), KINDS)
    yield from joined.unlike_backward(listed, regime)
    yield from joined.unlike_ends(listed, regime)
    yield from joined.unlike(listed, two_sided.inequalities(regime))
