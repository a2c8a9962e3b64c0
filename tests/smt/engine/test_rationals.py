"""Unknown rationals mean what Python's fractions mean, and do not become concrete unnoticed."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from snapref_smt.engine.executor import Escape, paths
from snapref_smt.engine.rationals import Exponent, Numbers, Rational, cancelled, lifted

fractions = st.fractions(min_value=-50, max_value=50, max_denominator=30)


def values(program: Callable[[Any, Any], Any], x: Fraction, y: Fraction) -> list[Fraction]:
    """What the program returns for unknown numbers, where these are x and y: on each path that is possible then."""
    numbers, a, b = Numbers(), z3.Real("a"), z3.Real("b")
    given = [a == lifted(x), b == lifted(y)]
    found: list[Fraction] = []
    for path in paths(lambda: program(Rational(a, numbers), Rational(b, numbers)), 1, given, ZeroDivisionError):
        result = path.result.term
        solver = z3.Solver()
        solver.add(*given, *path.decisions)
        solver.add(*numbers.known([*given, *path.decisions, result == result], discrete=True))
        if solver.check() == z3.sat:
            value = solver.model().eval(result, model_completion=True)
            # floor has the nearest integer below as its only value among integers; the facts leave no other integer
            found.append(Fraction(str(value)))
    return found


PROGRAMS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x * y + 3 * x - y / 7 - Fraction(1, 3),
    lambda x, y: 5 - x if x <= y else y - 2,
    lambda x, y: abs(x) + abs(y),
    lambda x, y: x if x == y or x > 3 else y if x != 2 * y and y >= 1 else -x,
    lambda x, y: (x / 4) * 4 + (1 / (y * y + 1)) * (y * y + 1),
    lambda x, y: x + 1 if x - y else y,
]


@pytest.mark.parametrize("program", PROGRAMS)
@given(x=fractions, y=fractions)
def test_arithmetic_is_that_of_fractions(program: Callable[[Any, Any], Any], x: Fraction, y: Fraction) -> None:
    assert values(program, x, y) == [program(x, y)]


def test_floors_lie_within_their_facts() -> None:
    numbers, x = Numbers(), z3.Real("x")
    (path,) = paths(lambda: divmod(Rational(x, numbers), 2), 1)
    whole, rest = (part.term for part in path.result)
    solver = z3.Solver()
    solver.add(
        *numbers.known([whole == rest]), x == 7, z3.Not(z3.And(whole > 2, whole <= z3.Q(7, 2), rest == 7 - 2 * whole))
    )
    assert solver.check() == z3.unsat


def test_a_quotient_leaves_that_nothing_is_divided_by_zero() -> None:
    numbers = Numbers()
    (path,) = paths(lambda: Rational(z3.Real("x"), numbers) / Rational(z3.Real("y"), numbers), 1)
    assert [str(side.condition) for side in path.sides] == ["Not(y == 0)"]


def test_exponents_compare_as_their_powers() -> None:
    numbers = Numbers()
    k = Exponent({numbers.power("K"): 1}, 0, numbers)
    asked: list[Callable[[], Any]] = [
        lambda: k < 3, lambda: k <= 3, lambda: k > 3, lambda: k >= 3, lambda: k == 3, lambda: k != 3, lambda: 5 - k < 2,
    ]  # fmt: skip
    for question, truths in zip(asked, ("<", "<=", ">", ">=", "==", "!=", ">"), strict=True):
        for path in paths(lambda question=question: bool(question()), 1):  # type: ignore[misc]
            for exponent in (2, 3, 4):
                holds = z3.simplify(z3.substitute(path.condition, (z3.Real("K"), z3.RealVal(2**exponent))))
                assert z3.is_true(holds) == (eval(f"{exponent} {truths} 3") == path.result)


ESCAPES: list[Callable[[Any, Any], Any]] = [
    lambda x, k: int(x),
    lambda x, k: float(x),
    lambda x, k: hash(x),
    lambda x, k: str(x),
    lambda x, k: x + 0.5,
    lambda x, k: x + True,
    lambda x, k: x % 2,
    lambda x, k: x**2,
    lambda x, k: Rational(z3.RealVal(3), x.numbers) ** k,
    lambda x, k: 3**k,
    lambda x, k: x.bit_length(),
    lambda x, k: k * 2,
    lambda x, k: k + x,
    lambda x, k: bool(k),
]


@pytest.mark.parametrize("program", ESCAPES)
def test_nothing_becomes_concrete_unnoticed(program: Callable[[Any, Any], Any]) -> None:
    numbers = Numbers()
    k = Exponent({numbers.power("K"): 1}, 0, numbers)
    with pytest.raises(Escape):
        paths(lambda: program(Rational(z3.Real("x"), numbers), k), 1)


def test_a_common_factor_is_cancelled() -> None:
    x, y = z3.Reals("x y")
    assert [str(part) for part in cancelled(x * y, y)] == ["x", "1"]
    assert [str(part) for part in cancelled(x * y + 2, y)] == ["x*y + 2", "y"]
