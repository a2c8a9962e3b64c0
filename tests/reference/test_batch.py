"""Many releases at once: bit for bit what the reference releases one by one, and the same refusals."""

import json
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
from snapref_proofs.batch.faults import PARAMETERS
from snapref_proofs.batch.replayed import Begun, drawn, reference_word

words64 = st.integers(0, 2**64 - 1)


class NoSource:
    """A source that is not to be asked."""

    name = "none"

    def bits(self, count: int) -> int:
        raise AssertionError(f"asked for {count} more bits")


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


def test_words_that_the_reference_would_not_ask_for_are_no_draw() -> None:
    with pytest.raises(AssertionError, match="asks for 64 bits first, not for 117"):
        Begun(0, NoSource()).bits(64)


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
    words = np.array([((2**52 - 1) << 1 | 1, 1 << 63)], np.uint64)  # S = 1, e = 1, all bits of the mantissa
    found = mechanism.rounded_logarithms(words, NoSource())
    assert found[0] == float(ln(Uniform(53)(1, 2**52 - 1), 53))


@settings(max_examples=200)
@given(st.sampled_from(PARAMETERS), st.floats(-1.5, 1.5), words64, words64)
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
        [np.zeros((2, 2)), np.zeros((2, 3))],
        np.array([1.0], np.longdouble),
        np.ma.array([1.0, 2.0], mask=[False, True]),
        [np.ma.array([1.0, 2.0], mask=[False, True])],
        [np.array([5, 6], "m8[ns]")],
        bytearray(b"ab"),
    ],
)
def test_bad_values_are_refused_without_being_shown(bad: Any) -> None:
    """And before anything is drawn: nothing is released."""
    with pytest.raises(ParameterError, match="values must be") as error:
        BatchMechanism(1.0, 10.0).release(bad, NoSource())
    assert "9007199254740993" not in str(error.value)


def test_parameters_for_which_doubles_are_too_narrow_are_refused() -> None:
    with pytest.raises(ParameterError, match="one by one"):
        BatchMechanism(1.0, 2.0**1000, 2.0**990)
    with pytest.raises(ParameterError, match="bound must be below"):
        BatchMechanism(1.0, 2**1050, 2.0**1020)  # no double at all
    with pytest.raises(ParameterError, match="epsilon"):
        BatchMechanism(-1.0, 10.0)


def test_a_release_is_not_in_the_certificate() -> None:
    released = BatchMechanism(1.0, 10.0).release([3.14159], SeededSource(1))
    assert "3.14159" not in json.dumps(released.certificate.as_json())
