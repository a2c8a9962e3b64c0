"""Error bounds a that hold: P(N > a) ≤ α for the error N = |f - output| (what 002 §6.2 looks for; claim N-GA).

There are two kinds, both for the ideal mechanism and for the floating-point program. One is the exact quantile at a
given f. The other is a bound for every f at once, from a bound on the tail P(N > a). Both are found without a
logarithm: P(N > a), or its bound, decreases in a, and is compared exactly with α until the least a is found. That the
bounds are right is decided in completion_obligations.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from snapref.budget import eta, round_to_bits
from snapref_proofs.accuracy.program import Computed
from snapref_proofs.ideal.model import HALF, ExpSum, Ideal, constant, exponential

DOUBLE = 53  # the bits of a double, which is what users get
FINENESS = 40  # a bound for every f is at most Λ·2^-41 larger than the least


@dataclass(frozen=True)
class TailBound:
    """An upper bound on P(N > a), decreasing in a, for every f with B - |f| ≤ near and B + |f| ≤ far.

    If a ≥ far, no error is larger than a. If a ≥ near, such an error exists on one side of f only. Otherwise it exists
    on both sides, beyond two thresholds at distances d and d' from f. The thresholds are a whole number of Λ apart, at
    least ⌊2a/Λ⌋, and d and d' are more than a - Λ/2. So ½(e^(-d/λ) + e^(-d'/λ)) is less than its value where one of the
    two is a - Λ/2 and their sum is ⌊2a/Λ⌋Λ. `shift` and `factor` make room for rounding errors.
    """

    scale: Fraction
    lattice: Fraction
    near: Fraction
    far: Fraction
    shift: Fraction = Fraction(0)
    factor: Fraction = Fraction(1)

    def __call__(self, a: Fraction) -> ExpSum:
        if a >= self.far:
            return constant(0)
        if a < self.lattice / 2:  # for f in the middle between two multiples of Λ, N is at least Λ/2
            return constant(1)
        distance = a - self.lattice / 2
        tails = self._tail(distance)
        if a < self.near:
            tails += self._tail(floor(2 * a / self.lattice) * self.lattice - distance)
        return self.factor * HALF * tails

    def _tail(self, distance: Fraction) -> ExpSum:
        return exponential((self.shift - distance) / self.scale)


def ideal_tail(ideal: Ideal, f: Fraction | None = None) -> TailBound:
    """For the ideal mechanism: at f, or for every f in [-B, B]."""
    return TailBound(ideal.scale, ideal.lattice, *_ends(ideal, f))


def program_tail(program: Computed, f: Fraction | None = None) -> TailBound:
    """For the floating-point program, by the error analysis of 004 §4.

    A noisy value beyond a threshold T at the distance d needs a draw u with -ln u ≥ (d - η|T|)(1 - η)²/λ, and that U*
    has p bits costs a factor of 1 + 2η. This relies on `ends_below`, `ends_above`, `signs` and `grid_of_uniform` of
    figure2/statements.py, and on |T| < B + Λ/2.
    """
    ideal, h = program.ideal, eta(program.parameters.precision)
    shift = h * (ideal.bound + ideal.lattice / 2)
    return TailBound(ideal.scale / (1 - h) ** 2, ideal.lattice, *_ends(ideal, f), shift, 1 + 2 * h)


def _ends(ideal: Ideal, f: Fraction | None) -> tuple[Fraction, Fraction]:
    """near and far; without f, the largest that they are for |f| ≤ B."""
    return (ideal.bound, 2 * ideal.bound) if f is None else (ideal.bound - abs(f), ideal.bound + abs(f))


def least_accuracy(tail: TailBound, alpha: Fraction) -> Fraction:
    """The least a with tail(a) ≤ α, or at most Λ·2^-41 more. There is one: a = far."""
    half = tail.lattice / 2

    def enough(a: Fraction) -> bool:
        return tail(a).at_most(alpha)

    steps = least_number(lambda n: n * half >= tail.far or enough(n * half))
    high, low = min(steps * half, tail.far), max(steps - 1, 0) * half
    for _ in range(FINENESS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return min((a for a in (tail.near, tail.far) if a < high and enough(a)), default=high)


def as_double(a: Fraction) -> Fraction:
    """The least double ≥ a. Rounding down would be wrong: P(N > a) may jump at a."""
    return a if a == 0 else round_to_bits(a, DOUBLE, up=True)


def least_number(enough: Callable[[int], bool]) -> int:
    """The least n ≥ 0 with a property that, once it holds, holds for all larger n."""
    if enough(0):
        return 0
    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def quantile(law: Ideal | Computed, alpha: Fraction, f: Fraction) -> Fraction:
    """The smallest x with P(N > x) ≤ α: the accuracy as 002 §6.2 defines it. It is one of the possible errors."""
    ideal = law.ideal if isinstance(law, Computed) else law
    under, over = ideal.last_not_above(f), ideal.first_not_below(f)
    sides = (
        (under + ideal.last, lambda n: f - ideal.output(under - n)),
        (ideal.last - over, lambda n: ideal.output(over + n) - f),
    )
    found = [_first(law, alpha, f, error, most) for most, error in sides]
    return min(error for error in found if error is not None)


def _first(
    law: Ideal | Computed, alpha: Fraction, f: Fraction, error: Callable[[int], Fraction], most: int
) -> Fraction | None:
    """The smallest error on one side of f with P(N > error) ≤ α. The farther side always has one: its largest error."""

    def enough(n: int) -> bool:
        return n > most or law.exceeds(error(n), f).at_most(alpha)

    n = least_number(enough)
    return error(n) if n <= most else None
