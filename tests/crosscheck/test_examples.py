"""Conforming targets, however they are reached, pass; and the report is what the design says."""

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from snapref_crosscheck import Effort, crosscheck
from snapref_crosscheck.opening import open_target
from snapref_crosscheck.process import CommandTarget
from tests.crosscheck.conftest import EXAMPLES, SCHEMAS, Snapref


def test_the_python_example(snapref: Snapref) -> None:
    effort = ("--cases", "40", "--releases", "1000", "--require", "all", "--json", "-")
    done = snapref("crosscheck", "snapping:Snapping", *effort, cwd=EXAMPLES / "python")
    assert done.code == 0, done.err
    report = done.json
    jsonschema.validate(report, json.loads((SCHEMAS / "crosscheck.schema.json").read_text()))
    assert report["target"] == "the Python example"
    assert report["conforms"] is True
    assert {check["status"] for check in report["checks"]} == {"pass"}
    fit = next(check for check in report["checks"] if check["name"] == "release.fit")
    assert "false-alarm rate of the whole run at most 1e-06" in fit["witness"]
    assert fit["cases"] >= 30_000  # some settings need a U* without limits, and are refused
    assert report["unchecked"] == []
    assert set(report["checked"]) == {check["name"] for check in report["checks"]} - {"describe"}


def check_conforming(target: CommandTarget, without: tuple[str, ...] = (), releases: int = 200) -> None:
    """It passes whatever it offers. (notes/crosscheck.md has the commands that check it in full, and is run.)"""
    report = crosscheck(target, Effort(search=5, releases=releases, stride=20))
    assert [(result.name, result.witness) for result in report.results if result.status == "fail"] == []
    assert report.unchecked == without
    assert report.conforms is True


def test_the_c_example(c_example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(c_example)
    check_conforming(open_target("snapping.toml"))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_javascript_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "javascript")
    check_conforming(open_target(None, "node snapping.js"))


def built(tmp_path: Path, language: str, *command: str) -> Path:
    """An example, compiled in a folder of its own."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    shutil.copytree(EXAMPLES / language, tmp_path, dirs_exist_ok=True)
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    if "rustup could not choose" in done.stderr or "cannot find -lquadmath" in done.stderr:
        pytest.skip(f"needs a complete {command[0]}")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_the_cpp_example(tmp_path: Path) -> None:
    flags = ("-std=gnu++17", "-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-o", "snapping")
    folder = built(tmp_path, "cpp", "g++", *flags, "snapping.cpp", "-lquadmath")
    check_conforming(open_target(None, str(folder / "snapping")))


def test_the_rust_example(tmp_path: Path) -> None:
    folder = built(tmp_path, "rust", "rustc", "-O", "--deny", "warnings", "snapping.rs")
    check_conforming(open_target(None, str(folder / "snapping")), without=("log", "snap"))


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R")
def test_the_r_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "r")
    check_conforming(open_target(None, "Rscript snapping.R"), without=("log", "uniform", "snap"), releases=50)


TARGETS = """
from tests.mutants.honest import Honest
from tests.mutants.mechanisms import TiesEven

class Nothing: pass

class Elsewhere:
    def release(self, x, eps): return x

def plain(value, epsilon, bound, sensitivity):
    return Honest(None).release(value, epsilon, bound, sensitivity, 1)[0]

class Undeclared(TiesEven):
    offers = ("round", "snap")

class Declared(TiesEven):
    offers = ("round", "release")
    ties = "even"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "some_targets.py").write_text(TARGETS)
    return tmp_path


def test_what_is_required_and_not_offered(folder: Path, snapref: Snapref) -> None:
    options = ("--cases", "0", "--releases", "50", "--require", "round,snap")
    done = snapref("crosscheck", "some_targets:Declared", *options, cwd=folder)
    assert done.code == 3, done.out
    assert "required, but not checked: snap" in done.out
    assert "not checked: lattice, clamp, log, uniform, snap, inner_epsilon" in done.out


def test_a_plain_function(folder: Path, snapref: Snapref) -> None:
    done = snapref("crosscheck", "some_targets:plain", "--cases", "0", "--releases", "50", cwd=folder)
    assert done.code == 0, done.out
    assert "conforms in 5 of 12 checks" in done.out
    assert "not checked: lattice, round, clamp, log, uniform, snap, inner_epsilon" in done.out


def test_nothing_to_judge(folder: Path, snapref: Snapref) -> None:
    done = snapref("crosscheck", "some_targets:Nothing", "--json", "-", cwd=folder)
    assert done.code == 3
    assert done.json["conforms"] is None


def test_a_declared_tie_rule_is_a_deviation_and_no_failure(folder: Path, snapref: Snapref) -> None:
    done = snapref("crosscheck", "some_targets:Declared", "--cases", "20", "--releases", "300", cwd=folder)
    assert done.code == 0, done.out
    assert done.out.count("declared deviation: ties even, and it does what it declares") == 1
    assert done.out.count("false-alarm rate of the whole run") == 1
    assert " 1 case  " in done.out
    assert " 1 cases" not in done.out


def test_an_undeclared_one_is_named_in_a_counterexample_of_one_screen(folder: Path, snapref: Snapref) -> None:
    done = snapref("crosscheck", "some_targets:Undeclared", "--cases", "20", "--releases", "300", cwd=folder)
    assert done.code == 1
    failure = done.out.partition("FAIL round")[2].partition("FAIL")[0]
    assert "declares ties up, but sends this tie as ties down or even would" in failure
    assert [line.split()[0] for line in failure.splitlines()[2:7]] == ["round(x,", "x", "lattice", "expected", "got"]
    assert "does not conform: " in done.out
    assert max(map(len, failure.splitlines())) <= 120


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "name a TARGET, or a --command"),
        (["a:b", "--command", "x"], "and not both"),
        (["nowhere:Target"], "cannot import 'nowhere'"),
        (["some_targets:Absent"], "has no attribute 'Absent'"),
        (["some_targets:Elsewhere"], "expected release(value, epsilon, bound, sensitivity, count)"),
        (["a:b", "--require", "fly"], "'fly' is neither a check nor an operation"),
        (["--command", "cat"], "repeats the question as its answer; expected"),
        (["--command", "echo hello"], "'hello', which is not JSON; expected"),
        (["--command", "true"], "ended with exit status 0 before it answered; expected"),
        (["some_targets"], "neither module:attribute nor"),
        (["absent.toml"], "cannot read absent.toml"),
        (["--command", "no-such-program"], "cannot start 'no-such-program'"),
        (["--command", "'"], "No closing quotation"),
        (["--command", " "], "the command is empty"),
        (["a:b", "--alpha", "2"], "--alpha must lie between 0 and 1"),
    ],
)
def test_usage_errors_are_one_line(folder: Path, snapref: Snapref, args: list[str], message: str) -> None:
    done = snapref("crosscheck", *args, cwd=folder)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
