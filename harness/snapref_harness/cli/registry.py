"""Where obligations come from: the modules that register them, and how to pick some by pattern."""

import importlib
import importlib.util
import shutil
from collections.abc import Sequence
from fnmatch import fnmatchcase

from snapref_harness.cli.output import Failure, near
from snapref_ledger.obligations import REGISTRY, Obligation, Run

# Importing one of these registers every obligation of its package.
MODULES: tuple[str, ...] = ("snapref_smt.obligations", "snapref_proofs.obligations")
# Solver → the distribution that brings it; the order is the one in which runs name them.
SOLVERS = {"z3": "z3-solver", "bitwuzla": "bitwuzla", "cvc5": "cvc5"}


def load_obligations() -> list[Obligation]:
    """Every obligation there is. A package may be absent; one that is there and broken is an error."""
    for module in MODULES:
        if _exists(module):
            importlib.import_module(module)
    return list(REGISTRY.values())


def _exists(module: str) -> bool:
    package, _, _ = module.rpartition(".")
    if package and importlib.util.find_spec(package) is None:
        return False
    return importlib.util.find_spec(module) is not None


def installed_solvers() -> tuple[str, ...]:
    return tuple(name for name in SOLVERS if importlib.util.find_spec(name) is not None)


def default_run() -> Run:
    """The run of a plain `snapref verify`; what `snapref claims` looks for."""
    return Run(solvers=installed_solvers())


def select(obligations: Sequence[Obligation], patterns: Sequence[str], thorough: bool) -> list[Obligation]:
    """Those that match any of the patterns (all without one), without the thorough ones unless asked for. The proof for
    Coq's kernel needs Coq: without it, it is left out unless a pattern asks for it."""
    for pattern in patterns:
        _check_pattern(obligations, pattern, thorough)
    kernel = bool(patterns) or shutil.which("coqc") is not None
    matching = [o for o in obligations if _matches(o, patterns) and (kernel or o.kind != "kernel")]
    return [o for o in matching if thorough or not o.thorough]


def _matches(obligation: Obligation, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(obligation.id, pattern) for pattern in patterns)


def _check_pattern(obligations: Sequence[Obligation], pattern: str, thorough: bool) -> None:
    matching = [o for o in obligations if fnmatchcase(o.id, pattern)]
    if not matching:
        areas = sorted({o.id.partition(".")[0] for o in obligations})
        hint = (
            near(pattern, [o.id for o in obligations]) or f"; their ids begin with {', '.join(areas) or 'nothing yet'}"
        )
        raise Failure(f"no obligation matches {pattern!r}{hint}")
    if not thorough and all(o.thorough for o in matching):
        raise Failure(f"what {pattern!r} matches runs only with --thorough")
