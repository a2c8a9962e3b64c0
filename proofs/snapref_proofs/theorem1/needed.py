"""Conditions that the theorem needs: programs that break one of them, and exact witnesses against the bound (004 §4).

What the evaluator knows nothing of is a program here, made of the reference's own stages and put through bisection on
u: a logarithm that is only faithful (one of the two neighbours of ln u, monotone in u, but not the nearest), and ⊕, ⊗
and LN that round in one direction.
"""

from dataclasses import dataclass
from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from snapref.arithmetic import Dyadic, context, multiply, scaled
from snapref.clamp import clamp
from snapref.formats import Format
from snapref.lattice import lattice_exponent
from snapref.logarithm import ln
from snapref.rounding import round_to_lattice
from snapref_proofs.evaluate.bisection import Program, probability_by_bisection
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Loss
from snapref_proofs.evaluate.tails import reaches
from snapref_proofs.theorem1.replay import Configuration

MODES = (gmpy2.RoundToZero, gmpy2.RoundAwayZero, gmpy2.RoundDown, gmpy2.RoundUp)


@dataclass(frozen=True)
class Steered:
    """A faithful, monotone logarithm: nearest, but away from 0 just before each number of `easy`, and toward 0 just
    before each of `hard`. (-LN(u) reaches an easy number sooner, a hard one later.)"""

    easy: frozenset[mpfr]
    hard: frozenset[mpfr]

    def __call__(self, u: Dyadic, precision: int) -> mpfr:
        away = context(precision, gmpy2.RoundDown).log(scaled(*u))
        if -away in self.easy:
            return away
        if -away in self.hard:
            return context(precision, gmpy2.RoundUp).log(scaled(*u))
        return ln(u, precision)

    def program(self, value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
        """The reference's mechanism with this logarithm."""
        p = fmt.precision
        noise = multiply(multiply(sign, fmt.decode(scale), p), self(u, p), p)
        noisy = context(p).add(fmt.decode(clamp(value, bound, fmt)), noise)
        return clamp(round_to_lattice(fmt.encode(noisy), lattice_exponent(scale, fmt), fmt), bound, fmt)


def directed(mode: int) -> Program:
    """The mechanism whose ⊕, ⊗ and LN all round in one direction."""

    def program(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
        arithmetic = context(fmt.precision, mode)
        noise = arithmetic.mul(arithmetic.mul(sign, fmt.decode(scale)), arithmetic.log(scaled(*u)))
        noisy = arithmetic.add(fmt.decode(clamp(value, bound, fmt)), noise)
        return clamp(round_to_lattice(fmt.encode(noisy), lattice_exponent(scale, fmt), fmt), bound, fmt)

    return program


def against(configuration: Configuration) -> Steered:
    """The logarithm that makes P(x|c)/P(x|c') as large as it can, c being the nearer one."""
    found = configuration.distances()
    if found is None:
        raise ValueError("the output is not seen from one side")
    closed, (t2, t1), (t2p, t1p) = found
    mechanism = configuration.parameters

    def last_to_reach(t: Fraction) -> mpfr:
        """ψ: what -LN(u) is for the largest u with Z ≥ t."""
        n, e = reaches(mechanism, *from_fraction(t), strict=not closed)
        shift = mechanism.precision - n.bit_length()
        n, e = (n << shift if shift >= 0 else n >> -shift), e - shift
        below = Dyadic(2 * n - 1, e - 1) if n == 1 << (mechanism.precision - 1) else Dyadic(n - 1, e)
        return -ln(below, mechanism.precision)

    easy, hard = (frozenset(map(last_to_reach, ts)) for ts in ((t2, t1p), (t1, t2p)))
    return Steered(easy, hard)


def loss_of(configuration: Configuration, program: Program) -> Loss:
    """|ln P(x|c)/P(x|c')| of a program, by bisection."""
    mechanism, k = configuration.parameters, configuration.k
    values = (from_fraction(configuration.c), from_fraction(configuration.c_p))
    one, other = (to_fraction(probability_by_bisection(mechanism, k, c, program)) for c in values)
    larger, smaller = max(one, other), min(one, other)
    ratio = larger / smaller if smaller else None
    return Loss(ratio.numerator, ratio.denominator) if ratio else Loss(1, 0)


def constant(configuration: Configuration, loss: Loss) -> Fraction:
    """(loss - Δ/λ - 2η)/(B·η/λ), from below."""
    m, h = configuration.parameters, Fraction(1, 2**configuration.parameters.precision)
    return ((loss.enclosure(256)[0] - 2 * h) * m.scale - configuration.sensitivity) / (m.bound * h)
