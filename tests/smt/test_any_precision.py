"""Clamp, Λ and rounding at every precision: a mistake in one of them, at one precision only, is noticed."""

import sys
from typing import Any

import pytest
import z3

import snapref
from snapref.formats import Format
from snapref.rounding import round_to_lattice
from snapref_ledger import REGISTRY, Run
from snapref_smt import any_precision, obligations
from snapref_smt.engine.executor import Escape
from snapref_smt.models import SUBJECTS
from tests.changing import change

assert obligations  # registers all
SOON = Run(timeout=10.0)  # what is wrong need not be refuted: it must not be proved
CLAMP, LATTICE, ROUND = "clamp", "lattice_exponent", "round_to_lattice"
MODULES = {CLAMP: "snapref.clamp", LATTICE: "snapref.lattice", ROUND: "snapref.rounding"}
OBLIGATIONS = {CLAMP: "smt.clamp.precisions", LATTICE: "smt.lattice.precisions", ROUND: "smt.round.precisions"}


def status(name: str, old: str, new: str, patch: pytest.MonkeyPatch) -> str:
    module: Any = sys.modules[MODULES[name]]  # the package has functions of the same names
    change(module, name, old, new, patch)
    patch.setitem(SUBJECTS, name, getattr(module, name))
    try:
        return REGISTRY[OBLIGATIONS[name]].check(SOON).status
    except Escape as error:  # `snapref verify` reports it as an error
        return f"error: {error}"


@pytest.mark.parametrize("name", OBLIGATIONS)
def test_they_are_proved(name: str) -> None:
    assert REGISTRY[OBLIGATIONS[name]].check(Run()).status == "proved"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (CLAMP, "magnitude <= limit:", "magnitude <= limit or fmt.precision == 24:"),
        (CLAMP, "limit = bound", "limit = (fmt.precision > 200) + bound"),
        (CLAMP, "limit >= fmt.infinity", "limit > fmt.infinity"),
        (CLAMP, "bits - magnitude + limit", "bits - magnitude + limit - (fmt.exponent_bits == 15)"),
        (LATTICE, "(significand - 1).bit_length()", "(significand - (fmt.precision != 118)).bit_length()"),
        (LATTICE, "m > fmt.max_exponent", "m > fmt.max_exponent + 1"),
        (ROUND, "y >= fmt.precision - 1", "y >= fmt.precision - 1 - (fmt.precision == 64)"),
        (ROUND, "y >= fmt.precision - 1", "y >= 52"),
        (ROUND, "(1 << cut) - sign)", "(1 << cut) - 0)"),
        (ROUND, "+ (multiple << cut)", "+ (multiple << cut) - (fmt.precision == 11)"),
        (ROUND, "magnitude >= fmt.infinity", "magnitude > fmt.infinity"),
        (ROUND, "sign == 1 and significand == 1 << (cut - 1)", "significand == 1 << (cut - 1)"),
        (ROUND, "if y == -1 and significand != 0:", "if y == -1:"),
        (ROUND, "m > fmt.max_exponent", "m >= fmt.max_exponent"),
    ],
)
def test_a_mistake_is_noticed(name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert status(name, old, new, monkeypatch) != "proved"


def test_a_format_cannot_be_told_by_comparing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = status(CLAMP, "magnitude <= limit:", "magnitude <= limit or fmt == BINARY64:", monkeypatch)
    assert said == "error: a format is compared with another one"


def test_in_small_formats_the_statements_say_what_the_code_does() -> None:
    """`nearest` is the definition: it holds for the multiple that the code returns, and for no other."""
    fmt = Format(3, 2)
    for bits in range(1 << 5):
        for m in range(fmt.min_exponent, fmt.max_exponent + 1):
            try:
                sign, n, unit = fmt.unpack(bits)
                found = fmt.unpack(round_to_lattice(bits, m, fmt))
            except snapref.ParameterError:
                continue
            if m < unit:
                continue
            size = (-1) ** found[0] * found[1] * 2 ** (found[2] - fmt.min_exponent)
            multiples = [k for k in range(-9, 10) if _nearest(k, sign, n, m - unit)]
            assert [k * 2 ** (m - fmt.min_exponent) for k in multiples] == [size]


K = z3.Int("multiple")
NEAREST = any_precision.nearest(K)
POWERS = [any_precision.power(any_precision.CUT + more) for more in (0, 1)]


def _nearest(k: int, sign: int, n: int, cut: int) -> bool:
    known = {K: k, any_precision.s: sign, any_precision.n: n, any_precision.m: cut, any_precision.u: 0}
    known |= {power: 2 ** (cut + more) for more, power in enumerate(POWERS)}
    values = [(name, z3.IntVal(value)) for name, value in known.items()]
    return z3.is_true(z3.simplify(z3.substitute(NEAREST, *values)))
