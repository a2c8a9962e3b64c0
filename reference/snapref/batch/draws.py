"""Random bits as arrays: two 64-bit words for each release, read as the reference reads its 117 bits (001/002 §3).

    first word   bit 0: the sign; bits 1 to 52: the mantissa of U*; the upper 11 bits are not used
    second word  64 coin tosses, the top bit first: e counts them up to and including the first that shows 1

`snapref.randomness.draw` reads the same bits from one integer; `reference_word` makes that integer of the two words.
"""

import os
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from snapref.randomness import Source, SystemSource, draw
from snapref.uniform import Uniform

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

BYTES = 16  # of randomness for one release
FIRST = 117  # bits of these that are used, as many as the reference asks for: 1 sign, 52 of the mantissa, 64 coins
MANTISSA = np.uint64((1 << 52) - 1)
ONE, SHIFT = np.uint64(1), np.uint64(52)


class Draws(NamedTuple):
    """The random parts of many releases."""

    first: Words  # its lowest bit is the sign: 1 for S = +1
    exponent: npt.NDArray[np.int64]  # 0 where no coin shows 1: then `finish` goes on tossing
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


def reference_word(first: int, coins: int) -> int:
    """The integer that the reference draws first, made of the two words."""
    return (first & ((1 << 53) - 1)) | coins << 53


class Draw(NamedTuple):
    """What the reference draws for one release: the sign, and the parts of U*."""

    sign: int  # +1 or -1
    exponent: int
    mantissa: int


def drawn(source: Source) -> Draw:
    """One draw of the reference: U* is (2^52 + mantissa)·2^(-52 - exponent)."""
    sign, u = draw(source, Uniform(53))
    return Draw(sign, -52 - u.exponent, u.significand - (1 << 52))


class Begun:
    """A source whose first word, of 117 bits, is given. It draws all further bits from another source."""

    def __init__(self, word: int, then: Source) -> None:
        self.name, self._word, self._then = then.name, word, then
        self._begun = False

    def bits(self, count: int) -> int:
        if self._begun:
            return self._then.bits(count)
        if count != FIRST:
            raise AssertionError(f"the reference asks for {count} bits first, not for {FIRST}")
        self._begun = True
        return self._word


def finish(first: int, coins: int, source: Source) -> int:
    """The exponent where no coin of the two words shows 1: the reference goes on tossing."""
    return drawn(Begun(reference_word(first, coins), source)).exponent
