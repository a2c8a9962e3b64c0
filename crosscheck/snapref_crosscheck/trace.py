"""Shows a counterexample: a line for each number, in the order of the program, and then what was right.

A line has the name, the value, the value in C99 hex, and the bits.
"""

import math
import struct

from gmpy2 import mpfr

from snapref_crosscheck.expected import Expected, expected, snap_steps
from snapref_crosscheck.protocol import Args, Description


def bits(x: float) -> str:
    """Sign, exponent field and fraction of a double, in hexadecimal: 0 3ff 8000000000000."""
    pattern = struct.unpack(">Q", struct.pack(">d", x))[0]
    return f"{pattern >> 63} {pattern >> 52 & 0x7FF:03x} {pattern & (1 << 52) - 1:013x}"


def line(name: str, number: float | int) -> str:
    if isinstance(number, int):
        return f"{name:<18} {number}"
    return f"{name:<18} {number!r:<24} {number.hex():<24} {bits(number)}"


def wide_line(name: str, number: mpfr) -> str:
    """A line for a number of the exact arithmetic, as a double where it is one."""
    x = float(number)
    if math.isfinite(x) and mpfr(x) == number:
        return line(name, x)
    return f"{name:<18} {number:.17g} (not a double)"


def counterexample(op: str, args: Args, told: Description, got: str | float, right: Expected | None = None) -> str:
    """The whole trace of one wrong answer."""
    right = right or expected(op, args, told)
    lines = [f"{op}({', '.join(args)})", *(line(name, number) for name, number in args.items())]
    if op == "snap":
        lines += [wide_line(name, number) for name, number in snap_steps(**args, told=told).items()][:-1]  # type: ignore[arg-type]
    for number in right.results:
        lines.append(line("expected", number))
    if right.refusal:
        lines.append(f"{'or' if right.results else 'expected':<18} a refusal (an error)")
    lines.append(line("got", got) if isinstance(got, float) else f"{'got':<18} {got}")
    return "\n".join(lines)
