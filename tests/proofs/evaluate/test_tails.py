"""The inversion of thresholds against bisection and enumeration through the reference; and that mistakes are caught."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError
from snapref.formats import working_format
from snapref.lattice import lattice_exponent
from snapref.uniform import Uniform
from snapref_proofs.evaluate import bisection, dyadics, enclosure, tails
from snapref_proofs.evaluate.bisection import agrees, disagreements, random_question, tail_by_bisection
from snapref_proofs.evaluate.distribution import output, probabilities, probability
from snapref_proofs.evaluate.dyadics import at_least, from_fraction, halfway_below, to_fraction
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import Boundary, boundary, ceil_to_grid, reaches, tail
from snapref_proofs.evaluate.variants import with_ties
from snapref_proofs.exact.obligations import count_every_u

PRECISIONS = (2, 3, 5, 6, 8, 11, 24, 53, 113, 118)


def test_inversion_is_what_bisection_finds() -> None:
    assert list(disagreements(1000, seed=1)) == []


def test_the_questions_cover_what_they_promise() -> None:
    rng = random.Random(1)
    asked = [random_question(rng) for _ in range(1500)]
    kinds = {(m.law.precision == m.precision, m.law.smallest is None) for m, _, _ in asked}
    assert {m.precision for m, _, _ in asked} >= set(PRECISIONS)
    assert kinds == {(True, True), (True, False), (False, False)}
    sides = [tail(m, c, boundary(m, j)).below for m, c, j in asked]
    assert 300 < sum(sides) < 1200  # both signs
    ratios = [m.bound / m.scale for m, _, _ in asked]
    assert min(ratios) < Fraction(1, 4)
    assert sum(r > 2**m.precision for r, (m, _, _) in zip(ratios, asked, strict=True)) > 20
    assert any(tail(m, c, boundary(m, j)).mass.significand == 0 for m, c, j in asked)  # a tail that is cut off


@pytest.mark.parametrize("ties", ["up", "down", "away", "even"])
def test_other_tie_rules_are_inverted_too(ties: Ties) -> None:
    rng, program = random.Random(2), with_ties(ties)
    for _ in range(60):
        m, c, j = random_question(rng)
        m = replace(m, ties=ties)
        down, up = (bisection.mass(m, c, j, sign, program) for sign in (1, -1))
        assert agrees(tail(m, c, boundary(m, j)), down, up)


@pytest.mark.parametrize(
    ("precision", "smallest", "scale", "bound"),
    [
        (3, -6, Fraction(1), Fraction(2)),
        (4, -7, Fraction(7, 8), Fraction(5, 4)),
        (4, -3, Fraction(5, 4), Fraction(3)),
        (5, -9, Fraction(3, 2), Fraction(3, 2)),
        (4, -6, Fraction(3), Fraction(1, 2)),  # B < Λ/2
        (3, -8, Fraction(1, 2), Fraction(5)),  # B beyond 2^p·Λ
    ],
)
def test_every_u_of_a_small_format(precision: int, smallest: int, scale: Fraction, bound: Fraction) -> None:
    m = Parameters(scale, bound, precision, f"bounded:{smallest}")
    top = 1 << precision
    for n in range(-top, top + 1):
        c = from_fraction(bound * n / top)
        if not dyadics.is_held(c, precision):
            continue
        counted, _ = count_every_u(m, c)
        computed = {to_fraction(output(m, k)): to_fraction(p) for k, (p,) in probabilities(m, (c,)) if p.significand}
        assert computed == counted
        assert sum(computed.values()) == 1


def test_one_output_at_a_time_is_the_same() -> None:
    m = Parameters(Fraction(0.75), Fraction(5), 24)
    c = from_fraction(1.25)
    assert all(probability(m, k, c) == p for k, (p,) in probabilities(m, (c,)))


def test_memory_does_not_grow_with_the_number_of_outputs() -> None:
    m = Parameters(Fraction(1), Fraction(2.0**40))
    stream = probabilities(m, (from_fraction(0.0),))  # 2^41 + 1 outputs: only a stream can be opened
    k, (p,) = next(stream)
    assert k == -(2**40)
    assert 0 < p.significand < 2**54


@pytest.mark.parametrize("ratio", [2**10, 2**20, 2**46, 2**60])
def test_a_threshold_costs_one_exponential_however_large_the_bound(ratio: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    exp = enclosure.exp_minus
    monkeypatch.setattr(enclosure, "exp_minus", lambda *args: calls.append(args) or exp(*args))
    m = Parameters(Fraction(1), Fraction(float(ratio)))
    found = tail(m, m.held[1], boundary(m, -m.last))
    assert len(calls) == 1
    assert found.mass.exponent + 53 == pytest.approx(-2 * ratio * 1.4426950408889634, rel=1e-3)


def test_inversion_is_faster_than_bisection() -> None:
    """By hundreds of times; a tenth of what is promised still tells an inversion from a search."""
    assert bisection.compare_with_bisection(thresholds=30) > 5


def test_far_tails_agree_with_the_reference() -> None:
    """Where U* is about 2^-(10^13): the reference's own logarithm for such numbers is bisected."""
    m = Parameters(Fraction(1), Fraction(2.0**42))
    for j in (-m.last, -m.last // 2, 7):
        assert agrees(tail(m, m.held[1], boundary(m, j)), *tail_by_bisection(m, m.held[1], j))


def wrong_side(m: Parameters, j: int) -> Boundary:
    """Boundaries with the wrong side: open where ⊕ rounds to even onto them, and closed where it does not."""
    number, closed = boundary(m, j)
    return Boundary(number, not closed)


def nearest_instead_of_up(m: Parameters, n: int, e: int, right: Callable[..., Dyadic] = tails.uniform_below) -> Dyadic:
    """An end of the u-interval rounded to nearest rather than up."""
    up = right(m, n, e)
    low, _ = enclosure.exp_minus(n, e, 400)
    gap = to_fraction(up) - to_fraction(low)
    step = Fraction(2) ** up.exponent
    return Dyadic(up.significand - (gap > step / 2), up.exponent)


def odd_ends(m: Parameters, z: int, unit: int) -> Dyadic:
    """ζ's tie treated as if it always went up."""
    v, ev = halfway_below(z, unit, m.precision)
    (scale, es), _ = m.held
    k = m.precision + 2 + scale.bit_length() - v.bit_length()
    quotient, rest = divmod(v << k, scale)
    y, unit = at_least(2 * quotient + (rest != 0), ev - es - k - 1, m.precision, False)
    return tails.uniform_below(m, *halfway_below(y, unit, m.precision))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("boundary", wrong_side), ("uniform_below", nearest_instead_of_up), ("reaches_number", odd_ends)],
)
def test_a_wrong_evaluator_is_caught(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, name, wrong)
    rng = random.Random(3)
    caught = 0
    for _ in range(400):
        m, c, j = random_question(rng)
        if m.precision > 8:
            continue
        caught += not agrees(tails.tail(m, c, tails.boundary(m, j)), *tail_by_bisection(m, c, j))
    assert caught > 0


def test_the_lattice_is_the_reference_s() -> None:
    fmt = working_format(53)
    for x in (1.0, 0.75, 5e-324, 1.5e-310, 1e300, 2.0**-1022, 3.0):
        assert Parameters(Fraction(x), Fraction(1)).lattice_exponent == lattice_exponent(fmt.encode(x), fmt)


def test_both_engines_enclose_and_agree() -> None:
    rng = random.Random(4)
    for _ in range(300):
        n, e, r = rng.getrandbits(60) | 1, -rng.randint(40, 70), (rng.getrandbits(50) + 1, rng.getrandbits(60) + 1)
        exps = [[to_fraction(x) for x in exp(n, e, 90)] for exp, _ in enclosure.ENGINES.values()]
        logs = [[to_fraction(x) for x in log(*r, 90)] for _, log in enclosure.ENGINES.values()]
        for ends in (exps, logs):
            assert max(low for low, _ in ends) <= min(high for _, high in ends)
            assert all(0 < high - low < high / 2**60 for low, high in ends)


def test_the_evaluator_is_the_same_with_either_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    questions = [random_question(rng) for _ in range(200)]
    answers = []
    for exp, _ in enclosure.ENGINES.values():
        monkeypatch.setattr(enclosure, "exp_minus", exp)
        answers.append([tail(m, c, boundary(m, j)) for m, c, j in questions])
    assert all(answer == answers[0] for answer in answers)


def test_a_straddling_enclosure_is_refined(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that is far too coarse at first gives the same number in the end."""
    m = Parameters(Fraction(1), Fraction(10))
    expected = reaches(m, 3, 0, strict=False)
    exp = enclosure.exp_minus
    monkeypatch.setattr(enclosure, "exp_minus", lambda n, e, bits: exp(n, e, max(2, bits - 90)))
    assert reaches(m, 3, 0, strict=False) == expected


def test_parameters_that_make_no_sense() -> None:
    one = Fraction(1)
    for scale, bound, precision in ((one, one, 1), (one * 0, one, 53), (one, -one, 53)):
        with pytest.raises(ParameterError):
            Parameters(scale, bound, precision)
    with pytest.raises(ParameterError, match="positive"):
        Parameters(one, one, lattice=-one)
    with pytest.raises(ParameterError, match="uniform"):
        Parameters(one, one, 53, "binary32")


def test_what_the_program_cannot_hold_is_not_evaluated() -> None:
    """The ideal mechanism takes any rational parameters; the exact law of the program only those that p bits hold."""
    one = Fraction(1)
    for m in (Parameters(Fraction(0.1), one, 8), Parameters(Fraction(1, 3), one, 8), Parameters(one, Fraction(257), 8)):
        with pytest.raises(ParameterError, match="8 bits"):
            reaches(m, 1, 0, strict=False)
    with pytest.raises(ParameterError, match="power of two"):
        reaches(Parameters(one, one, lattice=Fraction(3)), 1, 0, strict=False)


def test_what_is_too_long_is_refused_and_not_computed() -> None:
    with pytest.raises(ParameterError, match="too long"):
        to_fraction(Dyadic(1, -(10**13)))
    with pytest.raises(ParameterError, match="too long"):
        dyadics.add(Dyadic(1, 0), Dyadic(1, -(10**13)))


@given(st.integers(1, 2**80), st.integers(-50, 50), st.integers(2, 60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_at_least(n: int, e: int, p: int, strict: bool) -> None:
    s, unit = at_least(n, e, p, strict)
    x, found = Fraction(n) * Fraction(2) ** e, Fraction(s) * Fraction(2) ** unit
    middle, half_unit = halfway_below(s, unit, p)
    before = 2 * Fraction(middle) * Fraction(2) ** half_unit - found  # the p-bit number before
    assert 1 << (p - 1) <= s < 1 << p
    assert dyadics.is_held(from_fraction(before), p)
    assert before <= x < found if strict else before < x <= found


@given(st.integers(1, 2**40), st.integers(-60, -41), st.integers(2, 12), st.integers(-30, -1))
@settings(max_examples=200, deadline=None)
def test_ceil_to_grid(n: int, e: int, p: int, smallest: int) -> None:
    grid = Uniform(p, smallest)
    numbers = [1, *(to_fraction(u) for u in (bisection.grid_number(grid, r) for r in range(2000)) if u)]
    x = Fraction(n) * Fraction(2) ** e
    assert (
        to_fraction(ceil_to_grid(from_fraction(x), grid)) == min(t for t in numbers if t >= x) or len(numbers) == 2001
    )
