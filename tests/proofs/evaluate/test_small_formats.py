"""Exhaustive runs over small formats, against plain loops over all pairs; and the obligations, which can fail."""

from dataclasses import replace
from fractions import Fraction

import pytest

from snapref.arithmetic import Dyadic
from snapref_ledger import REGISTRY, Run
from snapref_proofs.evaluate.distribution import probabilities
from snapref_proofs.evaluate.dyadics import is_held
from snapref_proofs.evaluate.loss import Loss, loss_of
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import Survey, count_pairs, input_step, inputs, window_maxima, worst_loss
from snapref_proofs.exact import law_obligations, small_obligations
from snapref_proofs.exact import obligations as exact


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


SLOW = {"proofs.exact.inversion", "proofs.exact.inversion.small", "proofs.small.bound.p6", "proofs.small.bound.p7to10"}
FAST = [
    id
    for id, o in REGISTRY.items()
    if o.module in (exact.__name__, law_obligations.__name__, small_obligations.__name__)
    and not o.thorough
    and id not in SLOW
]


@pytest.mark.parametrize("id", FAST)
def test_obligations_come_out_as_expected(id: str) -> None:
    obligation = REGISTRY[id]
    outcome = obligation.check(Run())
    assert outcome.status == obligation.expected, outcome
    assert outcome.witness if obligation.expected == "refuted" else outcome.detail


def test_a_witness_that_shows_nothing_does_not_pass() -> None:
    harmless = replace(exact.SMALL_B, parameters=Parameters(Fraction(92), Fraction(92)), x=Fraction(-92))
    assert exact.refutation(harmless).status == "undecided"
    assert exact.refutation(replace(exact.SMALL_B, b=Fraction(-1))).status == "error"  # too far apart
    assert (
        exact.refutation(replace(exact.SMALL_B, a=Fraction(3, 2), b=Fraction(1))).status == "error"
    )  # outside [-B, B]
    assert exact.refutation(exact.NO_CLAMP).status == "error"


def test_a_witness_that_the_reference_does_not_replay_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(exact.SMALL_B), "replays", lambda self, program: False)
    assert exact.refutation(exact.SMALL_B).status == "error"


def test_a_survey_that_breaks_the_bound_is_not_proved() -> None:
    broken = Survey()
    broken.add(worst_loss(Parameters(Fraction(0.25), Fraction(4.25), 5), Fraction(1), -8))
    assert small_obligations.holding(broken).status == "refuted"
    held = Survey()
    held.add(worst_loss(Parameters(Fraction(1), Fraction(2), 5), Fraction(1), -6))
    assert small_obligations.breaking(held).status == "proved"


def test_a_broken_inversion_fails_its_obligation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "disagreements", lambda count, seed: iter(["here"]))
    assert exact.inversion(Run()).status == "refuted"


def test_vanishes_tells_identities_from_others() -> None:
    assert law_obligations.vanishes(lambda x, y: (x + y) ** 2 - x * x - 2 * x * y - y * y, 2, 2)
    assert not law_obligations.vanishes(lambda x, y: x * y, 2, 1)
