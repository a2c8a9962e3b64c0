"""A check of Theorem 1's tables on concrete numbers: does each configuration fall into a scenario that bounds it?

A *configuration* is a mechanism, an output and two values c and c' on one side of it. The lemmas are proved elsewhere;
this looks for a case that the list of scenarios (scenarios.py) forgot, in exact rationals. It samples, so it supports
the proof and decides nothing.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal, cast

from snapref.budget import eta, floor_log2, round_to_bits
from snapref_proofs.evaluate.boxes import BITS, over
from snapref_proofs.evaluate.dyadics import from_fraction, subtract, to_fraction
from snapref_proofs.evaluate.intervals import both
from snapref_proofs.evaluate.loss import entry_at
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import rows
from snapref_proofs.theorem1.interior import Backward, Numbers, backward_excess, excess
from snapref_proofs.theorem1.reach import reached
from snapref_proofs.theorem1.rows import Row, within
from snapref_proofs.theorem1.scenarios import DEEP, HALF, QUARTER, SMALL, Pattern, Scenario, head_of
from snapref_proofs.theorem1.statement import Regime


@dataclass(frozen=True)
class Rounded:
    """A distance τ: the power of two of its binade, its spacing h, and the middle V of its cell."""

    power: Fraction
    spacing: Fraction
    middle: Fraction


def rounded(t: Fraction, closed: bool, p: int) -> Rounded:
    """The cell [lo, lo+h), or (lo, lo+h] if closed, of p-bit numbers around t ≥ 0."""
    if t == 0:
        return Rounded(Fraction(0), Fraction(0), Fraction(0))
    power = Fraction(2) ** floor_log2(t)
    if closed and power == t:
        power /= 2
    h = power * Fraction(2) ** (1 - p)
    return Rounded(power, h, lower_end(t, h, closed) + h / 2)


def lower_end(t: Fraction, h: Fraction, closed: bool) -> Fraction:
    """lo, for the cell [lo, lo + h), or (lo, lo + h] if closed, that holds t."""
    return (-(-t // h) - 1) * h if closed else t // h * h


@dataclass(frozen=True)
class Configuration:
    """A mechanism, a sensitivity, the number k of an output, and two values c and c'."""

    parameters: Parameters
    sensitivity: Fraction
    k: int
    c: Fraction
    c_p: Fraction

    def distances(self) -> tuple[bool, tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None:
        """Whether cells are closed, (τ2, τ1) from the nearer of c and c', and (τ2', τ1') from the other.

        None if c and c' are not on one side of the output's interval.
        """
        low, high = (to_fraction(boundary(self.parameters, j).number) for j in (self.k - 1, self.k))
        if min(self.c, self.c_p) >= high:
            near, away = sorted((self.c, self.c_p))
            return False, (near - high, near - low), (away - high, away - low)
        if max(self.c, self.c_p) < low:
            away, near = sorted((self.c, self.c_p))
            return True, (low - near, high - near), (low - away, high - away)
        return None

    def missed(self, regime: Regime) -> str:
        """What is wrong if no scenario of the right kind bounds this configuration; an empty string if one does."""
        found = self.distances()
        if found is None or self.c == self.c_p:
            return ""
        row = self.row(regime)
        return row if isinstance(row, str) else ""

    def row(self, regime: Regime) -> Scenario | str:
        """A scenario of a row with this Δ, these binades and this δ that bounds the configuration, with c and c' on one
        side; or what is wrong if there is none."""
        found = self.distances()
        assert found is not None
        closed, (t2, t1), (t2p, t1p) = found
        p, lattice = self.parameters.precision, self.parameters.lattice
        r2, r1, r2p, r1p = (rounded(t, closed, p) for t in (t2, t1, t2p, t1p))
        power, unit = r1p.power, r1p.spacing / 2
        gain = (r2p.middle - r2.middle - self.sensitivity) / unit
        apart = ((r2p.middle - r2.middle) - (r1p.middle - r1.middle)) / unit
        width = (r1p.middle - r2p.middle - lattice) / unit
        ell, a, room = lattice / power, t1p / power, self.parameters.bound / power
        pattern = Pattern(*(binade(r.power, power) for r in (r2, r1, r2p)))
        head, delta = self.head(r1p), t1 - t2 - lattice
        for row in table().get((head, pattern, max(ell, SMALL)), []):
            if not all(within(delta / unit, row.limits)):
                continue
            for scenario in row.scenarios:
                loose = scenario.loose and abs(delta) <= regime.slack * self.parameters.bound
                bounded = gain <= scenario.gain and apart <= scenario.apart
                wide = width >= scenario.width - (abs(delta) / unit if loose else 0)
                if bounded and wide and all(reached(scenario.rooms(a, ell, regime.eta), room)):
                    return scenario
        found_here = f"gain {gain}, apart {apart}, width {width}, B/P {room}"
        return f"{self}: {head}, δ = {delta / unit}u, {pattern}, ℓ = {ell}, a = {float(a)}: {found_here}"

    def above_its_row(self, regime: Regime) -> str:
        """What is wrong if the exact loss, in either direction, exceeds what the inequality of its own row says here.

        The quantity that is optimised, without C·B/P, is evaluated at the configuration's own κ, a, ℓ and t.
        """
        found = self.distances()
        if found is None or self.c == self.c_p:
            return ""
        scenario = self.row(regime)
        if isinstance(scenario, str):
            return scenario
        closed, near, away = found
        m, n, free = self.parameters, cast(Numbers, Fraction), replace(regime, constant=0)
        h = eta(m.precision)
        cells = [rounded(t, closed, m.precision) for t in (*near, *away)]
        top = cells[-1]
        a, ell = away[1] / top.power, m.lattice / top.power
        one_binade = len({floor_log2(cell.middle / m.scale) for cell in cells if cell.middle}) == 1
        mode = ("parallel" if one_binade else "spread") if scenario.parallel else "independent"
        case = self.backward_case(top)
        rooms = scenario.rooms(a, ell, regime.eta)
        low, high = self.signed_loss()
        both_ratios = (
            (excess(scenario, free, mode), rooms, low),
            (backward_excess(case, free), case.rooms(n, a, ell, regime.eta), -high),
        )
        for quantity, least, loss in both_ratios:
            s, kappa = h * top.power / m.scale, m.lattice / m.scale
            largest = min(regime.max_beta / max(ell / kappa, *least), regime.eta * kappa / ell)
            point = {"kappa": kappa, "a": a, "ell": ell, "t": s / largest}
            box = {name: (value, value) for name, value in point.items()}
            most = [over(quantity, box, engine)[1] for engine in both(BITS)]
            added = (loss - self.sensitivity / m.scale - 2 * h) / s
            if not 0 <= point["t"] <= 1 or any(end is None or added > end for end in most):
                return f"{self}: {scenario}, {mode}, {case}: {float(added)} above {most}, at {point}"
        return ""

    def backward_case(self, top: Rounded) -> Backward:
        """The case of the other ratio."""
        size, ell = 2 * self.sensitivity / top.spacing, self.parameters.lattice / top.power
        place: Literal["x = 0", "|x| ≤ 4P", "|x| ≥ 8P"] = "|x| ≥ 8P" if abs(self.k) * ell >= 8 else "|x| ≤ 4P"
        fine = (self.sensitivity / top.spacing).denominator == 1
        return Backward("x = 0" if self.k == 0 else place, None if fine else max(size, QUARTER), (ell, ell))

    def signed_loss(self) -> tuple[Fraction, Fraction]:
        """An enclosure of ln P(x|nearer)/P(x|farther)."""
        found = self.distances()
        assert found is not None
        values = sorted((self.c, self.c_p), reverse=found[0])
        entry = entry_at(self.parameters, self.k, *(from_fraction(value) for value in values))
        low, high = entry.loss.enclosure(256)
        return (low, high) if subtract(entry.a, entry.b).significand >= 0 else (-high, -low)

    def head(self, top: Rounded) -> str:
        """The size of Δ, as the rows name it."""
        fine = (self.sensitivity / top.spacing).denominator == 1
        return head_of(None if fine else max(QUARTER, 2 * self.sensitivity / top.spacing))


def binade(power: Fraction, top: Fraction) -> int:
    return min(DEEP, floor_log2(top) - floor_log2(power)) if power else DEEP


@cache
def table() -> dict[tuple[str, Pattern, Fraction], list[Row]]:
    found: dict[tuple[str, Pattern, Fraction], list[Row]] = {}
    for row in rows.table():
        found.setdefault((row.head, row.pattern, row.ell[1]), []).append(row)
    return found


def configurations(rng: random.Random, regime: Regime, most: Fraction | None = None) -> Iterator[Configuration]:
    """Random configurations where errors are likely to be large.

    Values are at ±B, at powers of two, or at a power of two from a threshold. Δ is from many spacings to a small part
    of one. `most` limits Δ/λ and B/λ, so that losses can be evaluated.
    """
    while True:
        p = rng.choice((53, rng.randint(regime.min_precision, regime.min_precision + 3)))
        reach = rng.randint(0, floor_log2(regime.max_beta) + p)
        scale = number(rng, p, 0)
        bound = max(scale, number(rng, p, rng.randint(0, max(0, reach - 1))))
        if bound > min(regime.max_beta * 2**p, most or 2**p) * scale:
            continue
        mechanism = Parameters(scale, bound, p)
        sensitivity = mechanism.spacing * rng.choice(
            (1, 1, 2, 3, 5, 8, 64, 2**p, HALF, QUARTER, QUARTER / 2, QUARTER / 64)
        )
        if most and sensitivity > most * scale:
            continue
        limit = min(bound, sensitivity * 2**p)  # two floats at most Δ apart are not larger
        for _ in range(20):
            last = mechanism.last - 1
            power = 2 ** rng.randint(0, max(0, last.bit_length() - 1))
            k = rng.choice((last, -last, 0, rng.randint(-last, last), power, -power, power, -power))
            c = value(rng, limit, mechanism, k)
            less = rng.choice((0, 0, QUARTER / 8, QUARTER, HALF, 1)) * min(mechanism.spacing, sensitivity)
            other = rng.choice((c + rng.choice((1, -1)) * (sensitivity - less), value(rng, limit, mechanism, k)))
            other = max(-bound, min(bound, other))
            if other:
                other = round_to_bits(abs(other), p, up=rng.random() < 0.5) * (1 if other > 0 else -1)
            if abs(k) <= last and abs(other) <= bound and 0 < abs(c - other) <= sensitivity:
                yield Configuration(mechanism, sensitivity, k, c, other)


def beyond(configuration: Configuration, regime: Regime) -> bool:
    """Whether the exact loss of a configuration exceeds the bound of the theorem."""
    mechanism = configuration.parameters
    beta = mechanism.beta
    limit = configuration.sensitivity / mechanism.scale + regime.at(beta) * beta + 2 * eta(mechanism.precision)
    values = (from_fraction(configuration.c), from_fraction(configuration.c_p))
    outputs = (configuration.k, mechanism.last)
    return any(entry_at(mechanism, k, *values).loss.exceeds(limit) for k in outputs)


def value(rng: random.Random, limit: Fraction, mechanism: Parameters, k: int) -> Fraction:
    """A p-bit value up to a limit: near it, near a power of two, where a distance is a power of two, or anywhere."""
    p = mechanism.precision
    low, high = (to_fraction(boundary(mechanism, j).number) for j in (k - 1, k))
    power = Fraction(2) ** rng.randint(floor_log2(limit) - 4, floor_log2(limit) + 1)
    centre = rng.choice(
        (limit, power, power + low, power + high, power - low, power - high, limit * Fraction(rng.random()))
    )
    spacing = Fraction(2) ** (floor_log2(limit) - p)
    x = abs(centre) + rng.randint(-6, 6) * spacing / rng.choice((1, 2, 4))
    x = min(limit, max(spacing, x))
    return round_to_bits(x, p, up=False) * rng.choice((1, -1))


def number(rng: random.Random, p: int, exponent: int) -> Fraction:
    """A p-bit number of [2**exponent, 2**(exponent+1)), often at an end, or 3/2."""
    top = 1 << (p - 1)
    anything = top + rng.getrandbits(p - 1)
    s = rng.choice((top, top + 1, 2 * top - 1, top + rng.getrandbits(3), top + top // 2, anything, anything))
    return Fraction(s, top) * Fraction(2) ** exponent
