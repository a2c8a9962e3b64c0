"""Mutants of a proof that do no harm: if what the mutant states holds, then what the original states holds as well.

A mutant may weaken a hypothesis or strengthen a conclusion. If the statement is still proved, the changed proof proves
at least as much as the original, and no obligation has anything to notice. A mutant is *stronger* in this sense if each
obligation has the same list of statements as before, at least one of them is changed, and for each of them

- the original's hypotheses imply every hypothesis of the mutant;
- the mutant's conclusion implies the original's, whatever the hypotheses. (Under the hypotheses, any conclusion implies
  the original's, because that holds there.)

Two solvers decide this where formulas differ. Twins are not compared, and neither is what an obligation computes beside
its statements: both passed before.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import z3

from snapref_ledger.obligations import REGISTRY, Outcome, Run
from snapref_smt.engine.decide import decide, decide_all
from snapref_smt.engine.statement import Family, Formula, Stated, Statement
from snapref_smt.engine.stating import STATED

FOR_SOLVERS = 60.0  # seconds of processor time for the solvers each time they are asked


def forget(names: Iterable[str]) -> None:
    """Lets these modules of the project be imported anew, and lets them register their obligations anew."""
    for name in names:
        if name.startswith("snapref"):
            parent, _, child = name.rpartition(".")
            if parent in sys.modules:  # else `from parent import child` finds the old one
                vars(sys.modules[parent]).pop(child, None)
            del sys.modules[name]
    REGISTRY.clear()
    STATED.clear()


@dataclass(frozen=True)
class Single:
    """A statement, or one member of a family with the hypotheses that it shares with the others."""

    name: str
    common: Sequence[Formula]
    own: Sequence[Formula]
    conclusion: Formula

    @cached_property
    def hypotheses(self) -> dict[int, Formula]:
        """By their number in z3, which is the same for the same formula."""
        return {fact.get_id(): fact for fact in (*self.common, *self.own)}

    @property
    def says(self) -> tuple[frozenset[int], int]:
        return frozenset(self.hypotheses), self.conclusion.get_id()

    def same(self, other: "Single") -> bool:
        return self.says == other.says


class _Comparison:
    """Finds what two solvers must decide. Where many statements lose one hypothesis for another, they are asked once
    whether the first implies the second. Only if it does not, the other hypotheses of each statement are added."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.plain: dict[tuple[frozenset[int], frozenset[int]], bool] = {}  # (lost, new) → whether lost implies new

    def open(self, original: Single, mutant: Single) -> Iterator[Statement]:
        """What is left to prove of one statement."""
        new = {number: mutant.hypotheses[number] for number in mutant.hypotheses.keys() - original.hypotheses.keys()}
        lost = {number: original.hypotheses[number] for number in original.hypotheses.keys() - mutant.hypotheses.keys()}
        if new and not self._implied(lost, new):
            # A member of a family may treat a case that never occurs: its own hypotheses are part of what is claimed.
            claimed = z3.Or(*(z3.Not(fact) for fact in original.own), z3.And(*new.values()))
            yield Statement(f"hypotheses of {original.name}", original.common, claimed, z3.BoolVal(False))
        if not original.conclusion.eq(mutant.conclusion):
            claimed = z3.Or(z3.Not(mutant.conclusion), original.conclusion)
            yield Statement(f"conclusion of {original.name}", (), claimed, z3.BoolVal(False))

    def _implied(self, lost: Mapping[int, Formula], new: Mapping[int, Formula]) -> bool:
        key = frozenset(lost), frozenset(new)
        if key not in self.plain:
            statement = Statement("hypotheses", list(lost.values()), z3.And(*new.values()), z3.BoolVal(False))
            self.plain[key] = decide(statement, self.run).status == "proved"
        return self.plain[key]


def compared(original: Sequence[Stated], mutant: Sequence[Stated], run: Run) -> Outcome:
    """Proved if the mutant is stronger."""
    old, new = list(singles(original)), list(singles(mutant))
    if [one.name for one in old] != [one.name for one in new]:
        return Outcome("refuted", "the mutant does not have the statements of the original")
    changed = [(one, other) for one, other in zip(old, new, strict=True) if not one.same(other)]
    if not changed:
        return Outcome("refuted", "the mutant states what the original does")
    comparison = _Comparison(run)
    asked = (statement for one, other in changed for statement in comparison.open(one, other))
    for count in (1, None):  # where one fails, so do most: the first is decided before the others are looked at
        if (part := list(islice(asked, count))) and (outcome := decide_all(part, run)).status != "proved":
            return outcome
    return Outcome("proved", f"it proves at least as much: {'; '.join(one.name for one, _ in changed)}")


def singles(stated: Iterable[Stated]) -> Iterator[Single]:
    for one in stated:
        if isinstance(one, Family):
            for member in one.members:
                yield Single(f"{one.name}: {member.name}", one.common, member.hypotheses, member.conclusion)
        else:
            yield Single(one.name, one.hypotheses, (), one.conclusion)
