"""What all checks share: their effort, their context, what they find and how they say it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from snapref_crosscheck.protocol import Broken, Description, OutOfTime, TooSlow
from snapref_crosscheck.targets import Target

Status = Literal["pass", "fail", "unsupported", "not judged"]
Grade = Literal["breaks privacy", "wrong inside the domain", "wrong at inputs that callers must not pass"]
PRIVACY: Grade = "breaks privacy"
DOMAIN: Grade = "wrong inside the domain"
OUTSIDE: Grade = "wrong at inputs that callers must not pass"
GRADES = (PRIVACY, DOMAIN, OUTSIDE)  # the worst first

NOT_OFFERED = "the target does not offer it"


@dataclass(frozen=True)
class Effort:
    """How much is tried. With the defaults a fast target takes a minute or two."""

    search: int = 300  # Hypothesis examples for each component operation
    releases: int = 12_500  # for each setting of the black-box checks; the long sequence has twenty times as many
    alpha: float = 1e-6  # the probability with which a correct target may fail, over the whole run
    seed: int = 0
    stride: int = 1  # every stride-th of the deterministic cases, beginning at the seed
    deadline: float | None = None  # of the whole run, on the clock of time.monotonic
    until: str | None = None  # the check of releases at whose first finding the sample may end; None: it never does

    def thorough(self) -> "Effort":
        """For a run of an hour."""
        return replace(self, search=20 * self.search, releases=20 * self.releases)


@dataclass(frozen=True)
class Finding:
    """Something wrong. The headline says no more than the counterexample shows."""

    grade: Grade
    headline: str
    counterexample: str

    def __str__(self) -> str:
        return f"{self.grade}: {self.headline}\n{self.counterexample}"

    def as_json(self) -> dict[str, str]:
        return {"grade": self.grade, "headline": self.headline, "counterexample": self.counterexample}


@dataclass(frozen=True)
class Result:
    """What came out. `witness` is the counterexamples if the check failed. If it passed, it is what is worth knowing: a
    declared deviation, or the smallest defect that would have been noticed. Otherwise it is the reason, and how far the
    check came."""

    name: str
    status: Status
    cases: int
    witness: str | None = None
    findings: tuple[Finding, ...] = ()


def failed(name: str, cases: int, findings: list[Finding], remark: str | None = None) -> Result:
    """The result of a check that found something: the worst first, the remark last. The witness shows one
    counterexample of each kind, and where else there are others; the findings have them all."""
    ordered = tuple(sorted(findings, key=lambda finding: GRADES.index(finding.grade)))
    kinds: dict[str, list[Finding]] = {}
    for finding in ordered:
        kinds.setdefault(finding.headline, []).append(finding)
    parts = []
    for first, *others in kinds.values():
        places = [finding.counterexample.splitlines()[0] for finding in others]
        parts.append("\n".join([str(first), *(f"the same: {place}" for place in places)]))
    return Result(name, "fail", cases, "\n\n".join(parts + ([remark] if remark else [])), ordered)


def not_judged(name: str, cases: int, why: str) -> Result:
    return Result(name, "not judged", cases, why)


@dataclass
class Context:
    """What every check of one run shares. `deadline` is that of the current check."""

    target: Target
    told: Description
    effort: Effort = field(default_factory=Effort)
    deadline: float | None = None

    def late(self) -> bool:
        ends = [end for end in (self.deadline, self.effort.deadline) if end is not None]
        return bool(ends) and time.monotonic() > min(ends)


Check = Callable[[Context], Result]


def reason(trouble: Broken | TooSlow | OutOfTime) -> str:
    """Why there is no answer, as the rest of a sentence about the target."""
    return "the time was over" if isinstance(trouble, OutOfTime) else f"the target {trouble}"
