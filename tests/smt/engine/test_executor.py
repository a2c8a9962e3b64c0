"""The symbolic executor agrees with Python on integers, forks where Python branches, and lets nothing escape."""

import json
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from snapref_smt.engine.executor import Escape, Path, explore

WIDTH = 24
A, B = z3.BitVecs("a b", WIDTH)


def value(term: z3.ExprRef, a: int, b: int) -> Any:
    return z3.simplify(z3.substitute(term, (A, z3.BitVecVal(a, WIDTH)), (B, z3.BitVecVal(b, WIDTH))))


def taken(paths: list[Path], a: int, b: int) -> Path:
    (path,) = [p for p in paths if all(z3.is_true(value(d, a, b)) for d in p.decisions)]
    return path


def arithmetic(a: Any, b: Any) -> Any:
    if a < 0:
        return ((a >> 3) * 5 - (b & 0xFF)) | 1
    if a.bit_length() > 4 and b != 0:
        return (7 + a) - (b << 2)
    if not (b >= a):
        raise ValueError("b is below a")
    return -(2 * a) + (3 >> (b & 1)) + (1 << (a & 3))


PATHS = explore(arithmetic, [A, B], WIDTH)


@given(st.integers(-(2**15), 2**15), st.integers(-(2**15), 2**15))
def test_the_lifted_function_is_the_function(a: int, b: int) -> None:
    path = taken(PATHS, a, b)
    assert all(z3.is_true(value(z3.Implies(z3.And(*s.decisions), s.condition), a, b)) for s in path.sides)
    if path.error is not None:
        with pytest.raises(ValueError, match=str(path.error)):
            arithmetic(a, b)
    else:
        assert path.result is not None
        assert value(path.result, a, b).as_signed_long() == arithmetic(a, b)


def test_paths_are_complete_and_disjoint() -> None:
    solver = z3.Solver()
    solver.add(z3.Not(z3.Or(*[z3.And(*p.decisions) for p in PATHS])))
    assert solver.check() == z3.unsat
    assert len({p.line for p in PATHS}) == 4


@pytest.mark.parametrize(
    ("function", "a", "b"),
    [
        (lambda a, b: a + b, 2**23 - 1, 1),
        (lambda a, b: a - b, -(2**23), 1),
        (lambda a, b: b - a, -(2**23), 0),
        (lambda a, b: a * b, 2**12, 2**12),
        (lambda a, b: a * 3, 2**22, 0),
        (lambda a, b: a << b, 1, 23),
        (lambda a, b: a << b, 1, -1),
        (lambda a, b: a >> b, 1, -1),
        (lambda a, b: 1 << a, 24, 0),
        (lambda a, b: -a, -(2**23), 0),
        (lambda a, b: a.bit_length(), -(2**23), 0),
    ],
)
def test_what_the_width_does_not_hold_is_owed(function: Any, a: int, b: int) -> None:
    (path,) = explore(function, [A, B], WIDTH)
    assert not all(z3.is_true(value(side.condition, a, b)) for side in path.sides)


@pytest.mark.parametrize(
    "escape",
    [
        lambda a: [0, 1][a],
        int,
        float,
        str,
        repr,
        hash,
        lambda a: f"{a}",
        lambda a: f"{a:x}",
        lambda a: {a: 1},
        range,
        lambda a: a / 2,
        lambda a: a // 2,
        lambda a: a % 2,
        lambda a: a**2,
        lambda a: 2**a,
        lambda a: a ^ 1,
        lambda a: ~a,
        abs,
        round,
        lambda a: a + 1.5,
        lambda a: a == "1",
        lambda a: (a == 1) + 1,
        lambda a: int(a == 1),
        lambda a: str(a == 1),
        lambda a: (a == 1) == (a == 2),
        lambda a: (a == 1) & (a == 2),
        lambda a: 1 << 30,
        lambda a: 1.0,
        lambda a: bytes(a),
        json.dumps,
    ],
)
def test_nothing_becomes_concrete_unnoticed(escape: Any) -> None:
    with pytest.raises(TypeError):
        explore(escape, [A], WIDTH)


def test_a_value_of_another_run_is_refused() -> None:
    kept: list[Any] = []

    def leak(a: Any) -> Any:
        kept.append(a)
        return kept[0] + a if bool(a > 0) or True else a

    with pytest.raises(Escape):
        explore(leak, [A], WIDTH)


def test_an_unexpected_error_is_not_swallowed() -> None:
    def broken(a: Any) -> Any:
        raise KeyError("a defect")

    with pytest.raises(KeyError):
        explore(broken, [A], WIDTH)
