"""Whether releases depend on each other: tests on one long sequence of releases at one setting.

    reuse       a release shows the noise of an earlier one, always or now and then, at any of thousands of distances
    tables      what one release shows says something about a later one
    signs       the noise of one release has the sign of an earlier one too often, or too rarely
    period      every N-th release, for any N, lies at the same output
    position    the release at the same place of every request lies at the same output
    repeats     a stretch of releases comes again, whatever its distance

The outputs are put into five classes, by their distance from the output nearest to the value. For each class the
positions at which it occurs are the bits of one large integer, so that a distance is a shift.

Outputs with other probabilities than the exact ones would look as if they depended on each other. What a sequence shows
in any order is no dependence: it is left to the checks of these probabilities.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence

from snapref_crosscheck.betting import Cells, Excess, log_mean_exp
from snapref_crosscheck.checks import PRIVACY, Finding
from snapref_crosscheck.law import Law

CLASSES = (-2, -1, 0, 1, 2)  # below, at and above the nearest output; the ends hold all that is farther
NEAR_LAGS = 4096
TABLE_LAGS = (*range(1, 17), 32, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096)
REUSED = (0.003, 0.006, 0.012, 0.025, 0.05, 0.1, 0.3, 0.9)  # shares of the releases that repeat an earlier draw
AVOIDED = (0.01, 0.05, 0.2, 0.8)  # shares of the repetitions that are missing
REMEMBERED = 1 << 19  # stretches that are compared with later ones, about
PARTS = {"reuse": 0.35, "tables": 0.2, "signs": 0.1, "period": 0.15, "position": 0.1, "repeats": 0.1}  # of α


class InClasses:
    """The sequence in classes."""

    def __init__(self, law: Law, numbers: Sequence[int], sizes: Sequence[int]) -> None:
        self.law, self.numbers, self.sizes, self.n = law, numbers, sizes, len(numbers)
        self.codes = bytes(min(2, max(-2, k - law.centre)) + 2 for k in numbers)
        digits = {c: bytes(49 if i == c + 2 else 48 for i in range(256)) for c in CLASSES}
        self.masks = {c: int(self.codes.translate(digits[c]) or b"0", 2) for c in CLASSES}
        far, last = law.centre, law.parameters.last
        spans = {-2: (-last, far - 2), -1: (far - 1, far - 1), 0: (far, far), 1: (far + 1, far + 1), 2: (far + 2, last)}
        self.chances = {c: law.chance(*span) if span[0] <= span[1] else 0.0 for c, span in spans.items()}

    def pairs(self, first: int, second: int, lag: int) -> int:
        """How often a release of the second class comes `lag` releases after one of the first."""
        return (self.masks[second] & (self.masks[first] >> lag)).bit_count()


def judge(law: Law, numbers: Sequence[int], sizes: Sequence[int], alpha: float, header: str) -> list[Finding]:
    """What the sequence shows. `sizes` are those of the requests, in order."""
    found = _shown(InClasses(law, numbers, sizes), alpha, TESTS)
    if found and len(set(numbers)) > 1:  # if they are all the same, there is no other order
        mixed = random.Random(0).sample(numbers, len(numbers))
        for name in _shown(InClasses(law, mixed, sizes), alpha, list(found)):
            del found[name]
    return [Finding(PRIVACY, headline, f"{header}\n{words}") for headline, words in found.values()]


Told = tuple[str, str] | None  # a headline and the numbers behind it


def _shown(seen: InClasses, alpha: float, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """For those of the tests that show something: what."""
    told = {name: TESTS[name](seen, PARTS[name] * alpha) for name in names if seen.n >= 2}
    return {name: shown for name, shown in told.items() if shown is not None}


def _lags(n: int) -> list[int]:
    """All short distances, and round ones up to half of the sequence."""
    round_ones = {m * base**e + d for base in (2, 10) for e in range(3, 18) for m in (1, 3, 5) for d in (-1, 0, 1)}
    return sorted(lag for lag in {*range(1, NEAR_LAGS + 1), *round_ones} if lag <= n // 2)


def _reuse(seen: InClasses, alpha: float) -> Told:
    """Given a release of class c, an independent later one is of class c with its probability p. If it repeats the
    draw in a share f of the cases, that is f + (1 - f)·p."""
    used = [c for c in CLASSES if 0 < seen.chances[c] < 1]
    bets = []  # for each alternative and class: the logarithms for a match and for none
    for f in REUSED:
        bets.append([(math.log(f / seen.chances[c] + 1 - f), math.log(1 - f)) for c in used])
    for g in AVOIDED:
        bets.append([(math.log(1 - g), math.log((1 - p * (1 - g)) / (1 - p))) for p in (seen.chances[c] for c in used)])
    lags = _lags(seen.n)
    if not lags:
        return None
    limit, best = math.log(len(lags) / alpha), (-math.inf, 0, 0, 0.0)
    counts = {c: seen.masks[c].bit_count() for c in used}
    passed = 0  # the last releases have no later one at this distance
    for lag in lags:
        while passed < lag:
            passed += 1
            gone = seen.codes[seen.n - passed] - 2
            if gone in counts:
                counts[gone] -= 1
        matches = [seen.pairs(c, c, lag) for c in used]
        firsts = [counts[c] for c in used]
        logs = [
            sum(m * hit + (n - m) * miss for m, n, (hit, miss) in zip(matches, firsts, bet, strict=True))
            for bet in bets
        ]
        evidence = log_mean_exp(logs)
        if evidence > best[0]:
            fair = sum(n * seen.chances[c] for n, c in zip(firsts, used, strict=True))
            best = evidence, lag, sum(matches), fair
    evidence, lag, matches_, fair = best
    if evidence < limit:
        return None
    more = "like" if matches_ > fair else "unlike"
    text = f"of {seen.n - lag} pairs {matches_} are alike; {fair:.1f} are expected; evidence e**{evidence:.1f}"
    return f"releases are {more} those {lag} before them more often than independent ones", text


def _tables(seen: InClasses, alpha: float) -> Told:
    """For each class of a release, the classes of the later one have their probabilities."""
    used = [c for c in CLASSES if seen.chances[c] > 0]
    lags = [lag for lag in TABLE_LAGS if lag <= seen.n // 2]
    for lag in lags:
        rows = [Cells([seen.chances[c] for c in used], [seen.pairs(first, c, lag) for c in used]) for first in used]
        logs = [row.log_evidence() for row in rows]
        evidence = log_mean_exp([*logs, sum(logs)])
        if evidence >= math.log(len(lags) / alpha):
            words = {-2: "2 or more below", -1: "1 below", 0: "nearest", 1: "1 above", 2: "2 or more above"}
            lines = [f"{'first, then:':>16}" + "".join(f"{words[c]:>18}" for c in used) + "   (observed / expected)"]
            for first, row in zip(used, rows, strict=True):
                total = sum(row.counts)
                cells = (f"{k:9d}/{total * p:8.1f}" for k, p in zip(row.counts, row.probabilities, strict=True))
                lines.append(f"{words[first]:>16}" + "".join(cells))
            text = "\n".join([*lines, f"evidence e**{evidence:.1f}"])
            return f"what a release shows says something about the one {lag} after it", text
    return None


def _signs(seen: InClasses, alpha: float) -> Told:
    """Of two releases that both lie beside the nearest output, the later one is below it with its probability."""
    below, above = seen.chances[-2] + seen.chances[-1], seen.chances[1] + seen.chances[2]
    lags = [lag for lag in TABLE_LAGS if lag <= seen.n // 2]
    for lag in lags:
        excess = Excess()
        for side, chance in (((-2, -1), below), ((1, 2), above)):
            pairs = {then: sum(seen.pairs(a, b, lag) for a in side for b in then) for then in ((-2, -1), (1, 2))}
            excess.add(chance / (below + above), pairs[side], sum(pairs.values()))
        evidence = excess.log_evidence() if excess.events else 0.0
        if evidence >= math.log(len(lags) / alpha):
            same, total = sum(k for _, k, _ in excess.events), sum(n for _, _, n in excess.events)
            mean = sum(p * n for p, _, n in excess.events)
            text = f"on the same side {same} of {total} times, {mean:.1f} expected; evidence e**{evidence:.1f}"
            return f"the sign of a release says something about that of the one {lag} after it", text
    return None


def _run(p: float, ways: float, alpha: float) -> int:
    """How many releases of one class in a row, where there are so many places for it, are beyond chance."""
    return math.ceil(math.log(alpha / ways) / math.log(p)) if 0 < p < 1 else 1 << 60


def _period(seen: InClasses, alpha: float) -> Told:
    """Every N-th release at the nearest output, so many times in a row: as if it had no noise."""
    mask, n = seen.masks[0], seen.n
    run = _run(seen.chances[0], float(n) * n, alpha)
    for period in range(1, n // run + 1):
        hits, length = mask, 1
        while hits and length < run:
            step = min(length, run - length)
            hits, length = hits & (hits >> (step * period)), length + step
        if hits:
            at = n - hits.bit_length() - (run - 1) * period  # of the first of them
            where = seen.law.output(seen.law.centre)
            text = f"{run} releases, {period} apart, from number {at + 1} on: all of them at {where!r}"
            words = "every release" if period == 1 else f"one in {period} releases"
            return f"{words} lies at the output nearest to the value, as if it had no noise", text
    return None


def _position(seen: InClasses, alpha: float) -> Told:
    """The same place of every request of one size."""
    by_size: dict[int, list[int]] = {}
    start = 0
    for size in seen.sizes:
        by_size.setdefault(size, []).append(start)
        start += size
    ways = float(sum(by_size) * len(CLASSES))
    for size, starts in by_size.items():
        for c in CLASSES:
            if len(starts) < _run(seen.chances[c], ways, alpha) or size == 1:
                continue
            places = set(range(size))
            for start in starts:
                places = {i for i in places if seen.codes[start + i] == c + 2}
            if places:
                text = f"release {min(places) + 1} of {len(starts)} requests for {size} releases each: always the same"
                return "the release at one place of every request is the same", text
    return None


def _repeats(seen: InClasses, alpha: float) -> Told:
    """A stretch that comes twice. Whatever came before, an output repeats with at most the largest probability."""
    largest = max(seen.law.probabilities)
    width = _run(largest, seen.n**2 / 2, alpha)
    data = bytes(min(255, max(0, k - seen.law.centre + 128)) for k in seen.numbers)
    known: dict[bytes, int] = {}
    step = 1 + seen.n // REMEMBERED  # of what is remembered: all of it, unless the sequence is very long
    for i in range(seen.n - width + 1):
        window = data[i : i + width]
        before = known.setdefault(window, i) if i % step == 0 else known.get(window, i)
        if before < i:
            text = f"releases {before + 1} to {before + width} came again as {i + 1} to {i + width}"
            return f"{width} releases came again in the same order", text
    return None


TESTS: dict[str, Callable[[InClasses, float], Told]] = {
    "reuse": _reuse,
    "tables": _tables,
    "signs": _signs,
    "period": _period,
    "position": _position,
    "repeats": _repeats,
}


def reuse_seen(law: Law, n: int, alpha: float) -> float:
    """The smallest share of releases that repeat an earlier draw which n releases would show on average."""
    p = law.chance(law.centre, law.centre)
    alike = sum(q * q for q in law.probabilities)
    needed = math.log(len(_lags(n) or [1]) * (len(REUSED) + len(AVOIDED)) / (PARTS["reuse"] * alpha))
    return min(1.0, math.sqrt(2 * needed * max(alike, p * p) / (1 - alike) / n)) if n else 1.0
