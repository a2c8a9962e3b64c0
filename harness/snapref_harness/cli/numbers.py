"""Numbers as arguments of the command line: decimal or C99 hex, negative ones too.

snapref_harness/numbers.py reads them; this module connects that with typer.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from snapref_harness.cli.helping import Verb
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

MOST_DIGITS = 18  # of a whole number: more than any size, seed or count
# No option starts like this. So an argument that does is a value, though it may be mistyped.
_NEGATIVE = re.compile(r"--?(\d|\.|inf|nan)", re.IGNORECASE)


def number(text: str | float) -> float:
    """For `typer.Option(parser=number)`. An error repeats the text, so it must be public."""
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
    if not re.fullmatch(r"[+-]?\d+", text.strip(), re.ASCII):
        raise typer.BadParameter(f"{text.strip()!r} is not a whole number: write digits only, such as 1000")
    if len(text.strip()) > MOST_DIGITS:
        raise typer.BadParameter(f"{text.strip()[:8]}… has {len(text.strip())} digits: at most {MOST_DIGITS} are taken")
    return int(text)


class NumbersCommand(Verb):
    """A verb whose arguments are numbers: `-3.5` and `-inf` are values, `-x` is still an unknown option.

    A negative number gets a blank in front, so that the option parser leaves it alone; `parse_number` drops the blank.
    An argument too many is refused without being repeated, as it may be private."""

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
    float, typer.Option(parser=number, metavar="S", help="Δ, how far one person can move the value.")
]
PrecisionOption = Annotated[
    int, typer.Option(parser=whole_number, metavar="P", help="p, the number of bits of the arithmetic.")
]
