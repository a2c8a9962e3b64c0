"""The ideal mechanism clamp_B(round_Λ(clamp_B(f) + Y)) in real arithmetic, with Y ~ Laplace(λ).

It is the mechanism of 001 and 002, §2.2 and §6, and of 000. The parameters are rational. Then every probability is a
finite sum Σ c·e^r with rational c and r: an `ExpSum`. By the theorem of Lindemann and Weierstrass such a sum is 0 only
if it has no terms, so equality is decided exactly. The sign of a sum is decided by enclosures, which are refined until
both interval engines see it. Nothing here is rounded or sampled. It relies on evaluate/intervals.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed, sign
from snapref_proofs.evaluate.parameters import Parameters

HALF = Fraction(1, 2)
MOST_BITS = 1 << 16  # beyond this a sign is given up on, with an error: it is not guessed


@dataclass(frozen=True)
class ExpSum:
    """Σ c·e^r over the pairs r: c of `terms`. Terms with c = 0 are dropped, so that equal sums are equal objects."""

    terms: Mapping[Fraction, Fraction]

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", {r: c for r, c in sorted(self.terms.items()) if c})

    def __add__(self, other: "ExpSum | Fraction | int") -> "ExpSum":
        total = dict(self.terms)
        for r, c in _sum(other).terms.items():
            total[r] = total.get(r, Fraction(0)) + c
        return ExpSum(total)

    __radd__ = __add__

    def __mul__(self, factor: Fraction | int) -> "ExpSum":
        return ExpSum({r: c * factor for r, c in self.terms.items()})

    __rmul__ = __mul__

    def __neg__(self) -> "ExpSum":
        return self * -1

    def __sub__(self, other: "ExpSum | Fraction | int") -> "ExpSum":
        return self + -_sum(other)

    def __rsub__(self, other: Fraction | int) -> "ExpSum":
        return -self + other

    def on(self, engine: Engine) -> Enclosure:
        """The sum as one of the engines encloses it."""
        total = engine.between(Fraction(0), Fraction(0))
        for r, c in self.terms.items():
            total = total + engine.between(c, c) * engine.exp(engine.between(r, r))
        return total

    def enclosure(self, bits: int = 128) -> tuple[Fraction, Fraction]:
        """Two rationals with the sum between them: what both engines agree on."""
        return agreed(self.on, bits)

    def sign(self) -> int:
        """+1, 0 or -1, decided."""
        if not self.terms.keys() - {0}:  # a rational number
            value = self.terms.get(Fraction(0), 0)
            return (value > 0) - (value < 0)
        found = sign(self.on, 64, MOST_BITS)
        if not found:
            raise ArithmeticError(f"the sign of a sum of exponentials needs more than {MOST_BITS} bits")
        return found

    def at_most(self, limit: Fraction | int) -> bool:
        """Whether the sum is at most a rational limit, decided."""
        return (self - limit).sign() <= 0

    def __float__(self) -> float:
        low, high = self.enclosure()
        return float((low + high) / 2)


def exponential(exponent: Fraction) -> ExpSum:
    """e^exponent."""
    return ExpSum({exponent: Fraction(1)})


def constant(value: Fraction | int) -> ExpSum:
    return ExpSum({Fraction(0): Fraction(value)})


def _sum(value: "ExpSum | Fraction | int") -> ExpSum:
    return value if isinstance(value, ExpSum) else constant(value)


def laplace_below(x: Fraction, scale: Fraction) -> ExpSum:
    """F(x) = P(Y < x) = P(Y ≤ x) for Y ~ Laplace(λ): ½e^(x/λ) for x < 0, 1 - ½e^(-x/λ) for x ≥ 0 (eq. 6.2)."""
    tail = HALF * exponential(-abs(x) / scale)
    return tail if x < 0 else 1 - tail


def round_to_lattice(x: Fraction, lattice: Fraction) -> Fraction:
    """The nearest multiple of Λ, ties toward +∞ (001 and 002, §2.2)."""
    return lattice * floor(x / lattice + HALF)


def clamp(x: Fraction, bound: Fraction) -> Fraction:
    """The point of [-B, B] nearest to x."""
    return max(-bound, min(bound, x))


@dataclass(frozen=True)
class Ideal:
    """The mechanism with these parameters in real arithmetic. It ignores p, U* and the tie rule of the record.

    Ties go toward +∞. B need not be a multiple of Λ.
    """

    parameters: Parameters

    @property
    def scale(self) -> Fraction:
        return self.parameters.scale

    @property
    def bound(self) -> Fraction:
        return self.parameters.bound

    @property
    def lattice(self) -> Fraction:
        return self.parameters.lattice

    @property
    def last(self) -> int:
        return self.parameters.last

    def output_from(self, f: Fraction, noise: Fraction) -> Fraction:
        """The program: what comes out of f when the noise is given."""
        return clamp(round_to_lattice(clamp(f, self.bound) + noise, self.lattice), self.bound)

    def output(self, k: int) -> Fraction:
        """The output number k, -K ≤ k ≤ K."""
        return clamp(k * self.lattice, self.bound)

    def up_to(self, k: int, f: Fraction) -> ExpSum:
        """P(output ≤ number k), for any integer k: the noisy value is below the threshold (k + ½)Λ."""
        if not -self.last <= k < self.last:
            return constant(int(k >= self.last))
        return laplace_below((k + HALF) * self.lattice - clamp(f, self.bound), self.scale)

    def probability(self, k: int, f: Fraction) -> ExpSum:
        """P(output number k)."""
        return self.up_to(k, f) - self.up_to(k - 1, f)

    def law(self, f: Fraction) -> Iterator[tuple[Fraction, ExpSum]]:
        """Every output with its probability, in order."""
        for k in range(-self.last, self.last + 1):
            yield self.output(k), self.probability(k, f)

    def first_not_below(self, x: Fraction) -> int:
        """The number of the first output ≥ x; K + 1 where there is none."""
        if -self.bound < x <= self.bound:
            return ceil(x / self.lattice)
        return self.last + 1 if x > 0 else -self.last

    def last_not_above(self, x: Fraction) -> int:
        """The number of the last output ≤ x; -K - 1 where there is none."""
        if -self.bound <= x < self.bound:
            return floor(x / self.lattice)
        return self.last if x > 0 else -self.last - 1

    def below(self, x: Fraction, f: Fraction) -> ExpSum:
        """P(output < x)."""
        return self.up_to(self.first_not_below(x) - 1, f)

    def above(self, x: Fraction, f: Fraction) -> ExpSum:
        """P(output > x)."""
        return 1 - self.up_to(self.last_not_above(x), f)

    def exceeds(self, a: Fraction, f: Fraction) -> ExpSum:
        """P(N > a) for the error N = |f - output| and a ≥ 0: two exponentials, however many outputs there are."""
        return self.below(f - a, f) + self.above(f + a, f)

    def reaches(self, a: Fraction, f: Fraction) -> ExpSum:
        """P(N ≥ a), a > 0."""
        return 1 - (self.below(f + a, f) - (1 - self.above(f - a, f)))

    def expected_error(self, f: Fraction) -> ExpSum:
        """E N."""
        return sum((abs(f - x) * p for x, p in self.law(f)), constant(0))
