"""The executor beside Python, on random programs and on the reference's own functions: the path whose condition holds
gives the value that Python gives, within its bounds; and its side conditions hold just where the width suffices."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
import z3
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from snapref.clamp import clamp
from snapref.errors import ParameterError
from snapref.formats import Format
from snapref.lattice import lattice_exponent
from snapref.rounding import round_to_lattice
from snapref_smt.engine import executor
from snapref_smt.engine.executor import Escape, Path, Symbolic, explore, paths, unknown

WIDTH = 12
A, B = z3.BitVec("a", 8), z3.BitVec("b", 6)  # a has a sign
INPUTS = [(a, b) for a in (-128, -37, -1, 0, 1, 90, 127) for b in (0, 1, 6, 63)]

Tree = Any  # "a", "b", an int, or (operation, operands…)
OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "<<": lambda x, y: x << (y & 3),
    ">>": lambda x, y: x >> (y & 7),
    "negated": lambda x: -x,
    "length": lambda x: x.bit_length(),
}
COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


def grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    binary = st.tuples(st.sampled_from(["+", "-", "*", "&", "|", "<<", ">>"]), inner, inner)
    unary = st.tuples(st.sampled_from(["negated", "length"]), inner)
    branch = st.tuples(st.just("if"), st.sampled_from(sorted(COMPARISONS)), inner, inner, inner, inner)
    return binary | unary | branch


TREES = st.recursive(st.sampled_from(["a", "b"]) | st.integers(-9, 9), grown, max_leaves=8)


def run(tree: Tree, a: Any, b: Any, seen: Callable[[Any, str], None] = lambda value, what: None) -> Any:
    """The program on integers, known or unknown; `seen` is told what each operation makes, and is given."""
    if not isinstance(tree, tuple):
        return {"a": a, "b": b}.get(tree, tree)
    if tree[0] == "if":
        _, comparison, left, right, then, otherwise = tree
        holds = COMPARISONS[comparison](run(left, a, b, seen), run(right, a, b, seen))
        return run(then if holds else otherwise, a, b, seen)
    operands = [run(operand, a, b, seen) for operand in tree[1:]]
    if tree[0] == "length":
        seen(operands[0] - 1, "the magnitude")  # that of the most negative number is one too large
    result = OPERATIONS[tree[0]](*operands)
    seen(result, tree[0])
    return result


def at(term: Any, **values: int) -> Any:
    """The term where the variables have these values."""
    variables = {"a": A, "b": B, "x": X, "m": M, "y": Y}
    known = [(variables[name], z3.BitVecVal(value, variables[name].size())) for name, value in values.items()]
    return z3.simplify(z3.substitute(term, *known))


def compare(tree: Tree) -> None:
    """The executor and Python on one program."""

    def program() -> Any:
        return run(tree, unknown(z3.SignExt(WIDTH - 8, A)), unknown(B))

    with patch.object(executor, "SHIFTED", 2):  # so that few zeros count as many
        found = paths(program, WIDTH)
    for a, b in INPUTS:
        made: list[int] = []
        expected = run(tree, a, b, lambda value, what, made=made: made.append(value))  # type: ignore[misc]
        (path,) = [path for path in found if z3.is_true(at(path.condition, a=a, b=b))]
        sound = all(z3.is_true(at(side.condition, a=a, b=b)) for side in path.sides)
        fits = all(-1 << (WIDTH - 1) <= value < 1 << (WIDTH - 1) for value in made)
        assert sound or not fits, "a side condition fails where Python's integers fit"
        if not sound:
            continue
        if isinstance(path.result, Symbolic):
            assert at(path.result.term, a=a, b=b).as_signed_long() == expected
            assert path.result.low <= expected <= path.result.high
        else:
            assert path.result == expected


@settings(max_examples=80, deadline=None)
@given(TREES)
def test_a_random_program(tree: Tree) -> None:
    try:
        compare(tree)
    except Escape:  # a constant that the width does not hold
        reject()


PROGRAMS: list[Tree] = [
    ("if", "<", "a", 0, ("negated", "a"), ("+", "a", "b")),
    ("|", ("<<", "a", 3), "b"),
    ("-", "b", ("<<", "a", 3)),
    ("+", "b", ("<<", ("+", "a", 5), 2)),
    ("*", ("*", "a", "b"), "b"),
    ("length", ("-", "b", 70)),
    ("if", "==", "b", 6, (">>", "a", "b"), ("&", "a", 7)),
    (">>", "a", "b"),
    ("*", ("*", ("+", "b", 1), 64), 64),  # never within the width
]


@pytest.mark.parametrize("tree", PROGRAMS, ids=str)
def test_a_chosen_program(tree: Tree) -> None:
    compare(tree)


def _narrow(term: Any) -> tuple[int, int]:
    return 0, 50


def _cut(operation: Any, a: Any, b: Any) -> Any:
    return operation(a, b) & ~1


@pytest.mark.parametrize(
    ("owner", "name", "wrong"),
    [
        (Symbolic, "__or__", Symbolic.__and__),
        (Symbolic, "__lt__", Symbolic.__le__),
        (Symbolic, "__add__", Symbolic.__sub__),
        (Symbolic, "bit_length", lambda self: self),
        (Symbolic, "_demand", lambda self, what, condition: None),
        (executor, "_shown", _narrow),
        (executor, "_upper", _cut),
        (executor._Execution, "settled", lambda run, number: run.known(1)),
        (executor._Execution, "decide", lambda run, condition: True),
    ],
)
def test_a_wrong_executor_is_found(owner: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, name, wrong)
    assert any(_differs(tree) for tree in PROGRAMS)


def _differs(tree: Tree) -> bool:
    try:
        compare(tree)
    except (AssertionError, ValueError):
        return True
    return False


def test_nothing_is_left_of_a_run() -> None:
    """Outside of it there are no unknown integers, and those of one run mean nothing in another."""
    with pytest.raises(Escape, match="no run"):
        unknown(B)
    (path,) = paths(lambda: (unknown(B), unknown(B) > 5), WIDTH)
    number, comparison = path.result
    for use in (lambda: number + 1, lambda: number.bit_length(), lambda: bool(comparison)):
        with pytest.raises(Escape):
            use()
        with pytest.raises(Escape, match="of another run"):
            paths(use, WIDTH)


# The reference's own functions, in a format of seven bits

SMALL = Format(precision=4, exponent_bits=3)
X, Y, M = z3.BitVec("x", 7), z3.BitVec("y", 7), z3.BitVec("m", 5)
PATTERN, EXPONENT = st.integers(0, 127), st.integers(-16, 15)


def lifted(function: Callable[..., int], *arguments: Any) -> list[Path]:
    return explore(function, arguments, 16, constants=[SMALL], expected_error=ParameterError)


def agrees(found: list[Path], function: Callable[..., int], **values: int) -> bool:
    try:
        expected: int | None = function(*values.values(), SMALL)
    except ParameterError:
        expected = None
    (path,) = [path for path in found if z3.is_true(at(path.condition, **values))]
    assert all(z3.is_true(at(side.condition, **values)) for side in path.sides)
    return expected == (None if path.error else at(path.result, **values).as_signed_long())


@pytest.fixture(scope="module")
def rounding() -> list[Path]:
    return lifted(round_to_lattice, z3.ZeroExt(9, X), z3.SignExt(11, M))


@settings(max_examples=60, deadline=None)
@given(PATTERN, EXPONENT)
def test_rounding(rounding: list[Path], x: int, m: int) -> None:
    assert agrees(rounding, round_to_lattice, x=x, m=m)


def test_lattice_and_clamp() -> None:
    lattice, clamped = lifted(lattice_exponent, z3.ZeroExt(9, X)), lifted(clamp, z3.ZeroExt(9, X), z3.ZeroExt(9, Y))
    assert all(agrees(lattice, lattice_exponent, x=x) for x in range(128))
    assert all(agrees(clamped, clamp, x=x, y=y) for x in range(0, 128, 5) for y in range(0, 128, 7))


def test_another_function_does_not_agree(rounding: list[Path]) -> None:
    assert not all(agrees(rounding, lambda x, m, fmt: round_to_lattice(x, m + 1, fmt), x=x, m=0) for x in range(32, 64))
