"""⊕ and ⊗ round the exact result once, to nearest, ties to even, at every precision."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from snapref.arithmetic import add, multiply, scaled
from snapref.arithmetic import exact as unchanged

from .oracle import to_nearest_even

numbers = st.tuples(st.integers(-(2**120), 2**120), st.integers(-200, 200))


def exact(significand: int, exponent: int) -> Fraction:
    return significand * Fraction(2) ** exponent


@given(numbers, numbers, st.integers(2, 130))
def test_sum_and_product(a: tuple[int, int], b: tuple[int, int], precision: int) -> None:
    for operation, result in (
        (add, exact(*a) + exact(*b)),
        (multiply, exact(*a) * exact(*b)),
    ):
        computed = operation(scaled(*a), scaled(*b), precision)
        assert Fraction(*(int(part) for part in computed.as_integer_ratio())) == to_nearest_even(result, precision)


@given(st.floats(-1e150, 1e150), st.floats(-1e150, 1e150))
def test_at_53_bits_they_are_the_machine_s(a: float, b: float) -> None:
    from gmpy2 import mpfr

    assert float(add(mpfr(a), mpfr(b), 53)) == a + b
    if a == 0 or b == 0 or abs(a * b) > 2.0**-1000:
        assert float(multiply(mpfr(a), mpfr(b), 53)) == a * b


@given(st.integers(-(2**3000), 2**3000), st.integers(-20000, 20000))
def test_scaled_is_exact(significand: int, exponent: int) -> None:
    number = scaled(significand, exponent)
    assert Fraction(*map(int, number.as_integer_ratio())) == exact(significand, exponent)


@given(st.one_of(st.integers(-(2**3000), 2**3000), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_number_stays_what_it_is(x: float) -> None:
    from gmpy2 import is_signed

    number = unchanged(x)
    assert Fraction(*map(int, number.as_integer_ratio())) == Fraction(x)
    assert unchanged(number) is number
    if x == 0:
        assert is_signed(number) == (str(x) == "-0.0")
