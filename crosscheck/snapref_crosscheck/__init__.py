"""Cross-checks of production implementations against the reference, in any language.

Read in this order: protocol (what a target is asked), targets and process (how it is reached), expected (what it should
answer), cases (the questions), components (bit for bit), releases (from releases alone), run (all of it).

    from snapref_crosscheck import crosscheck
    report = crosscheck(MySnapping())
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snapref_crosscheck.run import Effort, Report, crosscheck
    from snapref_crosscheck.targets import PythonTarget, Target

__all__ = ["Effort", "PythonTarget", "Report", "Target", "crosscheck"]


def __getattr__(name: str) -> Any:
    """On first use: the pytest plugin lives in this package, and must cost nothing where nobody asks for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from snapref_crosscheck import run, targets

    return getattr(targets if name in ("PythonTarget", "Target") else run, name)
