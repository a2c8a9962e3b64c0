"""Black-box checks: what releases alone show about a target.

    support        every output is one that the exact distribution allows. This is exact: a single other output is a
                   failure, and a correct target never has one.
    fit            the outputs have their exact probabilities: at each setting, and over all settings together
    independence   a release does not depend on others (sequence.py)

Fit and independence are statistical tests (betting.py). The probabilities with which they fail a correct target add up
to the α of the whole run. Every setting is judged for itself: a failure at one ends the sampling at that one only, and
what was found makes the rest of the sample no smaller.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from snapref import ParameterError
from snapref_crosscheck import sequence
from snapref_crosscheck.alternatives import EVENTS, LESS_NOISE, Sampled, excesses, likelihoods
from snapref_crosscheck.betting import Cells, Excess, log_mean_exp, smallest_shift
from snapref_crosscheck.checks import (
    DOMAIN,
    NOT_OFFERED,
    PRIVACY,
    Context,
    Effort,
    Finding,
    Grade,
    Result,
    failed,
    not_judged,
    reason,
)
from snapref_crosscheck.law import Law, law
from snapref_crosscheck.protocol import Broken, OutOfTime, Refused, TooSlow, Unsupported
from snapref_crosscheck.sample import Inconsistent, Pace, draw, draw_singly
from snapref_crosscheck.settings import (
    BINARY64_LIMIT,
    KNOWN_SCALE,
    REFERENCE_SCALE,
    TOO_FAR,
    Setting,
    is_clear,
    settings,
    target_scale,
)
from snapref_crosscheck.trace import line

NAMES = {"support": "release.support", "fit": "release.fit", "independence": "release.independence"}
STAGES = (50, 50, 200, 700)  # releases at each setting, stage by stage; later stages have thousands
ENOUGH = sum(STAGES)  # releases at a setting that are worth a verdict, if the time is over
LONG = 20  # the long sequence has so many times the releases of one setting
SINGLE = 16  # for so many releases of one setting, one is a request of its own
SHORT = 250  # releases of one request of the sequence: if each request takes one of few seeds, some come twice
SHARES = {"fit": 0.25, "events": 0.2, "named": 0.2, "sequence": 0.35}  # of α
ALIKE = 2000  # releases of another value, to see whether an error in the last bits is the same there
LAST_BITS = 2.0**-48  # of B: what counts as such an error
WELL = 0.9  # the part of the evidence that a named defect must explain
LOOKS = (1 / 16, 1 / 4, 1)  # parts of the sequence after which it is judged


@dataclass
class Evidence:
    """What has been seen at one setting."""

    setting: Setting
    law: Law
    scale: Fraction
    told: bool  # whether the target told its ε'
    counts: Counter[int] = field(default_factory=Counter)
    count: int = 0
    done: bool = False  # nothing more is drawn: something was found

    @property
    def one_sided(self) -> bool:
        """Whether λ is known from below only: an honest target that does not tell its ε' may have a larger one."""
        return not self.told and self.setting.bound > KNOWN_SCALE * self.scale

    @property
    def header(self) -> str:
        return f"release at {self.setting} ({self.setting.reason})"

    def fit(self) -> Cells:
        cells = Cells(self.law.probabilities)
        for k, n in self.counts.items():
            cells.add(self.law.cell(k), n)
        return cells


@dataclass
class Sample:
    """All that was drawn, and what it showed."""

    evidence: list[Evidence] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)  # a setting, and why
    findings: dict[str, list[Finding]] = field(default_factory=lambda: {name: [] for name in NAMES})
    pooled: dict[str, Finding] = field(default_factory=dict)  # over all settings, by what shows
    planned: int = 0  # releases at each setting
    sequence: int = 0  # the length of the long sequence, as far as it was drawn
    sequence_at: Evidence | None = None  # its setting
    alone: Evidence | None = None  # the same setting, in requests for one release each
    trouble: Broken | TooSlow | OutOfTime | None = None

    @property
    def count(self) -> int:
        return sum(evidence.count for evidence in [*self.evidence, *([self.alone] if self.alone else [])])

    def ends(self, effort: Effort) -> bool:
        """Whether the finding was made for which the sample was drawn."""
        key = next((name for name, full in NAMES.items() if full == effort.until), "")
        return bool(self.findings.get(key) or (key == "fit" and self.pooled))


@dataclass(frozen=True)
class Released:
    """The results of the three checks that share one sample."""

    support: Result
    fit: Result
    independence: Result


def released(context: Context) -> Released:
    """Draws the sample and judges it."""
    sample = Sample(planned=context.effort.releases)
    try:
        _open(context, sample)
        _draw_stages(context, sample)
        _draw_sequence(context, sample)
        _judge_pooled(context, sample)
    except Unsupported:
        return Released(*(Result(name, "unsupported", 0, NOT_OFFERED) for name in NAMES.values()))
    except (TooSlow, OutOfTime, Broken) as trouble:
        sample.trouble = trouble
        _judge_pooled(context, sample)
        if isinstance(trouble, Broken):
            sample.findings["support"].append(Finding(DOMAIN, str(trouble), f"after {sample.count} releases"))
    sample.findings["fit"] += sample.pooled.values()
    return Released(*(_result(context, sample, name) for name in NAMES))


def _result(context: Context, sample: Sample, name: str) -> Result:
    full, count = NAMES[name], sample.count
    stopped = f"{reason(sample.trouble)} after {count} releases" if sample.trouble else None
    if sample.findings[name]:
        return failed(full, count, sample.findings[name], stopped)
    if not count:
        if sample.trouble:
            return not_judged(full, 0, stopped or "")
        return Result(full, "unsupported", 0, "the target refuses every setting: " + "; ".join(_refusals(sample)[:3]))
    enough = min((e.count for e in sample.evidence), default=0) >= ENOUGH
    if name == "independence" and sample.trouble:
        enough = sample.sequence >= ENOUGH
    if stopped and not enough:
        return not_judged(full, count, f"{stopped}, too few to judge; nothing was wrong")
    if name == "support":
        return Result(full, "pass", count, f"exact: {len(sample.evidence)} settings")
    if all(e.done for e in sample.evidence):
        return not_judged(full, count, "sampling has ended early at every setting, because something was found there")
    if name == "independence" and sample.sequence_at is None:
        return not_judged(full, count, "no setting was left that suits a long sequence")
    if name == "independence" and sample.sequence_at is not None and sample.sequence_at.done:
        return not_judged(full, count, "the outputs of the long sequence are wrong, whatever their order")
    remarks = [_power(context, sample, name), *([stopped] if stopped else [])]
    if name == "fit":
        remarks += [f"refused: {text}" for text in _refusals(sample)]
        remarks += [REFERENCE_SCALE] if any(not e.told for e in sample.evidence) else []
        remarks += [TOO_FAR] if any(_too_far(context, e) for e in sample.evidence) else []
    return Result(full, "pass", count, "; ".join(remarks))


def _too_far(context: Context, evidence: Evidence) -> bool:
    return context.told.uniform == "binary64" and evidence.setting.bound > BINARY64_LIMIT * evidence.scale


def _refusals(sample: Sample) -> list[str]:
    """What was refused, and each reason once."""
    settings: dict[str, list[str]] = {}
    for setting, why in sample.refused:
        settings.setdefault(why, []).append(setting)
    return [f"{' and '.join(which)}: {why}" for why, which in settings.items()]


def _power(context: Context, sample: Sample, name: str) -> str:
    """In words: which defects a sample of this size would have shown."""
    alpha = context.effort.alpha
    open_ones = [e for e in sample.evidence if not e.done]
    if name == "independence":
        at = sample.sequence_at or open_ones[-1]
        share = sequence.reuse_seen(at.law, sample.sequence, SHARES["sequence"] * alpha / len(LOOKS))
        return f"{sample.sequence} releases in a row show noise that is used again in {share:.2g} of them or more"
    pooled = pooled_shift(open_ones, alpha)
    threshold = math.log((len(sample.evidence) + 1) / (SHARES["fit"] * alpha))
    single = max(smallest_shift(e.law.probabilities, e.count, threshold) for e in open_ones)
    count = sum(e.count for e in open_ones)
    return (
        f"false-alarm rate of the whole run at most {alpha:g}; {count} releases at {len(open_ones)} settings show an "
        f"output whose probability is off by {pooled:.2g} at all settings, or by {single:.2g} at one"
    )


def pooled_shift(evidence: list[Evidence], alpha: float) -> float:
    """The smallest excess of the output nearest to the value, over all settings, that is seen on average."""
    threshold = math.log(len(EVENTS) / (SHARES["events"] * alpha))
    low, high = 0.0, 1.0
    for _ in range(20):
        shift = (low + high) / 2
        excess = Excess()
        for e in evidence:
            p = e.law.chance(e.law.centre, e.law.centre)
            if p + shift < 1:
                excess.add(p, round((p + shift) * e.count), e.count)
        low, high = (low, shift) if excess.events and excess.log_evidence() >= threshold else (shift, high)
    return high


# ---- drawing


def _open(context: Context, sample: Sample) -> None:
    """Every setting with its exact distribution. It is left out where λ is too close to a power of two, or where the
    target's precision does not hold the parameters."""
    for setting in settings(context.told):
        try:
            scale, told = target_scale(context, setting)
            exact = law(setting.value, scale, setting.bound, context.told, setting.sensitivity)
        except ParameterError as error:
            sample.refused.append((f"not applicable, {setting}", str(error)))
            continue
        if not is_clear(scale, Fraction(exact.unit)):
            sample.refused.append((f"not applicable, {setting}", "λ is so close to a power of two that Λ is open"))
            continue
        sample.evidence.append(Evidence(setting, exact, scale, told))


def _stages(total: int) -> Iterator[int]:
    """Small stages first, so that gross errors stop early."""
    done = 0
    for size in STAGES:
        if done + size <= total:
            yield size
            done += size
    while done < total:
        size = min(total - done, max(done, 1000))
        yield size
        done += size


def _draw_stages(context: Context, sample: Sample) -> None:
    pace = Pace()
    for size in _stages(sample.planned):
        for evidence in list(sample.evidence):
            if evidence.done:
                continue
            try:
                for outputs in draw(context, pace, evidence.setting, size):
                    if not _take(context, sample, evidence, outputs):
                        break
            except Refused as refusal:
                if evidence.count:
                    sample.findings["support"].append(_inconsistent(evidence, refusal))
                    evidence.done = True
                else:
                    sample.refused.append((f"{evidence.setting} ({evidence.setting.reason})", str(refusal)))
                    sample.evidence.remove(evidence)
            except Inconsistent as found:
                sample.findings["support"].append(_inconsistent(evidence, found))
                evidence.done = True
        _judge_pooled(context, sample)
        if sample.ends(context.effort):
            return


def _inconsistent(evidence: Evidence, found: Exception) -> Finding:
    return Finding(DOMAIN, "released, and then refused the same parameters", f"{evidence.header}\n{found}")


def _draw_sequence(context: Context, sample: Sample) -> None:
    """The long sequence, at the last of the settings: without a break, and in one process. It begins with requests for
    one release each, which are also judged for themselves."""
    usable = [e for e in sample.evidence if not e.done and 0.2 < max(e.law.probabilities) < 0.6]
    if not usable or sample.ends(context.effort):
        return
    evidence = sample.sequence_at = usable[-1]
    total = LONG * sample.planned
    outputs = draw_singly(context, evidence.setting, max(1, sample.planned // SINGLE))
    setting = evidence.setting._replace(reason="requests for one release each")
    sample.alone = Evidence(setting, evidence.law, evidence.scale, evidence.told)
    numbers: list[int] = []
    if not _take(context, sample, sample.alone, outputs, numbers):
        numbers.clear()
    sizes = [1] * len(numbers)
    looks = [int(part * total) for part in LOOKS]
    alpha = SHARES["sequence"] * context.effort.alpha / len(LOOKS)

    def look() -> None:
        if context.effort.until not in (None, NAMES["independence"]):
            return
        found = sequence.judge(evidence.law, numbers, sizes, alpha, evidence.header)
        known = {finding.headline for finding in sample.findings["independence"]}
        sample.findings["independence"] += [finding for finding in found if finding.headline not in known]

    try:
        for outputs in draw(context, Pace(largest=SHORT), evidence.setting, total - len(numbers)):
            sizes.append(len(outputs))
            if not _take(context, sample, evidence, outputs, numbers):
                break
            sample.sequence = len(numbers)
            if looks and len(numbers) >= looks[0] and len(numbers) < total:
                looks.pop(0)
                look()
                if sample.ends(context.effort):
                    return
    except (Refused, Inconsistent) as found:
        sample.findings["support"].append(_inconsistent(evidence, found))
    finally:
        sample.sequence = len(numbers)
        look()


# ---- judging


def _take(
    context: Context, sample: Sample, evidence: Evidence, outputs: list[float], numbers: list[int] | None = None
) -> bool:
    """Counts a batch in. False if something is wrong with it, so that nothing more is drawn at this setting."""
    known: dict[float, int] = {}
    for x, n in Counter(outputs).items():
        k = evidence.law.number(x)
        if k is None or not evidence.law.possible(k):
            evidence.count += len(outputs)
            evidence.done = True
            sample.findings["support"].append(_stranger(context, evidence, x, outputs))
            return False
        known[x] = k
        evidence.counts[k] += n
    evidence.count += len(outputs)
    if numbers is not None:
        numbers.extend(known[x] for x in outputs)
    threshold = math.log((len(sample.evidence) + 1) / (SHARES["fit"] * context.effort.alpha))
    if evidence.one_sided:
        return _judge_one_sided(sample, evidence, threshold)
    if evidence.fit().log_evidence() >= threshold:
        grade, headline = _explained(evidence)
        sample.findings["fit"].append(Finding(grade, headline, _table(evidence, threshold)))
        evidence.done = True
        return False
    return True


def _judge_one_sided(sample: Sample, evidence: Evidence, threshold: float) -> bool:
    """Only too little noise is a fault: more than this λ is wasteful, and private. Each such setting counts for itself,
    and all of them count together."""

    def narrower(those: list[Evidence]) -> float:
        told = likelihoods([(e.law, e.counts) for e in those]).items()
        return log_mean_exp([log for name, (_, log) in told if name.startswith(LESS_NOISE)])

    together = [e for e in sample.evidence if e.one_sided and not e.done]
    if max(narrower([evidence]), narrower(together)) < threshold + math.log(2):
        return True
    headline = "there is less noise than a sound λ has at this bound"
    sample.findings["fit"].append(Finding(PRIVACY, headline, _table(evidence, threshold)))
    evidence.done = True
    return False


def _explained(evidence: Evidence) -> tuple[Grade, str]:
    """The defect that explains best what one setting shows; where none does it well, just that the fit is bad."""
    whole = evidence.fit().log_evidence()
    known = likelihoods([(evidence.law, evidence.counts)])
    events = excesses([(evidence.law, evidence.counts)])
    name, (grade, log) = max(known.items(), key=lambda item: item[1][1])
    event_grade, event_log, words = max(events.values(), key=lambda item: item[1])
    if len(evidence.counts) == 1:
        return PRIVACY, f"{evidence.count} releases are all the same"
    if log >= max(WELL * whole, event_log):
        return grade, name
    if event_log >= 0.5 * whole:
        return event_grade, words.replace(", over all settings", "")
    return DOMAIN, "the outputs do not have their exact probabilities"


def _judge_pooled(context: Context, sample: Sample) -> None:
    """What shows over all settings together. The last look at something that shows is the one that is told."""
    alpha = context.effort.alpha
    samples: list[Sampled] = [(e.law, e.counts) for e in sample.evidence if not e.one_sided and not e.done and e.count]
    if not samples:
        return
    known = likelihoods(samples)
    mixed = log_mean_exp([log for _, log in known.values()])
    if mixed >= -math.log(SHARES["named"] * alpha):
        name, (grade, log) = max(known.items(), key=lambda item: item[1][1])
        sample.pooled["named"] = Finding(grade, name, _pooled_words(sample, log))
    for event, (grade, log, words) in excesses(samples).items():
        if log >= math.log(len(EVENTS) / (SHARES["events"] * alpha)):
            headline = words.partition(";")[0]
            sample.pooled[event] = Finding(grade, headline, f"{words}\n{_pooled_words(sample, log)}")


def _pooled_words(sample: Sample, log: float) -> str:
    return f"over all settings together: evidence e**{log:.1f} after {sample.count} releases"


def _stranger(context: Context, evidence: Evidence, x: float, outputs: list[float]) -> Finding:
    exact, setting = evidence.law, evidence.setting
    grade: Grade = PRIVACY
    hint = ""
    if not abs(x) <= setting.bound:
        headline = "released a number outside [-B, B]"
    elif exact.number(x) is None:
        headline = "released a number inside the bounds that is no multiple of Λ"
        if _in_units(context, evidence, outputs):
            grade, headline = DOMAIN, "released multiples of a lattice in units of Δ, which it does not declare"
            hint = 'if that is meant, let describe say "lattice_unit": "sensitivity"'
        elif _rounded_alike(context, evidence, outputs):
            grade, headline = (
                DOMAIN,
                "released multiples of Λ with an error in their last bits, the same for other values",
            )
    else:
        headline = "released an output whose exact probability is zero"
    origin = "from the target's ε'" if evidence.told else "of the reference"
    parts = [evidence.header, f"{line('λ', float(evidence.scale))}  {origin}", line("Λ", exact.lattice)]
    parts += [line("B", setting.bound), line("released", x), *([hint] if hint else [])]
    return Finding(grade, headline, "\n".join(parts))


def _rounded_alike(context: Context, evidence: Evidence, outputs: list[float]) -> bool:
    """Whether outputs lie next to multiples of Λ, and next to the same ones for another value: then they are the right
    outputs with an error that says nothing of the value."""
    setting, unit = evidence.setting, evidence.law.lattice
    inside = max(-setting.bound, min(setting.bound, setting.value))
    other = inside - math.copysign(0.37 * min(setting.sensitivity, setting.bound), inside)
    spelled: dict[int, set[float]] = {}
    try:
        drawn = [x for batch in draw(context, Pace(), setting._replace(value=other), ALIKE) for x in batch]
    except (Refused, Inconsistent):
        return False
    for x in (x for x in (*outputs, *drawn) if abs(x) < setting.bound):
        k = round(x / unit)
        if abs(x - k * unit) > LAST_BITS * setting.bound:
            return False
        spelled.setdefault(k, set()).add(x)
    return all(len(spellings) == 1 for spellings in spelled.values())


def _in_units(context: Context, evidence: Evidence, outputs: list[float]) -> bool:
    """Whether all these outputs are those of a lattice in units of Δ."""
    setting = evidence.setting
    if context.told.lattice_unit == "sensitivity" or math.frexp(setting.sensitivity)[0] == 0.5:
        return False
    unit = setting.sensitivity
    relative = Fraction(evidence.scale) / Fraction(unit)
    lattice = unit * 2.0 ** math.ceil(math.log2(relative))
    return all(abs(x) == setting.bound or abs(x / lattice - round(x / lattice)) < 1e-9 for x in outputs)


def _table(evidence: Evidence, threshold: float) -> str:
    """Expected and observed, cell by cell."""
    exact, n, fit = evidence.law, evidence.count, evidence.fit()
    lines = [evidence.header, f"{'outputs':>28} {'exact probability':>18} {'expected':>10} {'observed':>9}"]
    bounds = [-exact.parameters.last - 1, *exact.edges, exact.parameters.last]
    for i, p in enumerate(exact.probabilities):
        low, high = bounds[i] + 1, bounds[i + 1]
        ends = [exact.output(k) for k in (low, high)]
        name = f"{ends[0]!r}" if low == high else f"{ends[0]!r} … {ends[1]!r}"
        lines.append(f"{name:>28} {p:18.6f} {n * p:10.1f} {fit.counts[i]:9d}")
    rate = math.exp(-threshold)
    lines.append(f"evidence e**{fit.log_evidence():.1f} after {n} releases; false-alarm rate {rate:.1g}")
    return "\n".join(lines)
