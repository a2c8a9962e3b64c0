"""Statements decided by two solvers, z3 and a second one, each reading the same SMT-LIB text.

The second is cvc5 for integers and reals; for bits and doubles, on which cvc5 takes several times as long, bitwuzla.

A statement that its hypotheses make vacuous is not proved: they must be satisfiable. And nearly each brings a stronger
twin that must fail: a conclusion so sharp that it has a counterexample.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import z3

from snapref_ledger import Outcome

SECONDS = 30  # for one question to one solver
Answer = Literal["proved", "refuted", "undecided"]


@dataclass(frozen=True)
class Statement:
    """hypotheses ⟹ conclusion, and not hypotheses ⟹ twin."""

    name: str
    hypotheses: Sequence[Any]
    conclusion: Any
    twin: Any = None


@dataclass(frozen=True)
class Decision:
    """What came of it, in words where it is not proved."""

    status: Answer
    detail: str


def outcome(decision: Decision) -> Outcome:
    """As an obligation reports it."""
    return Outcome(decision.status, decision.detail)


def decide(statement: Statement, second: str = "cvc5") -> Decision:
    """proved: both solvers find no counterexample, the hypotheses have a model, and so has the negation of the twin."""
    if (vacuous := z3_check(statement.hypotheses)) != "sat":
        return Decision("undecided", f"{statement.name}: the hypotheses are {vacuous}")
    negation = [*statement.hypotheses, z3.Not(statement.conclusion)]
    answers = {"z3": z3_check(negation), second: SECOND[second](negation)}
    if "sat" in answers.values():
        return Decision("refuted", f"{statement.name}: {answers}: {model_text(negation)}")
    if set(answers.values()) != {"unsat"}:
        return Decision("undecided", f"{statement.name}: {answers}")
    if statement.twin is not None:
        twin = z3_check([*statement.hypotheses, z3.Not(statement.twin)])
        if twin != "sat":
            return Decision("refuted" if twin == "unsat" else "undecided", f"{statement.name}: its twin is {twin} too")
    return Decision("proved", statement.name)


def decide_all(statements: Iterable[Statement], second: str = "cvc5") -> Decision:
    """proved when all are, and there are some; otherwise the first that is not."""
    proved = 0
    for statement in statements:
        decision = decide(statement, second)
        if decision.status != "proved":
            return decision
        proved += 1
    if not proved:
        return Decision("undecided", "there was nothing to decide")
    return Decision("proved", f"{proved} statements, each by z3 and {second}")


def z3_check(assertions: Sequence[Any]) -> str:
    solver = z3.Solver()
    solver.set("timeout", 1000 * SECONDS)
    solver.add(*assertions)
    return str(solver.check())


def bitwuzla_check(assertions: Sequence[Any]) -> str:
    """bitwuzla's answer to the text that z3 writes down."""
    import bitwuzla

    writer = z3.Solver()
    writer.add(*assertions)
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 1000 * SECONDS)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(writer.sexpr(), True, False)
    return str(parser.bitwuzla().check_sat())


def cvc5_check(assertions: Sequence[Any]) -> str:
    """cvc5's answer to the text that z3 writes down."""
    writer = z3.Solver()
    writer.add(*assertions)
    return _cvc5("(set-logic ALL)\n" + writer.sexpr() + "\n(check-sat)\n")[0]


def _cvc5(text: str, incremental: bool = False) -> list[str]:
    """The answers to every (check-sat) of a script."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(1000 * SECONDS))
    if incremental:
        solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "statement")
    symbols = parser.getSymbolManager()
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(str(command.invoke(solver, symbols)).strip())
    return [answer for answer in answers if answer] or [""]


SECOND = {"cvc5": cvc5_check, "bitwuzla": bitwuzla_check}


def decide_family(name: str, common: Sequence[Any], statements: Sequence[Statement], vacuous: bool = False) -> Decision:
    """All statements under the common hypotheses, which each solver reads once. `vacuous`: the hypotheses of a single
    statement may contradict each other (a case that does not occur); the common ones never."""
    first = z3.Solver()
    first.set("timeout", 1000 * SECONDS)
    first.add(*common)
    if (answer := str(first.check())) != "sat":
        return Decision("undecided", f"{name}: the common hypotheses are {answer}")
    script = [f"(assert {fact.sexpr()})" for fact in common]
    for statement in statements:
        negation = [*statement.hypotheses, z3.Not(statement.conclusion)]
        if not vacuous and (answer := _within(first, statement.hypotheses)) != "sat":
            return Decision("undecided", f"{statement.name}: the hypotheses are {answer}")
        if (answer := _within(first, negation)) != "unsat":
            model = model_text([*common, *negation])
            return Decision("refuted" if answer == "sat" else "undecided", f"{statement.name}: z3 {answer}: {model}")
        script += ["(push 1)", *(f"(assert {fact.sexpr()})" for fact in negation), "(check-sat)", "(pop 1)"]
    writer = z3.Solver()
    writer.add(*common, *(z3.And(*s.hypotheses, s.conclusion) for s in statements))
    declared = [line for line in writer.sexpr().splitlines() if line.startswith("(declare-")]
    answers = _cvc5("\n".join(["(set-logic ALL)", *declared, *script, ""]), incremental=True)
    if answers != ["unsat"] * len(statements):
        wrong = next((s.name for s, answer in zip(statements, answers, strict=False) if answer != "unsat"), "short")
        return Decision("refuted" if "sat" in answers else "undecided", f"{wrong}: cvc5 {sorted(set(answers))}")
    return Decision("proved", f"{name}: {len(statements)} statements")


def _within(solver: z3.Solver, assertions: Sequence[Any]) -> str:
    solver.push()
    solver.add(*assertions)
    answer = str(solver.check())
    solver.pop()
    return answer


def model_text(assertions: Sequence[Any]) -> str:
    solver = z3.Solver()
    solver.add(*assertions)
    return str(solver.model()).replace("\n", "") if str(solver.check()) == "sat" else "no model from z3"


def largest(*terms: Any) -> Any:
    """The largest of some terms."""
    result = terms[0]
    for term in terms[1:]:
        result = z3.If(term > result, term, result)
    return result


def absolute(term: Any) -> Any:
    return z3.If(term >= 0, term, -term)


def clamped(term: Any, bound: Any) -> Any:
    """clamp_B, bound ≥ 0."""
    return z3.If(term > bound, bound, z3.If(term < -bound, -bound, term))
