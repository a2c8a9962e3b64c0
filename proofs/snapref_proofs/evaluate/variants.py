"""Mechanisms that differ from the reference in one stage: that of 004's Definition 2, and those with other tie rules.

Each is a program made of the reference's own stages, so that what the evaluator says about it can be checked by running
it. They exist to be refuted or compared, never to be used.
"""

from fractions import Fraction

from snapref.arithmetic import Dyadic, add, scaled
from snapref.clamp import clamp
from snapref.formats import Format
from snapref.lattice import lattice_exponent
from snapref.mechanism import noise
from snapref.rounding import round_to_lattice
from snapref_proofs.evaluate.bisection import Program
from snapref_proofs.evaluate.dyadics import from_mpfr
from snapref_proofs.evaluate.parameters import Ties


def unclamped(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
    """Definition 2 of 004, the noise read as λ⊗LN(u): f(a) is not clamped, only the output is."""
    noisy = add(fmt.decode(value), noise(sign, fmt.decode(scale), u, fmt.precision), fmt.precision)
    return clamp(round_to_lattice(fmt.encode(noisy), lattice_exponent(scale, fmt), fmt), bound, fmt)


def with_ties(ties: Ties) -> Program:
    """The mechanism with another tie rule of round_Λ."""

    def program(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
        noisy = add(
            fmt.decode(clamp(value, bound, fmt)), noise(sign, fmt.decode(scale), u, fmt.precision), fmt.precision
        )
        m = lattice_exponent(scale, fmt)
        multiple = nearest_integer(from_mpfr(noisy) / Fraction(2) ** m, ties)
        return clamp(fmt.encode(scaled(multiple, m)), bound, fmt)

    return program


def nearest_integer(x: Fraction, ties: Ties) -> int:
    """The integer nearest to x; where two are, the one that the rule names."""
    below = x // 1
    if x - below != Fraction(1, 2):
        return int(below + (x - below > Fraction(1, 2)))
    up = {"up": True, "down": False, "away": x > 0, "even": below % 2 == 1}[ties]
    return int(below + up)
