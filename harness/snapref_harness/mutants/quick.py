"""The quick selection: a few mutants of every file, each with the obligation that noticed it in the last long run.

Each of them died within seconds, and it must die again: only that obligation is asked. So a quick look costs one short
check for each mutant. It shows that obligations still notice what they noticed; what none has noticed yet is for
`make mutants` to find. A mutant that is gone, because the code has changed, is left out; --learn chooses anew.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from snapref_harness.mutants.source import Mutant
from snapref_harness.mutants.summary import KILLED, Verdict

LIST = Path(__file__).with_name("quick.json")
OF_EACH_FILE = 3
WITHIN = 3.0  # seconds of processor time


def read(path: Path = LIST) -> dict[str, str]:
    """The mutants, by their key, and who must notice each."""
    try:
        known: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return known


def write(verdicts: Iterable[Verdict], path: Path = LIST) -> None:
    """Chooses anew for the files of which there are verdicts."""
    died = [v for v in verdicts if v.fate in KILLED and 0 < v.seconds <= WITHIN]
    files = {verdict.mutant.file for verdict in died}
    kept = {key: by for key, by in read(path).items() if key.split(" ")[0] not in files}
    for file in files:
        own = {verdict.mutant: verdict.by for verdict in died if verdict.mutant.file == file}
        kept |= {mutant.key: own[mutant] for mutant in chosen(list(own), OF_EACH_FILE)}
    path.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def chosen(mutants: Sequence[Mutant], count: int) -> list[Mutant]:
    """So many mutants of each file: always the same ones, as long as the file is the same there."""
    by_file: dict[str, list[Mutant]] = {}
    for mutant in sorted(mutants, key=lambda mutant: hashlib.sha256(mutant.key.encode()).hexdigest()):
        by_file.setdefault(mutant.file, []).append(mutant)
    return [mutant for those in by_file.values() for mutant in those[:count]]
