"""Checks how a target handles bad parameters: what a release must refuse, and what it must at least clamp."""

import math
from typing import NamedTuple

from snapref_crosscheck.checks import Context, Result
from snapref_crosscheck.protocol import Args, Broken, OutOfTime, Refused, Unsupported
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
    try:
        context.target.call("release", {**ORDINARY, "count": 1})
    except Unsupported:
        return Result(NAME, "unsupported", 0, "the target does not offer release")
    except Refused as refusal:
        return Result(NAME, "unsupported", 0, f"the target refuses even {_words(ORDINARY)}: {refusal}")
    except (Broken, OutOfTime) as broken:
        return Result(NAME, "fail", 1, f"the target {broken}")
    failures: list[str] = []
    accepted: list[str] = []
    no_budget = Probe({"epsilon": 2.0**-context.told.precision}, REFUSE, "ε is not larger than 2η: no scale honours it")
    for probe in (*PROBES, no_budget):
        args: Args = {**ORDINARY, **probe.changes, "count": COUNT}
        bound = float(args["bound"])
        try:
            outputs = context.target.call("release", args)
        except (Refused, Unsupported):
            continue
        except OutOfTime:
            return Result(NAME, "unsupported", 0, "the time was over")
        except Broken as broken:
            failures.append(f"{_changed(probe)}: the target {broken}")
            if not _alive(context):
                break
            continue
        assert isinstance(outputs, list)
        outside = [x for x in outputs if not abs(x) <= bound]
        if probe.must == REFUSE:
            failures.append(f"{_changed(probe)}: not refused, but released {outputs[0]!r} ({probe.why})")
        elif outside:
            failures.append(
                f"{_changed(probe)}: released outside the bounds ({probe.why})\n{line('released', outside[0])}"
            )
        elif probe.must == NOISE and len(set(outputs)) == 1:
            failures.append(
                f"{_changed(probe)}: released {COUNT} times the same, its noise lost in rounding ({probe.why})"
            )
        elif probe.must == NOISE or "value" not in probe.changes:
            accepted.append(_changed(probe))
    remark = f"accepted, where the reference refuses: {', '.join(accepted)}" if accepted else None
    if failures:
        return Result(NAME, "fail", len(PROBES) + 1, "\n".join([f"otherwise {_words(ORDINARY)}", *failures]))
    return Result(NAME, "pass", len(PROBES) + 1, remark)


def _alive(context: Context) -> bool:
    """Whether an ordinary release still works, after one that did not."""
    try:
        context.target.call("release", {**ORDINARY, "count": 1})
    except (Refused, Unsupported, Broken, OutOfTime):
        return False
    return True


def _changed(probe: Probe) -> str:
    return ", ".join(f"{name} = {x!r}" for name, x in probe.changes.items())


def _words(args: dict[str, float]) -> str:
    return ", ".join(f"{name} = {x!r}" for name, x in args.items())
