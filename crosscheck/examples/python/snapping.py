"""A snapping mechanism in plain Python, and how to have it checked:

    snapref crosscheck snapping:Snapping        (in this directory)

It shares no code with the reference. A target is an object with methods of the protocol's names; each may be left out.
"""

import math
import secrets
from fractions import Fraction

ETA = 2.0**-53
BITS = 256  # of the fixed-point logarithm; the hardest double needs about 118 significant bits


def _ln_ratio(numerator: int, denominator: int) -> int:
    """ln(denominator/numerator) * 2**BITS for 1/2 <= numerator/denominator <= 1, by the series of atanh."""
    z = ((denominator - numerator) << BITS) // (denominator + numerator)
    square = z * z >> BITS
    total, n = 0, 1
    while z:
        total += z // n
        z = z * square >> BITS
        n += 2
    return 2 * total


LN2 = _ln_ratio(1, 2)


class Snapping:
    """Everything in doubles, the logarithm correctly rounded, U* in (0, 1) with subnormals."""

    def describe(self) -> dict[str, object]:
        return {"name": "the Python example", "ties": "up", "precision": 53, "uniform": "binary64"}

    def lattice(self, scale: float) -> float:
        if not 0 < scale < math.inf:
            raise ValueError("scale must be positive and finite")
        mantissa, exponent = math.frexp(scale)
        return math.ldexp(1.0, exponent - (mantissa == 0.5))

    def round(self, x: float, lattice: float) -> float:
        if not math.isfinite(x) or not 0 < lattice < math.inf:
            raise ValueError("x and lattice must be finite")
        quotient = x / lattice  # exact, or too large to have a fraction, or far below 1/2
        if abs(quotient) >= 2.0**52:
            return x
        below = math.floor(quotient)
        return (below + (quotient - below >= 0.5)) * lattice + 0.0

    def clamp(self, x: float, bound: float) -> float:
        if math.isnan(x) or not 0 <= bound < math.inf:
            raise ValueError("x is NaN, or bound is not a finite number of at least 0")
        return max(-bound, min(bound, x))

    def log(self, u: float) -> float:
        if not 0 < u < 1:
            raise ValueError("u must lie between 0 and 1")
        mantissa, exponent = math.frexp(u)
        fixed = _ln_ratio(int(mantissa * 2**53), 2**53) - exponent * LN2
        return -float(Fraction(fixed, 1 << BITS))

    def uniform(self, exponent: int, mantissa: int) -> float:
        unit = -52 - exponent
        significand = mantissa | 1 << 52
        if unit < -1074:
            significand, unit = significand >> (-1074 - unit), -1074
        return math.ldexp(max(significand, 1), unit)

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        noisy = self.clamp(value, bound) + sign * scale * self.log(u)
        return self.clamp(self.round(noisy, self.lattice(scale)), bound)

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        if not (2 * ETA < epsilon < math.inf and 0 < bound < math.inf and 0 < sensitivity < math.inf):
            raise ValueError("epsilon must exceed 2**-52, bound and sensitivity must be positive and finite")
        h, ratio = Fraction(ETA), Fraction(bound) / Fraction(sensitivity)
        return float((Fraction(epsilon) - 2 * h) / (1 + 12 * ratio * h)) * (1 - 2.0**-51)  # down, to be safe

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        scale = sensitivity / self.inner_epsilon(epsilon, bound, sensitivity) * (1 + 2.0**-51)
        if not scale <= bound <= 353 * scale:  # beyond, a U* that is a double ends too early
            raise ValueError("bound must be between the scale and 353 times the scale")
        return [self.snap(value, scale, bound, secrets.choice((1, -1)), self._draw()) for _ in range(count)]

    def _draw(self) -> float:
        exponent = 1
        while secrets.randbits(1) == 0:
            exponent += 1
        return self.uniform(exponent, secrets.randbits(52))
