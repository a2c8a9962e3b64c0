"""Certificates: for statements about bits and floats, a proof that a separate program checks.

z3 translates the formula into clauses (CNF). The SAT solver CaDiCaL shows that they cannot all hold, and writes a proof
in the format DRAT. The checker dratify, which shares no code with either, replays that proof. So one has to trust z3's
translation and the checker, but not the search of any solver. A certificate counts only if the checker derives the
empty clause, that is, a contradiction.
"""

import importlib.util
import multiprocessing
import re
import resource
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from snapref_ledger.limits import backstop, limit_processor_time, overran, overran_text
from snapref_smt.engine.script import logic
from snapref_smt.engine.solvers import Answer, Verdict

NAME = "cadical+dratify"


@dataclass(frozen=True)
class Cnf:
    """Clauses over the variables 1 … variables."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]

    def dimacs(self) -> str:
        lines = [f"p cnf {self.variables} {len(self.clauses)}"]
        return "\n".join([*lines, *(" ".join(map(str, (*clause, 0))) for clause in self.clauses)]) + "\n"


def bit_blast(formulas: Sequence[z3.BoolRef]) -> Cnf:
    """Clauses that can hold together exactly when the formulas can."""
    goal = z3.Goal()
    goal.add(*formulas)
    tactics = z3.Then("simplify", "fpa2bv", "simplify", "bit-blast", "tseitin-cnf")
    (result,) = tactics(goal)
    if result.inconsistent():
        return Cnf(0, ((),))
    return parse_dimacs(result.dimacs(include_names=False))


def parse_dimacs(text: str) -> Cnf:
    """Reads clauses. The variables are counted here, because the header that z3 writes leaves some of them out."""
    clauses: list[tuple[int, ...]] = []
    for line in text.splitlines():
        if re.match(r"-?\d", line):
            literals = [int(token) for token in line.split()]
            if literals[-1] != 0 or 0 in literals[:-1]:
                raise ValueError(f"not a clause: {line}")
            clauses.append(tuple(literals[:-1]))
    return Cnf(max((abs(literal) for clause in clauses for literal in clause), default=0), tuple(clauses))


def drat_proof(cnf: Cnf) -> list[str] | None:
    """CaDiCaL's proof that the clauses cannot be satisfied, one step a line; None if they can."""
    from pysat.solvers import Solver

    with Solver(name="cadical153", bootstrap_with=[list(c) for c in cnf.clauses], with_proof=True) as solver:
        return None if solver.solve() else list(solver.get_proof())


def check(cnf: Cnf, proof: Sequence[str]) -> bool:
    """Whether dratify accepts the proof, down to the empty clause."""
    import dratify

    try:
        result = dratify.check_proof(dratify.parse_dimacs(cnf.dimacs()), "\n".join(proof) + "\n")
    except ValueError:  # a proof that cannot even be read
        return False
    return bool(result.ok and result.reached_empty)


def available() -> bool:
    return all(importlib.util.find_spec(package) is not None for package in ("pysat", "dratify"))


def certify(formulas: Sequence[z3.BoolRef], seconds: float) -> Answer:
    """The answer `unsat` with a checked certificate, `sat`, or the reason why there is no certificate. The checker is
    slow. `seconds` are of processor time, like those of the answer."""
    if seconds <= 0:
        return Answer(NAME, "timeout", 0.0, {}, "no processor time is left for it")
    before = _time_of_children()
    verdict, detail = _within(formulas, seconds)
    return Answer(NAME, verdict, round(_time_of_children() - before, 3), {}, detail)


def _time_of_children() -> float:
    """The processor time of the child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _within(formulas: Sequence[z3.BoolRef], seconds: float) -> tuple[Verdict, str]:
    """Certifies in a process of its own, in the caller's process group. The kernel ends it at its limit."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        limit_processor_time(seconds)
        sender.send(_certificate(formulas))

    worker = context.Process(target=work, daemon=True)
    worker.start()
    sender.close()
    try:
        if not receiver.poll(backstop(seconds)):
            return "timeout", f"not ended after {backstop(seconds):g} s on the clock"
        verdict, detail = receiver.recv()
        return verdict, detail
    except (EOFError, OSError):  # it ended before it sent an answer, or while it did
        worker.join()
        return ("timeout", overran_text(seconds)) if overran(worker.exitcode or 0) else ("error", "it died")
    finally:
        worker.kill()
        worker.join()


def _certificate(formulas: Sequence[z3.BoolRef]) -> tuple[Verdict, str]:
    if not available():
        return "unknown", "python-sat or dratify is not installed"
    if logic(formulas) not in ("QF_BV", "QF_BVFP", "QF_UF"):
        return "unknown", "reals and integers have no CNF"
    cnf = bit_blast(formulas)
    if cnf.clauses == ((),):
        return "unknown", "z3's rewriting already refutes it: there is nothing left to certify"
    proof = drat_proof(cnf)
    if proof is None:
        return "sat", ""
    return ("unsat", "") if check(cnf, proof) else ("error", "the checker rejects the proof")
