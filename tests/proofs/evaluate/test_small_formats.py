"""Exhaustive runs over small formats, against plain loops over all pairs."""

from fractions import Fraction

import pytest

from snapref.arithmetic import Dyadic
from snapref_proofs.evaluate.distribution import probabilities
from snapref_proofs.evaluate.dyadics import is_held
from snapref_proofs.evaluate.loss import Loss, loss_of
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import count_pairs, input_step, inputs, window_maxima, worst_loss


@pytest.mark.parametrize(
    ("p", "bound", "step"), [(3, "9", -1), (2, "7", -3), (5, "100", -2), (4, "13/2", -1), (3, "8", 0)]
)
def test_inputs_are_all_of_the_format(p: int, bound: str, step: int) -> None:
    limit = int(Fraction(bound) / Fraction(2) ** step)
    assert inputs(p, Fraction(bound), step) == [n for n in range(-limit, limit + 1) if is_held(Dyadic(n, 0), p)]


@pytest.mark.parametrize(
    ("p", "scale", "bound", "kind"),
    [
        (5, "3/4", "2", "unbounded"),
        (5, "1", "3/2", "bounded:-6"),
        (4, "5/4", "13", "unbounded"),
        (4, "6", "1", "unbounded"),
    ],
)
def test_the_window_finds_what_a_loop_over_all_pairs_finds(p: int, scale: str, bound: str, kind: str) -> None:
    m = Parameters(Fraction(scale), Fraction(bound), p, kind)
    step = input_step(m)
    found = worst_loss(m, Fraction(1), step)
    values = inputs(p, Fraction(bound), step)
    laws = {c: [q for _, (q,) in probabilities(m, (Dyadic(c, step),))] for c in values}
    pairs = [(c, d) for c in values for d in values if 0 < abs(c - d) * Fraction(2) ** step <= 1]
    worst = Loss(1, 1)
    for c, d in pairs:
        for left, right in zip(laws[c], laws[d], strict=True):
            if (left.significand or right.significand) and (loss := loss_of(left, right)).above(worst):
                worst = loss
    assert found.pairs == len(pairs)
    assert not worst.above(found.loss)
    assert not found.loss.above(worst)
    assert abs(found.a - found.b) <= 1


def test_window_maxima() -> None:
    values, masses = [0, 1, 4, 5, 9], [5, 3, 7, 1, 2]
    best = [max(masses[j] for j in range(5) if abs(values[j] - v) <= 4) for v in values]
    assert [masses[i] for i in window_maxima(values, masses, 4)] == best
    assert count_pairs(values, 4) == 12
