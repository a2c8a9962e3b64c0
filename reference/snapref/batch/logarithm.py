"""ln u for arrays of u = (1 + m·2**-52)·2**-e: nearly always the nearest double, and it says where it is not certain.

x = 1 + m·2**-52 lies in one of 2048 cells. Each cell has an integer n near 4096/x (see `Tables`), so that
r = x·n/4096 - 1 is small, |r| < 2**-11. It is computed exactly, and is a double: r·2**64 = (x·2**52)·n - 2**64, and
arithmetic on 64-bit integers drops the 2**64 by itself. Then

    ln u = ln(4096/n) - e·ln 2 + ln(1 + r),    with ln(1 + r) = r + r²(-1/2 + r/3 - r²/4 + r³/5 - r⁴/6) + …

where the upper cells take 2048/n and e - 1 instead, so that nothing cancels for u near 1. The sum is kept as two
doubles. Its error is at most r²·2**-51 + 2**-90, which snapref_proofs.batch.log_error proves cell by cell. So ln u lies
in an interval. If both ends of the interval round to the same double, so does ln u, because rounding is monotone.
Otherwise the reference computes it (Ziv's method).
"""

from typing import NamedTuple

import gmpy2
import numpy as np
import numpy.typing as npt

from snapref.arithmetic import context
from snapref.batch.draws import Floats, Words

CELL_BITS = 11
CELLS = 1 << CELL_BITS
UPPER = 848  # cells from here on, x ≥ 1.414…, are the upper ones
LARGEST_EXPONENT = 64
GRID = 46  # the high parts of logarithms are multiples of 2**-46, so that sums of them are exact
SERIES = (1 / 3, -1 / 4, 1 / 5, -1 / 6)
ERROR_SQUARE, ERROR_REST = 2.0**-51, 2.0**-90

HIDDEN, TO_CELL = np.uint64(1 << 52), np.uint64(52 - CELL_BITS)


class Tables(NamedTuple):
    """For each cell: n, and the logarithm of 4096/n (of 2048/n in the upper cells) as high + low. And the constants."""

    inverse: Words
    high: Floats
    low: Floats
    ln2_high: float
    ln2_low: float
    series: tuple[float, float, float, float] = SERIES
    error_square: float = ERROR_SQUARE
    error_rest: float = ERROR_REST


class Logarithms(NamedTuple):
    """Candidates for the rounded logarithms, and which of them are certain to be right."""

    value: Floats
    certain: npt.NDArray[np.bool_]


def build_tables() -> Tables:
    """The tables, from MPFR's logarithms at 200 bits. The proof is about the numbers in them, not about this code."""
    exactly = context(200)
    inverse = [round(4096 / (1 + (cell + 0.5) / CELLS)) for cell in range(CELLS)]
    logs = [exactly.log(exactly.div(4096 if i < UPPER else 2048, n)) for i, n in enumerate(inverse)]
    (high, low), (ln2_high, ln2_low) = (split(logs), split([exactly.const_log2()]))
    return Tables(np.array(inverse, dtype=np.uint64), high, low, float(ln2_high[0]), float(ln2_low[0]))


def split(numbers: list[gmpy2.mpfr]) -> tuple[Floats, Floats]:
    """Each number as a multiple of 2**-GRID and a double for the rest."""
    exactly = context(200)
    high = [exactly.div_2exp(gmpy2.rint_round(exactly.mul_2exp(x, GRID)), GRID) for x in numbers]
    low = [exactly.sub(x, h) for x, h in zip(numbers, high, strict=True)]
    return np.array([float(h) for h in high]), np.array([float(x) for x in low])


TABLES = build_tables()


def logarithms(exponent: npt.NDArray[np.int64], mantissa: Words, tables: Tables = TABLES) -> Logarithms:
    """ln((1 + mantissa·2**-52)·2**-exponent), for exponents from 1 to 64."""
    cell = (mantissa >> TO_CELL).view(np.int64)
    inverse, high, low = tables.inverse[cell], tables.high[cell], tables.low[cell]
    r = ((mantissa | HIDDEN) * inverse).view(np.int64) * 2.0**-64
    k = exponent - (cell >= UPPER)
    high = high - k * tables.ln2_high
    low = low - k * tables.ln2_low
    square = r * r
    a, b, c, d = tables.series
    low = low + square * (r * (r * (r * (r * d + c) + b) + a) - 0.5)
    total = high + r
    low = low + (r - (total - high))  # what that sum lost to rounding
    nearest = total + low
    rest = low - (nearest - total)  # what this sum lost
    error = square * tables.error_square + tables.error_rest
    above, below = nearest + (rest + error), nearest + (rest - error)
    return Logarithms(above, above == below)
