"""Nothing is left out: the lemmas `coverage.*` of Theorem 1 (004 §4). Every configuration has a row in the tables.

A configuration is described from the program alone: c and c' in [-B, B], at most Δ apart and on one side of the output
x = kΛ; the thresholds t1* = x - Λ/2 - g1 and t2* = x + Λ/2 - g2 with their half gaps g; and the conditions of the
theorem. Two solvers then show that some row of the tables applies to it:

- the row's pattern of binades, its size of Δ and its δ are those of the configuration;
- B is at least as large as the row says;
- the configuration lies in the row's box, on every side of it, and not in a part that is skipped;
- no distance is larger than the inequalities on boxes assume (`Numbers.places`).

The rows, boxes and bounds are the same objects and functions that rows.py and interior.py use. Here they are evaluated
on solver terms. The unit is P, the power of two with P ≤ τ1' < 2P, as in scenarios.py. Products with η (η·|x|, η·Λ,
η·B) are variables of their own, with what is known of their size. This keeps the arithmetic linear, and proves more
than is needed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from snapref_proofs.evaluate.boxes import Box
from snapref_proofs.theorem1 import independent as figure2
from snapref_proofs.theorem1 import interior, inversion, one_threshold, rows, two_sided
from snapref_proofs.theorem1.grid import SIDES, at_least_zero
from snapref_proofs.theorem1.interior import Backward, Numbers
from snapref_proofs.theorem1.inversion import in_bounds
from snapref_proofs.theorem1.meanings import share
from snapref_proofs.theorem1.reach import reached, spare
from snapref_proofs.theorem1.rows import Row, number
from snapref_proofs.theorem1.scenarios import (
    HALF,
    HEADS,
    QUARTER,
    Pattern,
    Reach,
    Scenario,
    highest,
    lattices,
    lowest,
    patterns,
)
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import flat
from snapref_smt.engine.statement import Family, Statement, absolute, in_cases, variables_of

Ell = tuple[Fraction, Fraction]
ZERO = Fraction(0)
ANY: Ell = (Fraction(0), Fraction(10**9))  # ends that differ: Λ/P is a variable
Table = Callable[..., Family]  # of a side of c, a size of Λ/P, a regime, and what rows ask for
Sides = Callable[[Box, Mapping[str, tuple[Any, Any]]], list[Any]]  # what a box asks for


def between_sides(box: Box, own: Mapping[str, tuple[Any, Any]]) -> list[Any]:
    """For every side of the box: the value, divided by its unit, lies between the two ends."""
    ends = [(*own[name], number(low), number(high)) for name, (low, high) in box.items()]
    return [z3.And(low * unit <= value, value <= high * unit) for value, unit, low, high in ends]


def lower_half(name: str) -> Sides:
    """The twin of `between_sides`: it asks for the lower half of one side of the box."""

    def sides(box: Box, own: Mapping[str, tuple[Any, Any]]) -> list[Any]:
        halves = {side: (low, (low + high) / 2 if side == name else high) for side, (low, high) in box.items()}
        return between_sides(halves, own)

    return sides


def in_binade(t: Any, binade: int, closed: bool) -> Any:
    """t lies this many binades below τ1'. Where cells are closed, a power of two belongs to the binade below it."""
    low, high = number(lowest(binade)), number(highest(binade))
    return z3.And(low < t, t <= high) if closed else z3.And(low <= t, t < high)


def of_lattice(ell: Any, size: Ell) -> list[Any]:
    """Λ/P is the power of two that rows are about, or one of those below it."""
    low, high = map(number, size)
    return [ell == high] if size[0] == size[1] else [ell > low, ell <= high]


def thresholds(x: Any, ell: Any, g1: Any, g2: Any) -> tuple[Any, Any]:
    """t1* and t2*, the ends of the interval of an output."""
    return x - ell / 2 - g1, x + ell / 2 - g2


def conditions(eta: Any, beta: Any, regime: Regime) -> list[Any]:
    """The conditions of the regime on p, and on β = B·η/λ."""
    return [eta <= number(regime.eta), beta <= number(regime.max_beta)]


def small_gap(g: Any, most: Any) -> list[Any]:
    """|g| ≤ η|T|, where T is the threshold."""
    return [-most <= g, g <= most]


def small_offset(delta: Any, eta_bound: Any, regime: Regime) -> Any:
    """|δ| ≤ offset·ηB (`premises`); so |εδ| ≤ offset·β."""
    return z3.And(*small_gap(delta, number(regime.offset) * eta_bound))


class Extreme:
    """The least of some terms, or the greatest: compared with a term, it becomes comparisons without if-then-else."""

    def __init__(self, least: bool, terms: list[Any]) -> None:
        self.least, self.terms = least, terms

    def __add__(self, term: Any) -> "Extreme":
        return Extreme(self.least, [one + term for one in self.terms])

    def __sub__(self, term: Any) -> "Extreme":
        return Extreme(self.least, [one - term for one in self.terms])

    def __ge__(self, term: Any) -> Any:
        return (z3.And if self.least else z3.Or)([one >= term for one in self.terms])

    def __le__(self, term: Any) -> Any:
        return (z3.Or if self.least else z3.And)([one <= term for one in self.terms])


class Symbols(Numbers):
    """The arithmetic of interior.py on solver terms."""

    def __init__(self) -> None:
        pass

    def __call__(self, x: Fraction | int) -> Any:
        return number(x)

    def least(self, *xs: Any) -> Any:
        return Extreme(True, [number(x) for x in xs])

    def greatest(self, *xs: Any) -> Any:
        return Extreme(False, [number(x) for x in xs])

    def below(self, x: Any, limit: Fraction) -> Any:
        return number(x) < number(limit)


class Unknowns:
    """A configuration in which every number is a variable: an output x, c, and c' on the same side but further away.

    `closed` means that the cells of near distances are. With ties up this is so if c and c' are below the output. With
    ties to even it is so if k is even, on both sides; there the far ones are open, and c and c' are above the output.
    """

    def __init__(self, closed: bool, ell: Ell, regime: Regime) -> None:
        self.closed, self.regime, self.range = closed, regime, ell
        self.far_closed, below = (not closed, False) if regime.ties == "even" else (closed, closed)
        self.eta = regime.eta
        self.c, self.cp, self.x, self.bound, self.scale = z3.Reals("c c' x B lambda")
        self.g1, self.g2 = z3.Reals("g1 g2")
        self.unit, self.eta_x, self.eta_ell, self.eta_bound = z3.Reals("u eta_x eta_Lambda eta_B")  # u = ηP
        self.delta_u, self.gap_u = z3.Reals("delta/u g/u")  # of the near threshold
        self.size = z3.Real("Delta/u")
        self.fine = z3.Bool("Delta_is_a_multiple_of_H")
        self.ell: Any = ell[0] if ell[0] == ell[1] else z3.Real("Lambda")
        low, high = thresholds(self.x, self.ell, self.g1, self.g2)

        def distances(c: Any) -> tuple[Any, Any]:
            return (low - c, high - c) if below else (c - high, c - low)

        (self.t2, self.t1), (self.t2p, self.t1p) = distances(self.c), distances(self.cp)
        self.d = self.c - self.cp if below else self.cp - self.c
        self.xi = absolute(self.x)
        self.delta = self.t1 - self.t2 - self.ell
        self.widest = 4  # Λ/P is smaller
        self.t = z3.Real("t")  # s = ηεP is t times its largest possible value (`meanings`)
        self._fits: dict[Scenario, Any] = {}  # this and the next two: to build the same terms again takes long
        self._patterns: dict[Pattern, Any] = {}
        self._reached: dict[tuple[Reach, ...], list[Any]] = {}

    def lattices(self) -> list[Ell]:
        """The sizes of Λ/P that are possible here."""
        return [size for size in lattices() if size[0] < self.widest]

    def in_box(self, box: Box) -> list[Any]:
        """κ = Λ/λ, a = τ1', ℓ = Λ and t lie between the sides of the box."""
        own = {"kappa": (self.ell, self.scale), "a": (self.t1p, 1), "ell": (self.ell, 1), "t": (self.t, 1)}
        return between_sides(box, own)

    def facts(self) -> list[Any]:
        facts = [self.d > 0, self.t2 > 0, self.far_within(self.t1p, 0)]  # c ≠ c', and c ≠ t* (`rounding`)
        facts += share(self.t)
        return [*facts, *of_lattice(self.ell, self.range), *self.sizes(), self.place(), *self.sensitivity()]

    def sizes(self) -> list[Any]:
        """The conditions of the theorem, with Λ/2 < λ ≤ Λ and |x| < B (`premises`)."""
        facts = [absolute(self.c) <= self.bound, absolute(self.cp) <= self.bound, self.xi < self.bound]
        facts += [self.scale <= self.bound, self.scale <= self.ell, self.ell < 2 * self.scale]
        facts += [self.unit > 0, self.unit <= self.eta, 64 * self.unit <= self.ell]  # H = 2u ≤ Λ/32
        facts += [self.eta_bound <= number(self.regime.max_beta) * self.scale]
        facts += [self.eta_x >= 0, self.eta_x <= self.eta * self.xi, self.eta_x <= self.eta_bound]
        return [*facts, self.eta_ell > 0, self.eta_ell <= self.eta * self.ell, self.eta_ell <= 2 * self.eta_bound]

    def place(self) -> Any:
        """x = kΛ with the half gaps of its thresholds, as the lemma `premises` gives them."""
        return z3.Or(*(z3.And(*facts) for facts in self.places().values()))

    def places(self) -> dict[str, list[Any]]:
        ell, xi, w, v = self.ell, self.xi, self.eta_x, self.eta_ell
        some = [self.g1 >= 0, self.g1 <= w + v / 2]
        power = z3.Or(xi <= number(QUARTER), xi == number(HALF), xi == 1, xi >= 2)  # a power of two against P

        def gaps(first: tuple[Any, Any], second: tuple[Any, Any]) -> list[Any]:
            """The half gaps below T1 and below T2, each as a length and in units of u."""
            near = first[1] if self.closed else second[1]
            return [self.g1 == first[0], self.g2 == second[0], self.gap_u == near, self.delta_u == first[1] - second[1]]

        negative = gaps((w, xi), (w / 2, xi / 2))
        positive = gaps((w / 2, xi / 2), (w, xi))
        step = gaps((w / 4, xi / 4), (w, xi))
        return {
            "k = 0": [self.x == 0, *gaps((v / 2, ell / 2), (v / 4, ell / 4))],
            "|k| no power of two": [xi >= 3 * ell, *some, self.g1 == self.g2, self.delta_u == 0],
            "k = -2**n": [self.x < 0, xi >= ell, power, *negative],
            "k = 2**n > 1": [self.x > 0, xi >= 2 * ell, power, *positive],
            "k = 1": [self.x > 0, xi == ell, power, *step],
        }

    def sensitivity(self) -> list[Any]:
        """Δ is a multiple of H, or a power of two below H.

        In the second case c ≠ c' makes |c| and |c'| at most 2**p Δ = (Δ/u)P (`few_values` in coarse.py).
        """
        coarse = z3.Or(*(self.head(head) for head in HEADS if head != "fine"))
        small = z3.And(absolute(self.c) <= self.size, absolute(self.cp) <= self.size)
        return [z3.Or(self.fine, z3.And(z3.Not(self.fine), coarse, small))]

    def with_half_of_b(self, covered: Any) -> Any:
        """The twin: with B/2 in place of B, the bounds on B must fail."""
        return z3.substitute(covered, (self.bound, self.bound / 2))

    def head(self, name: str) -> Any:
        """Δ has the size that the row's head names, and |c - c'| ≤ Δ."""
        size = HEADS[name]
        if size is None:
            return self.fine
        return z3.And(z3.Not(self.fine), rows.of_size(self.size, size), self.d <= number(size) * self.unit)

    def assumed(self, row: Row) -> list[Any]:
        """What the row takes as known of Δ and δ."""
        return rows.assumed(row, self.fine, self.size, self.delta_u)

    def sized(self, size: Fraction | None) -> Any:
        """What a case of the other ratio takes as known of Δ."""
        return rows.has_size(size, self.fine, self.size)

    def within(self, t: Any, binade: int) -> Any:
        """The distance of a near threshold lies this many binades below τ1'."""
        return in_binade(t, binade, self.closed)

    def far_within(self, t: Any, binade: int) -> Any:
        """The same for the distance of a far threshold."""
        return in_binade(t, binade, self.far_closed)

    def pattern(self, p: Pattern) -> Any:
        if p not in self._patterns:
            near, far = self.within(self.t2, p.near), self.far_within(self.t1, p.far)
            self._patterns[p] = z3.And(near, far, self.within(self.t2p, p.near_p))
        return self._patterns[p]

    def covered(self, row: Row) -> Any:
        """The row applies here: its facts (rows.py) are true, and so are its bounds on B and on the distances."""
        if not all(map(self.possible, row.scenarios)):
            return z3.BoolVal(False)
        facts = [self.pattern(row.pattern), *self.assumed(row), *self.parity(row.parity)]
        for scenario in row.scenarios:
            facts.append(self.fits(scenario))
            facts += self.reached(scenario)
        return z3.And(*facts)

    def possible(self, scenario: Scenario) -> bool:
        """Whether the binades of the scenario can occur together."""
        return interior.box_of(scenario, self.regime) is not None

    def reached(self, scenario: Scenario) -> list[Any]:
        """B is at least as large as the scenario says."""
        if scenario.reaches not in self._reached:
            self._reached[scenario.reaches] = reached(scenario.rooms(self.t1p, self.ell, self.eta), self.bound)
        return self._reached[scenario.reaches]

    def fits(self, scenario: Scenario) -> Any:
        """The configuration lies in the scenario's box, and no distance is larger than the scenario assumes."""
        place = replace(scenario, name="", gain=ZERO, apart=ZERO, width=ZERO, reaches=())  # many share the rest
        if place not in self._fits:
            self._fits[place] = self._fitting(place)
        return self._fits[place]

    def _fitting(self, scenario: Scenario) -> Any:
        box = interior.box_of(scenario, self.regime)
        assert box is not None, "`possible` says so"
        _, *most = Symbols().places(scenario, self.t1p, self.ell, number(self.regime.slack))
        facts = [*self.in_box(box), *self.no_further(most, (self.t2, self.t1, self.t2p)), self.tried(scenario)]
        return z3.And(*facts, *([self.small_offset()] if scenario.loose else []))

    def tried(self, scenario: Scenario) -> Any:
        """The configuration is not in a part of the box that is skipped."""
        return z3.Not(interior.skipped(Symbols(), scenario, self.t1p, self.ell, number(self.regime.slack)))

    def no_further(self, most: Sequence[Any], distances: Sequence[Any]) -> list[Any]:
        """No distance is larger than the inequalities on boxes assume."""
        return [m >= t for t, m in zip(distances, most, strict=True)]

    def small_offset(self) -> Any:
        return small_offset(self.delta, number(self.regime.max_beta) * self.scale, self.regime)

    def parity(self, of: str) -> list[Any]:
        """What the lemma `parity` assumes if it is used for c', or for both: |x| = P/2, and these are not smaller."""
        values = {"": (), "c'": (self.cp,), "both": (self.c, self.cp)}[of]
        return [z3.And(self.xi == number(HALF), absolute(c) >= number(HALF)) for c in values]


def forward(closed: bool, ell: Ell, regime: Regime, unknowns: type[Unknowns] = Unknowns) -> Family:
    """For the ratio P(x|nearer)/P(x|farther): some row applies, for each pattern of binades."""
    return some_row(unknowns(closed, ell, regime), [row for row in rows.table() if row.ell == ell])


def some_row(here: Unknowns, table: Sequence[Row]) -> Family:
    """For each pattern one of its rows applies."""
    every, tail = list(patterns()), f"ℓ ≤ {here.range[1]}, closed={here.closed}"
    members = []
    for p in every:
        covered = z3.Or(False, *(here.covered(row) for row in table if row.pattern == p))
        members.append(Statement(f"{p}, {tail}", [here.pattern(p)], covered, here.with_half_of_b(covered)))
    return in_cases(f"forward, {tail}", here.facts(), members)


def backward(closed: bool, ell: Ell, regime: Regime, unknowns: type[Unknowns] = Unknowns) -> Family:
    """For the other ratio: some case of interior.backward applies."""
    here, tail = unknowns(closed, ell, regime), f"ℓ ≤ {ell[1]}, closed={closed}"
    known = [case for case in interior.backward() if case.ell == ell]
    covered = z3.Or(False, *(z3.And(here.sized(case.coarse), applies(here, case)) for case in known))
    members = []
    for head in HEADS:
        name = f"backward, {head}, {tail}"
        twin = z3.substitute(covered, (here.bound, here.bound / 4))  # half of B is still enough where p = 7 and Λ = 2P
        members.append(Statement(name, [here.head(head)], covered, twin))
    return in_cases(f"backward, {tail}", here.facts(), members)


def applies(here: Unknowns, case: Backward) -> Any:
    n, a = Symbols(), here.t1p
    facts = here.in_box(interior.backward_box(case, here.regime))
    facts += reached(case.rooms(n, a, here.ell, here.eta), here.bound)
    _, *most = case.places(a, here.ell, number(here.regime.slack))
    facts += here.no_further(most, (here.t2, here.t1, here.t2p))
    return z3.And(*facts, here.small_offset())


def narrow(side: str) -> type[Unknowns]:
    """Asks for one value of κ, or on another side of the box."""

    class Narrow(Unknowns):
        def in_box(self, box: Box) -> list[Any]:
            low, _ = box[side]
            return super().in_box({**box, side: (low, low)})

    return Narrow


class Still(Unknowns):
    """Takes no offset for small."""

    def small_offset(self) -> Any:
        return z3.BoolVal(False)


class Unsized(Unknowns):
    """Takes no Δ for one of the right size."""

    def assumed(self, row: Row) -> list[Any]:
        return [z3.BoolVal(False)]

    def sized(self, size: Fraction | None) -> Any:
        return z3.BoolVal(False)


class Odd(Unknowns):
    """Finds no configuration for `parity`."""

    def parity(self, of: str) -> list[Any]:
        return [z3.BoolVal(not of)]


class Impossible(Unknowns):
    """Takes no binades for possible."""

    def possible(self, scenario: Scenario) -> bool:
        return False


class Untried(Unknowns):
    """Takes every part of a box for skipped."""

    def tried(self, scenario: Scenario) -> Any:
        return z3.BoolVal(False)


def nearer(place: int) -> type[Unknowns]:
    """Asks for one of the distances to be smaller by P."""

    class Nearer(Unknowns):
        def no_further(self, most: Sequence[Any], distances: Sequence[Any]) -> list[Any]:
            return super().no_further([m - (1 if i == place else 0) for i, m in enumerate(most)], distances)

    return Nearer


# `uncovered` must notice each: the first in every table, the others where there are rows, and not only a few cases.
WRONG: tuple[type[Unknowns], ...] = (*map(narrow, ("kappa", "a", "t")), Still, *map(nearer, range(3)))
OF_ROWS: tuple[type[Unknowns], ...] = (Untried, Impossible)


def at_half(table: Table, regime: Regime, unknowns: type[Unknowns]) -> Iterator[Statement]:
    """What the table says of configurations with Λ = P/2, where all that a row can ask for is needed."""
    for closed in SIDES:
        family = table(closed, (HALF, HALF), regime, unknowns)
        yield from (replace(one, hypotheses=[*family.common, *one.hypotheses]) for one in family.members)


def uncovered(stated: Iterable[Statement]) -> Iterator[str]:
    """Configurations that nothing covers. There are none, unless a row or a box asks for too much."""
    for one in stated:
        solver = z3.Solver()
        solver.add(*one.negation)
        if solver.check() != z3.unsat:
            yield f"{one.name}: {solver.model()}"


def lattice_sizes(regime: Regime, unknowns: type[Unknowns] = Unknowns) -> list[Statement]:
    """Every possible Λ/P is in the list `lattices`: it is a power of two, and less than `widest`."""
    statements = []
    for closed in SIDES:
        here = unknowns(closed, ANY, regime)
        facts = [here.d > 0, here.t2 > 0, here.far_within(here.t1p, 0), *here.sizes(), here.place(), here.ell > 0]
        name, limit = f"Λ < {here.widest}P, closed={closed}", here.widest
        statements.append(Statement(name, facts, here.ell < limit, here.ell < limit // 2))
        known = [z3.And(*of_lattice(here.ell, size)) for size in here.lattices()]
        held = [here.ell > 0, here.ell < limit, *(inversion.powers(here.ell, number(high)) for _, high in lattices())]
        statements.append(Statement(f"lattices, closed={closed}", held, z3.Or(*known), z3.Or(*known[1:])))
    return statements


def comparisons() -> list[Statement]:
    """What `between_sides` and `Extreme` are for: no side of a box and no end is left out; least, greatest."""
    x, y, z, unit = z3.Reals("x y z unit")
    box = {"x": (Fraction(-1), Fraction(2)), "y": (Fraction(1), Fraction(3))}
    said = z3.And(*between_sides(box, {"x": (x, 1), "y": (y, unit)}))
    meant = z3.And(x >= -1, x <= 2, y >= unit, y <= 3 * unit)
    low, high, n = z3.If(x <= y, x, y), z3.If(x <= y, y, x), Symbols()
    pairs = [(n.least(x, y), low), (n.greatest(x, y), high), (n.least(x, y) + unit, low + unit)]
    pairs += [(n.greatest(x, y) - unit, high - unit)]
    same = [(one >= z) == (other >= z) for one, other in pairs] + [(one <= z) == (other <= z) for one, other in pairs]
    return [
        Statement("sides", [], said == meant, said),
        Statement("least and greatest", [], z3.And(*same), n.least(x, y) >= z),
    ]


def binades() -> list[Statement]:
    """Multiplying by Λ, a power of two, moves binades to binades: in units of Λ, 2**⌊log2 εV⌋·Λ = 2**⌊log2 κV⌋."""
    power, v, ell = z3.Reals("Q epsilon_V Lambda")
    held, moved = [power > 0, ell > 0, inversion.in_binade(power, v)], inversion.in_binade(power * ell, v * ell)
    return [Statement("binades", held, moved, inversion.above(2 * power * ell, v * ell))]


def ends(regime: Regime, sides: Sides = between_sides) -> list[Statement]:
    """For x = ±B, with c and c' on the side of 0: some case of one_threshold.ends applies. q is (K-1)Λ."""
    t, tp, ell, scale, bound, c, cp, q, g = z3.Reals("t t' Lambda lambda B c c' q g")
    eta = number(regime.eta)
    n = Symbols()
    statements = []
    for closed in SIDES:
        threshold = (q + ell / 2) - g if closed else -(q + ell / 2) - g
        values, gap = [absolute(c) <= bound, absolute(cp) <= bound], small_gap(g, eta * (q + ell / 2))
        facts = [*values, *gap, ell > 0, scale <= ell, ell < 2 * scale, scale <= bound]
        facts += [q < bound, bound <= q + ell, z3.Or(q == 0, q >= ell)]
        facts += [t == (threshold - c if closed else c - threshold), t >= 0]
        facts += [tp == (threshold - cp if closed else cp - threshold), tp >= t, tp >= 1, tp <= 2]
        covered = []
        for end in one_threshold.ends():
            applies, own = end.applies(n, (t, tp), tp, ell, bound, eta), {"a": (tp, 1), "ell": (ell, 1)}
            used = [str(x) for x in variables_of(applies)]  # what nothing depends on may be anything
            box = {name: side for name, side in one_threshold.box_of(end).items() if str(own[name][0]) in used}
            covered.append(z3.And(*applies, *sides(box, own)))
        statements.append(Statement(f"ends, closed={closed}", facts, z3.Or(*covered), z3.Or(*covered[:-1])))
        # if t* lies between c and c', or both are beyond it, the distances add up to at most 2B
        far = [*gap, ell > 0, q >= 0]
        beyond = [c >= threshold, cp >= threshold] if closed else [c < threshold, cp < threshold]
        distances = absolute(c - threshold), absolute(cp - threshold)
        for name, where in (("between", [c <= threshold, threshold <= cp]), ("beyond", [*far, *beyond])):
            most, less = (at_least_zero(spare(*distances, limit)) for limit in (bound, bound / 2))
            statements.append(Statement(f"{name}, closed={closed}", [*values, *where], most, less))
    v, vp, h, hp, d = z3.Reals("V V' h h' d")
    cells = [absolute(v - t) * 2 <= h, absolute(vp - tp) * 2 <= hp, tp - t == d]
    moved = z3.And(*one_threshold.moved(vp - v - d, h, hp))
    return [*statements, Statement("|D - d| ≤ (h + h')/2", cells, moved, vp - v <= d)]


def inside(regime: Regime, sides: Sides = between_sides) -> list[Statement]:
    """Every configuration lies in the boxes of two_sided.inequalities. In units of λ: b = B ≥ 1, Λ = κ, β = ηb."""
    b, kappa, c, cp, x, g1, g2, beta, eta = z3.Reals("b kappa c c' x g1 g2 beta eta")
    low, high = thresholds(x, kappa, g1, g2)
    width, part = high - low, z3.Real("part")
    facts = [b >= 1, kappa >= 1, kappa < 2, absolute(c) <= b, absolute(cp) <= b, in_bounds(absolute(x), b)]
    facts += [beta > 0, eta > 0, eta <= beta, *conditions(eta, beta, regime), small_offset(g1 - g2, beta, regime)]
    within = [low <= c, c <= high]
    own = {
        "K": (width, 1),
        "part": (c - low, width),
        "h": (eta, 1),
        "kappa": (kappa, 1),
        "beta": (beta, 1),
        "u": (1, b),
    }
    own["e"] = width - kappa, beta * number(regime.offset)
    statements = [
        Statement(
            f"{one.name}: box",
            [*facts, *(within if "part" in one.box else ())],  # only there c has to be in II
            z3.And(*sides(one.box, own)),
            b >= 2,
        )
        for one in two_sided.inequalities(regime)
    ]
    places = two_sided.places({"part": part, "K": width})
    across = [*facts, c <= low, cp >= high]
    apart = two_sided.apart(low - c, cp - high, width, cp - c, b)
    return [
        *statements,
        Statement("K > 0", facts, width > 0, width > 1),
        Statement("A", [part * width == c - low], places[0] == c - low, places[0] == high - c),
        Statement("G", [part * width == c - low], places[1] == high - c, places[1] == c - low),
        Statement("III, I: R1 + R2", across, z3.And(*map(at_least_zero, apart)), cp - c <= b),
        *_furthest(),
    ]


def _furthest() -> list[Statement]:
    """How far c' is from the interval that holds c, above it and below it. In units of B; g ≤ η(|x| + Λ/2)."""
    cp, x, lattice, g1, g2, h, r = z3.Reals("c' x Lambda g1 g2 h R")
    (low, high), most = thresholds(x, lattice, g1, g2), h * (1 + lattice / 2)
    facts = [cp >= -1, cp <= 1, x > -1, x < 1, lattice > 0, h > 0]
    facts += [*small_gap(g1, most), *small_gap(g2, most)]
    furthest = two_sided.furthest(lattice, h)
    return [
        flat("I, II: R", [*facts, cp >= high, r == cp - high], r <= furthest, r <= 1),
        flat("III, II: R", [*facts, cp <= low, r == low - cp], r <= furthest, r <= 1),
    ]


def independent(regime: Regime, sides: Sides = between_sides) -> list[Statement]:
    """Every configuration lies in the box of a case of figure2.cases, and B is as large as that case says.

    The unit is τ1' = 1, and τ1' ≤ |c' - x| + Λ/2 + g with g ≤ η(|x| + Λ/2). |δ| ≤ offset·ηB, and ηB ≤ βλ.
    """
    t2p, ell, scale, bound, delta, eta_bound, x, t, c, g = z3.Reals("t2' Lambda lambda B delta eta_B x t c' g")
    eta = number(regime.eta)
    facts = [ell > 0, scale <= ell, ell < 2 * scale, scale <= bound, t2p > 0, t2p + ell + delta == 1, *share(t)]
    facts += [small_offset(delta, eta_bound, regime), eta_bound <= number(regime.max_beta) * scale]
    facts += [z3.Or(x == 0, absolute(x) >= ell), in_bounds(absolute(x), bound), absolute(c) <= bound]
    facts += [absolute(c - x) + ell / 2 + absolute(g) >= 1, *small_gap(g, eta * (absolute(x) + ell / 2))]
    own, covered = {"kappa": (ell, scale), "a": (number(1), 1), "ell": (ell, 1), "t": (t, 1)}, []
    for case in figure2.cases():
        rooms = reached(case.rooms(own["a"][0], ell, eta), bound)
        covered.append(z3.And(*rooms, *sides(figure2.box_of(case, regime), own)))
    return [Statement("independent: box", facts, z3.Or(*covered), z3.Or(*covered[1:]))]


def tables(table: Table, regime: Regime) -> list[Family]:
    """What `forward` or `backward` states, on both sides of c, for every Λ/P."""
    return [table(closed, ell, regime) for closed in SIDES for ell in Unknowns(closed, ANY, regime).lattices()]
