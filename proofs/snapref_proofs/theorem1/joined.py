"""The joints of Theorem 1 (004 §4): what is optimised bounds the loss. The lemmas `joined.*`.

Every quantity that the proof on boxes shows to be at most 0 is a Python function. Here the very same functions run on
solver terms. Two solvers then show: if the lemmas hold, and the quantity is at most 0, then the loss of the
configuration is at most εΔ + C·Bεη + 2η. So a term that is missing from a quantity, or that is too small, is noticed.

A configuration is described by the conclusions of the lemmas: `errors`, the row of the table, `coverage` and the
calculus. The unit of lengths is P for distances and u = ηP for their differences; exponents and errors are divided by
s = ηεP, so εV/s is V/u. In these units 2η is 2λ/P, κ is s·Λ/u, and C·Bεη is C·B/P.

Some functions are not run but stand for what they mean (`Terms`): least, greatest, the average slope of f, the error of
LN, the step s, the largest distances. That each of them has this meaning is shown on its own (`meanings`, and coverage).
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import z3

from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import interior, rows
from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.interior import Backward, Numbers
from snapref_proofs.theorem1.rows import number, promises
from snapref_proofs.theorem1.scenarios import QUARTER, TOP, Pattern, Scenario
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.widths import near_gain
from snapref_smt.engine.script import subterms
from snapref_smt.engine.statement import Statement, absolute

REAL = z3.RealSort()
FOUR = ("1'", "2", "1", "2'")  # the order of Numbers.places


def applied(name: str, *xs: Any) -> Any:
    return z3.Function(name, *[REAL] * (len(xs) + 1))(*xs)


class Terms(Numbers):
    """The arithmetic of interior.py on solver terms. A function that has a meaning of its own is only named."""

    def __init__(self) -> None:
        self.asked: list[Any] = []  # the conditions under which a part of a box is skipped

    def __call__(self, x: Any) -> Any:
        return x if z3.is_expr(x) else number(x)

    def least(self, *xs: Any) -> Any:
        return applied("least", *xs)

    def greatest(self, *xs: Any) -> Any:
        return applied("greatest", *xs)

    def below(self, x: Any, limit: Fraction) -> bool:
        self.asked.append(x < number(limit))
        return False

    def exp(self, x: Any) -> Any:
        return applied("exp", x)

    def amplification(self, w: Any) -> Any:
        return applied("N", w)

    def slope(self, low: Any, apart: Any, s: Any) -> Any:
        return applied("slope", low, apart, s)

    def step(self, t: Any, room: Any, kappa: Any, ell: Any, regime: Regime) -> Any:
        return applied("step", t, room, kappa, ell)

    def places(self, scenario: Scenario, a: Any, ell: Any, slack: Any) -> tuple[Any, ...]:
        return tuple(applied(f"place {name}", a, ell, slack) for name in FOUR)

    def y_error(self, distance: Any, kappa: Any) -> Any:
        return applied("y_error", distance, kappa)

    def power(self, x: Any) -> Any:
        return applied("power", x)


class OneSide:
    """A configuration with c and c' on one side of an interior output: its numbers, and what the lemmas say of them.

    The loss is G2' - G2 + F with F = (f(w) - f(w'))/s. For the other ratio it is G2 - G2' + F with F = (f(w') - f(w))/s.
    """

    def __init__(self, regime: Regime, back: bool = False) -> None:
        self.regime, self.eta, self.back = regime, number(regime.eta), back
        self.kappa, self.a, self.ell, self.t, self.s = z3.Reals("kappa a ell t s")
        self.scale, self.bound, self.lattice, self.sensitivity = z3.Reals("lambda/P B/P Lambda/u Delta/u")

        def four(name: str) -> dict[str, Any]:
            return {which: z3.Real(f"{name}{which}") for which in FOUR}

        self.tau, self.size, self.v = four("tau"), four("V/P "), four("V/u ")
        self.error, self.lost, self.y = four("E_y"), four("E_u"), four("Y")
        g = {which: self.v[which] + self.error[which] - self.lost[which] for which in FOUR}
        w, w_p, near = g["1"] - g["2"], g["1'"] - g["2'"], g["2'"] - g["2"]
        self.rise = z3.Real("F")
        self.start, self.end = (w, w_p) if back else (w_p, w)
        self.loss = self.rise - near if back else self.rise + near
        self.d2, self.d1 = self.v["2'"] - self.v["2"], self.v["1'"] - self.v["1"]
        self.width = self.v["1'"] - self.v["2'"] - self.lattice
        self.slope = z3.Real("N")
        self.further = z3.RealVal(0)  # how much w - w' may exceed what the quantity takes it for
        self.rooms: list[Any] = []

    def variables(self) -> dict[str, Any]:
        return {"kappa": self.kappa, "a": self.a, "ell": self.ell, "t": self.t}

    def facts(self) -> list[Any]:
        """`errors`, and the units: s·λ/P = η, κ = s·Λ/u, λ ≤ B."""
        facts = [self.s > 0, self.kappa == self.s * self.lattice, self.scale > 0, self.scale <= self.bound]
        for which in FOUR:
            most, error, lost = self.y[which], self.error[which], self.lost[which]
            facts += self.scaled(most - error, most + error, lost, 2 * self.scale - lost)
            facts += [self.tau[which] >= 0, self.size[which] <= (1 + self.eta) * self.tau[which]]
        return facts

    def scaled(self, *terms: Any) -> list[Any]:
        """Each of the terms is at least 0, and so are its products with s and with N."""
        products = [z3.Implies(self.slope >= 0, self.slope * term >= 0) for term in terms if self.back]
        return [*products, *(fact for term in terms for fact in (term >= 0, self.s * term >= 0))]

    def bounded(self) -> Any:
        """The theorem: loss ≤ εΔ + 2η + C·Bεη."""
        return self.loss <= self.sensitivity + 2 * self.scale + number(self.regime.constant) * self.bound

    def unfolded(self, quantity: Any, *facts: Any) -> tuple[Any, list[Any]]:
        """The quantity of a box as a term; the facts, and what the names in both mean."""
        term = quantity(Terms(), self.variables())
        known = {"step": self.s, "N": self.slope}
        pairs = [(self.ell / self.kappa, self.scale)]
        for i, t in enumerate(subterms([term, *facts])):
            if t.num_args() and t.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                pairs.append((t, known.get(t.decl().name(), z3.Real(f"{t.decl().name()} #{i}"))))
        meanings = [z3.substitute(fact, *pairs) for fact in facts]
        for t, variable in pairs[1:]:
            meanings += self.meaning(t.decl().name(), variable, [z3.substitute(x, *pairs) for x in t.children()])
        return z3.substitute(term, *pairs), meanings

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        """What is known of the value of one of the functions of `Terms`."""
        if name in ("least", "greatest"):
            sides = [value <= x if name == "least" else value >= x for x in args]
            return [*sides, z3.Or(*(value == x for x in args))]
        if name == "step":
            t, room, kappa, ell = args
            self.rooms.append(z3.And(room <= self.bound, t == self.t, kappa == self.kappa, ell == self.ell))
            return []
        if name.startswith("place "):  # coverage
            here = z3.And(args[0] == self.a, args[1] == self.ell, args[2] == self.eta)
            return [z3.Implies(here, self.tau[name.removeprefix("place ")] <= value)]
        if name == "y_error":
            distance, kappa = args
            known = [z3.Implies(self.size[i] <= distance, z3.And(self.scaled(value - self.y[i]))) for i in FOUR]
            return [z3.Implies(kappa == self.kappa, z3.And(value >= 0, *known))]
        if name == "slope":
            low, apart, s = args
            most = apart + self.further
            held = [s == self.s, low > 0, low <= s * self.start, apart >= 0, self.end - self.start <= most]
            bounds = [value >= 0, value * number(LOW) <= 1] # e**w - 1 ≥ w
            return [z3.Implies(z3.And(held), self.rise <= value * most), z3.Implies(low >= number(LOW), z3.And(bounds))]
        (low,) = args  # N
        held = [low > 0, low <= self.s * self.start, self.end - self.start <= self.further, self.further >= 0]
        return [
            z3.Implies(low > 0, value > 0),
            z3.Implies(z3.And(held), self.rise <= value * self.further),
        ]


def forward(regime: Regime, kind: "Kind") -> list[Statement]:
    """The ratio P(x|c)/P(x|c'), for any row of the table: its bounds are variables."""
    here = OneSide(regime)
    scenario = kind.scenario
    slack = z3.Real("delta/u") if kind.loose else z3.RealVal(0)
    moved = promises(scenario, here.d2 - here.sensitivity, here.d2 - here.d1, here.width + slack)
    row = [*here.facts(), *moved, scenario.apart >= 0, *here.scaled(here.width + slack - scenario.width)]
    if kind.loose:
        row += [slack >= 0, here.s * slack <= number(regime.max_beta * 3 / 4)]
    row += [reach(0, 0, 0) <= here.bound for reach in scenario.reaches]
    if kind.mode == "parallel":  # the four εV are in one binade; what the lemma `parallel` says, in units of s
        y = here.y["2"]
        near, far = (here.error[f"{i}'"] - here.error[i] + d for i, d in (("2", here.d2), ("1", here.d1)))
        row += [here.y[i] == y for i in FOUR] + [near <= here.d2 + 2 * y, near - far <= 2 * y]
    if kind.mode == "spread":  # they are not
        row += [2 * here.y["2"] <= here.size["1'"]]
    term, facts = here.unfolded(interior.excess(scenario, regime, kind.mode))
    return [
        flat(f"{kind}: B", [*row, *facts], z3.And(here.rooms), here.bound >= 2),
        flat(str(kind), [*row, *facts, term <= 0], here.bounded(), here.loss <= here.sensitivity),
    ]


@dataclass(frozen=True)
class Kind:
    """What the formula of `excess` depends on, beside numbers: the mode, whether the row is loose, how many reaches."""

    mode: str
    loose: bool
    reaches: int

    def __str__(self) -> str:
        return f"{self.mode}{', loose' if self.loose else ''}, {self.reaches} reaches"

    @property
    def scenario(self) -> Any:
        """A row whose numbers are variables."""
        gain, apart, width = z3.Reals("gain apart width")
        reaches = tuple(lambda a, ell, eta, i=i: z3.Real(f"reach{i}") for i in range(self.reaches))
        unknown: Any = Scenario("", Pattern(0, 0, 0), (QUARTER, QUARTER), gain, apart, width, reaches, False, self.loose)
        return unknown


def flat(name: str, hypotheses: Sequence[Any], conclusion: Any, twin: Any) -> Statement:
    """The statement with every product as a variable of its own: it says more, and it is linear."""
    return Statement(name, [_flat(fact) for fact in hypotheses], _flat(conclusion), _flat(twin))


def _flat(formula: Any) -> Any:
    if not formula.num_args() or not z3.is_real(formula.arg(0)):
        return formula.decl()(*map(_flat, formula.children())) if formula.num_args() else formula
    total = polynomial(formula.arg(0) - formula.arg(1))
    terms = [number(factor) * z3.Real("·".join(names)) for names, factor in total.items() if names]
    return formula.decl()(z3.Sum(number(0), number(total.get((), Fraction(0))), *terms), number(0))


def polynomial(term: Any) -> dict[tuple[str, ...], Fraction]:
    """A term as a sum of products: {the variables of a product, sorted: its factor}."""
    if z3.is_rational_value(term):
        return {(): term.as_fraction()}
    if not term.num_args():
        return {(str(term),): Fraction(1)}
    parts = [polynomial(child) for child in term.children()]
    if z3.is_add(term) or z3.is_sub(term):
        return reduce(lambda p, q: plus(p, q, 1 if z3.is_add(term) else -1), parts)
    if z3.is_app_of(term, z3.Z3_OP_UMINUS):
        return plus({}, parts[0], -1)
    if z3.is_div(term) and set(parts[1]) == {()}:
        return times(parts[0], {(): 1 / parts[1][()]})
    if z3.is_mul(term):
        return reduce(times, parts)
    raise ValueError(f"{term} is not a polynomial")


Polynomial = dict[tuple[str, ...], Fraction]


def plus(p: Polynomial, q: Polynomial, sign: int) -> Polynomial:
    return {names: p.get(names, Fraction(0)) + sign * q.get(names, Fraction(0)) for names in {**p, **q}}


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    product: Polynomial = {}
    for (first, x), (second, y) in itertools.product(p.items(), q.items()):
        product = plus(product, {tuple(sorted((*first, *second))): x * y}, 1)
    return product


def backward(regime: Regime, case: Backward) -> list[Statement]:
    """The ratio P(x|c')/P(x|c), for a case of interior.backward."""
    here = OneSide(regime, back=True)
    h2, h1, slack, a, ell = *z3.Reals("h2 h1 delta/u"), here.a, here.ell
    far = near_gain(h1, number(TOP)) + here.sensitivity if case.coarse is None else number(TOP)  # `cells`, `coarse`
    row = [*here.facts(), *here.scaled(here.d2, here.d1, far - here.d1), slack >= 0]
    row += [*here.scaled(h2, h1, number(TOP) - h2, number(TOP) - h1), here.s * slack <= number(regime.max_beta)]
    row += here.scaled(here.v["1"] - here.v["2"] - here.lattice + (h1 + h2) / 2 + slack)
    if case.coarse is None:
        more = (1 - here.slope) * (here.sensitivity - number(TOP))
        row += [here.sensitivity >= number(TOP), z3.Implies(here.slope <= 1, more >= 0)]
    else:
        exact = here.sensitivity == number(case.coarse)
        row += [exact if case.coarse > QUARTER else z3.And(here.sensitivity > 0, here.sensitivity <= number(QUARTER))]
    near = case.near(Terms(), a, ell, here.eta)
    row += [here.tau["1'"] <= a, here.tau["1"] <= a, here.tau["2'"] <= near, here.tau["2"] <= near]
    row += [room <= here.bound for room in case.rooms(Terms(), a, ell, here.eta)]
    here.further = here.d1 + sum(here.y.values()) + 4 * here.scale
    term, facts = here.unfolded(interior.backward_excess(case, regime), *row)
    return [
        flat(f"{case}: B", facts, z3.And(here.rooms), here.bound >= 9),
        flat(str(case), [*facts, term <= 0], here.bounded(), here.loss <= -here.sensitivity),
    ]


def not_optimised(listed: Iterable[Inequality], regime: Regime) -> Iterator[str]:
    """What keeps the inequalities on boxes from being those of the table: a row or a mode that is not in the list, a
    box that is not the row's, a formula that is not the one that `forward` is about."""
    here, general = OneSide(regime), dict[Kind, Any]()
    v, found = here.variables(), {one.name: one for one in listed}
    for scenario in (scenario for row in rows.table() for scenario in row.scenarios):
        if scenario.apart < 0:
            yield f"{scenario} promises D2 - D1 < 0: f(w) - f(w') is then not what `excess` takes"
        box = interior.box_of(scenario, regime)  # None where coverage has no use for the row
        for mode in () if box is None else ("parallel", "spread") if scenario.parallel else ("independent",):
            one, kind = found.get(f"{scenario}, {mode}"), Kind(mode, scenario.loose, len(scenario.reaches))
            if kind not in general:
                general[kind] = interior.excess(kind.scenario, regime, mode)(Terms(), v)
            if one is None or one.box != box:
                yield f"{scenario}, {mode} is not optimised on its box"
            elif not same(one, scenario, general[kind], here):
                yield f"{scenario}, {mode} is not the formula that is joined to the loss"


def same(one: Inequality, scenario: Scenario, general: Any, here: OneSide) -> bool:
    """Whether a quantity is the general one with the numbers of the scenario, and skips nothing but `skipped`."""
    n, alone = Terms(), Terms()
    numbers = [(z3.Real(name), number(getattr(scenario, name))) for name in ("gain", "apart", "width")]
    numbers += [(z3.Real(f"reach{i}"), r(here.a, here.ell, here.eta)) for i, r in enumerate(scenario.reaches)]
    interior.skipped(alone, scenario, here.a, here.ell, here.eta)
    formula = one.quantity(n, here.variables())
    return bool(formula.eq(z3.substitute(general, *numbers))) and str(n.asked) == str(alone.asked)
