"""An honest mechanism in plain doubles, with every step a method of its own, so that a mutant overrides just one."""

import math
import random
from fractions import Fraction

from snapref import binary64
from snapref_crosscheck.protocol import OPERATIONS


class Honest:
    """All operations. Its randomness is seeded: it is for tests."""

    ties = "up"
    offers: tuple[str, ...] | None = None  # the operations that a mutant admits to; None: all of them

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)
        for name in OPERATIONS:
            if self.offers is not None and name not in self.offers:
                setattr(self, name, None)

    def describe(self) -> dict[str, object]:
        return {"name": type(self).__name__, "ties": self.ties}

    def lattice(self, scale: float) -> float:
        return self.lattice_(scale)

    def round(self, x: float, lattice: float) -> float:
        return self.round_(x, lattice)

    def clamp(self, x: float, bound: float) -> float:
        return self.clamp_(x, bound)

    def log(self, u: float) -> float:
        return self.log_(u)

    def uniform(self, exponent: int, mantissa: int) -> float:
        return self.uniform_(exponent, mantissa)

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return self.snap_(value, scale, bound, sign, u)

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return self.inner_(epsilon, bound, sensitivity)

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        self.validate(value, epsilon, bound, sensitivity)
        scale = self.scale(epsilon, bound, sensitivity)
        return [self.once(value, scale, bound) for _ in range(count)]

    # The stages -----------------------------------------------------------------------------------------------------

    def lattice_(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale")
        mantissa, exponent = math.frexp(scale)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))

    def round_(self, x: float, lattice: float) -> float:
        if not math.isfinite(x) or not 0 < lattice < math.inf:
            raise ValueError("x or lattice")
        quotient = x / lattice
        if abs(quotient) >= 2.0**52:
            return x
        return self.integer(quotient) * lattice + 0.0

    def integer(self, quotient: float) -> int:
        """The nearest integer, ties up."""
        below = math.floor(quotient)
        return below + (quotient - below >= 0.5)

    def clamp_(self, x: float, bound: float) -> float:
        if math.isnan(x) or not 0 <= bound < math.inf:
            raise ValueError("x or bound")
        return max(-bound, min(bound, x))

    def log_(self, u: float) -> float:
        return binary64.log(u)

    def uniform_(self, exponent: int, mantissa: int) -> float:
        return binary64.uniform(exponent, mantissa)

    def snap_(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noisy = self.clamp_(value, bound) + sign * scale * self.log_(u)
        return self.clamp_(self.round_(noisy, self.lattice_(scale)), bound)

    def inner_(self, epsilon: float, bound: float, sensitivity: float) -> float:
        h = Fraction(1, 2**53)
        exact = (Fraction(epsilon) - 2 * h) / (1 + 12 * Fraction(bound) / Fraction(sensitivity) * h)
        return float(exact) * (1 - 2.0**-51)

    def validate(self, value: float, epsilon: float, bound: float, sensitivity: float) -> None:
        if math.isnan(value) or not 2.0**-52 < epsilon < math.inf:
            raise ValueError("value or epsilon")
        if not (0 < bound < math.inf and 0 < sensitivity < math.inf):
            raise ValueError("bound or sensitivity")
        if not 2.0**-46 <= sensitivity / epsilon / bound <= 1:
            raise ValueError("bound against scale")

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return sensitivity / self.inner_(epsilon, bound, sensitivity)

    def once(self, value: float, scale: float, bound: float) -> float:
        return self.snap_(value, scale, bound, self.sign(), self.draw())

    def sign(self) -> int:
        return self.rng.choice((1, -1))

    def draw(self) -> float:
        coins = self.rng.getrandbits(64) or 1
        return self.uniform_(65 - coins.bit_length(), self.rng.getrandbits(52))
