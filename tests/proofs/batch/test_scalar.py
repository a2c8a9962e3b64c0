"""The stages on doubles are those on patterns and those of the batch path, and what is not is found."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import z3

from snapref_proofs.batch import scalar, stages, widening
from snapref_proofs.batch.lanes import DOUBLE
from snapref_proofs.batch.widening import WIDE
from tests.breaking import fails_on_bits


@pytest.mark.parametrize(
    "clamp",
    [
        lambda x, bound: x,
        lambda x, bound: bound if x >= -bound else -bound,
        lambda x, bound: (-bound if x < -bound else bound if x > bound else x) + 0.0,  # loses the sign of a zero
    ],
)
def test_another_clamp_is_found(clamp: Callable[[Any, Any], Any]) -> None:
    assert fails_on_bits(scalar.stages(clamp=clamp))


def whole(x: Any) -> Any:
    return scalar.as_float(math.floor(x))


@pytest.mark.parametrize(
    "nearest",
    [
        lambda x: whole(x + 0.5),  # wrong at the double below 1/2
        lambda x: whole(x) + (x - whole(x) > 0.5),  # ties down
        lambda x: whole(x),
    ],
)
def test_another_rounding_is_found(nearest: Callable[[Any], Any]) -> None:
    assert fails_on_bits(scalar.stages(nearest=nearest))


def test_other_stages_on_doubles_are_found_on_patterns() -> None:
    assert fails_on_bits(stages.clamps(scalar.merged(lambda x, bound: bound if x > bound else x)))
    assert fails_on_bits(stages.integers(1, range(2, 3), scalar.merged(lambda x: whole(x) + (x - whole(x) > 0.5))))
    assert fails_on_bits(stages.beyond(scalar.merged(lambda x: whole(x + 0.5))))


def test_an_int_is_nothing_but_a_float_to_be() -> None:
    assert scalar.as_float(3) == 3.0
    with pytest.raises(TypeError):
        scalar.run(lambda x: math.floor(x) + 1, z3.FP("x", DOUBLE))


def test_a_floor_that_keeps_the_sign_of_zero_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalar, "floor", lambda x: z3.fpRoundToIntegral(z3.RTN(), x))
    assert fails_on_bits(next(scalar.floors()))


def test_doubles_that_have_no_room_are_found() -> None:
    assert fails_on_bits(scalar.room(lambda scale, bound: True))
    assert fails_on_bits(scalar.room(lambda scale, bound: scale >= 2.0**-900))


def test_stages_that_depend_on_the_format_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widening, "EXPONENTS", range(3))
    right_round, right_clamp, right_lattice = widening.round_to_lattice, widening.clamp, widening.lattice_exponent
    monkeypatch.setattr(widening, "round_to_lattice", lambda x, m, fmt: right_round(x, m + int(fmt is WIDE), fmt))
    assert fails_on_bits(widening.roundings(0))
    monkeypatch.setattr(widening, "clamp", lambda x, bound, fmt: x if fmt is WIDE else right_clamp(x, bound, fmt))
    assert fails_on_bits(widening.clamps())
    monkeypatch.setattr(widening, "lattice_exponent", lambda scale, fmt: right_lattice(scale, fmt) + int(fmt is WIDE))
    assert fails_on_bits(widening.lattices())
