"""`snapref loss`: its JSON, its exit codes, and what it says to bad input."""

import json
from decimal import Decimal
from fractions import Fraction
from importlib import resources
from pathlib import Path

import pytest

from snapref_harness.cli import main
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.exact import obligations as exact

Capture = pytest.CaptureFixture[str]
PLAIN = ("--scale", "1", "--bound", "4", "--a", "1.25", "--b", "2.25")


def loss(capsys: Capture, *args: str) -> tuple[int, str, str]:
    code = main(["loss", *args])
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: Capture, *args: str) -> dict[str, object]:
    _, out, _ = loss(capsys, *args, "--json", "-")
    return json.loads(out)


def check_schema(data: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = resources.files("snapref_harness") / "schemas" / "loss.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(data)


@pytest.mark.parametrize(
    "args",
    [
        PLAIN,
        ("--scale", "0.75", "--bound", "10.5", "--a", "-10.5", "--b", "-10", "--sensitivity", "0.5"),
        ("--scale", "1", "--bound", "400", "--a", "400", "--b", "399", "--uniform", "binary64"),
        ("--scale", "4", "--bound", "8", "--a", "0", "--b", "0", "--precision", "118", "--uniform", "binary64"),
        (
            "--scale",
            "0x1.8p-1",
            "--bound",
            "2",
            "--a",
            "1",
            "--b",
            "0.5",
            "--precision",
            "5",
            "--uniform",
            "bounded:-9",
        ),
        ("--scale", "5e-324", "--bound", "1e-322", "--a", "0", "--b", "5e-324", "--sensitivity", "5e-324"),
        ("--scale", "92", "--bound", "1", "--a", "0.75", "--b=-0.25"),
        ("--scale", "1", "--bound", "0x1p11", "--a", "0x1p11", "--b", "2047", "--precision", "11", "--output", "-2047"),
    ],
)
def test_json(capsys: Capture, args: tuple[str, ...]) -> None:
    code, out, _ = loss(capsys, *args, "--json", "-")
    data = json.loads(out)
    check_schema(data)
    rows = data["outputs"]
    bound = Fraction(*float.fromhex(data["bound"]).as_integer_ratio())
    xs = [Fraction(float.fromhex(row["x"])) for row in rows]
    assert xs == sorted(set(xs))
    assert all(abs(x) <= bound for x in xs)
    if "--output" not in args:
        assert sum(Fraction(row["probability_a"]) for row in rows) == 1
        assert sum(Fraction(row["probability_b"]) for row in rows) == 1
    for row in rows:
        p, q = Fraction(row["probability_a"]), Fraction(row["probability_b"])
        assert p or q
        assert (row["loss"] == "inf") == (p == 0 or q == 0)
        if row["loss"] != "inf":
            ratio = max(p / q, q / p)
            exact_loss = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
            assert abs(Decimal(row["loss"]) - exact_loss) < Decimal("1e-25")
        assert row["holds"] == (row["loss"] != "inf" and Decimal(row["loss"]) <= Decimal(row["loss_bound"]))
    losses = [Decimal(row["loss"].replace("inf", "Infinity")) for row in rows]
    assert Decimal(data["max_loss"].replace("inf", "Infinity")) == max(losses)
    assert data["holds"] == all(row["holds"] for row in rows)
    assert code == (0 if data["holds"] else 1)


def test_json_in_full(capsys: Capture) -> None:
    data = as_json(capsys, *PLAIN)
    assert {key: data[key] for key in list(data)[:8]} == {
        "scale": "0x1p+0",
        "bound": "0x1p+2",
        "lattice": "0x1p+0",
        "sensitivity": "0x1p+0",
        "precision": 53,
        "uniform": "unbounded",
        "a": "0x1.4p+0",
        "b": "0x1.2p+1",
    }
    assert list(data)[8:] == ["outputs", "max_loss", "holds"]
    assert [row["case"] for row in data["outputs"]] == ["A", "B", "B", "B", "B", "C", "E", "F", "G"]
    expected = 1 + 50 * Fraction(1, 2**53)  # 12·B·η + 2η
    for row in data["outputs"]:
        assert 0 <= expected - Fraction(row["loss_bound"]) < Fraction(1, 10**43)


def test_swapping_a_and_b_swaps_the_probabilities_and_nothing_else(capsys: Capture) -> None:
    one = as_json(capsys, *PLAIN)
    two = as_json(capsys, "--scale", "1", "--bound", "4", "--a", "2.25", "--b", "1.25")
    swapped = [
        {**row, "probability_a": row["probability_b"], "probability_b": row["probability_a"]} for row in two["outputs"]
    ]
    assert swapped == one["outputs"]


def test_clamping_is_announced(capsys: Capture) -> None:
    code, out, err = loss(capsys, "--scale", "1", "--bound", "2", "--a", "1.5", "--b", "-inf", "--json", "-")
    assert code == 2  # clamped to -2: too far from 1.5
    code, out, err = loss(capsys, "--scale", "1", "--bound", "2", "--a", "1.5", "--b", "7", "--json", "-")
    assert code == 0
    assert json.loads(out)["b"] == "0x1p+1"
    assert "warning" in err
    assert "--b" in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (PLAIN[:6], "--b"),
        (("--scale", "1", "--bound", "4", "--a", "0", "--b", "1.0000000000000002"), "sensitivity"),
        (("--scale", "1", "--bound", "4", "--a", "0", "--b", "nan"), "--b"),
        (("--scale", "0", "--bound", "4", "--a", "0", "--b", "1"), "--scale"),
        (("--scale", "-1", "--bound", "4", "--a", "0", "--b", "1"), "--scale"),
        (("--scale", "inf", "--bound", "4", "--a", "0", "--b", "1"), "--scale"),
        (("--scale", "1", "--bound", "inf", "--a", "0", "--b", "1"), "--bound"),
        (("--scale", "1", "--bound", "0", "--a", "0", "--b", "0"), "--bound"),
        (("--scale", "one", "--bound", "4", "--a", "0", "--b", "1"), "--scale"),
        (("--scale", "0.1", "--bound", "4", "--a", "0", "--b", "1", "--precision", "8"), "8 bits"),
        (("--scale", "1", "--bound", "4", "--a", "0.1", "--b", "1", "--precision", "8"), "8 bits"),
        ((*PLAIN, "--precision", "1"), "precision"),
        ((*PLAIN, "--precision", "100000"), "precision"),
        ((*PLAIN, "--precision", "x"), "precision"),
        ((*PLAIN, "--uniform", "binary32"), "uniform"),
        ((*PLAIN, "--uniform", "bounded:3"), "uniform"),
        ((*PLAIN, "--sensitivity", "0"), "sensitivity"),
        ((*PLAIN, "--output", "0.5"), "--output"),
        ((*PLAIN, "--output", "5"), "--output"),
        ((*PLAIN, "--output", "-4", "--uniform", "bounded:-2", "--json", "-"), "impossible"),
        ((*PLAIN, "--search", "--budget", "0"), "budget"),
        (("--scale", "1", "--bound", "1e300", "--a", "0", "--b", "1"), "--max-outputs"),
        (("--scale", "5e-324", "--bound", "1e308", "--a", "0", "--b", "0"), "seconds"),
        (("--scale", "1", "--bound", "500000", "--a", "0", "--b", "1", "--json", "-"), "bytes"),
        (("--scale", "1", "--bound", "0x1p53", "--a", "0", "--b", "1", "--output", "0x1p53", "--json", "-"), "bytes"),
        ((*PLAIN, "--json", "/nowhere/at/all.json"), "/nowhere"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys: Capture, args: tuple[str, ...], words: str) -> None:
    code, out, err = loss(capsys, *args)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("snapref: ")
    assert words in err


def test_the_table(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "loss.json"
    code, out, err = loss(capsys, *PLAIN, "--json", str(target))
    assert code == 0
    assert err == ""
    assert "the bound holds at every one of the 9 possible outputs" in out
    assert json.loads(target.read_text(encoding="utf-8"))["holds"] is True
    assert loss(capsys, *PLAIN, "--quiet") == (0, "", "")


def test_the_table_on_a_terminal_of_80_columns(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = loss(capsys, "--scale", "1", "--bound", "10", "--a", "3.25", "--b", "4.25")[1]
    table = [line for line in out.splitlines() if line.split()[:1] in (["case"], ["B"], ["C"])]
    assert len(table) == 3
    assert max(map(len, table)) <= 80
    assert "0.91943541266229336" in table[2]
    assert "…" not in out
    assert "P(x|a)" not in out


def test_an_infinite_loss_in_the_table(capsys: Capture) -> None:
    args = ("--scale", "1", "--bound", "400", "--a", "400", "--b", "399", "--uniform", "binary64", "--quiet")
    code, out, _ = loss(capsys, *args)
    assert code == 1
    assert "inf" in out
    assert "does NOT hold" in out


WITNESSES = [exact.SMALL_B, exact.BIG_B, exact.BIG_B_11_BITS, exact.TAIL, exact.TAIL_FINITE, exact.BITS_118]


@pytest.mark.parametrize("witness", WITNESSES)
def test_the_printed_command_replays_the_witness(capsys: Capture, witness: Witness) -> None:
    program, verb, *args = witness.command.split()
    assert (program, verb) == ("snapref", "loss")
    code, out, _ = loss(capsys, *args)
    assert code == 1
    assert witness.loss.text(20) in out


def test_search(capsys: Capture) -> None:
    args = ("--search", "--precision", "24", "--budget", "200", "--seed", "3")
    code, out, _ = loss(capsys, *args)
    assert code == 0
    assert out == loss(capsys, *args)[1]
    command = next(line for line in out.splitlines() if line.strip().startswith("snapref loss")).split()
    _, again, _ = loss(capsys, *command[2:])
    assert again in out
    check_schema(as_json(capsys, *args))


def test_search_over_what_is_left_out(capsys: Capture) -> None:
    data = as_json(capsys, "--scale", "1.5", "--bound", "12", "--search", "--budget", "50")
    assert (data["scale"], data["bound"]) == ("0x1.8p+0", "0x1.8p+3")


@pytest.mark.parametrize("columns", [60, 72, 80])
def test_the_table_fits_a_narrow_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, _ = loss(capsys, *PLAIN)
    assert code == 0
    assert "…" not in out
    assert all(len(line) <= columns for line in out.splitlines())
    for name in ("case", "worst x", "loss", "holds"):
        assert name in out


def test_one_output_is_no_plural(capsys: Capture) -> None:
    _, out, _ = loss(capsys, *PLAIN, "--output", "1")
    assert out.endswith("the bound holds at the one output that was asked for\n")
