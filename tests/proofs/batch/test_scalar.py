"""The reference's program on doubles is the batch path's, and what is not is found."""

import inspect
import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import pytest

import snapref.mechanism
from snapref import doubles
from snapref_ledger import REGISTRY, Run
from snapref_proofs.batch import scalar, widening
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


@pytest.mark.parametrize(
    "nearest",
    [
        lambda x: math.floor(x + 0.5),  # wrong at the double below 1/2
        lambda x: math.floor(x) + (x - math.floor(x) > 0.5),  # ties down
        lambda x: math.floor(x),
    ],
)
def test_another_rounding_is_found(nearest: Callable[[Any], Any]) -> None:
    assert fails_on_bits(scalar.stages(nearest=nearest))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("clamp(value, bound) +", "value +"),
        ("signed_scale[sign]", "signed_scale[1]"),
        ("{1: scale, -1: -scale}", "{1: -scale, -1: scale}"),
        ("ln(u, 53)", "ln(u, 52)"),
        ("* inverse) * lattice, bound)", "* inverse) * lattice, lattice)"),
        ("noisy * inverse", "noisy"),
        # what depends on a number, and so is not the same for all
        ("    noisy = clamp(value", "    if value == 0: return 0.0\n    noisy = clamp(value"),
        ("    noisy = clamp(value", "    if value in (1.0, 2.0): return value\n    noisy = clamp(value"),
        ("    noisy = clamp(value", "    if u == (1, -1): return value\n    noisy = clamp(value"),
        ("    noisy = clamp(value", "    if not u: return value\n    noisy = clamp(value"),
        ("    inverse = 1 / lattice", "    if lattice == 1.0: scale = bound\n    inverse = 1 / lattice"),
    ],
)
def test_another_order_of_the_stages_is_found(old: str, new: str) -> None:
    source = inspect.getsource(doubles)
    assert source.count(old) == 1
    changed = ModuleType("changed")
    exec(source.replace(old, new), vars(changed))
    assert list(scalar.unlinked(changed))
    assert not list(scalar.unlinked())


@pytest.mark.parametrize(
    "change", [("clamp(value, bound, fmt)", "value"), ("    inner", "    if value == 0: return 0\n    inner")]
)
def test_another_program_on_patterns_is_found(change: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    source = inspect.getsource(snapref.mechanism.snapped)
    assert source.count(change[0]) == 1
    names = dict(vars(snapref.mechanism))
    exec(source.replace(*change), names)
    monkeypatch.setattr(snapref.mechanism, "snapped", FunctionType(names["snapped"].__code__, vars(snapref.mechanism)))
    assert REGISTRY["proofs.doubles.same"].check(Run()).status == "refuted"


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
