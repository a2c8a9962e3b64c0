"""What the solvers said, kept by question. A mutant leaves most questions as they are, and those are not asked again.

The same text gets the same answer, whoever asks. So an obligation that runs a mutant and puts to the solvers what it
put to them before costs no more than the Python code around it. Only answers that settle a question are kept: one that
came too late may come in time tomorrow.
"""

import hashlib
import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from snapref_ledger.cache import cache_dir, environment, write_atomically
from snapref_smt.engine import decide
from snapref_smt.engine.solvers import Answer, ask

Enough = Callable[[Sequence[Answer]], bool]
NEEDED = 2  # solvers that must agree


class Answers:
    """Stands in the place of `ask` for all workers that this process forks."""

    def __init__(self) -> None:
        self.folder = cache_dir() / "mutants" / "answers"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.versions = environment()
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
        key = json.dumps([script, list(names), list(solvers), questions, self.versions], sort_keys=True)
        path = self.folder / hashlib.sha256(key.encode()).hexdigest()
        known = _read(path)
        if enough(known):
            return known
        answers = ask(script, names, solvers, seconds, enough, questions)
        settled = [replace(answer, seconds=0.0) for answer in answers if answer.verdict in ("sat", "unsat")]
        if enough(settled):
            write_atomically(path, pickle.dumps(settled))
        return answers


def _read(path: Path) -> list[Answer]:
    try:
        answers: list[Answer] = pickle.loads(path.read_bytes())  # noqa: S301 - written above
    except (OSError, EOFError, pickle.UnpicklingError):
        return []
    return answers
