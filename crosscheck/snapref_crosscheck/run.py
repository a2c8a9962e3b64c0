"""The whole cross-check of one target."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from snapref_crosscheck import releases
from snapref_crosscheck.budget import NAME as BUDGET
from snapref_crosscheck.budget import budget
from snapref_crosscheck.checks import GRADES, NOT_OFFERED, Check, Context, Effort, Finding, Result, not_judged
from snapref_crosscheck.components import component, inner_epsilon
from snapref_crosscheck.greeting import described, greet
from snapref_crosscheck.parameters import NAME as PARAMETERS
from snapref_crosscheck.parameters import parameters
from snapref_crosscheck.protocol import COMPONENTS, AdapterError, Description, OutOfTime, Unsupported
from snapref_crosscheck.targets import PythonTarget, Target

__all__ = ["CHECKS", "AdapterError", "Effort", "Finding", "Report", "Session", "crosscheck", "required"]

# Exact checks first: what they can decide is never left to samples.
CHECKS: tuple[str, ...] = (
    "describe",
    *COMPONENTS,
    "inner_epsilon",
    PARAMETERS,
    BUDGET,
    *releases.NAMES.values(),
)
JUDGED = CHECKS[1:]  # what a verdict is about
LONGEST = 6  # how many times the time of another check the sample may take, if the time is limited
WHOLE = ("snap", releases.NAMES["fit"])  # one of them must have been checked for the verdict that a target conforms


@dataclass(frozen=True)
class Report:
    """What came out. `conforms` is None where there was nothing to judge, or not what was required."""

    target: str
    results: tuple[Result, ...]
    required: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def checked(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.results if r.name in JUDGED and r.status in ("pass", "fail"))

    @property
    def unchecked(self) -> tuple[str, ...]:
        return tuple(name for name in JUDGED if name not in self.checked)

    @property
    def missing(self) -> tuple[str, ...]:
        """What was required and not checked."""
        return tuple(name for name in self.required if name in self.unchecked)

    @property
    def conforms(self) -> bool | None:
        if any(result.status == "fail" for result in self.results):
            return False
        whole = any(result.name in WHOLE and result.status == "pass" for result in self.results)
        return True if whole and not self.missing else None

    def verdict(self) -> str:
        """One sentence, and what it does not cover."""
        passed = [r for r in self.results if r.name in JUDGED and r.status == "pass"]
        covers = f"{len(passed)} of {len(JUDGED)}"
        told = {result.name: result for result in self.results}
        late = [name for name in self.unchecked if name in told and told[name].status == "not judged"]
        absent = [name for name in self.unchecked if name not in late]
        if self.conforms is False:
            found = [finding for result in self.results for finding in result.findings]
            worst = f": {found[0].grade}" if found else ""
            words = [f"does not conform{_worst(found) or worst}; passes {covers} checks"]
        elif self.conforms:
            words = [f"conforms in {covers} checks"]
        elif self.missing:
            words = [f"not decided: required, but not checked: {', '.join(self.missing)}; passes {covers} checks"]
        elif not self.checked:
            offers = "nothing was offered" if not late else "nothing could be judged"
            words = [f"nothing to judge: {offers}"]
        else:
            words = [
                f"nothing to judge: it offers neither snap nor release, or they were not judged; passes {covers} checks"
            ]
        words += [f"not judged: {', '.join(late)}"] if late else []
        words += [f"not checked: {', '.join(absent)}"] if absent and absent != list(JUDGED) else []
        stages = [name for name in self.checked if name in COMPONENTS]
        if stages and releases.NAMES["fit"] in self.checked:
            words.append("release was judged by its outputs; nothing ties it to the stages that were checked")
        return "; ".join(words)

    def as_json(self) -> dict[str, Any]:
        rows = [
            {
                "name": r.name,
                "status": r.status,
                "cases": r.cases,
                "witness": r.witness,
                "findings": [finding.as_json() for finding in r.findings],
            }
            for r in self.results
        ]
        verdict = {"conforms": self.conforms, "checked": list(self.checked), "unchecked": list(self.unchecked)}
        return {"target": self.target, "checks": rows, **verdict}


def _worst(found: Sequence[Finding]) -> str:
    counts = [(grade, sum(finding.grade == grade for finding in found)) for grade in GRADES]
    return ": " + ", ".join(f"{n} × {grade}" for grade, n in counts if n) if found else ""


def required(text: str) -> tuple[str, ...]:
    """The checks that a list asks for: names of checks, or of operations, or `all`. A ValueError for others."""
    found: list[str] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        names = [name for name in JUDGED if word in ("all", name) or name.startswith(f"{word}.")]
        if not names:
            raise ValueError(f"{word!r} is neither a check nor an operation: {', '.join(JUDGED)}, release, all")
        found += names
    return tuple(dict.fromkeys(found))


class Session:
    """One target, its description, and the sample that several checks share; checks may be asked for in any order."""

    def __init__(self, target: Target, effort: Effort) -> None:
        self.target, self.effort = target, effort
        self._told: Description | None = None
        self._greeted: dict[str, str | Unsupported | None] = {}
        self._released: releases.Released | None = None

    def check(self, name: str, left: int = 1) -> Result:
        """The result of one check of CHECKS. `left`: how many checks share what is left of the time."""
        try:
            told = self.describe()[1]
            if name == "describe":
                return self.describe()[0]
            self._limit(name, left)
            trouble = self._greet(name.partition(".")[0], told)
        except Unsupported:
            return Result(name, "unsupported", 0, NOT_OFFERED)
        except OutOfTime:
            return not_judged(name, 0, "the time was over")
        if trouble is not None:
            return not_judged(name, 0, f"the target {trouble}")
        context = Context(self.target, told, self.effort, self._deadline)
        for key, full in releases.NAMES.items():
            if name == full:
                self._released = self._released or releases.released(context)
                return getattr(self._released, key)  # type: ignore[no-any-return]
        return _SINGLE[name](context)

    def _limit(self, name: str, left: int) -> None:
        """The time for one check: its share of what is left. The target is told, so that it does not wait longer."""
        self._deadline = self.effort.deadline
        if hasattr(self.target, "failures"):
            self.target.failures = 0  # what another check met does not count for this one
        if self.effort.deadline is None:
            return
        now = time.monotonic()
        rest = max(0.0, self.effort.deadline - now)
        share = 1.0 if name in releases.NAMES.values() else 1 / (left + LONGEST)
        self._deadline = now + rest * share
        if hasattr(self.target, "deadline"):
            self.target.deadline = self._deadline

    def _greet(self, op: str, told: Description) -> str | None:
        """Why the operation cannot be judged, or None if it can; Unsupported if it is not offered."""
        if op not in self._greeted:
            self._greeted[op] = greet(self.target, op, told)
        found = self._greeted[op]
        if isinstance(found, Unsupported):
            raise found
        return found

    def describe(self) -> tuple[Result, Description]:
        """What the target says of itself. An AdapterError if it does not speak the protocol."""
        if self._told is None:
            self._told = described(self.target)
        told = self._told
        text = f"{told.name}: ties {told.ties}, precision {told.precision}, uniform {told.uniform}"
        extra = [word for word in told.declared() if not word.startswith("ties")]
        return Result("describe", "pass", 1, "; ".join([text, *extra])), told

    def name(self) -> str:
        told = self._told or Description()
        return told.name if told.name != Description().name else self.target.name

    def results(self) -> Iterator[Result]:
        for index, name in enumerate(CHECKS):
            yield self.check(name, len(CHECKS) - index)


_SINGLE: dict[str, Check] = {
    **{op: component(op) for op in COMPONENTS},
    "inner_epsilon": inner_epsilon,
    PARAMETERS: parameters,
    BUDGET: budget,
}


def crosscheck(
    target: object,
    effort: Effort | None = None,
    progress: Callable[[Result], None] | None = None,
    required: Sequence[str] = (),
) -> Report:
    """Checks a target, or a Python object with methods of the protocol's names, or a function that makes a release; and
    closes it. An AdapterError if it does not speak the protocol. After Ctrl-C the report says what was done by then."""
    checked: Any = target if hasattr(target, "call") and hasattr(target, "close") else PythonTarget(target)
    session = Session(checked, effort or Effort())
    results: list[Result] = []
    interrupted = False
    try:
        for result in session.results():
            results.append(result)
            if progress is not None:
                progress(result)
    except KeyboardInterrupt:
        interrupted = True
        results += [not_judged(name, 0, "interrupted") for name in CHECKS[len(results) :]]
    finally:
        checked.close()
    return Report(session.name(), tuple(results), tuple(required), interrupted)
