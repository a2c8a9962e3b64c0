"""The performance table: its structure, never its figures."""

import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import z3

from snapref import Mechanism, SeededSource
from snapref_harness.bench import measure, obligations, plain, rival, small
from snapref_harness.bench.bare import BareMechanism
from snapref_harness.bench.measure import Comparison, Contender, Measured, Skipped, Turn, race
from snapref_harness.cli import bench, main
from snapref_ledger.obligations import Run
from snapref_smt.engine.solvers import Answer
from snapref_smt.engine.statement import Statement
from tests.harness.conftest import Write
from tests.harness.test_verify import Capture

CHECKS = """
@register("proved")
def proved(run): return Outcome("proved")
@register("also")
def also(run): return Outcome("proved")
@register("not")
def not_proved(run): return Outcome("undecided")
"""
TINY = measure.Effort(2, 0.002, 0.2)
PATIENT = measure.Effort(2, 1.0, 30.0)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "QUICK", TINY)


def valid(text: str) -> Any:
    report = json.loads(text)
    schema = resources.files("snapref_harness") / "schemas" / "bench.schema.json"
    jsonschema.validate(report, json.loads(schema.read_text("utf-8")))
    return report


def test_a_quick_table_is_valid_json(capsys: Capture) -> None:
    assert main(["bench", "--quick", "--rows", "1,2,3,5,7", "--json", "-", "--python", sys.executable]) == 0
    out, err = capsys.readouterr()
    report = valid(out)
    assert err == ""
    assert {line["row"] for line in report["comparisons"]} == {1, 2, 3, 5, 7}
    assert [line["row"] for line in report["skipped"]] == [1, 2]
    assert all("diffprivlib does not work in" in line["reason"] for line in report["skipped"])
    assert all(line["ratio_low"] <= line["ratio"] <= line["ratio_high"] for line in report["comparisons"])


def test_an_interpreter_that_is_not_there_is_one_line(capsys: Capture) -> None:
    assert main(["bench", "--quick", "--python", "/no/such/python"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: --python /no/such/python cannot be run")
    assert err.count("\n") == 1


def test_small_formats_and_the_printed_table(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "TEN_MINUTES", 1e-3)
    monkeypatch.setenv("COLUMNS", "300")
    assert main(["bench", "--quick", "--rows", "4"]) == 0
    out = capsys.readouterr().out
    assert "p = 3 over p = 2" in out
    assert "largest p within ten minutes" in out
    assert main(["bench", "--quick", "--rows", "4", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_obligations_of_both_encodings(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """One group that is proved, one that is not, and so no line for both together; then the workers."""
    proved, also, not_proved = write(CHECKS)
    x = z3.BitVec("x", 4)
    said = {
        "proved": {"": Statement("", (), z3.ULT(x, 9) == z3.ULE(x, 8), x < 8, variables=(x,))},
        "also": None,
        "not": None,
    }
    monkeypatch.setattr(plain, "statement", said.__getitem__)
    monkeypatch.setattr(obligations, "GROUPS", {"a": ("proved", "also"), "b": ("not",), "c": ("also",)})
    monkeypatch.setattr(obligations, "ONE_THREAD", "[ap]*")
    monkeypatch.setattr(obligations, "TWO_SOLVERS", "n*")
    lines = obligations.obligations(PATIENT, Run(), [proved, also, not_proved])
    first, lost, unsaid, suite, one_thread, two_solvers = lines
    assert isinstance(first, Comparison)
    assert len(first.ratios) == 2
    assert "1 plain statements for 2 obligations" in first.note
    assert "given up" not in first.note
    assert [line.reason for line in (lost, unsaid, suite, two_solvers) if isinstance(line, Skipped)] == [
        "not decided in time: not",
        "the plain encoding says none of it",
        "not decided in time: not",
        "not decided in time: not",
    ]
    assert isinstance(one_thread, Comparison)
    assert (one_thread.ours.name, one_thread.other.name) == ("2 workers", "1 worker")


def test_a_glance_leaves_the_long_groups_out(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obligations, "GROUPS", {"round": ("*",)})
    (line,) = obligations.encodings(TINY, Run(), write(CHECKS))
    assert line == Skipped(6, "obligations: round", "takes a minute or more: not with --quick")


def test_a_plain_encoding_that_is_given_up_has_one_turn(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time is a lower bound, so that it is not taken again; and so is the ratio."""
    proved, *_ = write(CHECKS)
    asked = []

    def decided(theorems: object, seconds: float) -> Answer:
        asked.append(seconds)
        return Answer("z3", "timeout", seconds)

    monkeypatch.setattr(plain, "statement", lambda id: {})
    monkeypatch.setattr(plain, "decided", decided)
    line = obligations.compared("it", [obligations.read(proved, Run(), PATIENT)], PATIENT)
    assert isinstance(line, Comparison)
    assert asked == [PATIENT.patience]
    assert line.other.stopped
    assert "1 of them given up after 30 s" in line.note


def test_encodings_that_disagree_are_no_comparison(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    proved, *_ = write(CHECKS)
    monkeypatch.setattr(plain, "statement", lambda id: {})
    monkeypatch.setattr(plain, "decided", lambda theorems, seconds: Answer("z3", "sat", 0.1))
    monkeypatch.setattr(obligations, "GROUPS", {"a": ("proved",)})
    (line,) = obligations.encodings(PATIENT, Run(), [proved])
    assert line == Skipped(6, "obligations: a", "the plain encoding of proved is sat, not unsat")


def test_contenders_take_turns() -> None:
    order = []

    def contender(name: str) -> Contender:
        def turn() -> Turn:
            order.append(name)
            return Turn(10, 0.5 * len(order))

        return Contender(name, turn)

    a, b = race([contender("a"), contender("b")], 3)
    assert order == ["a", "b", "a", "b", "b", "a", "a", "b"]
    assert len(a.turns) == len(b.turns) == 3


def test_a_ratio_is_the_median_of_the_turns() -> None:
    ours, other = (Measured(n, tuple(Turn(r, 1.0) for r in rates)) for n, rates in (("a", (6, 8, 9)), ("b", (2, 2, 9))))
    line = Comparison(1, "x", "y", ours, other, aim=3.0)
    assert line.ratios == [3.0, 4.0, 1.0]
    assert line.ratio == 3.0
    assert line.met
    given_up = Comparison(1, "x", "y", ours, Measured("b", (Turn(1, 1.0, True),) * 3))
    assert given_up.other.stopped
    assert given_up.met is None
    assert "≥" in bench._text(given_up).plain
    assert "≤" in bench._text(given_up).plain
    too_soon = Comparison(1, "x", "y", Measured("a", (Turn(1, 20.0),)), Measured("b", (Turn(1, 1.02, True),)))
    assert bench._text(too_soon).plain.splitlines()[0] == "1  x: given up after 1 s: no ratio"


@pytest.mark.parametrize("rows", ["0", "8", "x", "1,,2", ""])
def test_rows_that_do_not_exist(capsys: Capture, rows: str) -> None:
    assert main(["bench", "--rows", rows]) == 2
    assert "--rows" in capsys.readouterr().err


def test_quick_or_thorough(capsys: Capture) -> None:
    assert main(["bench", "--quick", "--thorough"]) == 2
    assert "exclude" in capsys.readouterr().err


FAKE = """
class Snapping:
    def __init__(self, **parameters): pass
    def randomise(self, value): return value
"""


def test_the_probe_measures_over_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a diffprivlib that only looks like it."""
    (tmp_path / "diffprivlib").mkdir()
    (tmp_path / "diffprivlib" / "__init__.py").write_text("")
    (tmp_path / "diffprivlib" / "mechanisms.py").write_text(FAKE)
    (tmp_path / "diffprivlib-1.2.dist-info").mkdir()
    (tmp_path / "diffprivlib-1.2.dist-info" / "METADATA").write_text("Name: diffprivlib\nVersion: 1.2\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with rival.contender(sys.executable, 50) as contender:
        assert contender.name.startswith("diffprivlib 1.2, ")
        turn = contender.turn()
        assert turn.units == 50
        assert turn.seconds >= 0


def test_the_interpreter_beside_the_checkout_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout, here = tmp_path / "checkout", tmp_path / "here"
    for folder in (checkout, here):
        (folder / rival.REAL).parent.mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setattr(rival, "notes_directory", lambda: checkout / "notes")
    monkeypatch.setattr(rival.importlib.util, "find_spec", lambda name: None)
    (checkout / rival.REAL).touch()
    assert rival.find(None) == str(checkout / rival.REAL)
    (here / rival.REAL).touch()
    assert rival.find(None) == str(rival.REAL)


def test_without_diffprivlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rival, "notes_directory", lambda: None)
    monkeypatch.setattr(rival.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(rival.Missing, match="crosscheck-real"):
        rival.find(None)
    with pytest.raises(rival.Missing, match="does not work"), rival.contender(sys.executable, 1):
        pass


@pytest.mark.parametrize(("epsilon", "bound"), [(1.0, 10.0), (0.3, 777.5), (2.0**-20, 2.0**40)])
def test_the_experiment_does_the_work_of_a_release(epsilon: float, bound: float) -> None:
    prepared = Mechanism(epsilon, bound)
    bare = BareMechanism(prepared)
    for seed in range(300):
        value = bound * (seed - 150) / 100
        release = prepared.release(value, SeededSource(seed))
        assert bare.release(value, SeededSource(seed)) == (release.value, release.randomness)
