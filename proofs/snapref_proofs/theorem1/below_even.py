"""How good the constant for ties to even is: parameters whose exact loss comes as close to it as one likes (004 §4).

The worst case is the scenario `even, fine, P/2 < |x| < P, binades -1 -0 -0`: k is even, |x| is 2Λ above P/2, B is just
above |x|, and P lies between τ2 and τ2'. `worst` solves its conditions, as in below.py. The constants tend to
5 + 12/(e - 1) = 11.98372…, with a gap of less than 96·2**-⌊(p-2)/3⌋. Nothing is searched for.
"""

from fractions import Fraction

from snapref.budget import floor_log2, round_to_bits
from snapref_proofs.evaluate.intervals import sign
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.theorem1 import below
from snapref_proofs.theorem1.below import HALF, PRECISION, QUARTER
from snapref_proofs.theorem1.replay import Configuration


def against_the_limit(x: Fraction) -> int:
    """The sign of x - 5 - 12/(e - 1), by both interval engines."""
    return sign(lambda engine: engine.between(x, x) - 1 - below.limit(engine), 128)


def worst(precision: int = PRECISION) -> Configuration:
    """The worst case at p ≥ 20 bits, with Δ = 1.

    In units of H, the spacing of floats at τ1' ≥ P = 2**(p-1): x = -(P/2 + 2Λ), B = |x| + 1/2, Δ = 2**t, Λ = 2Δ². Both
    thresholds have a half gap of 1/4, so t2* = T2 + 1/4 and δ = 1/2. c ≡ 3/4 and c' = c + Δ - 1/4 ≡ 1/2 modulo 1. Then
    τ2 ≡ 1/2 and τ1 ≡ 0 are at the ends of their cells: V2 = τ2 - 1/4 and V1 = τ1 + 1/2. So V2' - V2 = Δ + 1/4,
    V1 - V2 = Λ + 5/4 and V1' - V2' = Λ. The errors of LN are worst if κV2 is just below a whole number, κV2' just above
    one, and κV1' below one: `phases`. Going to the next larger λ moves κP by about 1/2, so at most two are tried.
    """
    step = Fraction(2) ** ((precision - 2) // 3)
    top, lattice = Fraction(2) ** (precision - 1), 2 * step**2
    x = -(top / 2 + 2 * lattice)
    turns = 3 * step / 2 + 2  # κ - 1 = (turns - short)/Λ makes κ(V2' - V2) a little more than a whole number
    scale = round_to_bits(lattice / (1 + (turns - QUARTER / 4) / lattice), precision, up=True)
    while True:
        rise = lattice / scale - 1  # κ - 1: what a whole number adds to the phase of κV
        last = top - 3 * QUARTER  # the largest V2
        v2 = last - -(-((1 + rise) * last % 1) // rise)  # the next one with κV2 just below a whole number
        if v2 + step > top and all(phase > 0 for phase in phases(step, turns - rise * lattice, rise, v2)):
            break
        scale += Fraction(2) ** (floor_log2(scale) + 1 - precision)
    near = v2 + HALF + x + lattice / 2  # c = τ2 + t2*
    bound = HALF - x
    parameters = Parameters(scale / step, bound / step, precision, ties="even")
    return Configuration(parameters, Fraction(1), int(x / lattice), near / step, (near + step - QUARTER) / step)


def phases(step: Fraction, short: Fraction, rise: Fraction, v2: Fraction) -> tuple[Fraction, ...]:
    """Three numbers that are positive if κV2, κV2', κV1 and κV1' lie in the cells that make w - w' three steps.

    κV2 is `under` below a whole number, and κV2' is `over` above one. From V2' to V1' the phase falls by `short`, and
    from V2 to V1 it rises by 1/4 - short, and a little. The second number says that `under` and `over` are small.
    """
    under, over = -(1 + rise) * v2 % 1, (1 + rise) * (v2 + step + QUARTER) % 1
    return short - over, 3 * rise - under - over, QUARTER + 5 * rise / 4 - short - under
