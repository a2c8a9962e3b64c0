"""Where the random bits come from: the operating system. A test may take another source; the release then names it."""

import os
import random
from typing import Protocol

from snapref.arithmetic import Dyadic
from snapref.uniform import Uniform


class Source(Protocol):
    """Anything that yields random bits. A release carries the `name` of its source."""

    name: str

    def bits(self, count: int) -> int:
        """`count` fair, independent bits, as an integer."""
        ...


class SystemSource:
    """The operating system's cryptographic generator."""

    name = "system"

    def bits(self, count: int) -> int:
        size = (count + 7) // 8  # bytes
        return int.from_bytes(os.urandom(size)) >> (8 * size - count)


SYSTEM = SystemSource()


class SeededSource:
    """A deterministic source, for tests and replays. What it releases is not private."""

    def __init__(self, seed: int) -> None:
        self.name = f"injected, not private (seed {seed})"
        self._random = random.Random(seed)

    def bits(self, count: int) -> int:
        return self._random.getrandbits(count)


def draw(source: Source, law: Uniform) -> tuple[int, Dyadic]:
    """Draws S and U*: a fair sign, and the number made of a geometric exponent and a mantissa of p - 1 fair bits."""
    p = law.precision
    word = source.bits(p + 64)
    sign = 1 if word & 1 else -1
    mantissa = (word >> 1) & ((1 << (p - 1)) - 1)
    return sign, law(tosses(source, word >> p), mantissa)


def tosses(source: Source, coins: int, before: int = 0) -> int:
    """How many coins are tossed until one shows 1, that one included: k with probability 2**-k. The next 64 are the
    bits of `coins`, the top bit first; those `before` showed 0. Where all 64 show 0, the source tosses 64 more."""
    while coins == 0:
        before += 64
        coins = source.bits(64)
    return before + 65 - coins.bit_length()
