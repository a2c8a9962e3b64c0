"""The exact law of the mechanism whose ⊕, ⊗ and LN all round in one direction; as evaluate/tails.py for RN (004 §4).

Let a < b be neighbouring floats, both positive. Toward 0 the result is at least b from r = b on; away from 0 from just
after a on. So the program can be followed backwards, with one exponential for each number that the noise must reach.
e**-y is not dyadic for a rational y ≠ 0 (Lindemann), so no draw u lies exactly there.
"""

from fractions import Fraction
from typing import Literal

from snapref.arithmetic import Dyadic
from snapref_proofs.evaluate.dyadics import at_least, to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.small_formats import Cumulative
from snapref_proofs.evaluate.tails import Boundary, uniform_below

Direction = Literal["up", "down", "toward 0", "away from 0"]


def shrinks(direction: Direction, positive: bool) -> bool:
    """Whether a number of this sign is rounded toward 0."""
    return direction == "toward 0" or direction == ("down" if positive else "up")


def before(s: int, unit: int, precision: int) -> tuple[int, int]:
    """The p-bit number before s·2**unit > 0."""
    return (2 * s - 1, unit - 1) if s == 1 << (precision - 1) else (s - 1, unit)


def boundary(m: Parameters, j: int, direction: Direction) -> Boundary:
    """From where on c ± Z gives an output above jΛ: a p-bit number, closed if it is itself enough."""
    p, odd, positive = m.precision, abs(2 * j + 1), j >= 0
    s, unit = at_least(odd, m.lattice_exponent - 1, p)  # the float at T, or next to it away from 0
    exact = to_fraction(Dyadic(s, unit)) == odd * m.lattice / 2
    if positive:  # the least float ≥ T; rounding up reaches it from just after the one before it
        closed = shrinks(direction, True)
        return Boundary(Dyadic(*((s, unit) if closed else before(s, unit, p))), closed)
    n, f = (s, unit) if exact else before(s, unit, p)  # -(n, f) is the least float ≥ T
    if not shrinks(direction, False):
        return Boundary(Dyadic(-n, f), True)
    further = at_least(n, f, p, strict=True)
    return Boundary(Dyadic(-further[0], further[1]), False)


class DirectedLaw(Cumulative):
    """P(w < T) as an integer, a multiple of 2**-digits. The two signs of the noise have different laws."""

    def __init__(self, parameters: Parameters, direction: Direction, step: int, digits: int) -> None:
        self.parameters, self.direction, self.step, self.digits, self.one = (
            parameters,
            direction,
            step,
            digits,
            1 << digits,
        )
        self.masses: dict[tuple[int, int, bool], Dyadic] = {}

    def boundary(self, j: int) -> Boundary:
        return boundary(self.parameters, j, self.direction)

    def _reaches(self, n: int, e: int, strict: bool, down: bool) -> Dyadic:
        z = at_least(n, e, self.parameters.precision, strict)
        if (*z, down) not in self.masses:
            self.masses[*z, down] = self.mass(*z, down)
        return self.masses[*z, down]

    def mass(self, z: int, unit: int, down: bool) -> Dyadic:
        """P(Z ≥ z·2**unit) for a p-bit number."""
        m, p = self.parameters, self.parameters.precision
        small = shrinks(self.direction, not down)  # the noise is negative where it moves down
        v, ev = (z, unit) if small else before(z, unit, p)  # λY ≥ v, or λY > v
        (scale, es), _ = m.held
        k = p + 2 + scale.bit_length()
        quotient, rest = divmod(v << k, scale)
        y = at_least(2 * quotient + (rest != 0), ev - es - k - 1, p, strict=not small)
        return uniform_below(m, *(y if shrinks(self.direction, False) else before(*y, p)))  # ln u is negative


def probability(m: Parameters, direction: Direction, k: int, c: Fraction) -> Fraction:
    """P(x|c) for an interior output x = kΛ."""
    step = -(c.denominator.bit_length() - 1)
    value = int(c / Fraction(2) ** step)
    # the smallest mass is that of a distance below 2B + Λ, and e**-x > 2**-1.5x
    law = DirectedLaw(m, direction, step, digits=4 * m.precision + 3 * int(m.bound / m.scale) + 64)
    low, high = (law.below(law.boundary(j), [value])[0] for j in (k - 1, k))
    return Fraction(high - low, law.one)
