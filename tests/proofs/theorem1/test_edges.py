"""The edges of Theorem 1's conditions: small formats against brute force, directed rounding against the program."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from snapref.mechanism import snapped
from snapref_ledger import Run
from snapref_proofs.evaluate.bisection import probability_by_bisection
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import entries
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import inputs
from snapref_proofs.theorem1 import directed, directed_law, edges, faithful, few_bits, needed
from tests.breaking import fails


def brute(scale: Fraction, bound: Fraction, p: int) -> Fraction:
    """The largest (loss - |c - c'|/λ - 2η)/(B·η/λ) over all pairs of p-bit multiples of ηΛ/4, rounded."""
    m, eta = Parameters(scale, bound, p), Fraction(1, 2**p)
    unit = m.lattice * eta / 4
    values = [n * unit for n in inputs(p, bound, m.lattice_exponent - p - 2)]
    found = Fraction(-9)
    for a, b in combinations(values, 2):
        for entry in entries(m, from_fraction(a), from_fraction(b)):
            excess = entry.loss.enclosure(64)[0] - abs(a - b) / scale - 2 * eta
            found = max(found, excess / (bound * eta / scale))
    return found


@pytest.mark.parametrize("scale", [Fraction(1), Fraction(5, 4), Fraction(7, 4)])
def test_a_format_gone_through_finds_what_brute_force_finds(scale: Fraction) -> None:
    worst = brute(scale, scale, 3)
    assert next(few_bits.Format(3, scale, scale, scale, worst - Fraction(1, 100)).broken(), "")
    # numbers between two multiples may be a little closer to each other than their representatives
    assert not next(few_bits.Format(3, scale, scale, scale, worst + 1).broken(), "")


def test_a_larger_limit_breaks_more() -> None:
    assert not next(few_bits.Format(5, Fraction(15, 8), Fraction(15, 8), Fraction(30)).broken(), "")
    assert next(few_bits.Format(5, Fraction(15, 8), Fraction(15, 8), Fraction(31)).broken(), "")  # an impossible output


def test_a_smaller_bound_breaks_more() -> None:
    assert next(few_bits.Format(5, Fraction(29, 16), Fraction(29, 512), Fraction(29, 16)).broken(), "")


def test_exponentials_are_enclosed() -> None:
    form = few_bits.Format(5, Fraction(13, 8), Fraction(13, 8), Fraction(13))
    for v in (1, 7, 40, form.values[-1]):
        exact = float(few_bits.ONE) * 2.718281828459045 ** -float(v * Fraction(2) ** form.step / form.scale)
        low, high = form.weight(v)
        assert 0 <= high - low <= 2**20
        assert abs(low - exact) < 1e-12 * exact
        assert form.weight(-v)[0] * high <= few_bits.ONE**2 <= form.weight(-v)[1] * low


def test_what_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert edges.whole([(4, "down")], Fraction(1, 16)).status == "error"  # at B = λ 3 is enough
    assert edges.whole([(4, "up")], Fraction(1, 2)).status == "refuted"
    monkeypatch.setattr(edges, "above_quarter", lambda p: edges.QUARTER)
    assert edges.big_bound(Run()).status == "undecided"
    monkeypatch.setattr(edges, "QUARTER", replace(edges.QUARTER, sensitivity=Fraction(1, 2**60)))
    assert edges.small_bound(Run()).status == "error"


def test_the_law_of_directed_rounding_is_that_of_the_program() -> None:
    rng = random.Random(19)
    for _ in range(60):
        p = rng.choice((3, 4, 5, 6, 8))
        scale, bound = (Fraction(rng.randrange(1 << (p - 1), 1 << p), 1 << (p - 1)) for _ in range(2))
        m = Parameters(scale, bound * rng.choice((2, 4)), p)
        k, c = rng.randrange(1 - m.last, m.last), rng.choice(inputs(p, m.bound, -p - 2)) * Fraction(2) ** (-p - 2)
        for direction, (mode, _) in directed.SPOTS.items():
            found = probability_by_bisection(m, k, from_fraction(c), directed.program(mode))
            assert directed_law.probability(m, direction, k, c) == to_fraction(found), (m, direction, k, c)


@pytest.mark.parametrize("direction", directed.SPOTS)
def test_the_constants_grow_with_p(direction: directed_law.Direction) -> None:
    mode, spot = directed.SPOTS[direction]
    found = []
    for p in (24, 34, 44):
        configuration = directed.solve(spot, p)
        found.append(needed.constant(configuration, needed.loss_of(configuration, directed.program(mode))))
    assert found == sorted(found)
    assert found[0] > 10
    assert found[-1] - found[1] < found[1] - found[0]


def test_a_spot_is_tight_for_its_own_direction_only() -> None:
    configuration = directed.solve(directed.UP, 30)
    others = [directed.program(directed.SPOTS[name][0]) for name in ("down", "away from 0")]
    for program in (snapped, *others):
        assert needed.constant(configuration, needed.loss_of(configuration, program)) < 10


def test_a_wrong_law_is_noticed() -> None:
    configuration = directed.solve(directed.AWAY, 24)
    mode, _ = directed.SPOTS["away from 0"]
    loss = needed.loss_of(configuration, directed.program(mode))
    assert edges.as_inverted(configuration, "away from 0", loss)
    assert not edges.as_inverted(configuration, "up", loss)


def test_errors_twice_as_large_need_a_larger_eta(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not fails(faithful.statements())
    monkeypatch.setattr(faithful, "LARGER", Fraction(19, 10))  # below 2: neither the errors nor the gaps fit
    assert fails(faithful.errors())
    assert fails(faithful.gaps())
    monkeypatch.setattr(faithful, "LARGER", Fraction(3))
    assert fails(faithful.conditions())
