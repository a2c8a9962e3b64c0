"""What Theorem 1's joints assume is true of concrete configurations (004 §4): the fourth part of instances.

The joints (joined.py) start from what the lemmas say of a configuration: of its exponents g = εV + E_y - E_u, of the
row that applies to it, and of B. Here these numbers are those of the program. The same is done for x = ±B, and for
outputs whose interval holds c.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import z3

from snapref.budget import eta, floor_log2
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import entry_at
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import coverage, every, interior, joined, joined_inside, meanings, one_threshold, two_sided
from snapref_proofs.theorem1.evaluating import value_of
from snapref_proofs.theorem1.every import AnyDistance
from snapref_proofs.theorem1.independent import Case
from snapref_proofs.theorem1.instances import Assumed, OneSide, assumed, built
from snapref_proofs.theorem1.instances_cells import Cells
from snapref_proofs.theorem1.instances_program import MOST, Walk, exp, f, log, log_probability
from snapref_proofs.theorem1.interior import Backward
from snapref_proofs.theorem1.inversion import narrower
from snapref_proofs.theorem1.joined import Kind
from snapref_proofs.theorem1.one_threshold import End
from snapref_proofs.theorem1.replay import Configuration, rounded
from snapref_proofs.theorem1.scenarios import QUARTER, SMALL, Scenario
from snapref_proofs.theorem1.statement import EIGHTEEN, EVERY, Regime
from snapref_proofs.theorem1.terms import FOUR
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
    """The joints `forward` and `backward`, for the Δ of the configuration and for every Δ."""
    if one.cells["1'"].middle >= MOST * one.configuration.parameters.scale:
        return
    scenario, own = one.configuration.row(one.regime), numbers(one)
    assert isinstance(scenario, Scenario), scenario
    yield Assumed(size_of(own["ell"]), [], own)
    yield from slopes_of(one.regime, own)
    yield forward(one, scenario, one.regime, own)
    for scenarios in (row.scenarios for row in Cells(one).covering()):
        if len(scenarios) == 1:  # of two, only one need hold
            yield forward(one, scenarios[0], one.regime, own)
    yield from words(one, scenario, one.regime, own)
    case = one.configuration.backward_case(one.cells["1'"])
    yield backward(case, joined.of_sensitivity, one.regime, own)
    if EVERY.covers(one.precision, one.configuration.parameters.beta):
        for row in Cells(replace(one, regime=EVERY)).covering_for_every():
            yield forward(one, row.scenario, EVERY, {**own, "Delta/u": own["d/u"]})
        yield backward(AnyDistance(case.place, QUARTER, case.ell), every.of_distance, EVERY, own)
    if EIGHTEEN.covers(one.precision, one.configuration.parameters.beta):
        yield from independent(one, own)


def numbers(one: OneSide) -> dict[str, Any]:
    """The variables of joined.OneSide, and what the facts of the joints name beside them."""
    m, unit, (c, c_p) = one.configuration.parameters, one.unit, one.values_of_f
    kinds = (one.closed, one.far_closed) * 2
    walks = [Walk(m, t, closed) for t, closed in zip(one.distances.values(), kinds, strict=True)]
    s, u = one.eta * unit / m.scale, one.eta * unit
    own: dict[str, Any] = {"s": s, "kappa": m.lattice / m.scale, "a": one.distances["1'"] / unit}
    own |= {"ell": m.lattice / unit, "B/P": m.bound / unit, "lambda/P": m.scale / unit}
    lengths = {"Lambda/u": m.lattice, "Delta/u": one.configuration.sensitivity, "d/u": abs(c - c_p)}
    lengths |= {"delta/u": abs(one.offset), "h2": one.cells["2"].spacing, "h1": one.cells["1"].spacing}
    own |= {name: length / u for name, length in lengths.items()}
    own["N"] = Fraction(1, 2)  # the slope may be any number
    t2, t1, t2p, t1p = walks
    ratio = (t2.q.value - t1.q.value) / (t2p.q.value - t1p.q.value)
    own["F"] = (f(t1.exponent - t2.exponent) - f(t1p.exponent - t2p.exponent)) / s
    own["loss"] = log(ratio) / s - LITTLE  # F and the loss of P(x|c)/P(x|c')
    return own | exponents(tuple(one.distances), walks, unit, s)


def turned(own: dict[str, Any]) -> dict[str, Any]:
    """F and the loss of the other ratio."""
    return {**own, "F": -own["F"], "loss": -own["loss"] - 2 * LITTLE}


def independent(one: OneSide, own: dict[str, Any]) -> Iterator[Assumed]:
    """The joint `independent`. Its unit P is τ1', V stands for τ, and E_y for all errors but E_u."""
    unit = one.distances["1'"]
    more, u = unit / one.unit, one.eta * unit
    values = {name: value / more for name, value in own.items() if name not in ("s", "kappa", "N")}
    values |= {"s": own["s"] * more, "kappa": own["kappa"], "N": own["N"]}
    values |= {"delta/P": one.offset / unit, "delta/u": one.offset / u}
    for which, tau in one.distances.items():
        error = own[f"V{which}/u"] + own[f"E_y{which}"] - tau / (one.eta * one.unit)
        values |= {f"tau{which}": tau / unit, f"V{which}/P": tau / unit, f"V{which}/u": tau / u}
        values |= {f"E_y{which}": error / more, f"Y{which}": (2 + EIGHTEEN.eta) * tau / unit}
    case = Case(one.configuration.k == 0)
    for back in (False, True):
        facts = built(_independent, case, back)
        yield Assumed(f"joined.independent, {case}", facts, turned(values) if back else values)


def _independent(case: Case, back: bool) -> list[Any]:
    return joined.independent_facts(joined.OneSide(EIGHTEEN, back), case)


def forward(one: OneSide, scenario: Scenario, regime: Regime, own: dict[str, Any]) -> Assumed:
    """What `joined.forward` assumes of a configuration to which the scenario applies, in the mode that it has there."""
    binades = {floor_log2(cell.middle / one.configuration.parameters.scale) for cell in one.cells.values()}
    mode, *other = interior.modes(scenario)
    kind = Kind(other[0] if other and len(binades) > 1 else mode, scenario.loose, len(scenario.reaches))
    of_row = {name: getattr(scenario, name) for name in joined.NUMBERS}
    of_row |= {f"reach{i}": room for i, room in enumerate(scenario.rooms(own["a"], own["ell"], regime.eta))}
    return Assumed(f"joined.forward, {regime}, {kind}", built(_forward, kind, regime), {**own, **of_row})


def size_of(ell: Fraction) -> str:
    """The name of Λ/P, as scenarios.py tells its sizes apart."""
    return f"Λ = {ell}P" if ell > SMALL else f"Λ ≤ {SMALL}P"


SLOPES = [f"{name}, back={back}" for name, back in product(("slope", "N"), (False, True))]


def slopes_of(regime: Regime, own: dict[str, Any]) -> Iterator[Assumed]:
    """What the joints take for known of slopes, with the slopes that f has between w and w', and a little more.

    `slope` is asked twice: all that w moves is `apart`, or all of it is `further`.
    """
    for back in (False, True):
        values, here, s = turned(own) if back else own, built(_slopes, back, regime), own["s"]
        values, start = {**values, "F": values["F"] - LITTLE}, value_of(here.start, values)
        most, low = max(value_of(here.end, values) - start, Fraction(0)), s * start
        for apart, further in ((most, Fraction(0)), (Fraction(0), most)):
            mean = (slope_at(low) + slope_at(low + s * apart)) / 2
            given = {"low": low, "apart": apart, "given_s": s, "further": further, "slope": mean * ABOVE}
            yield Assumed(f"slope, back={back}", built(_meaning, "slope", back, regime), {**values, **given})
        given = {"low": low, "further": most, "N": slope_at(low) * ABOVE}
        yield Assumed(f"N, back={back}", built(_meaning, "N", back, regime), {**values, **given})


def slope_at(w: Fraction) -> Fraction:
    """N(w) = 1/(e**w - 1)."""
    return 1 / (exp(w) - 1)


def _slopes(back: bool, regime: Regime) -> joined.OneSide:
    here = joined.OneSide(regime, back)
    here.further = z3.Real("further")
    return here


def _meaning(name: str, back: bool, regime: Regime) -> list[Any]:
    """What the joints say of the value of a function that is given these arguments."""
    here, (low, apart, s) = built(_slopes, back, regime), z3.Reals("low apart given_s")
    if name == "slope":
        return list(here.meaning(name, here.average, [low, apart, s]))
    return list(here.meaning(name, here.slope, [low]))


def words(one: OneSide, scenario: Scenario, regime: Regime, own: dict[str, Any]) -> Iterator[Assumed]:
    """What `meanings` assumes of `step`, of `y_error`, and of `steps` if the four εV are in one binade."""
    stated, kappa, ell = built(meanings.meanings, regime), own["kappa"], own["ell"]
    room = max(own["lambda/P"], *scenario.rooms(own["a"], ell, regime.eta))
    limits = regime.max_beta / room, regime.eta * kappa / ell
    for tail, most in (("", min(limits)), (", ℓ may be 0", limits[0])):
        given = {"room": room, "most": most, "t": own["s"] / most}
        given |= {"given_t": given["t"], "given_kappa": kappa, "given_ell": ell}
        for name in ("step", "share"):
            yield from known_part(stated, {**own, **given}, name + tail)
    sizes = [(own[f"V{which}/P"], own[f"Y{which}"]) for which in FOUR]
    for size, y in (*sizes, (1 / kappa, 1 / kappa)):  # in the last one κV/P is a power of two
        values = {"V/P": size, "Y": y, "kappa": kappa, "distance": size}
        yield from known_part(stated, values, "y_error")
    if len({own[f"Y{which}"] for which in FOUR}) == 1:
        order, y, top = ("1", "2", "1'", "2'"), own["Y2"], own["V1'/P"]
        errors = {f"E{which}": own[f"E_y{which}"] for which in order}
        d = narrower(*(own[f"V{which}/u"] for which in order))
        narrow = d + narrower(*errors.values())
        values = {"w-w'": narrow, "Y": y, "q": kappa * y, "V1'/P": top, "kappa": kappa, "top": top, "n": narrow / y / 2}
        values |= {"apart": max(d, Fraction(0)), "D2-D1": d, "y_error": y, **errors}
        yield from known_part(stated, values, "steps, κV1' ≥ 2P")  # a box may hold smaller V1', too
        if kappa * top < 2:
            whole = kappa * values["apart"] // 2
            yield from assumed(stated, {**values, "whole": whole, "quotient": (2 * whole + 4) / kappa}, ["steps"])


def _forward(kind: Kind, regime: Regime) -> list[Any]:
    return joined.forward_facts(joined.OneSide(regime), kind.scenario(z3.Real), kind)


def backward(case: Backward, size: joined.Size, regime: Regime, own: dict[str, Any]) -> Assumed:
    """What `joined.backward` assumes of a configuration to which the case applies."""
    facts = built(_backward, replace(case, ell=(Fraction(0),) * 2), size, regime)
    return Assumed(f"joined.backward, {regime}, {case}", facts, turned(own))


def _backward(case: Backward, size: joined.Size, regime: Regime) -> list[Any]:
    return joined.backward_facts(joined.OneSide(regime, back=True), case, size)


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
    yield from assumed(built(coverage.ends, regime), more, ["|D - d| ≤ (h + h')/2"])
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
        entry = entry_at(m, sign * m.last, *map(from_fraction, (configuration.c, configuration.c_p)))
        values["loss"] = entry.loss.enclosure(256)[0]
        for order in permutations(walks):  # either of the two may be the nearer one
            for which, walk in zip(("", "'"), order, strict=True):
                a = walk.tau / m.scale
                values |= {f"A{which}": a, f"eta_A{which}": h * a, f"g{which}": walk.exponent}
            yield from assumed(built(joined.ends, regime), dict(values), ["beyond t*" if both else "t* between"])


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
    own |= {"beta": m.beta, "eta": eta(m.precision), "part": (configuration.c - low) / (high - low)}
    held = low <= configuration.c <= high
    names = ["I,II: box", "I,II reverse: box", "I,III: box", "K > 0"]
    if held:
        names += ["II up: box", "II down: box", "A", "G"]
    if configuration.c <= low and configuration.c_p >= high:
        names.append("III, I: R1 + R2")
    yield from assumed(built(coverage.inside, regime), own, names)
    if held and not low <= configuration.c_p <= high:
        beyond = max(configuration.c_p - high, low - configuration.c_p)
        lengths |= {"Lambda": m.lattice, "h": own["eta"] * m.bound, "R": beyond}
        in_bounds = {name: length / m.bound for name, length in lengths.items()}
        where = "I, II: R" if configuration.c_p > high else "III, II: R"
        yield from assumed(built(coverage.inside, regime), in_bounds, [where])


def around(configuration: Configuration, regime: Regime) -> Iterator[Assumed]:
    """The joints of outputs whose interval holds one of the two values, or lies between them: c' is above it."""
    m = configuration.parameters
    low_c, high_c = sorted((configuration.c, configuration.c_p))
    first, last = (int(c / m.lattice // 1) for c in (low_c, high_c))
    for k in {first, first + 1, (first + last) // 2, last - 1, configuration.k}:
        low, high = (to_fraction(boundary(m, j).number) for j in (k - 1, k))
        furthest = max(high_c - low, high - low_c) / m.scale
        if abs(k) < m.last and high_c > high and low_c <= high and furthest < MOST / 2:
            yield from _around(configuration, regime, (low, high), (low_c, high_c))
        if abs(k) < m.last and low <= low_c and high_c <= high:
            yield from _both_inside(configuration, regime, (low, high), (low_c, high_c))


def _both_inside(
    configuration: Configuration, regime: Regime, ends: tuple[Fraction, Fraction], values: tuple[Fraction, Fraction]
) -> Iterator[Assumed]:
    m, (low, high) = configuration.parameters, ends
    found = []  # for each value: ln P0, what errors add to it, and P
    for c in values:
        below, above = Walk(m, c - low, closed=False), Walk(m, high - c, closed=True)
        exact = log_probability(below.tau / m.scale, above.tau / m.scale)
        more = log_probability(below.exponent, above.exponent) - exact
        found.append((exact, more, 1 - below.q.value / 2 - above.q.value / 2))
        yield from _tangents(regime, below.tau / m.scale, above.tau / m.scale, more, eta(m.precision))
    for (exact, up, p), (other, down, p_other) in permutations(found):
        own = {"ln_P0": exact - other, "up": up, "down": -down, "loss": log(p / p_other) - LITTLE}
        own |= {"Delta": configuration.sensitivity / m.scale, "eta": eta(m.precision), "beta": m.beta}
        yield from assumed(built(joined_inside.inside, regime), own, ["II, II"])


def _tangents(regime: Regime, a: Fraction, g: Fraction, more: Fraction, h: Fraction) -> Iterator[Assumed]:
    """c in II: how far errors move ln P, and the tangent at a point of two exponentials."""
    for name, up in (("II up", True), ("II down", False)):
        own = {"K": a + g, "part": a / (a + g), "h": h, "ln_P/eta": (more if up else -more) / h}
        own |= {power: exp(-value_of(exponent, own)) for power, exponent in built(_powers, name, up, regime)}
        yield from known_part(built(joined_inside.inside, regime), own, name)


def _powers(name: str, up: bool, regime: Regime) -> list[tuple[str, Any]]:
    """The names of the two exponentials, and their exponents."""
    here = joined_inside.Inside(up)
    here.unfolded(next(one.quantity for one in two_sided.inequalities(regime) if one.name == name))
    return [(str(power), exponent) for power, exponent in here.powers]


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
        "b": m.bound / scale,
    }
    outside = (near_p.q.value - far_p.q.value) / 2
    if c < low:  # III and I
        nearer, far = (Walk(m, t - c, closed=True) for t in (low, high))
        g2, w, r1 = nearer.exponent, far.exponent - nearer.exponent, nearer.tau / scale
        own |= {"R1": r1, "R2": r, "g2-R1": g2 - r1, "g1-R1-K": w - width + g2 - r1}
        own |= {"g2'-R2": g2p - r, "g1'-R2-K": w_p - width + g2p - r, "rise": f(w) - f(w_p)}
        own["loss"] = log((nearer.q.value - far.q.value) / 2 / outside) - LITTLE
        yield from beside("I, III", "K beta h", regime, own)
        return
    own["e"] = (width - kappa) / (m.beta * regime.offset)
    below, above = Walk(m, c - low, closed=False), Walk(m, high - c, closed=True)
    exact = log_probability(below.tau / scale, above.tau / scale)
    up = log_probability(below.exponent, above.exponent) - exact
    loss = log((1 - below.q.value / 2 - above.q.value / 2) / outside)
    plain = {"R": r, "g2'-R": g2p - r, "g1'-R-K": w_p - width + g2p - r}
    units = {name: value / m.beta for name, value in (*plain.items(), ("up", up), ("rise", f(width) - f(w_p)))}
    units |= {"R/b": r * u, "loss": (loss - (c_p - c) / scale) / m.beta}
    yield from beside("I, II", "kappa e u beta h", regime, {**own, **units})
    beyond = log((exp(-r) - exp(-r - width)) / 2)
    plain |= {"down": -up, "rise": f(w_p) - f(width), "ln_P0": beyond - exact, "loss": -loss - LITTLE}
    yield from beside("I, II reverse", "K h", regime, {**own, **plain})


def beside(name: str, sides: str, regime: Regime, own: dict[str, Fraction]) -> Iterator[Assumed]:
    """A joint of joined_inside.py, with the slope N at the place that its quantity names."""
    low = value_of(built(_lowest, name.replace("I, I", "I,I"), sides, regime), own)
    yield from known_part(built(joined_inside.inside, regime), {**own, "N": slope_at(low) * ABOVE}, name)


def _lowest(name: str, sides: str, regime: Regime) -> Any:
    here = joined_inside.Beside(sides)
    here.unfolded(next(one.quantity for one in two_sided.inequalities(regime) if one.name == name))
    return here.low


ABOVE = 1 + Fraction(1, 2**100)  # what is known to many digits becomes an upper bound
LITTLE = Fraction(1, 2**200)  # where two numbers are equal, those that take their places are not


def known_part(statements: list[Statement], values: dict[str, Fraction], name: str) -> Iterator[Assumed]:
    """The hypotheses of a statement that name nothing but these values."""
    for one in assumed(statements, values, [name]):
        yield one._replace(hypotheses=[h for h in one.hypotheses if built(_names, h) <= values.keys()])


def _names(hypothesis: Any) -> frozenset[str]:
    """The variables, and those of which a product is made."""
    return frozenset(part for v in variables_of([hypothesis]) for part in v.decl().name().split("·"))
