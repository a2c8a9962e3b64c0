"""A release as one function, to see what the stages, named results and checks of the reference cost.

This is an experiment, to be measured and never used. Nothing here is proved, and neither parameters nor draws are
checked.
"""

import math

from snapref import Mechanism, Source
from snapref.arithmetic import context
from snapref.doubles import clamp
from snapref.randomness import SYSTEM

LOG, DIVIDED = context(53).log, context(53).div_2exp


class BareMechanism:
    """The mechanism at 53 bits. From the same bits it makes the same release, as far as tests show."""

    def __init__(self, mechanism: Mechanism) -> None:
        budget = mechanism.certificate.budget
        self.scale, self.bound = float(budget.scale), float(budget.bound)
        self.lattice = float(mechanism.certificate.lattice)

    def release(self, value: float, source: Source = SYSTEM) -> tuple[float, str]:
        if not math.isfinite(value):
            raise ValueError("value must be finite")
        word = source.bits(53 + 64)
        coins, zeros = word >> 53, 0
        while coins == 0:
            coins, zeros = source.bits(64), zeros + 64
        significand = (word & (1 << 53) - 1) >> 1 | 1 << 52
        logarithm = LOG(DIVIDED(significand, 52 + zeros + 65 - coins.bit_length()))
        noise = (self.scale if word & 1 else -self.scale) * float(logarithm)
        quotient = (clamp(value, self.bound) + noise) / self.lattice
        below = math.floor(quotient)
        return clamp((below + 1 if quotient - below >= 0.5 else below) * self.lattice, self.bound), source.name
