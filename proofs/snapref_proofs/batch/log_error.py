"""The error of the batch logarithm, cell by cell: what proofs.batch.log decides.

Every operation of `logarithm.logarithms` is followed with two rationals: how large the exact number can be, and how far
the computed one can be from it (u = 2**-53 relative for one rounding; nothing under- or overflows, as r is 0 or at
least 2**-64). The logarithms of the table are compared with rigorous enclosures, to 160 bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from snapref.arithmetic import Dyadic
from snapref_proofs import enclosure
from snapref_proofs.batch.logarithm import CELL_BITS, CELLS, GRID, LARGEST_EXPONENT, SERIES, UPPER, Tables
from snapref_proofs.dyadics import to_fraction

U = Fraction(1, 2**53)
ENCLOSURE_BITS = 160
ROOM = 1 - Fraction(1, 2**40)  # of the bound, is left for the rounding of the bound itself and of its two ends


class Unproved(AssertionError):
    """A condition that the error bound needs does not hold."""


@dataclass(frozen=True)
class Computed:
    """A number that is at most `size` in magnitude and was computed with an error of at most `error`."""

    size: Fraction
    error: Fraction = Fraction(0)

    def __add__(self, other: "Computed") -> "Computed":
        return self._rounded(self.size + other.size, self.error + other.error)

    def __mul__(self, other: "Computed") -> "Computed":
        a, b = self, other
        return self._rounded(a.size * b.size, a.error * b.size + b.error * a.size + a.error * b.error)

    def _rounded(self, size: Fraction, error: Fraction) -> "Computed":
        return Computed(size, error + U * (size + error))


@dataclass(frozen=True)
class Bound:
    """|computed - ln u| <= square·r² + rest."""

    square: Fraction
    rest: Fraction


def cell_bound(cell: int, tables: Tables) -> Bound:
    """The error bound of one cell, for every x in it and every exponent; Unproved where a condition fails."""
    n, high, low = int(tables.inverse[cell]), Fraction(float(tables.high[cell])), Fraction(float(tables.low[cell]))
    reach = largest_r(cell, n)
    exponents = range(LARGEST_EXPONENT) if cell >= UPPER else range(1, LARGEST_EXPONENT + 1)
    ln2_high, ln2_low = Fraction(tables.ln2_high), Fraction(tables.ln2_low)
    demand(on_grid(high) and on_grid(ln2_high), "a high part is no multiple of 2**-46")
    sums = [abs(high - k * ln2_high) for k in exponents]
    smallest, largest = min(filter(None, sums)), max(sums)
    demand(largest < 2 ** (53 - GRID), "a sum of high parts is no double")
    demand(all(sums) or high == low == 0, "a high part that vanishes, but not because the logarithm does")

    square = series_error(reach)
    # `low` and its share of the rest: the table's own errors, then two roundings of k·ln2_low and the difference
    k, distance = exponents[-1], table_error(cell, n, high + low)
    product = Computed(abs(ln2_low) * k) * Computed(Fraction(1))
    lows = product + Computed(abs(low))
    rest = distance + k * ln2_error(ln2_high + ln2_low) + lows.error
    # the sum of `low` and the series; then what the sum of `high` and r lost is added: at most u·|total|
    lost = U * (largest + reach)
    of_square, of_rest = Fraction(51, 100), lows.size + lows.error  # |low + r²·series| <= of_rest + r²·of_square
    square += 2 * U * (1 + U) * of_square
    rest += 2 * U * (1 + U) * of_rest + U * (1 + U) * lost
    # the ends of the final interval: |rest of the last sum| <= u·|nearest|
    rest += U * U * (1 + U) * (largest + 2 * reach)

    all_low = of_rest + reach**2 * of_square + lost
    # What two sums lose is computed, and exact (proofs.batch.two-sum) where the first number is 0 or not smaller than
    # the second. Where `high` is 0 the total is r itself, and the low part at most 0.51·r².
    demand(smallest >= reach, "|high| < |r|")
    demand((smallest - reach) * (1 - U) >= all_low * (1 + U), "the total is smaller than its low part")
    return Bound(square, rest)


def largest_r(cell: int, n: int) -> Fraction:
    """The largest |r| of the cell, where x is a 53-bit integer Z in units of 2**-52: r = (Z·n - 2**64)/2**64."""
    width = 1 << (52 - CELL_BITS)
    first = (1 << 52) + cell * width
    ends = [z * n - (1 << 64) for z in (first, first + width - 1)]
    demand(max(map(abs, ends)) < 1 << 53, "r is no double: 64-bit integers lose it, or it has more than 53 bits")
    return Fraction(max(map(abs, ends)), 1 << 64)


def series_error(reach: Fraction) -> Fraction:
    """E with |computed r²·series - (ln(1 + r) - r)| <= E·r² for every |r| <= reach."""
    r = Computed(reach)
    a, b, c, d = (
        Computed(Fraction(1, j), abs(Fraction(coefficient) - sign * Fraction(1, j)))
        for coefficient, j, sign in zip(SERIES, (3, 4, 5, 6), (1, -1, 1, -1), strict=True)
    )
    series = r * (r * (r * (r * d + c) + b) + a) + Computed(Fraction(1, 2))
    twice = (1 + U) ** 2  # r·r and its product with the series
    cut = reach**5 / 7 / (1 - reach)  # 1/7·r⁵ - 1/8·r⁶ + …
    demand(series.size + series.error <= Fraction(51, 100) / twice, "the series is larger than 0.51")
    return series.error * twice + series.size * (twice - 1) + cut


def table_error(cell: int, n: int, value: Fraction) -> Fraction:
    """How far the table's logarithm can be from that of 4096/n, or of 2048/n in the upper cells."""
    top = 2048 if cell >= UPPER else 4096
    smaller, larger = sorted((top, n))
    if smaller == larger:
        return abs(value)
    ends = enclosure.log1p(larger - smaller, smaller, ENCLOSURE_BITS)
    return farthest(value if n < top else -value, ends)


def ln2_error(value: Fraction) -> Fraction:
    return farthest(value, enclosure.log1p(1, 1, ENCLOSURE_BITS))


def farthest(value: Fraction, ends: tuple[Dyadic, Dyadic]) -> Fraction:
    return max(abs(value - to_fraction(end)) for end in ends)


def on_grid(x: Fraction) -> bool:
    return bool((x * 2**GRID).denominator == 1)


def demand(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Unproved(otherwise)


def failures(tables: Tables, square: float, rest: float) -> Iterator[str]:
    """The cells whose error is not proved to be within square·r² + rest, in words."""
    for cell in range(CELLS):
        try:
            bound = cell_bound(cell, tables)
        except Unproved as error:
            yield f"cell {cell}: {error}"
            continue
        if bound.square > ROOM * Fraction(square) or bound.rest > ROOM * Fraction(rest):
            yield (
                f"cell {cell}: proved error {float(bound.square):.3g}·r² + {float(bound.rest):.3g}, "
                f"more than {square:.3g}·r² + {rest:.3g}"
            )
