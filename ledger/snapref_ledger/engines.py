"""Which engines the check under way has called, counted where they are called. Nobody states it by hand."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

PYTHON = "Python"  # exact integers and fractions, and nothing else
_used: Counter[str] = Counter()


def using(engine: str) -> None:
    """An engine says that it was called."""
    _used[engine] += 1


def none_used() -> None:
    """Before a check."""
    _used.clear()


def with_used(answers: Mapping[str, Any], status: str) -> dict[str, Any]:
    """What the check says of its engines, and those that it called without a word. After a check."""
    called = {name: {"answer": f"{count} calls"} for name, count in sorted(_used.items()) if name not in answers}
    return {**answers, **called} or {PYTHON: {"answer": status}}
