"""Statements as SMT-LIB 2 scripts, which any solver reads. In this form they are decided and exported."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import mul

import z3

# Common formulas, and members. With members, the question is for each of them whether it can hold together with the
# common formulas. Without members, it is whether the common formulas can hold together.
Question = tuple[Sequence[z3.BoolRef], Sequence[Sequence[z3.BoolRef]]]


def script(question: Question, comments: Iterable[str] = (), status: str = "unknown") -> str:
    """A script that asks one question."""
    return "".join([*_head(comments, [question]), *_asked(question, status)])


def scripts_in_turn(questions: Iterable[Question]) -> str:
    """A script that asks several questions. The solver forgets everything between two of them (reset)."""
    return "(reset)\n".join(script(question) for question in questions)


def script_of_many(questions: Mapping[str, Question], comments: Iterable[str], status: str) -> str:
    """A script that asks several questions, each named in a comment, between (push 1) and (pop 1)."""
    lines = _head(comments, questions.values())
    for name, question in questions.items():
        lines += [f"; {name}\n", "(push 1)\n", *_asked(question, status), "(pop 1)\n"]
    return "".join(lines)


def _head(comments: Iterable[str], questions: Iterable[Question]) -> list[str]:
    lines = [f"; {line}\n" for comment in comments for line in comment.splitlines()]
    formulas = [formula for common, members in questions for part in (common, *members) for formula in part]
    return [*lines, "(set-info :smt-lib-version 2.6)\n", f"(set-logic {logic(formulas)})\n"]


def _asked(question: Question, status: str) -> list[str]:
    common, members = question
    texts = [_text(formulas) for formulas in (common, *members)]
    lines = list(dict.fromkeys(declaration for declarations, _ in texts for declaration in declarations))
    lines.append(texts[0][1])
    check = [f"(set-info :status {status})\n", "(check-sat)\n"]
    for _, assertions in texts[1:]:
        lines += ["(push 1)\n", assertions, *check, "(pop 1)\n"]
    return lines if members else [*lines, *check]


def _text(formulas: Sequence[z3.BoolRef]) -> tuple[list[str], str]:
    """The declarations and the assertions, in standard SMT-LIB 2."""
    text = _printed(formulas)
    if "(^ " in text:
        text = _printed([_without_powers(formula) for formula in formulas])
    text = _without_short(text)
    lines = text.splitlines(keepends=True)
    declarations = [line for line in lines if line.startswith("(declare-")]
    start, end = text.find("(assert"), text.rfind("(check-sat)")
    assertions = text[start:end] if 0 <= start < end else ""
    odd = [name for name in _DECLARED.findall("".join(declarations)) if not _SIMPLE.fullmatch(name)]
    if odd:  # z3 prints such names without the bars that they need
        pattern = re.compile(r"(?<=[\s(])(" + "|".join(map(re.escape, odd)) + r")(?=[\s)])")
        declarations = [pattern.sub(r"|\1|", line) for line in declarations]
        assertions = pattern.sub(r"|\1|", assertions)
    return declarations, assertions


def _printed(formulas: Sequence[z3.BoolRef]) -> str:
    """As z3.Solver.to_smt2 does it, but without a solver, which would begin to work on the formulas."""
    *others, last = [formula.as_ast() for formula in formulas] or [z3.BoolVal(True).as_ast()]
    listed = (z3.Ast * len(others))(*others)
    text = z3.Z3_benchmark_to_smtlib_string(z3.main_ctx().ref(), "", "", "unknown", "", len(others), listed, last)
    return str(text)


_DECLARED = re.compile(r"^\(declare-fun ([^|\s]+) ", re.MULTILINE)
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*")


def quoted(name: str) -> str:
    """The name of a variable as scripts write it."""
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


# z3 prints And(a) as (and a), And() as and, and x**2 as (^ x 2). The standard knows none of these. The first two are
# replaced in the text, which is quicker than in the terms.
_CONNECTIVE = re.compile(r"\|[^|]*\||(\()?(?<=[\s(])(and|or)(?=[\s)])")
_TOKEN = re.compile(r"\|[^|]*\||[()]|[^\s()|]+")


def _without_short(text: str) -> str:
    """The text with `x` for every `(and x)` and `(or x)`, `true` for `and` alone, and `false` for `or` alone."""
    edits: list[tuple[int, int, str]] = []
    for match in _CONNECTIVE.finditer(text):
        if match[2] and not match[1]:
            edits.append((*match.span(), "true" if match[2] == "and" else "false"))
        elif match[2] and (ends := _only_argument(text, match.end())):
            edits += [(match.start(), ends[0], ""), (ends[1], ends[1] + 1, "")]
    pieces, last = list[str](), 0
    for start, end, new in sorted(edits):
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def _only_argument(text: str, position: int) -> tuple[int, int] | None:
    """Where the only argument begins that follows the position, and where the list of arguments is closed. None if
    there are more."""
    depth, begin = 0, -1
    for token in _TOKEN.finditer(text, position):
        if depth == 0:
            if token[0] == ")":
                return begin, token.start()
            if begin >= 0:
                return None
            begin = token.start()
        depth += {"(": 1, ")": -1}.get(token[0], 0)
    return None


def _without_powers(formula: z3.BoolRef) -> z3.BoolRef:
    while replacements := [pair for term in subterms([formula]) for pair in _multiplied(term)]:
        formula = z3.substitute(formula, *replacements)
    return formula


def _multiplied(term: z3.ExprRef) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    if z3.is_app_of(term, z3.Z3_OP_POWER):
        exponent = z3.simplify(term.arg(1))
        if not (z3.is_int_value(exponent) or z3.is_rational_value(exponent)) or exponent.as_fraction() < 1:
            raise ValueError(f"no standard form of {term}")
        yield term, reduce(mul, [term.arg(0)] * int(exponent.as_fraction()))


def logic(formulas: Iterable[z3.ExprRef]) -> str:
    """The smallest logic of SMT-LIB in which the formulas can be written."""
    formulas = list(formulas)
    if _is("is-qfbv", formulas):
        return "QF_BV"
    if _is("is-lira", formulas) and not _is("has-quantifiers", formulas):
        return "QF_LIRA"  # a solver that is told that a question is linear is quicker
    kinds: set[int] = set()
    quantified = functions = False
    for term in subterms(formulas):
        quantified = quantified or z3.is_quantifier(term)
        kinds.add(term.sort_kind())
        if z3.is_app(term) and term.num_args() and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            functions = True
    theories = kinds & {z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT, z3.Z3_REAL_SORT, z3.Z3_INT_SORT}
    names = {
        frozenset[int](): "UF",
        frozenset({z3.Z3_BV_SORT}): "BV",
        frozenset({z3.Z3_FLOATING_POINT_SORT}): "BVFP",
        frozenset({z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT}): "BVFP",
        frozenset({z3.Z3_REAL_SORT}): "NRA",
    }
    name = names.get(frozenset(theories))
    if name is None:  # also integers with products or remainders: told QF_NIA, cvc5 gives up on what it else finds
        return "ALL"
    if functions and name != "UF":
        name = f"UF{name}"
    return name if quantified else f"QF_{name}"


def within_bitwuzla(formulas: Iterable[z3.ExprRef]) -> bool:
    """Whether bitwuzla can read the formulas. It knows bit-vectors and floats (binary16, 32, 64 and 128) only."""
    formulas = list(formulas)
    if _is("is-qfbv", formulas):
        return True
    known = {(5, 11), (8, 24), (11, 53), (15, 113)}
    for term in subterms(formulas):
        if term.sort_kind() in (z3.Z3_REAL_SORT, z3.Z3_INT_SORT):
            return False
        if term.sort_kind() == z3.Z3_FLOATING_POINT_SORT and (term.sort().ebits(), term.sort().sbits()) not in known:
            return False
    return True


def _is(probe: str, formulas: Iterable[z3.ExprRef]) -> bool:
    """By z3's own probe: many times faster than a walk in Python. A goal that is plainly false forgets its formulas."""
    goal = _goal(formulas)
    return not goal.inconsistent() and bool(z3.Probe(probe)(goal))


def _goal(formulas: Iterable[z3.ExprRef]) -> z3.Goal:
    goal = z3.Goal()
    goal.add(*formulas)
    return goal


def subterms(formulas: Iterable[z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """Every term that occurs in the formulas, once."""
    pending, seen = list(formulas), set[int]()
    while pending:
        term = pending.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            pending += [term.body()] if z3.is_quantifier(term) else term.children()
