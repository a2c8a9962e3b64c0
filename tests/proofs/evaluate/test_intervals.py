"""Two engines, one interface: enclosures are enclosures, and an engine that lies is caught."""

from fractions import Fraction

import gmpy2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from snapref_proofs.evaluate.intervals import Arb, Disagreement, Iv, agreed, enclose, sign

small = st.fractions(min_value=-40, max_value=40, max_denominator=10**6)
engines = pytest.mark.parametrize("engine", [Iv(53), Arb(53), Iv(200), Arb(200)], ids=lambda e: f"{e.name}-{e.bits}")


@engines
@given(x=small, y=small)
def test_arithmetic_encloses(engine, x, y):
    for operation in (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b):
        low, high = enclose(lambda e: operation(e.between(x, x), e.between(y, y)), engine)  # noqa: B023
        assert low <= operation(x, y) <= high
    if y:
        low, high = enclose(lambda e: e.between(x, x) / e.between(y, y), engine)
        assert low <= x / y <= high


@engines
@example(x=Fraction(18))
@given(x=small)
def test_exp_and_log_enclose_what_mpfr_encloses(engine, x):
    def directed(function, mode):
        with gmpy2.context(precision=300, round=mode):
            return Fraction(*map(int, function(gmpy2.mpfr(gmpy2.mpq(x))).as_integer_ratio()))

    low, high = enclose(lambda e: e.exp(e.between(x, x)), engine)
    slack = Fraction(1, 2**250) * high  # x itself was rounded to 300 bits
    assert low <= directed(gmpy2.exp, gmpy2.RoundUp) + slack
    assert directed(gmpy2.exp, gmpy2.RoundDown) - slack <= high
    if x > 0:
        low, high = enclose(lambda e: e.log(e.between(x, x)), engine)
        assert low <= directed(gmpy2.log, gmpy2.RoundUp) + Fraction(1, 2**250)
        assert directed(gmpy2.log, gmpy2.RoundDown) - Fraction(1, 2**250) <= high


def test_mpmath_alone_does_not_enclose() -> None:
    """e**18 lies beyond the upper end that mpmath gives at 200 bits. Where this changes, `widened` can be looked at."""
    engine, x = Iv(200), Fraction(18)
    with gmpy2.context(precision=300, round=gmpy2.RoundDown):
        exact = Fraction(*map(int, gmpy2.exp(gmpy2.mpfr(18)).as_integer_ratio()))
    plain = engine.ends(engine.context.exp(engine.between(x, x)))
    assert plain is not None
    assert plain[1] < exact
    low, high = enclose(lambda e: e.exp(e.between(x, x)), engine)
    assert low < exact < high


@engines
def test_whole_intervals_and_hulls(engine):
    low, high = enclose(lambda e: e.exp(e.between(Fraction(0), Fraction(1))), engine)
    assert low <= 1
    assert high >= Fraction(2718, 1000)
    low, high = enclose(
        lambda e: e.hull(e.between(Fraction(1), Fraction(2)), e.between(Fraction(-3), Fraction(0))), engine
    )
    assert low <= -3
    assert high >= 2


@engines
def test_what_cannot_be_bounded_is_an_error(engine):
    with pytest.raises(ArithmeticError):
        enclose(lambda e: e.between(Fraction(1), Fraction(1)) / e.between(Fraction(-1), Fraction(1)), engine)


def test_precision_of_arb_is_put_back():
    import flint

    before = flint.ctx.prec
    enclose(lambda e: e.exp(e.between(Fraction(1), Fraction(1))), Arb(777))
    assert flint.ctx.prec == before


def test_engines_that_disagree_are_an_error():
    def lie(engine):
        value = Fraction(1) if engine.name == "Arb" else Fraction(2)
        return engine.between(value, value)

    with pytest.raises(Disagreement):
        agreed(lie, 64)
    with pytest.raises(Disagreement):
        sign(lambda e: lie(e) - e.between(Fraction(3, 2), Fraction(3, 2)), 64)


def test_sign_refines_until_it_is_certain():
    tiny = Fraction(1, 2**300)
    assert sign(lambda e: e.exp(e.between(tiny, tiny)) - 1, 64) == 1
    assert sign(lambda e: 1 - e.exp(e.between(tiny, tiny)), 64) == -1
    assert sign(lambda e: e.between(Fraction(0), Fraction(0)), 64) == 0
