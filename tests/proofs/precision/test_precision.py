"""Bits for a rounded logarithm, and ⊕ and ⊗ through a working precision: the numbers, and checks that fail."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref.arithmetic import Dyadic
from snapref.logarithm import ln
from snapref_ledger import REGISTRY, Run
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.figure2.semantics import nearest
from snapref_proofs.precision import model as precision
from snapref_proofs.precision import obligations as precision_obligations
from snapref_proofs.precision.model import (
    HARDEST,
    bits_needed,
    every_number,
    rounded_logarithm,
    to_midpoint,
    to_number,
)
from tests.breaking import fails


def run(name: str) -> str:
    return REGISTRY[f"proofs.precision.{name}"].check(Run()).status


def test_distances() -> None:
    assert to_midpoint(Fraction(5, 4), 2) == 0  # between 1 and 3/2
    assert to_midpoint(Fraction(1), 2) == Fraction(1, 8)  # 3/4, 1: the midpoint below a power of two is nearer
    assert to_midpoint(Fraction(3, 2), 2) == Fraction(1, 4)
    assert to_number(Fraction(5, 4), 2) == Fraction(1, 4)


@settings(max_examples=60)
@given(st.integers(2, 30), st.integers(1, 40), st.data())
def test_bits_needed_are_what_they_say(p: int, e: int, data: st.DataObject) -> None:
    """Approximations within 2^-w round alike; the midpoint, or a hair beyond it, is within 2^-(w-1)."""
    u = Fraction(data.draw(st.integers(2 ** (p - 1), 2**p - 1))) / 2 ** (p - 1 + e)
    w = bits_needed(u, p)
    low, high = precision.logarithm(u, 8 * p + 100)
    right = -rounded_logarithm(u, p)
    assert all(nearest(end * (1 + sign * Fraction(1, 2**w)), p) == right for end in (low, high) for sign in (1, -1))
    step = Fraction(1, 2 ** (w - 1)) * Fraction(2**20 + 1, 2**20)  # a hair, should the midpoint be a tie that goes back
    assert any(nearest(end * (1 + sign * step), p) != right for end in (low, high) for sign in (1, -1))


def test_the_hardest_are_rounded_right_by_the_reference_and_wrong_through_113_bits() -> None:
    for text in HARDEST:
        n, d = float.fromhex(text).as_integer_ratio()
        if n < d:
            exact = rounded_logarithm(Fraction(n, d), 53)
            assert Fraction(*map(int, ln(Dyadic(n, 1 - d.bit_length()), 53).as_integer_ratio())) == exact
    hard = Fraction(float.fromhex(precision.NEAREST))
    wrong = [w for w in range(54, 119) if nearest(rounded_logarithm(hard, w), 53) != rounded_logarithm(hard, 53)]
    assert wrong == list(range(54, 114))


def test_every_number_is_there_once() -> None:
    found = [to_fraction(u) for u in every_number(3, 2)]
    assert found == [Fraction(n, 8) for n in (4, 5, 6, 7)] + [Fraction(n, 16) for n in (4, 5, 6, 7)]


def test_a_wrong_logarithm_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision_obligations, "ln", lambda u, p: ln(Dyadic(3, -2), p))
    assert run("log.reference") == "refuted"


def test_a_wrong_distance_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision_obligations, "bits_needed", lambda u, p, jump=None: 2 * p - 1)
    assert run("log.lower") == "refuted"
    monkeypatch.setattr(precision_obligations, "bits_needed", lambda u, p, jump=None: 119)
    assert run("log118.hardest") == "refuted"
    assert run("log118.small") == "refuted"


def test_a_correct_printed_rule_would_not_be_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the double above ln 2 the nearest one, the witness would not stand."""
    original = precision_obligations.rounded_logarithm
    monkeypatch.setattr(precision_obligations, "rounded_logarithm", lambda x, p: original(x, p) + Fraction(1, 2**53))
    assert run("nearer.printed") == "error"  # and MPFR would say so


def test_a_faithful_logarithm_that_is_always_right_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def exact(u: Dyadic, p: int) -> Fraction:
        return Fraction(*map(int, ln(u, p).as_integer_ratio()))

    monkeypatch.setattr(precision_obligations, "down", exact)
    assert run("faithful.printed") != "refuted"


def test_too_few_bits_do_not_serve_for_sums() -> None:
    """With 108 bits the near sums are not all exact; with 54 the far ones leave x's cell."""
    assert not fails(precision_obligations.sums(53, 109))
    assert fails(precision_obligations.sums(53, 108))
    assert fails(precision_obligations.sums(53, 54)[1])
    assert fails(precision_obligations.products(53, 105))


def test_the_comparison_needs_a_hard_logarithm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision_obligations, "NEAREST", "0x1.8p-1")
    assert run("operations") != "proved"


def test_fewer_than_2p_plus_1_bits_get_a_sum_wrong() -> None:
    assert precision_obligations.fewest_bits(3) == 7
