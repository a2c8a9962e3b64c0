"""The whole mechanism against the definition in rationals, and what a release promises."""

import math
import pickle
import struct
from fractions import Fraction

import gmpy2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snapref
from snapref import Mechanism, SeededSource, binary64
from snapref.arithmetic import Dyadic
from snapref.formats import working_format
from snapref.mechanism import snapped
from snapref.randomness import draw
from snapref.uniform import Uniform

from .oracle import mechanism, nearest_multiple

unit_floats = st.one_of(
    st.floats(0.0, 1.0, exclude_min=True, exclude_max=True),
    st.floats(0.25, 1.0, exclude_max=True),
)


@settings(max_examples=300)
@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(1e-3, 1e6),
    st.floats(1e-3, 1e9),
    st.sampled_from([1, -1]),
    unit_floats,
)
def test_doubles_against_the_definition(value: float, scale: float, bound: float, sign: int, u: float) -> None:
    expected, _ = mechanism(Fraction(value), Fraction(scale), Fraction(bound), sign, Fraction(u), 53)
    assert Fraction(binary64.snap(value, scale, bound, sign, u)) == expected


@settings(max_examples=150)
@given(st.sampled_from([2, 5, 8, 24, 64, 118]), st.data())
def test_other_precisions_against_the_definition(precision: int, data: st.DataObject) -> None:
    fmt = working_format(precision)
    significands = st.integers(2 ** (precision - 1), 2**precision - 1)
    numbers = st.builds(lambda s, e: (s, e - precision), significands, st.integers(-3, 12))
    value, scale, bound = (data.draw(numbers) for _ in range(3))
    u = Dyadic(data.draw(significands), -precision - data.draw(st.integers(0, 40)))
    sign = data.draw(st.sampled_from([1, -1]))

    def exact(number: tuple[int, int]) -> Fraction:
        return number[0] * Fraction(2) ** number[1]

    def pattern(number: tuple[int, int]) -> int:
        return fmt.encode(
            gmpy2.context(precision=precision).mul_2exp(gmpy2.mpfr(number[0], 1), number[1] + 200) / 2**200
        )

    with gmpy2.context(precision=200):
        result = snapped(pattern(value), pattern(scale), pattern(bound), sign, u, fmt)
    _, significand, unit = fmt.unpack(result)
    signed = -significand if result & fmt.sign_bit else significand
    expected, _ = mechanism(exact(value), exact(scale), exact(bound), sign, exact(u), precision)
    assert signed * Fraction(2) ** unit == expected


def test_the_caller_s_mpfr_context_changes_nothing() -> None:
    values = []
    for precision in (2, 53, 300):
        with gmpy2.context(precision=precision, round=gmpy2.RoundUp):
            values.append(Mechanism(0.5, 1e20, precision=118).release(1e15, SeededSource(3)).value)
    assert values[0] == values[1] == values[2]


def test_sign_plus_one_moves_down() -> None:
    assert binary64.snap(0.0, 1.0, 100.0, 1, 2.0**-20) < 0 < binary64.snap(0.0, 1.0, 100.0, -1, 2.0**-20)


@pytest.mark.parametrize("sign", [0, 2, -2, None])
def test_a_sign_is_one_or_minus_one(sign: int) -> None:
    with pytest.raises(snapref.ParameterError, match="sign"):
        binary64.snap(0.0, 1.0, 1.0, sign, 0.5)


def test_extreme_scales_neither_overflow_nor_underflow() -> None:
    assert binary64.snap(0.0, 2.0**1023, 2.0**1023, -1, 5e-324) == 2.0**1023
    assert binary64.snap(5e-324, 5e-324, 1e-320, 1, 0.9999999999999999) == 5e-324
    assert binary64.snap(math.inf, 1.0, 2.0, 1, 0.9999999999999999) == 2.0


@given(st.floats(-1e3, 1e3), st.integers(0, 2**32))
def test_a_release_is_on_the_lattice_or_at_the_bound(value: float, seed: int) -> None:
    prepared = Mechanism(epsilon=0.3, bound=777.5, sensitivity=2.5)
    release = prepared.release(value, SeededSource(seed)).value
    assert isinstance(release, float)
    assert abs(release) <= 777.5
    lattice = prepared.certificate.lattice
    assert abs(release) == 777.5 or nearest_multiple(Fraction(release), lattice) == Fraction(release)


def test_snap_releases_once_with_its_certificate() -> None:
    release = snapref.snap(3.0, epsilon=1.0, bound=10.0)
    assert release.certificate.budget.honoured <= 1
    assert release.randomness == "system"
    assert isinstance(release.value, float)


def test_118_bits_release_an_mpfr_number() -> None:
    release = Mechanism(1e-20, 1e30, precision=118).release(12345.0)
    assert isinstance(release.value, gmpy2.mpfr)


@pytest.mark.parametrize(
    ("epsilon", "bound", "sensitivity"), [(4.0, 5e-324, 5e-324), (1.0, 1.75 * 2.0**1023, 1.5 * 2.0**1023)]
)
def test_a_lattice_that_no_double_holds_is_refused(epsilon: float, bound: float, sensitivity: float) -> None:
    with pytest.raises(snapref.ParameterError, match="not a double"):
        Mechanism(epsilon, bound, sensitivity)


@pytest.mark.parametrize("sign", [1, -1])
def test_an_int_too_long_to_be_written_is_refused_by_its_length(sign: int) -> None:
    with pytest.raises(snapref.ParameterError, match="an int of 20001 bits"):
        Mechanism(1.0, sign * 2**20000, 2**19995)


def test_a_mechanism_goes_to_another_process() -> None:
    prepared = Mechanism(1.0, 10.0)
    copy = pickle.loads(pickle.dumps(prepared))
    assert copy.release(3.0, SeededSource(5)) == prepared.release(3.0, SeededSource(5))


@pytest.mark.parametrize("precision", [53, 60])
def test_a_bound_beyond_doubles_is_refused(precision: int) -> None:
    with pytest.raises(snapref.ParameterError, match=r"bound must be below 2\*\*1024"):
        Mechanism(1.0, 2**1050, 2.0**1020, precision)


def test_a_bound_that_the_precision_cannot_hold_is_refused() -> None:
    with pytest.raises(snapref.ParameterError, match=r"bound = 1000\.1 .* 24 bits"):
        Mechanism(1.0, 1000.1, precision=24)


def test_repr_shows_public_parameters_only() -> None:
    prepared = Mechanism(1.0, 10.0)
    release = prepared.release(3.14159, SeededSource(1))
    for text in (repr(prepared), repr(release), str(release), repr(vars(prepared))):
        assert "3.14159" not in text
        assert (3.14159).hex()[4:12] not in text


@settings(max_examples=200)
@given(st.floats(1e-3, 10.0), st.floats(20.0, 1e6), st.floats(-2.0, 2.0), st.integers(0, 2**32))
def test_in_doubles_a_release_is_what_it_is_in_the_working_format(
    epsilon: float, ratio: float, part: float, seed: int
) -> None:
    """`Mechanism` computes in doubles where they have room; wider exponents change nothing there."""
    for sensitivity in (1.0, 2.0**-880, 2.0**850):
        prepared = Mechanism(epsilon, sensitivity * ratio / epsilon, sensitivity)
        value = part * sensitivity * ratio / epsilon
        assert prepared._in_doubles
        budget = prepared.certificate.budget
        wide = working_format(53)
        result = snapped(
            wide.encode(value),
            wide.encode(float(budget.scale)),
            wide.encode(float(budget.bound)),
            *draw(SeededSource(seed), Uniform(53)),
            wide,
        )
        release = prepared.release(value, SeededSource(seed)).value
        assert struct.pack("d", release) == struct.pack("d", float(wide.decode(result)))  # the sign of a zero counts


@pytest.mark.parametrize(("bound", "sensitivity"), [(2.0**-1000, 2.0**-1010), (2.0**1000, 2.0**990)])
def test_beyond_that_it_computes_with_wider_exponents(bound: float, sensitivity: float) -> None:
    prepared = Mechanism(1.0, bound, sensitivity)
    assert not prepared._in_doubles
    assert abs(prepared.release(bound).value) <= bound


def test_a_kind_of_float_is_released_as_a_plain_one() -> None:
    class Kind(float):
        def __lt__(self, other: object) -> bool:
            raise AssertionError("its own arithmetic is not used")

        __gt__ = __add__ = __radd__ = __float__ = __lt__  # type: ignore[assignment]

    prepared = Mechanism(1.0, 10.0)
    release = prepared.release(Kind(3.0), SeededSource(5))
    assert type(release.value) is float
    assert release == prepared.release(3.0, SeededSource(5))


def test_an_int_is_released_as_the_float_that_it_is() -> None:
    prepared = Mechanism(1.0, 10.0)
    for value in (0, 3, -7, 2**53, -(2**900)):
        ints, floats = (prepared.release(number, SeededSource(5)).value for number in (value, float(value)))
        assert ints == floats
    assert prepared.release(2**2000, SeededSource(5)).value == prepared.release(1e300, SeededSource(5)).value
    with pytest.raises(snapref.ParameterError, match="53 bits hold exactly"):
        prepared.release(2**53 + 1)
