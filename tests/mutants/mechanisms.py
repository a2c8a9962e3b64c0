"""The mutants. `caught_by` is the check that must fail first, and `releases` are enough for it; the docstring says what
is wrong."""

import math
import random
import struct
from fractions import Fraction
from typing import ClassVar

from tests.mutants.honest import Honest

RELEASE_ONLY = ("release",)


class Mutant(Honest):
    """A wrong mechanism."""

    caught_by: ClassVar[str] = ""
    releases: ClassVar[int] = 2500


# Λ ------------------------------------------------------------------------------------------------------------------


class LatticeByLog2(Mutant):
    """Λ = 2**ceil(log2 λ) in floating point: log2 of the double after a power of two is whole."""

    caught_by = "lattice"

    def lattice_(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale")
        return 2.0 ** math.ceil(math.log2(scale))


class LatticeAlwaysAbove(Mutant):
    """Λ is strictly above λ: a power of two is doubled."""

    caught_by = "lattice"

    def lattice_(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale")
        return math.ldexp(1.0, math.frexp(scale)[1])


class LatticeBelow(Mutant):
    """Λ is the largest power of two that is at most λ."""

    caught_by = "lattice"

    def lattice_(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale")
        return math.ldexp(1.0, math.frexp(scale)[1] - 1)


class LatticeNearest(Mutant):
    """Λ is the power of two nearest to λ."""

    caught_by = "lattice"

    def lattice_(self, scale: float) -> float:
        power = super().lattice_(scale)
        return power / 2 if scale < 0.75 * power else power


class LatticeFromExponentField(Mutant):
    """Adds one to the exponent field where the fraction is not zero: right for normal λ, wrong for subnormal λ."""

    caught_by = "lattice"

    def lattice_(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale")
        bits = struct.unpack("<Q", struct.pack("<d", scale))[0]
        field = (bits >> 52) + (bits & (1 << 52) - 1 != 0)
        return float(struct.unpack("<d", struct.pack("<Q", field << 52))[0])


# Rounding -----------------------------------------------------------------------------------------------------------


class TiesEven(Mutant):
    """Python's round: ties to even, while up is declared."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return round(quotient)


class TiesAway(Mutant):
    """C's round: ties away from zero, while up is declared."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        whole = math.floor(abs(quotient))
        return int(math.copysign(1, quotient)) * (whole + (abs(quotient) - whole >= 0.5))


class TiesDown(Mutant):
    """Ties toward -∞, while up is declared."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return -super().integer(-quotient)


class LiesAboutTies(Mutant):
    """Declares ties to even and rounds ties up."""

    caught_by = "round"
    ties = "even"


class RoundByAddingHalf(Mutant):
    """floor(x/Λ + 0.5): the sum is rounded, so the double below one half goes up."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return math.floor(quotient + 0.5)


class RoundTowardZero(Mutant):
    """Cuts the fraction off."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return int(quotient)


class RoundByRemainder(Mutant):
    """x - x % Λ, where the remainder of a small negative x is itself rounded to Λ/2: the result is no multiple of Λ."""

    caught_by = "round"

    def round_(self, x: float, lattice: float) -> float:
        if not math.isfinite(x) or not 0 < lattice < math.inf:
            raise ValueError("x or lattice")
        remainder = x % lattice
        if remainder > lattice / 2:
            return x - remainder + lattice
        return x + remainder if remainder == lattice / 2 else x - remainder


class RoundLosesCarry(Mutant):
    """The multiple is kept in as many bits as before: 7.5 becomes 0."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        nearest = super().integer(quotient)
        width = math.floor(abs(quotient)).bit_length()
        return nearest if abs(nearest).bit_length() <= width or width == 0 else 0


class RoundInThirtyTwoBits(Mutant):
    """The multiple wraps at 2**31."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return (super().integer(quotient) + 2**31) % 2**32 - 2**31


class RoundForgetsThirdCase(Mutant):
    """Everything below Λ goes to 0, also what is above Λ/2."""

    caught_by = "round"

    def integer(self, quotient: float) -> int:
        return 0 if abs(quotient) < 1 else super().integer(quotient)


class RoundForgetsFirstCase(Mutant):
    """Large numbers, multiples of Λ already, are rounded once more by adding Λ/2."""

    caught_by = "round"

    def round_(self, x: float, lattice: float) -> float:
        rounded = super().round_(x, lattice)
        return x + lattice / 2 if abs(x / lattice) >= 2.0**52 else rounded


# Clamping -----------------------------------------------------------------------------------------------------------


class ClampForgetsBelow(Mutant):
    """Only the upper bound is enforced."""

    caught_by = "clamp"

    def clamp_(self, x: float, bound: float) -> float:
        super().clamp_(x, bound)
        return min(bound, x)


class ClampMagnitude(Mutant):
    """The bound loses its sign on the way back."""

    caught_by = "clamp"

    def clamp_(self, x: float, bound: float) -> float:
        return abs(super().clamp_(x, bound)) if abs(x) > bound else x


class ClampExclusive(Mutant):
    """Clamps to the largest double below B."""

    caught_by = "clamp"

    def clamp_(self, x: float, bound: float) -> float:
        inside = super().clamp_(x, bound)
        return math.copysign(math.nextafter(bound, 0.0), x) if abs(inside) == bound else inside


class ClampAcceptsNaN(Mutant):
    """A NaN passes, as all comparisons with it are false: min and max let it become B."""

    caught_by = "clamp"

    def clamp_(self, x: float, bound: float) -> float:
        if not 0 <= bound < math.inf:
            raise ValueError("bound")
        return min(bound, max(-bound, x)) if x == x else bound


# The logarithm ------------------------------------------------------------------------------------------------------


class LibmLog(Mutant):
    """The platform's logarithm: right almost everywhere."""

    caught_by = "log"

    def log_(self, u: float) -> float:
        if math.isnan(u):
            raise ValueError("u")
        return math.log(u)


class LogOnePlus(Mutant):
    """log1p(u - 1): the subtraction rounds small u away."""

    caught_by = "log"

    def log_(self, u: float) -> float:
        return math.log1p(u - 1) if u > 2.0**-53 else super().log_(u)


class LogByBaseTwo(Mutant):
    """log2(u)·ln 2, rounded twice."""

    caught_by = "log"

    def log_(self, u: float) -> float:
        return math.log2(u) * math.log(2.0)


class LogInSinglePrecision(Mutant):
    """The logarithm passes through a float of 24 bits."""

    caught_by = "log"

    def log_(self, u: float) -> float:
        return float(struct.unpack("<f", struct.pack("<f", super().log_(u)))[0])


# U* -----------------------------------------------------------------------------------------------------------------


class UniformExponentOffByOne(Mutant):
    """The exponent counts from 0, so U* reaches 1 and beyond."""

    caught_by = "uniform"

    def uniform_(self, exponent: int, mantissa: int) -> float:
        return super().uniform_(max(exponent - 1, 1), mantissa)


class UniformUnderflows(Mutant):
    """Below the smallest double U* becomes 0, and its logarithm infinite."""

    caught_by = "uniform"

    def uniform_(self, exponent: int, mantissa: int) -> float:
        return 0.0 if exponent > 1074 else super().uniform_(exponent, mantissa)


class UniformRoundsSubnormals(Mutant):
    """Subnormals are rounded to nearest, not cut: P(U* < t) is no longer t."""

    caught_by = "uniform"

    def uniform_(self, exponent: int, mantissa: int) -> float:
        return math.ldexp(float((1 << 52) + mantissa), -52 - exponent) or 2.0**-1074


class UniformForgetsHiddenBit(Mutant):
    """0.m instead of 1.m: U* piles up near 0."""

    caught_by = "uniform"

    def uniform_(self, exponent: int, mantissa: int) -> float:
        return math.ldexp(float(mantissa or 1), -52 - exponent) or 2.0**-1074


# The whole mechanism ------------------------------------------------------------------------------------------------


class SignFlipped(Mutant):
    """S = 1 moves up. Harmless for privacy, but not what the protocol says."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return super().snap_(value, scale, bound, -sign, u)


class NoInputClamp(Mutant):
    """f(D) is not clamped before noise is added: the sensitivity bound is lost with it."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return self.clamp_(self.round_(value + sign * scale * self.log_(u), self.lattice_(scale)), bound)


class NoOutputClamp(Mutant):
    """The output leaves [-B, B]."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return self.round_(self.clamp_(value, bound) + sign * scale * self.log_(u), self.lattice_(scale))


class ClampBeforeRounding(Mutant):
    """The last two steps are swapped: B off the lattice is rounded beyond B, or to less."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noisy = self.clamp_(value, bound) + sign * scale * self.log_(u)
        return self.round_(self.clamp_(noisy, bound), self.lattice_(scale))


class FusedMultiplyAdd(Mutant):
    """value + λ·LN(u) is rounded once, as a fused multiply-add does."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        exact = Fraction(self.clamp_(value, bound)) + sign * Fraction(scale) * Fraction(self.log_(u))
        return self.clamp_(self.round_(float(exact), self.lattice_(scale)), bound)


class NoiseByDivision(Mutant):
    """LN(u) is divided by 1/λ instead of multiplied by λ: two roundings where one belongs."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noise = sign * self.log_(u) / (1 / scale) if 1e-300 < scale < 1e300 else sign * scale * self.log_(u)
        return self.clamp_(self.round_(self.clamp_(value, bound) + noise, self.lattice_(scale)), bound)


class NoiseRoundedAlone(Mutant):
    """The noise is snapped, not the noisy value: the output betrays the low bits of the value."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noise = self.round_(sign * scale * self.log_(u), self.lattice_(scale))
        return self.clamp_(self.clamp_(value, bound) + noise, bound)


class HalfLattice(Mutant):
    """Snaps to multiples of Λ/2."""

    caught_by = "snap"

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noisy = self.clamp_(value, bound) + sign * scale * self.log_(u)
        return self.clamp_(self.round_(noisy, self.lattice_(scale) / 2 or 2.0**-1074), bound)


# The budget ---------------------------------------------------------------------------------------------------------


def inner(epsilon: float, bound: float, sensitivity: float, eta: float, constant: int) -> float:
    h = Fraction(eta)
    exact = (Fraction(epsilon) - 2 * h) / (1 + constant * Fraction(bound) / Fraction(sensitivity) * h)
    return float(exact) * (1 - 2.0**-51)


class EtaTooSmall(Mutant):
    """η = 2**-54: half of what one rounding can be off."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return inner(epsilon, bound, sensitivity, 2.0**-54, 12)


class ConstantTooSmall(Mutant):
    """2·B·η where the bound has 12."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return inner(epsilon, bound, sensitivity, 2.0**-53, 2)


class BudgetNotReduced(Mutant):
    """ε' = ε: nothing is set aside for rounding."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return epsilon


class BudgetForgetsTwoEta(Mutant):
    """The 2η for rounding the logarithm is left out."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        exact = Fraction(epsilon) / (1 + 12 * Fraction(bound) / Fraction(sensitivity) / 2**53)
        return float(exact) * (1 - 2.0**-51)


class BudgetIgnoresSensitivity(Mutant):
    """12·B·η instead of 12·(B/Δ)·η: too little where Δ < 1."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return super().inner_(epsilon, bound, 1.0)


class BudgetOfZero(Mutant):
    """ε - 2 instead of ε - 2η: ε' is negative for small ε."""

    caught_by = "inner_epsilon"

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return epsilon - 2


# Releases, from the outside -----------------------------------------------------------------------------------------


class Blackbox(Mutant):
    """Offers nothing but releases."""

    offers = RELEASE_ONLY


class PlainLaplace(Blackbox):
    """The textbook Laplace mechanism, with no snapping at all."""

    caught_by = "release.support"

    def once(self, value: float, scale: float, bound: float) -> float:
        return self.clamp_(self.clamp_(value, bound) + self.sign() * scale * math.log(self.draw()), bound)


class RoundsToIntegers(Blackbox):
    """Rounds to whole numbers, whatever λ is."""

    caught_by = "release.support"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = self.clamp_(value, bound) + self.sign() * scale * self.log_(self.draw())
        return self.clamp_(self.round_(noisy, 1.0), bound)


class BoundOnTheLattice(Blackbox):
    """Outputs beyond B become the multiple of Λ next to it, outside [-B, B] where B is off the lattice."""

    caught_by = "release.support"

    def once(self, value: float, scale: float, bound: float) -> float:
        unit = self.lattice_(scale)
        return self.snap_(self.clamp_(value, bound), scale, math.ceil(bound / unit) * unit, self.sign(), self.draw())


class SensitivityIgnored(Blackbox):
    """λ = 1/ε', whatever Δ is."""

    caught_by = "release.support"

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return 1.0 / self.inner_(epsilon, bound, sensitivity)


class ScaleHalved(Blackbox):
    """Noise of scale λ/2 on the lattice of λ."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = self.clamp_(value, bound) + self.sign() * scale / 2 * self.log_(self.draw())
        return self.clamp_(self.round_(noisy, self.lattice_(scale)), bound)


class ScaleSlightlyTooSmall(Blackbox):
    """Noise of scale 0.94·λ on the lattice of λ: a little more budget spent than asked for."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = self.clamp_(value, bound) + self.sign() * 0.94 * scale * self.log_(self.draw())
        return self.clamp_(self.round_(noisy, self.lattice_(scale)), bound)


class SignBias(Blackbox):
    """The sign is +1 in 53 of 100 cases."""

    caught_by = "release.fit"

    def sign(self) -> int:
        return 1 if self.rng.random() < 0.53 else -1


class OneSidedNoise(Blackbox):
    """The sign is never drawn."""

    caught_by = "release.fit"

    def sign(self) -> int:
        return 1


class GaussianNoise(Blackbox):
    """Gaussian noise of the same variance."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = self.clamp_(value, bound) + self.rng.gauss(0.0, math.sqrt(2) * scale)
        return self.clamp_(self.round_(noisy, self.lattice_(scale)), bound)


class NoiseTruncated(Blackbox):
    """Noise beyond 3λ is drawn again."""

    caught_by = "release.fit"

    def draw(self) -> float:
        while (u := super().draw()) < math.exp(-3):
            pass
        return u


class CoarseUniform(Blackbox):
    """U* has four bits: the tail ends, and what is left is uneven."""

    caught_by = "release.fit"

    def draw(self) -> float:
        return self.rng.randrange(1, 16) / 16


class RejectionInsteadOfClamp(Blackbox):
    """Outputs outside the bounds are drawn again, so that their probability depends on the value everywhere."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        unit, inner = self.lattice_(scale), self.clamp_(value, bound)
        while abs(x := self.round_(inner + self.sign() * scale * self.log_(self.draw()), unit)) > bound:
            pass
        return x


class ValueNotClamped(Blackbox):
    """Only the output is clamped: a value outside the bounds keeps its distance."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = value + self.sign() * scale * self.log_(self.draw())
        return self.clamp_(self.round_(noisy, self.lattice_(scale)), bound)


class ValueRoundedFirst(Blackbox):
    """The value is snapped before noise is added, as well as after."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        first = self.round_(self.clamp_(value, bound), self.lattice_(scale))
        return super().once(first, scale, bound)


class LatticeTwiceAsCoarse(Blackbox):
    """Snaps to multiples of 2Λ: every output is a possible one, but half of them never come."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        noisy = self.clamp_(value, bound) + self.sign() * scale * self.log_(self.draw())
        return self.clamp_(self.round_(noisy, 2 * self.lattice_(scale)), bound)


class NoNoise(Blackbox):
    """The noise is left out."""

    caught_by = "release.fit"

    def once(self, value: float, scale: float, bound: float) -> float:
        return self.clamp_(self.round_(self.clamp_(value, bound), self.lattice_(scale)), bound)


class NoiseUsedTwice(Blackbox):
    """Two releases share one draw: their difference is not private."""

    caught_by = "release.independence"
    kept: tuple[int, float] | None = None

    def once(self, value: float, scale: float, bound: float) -> float:
        if self.kept is None:
            self.kept = (self.sign(), self.draw())
            return self.snap_(value, scale, bound, *self.kept)
        kept, self.kept = self.kept, None
        return self.snap_(value, scale, bound, *kept)


class SeededForEveryRequest(Blackbox):
    """The generator starts anew with every request."""

    caught_by = "release.independence"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        self.rng = random.Random(7)
        return super().release(value, epsilon, bound, sensitivity, count)


class AcceptsNaN(Blackbox):
    """A NaN is released as a NaN."""

    caught_by = "release.parameters"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [math.nan] * count if math.isnan(value) else super().release(value, epsilon, bound, sensitivity, count)


class AcceptsZeroSensitivity(Blackbox):
    """Δ = 0 gives the value itself."""

    caught_by = "release.parameters"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [value] * count if sensitivity == 0 else super().release(value, epsilon, bound, sensitivity, count)


class AcceptsNegativeParameters(Blackbox):
    """The sign of ε is dropped."""

    caught_by = "release.parameters"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return super().release(value, abs(epsilon), bound, sensitivity, count)


class NoiseLostInRounding(Blackbox):
    """Accepts bounds so large that doubles near them are wider apart than the noise: the value comes out as it is."""

    caught_by = "release.parameters"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if bound >= 1e20 and math.isfinite(bound) and epsilon > 0 and sensitivity > 0 and value == value:
            return [self.once(value, sensitivity / epsilon, bound) for _ in range(count)]
        return super().release(value, epsilon, bound, sensitivity, count)


class InfinityEscapes(Blackbox):
    """An infinite value is released as it is."""

    caught_by = "release.parameters"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [value] * count if math.isinf(value) else super().release(value, epsilon, bound, sensitivity, count)


def all_mutants() -> list[type[Mutant]]:
    """Every mutant, in the order of this file."""
    return [
        kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Mutant) and kind.caught_by
    ]
