"""Checks production implementations, in any language, against the reference.

The implementation under check is called the *target*.

    from snapref_crosscheck import crosscheck
    report = crosscheck(MySnapping())

Read the modules in this order:

    protocol                     the operations of a target, and how numbers are written
    targets, process, library    targets that are Python objects, programs, or C libraries
    opening, serve               from a name to a target; a Python object as a program
    cases, flags, strategies     the questions: fixed ones, why each is there, and searched ones
    expected, trace              the right answers, and how a wrong one is shown
    checks, components           each stage, compared bit for bit
    parameters                   what a release must refuse
    law, betting, releases       releases, compared with their exact probabilities
    run                          the whole cross-check
    vectors                      the fixed questions with their answers, as JSON files
    plugin                       the cross-check as tests of pytest
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snapref_crosscheck.run import Effort, Report, crosscheck
    from snapref_crosscheck.targets import PythonTarget, Target

__all__ = ["Effort", "PythonTarget", "Report", "Target", "crosscheck"]


def __getattr__(name: str) -> Any:
    """Imports on first use: pytest imports this package for its plugin, and where that is not used it must be quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from snapref_crosscheck import run, targets

    return getattr(targets if name in ("PythonTarget", "Target") else run, name)
