"""The cross-check protocol: operations, their arguments, and how numbers travel.

Floats are written as C99 hex strings, or as the words inf, -inf and nan; integers as JSON integers. A target answers
with a result, refuses the request (`Refused`), or does not offer the operation (`Unsupported`). It may also be late
(`TooSlow`, `OutOfTime`), which says nothing about it. Anything else breaks the protocol (`Broken`).
notes/protocol.md describes the protocol for those who write a target.
"""

import math
import re
from dataclasses import dataclass, fields
from decimal import Decimal
from numbers import Real
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


class Refused(Exception):
    """The target refuses the request: an error of its own, and nothing released."""


class Unsupported(Exception):
    """The target does not offer this operation."""


class Broken(Exception):
    """The target broke the protocol: it died, hung, printed garbage or answered something that is no answer."""


class TooSlow(Exception):
    """The target did not answer in time, or was killed from outside, and so it was when it was asked again. This says
    nothing about its answers."""


class OutOfTime(Exception):
    """The time for the run, or for one check, is over. This says nothing about the target."""


class AdapterError(ValueError):
    """What stands between us and the implementation is wrong: a program that does not speak the protocol, a method with
    other arguments. The message says what was expected."""


Outcome = Answer | Refused | Unsupported | Broken | TooSlow | OutOfTime  # of one request; failures are values here


@dataclass(frozen=True)
class Description:
    """What a target says of itself. What it declares is what it is judged by."""

    name: str = "unnamed"
    ties: Ties = "up"
    precision: int = 53
    uniform: Literal["binary64", "unbounded"] = "binary64"
    lattice_unit: Literal["one", "sensitivity"] = "one"  # Λ is the power of two for λ, or Δ times that for λ/Δ
    bound: float | None = None  # the only B that it takes
    min_bound: float | None = None  # the smallest B that it takes
    interval: bool = False  # it takes lower and upper in place of bound

    def __hash__(self) -> int:
        return hash(self.name)  # every answer is looked up with it; that of all fields costs as much as the rest

    def as_fields(self) -> dict[str, Any]:
        """For the answer to `describe`: what differs from the defaults, and the name, ties, precision and law."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        kept = {name: x for name, x in told.items() if name in ALWAYS_TOLD or x != getattr(Description(), name)}
        return {name: to_wire(x) if isinstance(x, float) else x for name, x in kept.items()}

    def declared(self) -> list[str]:
        """In words, what it declares that the mechanism of the documents does not do."""
        words = [f"ties {self.ties} (the definition: up)"] if self.ties != "up" else []
        words += ["Λ in units of Δ"] if self.lattice_unit == "sensitivity" else []
        words += [f"only B = {self.bound!r}"] if self.bound is not None else []
        words += [f"B of at least {self.min_bound!r}"] if self.min_bound is not None else []
        return words + (["lower and upper in place of B"] if self.interval else [])


ALWAYS_TOLD = ("name", "ties", "precision", "uniform")


def sent(args: Args, told: Description) -> Args:
    """The arguments as they are sent. A target that takes an interval gets lower = -B and upper = B in place of B."""
    if not told.interval or "bound" not in args:
        return args
    ends = {"lower": -args["bound"], "upper": args["bound"]}
    return {key: x for name, y in args.items() for key, x in (ends.items() if name == "bound" else [(name, y)])}


def to_wire(number: float | int) -> str | int:
    """A float as C99 hex or a word; an int as it is."""
    return number if isinstance(number, int) else number.hex()  # which knows the three words


def from_wire(text: object) -> float:
    """The float that a string of the protocol stands for, or the text of a JSON number; a
    ValueError for anything else."""
    if isinstance(text, Number):
        return _from_number(text)
    if not isinstance(text, str):
        raise ValueError(f"expected a float as a C99 hex string or an exact JSON number, got {shown(text)}")
    try:
        number = float.fromhex(text)
    except OverflowError:
        raise ValueError(f"{shown(text)} is too large for a double") from None
    except ValueError:
        number = math.nan
    if number.hex() == text:  # the usual spelling, or a word
        return number
    if text == "+inf":
        return math.inf
    if not _HEX.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a C99 hex float, inf, -inf or nan")
    if not _same_value(text, number):
        raise ValueError(f"{shown(text)} has more bits than a double")
    return number


class Number(str):
    """The text of a JSON number: `json.loads(…, parse_float=Number, parse_int=Number)` keeps all of its digits."""


def _from_number(text: Number) -> float:
    """The double that a JSON number determines: its exact value, its shortest decimal, or one of 15 digits or more that
    is correctly rounded. Anything else has lost something on its way here."""
    if len(text) > 1100:
        raise ValueError(f"{shown(str(text))} has more digits than any double")
    number, told = float(text), Decimal(text)
    if not math.isfinite(number):
        raise ValueError(f"{shown(str(text))} is too large for a double")
    digits = len(told.as_tuple().digits)
    if told in (Decimal(number), Decimal(repr(number))) or (
        digits >= 15 and Decimal(f"{number:.{digits - 1}e}") == told
    ):
        return number
    raise ValueError(f"{shown(str(text))} is not exactly a double: write {number.hex()!r}, if that is meant")


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


def description(told: dict[str, Any]) -> Description:
    """A target's description of itself, checked; a ValueError says what is wrong. Unknown fields are ignored."""
    known = {key: told[key] for key in Description.__dataclass_fields__ if told.get(key) is not None}
    for key in ("bound", "min_bound"):
        if key in known:
            known[key] = _positive(key, known[key])
    if isinstance(known.get("precision"), Number):
        known["precision"] = int(known["precision"]) if known["precision"].isdecimal() else known["precision"]
    return _checked_description(Description(**known))


def _checked_description(told: Description) -> Description:
    if not isinstance(told.name, str) or isinstance(told.name, Number):
        raise ValueError(f"name must be text, not {shown(told.name)}")
    if told.lattice_unit not in ("one", "sensitivity"):
        raise ValueError(f"lattice_unit must be sensitivity, or left out, not {shown(told.lattice_unit)}")
    if not isinstance(told.interval, bool):
        raise ValueError(f"interval must be true or false, not {shown(told.interval)}")
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
    """A float, an int, a numpy scalar or another real number that is exactly a double; never a bool or text."""
    if isinstance(x, float):
        return float(x)
    if isinstance(x, Real) and not isinstance(x, bool):
        try:
            number = float(x)
        except OverflowError:
            number = math.nan
        if number == x:
            return number
    raise Broken(f"answered {shown(x)}, which is not a float")


def _positive(name: str, x: object) -> float:
    number = from_wire(x) if isinstance(x, str) else _float(x)
    if not 0 < number < math.inf:
        raise ValueError(f"{name} must be positive and finite, not {shown(x)}")
    return number


def printable(x: object, limit: int = 200) -> str:
    """A text that a target sent, shortened, and without control characters."""
    text = x if isinstance(x, str) else ascii(x)
    return "".join(c if c.isprintable() else "?" for c in text[:limit]) + ("…" if len(text) > limit else "")


def shown(x: object, limit: int = 80) -> str:
    """What a target sent, shortened for a message, and without control characters."""
    text = ascii(x) if not isinstance(x, bytes) else ascii(x)[1:]
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
