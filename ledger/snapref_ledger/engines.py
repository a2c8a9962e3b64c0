"""Which engines a check calls: solvers, interval engines, proof checkers.

Each engine reports its own calls (`using`), so nobody has to list the engines of a check by hand. Code that also serves
users asks `under_check`: in a check it asks two engines to agree, for a user one is enough and faster.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

PYTHON = "Python"  # the name for a check that needs no engine: only Python's exact integers and fractions
_used: Counter[str] = Counter()
_checks: list[str] = []  # the id of the check that is running, if there is one


def under_check() -> bool:
    """Whether a check is running in this process."""
    return bool(_checks)


def using(engine: str) -> None:
    """Called by an engine each time it is used. It counts only while a check is running."""
    if _checks:
        _used[engine] += 1


def begin_check(name: str) -> None:
    _used.clear()
    _checks.append(name)


def end_check() -> dict[str, Any]:
    """The engines that were called, and how often."""
    _checks.pop()
    return {name: {"answer": f"{count} calls"} for name, count in sorted(_used.items())}


def written_down(said: Mapping[str, Any], called: Mapping[str, Any], status: str) -> dict[str, Any]:
    """The engines of a finished check: those that it reports itself (`said`), those that it was seen to call
    (`called`), or Python alone where there are none."""
    return {**called, **said} or {PYTHON: {"answer": status}}
