"""The one error of the reference, and the checks that every parameter has to pass.

A message names the parameter, its value and what is allowed. It leaves the value out where that is private.
"""

import math
from fractions import Fraction


class ParameterError(ValueError):
    """The mechanism refuses a parameter. Nothing has been released."""


def check_finite(name: str, number: float, private: bool = False) -> None:
    """Raises an error unless the number is a finite int or float."""
    if isinstance(number, float):
        if not math.isfinite(number):
            raise ParameterError(f"{name} must be finite" + ("" if private else f", not {number}"))
    elif isinstance(number, bool) or not isinstance(number, int):
        raise ParameterError(f"{name} must be a float or an int, not a {type(number).__name__}")


def finite(name: str, number: float) -> Fraction:
    """The exact value of a finite int or float."""
    check_finite(name, number)
    return Fraction(number)


def positive(name: str, number: float) -> Fraction:
    """The exact value of a finite, positive int or float."""
    exact = finite(name, number)
    if exact <= 0:
        raise ParameterError(f"{name} must be positive, not {written(number)}")
    return exact


def written(number: float) -> str:
    """A number as text for a message. A very long int is described by its length (Python does not print such ints)."""
    if isinstance(number, int) and number.bit_length() > 1100:
        return f"an int of {number.bit_length()} bits"
    return str(number)


def whole(name: str, number: int) -> int:
    """The number, if it is an int and not a bool."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise ParameterError(f"{name} must be an int, not a {type(number).__name__}")
    return number
