"""`snapref accuracy`: what it prints, its JSON, its errors."""

import json
from importlib import resources

import pytest

from snapref_harness.cli import main

Capture = pytest.CaptureFixture[str]
GIVEN = ["accuracy", "--epsilon", "0.5", "--bound", "100", "--alpha", "0.001"]


def check_schema(data: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = resources.files("snapref_harness") / "schemas" / "accuracy.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(data)


def test_side_by_side(capsys: Capture) -> None:
    assert main([*GIVEN, "--value", "95"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "guessed to be 95, by you" in lines[2]
    assert lines[-1] == "release: snapref snap VALUE --epsilon 0.5 --bound 100.0"
    verdicts = {line[:34].strip(): line.endswith("NOT SOUND") for line in lines[5:-2]}
    assert verdicts == {
        "printed   GETACCURACY, case 4": True,
        "corrected GETACCURACY, corrected": False,
        "exact     ideal mechanism": False,
        "exact     floating-point program": False,
        "printed   GETACCURACY2": True,
        "corrected GETACCURACY2, corrected": False,
        "corrected floating-point program": False,
    }


def test_without_a_guess_and_quiet(capsys: Capture) -> None:
    assert main(GIVEN) == 0
    out = capsys.readouterr().out
    assert "no guess of f(D) was given" in out
    assert "the guess" not in out
    assert main([*GIVEN, "--quiet"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("guess", [[], ["--value", "-37.25"], ["--value", "0x1.8p+5"]])
def test_json(guess: list[str], capsys: Capture) -> None:
    assert main([*GIVEN, *guess, "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    check_schema(data)
    assert data["guess"] == {"-37.25": "-0x1.2ap+5", "0x1.8p+5": "0x1.8p+5"}.get(guess[-1] if guess else "")
    assert len(data["bounds"]) == (7 if guess else 3)
    for row in data["bounds"]:
        if row["sound"]:
            assert float(row["probability"]) <= 0.001 * (1 + 1e-12)
            assert float.fromhex(row["accuracy"]) <= 200


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--alpha", "1.5"], "alpha = 1.5 must be less than 1"),
        (["--alpha", "0"], "alpha must be positive, not 0.0"),
        (["--value", "200"], "value = 200.0 is outside [-B, B] with B = 100.0"),
        (["--value", "inf"], "value must be finite"),
        (["--epsilon", "0"], "epsilon must be positive"),
        (["--bound", "0.5"], "bound = 0.5 is smaller than the scale"),
        (["--precision", "5"], "precision = 5 is out of range"),
    ],
)
def test_errors_are_one_line(args: list[str], message: str, capsys: Capture) -> None:
    assert main([*GIVEN, *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_it_fits_a_narrow_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main([*GIVEN, "--value", "95"]) == 0
    wide = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "60")
    assert main([*GIVEN, "--value", "95"]) == 0
    narrow = capsys.readouterr().out
    assert all(len(line) <= 60 for line in narrow.splitlines())
    assert narrow.count("NOT SOUND: ") == wide.count("NOT SOUND") > 0
    assert narrow.count(" a = ") == len(wide.splitlines()) - 7
