"""Which obligation is asked first: what noticed the mutant before, then what noticed others of its function."""

from pathlib import Path

import pytest

from snapref_harness.mutants import order
from snapref_harness.mutants.order import Order
from snapref_harness.mutants.source import Mutant


def mutant(name: str, function: str = "f", file: str = "a.py") -> Mutant:
    return Mutant(file, function, 1, 1, name, 0, 1, "")


def test_what_noticed_it_before_comes_first() -> None:
    known = Order({"t.quick": 0.1, "t.slow": 60.0}, {"a.py": {"f": {"1 → 0": "undecided t.slow"}}})
    assert known.of(mutant("1 → 0"), ["t.quick", "t.slow"]) == ["t.slow", "t.quick"]
    assert known.before(mutant("1 → 0")) == ["undecided", "t.slow"]
    assert known.before(mutant("2 → 1")) == ["", ""]


@pytest.mark.parametrize(("fate", "first"), [("refuted", "t.two"), ("undecided", "t.two"), ("error", "t.one")])
def test_what_noticed_others_of_the_function(fate: str, first: str) -> None:
    """A crash teaches nothing: whoever runs the mutant notices."""
    learning = Order({"t.one": 1.0, "t.two": 1.0})
    learning.settled(mutant("1 → 0"), fate, "t.two")
    assert learning.of(mutant("2 → 1"), ["t.one", "t.two"])[0] == first
    again = Order(learning.seconds, learning.record)
    assert again.of(mutant("2 → 1"), ["t.one", "t.two"])[0] == first


def test_what_missed_others_comes_later() -> None:
    learning = Order({"t.one": 1.0, "t.two": 1.0})
    learning.missed(mutant("1 → 0"), ["t.one"])
    assert learning.of(mutant("2 → 1"), ["t.one", "t.two"]) == ["t.two", "t.one"]


def test_another_constant_comes_after_every_other_lemma() -> None:
    learning = Order({"t.12": 1.0, "t.11": 1.0, "u": 50.0})
    assert learning.of(mutant("1 → 0"), ["t.12", "t.11", "u"]) == ["t.11", "u", "t.12"]


def test_the_record_forgets_what_there_is_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "RECORD", tmp_path / "record.json")
    assert order.recorded() == {}
    gone = {"f": {"1 → 0": "error t.one", "gone": "error t.one"}, "old": {"gone": "error t.one"}}
    Order({}, {"a.py": gone, "b.py": {"g": {"1 → 0": "stronger two solvers"}}}).write([mutant("1 → 0")])
    assert order.recorded() == {
        "a.py": {"f": {"1 → 0": "error t.one"}},
        "b.py": {"g": {"1 → 0": "stronger two solvers"}},  # this file was not mutated now
    }
