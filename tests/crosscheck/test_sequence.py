"""Dependence between releases is told from outputs whose probabilities are wrong, and one fault hides no other."""

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from snapref_crosscheck import Effort, PythonTarget, sequence
from snapref_crosscheck.law import Law, law
from snapref_crosscheck.protocol import Description
from snapref_crosscheck.run import Session
from tests.mutants.subtle import NoiseAgainAfterSixtyFour

VALUE, SCALE, BOUND = 0.12, 1.73, 40.3
ALPHA = 1e-7


@pytest.fixture(scope="module")
def exact() -> Law:
    return law(VALUE, Fraction(SCALE), BOUND, Description("x"), 1.0)


def numbers(noise: Iterator[float], count: int, width: float) -> list[int]:
    """Output numbers of releases whose noise is `width` times as wide as it should be."""
    return [math.floor((VALUE + width * SCALE * next(noise)) / 2 + 0.5) for _ in range(count)]


def independent(seed: int) -> Iterator[float]:
    rng = random.Random(seed)
    while True:
        yield rng.choice((1, -1)) * math.log(1 - rng.random())


def repeated(seed: int) -> Iterator[float]:
    """Each noise is used again two releases later."""
    for a, b in zip(independent(seed), independent(seed + 1), strict=True):
        yield from (a, b, a, b)


@pytest.mark.parametrize("width", [0.3, 2.0])
def test_wrong_probabilities_are_no_dependence(exact: Law, width: float) -> None:
    seen = numbers(independent(1), 4000, width)
    sizes = [len(seen)]
    assert sequence._shown(sequence.InClasses(exact, seen, sizes), ALPHA, sequence.TESTS)  # so it would look
    assert sequence.judge(exact, seen, sizes, ALPHA, "") == []


@pytest.mark.parametrize("width", [1.0, 1.1])
def test_noise_that_is_used_again_is(exact: Law, width: float) -> None:
    seen = numbers(repeated(1), 4000, width)
    found = sequence.judge(exact, seen, [len(seen)], ALPHA, "")
    assert any("like those 2 before them" in finding.headline for finding in found)


class TwoFaults(NoiseAgainAfterSixtyFour):
    """It is wrong about one setting; and noise is used again."""

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return super().output(value, scale, bound, sign, u) + (0.001 if value == 100 else 0)


def test_one_fault_hides_no_other() -> None:
    session = Session(PythonTarget(TwoFaults(seed=1)), Effort(search=0, releases=2500))
    support, independence = (session.check(f"release.{name}") for name in ("support", "independence"))
    assert len(support.findings) == 1
    assert independence.status == "fail"
    assert support.cases > 2500 * 40  # all that was planned, but for one setting
