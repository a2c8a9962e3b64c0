"""Whether what was broken on purpose is noticed."""

from dataclasses import replace

import z3

from snapref_ledger import Run
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Stated, Statement
from snapref_smt.engine.stating import STATED, Built, listed

SOON = 5_000_000  # z3's steps


def fails(built: Built) -> bool:
    """Whether one of the statements is false: z3 has a model, in which evaluation finds it false, and it is not
    proved."""
    return any(_false(one) for stated in listed(built) for one in _alone(stated))


def _alone(stated: Stated) -> list[Statement]:
    """A statement; or the members of a family, each with what they have in common."""
    if isinstance(stated, Statement):
        return [stated]
    return [replace(one, hypotheses=[*stated.common, *one.hypotheses]) for one in stated.members]


def fails_on_bits(built: Built) -> bool:
    """The same for bits and floats, of which bitwuzla knows more than z3."""
    run = Run(solvers=("bitwuzla",))
    return any("a counterexample that nothing replays" in decide(one, run).detail for one in listed(built))


def obligation_fails(id: str) -> bool:
    """Whether one of the statements of an obligation is false."""
    return fails(STATED[id]())


def _false(statement: Statement) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", SOON)
    solver.add(*statement.negation)
    if solver.check() != z3.sat:
        return False
    false = z3.is_true(solver.model().eval(z3.And(*statement.negation), model_completion=True))
    return bool(false) and decide(statement, Run()).status != "proved"
