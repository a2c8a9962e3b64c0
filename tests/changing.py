"""Functions of a module with one mistake: their source is changed, and runs in the place of the right one."""

import inspect
import textwrap
from types import FunctionType
from typing import Any

import pytest


def change(module: Any, name: str, old: str, new: str, patch: pytest.MonkeyPatch) -> None:
    """Puts a function of the module, or a method ("Class.method"), with `new` in place of `old` there."""
    owner, _, own = name.rpartition(".")
    place = getattr(module, owner) if owner else module
    right = inspect.unwrap(getattr(place, own))
    source = textwrap.dedent(inspect.getsource(right))
    assert source.count(old) == 1, f"{old!r} occurs {source.count(old)} times"
    names = dict(vars(module))
    exec(source.replace(old, new), names)
    made = inspect.unwrap(names[own])
    patch.setattr(place, own, FunctionType(made.__code__, vars(module), own, made.__defaults__))
