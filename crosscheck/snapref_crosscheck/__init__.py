"""Checks production implementations, in any language, against the reference.

The implementation under check is called the *target*.

    from snapref_crosscheck import crosscheck
    report = crosscheck(MySnapping())

Read the modules in this order:

    protocol                     the operations of a target, and how numbers are written
    targets, process, library    targets that are Python objects, programs, or C libraries
    opening, serve, greeting     from a name to a target; a Python object as a program; whether it speaks the protocol
    cases, flags, strategies     the questions: fixed ones, why each is there, and searched ones
    expected, trace, headlines   the right answers, and how a wrong one is shown
    checks, components           what a check says; each stage, compared bit for bit
    searching                    how searched questions are made up, and a counterexample made simple
    parameters                   what a release must refuse
    budget                       whether releases show that λ is too small, exactly
    settings, sample, law        the parameters of releases, how they are drawn, and their exact probabilities
    betting, alternatives        evidence against exact probabilities, and for defects over all settings together
    sequence, releases           whether releases depend on each other; what a sample shows
    run                          the whole cross-check, and its verdict
    vectors                      the fixed questions with their answers, as JSON files
    plugin                       the cross-check as tests of pytest
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snapref_crosscheck.run import AdapterError, Effort, Finding, Report, crosscheck
    from snapref_crosscheck.targets import PythonTarget, Target

__all__ = ["AdapterError", "Effort", "Finding", "PythonTarget", "Report", "Target", "crosscheck"]


def __getattr__(name: str) -> Any:
    """Imports on first use: pytest imports this package for its plugin, and where that is not used it must be quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from snapref_crosscheck import run, targets

    return getattr(targets if name in ("PythonTarget", "Target") else run, name)
