"""Adaptive subdivision: it establishes what holds, returns a box where something fails, and never guesses."""

from fractions import Fraction

import pytest

from snapref_proofs.evaluate import boxes
from snapref_proofs.evaluate.boxes import establish, over
from snapref_proofs.evaluate.intervals import Arb, Iv, both

UNIT = (Fraction(0), Fraction(1))
SQUARE = {"x": UNIT, "y": UNIT}


def circle(radius):
    return lambda e, v: v["x"] * v["x"] + v["y"] * v["y"] - e.between(radius, radius)


def test_established():
    answer = establish(circle(Fraction(21, 10)), SQUARE)
    assert answer.status == "established"
    assert answer.leaves >= 1


def test_a_dependency_problem_needs_splitting():
    answer = establish(
        lambda e, v: v["x"] * (1 - v["x"]) - e.between(Fraction(26, 100), Fraction(26, 100)), {"x": UNIT}
    )
    assert answer.status == "established"
    assert answer.leaves > 4


def test_a_failure_is_a_box_of_failures():
    answer = establish(circle(Fraction(1)), SQUARE)
    assert answer.status == "fails"
    assert answer.box is not None
    assert all(high > low for low, high in answer.box.values())
    for engine in both(64):
        low, _ = over(circle(Fraction(1)), answer.box, engine)
        assert low is not None
        assert low > 0


def test_a_failure_inside_is_found_without_a_corner():
    inside = lambda e, v: v["x"] * (1 - v["x"]) - e.between(Fraction(24, 100), Fraction(24, 100))  # noqa: E731
    answer = establish(inside, {"x": UNIT})
    assert answer.status == "fails"


def test_equality_is_not_decided():
    answer = establish(
        lambda e, v: v["x"] * (1 - v["x"]) - e.between(Fraction(1, 4), Fraction(1, 4)), {"x": UNIT}, most=500
    )
    assert answer.status == "undecided"


def test_what_an_engine_cannot_bound_is_not_decided():
    answer = establish(lambda e, v: 1 / v["x"], {"x": UNIT}, most=200)
    assert answer.status != "established"


def test_a_leaf_needs_both_engines(monkeypatch):
    """An Arb that claims too much does not establish anything, as mpmath.iv does not follow it."""

    class Boastful(Arb):
        def ends(self, x):
            found = super().ends(x)
            return None if found is None else (found[0] - 10, found[1] - 10)

    monkeypatch.setattr(boxes, "both", lambda bits: (Iv(bits), Boastful(bits)))
    answer = establish(circle(Fraction(1, 2)), SQUARE, most=300)
    assert answer.status != "established"


@pytest.mark.parametrize("engine", [Iv(64), Arb(64)], ids=["iv", "arb"])
def test_enclosures_over_a_box(engine):
    low, high = over(circle(Fraction(0)), {"x": (Fraction(1), Fraction(2)), "y": (Fraction(3), Fraction(3))}, engine)
    assert low <= 10
    assert high >= 13
