"""The obligations `theorem.graph` and `theorem.optimised`: what is registered of Theorem 1 (004 §4) is its proof.

No lemma is missing, here and in the chains beside it; and what is put before the interval engines is what is joined to
the loss. They look at what obligations.py and ties_obligations.py register. The lists are those of compose.py.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any
from unittest.mock import patch

from snapref_ledger import REGISTRY, Outcome, Run, obligation
from snapref_ledger.obligations import Obligation
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import compose, even, every, joined, pages, ties_obligations  # noqa: F401 - the last registers
from snapref_proofs.theorem1.compose import LEMMAS, Lemma
from snapref_proofs.theorem1.obligations import CLAIM, INSIDE, RESTING, name_of, register, resting
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, EVERY, REGIMES, Regime
from snapref_smt.engine.stating import STATED, besides

BESIDE = ("theorem.coverage.", "theorem.joined.")  # what each case has, beside its inequalities
LATTICES = "lattices"  # of the tables; this is no case
JOINT = ".joined"  # how the obligation of a chain ends that joins its inequalities to the loss


@obligation("theorem.graph", claim=CLAIM, kind="algebra", scope=INSIDE, also=RESTING)
def graph(run: Run) -> Outcome:
    """The list of lemmas: each comes after what it uses, none is missing, and none is left over; so for other chains.

    Each is registered as evidence for every claim that rests on the theorem. Without one of them `snapref theorem` does
    not call the theorem proved. What checks a lemma notices if something is wrong. This compares names. That a lemma
    gives what the next one takes is what the lemmas `premises`, `meanings`, `coverage` and `joined.*` decide.
    """
    faults = [*compose.graph_faults(), *compose.unnoticed(), *compose.chain_faults(), *compose.unchecked(run)]
    faults += [*compose.unchecked(run, as_registered), *unregistered(), *pages.blind()]
    return Outcome("refuted", "\n".join(faults)) if faults else Outcome("proved", f"{len(LEMMAS)} lemmas")


def as_registered(lemma: Lemma, regime: Regime, run: Run) -> Outcome:
    """What `snapref verify` finds of the lemma: it is registered, checked and forgotten."""
    with patch.dict(REGISTRY), patch.dict(STATED):
        known = set(REGISTRY)
        register(replace(lemma, name="tried"), regime)
        (id,) = REGISTRY.keys() - known
        return REGISTRY[id].check(run)


def unregistered() -> Iterator[str]:
    """Lemmas that are not registered as evidence for every claim that rests on them."""
    for lemma in LEMMAS:
        for regime in REGIMES.values():
            found = REGISTRY.get(name_of(lemma, regime))
            wanted = {CLAIM, *dict(resting(regime))}
            if found is None or not wanted <= {view.claim for view in found.views}:
                yield f"{name_of(lemma, regime)} is not registered as evidence for all of {sorted(wanted)}"
    yield from incomplete(REGISTRY)


def incomplete(registered: Mapping[str, Obligation]) -> Iterator[str]:
    """Obligations of the other chains that are not registered for their claim, or that no chain names; and chains that
    are not in the list: whatever has a joint of its own is one. A case that is joined is covered, too."""
    for one, other in permutations(BESIDE, 2):
        cases = {id.removeprefix(one) for id, o in registered.items() if id.startswith(one) and o.kind == "smt"}
        absent = (f"{other}{case}" for case in sorted(cases) if not case.startswith(LATTICES))
        yield from (f"{id} is missing" for id in absent if id not in registered)
    joined = {id.removesuffix(JOINT) for id in registered if id.startswith("theorem.") and id.endswith(JOINT)}
    yield from (f"{name} is joined, and no chain has this name" for name in sorted(joined - set(compose.CHAINS)))
    for name, (claim, _) in compose.CHAINS.items():
        needed = set(compose.chain(name))
        found = {id for id, one in registered.items() if id.startswith(name) and claim in {v.claim for v in one.views}}
        yield from (f"{id}: either it is missing, or {name} does not name it" for id in sorted(needed ^ found))


# Who puts inequalities before the interval engines, and with what they are compared
OPTIMISED: dict[str, tuple[joined.Compare, Regime]] = {
    **{
        name_of(lemma, regime): (compose.UNLIKE[lemma.name], regime)
        for lemma in LEMMAS
        for regime in REGIMES.values()
        if lemma.bounds is not None
    },
    "theorem.independent": (compose.unlike_independent, EIGHTEEN),
    "theorem.every": (every.unlike, EVERY),
    "theorem.ties.even": (even.unlike, EVEN),
}


@obligation("theorem.optimised", claim=CLAIM, kind="algebra", scope="every inequality of every chain", also=RESTING)
def optimised(run: Run) -> Outcome:
    """What the interval engines are given is what the joints are about: every inequality, with its chain's constant.

    Another constant would be noticed. That other mistakes in a list are, `theorem.joined.*` shows.
    """
    count = 0
    for id, (compare, regime) in OPTIMISED.items():
        given = given_to_the_engines(id, run)
        compared, *_ = joined.comparisons(compare, lambda regime, given=given: given)  # type: ignore[misc]
        nearly = replace(regime, constant=regime.constant + Fraction(1, 10**6))
        if computed := besides(compared(regime), [compared(nearly)]):
            return replace(computed, detail=f"{id}: {computed.detail}")
        count += len(given)
    return Outcome("proved", f"{count} inequalities of {len(OPTIMISED)} obligations")


def given_to_the_engines(id: str, run: Run) -> list[Inequality]:
    """The inequalities of an obligation as they reach `decide_boxes`, which decides nothing here."""
    given: list[Inequality] = []

    def noted(inequalities: Iterable[Inequality], *others: Any) -> Outcome:
        given.extend(inequalities)
        return Outcome("undecided")

    with patch.object(compose, "decide_boxes", noted):
        REGISTRY[id].check(run)
    return given
