"""Numbers on the command line: decimal or C99 hex, negative ones too.

A message from here never repeats what was typed: the caller adds it where it is no secret.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import typer
import typer.core

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_HEX = re.compile(r"[+-]?0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?", re.ASCII)
_WORD = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
# No option starts like this, so a token that does is a value, if perhaps a mistyped one.
_NEGATIVE = re.compile(r"--?(\d|\.|inf|nan)", re.IGNORECASE)


def parse_number(text: str) -> float:
    """The double that the text stands for; a ValueError says what is wrong, without repeating the text."""
    text = text.strip()
    if _WORD.fullmatch(text):
        return float(text)
    if hexadecimal := _HEX.fullmatch(text):
        return _from_hex(text, hexadecimal)
    if not _DECIMAL.fullmatch(text):
        raise ValueError("is not a number: write a decimal such as 1.5, or C99 hex such as 0x1.8p-1")
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("is too large for a double")
    return value


def _from_hex(text: str, parts: re.Match[str]) -> float:
    whole, fraction, exponent = parts.groups()
    if not whole + fraction:
        raise ValueError("is not a number: 0x needs digits after it")
    try:
        value = float.fromhex(text)
    except OverflowError:
        raise ValueError("is too large for a double") from None
    digits = int(whole + fraction, 16)
    if value == 0 and digits:
        raise ValueError("is too small for a double")
    if value:
        exact = Fraction(digits) * Fraction(2) ** (int(exponent or 0) - 4 * len(fraction))
        if abs(Fraction(value)) != exact:
            raise ValueError("has more bits than a double holds")
    return value


def number(text: str | float) -> float:
    """For `typer.Option(parser=number)`, where the text is public."""
    if isinstance(text, float):  # a default
        return text
    try:
        return parse_number(text)
    except ValueError as error:
        raise typer.BadParameter(f"{text.strip()!r} {error}") from None


def whole_number(text: str | int) -> int:
    """For `typer.Option(parser=whole_number)`."""
    if isinstance(text, int):
        return text
    if not re.fullmatch(r"[+-]?\d{1,9}", text.strip(), re.ASCII):
        raise typer.BadParameter(f"{text.strip()!r} is not a whole number")
    return int(text)


class NumbersCommand(typer.core.TyperCommand):
    """A verb whose arguments are numbers: `-3.5` and `-inf` are values, `-x` is still an unknown option.

    A blank in front keeps the option parser's hands off a negative number, and `parse_number` drops it. A number too
    many is refused without being repeated, as it may be private."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, _protected(args))
        if rest and not ctx.resilient_parsing:
            ctx.fail(f"{self.name} got {len(rest)} argument(s) too many")
        return rest


def _protected(args: Sequence[str]) -> list[str]:
    return [" " + arg if _NEGATIVE.match(arg) else arg for arg in args]
