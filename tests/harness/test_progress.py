"""The bar: counts, and an estimate of what is left. Nothing here depends on how long anything takes."""

import time

import pytest

from snapref_harness.cli.progress import Bar, about


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until the test moves it."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_the_estimate_is_of_the_work_and_leaves_the_start_out(clock: list[float]) -> None:
    bar = Bar(100, counted=4)
    assert bar.left() == ""
    clock[0] = 1000.0  # getting ready
    bar.advance(10)
    assert bar.left() == ""  # nothing to go by yet
    clock[0] += 20.0
    bar.advance(10)
    assert bar.left() == "about 3 min left"  # 2 s for each unit of work, 80 units to go
    bar.advance(80)
    assert bar.left() == ""


def test_what_was_known_before_tells_nothing(clock: list[float]) -> None:
    bar = Bar(4)
    bar.advance(known=True)
    bar.advance()
    clock[0] += 30.0
    bar.advance()
    assert (bar.count, bar.pieces) == (3, 4)
    assert bar.left() == "about 30 s left"


def test_lines_where_there_is_no_terminal(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(4, lines=True)
    for seconds in (5.0, 11.0, 5.0):
        clock[0] += seconds
        bar.advance(note="all well")
    assert capsys.readouterr().err == "snapref: 2 of 4 done, all well, about 20 s left\n"
    silent = Bar(4, lines=True, quiet=True), Bar(4)
    clock[0] += 100.0
    for bar in silent:
        bar.advance()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "5 s"), (31, "30 s"), (89, "90 s"), (130, "2 min"), (5399, "90 min"), (9000, "2.5 h")]
)
def test_estimates_are_rough(seconds: float, text: str) -> None:
    assert about(seconds) == f"about {text}"
