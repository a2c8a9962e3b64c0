"""The ideal mechanism: sums of exponentials with exact signs, and the law of the output and of the error."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref.errors import ParameterError
from snapref_proofs.accuracy.program import Computed
from snapref_proofs.evaluate.parameters import Parameters, smallest_lattice
from snapref_proofs.ideal import model as module
from snapref_proofs.ideal.model import (
    ExpSum,
    Ideal,
    constant,
    exponential,
    laplace_below,
    round_to_lattice,
)

ONE = Fraction(1)
rationals = st.fractions(min_value=-3, max_value=3, max_denominator=16)


def mechanisms() -> st.SearchStrategy[Ideal]:
    scales = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=64)
    ratios = st.fractions(min_value=Fraction(1, 8), max_value=6, max_denominator=16)
    return st.builds(lambda scale, ratio: Ideal(Parameters(scale, scale * ratio)), scales, ratios)


def values(ideal: Ideal) -> st.SearchStrategy[Fraction]:
    """f inside and outside [-B, B], at the ends, at outputs, at thresholds."""
    anywhere = st.fractions(min_value=-2, max_value=2, max_denominator=8).map(lambda t: t * ideal.bound)
    steps = st.integers(-4, 4).map(lambda n: n * ideal.lattice / 2)
    return st.one_of(st.sampled_from([ideal.bound, -ideal.bound, Fraction(0)]), anywhere, steps)


def test_exponential_sums_are_compared_exactly():
    assert exponential(ONE) - exponential(ONE) == constant(0)
    assert (1 - exponential(Fraction(0))).sign() == 0
    assert (exponential(ONE) - Fraction(2718281828, 10**9)).sign() == 1
    assert (Fraction(2718281828, 10**9) - exponential(ONE)).sign() == -1
    assert exponential(Fraction(-1)).at_most(Fraction(1, 2))
    assert not exponential(Fraction(-1)).at_most(Fraction(1, 3))
    low, high = (2 * exponential(Fraction(-50)) + 1).enclosure(256)
    assert low <= high
    assert high - low < Fraction(1, 2**200)


def test_a_sign_that_is_not_found_is_an_error(monkeypatch):
    monkeypatch.setattr(module, "sign", lambda *args: 0)
    with pytest.raises(ArithmeticError, match="bits"):
        exponential(ONE).sign()


@given(x=rationals, y=rationals)
def test_the_laplace_distribution_function(x, y):
    """Increasing, and F(-x) = 1 - F(x)."""
    assert laplace_below(-x, ONE) == 1 - laplace_below(x, ONE) or x == 0
    if x < y:
        assert (laplace_below(y, ONE) - laplace_below(x, ONE)).sign() == 1


def test_lattice_and_rounding():
    assert smallest_lattice(ONE) == 1
    assert smallest_lattice(Fraction(5, 4)) == 2
    assert smallest_lattice(Fraction(3, 16)) == Fraction(1, 4)
    assert round_to_lattice(Fraction(1, 2), ONE) == 1  # ties toward +∞
    assert round_to_lattice(Fraction(-1, 2), ONE) == 0


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_probability_is_the_sum_over_the_outputs(data):
    ideal = data.draw(mechanisms())
    f = data.draw(values(ideal))
    law = list(ideal.law(f))
    assert [x for x, _ in law] == sorted({x for x, _ in law})
    assert sum((p for _, p in law), constant(0)) == constant(1)
    assert all(p.sign() > 0 for _, p in law)
    errors = [abs(f - x) for x, _ in law]
    a = data.draw(st.one_of(st.sampled_from(errors), st.integers(0, 8).map(lambda n: n * ideal.lattice / 4)))
    assert ideal.exceeds(a, f) == sum((p for x, p in law if abs(f - x) > a), constant(0))
    if a > 0:
        assert ideal.reaches(a, f) == sum((p for x, p in law if abs(f - x) >= a), constant(0))
    assert ideal.expected_error(f) == sum((abs(f - x) * p for x, p in law), constant(0))


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_thresholds_are_where_the_program_changes_its_output(data):
    """The law speaks of the program `output_from`: just below a threshold one output, at it the next."""
    ideal = data.draw(mechanisms())
    f = data.draw(values(ideal))
    k = data.draw(st.integers(-ideal.last, ideal.last - 1))
    clamped = max(-ideal.bound, min(ideal.bound, f))
    noise = (k + Fraction(1, 2)) * ideal.lattice - clamped
    assert ideal.output_from(f, noise - ideal.lattice / 2**20) == ideal.output(k)
    assert ideal.output_from(f, noise) == ideal.output(k + 1)


def test_the_floating_point_program_is_close():
    parameters = Parameters(Fraction(5, 4), Fraction(9))
    ideal, program = Ideal(parameters), Computed(parameters)
    for f in (Fraction(0), Fraction(9), Fraction(-13, 8)):
        for k in range(-ideal.last, ideal.last + 1):
            difference = ideal.up_to(k, f) - program.up_to(k, f)
            assert difference.at_most(Fraction(1, 2**45))
            assert (-difference).at_most(Fraction(1, 2**45))


def test_parameters_must_be_positive():
    for wrong in ((0, 1), (1, 0), (-1, 1)):
        with pytest.raises(ParameterError, match="positive"):
            Parameters(*map(Fraction, wrong))


def test_equal_sums_are_equal_objects():
    assert ExpSum({Fraction(1): Fraction(0), Fraction(2): ONE}) == exponential(Fraction(2))
    assert sum([exponential(ONE), exponential(ONE)], constant(0)) == 2 * exponential(ONE)
    assert abs(float(exponential(ONE)) - 2.718281828459045) < 1e-15
