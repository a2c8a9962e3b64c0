"""Every SMT obligation as SMT-LIB 2 text, for anyone's solver: `unsat` means that the theorem holds.

An obligation of several theorems asks for them one after the other, between (push 1) and (pop 1). A printed formula
that is expected to fail gives a script with `(set-info :status sat)`: its model is a counterexample.
"""

from collections.abc import Iterator

from snapref_ledger.obligations import REGISTRY, Obligation
from snapref_smt.engine.prove import THEOREMS, named, script
from snapref_smt.engine.script import script_of_many


def scripts() -> Iterator[tuple[str, str]]:
    """(id, text) of every registered obligation that is made of theorems."""
    for id in THEOREMS:
        yield id, obligation_script(id)


def obligation_script(id: str) -> str:
    theorems, obligation = named(THEOREMS[id]()), REGISTRY[id]
    status = "unsat" if obligation.expected == "proved" else "sat"
    if len(theorems) == 1:
        (theorem,) = theorems.values()
        return script(theorem, _comments(obligation), status)
    return script_of_many({name: theorem.negation for name, theorem in theorems.items()}, _comments(obligation), status)


def _comments(obligation: Obligation) -> list[str]:
    comments = [
        obligation.id,
        obligation.summary,
        f"claim {obligation.claim} ({obligation.part})",
        f"scope: {obligation.scope}",
    ]
    if obligation.expected == "proved":
        return [*comments, "unsat: the theorem holds for all inputs in scope"]
    return [*comments, "sat: the printed statement fails, and the model is an input on which it does"]
