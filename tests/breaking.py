"""Whether what was broken on purpose is noticed."""

from snapref_ledger import Run
from snapref_smt.engine.decide import decide
from snapref_smt.engine.stating import STATED, Built, listed


def fails(built: Built, solver: str = "z3") -> bool:
    """Whether one of the statements has a counterexample. One solver is enough: evaluation has to confirm what it says.

    One statement at a time, and none after the first that fails."""
    run = Run(solvers=(solver,))
    return any("a counterexample that nothing replays" in decide(one, run).detail for one in listed(built))


def obligation_fails(id: str, solver: str = "z3") -> bool:
    """The same for what an obligation states."""
    return fails(STATED[id](), solver)
