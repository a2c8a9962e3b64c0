"""Defects that are looked for in the releases of all settings together, and the evidence for each of them.

Each defect is another distribution of the outputs, at every setting. The evidence for it is its likelihood, divided by
the exact one (betting.py). Pooled over the settings, small defects show that no single setting would.
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from snapref_crosscheck.betting import Excess
from snapref_crosscheck.checks import DOMAIN, PRIVACY, Grade
from snapref_crosscheck.law import REACH, Law, biased, fair, log_ratios, mantissa_bit

Sampled = tuple[Law, Counter[int]]  # an exact law, and how often each output was seen
SCALES = (0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.996, 1.004, 1.01, 1.02, 1.03, 1.05, 1.1, 1.25)
BIASES = (0.0015, 0.003, 0.006, 0.012, 0.025, 0.05, 0.2)
BITS = range(1, 11)
FAR = 9  # λ: one release in 8000 goes as far
LESS_NOISE, MORE_NOISE = "there is less noise than ε asks for", "there is more noise than ε asks for"


@lru_cache(maxsize=256)
def named(law: Law) -> dict[str, tuple[Grade, list[float]]]:
    """For each defect, by its headline: its grade, and the logarithm of its likelihood ratio in each cell."""
    found: dict[str, tuple[Grade, list[float]]] = {}
    for factor in SCALES:
        headline = f"{LESS_NOISE if factor < 1 else MORE_NOISE}: outputs as of about {factor:g}·λ"
        found[headline] = (PRIVACY if factor < 1 else DOMAIN, log_ratios(law, law.alternative(fair, 1 / factor)))
    for bias in (*BIASES, *(-b for b in BIASES)):
        way = "down" if bias > 0 else "up"
        headline = f"outputs as if the sign moved {way} in about {0.5 + abs(bias):.3g} of the releases"
        found[headline] = PRIVACY, log_ratios(law, law.alternative(biased(bias)))
    for bit in BITS:
        for down in (True, False):
            which = f"bit {bit}" if down else f"the inverse of bit {bit}"
            headline = f"outputs as if the sign were {which} of the mantissa of U* (1 is the highest)"
            found[headline] = PRIVACY, log_ratios(law, law.alternative(mantissa_bit(bit, down)))
    return found


Spans = list[tuple[int, int]]  # first and last output numbers


def _far(law: Law) -> Spans:
    """What lies so far from the value that a U* of 12 bits, or a table of noise, does not reach it."""
    away = math.ceil(FAR * law.parameters.scale / law.parameters.lattice)
    return [(-law.parameters.last, law.centre - away), (law.centre + away, law.parameters.last)]


def _ends(law: Law) -> Spans:
    """B and -B where they are near the value, but not the nearest output."""
    return [(k, k) for k in (-law.parameters.last, law.parameters.last) if 0 < abs(k - law.centre) < REACH - 1]


# Events that some defect makes too frequent or too rare: what it is called, and the outputs.
EVENTS: dict[str, tuple[Grade, Callable[[Law], Spans]]] = {
    "at the output nearest to the value": (PRIVACY, lambda law: [(law.centre, law.centre)]),
    "one output below the nearest": (DOMAIN, lambda law: [(law.centre - 1, law.centre - 1)]),
    "one output above the nearest": (DOMAIN, lambda law: [(law.centre + 1, law.centre + 1)]),
    "at two outputs or more below the nearest": (DOMAIN, lambda law: [(-law.parameters.last, law.centre - 2)]),
    "at two outputs or more above the nearest": (DOMAIN, lambda law: [(law.centre + 2, law.parameters.last)]),
    f"{FAR} λ or more from the value": (PRIVACY, _far),
    "at 0, which is not the nearest": (DOMAIN, lambda law: [(0, 0)] if 0 < abs(law.centre) < REACH - 1 else []),
    "at B or -B": (DOMAIN, _ends),
}


def excesses(samples: list[Sampled]) -> dict[str, tuple[Grade, float, str]]:
    """For each event: its grade, the evidence against its exact probability, and a line about what was seen."""
    found = {}
    for name, (grade, outputs) in EVENTS.items():
        excess, mean, total = Excess(), 0.0, 0
        for law, counts in samples:
            spans = _possible(outputs(law), law)
            total += counts.total() if spans else 0
            for low, high in spans:
                chance = law.chance(low, high)
                happened = sum(n for k, n in counts.items() if low <= k <= high)
                excess.add(chance, happened, counts.total())
                mean += chance * counts.total()
        seen = sum(happened for _, happened, _ in excess.events)
        words = f"{seen} of {total} releases lie {name}, over all settings; {mean:.1f} are expected"
        kind: Grade = grade if (seen < mean) == (outputs is _far) else DOMAIN  # a noise that ends tells values apart
        found[name] = (kind, excess.log_evidence() if excess.events else -math.inf, words)
    return found


def _possible(spans: Spans, law: Law) -> Spans:
    last = law.parameters.last
    return [(low, high) for low, high in spans if low <= high and high >= -last and low <= last]


def likelihoods(samples: list[Sampled]) -> dict[str, tuple[Grade, float]]:
    """For each named defect: its grade and its log-likelihood ratio over all samples."""
    found: dict[str, tuple[Grade, float]] = {}
    for law, counts in samples:
        cells = Counter[int]()
        for k, n in counts.items():
            cells[law.cell(k)] += n
        for name, (grade, logs) in named(law).items():
            before = found.get(name, (grade, 0.0))[1]
            found[name] = grade, before + sum(n * logs[cell] for cell, n in cells.items())
    return found
