"""Interior outputs with c and c' on one side (004 §4, cases B and F): the lemmas `forward` and `backward`.

This case decides the constant of Theorem 1. For each of the four thresholds let g = -ln q = εV + E_y - E_u (see
inversion.py), and let w = g1 - g2, w' = g1' - g2' and f(w) = ln(1 - e**-w). The loss is g2' - g2 + f(w) - f(w'). It is
monotone in every error; f is concave, and its derivative N = 1/(e**w - 1) is convex. So, without any remainder,

    loss - εΔ - 2η  ≤  ε(D2 - Δ) + Y2 + Y2' + W·(N(L) + N(L + W))/2,
    W = ε(D2 - D1) + Y1 + Y2 + Y1' + Y2' + 4η,   L = κ + ε(V1' - V2' - Λ) - Y1' - Y2' - 2η,

where Y = η·2**⌊log2 εV⌋ bounds |E_y|. The variables of the boxes are κ, a = τ1'/P, ℓ = Λ/P, and t in [0, 1], which
stands for s = ηεP = t·(its largest possible value). The distances and spacings are those of widths.py.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from typing import Any, Literal

from mpmath import libmp

from snapref.budget import floor_log2
from snapref_proofs.evaluate.boxes import Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import reach
from snapref_proofs.theorem1.calculus import LOW, averaged
from snapref_proofs.theorem1.scenarios import HALF, QUARTER, Scenario, highest, lattices, lowest
from snapref_proofs.theorem1.statement import Regime

Box = dict[str, tuple[Fraction, Fraction]]


@cache
def box_of(scenario: Scenario, regime: Regime) -> Box | None:
    """The box of the scenario; None if its binades cannot occur together."""
    p, (small, large), slack = scenario.pattern, scenario.ell, regime.slack
    low, high = Fraction(1), Fraction(2)
    if not scenario.loose:
        low = max(low, lowest(p.near_p) + small - slack)
        high = min(high, highest(p.near_p) + large + slack)
        if max(lowest(p.far), lowest(p.near) + small - slack) > min(highest(p.far), highest(p.near) + large + slack):
            return None
    if low > high:
        return None
    zero, one = Fraction(0), Fraction(1)
    return {"kappa": (one, Fraction(2)), "a": (low, high), "ell": scenario.ell, "t": (zero, one)}


def excess(scenario: Scenario, regime: Regime, mode: str = "independent") -> Quantity:
    """An upper bound on (loss - εΔ - 2η)/(ηεP) - C(β)·B/P, which is to be shown to be at most 0.

    The modes `parallel` (for D1 = D2) and `steps` are for four εV in one binade. The mode `spread` is for εV in
    different binades; then Y2 ≤ ηεV1'/2. A scenario that uses one of the first two needs this one as well. Any other
    scenario needs the mode `independent`.
    """

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = numbers(engine)
        kappa, a, ell, t = v["kappa"], v["a"], v["ell"], v["t"]
        eta, slack = n(regime.eta), n(regime.slack)
        if skipped(n, scenario, a, ell, slack):
            return n(-1)  # there is nothing to show
        scale = ell / kappa  # λ/P
        room = n.greatest(scale, *scenario.rooms(a, ell, eta))
        s = n.step(t, room, kappa, ell, regime)
        top, near, far, near_p = n.places(scenario, a, ell, slack)
        y1p, y2, y1, y2p = (n.y_error(x * (1 + eta), kappa) for x in (top, near, far, near_p))
        if mode == "spread":
            y2 = n.least(y2, top * (1 + eta) / 2)
        rest = 4 * scale
        low = kappa + s * (n(scenario.width) - y1p - y2p) - s * rest / 2
        if scenario.loose:
            low = low - n(regime.max_beta * regime.offset)
        y_gain, apart = y2 + y2p, n(scenario.apart) + y1 + y2 + y1p + y2p + rest
        if mode == "parallel":
            y_gain, apart = 2 * y2, 2 * y2 + rest
        elif mode == "steps":
            apart = n.steps(kappa, top * (1 + eta), n(scenario.apart)) + rest
        elif mode == "monotone":  # `apart` bounds D2, and g1' ≥ g1
            apart = n(scenario.apart) + y2 + y2p + rest
        total = n(scenario.gain) + y_gain + n.slope(low, apart, s) * apart - n.allowed(room, s, regime)
        return n.greatest(total, n(LOW) - low, -n(scenario.apart))

    return quantity


def skipped(n: "Numbers", scenario: Scenario, a: Enclosure, ell: Enclosure, slack: Enclosure) -> bool:
    """Whether τ2' is in its binade nowhere in this part of the box."""
    return not scenario.loose and n.below(a - ell + slack, lowest(scenario.pattern.near_p))


def modes(scenario: Scenario) -> tuple[str, ...]:
    if scenario.mode == "independent":
        return ("parallel", "spread") if scenario.parallel else ("independent",)
    return ("steps", "spread") if scenario.mode == "steps" else ("monotone",)


def inequalities(table: Iterable[Scenario], regime: Regime) -> Iterator[Inequality]:
    """What is optimised: every scenario of a table that has a box, in all its modes."""
    for scenario in table:
        if (box := box_of(scenario, regime)) is not None:
            for mode in modes(scenario):
                yield Inequality(f"{scenario}, {mode}", excess(scenario, regime, mode), box)


@dataclass(frozen=True)
class Backward:
    """A case of the ratio P(x|c')/P(x|c): where x lies, and how large Δ is.

    `coarse` is Δ/u if the spacing H = 2u at τ1' exceeds Δ, and None if it does not.
    """

    place: Literal["x = 0", "|x| ≤ 4P", "|x| ≥ 8P"]
    coarse: Fraction | None
    ell: tuple[Fraction, Fraction]

    def __str__(self) -> str:
        size = "fine" if self.coarse is None else f"Δ = {self.coarse}u" if self.coarse > QUARTER else "Δ ≤ u/4"
        return f"backward, {size}, {self.place}, ℓ ≤ {self.ell[1]}"

    def rooms(self, n: "Numbers", a: Enclosure, ell: Enclosure, eta: Enclosure) -> list[Enclosure]:
        """Lower bounds on B."""
        rooms = [reach.beyond(a, ell, eta, n(self.coarse))] if self.coarse is not None else []
        if self.place == "x = 0":
            return [*rooms, reach.at_zero(a, ell, eta)]
        return [*rooms, n(8)] if self.place == "|x| ≥ 8P" else [*rooms, reach.anywhere(a, ell, eta), ell]

    def near(self, a: Enclosure, ell: Enclosure, slack: Enclosure) -> Enclosure:
        """The largest τ2'; |δ| is at most 4·slack where |x| < 8P: the power of two at or below |x| is at most 4P."""
        return a if self.place == "|x| ≥ 8P" else a - ell + 4 * slack

    def places(self, a: Enclosure, ell: Enclosure, slack: Enclosure) -> tuple[Enclosure, ...]:
        """The largest τ1', τ2, τ1 and τ2', as Numbers.places has them for a scenario."""
        near = self.near(a, ell, slack)
        return a, near, a, near


def backward() -> Iterator[Backward]:
    places: tuple[Literal["x = 0", "|x| ≤ 4P", "|x| ≥ 8P"], ...] = ("x = 0", "|x| ≤ 4P", "|x| ≥ 8P")
    for ell, place, coarse in product(lattices(), places, (None, Fraction(1), HALF, QUARTER)):
        yield Backward(place, coarse, ell)


def backward_box(case: Backward, regime: Regime) -> Box:
    low, unit = Fraction(1), (Fraction(0), Fraction(1))
    if case.place != "|x| ≥ 8P":
        low = max(low, case.ell[0] - 4 * regime.slack)
    return {"kappa": (Fraction(1), Fraction(2)), "a": (low, Fraction(2)), "ell": case.ell, "t": unit}


def backward_excess(case: Backward, regime: Regime) -> Quantity:
    """The same as `excess` for the other ratio. The bound is

        loss - εΔ - 2η ≤ -ε(Δ + D2) + Y2 + Y2' + N(L)·(ε(D1 - D2) + Y1 + Y2 + Y1' + Y2' + 4η),

    because f is concave. D2 ≥ 0, τ2 ≤ τ2' and τ1 ≤ τ1'. If H ≤ Δ, then D1 ≤ Δ + H/2, so N·D1 - Δ ≤ (3N - 2)u if N ≤ 1.
    If H > Δ, then D1 ≤ H = 2u.
    """

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = numbers(engine)
        kappa, a, ell, t = v["kappa"], v["a"], v["ell"], v["t"]
        eta = n(regime.eta)
        scale = ell / kappa  # λ/P
        room = n.greatest(scale, *case.rooms(n, a, ell, eta))
        s = n.step(t, room, kappa, ell, regime)
        near = case.near(a, ell, n(regime.slack))
        far_y, near_y = (n.y_error(x * (1 + eta), kappa) for x in (a, near))
        rest = 4 * scale
        # V1 - V2 - Λ ≥ -(h1 + h2)/2 - |δ| (`cells`)
        low = kappa - s * (2 + far_y + near_y) - s * rest / 2 - n(regime.max_beta * regime.offset)
        slope = n.amplification(low)
        if case.coarse is None:
            gain = 3 * slope - 2
        else:
            gain = 2 * slope - n(case.coarse if case.coarse > QUARTER else 0)
        total = gain + 2 * near_y + slope * (2 * near_y + 2 * far_y + rest) - n(regime.constant) * room
        return n.greatest(total, slope - 1, n(LOW) - low)

    return quantity


def backward_inequalities(cases: Iterable[Backward], regime: Regime) -> Iterator[Inequality]:
    for case in cases:
        yield Inequality(str(case), backward_excess(case, regime), backward_box(case, regime))


def numbers(engine: Engine) -> "Numbers":
    """The engine's arithmetic. joined.py brings its own, in which numbers are solver terms."""
    return engine if isinstance(engine, Numbers) else Numbers(engine)


class Numbers:
    """Constants and comparisons in the arithmetic of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __call__(self, x: Fraction | int) -> Enclosure:
        engine: Any = self.engine  # a frozen dataclass: hashable
        return constant(engine, x.numerator, x.denominator)

    def least(self, *xs: Enclosure) -> Enclosure:
        return reduce(lambda x, y: pairwise(x, y, smaller=True), xs)

    def greatest(self, *xs: Enclosure) -> Enclosure:
        return reduce(lambda x, y: pairwise(x, y, smaller=False), xs)

    def exp(self, x: Enclosure) -> Enclosure:
        return self.engine.exp(x)

    def amplification(self, w: Enclosure) -> Enclosure:
        """N(w) = 1/(e**w - 1)."""
        return 1 / (self.exp(w) - 1)

    def slope(self, low: Enclosure, apart: Enclosure, s: Enclosure) -> Enclosure:
        """(N(L) + N(L + W))/2 for L = low and W = s·apart."""
        return averaged(self.amplification, low, s * apart)

    def below(self, x: Enclosure, limit: Fraction) -> bool:
        """Whether all of the enclosure x is below the limit."""
        ends = self.engine.ends(x)
        return ends is not None and ends[1] < limit

    def above_zero(self, x: Enclosure) -> bool:
        """Whether all of the enclosure x is above 0."""
        ends = self.engine.ends(x)
        return ends is not None and ends[0] > 0

    def allowed(self, room: Enclosure, s: Enclosure, regime: Regime) -> Enclosure:
        """At most C(β)·B/P, because room ≤ B/P and s·B/P = β."""
        return (self(regime.constant) + self(regime.slope) * (s * room)) * room

    def step(self, t: Enclosure, room: Enclosure, kappa: Enclosure, ell: Enclosure, regime: Regime) -> Enclosure:
        """s = ηεP: t in [0, 1] times its largest possible value."""
        return t * self.least(*self.largest_steps(room, kappa, ell, regime))

    def largest_steps(self, room: Enclosure, kappa: Enclosure, ell: Enclosure, regime: Regime) -> list[Enclosure]:
        """Upper bounds on s = ηεP: β/(B/P), and ηκ/ℓ."""
        steps = [self(regime.max_beta) / room]
        return [*steps, self(regime.eta) * kappa / ell] if self.above_zero(ell) else steps

    def places(self, scenario: Scenario, a: Enclosure, ell: Enclosure, slack: Enclosure) -> tuple[Enclosure, ...]:
        """The largest τ1', τ2, τ1, τ2' of a scenario, in units of P."""
        if scenario.loose:
            return a, a, a, a
        p = scenario.pattern
        far = self.least(a, self(highest(p.far)), self(highest(p.near)) + ell + slack)
        if scenario.reach_of_c is not None:
            far = self.least(far, self(scenario.reach_of_c) + ell / 2 + slack)
        near_p = self.least(a - ell + slack, self(highest(p.near_p)))
        near = self.least(near_p, self(highest(p.near)), far - ell + slack)
        return a, near, far, near_p

    def y_error(self, distance: Enclosure, kappa: Enclosure) -> Enclosure:
        """An upper bound on Y/s = 2**⌊log2 εV⌋/(εP), for V/P at most `distance`.

        It is 2**⌊log2 (κV/P)⌋/κ, because εP = κ/ℓ with ℓ a power of two; and it is at most V/P.
        """
        return self.least(distance, self.power(kappa * distance) / kappa)

    def steps(self, kappa: Enclosure, top: Enclosure, apart: Enclosure) -> Enclosure:
        """An upper bound on w - w' without E_u, in units of s, where the four εV are in one binade (lemma `steps`).

        It is a whole number of steps 2Y. D2 - D1 is at most `apart`, and V1'/P at most `top`. If κV1' < 2P, the step is
        2/κ, because κV1' ≥ P. If not, only |E_y| ≤ Y is used.
        """
        if not self.below(kappa * top, Fraction(2)):
            return apart + 4 * self.y_error(top, kappa)
        return 2 * (self.whole(kappa * apart / 2) + 2) / kappa

    def whole(self, x: Enclosure) -> Enclosure:
        """The whole number at or below the largest x."""
        ends = self.engine.ends(x)
        return x if ends is None else self(ends[1] // 1)

    def power(self, x: Enclosure) -> Enclosure:
        """The power of two at or below the largest x; it is 0 if x ≤ 0."""
        ends = self.engine.ends(x)
        if ends is None:
            return x
        return self(power_of_two(floor_log2(ends[1])) if ends[1] > 0 else 0)


@cache
def power_of_two(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


@cache
def constant(engine: Any, numerator: int, denominator: int) -> Enclosure:  # two integers: fractions are slow to hash
    with engine.working():
        return engine.between(*(Fraction(numerator, denominator),) * 2)


def pairwise(x: Enclosure, y: Enclosure, smaller: bool) -> Enclosure:
    """An enclosure of the smaller, or the larger, of two numbers."""
    if hasattr(x, "_mpi_"):  # mpmath: each end on its own
        ends = zip(x._mpi_, y._mpi_, strict=True)
        return x.ctx.make_mpf(tuple(p if (libmp.mpf_cmp(p, q) <= 0) == smaller else q for p, q in ends))
    return x.min(y) if smaller else x.max(y)
