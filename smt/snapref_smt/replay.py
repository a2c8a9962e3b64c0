"""Replays: run the code under proof on a solver's counterexample, and compare it with exact rational arithmetic.

A replay takes the values that the solver found and returns a trace to print. It raises `NotReproduced` where the
concrete code does what it should, so that the counterexample is none.
"""

from collections.abc import Callable, Mapping
from typing import Any

from snapref.errors import ParameterError
from snapref.formats import Format
from snapref_smt.engine.statement import NotReproduced, Replay
from snapref_smt.models import layout, subject
from snapref_smt.oracle import clamped, number, pattern, rounded, smallest_exponent
from snapref_smt.spec import Layout
from snapref_smt.trace import float_line, integer_line, trace


def signed(value: int, width: int = 16) -> int:
    """A bit-vector's value as the signed number that it stands for."""
    return value - (1 << width) if value >> (width - 1) else value


def run(name: str, *arguments: Any) -> int | str:
    """What the code does: its result, or the text of its error."""
    try:
        return subject(name)(*arguments)
    except (ParameterError, ValueError, OverflowError, TypeError) as error:  # a mutant may raise Python's errors
        return f"{type(error).__name__}: {error}"


def show(name: str, outcome: int | str, form: Layout) -> str:
    if isinstance(outcome, str):
        return f"{name:<12} ! {outcome}"
    if 0 <= outcome < 1 << form.width:
        return float_line(name, outcome, form)
    return f"{name:<12} = {outcome}, not a pattern"


def expected_round(x: int, m: int, form: Layout) -> int | str:
    """The pattern that round(x) must have, or why it must be refused."""
    if not form.min_exponent <= m <= form.max_exponent:
        return "an error: the format does not hold 2^m"
    try:
        exact = rounded(number(x, form), m)
    except ValueError:
        return "an error: x is not finite"
    bits = pattern(exact, form)
    return "an error: the result overflows" if bits is None else bits


def replay_round(fmt: Format) -> Replay:
    """round_to_lattice(x, m) against the multiple of 2^m nearest to x, ties toward +∞."""
    form = layout(fmt)

    def replay(model: Mapping[str, Any]) -> str:
        x, m = model["x"], signed(model["m"])
        return judged(
            [float_line("x", x, form), integer_line("m", m)],
            run("round_to_lattice", x, m, fmt),
            expected_round(x, m, form),
            form,
        )

    return replay


def judged(lines: list[str], got: int | str, wanted: int | str, form: Layout) -> str:
    """The trace, where the code did not do what it should. Otherwise it raises `NotReproduced`."""
    if got == wanted or (isinstance(got, str) and isinstance(wanted, str) and got.startswith("ParameterError")):
        raise NotReproduced("\n".join([*lines, show("result", got, form), "is right"]))
    text = wanted if isinstance(wanted, str) else show("", wanted, form).lstrip(" =")
    return trace([*lines, show("result", got, form)], text)


def replay_lattice(fmt: Format) -> Replay:
    """lattice_exponent(scale) against the smallest m with 2^m ≥ scale."""
    form = layout(fmt)

    def replay(model: Mapping[str, Any]) -> str:
        scale = model["scale"]
        got = run("lattice_exponent", scale, fmt)
        wanted = expected_lattice(scale, form)
        lines = [float_line("scale", scale, form)]
        told = integer_line("m", got) if isinstance(got, int) else f"{'m':<12} ! {got}"
        if got == wanted or (isinstance(wanted, str) and str(got).startswith("ParameterError")):
            raise NotReproduced("\n".join([*lines, told, "is right"]))
        return trace([*lines, told], str(wanted))

    return replay


def expected_lattice(scale: int, form: Layout) -> int | str:
    try:
        exact = number(scale, form)
    except ValueError:
        return "an error: the scale is not finite"
    if exact <= 0:
        return "an error: the scale is not positive"
    m = smallest_exponent(exact)
    return m if m <= form.max_exponent else "an error: the format holds no such power of two"


def replay_clamp(fmt: Format) -> Replay:
    """clamp(x, bound) against max(-B, min(x, B)); an infinite x goes to ±B, a zero keeps its sign."""
    form = layout(fmt)

    def replay(model: Mapping[str, Any]) -> str:
        x, bound = model["x"], model["bound"]
        lines = [float_line("x", x, form), float_line("bound", bound, form)]
        return judged(lines, run("clamp", x, bound, fmt), expected_clamp(x, bound, form), form)

    return replay


def expected_clamp(x: int, bound: int, form: Layout) -> int | str:
    sign = 1 << (form.width - 1)
    infinity = ((1 << form.exponent_bits) - 1) << (form.precision - 1)
    if x & (sign - 1) > infinity:
        return "an error: x is a NaN"
    if bound & (sign - 1) >= infinity or bound > sign:
        return "an error: the bound is not a finite number ≥ 0"
    limit = number(bound, form)
    if x & (sign - 1) == infinity:
        wanted = pattern(limit, form)
        return (wanted or 0) | (x & sign)
    exact = number(x, form)
    inside = clamped(exact, limit)
    if inside == exact:
        return x
    return (pattern(abs(inside), form) or 0) | (x & sign)


def replay_by(check: Callable[[Mapping[str, Any]], tuple[list[str], str, bool]]) -> Replay:
    """A replay for a printed formula. `check` gives the lines of the trace, what was expected, and whether it fails."""

    def replay(model: Mapping[str, Any]) -> str:
        lines, wanted, fails = check(model)
        if not fails:
            raise NotReproduced("\n".join([*lines, "meets the definition after all"]))
        return trace(lines, wanted)

    return replay
