"""Mutants that only releases show, and only to those who look closely: each is caught at the default settings.

Some need all releases of these settings; to catch the others, a fifth of them is enough.
"""

import math
import struct
from collections import deque
from typing import ClassVar

from snapref_crosscheck import Effort
from tests.mutants.honest import Honest
from tests.mutants.mechanisms import RELEASE_ONLY, Mutant, inner


def single(x: float) -> float:
    """x through a float of 24 bits."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])


class Quick(Mutant):
    """An honest release in a few machine operations, so that many can be drawn: what samples show is the same."""

    offers: ClassVar[tuple[str, ...] | None] = RELEASE_ONLY

    def once(self, value: float, scale: float, bound: float) -> float:
        return self.output(value, scale, bound, *self.noise())

    def noise(self) -> tuple[int, float]:
        random = self.rng.random
        return (1 if random() < 0.5 else -1), random() or 0.5

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        """With comparisons in place of min and max: hundreds of thousands are drawn, and this takes half the time."""
        unit = self.unit(scale)
        inside = value if -bound <= value <= bound else math.copysign(bound, value)
        found = math.floor((inside + sign * scale * math.log(u)) / unit + 0.5) * unit
        return found if -bound <= found <= bound else math.copysign(bound, found)

    def unit(self, scale: float) -> float:
        mantissa, exponent = math.frexp(scale)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))


class Staged(Quick):
    """All stages are right and told; the releases do not run them."""

    offers = None


class OtherCodeWithoutInnerClamp(Staged):
    """The stages are right; release runs other code, which does not clamp the value."""

    caught_by = "release.fit"

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        unit = self.unit(scale)
        return max(-bound, min(bound, math.floor((value + sign * scale * math.log(u)) / unit + 0.5) * unit))


class OtherCodeForTheBudget(Staged):
    """The stages are right, ε' too; release takes λ = Δ/ε."""

    caught_by = "release.budget"

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return sensitivity / epsilon


class OtherCodeForTheNoise(Staged):
    """The stages are right; release draws noise of 98 % of the scale."""

    caught_by = "release.fit"

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return super().output(value, scale, bound, sign, u**0.98)


class NoiseAgainAfterSixtyFour(Quick):
    """The noise of one release is used again 64 releases later."""

    caught_by = "release.independence"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.ring: deque[tuple[int, float]] = deque(maxlen=64)
        self.fresh = True
        self.left = 64

    def noise(self) -> tuple[int, float]:
        if self.left == 0:
            self.fresh, self.left = not self.fresh, 64
        self.left -= 1
        drawn = super().noise() if self.fresh else self.ring[0]
        self.ring.append(drawn)
        return drawn


class NoiseAgainNowAndThen(Quick):
    """In 3 of 100 releases the noise is that of the release before."""

    caught_by = "release.independence"
    last: tuple[int, float] | None = None

    def noise(self) -> tuple[int, float]:
        if self.last is None or self.rng.random() >= 0.03:
            self.last = super().noise()
        return self.last


class SignOfTheNextDraw(Quick):
    """The sign is a bit that the last draw has already shown: it tells on which side the next release lies."""

    caught_by = "release.independence"
    shown = 0.5

    def noise(self) -> tuple[int, float]:
        sign = 1 if math.frexp(self.shown)[0] < 0.75 else -1
        _, self.shown = super().noise()
        return sign, self.shown


class SignIsMantissaBit(Quick):
    """The sign is the fifth bit of the mantissa of U*."""

    caught_by = "release.fit"
    releases = Effort.releases

    def noise(self) -> tuple[int, float]:
        _, u = super().noise()
        return (1 if int(math.frexp(u)[0] * 64) & 1 else -1), u


class BoundInSinglePrecision(Quick):
    """B passes through a float of 24 bits."""

    caught_by = "release.support"

    def once(self, value: float, scale: float, bound: float) -> float:
        return super().once(value, scale, single(bound))


class ValueInSinglePrecision(Quick):
    """The value passes through a float of 24 bits: neighbours may then be farther apart than Δ."""

    caught_by = "release.support"

    def once(self, value: float, scale: float, bound: float) -> float:
        return super().once(single(value), scale, bound)


class EpsilonInSinglePrecision(Quick):
    """ε passes through a float of 24 bits."""

    caught_by = "release.budget"

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return super().scale(single(epsilon) or epsilon, bound, sensitivity) if epsilon < 1e30 else math.inf

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return super().output(value, single(scale), bound, sign, u)


class LatticeFromEpsilon(Quick):
    """Λ is the power of two for Δ/ε, not for λ = Δ/ε'."""

    caught_by = "release.budget"
    asked = 1.0

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        self.asked = sensitivity / epsilon
        return super().scale(epsilon, bound, sensitivity)

    def unit(self, scale: float) -> float:
        return super().unit(self.asked)


class BudgetNotReducedInside(Quick):
    """ε' = ε, in a target that offers releases only."""

    caught_by = "release.budget"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return epsilon


class ConstantTooSmallInside(Quick):
    """2·B·η where the bound has 12, in a target that offers releases only: it shows where B is very large."""

    caught_by = "release.fit"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return inner(epsilon, bound, sensitivity, 2.0**-53, 2)


class OneInFourThousandWithoutNoise(Quick):
    """Every 4096th release has no noise."""

    caught_by = "release.independence"
    releases = Effort.releases
    serial = 0

    def once(self, value: float, scale: float, bound: float) -> float:
        self.serial += 1
        return self.output(value, scale, bound, *((1, 1.0) if self.serial % 4096 == 0 else self.noise()))


class OnePlaceOfRequestWithoutNoise(Quick):
    """The hundredth release of every request has no noise: the generator is filled by the hundred."""

    caught_by = "release.independence"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        found = super().release(value, epsilon, bound, sensitivity, count)
        if count >= 100:
            found[99] = self.output(value, self.scale(epsilon, bound, sensitivity), bound, 1, 1.0)
        return found


class TrueValueNowAndThen(Quick):
    """One release in a hundred is the true value, rounded."""

    caught_by = "release.fit"
    releases = Effort.releases

    def noise(self) -> tuple[int, float]:
        return (1, 1.0) if self.rng.random() < 0.01 else super().noise()


class ZeroNowAndThen(Quick):
    """One release in a hundred is 0, as if nothing had been computed."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        return 0.0 if self.rng.random() < 0.01 else super().once(value, scale, bound)


class Remembered(Quick):
    """A request that was made before is answered as before."""

    caught_by = "release.independence"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.known: dict[tuple[float, ...], list[float]] = {}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        key = (value, epsilon, bound, sensitivity, count)
        if key not in self.known:
            self.known[key] = super().release(*key)  # type: ignore[arg-type]
        return self.known[key]


class FewDraws(Quick):
    """A thousand draws are made once, and every release takes one of them."""

    caught_by = "release.fit"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.pool = [super(FewDraws, self).noise() for _ in range(1000)]

    def noise(self) -> tuple[int, float]:
        return self.rng.choice(self.pool)


class BudgetWithoutSensitivity(Quick):
    """ε' is computed with 12·B·η, not with 12·(B/Δ)·η."""

    caught_by = "release.fit"
    releases = Effort.releases

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return inner(epsilon, bound, 1.0, 2.0**-53, 12)


class ScaleInSinglePrecision(Quick):
    """λ goes through a float of 24 bits."""

    caught_by = "release.budget"

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return single(super().scale(epsilon, bound, sensitivity))


class NoNoiseForLargeEpsilon(Quick):
    """For ε above 100 the noise is left out."""

    caught_by = "release.budget"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        made = super().release(value, epsilon, bound, sensitivity, count)
        return [0.0] * count if epsilon > 100 and value == 0 else made


class NotClampedFromBelow(Quick):
    """The value is clamped to B, and not to -B, before the noise is added."""

    caught_by = "release.fit"

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        unit = self.unit(scale)
        noisy = min(bound, value) + sign * scale * math.log(u)
        return max(-bound, min(bound, math.floor(noisy / unit + 0.5) * unit))


class FewSeeds(Quick):
    """Every request seeds the generator anew, with 14 bits."""

    caught_by = "release.independence"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        state = self.rng.getstate()
        self.rng.seed(self.rng.getrandbits(14))
        made = super().release(value, epsilon, bound, sensitivity, count)
        self.rng.setstate(state)
        self.rng.random()
        return made


class LessNoiseForOne(Quick):
    """Requests for one release get half of the noise."""

    caught_by = "release.fit"
    factor = 1.0

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        self.factor = 0.5 if count == 1 else 1.0
        return super().release(value, epsilon, bound, sensitivity, count)

    def output(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        unit = self.unit(scale)
        noisy = max(-bound, min(bound, value)) + sign * scale * self.factor * math.log(u)
        return max(-bound, min(bound, math.floor(noisy / unit + 0.5) * unit))


class SignStays(Quick):
    """In 3 of 100 releases the sign is that of the release before."""

    caught_by = "release.independence"
    releases = Effort.releases
    last = 1

    def noise(self) -> tuple[int, float]:
        sign, u = super().noise()
        self.last = self.last if self.rng.random() < 0.03 else sign
        return self.last, u


class UniformOfTwelveBits(Quick):
    """U* is one of 4096 equally spaced numbers."""

    caught_by = "release.fit"
    releases = Effort.releases

    def noise(self) -> tuple[int, float]:
        return super().noise()[0], (self.rng.getrandbits(12) + 1) / 4096


class HonestQuick(Quick):
    """What these are made from: honest, as far as samples can tell."""


def subtle_mutants() -> list[type[Mutant]]:
    """Every mutant of this file, in order."""
    return [
        kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Mutant) and kind.caught_by
    ]


__all__ = ["Honest", "HonestQuick", "subtle_mutants"]
