"""Formulas as SMT-LIB 2 scripts that any solver reads: the form in which they are decided, certified and exported."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3


def script(formulas: Sequence[z3.BoolRef], comments: Iterable[str] = (), status: str = "unknown") -> str:
    """A script that asks whether the formulas can hold together."""
    return "".join([*_head(comments, formulas), *_question(formulas, status)])


def script_of_many(parts: Mapping[str, Sequence[z3.BoolRef]], comments: Iterable[str], status: str) -> str:
    """A script that asks the same of each part by itself, one (check-sat) after the other."""
    lines = _head(comments, [formula for formulas in parts.values() for formula in formulas])
    for name, formulas in parts.items():
        lines += [f"; {name}\n", "(push 1)\n", *_question(formulas, status), "(pop 1)\n"]
    return "".join(lines)


def _head(comments: Iterable[str], formulas: Iterable[z3.BoolRef]) -> list[str]:
    lines = [f"; {line}\n" for comment in comments for line in comment.splitlines()]
    return [*lines, "(set-info :smt-lib-version 2.6)\n", f"(set-logic {logic(formulas)})\n"]


def _question(formulas: Sequence[z3.BoolRef], status: str) -> list[str]:
    text = _text(formulas)
    if any(_is_short(text, match) for match in _CONNECTIVE.finditer(text)):
        text = _text(map(_standard, formulas))
    start = min(text.find(word) for word in ("(declare-", "(assert", "(check-sat)") if word in text)
    return [f"(set-info :status {status})\n", text[start:].rstrip() + "\n"]


def _text(formulas: Iterable[z3.BoolRef]) -> str:
    solver = z3.Solver()
    solver.add(*formulas)
    return str(solver.to_smt2())


# z3 prints And(a) as (and a) and And() as and, neither of which the standard knows. To find one in the text is quick;
# to replace it takes a walk through the terms.
_CONNECTIVE = re.compile(r"([\s(])(?:and|or)(?=[\s)])")


def _is_short(text: str, connective: re.Match[str]) -> bool:
    """Whether it has fewer than two arguments."""
    if connective[1] != "(":
        return True
    depth, arguments = 0, 0
    for token in _TOKEN.finditer(text, connective.end()):
        if depth == 0:
            if token[0] == ")":
                return arguments < 2
            arguments += 1
            if arguments == 2:
                return False
        depth += {"(": 1, ")": -1}.get(token[0], 0)
    return True


_TOKEN = re.compile(r"[()]|[^\s()]+")


def _standard(formula: z3.BoolRef) -> z3.BoolRef:
    while short := [t for t in subterms([formula]) if (z3.is_and(t) or z3.is_or(t)) and t.num_args() < 2]:
        formula = z3.substitute(formula, *[(t, t.arg(0) if t.num_args() else z3.BoolVal(z3.is_and(t))) for t in short])
    return formula


def logic(formulas: Iterable[z3.ExprRef]) -> str:
    """The smallest standard logic that holds the formulas."""
    formulas = list(formulas)
    if _only_bit_vectors(formulas):
        return "QF_BV"
    kinds: set[int] = set()
    quantified = False
    for term in subterms(formulas):
        quantified = quantified or z3.is_quantifier(term)
        kinds.add(term.sort_kind())
    theories = kinds & {z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT, z3.Z3_REAL_SORT, z3.Z3_INT_SORT}
    names = {
        frozenset[int](): "UF",
        frozenset({z3.Z3_BV_SORT}): "BV",
        frozenset({z3.Z3_FLOATING_POINT_SORT}): "BVFP",
        frozenset({z3.Z3_BV_SORT, z3.Z3_FLOATING_POINT_SORT}): "BVFP",
        frozenset({z3.Z3_REAL_SORT}): "NRA",
        frozenset({z3.Z3_INT_SORT}): "NIA",
        frozenset({z3.Z3_REAL_SORT, z3.Z3_INT_SORT}): "NIRA",
    }
    name = names.get(frozenset(theories))
    if name is None:
        return "ALL"
    return name if quantified else f"QF_{name}"


def within_bitwuzla(formulas: Iterable[z3.ExprRef]) -> bool:
    """bitwuzla knows bit-vectors and floating point (binary16, 32, 64, 128), and neither reals nor integers."""
    formulas = list(formulas)
    if _only_bit_vectors(formulas):
        return True
    known = {(5, 11), (8, 24), (11, 53), (15, 113)}
    for term in subterms(formulas):
        if term.sort_kind() in (z3.Z3_REAL_SORT, z3.Z3_INT_SORT):
            return False
        if term.sort_kind() == z3.Z3_FLOATING_POINT_SORT and (term.sort().ebits(), term.sort().sbits()) not in known:
            return False
    return True


def _only_bit_vectors(formulas: Iterable[z3.ExprRef]) -> bool:
    """z3's own probe: many times faster than a walk in Python."""
    goal = z3.Goal()
    goal.add(*formulas)
    return bool(z3.Probe("is-qfbv")(goal))


def subterms(formulas: Iterable[z3.ExprRef]) -> Iterator[z3.ExprRef]:
    """Every term that occurs in the formulas, once."""
    pending, seen = list(formulas), set[int]()
    while pending:
        term = pending.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            pending += [term.body()] if z3.is_quantifier(term) else term.children()
