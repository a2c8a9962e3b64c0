"""Where the random bits come from: the operating system, unless a test says otherwise, and then the result says so."""

import random
import secrets
from typing import NamedTuple, Protocol


class Source(Protocol):
    """Anything that yields random bits. `name` goes into the result of a release."""

    name: str

    def bits(self, count: int) -> int:
        """`count` fair, independent bits, as an integer."""
        ...


class SystemSource:
    """The operating system's cryptographic generator."""

    name = "system"

    def bits(self, count: int) -> int:
        return secrets.randbits(count)


class SeededSource:
    """A deterministic source, for tests and replays. What it releases is not private."""

    def __init__(self, seed: int) -> None:
        self.name = f"injected, not private (seed {seed})"
        self._random = random.Random(seed)

    def bits(self, count: int) -> int:
        return self._random.getrandbits(count)


class Draw(NamedTuple):
    """The random part of one release: S, and the e and m1 m2 … of U*."""

    sign: int  # +1 or -1
    exponent: int  # geometric: k with probability 2**-k, k = 1, 2, …
    mantissa: int  # p - 1 fair bits


def draw(source: Source, precision: int) -> Draw:
    """One fair sign, one geometric exponent, p - 1 fair mantissa bits."""
    word = source.bits(precision + 64)
    sign = 1 if word & 1 else -1
    mantissa = (word >> 1) & ((1 << (precision - 1)) - 1)
    coins = word >> precision  # 64 coin tosses: e counts them up to and including the first that shows 1
    exponent = 1
    while coins == 0:
        exponent += 64
        coins = source.bits(64)
    return Draw(sign, exponent + 64 - coins.bit_length(), mantissa)
