"""The reference's program on doubles is the batch path's, and what is not is found."""

import inspect
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from snapref import doubles
from snapref_harness.core import Run
from snapref_proofs.batch import obligations, scalar
from snapref_proofs.solving import decide_all


def test_it_is_the_same() -> None:
    assert obligations.scalar_same(Run()).status == "proved"


@pytest.mark.parametrize(
    "clamp",
    [
        lambda x, bound: x,
        lambda x, bound: bound if x >= -bound else -bound,
        lambda x, bound: (-bound if x < -bound else bound if x > bound else x) + 0.0,  # loses the sign of a zero
    ],
)
def test_another_clamp_is_found(clamp: Callable[[Any, Any], Any]) -> None:
    assert decide_all(scalar.stages(clamp=clamp), "bitwuzla").status == "refuted"


@pytest.mark.parametrize(
    "nearest",
    [
        lambda x: math.floor(x + 0.5),  # wrong at the double below 1/2
        lambda x: math.floor(x) + (x - math.floor(x) > 0.5),  # ties down
        lambda x: math.floor(x),
    ],
)
def test_another_rounding_is_found(nearest: Callable[[Any], Any]) -> None:
    assert decide_all(scalar.stages(nearest=nearest), "bitwuzla").status == "refuted"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("clamp(value, bound) +", "value +"),
        ("signed_scale[sign]", "scale"),
        ("{1: scale, -1: -scale}", "{1: -scale, -1: scale}"),
        ("ln(u, 53)", "ln(u, 52)"),
        ("* inverse) * lattice, bound)", "* inverse) * lattice, lattice)"),
        ("noisy * inverse", "noisy"),
    ],
)
def test_another_order_of_the_stages_is_found(old: str, new: str) -> None:
    source = inspect.getsource(doubles)
    assert source.count(old) == 1
    changed = ModuleType("changed")
    exec(source.replace(old, new), vars(changed))
    assert list(scalar.unlinked(changed))
    assert not list(scalar.unlinked())
