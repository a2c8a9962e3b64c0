"""The obligations on the batch path fail when an ingredient is broken. The path itself: tests/reference."""

import inspect
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref.batch import logarithm, mechanism
from snapref_ledger import Run
from snapref_proofs.batch import faults, log_error, obligations
from snapref_proofs.batch.replayed import Begun, Draw, drawn, reference_word
from tests.breaking import fails

RUN = Run()


@given(st.integers(1, 64), st.integers(0, 2**52 - 1))
def test_words_of_a_draw(exponent: int, mantissa: int) -> None:
    part = Draw(-1, exponent, mantissa)
    assert drawn(Begun(reference_word(*faults.words_of(part)), faults.NO_SOURCE)) == part


# Broken ingredients


def test_without_clearing_a_bit_the_conversion_carries() -> None:
    """Why `read` clears the bit after the leading one."""
    assert float(np.array([2**64 - 1], np.uint64).astype(np.float64)[0]) == 2.0**64


def errors(cell: int, **changed: Any) -> list[log_error.Error]:
    return list(log_error.cell_errors(cell, logarithm.TABLES._replace(**changed)))


def with_change(column: str, cell: int, by: float) -> dict[str, Any]:
    """A column of the table with one number changed."""
    numbers = getattr(logarithm.TABLES, column).copy()
    numbers[cell] += numbers.dtype.type(by)
    return {column: numbers}


@pytest.mark.parametrize("cell", [0, 700, 847, 848, 2046])
def test_a_wrong_logarithm_in_the_table_is_found(cell: int) -> None:
    assert errors(cell)
    with pytest.raises(log_error.Unproved, match="margin"):
        errors(cell, **with_change("low", cell, 2.0**-80))


def test_the_cell_next_to_1_has_no_logarithm() -> None:
    with pytest.raises(log_error.Unproved, match="smaller one"):
        errors(2047, **with_change("low", 2047, 2.0**-80))


def test_a_wrong_integer_in_the_table_is_found() -> None:
    with pytest.raises(log_error.Unproved, match="no double"):
        errors(5, **with_change("inverse", 5, 8))
    with pytest.raises(log_error.Unproved, match="margin"):
        errors(5, **with_change("inverse", 5, 1))


def test_high_parts_off_the_grid_are_found() -> None:
    """Their sums are rounded then, and nothing subtracts what they lose."""
    with pytest.raises(log_error.Unproved):
        errors(9, **with_change("high", 9, 2.0**-50))


@pytest.mark.parametrize("place", range(4))
def test_a_wrong_coefficient_is_found(place: int) -> None:
    series = [*logarithm.SERIES]
    series[place] *= 1.5
    with pytest.raises(log_error.Unproved, match="margin of r²"):
        errors(0, series=tuple(series))


PROGRAM = inspect.getsource(logarithm.logarithms)


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("low = low - k * tables.ln2_low", "low = low + k * tables.ln2_low"),
        ("(r * d + c)", "(r * d - c)"),
        ("low = low + (r - (total - high))", "low = low"),
        ("low = low + (r - (total - high))", "low = low - (r - (total - high))"),
        ("rest = low - (nearest - total)", "rest = low - low"),
        ("total = high + r", "total = r + high"),
        ("nearest = total + low", "nearest = total - low"),
        ("nearest + (rest - error)", "nearest + (rest + error)"),
        ("Logarithms(above, above == below)", "Logarithms(nearest, above == below)"),
        ("(cell >= UPPER)", "(cell > UPPER)"),
        ("* 2.0**-64", "* 2.0**-63"),
        ("square * tables.error_square + tables.error_rest", "square * tables.error_square"),
        ("square = r * r", "square = r"),
        ("k * tables.ln2_high", "exponent * tables.ln2_high"),
    ],
)
def test_a_changed_program_is_found(line: str, instead: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof runs the program itself, so a change of any line shows."""
    assert line in PROGRAM
    changed: dict[str, Any] = dict(vars(logarithm))
    exec(PROGRAM.replace(line, instead), changed)
    monkeypatch.setattr(log_error, "logarithms", changed["logarithms"])
    with pytest.raises(log_error.Unproved):
        print([errors(cell) for cell in (0, 848, 2047)])


def test_the_log_obligation_says_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_error, "CELLS", 20)
    tables = logarithm.TABLES
    monkeypatch.setattr(logarithm, "TABLES", tables._replace(error_rest=2.0**-100))
    assert obligations.log(RUN).status == "undecided"
    monkeypatch.setattr(logarithm, "TABLES", tables._replace(error_rest=2.0**-60))  # more than need be: its twin holds
    assert obligations.log(RUN).status == "error"


def test_wrong_logarithms_are_found_by_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    right = logarithm.logarithms

    def off(*args: Any) -> logarithm.Logarithms:
        value, certain = right(*args)
        return logarithm.Logarithms(np.nextafter(value, 0), certain)

    monkeypatch.setattr(logarithm, "logarithms", off)
    assert obligations.log_compared(RUN).status == "refuted"
    monkeypatch.setattr(logarithm, "logarithms", lambda *args: right(*args)._replace(certain=np.zeros(6144, bool)))
    assert obligations.log_compared(RUN).status == "refuted"


@pytest.mark.parametrize("name", ["nearest_integers", "rounded_logarithms"])
def test_a_wrong_stage_is_found_by_comparison(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(mechanism, name)
    other = {
        "nearest_integers": np.rint,
        "rounded_logarithms": lambda *args: np.nextafter(right(*args), 0),
    }[name]
    monkeypatch.setattr(mechanism, name, other)
    monkeypatch.setattr(faults, "PARAMETERS", faults.PARAMETERS[:1])
    outcome = obligations.mechanism(RUN)
    assert outcome.status == "refuted"
    assert "reference" in outcome.witness


def test_a_false_statement_is_found() -> None:
    """Without some of its hypotheses the first statement on sums is false."""
    first = obligations.two_sum()[0]
    assert fails(replace(first, hypotheses=first.hypotheses[:3]))


@pytest.mark.parametrize("extra", ["numpy"])
def test_without_an_extra_an_obligation_is_undecided(extra: str) -> None:
    def check(run: Run) -> Any:
        raise ModuleNotFoundError(f"No module named '{extra}'", name=extra)

    assert obligations.needs_extras(check)(RUN).status == "undecided"

    def broken(run: Run) -> Any:
        raise ModuleNotFoundError("No module named 'other'", name="other")

    with pytest.raises(ModuleNotFoundError):
        obligations.needs_extras(broken)(RUN)
