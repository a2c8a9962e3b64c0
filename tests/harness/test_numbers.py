"""Numbers on the command line, and the `snap` verb that takes them."""

import io
import json
import math
import re
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref.certificate import hexadecimal
from snapref_harness.cli import main
from snapref_harness.cli.numbers import parse_number
from snapref_harness.numbers import rounded_up
from tests.harness.test_verify import Capture, schema


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        ("+1.5", 1.5),
        ("-3.5", -3.5),
        ("-.5", -0.5),
        ("5.", 5.0),
        ("-1e3", -1000.0),
        ("1E-3", 0.001),
        ("0.1", 0.1),
        (" 2 ", 2.0),
        ("0x1.8p-1", 0.75),
        ("-0X1.8P3", -12.0),
        ("0x1.8", 1.5),
        ("0x10", 16.0),
        ("10", 10.0),
        ("0x.8p1", 1.0),
        ("0x1p-1074", 5e-324),
        ("0x0p99999", 0.0),
        ("1e-400", 0.0),
        ("inf", math.inf),
        ("-INF", -math.inf),
        ("Infinity", math.inf),
    ],
)
def test_what_is_a_number(text: str, value: float) -> None:
    assert parse_number(text) == value


def test_signs_of_zero_and_nan() -> None:
    assert math.copysign(1, parse_number("-0")) == -1
    assert math.copysign(1, parse_number("-0x0p0")) == -1
    assert math.isnan(parse_number("nan"))


NOT_NUMBERS = [
    "", " ", "1_000", "1,5", "1 000", "abc", "0x", "0x.p1", "0xg", "0x1p", "1p3", "ff", "1e", "e3", ".", "+", "--1",
    "١", "0x1_0p0", "1.5f", "infinit", "0b1", "0x1p99999999999999999999", "1e400", "-1e400", "0x1p1024",
    "0x1p-1075", "0x1.00000000000001p0", "0x1p-99999999999999999999",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as error:
        parse_number(text)
    assert "\n" not in str(error.value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_hex_and_decimal_come_back(value: float) -> None:
    assert parse_number(hexadecimal(Fraction(value))) == value
    assert parse_number(value.hex()) == value
    assert parse_number(repr(value)) == value


def snap(*args: str) -> int:
    return main(["snap", *args])


PARAMETERS = ("--epsilon", "1", "--bound", "10")


@pytest.mark.parametrize("value", ["3", "-3.5", "-.5", "-1e3", "-0x1.8p3", "0x1p-3", "-0"])
def test_snap_takes_any_finite_value(capsys: Capture, value: str) -> None:
    assert snap(value, *PARAMETERS) == 0
    assert snap(*PARAMETERS, value) == 0
    assert snap(*PARAMETERS, "--", value) == 0
    assert "lattice" in capsys.readouterr().out


def test_snap_json(capsys: Capture) -> None:
    for extra in ([], ["--sensitivity", "0x1p-1"], ["--precision", "118"]):
        assert snap("-2.5", *PARAMETERS, *extra, "--json", "-") == 0
        document = json.loads(capsys.readouterr().out)
        jsonschema.validate(document, schema("snap"))
        assert abs(parse_number(document["value"])) <= 10


def test_snap_reads_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("-2.5\n"))
    assert snap("-", *PARAMETERS) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert snap("-", *PARAMETERS) == 2
    assert "VALUE" in capsys.readouterr().err


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-inf", "-nan", "42_42", "42424242x", "-42424242x", "--42424242", "-4242.4242.42", "1e4242"]
)
def test_an_error_about_the_value_does_not_repeat_it(capsys: Capture, value: str) -> None:
    assert snap(value, *PARAMETERS) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert err.count("\n") == 1
    assert "42" not in err


def test_a_value_too_many_is_not_repeated(capsys: Capture) -> None:
    assert snap("4242", "-4343", *PARAMETERS) == 2
    err = capsys.readouterr().err
    assert "too many" in err
    assert not any(text in err for text in ("4242", "4343"))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["3"], "--epsilon"),
        (["3", "--epsilon", "1"], "--bound"),
        ([*PARAMETERS], "VALUE"),
        (["3", "--epsilon", "0", "--bound", "10"], "epsilon"),
        (["3", "--epsilon", "-1", "--bound", "10"], "epsilon"),
        (["3", "--epsilon", "0x1p-1074", "--bound", "10"], "epsilon"),
        (["3", "--epsilon", "0x1p-52", "--bound", "10"], "epsilon"),
        (["3", "--epsilon", "nan", "--bound", "10"], "epsilon"),
        (["3", "--epsilon", "1", "--bound", "0"], "bound"),
        (["3", "--epsilon", "1", "--bound", "-10"], "bound"),
        (["3", "--epsilon", "1", "--bound", "inf"], "bound"),
        (["3", "--epsilon", "1", "--bound", "1_0"], "'1_0' is not a number"),
        (["3", "--epsilon", "", "--bound", "10"], "--epsilon"),
        (["3", "--epsilon", "True", "--bound", "10"], "'True' is not a number"),
        (["3", *PARAMETERS, "--sensitivity", "0"], "sensitivity"),
        (["3", *PARAMETERS, "--sensitivity", "-0x1p3"], "sensitivity"),
        (["3", *PARAMETERS, "--precision", "2"], "precision"),
        (["3", *PARAMETERS, "--precision", "53.5"], "--precision"),
        (["3", *PARAMETERS, "--bounds", "3"], "--bounds"),
        (["3", *PARAMETERS, "-x"], "-x"),
        (["3", *PARAMETERS, "--json", "/nonexistent/x"], "/nonexistent"),
    ],
)
def test_bad_parameters_are_one_line(capsys: Capture, args: list[str], said: str) -> None:
    assert snap(*args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert err.count("\n") == 1
    assert said in err


def test_whole_numbers_say_what_is_wrong(capsys: Capture) -> None:
    plan = ["plan", "bound", "--query", "count", "--size"]
    assert main([*plan, "8000000000"]) == 0  # as many as there are people
    assert "bound B           8000000000.0" in capsys.readouterr().out
    for text, complaint in (("10**24", "write digits only"), ("1" + 24 * "0", "has 25 digits: at most 18 are taken")):
        assert main([*plan, text]) == 2
        assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (Fraction(1998000001, 10**7), "199.801"),
        (Fraction(1, 3), "0.333334"),
        (Fraction(100), "100"),
        (Fraction(1, 3 * 10**9), "3.33334e-10"),
        (Fraction(10**300 + 1), "1.00001e+300"),
        (Fraction(0), "0"),
    ],
)
def test_what_may_be_typed_back_is_rounded_up(x: Fraction, text: str) -> None:
    assert rounded_up(x) == text
    assert Fraction(text) >= x


def test_a_plan_can_be_typed_as_it_is_printed(capsys: Capture) -> None:
    """Each command of a plan, with its placeholders filled in, is the next one, and its numbers are safe."""
    assert main(["plan", "bound", "--query", "mean", "--lower", "0", "--upper", "199.8", "--size", "999"]) == 0
    out = capsys.readouterr().out
    shown = re.search(r"largest \|f - f'\|  at most (\S+)", out)
    assert shown is not None
    assert Fraction(shown.group(1)) >= Fraction(199.8) / 1000
    wanted, release = (line.split("snapref ", 1)[1].split() for line in out.splitlines() if "snapref " in line)
    assert main([word if word != "A" else "20" for word in wanted]) == 0
    planned = capsys.readouterr().out.rpartition("snapref ")[2].split()
    for line in (planned, [word if word != "E" else "0.5" for word in release]):
        assert main([word if word != "VALUE" else "100" for word in line]) == 0
    assert "--sensitivity" in planned


def test_the_release_of_an_accuracy_is_printed(capsys: Capture) -> None:
    asked = ["--epsilon", "0.5", "--bound", "100", "--sensitivity", "2", "--precision", "60"]
    assert main(["accuracy", *asked, "--alpha", "0.05"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "release: snapref snap VALUE --epsilon 0.5 --bound 100.0 --sensitivity 2.0 --precision 60"
