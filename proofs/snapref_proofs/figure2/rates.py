"""How fast the bound on the privacy loss grows with η: the error terms of 004 §4, case by case, over whole boxes.

obligations.py decides the resulting inequalities; statements.py has what they rest on. Lengths are in units of B or λ:
r = λ/B, κ = Λ/λ, s = κr = Λ/B, and the positions t and v are in units of B. Let h ∈ [0, η] be a factor on all errors:
those of ⊕, ⊗ and LN, and that of the finite precision of U* (its *grid*). At h = 0 the bounds are those of the exact
Laplace mechanism, whose loss is at most d = |f(a) - f(a')|/λ ≤ ε (`ideal` in statements.py). Hence

    loss bound  ≤  d + η·B/λ · sup over h of (rate of the upper bound on one side + rate of the lower one on the other).

A *rate* is |d ln(bound)/dh| in units of B/λ. Rates are smooth, and η enters them only through h ≤ η and g = hB/λ ≤ β.
So they can be enclosed over a box without being swamped by rounding errors. If the rates are at most C + 2r, then
loss ≤ ε + C·Bεη + 2η for every p with 2^-p ≤ η and every B ≥ λ with Bεη ≤ β.

There are three models of the errors. `independent` is Figure 2: every rounding has a relative error of its own.
`shared` is the same, except that at a threshold ⊕ has the same error for a as for a', which is true. `absolute` is
Figure 1: one absolute error for every threshold.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from snapref.budget import PROVED
from snapref_proofs.evaluate.boxes import Box, Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine

ZERO, ONE, TWO = Fraction(0), Fraction(1), Fraction(2)
UNIT = (ZERO, ONE)
ENOUGH = Fraction(10)  # more slack than this is not needed, and would only mislead the division of boxes
Sides = dict[str, tuple[Fraction, Fraction]]
Values = Mapping[str, Enclosure]  # the variables of a box, enclosed
Direction = Literal["forward", "reverse"]  # P(x|a)/P(x|a') for f(a) ≤ f(a'), or its inverse


class Scope(NamedTuple):
    """The formats and bounds that are covered: η ≤ eta and Bεη ≤ beta, and always λ ≤ B."""

    eta: Fraction
    beta: Fraction

    def __str__(self) -> str:
        return f"η ≤ {_power(self.eta)}, λ ≤ B, Bεη ≤ {_power(self.beta)}"


# What the reference accepts (p ≥ 11), and where it certifies 11 (p ≥ 24; for binary64: B ≤ 2^40·λ).
WIDE, SMALL = (Scope(regime.eta, regime.max_beta) for regime in PROVED[:2])


def _power(x: Fraction) -> str:
    return f"2^-{x.denominator.bit_length() - 1}"


class Errors(NamedTuple):
    """The errors of an end q = exp(-v) of a set of u: q is between exp(-v - down) and exp(-v + up); and their rates."""

    up: Enclosure
    up_rate: Enclosure
    down: Enclosure
    down_rate: Enclosure


class Setting:
    """The variables on which all errors depend: h ∈ [0, η], g = hB/λ ∈ [0, β], r and s."""

    def __init__(self, engine: Engine, scope: Scope, r: Enclosure, s: Enclosure) -> None:
        self.engine, self.scope, self.r, self.s = engine, scope, r, s
        self.h, self.g = engine.between(ZERO, scope.eta), engine.between(ZERO, scope.beta)
        self.either_way = engine.between(-ONE, ONE)

    def grid(self) -> tuple[Enclosure, Enclosure]:
        """ln(1 + 2h), by which the finite precision of U* can raise the logarithm of an end, and its rate."""
        spread = 1 + 2 * self.h
        return self.engine.log(spread), 2 * self.r / spread


Model = Callable[[Setting, Enclosure, Enclosure], Errors]


def independent(at: Setting, t: Enclosure, v: Enclosure) -> Errors:
    """The errors of an end at the distance v from a threshold of magnitude t, all roundings independent.

    The end is at most exp(-(v - h·t)(1 - h)²)(1 + 2h) and at least exp(-(v + h·t)(1 + h)²).
    """
    h, g = at.h, at.g
    grid, grid_rate = at.grid()
    return Errors(
        grid + g * (t * (1 - h) * (1 - h) + v * (2 - h)),
        grid_rate + t * (1 - h) * (1 - 3 * h) + 2 * v * (1 - h),
        g * (t * (1 + h) * (1 + h) + v * (2 + h)),
        t * (1 + h) * (1 + 3 * h) + 2 * v * (1 + h),
    )


def shared(at: Setting, t: Enclosure, v: Enclosure) -> Errors:
    """The same, with the distance measured to t*, the point from which on ⊕ reaches the threshold.

    t* is within h·t of the threshold, and is the same for a and for a'. So only the errors of ⊗, LN and U* remain.
    """
    return independent(at, at.engine.between(ZERO, ZERO), v + at.either_way * at.h * t)


def absolute(at: Setting, t: Enclosure, v: Enclosure) -> Errors:
    """One absolute error for every end: the corrected rules of Figure 1, applied to f ⊕ (λ ⊗ LN(u)).

    Where a threshold is reached, the noise Z has |Z| ≤ 2B + Λ/2 and the sum w has |w| ≤ B + Λ/2; both are taken a
    little larger, for what the error itself adds.
    """
    h, g = at.h, at.g
    grid, grid_rate = at.grid()
    z = (2 + at.s / 2) * (1 + 4 * h)
    w = 1 + at.s / 2 + 4 * h * (2 + at.s / 2)
    error, rate = g * (w + z * (2 + h) * (1 + h)), w + z * (2 + 6 * h + 3 * h * h)
    return Errors(grid + error, grid_rate + rate, error, rate)


MODELS: dict[str, Model] = {"independent": independent, "shared": shared, "absolute": absolute}


class Rates(NamedTuple):
    """The rates of the upper and of the lower bound on one probability."""

    up: Enclosure
    down: Enclosure


def outside(at: Setting, near: Errors, far: Errors, gap: Enclosure) -> Rates:
    """The rates of ½(q_near - q_far): the output lies to one side of f. `gap` is between its thresholds, in units of λ.

    The rate is near + (near + far)·N with N = 1/(e^gap' - 1), where gap' is the gap as the errors change it.
    """
    near_up = at.engine.hull(at.engine.between(ZERO, ZERO), near.up)  # q_near ≤ 1 may cut it short

    def amplified(near_rate: Enclosure, far_rate: Enclosure, rest: Enclosure) -> Enclosure:
        return near_rate + (near_rate + far_rate) / (at.engine.exp(rest) - 1)

    return Rates(
        amplified(near.up_rate, far.down_rate, gap + near_up + far.down),
        amplified(near.down_rate, far.up_rate, gap - near.down - far.up),
    )


def within(at: Setting, low: Errors, high: Errors, v_low: Enclosure, v_high: Enclosure) -> Rates:
    """The rates of 1 - ½q_low - ½q_high: f rounds to the output, at distances v (in units of λ) from its thresholds."""

    def rate(q1: Enclosure, rate1: Enclosure, q2: Enclosure, rate2: Enclosure) -> Enclosure:
        return (q1 * rate1 + q2 * rate2) / (2 - q1 - q2)

    exp = at.engine.exp
    return Rates(
        rate(exp(-v_low - low.down), low.down_rate, exp(-v_high - high.down), high.down_rate),
        rate(_capped(at, v_low, low.up), low.up_rate, _capped(at, v_high, high.up), high.up_rate),
    )


def beyond(at: Setting, end: Errors, v: Enclosure) -> Rates:
    """The rates of 1 - ½q: the output is ±B, and f is on its side of the threshold, at the distance v (units of λ)."""
    return Rates(
        end.down_rate / (2 * at.engine.exp(v + end.down) - 1),
        end.up_rate / (2 / _capped(at, v, end.up) - 1),
    )


def tail(end: Errors) -> Rates:
    """The rates of ½q: the output is ±B, and f lies on the other side of its threshold."""
    return Rates(end.up_rate, end.down_rate)


def _capped(at: Setting, v: Enclosure, up: Enclosure) -> Enclosure:
    """min(1, exp(-v + up))."""
    return at.engine.exp(_cut(at.engine, up - v, min))


def _positive_part(at: Setting, v: Enclosure) -> Enclosure:
    return _cut(at.engine, v, max)


def _cut(
    engine: Engine, x: Enclosure, choose: Callable[[Fraction, Fraction], Fraction], at: Fraction = ZERO
) -> Enclosure:
    """min or max of x and a number."""
    ends = engine.ends(x)
    return x if ends is None else engine.between(choose(ends[0], at), choose(ends[1], at))


class Found(NamedTuple):
    """The rates at a and at a', and the slack: how far the exact Laplace mechanism stays below its bound d.

    ln(P(x|a)/P(x|a')) is at most d - forward·ηB/λ, and ln(P(x|a')/P(x|a)) is at most d - reverse·ηB/λ.
    """

    at: Setting
    a: Rates
    b: Rates
    forward: Enclosure
    reverse: Enclosure


@dataclass(frozen=True)
class Family:
    """A part of a case: its box, and the rates that the box's variables stand for."""

    name: str
    box: Box
    found: Callable[[Engine, Scope, Model, Values], Found]
    directions: tuple[Direction, ...] = ("forward", "reverse")


class Interior(NamedTuple):
    """The thresholds T1 < T2 of an output |x| < B, in units of B, and the gap between them in units of λ."""

    at: Setting
    model: Model
    kappa: Enclosure
    low: Enclosure  # T1 and T2
    high: Enclosure
    t1: Enclosure  # |T1| and |T2|
    t2: Enclosure

    @property
    def gap(self) -> Enclosure:
        """κ; in the model `shared`, where distances are to t1* and t2*, it is (t2* - t1*)/λ."""
        return self.kappa + self.at.either_way * self.at.g * (self.t1 + self.t2) if self.model is shared else self.kappa

    def above(self, place: Enclosure) -> Rates:
        """The rates for f ≥ T2 (region I), where f is at the part `place` ∈ [0, 1] of the way from T2 to B."""
        return self.above_by(place * (1 - self.high))

    def above_by(self, v: Enclosure) -> Rates:
        """f = T2 + v."""
        return outside(self.at, self.model(self.at, self.t2, v), self.model(self.at, self.t1, v + self.at.s), self.gap)

    def below(self, place: Enclosure) -> Rates:
        """The rates for f < T1 (region III), where f is at the part `place` of the way from T1 to -B."""
        v = place * (1 + self.low)
        return outside(self.at, self.model(self.at, self.t1, v), self.model(self.at, self.t2, v + self.at.s), self.gap)

    def inside(self, place: Enclosure) -> Rates:
        """The rates for T1 ≤ f < T2 (region II), where f is at the part `place` of the way from T1 to T2."""
        at, low, high = self.at, place * self.kappa, (1 - place) * self.kappa
        if self.model is shared:  # distances to t1* and t2*
            low = _positive_part(at, low + at.either_way * at.g * self.t1)
            high = _positive_part(at, high + at.either_way * at.g * self.t2)
        ends = self.model(at, self.t1, place * at.s), self.model(at, self.t2, (1 - place) * at.s)
        return within(at, *ends, low, high)

    def twice_the_way(self, v: Enclosure) -> Enclosure:
        """2(f - T2)/λ in units of ηB/λ: the exact mechanism's slack if one value rounds to x and the other is f."""
        moved = 2 * self.t2 if self.model is shared else self.at.engine.between(ZERO, ZERO)
        way = 2 * v / _exact(self.at.engine, self.at.scope.eta)
        return _cut(self.at.engine, _positive_part(self.at, way - moved), min, ENOUGH)


def _exact(engine: Engine, x: Fraction) -> Enclosure:
    return engine.between(x, x)


Place = Literal["= 0", "< 0", "> 0"]
PLACES: tuple[Place, ...] = ("= 0", "< 0", "> 0")


def interior(engine: Engine, scope: Scope, model: Model, place: Place, values: Values) -> Interior:
    """The thresholds of an output inside: of x = 0, for any s = κr up to 2, or of Λ ≤ |x| < B, which needs s ≤ 1."""
    kappa = values["κ"]
    if place == "= 0":
        at = Setting(engine, scope, values["r"], kappa * values["r"])
        return Interior(at, model, kappa, -at.s / 2, at.s / 2, at.s / 2, at.s / 2)
    at = Setting(engine, scope, values["s"] / kappa, values["s"])
    x = at.s + values["x"] * (1 - at.s)
    inner, outer = x - at.s / 2, x + at.s / 2
    if place == "< 0":
        return Interior(at, model, kappa, -outer, -inner, outer, inner)
    return Interior(at, model, kappa, inner, outer, inner, outer)


def _variables(place: Place) -> Sides:
    sides: Sides = {"r": UNIT} if place == "= 0" else {"s": UNIT, "x": UNIT}
    return {"κ": (ONE, TWO), **sides, "a": UNIT, "b": UNIT}


def both_above(place: Place) -> Family:
    """Case B: x < [f(a)] ≤ [f(a')]. There is no slack: in one direction the exact mechanism's loss is d."""

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        x = interior(engine, scope, model, place, values)
        none = _exact(engine, ZERO)
        return Found(x.at, x.above(values["a"]), x.above(values["b"]), none, none)

    return Family(f"x {place}", _variables(place), found)


def inside_and_above(place: Place) -> Family:
    """Case C, forward: x = [f(a)] < [f(a')]."""

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        x = interior(engine, scope, model, place, values)
        none = _exact(engine, ZERO)
        return Found(x.at, x.inside(values["a"]), x.above(values["b"]), none, none)

    return Family(f"x {place}", _variables(place), found, ("forward",))


def above_and_inside(place: Place) -> Family:
    """Case C, in reverse: f(a') = T2 + v is the farther one, and the slack is 2v/λ. All v ≤ 2B are allowed."""

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        x = interior(engine, scope, model, place, values)
        v = 2 * values["b"]
        return Found(x.at, x.inside(values["a"]), x.above_by(v), _exact(engine, ZERO), x.twice_the_way(v))

    return Family(f"x {place}", _variables(place), found, ("reverse",))


def both_inside(place: Place) -> Family:
    """Case CE: x = [f(a)] = [f(a')]. Both values range over the same places, so one direction is enough."""

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        x = interior(engine, scope, model, place, values)
        none = _exact(engine, ZERO)
        return Found(x.at, x.inside(values["a"]), x.inside(values["b"]), none, none)

    return Family(f"x {place}", _variables(place), found, ("forward",))


def either_side(place: Place) -> Family:
    """Case D: [f(a)] < x < [f(a')]. In both directions the exact mechanism's loss is at most d - κ."""

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        x = interior(engine, scope, model, place, values)
        gain = x.gap / _exact(engine, scope.beta)
        return Found(x.at, x.below(values["a"]), x.above(values["b"]), gain, gain)

    return Family(f"x {place}", _variables(place), found)


def at_the_end(one_cell: bool, sides: str) -> Family:
    """Case A: x = -B, with the threshold T = -(k + ½)Λ for kΛ < B ≤ (k + 1)Λ. `one_cell` means k = 0.

    `sides` says whether f(a) and f(a') are above T (+) or below (-). Below, f ≥ -B leaves at most Λ/2 of room.
    """

    def found(engine: Engine, scope: Scope, model: Model, values: Values) -> Found:
        kappa = values["κ"]
        s = 1 + values["s"] * (kappa - 1) if one_cell else values["s"]
        t = s / 2 if one_cell else 1 - s / 2 + values["t"] * s
        at = Setting(engine, scope, s / kappa, s)

        def rates(side: str, place: Enclosure) -> Rates:
            if side == "+":
                return tail(model(at, t, place * (1 + t)))
            v = place * kappa / 2
            if model is shared:
                v = _positive_part(at, v + at.either_way * at.g * t)
            return beyond(at, model(at, t, place * s / 2), v)

        none = _exact(engine, ZERO)
        return Found(at, rates(sides[0], values["a"]), rates(sides[1], values["b"]), none, none)

    variables: Sides = {"κ": (ONE, TWO), "s": UNIT, **({} if one_cell else {"t": UNIT}), "a": UNIT, "b": UNIT}
    return Family(f"{'B ≤ Λ' if one_cell else 'B > Λ'}, f {sides}", variables, found)


FAMILIES: dict[str, tuple[Family, ...]] = {
    "A": tuple(at_the_end(one_cell, sides) for one_cell in (True, False) for sides in ("++", "-+", "--")),
    "B": tuple(both_above(place) for place in PLACES),
    "C": tuple(family(place) for place in PLACES for family in (inside_and_above, above_and_inside)),
    "CE": tuple(both_inside(place) for place in PLACES),
    "D": tuple(either_side(place) for place in PLACES),
}
# f ↦ -f, x ↦ -x turns each of these cases into the other, and swaps a and a'. This changes no bound: the bounds depend
# on |T| and on distances, but not on which end of an interval is closed.
MIRROR = {"E": "C", "F": "B", "G": "A"}


def excess(family: Family, model: Model, scope: Scope, direction: Direction, constant: Fraction) -> Quantity:
    """An upper bound on (loss - ε - 2η)/(Bεη) - constant: where it is at most 0, loss ≤ ε + constant·Bεη + 2η."""

    def quantity(engine: Engine, values: Values) -> Enclosure:
        found = family.found(engine, scope, model, values)
        upper, lower = (found.a, found.b) if direction == "forward" else (found.b, found.a)
        slack = found.forward if direction == "forward" else found.reverse
        return upper.up + lower.down - 2 * found.at.r - slack - _exact(engine, constant)

    return quantity
