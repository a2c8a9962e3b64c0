"""The list of mutants that may survive, each with the reason why that does no harm: survivors.toml.

    [[entry]]
    file = "reference/snapref/budget.py"
    function = "show"
    reason = "how many digits a message shows"
    mutants = ["x == 0 → False"]      # or every = true, where the whole function is of this kind

What is on the list is not tried: the reason is why it may survive, and it does no harm if somebody notices it. With
--listed it is, but for whole functions, and a mutant that does not survive is an error. So is one that there is not.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from snapref_harness.mutants.source import Mutant

LIST = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True)
class Entry:
    """Mutants of one function that may survive for one reason."""

    file: str
    function: str
    reason: str
    mutants: tuple[str, ...] = ()
    every: bool = False

    def covers(self, mutant: Mutant) -> bool:
        here = (self.file, self.function) == (mutant.file, mutant.function)
        return here and (self.every or mutant.name in self.mutants)


class Unreadable(ValueError):
    """The list is not written as it should be."""


def read(path: Path = LIST) -> list[Entry]:
    """The entries of the list."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("entry", [])
        entries = [Entry(**{**row, "mutants": tuple(row.get("mutants", ()))}) for row in rows]
    except (OSError, ValueError, TypeError) as error:
        raise Unreadable(f"{path.name} cannot be read: {error}") from None
    for entry in entries:
        if not entry.reason or entry.every == bool(entry.mutants):
            raise Unreadable(f"{path.name}: {entry.file} {entry.function} needs a reason, and either mutants or every")
    return entries
