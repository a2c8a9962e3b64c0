"""Programs on names: all that they can do is found, in the order in which they do it, and nothing is guessed."""

import inspect
import types
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from snapref_smt.engine.symbols import (
    Program,
    Symbol,
    asked_kind,
    behaviour,
    differences,
    judged,
    named,
    refusing,
    shown,
)


class Pair(NamedTuple):
    a: Any
    b: Any


def program() -> Any:
    x = Symbol("x")
    if x > 3 and asked_kind(x, float):
        return named("f", "y")(x, deep=True) + 1
    if x > 3:
        raise ValueError("no")
    return Pair(-x, 2**70 * x)


def test_every_answer_is_tried() -> None:
    expected = """
        if (x > 3):
            unless isinstance(x, float): raise ValueError
            y = f(x, deep=True)
            return (y + 1)
        unless (x > 3):
            return Pair(a=-x, b=(2**70 * x))
        """
    assert behaviour(program) == inspect.cleandoc(expected)
    assert not list(differences("program", program, expected))
    (told,) = differences("program", program, expected.replace("y + 1", "y + 2"))
    assert "+        return (y + 1)" in told or "return (y + 1)" in told


def test_a_stage_that_may_refuse() -> None:
    stage = refusing("f", KeyError)

    def caught() -> Any:
        try:
            return stage(1)
        except KeyError:
            return 0

    assert behaviour(caught) == "f(1)\nif f(1) is refused:\n    return 0\nunless f(1) is refused:\n    return f(1)"


def test_things_as_lines_show_them() -> None:
    things = {(1, "a"): "(1, 'a')", Fraction(1, 2**900): "2**-900", 2**5: "32", float: "float", None: "None"}
    assert [shown(thing) for thing in things] == list(things.values())
    assert shown({"a": Symbol("x")}) == "{a: x}"
    assert shown(slice(1, None)) == "1 to None"
    x = Symbol("x")
    assert f"{x.y[0]} {~x} {1 - x} {x!r}" == "x.y[0] ~x (1 - x) x"
    assert asked_kind(1, int)


@pytest.mark.parametrize("use", [int, float, list, hash, lambda x: x.__wrapped__])
def test_a_name_is_no_number(use: Any) -> None:
    assert "Error" in behaviour(lambda: use(Symbol("x"))) or "Escape" in behaviour(lambda: use(Symbol("x")))


def test_nothing_of_a_name_can_be_set() -> None:
    x = Symbol("x")
    for change in (lambda: setattr(x, "round", 1), lambda: setattr(x, "text", "y"), lambda: delattr(x, "text")):
        assert behaviour(change).startswith("Escape: x.")
    assert str(x) == "x"


def test_programs_are_judged() -> None:
    module: Any = types.ModuleType("module")
    module.f = abs
    right = Program("f", module, {"f": named("f")}, lambda: module.f(1), "f(1)\nreturn f(1)")
    wrong = Program("g", module, {"f": named("g")}, lambda: module.f(1), "f(1)\nreturn f(1)")
    assert judged([right]).status == "proved"
    assert "g does something else" in judged([right, wrong]).detail
    assert judged([right], ["besides"]).status == "refuted"
