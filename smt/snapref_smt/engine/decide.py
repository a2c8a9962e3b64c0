"""The one way in which a statement is decided.

A statement is *proved* when both of these hold:

- Two different solvers find no counterexample: `hypotheses ∧ ¬conclusion` is unsatisfiable. (Or one solver does, and a
  certificate is checked.)
- The statement is not empty: some values satisfy the hypotheses and fail the *twin*, a conclusion that is too strong.
  If the conclusion says "if A, then B", the hypotheses do not contradict A. (Of several such parts, one is enough.)

It is *refuted* when a solver gives a counterexample, the formula evaluates to true on it, and the concrete code, run on
the same values, shows what the solver said. In all other cases it is undecided or an error.

z3, cvc5 and bitwuzla are three programs by three groups. For integers and reals (z3 and cvc5) and for bit-vectors (z3
and bitwuzla) they share no code. For floating point, cvc5 and bitwuzla share the library SymFPU, which translates it to
bit-vectors; notes/trust.md counts the obligations that rest on these two. `--certificates` replaces the trust in a
solver's search by a proof that another program checks. It works for what can be turned into clauses: bits and floats.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from snapref_ledger.obligations import Outcome, Run, Status
from snapref_smt.engine.script import Question, quoted, script, scripts_in_turn, within_bitwuzla
from snapref_smt.engine.solvers import Answer, ask, installed, spent
from snapref_smt.engine.statement import (
    Family,
    Formula,
    NotReproduced,
    Stated,
    Statement,
    occurring,
    satisfies,
    variables_of,
)

TRIES = 12
EASY = 5_000_000  # limit of z3's own count of its steps, a second or two, where a model is expected
WORST_FIRST: tuple[Status, ...] = ("error", "refuted", "undecided", "proved")


@dataclass(frozen=True)
class _Part:
    """What came out for one statement."""

    status: Status
    detail: str = ""
    witness: str = ""
    answers: tuple[Answer, ...] = ()


class _Asking:
    """Asks solvers, and keeps count of how many seconds of processor time the run has left for them."""

    def __init__(self, run: Run) -> None:
        self.run, self.left = run, run.timeout

    def ask(
        self,
        text: str,
        names: Sequence[str],
        solvers: Sequence[str],
        enough: Callable[[Sequence[Answer]], bool],
        questions: int = 1,
    ) -> list[Answer]:
        answers = ask(text, [quoted(name) for name in names], solvers, self.left, enough, questions)
        self.left -= spent(answers)
        return answers

    def able(self, statement: Statement, formulas: Sequence[Formula]) -> list[str]:
        """The solvers that the run allows, that are installed and that know the theory, in the statement's order."""
        able = set(self.run.solvers) - (set() if within_bitwuzla(formulas) else {"bitwuzla"})
        return [solver for solver in statement.solvers if solver in able and installed(solver)]


def decide(stated: Stated, run: Run) -> Outcome:
    """Decides one statement, or one family of them."""
    return decide_all([stated], run)


def decide_all(stated: Iterable[Stated], run: Run, count: int | None = None) -> Outcome:
    """Decides several statements together. Proved only if there is at least one and all of them are.

    `count` says how many different ones there must be, by what they say, a family counting as its members. So none is
    left out by mistake, and none takes the place of another.
    """
    asking = _Asking(run)
    listed = list(stated)
    if count and (found := len(set(_said_by(listed)))) != count:
        return Outcome("error", f"these are {found} different statements, and there should be {count}")
    together, failing = _decide_together(listed, asking)
    parts: dict[str, _Part] = {}
    for one in sorted(listed, key=lambda one: id(one) not in failing):  # those that fail first: one is enough
        part = together.get(id(one)) or _decide_alone(one, asking)
        parts[f"{one.name} ({len(parts)})" if one.name in parts else one.name] = part
        if part.status in ("refuted", "error") or any(answer.verdict == "sat" for answer in part.answers):
            break
    status: Status = next((s for s in WORST_FIRST if any(part.status == s for part in parts.values())), "undecided")
    telling = {name: part for name, part in parts.items() if part.status == status}
    if status == "proved" and len(telling) > 3:
        detail = f"{len(telling)} statements: {'; '.join(telling)}"
    else:
        detail = "\n".join(f"{name}: {part.detail}" for name, part in telling.items()) or "there is nothing to decide"
    return Outcome(
        status,
        detail=detail,
        witness="\n".join(part.witness for part in telling.values() if part.witness),
        engines=_summary([answer for part in parts.values() for answer in part.answers]),
    )


def _said_by(listed: Iterable[Stated]) -> Iterator[tuple[frozenset[int], int]]:
    """What each statement says: z3's numbers of its hypotheses and of its conclusion, the same for the same formula."""
    for one in listed:
        common, members = (one.common, one.members) if isinstance(one, Family) else ((), [one])
        for each in members:
            yield frozenset(fact.get_id() for fact in (*common, *each.hypotheses)), each.conclusion.get_id()


def question(stated: Stated) -> Question:
    """The question to the solvers. If the statement, or every member of the family, holds, no values satisfy it."""
    if isinstance(stated, Family):
        return stated.common, [member.negation for member in stated.members]
    return stated.negation, ()


def _decide_together(listed: Sequence[Stated], asking: _Asking) -> tuple[dict[int, _Part], set[int]]:
    """What two solvers prove in one go, and what a solver says fails, by its id(). Each solver gets one script with all
    statements and families, and forgets everything between two of them. What is not proved like this is decided one by
    one."""
    parts, failing = dict[int, _Part](), set[int]()
    if asking.run.certificates:
        return parts, failing
    groups: dict[tuple[str, ...], list[Stated]] = {}
    for one in listed:
        if isinstance(one, Family) and one.members:
            groups.setdefault(tuple(asking.able(one.members[0], one.common)), []).append(one)
        if isinstance(one, Statement) and one.twin is not None:
            groups.setdefault(tuple(asking.able(one, one.negation)), []).append(one)
    for solvers, group in groups.items():
        if len(group) < 2:
            continue
        asked = [one for one in group for _ in (one.members if isinstance(one, Family) else [one])]
        answers = asking.ask(scripts_in_turn(map(question, group)), (), solvers, _decided, len(asked))
        said = tuple(answer for answer in answers if answer.verdict == "unsat")
        if len(said) < 2:
            failing |= {id(asked[n]) for answer in answers for n, each in enumerate(answer.each) if each == "sat"}
            continue
        for one in group:
            if isinstance(one, Family):
                empty, proved = _empty_family(one), f"{len(one.members)} members"
            else:
                empty, proved = _empty(one, solvers, asking), "its twin fails"
            parts[id(one)] = empty or _Part("proved", proved)
        parts[id(group[0])] = replace(parts[id(group[0])], answers=said)
    return parts, failing


def _decide_alone(stated: Stated, asking: _Asking) -> _Part:
    return _decide_family(stated, asking) if isinstance(stated, Family) else _decide(stated, asking)


def _decide(statement: Statement, asking: _Asking) -> _Part:
    solvers = asking.able(statement, statement.negation)
    variables = statement.variables or variables_of(statement.negation)
    answers = asking.ask(script(question(statement)), [str(v) for v in variables], solvers, _decided)
    counterexample = next((answer for answer in answers if answer.verdict == "sat"), None)
    unsat = [answer.solver for answer in answers if answer.verdict == "unsat"]
    if counterexample and unsat:
        return _Part("error", f"THE SOLVERS DISAGREE: {_said(answers)}", "", tuple(answers))
    if counterexample:
        return _refute(statement, variables, counterexample, tuple(answers))
    certified = False
    if unsat and asking.run.certificates:
        from snapref_smt.engine.certificates import certify

        certificate = certify(statement.negation, 0.8 * asking.left)
        answers.append(certificate)
        if certificate.verdict in ("sat", "error"):
            return _Part("error", f"THE SAT SOLVER OR ITS PROOF DISAGREES: {_said(answers)}", "", tuple(answers))
        certified = certificate.verdict == "unsat"
    if len(unsat) < 2 and not (unsat and certified):
        return _Part("undecided", _too_few(answers), "", tuple(answers))
    emptiness = _empty(statement, solvers, asking)
    return emptiness or _Part("proved", f"{_said(answers)}; its twin fails", "", tuple(answers))


def _decided(answers: Sequence[Answer]) -> bool:
    verdicts = [answer.verdict for answer in answers]
    return "sat" in verdicts or verdicts.count("unsat") >= 2


def _answered(answers: Sequence[Answer]) -> bool:
    return any(answer.verdict in ("sat", "unsat") for answer in answers)


def _too_few(answers: Sequence[Answer]) -> str:
    return f"{_said(answers)}; two different solvers must say unsat" if answers else "none of the solvers is installed"


def _empty(statement: Statement, solvers: Sequence[str], asking: _Asking) -> _Part | None:
    """None if the twin fails, as it must. Otherwise what is wrong: the hypotheses or the conclusion may say nothing."""
    if z3.is_true(statement.conclusion):
        return _Part("error", "the conclusion is true: it says nothing")
    if statement.twin is None:
        return _Part("undecided", "it has no twin that must fail")
    formulas = (*statement.hypotheses, z3.Not(statement.twin))
    if all(_contradicted(part, statement.hypotheses) for part in parts(statement.conclusion)):
        return _Part("error", "the hypotheses contradict the condition of the conclusion: it says nothing")
    verdict = "sat" if _by_trying(formulas) else _Easy(formulas).has_model()
    if verdict == "unknown":
        variables = variables_of(formulas)
        answers = asking.ask(script((formulas, ())), [str(v) for v in variables], solvers, _answered)
        model = next((answer.model for answer in answers if answer.verdict == "sat"), None)
        if model is not None and satisfies(formulas, variables, model):
            verdict = "sat"
        elif any(answer.verdict == "unsat" for answer in answers):
            verdict = "unsat"
    if verdict == "unsat":
        return _Part("error", "the twin that must fail holds as well: the hypotheses or the conclusion are empty")
    return None if verdict == "sat" else _Part("undecided", "whether its twin fails is undecided")


def parts(conclusion: Formula) -> list[Formula]:
    """What a conclusion says, if it says several things at once."""
    return [part for one in conclusion.children() for part in parts(one)] if z3.is_and(conclusion) else [conclusion]


def _contradicted(part: Formula, hypotheses: Sequence[Formula]) -> bool:
    """Whether the part says "if A, then B", and the hypotheses contradict A."""
    return z3.is_implies(part) and _Easy((*hypotheses, part.arg(0))).has_model() == "unsat"


def _by_trying(formulas: Sequence[Formula]) -> bool:
    """Whether one of a few random values makes the formulas true; for bits and floats only. Most twins fail for most
    values, and a solver may take long to find one."""
    if any(not (z3.is_bv(v) or z3.is_fp(v)) for v in occurring(formulas)):
        return False
    variables = variables_of(formulas)
    rng = random.Random(0)
    widths = {str(v): v.size() if z3.is_bv(v) else v.sort().ebits() + v.sort().sbits() for v in variables}
    tried = ({name: rng.getrandbits(width) for name, width in widths.items()} for _ in range(TRIES))
    return any(satisfies(formulas, variables, values) for values in tried)


class _Easy:
    """z3, for questions where a model is expected: whether these formulas and some others can hold together."""

    def __init__(self, formulas: Sequence[Formula]) -> None:
        self.all, self.solver = z3.And(*formulas), z3.Solver()
        self.solver.set("rlimit", EASY)
        self.solver.add(self.all)
        self.model: z3.ModelRef | None = None

    def has_model(self, formulas: Sequence[Formula] = ()) -> str:
        """What z3 says: sat, unsat or unknown. It is sat only if all formulas evaluate to true in z3's model.

        The model that z3 found last, for other formulas, is tried first: often it will do.
        """
        every = z3.And(self.all, *formulas)
        if self.model is not None and _true_in(self.model, every):
            return "sat"
        if formulas:  # after a push z3 works in another way, which is often slower
            self.solver.push()
            self.solver.add(*formulas)
        answer = str(self.solver.check())
        if answer == "sat":
            self.model = self.solver.model()
            answer = "sat" if _true_in(self.model, every) else "unknown"
        if formulas:
            self.solver.pop()
        return answer


def _true_in(model: z3.ModelRef, formula: Formula) -> bool:
    return bool(z3.is_true(model.eval(formula, model_completion=True)))


def _refute(statement: Statement, variables: Sequence[Formula], answer: Answer, answers: tuple[Answer, ...]) -> _Part:
    if not satisfies(statement.negation, variables, answer.model):
        why = f"the model of {answer.solver} does not satisfy the formula: {dict(answer.model)}"
        return _Part("error", why, "", answers)
    if statement.replay is None:
        why = f"a counterexample that nothing replays: {dict(answer.model)}"
        return _Part("undecided", why, "", answers)
    try:
        trace = statement.replay(answer.model)
    except NotReproduced as error:
        return _Part("error", f"{_said(answers)}; the concrete code does not reproduce it: {error}", "", answers)
    return _Part("refuted", _said(answers), trace, answers)


def _decide_family(family: Family, asking: _Asking) -> _Part:
    if not family.members:
        return _Part("undecided", "the family has no members")
    solvers = asking.able(family.members[0], family.common)
    answers = asking.ask(script(question(family)), (), solvers, _decided, len(family.members))
    unsat = [answer.solver for answer in answers if answer.verdict == "unsat"]
    if any(answer.verdict == "sat" for answer in answers):
        return _Part("error" if unsat else "undecided", _failing_member(family, answers), "", tuple(answers))
    if len(unsat) < 2:
        return _Part("undecided", _too_few(answers), "", tuple(answers))
    emptiness = _empty_family(family)
    return emptiness or _Part("proved", f"{len(family.members)} members; {_said(answers)}", "", tuple(answers))


def _failing_member(family: Family, answers: Sequence[Answer]) -> str:
    for member in family.members:
        solver = z3.Solver()
        solver.add(*family.common, *member.negation)
        if solver.check() == z3.sat:
            return f"{_said(answers)}; {member.name}: {solver.model()}".replace("\n", "")
    return f"{_said(answers)}; z3 finds no member that fails"


def _empty_family(family: Family) -> _Part | None:
    """None if the family is not empty. Otherwise what is wrong: the common hypotheses contradict each other, a member
    says nothing, or a member's twin does not fail. Where members are cases, one twin that fails is enough."""
    common, nothing = _Easy(family.common), _Easy(())
    if (answer := common.has_model()) != "sat":
        return _Part("undecided" if answer == "unknown" else "error", f"the common hypotheses are {answer}")
    failing = False
    for member in family.members:
        if nothing.has_model([z3.Not(member.conclusion)]) == "unsat":
            return _Part("error", f"{member.name}: the conclusion holds without the hypotheses: it says nothing")
        if failing and family.cases:
            continue
        twin = z3.BoolVal(True) if member.twin is None else member.twin
        answer = common.has_model([*member.hypotheses, z3.Not(twin)])
        if answer != "sat" and not family.cases:
            return _Part("undecided" if answer == "unknown" else "error", f"{member.name}: its twin does not fail")
        failing = failing or answer == "sat"
    return None if failing else _Part("error", "no member has a twin that fails")


def _said(answers: Iterable[Answer]) -> str:
    return ", ".join(f"{a.solver} {a.verdict}{f' ({a.detail})' if a.detail else ''} {a.seconds:.1f} s" for a in answers)


def _summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """{"z3": {"answer": "unsat", "seconds": 0.4}, …}. For several statements it counts: "unsat ×7"."""
    summary: dict[str, Any] = {}
    for solver in dict.fromkeys(answer.solver for answer in answers):
        own = [answer for answer in answers if answer.solver == solver]
        counts = Counter[str]()
        for one in own:
            counts[one.verdict] += one.questions
        answer = ", ".join(verdict if counts.total() == 1 else f"{verdict} ×{n}" for verdict, n in counts.items())
        summary[solver] = {"answer": answer, "seconds": round(sum(a.seconds for a in own), 3)}
    return summary
