"""`snapref plan bound` and `snapref plan epsilon`: what they print, their JSON, and their errors."""

import json
from importlib import resources
from pathlib import Path

import pytest

from snapref_harness.cli import main

Capture = pytest.CaptureFixture[str]
BOUND = ["plan", "bound", "--query", "mean", "--lower", "-5", "--upper", "100", "--size", "1000"]
EPSILON = ["plan", "epsilon", "--accuracy", "10", "--alpha", "0.05", "--bound", "1000"]


def check_schema(name: str, data: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = resources.files("snapref_harness") / "schemas" / f"{name}.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(data)


def test_bound(capsys: Capture) -> None:
    assert main(BOUND) == 0
    out = capsys.readouterr().out
    assert out.startswith("bound B           100.0 (0x1.9000000000000p+6)\nsensitivity Δ     0.104895104895")
    assert "there are at least 1000 records, each in [-5, 100]" in out
    assert "one record added or removed" in out


@pytest.mark.parametrize("query", ["count", "cell", "sum", "mean", "variance"])
@pytest.mark.parametrize("adjacency", ["add-remove", "replace-one"])
def test_bound_as_json(query: str, adjacency: str, capsys: Capture) -> None:
    limits = [] if query in ("count", "cell") else ["--lower", "-0.1", "--upper", "0x1.8p-1"]
    args = ["plan", "bound", "--query", query, "--size", "7", "--adjacency", adjacency, *limits, "--json", "-"]
    assert main(args) == 0
    data = json.loads(capsys.readouterr().out)
    check_schema("plan_bound", data)
    assert data["adjacency"] == adjacency
    numerator, denominator = map(int, data["largest"].split("/"))
    assert float.fromhex(data["bound"]) >= numerator / denominator


def test_epsilon(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    assert main([*EPSILON, "--json", str(target)]) == 0
    out = capsys.readouterr().out
    data = json.loads(target.read_text(encoding="utf-8"))
    check_schema("plan_epsilon", data)
    epsilon = float.fromhex(data["epsilon"])
    assert f"release       snapref snap VALUE --epsilon {epsilon!r} --bound 1000.0" in out
    assert float.fromhex(data["exceeded"]) <= 0.05
    assert main(["snap", "1", "--epsilon", repr(epsilon), "--bound", "1000"]) == 0


def test_epsilon_that_cannot_fail(capsys: Capture) -> None:
    assert main(["plan", "epsilon", "--accuracy", "20", "--alpha", "0.05", "--bound", "10", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    check_schema("plan_epsilon", data)
    assert data["exceeded"] == "0x0p+0"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["plan", "bound"], "missing option"),
        (["plan", "bound", "--query", "median", "--size", "3"], "query must be one of count, cell, sum"),
        (["plan", "bound", "--query", "sum", "--size", "3", "--lower", "0"], "missing --upper: a sum needs"),
        (["plan", "bound", "--query", "count", "--size", "3", "--lower", "0"], "say nothing about a count"),
        ([*BOUND, "--adjacency", "swap"], "adjacency must be add-remove or replace-one, not 'swap'"),
        ([*BOUND[:-1], "x"], "'x' is not a whole number"),
        ([*EPSILON, "--sensitivity", "0"], "sensitivity must be positive, not 0.0"),
        ([*EPSILON[:3], "1e-15", *EPSILON[4:]], "accuracy = 1e-15 with alpha = 0.05 is out of reach"),
        ([*EPSILON, "--json", "/nowhere/file"], "the directory /nowhere does not exist"),
    ],
)
def test_errors_are_one_line(args: list[str], message: str, capsys: Capture) -> None:
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["bound", "epsilon"])
def test_help_has_an_example(name: str, capsys: Capture) -> None:
    assert main(["plan", name, "--help"]) == 0
    assert f"Example: snapref plan {name} " in capsys.readouterr().out


@pytest.mark.parametrize(
    "args",
    [
        ["bound", "--query", "count", "--size", "9"],
        ["epsilon", "--accuracy", "10", "--alpha", "0.05", "--bound", "100"],
    ],
)
def test_quiet(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert main(["plan", *args, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["plan", *args, "--quiet", "--json", "-"]) == 0
    assert capsys.readouterr().out.startswith("{")
