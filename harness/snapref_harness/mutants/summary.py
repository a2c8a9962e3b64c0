"""What became of the mutants, as a table for people and as JSON for programs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from snapref_harness.mutants.source import Mutant

KILLED = ("refuted", "undecided", "error")
FATES = (*KILLED, "equivalent", "stronger", "listed", "survived", "open")


@dataclass(frozen=True)
class Verdict:
    """The fate of a mutant, one of FATES. `by` is what decided it, `detail` what was found or the reason given."""

    mutant: Mutant
    fate: str
    by: str = ""
    detail: str = ""
    seconds: float = 0.0  # of processor time that it took to find out

    def __str__(self) -> str:
        by = f"   ({self.by})" if self.by else ""
        return f"{self.fate:<10} {self.mutant}{by}   {self.seconds:.1f} s"


def counted(verdicts: Iterable[Verdict]) -> str:
    """ "20 mutants: 15 refuted, 5 listed"."""
    counts = Counter(verdict.fate for verdict in verdicts)
    return f"{counts.total()} mutants: " + ", ".join(f"{counts[fate]} {fate}" for fate in FATES if counts[fate])


def table(verdicts: Sequence[Verdict]) -> str:
    """A row for each file, and the sum."""
    files = list(dict.fromkeys(verdict.mutant.file for verdict in sorted(verdicts, key=lambda v: v.mutant.file)))
    width = max([len(file) for file in files] + [len("file")])
    lines = [f"{'file':{width}}  mutants  {'  '.join(FATES)}"]
    for file in (*files, ""):
        counts = Counter(verdict.fate for verdict in verdicts if not file or verdict.mutant.file == file)
        numbers = "  ".join(f"{counts[fate]:{len(fate)}}" for fate in FATES)
        lines.append(f"{file or 'all':{width}}  {counts.total():7}  {numbers}")
    return "\n".join(lines)


def as_json(verdicts: Sequence[Verdict], unneeded: Sequence[str]) -> dict[str, Any]:
    counts = Counter(verdict.fate for verdict in verdicts)
    rows = [
        {
            "file": verdict.mutant.file,
            "line": verdict.mutant.line,
            "function": verdict.mutant.function,
            "name": verdict.mutant.name,
            "fate": verdict.fate,
            "by": verdict.by,
            "detail": verdict.detail,
            "seconds": verdict.seconds,
        }
        for verdict in sorted(verdicts, key=lambda v: (v.mutant.file, v.mutant.line, v.mutant.name))
    ]
    summary = {"total": len(verdicts), **{fate: counts[fate] for fate in FATES}}
    return {"mutants": rows, "unneeded": list(unneeded), "summary": summary}
