"""Which obligation is asked first: the one that noticed this mutant before; else one that is likely to, and quick.

record.json says of the mutants of past runs what became of each. Where that is known, one obligation is enough to see
the same again. (An entry called "earlier …" is a kill of a run that kept no names.) Of a new mutant, what killed
others of the same function is the best guess, and what did not notice them a bad one; both are counted while the
campaign runs. A mutant that crashes says nothing: whoever runs it notices. The record makes a run quick. It decides
nothing: every obligation that it names is asked again.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from snapref_harness.mutants.source import Mutant

RECORD = Path(__file__).with_name("record.json")
START = 0.3  # seconds that an obligation takes at least
SAME_FUNCTION, SAME_FILE, ELSEWHERE = 4.0, 1.0, 0.02  # how much a kill says about another mutant
Record = dict[str, dict[str, dict[str, str]]]  # file → function → mutant → its fate, and who decided that


class Order:
    """Learns which obligations kill the mutants of which functions."""

    def __init__(self, seconds: dict[str, float], record: Record | None = None) -> None:
        self.seconds, self.record = seconds, record or {}
        self.kills: dict[str, Counter[str]] = {}  # by file, and by function
        self.misses: Counter[tuple[str, str]] = Counter()  # of this run, by function and obligation
        for file, functions in self.record.items():
            for function, mutants in functions.items():
                for said in mutants.values():
                    self._count(file, function, *said.split(" ", 1))

    def of(self, mutant: Mutant, ids: Iterable[str]) -> list[str]:
        """The obligations, the most promising first."""
        before = self.before(mutant)[1]
        function, file = (self.kills.get(place, Counter[str]()) for place in (_function(mutant), mutant.file))

        def promise(id: str) -> float:
            said = SAME_FUNCTION * function[id] + SAME_FILE * file[id] / max(1, file.total()) + ELSEWHERE
            return said / (1 + self.misses[_function(mutant), id]) / (START + self.seconds.get(id, 1.0))

        found = sorted(ids, key=lambda id: (id != before, -promise(id), id))
        first = {_lemma(id): id for id in reversed(found)}
        return sorted(found, key=lambda id: first[_lemma(id)] != id)  # for another constant it will say the same

    def before(self, mutant: Mutant) -> Sequence[str]:
        """What became of the mutant before, and who decided that."""
        said = self.record.get(mutant.file, {}).get(mutant.function, {}).get(mutant.name, " ")
        return said.split(" ", 1)

    def settled(self, mutant: Mutant, fate: str, by: str) -> None:
        self.record.setdefault(mutant.file, {}).setdefault(mutant.function, {})[mutant.name] = f"{fate} {by}"
        self._count(mutant.file, mutant.function, fate, by)

    def _count(self, file: str, function: str, fate: str, by: str) -> None:
        if fate in ("refuted", "undecided"):
            for place in (file, f"{file} {function}"):
                self.kills.setdefault(place, Counter())[by] += 1

    def missed(self, mutant: Mutant, ids: Iterable[str]) -> None:
        self.misses.update((_function(mutant), id) for id in ids)

    def write(self, mutants: Iterable[Mutant]) -> None:
        """Keeps what was learnt, for the next run. What there is no more in the files of these mutants is left out."""
        now = {(mutant.file, mutant.function, mutant.name) for mutant in mutants}
        files = {file for file, _, _ in now}
        kept: Record = {}
        for file, functions in sorted(self.record.items()):
            for function, said in sorted(functions.items()):
                own = {name: said[name] for name in sorted(said) if file not in files or (file, function, name) in now}
                if own:
                    kept.setdefault(file, {})[function] = own
        RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def recorded() -> Record:
    try:
        known: Record = json.loads(RECORD.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return known


def _lemma(id: str) -> str:
    """`theorem.forward` for `theorem.forward.12`: the same lemma is proved for several constants."""
    return id.rstrip(".0123456789")


def _function(mutant: Mutant) -> str:
    return f"{mutant.file} {mutant.function}"
