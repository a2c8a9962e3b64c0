"""The batch path: bit for bit the reference, and obligations that fail when an ingredient is broken."""

import inspect
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref import Mechanism, ParameterError, SeededSource, SystemSource
from snapref.batch import draws, logarithm, mechanism
from snapref.batch.mechanism import BatchMechanism
from snapref.logarithm import ln
from snapref.uniform import Uniform
from snapref_ledger import Run
from snapref_proofs.batch import faults, log_error, obligations
from snapref_proofs.batch.replayed import Begun, Draw, drawn, reference_word
from tests.breaking import fails

words64 = st.integers(0, 2**64 - 1)
RUN = Run()


def words_as_one(row: draws.Words) -> int:
    return reference_word(int(row[0]), int(row[1]))


@given(words64, words64)
def test_a_row_is_read_as_the_reference_reads_it(first: int, coins: int) -> None:
    row = np.array([(first, coins)], np.uint64)
    found = draws.read(row)
    expected = drawn(Begun(words_as_one(row[0]), SeededSource(0)))
    assert int(found.mantissa[0]) == expected.mantissa
    assert (int(found.first[0]) & 1 == 1) == (expected.sign == 1)
    assert int(found.exponent[0]) == (expected.exponent if coins else 0)


@given(st.integers(1, 64), st.integers(0, 2**52 - 1))
def test_words_of_a_draw(exponent: int, mantissa: int) -> None:
    part = Draw(-1, exponent, mantissa)
    row = np.array([faults.words_of(part)], np.uint64)
    assert drawn(Begun(words_as_one(row[0]), faults.NO_SOURCE)) == part


def test_coins_that_go_on_are_tossed_by_the_source() -> None:
    batch, single = BatchMechanism(1.0, 1e3), Mechanism(1.0, 1e3)
    row = np.array([(5, 0)], np.uint64)
    found = mechanism.snapped(np.array([3.0]), batch.parameters, row, SeededSource(9))
    assert found[0] == single.release(3.0, Begun(words_as_one(row[0]), SeededSource(9))).value


@settings(max_examples=300)
@given(st.integers(1, 64), st.integers(0, 2**52 - 1))
def test_a_certain_logarithm_is_the_reference_s(exponent: int, mantissa: int) -> None:
    found = logarithm.logarithms(np.array([exponent]), np.array([mantissa], np.uint64))
    if found.certain[0]:
        assert found.value[0] == float(ln(Uniform(53)(exponent, mantissa), 53))


def test_u_next_to_1_is_left_to_the_reference() -> None:
    """There the logarithm is as small as the bound of the error, and the path says so."""
    found = logarithm.logarithms(np.array([1]), np.array([2**52 - 1], np.uint64))
    assert not found.certain[0]


def test_what_is_uncertain_comes_from_the_reference() -> None:
    words = np.array([faults.words_of(Draw(1, 1, 2**52 - 1))], np.uint64)
    found = mechanism.rounded_logarithms(words, faults.NO_SOURCE)
    assert found[0] == float(ln(Uniform(53)(1, 2**52 - 1), 53))


@settings(max_examples=200)
@given(st.sampled_from(faults.PARAMETERS), st.floats(-1.5, 1.5), words64, words64)
def test_releases_are_the_reference_s(parameters: tuple[float, ...], part: float, first: int, coins: int) -> None:
    batch, single = BatchMechanism(*parameters), Mechanism(*parameters)
    value, row = part * batch.parameters.bound, np.array([(first, coins)], np.uint64)
    found = mechanism.snapped(np.array([value]), batch.parameters, row, SeededSource(1))
    expected = single.release(value, Begun(words_as_one(row[0]), SeededSource(1))).value
    assert np.float64(expected).tobytes() == found[0].tobytes()


def test_an_injected_source_is_read_row_by_row_and_marked() -> None:
    """Chunks included: the words of release i are the bits 128·i … of what the source yields, chunk by chunk."""
    count = mechanism.CHUNK + 3
    values = np.linspace(-10, 10, count)
    released = BatchMechanism(1.0, 10.0).release(values, SeededSource(4))
    assert released.randomness == "injected, not private (seed 4)"
    again, single = SeededSource(4), Mechanism(1.0, 10.0)
    words = np.concatenate([draws.random_words(again, n) for n in (mechanism.CHUNK, 3)])
    for i in (0, 1, 2, mechanism.CHUNK - 1, mechanism.CHUNK, count - 1):
        assert single.release(float(values[i]), Begun(words_as_one(words[i]), again)).value == released.values[i]


def test_the_system_s_randomness_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(draws.os, "urandom", lambda count: asked.append(count) or b"\x01" * count)
    released = BatchMechanism(1.0, 10.0).release([1.0, 2.0, 3.0])
    assert asked == [48]
    assert released.randomness == SystemSource.name
    assert released.certificate == Mechanism(1.0, 10.0).certificate


def test_shapes_ints_and_nothing() -> None:
    batch = BatchMechanism(1.0, 10.0)
    assert batch.release(np.zeros((3, 4), np.int32)).values.shape == (3, 4)
    assert batch.release(3).values.shape == ()
    assert batch.release([]).values.shape == (0,)


def one_by_one(values: Any, seed: int) -> list[float]:
    """What the reference releases from the words that the batch path draws."""
    source, single = SeededSource(seed), Mechanism(1.0, 10.0)
    words = draws.random_words(source, len(values))
    return [single.release(x, Begun(words_as_one(row), source)).value for x, row in zip(values, words, strict=True)]


LINE = np.linspace(-12, 12, 24)


@pytest.mark.parametrize(
    "array",
    [
        LINE[::-2],
        LINE.reshape(4, 6).T,
        np.asfortranarray(LINE.reshape(4, 6)),
        LINE.astype(">f8"),
        LINE.astype(np.float16),
        np.broadcast_to(1.5, (3, 2)),
        np.array([-0.0, 5e-324, -5e-324, 1.7e308]),
        np.array([2**53, -(2**53), 2**60, -(2**63)]),
        np.array([2**63], np.uint64),
        np.array([2.5, 2**60], object),
    ],
)
def test_arrays_of_any_layout_are_released_in_their_order(array: Any) -> None:
    released = BatchMechanism(1.0, 10.0).release(array, SeededSource(3))
    expected = np.array(one_by_one([x if type(x) is int else float(x) for x in array.ravel()], 3)).reshape(array.shape)
    assert released.values.tobytes() == expected.tobytes()


def test_a_list_is_taken_as_it_is() -> None:
    """An int beside a float is not rounded to one."""
    values = [1.5, 2**60, np.float64(2.5), 2**70]
    assert BatchMechanism(1.0, 10.0).release(values, SeededSource(3)).values.tolist() == one_by_one(values, 3)


@pytest.mark.parametrize(
    "bad",
    [
        [1.0, np.nan],
        [np.inf],
        np.append(np.zeros(2 * mechanism.CHUNK), np.nan),
        np.array([-np.inf], np.float32),
        [True],
        [1, True],
        ["1"],
        [1j],
        [None],
        [2**53 + 1],
        [0.5, 2**53 + 1],
        [-(2**53) - 1],
        np.array([2**53 + 1]),
        np.array([2**64 - 1], np.uint64),
        [2**2000],
        [[1.0], [2, 3]],
        np.array([1.0], np.longdouble),
        np.ma.array([1.0, 2.0], mask=[False, True]),
    ],
)
def test_bad_values_are_refused_without_being_shown(bad: Any) -> None:
    """And before anything is drawn: nothing is released."""
    with pytest.raises(ParameterError, match="values must be") as error:
        BatchMechanism(1.0, 10.0).release(bad, faults.NO_SOURCE)
    assert "9007199254740993" not in str(error.value)


def test_parameters_for_which_doubles_are_too_narrow_are_refused() -> None:
    with pytest.raises(ParameterError, match="one by one"):
        BatchMechanism(1.0, 2.0**1000, 2.0**990)
    with pytest.raises(ParameterError, match="bound must be below"):
        BatchMechanism(1.0, 2**1050, 2.0**1020)  # no double at all
    with pytest.raises(ParameterError, match="epsilon"):
        BatchMechanism(-1.0, 10.0)


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


def test_a_release_is_not_in_the_certificate() -> None:
    released = BatchMechanism(1.0, 10.0).release([3.14159], SeededSource(1))
    assert "3.14159" not in json.dumps(released.certificate.as_json())
