"""Theorems, and what it takes to call one proved: two different solvers, satisfiable hypotheses, a twin that fails.

A theorem is `hypotheses ⇒ goal` for all values of its variables. It is *proved* when two different solvers say that
`hypotheses ∧ ¬goal` is unsatisfiable (or one of them does and the certificate of a SAT solver checks), and a value
exists under the same hypotheses that fails its *twin*, a goal that is too strong: were the hypotheses contradictory or
the goal empty, that could not be. It is *refuted* when a solver's counterexample makes the formula true on evaluation
and the concrete code, given the same values, shows what the solver said. Everything else is undecided or an error.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import z3

from snapref_ledger.obligations import Expected, Outcome, Part, Run, Status, obligation
from snapref_smt.engine.script import script as smt_script
from snapref_smt.engine.script import within_bitwuzla
from snapref_smt.engine.solvers import SOLVERS, Answer, Value, ask, installed

# Gets the model of a counterexample, runs concrete code on it, and returns the trace to print.
Replay = Callable[[Mapping[str, Any]], str]


class NotReproduced(AssertionError):
    """The concrete code does not do what the solver's counterexample says it does."""


@dataclass(frozen=True)
class Theorem:
    """hypotheses ⇒ goal, for all values of the variables."""

    variables: tuple[z3.ExprRef, ...]  # what a counterexample names, in program order
    hypotheses: tuple[z3.BoolRef, ...]
    goal: z3.BoolRef
    twin: z3.BoolRef | None  # must fail under the same hypotheses; None only where a refutation is expected
    replay: Replay | None = None
    solvers: tuple[str, ...] = SOLVERS  # in the order in which they are tried

    @property
    def negation(self) -> tuple[z3.BoolRef, ...]:
        return (*self.hypotheses, z3.Not(self.goal))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(variable) for variable in self.variables)


def script(theorem: Theorem, comments: Iterable[str] = (), status: str = "unsat") -> str:
    """SMT-LIB 2 text that is unsatisfiable exactly when the theorem holds."""
    return smt_script(theorem.negation, comments, status)


def prove(theorem: Theorem, run: Run) -> Outcome:
    """Decides one theorem."""
    return prove_all({"": theorem}, run)


def prove_all(theorems: Mapping[str, Theorem], run: Run) -> Outcome:
    """Decides a conjunction of theorems: proved only if each of them is."""
    deadline = time.monotonic() + 0.95 * run.timeout
    parts: dict[str, _Part] = {}
    for left, (name, theorem) in zip(range(len(theorems), 0, -1), theorems.items(), strict=True):
        share = (deadline - time.monotonic()) / left  # so that no certificate takes the time of the theorems to come
        parts[name] = _decide(theorem, run, deadline, time.monotonic() + share)
        if parts[name].status in ("refuted", "error"):
            break
    worst: tuple[Status, ...] = ("error", "refuted", "undecided", "proved")
    found = [s for s in worst if any(part.status == s for part in parts.values())]
    status: Status = found[0] if found else "undecided"
    telling = {name: part for name, part in parts.items() if part.status == status}
    return Outcome(
        status,
        detail="\n".join(f"{name}: {part.detail}" if name else part.detail for name, part in telling.items()),
        witness="\n".join(part.witness for part in telling.values() if part.witness),
        solvers=_summary([answer for part in parts.values() for answer in part.answers]),
    )


@dataclass(frozen=True)
class _Part:
    """What came out for one theorem of a conjunction."""

    status: Status
    detail: str = ""
    witness: str = ""
    answers: tuple[Answer, ...] = ()


def _decide(theorem: Theorem, run: Run, deadline: float, certificate_deadline: float) -> _Part:
    text = script(theorem, status="unknown")  # a solver that is told `unsat` takes any other answer for an error
    solvers = _selected(theorem, run)
    answers = ask(text, theorem.names, solvers, deadline - time.monotonic(), _decided)
    said = {answer.solver: answer.verdict for answer in answers}
    counterexample = next((answer for answer in answers if answer.verdict == "sat"), None)
    unsat = [answer.solver for answer in answers if answer.verdict == "unsat"]
    if counterexample and unsat:
        return _Part("error", f"THE SOLVERS DISAGREE: {_said(answers)}", "", tuple(answers))
    if counterexample:
        return _refute(theorem, counterexample, tuple(answers))
    certified = ""
    if unsat and run.certificates:
        from snapref_smt.engine.certificates import certify

        certificate = certify(theorem.negation, 0.8 * (certificate_deadline - time.monotonic()))
        answers.append(certificate)
        if certificate.verdict in ("sat", "error"):
            return _Part("error", f"THE SAT SOLVER OR ITS PROOF DISAGREES: {_said(answers)}", "", tuple(answers))
        certified = certificate.solver if certificate.verdict == "unsat" else ""
    if len(unsat) < 2 and not (unsat and certified):
        why = f"{_said(answers)}; two different solvers must say unsat" if said else "none of the solvers is installed"
        return _Part("undecided", why, "", tuple(answers))
    return _check_twin(theorem, solvers, deadline, answers)


def _decided(answers: Sequence[Answer]) -> bool:
    verdicts = [answer.verdict for answer in answers]
    return "sat" in verdicts or verdicts.count("unsat") >= 2


def _answered(answers: Sequence[Answer]) -> bool:
    return any(answer.verdict in ("sat", "unsat") for answer in answers)


def _selected(theorem: Theorem, run: Run) -> list[str]:
    """In the theorem's order: the solvers that were asked for, are installed, and know the theory."""
    able = set(run.solvers) if within_bitwuzla(theorem.negation) else set(run.solvers) - {"bitwuzla"}
    return [solver for solver in theorem.solvers if solver in able and installed(solver)]


def _check_twin(theorem: Theorem, solvers: Sequence[str], deadline: float, answers: list[Answer]) -> _Part:
    """A model of hypotheses ∧ ¬twin shows at once that the hypotheses can be satisfied and that the twin fails."""
    said = _said(answers)
    if theorem.twin is None:
        return _Part("undecided", f"{said}; but it has no twin that must fail", "", tuple(answers))
    formulas = (*theorem.hypotheses, z3.Not(theorem.twin))
    twins = ask(smt_script(formulas), theorem.names, solvers, deadline - time.monotonic(), _answered)
    holds = [answer for answer in twins if answer.verdict == "unsat"]
    fails = [answer for answer in twins if answer.verdict == "sat"]
    if holds:
        why = f"the twin that must fail holds as well, the hypotheses or the goal are empty: {_said(twins)}"
        return _Part("error", why, "", tuple(answers))
    if not fails or not satisfies(formulas, theorem.variables, fails[0].model):
        return _Part("undecided", f"{said}; the twin that must fail is undecided: {_said(twins)}", "", tuple(answers))
    return _Part("proved", f"{said}; twin fails: {fails[0].solver} sat {fails[0].seconds:.1f} s", "", tuple(answers))


def _refute(theorem: Theorem, answer: Answer, answers: tuple[Answer, ...]) -> _Part:
    if not satisfies(theorem.negation, theorem.variables, answer.model):
        return _Part(
            "error", f"the model of {answer.solver} does not satisfy the formula: {dict(answer.model)}", "", answers
        )
    if theorem.replay is None:
        return _Part("undecided", f"a counterexample that nothing replays: {dict(answer.model)}", "", answers)
    try:
        trace = theorem.replay(answer.model)
    except NotReproduced as error:
        return _Part("error", f"{_said(answers)}; the concrete code does not reproduce it: {error}", "", answers)
    return _Part("refuted", _said(answers), trace, answers)


def satisfies(formulas: Sequence[z3.BoolRef], variables: Sequence[z3.ExprRef], model: Mapping[str, Value]) -> bool:
    """Whether the values make every formula true, by evaluation alone."""
    if any(str(v) not in model or isinstance(model[str(v)], str) for v in variables):
        return False
    values = [(v, _literal(v, model[str(v)])) for v in variables]
    return bool(z3.is_true(z3.simplify(z3.substitute(z3.And(*formulas), *values))))


def _literal(variable: z3.ExprRef, value: Any) -> z3.ExprRef:
    sort = variable.sort()
    if z3.is_fp_sort(sort):
        return z3.simplify(z3.fpBVToFP(z3.BitVecVal(value, sort.ebits() + sort.sbits()), sort))
    if z3.is_bv_sort(sort):
        return z3.BitVecVal(value, sort.size())
    if z3.is_bool(variable):
        return z3.BoolVal(value)
    return z3.RealVal(value) if z3.is_real(variable) else z3.IntVal(value)


def _said(answers: Iterable[Answer]) -> str:
    return ", ".join(f"{a.solver} {a.verdict}{f' ({a.detail})' if a.detail else ''} {a.seconds:.1f} s" for a in answers)


def _summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """{"z3": {"answer": "unsat", "seconds": 0.4}, …}; an obligation of several theorems counts: "unsat ×7"."""
    summary: dict[str, Any] = {}
    for solver in dict.fromkeys(answer.solver for answer in answers):
        own = [answer for answer in answers if answer.solver == solver]
        counts = Counter(answer.verdict for answer in own)
        answer = ", ".join(verdict if n == 1 and len(own) == 1 else f"{verdict} ×{n}" for verdict, n in counts.items())
        summary[solver] = {"answer": answer, "seconds": round(sum(a.seconds for a in own), 3)}
    return summary


# Registration

Built = Theorem | Mapping[str, Theorem]
Builder = TypeVar("Builder", bound=Callable[[], Built])
THEOREMS: dict[str, Callable[[], Built]] = {}  # id of the obligation → what it proves; `snapref export` writes these


def theorem_obligation(
    id: str,
    *,
    claim: str,
    scope: str,
    expected: Expected = "proved",
    part: Part = "printed",
    decides: bool = True,
    timeout: float | None = None,
    thorough: bool = False,
) -> Callable[[Builder], Builder]:
    """Registers a function that states a theorem, or several by name, as an obligation to prove all of them."""

    def register(build: Builder) -> Builder:
        def check(run: Run) -> Outcome:
            return prove_all(named(build()), run)

        check.__doc__, check.__module__ = build.__doc__, build.__module__
        check.__qualname__ = check.__name__ = build.__name__
        obligation(
            id,
            claim=claim,
            kind="smt",
            scope=scope,
            expected=expected,
            part=part,
            decides=decides,
            timeout=timeout,
            thorough=thorough,
        )(check)
        THEOREMS[id] = build
        return build

    return register


def named(built: Built) -> Mapping[str, Theorem]:
    return {"": built} if isinstance(built, Theorem) else built
