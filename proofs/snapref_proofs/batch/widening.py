"""The reference's stages do the same on the patterns of doubles as on those of its working format.

The working format also has 53 bits, but wider exponents. So what is proved of doubles here, and what is proved
elsewhere of the mechanism with unlimited exponents, is about one program. The code that runs is the reference's own.
Obligation: proofs.doubles.wide.
"""

from collections.abc import Callable, Iterator
from typing import Any

import z3

from snapref.clamp import clamp
from snapref.formats import BINARY64, Format, working_format
from snapref.lattice import lattice_exponent
from snapref.rounding import round_to_lattice
from snapref_proofs.batch.stages import BIAS, EXPONENTS, FRACTION, field, finite, held, inside, returned
from snapref_smt.engine.executor import unknown
from snapref_smt.engine.statement import Statement

WIDE = working_format(53)
SHIFT = WIDE.bias - BINARY64.bias


def widened(bits: Any) -> Any:
    """The pattern in the working format of a double that is zero or normal."""
    sign, exponent, fraction = z3.Extract(63, 63, bits), z3.Extract(62, FRACTION, bits), z3.Extract(51, 0, bits)
    wide = z3.ZeroExt(4, exponent) + SHIFT
    return z3.Concat(sign, z3.If(z3.Extract(62, 0, bits) == 0, z3.BitVecVal(0, 15), wide), fraction)


def normal(bits: Any) -> Any:
    return z3.And(field(bits) >= 1, finite(bits))


def same(name: str, stage: Callable[[Callable[..., Any], Format], Any], hypotheses: list[Any]) -> Iterator[Statement]:
    """The stage returns the same number in both formats.

    `stage` gets a function that writes patterns, and the format.
    """
    narrow, returns = returned(lambda: stage(lambda bits: unknown(bits), BINARY64), hypotheses)
    yield returns
    wide, returns = returned(lambda: stage(lambda bits: unknown(widened(bits)), WIDE), hypotheses)
    yield returns
    expected = z3.ZeroExt(wide.size() - 68, widened(z3.Extract(63, 0, narrow)))
    fits = narrow == z3.ZeroExt(narrow.size() - 64, z3.Extract(63, 0, narrow))
    yield Statement(name, hypotheses, z3.And(fits, wide == expected), twin=wide == expected ^ 1)


def lattices() -> Iterator[Statement]:
    """Λ is the same power of two in both formats, for every normal λ below 2^1023."""
    scale = z3.BitVec("scale", 64)
    hypotheses = [normal(scale), scale > 0, field(scale) <= BIAS + 1022]
    narrow, returns = returned(lambda: lattice_exponent(unknown(scale), BINARY64), hypotheses)
    yield returns
    wide, returns = returned(lambda: lattice_exponent(unknown(widened(scale)), WIDE), hypotheses)
    yield returns
    yield Statement("Λ", hypotheses, narrow == wide, twin=narrow == wide + 1)


def clamps() -> Iterator[Statement]:
    """clamp is the same in both formats, for every x that is zero or normal and every normal B > 0."""
    x, bound = z3.BitVecs("x bound", 64)
    hypotheses = [z3.Or(z3.Extract(62, 0, x) == 0, normal(x)), normal(bound), bound > 0]
    yield from same("clamp", lambda written, fmt: clamp(written(x), written(bound), fmt), hypotheses)


def roundings(sign: int) -> Iterator[Statement]:
    """round is the same in both formats, for every Λ from 2^-900 to 2^901, and x = 0 or 2^-108 ≤ |x/Λ| < 2^66."""
    s, x, f = z3.BitVecVal(sign, 1), z3.BitVec("x", 11), z3.BitVec("f", FRACTION)
    bits = z3.Concat(s, x, f)
    for y in EXPONENTS:
        yield from same(
            f"y = {y}",
            lambda written, fmt, y=y: round_to_lattice(written(bits), unknown(x) - BIAS - y, fmt),  # type: ignore[misc]
            [*inside(x - y), x != 0, x != 2047],
        )
    e = z3.BitVec("e", 11)
    difference = z3.ZeroExt(5, x) - z3.ZeroExt(5, e)
    beside = z3.Or(x == 0, difference < -1, difference >= FRACTION)
    yield from same(
        "zero, y < -1, y ≥ 52",
        lambda written, fmt: round_to_lattice(written(bits), unknown(e) - BIAS, fmt),
        [*inside(e), held(bits, e), beside],
    )
