"""The whole cross-check of one target."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from snapref_crosscheck import releases
from snapref_crosscheck.checks import Check, Context, Effort, Result
from snapref_crosscheck.components import component, inner_epsilon
from snapref_crosscheck.parameters import NAME as PARAMETERS
from snapref_crosscheck.parameters import parameters
from snapref_crosscheck.protocol import COMPONENTS, Broken, Description, OutOfTime
from snapref_crosscheck.targets import PythonTarget, Target

__all__ = ["CHECKS", "Effort", "Report", "Session", "crosscheck"]

# Exact checks first: what they can decide is never left to samples.
CHECKS: tuple[str, ...] = ("describe", *COMPONENTS, "inner_epsilon", PARAMETERS, *releases.NAMES.values())


@dataclass(frozen=True)
class Report:
    """What came out. `conforms` is None where there was nothing to judge."""

    target: str
    results: tuple[Result, ...]

    @property
    def conforms(self) -> bool | None:
        if any(result.status == "fail" for result in self.results):
            return False
        whole = ("snap", releases.NAMES["fit"])
        return True if any(r.name in whole and r.status == "pass" for r in self.results) else None

    def as_json(self) -> dict[str, Any]:
        rows = [{"name": r.name, "status": r.status, "cases": r.cases, "witness": r.witness} for r in self.results]
        return {"target": self.target, "checks": rows, "conforms": self.conforms}


class Session:
    """One target, its description, and the sample that several checks share; checks may be asked for in any order."""

    def __init__(self, target: Target, effort: Effort) -> None:
        self.target, self.effort = target, effort
        self._described: tuple[Result, Description] | None = None
        self._released: releases.Released | None = None

    def check(self, name: str) -> Result:
        """The result of one check of CHECKS."""
        described, told = self.describe()
        if name == "describe":
            return described
        context = Context(self.target, told, self.effort)
        for key, full in releases.NAMES.items():
            if name == full:
                self._released = self._released or releases.released(context)
                return getattr(self._released, key)  # type: ignore[no-any-return]
        return _SINGLE[name](context)

    def describe(self) -> tuple[Result, Description]:
        """What the target says of itself; the protocol's defaults where that is broken."""
        if self._described is None:
            try:
                told = self.target.describe()
                text = f"{told.name}: ties {told.ties}, precision {told.precision}, uniform {told.uniform}"
                self._described = Result("describe", "pass", 1, text), told
            except Broken as broken:
                self._described = Result("describe", "fail", 1, f"the target {broken}"), Description()
            except OutOfTime:
                self._described = Result("describe", "unsupported", 0, "the time was over"), Description()
        return self._described

    def name(self) -> str:
        told = self.describe()[1]
        return told.name if told.name != Description().name else self.target.name

    def results(self) -> Iterator[Result]:
        for name in CHECKS:
            yield self.check(name)


_SINGLE: dict[str, Check] = {
    **{op: component(op) for op in COMPONENTS},
    "inner_epsilon": inner_epsilon,
    PARAMETERS: parameters,
}


def crosscheck(
    target: object, effort: Effort | None = None, progress: Callable[[Result], None] | None = None
) -> Report:
    """Checks a target, or a Python object with methods of the protocol's names, and closes it."""
    checked: Any = target if hasattr(target, "call") and hasattr(target, "close") else PythonTarget(target)
    session = Session(checked, effort or Effort())
    results = []
    try:
        for result in session.results():
            results.append(result)
            if progress is not None:
                progress(result)
        return Report(session.name(), tuple(results))
    finally:
        checked.close()
