"""Unknown integers without a width: what is known of them is what Python computes, and no more than that."""

from collections.abc import Callable
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref_ledger import Run
from snapref_smt.engine import integers
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.executor import Escape
from snapref_smt.engine.integers import Whole, against, facts, product, term_of, times, unique, wholes

OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda x, n: x + n - 3,
    lambda x, n: 7 - x * n,
    lambda x, n: -x,
    lambda x, n: abs(x - n),
    lambda x, n: x << n,
    lambda x, n: x >> n,
    lambda x, n: x // 8 + n,
    lambda x, n: x & ((1 << n) - 1),
    lambda x, n: 15 & x,
    lambda x, n: (x << n) | ((1 << n) - 1),
    lambda x, n: x.bit_length(),
    lambda x, n: 5 << n,
    lambda x, n: max(x, n),
    lambda x, n: 1 if x else 0,
    lambda x, n: 1 if x != n else 0,
]


@settings(max_examples=60)
@given(st.integers(-300, 300), st.integers(1, 9), st.sampled_from(OPERATIONS))
def test_an_operation_is_pythons(x: int, n: int, operation: Callable[[Any, Any], Any]) -> None:
    """Under x = …, n = … and the values of the powers of two, no other result is possible."""
    known = [z3.Int("x") == x, z3.Int("n") == n, z3.Int("pow2.n") == 2**n]
    ran = integers.run("", lambda: term_of(operation(*wholes("x n"))), known)
    solver = z3.Solver()
    for path in ran.paths:
        result = path.result
        about = [*known, *path.decisions, *(side.condition for side in path.sides), result == operation(x, n)]
        solver.push()
        solver.add(*known, *path.decisions, *facts([*about, result]))
        if solver.check() == z3.sat:
            lengths = [against(Whole(z3.Int("length.x")), k) for k in range(10)]
            lengths += [against(Whole(z3.Int("length.x") - 1), k) for k in range(10)]
            solver.add(*lengths, result != operation(x, n))
            assert solver.check() == z3.unsat
        solver.pop()


@pytest.mark.parametrize(
    "use",
    [
        lambda x: [1, 2][x],
        lambda x: float(x),
        lambda x: x & x,
        lambda x: x | 1,
        lambda x: x // 0,
        lambda x: x + 0.5,
        lambda x: x % 2,
        hash,
    ],
)
def test_an_unknown_integer_does_not_become_known(use: Callable[[Any], Any]) -> None:
    with pytest.raises(Escape):
        integers.run("", lambda: use(Whole(z3.Int("x"))))


def test_what_an_operation_relies_on_is_left_to_prove() -> None:
    ran = integers.run("", lambda: term_of(1 << Whole(z3.Int("x"))))
    assert any(str(side.condition) == "x >= 0" for path in ran.paths for side in path.sides)
    assert f"{Whole(z3.Int('x'))} {Whole(z3.Int('x'))!r}" == "x x"


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 9))
def test_the_laws_hold_of_numbers(a: int, b: int, c: int) -> None:
    def holds(formula: z3.BoolRef) -> bool:
        solver = z3.Solver()
        solver.add(*facts([formula]), z3.Not(formula))
        return bool(solver.check() == z3.unsat)

    assert holds(product(a, b))
    assert holds(against(a, b))
    assert holds(times(z3.IntVal(a), z3.IntVal(b), z3.IntVal(c)))
    assert holds(unique(z3.IntVal(a), z3.IntVal(c + 1), z3.IntVal(a // (c + 1)), z3.IntVal(a % (c + 1))))


def test_the_laws_are_proved() -> None:
    assert decide_all(integers.laws(), Run()).status == "proved"
