"""What Theorem 1's joints assume is true of concrete configurations (004 §4): the fourth part of instances.

The joints (joined.py) start from what the lemmas say of a configuration: of its exponents g = εV + E_y - E_u, of the
row that applies to it, and of B. Here these numbers are those of the program. The same is done for x = ±B, and for
outputs whose interval holds c.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from snapref.budget import eta, floor_log2
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import entry_at
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import coverage, joined, joined_inside, one_threshold
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built
from snapref_proofs.theorem1.instances_program import MOST, Walk, near
from snapref_proofs.theorem1.joined import Kind
from snapref_proofs.theorem1.one_threshold import End
from snapref_proofs.theorem1.replay import Configuration, rounded
from snapref_proofs.theorem1.scenarios import Scenario
from snapref_proofs.theorem1.statement import Regime
from snapref_smt.engine.statement import Statement, variables_of


def exponents(names: tuple[str, ...], walks: list[Walk], unit: Fraction, s: Fraction) -> dict[str, Fraction]:
    """The variables of joined.Threshold: lengths in units of P and of u, errors in units of s."""
    own: dict[str, Fraction] = {}
    for name, walk in zip(names, walks, strict=True):
        h = eta(walk.precision)
        v, y = walk.zeta.middle, h * Fraction(2) ** floor_log2(walk.v)
        own |= {f"tau{name}": walk.tau / unit, f"V{name}/P": v / unit, f"V{name}/u": v / unit / h}
        own |= {f"E_y{name}": walk.error / s, f"E_u{name}": walk.lost / s, f"Y{name}": y / s}
    return own


def one_side(one: OneSide) -> Iterator[Assumed]:
    """The joints `forward` and `backward`."""
    m, unit, regime = one.configuration.parameters, one.unit, one.regime
    walks = {name: Walk(m, t, one.closed) for name, t in one.distances.items()}
    if walks["1'"].v >= MOST:
        return
    s, u, a, ell = one.eta * unit / m.scale, one.eta * unit, one.distances["1'"] / unit, m.lattice / unit
    own: dict[str, Any] = {"s": s, "kappa": m.lattice / m.scale, "a": a, "ell": ell, "B/P": m.bound / unit}
    own |= {"lambda/P": m.scale / unit, "Lambda/u": m.lattice / u, "Delta/u": one.configuration.sensitivity / u}
    own |= exponents(tuple(walks), list(walks.values()), unit, s)
    own |= {"delta/u": abs(one.offset) / u, "h2": one.cells["2"].spacing / u, "h1": one.cells["1"].spacing / u}
    own["N"] = Fraction(1, 2)  # the slope may be any number
    scenario = one.configuration.row(regime)
    assert isinstance(scenario, Scenario), scenario
    one_binade = len({floor_log2(walk.v) for walk in walks.values()}) == 1
    mode = ("parallel" if one_binade else "spread") if scenario.parallel else "independent"
    kind = Kind(mode, scenario.loose, len(scenario.reaches))
    numbers = {name: getattr(scenario, name) for name in joined.NUMBERS}
    numbers |= {f"reach{i}": reach(a, ell, regime.eta) for i, reach in enumerate(scenario.reaches)}
    yield Assumed(f"joined.forward, {kind}", built(_forward, kind, regime), {**own, **numbers})
    case = one.configuration.backward_case(one.cells["1'"])
    yield Assumed(f"joined.backward, {case}", built(_backward, replace(case, ell=(Fraction(0),) * 2), regime), own)


def _forward(kind: Kind, regime: Regime) -> list[Any]:
    return joined.forward_facts(joined.OneSide(regime), kind.scenario(z3.Real), kind)


def _backward(case: Any, regime: Regime) -> list[Any]:
    return joined.backward_facts(joined.OneSide(regime, back=True), case)


def ends(configuration: Configuration, regime: Regime) -> Iterator[Assumed]:
    """The outputs x = ±B: c and c' on the side of 0, on both sides of t*, or beyond it."""
    m = configuration.parameters
    for sign in (1, -1):
        at = to_fraction(boundary(m, m.last - 1 if sign > 0 else -m.last).number)
        c, c_p = sorted((configuration.c, configuration.c_p), key=lambda value: abs(value - at))
        walks = [Walk(m, abs(value - at), closed=value < at) for value in (c, c_p)]
        beyond = [(value >= at) == (sign > 0) for value in (c, c_p)]
        if not any(beyond):
            yield from _before(configuration, regime, sign, at, walks, (c, c_p))
        else:
            yield from _beyond(configuration, regime, sign, at, walks, all(beyond))


def _lengths(configuration: Configuration, sign: int, at: Fraction, unit: Fraction) -> dict[str, Fraction]:
    """The variables of coverage.ends, without c and c'."""
    m = configuration.parameters
    steps = (m.last - 1) * m.lattice
    lengths = {"Lambda": m.lattice, "lambda": m.scale, "B": m.bound, "q": steps}
    lengths |= {"g": sign * (steps + m.lattice / 2) - at}
    return {name: length / unit for name, length in lengths.items()}


def _before(
    configuration: Configuration,
    regime: Regime,
    sign: int,
    at: Fraction,
    walks: list[Walk],
    values: tuple[Fraction, Fraction],
) -> Iterator[Assumed]:
    m, closed = configuration.parameters, sign > 0
    cells = [rounded(walk.tau, closed, m.precision) for walk in walks]
    unit, d = cells[1].power, walks[1].tau - walks[0].tau
    own = _lengths(configuration, sign, at, unit) | {"t": walks[0].tau / unit, "t'": walks[1].tau / unit}
    own |= {"c": values[0] / unit, "c'": values[1] / unit}
    yield from assumed(built(coverage.ends, regime), own, [f"ends, closed={closed}"])
    lengths = {"V": cells[0].middle, "V'": cells[1].middle, "h": cells[0].spacing, "h'": cells[1].spacing, "d": d}
    more = {"t": walks[0].tau, "t'": walks[1].tau, **lengths}
    yield from assumed(built(coverage.ends, regime), more, ["D - d ≤ (h + h')/2"])
    if walks[1].v < MOST:
        end = End("Λ ≥ 4P" if m.lattice >= 4 * unit else "K = 1" if m.last == 1 else "K ≥ 2")
        u = eta(m.precision) * unit
        here = {"a": walks[1].tau / unit, "ell": m.lattice / unit, "B/P": m.bound / unit, "lambda/P": m.scale / unit}
        here |= {"Delta/u": configuration.sensitivity / u, "d/u": d / u}
        here |= {"h/u": cells[0].spacing / u, "h'/u": cells[1].spacing / u}
        here |= exponents(("", "'"), walks, unit, u / m.scale)
        yield Assumed(f"joined.ends, {end}", built(_one_threshold, end, regime), here)


def _one_threshold(end: End, regime: Regime) -> list[Any]:
    assert end in one_threshold.ends()
    return joined.OneThreshold(regime, end).facts


def _beyond(
    configuration: Configuration, regime: Regime, sign: int, at: Fraction, walks: list[Walk], both: bool
) -> Iterator[Assumed]:
    """In units of λ; η·A is a variable of its own."""
    m = configuration.parameters
    low, high = sorted((configuration.c / m.scale, configuration.c_p / m.scale))
    own = _lengths(configuration, sign, at, m.scale) | {"c": low, "c'": high}
    name = "beyond" if both else "between"
    yield from assumed(built(coverage.ends, regime), own, [f"{name}, closed={sign > 0}"])
    if max(walk.v for walk in walks) < MOST:
        h = eta(m.precision)
        values = {"eta": h, "beta": m.beta, "Delta": configuration.sensitivity / m.scale, "d": high - low}
        for which, walk in zip(("", "'"), walks, strict=True):
            a = walk.tau / m.scale
            values |= {f"A{which}": a, f"eta_A{which}": h * a, f"g{which}": walk.exponent}
        entry = entry_at(m, sign * m.last, *map(from_fraction, (configuration.c, configuration.c_p)))
        values["loss"] = entry.loss.enclosure(256)[0]
        yield from assumed(built(joined.ends, regime), values, ["beyond t*" if both else "t* between"])


def inside(configuration: Configuration, regime: Regime) -> Iterator[Assumed]:
    """The output whose interval holds c, in units of λ; and in units of B, how far c' is from the interval."""
    m = configuration.parameters
    for k in {int(configuration.c / m.lattice // 1), int(configuration.c / m.lattice // 1) + 1, configuration.k}:
        if abs(k) < m.last:
            yield from _inside(configuration, regime, k)


def _inside(configuration: Configuration, regime: Regime, k: int) -> Iterator[Assumed]:
    m = configuration.parameters
    low, high = (to_fraction(boundary(m, j).number) for j in (k - 1, k))
    lengths = {"b": m.bound, "kappa": m.lattice, "c": configuration.c, "c'": configuration.c_p, "x": k * m.lattice}
    lengths |= {"g1": k * m.lattice - m.lattice / 2 - low, "g2": k * m.lattice + m.lattice / 2 - high}
    own = {name: length / m.scale for name, length in lengths.items()}
    own |= {"beta": m.beta, "eta": eta(m.precision)}
    held = low <= configuration.c <= high
    names = ["I,II: box", "I,II reverse: box", "I,III: box"]
    if held:
        names += ["II up: box", "II down: box", "A + G = K"]
    if configuration.c <= low and configuration.c_p >= high:
        names.append("III, I: R1 + R2")
    yield from assumed(built(coverage.inside, regime), own, names)
    if held and not low <= configuration.c_p <= high:
        lengths |= {"Lambda": m.lattice, "h": own["eta"] * m.bound}
        in_bounds = {name: length / m.bound for name, length in lengths.items()}
        where = "I, II: R" if configuration.c_p > high else "III, II: R"
        yield from assumed(built(coverage.inside, regime), in_bounds, [where])


def around(configuration: Configuration, regime: Regime) -> Iterator[Assumed]:
    """The joints of outputs whose interval holds one of the two values, or lies between them: c' is above it.

    Only hypotheses without the slope N and the rise of f are looked at: those are `slopes`.
    """
    m = configuration.parameters
    low_c, high_c = sorted((configuration.c, configuration.c_p))
    first = int(low_c / m.lattice // 1)
    for k in {first, first + 1, configuration.k}:
        low, high = (to_fraction(boundary(m, j).number) for j in (k - 1, k))
        furthest = max(high_c - low, high - low_c) / m.scale
        if abs(k) < m.last and high_c > high and low_c <= high and furthest < MOST / 2:
            yield from _around(configuration, regime, (low, high), (low_c, high_c))


def _around(
    configuration: Configuration, regime: Regime, ends: tuple[Fraction, Fraction], values: tuple[Fraction, Fraction]
) -> Iterator[Assumed]:
    m, (low, high), (c, c_p) = configuration.parameters, ends, values
    scale = m.scale
    width, kappa, u = (high - low) / scale, m.lattice / scale, scale / m.bound
    near_p, far_p = (Walk(m, c_p - t, closed=False) for t in (high, low))
    g2p, r = near_p.exponent, near_p.tau / scale
    w_p = far_p.exponent - g2p
    own = {
        "K": width,
        "h": eta(m.precision),
        "beta": m.beta,
        "Delta": configuration.sensitivity / scale,
        "kappa": kappa,
        "u": u,
    }
    if c < low:  # III and I
        nearer, far = (Walk(m, t - c, closed=True) for t in (low, high))
        moved = far.exponent - nearer.exponent - w_p
        own |= {"R1": nearer.tau / scale, "R2": r, "w'": w_p, "g2'-g2": g2p - nearer.exponent, "w-w'": moved}
        yield from known_part(built(joined_inside.inside, regime), own, "I, III")
        return
    own["e"] = (width - kappa) / (m.beta * regime.offset)
    below, above = Walk(m, c - low, closed=False), Walk(m, high - c, closed=True)
    exact = _log_probability(below.tau / scale, above.tau / scale)
    up = _log_probability(below.exponent, above.exponent) - exact
    units = {"R/b": r * u, "g2'-R": (g2p - r) / m.beta, "up": up / m.beta, "K-w'": (width - w_p) / m.beta}
    yield from known_part(built(joined_inside.inside, regime), {**own, **units}, "I, II")
    beyond = near(lambda e: e.log((e.exp(e.between(-r, -r)) - e.exp(e.between(-r - width, -r - width))) / 2))
    plain = {"R": r, "R-g2'": r - g2p, "down": -up, "w'-K": w_p - width, "ln_P0": beyond - exact}
    yield from known_part(built(joined_inside.inside, regime), {**own, **plain}, "I, II reverse")


def _log_probability(a: Fraction, g: Fraction) -> Fraction:
    """ln(1 - e**-a/2 - e**-g/2)."""
    return near(lambda e: e.log(1 - e.exp(e.between(-a, -a)) / 2 - e.exp(e.between(-g, -g)) / 2))


def known_part(statements: list[Statement], values: dict[str, Fraction], name: str) -> Iterator[Assumed]:
    """The hypotheses of a statement that name nothing but these values."""
    for one in assumed(statements, values, [name]):
        yield one._replace(hypotheses=[h for h in one.hypotheses if built(_names, h) <= values.keys()])


def _names(hypothesis: Any) -> frozenset[str]:
    """The variables, and those of which a product is made."""
    return frozenset(part for v in variables_of([hypothesis]) for part in v.decl().name().split("·"))
