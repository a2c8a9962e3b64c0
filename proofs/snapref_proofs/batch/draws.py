"""Random bits as arrays: two 64-bit words for each release, read as the reference reads its 117 bits (001/002 §3).

    first word   bit 0: the sign; bits 1 to 52: the mantissa of U*; the upper 11 bits are not used
    second word  64 coin tosses, the top bit first: e counts them up to and including the first that shows 1

`reference_word` is the same draw as the one integer that `snapref.randomness.draw` asks for first.
"""

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from snapref.randomness import Source, SystemSource, draw

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

BYTES = 16  # of randomness for one release
MANTISSA = np.uint64((1 << 52) - 1)
ONE, SHIFT = np.uint64(1), np.uint64(52)


class Draws(NamedTuple):
    """The random parts of many releases."""

    first: Words  # its lowest bit is the sign: 1 for S = +1
    exponent: npt.NDArray[np.int64]  # where no coin shows 1, it is 0: `finish` tosses on
    mantissa: Words


def random_words(source: Source, count: int) -> Words:
    """Two words for each of `count` releases, as an array of `count` rows."""
    if type(source) is SystemSource:  # the operating system hands out bytes: no need to make one long integer of them
        data = os.urandom(BYTES * count)
    else:
        data = source.bits(8 * BYTES * count).to_bytes(BYTES * count, "little")
    return np.frombuffer(data, dtype="<u8").reshape(count, 2).astype(np.uint64, copy=False)


def read(words: Words) -> Draws:
    """Signs, exponents and mantissas of all rows."""
    first, coins = words[:, 0], words[:, 1]
    # The conversion to a double must not carry into the next binade: the bit after the leading one is cleared first.
    leading = (coins & ~(coins >> ONE)).astype(np.float64)
    exponent = 1087 - (leading.view(np.int64) >> 52)  # 64 - ⌊log2 coins⌋, as 1087 = 64 + the bias of doubles
    exponent[coins == 0] = 0
    return Draws(first, exponent, (first >> ONE) & MANTISSA)


def reference_word(row: Words) -> int:
    """The row as the first word that the reference draws."""
    return (int(row[0]) & ((1 << 53) - 1)) | int(row[1]) << 53


class Begun:
    """A source whose first word is known; what comes after it, it draws."""

    def __init__(self, word: int, then: Source) -> None:
        self.name, self._word, self._then = then.name, word, then
        self._begun = False

    def bits(self, count: int) -> int:
        if self._begun:
            return self._then.bits(count)
        self._begun = True
        return self._word


def finish(row: Words, source: Source) -> int:
    """The exponent of a row without a coin that shows 1: the reference tosses on."""
    return draw(Begun(reference_word(row), source), 53).exponent
