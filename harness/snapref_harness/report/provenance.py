"""Where the page comes from: versions, machine, commit, date."""

import os
import platform
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from snapref_harness.bench.machine import machine
from snapref_ledger import cache

UNKNOWN = "unknown: not run from a checkout"


@dataclass(frozen=True)
class Provenance:
    version: str
    commit: str
    date: str
    machine: str
    engines: tuple[tuple[str, str], ...]  # the programs and libraries that results depend on, with their versions

    @property
    def short_commit(self) -> str:
        """Twelve digits of it, or nothing."""
        return "" if self.commit == UNKNOWN else self.commit[:12]


def provenance() -> Provenance:
    found = {name: text for name, text in cache.environment().items() if name not in ("python", "machine")}
    return Provenance(
        cache.version("snapref") or "not installed",
        _commit(Path(__file__).parent),
        _now().strftime("%Y-%m-%d %H:%M UTC"),
        _machine(),
        tuple((name, text or "not installed") for name, text in (found | _inside()).items()),
    )


def _machine() -> str:
    found = machine()
    return (
        f"{found['cpu']}, {platform.machine()}, {found['cores']} cores, {found['system']}, "
        f"{platform.python_implementation()} {found['python']}"
    )


def _inside() -> dict[str, str]:
    """The libraries inside Python packages, with their versions, where they are installed."""
    return {
        "MPFR": _told("gmpy2", "gmpy2", lambda gmpy2: gmpy2.mpfr_version().removeprefix("MPFR ")),
        "GMP": _told("gmpy2", "gmpy2", lambda gmpy2: gmpy2.mp_version().removeprefix("GMP ")),
        "FLINT with Arb": _told("python-flint", "flint", lambda flint: flint.__FLINT_VERSION__),
        # python-sat has several, by name; this is the one that snapref_smt.engine.certificates asks for.
        "CaDiCaL": _told("python-sat", "pysat.solvers", lambda solvers: solvers.SolverNames.cadical153 and "1.5.3"),
    }


def _told(package: str, module: str, version: Callable[[Any], str]) -> str:
    try:
        return f"{version(import_module(module))}, in {package}"
    except (ImportError, AttributeError):
        return ""


def _now() -> datetime:
    """The time, or that of $SOURCE_DATE_EPOCH, with which the page comes out the same every time."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(fixed), UTC) if fixed.isdigit() else datetime.now(UTC)


def _commit(directory: Path) -> str:
    """The commit of the checkout that the code lies in, and whether files differ from it."""
    commit = _git(directory, "rev-parse", "HEAD")
    if not commit:
        return UNKNOWN
    return commit + (" with changes" if _git(directory, "status", "--porcelain", "--untracked-files=no") else "")


def _git(directory: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(directory), *arguments], capture_output=True, text=True, check=False, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
