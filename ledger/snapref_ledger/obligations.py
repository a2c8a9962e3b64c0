"""Obligations: what a machine can check, registered against the claim that it is evidence for."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from snapref_ledger.engines import begin_check, end_check, written_down

Kind = Literal["kernel", "smt", "interval", "algebra", "exhaustive", "exact", "sampled"]
# What each kind of evidence is. All but the last decide what their scope says.
KINDS: dict[Kind, str] = {
    "kernel": "a proof that Coq's kernel checked, for all parameters in its statement",
    "smt": "statements for all values of their variables, each decided by two solvers, or one and a certificate",
    "interval": "an inequality on a whole box of parameters, every part of it enclosed by two interval engines",
    "algebra": "an identity or a structure, decided symbolically by a program, without a solver's search",
    "exhaustive": "every value of a small format or of a finite list, one after the other",
    "exact": "exact rational arithmetic at given parameters: it decides witnesses, and statements about these",
    "sampled": "random and adversarial parameters: it supports, and never decides",
}
Expected = Literal["proved", "refuted"]
Status = Literal["proved", "refuted", "undecided", "error"]
# Which sentence the obligation is about: the claim as printed, the claim inside its side condition, or the correction.
Part = Literal["printed", "conditional", "corrected"]


@dataclass(frozen=True)
class Run:
    """What an obligation may know about the run that it is part of."""

    timeout: float = 60.0  # seconds of processor time, for the worker and for every solver (limits.py)
    solvers: tuple[str, ...] = ("z3", "bitwuzla", "cvc5")
    thorough: bool = False
    certificates: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a check found. `solvers` maps an engine to what it answered and how long it took."""

    status: Status
    detail: str = ""  # one or a few lines for a person: why undecided, or what was computed
    witness: str = ""  # a counterexample, already replayed through concrete code, as a trace
    solvers: dict[str, Any] = field(default_factory=dict)  # {"z3": {"answer": "unsat", "seconds": 0.4}, …}


Check = Callable[[Run], Outcome]
Inputs = Callable[[], dict[str, str]]  # name → a hash or a version, of what is neither imported nor an engine


@dataclass(frozen=True)
class Obligation:
    """One thing to check. It passes when its outcome is `expected`, and never otherwise."""

    id: str
    claim: str
    kind: Kind
    scope: str  # in words: for which inputs this decides
    check: Check = field(repr=False, compare=False)
    expected: Expected = "proved"
    part: Part = "printed"
    decides: bool = True  # False where the scope is only a part of the claim's domain: supporting evidence
    timeout: float | None = None  # where this one needs another limit than the run's default
    thorough: bool = False  # only run with --thorough
    also: tuple[tuple[str, Part], ...] = ()  # further claims that the same check is evidence for, each with its part
    inputs: Inputs | None = field(default=None, repr=False, compare=False)  # what else the result depends on
    module: str = ""  # importing this module registers the obligation; by default the module of the check

    def __post_init__(self) -> None:
        object.__setattr__(self, "module", self.module or self.check.__module__)

    def run(self, run: Run) -> Outcome:
        """Runs the check. What is not installed leaves it undecided; the engines that it called are written down."""
        begin_check(self.id)
        try:
            outcome = self.check(run)
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            if package.startswith("snapref"):
                raise
            outcome = Outcome("undecided", f"{package} is not installed: pip install 'snapref[all]' brings it")
        finally:
            called = end_check()
        return replace(outcome, solvers=written_down(outcome.solvers, called, outcome.status))

    def passes(self, outcome: Outcome) -> bool:
        return outcome.status == self.expected

    @property
    def views(self) -> tuple["Obligation", ...]:
        """This obligation as each of its claims sees it."""
        return (self, *(replace(self, claim=claim, part=part, also=()) for claim, part in self.also))

    @property
    def summary(self) -> str:
        """The first line of the check's docstring."""
        return (self.check.__doc__ or "").strip().splitlines()[0] if self.check.__doc__ else ""


REGISTRY: dict[str, Obligation] = {}


def obligation(
    id: str,
    *,
    claim: str,
    kind: Kind,
    scope: str,
    expected: Expected = "proved",
    part: Part = "printed",
    decides: bool = True,
    timeout: float | None = None,
    thorough: bool = False,
    also: tuple[tuple[str, Part], ...] = (),
    inputs: Inputs | None = None,
) -> Callable[[Check], Check]:
    """Registers a check under `id` as evidence about `claim`, and `also` others. Two obligations never share an id."""

    def register(check: Check) -> Check:
        if id in REGISTRY:
            raise ValueError(f"obligation {id} is registered twice")
        if not inspect.isfunction(check):  # a partial or a callable object would hide which module it depends on
            raise TypeError(f"obligation {id}: the check must be a plain function")
        module = _module_being_imported()
        REGISTRY[id] = Obligation(
            id, claim, kind, scope, check, expected, part, decides, timeout, thorough, also, inputs, module
        )
        return check

    return register


def _module_being_imported() -> str:
    """The module whose top level is running, also where a helper of another module calls the decorator for it."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return str(frame.f_globals["__name__"]) if frame is not None else ""
