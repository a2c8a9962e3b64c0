"""The two words of a batch release as the one word that the reference draws: both can be given the same bits."""

from typing import NamedTuple

from snapref.randomness import Source, draw
from snapref.uniform import Uniform

FIRST = 117  # bits that the reference asks for first: 1 sign, 52 of the mantissa, 64 coins


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
