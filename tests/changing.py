"""Functions of a module with one mistake: their source is changed, and runs in the place of the right one."""

import inspect
import textwrap
from types import FunctionType
from typing import Any

import pytest

import snapref


def change(module: Any, name: str, old: str, new: str, patch: pytest.MonkeyPatch) -> None:
    """Puts a function of the module, or a method ("Class.method"), with `new` in place of `old` there."""
    owner, _, own = name.rpartition(".")
    place = getattr(module, owner) if owner else module
    right = inspect.unwrap(getattr(place, own))
    source = textwrap.dedent(inspect.getsource(right))
    assert source.count(old) == 1, f"{old!r} occurs {source.count(old)} times"
    names = dict(vars(module))
    changed = textwrap.indent(source.replace(old, new), "    ")
    exec(f"def made_in(__class__):\n{changed}\n    return {own}", names)  # `super` asks for the class
    made = inspect.unwrap(names["made_in"](place))
    function = FunctionType(made.__code__, vars(module), own, made.__defaults__, made.__closure__)
    function.__kwdefaults__ = made.__kwdefaults__
    if getattr(snapref, own, None) is right:  # users import it from there
        patch.setattr(snapref, own, function)
    patch.setattr(place, own, function)
