"""The front door: numpy's numbers, bounds on either side, many values, and what a release looks like."""

import importlib
import runpy
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import snapref
from snapref import Mechanism, ParameterError, SeededSource, batch
from snapref import mechanism as core

SOURCE = 2012


@pytest.mark.parametrize(
    "kind", [np.int64, np.int8, np.uint32, np.float16, np.float32, np.float64, np.array, int, float]
)
def test_numbers_of_numpy_are_those_of_python(kind: Any) -> None:
    ours = Mechanism(kind(1), kind(10), kind(2), np.int64(53)).release(kind(3), SeededSource(SOURCE))
    plain = core.Mechanism(1.0, 10.0, 2.0).release(3.0, SeededSource(SOURCE))
    assert ours == plain
    assert type(ours.value) is float
    assert snapref.snap(kind(3), kind(1), kind(10)).certificate == snapref.snap(3.0, 1.0, 10.0).certificate


def test_a_number_of_fewer_bits_is_taken_as_it_is() -> None:
    """float32's 0.1 is not the double 0.1: nothing is rounded on the way."""
    assert Mechanism(np.float32(0.1), 100.0).certificate.budget.epsilon == Fraction(float(np.float32(0.1)))


@pytest.mark.parametrize("value", [np.bool_(True), np.array([3.0]), np.longdouble(3), np.nan, "3", None, 1j, [3.0]])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match="value must be"):
        Mechanism(1.0, 10.0).release(value)


@pytest.mark.parametrize("unit", ["ns", "s"])
def test_a_time_of_numpy_is_no_number(unit: str) -> None:
    """Of nanoseconds `item` makes a bare int."""
    mechanism = Mechanism(1.0, 10.0)
    for time in (np.timedelta64(5, unit), np.datetime64(5, unit), np.array(5, f"m8[{unit}]")):
        with pytest.raises(ParameterError, match="value must be"):
            mechanism.release(time)
        with pytest.raises(ParameterError, match="values must be"):
            mechanism.release_many([time])


@pytest.mark.parametrize("source", [2012, "2012", object()])
def test_a_bare_seed_is_no_source(source: Any) -> None:
    mechanism = Mechanism(1.0, 10.0)
    for release in (mechanism.release, mechanism.release_many):
        with pytest.raises(
            ParameterError, match=r"source must be a source of randomness, not a .*SeededSource\(2012\)"
        ):
            release([3.0] if release == mechanism.release_many else 3.0, source)


@given(st.floats(-200, 200), st.integers(0, 10**6))
def test_an_interval_is_a_bound_and_a_clamp_afterwards(value: float, seed: int) -> None:
    plain = core.Mechanism(0.5, 100.0).release(value, SeededSource(seed))
    mechanism = Mechanism(0.5, lower=np.int64(0), upper=100)
    ours = mechanism.release(value, SeededSource(seed))
    assert ours.value == min(max(plain.value, 0.0), 100.0)
    assert ours.certificate == plain.certificate
    assert Mechanism(0.5, lower=-100.0, upper=20).release(value, SeededSource(seed)).value == min(plain.value, 20.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give a bound, or lower and upper"),
        ({"lower": 0.0}, "give a bound, or lower and upper"),
        ({"upper": 1.0}, "give a bound, or lower and upper"),
        ({"bound": 1.0, "lower": 0.0, "upper": 1.0}, "and not both"),
        ({"bound": 1.0, "upper": 1.0}, "and not both"),
        ({"lower": 5.0, "upper": 5.0}, "lower = 5.0 must be smaller than upper = 5.0"),
        ({"lower": float("nan"), "upper": 5.0}, "lower must be finite"),
        ({"lower": 2**53 + 1, "upper": 2.0**54}, "lower must be a double"),
        ({"lower": 0, "upper": 10**400}, "upper must be a double"),
        ({"lower": "0", "upper": 1.0}, "lower must be a float or an int, not a str"),
    ],
)
def test_bad_intervals(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Mechanism(1.0, **given)


def test_an_interval_at_more_bits() -> None:
    release = Mechanism(1.0, lower=0.0, upper=10.125, precision=118).release(3.0, SeededSource(SOURCE))
    assert 0 <= float(release) <= 10.125


def test_many_values_at_the_front_door() -> None:
    values = np.array([[3.0, -7.0], [100.0, 0.25]])
    found = Mechanism(0.5, 100.0).release_many(values, SeededSource(SOURCE))
    assert found.values.shape == values.shape
    inside = Mechanism(0.5, lower=0.0, upper=100.0).release_many(values, SeededSource(SOURCE))
    assert np.array_equal(inside.values, found.values.clip(0, 100))
    assert inside.certificate == found.certificate
    with pytest.raises(ParameterError, match="53 bits"):
        Mechanism(0.5, 100.0, precision=60).release_many(values)


def test_a_release_as_a_number_a_line_and_a_table() -> None:
    release = Mechanism(0.5, 100.0).release(37.25, SeededSource(SOURCE))
    assert float(release) == release.value == 40.0
    assert repr(release) == "Release(40.0, ε = 0.5, randomness: injected, not private (seed 2012))"
    table = release._repr_html_()
    assert table.startswith("<table><tr><th>released</th><td>40.0</td></tr>")
    assert "loss ≤ Δ/λ" in table
    many = Mechanism(0.5, 100.0).release_many([37.25, 3.0], SeededSource(SOURCE))
    assert repr(many) == "Releases(2 values, ε = 0.5 for each, randomness: injected, not private (seed 2012))"
    assert many._repr_html_() == table.replace("40.0", "2 values", 1)
    assert repr(Mechanism(0.5, lower=0, upper=100)) == "Mechanism(ε = 0.5, B = 100, Δ = 1, p = 53)"


def test_python_m_snapref(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["snapref", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("snapref", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("snapref ")


def test_without_numpy_the_batch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'snapref\[batch\]'"):
        importlib.reload(batch)
