"""Clamp, Λ and rounding at every precision (001/002 §2.2, §4.1 and §4.2): the reference's code on unknown integers.

clamp.py, lattice.py and rounding.py prove these functions for the formats that a release at 53 bits uses. Here p and
the number of exponent bits are unknown too (engine/integers.py), so no precision is singled out. That `unpack`, `split`
and `power_of_two` are right at every precision is proved in formats.py; their results stand here as variables.

A finite number is ±n·2^u (`NUMBER`). The pattern of a magnitude is M = 2^(p-1)·e + f.
"""

from collections.abc import Iterator
from typing import Any

import z3

from snapref.errors import ParameterError
from snapref_smt.engine import integers
from snapref_smt.engine.integers import Whole, divided, laws, power, product, term_of, times, unique
from snapref_smt.engine.statement import Statement, variables_of
from snapref_smt.engine.stating import proves
from snapref_smt.formats import (
    ANY,
    HALF,
    HELD,
    HIDDEN,
    LEAST,
    SCOPE,
    SIGNIFICAND,
    SPECIAL,
    UNIT,
    E,
    P,
    e,
    f,
    meant_format,
    s,
)
from snapref_smt.models import subject

SIGN, INFINITY, LARGEST = power(P - 1 + E), SPECIAL * HIDDEN, HALF - 1  # the largest power of two is 2^LARGEST
BITS, n, u = z3.Ints("bits n u")
LAST = LEAST + SPECIAL - 2  # the largest unit
# What is known of the significand and the unit of a finite number
NUMBER = [s >= 0, s <= 1, n >= 0, n < 2 * HIDDEN, u >= LEAST, u <= LAST, z3.Implies(u > LEAST, n >= HIDDEN)]


def finite() -> Iterator[Statement]:
    """What `unpack` gives is such a number (formats.py, `numbers`)."""
    own = z3.substitute(z3.And(*NUMBER), (n, SIGNIFICAND), (u, UNIT))
    yield integers.Ran("finite", (*ANY, *HELD), ()).statement("a number", (), own, z3.And(own, e == 0))


def number_format(**stages: Any) -> Any:
    """A format whose `unpack` gives n and u for the pattern BITS, and nothing for any other."""

    def unpack(own: Any, bits: Any) -> Any:
        return (Whole(s), Whole(n), Whole(u)) if bits.term is BITS else ()

    return meant_format(unpack=unpack, **stages)


# clamp


def order() -> Iterator[Statement]:
    """Of two finite magnitudes the larger has the larger pattern: with e ≤ e', M ≤ M' iff n·2^u ≤ n'·2^u'."""
    e2, f2 = z3.Ints("e2 f2")
    ran = integers.Ran("order", (*ANY, *HELD, e <= e2, e2 < SPECIAL, f2 >= 0, f2 < HIDDEN), ())
    n2, u2 = (z3.substitute(term, (e, e2), (f, f2)) for term in (SIGNIFICAND, UNIT))
    first, second, scaled = HIDDEN * e + f, HIDDEN * e2 + f2, n2 * power(u2 - UNIT)
    same = z3.And((first <= second) == (scaled >= SIGNIFICAND), (second <= first) == (scaled <= SIGNIFICAND))
    hints = [times(e + 1, e2, HIDDEN), times(z3.IntVal(2), power(u2 - UNIT), n2), times(HIDDEN, n2, z3.IntVal(2))]
    yield ran.statement("patterns", (), same, z3.And(same, first <= second, e2 == e), hints)


def clamps() -> Iterator[Statement]:
    """The pattern ±M, clamped to ±M', is ±M if M ≤ M' and else ±M'; NaN and bounds that are none are refused."""
    m1, m2, s2 = z3.Ints("M M2 s2")
    given = [*ANY, s >= 0, s <= 1, s2 >= 0, s2 <= 1, *(z3.And(m >= 0, m < SIGN) for m in (m1, m2))]
    bits, bound = s * SIGN + m1, s2 * SIGN + m2
    hints = [unique(bits, SIGN, s, m1), unique(bound, SIGN, s2, m2)]

    def program() -> Any:
        return term_of(subject("clamp")(Whole(bits), Whole(bound), meant_format()))

    ran = integers.run("clamp", program, given, ParameterError)
    yield from ran.complete(hints)
    refused = z3.Or(m1 > INFINITY, m2 >= INFINITY, z3.And(s2 == 1, m2 > 0))
    for i, path in enumerate(ran.paths):
        if path.error is not None:
            yield ran.statement(f"path {i} refuses", path.decisions, refused, z3.And(refused, m1 == 0), hints)
        else:
            right = z3.And(z3.Not(refused), path.result == z3.If(m1 <= m2, bits, s * SIGN + m2))
            yield ran.statement(f"path {i}", path.decisions, right, z3.And(right, s == 0), hints)


@proves("smt.clamp.precisions", claim="U-3.1.3a", decides=False, timeout=180, scope=f"{SCOPE}; all patterns")
def clamp() -> list[Statement]:
    """Clamp at every precision. The order of patterns is that of the numbers, so it is clamp_B."""
    return [*laws(), *order(), *clamps()]


# Λ


def lattices() -> Iterator[Statement]:
    """From n·2^u the m with 2^(m-1) < n·2^u ≤ 2^m; refused where n = 0, the sign is -, or 2^m is not in the format."""

    def program() -> Any:
        return term_of(subject("lattice_exponent")(Whole(BITS), number_format()))

    ran = integers.run("lattice", program, [*ANY, *NUMBER], ParameterError)
    yield from ran.complete()
    most = power(LARGEST - u)
    for i, path in enumerate(ran.paths):
        if path.error is not None:
            refused = z3.Or(s == 1, n == 0, n > most)
            yield ran.statement(f"path {i} refuses", path.decisions, refused, z3.And(refused, n == 1))
        else:
            above = path.result - u  # 2^m is 2^above units
            covers = z3.And(s == 0, above >= 0, n <= power(above), z3.Or(above == 0, power(above - 1) < n))
            right = z3.And(covers, n >= 1, path.result <= LARGEST, n <= most)
            yield ran.statement(f"path {i}", path.decisions, right, z3.And(right, above == 0))


@proves("smt.lattice.precisions", claim="N-4.1", decides=False, timeout=180, scope=f"{SCOPE}; all patterns")
def lattice() -> list[Statement]:
    """Λ at every precision: the smallest power of two that is at least λ."""
    return [*finite(), *lattices()]


# Rounding

m, k, POWER = z3.Ints("m k pattern_of_2^m")
CUT = m - u  # Λ is 2^CUT units
X = z3.If(s == 1, -n, n)  # in units
S = z3.Int("S")  # the size of the rounded number, in units


def nearest(multiple: Any) -> z3.BoolRef:
    """The multiple of Λ is the nearest to X, and a tie goes up: Λ(k - 1/2) ≤ x < Λ(k + 1/2). For CUT ≥ 0."""
    twice = multiple * power(CUT + 1)
    return z3.And(CUT >= 0, twice - power(CUT) <= 2 * X, twice + power(CUT) > 2 * X)


def rounded() -> integers.Ran:
    def power_of_two(own: Any, exponent: Any) -> Any:
        return Whole(POWER) if exponent.term is m else ()

    def program() -> Any:
        fmt = number_format(power_of_two=power_of_two)
        return term_of(subject("round_to_lattice")(Whole(BITS), Whole(m), fmt))

    return integers.run("round", program, [*ANY, *NUMBER], ParameterError)


def multiples() -> Iterator[Statement]:
    """On every path: x is a multiple of Λ and stays, or the nearest multiple is 0, ±Λ, or ±S units."""
    ran = rounded()
    yield from ran.complete()
    held = z3.And(m >= LEAST, m <= LARGEST)
    for i, path in enumerate(ran.paths):
        quotient = cut_off(path.decisions, path.result)
        if path.error is not None and quotient is None:
            yield ran.statement(f"path {i} refuses", path.decisions, z3.Not(held), z3.And(m < LEAST, u == LAST))
        elif path.result is not None and path.result.eq(BITS):  # Case 1: x = ±n·2^-CUT·Λ, and it is not -0
            stays = z3.And(held, CUT <= 0, n >= 1)
            yield ran.statement(f"path {i} stays", path.decisions, stays, z3.And(stays, CUT == 0))
        elif quotient is not None:  # Case 2
            yield from cut(ran, i, path, quotient)
        else:  # Case 3, a tie, and Case 4
            sign = z3.If(s == 1, -1, 1)
            one = z3.And(path.result == s * SIGN + POWER, nearest(sign))
            none = z3.And(path.result == 0, nearest(z3.IntVal(0)))
            right = z3.And(held, z3.Or(one, none))
            yield ran.statement(f"path {i} near 0", path.decisions, right, z3.And(right, n == 1, s == 1, u == LEAST))


def cut_off(decisions: Any, result: Any) -> Any:
    """The quotient by 2^(CUT+1) that a path computes, or None."""
    terms = [*decisions, *([] if result is None else [result])]
    quotient = divided(2 * n + power(CUT) - s, power(CUT + 1))[0]
    return quotient if str(quotient) in map(str, variables_of(terms)) else None


def cut(ran: integers.Ran, i: int, path: Any, quotient: Any) -> Iterator[Statement]:
    """The quotient is the nearest multiple, in size; S = quotient·2^CUT has p bits, or is 2^p; and with S the pattern.

    The rounded number overflows only if it is 2^(LARGEST+1).
    """
    size = quotient * power(CUT) == S
    given = [*path.decisions, size]
    right = nearest(z3.If(s == 1, -quotient, quotient))
    yield ran.statement(f"path {i}, nearest", given, right, z3.And(right, quotient == 1))
    whole = [product(Whole(P - CUT), Whole(CUT)), product(Whole(P - 1 - CUT), Whole(CUT))]
    hints = [
        *whole,
        times(power(P - CUT) + 1, quotient, power(CUT)),
        times(quotient + 1, power(P - 1 - CUT), power(CUT)),
        times(z3.IntVal(1), quotient, power(CUT)),
        times(quotient, z3.IntVal(0), power(CUT)),
    ]
    bounds = z3.And(S >= 1, S <= 2 * HIDDEN, z3.Implies(u > LEAST, S >= HIDDEN))
    yield ran.statement(f"path {i}, S", given, bounds, z3.And(bounds, S == 1), hints)
    magnitude = (u - LEAST) * HIDDEN + S
    if path.error is None:
        fits = z3.And(path.result == s * SIGN + magnitude, magnitude < INFINITY)
        yield ran.statement(f"path {i}, pattern", given, fits, z3.And(fits, s == 0))
    else:
        too_large = z3.And(u == LAST, S == 2 * HIDDEN)
        least = [times(u - LEAST + 2, SPECIAL - 1, HIDDEN)]
        yield ran.statement(f"path {i} overflows", [*given, bounds], too_large, z3.And(too_large, s == 0), least)


def patterns() -> Iterator[Statement]:
    """(u - LEAST)·2^(p-1) + S is the pattern of S·2^u. Its fields e and f stand for S·2^u, or for (S/2)·2^(u+1)."""
    ran = integers.Ran("round", (*ANY, *HELD, u >= LEAST, u <= LAST), ())
    magnitude = (u - LEAST) * HIDDEN + S
    held = [S >= 1, S <= 2 * HIDDEN, z3.Implies(u > LEAST, S >= HIDDEN), HIDDEN * e + f == magnitude]
    carry = z3.If(S == 2 * HIDDEN, 2, z3.If(S >= HIDDEN, 1, 0))
    hints = [unique(magnitude, HIDDEN, u - LEAST + carry, S - carry * HIDDEN), unique(magnitude, HIDDEN, e, f)]
    same = z3.And(SIGNIFICAND == S, u == UNIT)
    right = z3.Or(same, z3.And(2 * SIGNIFICAND == S, u + 1 == UNIT))
    yield ran.statement("the pattern of S·2^u", held, right, same, hints)


@proves("smt.round.precisions", claim="N-4.2", part="corrected", decides=False, timeout=180, scope=f"{SCOPE}; all x, m")
def rounding() -> list[Statement]:
    """Rounding at every precision: the nearest multiple of Λ, ties toward +∞, never -0; refused where it overflows.

    First, path by path, which multiple it is. Then, for all paths at once: the pattern that Case 2 makes stands for it.
    """
    return [*laws(), *finite(), *multiples(), *patterns()]
