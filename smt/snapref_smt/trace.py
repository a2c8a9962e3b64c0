"""Counterexamples for people: one line for each value, in the order of the program, and then what was expected."""

from collections.abc import Iterable
from fractions import Fraction

from snapref_smt.oracle import number
from snapref_smt.spec import Layout


def float_line(name: str, bits: int, form: Layout) -> str:
    """One line: the name, the value, the value as a hex float, and the bit pattern."""
    digits = -(-form.width // 4)
    return f"{name:<12} = {decimal(bits, form):<24} {hex_float(bits, form):<26} 0x{bits:0{digits}x}"


def integer_line(name: str, value: int) -> str:
    return f"{name:<12} = {value}"


def trace(lines: Iterable[str], expected: str) -> str:
    return "\n".join([*lines, f"{'expected':<12}   {expected}"])


def decimal(bits: int, form: Layout) -> str:
    special = _special(bits, form)
    if special:
        return special
    value = number(bits, form)
    if value == 0:
        return "-0.0" if bits else "0.0"
    try:
        text = repr(float(value))
        exact = Fraction(float(value)) == value
    except OverflowError:
        text, exact = "", False
    return text if exact else f"≈2^{_log2(value)}"


def hex_float(bits: int, form: Layout) -> str:
    """C99 hex, for every format."""
    special = _special(bits, form)
    if special:
        return special
    value = number(bits, form)
    sign = "-" if bits >> (form.width - 1) else ""
    if value == 0:
        return f"{sign}0x0p+0"
    exponent = _log2(value)
    digits = -(-(form.precision - 1) // 4)
    mantissa = int(abs(value) / Fraction(2) ** exponent * 16**digits)
    tail = f"{mantissa - 16**digits:0{digits}x}".rstrip("0")
    return f"{sign}0x1{'.' + tail if tail else ''}p{exponent:+d}"


def _log2(value: Fraction) -> int:
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent - (Fraction(2) ** exponent > magnitude)


def _special(bits: int, form: Layout) -> str:
    magnitude = bits & ((1 << (form.width - 1)) - 1)
    infinity = ((1 << form.exponent_bits) - 1) << (form.precision - 1)
    if magnitude < infinity:
        return ""
    if magnitude > infinity:
        return "nan"
    return "-inf" if bits >> (form.width - 1) else "inf"
