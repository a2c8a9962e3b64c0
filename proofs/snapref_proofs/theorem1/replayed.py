"""The lemmas about the program, compared with the exact evaluator: thresholds, offsets, probabilities, errors (004 §4).

Each function goes through all values of a small format and yields those at which the evaluator says something else than
the lemmas of inversion.py, coverage.py and ties.py. There are none. Each has a `part` by which it can be made wrong, so
that one can see that it notices. These comparisons support the proof: a statement says what the program does.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from snapref.budget import floor_log2
from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.intervals import both
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.tails import Boundary, boundary, reaches
from snapref_proofs.theorem1.inversion import between, beyond, one_side, tail
from snapref_proofs.theorem1.replay import rounded

WHOLE = Fraction(1)


def wrong_probabilities(precision: int, ties: Ties = "up", part: Fraction = WHOLE) -> Iterator[str]:
    """Outputs and values whose probability is not what `probabilities` says; there are none.

    It tries every output from every value c of a small format, for a few λ and B. A `part` of the probability is wrong.
    """
    p, top = precision, 1 << (precision - 1)
    for scale, size in ((Fraction(1), Fraction(7, 2)), (Fraction(5, 4), Fraction(3)), (Fraction(15, 8), Fraction(2))):
        mechanism = Parameters(scale, size, p, ties=ties)
        floats = {Fraction(n, top) * Fraction(2) ** e for n in range(top, 2 * top) for e in (-2, -1, 0, 1)}
        values = [sign * x for x in sorted(floats) if x <= size for sign in (1, -1)]
        for k, c in product(range(-mechanism.last, mechanism.last + 1), values):
            if to_fraction(probability(mechanism, k, from_fraction(c))) != part * _by_thresholds(mechanism, k, c):
                yield f"p = {p}, λ = {scale}, B = {size}, c = {c}, k = {k}"


def _by_thresholds(m: Parameters, k: int, c: Fraction) -> Fraction:
    low, high = (None if abs(j) > m.last - (j >= 0) else boundary(m, j) for j in (k - 1, k))

    def above(at: Boundary) -> bool:
        t = to_fraction(at.number)
        return c >= t if at.closed else c > t

    def reached(at: Boundary) -> Fraction:
        """P(Z > c - t), or P(Z ≥ t - c), if t belongs to what is above it; if not, ≥ and > change places."""
        distance = abs(c - to_fraction(at.number))
        strict = above(at) == at.closed
        return to_fraction(reaches(m, *from_fraction(distance), strict=strict)) if distance else Fraction(1)

    if low is None or high is None:
        at = low if high is None else high
        assert at is not None
        return Fraction(tail(reached(at)) if above(at) == (low is None) else beyond(reached(at)))
    if above(low) and not above(high):
        return Fraction(between(reached(low), reached(high)))
    near, far = (high, low) if above(high) else (low, high)
    return Fraction(one_side(reached(near), reached(far)))


def boundary_table(precision: int, part: Fraction = WHOLE) -> Iterator[str]:
    """Thresholds T at which the evaluator's boundary is not t* = T - g, closed, or δ is not `offset`; there are none.

    g is half the gap between T and the float below it. A `part` of it is wrong.
    """
    p, eta = precision, part / 2**precision
    mechanism = Parameters(Fraction(1), Fraction(2) ** (p - 7), p)  # Λ = 1
    gaps: dict[int, Fraction] = {}
    for j in range(-mechanism.last, mechanism.last):
        threshold = Fraction(2 * j + 1, 2)
        gaps[j] = eta * Fraction(2) ** floor_log2(abs(threshold)) / (2 if threshold == Fraction(1, 2) else 1)
        number, closed = boundary(mechanism, j)
        if not closed or to_fraction(number) != threshold - gaps[j]:
            yield f"p = {p}: threshold {threshold}"
    for k in range(1 - mechanism.last, mechanism.last):
        if gaps[k - 1] - gaps[k] != offset(k, eta):
            yield f"p = {p}: δ at k = {k}"


def offset(k: int, eta: Fraction) -> Fraction:
    """δ for the output kΛ, in units of Λ."""
    if k == 0:
        return eta / 4
    if abs(k) & (abs(k) - 1):
        return Fraction(0)
    return eta * -k * (Fraction(3, 4) if k == 1 else Fraction(1, 2))


def wrong_errors(precision: int, part: Fraction = WHOLE) -> Iterator[str]:
    """Distances τ for which -ln P(Z ≥ τ) is not in [εV - Y - ln(1+2η), εV + Y]; there should be none.

    It tries every λ of a binade, and every multiple τ of a quarter spacing in four binades around λ, for Z > τ and for
    Z ≥ τ. A `part` of Y is too small.
    """
    p, eta = precision, Fraction(1, 2**precision)
    engine = both(128)[1]
    for significand in range(1 << (p - 1), 1 << p):
        scale = Fraction(significand, 1 << (p - 1))
        mechanism = Parameters(scale, scale, p)
        for power in (Fraction(1, 4), Fraction(1), Fraction(2), Fraction(8)):
            for n in range(4 << (p - 1)):
                t = power * (1 + Fraction(n, 4 << (p - 1)))
                for strict in (True, False):
                    q = to_fraction(reaches(mechanism, *from_fraction(t), strict))
                    v = rounded(t, not strict, p).middle / scale
                    error = part * eta * Fraction(2) ** floor_log2(v)
                    if not _inside(engine, q, v, error, eta):
                        yield f"p = {p}, λ = {scale}, τ = {t}, strict = {strict}"


def _inside(engine: Any, q: Fraction, v: Fraction, error: Fraction, eta: Fraction) -> bool:
    """e**-(v + error) ≤ q ≤ (1 + 2η)e**-(v - error), decided with an enclosure."""
    with engine.working():
        low, high = (engine.ends(engine.exp(engine.between(-x, -x))) for x in (v + error, v - error))
    return bool(low[1] <= q <= (1 + 2 * eta) * high[0])


def even_table(precision: int, part: Fraction = WHOLE) -> Iterator[str]:
    """Thresholds T at which the evaluator's boundary is not T - g, closed (a tie goes up), or T + g, open; and outputs
    whose δ is not `even_offset`; or the output 0 of ties away from zero is not as even.py says. There are none.
    A `part` of the gaps is wrong."""
    p, eta = precision, part / 2**precision
    mechanism = Parameters(Fraction(1), Fraction(2) ** (p - 7), p, ties="even")  # Λ = 1
    found = {j: boundary(mechanism, j) for j in range(-mechanism.last, mechanism.last)}
    for j, (number, closed) in found.items():
        threshold, up = Fraction(2 * j + 1, 2), j % 2 == 1  # a tie goes up to an even j + 1
        g = eta * Fraction(2) ** floor_log2(abs(threshold))
        if closed != up or to_fraction(number) != threshold + (-g if up else g):
            yield f"p = {p}: threshold {threshold}"
    for k in range(1 - mechanism.last, mechanism.last):
        if to_fraction(found[k].number) - to_fraction(found[k - 1].number) - 1 != even_offset(k, eta):
            yield f"p = {p}: δ at k = {k}"
    low, high = (boundary(replace(mechanism, ties="away"), j) for j in (-1, 0))
    if low.closed or not high.closed or to_fraction(high.number) - to_fraction(low.number) - 1 != -eta / 2:
        yield f"p = {p}: x = 0, ties away from zero"


def even_offset(k: int, eta: Fraction) -> Fraction:
    """δ for the output kΛ with ties to even, in units of Λ."""
    if k == 0:
        return eta
    power = 1 << (abs(k).bit_length() - 1)
    size = Fraction(3 * power, 2) if power == abs(k) else Fraction(2 * power)
    return eta * (size if k % 2 == 0 else -size)
