"""Faults in what the joints take from the lemmas `errors` and `slopes`: each is noticed by a statement."""

from typing import Any

import pytest

from snapref_proofs.theorem1 import calculus, joined, slopes
from tests.breaking import fails


def test_every_fact_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not [*slopes.unshown(slopes.statements())]
    monkeypatch.setattr(slopes, "_tangent", slopes._trapezoid)
    assert [*slopes.unshown(slopes.statements())] == ["no statement shows tangent"]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_facts_need_the_sign_of_every_derivative(monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    def opposite(of: int, value: Any, d: Any) -> Any:
        return calculus.at(of, -value if of == order else value, d)

    monkeypatch.setattr(slopes, "at", opposite)
    assert fails(slopes._concave())


@pytest.mark.parametrize("fact", ["tangent", "trapezoid", "limited", "carried", "across", "beyond"])
def test_a_fact_that_says_too_much_is_refuted(monkeypatch: pytest.MonkeyPatch, fact: str) -> None:
    right = getattr(slopes, fact)
    monkeypatch.setattr(slopes, fact, lambda value, *rest: right(2 * value, *rest))
    assert fails([one for one in slopes.statements() if one.name == fact])


@pytest.mark.parametrize("factor", ["y", "size", "tau"])
def test_the_joints_take_no_more_than_the_sizes_say(monkeypatch: pytest.MonkeyPatch, factor: str) -> None:
    right = joined.Threshold.facts

    def facts(self: joined.Threshold, eta: Any) -> list[Any]:
        kept = getattr(self, factor)
        setattr(self, factor, kept / 2 if factor == "tau" else 2 * kept)
        found = right(self, eta)
        setattr(self, factor, kept)
        return found

    monkeypatch.setattr(joined.Threshold, "facts", facts)
    assert fails(joined.sizes())
