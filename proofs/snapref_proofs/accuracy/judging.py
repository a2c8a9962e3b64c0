"""Two short ways to register the obligations `proofs.accuracy.*`.

`states` registers what two solvers decide for all parameters. `refutes` registers what a witness refutes.
"""

from collections.abc import Callable, Sequence

from snapref_ledger import Outcome, Run, obligation
from snapref_ledger.obligations import Part
from snapref_proofs.ideal.model import ExpSum
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves

REALS = "all real f, B, Y', Λ with 0 ≤ f ≤ B, B > 0, B a multiple of Λ or not"
BOTH_SIGNS = "all real f, B, Y', Λ with |f| ≤ B, B > 0, B a multiple of Λ or not"
SCALES = "all λ' > 0 and Λ with λ' ≤ Λ < 2λ'"
Maker = Callable[[], Sequence[Statement]]
Find = Callable[[], str]


def states(name: str, claim: str, says: str, scope: str, *makers: Maker, part: Part = "printed") -> None:
    """An obligation that two solvers decide for all parameters."""

    def stated() -> list[Statement]:
        return [statement for maker in makers for statement in maker()]

    stated.__doc__ = says
    proves(f"proofs.accuracy.{name}", claim=claim, part=part, scope=scope)(stated)


def refutes(name: str, claim: str, scope: str, *, decides: bool = True) -> Callable[[Find], Find]:
    """An obligation that must be refuted: the function returns the witness, or "" where there is none."""

    def register(find: Find) -> Find:
        def check(run: Run) -> Outcome:
            witness = find()
            return Outcome("refuted", "", witness) if witness else Outcome("proved", "the witness does not refute it")

        check.__doc__ = find.__doc__
        obligation(
            f"proofs.accuracy.{name}", claim=claim, kind="exact", expected="refuted", scope=scope, decides=decides
        )(check)
        return find

    return register


def equal(p: ExpSum, q: ExpSum) -> bool:
    return (p - q).sign() == 0


def six(p: ExpSum) -> str:
    """The value with six decimals, for people to read."""
    return f"{float(p):.6f}"
