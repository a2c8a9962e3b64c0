"""The cache: what it depends on, what it keeps, and what it does with a file that it cannot trust."""

import dataclasses
import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from snapref_ledger import cache as cache_module
from snapref_ledger.cache import Cache, cache_dir
from snapref_ledger.obligations import Obligation, Outcome, Run
from snapref_ledger.runner import Result
from snapref_ledger.sources import Sources
from snapref_ledger.verify import verify
from tests.harness.conftest import Write

PROVED = "@register('x')\ndef x(run): return Outcome('proved', 'd', 'w', {'z3': {}})"


def run_twice(obligations: list[Obligation], run: Run | None = None) -> list[bool]:
    """Whether each of two runs found the result in the cache."""
    return [result.cached for _ in range(2) for result in verify(obligations, run or Run(), 1, Cache())]


def test_the_second_run_hits_and_says_the_same(write: Write) -> None:
    obligations = write(PROVED)
    (first,) = verify(obligations, Run(), 1, Cache())
    (second,) = verify(obligations, Run(), 1, Cache())
    assert (first.cached, second.cached) == (False, True)
    assert dataclasses.replace(second, cached=False) == first


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("return Outcome('proved')", True),
        ("return Outcome('refuted')", True),
        ("return Outcome('undecided')", False),
        ("return Outcome('error')", False),
        ("raise ValueError", False),
        ("os._exit(0)", False),
    ],
)
def test_only_what_was_decided_is_kept(write: Write, body: str, kept: bool) -> None:
    assert run_twice(write(f"@register('x')\ndef x(run): {body}")) == [False, kept]


def test_without_a_cache_nothing_is_read_or_written(write: Write) -> None:
    obligations = write(PROVED)
    for _ in range(2):
        assert [r.cached for r in verify(obligations, Run(), 1, None)] == [False]
    assert not cache_dir().exists()


def test_the_time_limit_does_not_matter_but_the_rest_of_the_run_does(write: Write) -> None:
    (obligation,) = write(PROVED)
    key = Cache().key(obligation, Run())
    assert Cache().key(obligation, Run(timeout=1)) == key
    assert Cache().key(dataclasses.replace(obligation, timeout=1), Run()) == key
    others = [Run(solvers=("z3",)), Run(thorough=True), Run(certificates=True)]
    assert len({key, *(Cache().key(obligation, other) for other in others)}) == 4


@pytest.mark.parametrize("change", [{"id": "y"}, {"claim": "C-2"}, {"expected": "refuted"}, {"scope": "more"}])
def test_every_field_matters(write: Write, change: dict[str, str]) -> None:
    (obligation,) = write(PROVED)
    changed = dataclasses.replace(obligation, **change)  # type: ignore[arg-type]
    assert Cache().key(changed, Run()) != Cache().key(obligation, Run())


@pytest.mark.parametrize("name", cache_module.environment())
def test_the_version_of_every_engine_library_and_program_matters(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (obligation,) = write(PROVED)
    key = Cache().key(obligation, Run())
    other = {**cache_module.environment(), name: "another"}
    monkeypatch.setattr(cache_module, "environment", lambda: other)
    assert Cache().key(obligation, Run()) != key


def test_the_worker_that_runs_every_check_matters(write: Write) -> None:
    cache, (obligation,) = Cache(), write(PROVED)
    cache.key(obligation, Run())
    assert {"worker.py", "wire.py", "limits.py"} <= {path.name for path in cache.sources.files}


# A package of modules that hang together by what they import, run or name, and one that nobody knows.
PACKAGE = {
    "__init__.py": "",
    "base.py": "x = 1",
    "relative.py": "from . import base",
    "lazy.py": "def f():\n    from .sub import deep\n    return deep",
    "sub/__init__.py": "",
    "sub/deep.py": "from ..relative import base\nfrom ..starts import SCRIPT\nimport PACKAGE.source",
    "sub/table.json": "{}",
    "starts.py": "import pathlib\nSCRIPT = pathlib.Path(__file__).with_name('script.py')",
    "script.py": "import importlib\nimportlib.import_module('PACKAGE.by_name')",
    "by_name.py": "from importlib import resources\nDATA = resources.files('PACKAGE.elsewhere') / 'numbers.txt'",
    "source.py": "import inspect\nfrom . import executed\nTEXT = inspect.getsource(executed)",
    "executed.py": "x = 1",
    "elsewhere/__init__.py": "",
    "elsewhere/numbers.txt": "1 2 3",
    "unrelated.py": "x = 'by name.py'",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / f"snapref_pkg_{os.getpid()}_{tmp_path.name}"
    for name, text in PACKAGE.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("PACKAGE", directory.name))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return directory


@pytest.mark.parametrize(
    ("name", "matters"), [(name, name != "unrelated.py") for name in PACKAGE], ids=lambda value: str(value)
)
def test_a_change_in_a_dependency_misses(write: Write, package: Path, name: str, matters: bool) -> None:
    obligations = write(f"from {package.name} import lazy\n{PROVED}")
    assert run_twice(obligations) == [False, True]
    with (package / name).open("a") as file:
        file.write("\n")
    assert [r.cached for r in verify(obligations, Run(), 1, Cache())] == [not matters]


def test_a_change_in_the_module_itself_misses(write: Write, tmp_path: Path) -> None:
    obligations = write(PROVED)
    assert run_twice(obligations) == [False, True]
    path = tmp_path / f"{obligations[0].module}.py"
    path.write_text(path.read_text() + "\n# changed\n")
    assert [r.cached for r in verify(obligations, Run(), 1, Cache())] == [False]


def test_the_closure_stays_inside_the_packages_and_includes_the_ledger(write: Write, package: Path) -> None:
    (obligation,) = write(f"import json, {package.name}.sub.deep as deep\n{PROVED}")
    closure = Sources().closure([obligation.module])
    name = package.name
    core = {"snapref_ledger", "snapref_ledger.obligations"}
    assert {obligation.module, name, f"{name}.sub", f"{name}.sub.deep", f"{name}.relative", f"{name}.base"} <= closure
    assert core <= closure
    assert not {"json", "os", f"{name}.unrelated", "snapref_ledger.runner"} & closure


def test_a_source_that_changes_during_the_run_is_not_kept(write: Write, package: Path) -> None:
    touch = f"open({str(package / 'base.py')!r}, 'a').write('#')"
    obligations = write(f"from {package.name} import base\n@register('x')\ndef x(run):\n    {touch}\n"
                        "    return Outcome('proved')")  # fmt: skip
    assert run_twice(obligations) == [False, False]


def truncated(text: str) -> str:
    return text[: len(text) // 2]


def flipped(text: str) -> str:
    return text.replace('"proved"', '"refuted"')


def undecided(text: str) -> str:
    return text.replace('"proved"', '"undecided"')


def foreign(text: str) -> str:
    return json.dumps({"status": "proved"})


def empty(text: str) -> str:
    return ""


def no_dictionary(text: str) -> str:
    return "[1, 2]"


@pytest.mark.parametrize("damage", [truncated, flipped, undecided, foreign, empty, no_dictionary])
def test_a_damaged_file_is_ignored_and_redone(write: Write, damage: Callable[[str], str]) -> None:
    obligations = write(PROVED)
    assert run_twice(obligations) == [False, True]
    (file,) = cache_dir().rglob("*.json")
    file.write_text(damage(file.read_text()))
    assert run_twice(obligations) == [False, True]


def test_the_file_of_another_obligation_is_ignored(write: Write) -> None:
    one, other = write(f"{PROVED}\n@register('y')\ndef y(run): return Outcome('refuted')")
    cache = Cache()
    cache.store(cache.key(one, Run()), Result(one, Outcome("proved"), 1.0))
    (file,) = cache_dir().rglob("*.json")
    target = cache._path(cache.key(other, Run()))
    target.parent.mkdir(parents=True, exist_ok=True)
    file.rename(target)
    assert cache.load(other, Run()) is None


def test_binary_rubbish_is_ignored(write: Write) -> None:
    (obligation,) = write(PROVED)
    path = Cache()._path(Cache().key(obligation, Run()))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe\x00")
    assert Cache().load(obligation, Run()) is None


def test_a_cache_that_cannot_be_written_is_one_warning(write: Write, tmp_path: Path) -> None:
    obligations = write("for n in range(3): register(f'x{n}')(lambda run: Outcome('proved'))")
    (tmp_path / "file").write_text("")
    warnings: list[str] = []
    results = list(verify(obligations, Run(), 1, Cache(tmp_path / "file" / "cache"), warnings.append))
    assert [r.outcome.status for r in results] == ["proved"] * 3
    assert len(warnings) == 1


def test_no_temporary_file_stays(write: Write) -> None:
    run_twice(write(PROVED))
    assert [path.suffix for path in cache_dir().rglob("*") if path.is_file()] == [".json"]


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_dir() == Path(os.environ["SNAPREF_CACHE"])
    monkeypatch.delenv("SNAPREF_CACHE")
    monkeypatch.setattr(cache_module, "notes_directory", lambda: tmp_path / "notes")
    ours = tmp_path / ".cache" / "snapref"
    ours.mkdir(parents=True)
    assert cache_dir() == ours
    ours.rmdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_dir() == tmp_path / "snapref"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_dir() == Path.home() / ".cache" / "snapref"


def test_the_environment_names_the_interpreter_and_the_engines() -> None:
    versions = cache_module.environment()
    assert versions["python"] == sys.version
    assert all(versions[name] for name in ("z3-solver", "gmpy2", "mpmath", "GMP", "MPFR", "FLINT"))


def test_a_program_is_asked_for_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_module._program_version("no-such-program") == ""
    program = tmp_path / "prover"
    program.write_text("#!/bin/sh\necho $1 7.1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert cache_module._program_version("prover") == "--version 7.1\n"
