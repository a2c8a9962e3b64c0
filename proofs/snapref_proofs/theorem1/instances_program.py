"""What Theorem 1's lemmas about single draws assume is true of the program (004 §4): the third part of instances.

For a distance τ the program is followed backwards as in inversion.py: Z must reach the float ζ, Y the float ψ, and u
must be below the float q. Then it is run on draws u next to q. Logarithms and exponentials are irrational; a rational
within 2**-300 of them takes their place, and never lies on the other side of a number that they are compared with.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from snapref.arithmetic import context, multiply, scaled
from snapref.budget import eta, floor_log2
from snapref.logarithm import ln
from snapref_proofs.evaluate.dyadics import from_fraction, from_mpfr
from snapref_proofs.evaluate.intervals import both, enclose
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.theorem1 import inversion, joined
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built
from snapref_proofs.theorem1.replay import lower_end

BITS = 300
MOST = 400  # εV; e**-εV has to be written as a fraction


@dataclass(frozen=True)
class Float:
    """A float, the float before it, and whether its significand is even."""

    value: Fraction
    before: Fraction
    even: bool

    @property
    def middle(self) -> Fraction:
        return (self.before + self.value) / 2


def least_float(x: Fraction, p: int, closed: bool) -> Float:
    """The least p-bit float ≥ x if closed, > x if not."""
    spacing = Fraction(2) ** (floor_log2(x) + 1 - p)
    n = int(-(-x // spacing) if closed else x // spacing + 1)
    before = (n - 1) * spacing if n > 1 << (p - 1) else (n - Fraction(1, 2)) * spacing
    return Float(n * spacing, before, n % 2 == 0)


def near(expression: Any) -> Fraction:
    low, high = enclose(expression, both(BITS)[1])
    return (low + high) / 2


def exp(x: Fraction) -> Fraction:
    return near(lambda e: e.exp(e.between(x, x)))


def log(x: Fraction) -> Fraction:
    return near(lambda e: e.log(e.between(x, x)))


def f(w: Fraction) -> Fraction:
    """f(w) = ln(1 - e**-w)."""
    return log(1 - exp(-w))


def log_probability(a: Fraction, g: Fraction) -> Fraction:
    """ln(1 - e**-a/2 - e**-g/2)."""
    return log(1 - exp(-a) / 2 - exp(-g) / 2)


@dataclass(frozen=True)
class Walk:
    """From a distance τ back to u. `closed`: Z ≥ τ is asked for, and otherwise Z > τ."""

    mechanism: Parameters
    tau: Fraction
    closed: bool

    @property
    def precision(self) -> int:
        return self.mechanism.precision

    @cached_property
    def zeta(self) -> Float:
        return least_float(self.tau, self.precision, self.closed)

    @property
    def v(self) -> Fraction:
        """εV."""
        return self.zeta.middle / self.mechanism.scale

    @cached_property
    def psi(self) -> Float:
        return least_float(self.v, self.precision, self.zeta.even)

    @cached_property
    def power(self) -> Fraction:
        """e**-ψ°."""
        return near(lambda engine: engine.exp(engine.between(-self.psi.middle, -self.psi.middle)))

    @cached_property
    def q(self) -> Float:
        return least_float(self.power, self.precision, closed=True)

    @property
    def error(self) -> Fraction:
        """E_y."""
        return self.psi.middle - self.v

    @property
    def lost(self) -> Fraction:
        """E_u."""
        ratio = self.q.value / self.power
        return near(lambda engine: engine.log(engine.between(ratio, ratio)))

    @property
    def exponent(self) -> Fraction:
        """g."""
        return self.v + self.error - self.lost

    @property
    def spacing(self) -> Fraction:
        """2Y: the spacing of floats at εV."""
        return Fraction(2) ** (floor_log2(self.v) + 1 - self.precision)

    def assumptions(self) -> Iterator[Assumed]:
        own = {"tau": self.tau, "zeta": self.zeta.value, "zeta-": self.zeta.before, "zeta_is_even": self.zeta.even}
        own |= {"psi": self.psi.value, "psi-": self.psi.before, "psi_is_even": self.psi.even, "V/lambda": self.v}
        own |= {"q": self.q.value, "q-": self.q.before, "exp(-psi°)": self.power, "lambda": self.mechanism.scale}
        for u in {self.q.value, self.q.before, self.q.before / 2, 2 * self.q.value}:
            if u < 1:
                y, product, z = self.run(u)
                log = near(lambda engine, u=u: -engine.log(engine.between(u, u)))
                drawn = {"u": u, "Y": y, "lambda_Y": product, "Z": z, "-ln_u": log}
                name = "Z ≥ τ" if self.closed else "Z > τ"
                yield from assumed(built(inversion.walk), {**own, **drawn}, ["λY ≥ V", name])
        yield from self._errors()

    def run(self, u: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Y, λY and Z = RN(λY), as the program computes them."""
        y = -ln(from_fraction(u), self.precision)
        scale = scaled(*self.mechanism.held[0])
        return from_mpfr(y), self.mechanism.scale * from_mpfr(y), from_mpfr(multiply(scale, y, self.precision))

    def _errors(self) -> Iterator[Assumed]:
        """`sizes`, in units of the spacing at τ, of that at εV, and of that at q; and `relative`."""
        h, p = self.zeta.value - self.zeta.before, self.precision
        v, unit = self.v / self.spacing, self.q.value - self.q.before
        own: dict[str, Any] = {"eta": eta(p), "Q": Fraction(2) ** (p - 1), "tau": self.tau / h}
        own |= {"lo": self.zeta.before / h, "V/P": self.zeta.middle / h, "v": v, "lo_y": self.psi.before / self.spacing}
        own["r"] = v / own["V/P"]
        s = own["eta"] * own["r"]
        own |= {"Y": Fraction(1, 2) / s, "E_y": self.error / self.spacing / s, "lambda/P": own["eta"] / s}
        own |= {"E_u": self.lost / s, "t": self.power / unit, "q": self.q.value / unit, "q-": self.q.before / unit}
        names = ["E_u ≤ 2η"]
        if self.psi.value - self.psi.before == self.spacing:  # not across a power of two
            names += ["V and Y", "relative errors"]
        yield from assumed(built(joined.sizes), own, names)
        scale, odd = self.mechanism.scale, int(2 * own["V/P"])
        numbers: dict[str, Any] = {"odd": odd, "half": odd // 2, "other_half": odd // 2, "2**p": 1 << p}
        numbers |= {"s": int(scale * Fraction(2) ** (p - 1 - floor_log2(scale)))}
        numbers |= {"Q": Fraction(2) ** floor_log2(self.v), "epsilon_V": self.v}
        yield from assumed(built(inversion.parallel), numbers, ["Q < εV"])
        values = {"A": self.tau / self.mechanism.scale, "epsilon_V": self.v, "E_y": self.error, "E_u": self.lost}
        yield from assumed(built(joined.relative), {**values, "eta": eta(p)})


def draws(one: OneSide) -> Iterator[Assumed]:
    """The lemmas `rounding`, `errors`, `probability` and `parallel` at the four distances of a configuration."""
    m = one.configuration.parameters
    walks = {name: Walk(m, t, one.closed) for name, t in one.distances.items()}
    (t1, g1), (t2, g2) = one.thresholds
    ends = {"T1": t1, "T2": t2, "t1*": t1 - g1, "t2*": t2 - g2}
    for (t, gap), odd in zip(one.thresholds, (2 * one.configuration.k - 1, 2 * one.configuration.k + 1), strict=True):
        s = abs(odd) << (m.precision - abs(odd).bit_length())
        own = {"odd": abs(odd), "M": 1 << (m.precision - 1), "s": s, "half": s // 2, "T": t, "T-": t - 2 * gap}
        for r in (t + step * gap / 2 for step in range(-5, 3)):
            w = from_mpfr(context(m.precision).plus(scaled(*from_fraction(r))))
            yield from assumed(built(inversion.rounding), {**own, **ends, "r": r, "w": w, "c": w})  # w is a float, too
    sides = {**ends, "c": one.values_of_f[0]}
    for z in (one.distances["2"], one.distances["1"], m.scale):
        region = "III" if one.closed else "I"
        yield from assumed(built(inversion.probabilities, *inversion.TIES_UP), {**sides, "Z": z}, [region])
        within = {**ends, "c": (t1 - g1 + t2 - g2) / 2, "Z": z}
        yield from assumed(built(inversion.probabilities, *inversion.TIES_UP), within, ["II"])
        at_ends = ["x = -B, beyond", "x = B"] if one.closed else ["x = -B", "x = B, beyond"]
        for t in (t1 - g1, t2 - g2):
            yield from assumed(built(inversion.probabilities, *inversion.TIES_UP), {**sides, "Z": z, "t*": t}, at_ends)
    yield from in_binades(walks)
    if walks["1'"].v < MOST:
        for walk in walks.values():
            yield from walk.assumptions()
        q2, q1, q2p, q1p = (walk.q.value for walk in walks.values())
        ratios = {"q2": q2, "r": q1 / q2, "q2'": q2p, "r'": q1p / q2p}
        yield from assumed(built(inversion.probabilities, *inversion.TIES_UP), ratios, ["ratio"])


def in_binades(walks: dict[str, Walk]) -> Iterator[Assumed]:
    """Whether the four εV lie in one binade, what is assumed if they do, and of ψ° in any case."""
    power = {name: Fraction(2) ** floor_log2(walk.v) for name, walk in walks.items()}
    one = power["2"] == power["1'"]
    for name in ("1", "2'"):
        three = {"v2": walks["2"].v, "v": walks[name].v, "v1'": walks["1'"].v}
        three |= {"Q2": power["2"], "Q": power[name], "Q1'": power["1'"]}
        yield from assumed(built(inversion.parallel), three, ["one binade" if one else "two binades"])
    for first, second in (("2", "2'"), ("1", "1'")):
        own: dict[str, Any] = {}
        for mark, walk in (("", walks[first]), ("'", walks[second])):
            own |= {f"v{mark}": walk.v, f"closed{mark}": walk.zeta.even}
            own |= {f"psi{mark}": walk.psi.value, f"psi-{mark}": walk.psi.before}
        yield from assumed(built(inversion.steps), own, ["ψ° ≤ ψ°'"])
    if one:
        yield from _in_steps(walks, power["2"])


def _in_steps(walks: dict[str, Walk], q: Fraction) -> Iterator[Assumed]:
    """The four εV and the numbers of their cells, counted from Q in units of the spacing there."""
    places = {name: (walk.v - q) / walk.spacing for name, walk in walks.items()}
    closed = {name: walk.zeta.even for name, walk in walks.items()}
    cells = {name: lower_end(place, Fraction(1), closed[name]) for name, place in places.items()}
    own: dict[str, Any] = {f"v{name}": place for name, place in places.items()}
    own |= {f"closed{name}": kind for name, kind in closed.items()} | {f"n{name}": n for name, n in cells.items()}
    yield from assumed(built(inversion.steps), own, ["whole steps"])
    moved = places["2'"] - places["2"]
    same = closed["2"] == closed["1"] and closed["2'"] == closed["1'"]
    if moved == places["1'"] - places["1"] and same:  # D1 = D2
        own |= {"e": moved, "zeta_is_even": closed["2"], "zeta'_is_even": closed["2'"]}
        own |= {"n1p": cells["1'"], "n2p": cells["2'"]}
        yield from assumed(built(inversion.parallel), own, ["parallel"])
