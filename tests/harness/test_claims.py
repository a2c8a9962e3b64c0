"""`snapref claims`: the ledger, its verdicts, and the check that it is complete and current."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from snapref_harness.cli import main
from snapref_ledger import claims as claims_module
from snapref_ledger.claims import load_claims
from tests.harness.conftest import Write
from tests.harness.test_verify import Capture, schema

LEDGER = """
[[claim]]
id = "C-true"
document = "001"
section = "§1"
statement = "It holds."

[[claim]]
id = "C-cond"
document = "001, 002"
section = "§2"
statement = "It holds if."
condition = "x > 0"

[[claim]]
id = "C-false"
document = "002"
section = "§3"
statement = "It does not hold."
corrected = "This holds instead."
"""
CHECKS = """
@register("c.true", claim="C-true", kind="smt")
def c_true(run): return Outcome("proved")
@register("c.cond.printed", claim="C-cond", expected="refuted")
def c_cond_printed(run): return Outcome("refuted", witness="x = -1")
@register("c.cond.inside", claim="C-cond", part="conditional")
def c_cond_inside(run): return Outcome("proved")
@register("c.false.printed", claim="C-false", expected="refuted")
def c_false_printed(run): return Outcome("refuted", witness="x = 7")
@register("c.false.corrected", claim="C-false", part="corrected")
def c_false_corrected(run): return Outcome("proved")
@register("c.big", claim="C-true", thorough=True)
def c_big(run): return Outcome("proved")
"""


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "claims.toml"
    path.write_text(LEDGER, encoding="utf-8")
    monkeypatch.setattr(claims_module, "claims_file", lambda: path)
    return path


def entries(capsys: Capture, *args: str) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    assert main(["claims", *args, "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("claims"))
    return {entry["id"]: entry for entry in document}


def test_verdicts_follow_from_the_evidence(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    before = entries(capsys)
    assert {entry["verdict"] for entry in before.values()} == {"open"}
    assert {piece["status"] for entry in before.values() for piece in entry["evidence"]} == {"not run"}
    assert main(["verify"]) == 0
    after = entries(capsys)
    assert {id: entry["verdict"] for id, entry in after.items()} == {
        "C-true": "true",
        "C-cond": "conditional",
        "C-false": "false",
    }
    assert after["C-false"] == {
        "id": "C-false",
        "verdict": "false",
        "statement": "It does not hold.",
        "condition": "",
        "witness": "x = 7",
        "corrected": "This holds instead.",
        "evidence": [
            {"kind": "exact", "scope": "a test", "obligation": "c.false.printed", "status": "refuted"},
            {"kind": "exact", "scope": "a test", "obligation": "c.false.corrected", "status": "proved"},
        ],
    }
    assert [piece["status"] for piece in after["C-true"]["evidence"]] == ["proved", "not run"]


def test_a_thorough_run_counts_too(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["verify", "--thorough", "--certificates"])
    after = entries(capsys)
    assert [piece["status"] for piece in after["C-true"]["evidence"]] == ["proved", "proved"]
    assert after["C-true"]["verdict"] == "true"


def test_an_obligation_that_surprises_leaves_the_claim_open(write: Write, capsys: Capture) -> None:
    write(CHECKS + "\n@register('c.bad', claim='C-true')\ndef c_bad(run): return Outcome('refuted')")
    main(["verify"])
    assert entries(capsys)["C-true"]["verdict"] == "open"
    assert main(["claims", "--check"]) == 1
    assert "C-true: c.bad: refuted, expected proved" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "ids"),
    [
        (["C-cond"], ["C-cond"]),
        (["--document", "002"], ["C-cond", "C-false"]),
        (["--verdict", "conditional"], ["C-cond"]),
        (["--evidence", "smt"], ["C-true"]),
        (["--evidence", "exact", "--verdict", "false"], ["C-false"]),
        (["--verdict", "open"], []),
    ],
)
def test_filters(write: Write, capsys: Capture, args: list[str], ids: list[str]) -> None:
    write(CHECKS)
    main(["verify"])
    assert list(entries(capsys, *args)) == ids


def test_the_table_and_the_entry(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["claims"])
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "3 claims: 0 true, 0 conditional, 0 false, 3 open"
    assert "run snapref verify first" in err
    main(["verify"])
    main(["claims", "C-cond"])
    out = capsys.readouterr().out
    for text in ("x > 0", "x = -1", "001, 002, §2", "c.cond.inside (exact, conditional): proved"):
        assert text in out


def test_what_only_a_thorough_run_runs_is_nothing_left_to_do(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["verify"])
    for args, said in (
        (["C-true"], "c.big (exact, printed): only with --thorough"),
        ([], "1 smt, 1 only with --thorou"),
    ):
        capsys.readouterr()
        assert main(["claims", *args]) == 0
        out, err = capsys.readouterr()
        assert said in out
        assert "not run" not in out
        assert err == ""
    main(["verify", "--thorough"])
    capsys.readouterr()
    main(["claims", "C-true"])
    assert "c.big (exact, printed): proved" in capsys.readouterr().out


def test_quiet(write: Write, capsys: Capture, tmp_path: Path) -> None:
    write(CHECKS)
    target = tmp_path / "claims.json"
    assert main(["claims", "--quiet", "--json", str(target)]) == 0
    assert capsys.readouterr() == ("", "")
    assert len(json.loads(target.read_text(encoding="utf-8"))) == 3
    assert main(["claims", "--check", "--quiet"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "no evidence" in err


def test_one_claim_is_no_plural(capsys: Capture, ledger: Path) -> None:
    ledger.write_text("[[claim]]" + LEDGER.split("[[claim]]")[1], encoding="utf-8")
    main(["claims"])
    assert "1 claim: " in capsys.readouterr().out
    main(["claims", "--check"])
    assert capsys.readouterr().out.startswith("1 claim, ")


def test_the_table_fits_the_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "36")
    main(["claims"])
    assert all(len(line) <= 36 for line in capsys.readouterr().out.splitlines()[:-1])


MANY = "".join(
    f"\n@register('c.{kind}.{n}', claim='C-cond', kind='{kind}', part='conditional')\n"
    f"def c_{kind}_{n}(run): return Outcome('proved')\n"
    for kind in ("smt", "interval", "algebra", "exhaustive")
    for n in range(2)
)


@pytest.mark.parametrize("columns", [36, 60, 80, 300])
def test_statements_are_seen_on_every_terminal(
    write: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    write(CHECKS + MANY)
    main(["verify"])
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", str(columns))
    main(["claims"])
    lines = capsys.readouterr().out.splitlines()[:-1]
    assert all(len(line) <= columns for line in lines)
    assert all(any(said in line for line in lines) for said in ("It holds.", "It holds if.", "It does not hold."))
    evidence = "2 exact, 2 smt, 2 interval, 2 algebra, 2 exhaustive" if columns == 300 else "2 exact, 2 smt, +6"
    assert columns == 36 or any(evidence in line for line in lines)


def test_check(write: Write, capsys: Capture, tmp_path: Path) -> None:
    obligations = write(CHECKS)
    assert main(["claims", "--check"]) == 1
    assert "C-true: c.true: no evidence for the code as it is now" in capsys.readouterr().err
    main(["verify"])
    assert main(["claims", "--check"]) == 1
    assert "errata.md is not current: run snapref claims --write" in capsys.readouterr().err
    assert main(["claims", "--write"]) == 0
    assert main(["claims", "--check"]) == 0
    assert capsys.readouterr().out.endswith("3 claims, 0 problems\n")
    path = tmp_path / f"{obligations[0].module}.py"
    path.write_text(path.read_text() + "\n")
    assert main(["claims", "--check"]) == 1


def test_the_generated_notes(write: Write, capsys: Capture, ledger: Path) -> None:
    write(CHECKS)
    assert main(["claims", "--write"]) == 2  # nothing has been run
    assert "no note was written" in capsys.readouterr().err
    main(["verify"])
    assert main(["claims", "--write"]) == 0
    errata, table = (ledger.with_name(name) for name in ("errata.md", "map.md"))
    text = errata.read_text(encoding="utf-8")
    assert text.index("C-false") < text.index("C-cond")
    for said in ("**Read instead:** This holds instead.", "**It holds if:** x > 0", "x = 7", "1 hold as printed"):
        assert said in text
    assert "| `C-true` | `c.true`, `c.big` |" in table.read_text(encoding="utf-8")

    errata.write_text(text.replace("x = 7", "x = 8"), encoding="utf-8")  # another run may find another witness
    assert main(["claims", "--check"]) == 0
    errata.write_text(text.replace("instead", "perhaps"), encoding="utf-8")
    table.unlink()
    assert main(["claims", "--check"]) == 1
    err = capsys.readouterr().err
    assert "errata.md is not current" in err
    assert "map.md is not current" in err


def test_check_finds_what_does_not_match(write: Write, capsys: Capture, ledger: Path) -> None:
    lonely = '\n[[claim]]\nid = "C-lonely"\ndocument = "000"\nsection = "§9"\nstatement = "Nobody asks."\n'
    weak = '\n[[claim]]\nid = "C-weak"\ndocument = "000"\nsection = "§9"\nstatement = "Only sampled."\n'
    ledger.write_text(LEDGER + lonely + weak, encoding="utf-8")
    write(
        CHECKS
        + "\n@register('c.stray', claim='C-gone')\ndef c_stray(run): return Outcome('proved')"
        + "\n@register('c.weak', claim='C-weak', kind='sampled')\ndef c_weak(run): return Outcome('proved')"
    )
    main(["verify"])
    capsys.readouterr()
    assert main(["claims", "--check"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "snapref: c.stray: there is no claim C-gone",
        "snapref: C-lonely: no obligation checks this claim",
        "snapref: C-weak: its evidence does not decide it, and nothing says what is missing",
        "snapref: errata.md is not current: run snapref claims --write",
        "snapref: map.md is not current: run snapref claims --write",
    ]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["C-tru"], "did you mean C-true"),
        (["nothing-like-it"], "there is no claim 'nothing-like-it'"),
        (["--verdict", "maybe"], "true, conditional, false, open"),
        (["--evidence", "hearsay"], "smt, interval"),
        (["--document", "009"], "001, 002"),
        (["--json", "/nonexistent/x"], "/nonexistent"),
        (["C-true", "C-cond"], "unexpected extra argument"),
    ],
)
def test_bad_usage_is_one_line(capsys: Capture, args: list[str], said: str) -> None:
    assert main(["claims", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[claim]\n", "cannot be read"),
        (LEDGER + LEDGER, "twice"),
        (LEDGER + '\n[[claim]]\nid = "C-odd"\nverdict = "true"\n', "C-odd"),
        ('[[claim]]\nid = "C-short"\n', "C-short"),
    ],
)
def test_a_broken_ledger_is_one_line(capsys: Capture, ledger: Path, text: str, said: str) -> None:
    ledger.write_text(text, encoding="utf-8")
    assert main(["claims"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert said in err


def test_a_missing_ledger_is_one_line(capsys: Capture, ledger: Path) -> None:
    ledger.unlink()
    assert main(["claims"]) == 2
    assert "is not there" in capsys.readouterr().err


def test_the_real_ledger_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert load_claims()
