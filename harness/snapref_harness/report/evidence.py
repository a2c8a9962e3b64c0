"""What the page says about the ledger: counts, and whether everything came out as expected."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from snapref_ledger.ledger import Entry, Piece
from snapref_ledger.verdicts import Verdict

DOCUMENTS = {
    "000": "Reasoning About Utility of the Snapping Mechanism",
    "001": "Snapping Mechanism Notes, 26 August 2019",
    "002": "Snapping Mechanism Notes, 11 September 2019",
    "003": "Verifying Snapping Mechanism",
    "004": "Verifying Snapping Mechanism, Floating Point Implementation Version",
}
MEANING: dict[Verdict, str] = {
    "true": "holds as printed; or was left open by the documents and is answered here",
    "conditional": "holds under a side condition that the document leaves out",
    "false": "does not hold; a correction is given and proved",
    "open": "ill-formed, not decided, or without a result for the code as it is now",
}
State = Literal["passed", "failed", "not run", "thorough only"]


def state(piece: Piece) -> State:
    """The state of an obligation. It has passed only if it was run and came out as expected."""
    if piece.result is None:
        return "thorough only" if piece.obligation.thorough else "not run"
    return "passed" if piece.result.passed else "failed"


def engines(piece: Piece) -> list[str]:
    """Each engine that took part, with its answer and its time. Those that the detail already mentions are left out."""
    found: list[str] = []
    for name, answer in piece.result.outcome.engines.items() if piece.result else ():
        details = answer if isinstance(answer, dict) else {"answer": answer}
        words = [name, *(str(details[key]) for key in ("answer", "status") if details.get(key))]
        if isinstance(details.get("seconds"), int | float):
            words.append(f"{details['seconds']:.1f} s")
        found.append(" ".join(words))
    return [words for words in found if piece.result and words not in piece.result.outcome.detail]


def kinds(entry: Entry) -> list[str]:
    return list(dict.fromkeys(piece.obligation.kind for piece in entry.pieces))


def documents(entry: Entry) -> list[str]:
    return [name.strip() for name in entry.claim.document.split(",")]


def waiting(entry: Entry) -> int:
    """How many of its obligations a plain `snapref verify` would still have to run."""
    return sum(state(piece) == "not run" for piece in entry.pieces)


@dataclass(frozen=True)
class Summary:
    verdicts: dict[Verdict, int]
    open_for_lack_of_a_run: int
    states: dict[State, int]
    seconds: float  # that the results took when they were made

    @property
    def complete(self) -> bool:
        return not self.states["not run"]

    @property
    def as_expected(self) -> bool:
        """Everything was run and came out as expected."""
        return self.complete and not self.states["failed"]


def summarise(entries: Sequence[Entry]) -> Summary:
    verdicts = Counter(entry.verdict for entry in entries)
    every = list(by_id(entries).values())
    states = Counter(map(state, every))
    return Summary(
        {verdict: verdicts[verdict] for verdict in get_args(Verdict)},
        sum(entry.verdict == "open" and waiting(entry) > 0 for entry in entries),
        {name: states[name] for name in get_args(State)},
        sum(piece.result.seconds for piece in every if piece.result),
    )


def by_id(entries: Iterable[Entry]) -> dict[str, Piece]:
    """Every obligation once, also one that is evidence for several claims."""
    return {piece.obligation.id: piece for entry in entries for piece in entry.pieces}
