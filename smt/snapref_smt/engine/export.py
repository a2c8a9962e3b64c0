"""Every obligation that solvers decide, as SMT-LIB 2 text for any solver.

The answer `unsat` means that the statement holds. An obligation of several statements asks about one after the other,
each between (push 1) and (pop 1). A printed formula that is expected to fail gives a script with
`(set-info :status sat)`, and the model that a solver finds is a counterexample.
"""

from collections.abc import Iterator

from snapref_ledger.obligations import REGISTRY, Obligation
from snapref_smt.engine.decide import question
from snapref_smt.engine.script import script, script_of_many
from snapref_smt.engine.stating import STATED, listed


def scripts() -> Iterator[tuple[str, str]]:
    """The id and the script of every registered obligation that is made of statements."""
    for id in STATED:
        yield id, obligation_script(id)


def obligation_script(id: str) -> str:
    stated, obligation = listed(STATED[id]()), REGISTRY[id]
    status = "unsat" if obligation.expected == "proved" else "sat"
    if len(stated) == 1:
        return script(question(stated[0]), _comments(obligation), status)
    questions = {f"{number}. {one.name}": question(one) for number, one in enumerate(stated, 1)}
    return script_of_many(questions, _comments(obligation), status)


def _comments(obligation: Obligation) -> list[str]:
    comments = [
        obligation.id,
        obligation.summary,
        f"claim {obligation.claim} ({obligation.part})",
        f"scope: {obligation.scope}",
    ]
    if obligation.expected == "proved":
        return [*comments, "unsat, every time: the statements hold for all inputs in scope"]
    return [*comments, "sat: the printed statement fails, and the model is an input on which it does"]
