"""Theorem 1 for U* over the binary64 numbers (p = 53): it holds as it stands for λ ≤ B ≤ 353λ (claim `F-T1-tail`).

No distance is larger than 2B + Λ/2 + g, where g is half a gap between floats. So no threshold has an exponent -ln q
above 707.1 < 1022·ln 2, and every q is a normal double. There P(U* < q) = q and the next double is the next 53-bit
number, as for U* without limits. So every output has the same probability as with that U*. At B = 360λ an exact
witness exceeds the bound.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.intervals import Engine, sign
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.theorem1.replay import number, value

LIMIT = 353  # of B/λ


def furthest(limit: Fraction) -> Fraction:
    """An upper bound on -ln q over all thresholds, if B/λ ≤ limit.

    -ln q is at most ετ(1 + η)², with τ ≤ 2B + Λ/2 + η(B + Λ/2) and Λ < 2λ.
    """
    eta = Fraction(1, 2**53)
    return (2 * limit + 1 + eta * (limit + 1)) * (1 + eta) ** 2


def fits(limit: int = LIMIT) -> bool:
    """Whether `furthest` is below 1022·ln 2, so that q > 2**-1022; decided by both interval engines."""
    bound = furthest(Fraction(limit))

    def difference(engine: Engine) -> object:
        return 1022 * engine.log(engine.between(Fraction(2), Fraction(2))) - engine.between(bound, bound)

    return sign(difference, 64) > 0


def differences(count: int, seed: int) -> Iterator[str]:
    """Random outputs inside the condition whose probability differs between the two laws. There should be none."""
    rng = random.Random(seed)
    for _ in range(count):
        scale = number(rng, 53, 0)
        bound = min(number(rng, 53, rng.randint(1, 8)), Fraction(353 * 2**20 - 1, 2**20))
        both = [Parameters(scale, bound, 53, kind) for kind in ("unbounded", "binary64")]
        last = both[0].last
        k = rng.choice((-last, 1 - last, last, last - 1, rng.randint(-last, last)))
        c = from_fraction(value(rng, bound, both[0], min(last - 1, max(1 - last, k))))
        if probability(both[0], k, c) != probability(both[1], k, c):
            yield f"λ = {scale}, B = {bound}, c = {c}, k = {k}"
