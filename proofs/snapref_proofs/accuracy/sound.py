"""Error bounds that hold: P(N > a) ≤ α for N = |f - output| (001/002 §6.2, as it should be).

The exact quantile at a given f, of the ideal mechanism or of the floating-point program: N is discrete, its law a sum
of steps. And a bound for every f at once, from the tails alone. Neither takes a logarithm: P(N > a), or a bound on it,
decreases in a and is compared with α, exactly, until the least a is found.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from snapref.budget import eta, round_to_bits
from snapref_proofs.accuracy.program import Computed
from snapref_proofs.ideal.model import HALF, ExpSum, Ideal, constant, exponential

DOUBLE = 53  # bits of what is handed out
FINENESS = 40  # a bound for every f is found up to Λ·2^-41, on the safe side


@dataclass(frozen=True)
class TailBound:
    """An upper bound on P(N > a), decreasing in a, for every f with B - |f| ≤ near and B + |f| ≤ far.

    a ≥ far: such an error does not exist. a ≥ near: it exists on one side only. Otherwise on both sides; the two
    thresholds are a whole number of Λ apart, at least ⌊2a/Λ⌋, and each is farther than a - Λ/2 from f, so that
    ½(e^(-d/λ) + e^(-d'/λ)) is largest with one of them right there. `shift` and `factor` pay for rounding errors.
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
    """For the floating-point program: w < T needs -ln u ≥ (d - η|T|)(1 - η)²/λ, the grid of U* costs 1 + 2η (004 §4).

    Relies on `lemmas.ends_below`, `lemmas.ends_above`, `lemmas.signs`, `lemmas.grid_of_uniform`, and |T| < B + Λ/2."""
    ideal, h = program.ideal, eta(program.parameters.precision)
    shift = h * (ideal.bound + ideal.lattice / 2)
    return TailBound(ideal.scale / (1 - h) ** 2, ideal.lattice, *_ends(ideal, f), shift, 1 + 2 * h)


def _ends(ideal: Ideal, f: Fraction | None) -> tuple[Fraction, Fraction]:
    """near and far: without f, the worst over |f| ≤ B."""
    return (ideal.bound, 2 * ideal.bound) if f is None else (ideal.bound - abs(f), ideal.bound + abs(f))


def least_accuracy(tail: TailBound, alpha: Fraction) -> Fraction:
    """The least a with tail(a) ≤ α, or at most Λ·2^-41 more. `far` is always one."""
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
    """The least double that is not less: N is a step function, and an a that is too small by one unit loses a step."""
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
    """The smallest x with P(N > x) ≤ α, which is the accuracy as 002 §6.2 defines it. It is one of the errors of N."""
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
    """The smallest error of one side with P(N > error) ≤ α. The farther side always has one: its largest."""

    def enough(n: int) -> bool:
        return n > most or law.exceeds(error(n), f).at_most(alpha)

    n = least_number(enough)
    return error(n) if n <= most else None
