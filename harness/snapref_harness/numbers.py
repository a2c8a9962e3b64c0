"""Reads numbers as people write them, decimal or C99 hex, and writes them as decimals.

The number may be private, so an error message from here never repeats it. The caller adds it where it is public.
"""

import re
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_HEX = re.compile(r"[+-]?0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?", re.ASCII)
_WORD = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)


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


def decimal(x: Fraction, precision: int) -> str:
    """A decimal that is read as x again: what Python prints for a double, else enough digits for `precision` bits."""
    if abs(x) < 2**1023 and Fraction(float(x)) == x:
        return repr(float(x))
    digits = Context(prec=precision * 302 // 1000 + 3, Emax=10**9, Emin=-(10**9))
    return str(digits.divide(Decimal(x.numerator), Decimal(x.denominator)))


def rounded_up(x: Fraction, digits: int = 6) -> str:
    """A few digits of a number that someone may type back, where a smaller one would not be safe."""
    context = Context(prec=digits, rounding=ROUND_CEILING, Emax=10**9, Emin=-(10**9))
    number = context.divide(Decimal(x.numerator), Decimal(x.denominator)).normalize(context)
    return f"{number:f}" if -6 <= number.adjusted() < 16 else f"{number:e}"
