"""Conforming targets, however they are reached, pass; and the report is what the design says."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from tests.crosscheck.conftest import EXAMPLES, SCHEMAS, Done, snapref

QUICK = ("--cases", "40", "--releases", "1000", "--json", "-")


def check_conforming(done: Done, name: str) -> None:
    assert done.code == 0, done.err
    report = done.json
    jsonschema.validate(report, json.loads((SCHEMAS / "crosscheck.schema.json").read_text()))
    assert report["target"] == name
    assert report["conforms"] is True
    assert {check["status"] for check in report["checks"]} == {"pass"}
    fit = next(check for check in report["checks"] if check["name"] == "release.fit")
    assert "false-alarm rate of the whole run at most 1e-06" in fit["witness"]
    assert fit["cases"] >= 11_000  # one of the twelve settings needs a U* without limits, and is refused


def test_the_python_example() -> None:
    done = snapref("crosscheck", "snapping:Snapping", *QUICK, cwd=EXAMPLES / "python")
    check_conforming(done, "the Python example")


def test_the_c_example(c_example: Path) -> None:
    check_conforming(snapref("crosscheck", "snapping.toml", *QUICK, cwd=c_example), "the C example")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_javascript_example() -> None:
    done = snapref("crosscheck", "--command", "node snapping.js", *QUICK, cwd=EXAMPLES / "javascript")
    check_conforming(done, "the JavaScript example")


TARGETS = """
from tests.mutants.honest import Honest
from tests.mutants.mechanisms import TiesEven

class Nothing: pass

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


def test_nothing_to_judge(folder: Path) -> None:
    done = snapref("crosscheck", "some_targets:Nothing", "--json", "-", cwd=folder)
    assert done.code == 3
    assert done.json["conforms"] is None


def test_a_declared_tie_rule_is_a_deviation_and_no_failure(folder: Path) -> None:
    done = snapref("crosscheck", "some_targets:Declared", "--cases", "20", "--releases", "300", cwd=folder)
    assert done.code == 0, done.out
    assert "declared deviation: ties even, and it does what it declares" in done.out
    assert " 1 case  " in done.out
    assert " 1 cases" not in done.out


def test_an_undeclared_one_is_named_in_a_counterexample_of_one_screen(folder: Path) -> None:
    done = snapref("crosscheck", "some_targets:Undeclared", "--cases", "20", "--releases", "300", cwd=folder)
    assert done.code == 1
    failure = done.out.partition("FAIL round")[2].partition("FAIL")[0]
    assert "declares ties up, rounds ties even" in failure
    assert [line.split()[0] for line in failure.splitlines()[2:7]] == ["round(x,", "x", "lattice", "expected", "got"]
    assert "does not conform" in done.out
    assert max(map(len, failure.splitlines())) <= 120


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "name a TARGET, or a --command"),
        (["a:b", "--command", "x"], "and not both"),
        (["nowhere:Target"], "cannot import 'nowhere'"),
        (["some_targets:Absent"], "has no attribute 'Absent'"),
        (["some_targets"], "neither module:attribute nor"),
        (["absent.toml"], "cannot read absent.toml"),
        (["--command", "no-such-program"], "cannot start 'no-such-program'"),
        (["--command", "'"], "No closing quotation"),
        (["--command", " "], "the command is empty"),
        (["a:b", "--alpha", "2"], "--alpha must lie between 0 and 1"),
    ],
)
def test_usage_errors_are_one_line(folder: Path, args: list[str], message: str) -> None:
    done = snapref("crosscheck", *args, cwd=folder)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
