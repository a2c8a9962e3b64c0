"""The cross-check protocol: operations, their arguments, and how numbers travel.

Floats are written as C99 hex strings, or as the words inf, -inf and nan; integers as JSON integers. A target answers
with a result, refuses the request (`Refused`), or does not offer the operation (`Unsupported`). Anything else breaks
the protocol (`Broken`). notes/crosscheck.md describes the protocol for those who write a target.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from snapref.budget import MAX_PRECISION, WIDEST
from snapref_proofs.evaluate.parameters import Ties

Args = dict[str, float | int]
Answer = float | list[float]

# Each operation with its arguments, in order.
OPERATIONS: dict[str, tuple[str, ...]] = {
    "lattice": ("scale",),
    "round": ("x", "lattice"),
    "clamp": ("x", "bound"),
    "log": ("u",),
    "uniform": ("exponent", "mantissa"),
    "snap": ("value", "scale", "bound", "sign", "u"),
    "inner_epsilon": ("epsilon", "bound", "sensitivity"),
    "release": ("value", "epsilon", "bound", "sensitivity", "count"),
}
INTEGERS = frozenset({"exponent", "mantissa", "sign", "count"})
COMPONENTS = ("lattice", "round", "clamp", "log", "uniform", "snap")
MAX_COUNT = 10_000  # of one release request
TIE_RULES: tuple[str, ...] = get_args(Ties)
UNIFORM_LAWS = ("binary64", "unbounded")
MIN_PRECISION = WIDEST.min_precision  # of what a target declares; MAX_PRECISION is the most

_HEX = re.compile(r"[+-]?0[xX][0-9a-fA-F]+(\.[0-9a-fA-F]*)?([pP][+-]?[0-9]{1,6})?", re.ASCII)
_WORDS = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf, "nan": math.nan}


class Refused(Exception):
    """The target refuses the request: an error of its own, and nothing released."""


class Unsupported(Exception):
    """The target does not offer this operation."""


class Broken(Exception):
    """The target broke the protocol: it died, hung, printed garbage or answered something that is no answer."""


class OutOfTime(Exception):
    """The time for the whole run is over. This says nothing about the target."""


@dataclass(frozen=True)
class Description:
    """What a target says of itself."""

    name: str = "unnamed"
    ties: Ties = "up"
    precision: int = 53
    uniform: Literal["binary64", "unbounded"] = "binary64"


def to_wire(number: float | int) -> str | int:
    """A float as C99 hex or a word; an int as it is."""
    if isinstance(number, int):
        return number
    if math.isnan(number):
        return "nan"
    return number.hex() if math.isfinite(number) else ("inf" if number > 0 else "-inf")


def from_wire(text: object) -> float:
    """The float that a string of the protocol stands for; a ValueError for anything else."""
    if not isinstance(text, str):
        raise ValueError(f"expected a float as a C99 hex string, got {shown(text)}")
    if text in _WORDS:
        return _WORDS[text]
    if not _HEX.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a C99 hex float, inf, -inf or nan")
    try:
        number = float.fromhex(text)
    except OverflowError:
        raise ValueError(f"{shown(text)} is too large for a double") from None
    if number.hex() != _normal(text) and not _same_value(text, number):
        raise ValueError(f"{shown(text)} has more bits than a double")
    return number


def _normal(text: str) -> str:
    return text.lower().removeprefix("+")


def _same_value(text: str, number: float) -> bool:
    """Whether a hex string denotes exactly this double. They are compared as integers, without trailing zero bits."""
    digits, _, exponent = text.lower().lstrip("+-").removeprefix("0x").partition("p")
    whole, _, fraction = digits.partition(".")
    n, e = int(whole + fraction, 16), int(exponent or "0") - 4 * len(fraction)
    if n == 0 or number == 0:
        return n == 0 and number == 0
    numerator, denominator = abs(number).as_integer_ratio()
    zeros = (n & -n).bit_length() - 1
    twos = (numerator & -numerator).bit_length() - 1
    return n >> zeros == numerator >> twos and e + zeros == twos + 1 - denominator.bit_length()


def description(fields: dict[str, Any]) -> Description:
    """A target's description of itself, checked; a ValueError says what is wrong. Unknown fields are ignored."""
    known = {key: fields[key] for key in ("name", "ties", "precision", "uniform") if key in fields}
    told = Description(**known)
    if not isinstance(told.name, str):
        raise ValueError(f"name must be text, not {shown(told.name)}")
    if told.ties not in TIE_RULES:
        raise ValueError(f"ties must be one of {', '.join(TIE_RULES)}, not {shown(told.ties)}")
    if told.uniform not in UNIFORM_LAWS:
        raise ValueError(f"uniform must be binary64 or unbounded, not {shown(told.uniform)}")
    precise = isinstance(told.precision, int) and not isinstance(told.precision, bool)
    if not precise or not MIN_PRECISION <= told.precision <= MAX_PRECISION:
        raise ValueError(f"precision must be a whole number of {MIN_PRECISION} or more, not {shown(told.precision)}")
    return told


def checked(op: str, args: Args, result: object) -> Answer:
    """The result, if it has the form of an answer to this operation: a float, or for `release` as many as asked for."""
    if op != "release":
        return _float(result)
    if isinstance(result, str | bytes) or not hasattr(result, "__iter__"):
        raise Broken(f"release answered {shown(result)} instead of a list of floats")
    found = [_float(x) for x in result]
    if len(found) != args["count"]:
        raise Broken(f"release answered {len(found)} results where {args['count']} were asked for")
    return found


def _float(x: object) -> float:
    """A float, an int that is one, or a numpy scalar; never a bool or text."""
    if isinstance(x, float):
        return float(x)
    if isinstance(x, int) and not isinstance(x, bool) and abs(x) <= 2**53:
        return float(x)
    raise Broken(f"answered {shown(x)}, which is not a float")


def shown(x: object, limit: int = 80) -> str:
    """What a target sent, shortened for a message, and without control characters."""
    text = ascii(x) if not isinstance(x, bytes) else ascii(x)[1:]
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
