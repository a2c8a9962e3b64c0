"""Checks how a target handles bad parameters: what a release must refuse, and what it must at least clamp."""

import math
import time
from typing import NamedTuple

from snapref_crosscheck.checks import (
    DOMAIN,
    NOT_OFFERED,
    OUTSIDE,
    PRIVACY,
    Context,
    Finding,
    Grade,
    Result,
    failed,
    not_judged,
    reason,
)
from snapref_crosscheck.protocol import Args, Broken, Description, OutOfTime, Refused, TooSlow, Unsupported
from snapref_crosscheck.sample import Pace
from snapref_crosscheck.settings import Setting
from snapref_crosscheck.trace import line

NAME = "release.parameters"
COUNT = 100  # releases for each probe: with noise, all of them are equal with a probability below 2**-60


class Probe(NamedTuple):
    """A release with a bad or extreme parameter. What the target must do: REFUSE it; or refuse it or stay within the
    bounds (CLAMP); or refuse it or add noise (NOISE)."""

    changes: dict[str, float]
    must: str
    why: str


ORDINARY: dict[str, float] = {"value": 1.5, "epsilon": 0.7, "bound": 10.0, "sensitivity": 1.0}
REFUSE, CLAMP, NOISE = "refuse", "clamp", "noise"
PROBES = (
    Probe({"value": math.nan}, REFUSE, "a NaN has no place in [-B, B], and a NaN that is released betrays the input"),
    Probe({"epsilon": 0.0}, REFUSE, "no noise is enough for ε = 0"),
    Probe({"epsilon": -1.0}, REFUSE, "a negative ε means nothing"),
    Probe({"epsilon": math.nan}, REFUSE, "a NaN is an error"),
    Probe({"bound": -1.0}, REFUSE, "a negative bound is an empty interval"),
    Probe({"bound": 0.0}, REFUSE, "a bound of zero leaves nothing to release"),
    Probe({"bound": math.nan}, REFUSE, "a NaN is an error"),
    Probe({"bound": math.inf}, REFUSE, "an infinite bound leaves the loss without a bound"),
    Probe({"sensitivity": 0.0}, REFUSE, "Δ = 0 would mean no noise"),
    Probe({"sensitivity": -1.0}, REFUSE, "a negative Δ means nothing"),
    Probe({"sensitivity": math.nan}, REFUSE, "a NaN is an error"),
    Probe({"value": math.inf}, CLAMP, "an infinite value is an error, or clamped"),
    Probe({"value": -math.inf}, CLAMP, "an infinite value is an error, or clamped"),
    Probe({"value": 1e300}, CLAMP, "values outside the bounds are clamped"),
    Probe({"value": -10.000000000000002}, CLAMP, "values outside the bounds are clamped"),
    Probe({"bound": 1e300, "value": 3e299}, NOISE, "an absurd bound: refuse it, or scale the noise with it"),
    Probe({"bound": 1e-3}, CLAMP, "a bound far below λ"),
    Probe({"epsilon": math.inf}, CLAMP, "an infinite ε asks for no privacy at all"),
    Probe({"sensitivity": 1e300}, CLAMP, "an absurd sensitivity"),
)


def parameters(context: Context) -> Result:
    """Tries every probe. Where the target accepts what the reference refuses, but need not refuse it, that is remarked
    and not judged."""
    ordinary, probes = suited(context.told)
    findings: list[Finding] = []
    accepted: list[str] = []
    unanswered: list[str] = []
    asked = [{**ordinary, "count": 1}, *({**ordinary, **probe.changes, "count": COUNT} for probe in probes)]
    pace = Pace()
    for index, args in enumerate(asked):
        try:
            outputs = _released(context, pace, args)
        except Unsupported:
            if index == 0:
                return Result(NAME, "unsupported", 0, NOT_OFFERED)
            continue
        except Refused as refusal:
            if index == 0:
                return Result(NAME, "unsupported", 0, f"the target refuses even {_words(ordinary)}: {refusal}")
            continue
        except OutOfTime as trouble:
            if findings:
                break
            return not_judged(NAME, index, f"{reason(trouble)} after {index} of {len(asked)} probes, nothing wrong")
        except TooSlow:
            unanswered.append(_words(args))
            if index == 0 or len(unanswered) > 1:
                break
            continue
        except Broken as broken:
            grade: Grade = OUTSIDE if index else DOMAIN
            findings.append(Finding(grade, str(broken), f"release at {_words(args)}"))
            continue
        if index:
            probe = probes[index - 1]
            wrong = _judged(probe, args, outputs)
            if wrong is not None:
                findings.append(Finding(*wrong, _shown(args, outputs)))
            elif probe.must == NOISE or "value" not in probe.changes:
                accepted.append(_changed(probe))
    remark = f"accepted, where the reference refuses: {', '.join(accepted)}" if accepted else None
    if findings:
        return failed(NAME, len(asked), findings, remark)
    if unanswered:
        return not_judged(NAME, len(asked), f"the target did not answer in time: {'; '.join(unanswered)}")
    return Result(NAME, "pass", len(asked), remark)


def suited(told: Description) -> tuple[dict[str, float], list[Probe]]:
    """Ordinary parameters for a target with this description, and the probes that it can be asked."""
    ordinary = dict(ORDINARY)
    least = told.bound if told.bound is not None else told.min_bound
    if told.bound is not None or (least is not None and least > ordinary["bound"]):
        factor = (least or 1.0) / ordinary["bound"]
        ordinary |= {
            "bound": least or 1.0,
            "epsilon": ordinary["epsilon"] / factor,
            "value": ordinary["value"] * factor,
        }
    no_budget = Probe({"epsilon": 2.0**-told.precision}, REFUSE, "ε is not larger than 2η: no scale honours it")
    probes = [p for p in (*PROBES, no_budget) if told.bound is None or "bound" not in p.changes]
    if told.interval:
        backward = {"lower": ordinary["bound"], "upper": -ordinary["bound"]}
        probes.append(Probe(backward, REFUSE, "lower is above upper: an empty interval"))
        if told.bound is None:
            off_centre = {"lower": -ordinary["bound"] / 4, "upper": ordinary["bound"]}
            probes.append(Probe(off_centre, CLAMP, "an interval that is not centred at 0"))
    return ordinary, probes


def _released(context: Context, pace: Pace, args: dict[str, float]) -> list[float]:
    """The releases of one probe, in requests that the target's speed allows."""
    interval: Args = {name: x for name, x in args.items() if name in ("lower", "upper")}
    setting = Setting(args["value"], args["epsilon"], args["bound"], args["sensitivity"], "")
    found: list[float] = []
    while len(found) < args["count"]:
        if context.late():
            raise OutOfTime
        count = min(pace.size, int(args["count"]) - len(found))
        asked: Args = {**setting.args(count), **interval}
        if interval:
            del asked["bound"]
        started = time.monotonic()
        outputs = context.target.call("release", asked)
        assert isinstance(outputs, list)
        pace.learn(count, time.monotonic() - started)
        found += outputs
    return found


def _judged(probe: Probe, args: dict[str, float], outputs: list[float]) -> tuple[Grade, str] | None:
    """What is wrong with the releases of a probe."""
    low, high = args.get("lower", -args["bound"]), args.get("upper", args["bound"])
    data = tuple(probe.changes) == ("value",)  # what the data is, no caller decides
    if probe.must == REFUSE:
        betrayed = not all(map(math.isfinite, outputs))
        released_it = "answered with what is no number" if betrayed else "released"
        grade: Grade = PRIVACY if data and betrayed else OUTSIDE
        return grade, f"{_changed(probe)}: not refused, but {released_it} ({probe.why})"
    if any(not low <= x <= high for x in outputs):
        return PRIVACY if data else OUTSIDE, f"{_changed(probe)}: released outside the bounds ({probe.why})"
    if probe.must == NOISE and len(set(outputs)) == 1:
        return PRIVACY, f"{_changed(probe)}: released {COUNT} times the same, its noise lost in rounding ({probe.why})"
    return None


def _shown(args: dict[str, float], outputs: list[float]) -> str:
    low, high = args.get("lower", -args["bound"]), args.get("upper", args["bound"])
    outside = [x for x in outputs if not low <= x <= high]
    return f"release at {_words(args)}\n{line('released', (outside or outputs)[0])}"


def _changed(probe: Probe) -> str:
    return ", ".join(f"{name} = {x!r}" for name, x in probe.changes.items())


def _words(args: dict[str, float]) -> str:
    return ", ".join(f"{name} = {x!r}" for name, x in args.items() if name != "count")
