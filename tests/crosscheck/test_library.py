"""The description of a C library: what is wrong with it is said before anything runs."""

import json
from pathlib import Path

import pytest

from snapref_crosscheck.library import Library
from snapref_crosscheck.protocol import Refused
from snapref_crosscheck.targets import PythonTarget


def test_the_same_in_json_and_with_constants(c_example: Path) -> None:
    told = {
        "library": "./libsnapping.so",
        "ties": "up",
        "operations": {
            "clamp": {
                "symbol": "snapping_clamp",
                "arguments": ["double x", "double 2.5", "double* result"],
                "result": "status",
            },
            "uniform": {
                "symbol": "snapping_uniform",
                "arguments": ["int64_t exponent", "uint64_t 0"],
                "result": "double",
            },
        },
    }
    (c_example / "other.json").write_text(json.dumps(told))
    target = PythonTarget(Library(str(c_example / "other.json")))
    assert target.call("clamp", {"x": 9.0, "bound": 1.0}) == 2.5
    assert target.call("uniform", {"exponent": 3, "mantissa": 7}) == 0.125
    with pytest.raises(Refused, match="status 1"):
        target.call("clamp", {"x": float("nan"), "bound": 1.0})


def test_expressions(c_example: Path) -> None:
    """λ = Δ/ε, a boolean sign, lower and upper, constants in hex: what C prototypes need."""
    (c_example / "expressions.toml").write_text(
        """
library = "./libsnapping.so"
bound = "0x1.4p+3"
lattice_unit = "sensitivity"

[operations.clamp]
symbol = "snapping_clamp"
arguments = ["double x * 0x1p-1 / bound", "double upper", "double* result"]
result = "status"

[operations.snap]
symbol = "snapping_uniform"
arguments = ["int64_t 3", "uint64_t sign < 0"]
result = "double"

[operations.inner_epsilon]
symbol = "snapping_clamp"
arguments = ["double sensitivity / epsilon", "double -lower", "double* result"]
result = "status"
"""
    )
    target = PythonTarget(Library(str(c_example / "expressions.toml")))
    assert (target.describe().bound, target.describe().lattice_unit) == (10.0, "sensitivity")
    assert target.call("clamp", {"x": 9.0, "bound": 2.0}) == 2.0
    args = {"value": 0.0, "scale": 1.0, "bound": 1.0, "u": 0.5}
    assert target.call("snap", {**args, "sign": 1}) == 0.125
    assert target.call("snap", {**args, "sign": -1}) == 0.125 * (1 + 2.0**-52)
    assert target.call("inner_epsilon", {"epsilon": 4.0, "bound": 9.0, "sensitivity": 2.0}) == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('library = "./absent.so"', "cannot load"),
        ("operations = 3", "describes no operations"),
        ('[operations.fly]\nsymbol = "x"\narguments = []', "unknown operation 'fly'"),
        ('[operations.log]\nsymbol = "absent"\narguments = ["double u"]', "has no symbol 'absent'"),
        ('[operations.log]\nsymbol = "snapping_log"\narguments = ["quad u"]', "unknown type"),
        ('[operations.log]\nsymbol = "snapping_log"\narguments = ["double v"]', "names neither an argument of log"),
        ('[operations.log]\nsymbol = "snapping_log"\narguments = []\nextra = 1', "unknown key 'extra'"),
        ('[operations.log]\nsymbol = "snapping_log"\narguments = ["double u <"]', "compares with nothing"),
        (
            '[operations.log]\nsymbol = "snapping_log"\narguments = ["double u * open()"]',
            "names neither an argument of",
        ),
        ("bound = -1", "bound must be positive"),
        ("= 3", "Invalid"),
    ],
)
def test_what_is_wrong_is_said(c_example: Path, change: str, message: str) -> None:
    head = "" if change.startswith("library") else 'library = "./libsnapping.so"\n'
    (c_example / "wrong.toml").write_text(head + change)
    with pytest.raises(ValueError, match=message):
        Library(str(c_example / "wrong.toml"))
