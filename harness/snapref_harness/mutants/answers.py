"""What the solvers said, kept by question. A mutant leaves most questions as they are, and those are not asked again.

The same text gets the same answer, whoever asks. So an obligation that runs a mutant and puts to the solvers what it
put to them before costs no more than the Python code around it. Of a script with several parts each part is kept. Only
answers that settle a question are kept: one that came too late may come in time tomorrow.

A question about numbers is put to z3 alone first. Where z3 finds no counterexample, that is enough to let a mutant
pass: if the other solver found one, the mutant would only be killed after all. What speaks for a mutant, that it is
stronger, two solvers must say (`both`).
"""

import hashlib
import json
import pickle
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from snapref_ledger.cache import cache_dir, environment, write_atomically
from snapref_smt.engine import decide
from snapref_smt.engine.solvers import Answer, Verdict, ask, spent

Enough = Callable[[Sequence[Answer]], bool]
NEEDED = 2  # solvers that must agree
OF_NUMBERS = ["z3", "cvc5"]  # these two, in this order, know reals and integers
ALONE = 10.0  # seconds for z3 alone
SHARED = re.compile(r"[$?]x\d+")
RESET, CHECK = "(reset)\n", "(check-sat)"  # between two parts of a script; in each question


class Answers:
    """Stands in the place of `ask` for all workers that this process forks."""

    def __init__(self) -> None:
        self.folder = cache_dir() / "mutants" / "answers"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.versions = environment()
        self.both = False  # whether two solvers are asked in any case
        self.assumed = False  # whether no statement has a counterexample, unasked: to see which code is run
        setattr(decide, "ask", self.ask)  # noqa: B010 - the type says that functions of a module are not assigned

    def ask(
        self,
        script: str,
        names: Sequence[str],
        solvers: Sequence[str],
        seconds: float,
        enough: Enough,
        questions: int = 1,
    ) -> list[Answer]:
        if self.assumed and not enough([Answer("", "unsat", 0.0)]):  # else it is a twin, which must be satisfiable
            return [Answer(solver, "unsat", 0.0, questions=questions) for solver in solvers[:NEEDED]]
        parts = script.split(RESET)
        if len(parts) > 1:
            return self._in_turn(parts, solvers, seconds, enough)
        path = self._path(script, names, solvers)
        if enough(known := _read(path)):
            return known
        answers = self._said(script, names, solvers, seconds, enough, questions)
        _keep(path, answers, enough)
        return answers

    def _said(
        self, script: str, names: Sequence[str], solvers: Sequence[str], seconds: float, enough: Enough, questions: int
    ) -> list[Answer]:
        if self.both or list(solvers) != OF_NUMBERS:
            return ask(script, names, solvers, seconds, enough, questions)
        alone = ask(script, names, solvers[:1], min(seconds, ALONE), _settled, questions)
        said = alone if any(answer.verdict == "sat" for answer in alone) else [*alone, *_repeated(alone, solvers[1])]
        left = seconds - spent(alone)
        return said if enough(said) else ask(script, names, solvers, left, enough, questions)

    def _in_turn(self, parts: Sequence[str], solvers: Sequence[str], seconds: float, enough: Enough) -> list[Answer]:
        """Each part on its own; those that are not known together, and more and more of them. One that fails is enough:
        the others need not be asked."""
        counts = [part.count(CHECK) for part in parts]
        paths = [self._path(part, (), solvers) for part in parts]
        found = [_read(path) for path in paths]
        todo, size = [i for i, known in enumerate(found) if not enough(known)], 1
        while todo and not _failing(found):
            some, todo, size = todo[:size], todo[size:], 2 * size
            asked = RESET.join(parts[i] for i in some)
            said = self._said(asked, (), solvers, seconds, enough, sum(counts[i] for i in some))
            seconds -= spent(said)
            if not enough(said):  # also if no time was left
                return said
            start = 0
            for i in some:
                found[i] = [_of_part(answer, slice(start, start := start + counts[i])) for answer in said]
                _keep(paths[i], found[i], enough)
        return [_joined(solver, found, counts) for solver in solvers]

    def _path(self, script: str, names: Sequence[str], solvers: Sequence[str]) -> Path:
        key = json.dumps([_plain(script), list(names), list(solvers), self.both, self.versions], sort_keys=True)
        return self.folder / hashlib.sha256(key.encode()).hexdigest()


def _plain(script: str) -> str:
    """The script with the names that z3 gives to shared terms counted anew: they depend on what was built before."""
    names: dict[str, str] = {}
    return SHARED.sub(lambda found: names.setdefault(found[0], f"{found[0][0]}{len(names)}"), script)


def _keep(path: Path, answers: Sequence[Answer], enough: Enough) -> None:
    settled = [replace(answer, seconds=0.0) for answer in answers if answer.verdict in ("sat", "unsat")]
    if enough(settled):
        write_atomically(path, pickle.dumps(settled))


def _settled(answers: Sequence[Answer]) -> bool:
    return any(answer.verdict in ("sat", "unsat") for answer in answers)


def _repeated(alone: Sequence[Answer], solver: str) -> list[Answer]:
    return [replace(answer, solver=solver, seconds=0.0) for answer in alone]


def _failing(found: Iterable[Sequence[Answer]]) -> bool:
    return any(answer.verdict == "sat" for answers in found for answer in answers)


def _of_part(answer: Answer, place: slice) -> Answer:
    """What a solver said about some of the questions that it was asked."""
    if answer.verdict != "sat":
        return replace(answer, questions=place.stop - place.start)
    each = answer.each[place] or ["sat"]
    verdict: Verdict = "sat" if "sat" in each else "unknown" if "unknown" in each else "unsat"
    return replace(answer, verdict=verdict, each=each)


def _joined(solver: str, found: Sequence[Sequence[Answer]], counts: Sequence[int]) -> Answer:
    """What a solver said about all parts. Of one that it was not asked about, nothing is known."""
    each: list[str] = []
    for answers, count in zip(found, counts, strict=True):
        own = next((one for one in answers if one.solver == solver), None)
        verdict = own.verdict if own is not None else "unknown"
        each += own.each if own is not None and own.each else [verdict] * count
    verdict_of_all: Verdict = "sat" if "sat" in each else "unsat" if set(each) == {"unsat"} else "cancelled"
    return Answer(solver, verdict_of_all, 0.0, questions=len(each), each=each)


def _read(path: Path) -> list[Answer]:
    try:
        answers: list[Answer] = pickle.loads(path.read_bytes())  # noqa: S301 - written above
    except (OSError, EOFError, pickle.UnpicklingError):
        return []
    return answers
