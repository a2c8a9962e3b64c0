"""A C shared library as a target. A TOML or JSON file describes it, and ctypes calls it.

    name = "my library"
    library = "./libmine.so"        # relative to this file
    ties = "up"                     # precision and uniform likewise, where they are not the defaults

    [operations.round]
    symbol = "mine_round"
    arguments = ["double x", "double lattice"]      # the C prototype, with the protocol's names in the order of C
    result = "double"

    [operations.release]
    symbol = "mine_release"
    arguments = ["double value", "double epsilon", "double sensitivity", "double -bound", "double bound", "bool false"]
    result = "double"               # one release; it is called as often as is asked

An argument is a name of the protocol, such a name with a minus sign, or a constant. With `result = "status"` the
function returns an int, 0 for success and anything else for a refusal, and stores its result through
`"double* result"`. With `refusal = "nan"`, a NaN that is returned means a refusal. Operations that are left out are
unsupported.
"""

import ctypes
import json
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from snapref_crosscheck.protocol import OPERATIONS, Refused

TYPES: dict[str, Any] = {
    "double": ctypes.c_double,
    "int": ctypes.c_int,
    "long": ctypes.c_long,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "bool": ctypes.c_bool,
}
CONSTANTS: dict[str, float | bool] = {"true": True, "false": False}


class Library:
    """The library as an object with the methods of the protocol, as PythonTarget expects it."""

    def __init__(self, path: str) -> None:
        file = Path(path)
        told = _read(file)
        self._fields: dict[str, Any] = {
            key: told[key] for key in ("name", "ties", "precision", "uniform") if key in told
        }
        library = file.parent / str(told.get("library", ""))
        try:
            self._library = ctypes.CDLL(str(library.resolve()))
        except OSError as error:
            raise ValueError(f"cannot load {library}: {error}") from None
        operations = told.get("operations")
        if not isinstance(operations, dict) or not operations:
            raise ValueError(f"{path} describes no operations")
        for op, how in operations.items():
            if op not in OPERATIONS:
                raise ValueError(f"{path}: unknown operation {op!r}; it is one of {', '.join(OPERATIONS)}")
            setattr(self, op, self._operation(op, how))

    def describe(self) -> dict[str, Any]:
        return self._fields

    def _operation(self, op: str, how: dict[str, Any]) -> Callable[..., Any]:
        unknown = set(how) - {"symbol", "arguments", "result", "refusal"}
        if unknown:
            raise ValueError(f"{op}: unknown key {sorted(unknown)[0]!r}")
        try:
            function = getattr(self._library, how["symbol"])
        except AttributeError:
            raise ValueError(f"{op}: the library has no symbol {how['symbol']!r}") from None
        arguments = [_argument(op, text) for text in how["arguments"]]
        status = how.get("result", "double") == "status"
        function.restype = ctypes.c_int if status else ctypes.c_double
        function.argtypes = [kind for kind, _ in arguments]
        nan_refuses = how.get("refusal") == "nan"

        def once(**args: Any) -> float:
            out = ctypes.c_double(math.nan)
            code = function(*(ctypes.byref(out) if make is None else make(args) for _, make in arguments))
            if status and code != 0:
                raise Refused(f"status {code}")
            result = float(out.value if status else code)
            if nan_refuses and math.isnan(result):
                raise Refused("NaN")
            return result

        def release(count: int, **args: Any) -> list[float]:
            return [once(**args) for _ in range(count)]

        return release if op == "release" else once


def _argument(op: str, text: str) -> tuple[Any, Callable[[dict[str, Any]], Any] | None]:
    """The ctypes type of an argument and how to make it; None where it receives the result."""
    kind, _, name = text.partition(" ")
    if kind == "double*" and name == "result":
        return ctypes.POINTER(ctypes.c_double), None
    if kind not in TYPES:
        raise ValueError(f"{op}: unknown type in {text!r}; it is one of {', '.join(TYPES)}")
    plain = name.removeprefix("-")
    if plain in OPERATIONS[op]:
        sign = -1 if name.startswith("-") else 1
        return TYPES[kind], lambda args: sign * args[plain]
    if name in CONSTANTS:
        return TYPES[kind], lambda _: CONSTANTS[name]
    try:
        constant = int(name) if kind != "double" else float(name)
    except ValueError:
        raise ValueError(f"{op}: {text!r} names neither an argument of {op} nor a constant") from None
    return TYPES[kind], lambda _: constant


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text("utf-8")
        told = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise ValueError(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    if not isinstance(told, dict):
        raise ValueError(f"{file} is not a table")
    return told
