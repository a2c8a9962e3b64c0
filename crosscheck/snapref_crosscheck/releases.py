"""Black-box checks: what releases alone show about a target.

    support        every output is one that the exact distribution allows. This is exact: a single other output is a
                   failure, and a correct target never has one.
    fit            the outputs have their exact probabilities
    independence   a release does not depend on the one before

Fit and independence are statistical tests (betting.py). The probabilities with which they fail a correct target add up
to the α of the whole run.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from snapref import ParameterError
from snapref.budget import floor_log2, plan_budget
from snapref_crosscheck.betting import Cells, Tilt, smallest_shift
from snapref_crosscheck.checks import Context, Result
from snapref_crosscheck.law import Law, law
from snapref_crosscheck.protocol import Args, Broken, Description, OutOfTime, Refused, Unsupported
from snapref_crosscheck.trace import line

STAGES = (50, 50, 200, 700)  # releases at each setting, stage by stage; later stages have thousands
BATCH = 1000
BINARY64_LIMIT = 353  # of B/λ: how far Theorem 1 holds for a U* that is a double (theorem.binary64)
TOO_FAR = (
    "a bound beyond 353λ was accepted: with U* over the doubles no ε is proved there, and from 400λ on a loss can be "
    "infinite; refuse it, or draw U* without limits"
)
JUMP = Fraction(1, 2**20)  # if λ is this close to a power of two, a rounding error could change Λ


class Setting(NamedTuple):
    """Parameters of a release, and why they are here."""

    value: float
    epsilon: float
    bound: float
    sensitivity: float
    reason: str


SETTINGS = (
    Setting(0.0, 0.7, 10.0, 1.0, "ordinary"),
    Setting(3.296875, 0.7, 10.296875, 1.0, "an off-lattice bound"),
    Setting(100.0, 0.3, 100.0, 1.0, "the value at B"),
    Setting(-101.0, 0.3, 101.0, 1.0, "the value at -B, off the lattice"),
    Setting(1.703125, 0.7, 50.0, 3.0, "Δ = 3"),
    Setting(0.37, 0.7, 2.5, 0.1, "Δ = 0.1"),
    Setting(250.0, 0.35, 20.0, 1.0, "a value outside the bounds"),
    Setting(-12345.678, 0.15, 1e6, 1.0, "a large bound"),
    Setting(1.0, 0.7, 10.0, 1.0, "the value half-way between two outputs"),
    Setting(0.5, 0.7, 1.75, 1.0, "a tight bound"),
    Setting(-0.3125, 6.0, 4.0, 1.0, "a large ε"),
    Setting(5.0, 0.55, 64.0, 2.0, "Δ = 2"),
)
SHARES = {"fit": 0.5, "tilt": 0.25, "pairs": 0.2, "repeats": 0.05}  # of α
SIDES = (-1, 0, 1)


@dataclass
class Evidence:
    """What has been seen at one setting."""

    setting: Setting
    law: Law
    note: str
    fit: Cells
    pairs: tuple[Cells, Cells]  # successive releases: (1st, 2nd), (3rd, 4th), …; and (2nd, 3rd), (4th, 5th), …
    count: int = 0
    previous: list[int] = field(default_factory=list)  # the outputs of the previous request

    @classmethod
    def start(cls, setting: Setting, exact: Law, note: str) -> "Evidence":
        joint = [p * q or 1e-300 for p in exact.sides for q in exact.sides]
        return cls(setting, exact, note, Cells(exact.probabilities), (Cells(joint), Cells(joint)))


@dataclass(frozen=True)
class Released:
    """The results of the three checks that share one sample."""

    support: Result
    fit: Result
    independence: Result


class _Alarm(Exception):
    """One of the checks has failed."""

    def __init__(self, check: str, witness: str) -> None:
        super().__init__(check)
        self.check, self.witness = check, witness


NAMES = {"support": "release.support", "fit": "release.fit", "independence": "release.independence"}


def released(context: Context) -> Released:
    """Draws the sample, stage by stage, and stops at the first failure."""
    refused: list[str] = []
    seen: list[Evidence] = []
    tilts = {"side": Tilt(), "spread": Tilt()}
    late = False
    try:
        _sample(context, seen, tilts, refused)
    except Unsupported:
        return _nothing("the target does not offer release")
    except Broken as broken:
        count = sum(evidence.count for evidence in seen)
        failed = Result(NAMES["support"], "fail", count, f"the target {broken}")
        return Released(failed, *(Result(NAMES[n], "unsupported", count, "no sample") for n in ("fit", "independence")))
    except _Alarm as alarm:
        count = sum(evidence.count for evidence in seen)
        results = {
            name: Result(NAMES[name], "unsupported", count, f"stopped: {NAMES[alarm.check]} has already failed")
            for name in NAMES
        }
        if alarm.check != "support":
            results["support"] = Result(NAMES["support"], "pass", count)
        return Released(**{**results, alarm.check: Result(NAMES[alarm.check], "fail", count, alarm.witness)})
    except OutOfTime:
        late = True
    count = sum(evidence.count for evidence in seen)
    if count == 0:
        return _nothing("the time was over" if late else "the target refuses every setting: " + "; ".join(refused[:3]))
    if late and min(evidence.count for evidence in seen) < sum(STAGES):
        text = f"the time was over after {count} releases, too few to judge; nothing was wrong"
        return Released(
            Result(NAMES["support"], "pass", count),
            *(Result(NAMES[n], "unsupported", count, text) for n in ("fit", "independence")),
        )
    remarks = [_power(context, seen), *(f"refused: {text}" for text in refused)]
    remarks += sorted({evidence.note for evidence in seen if evidence.note})
    return Released(
        Result(NAMES["support"], "pass", count, f"exact: {len(seen)} settings"),
        Result(NAMES["fit"], "pass", count, "; ".join(remarks)),
        Result(NAMES["independence"], "pass", count),
    )


def _nothing(why: str) -> Released:
    return Released(*(Result(name, "unsupported", 0, why) for name in NAMES.values()))


def _power(context: Context, seen: list[Evidence]) -> str:
    """In words: which defects a sample of this size would have shown."""
    alpha = context.effort.alpha
    threshold = math.log(len(SETTINGS) / (SHARES["fit"] * alpha))
    count = min(evidence.count for evidence in seen)
    shift = max(smallest_shift(evidence.law.probabilities, evidence.count, threshold) for evidence in seen)
    return (
        f"false-alarm rate of the whole run at most {alpha:g}; {count} releases at each of {len(seen)} settings show "
        f"an output whose probability is off by {shift:.2g} or more"
    )


def _sample(context: Context, seen: list[Evidence], tilts: dict[str, Tilt], refused: list[str]) -> None:
    for stage, size in enumerate(_stages(context.effort.releases)):
        if stage == 0:
            for setting in SETTINGS:
                _open(context, setting, seen, refused)
        for evidence in list(seen):
            for count in _batches(size):
                _check_time(context)
                try:
                    outputs = _release(context, evidence.setting, count)
                except Refused as refusal:
                    if evidence.count:
                        raise Broken(f"released, then refused, {_words(evidence.setting)}: {refusal}") from None
                    refused.append(f"{_words(evidence.setting)} ({evidence.setting.reason}): {refusal}")
                    seen.remove(evidence)
                    break
                _judge(context, evidence, tilts, outputs)
        _judge_tilts(context, tilts)


def _stages(total: int) -> Iterator[int]:
    """Small stages first, so that gross errors stop early."""
    done = 0
    for size in STAGES:
        if done + size <= total:
            yield size
            done += size
    while done < total:
        yield min(total - done, max(done, BATCH))
        done += min(total - done, max(done, BATCH))


def _batches(size: int) -> Iterator[int]:
    while size > 0:
        yield min(size, BATCH)
        size -= BATCH


def _check_time(context: Context) -> None:
    if context.effort.deadline is not None and time.monotonic() > context.effort.deadline:
        raise OutOfTime


def _open(context: Context, setting: Setting, seen: list[Evidence], refused: list[str]) -> None:
    """Adds a setting with its exact distribution. It is left out where λ is too close to a power of two, or where the
    target's precision does not hold the parameters."""
    try:
        scale, note = target_scale(context, setting)
        exact = law(setting.value, scale, setting.bound, context.told)
    except ParameterError as error:
        refused.append(f"not applicable, {_words(setting)}: {error}")
        return
    power = Fraction(2) ** floor_log2(scale)
    if scale == power or not (1 + JUMP) * power < scale < (2 - JUMP) * power:
        refused.append(f"not applicable, {_words(setting)}: λ is so close to a power of two that Λ is open")
        return
    if context.told.uniform == "binary64" and setting.bound > BINARY64_LIMIT * scale:
        note = "; ".join(filter(None, (note, TOO_FAR)))
    seen.append(Evidence.start(setting, exact, note))


def target_scale(context: Context, setting: Setting) -> tuple[Fraction, str]:
    """λ = Δ/ε', with the target's own ε' if it tells it, else with that of the reference. Both agree to many digits."""
    sensitivity = Fraction(setting.sensitivity)
    args: Args = {"epsilon": setting.epsilon, "bound": setting.bound, "sensitivity": setting.sensitivity}
    try:
        own = context.target.call("inner_epsilon", args)
        assert isinstance(own, float)
        if 0 < own < math.inf:
            return sensitivity / Fraction(own), ""
    except (Unsupported, Refused, Broken):
        pass
    return _reference_scale(setting, context.told), "λ taken from the reference, as the target does not tell its ε'"


def _reference_scale(setting: Setting, told: Description) -> Fraction:
    epsilon, bound, sensitivity = (Fraction(x) for x in (setting.epsilon, setting.bound, setting.sensitivity))
    return plan_budget(epsilon, bound, sensitivity, told.precision).scale


def _release(context: Context, setting: Setting, count: int) -> list[float]:
    args: Args = {
        "value": setting.value,
        "epsilon": setting.epsilon,
        "bound": setting.bound,
        "sensitivity": setting.sensitivity,
        "count": count,
    }
    outputs = context.target.call("release", args)
    assert isinstance(outputs, list)
    return outputs


def _judge(context: Context, evidence: Evidence, tilts: dict[str, Tilt], outputs: list[float]) -> None:
    exact, alpha = evidence.law, context.effort.alpha
    numbers: list[int] = []
    for x in outputs:
        k = exact.number(x)
        evidence.count += 1
        if k is None:
            raise _Alarm("support", _stranger(context, evidence, x, "not a multiple of Λ within the bounds, nor ±B"))
        if not exact.possible(k):
            raise _Alarm("support", _stranger(context, evidence, x, "an output whose exact probability is zero"))
        evidence.fit.add(exact.cell(k))
        numbers.append(k)
    _tilt(evidence, tilts, numbers)
    each = alpha / len(SETTINGS)
    if evidence.fit.log_evidence() >= -math.log(SHARES["fit"] * each):
        raise _Alarm("fit", _table(evidence, SHARES["fit"] * each))
    for first, pairs in enumerate(evidence.pairs):
        for a, b in zip(numbers[first::2], numbers[first + 1 :: 2], strict=False):
            pairs.add(3 * (exact.side(a) + 1) + exact.side(b) + 1)
        if pairs.log_evidence() >= -math.log(SHARES["pairs"] * each / len(evidence.pairs)):
            raise _Alarm("independence", _pair_table(evidence, pairs))
    _repeats(evidence, numbers, SHARES["repeats"] * each)


def _repeats(evidence: Evidence, numbers: list[int], alpha: float) -> None:
    """Two requests with the same outputs in the same order: the generator is seeded anew for every request. At most 64
    pairs of requests are compared, so each may err with probability alpha/64."""
    alike = sum(p * p for p in evidence.law.probabilities)  # at least the chance that two releases are equal
    needed = math.ceil(math.log(alpha / 64) / math.log(alike)) if alike < 1 else math.inf
    shared = min(len(numbers), len(evidence.previous))
    if evidence.count <= 64 * BATCH and shared >= needed and numbers[: int(needed)] == evidence.previous[: int(needed)]:
        raise _Alarm(
            "independence", f"{_header(evidence)}\ntwo requests gave the same {needed} releases in the same order"
        )
    evidence.previous = numbers


def _tilt(evidence: Evidence, tilts: dict[str, Tilt], numbers: list[int]) -> None:
    exact = evidence.law
    mean = exact.sides[2] - exact.sides[0]
    scores = [exact.side(k) for k in numbers]
    for side in SIDES:
        tilts["side"].add(side, mean, scores.count(side))
    far = sum(abs(k - exact.centre) >= 2 for k in numbers)
    tilts["spread"].add(1.0, 2 * exact.spread - 1, far)
    tilts["spread"].add(-1.0, 2 * exact.spread - 1, len(numbers) - far)


def _judge_tilts(context: Context, tilts: dict[str, Tilt]) -> None:
    words = {
        "side": "releases lie more often on one side of the value than they should",
        "spread": "releases lie farther from the value, or nearer to it, than they should",
    }
    for name, tilt in tilts.items():
        if tilt.log_evidence() >= -math.log(SHARES["tilt"] * context.effort.alpha / len(tilts)):
            raise _Alarm("fit", f"{words[name]}, over all settings together: evidence e**{tilt.log_evidence():.1f}")


def _words(setting: Setting) -> str:
    value, epsilon, bound, sensitivity, _ = setting
    return f"value {value!r}, ε {epsilon!r}, B {bound!r}, Δ {sensitivity!r}"


def _header(evidence: Evidence) -> str:
    return f"release at {_words(evidence.setting)} ({evidence.setting.reason})"


def _stranger(context: Context, evidence: Evidence, x: float, why: str) -> str:
    scale = float(target_scale(context, evidence.setting)[0])
    parts = [_header(evidence), line("λ", scale), line("Λ", evidence.law.lattice), line("B", evidence.law.bound)]
    return "\n".join([*parts, line("released", x), why])


def _table(evidence: Evidence, alpha: float) -> str:
    """Expected and observed, cell by cell."""
    exact, n = evidence.law, evidence.count
    lines = [_header(evidence), f"{'outputs':>28} {'exact probability':>18} {'expected':>10} {'observed':>9}"]
    bounds = [-exact.parameters.last - 1, *exact.edges, exact.parameters.last]
    for i, p in enumerate(exact.probabilities):
        low, high = bounds[i] + 1, bounds[i + 1]
        ends = [max(-exact.bound, min(exact.bound, k * exact.lattice)) for k in (low, high)]
        name = f"{ends[0]!r}" if low == high else f"{ends[0]!r} … {ends[1]!r}"
        lines.append(f"{name:>28} {p:18.6f} {n * p:10.1f} {evidence.fit.counts[i]:9d}")
    lines.append(f"evidence e**{evidence.fit.log_evidence():.1f} after {n} releases; false-alarm rate {alpha:.1g}")
    return "\n".join(lines)


def _pair_table(evidence: Evidence, pairs: Cells) -> str:
    lines = [
        _header(evidence),
        "a release and the next, each below (-), at (0) or above (+) the nearest output to the value",
    ]
    total = sum(pairs.counts)
    for i, p in enumerate(pairs.probabilities):
        pair = "-0+"[i // 3] + "-0+"[i % 3]
        lines.append(f"{pair:>4}  expected {total * p:9.1f}  observed {pairs.counts[i]:6d}")
    return "\n".join(lines)
