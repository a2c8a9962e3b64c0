"""Random bits as arrays: two 64-bit words for each release, read as the reference reads its 117 bits (001/002 §3).

    first word   bit 0: the sign; bits 1 to 52: the mantissa of U*; the upper 11 bits are not used
    second word  64 coin tosses, the top bit first: e counts them up to and including the first that shows 1

`snapref.randomness.draw` reads the same bits from one integer.
"""

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from snapref.randomness import Source, SystemSource

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

BYTES = 16  # of randomness for one release
MANTISSA = np.uint64((1 << 52) - 1)
ONE = np.uint64(1)


class Draws(NamedTuple):
    """The random parts of many releases."""

    first: Words  # its lowest bit is the sign: 1 for S = +1
    exponent: npt.NDArray[np.int64]  # 0 where no coin shows 1: then the source tosses on
    mantissa: Words


def random_words(source: Source, count: int) -> Words:
    """Two words for each of `count` releases, as an array of `count` rows."""
    if type(source) is SystemSource:  # take the bytes as they are, without making one long integer of them
        data = os.urandom(BYTES * count)
    else:
        data = source.bits(8 * BYTES * count).to_bytes(BYTES * count, "little")
    return np.frombuffer(data, dtype="<u8").reshape(count, 2).astype(np.uint64, copy=False)


def read(words: Words) -> Draws:
    """Signs, exponents and mantissas of all rows."""
    first, coins = words[:, 0], words[:, 1]
    # Rounding to a double could carry into the next power of two. Clearing the bit after the leading one prevents that.
    leading = (coins & ~(coins >> ONE)).astype(np.float64)
    exponent = 1087 - (leading.view(np.int64) >> 52)  # 64 - ⌊log2 coins⌋, as 1087 = 64 + the bias of doubles
    return Draws(first, exponent * (coins != 0), (first >> ONE) & MANTISSA)
