"""B from the bounds of the data and ε from a wanted accuracy: the least floats, checked exactly; and wrong formulas."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import z3
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from snapref import Mechanism
from snapref.budget import plan_budget
from snapref.errors import ParameterError
from snapref_ledger import REGISTRY, Run
from snapref_proofs.accuracy import planning, planning_obligations
from snapref_proofs.accuracy.planning import (
    QUERIES,
    failure,
    least_double,
    least_positive_double,
    plan_bound,
    plan_epsilon,
)
from snapref_proofs.accuracy.program import program_of
from tests.breaking import obligation_fails


def run(name: str) -> str:
    return REGISTRY[f"proofs.planning.{name}"].check(Run()).status


@pytest.mark.parametrize(
    ("query", "adjacency", "largest", "change"),
    [
        ("count", "add-remove", 10, 1),
        ("cell", "replace-one", 10, 1),
        ("sum", "add-remove", 40, 4),
        ("sum", "replace-one", 40, 6),
        ("mean", "add-remove", 4, Fraction(6, 11)),
        ("mean", "replace-one", 4, Fraction(6, 10)),
        ("variance", "add-remove", 9, Fraction(360, 121)),
        ("variance", "replace-one", 9, Fraction(324, 100)),
    ],
)
def test_bounds_of_ten_records_between_minus_2_and_4(
    query: str, adjacency: planning.Adjacency, largest: Fraction, change: Fraction
) -> None:
    plan = plan_bound(query, 10, -2.0, 4.0, adjacency)
    assert (plan.largest, plan.change) == (largest, change)
    assert plan.bound == largest
    exact = query in ("count", "cell")
    assert plan.sensitivity == (1.0 if exact else least_double("", change + Fraction(math.ulp(float(largest)))))
    assert len(plan.assumes) == 4


FINITE = st.floats(-1e6, 1e6)


@settings(max_examples=200)
@given(
    st.sampled_from(sorted(QUERIES)),
    st.integers(1, 10**6),
    FINITE,
    FINITE,
    st.sampled_from(["add-remove", "replace-one"]),
)
def test_the_bound_is_the_least_double(query: str, n: int, x: float, y: float, adjacency: planning.Adjacency) -> None:
    assume(x != y and (n > 1 or query != "variance"))
    plan = plan_bound(query, n, min(x, y), max(x, y), adjacency)
    assert math.nextafter(plan.bound, 0.0) < plan.largest <= plan.bound
    assert Fraction(plan.sensitivity) >= plan.change
    assert Fraction(float(plan.largest)) <= plan.bound  # f rounded to nearest stays inside too


def test_rounded_neighbours_can_be_further_apart_than_the_exact_ones() -> None:
    """Why the sensitivity of a mean has a unit in the last place of B in it."""
    plan = plan_bound("mean", 3, 0.0, 8.0, "replace-one")
    values = [Fraction(k, 3) for k in range(25)]
    apart = max(abs(Fraction(float(v)) - Fraction(float(v + plan.change))) for v in values if v + plan.change <= 8)
    assert plan.change < apart <= Fraction(plan.sensitivity)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("median", 3), "query must be one of count, cell, sum, mean, variance"),
        (("sum", 0, 0.0, 1.0), "size = 0 must be at least 1"),
        (("sum", 3, 2.0, 1.0), r"lower = 2\.0 must not be larger than upper = 1\.0"),
        (("sum", 3, math.nan, 1.0), "lower must be finite"),
        (("sum", 3, 0.0, 1.0, "swap"), "adjacency must be add-remove or replace-one"),
        (("mean", 3, 1.0, 1.0), "the same for all data"),
        (("variance", 1, 0.0, 1.0, "replace-one"), "the same for all data"),
        (("sum", 100, 0.0, 1e308), r"about 2\*\*1029, is larger than every double"),
        (("sum", 3.0, 0.0, 1.0), "size must be an int"),
    ],
)
def test_bad_bounds(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        plan_bound(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("accuracy", "alpha", "bound", "sensitivity", "precision"),
    [
        (10.0, 0.05, 1000.0, 1.0, 53),
        (10.0, 0.05, 1000.0, 3.0, 53),
        (0.3, 0.5, 1.0, 1.0, 53),
        (2.0, 1e-9, 64.0, 1.0, 24),
        (1e-3, 0.01, 4.0, 0.1, 113),
    ],
)
def test_the_epsilon_is_the_least_double(
    accuracy: float, alpha: float, bound: float, sensitivity: float, precision: int
) -> None:
    plan = plan_epsilon(accuracy, alpha, bound, sensitivity, precision)
    limits = Fraction(bound), Fraction(sensitivity), precision
    assert failure(plan.certificate.budget, Fraction(accuracy)).at_most(Fraction(alpha))
    below = plan_budget(Fraction(math.nextafter(plan.epsilon, 0.0)), *limits)
    assert not failure(below, Fraction(accuracy)).at_most(Fraction(alpha))
    assert 0 < plan.exceeded <= Fraction(alpha) * (1 + Fraction(1, 2**52))
    assert Mechanism(plan.epsilon, bound, sensitivity, precision).certificate == plan.certificate


@settings(max_examples=100, deadline=None)
@given(st.floats(0.01, 50.0), st.floats(1e-9, 0.5), st.floats(0.005, 20.0), st.floats(1.0, 4.0))
def test_a_larger_epsilon_is_never_worse(accuracy: float, alpha: float, epsilon: float, factor: float) -> None:
    """At what Λ jumps too: the bound on P(error > accuracy) does not rise with ε."""
    limits = Fraction(256), Fraction(1), 53
    before, after = (
        failure(plan_budget(Fraction(e), *limits), Fraction(accuracy)) for e in (epsilon, epsilon * factor)
    )
    assert not before.at_most(Fraction(alpha)) or after.at_most(Fraction(alpha))


def test_the_planned_accuracy_is_kept_by_the_exact_program() -> None:
    plan = plan_epsilon(6.0, 0.1, 32.0)
    program = program_of(plan.certificate.budget)
    for numerator in range(-64, 65):
        assert program.exceeds(Fraction(6), Fraction(numerator, 2)).at_most(Fraction(1, 10))


def test_an_accuracy_of_2b_needs_only_the_least_epsilon() -> None:
    plan = plan_epsilon(2000.0, 0.05, 1000.0)
    assert plan.exceeded == 0
    assert plan.certificate.budget.scale <= 1000
    with pytest.raises(ParameterError, match="condition λ ≤ B"):
        plan_budget(Fraction(math.nextafter(plan.epsilon, 0.0)), Fraction(1000), Fraction(1), 53)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, 0.05, 10.0), "accuracy must be positive"),
        ((1.0, 0.0, 10.0), "alpha must be positive"),
        ((1.0, 0.6, 10.0), "alpha = 0.6 must be at most 0.5"),
        ((1.0, 0.05, 0.0), "bound must be positive"),
        ((1.0, 0.05, 10.0, -1.0), "sensitivity must be positive"),
        ((1.0, 0.05, 10.0, 1.0, 5), "precision = 5 is out of range"),
        ((1.0, 0.05, 10.1, 1.0, 11), "bound = 10.1 must be a number that 11 bits hold exactly"),
        ((1e-14, 0.05, 1000.0), "accuracy = 1e-14 with alpha = 0.05 is out of reach"),
    ],
)
def test_bad_wishes(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        plan_epsilon(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("wanted", [5e-324, 1e-300, 0.1, 1.0, 1e308])
def test_bisection_finds_the_least_double(wanted: float) -> None:
    assert least_positive_double(lambda x: x >= wanted) == wanted


def test_wrong_formulas_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half the sensitivity, or a bound that is not attained: some data on the grid say otherwise."""
    mean = QUERIES["mean"]
    for wrong in (
        replace(mean, sensitivity=lambda data: mean.sensitivity(data) / 2),
        replace(mean, largest=lambda data: 2 * mean.largest(data)),
    ):
        monkeypatch.setitem(QUERIES, "mean", wrong)
        assert run("attained") == "refuted"


def test_a_wrong_identity_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    update = planning_obligations.variance_update
    monkeypatch.setattr(planning_obligations, "variance_update", lambda n, m, v, x: update(n, m, v, x) + n * v)
    assert run("formulas") == "refuted"


def test_a_bound_rounded_down_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_obligations, "least_double", lambda name, x: float(x))
    assert run("least") == "refuted"


def test_a_clamp_that_does_not_clamp_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning_obligations, "clamped", lambda v, bound: v)
    assert obligation_fails("proofs.planning.least")
    monkeypatch.setattr(planning_obligations, "clamped", lambda v, bound: z3.If(v > 1, z3.RealVal(1), v))
    assert obligation_fails("proofs.planning.sensitivity")
