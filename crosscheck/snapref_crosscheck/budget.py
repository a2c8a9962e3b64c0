"""What releases show of the budget, exactly: whether λ is larger than Δ/ε.

A sound λ is: part of ε has to pay for rounding errors. Take ε and Δ so that Δ/ε is a power of two, or a hair above one.
Then the smallest power of two that is at least a sound λ is at least twice that power. So every output strictly inside
±B is an even multiple of it, and a single odd multiple proves that λ is too small, or that Λ is smaller than λ. No
chance is involved: a sound target never releases one. Some of these ε are larger and smaller than those of the other
checks, so it is seen here if such releases lack noise: a sound target gives one output only with a chance below 2^-150.
"""

import math
from typing import NamedTuple

from snapref_crosscheck.checks import (
    DOMAIN,
    NOT_OFFERED,
    PRIVACY,
    Context,
    Finding,
    Result,
    failed,
    not_judged,
    reason,
)
from snapref_crosscheck.protocol import Args, Broken, Description, OutOfTime, Refused, TooSlow, Unsupported
from snapref_crosscheck.sample import Inconsistent, Pace, draw
from snapref_crosscheck.settings import Setting
from snapref_crosscheck.trace import line

NAME = "release.budget"
COUNT = 300  # releases for each probe: if λ = Δ/ε, about half of them are odd multiples
# k, Δ, and how far ε is below Δ·2**k: nothing; or so little that it is lost in floats of 24 bits, or of 32
PROBES = (
    (0, 1.0, 0.0),
    (-3, 1.0, 0.0),
    (4, 1.0, 0.0),
    (-1, 2.0, 0.0),
    (1, 0.5, 0.0),
    (0, 1.0, 2.0**-26),
    (-2, 1.0, 2.0**-36),
    (-8, 1.0, 0.0),
    (9, 1.0, 0.0),
)
RATIO = 100.3  # B/λ


class Probe(NamedTuple):
    """A setting, and the power of two of which every output inside ±B is an even multiple."""

    setting: Setting
    unit: float


def probes(told: Description) -> list[Probe]:
    """The probes that a target with this description can answer."""
    found = []
    ratio = RATIO if told.precision >= 53 else 100.0
    for k, sensitivity, below in PROBES:
        if told.bound is not None:
            k = math.floor(math.log2(200 / told.bound)) - abs(k) % 4
        elif told.min_bound is not None and ratio * 2.0**-k < told.min_bound:
            k = math.floor(math.log2(ratio / told.min_bound))
        unit, bound = 2.0**-k, ratio * 2.0**-k if told.bound is None else told.bound
        epsilon = sensitivity * 2.0**k * (1 - below)
        if bound > 2 * unit:
            found.append(Probe(Setting(0.0, epsilon, bound, sensitivity, f"Δ/ε ≥ 2**{-k}"), unit))
    return list(dict.fromkeys(found))


def budget(context: Context) -> Result:
    """Looks for odd multiples."""
    pace, count, asked = Pace(64), 0, probes(context.told)
    findings: list[Finding] = []
    refused: list[str] = []
    for probe in asked:
        seen: list[float] = []
        try:
            for outputs in draw(context, pace, probe.setting, COUNT):
                count += len(outputs)
                seen += outputs
        except Unsupported:
            return Result(NAME, "unsupported", 0, NOT_OFFERED)
        except (Refused, Inconsistent) as refusal:
            refused.append(f"{probe.setting}: {refusal}")
        except (Broken, TooSlow, OutOfTime) as trouble:
            if findings:
                break
            return not_judged(NAME, count, f"{reason(trouble)} after {count} releases, none of them an odd multiple")
        odd = [x for x in seen if _is_odd(x, probe)]
        if odd:
            told = _told_lattice(context, probe)
            findings.append(_finding(probe, min(odd, key=abs), len(odd), len(seen), told))
        elif len(seen) == COUNT and len(set(seen)) == 1:
            where = f"release at {probe.setting}\n{line('released', seen[0])}"
            findings.append(Finding(PRIVACY, f"{COUNT} releases are all the same", where))
    if findings:
        return failed(NAME, count, findings)
    if not count:
        return Result(NAME, "unsupported", 0, "the target refuses every setting: " + "; ".join(refused[:2]))
    return Result(NAME, "pass", count, f"exact: {len(asked) - len(refused)} settings, λ > Δ/ε in each of them")


def _is_odd(x: float, probe: Probe) -> bool:
    """Whether it lies inside the bounds and is no even multiple of the unit."""
    return abs(x) < probe.setting.bound and math.fmod(x, 2 * probe.unit) != 0


def _told_lattice(context: Context, probe: Probe) -> tuple[float, float] | None:
    """The target's own λ and Λ, if it tells them and its λ is larger than Δ/ε while Λ is smaller than λ."""
    setting = probe.setting
    asked: Args = {"epsilon": setting.epsilon, "bound": setting.bound, "sensitivity": setting.sensitivity}
    try:
        inner = context.target.call("inner_epsilon", asked)
        assert isinstance(inner, float)
        scale = setting.sensitivity / inner
        lattice = context.target.call("lattice", {"scale": scale})
    except (Unsupported, Refused, Broken, TooSlow, OutOfTime, ZeroDivisionError):
        return None
    assert isinstance(lattice, float)
    return (scale, lattice) if probe.unit <= lattice < scale else None


def _finding(probe: Probe, x: float, odd: int, count: int, told: tuple[float, float] | None) -> Finding:
    k = int(math.log2(probe.unit))
    exactly = math.fmod(x, probe.unit) == 0
    what = "an odd multiple" if exactly else "no multiple"
    lines = [
        f"release at {probe.setting}",
        line("released", x),
        f"{what} of 2**{k}, strictly inside ±B ({odd} such of {count} releases)",
        f"Δ/ε is at least 2**{k}, so a sound λ is larger than 2**{k}, and Λ at least 2**{k + 1}",
    ]
    if told is not None:
        lines += [line("its λ", told[0]), line("its Λ", told[1])]
        return Finding(DOMAIN, "Λ is smaller than λ, by its own `inner_epsilon` and `lattice`", "\n".join(lines))
    return Finding(PRIVACY, "an output shows that λ ≤ Δ/ε, or that Λ < λ: ε is not guaranteed", "\n".join(lines))
