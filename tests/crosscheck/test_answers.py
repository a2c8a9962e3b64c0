"""What is expected of a target is what the reference computes; numbers travel without loss; laws add up."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snapref import ParameterError, binary64
from snapref_crosscheck import strategies
from snapref_crosscheck.cases import GENERATORS, cases, hard_logs
from snapref_crosscheck.expected import expected, snap_steps
from snapref_crosscheck.flags import FLAGS
from snapref_crosscheck.law import biased, fair, law, mantissa_bit
from snapref_crosscheck.protocol import COMPONENTS, Description, Number, description, from_wire, sent, to_wire
from snapref_proofs.evaluate.distribution import probabilities
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction

UP = Description()


@pytest.mark.parametrize("op", COMPONENTS)
def test_the_first_right_answer_is_the_reference(op: str) -> None:
    for case in cases(op)[::3]:
        right = expected(op, case.args, UP)
        try:
            reference = getattr(binary64, op)(**case.args)
        except (ParameterError, OverflowError):
            assert right.refusal, case
        else:
            assert right.results, case
            assert right.results[0] == reference, case


def test_every_case_has_flags_that_are_explained_and_every_flag_is_used() -> None:
    used = {flag for op in GENERATORS for case in cases(op) for flag in case.flags}
    assert all(case.flags for op in GENERATORS for case in cases(op))
    assert used == set(FLAGS)


def test_ties_of_snap_are_ties() -> None:
    ties = [case for case in cases("snap") if "Tie" in case.flags]
    assert len(ties) >= 200
    for case in ties:
        steps = snap_steps(**case.args, told=UP)  # type: ignore[arg-type]
        assert abs(Fraction(float(steps["noisy"])) / Fraction(float(steps["Λ"])) % 1) == Fraction(1, 2)
    differing = [c for c in ties if expected("snap", c.args, UP) != expected("snap", c.args, Description(ties="down"))]
    assert len(differing) >= 150


def test_thresholds_of_snap_are_thresholds() -> None:
    """Of the two u that belong together, one gives the output below the threshold and the other the one above."""
    pairs: dict[tuple[object, ...], set[float]] = {}
    for case in cases("snap"):
        if "ThresholdEdge" in case.flags:
            key = (case.args["value"], case.args["scale"], case.args["bound"], case.args["sign"], case.comment)
            pairs.setdefault(key, set()).add(expected("snap", case.args, UP).results[0])
    both = [results for results in pairs.values() if len(results) == 2]
    assert len(both) >= 0.8 * len(pairs) > 100


def test_hard_logs_are_hard() -> None:
    wrong = sum(math.log(u) != binary64.log(u) for u in hard_logs())
    assert len(hard_logs()) >= 200
    assert all(0 < u < 1 for u in hard_logs())
    assert wrong > 0  # every libm known so far misses some of them


@given(st.floats())
def test_numbers_travel_without_loss(x: float) -> None:
    back = from_wire(to_wire(x))
    assert (math.isnan(x) and math.isnan(back)) or (x == back and math.copysign(1, x) == math.copysign(1, back))


@pytest.mark.parametrize("text", ["0x1p0", "0x1p+0", "0X1P+0", "0x10p-4", "0x.8p+1", "0x1", "0x2.0p-1"])
def test_spellings_of_one(text: str) -> None:
    if text.startswith("0x."):
        with pytest.raises(ValueError, match="not a C99 hex float"):
            from_wire(text)
    else:
        assert from_wire(text) == 1.0


@pytest.mark.parametrize(
    "text", ["1.0", "", "0x", "0x1p", "0x1p+99999999", "0x1p+2000", "Infinity", 1.0, None, True, [], "٣"]
)
def test_what_is_no_number(text: object) -> None:
    with pytest.raises(ValueError, match=r"not|expected|large"):
        from_wire(text)


@pytest.mark.parametrize(
    "text", ["2", "0.5", "-10.3", "0.1", "1e3", "0.30000000000000004", "1e-310", "4503599627370497"]
)
def test_json_numbers_that_determine_a_double(text: str) -> None:
    assert from_wire(Number(text)) == float(text)


@pytest.mark.parametrize("text", ["9007199254740993", "1e999", "0.30000000000000001", "1" * 2000])
def test_json_numbers_that_do_not(text: str) -> None:
    with pytest.raises(ValueError, match=r"not exactly a double|too large|more digits"):
        from_wire(Number(text))


def test_a_sign_that_is_a_mantissa_bit() -> None:
    """P(U* < t and the bit is set), against all values of a small format."""
    values = [(1 + m / 64) * 2.0**-e for e in range(1, 8) for m in range(64)]
    weight = {u: 2.0 ** math.floor(math.log2(u)) / 64 for u in values}
    for j in (1, 2, 6):
        bit_set = [u for u in values if int((u / 2.0 ** math.floor(math.log2(u)) - 1) * 64) >> (6 - j) & 1]
        for t in (0.75, 0.5, 0.3125, 0.71875):
            exact = sum(weight[u] for u in bit_set if u < t) + 2.0**-8  # half of what lies below the smallest value
            assert mantissa_bit(j, True)(t, True) == pytest.approx(exact, abs=1e-12)
            assert mantissa_bit(j, True)(t, False) == pytest.approx(t - exact, abs=1e-12)


@pytest.mark.parametrize(
    "fields",
    [
        *({"ties": "odd"}, {"precision": 5}, {"precision": True}, {"precision": "53"}, {"uniform": "x"}, {"name": 3}),
        *({"bound": -1.0}, {"min_bound": "inf"}, {"lattice_unit": "two"}, {"interval": 1}),
    ],
)
def test_what_is_no_description(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        description(fields)


def test_what_is_declared_is_kept_and_sent() -> None:
    told = description({"bound": "0x1p+3", "min_bound": 2, "interval": True, "lattice_unit": "sensitivity"})
    assert (told.bound, told.min_bound) == (8.0, 2.0)
    assert description(told.as_fields()) == told
    assert sent({"x": 1.0, "bound": 2.0}, told) == {"x": 1.0, "lower": -2.0, "upper": 2.0}
    assert list(Description().as_fields()) == ["name", "ties", "precision", "uniform"]
    assert "only B = 8.0" in told.declared()


@pytest.mark.parametrize(
    ("value", "scale", "bound"), [(0.3, 1.43, 10.3), (7.0, 1.43, 7.0), (-50.0, 3.3, 9.5), (1.0, 3.9, 6.0)]
)
def test_a_law_is_the_exact_distribution(value: float, scale: float, bound: float) -> None:
    exact = law(value, Fraction(scale), bound, UP)
    clamped = max(-bound, min(bound, value))
    cells, middle = [0.0] * len(exact.probabilities), 0.0
    for k, (p,) in probabilities(exact.parameters, [from_fraction(clamped)]):
        chance = float(to_fraction(p))
        cells[exact.cell(k)] += chance
        middle += chance * (k == exact.centre)
        assert exact.possible(k) == (chance > 0)
    assert cells == pytest.approx(list(exact.probabilities), rel=1e-12)
    assert middle == pytest.approx(exact.chance(exact.centre, exact.centre), rel=1e-12)
    assert exact.alternative(fair) == pytest.approx(exact.probabilities, rel=1e-9)
    for share in (biased(0.1), mantissa_bit(1, True), mantissa_bit(3, False)):
        assert sum(exact.alternative(share)) == pytest.approx(1.0)
    assert sum(exact.probabilities) == pytest.approx(1.0)
    assert [exact.number(x) for x in (bound, -bound, 0.0, -0.0, exact.lattice)] == [
        exact.parameters.last,
        -exact.parameters.last,
        0,
        0,
        1,
    ]
    assert [exact.number(x) for x in (exact.lattice / 2, bound + 1, math.inf, math.nan)] == [None] * 4


@given(
    strategies.adjacent_values(0.7, 10.0),
    strategies.scales(),
    strategies.uniforms(),
    strategies.doubles_near_ties(0.25),
)
def test_strategies_give_what_they_promise(pair: tuple[float, float], scale: float, u: float, x: float) -> None:
    a, b = pair
    assert abs(a - b) <= 0.7
    assert max(abs(a), abs(b)) <= 10
    assert 0 < scale < math.inf
    assert 0 < u < 1
    assert math.isfinite(x)


@given(strategies.epsilons(), strategies.bounds(), strategies.lattices())
def test_more_strategies(epsilon: float, bound: float, lattice: float) -> None:
    assert epsilon > 0
    assert 0 < bound < math.inf
    assert math.frexp(lattice)[0] == 0.5
