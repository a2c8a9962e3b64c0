"""The obligations: each is registered once, against a claim that exists, and what it says about the code holds."""

import importlib
from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from snapref.errors import ParameterError
from snapref.formats import BINARY64
from snapref_ledger import REGISTRY, load_claims
from snapref_smt import obligations
from snapref_smt.engine.stating import STATED
from snapref_smt.models import FORMATS, SUBJECTS, layout, lifted_clamp, lifted_lattice, lifted_round
from snapref_smt.oracle import number, pattern, rounded, smallest_exponent
from snapref_smt.printed import formulas as printed
from snapref_smt.replay import expected_clamp, expected_lattice, expected_round, replay_round
from snapref_smt.trace import float_line

FORM = layout(BINARY64)
PATTERNS = st.one_of(
    st.integers(0, 2**64 - 1),
    st.builds(
        lambda s, e, f: (s << 63) | (e << 52) | f,
        st.integers(0, 1),
        st.integers(0, 2047),
        st.sampled_from([0, 1, 2**51 - 1, 2**51, 2**51 + 1, 2**52 - 1]),
    ),
)


def evaluate(term: z3.ExprRef, **values: int) -> int | bool:
    pairs = []
    for name, value in values.items():
        variable = FORM.lattice(name) if name == "m" else FORM.pattern(name)
        pairs.append((variable, z3.BitVecVal(value, variable.size())))
    result = z3.simplify(z3.substitute(term, *pairs))
    return z3.is_true(result) if z3.is_bool(result) else result.as_long()


def test_every_obligation_has_a_claim_and_a_scope() -> None:
    claims = load_claims()
    assert obligations.__all__
    for id in STATED:
        obligation = REGISTRY[id]
        assert obligation.claim in claims, id
        assert obligation.scope, id
        assert obligation.summary, id
        assert importlib.import_module(obligation.module), id


# The specification against exact rational arithmetic, which shares nothing with it


@given(PATTERNS, st.integers(-1074, 1023))
def test_the_specification_is_the_definition(x: int, m: int) -> None:
    wanted = expected_round(x, m, FORM)
    if isinstance(wanted, int):
        assert evaluate(FORM.rounds_to(FORM.pattern("x"), FORM.lattice(), FORM.pattern("r")), x=x, m=m, r=wanted)
        other = FORM.rounds_to(FORM.pattern("x"), FORM.lattice(), FORM.pattern("r"))
        assert not evaluate(other, x=x, m=m, r=wanted ^ 1)
    elif "overflow" in wanted:
        assert evaluate(FORM.overflows(FORM.pattern("x"), FORM.lattice()), x=x, m=m)


@given(PATTERNS, st.integers(-1100, 1100))
def test_powers(x: int, m: int) -> None:
    if expected_round(x, 0, FORM) == "an error: x is not finite":
        return
    said = evaluate(FORM.at_most_power(FORM.pattern("x"), FORM.lattice()), x=x, m=m)
    assert said == (abs(number(x, FORM)) <= Fraction(2) ** m)


@given(PATTERNS, PATTERNS)
def test_order(a: int, b: int) -> None:
    try:
        expected = number(a, FORM) < number(b, FORM)
    except ValueError:
        return
    assert evaluate(FORM.less(FORM.pattern("a"), FORM.pattern("b")), a=a, b=b) == expected


# The code, run on the same inputs


@given(PATTERNS, st.integers(-1080, 1030))
def test_the_code_and_the_oracle_agree(x: int, m: int) -> None:
    for name, arguments, wanted in (
        ("round_to_lattice", (x, m), expected_round(x, m, FORM)),
        ("lattice_exponent", (x,), expected_lattice(x, FORM)),
        ("clamp", (x, x ^ (1 << 60)), expected_clamp(x, x ^ (1 << 60), FORM)),
    ):
        try:
            got: int | str = SUBJECTS[name](*arguments)
        except ParameterError:
            got = "refused"
        assert got == wanted or (got == "refused" and isinstance(wanted, str)), name


@pytest.mark.parametrize("fmt", FORMATS.values(), ids=FORMATS)
def test_lifting_finds_the_paths(fmt: object) -> None:
    assert len(lifted_round(fmt).paths) == 18  # type: ignore[arg-type]
    assert len(lifted_lattice(fmt).paths) == 7  # type: ignore[arg-type]
    assert len(lifted_clamp(fmt).paths) == 5  # type: ignore[arg-type]
    labels = set(lifted_round(fmt).labels)  # type: ignore[arg-type]
    assert labels == {"", "Case 1", "Case 2", "Case 3", "Case 4"}


def test_a_wrong_function_is_refuted_with_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(bits: int, m: int, fmt: object = BINARY64) -> int:
        return bits

    monkeypatch.setitem(SUBJECTS, "round_to_lattice", wrong)
    trace = replay_round(BINARY64)({"x": pattern(Fraction(5, 2), FORM), "m": 0})
    assert [line.split()[0] for line in trace.splitlines()] == ["x", "m", "result", "expected"]
    assert "0x1.4p+1" in trace
    assert "0x4004000000000000" in trace


# The printed formulas as concrete code


@pytest.mark.parametrize(
    ("x", "printed_result", "right"),
    [(1.75, 1.0, 2), (3.75, 2.0, 4), (-2.5, -3.0, -2), (2.5, 3.0, 3), (2.25, 2.0, 2), (-1.5, -1.0, -1), (1.5, 1.0, 2)],
)
def test_equation_42(x: float, printed_result: float, right: int) -> None:
    bits = pattern(Fraction(x), FORM)
    assert bits is not None
    assert number(printed.case2(bits), FORM) == Fraction(printed_result)
    assert rounded(Fraction(x), 0) == right
    assert number(printed.case2_half_up(bits), FORM) == right


@given(st.integers(1, 2046), st.integers(0, 2**52 - 1))
def test_equation_41_on_normal_numbers(field: int, fraction: int) -> None:
    scale = (field << 52) | fraction
    wanted = pattern(Fraction(2) ** smallest_exponent(number(scale, FORM)), FORM)
    assert wanted is None or printed.lattice(scale) == wanted


def test_lines_of_a_trace() -> None:
    assert float_line("x", 0x3FF8000000000000, FORM).split() == ["x", "=", "1.5", "0x1.8p+0", "0x3ff8000000000000"]
    assert float_line("x", 1 << 63, FORM).split()[2:] == ["-0.0", "-0x0p+0", "0x8000000000000000"]
    assert float_line("x", 0x7FF0000000000001, FORM).split()[2] == "nan"
    assert float_line("x", 0xFFF0000000000000, FORM).split()[2] == "-inf"
    working = layout(FORMATS["working"])
    assert "p+16000" in float_line("x", pattern(Fraction(2) ** 16000, working) or 0, working)
