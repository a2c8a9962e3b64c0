"""Reads a TOML table key by key. An error is one line: the key, its value, and what is allowed."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, TypeVar

from snapref.certificate import hexadecimal
from snapref_harness.numbers import parse_number

MAX_VALUES = 1_000_000  # along one axis
RANGE = {"from", "to", "step"}
SHOWN = 100  # characters of a value that are worth repeating
T = TypeVar("T")


class SpecError(ValueError):
    """Something is wrong with the specification of a sweep."""


class Table:
    """The keys of a specification. An axis is one value, a list of values, or a range {from, to, step}, its ends
    included. `finish` refuses keys that no one has read."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.known: list[str] = []

    def numbers(
        self, key: str, default: Fraction | None = None, *, positive: bool = False, optional: bool = False
    ) -> list[Fraction]:
        """An axis of doubles, as exact fractions. Empty where it is optional and left out."""

        def read(value: Any) -> Fraction:
            number = _number(key, value)
            if positive and number <= 0:
                raise _not_allowed(key, value, "a positive number")
            return number

        return self._axis(key, read, default, optional, _number)

    def rationals(self, key: str) -> list[Fraction]:
        """An axis of numbers as they are written: 22.6 is 113/5, not the double next to it."""

        def read(value: Any) -> Fraction:
            try:
                if type(value) not in (int, float, str):
                    raise ValueError
                if isinstance(value, str) and "e" in value.lower():  # "1e999999999" would have that many digits
                    raise ValueError
                return Fraction(str(value))
            except (ValueError, ZeroDivisionError):
                raise _not_allowed(key, value, "a decimal number or a fraction, written out") from None

        return self._axis(key, read, None)

    def integers(self, key: str, default: int | None = None, *, least: int, most: int) -> list[int]:
        """An axis of whole numbers."""
        what = f"a whole number from {least} to {most}"

        def read(value: Any) -> int:
            if type(value) is not int or not least <= value <= most:
                raise _not_allowed(key, value, what)
            return value

        return self._axis(key, read, default)

    def words(self, key: str, allowed: Sequence[str], default: Sequence[str] = ()) -> list[str]:
        """An axis of words; by default those given, or all of them."""

        def read(value: Any) -> str:
            if value not in allowed:
                raise _not_allowed(key, value, f"one of {', '.join(allowed)}")
            return str(value)

        return self._axis(key, read, None, optional=True) or list(default or allowed)

    def texts(self, key: str, check: Callable[[str], object], allowed: str, default: str) -> list[str]:
        """An axis of texts that `check` accepts. For any other text `check` raises a ValueError."""

        def read(value: Any) -> str:
            try:
                check(str(value))
            except ValueError:
                raise _not_allowed(key, value, allowed) from None
            return str(value)

        return self._axis(key, read, default)

    def integer(self, key: str, default: int, *, least: int, most: int) -> int:
        """One whole number, not an axis."""
        return self._one(key, self.integers(key, default, least=least, most=most))

    def word(self, key: str, allowed: Sequence[str], default: str) -> str:
        return self._one(key, self.words(key, allowed, (default,)))

    def positive(self, key: str, default: Fraction, *, most: int) -> Fraction:
        """One positive number, not an axis."""
        number = self._one(key, self.numbers(key, default, positive=True))
        if number > most:
            raise _not_allowed(key, self.data[key], f"a positive number, at most {most}")
        return number

    def text(self, key: str, check: Callable[[str], object]) -> str | None:
        """One text that `check` accepts, or None if the key is absent. The ValueError of `check` says what is wrong."""
        self.known.append(key)
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise _not_allowed(key, value, "a text")
        try:
            check(value)
        except ValueError as error:
            raise _not_allowed(key, value, str(error)) from None
        return value

    def yes(self, key: str, default: bool) -> bool:
        self.known.append(key)
        value = self.data.get(key, default)
        if type(value) is not bool:
            raise _not_allowed(key, value, "true or false")
        return value

    def finish(self) -> None:
        unknown = [key for key in self.data if key not in self.known]
        if unknown:
            raise SpecError(f"{shown(unknown[0])} is no key of this kind of sweep: one of {', '.join(self.known)}")

    def _axis(
        self,
        key: str,
        read: Callable[[Any], T],
        default: T | None,
        optional: bool = False,
        number: Callable[[str, Any], Any] | None = None,
    ) -> list[T]:
        self.known.append(key)
        if key not in self.data:
            if default is None and not optional:
                raise SpecError(f"{key} is missing")
            return [] if default is None else [default]
        value = self.data[key]
        values = (
            _range(key, value, number) if isinstance(value, dict) else value if isinstance(value, list) else [value]
        )
        if not values:
            raise _not_allowed(key, value, "at least one value")
        return list(dict.fromkeys(read(v) for v in values))

    @staticmethod
    def _one(key: str, values: list[T]) -> T:
        if len(values) != 1:
            raise SpecError(f"{key} has {len(values)} values: exactly one is allowed")
        return values[0]


def _number(key: str, value: Any) -> Fraction:
    """A TOML number, or a text in decimal or C99 hex: the double that it stands for."""
    if isinstance(value, Fraction):
        double = float(value)
        if Fraction(double) != value:
            raise SpecError(
                f"{key} has {value} in its range, which no double is: take ends and a step that doubles are"
            )
        return value
    if type(value) not in (int, float, str):
        raise _not_allowed(key, value, "a number")
    try:
        double = parse_number(value) if isinstance(value, str) else float(value)
    except ValueError as error:
        raise SpecError(f"{key} = {shown(value)} {error}") from None
    except OverflowError:
        raise _not_allowed(key, value, "a number that a double holds") from None
    if not isfinite(double) or (type(value) is int and double != value):
        raise _not_allowed(key, value, "a finite number that a double holds")
    return Fraction(double)


def _range(key: str, value: dict[str, Any], number: Callable[[str, Any], Any] | None) -> list[Any]:
    """from, from + step, … up to and including `to`, exactly."""
    allowed = "{ from = …, to = …, step = … } with from ≤ to and a positive step (by default 1)"
    if not {"from", "to"} <= set(value) <= RANGE:
        raise _not_allowed(key, value, allowed)
    ends = [value["from"], value["to"], value.get("step", 1)]
    if number is None and not all(type(end) is int for end in ends):
        raise _not_allowed(key, value, f"{allowed}, all of them whole numbers")
    low, high, step = ends if number is None else [number(key, end) for end in ends]
    if low > high or step <= 0:
        raise _not_allowed(key, value, allowed)
    count = int((high - low) // step) + 1
    if count > MAX_VALUES:
        raise SpecError(f"{key} has {shown(count)} values: at most {MAX_VALUES} are allowed")
    return [low + k * step for k in range(count)]


def shown(value: Any) -> str:
    """A value in one short line, whatever it is."""
    if isinstance(value, Fraction):
        return hexadecimal(value)
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _not_allowed(key: str, value: Any, allowed: str) -> SpecError:
    return SpecError(f"{key} = {shown(value)} is not allowed: {allowed}")
