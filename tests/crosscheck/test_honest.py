"""An honest target is not accused: seeded runs of the whole cross-check, at a reduced budget.

test_hardship.py has honest targets that are slow, killed, or limited in what they take.
"""

import pytest

from snapref import Mechanism, SeededSource, binary64
from snapref.formats import working_format
from snapref.logarithm import ln
from snapref.mechanism import snapped
from snapref_crosscheck import Effort, PythonTarget, crosscheck
from snapref_crosscheck.run import Session
from tests.mutants.hardship import Whole
from tests.mutants.honest import Honest


@pytest.mark.parametrize(("kind", "seeds"), [(Honest, range(6)), (Whole, range(6, 15)), (Whole, range(15, 24))])
def test_seeded_runs(kind: type[Honest], seeds: range) -> None:
    for seed in seeds:
        report = crosscheck(kind(seed), Effort(search=0, releases=100, seed=seed, stride=60))
        accused = [(result.name, result.witness) for result in report.results if result.status != "pass"]
        assert accused == [], f"seed {seed}"
        assert report.conforms is True


class Unbounded(Whole):
    """U* with exponents below those of doubles, and another precision of ε': still honest."""

    def describe(self) -> dict[str, object]:
        return {"uniform": "unbounded", "ties": "up"}


class Careful(Whole):
    """Refuses what it may refuse: values outside the bounds, tight bounds, small and large ε."""

    def validate(self, value: float, epsilon: float, bound: float, sensitivity: float) -> None:
        super().validate(value, epsilon, bound, sensitivity)
        if abs(value) > bound or not 0.2 < epsilon < 5 or bound < 5:
            raise ValueError("out of range")


class Wasteful(Whole):
    """Spends half of its budget on nothing: private, and consistent with the ε' that it tells."""

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return super().inner_(epsilon, bound, sensitivity) / 2


class ToNearest(Whole):
    """Computes ε' in doubles, to nearest: one unit in the last place above the bound at most."""

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return (epsilon - 2 * 2.0**-53) / (1 + 12 * (bound / sensitivity) * 2.0**-53)


class ReleaseOnly(Whole):
    """Nothing but releases, and an ε' that differs from the reference's in the last digits."""

    offers = ("release",)

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return super().inner_(epsilon, bound, sensitivity) * (1 - 1e-12)


class OtherPrecision:
    """The reference itself at p bits, and U* without limit."""

    def __init__(self, precision: int) -> None:
        self.precision, self.source = precision, SeededSource(9)

    def describe(self) -> dict[str, object]:
        return {"name": f"{self.precision} bits", "precision": self.precision, "uniform": "unbounded"}

    def log(self, u: float) -> float:
        return float(ln(binary64.exactly(u), self.precision))

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        fmt = working_format(self.precision)
        a, b, c = (fmt.encode(x) for x in (value, scale, bound))
        return float(fmt.decode(snapped(a, b, c, sign, binary64.exactly(u), fmt)))

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        mechanism = Mechanism(epsilon, bound, sensitivity, self.precision)
        return [float(mechanism.release(value, self.source).value) for _ in range(count)]


@pytest.mark.parametrize("precision", [24, 118])
def test_other_precisions(precision: int) -> None:
    """Where a setting, or a case, is not held by p bits, it is left out; nothing that is asked is wrong."""
    report = crosscheck(OtherPrecision(precision), Effort(search=20, releases=50))
    assert [result for result in report.results if result.status == "fail"] == []
    assert report.conforms is True


@pytest.mark.parametrize("kind", [Unbounded, Careful, Wasteful, ToNearest, ReleaseOnly])
def test_other_honest_targets(kind: type[Honest]) -> None:
    report = crosscheck(kind(5), Effort(search=20, releases=1000, stride=5))
    assert [result for result in report.results if result.status == "fail"] == []
    assert report.conforms is True


def remark(kind: type[Honest], check: str) -> str:
    return Session(PythonTarget(kind(5)), Effort(releases=100)).check(check).witness or ""


def test_what_is_worth_knowing_is_told() -> None:
    assert "wastes at most 0.5 of the budget" in remark(Wasteful, "inner_epsilon")
    assert "rounds to nearest, not down" in remark(ToNearest, "inner_epsilon")
    refused = remark(Careful, "release.fit")
    assert " and value 250.0" in refused
    assert refused.count("refused: ") == 1  # one reason, for several settings
