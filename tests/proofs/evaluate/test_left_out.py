"""What enclosures leave out is noticed: by an engine, and by a box of which a part was not looked at."""

from fractions import Fraction

import pytest

from snapref_proofs.evaluate import intervals
from snapref_proofs.evaluate.boxes import BITS, establish
from snapref_proofs.evaluate.intervals import both
from snapref_proofs.evaluate.left_out import Recorded, broken, covered, engines, left_out
from tests.changing import change

UNIT, LEFT, RIGHT = (Fraction(0), Fraction(1)), (Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))
SHORT = (Fraction(1, 2), Fraction(99, 100))
SQUARE = {"x": UNIT, "y": UNIT}
NAMES = [engine.name for engine in both(BITS)]
NARROWER = {
    "exp of the lower end": ("Iv.exp", "context.exp(x)", "context.exp(x.a)"),
    "log of the upper end": ("Iv.log", "context.log(x)", "context.log(x.b)"),
    "exp of the middle, by Arb": ("Arb.exp", "x.exp()", "x.mid().exp()"),
    "log of the lower end, by Arb": ("Arb.log", "x.log()", "x.lower().log()"),
    "exp as mpmath has it": ("Iv.exp", "widened(self.context.exp(x)._mpi_, self.bits)", "self.context.exp(x)._mpi_"),
    "a hull that is one of the two": ("Iv.hull", "max(x.b, y.b, key=_right)", "x.b"),
    "an interval without its end": ("Arb.between", "low == high", "low <= high"),
    "ends that are too near": ("Arb.ends", "x.upper()", "x.mid()"),
}


@pytest.mark.parametrize("pair", engines())
def test_the_engines_leave_out_nothing(pair):
    assert not list(left_out(pair))


@pytest.mark.parametrize("pair", broken())
def test_lower_ends_are_noticed(pair):
    found = "\n".join(left_out(pair))
    assert all(name in found for name in ("exp over", "log over", "hull of"))


@pytest.mark.parametrize("name", NARROWER)
def test_what_is_too_narrow_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(intervals, *NARROWER[name], monkeypatch)
    assert any(text for pair in engines() for text in left_out(pair))


@pytest.mark.parametrize(
    ("parts", "all_of_it"),
    [
        ([SQUARE], True),
        ([{"x": LEFT, "y": UNIT}, {"x": RIGHT, "y": UNIT}], True),
        ([{"x": LEFT, "y": UNIT}, {"x": RIGHT, "y": LEFT}, {"x": RIGHT, "y": RIGHT}], True),
        ([{"x": LEFT, "y": UNIT}, {"x": RIGHT, "y": LEFT}], False),
        ([{"x": LEFT, "y": UNIT}, {"x": SHORT, "y": UNIT}], False),
        ([{"x": LEFT, "y": UNIT}, {"x": RIGHT, "y": LEFT}, {"x": RIGHT, "y": SHORT}], False),
        ([], False),
    ],
)
def test_covering(parts, all_of_it):
    assert covered(SQUARE, parts) == all_of_it


def test_a_quantity_records_where_each_engine_shows_it():
    recorded = Recorded(lambda engine, v: v["x"] * (1 - v["x"]) - 1 + v["y"] / 2)
    assert establish(recorded, SQUARE).status == "established"
    assert recorded.misses(SQUARE, NAMES) == []
    assert recorded.misses({**SQUARE, "x": (Fraction(0), Fraction(2))}, NAMES) == NAMES
    assert recorded.misses(SQUARE, ["another"]) == ["another"]
