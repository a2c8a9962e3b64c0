"""Which engines the check under way has called, counted where they are called. Nobody states it by hand.

Under a check, code that could do with one engine asks two (`under_check`); the same code serves users quickly.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

PYTHON = "Python"  # exact integers and fractions, and nothing else
_used: Counter[str] = Counter()
_checks: list[str] = []  # the check under way, if there is one


def under_check() -> bool:
    return bool(_checks)


def using(engine: str) -> None:
    """An engine says that it was called."""
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
    """What a check says of its engines, and those that it called without a word; or that it needed none."""
    return {**called, **said} or {PYTHON: {"answer": status}}
