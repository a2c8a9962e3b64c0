"""The pytest plugin: one item for each check, failures with their counterexample, and nothing without the option."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from snapref_crosscheck.run import CHECKS
from tests.crosscheck.conftest import ROOT

QUICK = ("--snapref-releases", "300", "--snapref-cases", "10")


def run(folder: Path, *args: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "PYTEST_ADDOPTS": ""}
    installed = any(point.value == "snapref_crosscheck.plugin" for point in metadata.entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "snapref_crosscheck.plugin"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, "--rootdir", str(folder), "-v", *args]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=170
    )
    return done.returncode, done.stdout + done.stderr


def test_a_conforming_target(tmp_path: Path) -> None:
    module = (
        "from tests.mutants.hardship import Whole\nclass Mine(Whole):\n    offers = ('clamp', 'uniform', 'release')\n"
    )
    (tmp_path / "mine.py").write_text(module)
    code, out = run(tmp_path, "--snapref=mine:Mine", *QUICK)
    assert code == 0, out
    offered = (
        "describe",
        "clamp",
        "uniform",
        "release.parameters",
        "release.budget",
        "release.support",
        "release.fit",
        "release.independence",
    )
    for name in CHECKS:
        assert f"snapref::{name} {'PASSED' if name in offered else 'SKIPPED'}" in out


def test_a_wrong_target_beside_other_tests(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n")
    code, out = run(tmp_path, "--snapref=tests.mutants.mechanisms:PlainLaplace", *QUICK)
    assert code == 1
    assert "test_mine.py::test_mine PASSED" in out
    assert "snapref::release.support FAILED" in out
    assert "released a number inside the bounds that is no multiple of Λ" in out
    assert "snapref::round SKIPPED" in out


def test_without_the_option_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\ndef test_mine(): assert 'snapref_crosscheck.run' not in sys.modules\n"
    )
    code, out = run(tmp_path)
    assert code == 0, out
    assert "1 passed" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--snapref=nowhere:Target"], "cannot open the target: cannot import 'nowhere'"),
        (["--snapref-command=cat"], "cannot check the target: cat does not speak the protocol"),
        (["--snapref=nowhere:Target", "-n", "1"], "cannot open the target: cannot import 'nowhere'"),  # pytest-xdist
    ],
)
def test_a_target_that_cannot_be_checked_is_one_usage_error(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n")
    code, out = run(tmp_path, *options)
    assert code == pytest.ExitCode.USAGE_ERROR
    assert out.count(message) == out.count("ERROR") == 1
    assert "FAILED" not in out
    assert "PASSED" not in out
    assert "Traceback" not in out


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_has_a_name_that_pytest_can_show(name: str) -> None:
    assert name.replace("_", "").replace(".", "").isalpha()
