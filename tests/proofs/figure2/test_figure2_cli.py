"""`snapref figure2`: derivations, exit codes, JSON, bad input."""

import json
from importlib import resources

import pytest

from snapref_harness.cli import main

ARGS = ["figure2", "--scale", "1", "--bound", "10", "--a", "3.25", "--b", "4.25"]


def run(capsys, *args):
    code = main([*ARGS, *args])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_case_with_its_derivation(capsys):
    code, out, _ = run(capsys, "--case", "B")
    assert code == 0
    for text in ("SUB   x ⊖ Λ/2 ⇓ -9.5", "r > r̄", "PLUS", "TIMES", "LN", "GRID", "12 outputs, 12 examined"):
        assert text in out


def test_the_printed_argument_does_not_hold(capsys):
    code, out, _ = run(capsys, "--case", "B", "--printed")
    assert code == 1
    assert "as it should be" not in out
    assert run(capsys, "--case", "B", "--corrected")[0] == 0


def test_where_the_route_stops_short(capsys):
    code = main(
        ["figure2", "--scale", "1", "--bound", "1000", "--a", "999", "--b", "1000", "--case", "B", "--corrected"]
    )
    assert code == 1
    assert "NOT within 12" in capsys.readouterr().out


def test_json_follows_its_schema(capsys):
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    schema = json.loads((resources.files("snapref_harness") / "schemas" / "figure2.schema.json").read_text())
    validator.check_schema(schema)
    two_sided = ["figure2", "--scale", "4", "--bound", "8", "--a", "-0.5", "--b", "0.5", "--precision", "11"]
    for args in (ARGS, [*ARGS, "--case", "C"], [*ARGS, "--printed"], two_sided):
        main([*args, "--json", "-"])
        validator(schema).validate(json.loads(capsys.readouterr().out))


def test_json_cases(capsys):
    main([*ARGS, "--json", "-"])
    report = json.loads(capsys.readouterr().out)
    assert [entry["case"] for entry in report["cases"]] == ["A", "B", "C", "E", "F", "G"]
    far = report["cases"][1]
    assert far["x"] == "-0x1.2p+3"
    assert 14 < float(far["corrected"]["routes"]["independent"]["forward"]["constant"]) < 15
    assert far["corrected"]["holds"] is True
    assert far["printed"]["holds"] is False


def test_values_are_clamped_with_a_warning_and_ordered(capsys):
    code = main(["figure2", "--scale", "1", "--bound", "4", "--a", "9", "--b", "3.5", "--case", "G", "--json", "-"])
    captured = capsys.readouterr()
    assert code == 0
    assert "clamped" in captured.err
    assert json.loads(captured.out)["a"] == "0x1.cp+1"


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["--scale", "1", "--bound", "10", "--a", "3", "--b", "4.5"], "more than 1"),
        (["--scale", "0", "--bound", "10", "--a", "3", "--b", "4"], "positive"),
        (["--scale", "1", "--bound", "inf", "--a", "3", "--b", "4"], "finite"),
        (["--scale", "1", "--bound", "10", "--a", "nan", "--b", "4"], "finite"),
        (["--scale", "1", "--bound", "10", "--a", "3", "--b", "4", "--case", "H"], "not a case"),
        (["--scale", "1", "--bound", "10", "--a", "3", "--b", "4", "--case", "D"], "no output"),
        (["--scale", "1", "--bound", "10", "--a", "3", "--b", "4", "--precision", "1"], "out of range"),
        (["--scale", "0.1", "--bound", "10", "--a", "3", "--b", "4", "--precision", "11"], "hold"),
        (["--scale", "1", "--bound", "1e9", "--a", "3", "--b", "4"], "2^16"),
        (["--scale", "1", "--bound", "10", "--a", "3"], "b"),
    ],
)
def test_bad_input(capsys, args, word):
    assert main(["figure2", *args]) == 2
    captured = capsys.readouterr()
    assert word in captured.err
    assert captured.err.count("\n") == 1
