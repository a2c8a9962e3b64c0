"""The joints of Theorem 1 (004 §4): what is optimised bounds the loss. The lemmas `joined.*`; the unit is that of rows.

Every quantity that the proof on boxes shows to be at most 0 is a Python function. Here the very same functions run on
solver terms (terms.py). Two solvers then show: if the lemmas hold and the quantity is at most 0, the loss of the
configuration is at most εΔ + C·Bεη + 2η. So a term that is missing from a quantity, or too small, is noticed.

A configuration is described by the conclusions of the lemmas: `errors`, a row of the table, `coverage`, `slopes`.
Distances are in units of P, their differences in units of u = ηP. Exponents and errors are divided by s = ηεP, so εV/s
is V/u. In these units 2η is 2λ/P, κ is s·Λ/u, and C·Bεη is C·B/P. Products are variables of their own (`flat`). Where a
product is used, the facts say so: with p ≥ 0 comes s·p ≥ 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import z3

from snapref_proofs.evaluate.boxes import Quantity, holds
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import independent as figure2
from snapref_proofs.theorem1 import interior, one_threshold, rows, slopes
from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.coverage import small_offset
from snapref_proofs.theorem1.grid import at_least_zero, differences, moved, width
from snapref_proofs.theorem1.interior import Backward
from snapref_proofs.theorem1.inversion import above, errors_of_ln, level, narrower, nearly, no_nearer, spread
from snapref_proofs.theorem1.meanings import fits, limit_of_steps, right_step
from snapref_proofs.theorem1.one_threshold import End
from snapref_proofs.theorem1.reach import reached, spare
from snapref_proofs.theorem1.rows import number, promises
from snapref_proofs.theorem1.scenarios import QUARTER, TOP, Pattern, Scenario
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import (
    FOUR,
    Terms,
    Text,
    Texts,
    Unfolding,
    flat,
    in_turn,
    multiplied,
    replaced,
)
from snapref_proofs.theorem1.widths import far_most, width_any
from snapref_smt.engine.statement import Statement

Compare = Callable[[Sequence[Inequality], Regime], Iterator[str]]  # yields what is wrong with a list
SIDES = ("kappa", "a", "ell", "t")  # of the boxes of one-sided outputs


class Threshold:
    """A distance τ with its exponent g = εV + E_y - E_u: what the lemma `errors` says of it, in the units above."""

    def __init__(self, name: str) -> None:
        self.tau, self.size, self.v = z3.Reals(f"tau{name} V{name}/P V{name}/u")
        self.error, self.lost, self.y = z3.Reals(f"E_y{name} E_u{name} Y{name}")
        self.g = self.v + self.error - self.lost

    def facts(self, eta: Any) -> list[Any]:
        """V ≤ (1 + η)τ and Y ≤ ηεV."""
        return [self.tau >= 0, self.size <= (1 + eta) * self.tau, self.y <= self.size]

    def positive(self, scale: Any) -> list[Any]:
        """What is at least 0: |E_y| ≤ Y and 0 ≤ E_u ≤ 2η."""
        return [*self.of_y(), *self.of_u(scale)]

    def of_y(self) -> list[Any]:
        return errors_of_ln(self.error, self.y)

    def of_u(self, scale: Any) -> list[Any]:
        return [self.lost, 2 * scale - self.lost]

    def v_and_y(self, eta: Any) -> Any:
        """What is shown of V, Y and E_y."""
        return z3.And(*self.facts(eta), *map(at_least_zero, self.of_y()))

    def e_u(self, scale: Any) -> Any:
        """What is shown of E_u."""
        return z3.And(*map(at_least_zero, self.of_u(scale)))


class OneSide(Unfolding):
    """A configuration with c and c' on one side of an interior output, and what the lemmas say of its numbers.

    The loss is G2' - G2 + F with F = (f(w) - f(w'))/s; for the other ratio G2 - G2' + F with F = (f(w') - f(w))/s.
    """

    def __init__(self, regime: Regime, back: bool = False) -> None:
        self.s, self.slope, self.average, self.scale, self.bound = z3.Reals("s N slope lambda/P B/P")
        super().__init__(" ".join(SIDES), step=self.s, N=self.slope, slope=self.average, quotient=self.scale)
        self.factors = [self.s]
        self.kappa, self.a, self.ell, self.t = self.sides.values()
        self.regime, self.back = regime, back
        self.eta, self.slack = number(regime.eta), number(regime.slack)
        self.lattice, self.sensitivity, self.rise, self.loss = z3.Reals("Lambda/u Delta/u F loss")
        self.four = {which: Threshold(which) for which in FOUR}
        t1p, t2, t1, t2p = self.four.values()
        self.d2, self.d1, self.width = differences((one.v for one in self.four.values()), self.lattice)
        w, w_p, near = t1.g - t2.g, t1p.g - t2p.g, t2p.g - t2.g
        self.start, self.end = (w, w_p) if back else (w_p, w)
        self.parts = self.rise - near if back else self.rise + near  # of the loss (`ratio`)
        self.further = z3.RealVal(0)  # how much w - w' may exceed what the quantity takes it for
        self.rooms: list[Any] = []

    def facts(self) -> list[Any]:
        """`errors`, the units (κ = s·Λ/u, λ ≤ B), and the loss."""
        facts = [self.s > 0, self.kappa == self.s * self.lattice, self.scale > 0, self.scale <= self.bound]
        facts += [self.loss <= self.parts]
        for one in self.four.values():
            facts += self.scaled(*one.positive(self.scale))
        return facts

    def distances(self) -> list[Any]:
        return [fact for one in self.four.values() for fact in one.facts(self.eta)]

    def scaled(self, *terms: Any) -> list[Any]:
        """Each of the terms is at least 0, and so are its products with s and with N."""
        return [*(multiplied(self.slope, term) for term in terms if self.back), *self.positive(*terms)]

    def at_least(self, term: Any, least: Any) -> list[Any]:
        """The term is not smaller; and nor is 1 - N times it, if N ≤ 1."""
        return [term >= least, multiplied(1 - self.slope, term - least)]

    def bounded(self) -> Any:
        """The theorem, where β = s·B/P."""
        return self.loss <= self.regime.limit(self.sensitivity, self.bound, self.scale, self.s * self.bound)

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        if name == "step":  # s is at most what `step` takes for its largest value, if these are the right arguments
            self.rooms += right_step(args, self.t, self.bound, self.kappa, self.ell, self.regime)
            room, rest = args[1], self.bound - args[1]
            known = [multiplied(self.average, room), multiplied(1 - number(LOW) * self.average, rest)]
            known += [fact for x in (room, self.bound) for fact in in_turn(self.s, x, rest)]  # s·room² ≤ s·(B/P)²
            return [*known, *in_turn(self.s, self.bound, self.bound)]
        if name.startswith("place "):  # coverage
            right = z3.And(*(x == y for x, y in zip(args, (self.a, self.ell, self.slack), strict=True)))
            return [z3.Implies(right, self.four[name.removeprefix("place ")].tau <= value)]
        if name == "y_error":
            distance, kappa = args
            known = [
                z3.Implies(fits(one.size, distance), z3.And(self.scaled(value - one.y))) for one in self.four.values()
            ]
            return [z3.Implies(kappa == self.kappa, z3.And(known))]
        if name == "steps":  # the four εV are in one binade
            kappa, top, apart = args
            t1p, t2, t1, t2p = (one.v + one.error for one in self.four.values())
            right = z3.And(kappa == self.kappa, fits(self.four["1'"].size, top), self.d2 - self.d1 <= apart, apart >= 0)
            return [z3.Implies(right, z3.And(limit_of_steps(narrower(t1, t2, t1p, t2p), value)))]
        if name == "slope":
            low, apart, s = args
            from_w, change = self.s * self.start, self.end - self.start
            known = slopes.trapezoid(self.rise, value, low, from_w, change, apart, self.further)
            return [z3.Implies(s == self.s, known), slopes.limited(value, low)]
        if name == "N":
            (low,) = args
            return [slopes.tangent(self.rise, value, low, self.s * self.start, self.end - self.start, self.further)]
        return super().meaning(name, value, args)

    def stated(self, name: str, quantity: Any, row: list[Any], less: Any) -> list[Statement]:
        """If the quantity is at most 0, the theorem holds; and s is used as it may be. `less` is too strong."""
        term, facts = self.unfolded(quantity, *row)
        used = flat(f"{name}: s", facts, z3.And(self.rooms), self.bound >= 9)
        joined = flat(name, [holds(term)], self.bounded(), self.loss <= less)
        return [used, replace(joined, hypotheses=[*used.hypotheses, *joined.hypotheses])]


NUMBERS = ("gain", "apart", "width")  # of a scenario
# From the mode of a scenario, and whether it is parallel: the modes that treat it, whatever the binades of the εV are
WHOLE = {
    ("independent", False): ("independent",),
    ("independent", True): ("parallel", "spread"),
    ("steps", False): ("steps", "spread"),
    ("monotone", False): ("monotone",),
}


@dataclass(frozen=True)
class Kind:
    """What the formula of `excess` depends on, beside numbers: the mode, whether the row is loose, how many reaches."""

    mode: str
    loose: bool
    reaches: int

    def __str__(self) -> str:
        return f"{self.mode}{', loose' if self.loose else ''}, {self.reaches} reaches"

    def scenario(self, variable: Callable[[str], Any]) -> Any:
        """A row whose numbers are variables."""
        gain, apart, width = map(variable, NUMBERS)
        reaches: Any = tuple(lambda a, ell, eta, i=i: variable(f"reach{i}") for i in range(self.reaches))
        unknown: Any = Scenario
        return unknown("", Pattern(0, 0, 0), (QUARTER, QUARTER), gain, apart, width, reaches, loose=self.loose)


KINDS = (
    *(Kind("independent", False, reaches) for reaches in (1, 2, 3, 4)),
    Kind("independent", True, 1),
    *(Kind(mode, False, reaches) for mode in ("parallel", "spread") for reaches in (3, 4)),
)


def forward(regime: Regime, kinds: Sequence[Kind] | None = None, one_side: type[OneSide] = OneSide) -> list[Statement]:
    """The ratio P(x|c)/P(x|c'), for any row of the table: its bounds are variables."""
    return [statement for kind in kinds or KINDS for statement in _forward(one_side(regime), kind)]


def _forward(here: OneSide, kind: Kind) -> list[Statement]:
    regime, row, alone = here.regime, kind.scenario(z3.Real), Terms()
    interior.skipped(alone, row, here.a, here.ell, here.slack)
    here.skips = alone.asked  # coverage.py finds nothing there
    return here.stated(
        str(kind), interior.excess(row, regime, kind.mode), forward_facts(here, row, kind), here.sensitivity
    )


def forward_facts(here: OneSide, row: Any, kind: Kind) -> list[Any]:
    """What the lemmas say of a configuration to which the row applies."""
    regime = here.regime
    slack = z3.Real("delta/u")
    found = rows.bounded(here, slack, kind)
    facts = [*here.facts(), *here.distances(), *promises(row, *found)]
    facts += [multiplied(here.s, found[-1] - row.width), slack >= 0]
    facts += [small_offset(here.s * slack, number(regime.max_beta), regime)]
    facts += reached(row.rooms(here.a, here.ell, here.eta), here.bound)
    _, t2, t1, t2p = t1p, *_ = here.four.values()
    if kind.mode == "parallel":  # the four εV are in one binade: what the lemma `parallel` says, in units of s
        near, far = ((one.v + one.error, other.v + other.error) for one, other in ((t2, t2p), (t1, t1p)))
        facts += [level(one.y, t2.y) for one in here.four.values()]
        facts += nearly(near, far, here.d2, 2 * t2.y)
    if kind.mode == "spread":  # they are not
        facts += [spread(t2.y, t1p.size)]
    if kind.mode == "monotone":  # V1' ≥ V1, so g1' is not smaller than g1, but for E_u (`steps`)
        facts += [no_nearer(t1.v + t1.error, t1p.v + t1p.error)]
    return facts


# From a case and h1: the largest D1, and what is known of Δ.
Size = Callable[[OneSide, Backward, Any], tuple[Any, list[Any]]]


def of_sensitivity(here: OneSide, case: Backward, h1: Any) -> tuple[Any, list[Any]]:
    """Δ is a multiple of H, or a power of two below H."""
    top = number(TOP)
    if case.coarse is None:
        return far_most(here.sensitivity, h1, top, False), here.at_least(here.sensitivity, top)
    return far_most(here.sensitivity, h1, top, True), [rows.of_size(here.sensitivity, case.coarse)]


def backward(
    regime: Regime,
    cases: Iterable[Backward] | None = None,
    size: Size = of_sensitivity,
    one_side: type[OneSide] = OneSide,
) -> list[Statement]:
    """The ratio P(x|c')/P(x|c). The formula of a case depends on its place and on Δ, and not on ℓ."""
    found = {(case.place, case.coarse): case for case in cases or interior.backward()}
    return [one for case in found.values() for one in _backward(one_side(regime, back=True), case, size)]


def _backward(here: OneSide, case: Backward, size: Size) -> list[Statement]:
    facts = backward_facts(here, case, size)
    here.further = here.d1 + sum(one.y for one in here.four.values()) + 4 * here.scale
    return here.stated(str(case), interior.backward_excess(case, here.regime), facts, -here.sensitivity)


def backward_facts(here: OneSide, case: Backward, size: Size) -> list[Any]:
    """What the lemmas say of a configuration to which the case applies."""
    regime, top = here.regime, number(TOP)
    h2, h1, slack = z3.Reals("h2 h1 delta/u")
    _, t2, t1, _ = here.four.values()
    far, known = size(here, case, h1)
    facts = [*here.facts(), *here.distances(), *known]
    facts += [*here.scaled(*moved(here.d2, here.d1), far - here.d1, h2, h1, top - h2, top - h1), slack >= 0]
    facts += [small_offset(here.s * slack, number(regime.max_beta), regime)]
    facts += here.scaled(width(t1.v, t2.v, here.lattice) - width_any(h2, h1, slack))
    most = case.places(here.a, here.ell, here.slack)
    facts += [one.tau <= limit for one, limit in zip(here.four.values(), most, strict=True)]
    return [*facts, *reached(case.rooms(Terms(), here.a, here.ell, here.eta), here.bound)]


def independent(regime: Regime) -> list[Statement]:
    """Both ratios for every Δ: all errors at their largest, η(2 + η)ετ, and τ2' = τ1' - Λ - δ. The unit P is τ1'."""
    return [one for case, back in product(figure2.cases(), (False, True)) for one in _independent(regime, case, back)]


def _independent(regime: Regime, case: figure2.Case, back: bool) -> list[Statement]:
    here = OneSide(regime, back)
    facts = independent_facts(here, case)
    here.further = 2 * both_errors(here.eta) * here.slack * here.bound
    return here.stated(f"{case}, back={back}", figure2.excess(case, regime), facts, here.sensitivity)


def independent_facts(here: OneSide, case: figure2.Case) -> list[Any]:
    """What the lemmas say of any configuration. V stands for τ itself, and E_y for all errors but E_u (`relative`)."""
    regime = here.regime
    t1p, t2, t1, t2p = here.four.values()
    delta, delta_u = z3.Reals("delta/P delta/u")
    far, most = here.slack * here.bound, both_errors(here.eta)  # |δ| ≤ offset·ηB
    facts = [*here.facts(), here.a == 1, here.d2 >= 0, here.d2 <= here.sensitivity]
    facts += [here.s * here.bound <= number(regime.max_beta)]
    facts += [small_offset(here.s * delta_u, number(regime.max_beta), regime)]
    equal = [(one.y, most * one.tau) for one in here.four.values()]
    equal += [(t1p.tau, here.a), (t2p.tau, here.a - here.ell - delta), (here.width, delta_u), (here.d2, here.d1)]
    facts += [fact for x, y in equal for fact in (x == y, replaced(x, y, here.s))]
    facts += here.scaled(t2.tau, t2p.tau - t2.tau, t1p.tau - t1.tau, far - delta, far + delta)
    return [*facts, *reached(case.rooms(here.a, here.ell, here.eta), here.bound)]


class OneThreshold(Unfolding):
    """x = ±B, with c and c' on the side of 0: P = q/2 for both, and the loss is |g' - g|."""

    def __init__(self, regime: Regime, end: End) -> None:
        super().__init__("a ell")
        self.a, self.ell = self.sides.values()
        bound, scale, sensitivity, d, h, hp = z3.Reals("B/P lambda/P Delta/u d/u h/u h'/u")
        near, far, eta = Threshold(""), Threshold("'"), number(regime.eta)
        self.facts = [scale > 0, d >= 0, d <= sensitivity, *one_threshold.moved(far.v - near.v - d, h, hp)]
        self.facts += [h <= number(TOP), hp <= number(TOP)]
        self.facts += [fact for one in (near, far) for fact in (one.v_and_y(eta), one.e_u(scale))]
        self.facts += end.applies(Terms(), (near.tau, far.tau), self.a, self.ell, bound, eta)
        self.most, self.less = regime.limit(sensitivity, bound, scale), sensitivity
        self.losses = {"": far.g - near.g, ", the other ratio": near.g - far.g}


def ends(regime: Regime) -> list[Statement]:
    """x = ±B: c and c' on the side of 0; t* between them; both beyond t*.

    The last two are in units of λ, with the errors of `relative`; eta_A stands for η·A.
    """
    statements = []
    for end in one_threshold.ends():
        here = OneThreshold(regime, end)
        term, facts = here.unfolded(one_threshold.excess(end, regime), *here.facts)
        for ratio, loss in here.losses.items():
            statements.append(flat(f"{end}{ratio}", [*facts, holds(term)], loss <= here.most, loss <= here.less))
    a, ap, eta_a, eta_ap, eta, beta, g, gp, sensitivity, d = z3.Reals("A A' eta_A eta_A' eta beta g g' Delta d")
    loss, errors = z3.Real("loss"), both_errors(number(regime.eta))
    facts = [a >= 0, ap >= 0, eta_a >= 0, eta_ap >= 0, eta > 0, at_least_zero(spare(eta_a, eta_ap, beta))]
    facts += [d <= sensitivity]
    for exact, product_, exponent in ((a, eta_a, g), (ap, eta_ap, gp)):
        facts += within(exponent, exact, errors * product_, eta)
    most = regime.limit(sensitivity, beta, eta)
    between, beyond = [*facts, a + ap == d], [*facts, z3.Or(a - ap == d, ap - a == d), d >= 0]
    return [
        *statements,
        Statement("t* between", [*between, slopes.across(loss, g, gp)], loss <= most, loss <= sensitivity),
        Statement("beyond t*", [*beyond, slopes.beyond(loss, g, gp)], loss <= most, loss <= most - 2 * eta),
    ]


def sizes() -> list[Statement]:
    """What `Threshold` takes as known, and relative errors. The unit P is the spacing h at τ; Q = 2**(p-1) = 1/(2η).

    V is the middle of the cell of τ, and εV + E_y that of the cell of εV in the floats that LN gives. In units of their
    spacing εV is v = r·V, and Y is 1/2. For E_u: t is no float, and lies between two; ln(q/t) ≤ q/t - 1.
    """
    here, half = Threshold(""), z3.RealVal(1) / 2
    eta, q, r, scale, lo, lo_y, v = z3.Reals("eta Q r lambda/P lo lo_y v")
    t, before, least = z3.Reals("t q- q")
    s, units = eta * r, [2 * q * eta == 1, q > 1, r > 0]
    cells = [here.tau >= q, lo <= here.tau, here.tau <= lo + 1, above(q, v), lo_y <= v, v <= lo_y + 1]
    cells += [here.size == lo + half, v == r * here.size, here.y * s == half, here.error * s == lo_y + half - v]
    lost = [s > 0, scale * s == eta, t > q, before < t, t < least, least == before + 1]
    lost += [here.lost > 0, here.lost * s * t < least - t]
    relative_errors = z3.And(*close(r * here.tau, v, lo_y + half - v, eta))
    return [
        Statement("V and Y", units + cells, here.v_and_y(eta), here.error >= 0),
        Statement("relative errors", units + cells, relative_errors, v <= r * here.tau),
        Statement("E_u ≤ 2η", units + lost, here.e_u(scale), here.lost <= scale),
    ]


def relative() -> list[Statement]:
    """Errors relative to the distance A = ετ: A - η(2 + η)A - 2η ≤ g ≤ A + η(2 + η)A, because |V - τ| ≤ ητ."""
    a, v, error, lost, eta = z3.Reals("A epsilon_V E_y E_u eta")
    facts = [eta > 0, a >= 0, *close(a, v, error, eta), multiplied(eta, eta * a - (v - a)), lost >= 0, lost <= 2 * eta]
    g = v + error - lost
    return [flat("g", facts, z3.And(*within(g, a, both_errors(eta) * eta * a, eta)), g <= a + eta * a)]


def both_errors(eta: Any) -> Any:
    """V and E_y together differ from τ by at most this times ητ."""
    return 2 + eta


def close(a: Any, v: Any, error: Any, eta: Any) -> list[Any]:
    """|V - τ| ≤ ητ and |E_y| ≤ ηεV; a = ετ and v = εV."""
    return [v - a <= eta * a, a - v <= eta * a, error <= eta * v, -error <= eta * v]


def within(g: Any, a: Any, most: Any, eta: Any) -> list[Any]:
    """g is ετ up to an error of `most`, and E_u."""
    return [*map(at_least_zero, limits(g, a, most, eta))]


def limits(g: Any, a: Any, most: Any, eta: Any) -> list[Any]:
    return [a + most - g, g - a + most + 2 * eta]


def unlike(listed: Iterable[Inequality], expected: Iterable[Inequality]) -> Iterator[str]:
    """Inequalities that are not in the list of those that are optimised, with the same box and the same formula."""
    found = {one.name: one for one in listed}
    for one in expected:
        other = found.get(one.name)
        if other is None or other.box != one.box:
            yield missing(one.name)
        elif _written(other.quantity, one.box) != _written(one.quantity, one.box):
            yield f"{one.name} is not the formula that is joined to the loss"


def missing(name: str) -> str:
    return f"{name} is not optimised on its box"


def comparisons(
    compare: Compare, listed: Callable[[Regime], Iterable[Inequality]]
) -> list[Callable[[Regime], Iterator[str]]]:
    """How a list is compared as it is; and if something is wrong with its first inequality.

    If the list were empty, each of its inequalities would be missed: none is compared with nothing.
    """

    def compared(changed: Callable[[Inequality], list[Inequality]]) -> Callable[[Regime], Iterator[str]]:
        def check(regime: Regime) -> Iterator[str]:
            first, *rest = listed(regime)
            every, missed = [*changed(first), *rest], set(compare([], regime))
            yield from compare(every, regime)
            yield from (f"{one.name} is compared with nothing" for one in every if missing(one.name) not in missed)

        return check

    return [
        compared(lambda first: [first]),
        *map(compared, (other_formula, other_arguments, other_box, skipping, one_more)),
    ]


def other_formula(one: Inequality) -> list[Inequality]:
    return [one._replace(quantity=lambda engine, v: 2 * one.quantity(engine, v))]


def other_arguments(one: Inequality) -> list[Inequality]:
    """The same formula, with other arguments of its words."""

    class Doubled(Texts):
        def applied(self, name: str, *xs: Any) -> Text:
            return super().applied(name, *(2 * x for x in xs))

    def quantity(engine: Any, v: Mapping[str, Any]) -> Any:
        words = Doubled()
        words.asked = engine.asked
        return one.quantity(words, v)  # type: ignore[arg-type]

    return [one._replace(quantity=quantity)]


def other_box(one: Inequality) -> list[Inequality]:
    return [one._replace(box={name: (low - 1, high) for name, (low, high) in one.box.items()})]


def skipping(one: Inequality) -> list[Inequality]:
    """Asks whether a part of the box may be skipped."""

    def quantity(engine: Any, v: Mapping[str, Any]) -> Any:
        interior.numbers(engine).below(next(iter(v.values())), QUARTER)
        return one.quantity(engine, v)

    return [one._replace(quantity=quantity)]


def one_more(one: Inequality) -> list[Inequality]:
    return [one._replace(name="one more"), one]


def _written(quantity: Quantity, sides: Iterable[str]) -> tuple[str, list[Any], list[Scenario]]:
    """The quantity of an inequality as text, what it asks before it skips a part of its box, and the scenarios whose
    distances it uses."""
    engine: Any = Texts()
    return engine(quantity(engine, {name: Text(name) for name in sides})).text, engine.asked, engine.placed


def unlike_backward(
    listed: Iterable[Inequality], regime: Regime, cases: Iterable[Backward] | None = None
) -> Iterator[str]:
    """The same for `backward`; a case is one of those that `backward` states, whatever its ℓ."""
    every = list(cases or interior.backward())
    found = {(case.place, case.coarse): interior.backward_excess(case, regime) for case in every}
    expected = (
        Inequality(str(case), found[case.place, case.coarse], interior.backward_box(case, regime)) for case in every
    )
    return unlike(listed, expected)


def unlike_ends(listed: Iterable[Inequality], regime: Regime) -> Iterator[str]:
    expected = (
        Inequality(str(end), one_threshold.excess(end, regime), one_threshold.box_of(end))
        for end in one_threshold.ends()
    )
    return unlike(listed, expected)


def unlike_forward(
    listed: Iterable[Inequality],
    regime: Regime,
    table: Iterable[Scenario] | None = None,
    kinds: Sequence[Kind] | None = None,
    modes: Callable[[Scenario], tuple[str, ...]] | None = None,
) -> Iterator[str]:
    """The same for `forward`: every row of the table in all its modes, with the formula of its kind.

    coverage.py has no use for a row without a box.
    """
    modes = modes or interior.modes
    table = table or (scenario for row in rows.table() for scenario in row.scenarios)
    general = {
        kind: _written(interior.excess(kind.scenario(_blank), regime, kind.mode), SIDES)[0] for kind in kinds or KINDS
    }
    found = {one.name: one for one in listed}
    for scenario in table:
        box = interior.box_of(scenario, regime)
        if modes(scenario) != WHOLE[scenario.mode, scenario.parallel]:
            yield f"{scenario} is not optimised for all binades"
        for mode in () if box is None else modes(scenario):
            one, kind = found.get(f"{scenario}, {mode}"), Kind(mode, scenario.loose, len(scenario.reaches))
            if one is None or one.box != box:
                yield missing(f"{scenario}, {mode}")
            elif kind not in general or not _same(one, scenario, general[kind], regime):
                yield f"{scenario}, {mode} is not the formula that is joined to the loss"


def _blank(name: str) -> Text:
    return Text(f"<{name}>")


def _same(one: Inequality, scenario: Scenario, general: str, regime: Regime) -> bool:
    """Whether a quantity is the general one with the numbers and the distances of the scenario, and skips only what
    `skipped` says."""
    alone = Texts()
    a, ell, eta, slack = Text("a"), Text("ell"), alone(regime.eta), alone(regime.slack)
    numbers = {name: alone(getattr(scenario, name)) for name in NUMBERS}
    numbers |= {f"reach{i}": room for i, room in enumerate(scenario.rooms(a, ell, eta))}
    for name, text in numbers.items():
        general = general.replace(_blank(name).text, text.text)
    interior.skipped(alone, scenario, a, ell, slack)
    return _written(one.quantity, SIDES) == (general, alone.asked, [scenario])
