"""The mechanism on the machine's own doubles. A release at 53 bits runs this wherever doubles have room for it.

All proofs are about the program on patterns (mechanism.py). That this one gives the same bits for all inputs is proved
by the obligations proofs.doubles.*. It relies on IEEE 754: + and * of doubles are ⊕ and ⊗ at 53 bits.
"""

import math
from collections.abc import Callable
from functools import partial

from snapref.arithmetic import Dyadic
from snapref.logarithm import ln


def program(scale: float, lattice: float, bound: float) -> Callable[[float, int, Dyadic], float]:
    """The mechanism for given λ, Λ and B, as a function of f(D), S = ±1 and U* = u."""
    inverse = 1 / lattice  # exact, as Λ is a power of two
    return partial(snapped, {1: scale, -1: -scale}, lattice, inverse, bound)


def snapped(
    signed_scale: dict[int, float], lattice: float, inverse: float, bound: float, value: float, sign: int, u: Dyadic
) -> float:
    """clamp_B(round_Λ(clamp_B(f(D)) ⊕ S⊗λ⊗LN(u)))"""
    noisy = clamp(value, bound) + signed_scale[sign] * float(ln(u, 53))
    return clamp(nearest_integer(noisy * inverse) * lattice, bound)


def clamp(x: float, bound: float) -> float:
    """x clamped to [-B, B]."""
    return -bound if x < -bound else bound if x > bound else x


def nearest_integer(x: float) -> float:
    """x to the nearest integer, ties toward +∞. (⌊x + 1/2⌋ would be wrong where x + 1/2 is itself rounded up.)"""
    below = float(math.floor(x))  # exact: ⌊x⌋ of a double is a double
    return below + (x - below >= 0.5)
