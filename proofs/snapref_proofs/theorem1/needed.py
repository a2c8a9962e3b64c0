"""Which conditions Theorem 1 needs: programs that break one of them, to be tried against its bound (004 §4).

The evaluator cannot compute these programs, so their probabilities are found by bisection on u. They are made of the
reference's own stages. This one has a logarithm that is only faithful: it returns one of the two neighbours of ln u and
is monotone in u, but the neighbour is not always the nearer one. Programs that round in one direction: directed.py.
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


@dataclass(frozen=True)
class Steered:
    """A faithful, monotone logarithm. It rounds to nearest except just before the numbers in `easy` and `hard`.

    Just before an easy number it rounds away from 0, so -LN(u) reaches that number sooner. Just before a hard number it
    rounds toward 0, so -LN(u) reaches that number later.
    """

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


def against(configuration: Configuration) -> Steered:
    """The faithful logarithm that makes P(x|c)/P(x|c') as large as possible, where c is the nearer value."""
    found = configuration.distances()
    if found is None:
        raise ValueError("the output is not seen from one side")
    closed, (t2, t1), (t2p, t1p) = found
    mechanism = configuration.parameters

    def last_to_reach(t: Fraction) -> mpfr:
        """The value of -LN(u) for the largest u with Z ≥ t."""
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
    """A lower bound on (loss - Δ/λ - 2η)/(B·η/λ)."""
    m, h = configuration.parameters, Fraction(1, 2**configuration.parameters.precision)
    return ((loss.enclosure(256)[0] - 2 * h) * m.scale - configuration.sensitivity) / (m.bound * h)
