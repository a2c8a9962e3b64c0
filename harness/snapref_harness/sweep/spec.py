"""The specification of a sweep: a TOML file with a `kind`, and the keys of that kind (see the *_pieces modules)."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snapref.errors import ParameterError
from snapref_harness.sweep.pieces import KINDS, Piece, kind
from snapref_harness.sweep.table import SpecError, Table, shown

MAX_PIECES = 1_000_000
MAX_TEXT = 1 << 24  # characters of a specification


@dataclass(frozen=True)
class Sweep:
    """A kind of sweep and its pieces, in order. The pieces are not kept but made again each time, to save memory."""

    kind: str
    data: Mapping[str, Any] = field(repr=False)
    ids: dict[str, None] = field(repr=False)  # of all pieces, in order
    digest: str  # a hash of all pieces: two files with the same pieces are the same sweep

    def pieces(self) -> Iterator[Piece]:
        return kind(self.kind).pieces(Table(self.data))


def read_sweep(path: Path) -> Sweep:
    """Reads the specification in a file. A SpecError says in one line what is wrong with it."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MAX_TEXT)  # a device like /dev/zero has no end
            if file.read(1):
                raise ValueError(f"longer than {MAX_TEXT} characters")
        data = tomllib.loads(text)
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}") from None
    except RecursionError:
        raise SpecError("is not TOML: nested too deeply") from None
    except ValueError as error:  # TOML, UTF-8, or a number of thousands of digits
        raise SpecError(f"is not TOML: {error}") from None
    return sweep_of(data)


def sweep_of(data: Mapping[str, Any]) -> Sweep:
    """The sweep of a specification. All pieces are made once here, so that mistakes show before the work begins."""
    name, rest = data.get("kind"), {key: value for key, value in data.items() if key != "kind"}
    if not isinstance(name, str) or name not in KINDS:
        found = "is missing" if name is None else f"= {shown(name)} is not allowed"
        raise SpecError(f"kind {found}: one of {', '.join(KINDS)}")
    ids: dict[str, None] = {}
    digest = hashlib.sha256()
    try:
        for piece in kind(name).pieces(Table(rest)):
            if len(ids) == MAX_PIECES:
                raise SpecError(f"more than {MAX_PIECES} pieces: split the sweep into several")
            if piece["id"] in ids:
                raise SpecError(f"two pieces are the same: {piece['id']}")
            ids[piece["id"]] = None
            digest.update(json.dumps(piece, sort_keys=True).encode() + b"\n")
    except ParameterError as error:
        raise SpecError(str(error)) from None
    return Sweep(name, rest, ids, digest.hexdigest())
