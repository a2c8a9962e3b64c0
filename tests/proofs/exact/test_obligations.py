"""The exact evaluator's obligations: what shows nothing, or is broken, does not pass."""

from dataclasses import replace
from fractions import Fraction

import pytest

from snapref_ledger import Run
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import Survey, worst_loss
from snapref_proofs.exact import law_obligations, small_obligations
from snapref_proofs.exact import obligations as exact


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
