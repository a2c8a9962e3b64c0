"""The worked examples, copied and compiled, and how to run the command line on them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

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


def snapref(*args: str, cwd: Path) -> Done:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", "snapref_harness", *args]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=170)
    return Done(done.returncode, done.stdout, done.stderr)


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
