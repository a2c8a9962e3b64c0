"""The law of U*, exactly: each draw of a bounded format enumerated, probabilities as fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import binary64
from snapref.errors import ParameterError
from snapref.uniform import Uniform, uniform_law


def value(u: tuple[int, int]) -> Fraction:
    return u[0] * Fraction(2) ** u[1]


def law(uniform: Uniform, last: int) -> Counter[Fraction]:
    """The probability of each value; the draws with an exponent beyond `last` must all lead to the same value."""
    mantissas = 2 ** (uniform.precision - 1)
    probabilities: Counter[Fraction] = Counter()
    for exponent, mantissa in product(range(1, last + 1), range(mantissas)):
        probabilities[value(uniform(exponent, mantissa))] += Fraction(1, 2**exponent * mantissas)
    (rest,) = {value(uniform(last + more, mantissa)) for more in (1, 2, 40) for mantissa in range(mantissas)}
    probabilities[rest] += Fraction(1, 2**last)
    return probabilities


@pytest.mark.parametrize(("precision", "smallest"), [(5, -9), (4, -20), (6, -3), (3, -1), (7, -12)])
def test_the_law_of_a_bounded_format(precision: int, smallest: int) -> None:
    probabilities = law(Uniform(precision, smallest), last=-smallest + 2)
    assert sum(probabilities.values()) == 1
    support = sorted(probabilities)
    assert support[0] == Fraction(2) ** smallest
    assert support[-1] < 1
    for t in [*support[1:], Fraction(1)]:  # P(U* < t) = t for every float t but the smallest, where it is 0
        assert sum(p for u, p in probabilities.items() if u < t) == t
    for u, above in zip(support, [*support[1:], Fraction(1)], strict=True):
        mass_below = u if u == support[0] else 0  # what would fall below the smallest number goes to it
        assert probabilities[u] == above - u + mass_below  # the unit in the last place


@pytest.mark.parametrize("precision", [2, 5, 8])
def test_unbounded_gives_each_float_its_ulp(precision: int) -> None:
    uniform = Uniform(precision)
    for exponent, mantissa in product(range(1, 30), range(2 ** (precision - 1))):
        u = value(uniform(exponent, mantissa))
        ulp = Fraction(2) ** (1 - precision - exponent)
        assert Fraction(1, 2**exponent * 2 ** (precision - 1)) == ulp
        assert u / ulp == 2 ** (precision - 1) + mantissa  # a p-bit significand on the grid of that ulp
        assert Fraction(1, 2**exponent) <= u < Fraction(2, 2**exponent)


@given(st.integers(1, 1022), st.integers(0, 2**52 - 1))
def test_binary64_normal(exponent: int, mantissa: int) -> None:
    assert Fraction(binary64.uniform(exponent, mantissa)) == (1 + Fraction(mantissa, 2**52)) / 2**exponent


@given(st.integers(1023, 1200), st.integers(0, 2**52 - 1))
def test_binary64_subnormal_is_cut_down_and_never_zero(exponent: int, mantissa: int) -> None:
    exact = (1 + Fraction(mantissa, 2**52)) / Fraction(2) ** exponent
    grid = Fraction(2) ** -1074
    assert Fraction(binary64.uniform(exponent, mantissa)) == max(exact // grid * grid, grid)


def test_unbounded_has_no_limit() -> None:
    assert uniform_law("unbounded", 53)(10**9, 0) == (2**52, -(10**9) - 52)


def test_binary64_is_made_of_doubles_whatever_the_arithmetic() -> None:
    assert uniform_law("binary64", 118) == Uniform(53, -1074)
    assert uniform_law("bounded:-20", 7) == Uniform(7, -20)


@pytest.mark.parametrize(
    "kind", ["", "normal", "bounded", "bounded:", "bounded:0", "bounded:3", "bounded:x", "bounded:--3"]
)
def test_unknown_kinds(kind: str) -> None:
    with pytest.raises(ParameterError, match="uniform must be"):
        uniform_law(kind, 53)


@pytest.mark.parametrize(
    ("exponent", "mantissa"), [(0, 0), (-1, 0), (1, -1), (1, 2**52), (True, 0), (1.0, 0), (1, "0")]
)
def test_bad_draws(exponent: int, mantissa: int) -> None:
    with pytest.raises(ParameterError, match=r"exponent|mantissa"):
        binary64.uniform(exponent, mantissa)
