"""Statements: what is put before the solvers, from Λ to Theorem 1. decide.py says what it takes to prove one.

A statement is `hypotheses ⇒ conclusion`, for all values of its variables. It carries a *twin*: a conclusion that is too
strong, and must fail under the same hypotheses. This catches empty statements: if the hypotheses contradict each other,
the twin holds as well.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from snapref_smt.engine.script import subterms
from snapref_smt.engine.solvers import SOLVERS, Value

Formula = Any  # a z3 term; z3 has no types of its own
# Runs concrete code on the values of a counterexample, and returns the trace to print.
Replay = Callable[[Mapping[str, Any]], str]


class NotReproduced(AssertionError):
    """The concrete code does not do what the solver's counterexample says it does."""


@dataclass(frozen=True)
class Statement:
    """Claims: hypotheses ⇒ conclusion for all values of the variables, while hypotheses ⇒ twin is false."""

    name: str
    hypotheses: Sequence[Formula]
    conclusion: Formula
    twin: Formula | None = None  # None only where a refutation is expected: without a twin nothing is proved
    replay: Replay | None = None
    solvers: tuple[str, ...] = SOLVERS  # in the order in which they are tried
    variables: tuple[Formula, ...] = ()  # what a counterexample names, in program order; by default all that occur

    @property
    def negation(self) -> tuple[Formula, ...]:
        """The formulas that a counterexample satisfies. If the statement holds, no values satisfy them all."""
        return (*self.hypotheses, z3.Not(self.conclusion))


@dataclass(frozen=True)
class Family:
    """Many statements under common hypotheses. Each solver reads the common hypotheses only once.

    `cases` is true where the hypotheses of a member say which case it treats. A case may turn out never to occur, and
    then its twin cannot fail. So not every member needs a twin that fails, but at least one does.
    """

    name: str
    common: Sequence[Formula]
    members: Sequence[Statement]
    cases: bool = False


Stated = Statement | Family
SOME_CASE = "some case"  # the statement that no case is forgotten


def in_cases(name: str, common: Sequence[Formula], members: Sequence[Statement]) -> Family:
    """A family whose members treat one case each. One member more says that some case always occurs."""
    some = z3.Or(*(z3.And(*member.hypotheses) for member in members))
    return Family(name, common, [*members, Statement(SOME_CASE, [], some)], cases=True)


def variables_of(formulas: Iterable[Formula]) -> tuple[Formula, ...]:
    """Every variable that occurs in the formulas, sorted by name."""
    found = {t.decl().name(): t for t in occurring(formulas)}
    return tuple(found[name] for name in sorted(found))


def occurring(formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Every variable that occurs in the formulas, in no particular order."""
    return (t for t in subterms(formulas) if z3.is_const(t) and t.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def satisfies(formulas: Sequence[Formula], variables: Sequence[Formula], model: Mapping[str, Value]) -> bool:
    """Whether the values make every formula true. This only evaluates; no solver searches."""
    if any(str(v) not in model or isinstance(model[str(v)], str) for v in variables):
        return False
    values = [(v, _literal(v, model[str(v)])) for v in variables]
    return bool(z3.is_true(z3.simplify(z3.substitute(z3.And(*formulas), *values))))


def _literal(variable: Formula, value: Any) -> Formula:
    sort = variable.sort()
    if z3.is_fp_sort(sort):
        return z3.simplify(z3.fpBVToFP(z3.BitVecVal(value, sort.ebits() + sort.sbits()), sort))
    if z3.is_bv_sort(sort):
        return z3.BitVecVal(value, sort.size())
    if z3.is_bool(variable):
        return z3.BoolVal(value)
    return z3.RealVal(value) if z3.is_real(variable) else z3.IntVal(value)


# Words that many statements use


def absolute(term: Formula) -> Formula:
    return z3.If(term >= 0, term, -term)


def largest(*terms: Formula) -> Formula:
    """The largest of some terms."""
    result = terms[0]
    for term in terms[1:]:
        result = z3.If(term > result, term, result)
    return result


def clamped(term: Formula, bound: Formula) -> Formula:
    """clamp_B, bound ≥ 0."""
    return z3.If(term > bound, bound, z3.If(term < -bound, -bound, term))
