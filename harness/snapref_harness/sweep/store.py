"""The file of results: JSON lines. The first line is the manifest, which says what the sweep is. Then there is one line
for each result, in the order in which they come.

A sweep that was killed goes on from what is in the file. A last line that is not complete is cut off, and errors are
tried again. If the client is killed, every line that it wrote is kept; if the machine stops, the lines of the last
second may be lost. When all pieces are done, the file is put in the order of the pieces. So two complete files of one
sweep are equal byte for byte, whoever did the work.
"""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from snapref_harness.sweep.pieces import STATUSES, Result
from snapref_harness.sweep.spec import Sweep

FORMAT = 1
SYNC = 1.0  # seconds after which it waits until the lines are on the disk


class StoreError(ValueError):
    """This sweep cannot write to the file."""


class Store:
    """A file of results. It is locked as long as it is open."""

    def __init__(self, path: Path, sweep: Sweep, made_by: Mapping[str, str]) -> None:
        self.path, self.ids, self.made_by = path, sweep.ids, dict(made_by)
        self.manifest = {
            "sweep": FORMAT,
            "kind": sweep.kind,
            "pieces": len(sweep.ids),
            "digest": sweep.digest,
            "made_by": self.made_by,
        }
        self.places: dict[str, tuple[int, int]] = {}  # id → where its line starts and ends
        self.end = 0  # of the file
        self.synced = time.monotonic()
        try:
            if path.exists() and not path.is_file():
                raise StoreError(f"{path} is no file; name another --out")
            self.file = open(path, "a+b")  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            raise self._cannot("be written", error) from None
        try:
            self._lock()
            self._read()
        except BlockingIOError:
            self.file.close()
            raise StoreError(f"{path} is being written by another sweep; wait for it, or name another --out") from None
        except OSError as error:
            self.file.close()
            raise self._cannot("be read", error) from None
        except BaseException:
            self.file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    @property
    def complete(self) -> bool:
        return len(self.places) == len(self.ids)

    def add(self, result: Result) -> None:
        """Adds a line, and hands it to the operating system at once."""
        start = self.end
        self._append(_line(result))
        self.places[result["id"]] = (start, self.end)

    def results(self) -> Iterator[Result]:
        """The results so far, in the order of the pieces."""
        for identity in self.ids:
            if identity in self.places:
                yield json.loads(self._bytes(identity))

    def put_in_order(self) -> None:
        """Writes the manifest, and the results in the order of the pieces. The file is replaced as a whole."""
        place = self.path.resolve()  # a link stays a link
        temporary = place.with_name(f".{place.name}.{os.getpid()}.tmp")
        try:
            with open(temporary, "wb") as file:
                file.write(_line(self.manifest))
                file.writelines(self._bytes(identity) for identity in self.ids if identity in self.places)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)
        except OSError as error:
            raise self._cannot("be put in order", error) from None
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()

    def _bytes(self, identity: str) -> bytes:
        start, end = self.places[identity]
        return os.pread(self.file.fileno(), end - start, start)

    def _append(self, line: bytes) -> None:
        """Writes the whole line, or nothing of it."""
        start = self.end
        try:
            while self.end < start + len(line):
                self.end += os.write(self.file.fileno(), line[self.end - start :])
            if time.monotonic() - self.synced > SYNC:
                os.fsync(self.file.fileno())
                self.synced = time.monotonic()
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self.file.fileno(), start)
            raise self._cannot("be written", error) from None

    def _cannot(self, what: str, error: OSError) -> StoreError:
        return StoreError(f"{self.path} cannot {what}: {error.strerror or error}")

    def _lock(self) -> None:
        """Locks the file. A BlockingIOError if another sweep has locked it, or has just replaced it."""
        fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not self.path.exists() or not os.path.samestat(os.fstat(self.file.fileno()), os.stat(self.path)):
            raise BlockingIOError

    def _read(self) -> None:
        """Reads what an earlier run of the same sweep left. An error if the file belongs to another sweep."""
        self.file.seek(0)
        first = self.file.readline()
        if _line(self.manifest).startswith(first) and not first.endswith(b"\n"):  # empty, or killed at once
            self.file.truncate(0)
            self._append(_line(self.manifest))
            return
        self._check_manifest(first)
        start = len(first)
        for number, line in enumerate(self.file, 2):
            if not line.endswith(b"\n"):
                break  # cut short by a kill
            identity, status = self._check_result(line, number)
            self.places.pop(identity, None)
            if status != "error":  # errors are tried again
                self.places[identity] = (start, start + len(line))
            start += len(line)
        self.file.truncate(start)
        self.end = start

    def _check_manifest(self, line: bytes) -> None:
        found = _parsed(line)
        if found is None or found.get("sweep") != FORMAT:
            raise StoreError(f"{self.path} is there and holds no sweep; name another --out, or move it away")
        for key in ("kind", "pieces", "digest"):
            if found.get(key) != self.manifest[key]:
                raise StoreError(
                    f"{self.path} holds another sweep ({found.get('kind')}, {found.get('pieces')} pieces): the "
                    f"specification has changed; name another --out, or move it away"
                )
        if found.get("made_by") != self.made_by:
            changed = difference(found.get("made_by"), self.made_by)
            raise StoreError(f"{self.path} was begun with {changed}; name another --out, or move it away")

    def _check_result(self, line: bytes, number: int) -> tuple[str, str]:
        found = _parsed(line) or {}
        identity, status = found.get("id"), found.get("status")
        if not isinstance(identity, str) or identity not in self.ids or status not in STATUSES:
            raise StoreError(
                f"{self.path}, line {number} is no result of this sweep; name another --out, or move it away"
            )
        return identity, status


def difference(theirs: object, ours: Mapping[str, str]) -> str:
    """In words, how the code and the versions that made something differ from ours."""
    other = theirs if isinstance(theirs, dict) else {}
    words = []
    for name, mine in ours.items():
        if other.get(name) != mine:
            words.append("other code of snapref" if name == "code" else f"{name} {other.get(name)} instead of {mine}")
    return " and ".join(words) or "something that this version does not know"


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
