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
from snapref_crosscheck.law import law
from snapref_crosscheck.protocol import COMPONENTS, Description, description, from_wire, to_wire
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
    "fields",
    [{"ties": "odd"}, {"precision": 5}, {"precision": True}, {"precision": "53"}, {"uniform": "x"}, {"name": 3}],
)
def test_what_is_no_description(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        description(fields)


@pytest.mark.parametrize(
    ("value", "scale", "bound"), [(0.3, 1.43, 10.3), (7.0, 1.43, 7.0), (-50.0, 3.3, 9.5), (1.0, 3.9, 6.0)]
)
def test_a_law_is_the_exact_distribution(value: float, scale: float, bound: float) -> None:
    exact = law(value, Fraction(scale), bound, UP)
    clamped = max(-bound, min(bound, value))
    cells, sides, spread = [0.0] * len(exact.probabilities), [0.0] * 3, 0.0
    for k, (p,) in probabilities(exact.parameters, [from_fraction(clamped)]):
        chance = float(to_fraction(p))
        cells[exact.cell(k)] += chance
        sides[exact.side(k) + 1] += chance
        spread += chance * (abs(k - exact.centre) >= 2)
        assert exact.possible(k) == (chance > 0)
    assert cells == pytest.approx(list(exact.probabilities), rel=1e-12)
    assert sides == pytest.approx(list(exact.sides), rel=1e-12)
    assert spread == pytest.approx(exact.spread, rel=1e-12)
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
