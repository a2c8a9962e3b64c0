"""The worked examples, copied and compiled, and how to run the command line on them."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from snapref_harness.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "crosscheck" / "examples"
SCHEMAS = ROOT / "harness" / "snapref_harness" / "schemas"


class Done(NamedTuple):
    """What came out of a run of the command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


Snapref = Callable[..., Done]


@pytest.fixture
def snapref(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Snapref:
    """Runs the command line in a folder. The targets that it checks have processes of their own."""
    monkeypatch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", str(tmp_path / "hypothesis"))

    def run(*args: str, cwd: Path) -> Done:
        monkeypatch.chdir(cwd)
        return Done(main(list(args)), *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def c_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C example, compiled."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("c")
    shutil.copytree(EXAMPLES / "c", folder, dirs_exist_ok=True)
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-ffp-contract=off"]
    subprocess.run([compiler, *flags, "-o", "libsnapping.so", "snapping.c", "-lm"], cwd=folder, check=True)
    return folder
