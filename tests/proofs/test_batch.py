"""The batch path: bit for bit the reference, and obligations that fail when an ingredient is broken."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref import Mechanism, ParameterError, SeededSource, SystemSource
from snapref.logarithm import ln
from snapref.randomness import Draw, draw
from snapref.uniform import Uniform
from snapref_harness.core import Run
from snapref_proofs import solving as linear
from snapref_proofs.batch import draws, faults, log_error, logarithm, mechanism, obligations
from snapref_proofs.batch.draws import Begun, reference_word
from snapref_proofs.batch.mechanism import BatchMechanism

to_nearest = mechanism.nearest_integers
words64 = st.integers(0, 2**64 - 1)
RUN = Run()


@given(words64, words64)
def test_a_row_is_read_as_the_reference_reads_it(first: int, coins: int) -> None:
    row = np.array([(first, coins)], np.uint64)
    found = draws.read(row)
    expected = draw(Begun(reference_word(row[0]), SeededSource(0)), 53)
    assert int(found.mantissa[0]) == expected.mantissa
    assert (int(found.first[0]) & 1 == 1) == (expected.sign == 1)
    assert int(found.exponent[0]) == (expected.exponent if coins else 0)


@given(st.integers(1, 64), st.integers(0, 2**52 - 1))
def test_words_of_a_draw(exponent: int, mantissa: int) -> None:
    part = Draw(-1, exponent, mantissa)
    row = np.array([faults.words_of(part)], np.uint64)
    assert draw(Begun(reference_word(row[0]), faults.NO_SOURCE), 53) == part


def test_coins_that_go_on_are_tossed_by_the_source() -> None:
    batch, single = BatchMechanism(1.0, 1e3), Mechanism(1.0, 1e3)
    row = np.array([(5, 0)], np.uint64)
    found = mechanism.snapped(np.array([3.0]), batch.parameters, row, SeededSource(9))
    assert found[0] == single.release(3.0, Begun(reference_word(row[0]), SeededSource(9))).value


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
    expected = single.release(value, Begun(reference_word(row[0]), SeededSource(1))).value
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
        assert single.release(float(values[i]), Begun(reference_word(words[i]), again)).value == released.values[i]


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


@pytest.mark.parametrize(
    "bad", [[1.0, np.nan], [np.inf], [True], ["1"], [1j], [None], [2**53 + 1], [-(2**53) - 1], [2**70], [[1.0], [2, 3]]]
)
def test_bad_values_are_refused_without_being_shown(bad: Any) -> None:
    with pytest.raises(ParameterError, match="values must be") as error:
        BatchMechanism(1.0, 10.0).release(bad)
    assert "9007199254740993" not in str(error.value)


def test_parameters_for_which_doubles_are_too_narrow_are_refused() -> None:
    with pytest.raises(ParameterError, match="one by one"):
        BatchMechanism(1.0, 2.0**1000, 2.0**990)
    with pytest.raises(ParameterError, match="epsilon"):
        BatchMechanism(-1.0, 10.0)


@pytest.mark.parametrize(
    "check",
    [
        obligations.draws,
        obligations.log,
        obligations.log_compared,
        obligations.two_sum,
        obligations.rounding,
        obligations.rounding_for_every_p,
        obligations.mechanism,
    ],
)
def test_the_obligations(check: Callable[[Run], Any]) -> None:
    assert check(RUN).status == "proved"


# Broken ingredients


def test_a_wrong_exponent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = draws.read
    monkeypatch.setattr(draws, "read", lambda words: right(words)._replace(exponent=right(words).exponent + 1))
    assert obligations.draws(RUN).status == "refuted"


def test_without_clearing_a_bit_the_conversion_carries() -> None:
    """Why `read` clears the bit after the leading one."""
    assert float(np.array([2**64 - 1], np.uint64).astype(np.float64)[0]) == 2.0**64


def failures(tables: logarithm.Tables) -> Iterator[str]:
    return log_error.failures(tables, logarithm.ERROR_SQUARE, logarithm.ERROR_REST)


@pytest.mark.parametrize("cell", [0, 700, 847, 848, 2046])
def test_a_wrong_logarithm_in_the_table_is_found(cell: int) -> None:
    low = logarithm.TABLES.low.copy()
    low[cell] += 2.0**-80
    assert log_error.cell_bound(cell, logarithm.TABLES).rest < logarithm.ERROR_REST
    assert log_error.cell_bound(cell, logarithm.TABLES._replace(low=low)).rest > logarithm.ERROR_REST


def test_the_cell_next_to_1_has_no_logarithm() -> None:
    low = logarithm.TABLES.low.copy()
    low[2047] = 2.0**-80
    with pytest.raises(log_error.Unproved, match="vanishes"):
        log_error.cell_bound(2047, logarithm.TABLES._replace(low=low))


def test_a_wrong_integer_in_the_table_is_found() -> None:
    inverse = logarithm.TABLES.inverse.copy()
    inverse[5] += np.uint64(8)
    with pytest.raises(log_error.Unproved, match="no double"):
        log_error.cell_bound(5, logarithm.TABLES._replace(inverse=inverse))


def test_high_parts_off_the_grid_are_found() -> None:
    high = logarithm.TABLES.high.copy()
    high[9] += 2.0**-50
    with pytest.raises(log_error.Unproved, match="multiple"):
        log_error.cell_bound(9, logarithm.TABLES._replace(high=high))


def test_a_wrong_coefficient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_error, "SERIES", (1 / 3, -1 / 4, 1 / 5, 0.0))
    assert next(failures(logarithm.TABLES), None) is not None


def test_the_log_obligation_says_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_error, "CELLS", 20)
    monkeypatch.setattr(logarithm, "ERROR_REST", 2.0**-100)
    assert obligations.log(RUN).status == "undecided"
    monkeypatch.setattr(logarithm, "ERROR_REST", 2.0**-60)  # larger than need be: then its twin is proved as well
    assert obligations.log(RUN).status == "error"
    high = logarithm.TABLES.high.copy()
    high[9] += 2.0**-50
    monkeypatch.setattr(logarithm, "TABLES", logarithm.TABLES._replace(high=high))
    assert obligations.log(RUN).status == "undecided"


def test_wrong_logarithms_are_found_by_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    right = logarithm.logarithms

    def off(*args: Any) -> logarithm.Logarithms:
        value, certain = right(*args)
        return logarithm.Logarithms(np.nextafter(value, 0), certain)

    monkeypatch.setattr(logarithm, "logarithms", off)
    assert obligations.log_compared(RUN).status == "refuted"
    monkeypatch.setattr(logarithm, "logarithms", lambda *args: right(*args)._replace(certain=np.zeros(6144, bool)))
    assert obligations.log_compared(RUN).status == "refuted"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: np.floor(x + x.dtype.type(0.5)),
        np.rint,
        lambda x: np.ceil(x - x.dtype.type(0.5)),
        lambda x: -to_nearest(-x),
    ],
)
def test_other_roundings_are_found(wrong: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "nearest_integers", wrong)
    assert obligations.rounding(RUN).status == "refuted"


@pytest.mark.parametrize("name", ["nearest_integers", "rounded_logarithms"])
def test_a_wrong_stage_is_found_by_comparison(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(mechanism, name)
    other = {
        "nearest_integers": np.rint,
        "rounded_logarithms": lambda *args: np.nextafter(right(*args), 0),
    }[name]
    monkeypatch.setattr(mechanism, name, other)
    outcome = obligations.mechanism(RUN)
    assert outcome.status == "refuted"
    assert "reference" in outcome.witness


@pytest.mark.parametrize(("check", "kept"), [(obligations.two_sum, 3), (obligations.rounding_for_every_p, 1)])
def test_a_false_statement_is_found(check: Any, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without some of its hypotheses the first statement of either is false."""
    right = linear.decide_all

    def weakened(statements: list[linear.Statement]) -> linear.Decision:
        return right([replace(statements[0], hypotheses=statements[0].hypotheses[:kept])])

    monkeypatch.setattr(linear, "decide_all", weakened)
    assert check(RUN).status == "refuted"


def test_without_numpy_an_obligation_is_undecided() -> None:
    def check(run: Run) -> Any:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    assert obligations.needs_numpy(check)(RUN).status == "undecided"

    def broken(run: Run) -> Any:
        raise ModuleNotFoundError("No module named 'other'", name="other")

    with pytest.raises(ModuleNotFoundError):
        obligations.needs_numpy(broken)(RUN)


def test_a_release_is_not_in_the_certificate() -> None:
    released = BatchMechanism(1.0, 10.0).release([3.14159], SeededSource(1))
    assert "3.14159" not in json.dumps(released.certificate.as_json())
