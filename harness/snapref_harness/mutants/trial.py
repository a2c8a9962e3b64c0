"""A process that puts mutants before obligations.

It has imported the solvers and the interval engines, but nothing that is mutated. Each trial runs in forks of it, so a
mutant costs the import of the project and no more. It reads one JSON line for each trial and answers with one:

    {"overlay": folder, "solvers": […], "orders": [{"id", "module", "expected", "timeout"}, …], "patience": seconds}
    {"results": [{"id", "status", "passed", "detail", "seconds"}, …]}

or, asked for the obligations that only the mutant has, with the orders for these:

    {"overlay": folder, "modules": [those that register every obligation], "known": [ids of the original]}
    {"orders": […]}

or, for a first look at a mutant of the proof (scout.py), with one result; `every` are all obligations of the proof:

    {"overlay": folder, "solvers": […], "scouted": [{"id", "module"}, …], "every": [{"id", "module"}, …],
     "compare": whether it may be stronger, "seconds": of processor time}
    {"results": [{"id", "status", "passed", "detail", "seconds"}]}

A trial ends with the first result that is not as expected, as in `snapref verify --exitfirst`. The folder has a copy of
a package in which one file is changed; Python finds it before the original.
"""

import contextlib
import importlib
import json
import os
import resource
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from snapref_harness.mutants.answers import Answers
from snapref_harness.mutants.scout import Scout
from snapref_ledger.obligations import REGISTRY, Obligation, Outcome, Run
from snapref_ledger.runner import ForkedServer, Result, run_all

READY = ("z3", "gmpy2", "mpmath", "flint", "numpy", "snapref_smt.engine.stating", "snapref_smt.engine.executor")
MEMORY = 8 << 30  # bytes of address space: a mutant may ask for numbers of any length
FIRST = 4  # so many obligations are tried before the modules of all others are imported, too


def main() -> None:
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for module in READY:
        with contextlib.suppress(ModuleNotFoundError):  # what is not installed no obligation uses
            importlib.import_module(module)
    _hurry_z3()
    scout = Scout(Answers())
    for line in sys.stdin:
        request = json.loads(line)
        if "known" in request:
            answer = {"orders": new_orders(request["overlay"], request["modules"], request["known"])}
        elif "scouted" in request:
            names = ("overlay", "scouted", "every", "compare", "solvers", "seconds")
            answer = {"results": [as_json(scout.result(*(request[name] for name in names)))]}
        else:
            results = tried(request["overlay"], request["orders"], request["solvers"], request["patience"])
            answer = {"results": [as_json(result) for result in results]}
        print(json.dumps(answer), flush=True)


def _hurry_z3() -> None:
    """Formulas take half the time to build if z3's Python code does not look for the sorts of terms that fit anyway,
    and makes a number once. Its core compares sorts, too."""
    z3: Any = sys.modules["z3.z3"]
    z3.Z3_DEBUG = False
    of_list, of_pair = z3._coerce_expr_list, z3._coerce_exprs
    real = z3.RealSort()
    known: dict[Any, Any] = {}

    def fitting_list(terms: Sequence[Any], context: Any = None) -> Sequence[Any]:
        return terms if all(isinstance(term, z3.BoolRef) for term in terms) else of_list(terms, context)

    def fitting_pair(x: Any, y: Any, context: Any = None) -> Any:
        if isinstance(x, z3.ArithRef):
            sort = z3.Z3_get_sort(x.ctx_ref(), x.ast).value
            if isinstance(y, z3.ArithRef):
                same = sort == z3.Z3_get_sort(y.ctx_ref(), y.ast).value
                return (x, y) if same else of_pair(x, y, context)
            if sort == real.ast.value and type(y) in (int, Fraction):
                if y not in known:
                    known[y] = z3.RealVal(y)
                return x, known[y]
        return of_pair(x, y, context)

    z3._coerce_expr_list, z3._coerce_exprs = fitting_list, fitting_pair


def tried(
    overlay: str, orders: Sequence[Mapping[str, Any]], solvers: Sequence[str], patience: float
) -> Iterator[Result]:
    """The results up to the first that is not as expected, or until so many seconds of processor time are used."""
    obligations = [obligation_of(order) for order in orders]
    sys.path.insert(0, overlay)
    importlib.invalidate_caches()
    try:
        for part in (obligations[:FIRST], obligations[FIRST:]):
            with contextlib.closing(run_all(part, Run(solvers=tuple(solvers)), 1, ForkedServer)) as stream:
                for result in stream:
                    yield result
                    patience -= result.seconds
                    if not result.passed or patience <= 0:
                        return
    finally:
        sys.path.remove(overlay)


def new_orders(overlay: str, modules: Sequence[str], known: Sequence[str]) -> list[dict[str, Any]]:
    """The obligations that `snapref verify` runs of the mutant and not of the original. A fork imports them."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            sys.path.insert(0, overlay)
            for module in modules:
                importlib.import_module(module)
            new = [o for o in REGISTRY.values() if o.id not in known and not o.thorough]
            orders = [{"id": o.id, "module": o.module, "expected": o.expected, "timeout": o.timeout} for o in new]
            os.write(writer, json.dumps(orders).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    found: list[dict[str, Any]] = json.loads(text or "[]")
    return found


def as_json(result: Result) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "id": result.obligation.id,
        "status": outcome.status,
        "passed": result.passed,
        "detail": outcome.detail[:1000],
        "seconds": round(result.seconds, 3),
    }


def obligation_of(order: Mapping[str, Any]) -> Obligation:
    """The obligation as the runner needs it. Its check is the mutant's own, which the runner's worker imports."""
    return Obligation(
        order["id"],
        claim="",
        kind="algebra",
        scope="",
        check=_nothing,
        expected=order["expected"],
        timeout=order["timeout"],
        module=order["module"],
    )


def _nothing(run: Run) -> Outcome:
    raise AssertionError("never called: the worker runs the check that it imports")


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # nobody waits for the answer any more
        main()
