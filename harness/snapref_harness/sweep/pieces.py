"""What all kinds of sweeps share: pieces, results, and the kinds by name."""

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Protocol, cast, get_args

from snapref_harness.sweep.table import Table

Piece = dict[str, Any]  # texts, whole numbers and lists of them, with an "id" and a "kind"; it is sent as JSON
Result = dict[str, Any]  # the "id" of its piece, a "status", and what was found

# holds: decided for all that the piece is about · breaks: refuted, with a witness · nothing_found: a search or a test
# that found nothing, which proves nothing · unsupported: the target does not offer it · undecided · error
Status = Literal["holds", "nothing_found", "unsupported", "breaks", "undecided", "error"]
STATUSES: tuple[Status, ...] = get_args(Status)

KINDS = {name: f"snapref_harness.sweep.{name}_pieces" for name in ("loss", "search", "small", "boxes", "crosscheck")}


class Kind(Protocol):
    """One kind of sweep: a module."""

    COUNTS: tuple[str, ...]  # fields of its results that add up

    def pieces(self, table: Table) -> Iterator[Piece]:
        """The pieces of a specification. Every key is read before the first piece comes."""
        ...

    def run(self, piece: Mapping[str, Any]) -> Result:
        """The result of one piece; it depends on the piece and on nothing else."""
        ...


def kind(name: str) -> Kind:
    return cast(Kind, importlib.import_module(KINDS[name]))


def piece(kind: str, varying: Mapping[str, Any], fixed: Mapping[str, Any] | None = None) -> Piece:
    """A piece. What varies within the sweep makes its id, so that a person can read what it is about."""
    identity = " ".join(f"{key}={value}" for key, value in varying.items())
    return {"id": identity, "kind": kind, **varying, **(fixed or {})}


def result(piece: Mapping[str, Any], status: Status, **found: Any) -> Result:
    return {"id": piece["id"], "status": status, **found}
