"""Draws: a fair sign, a geometric exponent on {1, 2, …}, fair mantissa bits; the system's randomness by default."""

import os
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from snapref import Mechanism, SeededSource, SystemSource
from snapref.randomness import draw
from snapref.uniform import Uniform

P53 = Uniform(53)


class Tape:
    """A source that plays back given words."""

    name = "tape"

    def __init__(self, *words: int) -> None:
        self._words: Iterator[int] = iter(words)
        self.asked: list[int] = []

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return next(self._words)


def test_a_draw_is_a_function_of_its_bits() -> None:
    word = (1 << 63 | 5) << 53 | 0b1011 << 1 | 1
    assert draw(Tape(word), P53) == (1, P53(exponent=1, mantissa=0b1011))
    assert draw(Tape(1 << 53), P53) == (-1, P53(exponent=64, mantissa=0))


def test_the_exponent_goes_on_past_a_word_of_zeros() -> None:
    tape = Tape(1, 0, 0, 1 << 62)
    assert draw(tape, P53) == (1, P53(exponent=1 + 3 * 64 + 1, mantissa=0))
    assert tape.asked == [53 + 64, 64, 64, 64]


def test_the_exponent_is_geometric_from_1() -> None:
    """Every value of the leading ten tosses, the others zero but for a last 1: exponent k has probability 2**-k."""
    law: Counter[int] = Counter()
    for tosses in range(2**10):
        _, u = draw(Tape((tosses << 54 | 1) << 53), P53)
        law[-52 - u.exponent] += 1  # u = 1 * 2**-exponent, as its mantissa is 0
    assert {k: Fraction(count, 2**10) for k, count in law.items() if k <= 10} == {
        k: Fraction(1, 2**k) for k in range(1, 11)
    }
    assert law[64] == 1


def test_sign_and_mantissa_take_every_value_equally_often() -> None:
    law = Counter(draw(Tape(1 << 63 + 5 | low), Uniform(5)) for low in range(2**5))
    assert len(law) == 2**5
    assert set(law.values()) == {1}
    assert {sign for sign, _ in law} == {1, -1}


def test_the_default_is_the_operating_system_s(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(os, "urandom", lambda size: asked.append(size) or b"\xff" * size)
    release = Mechanism(1.0, 10.0).release(3.0)
    assert asked == [15]  # bytes, for 53 + 64 bits
    assert release.randomness == "system"
    assert SystemSource().bits(3) == 7


def test_an_injected_source_is_marked_and_repeats() -> None:
    mechanism = Mechanism(1.0, 10.0)
    releases = [mechanism.release(3.0, SeededSource(7)) for _ in range(3)]
    assert len({release.value for release in releases}) == 1
    assert releases[0].randomness == "injected, not private (seed 7)"
