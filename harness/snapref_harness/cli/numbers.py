"""Numbers on the command line: decimal or C99 hex, negative ones too.

How they are read is in snapref_harness/numbers.py.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer
import typer.core

from snapref_harness.numbers import parse_number

__all__ = [
    "BoundOption",
    "NumbersCommand",
    "PrecisionOption",
    "SensitivityOption",
    "number",
    "parse_number",
    "whole_number",
]

# No option starts like this, so a token that does is a value, if perhaps a mistyped one.
_NEGATIVE = re.compile(r"--?(\d|\.|inf|nan)", re.IGNORECASE)


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


# Options that several verbs have, in the same words.
BoundOption = Annotated[float, typer.Option(parser=number, metavar="B", help="Values are clamped to [-B, B].")]
SensitivityOption = Annotated[
    float, typer.Option(parser=number, metavar="S", help="How far one person can move the value.")
]
PrecisionOption = Annotated[int, typer.Option(parser=whole_number, metavar="P", help="Bits of the arithmetic.")]
