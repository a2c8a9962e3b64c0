"""`snapref theorem`: what it prints, its JSON, its exit codes."""

import json
from importlib import resources
from pathlib import Path

import pytest

from snapref_harness.cli import main
from snapref_ledger import Outcome, Run
from snapref_ledger.obligations import Obligation, Status
from snapref_proofs.theorem1 import compose
from snapref_proofs.theorem1.statement import Regime

Capture = pytest.CaptureFixture[str]


def quick(monkeypatch: pytest.MonkeyPatch, status: Status = "proved", every: Status = "proved") -> None:
    """Every lemma answers at once; one of them as asked, and so one of those for every Δ."""

    last = compose.LEMMAS[-1].name

    def check(lemma: compose.Lemma, regime: Regime, run: Run) -> Outcome:
        return Outcome(status, "odd") if lemma.name == last else Outcome("proved", "quick")

    def run(obligation: Obligation, run: Run) -> Outcome:
        return Outcome(every if obligation.id == "theorem.every.rows" else "proved")

    monkeypatch.setattr(compose.Lemma, "check", check)
    monkeypatch.setattr(Obligation, "run", run)


def check_schema(data: object) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = resources.files("snapref_harness") / "schemas" / "theorem.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(data)


def test_one_regime_at_eleven_bits(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)
    assert main(["theorem", "--precision", "11", "--json", str(tmp_path / "theorem.json")]) == 0
    out = capsys.readouterr().out
    assert "constant 12: proved" in out
    assert "constant 10.984" not in out  # needs 18 bits
    data = json.loads((tmp_path / "theorem.json").read_text(encoding="utf-8"))
    check_schema(data)
    assert [theorem["proved"] for theorem in data["theorems"]] == [True]


@pytest.mark.parametrize(("status", "code"), [("proved", 0), ("refuted", 1), ("undecided", 3)])
def test_exit_codes(status: Status, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    quick(monkeypatch, status)
    assert main(["theorem", "--json", "-"]) == code
    data = json.loads(capsys.readouterr().out)
    check_schema(data)
    assert [t["constant"] for t in data["theorems"]] == [12, 10.984]
    assert [t["proved"] for t in data["theorems"]] == [code == 0] * 2
    assert data["every_sensitivity"]["proved"] == (code == 0)  # it rests on the lemmas of 12


@pytest.mark.parametrize(("every", "code"), [("proved", 0), ("refuted", 1), ("undecided", 3), ("error", 3)])
def test_the_bound_for_every_sensitivity(
    every: Status, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    quick(monkeypatch, every=every)
    assert main(["theorem", "--json", "-"]) == code
    data = json.loads(capsys.readouterr().out)
    check_schema(data)
    assert [t["proved"] for t in data["theorems"]] == [True, True]
    found = data["every_sensitivity"]
    assert (found["constant"], found["slope"], found["proved"]) == (12.42, 32, code == 0)


def test_what_it_prints(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # lines are cut where a terminal is said to end
    quick(monkeypatch)
    assert main(["theorem"]) == 0
    out = capsys.readouterr().out
    for word in ("forward", "← errors", "constant 10.984 + 64·B·η/λ: proved", "12.42 + 32·B·η/λ, for every Δ"):
        assert word in out
    for word in ("conditions", "trusted", "10.98352"):
        assert word in out
    assert main(["theorem", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_nothing_is_claimed_below_seven_bits(capsys: Capture) -> None:
    assert main(["theorem", "--precision", "6"]) == 2
    assert "below 7 bits" in capsys.readouterr().err
