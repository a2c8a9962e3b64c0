"""The exact privacy loss |ln(P(x|a)/P(x|a'))| at every output x; Theorem 1 (004 §4) bounds it.

P(x|a) is the probability of the output x from the value a. A loss is stored as two integers: it is the logarithm of
their ratio. To compare it with a rational bound, the logarithm is enclosed more and more tightly until the comparison
is decided. This ends: the logarithm of a rational number other than 1 is transcendental, so it never equals the bound.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.distribution import probabilities, probability
from snapref_proofs.evaluate.dyadics import MAX_BITS, ZERO, subtract, to_fraction
from snapref_proofs.evaluate.parameters import Parameters

DIGITS = 45  # of a loss in decimal


class Loss(NamedTuple):
    """ln(larger/smaller): the two probabilities of one output, as multiples of a common unit.

    If `smaller` is 0, the loss is infinite.
    """

    larger: int
    smaller: int

    @property
    def infinite(self) -> bool:
        return self.smaller == 0

    def exceeds(self, bound: Fraction) -> bool:
        """Whether the loss is more than a bound >= 0, decided by an enclosure."""
        if self.infinite or self.larger == self.smaller:
            return self.infinite
        bits = 128
        while True:
            low, high = self.enclosure(bits)
            if low > bound:
                return True
            if high <= bound:
                return False
            bits *= 2

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals with the loss between them, to about `bits` significant bits."""
        if self.infinite:
            raise ParameterError("an infinite loss has no enclosure")
        if self.larger == self.smaller:
            return Fraction(0), Fraction(0)
        low, high = enclosure.log1p(self.larger - self.smaller, self.smaller, bits)
        return to_fraction(low), to_fraction(high)

    def above(self, other: "Loss") -> bool:
        """Whether this loss is the larger one, compared exactly."""
        return self.larger * other.smaller > other.larger * self.smaller

    def text(self, digits: int = DIGITS) -> str:
        """The loss in decimal, its first `digits` significant digits, all of them correct; or "inf"."""
        if self.infinite:
            return "inf"
        if self.larger == self.smaller:
            return "0"
        bits = 4 * digits
        while True:
            low, high = (decimal_text(end, digits) for end in self.enclosure(bits))
            if low == high:
                return low
            bits *= 2

    def in_units(self, offset: Fraction, unit: Fraction) -> float:
        """(loss - offset)/unit, rounded to a float for people to read."""
        if self.infinite:
            return float("inf")
        low, high = self.enclosure(256)
        return float(((low + high) / 2 - offset) / unit)


def decimal_text(x: Fraction, digits: int = DIGITS) -> str:
    """A rational x > 0 in decimal, cut off after `digits` significant digits."""
    if x == 0:
        return "0"
    exponent = len(str(x.numerator)) - len(str(x.denominator)) - digits  # x is about digits × 10**exponent
    while True:
        whole = x * 10**-exponent // 1 if exponent < 0 else x / 10**exponent // 1
        if len(str(whole)) == digits:
            return str(Decimal((0, tuple(map(int, str(whole))), exponent)))
        exponent += len(str(whole)) - digits


def loss_of(p: Dyadic, q: Dyadic) -> Loss:
    """The loss of an output with probabilities p and q, not both zero."""
    (m, e), (n, f) = p, q
    if m and n and abs(e - f) > MAX_BITS:
        raise ParameterError(f"two probabilities whose exponents differ by {abs(e - f)} are too long to compare")
    if m and n:
        m, n = m << max(0, e - f), n << max(0, f - e)
    return Loss(m, n) if m >= n else Loss(n, m)


class Entry(NamedTuple):
    """One output: its number k, -K <= k <= K, and its probability from a and from b."""

    k: int
    a: Dyadic
    b: Dyadic

    @property
    def loss(self) -> Loss:
        return loss_of(self.a, self.b)


def entries(mechanism: Parameters, a: Dyadic, b: Dyadic) -> Iterator[Entry]:
    """Every output that is possible from a or from b, in order."""
    for k, (p, q) in probabilities(mechanism, (a, b)):
        if p.significand or q.significand:
            yield Entry(k, p, q)


def entry_at(mechanism: Parameters, k: int, a: Dyadic, b: Dyadic) -> Entry:
    """The one output number k."""
    return Entry(k, probability(mechanism, k, a), probability(mechanism, k, b))


def worst(found: Iterable[Entry]) -> Entry:
    """The entry of the largest loss; the first of several."""
    best: Entry | None = None
    for entry in found:
        if best is None or entry.loss.above(best.loss):
            best = entry
    if best is None:
        raise ParameterError("no output is possible")
    return best


def nearest(mechanism: Parameters, c: Dyadic) -> int:
    """k with [c] = kΛ, ties toward +∞."""
    n, e = c
    shift = mechanism.lattice_exponent - e
    if shift <= 0:
        return n << -shift
    return ((n >> (shift - 1)) + 1) >> 1


def case(mechanism: Parameters, k: int, a: Dyadic, b: Dyadic) -> str:
    """Which case of 004's proof the output number k falls into, after a and b are put in order.

    The cases are A to G. If a and b round to the same output k, cases C and E coincide, and the answer is "CE".
    """
    if subtract(a, b).significand > 0:
        a, b = b, a
    first, second = nearest(mechanism, a), nearest(mechanism, b)
    if abs(k) == mechanism.last:
        return "A" if k < 0 else "G"
    if k == first == second:
        return "CE"
    if k == first:
        return "C"
    if k == second:
        return "E"
    return "B" if k < first else "F" if k > second else "D"


def clamped(c: Dyadic, bound: Dyadic) -> Dyadic:
    """c, or the end of [-B, B] that is nearer to it."""
    if subtract(Dyadic(abs(c.significand), c.exponent), bound).significand <= 0:
        return c if c.significand else ZERO
    return bound if c.significand > 0 else Dyadic(-bound.significand, bound.exponent)
