"""The exact probability that the noisy value falls below a threshold; the base of Theorem 1's evaluation (004 §4).

RN rounds to the nearest p-bit number, ties to even. From a draw u the program computes Y = RN(-ln u) > 0 and
Z = RN(λY) > 0; then the noisy value w = RN(c - Z) for the sign S = +1, and w = RN(c + Z) for S = -1. A threshold
T = (j + ½)Λ separates the outputs up to jΛ from those above.

For a fixed sign w is monotone in u, so the draws on one side of a threshold are an interval. Its end is found by
following the program backwards, with one exponential and no search. Because P(U* < t) = t for every value t of U* but
the smallest (where it is 0), the end gives the probability. It relies on ⊕, ⊗ and LN being RN of the exact results,
with unlimited exponents.
"""

from typing import NamedTuple

from snapref.arithmetic import Dyadic
from snapref.uniform import Uniform
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.dyadics import ZERO, at_least, halfway_below
from snapref_proofs.evaluate.parameters import Parameters


class Boundary(NamedTuple):
    """The condition on r = c ± Z for an output above jΛ: r >= number if closed, r > number if not."""

    number: Dyadic
    closed: bool


class Tail(NamedTuple):
    """The probability beyond a threshold T, seen from c: P(w < T) = mass/2 if `below`, else P(w >= T) = mass/2."""

    below: bool
    mass: Dyadic


def boundary(m: Parameters, j: int) -> Boundary:
    """From where on c ± Z gives an output above jΛ. This depends on the threshold alone, not on c."""
    p = m.precision
    odd, up = abs(2 * j + 1), _tie_goes_up(m, j)
    shift = odd.bit_length() - p
    unit = m.lattice_exponent - 1 + shift
    s = odd >> shift if shift > 0 else odd << -shift  # the p-bit number at T, or next to it toward 0
    a_float = shift <= 0 or s << shift == odd
    if j >= 0:  # the least float on the upper side of T, and the middle between it and the one below it
        if not a_float or not up:
            s += 1
            if s >> p:
                s, unit = s >> 1, unit + 1
        return Boundary(Dyadic(*halfway_below(s, unit, p)), s % 2 == 0)
    if a_float and not up:
        s -= 1
        if s < 1 << (p - 1):
            s, unit = 2 * s + 1, unit - 1
    return Boundary(Dyadic(-(2 * s + 1), unit - 1), s % 2 == 0)


def _tie_goes_up(m: Parameters, j: int) -> bool:
    if m.ties == "away":
        return j >= 0
    if m.ties == "even":
        return j % 2 == 1
    return m.ties == "up"


def tail(m: Parameters, c: Dyadic, at: Boundary) -> Tail:
    """On which side of c the threshold lies, and the probability that the noise crosses it, given the sign."""
    (value, e), (n, f) = c, at.number
    if value == 0:
        n, e = -n, f
    else:
        low = e if e < f else f
        n, e = (value << (e - low)) - (n << (f - low)), low
    if n == 0:
        return Tail(True, Dyadic(1, 0))
    if n > 0:  # S = +1 moves down: w < T needs Z > c - t*, or >= where the boundary is open
        return Tail(True, reaches(m, n, e, at.closed))
    return Tail(False, reaches(m, -n, e, not at.closed))


def reaches(m: Parameters, n: int, e: int, strict: bool) -> Dyadic:
    """P(Z >= τ), or P(Z > τ) if strict, for τ = n * 2**e > 0."""
    return reaches_number(m, *at_least(n, e, m.precision, strict))


def reaches_number(m: Parameters, z: int, unit: int) -> Dyadic:
    """P(Z >= z * 2**unit) for a p-bit number."""
    p = m.precision
    # RN(λY) >= z iff λY >= v, or > v where the tie goes to an even neighbour below z
    v, ev = halfway_below(z, unit, p)
    (scale, es), _ = m.held
    k = p + 2 + scale.bit_length() - v.bit_length()  # enough for a quotient of more than p bits
    quotient, rest = divmod(v << k, scale)
    y, unit = at_least(2 * quotient + (rest != 0), ev - es - k - 1, p, z & 1)
    # RN(-ln u) >= y iff -ln u > the middle below y. No ties: e**x is not dyadic for a rational x ≠ 0 (Lindemann).
    return uniform_below(m, *halfway_below(y, unit, p))


def uniform_below(m: Parameters, n: int, e: int) -> Dyadic:
    """P(U* < e**-x) for x = n * 2**e: the least value of U* that is not below e**-x, or 0 if that is its smallest."""
    grid = m.law
    guard = 40
    while True:
        low, high = enclosure.exp_minus(n, e, grid.precision + guard)
        least = ceil_to_grid(low, grid)
        if low.significand > 0 and least == ceil_to_grid(high, grid):
            break
        guard *= 2
    if grid.smallest is not None and least == (1, grid.smallest):
        return ZERO  # nothing is below the smallest number
    return least


def ceil_to_grid(x: Dyadic, grid: Uniform) -> Dyadic:
    """The least value of U* that is >= x > 0; for x near 1 or above, the least p-bit number that is."""
    n, e = x
    unit = e + n.bit_length() - grid.precision
    if grid.smallest is not None and unit < grid.smallest:
        unit = grid.smallest
    shift = unit - e
    return Dyadic(-(-n >> shift), unit) if shift > 0 else Dyadic(n << -shift, unit)
