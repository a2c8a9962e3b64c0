"""What all checks share: their effort, their context and their result."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from snapref_crosscheck.protocol import Description
from snapref_crosscheck.targets import Target

Status = Literal["pass", "fail", "unsupported"]


@dataclass(frozen=True)
class Effort:
    """How much is tried. With the defaults a fast target takes about a minute."""

    search: int = 300  # Hypothesis examples for each component operation
    releases: int = 10_000  # for each setting of the black-box checks
    alpha: float = 1e-6  # the probability with which a correct target may fail, over the whole run
    seed: int = 0
    stride: int = 1  # every stride-th of the deterministic cases, beginning at the seed
    deadline: float | None = None  # of the whole run, on the clock of time.monotonic


@dataclass(frozen=True)
class Result:
    """What came out. `witness` is the counterexample if the check failed. If it passed, it is what is worth knowing: a
    declared deviation, or the smallest defect that would have been noticed. For `unsupported` it is the reason."""

    name: str
    status: Status
    cases: int
    witness: str | None = None


@dataclass
class Context:
    """What every check of one run shares."""

    target: Target
    told: Description
    effort: Effort = field(default_factory=Effort)


Check = Callable[[Context], Result]
