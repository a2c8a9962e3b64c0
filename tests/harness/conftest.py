"""Obligations for the tests: written to modules of their own, so that workers can import them."""

import importlib
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from snapref_harness.cli import registry
from snapref_ledger.obligations import REGISTRY, Obligation
from snapref_smt.engine.stating import STATED

HEADER = """
import os, signal, subprocess, sys, time
from snapref_ledger import Outcome, obligation
from snapref_ledger.obligations import Obligation

def register(name, claim="C-1", **fields):
    return obligation(name, **{"claim": claim, "kind": "exact", "scope": "a test", **fields})

"""
_serial = itertools.count()
FAKE = "snapref_fake_"  # how the names of modules begin that a test makes

Write = Callable[[str], list[Obligation]]


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing registered but what the test registers, and a cache of its own."""
    kept = dict(REGISTRY)
    REGISTRY.clear()
    monkeypatch.setenv("SNAPREF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SNAPREF_DEBUG", raising=False)
    monkeypatch.setattr(registry, "MODULES", ())
    yield
    REGISTRY.clear()
    REGISTRY.update(kept)
    for id in [id for id, build in STATED.items() if build.__module__.startswith(FAKE)]:
        del STATED[id]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes a module of obligations from its text, imports it, and returns what is then registered."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str) -> list[Obligation]:
        name = f"{FAKE}{os.getpid()}_{next(_serial)}"
        (tmp_path / f"{name}.py").write_text(HEADER + text, encoding="utf-8")
        importlib.invalidate_caches()
        importlib.import_module(name)
        return list(REGISTRY.values())

    return write


@pytest.fixture
def environment() -> dict[str, str]:
    """For subprocesses that need to import what this process can."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
