"""Mutants of the three exact functions (Λ, rounding, clamp) that change nothing: two solvers prove it.

The mutant and the original are lifted: run on unknown inputs. They are equivalent if they refuse the same inputs and
return the same for all others, for all 2^64 patterns of a double and every lattice.
"""

import importlib.util
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import z3

from snapref.formats import BINARY64
from snapref_harness.mutants.source import Mutant
from snapref_ledger.obligations import Run
from snapref_smt import models
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Statement
from snapref_smt.models import SUBJECTS, Lifted

LIFTED: dict[str, Callable[[], Lifted]] = {
    "round_to_lattice": partial(models.lifted_round, BINARY64),
    "lattice_exponent": partial(models.lifted_lattice, BINARY64),
    "clamp": partial(models.lifted_clamp, BINARY64),
}
ONE_AT_A_TIME = threading.Lock()  # z3 has one context for the whole process
FILES = {"round_to_lattice": "rounding.py", "lattice_exponent": "lattice.py", "clamp": "clamp.py"}


def can_be_lifted(mutant: Mutant) -> bool:
    return FILES.get(mutant.function) == Path(mutant.file).name


def equivalent(mutant: Mutant, root: Path, run: Run) -> bool:
    """Whether the mutant is one of the three, and two solvers prove that it does what the original does."""
    if not can_be_lifted(mutant):
        return False
    with ONE_AT_A_TIME:
        return _equivalent(mutant, root, run)


def _equivalent(mutant: Mutant, root: Path, run: Run) -> bool:
    original = LIFTED[mutant.function]()
    with tempfile.TemporaryDirectory() as folder:
        function = _loaded(mutant, root, Path(folder) / Path(mutant.file).name)
        own = SUBJECTS[mutant.function]
        try:
            _install(mutant.function, function)
            changed = LIFTED[mutant.function]()
        finally:
            _install(mutant.function, own)
    same = z3.And(
        changed.accepted == original.accepted, z3.Implies(original.accepted, _result(changed) == _result(original))
    )
    theorem = Statement("equivalence", (), same, z3.Not(changed.accepted), variables=original.variables)
    return decide(theorem, run).status == "proved"


def _loaded(mutant: Mutant, root: Path, path: Path) -> Callable[..., int]:
    path.write_text(mutant.applied((root / mutant.file).read_text(encoding="utf-8")), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("mutant", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., int] = getattr(module, mutant.function)
    return function


def _install(name: str, function: Callable[..., int]) -> None:
    SUBJECTS[name] = function
    for lifted in (models.lifted_round, models.lifted_lattice, models.lifted_clamp):
        lifted.cache_clear()


def _result(code: Lifted) -> z3.BitVecRef:
    result = z3.BitVecVal(0, code.width)
    for path in code.returning():
        result = z3.If(path.condition, path.result, result)
    return result
