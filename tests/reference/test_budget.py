"""The budget: exact, rounded to the safe side, refused with advice that works."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import Mechanism, ParameterError, certify, notes_precision
from snapref.budget import (
    PROVED,
    eta,
    floor_log2,
    inner_epsilon,
    loss_bound,
    padded_sensitivity,
    plan_budget,
    round_to_bits,
    show,
    suggest,
)
from snapref.certificate import exact_text, hexadecimal, upper_text

positive = st.floats(min_value=1e-300, max_value=1e300)


@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**30), st.integers(2, 120))
def test_directed_rounding(x: Fraction, precision: int) -> None:
    down, up = round_to_bits(x, precision, up=False), round_to_bits(x, precision, up=True)
    unit = Fraction(2) ** (floor_log2(x) + 1 - precision)
    assert down <= x <= up
    assert up - down in (0, unit)
    for rounded in (down, up):
        assert rounded / unit == rounded // unit
        assert rounded.numerator.bit_length() <= precision or rounded.denominator == 1


def test_the_formula_of_section_5_is_what_it_rounds() -> None:
    epsilon, bound, h = Fraction(0.3), Fraction(100), eta(53)
    exact = (epsilon - 2 * h) / (1 + 12 * bound * h)
    inner = inner_epsilon(epsilon, bound, Fraction(1), 53)
    assert 0 <= exact - inner < Fraction(2) ** (floor_log2(exact) - 52)
    scaled = inner_epsilon(epsilon, bound * 8, Fraction(8), 53)  # Δ enters as B/Δ
    assert scaled == inner


@given(
    st.floats(1e-6, 50.0),
    st.floats(1e-3, 1e9),
    st.one_of(st.just(1.0), st.floats(1e-3, 1e3)),
    st.sampled_from([24, 53, 80, 118]),
)
def test_what_is_accepted_is_honoured(epsilon: float, bound: float, sensitivity: float, precision: int) -> None:
    exact = (Fraction(epsilon), Fraction(bound), Fraction(sensitivity))
    try:
        budget = plan_budget(*exact, precision)
    except ParameterError:
        return
    h = eta(precision)
    assert budget.honoured <= budget.epsilon
    assert budget.honoured == loss_bound(budget.scale, budget.bound, budget.padded_sensitivity, precision)
    assert budget.padded_sensitivity >= budget.sensitivity
    assert budget.scale >= budget.sensitivity / budget.inner_epsilon
    assert budget.scale <= budget.bound
    assert budget.bound * h / budget.scale <= Fraction(1, 2**7)
    assert budget.scale == round_to_bits(budget.scale, precision, up=True)
    # Hardly anything is wasted: two roundings of ε' and λ, and the padding.
    assert budget.honoured >= (budget.epsilon - 2 * h) * (1 - 4 * h)


def test_only_a_sensitivity_off_the_grid_is_padded() -> None:
    grid = Fraction(2) ** (floor_log2(Fraction(200)) - 52)
    for sensitivity in (Fraction(1), Fraction(5, 2), Fraction(2) ** -80, 3 * grid):
        assert padded_sensitivity(sensitivity, Fraction(100), 53) == sensitivity
    padded = padded_sensitivity(Fraction(1.1), Fraction(100), 53)
    assert 0 < padded - Fraction(1.1) < grid
    assert padded / grid == padded // grid


@pytest.mark.parametrize(
    ("epsilon", "p"),
    [(1.0, 2), (0.5, 3), (0.3, 3), (0.25, 4), (2.0**-200, 202), (2.0**-200 * 1.5, 201), (1.5, 1), (4.0, 0)],
)
def test_the_notes_rule_for_p(epsilon: float, p: int) -> None:
    assert notes_precision(Fraction(epsilon), logarithm_bits=-99) == p
    assert notes_precision(Fraction(epsilon)) == max(p, 118)
    assert Fraction(epsilon) > 2 * Fraction(2) ** -p


REFUSED = [
    (0.5, 1.0, 1.0, 53, "λ ≤ B"),
    (1e-15, 1e17, 1.0, 53, "λ ≤ B"),
    (1e-3, 2.0, 1.1, 53, "λ ≤ B"),
    (0.01, 50.0, 1.0, 24, "λ ≤ B"),
    (0.5, 1e18, 1.0, 53, "B·η/λ"),
    (10.0, 1e15, 1.0, 53, "B·η/λ"),
    (1.0, 64.0, 1.1, 11, "B·η/λ"),
    (300.0, 1e40, 0.7, 118, "B·η/λ"),
]


@pytest.mark.parametrize(("epsilon", "bound", "sensitivity", "precision", "condition"), REFUSED)
def test_a_refusal_names_the_condition_and_its_advice_works(
    epsilon: float, bound: float, sensitivity: float, precision: int, condition: str
) -> None:
    with pytest.raises(ParameterError, match=re.escape(condition)) as refused:
        Mechanism(epsilon, bound, sensitivity, precision)
    message = str(refused.value)
    tried = 0
    for name, advised in re.findall(r"(?:a|an) (bound|epsilon|precision) of at (?:least|most) ([0-9.e+-]+\d)", message):
        changed = {"epsilon": epsilon, "bound": bound, "sensitivity": sensitivity, "precision": precision}
        changed[name] = int(advised) if name == "precision" else float(advised)
        assert Mechanism(**changed).certificate.budget.honoured <= Fraction(changed["epsilon"])  # type: ignore[arg-type]
        tried += 1
    assert tried >= 1


@pytest.mark.parametrize("epsilon", [2.0**-52, 1e-17, 5e-324])
def test_an_epsilon_of_at_most_two_eta_is_refused(epsilon: float) -> None:
    with pytest.raises(ParameterError, match=r"epsilon .* not larger than 2η"):
        Mechanism(epsilon, 10.0)


@pytest.mark.parametrize("precision", [-1, 0, 2, 10, 4097])
def test_precisions_out_of_range(precision: int) -> None:
    with pytest.raises(ParameterError, match="precision"):
        Mechanism(1.0, 10.0, precision=precision)


def test_messages_survive_numbers_that_no_float_holds() -> None:
    assert show(Fraction(0)) == "0"
    assert show(Fraction(10) ** 400) == "about 2**1328"
    assert show(Fraction(1, 10**400)) == "about 2**-1329"
    assert suggest(Fraction(10) ** 400, 53, up=True) == "about 2**1328"


def test_the_certificate_reads_back() -> None:
    certificate = Mechanism(0.3, 777.5, 1.1).certificate
    data = certificate.as_json()
    for name in ("epsilon", "inner_epsilon", "scale", "bound", "sensitivity", "padded_sensitivity"):
        assert Fraction(float.fromhex(str(data[name]))) == getattr(certificate.budget, name)
    assert float.fromhex(str(data["honoured"])) <= 0.3
    assert Fraction(float.fromhex(str(data["lattice"]))) == certificate.lattice
    labels = [label for label, _ in certificate.lines()]
    assert len(labels) == len(set(labels))
    assert any("padded" in text for _, text in certificate.lines())
    assert not any("padded" in text for _, text in Mechanism(0.3, 777.5).certificate.lines())


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_hex_is_exact(x: float) -> None:
    assert Fraction(float.fromhex(hexadecimal(Fraction(x)))) == Fraction(x)


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_a_bound_is_written_rounded_up(x: Fraction) -> None:
    decimal, _, exact = upper_text(x).partition(" ")
    above = Fraction(float.fromhex(exact.strip("()")))
    assert x <= above <= x * (1 + 2 * eta(53))
    assert above <= Fraction(decimal) <= above * (1 + Fraction(1, 10**16))


def test_a_bound_that_no_float_holds_is_written_rounded_up() -> None:
    assert upper_text(Fraction(1, 2**4095)).startswith("1.9149")
    assert upper_text(Fraction(1, 2**4095)).endswith("E-1233 (0x1p-4095)")


def test_numbers_that_no_float_holds_are_written_too() -> None:
    assert hexadecimal(Fraction(3) * 2**2000) == "0x1.8p+2001"
    assert exact_text(Fraction(3) * 2**2000) == "about 2**2001 (0x1.8p+2001)"
    assert exact_text(Fraction(2**60 + 1)) == "1.15292e+18 (0x1.000000000000001p+60)"
    assert exact_text(Fraction(0)) == "0.0 (0x0p+0)"


@pytest.mark.parametrize(
    ("scale", "bound", "precision", "constant"),
    [
        (1.0, 100.0, 53, Fraction(10985, 1000)),
        (1.0, 2.0**37, 53, Fraction(10985, 1000)),
        (1.0, 2.0**38, 53, 11),
        (1.0, 2.0**40, 53, 11),
        (1.0, 2.0**41, 53, 12),
        (1.0, 2.0**46, 53, 12),
        (1.0, 16.0, 11, 12),
    ],
)
def test_given_parameters_are_certified_with_the_smallest_constant_that_covers_them(
    scale: float, bound: float, precision: int, constant: int | Fraction
) -> None:
    certified = certify(scale, bound, precision=precision)
    h = eta(precision)
    assert certified.constant == constant
    assert certified.epsilon == (1 + constant * Fraction(bound) * h) / Fraction(scale) + 2 * h


def test_a_sensitivity_off_the_grid_is_certified_padded() -> None:
    assert certify(1.0, 100.0, 1.1).epsilon > certify(1.0, 100.0, 1.1 - 2.0**-44).epsilon > 1.1 - 2.0**-40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2.0, 1.0), "λ ≤ B"),
        ((1.0, 2.0**47), "B·η/λ"),
        ((1.0, 10.0, 1.0, 10), "precision"),
        ((0.1, 10.0, 1.0, 24), "24 bits"),
        ((1.0, 10.0, -1.0), "sensitivity"),
        ((math.nan, 10.0), "scale"),
        ((1.0, "10"), "bound"),
    ],
)
def test_what_is_not_covered_is_not_certified(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        certify(*arguments)  # type: ignore[arg-type]


def test_a_budget_is_certified_by_what_it_was_made_from() -> None:
    certificate = Mechanism(0.5, 100.0).certificate
    assert certify(float(certificate.budget.scale), 100.0).epsilon <= certificate.budget.honoured


def test_the_rows_begin_with_the_documents_constant() -> None:
    """Each row has the η of its least precision; the first has the documents' 12, and the weakest conditions."""
    assert PROVED[0].constant == 12
    for row in PROVED:
        assert row.eta == Fraction(1, 2**row.min_precision)
        assert row.min_precision >= PROVED[0].min_precision
        assert row.max_beta <= PROVED[0].max_beta
