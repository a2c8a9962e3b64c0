"""The cache: keeps results of obligations as JSON files, each named by a hash of all that the result depends on.

The hash covers:

- the obligation, and the options of the run;
- every file of the project that is read or run for the check (sources.py finds them);
- the versions of the interpreter, of the engines, and of the libraries inside the engines.

Only `proved` and `refuted` are kept, never `undecided` or `error`. A file that is damaged, or that another program
wrote, counts as absent.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import cache
from importlib import metadata
from pathlib import Path

from snapref_ledger.claims import notes_directory
from snapref_ledger.obligations import Obligation, Run
from snapref_ledger.runner import Result
from snapref_ledger.sources import Sources
from snapref_ledger.wire import decode, encode

FORMAT = 2
KEPT = ("proved", "refuted")
# The Python distributions, and below them the programs, whose version can change what an obligation finds.
ENGINES = (
    "z3-solver",
    "bitwuzla",
    "cvc5",
    "mpmath",
    "gmpy2",
    "python-flint",
    "python-sat",
    "dratify",
    "numpy",
)
PROGRAMS = ("cadical",)
WORKER = "snapref_ledger.worker"  # runs every check


def cache_dir() -> Path:
    """The first of these that there is: $SNAPREF_CACHE; .cache/snapref in the checkout (`make verify` creates it);
    $XDG_CACHE_HOME/snapref; ~/.cache/snapref."""
    if own := os.environ.get("SNAPREF_CACHE"):
        return Path(own).expanduser()
    notes = notes_directory()
    if notes is not None and (ours := notes.parent / ".cache" / "snapref").is_dir():
        return ours
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "snapref"


class Cache:
    """Results on disk. One instance per run: it reads each source file once."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or cache_dir()
        self.sources = Sources()

    def key(self, obligation: Obligation, run: Run) -> str:
        """The hash of all that the result depends on. The time limit is left out: it can change whether there is a
        result, but not what the result is."""
        fields = {name: value for name, value in vars(obligation).items() if name not in ("check", "timeout", "inputs")}
        parameters = {k: v for k, v in asdict(run).items() if k != "timeout"}
        sources = self.sources.digests({obligation.module, obligation.check.__module__, WORKER})
        more = obligation.inputs() if obligation.inputs else {}
        return _hash([FORMAT, fields, parameters, environment(), sources, more])

    def load(self, obligation: Obligation, run: Run) -> Result | None:
        if not self.directory.is_dir():  # nothing has ever been kept
            return None
        key = self.key(obligation, run)
        try:
            entry = json.loads(self._path(key).read_text(encoding="utf-8"))
            content = entry["content"]
            if entry["digest"] != _hash(content) or content["key"] != key or content["id"] != obligation.id:
                return None
            outcome, seconds = decode(content["outcome"]), float(content["seconds"])
        except (OSError, ValueError, KeyError, TypeError):  # not there, or not ours, or damaged
            return None
        return Result(obligation, outcome, seconds, cached=True) if outcome.status in KEPT else None

    def store(self, key: str, result: Result) -> None:
        """Keeps a decided result. `key` was computed before the check ran; where a source file has changed since then,
        nothing is kept."""
        if result.outcome.status not in KEPT or result.cached or not self.sources.unchanged():
            return
        content = {
            "key": key,
            "id": result.obligation.id,
            "outcome": encode(result.outcome),
            "seconds": result.seconds,
        }
        write_atomically(self._path(key), json.dumps({"digest": _hash(content), "content": content}, indent=1).encode())

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key}.json"


@cache
def environment() -> dict[str, str]:
    """The interpreter, the engines, the libraries inside them and the programs, with their versions."""
    versions = {"python": sys.version, "machine": platform.machine(), "libc": " ".join(platform.libc_ver())}
    engines = {name: version(name) for name in ENGINES}
    return versions | engines | _libraries() | {f"{name} (program)": _program_version(name) for name in PROGRAMS}


def _libraries() -> dict[str, str]:
    """The libraries that compute inside gmpy2 and python-flint. Their versions depend on how those two were built."""
    import gmpy2

    versions = {"GMP": gmpy2.mp_version(), "MPFR": gmpy2.mpfr_version()}
    try:
        import flint
    except ImportError:
        return versions
    return versions | {"FLINT": flint.__FLINT_VERSION__}


def _program_version(name: str) -> str:
    """What the program prints for --version; empty where it is not installed."""
    path = shutil.which(name)
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout if path else ""


def version(package: str) -> str:
    """The installed version of a distribution; empty where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _hash(data: object) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write_atomically(path: Path, data: bytes) -> None:
    """Nobody sees the file half written, and two that write it at once do no harm."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
