"""Ctrl-C during a cross-check: what had failed by then is shown."""

from collections.abc import Callable

import pytest

from snapref_crosscheck import opening, run
from snapref_crosscheck.checks import Effort, Result
from snapref_crosscheck.run import Report
from snapref_harness.cli import main


def test_what_had_failed_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(target: object, effort: Effort, progress: Callable[[Result], None]) -> Report:
        progress(Result("lattice", "pass", 3))
        progress(Result("round", "fail", 7, "the counterexample"))
        raise KeyboardInterrupt

    monkeypatch.setattr(opening, "open_target", lambda *args: object())
    monkeypatch.setattr(run, "crosscheck", interrupted)
    assert main(["crosscheck", "some:target"]) == 3
    out, err = capsys.readouterr()
    assert [line.split()[:2] for line in out.splitlines()[:2]] == [["pass", "lattice"], ["fail", "round"]]
    assert "FAIL round\n  the counterexample" in out
    assert err == "snapref: interrupted\n"
