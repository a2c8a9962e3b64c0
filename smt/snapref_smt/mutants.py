"""Mutants: the three exact functions with one operator, comparison or constant changed, put before the obligations.

An obligation that cannot fail proves nothing. So every mutant gets one of three fates:

    killed       an obligation does not come out as expected, and there is an input on which the mutant is wrong
    equivalent   two solvers prove that it returns and refuses what the original does
    survived     neither: a hole in the obligations

`python -m snapref_smt.mutants` judges all of them. Changes are made in the source text, so that line numbers and the
comments "# Case n", which models.py reads, stay as they are.
"""

import ast
import importlib.util
import inspect
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import z3

from snapref.formats import BINARY64
from snapref_ledger.obligations import REGISTRY, Run
from snapref_smt import models, obligations
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Statement
from snapref_smt.models import SUBJECTS, Lifted, layout
from snapref_smt.replay import expected_clamp, expected_lattice, expected_round, run, show
from snapref_smt.trace import float_line, integer_line, trace

__all__ = ["Mutant", "judge", "mutants", "obligations"]

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
}
OPERATORS: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("-",),
    ast.Sub: ("+",),
    ast.Mult: ("+",),
    ast.LShift: (">>",),
    ast.RShift: ("<<",),
    ast.BitAnd: ("|",),
}
# The obligations that each function has to meet, the quickest to fail first.
TRIALS: dict[str, tuple[str, ...]] = {
    "round_to_lattice": (
        "smt.round.refusals",
        "smt.round.case1",
        "smt.round.case3",
        "smt.round.case4",
        "smt.round.case2",
        "smt.round.cases",
        "smt.round.widths",
    ),
    "lattice_exponent": (
        "smt.lattice.refusals",
        "smt.lattice.covers",
        "smt.lattice.minimal",
        "smt.lattice.widths",
    ),
    "clamp": ("smt.clamp.refusals", "smt.clamp.result", "smt.clamp.range", "smt.clamp.widths"),
}
ORIGINALS = dict(SUBJECTS)


@dataclass(frozen=True)
class Mutant:
    """One change to the source of one function."""

    function: str
    line: int  # of the source file
    column: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.function}:{self.line}:{self.column}  {self.before}  →  {self.after}"


@dataclass(frozen=True)
class Verdict:
    """The fate of a mutant. If it was killed: by which obligation, and the trace of an input on which it is wrong."""

    fate: str
    by: str = ""
    witness: str = ""


def mutants(name: str) -> Iterator[Mutant]:
    """Every mutant of a function: comparisons, operators, `and`/`or`, and each integer one up and one down."""
    function = ORIGINALS[name]
    path = Path(inspect.getfile(function))
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    node = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    for inner in (n for statement in node.body for n in ast.walk(statement)):
        for left, right, symbols in _changes(inner):
            yield from _between(name, source, left, right, symbols)
        if isinstance(inner, ast.Constant) and type(inner.value) is int:
            text = str(inner.value)
            for value in (inner.value + 1, inner.value - 1):
                yield Mutant(name, inner.lineno, inner.col_offset, text, f"({value})" if value < 0 else str(value))


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, tuple[str, ...]]]:
    """(left operand, right operand, the operators that could stand between them instead)."""
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield node.left, node.right, OPERATORS[type(node.op)]
    elif isinstance(node, ast.Compare):
        yield node.left, node.comparators[0], COMPARISONS[type(node.ops[0])]
    elif isinstance(node, ast.BoolOp):
        yield node.values[0], node.values[1], ("or",) if isinstance(node.op, ast.And) else ("and",)


def _between(name: str, source: str, left: ast.expr, right: ast.expr, symbols: Sequence[str]) -> Iterator[Mutant]:
    """The mutants of one operator. It is what the text has between two operands, without spaces and parentheses."""
    assert left.end_lineno == right.lineno
    assert left.end_col_offset is not None
    line = source.splitlines()[right.lineno - 1].encode()
    gap = line[left.end_col_offset : right.col_offset].decode()
    symbol = gap.strip(" ()")
    column = left.end_col_offset + gap.index(symbol)
    for other in symbols:
        yield Mutant(name, right.lineno, column, symbol, other)


def mutated(mutant: Mutant, folder: Path) -> Callable[..., int]:
    """The changed function, loaded from a source file of its own."""
    path = Path(inspect.getfile(ORIGINALS[mutant.function]))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    line = lines[mutant.line - 1].encode()
    start, end = mutant.column, mutant.column + len(mutant.before.encode())
    assert line[start:end].decode() == mutant.before, mutant
    lines[mutant.line - 1] = (line[:start] + mutant.after.encode() + line[end:]).decode()
    name = f"mutant_{abs(hash(mutant))}"
    file = folder / f"{name}.py"
    file.write_text("".join(lines), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., int] = getattr(module, mutant.function)
    return function


def judge(mutant: Mutant, timeout: float = 60.0) -> Verdict:
    """Puts the mutant in the place of the original, and asks each obligation in turn."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            _install(mutant.function, mutated(mutant, Path(folder)))
            for id in TRIALS[mutant.function]:
                outcome = REGISTRY[id].check(Run(timeout=timeout))
                if outcome.status == "refuted":
                    return Verdict("killed", id, outcome.witness)
                if outcome.status != "proved" and (witness := _difference(mutant)):
                    return Verdict("killed", f"{id} ({outcome.status})", witness)
            return _equivalence(mutant, timeout)
        except Exception as error:  # the mutant cannot even be lifted: it shifts by a negative constant, say
            witness = _difference(mutant)
            return Verdict("killed", f"{type(error).__name__}: {error}", witness) if witness else Verdict("survived")
        finally:
            _install(mutant.function, ORIGINALS[mutant.function])


def _install(name: str, function: Callable[..., int]) -> None:
    SUBJECTS[name] = function
    for lifted in (models.lifted_round, models.lifted_lattice, models.lifted_clamp):
        lifted.cache_clear()


def _lifted(name: str) -> Lifted:
    return {
        "round_to_lattice": models.lifted_round,
        "lattice_exponent": models.lifted_lattice,
        "clamp": models.lifted_clamp,
    }[name](BINARY64)


def _equivalence(mutant: Mutant, timeout: float) -> Verdict:
    """Decides whether mutant and original refuse the same inputs, and return the same for all others."""
    changed = _lifted(mutant.function)
    _install(mutant.function, ORIGINALS[mutant.function])
    original = _lifted(mutant.function)
    accepted = [code.accepted for code in (changed, original)]
    results = [_result(code) for code in (changed, original)]
    same = z3.And(accepted[0] == accepted[1], z3.Implies(accepted[0], results[0] == results[1]))
    theorem = Statement("equivalence", (), same, z3.Not(accepted[0]), variables=original.variables)
    return (
        Verdict("equivalent", "two solvers")
        if decide(theorem, Run(timeout=timeout)).status == "proved"
        else Verdict("survived")
    )


def _result(code: Lifted) -> z3.BitVecRef:
    result = z3.BitVecVal(0, code.width)
    for path in code.returning():
        result = z3.If(path.condition, path.result, result)
    return result


def _difference(mutant: Mutant) -> str:
    """The trace of an input on which the mutant is wrong, or "". Only special patterns and special m are tried."""
    form = layout(BINARY64)
    for arguments in _corners(mutant.function):
        got = run(mutant.function, *arguments, BINARY64)
        wanted: int | str = _EXPECTED[mutant.function](*arguments, form)
        refused = isinstance(wanted, str) and isinstance(got, str) and got.startswith("ParameterError")
        if got != wanted and not refused:
            lines = [float_line("x", arguments[0], form)]
            if mutant.function == "round_to_lattice":
                lines.append(integer_line("m", arguments[1]))
            if mutant.function == "clamp":
                lines.append(float_line("bound", arguments[1], form))
            return trace([*lines, show("result", got, form)], str(wanted))
    return ""


_EXPECTED: Mapping[str, Callable[..., int | str]] = {
    "round_to_lattice": expected_round,
    "lattice_exponent": expected_lattice,
    "clamp": expected_clamp,
}


def _corners(name: str) -> Iterator[tuple[int, ...]]:
    fractions = (0, 1, (1 << 51) - 1, 1 << 51, (1 << 51) + 1, (1 << 52) - 1)
    numbers = [
        (sign << 63) | (field << 52) | fraction
        for sign in (0, 1)
        for field in (0, 1, 2, 51, 52, 53, 1022, 1023, 1024, 1074, 1075, 2045, 2046, 2047)
        for fraction in fractions
    ]
    if name == "lattice_exponent":
        yield from ((x,) for x in numbers)
    elif name == "clamp":
        yield from ((x, bound) for x in numbers for bound in numbers[:: 5 if x % 2 else 1])
    else:
        exponents = (-1075, -1074, -1073, -1023, -1022, -1021, -970, -1, 0, 1, 2, 970, 971, 1022, 1023, 1024)
        yield from ((x, m) for x in numbers for m in exponents)


def main(arguments: Sequence[str]) -> int:
    """Judges every mutant of the functions named (all three without a name) and prints the score."""
    fates: dict[str, int] = {}
    for name in arguments or TRIALS:
        for mutant in mutants(name):
            started = time.monotonic()
            verdict = judge(mutant)
            fates[verdict.fate] = fates.get(verdict.fate, 0) + 1
            print(f"{verdict.fate:<11} {mutant}   {verdict.by}   {time.monotonic() - started:.1f} s", flush=True)
            if verdict.witness:
                print("    " + verdict.witness.replace("\n", "\n    "), flush=True)
    print(", ".join(f"{count} {fate}" for fate, count in fates.items()))
    return 1 if fates.get("survived") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
