"""A first look at a mutant of the proof: is a statement that it changes still true?

The statements of the original are built once, in the process that forks. z3 keeps each formula once, so the fork that
has the mutant sees at once which of its statements are others. Only these are put before z3. A counterexample kills the
mutant if the statement, evaluated there, is false: then `snapref verify` cannot prove it either. The obligations
themselves are asked later, and only where nothing is found. If every statement that is changed still holds, stronger.py
compares the two.

What the original states is proved; so an obligation that is asked about a mutant need not decide it once more
(`decide_all`).
"""

import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import z3

from snapref_harness.mutants.answers import Answers
from snapref_harness.mutants.stronger import FOR_SOLVERS, Single, compared, forget, singles
from snapref_ledger.obligations import REGISTRY, Obligation, Outcome, Run
from snapref_ledger.runner import ForkedServer, Result, run_all
from snapref_smt.engine import stating
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated
from snapref_smt.engine.stating import STATED, listed

ID = "mutants.scout"
FOR_ONE = 500  # milliseconds for z3 and one statement
MOST = 15  # statements of an obligation: where one fails, so do many
Orders = Sequence[Mapping[str, Any]]


class Scout:
    """Knows what the original states, as soon as it is asked for the first time."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.original: dict[str, list[Stated]] = {}
        self.proved: set[object] = set()
        setattr(stating, "decide_all", self.decide_all)  # noqa: B010 - the type says that functions are not assigned

    def decide_all(self, stated: Iterable[Stated], run: Run, count: int | None = None) -> Outcome:
        """Stands in the place of decide.py's. What the original states, twins included, is not asked again."""
        every = list(stated)
        others = [one for one in every if with_twins(one) not in self.proved]
        if len(others) == len(every) or (count and _count(every) != count):
            return decide_all(every, run, count)
        return decide_all(others, run) if others else Outcome("proved", "what the original states")

    def result(
        self, overlay: str, orders: Orders, every: Orders, compare: bool, solvers: Sequence[str], seconds: float
    ) -> Result:
        """What the mutant's obligations state, in this order. The detail is JSON: `by` is the obligation with a
        statement that fails, or whose statements cannot be built; `others` is one that has more statements, or fewer,
        and should notice. If there is none, and it is asked for, `stronger` says whether the mutant is."""
        if not self.original:
            self._learn(every)

        def check(run: Run) -> Outcome:
            sys.path.insert(0, overlay)
            importlib.invalidate_caches()
            return Outcome("proved", json.dumps(self._looked_at(orders, compare, run)))

        REGISTRY[ID] = Obligation(ID, "", "smt", "", check, timeout=seconds, module=__name__)
        try:
            (found,) = run_all([REGISTRY[ID]], Run(solvers=tuple(solvers)), 1, ForkedServer)
        finally:
            del REGISTRY[ID]
        return found

    def _learn(self, every: Orders) -> None:
        before = set(sys.modules)
        for order in every:
            importlib.import_module(order["module"])
        self.original = {order["id"]: listed(STATED[order["id"]]()) for order in every}
        self.proved = {with_twins(one) for stated in self.original.values() for one in stated}
        forget(set(sys.modules) - before)

    def _looked_at(self, orders: Orders, compare: bool, run: Run) -> dict[str, Any]:
        old: list[Stated] = []
        new: list[Stated] = []
        tried: dict[object, Single] = {}  # the same statement may belong to several obligations
        for order in orders:
            id = order["id"]
            try:
                importlib.import_module(order["module"])
                if id not in STATED:  # the mutant states nothing there: what that comes to, the obligation says
                    continue
                stated = listed(STATED[id]())
            except Exception as error:
                return {"by": id, "kind": "error", "detail": f"{type(error).__name__}: {error}"[:200]}
            if failing := next(_failing(self.original[id], stated, tried), ""):
                return {"by": id, "kind": "refuted", "detail": f"a counterexample: {failing}"[:200]}
            if _count(stated) != _count(self.original[id]):
                return {"others": id}
            if compare and not _same(self.original[id], stated):
                old += self.original[id]
                new += stated
        if not new:
            return {"stronger": False}
        self.answers.both = True  # in this fork
        outcome = compared(old, new, Run(solvers=run.solvers, timeout=FOR_SOLVERS))
        return {"stronger": outcome.status == "proved", "detail": outcome.detail[:200]}


def _count(stated: Iterable[Stated]) -> int:
    """How many different statements there are; as decide.py counts them."""
    return len({one.says for one in singles(stated)})


def _same(original: Sequence[Stated], mutant: Sequence[Stated]) -> bool:
    old, new = list(singles(original)), list(singles(mutant))
    return len(old) == len(new) and all(one.same(other) for one, other in zip(old, new, strict=True))


def with_twins(one: Stated) -> object:
    """What makes a statement or a family, by z3's numbers, which are the same for the same formula."""
    common, members, cases = (one.common, one.members, one.cases) if isinstance(one, Family) else ((), [one], None)
    own = tuple(
        tuple(f.get_id() for f in (*each.hypotheses, each.conclusion, *([] if each.twin is None else [each.twin])))
        for each in members
    )
    return cases, tuple(fact.get_id() for fact in common), own, tuple(each.twin is None for each in members)


def _failing(original: Sequence[Stated], mutant: Sequence[Stated], tried: dict[object, Single]) -> Iterator[str]:
    """The statements of the mutant that the original does not have, and that have a counterexample. Of many statements
    some are tried, from all parts of the list; none that was tried before."""
    known = {one.name: one for one in singles(original)}
    changed = [one for one in singles(mutant) if one.name not in known or not one.same(known[one.name])]
    for one in changed[:: 1 + len(changed) // MOST]:
        if one.says in tried:
            continue
        tried[one.says] = one
        fails = z3.And(*one.common, *one.own, z3.Not(one.conclusion))
        solver = z3.Solver()
        solver.set("timeout", FOR_ONE)
        solver.add(fails)
        if solver.check() == z3.sat and z3.is_true(solver.model().eval(fails, model_completion=True)):
            yield one.name
