"""The evidence is a martingale, so its false-alarm rate is what it says; and it sees what it says it sees."""

import math
import random
from itertools import product

import pytest

from snapref_crosscheck.betting import Cells, Excess, log_evidence, smallest_shift

P = (0.5, 0.3, 0.2)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_its_mean_is_one_when_the_probabilities_are_right(n: int) -> None:
    total = 0.0
    for outcome in product(range(3), repeat=n):
        counts = [outcome.count(cell) for cell in range(3)]
        total += math.prod(P[cell] for cell in outcome) * math.exp(log_evidence(P, counts))
    assert total == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("fewer", [True, False])
def test_so_is_the_mean_of_an_excess_over_settings(n: int, fewer: bool) -> None:
    total = 0.0
    for outcome in product(product((0, 1), repeat=n), repeat=2):
        excess = Excess(fewer=fewer)
        chance = 1.0
        for p, events in zip((0.3, 0.01), outcome, strict=True):
            excess.add(p, sum(events), n)
            chance *= math.prod(p if event else 1 - p for event in events)
        total += chance * math.exp(excess.log_evidence())
    assert total == pytest.approx(1.0, rel=1e-9)


def test_an_excess_sees_a_share_of_the_releases() -> None:
    excess = Excess()
    for p in (0.4, 0.001):
        excess.add(p, round(20000 * (p + 0.02 * (1 - p))), 20000)
    assert excess.log_evidence() > 20


def test_it_seldom_grows_when_the_probabilities_are_right() -> None:
    """Looked at after every observation, in 400 runs, it passes 100 in at most 1 in 100 of them (and a margin)."""
    rng, alarms = random.Random(3), 0
    for _ in range(400):
        cells = Cells(P)
        for _ in range(60):
            cells.add(rng.choices(range(3), P)[0])
            if cells.log_evidence() >= math.log(100):
                alarms += 1
                break
    assert alarms <= 12  # 4 on average at the very most


def test_it_grows_when_they_are_wrong() -> None:
    rng, cells = random.Random(4), Cells(P)
    for _ in range(2000):
        cells.add(rng.choices(range(3), (0.4, 0.4, 0.2))[0])
    assert cells.log_evidence() > math.log(1e6)


def test_the_smallest_shift_is_seen() -> None:
    threshold = math.log(1e7)
    shifts = [smallest_shift(P, n, threshold) for n in (500, 5000, 50000)]
    assert shifts == sorted(shifts, reverse=True)
    assert smallest_shift(P, 3, threshold) == 1.0
    d = shifts[1]
    rng, seen = random.Random(5), 0
    wrong = (P[0] + 1.3 * d, P[1] - 0.65 * d, P[2] - 0.65 * d)
    for _ in range(20):
        cells = Cells(P)
        for cell in rng.choices(range(3), wrong, k=5000):
            cells.add(cell)
        seen += cells.log_evidence() >= threshold
    assert seen >= 12
