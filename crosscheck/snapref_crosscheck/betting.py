"""A test whether outputs have given probabilities: a bet against the exact distribution.

The evidence E against the probabilities p is a ratio. Above stands the likelihood of the observed counts under
alternatives to p, averaged (over Dirichlet distributions of several widths around p). Below stands their likelihood
under p. If p is right, E is a martingale that starts at 1. By Ville's inequality the probability that E *ever* reaches
1/α is then at most α, however often one looks and whenever one stops. So the rate of false alarms holds for every
sample size and every cell, without any approximation.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

# How close the alternatives are to p: the weight of p in the Dirichlet distribution.
WIDTHS = (8.0, 64.0, 512.0, 4096.0, 32768.0)
SHARES = (0.002, 0.003, 0.005, 0.008, 0.012, 0.02, 0.04, 0.1, 0.3, 0.8)  # of the releases, see Excess


def log_mean_exp(logs: Sequence[float]) -> float:
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs) / len(logs))


def log_evidence(probabilities: Sequence[float], counts: Sequence[float]) -> float:
    """ln E for these counts in cells of these (positive) probabilities."""
    n = sum(counts)
    fair = sum(c * math.log(p) for c, p in zip(counts, probabilities, strict=True) if c)
    lgamma = math.lgamma

    def mixture(width: float) -> float:
        cells = (lgamma(width * p + c) - lgamma(width * p) for c, p in zip(counts, probabilities, strict=True) if c)
        return lgamma(width) - lgamma(width + n) + sum(cells)

    return log_mean_exp([mixture(width) - fair for width in WIDTHS])


@dataclass
class Cells:
    """Counts in cells of known probability, and the evidence against those probabilities."""

    probabilities: Sequence[float]
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = self.counts or [0] * len(self.probabilities)

    def add(self, cell: int, times: int = 1) -> None:
        self.counts[cell] += times

    def log_evidence(self) -> float:
        return log_evidence(self.probabilities, self.counts)


@dataclass
class Excess:
    """Evidence that an event is more frequent, or less frequent, than its exact probability says, pooled over settings
    in which that probability differs. The alternatives are: in a share d of the releases the event happens anyway; and
    in a share d of the releases in which it should happen, something else does. Their likelihoods, divided by that
    under the exact probabilities, are averaged over several d."""

    events: list[tuple[float, int, int]] = field(
        default_factory=list
    )  # probability, how often it happened, of how many
    fewer: bool = True  # whether too few count as well

    def add(self, probability: float, happened: int, count: int) -> None:
        if 0 < probability < 1:
            self.events.append((probability, happened, count))

    def log_evidence(self) -> float:
        more = [self._log(lambda p, d=d: p + d * (1 - p)) for d in SHARES]  # type: ignore[misc]
        less = [self._log(lambda p, d=d: p * (1 - d)) for d in SHARES] if self.fewer else []  # type: ignore[misc]
        return log_mean_exp(more + less)

    def _log(self, alternative: Callable[[float], float]) -> float:
        total = 0.0
        for p, happened, count in self.events:
            q = alternative(p)
            total += happened * math.log(q / p) + (count - happened) * math.log((1 - q) / (1 - p))
        return total


@lru_cache(maxsize=256)
def smallest_shift(probabilities: tuple[float, ...], n: int, threshold: float) -> float:
    """The smallest defect that n observations would show on average: the least d such that any one cell whose
    probability is d too large, with the others reduced in proportion, is noticed. 1.0 if none would be."""
    worst = 0.0
    for i, p in enumerate(probabilities):
        low, high = 0.0, 1 - p

        def seen(d: float, i: int = i, p: float = p) -> bool:
            rest = (1 - p - d) / (1 - p) if p < 1 else 0.0
            counts = [n * (q * rest if j != i else p + d) for j, q in enumerate(probabilities)]
            return log_evidence(probabilities, counts) >= threshold

        if worst < high and seen(worst):  # another cell needs a larger defect
            continue
        if p >= 1 or not seen(high * 0.999999):
            return 1.0
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (low, middle) if seen(middle) else (middle, high)
        worst = max(worst, high)
    return worst
