"""Which obligation is asked first: the one that is likely to notice, and quick.

What killed other mutants of the same function probably kills this one, too; what did not notice them probably does not.
Both are counted while the campaign runs. A mutant that is an error says nothing: whoever runs it notices. The kills of
the last whole campaign are in killers.json; they make a run quick, and decide nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from snapref_harness.mutants.source import Mutant

KILLERS = Path(__file__).with_name("killers.json")
KEPT = 5  # so many obligations of each function
START = 0.3  # seconds that an obligation takes at least
SAME_FUNCTION, SAME_FILE, ELSEWHERE = 4.0, 1.0, 0.02  # how much a kill says about another mutant


class Order:
    """Learns which obligations kill the mutants of which functions."""

    def __init__(self, seconds: dict[str, float], known: dict[str, dict[str, int]] | None = None) -> None:
        self.seconds = seconds
        self.known = {place: Counter(counts) for place, counts in (known or {}).items()}  # from an earlier run
        self.kills: dict[str, Counter[str]] = {}  # of this run
        self.misses: Counter[tuple[str, str]] = Counter()  # of this run, by function and obligation

    def of(self, mutant: Mutant, ids: Iterable[str]) -> list[str]:
        """The obligations, the most promising first."""
        function, file = (self._kills(place) for place in (_function(mutant), mutant.file))

        def promise(id: str) -> float:
            said = SAME_FUNCTION * function[id] + SAME_FILE * file[id] / max(1, file.total()) + ELSEWHERE
            return said / (1 + self.misses[_function(mutant), id]) / (START + self.seconds.get(id, 1.0))

        return sorted(ids, key=lambda id: (-promise(id), id))

    def _kills(self, place: str) -> Counter[str]:
        return self.known.get(place, Counter()) + self.kills.get(place, Counter())

    def killed(self, mutant: Mutant, id: str) -> None:
        for place in (_function(mutant), mutant.file):
            self.kills.setdefault(place, Counter())[id] += 1

    def missed(self, mutant: Mutant, ids: Iterable[str]) -> None:
        self.misses.update((_function(mutant), id) for id in ids)

    def write(self) -> None:
        """Keeps what was learnt, for the next run: the best few of each function. Of places that were not mutated now,
        what was known stays."""
        kept = {place: dict(counts.most_common(KEPT)) for place, counts in sorted((self.known | self.kills).items())}
        KILLERS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def known_killers() -> dict[str, dict[str, int]]:
    try:
        known: dict[str, dict[str, int]] = json.loads(KILLERS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return known


def _function(mutant: Mutant) -> str:
    return f"{mutant.file} {mutant.function}"
