"""A C shared library as a target. A TOML or JSON file describes it, and ctypes calls it.

    name = "my library"
    library = "./libmine.so"        # relative to this file
    ties = "up"                     # and whatever else `describe` may say, where it is not the default

    [operations.round]
    symbol = "mine_round"
    arguments = ["double x", "double lattice"]      # the C prototype, with the protocol's names in the order of C
    result = "double"

    [operations.release]
    symbol = "mine_release"
    arguments = ["double value", "double sensitivity / epsilon", "double -bound", "double bound", "bool false"]
    result = "double"               # one release; it is called as often as is asked

An argument is a type and an expression: names of the protocol and constants (numbers, `true`, `false`), with a minus
sign, `*` and `/`, from left to right: λ is `double sensitivity / epsilon`. It may be compared with `<` or `>`: a sign
that is a boolean is `bool sign < 0`. `lower` and `upper` are -B and B. With `result = "status"` the
function returns an int, 0 for success and anything else for a refusal, and stores its result through
`"double* result"`. With `refusal = "nan"`, a NaN that is returned means a refusal. Operations that are left out are
unsupported.
"""

import ctypes
import json
import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from snapref_crosscheck.protocol import OPERATIONS, Description, Refused, description

TYPES: dict[str, Any] = {
    "double": ctypes.c_double,
    "float": ctypes.c_float,
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
        self._fields = {key: told[key] for key in Description.__dataclass_fields__ if key in told}
        description(self._fields)  # an error where that is wrong
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
    compute = _expression(op, text, name)
    whole = kind not in ("double", "float", "bool")
    return TYPES[kind], lambda args: int(compute(args)) if whole else compute(args)


def _expression(op: str, text: str, expression: str) -> Callable[[dict[str, Any]], Any]:
    """A product and quotient of names and constants, or the comparison of two of them."""
    left, comparison, right = (
        part.strip() for part in (*re.split(r"\s*([<>])\s*", expression, maxsplit=1), "", "")[:3]
    )
    first, *more = (_product(op, text, part) for part in (left, right) if part)
    if not comparison:
        return first
    if not more:
        raise ValueError(f"{op}: {text!r} compares with nothing")
    return lambda args: first(args) < more[0](args) if comparison == "<" else first(args) > more[0](args)


def _product(op: str, text: str, expression: str) -> Callable[[dict[str, Any]], Any]:
    first, *rest = re.split(r"\s*([*/])\s*", expression)
    factors = [
        (sign, _atom(op, text, name)) for sign, name in zip(["*", *rest[::2]], [first, *rest[1::2]], strict=True)
    ]

    def compute(args: dict[str, Any]) -> Any:
        product = factors[0][1](args)
        for sign, factor in factors[1:]:
            product = product * factor(args) if sign == "*" else _quotient(product, factor(args))
        return product

    return compute


def _quotient(x: float, y: float) -> float:
    """As in C: a division by zero is the library's to judge."""
    try:
        return x / y
    except ZeroDivisionError:
        return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1.0, y)


def _atom(op: str, text: str, name: str) -> Callable[[dict[str, Any]], Any]:
    """A name of the protocol, or a constant."""
    sign, plain = (-1, name[1:].strip()) if name.startswith("-") else (1, name)
    if plain in OPERATIONS[op]:
        return lambda args: sign * args[plain]
    if plain in ("lower", "upper") and "bound" in OPERATIONS[op]:
        return lambda args: sign * (-args["bound"] if plain == "lower" else args["bound"])
    if plain in CONSTANTS:
        return lambda _: CONSTANTS[plain]
    try:
        number: float = int(plain) if plain.isdecimal() else float.fromhex(plain) if "0x" in plain else float(plain)
    except ValueError:
        raise ValueError(f"{op}: {text!r} names neither an argument of {op} nor a constant") from None
    return lambda _: sign * number


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
