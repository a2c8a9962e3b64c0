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
        ("= 3", "Invalid"),
    ],
)
def test_what_is_wrong_is_said(c_example: Path, change: str, message: str) -> None:
    head = "" if change.startswith("library") else 'library = "./libsnapping.so"\n'
    (c_example / "wrong.toml").write_text(head + change)
    with pytest.raises(ValueError, match=message):
        Library(str(c_example / "wrong.toml"))
