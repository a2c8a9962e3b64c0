"""What `theorem.faithful` assumes is true of the program (004 §4): part of instances. Rounding to nearest is faithful.

The variables of faithful.py get the values that they have in a configuration, with η° = 2η in place of η.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from snapref.budget import floor_log2
from snapref_proofs.theorem1 import faithful
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built
from snapref_proofs.theorem1.instances_program import MOST, Walk

ENDS = {"eta": faithful.CRUDE.eta, "beta": faithful.CRUDE.max_beta}  # as large as the conditions allow
LIMITS = {**ENDS, **{f"{name}°": faithful.LARGER * value for name, value in ENDS.items()}, "b": Fraction(1)}


def draws(one: OneSide) -> Iterator[Assumed]:
    m = one.configuration.parameters
    walks = {name: Walk(m, t, one.closed) for name, t in one.distances.items()}
    yield from _one_threshold(one, walks["2"], walks["2'"])
    yield from _gaps(one)
    larger = faithful.LARGER * one.eta
    own = {"eta": one.eta, "b": m.bound / m.scale, "beta": m.beta, "eta°": larger, "beta°": faithful.LARGER * m.beta}
    if faithful.CRUDE.covers(m.precision, m.beta):
        yield from assumed(built(faithful.conditions), own)
    yield from assumed(built(faithful.conditions), LIMITS)
    if walks["1'"].v < MOST:
        for walk in walks.values():
            yield from _errors(walk, larger)


def _errors(walk: Walk, larger: Fraction) -> Iterator[Assumed]:
    """As instances_program has them for `sizes`."""
    h, spacing, unit = walk.zeta.value - walk.zeta.before, walk.spacing, walk.q.value - walk.q.before
    v, w, size = walk.v / spacing, walk.psi.middle / spacing, walk.zeta.middle / h
    s = larger * v / size
    own: dict[str, Any] = {"eta": larger / faithful.LARGER, "Q": Fraction(2) ** (walk.precision - 1), "r": v / size}
    own |= {"tau": walk.tau / h, "lo": walk.zeta.before / h, "V/P": size, "v": v, "w": w}
    own |= {"lo_y": walk.psi.before / spacing, "Y": 1 / s, "E_y": (w - v) / s, "lambda/P": larger / s}
    own |= {"E_u": walk.lost / s, "t": walk.power / unit, "q": walk.q.value / unit, "q-": walk.q.before / unit}
    names = ["E_u ≤ 2η°"]
    if walk.psi.value - walk.psi.before == spacing:  # not across a power of two
        names += ["V and Y", "relative errors"]
    yield from assumed(built(faithful.errors), own, names)
    power = own["Q"]
    for at, lost in ((power, 1 / power / 2), (power + 1, Fraction(0))):  # t may be a float, at either end
        ends = {**own, "q-": power, "q": power + 1, "t": at, "E_u": lost / s}
        yield from assumed(built(faithful.errors), ends, ["E_u ≤ 2η°"])
    low, high = walk.zeta.before, walk.zeta.value
    for start, closed in ((walk.zeta.middle, walk.zeta.even), (low, False), (high, True)):  # to nearest, up, down
        own = {"start": start, "closed": closed, "a": low, "b": high, "R(b)": high, "R(other)": low}
        yield from assumed(built(faithful.rays), own)


def _one_threshold(one: OneSide, near: Walk, away: Walk) -> Iterator[Assumed]:
    u = one.eta * one.unit
    own = {"V": near.zeta.middle, "V'": away.zeta.middle, "tau": near.tau, "tau'": away.tau, "etaP": u}
    own |= {"h": near.zeta.value - near.zeta.before, "h'": away.zeta.value - away.zeta.before}
    yield from assumed(built(faithful.errors), {**own, "eta°P": faithful.LARGER * u}, ["D - d"])
    own |= {"V": near.zeta.value, "tau": near.zeta.before, "V'": away.zeta.before, "tau'": away.zeta.value}  # the ends
    yield from assumed(built(faithful.errors), {**own, "eta°P": faithful.LARGER * u}, ["D - d"])


def _gaps(one: OneSide) -> Iterator[Assumed]:
    m = one.configuration.parameters
    x = abs(one.configuration.k) * m.lattice
    sizes = [abs(t) for t, _ in one.thresholds]
    own = {"size_x": x, "Lambda": m.lattice, "lambda": m.scale, "B": m.bound}
    own["power_at_x"] = Fraction(2) ** floor_log2(x) if x else Fraction(0)
    for size in sizes:
        power = {"Q": Fraction(2) ** floor_log2(size), "size_T": size}
        yield from assumed(built(faithful.gaps), {**own, **power}, ["Q < B, k ≠ 0" if x else "Q < B, k = 0"])
    size, (g1, g2) = max(sizes), (gap for _, gap in one.thresholds)
    eta = one.eta
    own = {"eta": eta, "eta_Q": eta * Fraction(2) ** floor_log2(size), "eta_B": eta * m.bound, "eta_T": eta * size}
    for first, second in product((1, 0, 2), repeat=2):  # to nearest, or in one direction
        yield from assumed(built(faithful.gaps), {**own, "g1": first * g1, "g2": second * g2}, ["g"])
