"""The exact distribution of the output: every output with its probability, in increasing order.

It relies on tails.py, which gives the probability on each side of a threshold. Only the two thresholds around the
current output are kept, so memory does not grow with the number of outputs. Probabilities are pairs (significand,
exponent), because far from the true answer they are too small for any floating-point format.
"""

from collections.abc import Iterator, Sequence

from snapref.arithmetic import Dyadic
from snapref_proofs.evaluate.dyadics import ONE, ZERO, add, subtract
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import Tail, boundary, tail

NOTHING_BELOW, NOTHING_ABOVE = Tail(True, ZERO), Tail(False, ZERO)


def output(mechanism: Parameters, k: int) -> Dyadic:
    """The output number k, -K <= k <= K: kΛ, or ±B at the ends."""
    last = mechanism.last
    if abs(k) < last:
        return Dyadic(k, mechanism.lattice_exponent) if k else ZERO
    _, (n, e) = mechanism.held
    return Dyadic(n if k > 0 else -n, e)


def between(low: Tail, high: Tail) -> Dyadic:
    """The probability between two thresholds."""
    if high.below:
        return _half(subtract(high.mass, low.mass))
    if not low.below:
        return _half(subtract(low.mass, high.mass))
    return subtract(ONE, _half(add(low.mass, high.mass)))


def probabilities(mechanism: Parameters, values: Sequence[Dyadic]) -> Iterator[tuple[int, tuple[Dyadic, ...]]]:
    """For every output number k from -K to K: its probability for each of the values c in [-B, B]."""
    last = mechanism.last
    lower = [NOTHING_BELOW] * len(values)
    for k in range(-last, last):
        at = boundary(mechanism, k)
        upper = [tail(mechanism, c, at) for c in values]
        yield k, tuple(map(between, lower, upper))
        lower = upper
    yield last, tuple(between(low, NOTHING_ABOVE) for low in lower)


def probability(mechanism: Parameters, k: int, c: Dyadic) -> Dyadic:
    """The probability of the one output number k, at the cost of two thresholds."""
    last = mechanism.last
    low = NOTHING_BELOW if k == -last else tail(mechanism, c, boundary(mechanism, k - 1))
    high = NOTHING_ABOVE if k == last else tail(mechanism, c, boundary(mechanism, k))
    return between(low, high)


def _half(x: Dyadic) -> Dyadic:
    return Dyadic(x.significand, x.exponent - 1)
