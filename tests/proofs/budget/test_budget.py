"""ε, ε', p and B: that the statements can fail, and the loss where U* has fewer bits than ⊕ and ⊗."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from snapref.uniform import Uniform
from snapref_ledger import REGISTRY, Run
from snapref_proofs.budget import obligations as budget_obligations
from snapref_proofs.budget.obligations import apart, bias, coarser
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import entries
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.ideal.model import ExpSum, Ideal
from tests.breaking import fails, obligation_fails


def run(name: str) -> str:
    return REGISTRY[f"proofs.budget.{name}"].check(Run()).status


def test_a_wrong_inner_epsilon_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 2η added instead of taken away nothing of §5 holds; with the sign of 12Bη turned, ε' rises with B."""
    monkeypatch.setattr(budget_obligations, "inner", lambda e, b, h: (e + 2 * h) / (1 + 12 * b * h))
    assert obligation_fails("proofs.budget.algebra")
    assert obligation_fails("proofs.budget.positive")
    monkeypatch.setattr(budget_obligations, "inner", lambda e, b, h: (e - 2 * h) * (1 + 12 * b * h))
    assert obligation_fails("proofs.budget.monotone")


def test_a_wrong_rule_for_the_precision_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = budget_obligations.notes_precision
    monkeypatch.setattr(budget_obligations, "notes_precision", lambda epsilon, floor: rule(epsilon, floor) + 1)
    assert run("precision") == "refuted"
    assert run("precision.printed") == "proved"  # then ε = 4 would be no witness


def test_a_bias_that_falls_would_not_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_the_other(mechanism: Ideal, f: Fraction) -> ExpSum:
        return bias(Ideal(Parameters(Fraction(1), 11 - mechanism.bound)), f)

    monkeypatch.setattr(budget_obligations, "bias", of_the_other)
    assert run("bias.printed") == "proved"


def test_the_bias_is_that_of_the_law() -> None:
    mechanism, f = Ideal(Parameters(Fraction(1), Fraction(2))), Fraction(3, 4)
    mean = sum(float(x) * float(p) for x, p in mechanism.law(f))
    assert float(bias(mechanism, f)) == pytest.approx(mean - 0.75, abs=1e-12)
    assert float(bias(mechanism, Fraction(0))) == 0


def test_each_fact_is_needed() -> None:
    """Without the distance of the thresholds, or without what is known of the masses, nothing follows."""
    for statement, fact in ((apart()[0], -2), (apart()[1], -1), (coarser()[0], -1), (coarser()[2], -1)):
        facts = list(statement.hypotheses)
        del facts[fact]
        assert fails(replace(statement, hypotheses=facts))


def test_too_wide_a_share_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget_obligations, "sign", lambda room, bits: -1)
    assert run("coarse_uniform") == "refuted"


def test_a_uniform_of_fewer_bits_costs_at_most_nine_of_its_units() -> None:
    """The exact evaluator, at every output of random pairs: never above 9·2^-q, and above 1·2^-q somewhere."""
    rng, worst = random.Random(5), 0.0
    for _ in range(40):
        q = rng.choice((6, 7, 8))
        fine = Parameters(Fraction(rng.randint(64, 127), 64), Fraction(rng.randint(2, 6)), 16)
        coarse = replace(fine, uniform=Uniform(q))
        a = Fraction(rng.randint(-128, 64), 64)
        pair = from_fraction(a), from_fraction(a + 1)
        for mine, other in zip(entries(fine, *pair), entries(coarse, *pair), strict=True):
            excess = other.loss.enclosure(80)[0] - mine.loss.enclosure(80)[1]
            assert excess <= 9 * Fraction(1, 2**q)
            worst = max(worst, float(excess * 2**q))
    assert 1 < worst < 9
