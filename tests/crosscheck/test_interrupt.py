"""Ctrl-C during a cross-check: what was done by then is shown, and the rest is not judged."""

import json
from pathlib import Path

import pytest

from snapref_crosscheck import Effort, crosscheck, opening
from snapref_crosscheck.targets import PythonTarget
from snapref_harness.cli import main
from tests.mutants.honest import Honest
from tests.mutants.mechanisms import LatticeBelow


class Interrupted(LatticeBelow):
    """The user presses Ctrl-C while `clamp` is checked."""

    def clamp(self, x: float, bound: float) -> float:
        raise KeyboardInterrupt


def test_what_had_failed_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(opening, "open_target", lambda *args: PythonTarget(Interrupted()))
    assert main(["crosscheck", "some:target", "--cases", "0", "--json", str(tmp_path / "report.json")]) == 3
    out, err = capsys.readouterr()
    assert [line.split()[:2] for line in out.splitlines()[:3]] == [
        ["pass", "describe"],
        ["fail", "lattice"],
        ["pass", "round"],
    ]
    assert "FAIL lattice\n  wrong inside the domain: Λ is smaller than λ" in out
    assert err == "snapref: interrupted\n"
    report = json.loads((tmp_path / "report.json").read_text())
    rest = [check for check in report["checks"] if check["name"] in report["unchecked"]]
    assert {(check["status"], check["witness"]) for check in rest} == {("not judged", "interrupted")}


class InterruptedHonest(Honest):
    def log(self, u: float) -> float:
        raise KeyboardInterrupt


def test_an_interrupt_is_no_accusation() -> None:
    report = crosscheck(InterruptedHonest(), Effort(search=0, stride=50))
    assert report.interrupted
    assert report.conforms is None
