"""⊕ and ⊗ round the exact result once, to nearest, ties to even, at every precision."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from snapref.arithmetic import add, multiply, scaled

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
