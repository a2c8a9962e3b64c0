"""On what each result rests, computed from the engines that its check called: the table of notes/trust.md.

The page has the table between two marks; `snapref claims --write` writes it, `snapref claims --check` compares it.
"""

import re
from collections import Counter
from collections.abc import Iterable

from snapref_ledger.engines import PYTHON
from snapref_ledger.runner import Result

NAME = "trust.md"
BEGIN, END = "<!-- generated: what rests on what -->", "<!-- end of what is generated -->"
SOLVERS = frozenset({"z3", "cvc5", "bitwuzla"})
INTERVALS = frozenset({"Arb", "mpmath.iv"})
# In this order in the table; the words say what has to be believed.
WORDS = {
    "kernel": "a proof kernel (Coq)",
    "two solvers": "two solvers that answer alike",
    "one library": "bitwuzla and cvc5, which translate floating point by the same library (SymFPU)",
    "certificate": "a solver, and a certificate that another program checked",
    "counterexample": "a counterexample, replayed through concrete code",
    "two interval engines": "two interval engines, on every part",
    "exact": "exact integers and fractions, case by case or as an identity",
    "samples": "samples, which support and never decide",
    "one engine": "one engine alone",
}


def ground(result: Result) -> str:
    """A key of WORDS."""
    engines, unsat = frozenset(result.outcome.solvers), _unsat(result)
    if result.obligation.kind in ("kernel", "sampled"):
        return {"kernel": "kernel", "sampled": "samples"}[result.obligation.kind]
    if engines & SOLVERS and result.outcome.status == "refuted":
        return "counterexample"
    if {"bitwuzla", "cvc5"} <= set(unsat) and unsat.get("z3", 0) < max(unsat.values()):
        return "one library"
    if len(unsat) >= 2:
        return "two solvers"
    if unsat and engines - SOLVERS - INTERVALS:
        return "certificate"
    if engines >= INTERVALS:
        return "two interval engines"
    return "exact" if engines == {PYTHON} else "one engine"


def _unsat(result: Result) -> dict[str, int]:
    """Solver → how many statements it found to have no counterexample: its answer is "unsat" or "unsat ×7, …"."""
    found = {}
    for solver in SOLVERS & set(result.outcome.solvers):
        said = re.search(r"\bunsat(?: ×(\d+))?", str(result.outcome.solvers[solver].get("answer", "")))
        if said:
            found[solver] = int(said[1] or 1)
    return found


def counted(results: Iterable[Result]) -> list[tuple[str, int]]:
    """What obligations rest on, in words, and how many rest on it."""
    counts = Counter(ground(result) for result in results)
    return [(words, counts[key]) for key, words in WORDS.items() if counts[key] or key == "one engine"]


def table(results: Iterable[Result]) -> str:
    rows = [f"| {words} | {count} |" for words, count in counted(results)]
    return "\n".join(["| rests on | obligations |", "| --- | --- |", *rows])


def in_page(page: str, results: Iterable[Result]) -> str:
    """The page with the table between its marks; as it is where it has no marks."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table(results)}\n\n{END}{after}" if mark and end else page
