"""Patterns and numbers: `encode` and `decode` are inverse, and what does not fit is refused (001/002 §4.1).

At every precision p and for any number of exponent bits, the code of `Format` runs on unknown integers
(engine/integers.py). A pattern is (sign, e, f), with 0 ≤ e < 2^E and 0 ≤ f < 2^(p-1); it stands for

    ±f·2^min (e = 0),   ±(2^(p-1) + f)·2^(min + e - 1) (0 < e < 2^E - 1),   with min = 3 - 2^(E-1) - p,

which is IEEE 754's definition. A number of MPFR is ±n·2^t, for any integers n ≥ 0 and t.

Small formats are checked besides, value by value, with MPFR itself.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product as product_of
from types import SimpleNamespace
from typing import Any

import gmpy2
import z3

import snapref
from snapref import formats
from snapref.errors import ParameterError
from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.engine import integers
from snapref_smt.engine.executor import Escape
from snapref_smt.engine.integers import Whole, divided, laws, power, product, term_of, times, unique, wholes
from snapref_smt.engine.statement import Statement, variables_of
from snapref_smt.engine.stating import proves
from snapref_smt.engine.symbols import Program, judged, named, replaced

code: Any = snapref  # without types: names and unknown integers take the place of numbers
CLAIM = "N-4.2"
P, E = z3.Ints("p E")
ANY = [P >= 2, E >= 2]
HIDDEN, HALF, SPECIAL = power(P - 1), power(E - 1), power(E) - 1
LEAST = 3 - HALF - P  # 2^LEAST is the smallest positive number
SCOPE = "every precision p ≥ 2 and every number E ≥ 2 of exponent bits"
s, e, f = z3.Ints("s e f")
PATTERN = [z3.And(s >= 0, s <= 1, e >= 0, e <= SPECIAL, f >= 0, f < HIDDEN)]
FIELDS = HIDDEN * e + f + power(P - 1 + E) * s
SIGNIFICAND, UNIT = z3.If(e == 0, f, f + HIDDEN), z3.If(e == 0, LEAST, LEAST + e - 1)
# 2^(p-1)·2^E = 2^(p-1+E), and so the fields below the sign are less than the sign bit
BELOW = [product(Whole(P - 1), Whole(E)), times(e + 1, power(E), HIDDEN), times(z3.IntVal(0), e, HIDDEN)]


MEANT = {
    "fraction_bits": P - 1,
    "hidden": HIDDEN,
    "special": SPECIAL,
    "bias": HALF - 1,
    "infinity": SPECIAL * HIDDEN,
    "sign_bit": power(P - 1 + E),
    "min_exponent": LEAST,
    "max_exponent": HALF - 1,
}


def unknown_format(**stages: Any) -> Any:
    """A format of unknown size, not to be told from others but by its size. Some of its functions may be replaced by
    what is proved of them."""

    def compared(*formats: Any) -> Any:
        raise Escape("a format is compared with another one")

    kind = type("Unknown", (code.formats.Format,), {"__eq__": compared, "__hash__": compared, **stages})
    return kind(Whole(P), Whole(E))


def meant_format(**stages: Any) -> Any:
    """The same with the constants of IEEE 754, which `constants` proves it to have."""
    known = {name: Whole(value) for name, value in MEANT.items()}
    known |= {"hidden": Whole(HIDDEN, exponent=P - 1), "sign_bit": Whole(power(P - 1 + E), exponent=P - 1 + E)}
    return unknown_format(**known, **stages)


def constants() -> Iterator[Statement]:
    """The constants of a format are those of IEEE 754."""
    ran = integers.run(
        "constants", lambda: {name: term_of(getattr(unknown_format(), name)) for name in MEANT}, ANY, ParameterError
    )
    yield from ran.complete()
    for path in ran.paths:
        for name, value in MEANT.items():
            yield ran.statement(name, path.decisions, path.result[name] == value, path.result[name] == value + 1)


def fields() -> Iterator[Statement]:
    """`split` and `join` are inverse: of s·2^(p-1+E) + e·2^(p-1) + f it gives s, e and f, and conversely."""
    bits = z3.Int("bits")
    given = [*ANY, *PATTERN, bits == FIELDS]
    ran = integers.run("split", lambda: tuple(map(term_of, unknown_format().split(Whole(bits)))), given, ParameterError)
    yield from ran.complete()
    low = HIDDEN * e + f
    hints = [*BELOW, unique(bits, power(P - 1 + E), s, low), unique(divided(bits, power(P - 1 + E))[1], HIDDEN, e, f)]
    for path in ran.paths:
        found = z3.And(*(a == b for a, b in zip(path.result, (s, e, f), strict=True)))
        yield ran.statement("fields", path.decisions, found, z3.And(found, e < SPECIAL), hints)
    ran = integers.run("join", lambda: term_of(unknown_format().join(*wholes("s e f"))), [*ANY, *PATTERN])
    yield from ran.complete(BELOW)
    for path in ran.paths:
        yield ran.statement("fields", path.decisions, path.result == FIELDS, path.result == HIDDEN * e + f, BELOW)


def numbers() -> Iterator[Statement]:
    """`unpack` gives the significand and the unit of a finite pattern, and refuses the others."""

    def split(own: Any, bits: Any) -> Any:
        return tuple(wholes("s e f")) if bits == "bits" else ()

    ran = integers.run(
        "unpack",
        lambda: tuple(map(term_of, meant_format(split=split).unpack("bits"))),
        [*ANY, *PATTERN],
        ParameterError,
    )
    yield from ran.complete()
    for path in ran.paths:
        if path.error is not None:
            yield ran.statement("refused", path.decisions, e == SPECIAL, e == 0)
            continue
        found = z3.And(*(a == b for a, b in zip(path.result, (s, SIGNIFICAND, UNIT), strict=True)), e != SPECIAL)
        yield ran.statement(f"a number ({len(path.decisions)})", path.decisions, found, z3.And(found, f == 0))


def powers() -> Iterator[Statement]:
    """`power_of_two(k)` is the pattern of 2^k, a subnormal or a normal one, wherever the format has it."""
    k = z3.Int("k")
    given = [*ANY, k >= LEAST, k <= HALF - 1]
    ran = integers.run("power", lambda: term_of(meant_format().power_of_two(Whole(k))), given, ParameterError)
    yield from ran.complete()
    for path in ran.paths:
        subnormal = z3.And(k < LEAST + P - 1, path.result == power(k - LEAST), path.result < HIDDEN)
        normal = z3.And(k >= LEAST + P - 1, path.result == HIDDEN * (k - LEAST - P + 2))
        right = z3.Or(subnormal, normal)
        yield ran.statement("2^k", path.decisions, right, z3.And(right, k != LEAST, k != 0))


def room() -> Iterator[Statement]:
    """In the working format nothing overflows, and no product is subnormal, for every p up to 15000.

    λ and B are doubles: 2^-1074 ≤ λ, B < 2^1024. And 2^-p ≤ |LN(U*)| ≤ 2^64. So 2^(-1074-p) ≤ |λ⊗LN| ≤ 2^1088, and the
    sum with a number below 2^1024 is below 2^1089. A sum that is too small to be normal is exact, as all numbers of the
    format are multiples of the smallest.
    """

    def program() -> Any:
        fmt = code.formats.working_format(Whole(P))
        return term_of(fmt.min_exponent + fmt.fraction_bits), term_of(fmt.max_exponent)

    ran = integers.run("working format", program, [P >= 2, P <= 15000], ParameterError)
    yield from ran.complete()
    for path in ran.paths:
        normal, largest = path.result
        fits = z3.And(normal <= -1074 - P, largest >= 1089)
        yield ran.statement("room", path.decisions, fits, z3.And(fits, normal <= -1074 - 2 * P))


@proves("smt.formats.patterns", claim=CLAIM, part="corrected", decides=False, scope=SCOPE)
def patterns() -> list[Statement]:
    """A pattern is taken apart and put together as IEEE 754 says; ±∞ and NaN are no numbers; 2^k has its pattern.

    The working format has room for all that the mechanism computes.
    """
    return [*laws(), *constants(), *fields(), *numbers(), *powers(), *room()]


# encode and decode

n, t = z3.Ints("n t")


def stands_for() -> z3.BoolRef:
    """The pattern (e, f) is finite and stands for n·2^t, in size."""
    coarser = z3.And(t <= UNIT, n == SIGNIFICAND * power(UNIT - t))
    finer = z3.And(t > UNIT, n * power(t - UNIT) == SIGNIFICAND)
    return z3.And(e < SPECIAL, z3.Or(coarser, finer))


class Number:
    """A number of MPFR, or what `decode` makes: ±n·2^t."""

    def __init__(self, sign: Any, mantissa: Any, exponent: Any) -> None:
        self.sign, self.parts = sign, (mantissa, exponent)

    def as_mantissa_exp(self) -> Any:
        return self.parts


def model() -> dict[str, Any]:
    """The names that stand for gmpy2 and its numbers: a number that is neither a NaN nor infinite."""
    answers = {"is_signed": lambda x: x.sign, "is_nan": lambda x: False, "is_infinite": lambda x: False}
    return {
        "exact": lambda x: x,
        "gmpy2": SimpleNamespace(**answers),
        "int": lambda x: x,
        "isinstance": lambda x, kinds: kinds is not bool,
    }


def encoded() -> integers.Ran:
    """`encode` on ±n·2^t, for either sign, any n > 0 and any t."""
    mantissa = z3.If(s == 1, -n, n)

    def program() -> Any:
        with replaced(formats, **model(), abs=lambda x: Whole(n) if x.term is mantissa else abs(x)):
            return term_of(meant_format().encode(Number(Whole(s), Whole(mantissa), Whole(t))))

    return integers.run("encode", program, [*ANY, s >= 0, s <= 1, n >= 1], ParameterError)


LENGTH = term_of(Whole(n).bit_length())
PLACE = z3.If(LENGTH + t - P > LEAST, LENGTH + t - P, LEAST)  # of the last bit that the format keeps of n·2^t
HELD = [*PATTERN, e < SPECIAL]


def places() -> Iterator[Statement]:
    """If the pattern (e, f) stands for n·2^t, its unit is the place that `encode` finds."""
    ran = integers.Ran("the place", (*ANY, *HELD, n >= 1), ())
    k, j = UNIT - t, t - UNIT
    coarser = [k >= 0, n == SIGNIFICAND * power(k)]
    hints = [
        product(Whole(P - 1), Whole(k)),
        product(Whole(P), Whole(k)),
        times(HIDDEN, SIGNIFICAND, power(k)),
        times(SIGNIFICAND + 1, 2 * HIDDEN, power(k)),
        times(SIGNIFICAND + 1, HIDDEN, power(k)),
    ]
    yield ran.statement("coarser", coarser, UNIT == PLACE, z3.And(UNIT == PLACE, e == 0), hints)
    finer = [j > 0, n * power(j) == SIGNIFICAND]
    hints = [
        product(Whole(LENGTH - 1), Whole(j)),
        product(Whole(LENGTH), Whole(j)),
        times(power(LENGTH - 1), n, power(j)),
        times(n + 1, power(LENGTH), power(j)),
    ]
    yield ran.statement("finer", finer, UNIT == PLACE, z3.And(UNIT == PLACE, e == 0), hints)


KEPT = z3.Int("kept")  # the significand that `encode` makes
MAGNITUDE = (PLACE - LEAST) * HIDDEN + KEPT
DROPPED = PLACE - t
# n·2^t = KEPT·2^PLACE
EXACT = z3.If(DROPPED > 0, n == KEPT * power(DROPPED), n * power(-DROPPED) == KEPT)
# KEPT has p bits at most, and exactly p where its last bit is not the last of the format
FULL = z3.And(KEPT >= 1, KEPT < 2 * HIDDEN, z3.Implies(PLACE > LEAST, KEPT >= HIDDEN))


def encodings() -> Iterator[Statement]:
    """What `encode` returns stands for the number, and what it refuses no pattern stands for."""
    ran = encoded()
    yield from ran.complete()
    for i, path in enumerate(ran.paths):
        if path.error is None:
            made = path.result - s * power(P - 1 + E) - (PLACE - LEAST) * HIDDEN == KEPT
            given = [*path.decisions, made]
            yield ran.statement(f"path {i}, exactly", given, EXACT, z3.And(EXACT, n == 1))
            yield ran.statement(
                f"path {i}, a pattern",
                [*given, FULL],  # see `sizes`
                z3.And(MAGNITUDE > 0, MAGNITUDE < SPECIAL * HIDDEN),
                KEPT == 1,
                [times(z3.IntVal(0), PLACE - LEAST, HIDDEN)],
            )
        else:
            none = z3.Implies(path.condition, z3.Not(z3.And(stands_for(), UNIT == PLACE)))  # see `places`
            names = " ".join(map(str, variables_of([path.condition])))  # of quotients, too
            cut = [by for by in (LEAST - t, LENGTH - P) if str(power(by)) in names]  # what the path divides by
            hints = [unique(n, power(by), SIGNIFICAND, z3.IntVal(0)) for by in cut] + [times(e + 1, SPECIAL, HIDDEN)]
            yield ran.statement(f"path {i} refuses", HELD, none, z3.And(none, e == 0), hints)


def sizes() -> Iterator[Statement]:
    """A significand that is the number, exactly, has p bits, or is at the last place. No path matters for this."""
    ran = integers.Ran("encode", (*ANY, n >= 1), ())
    cut = [
        product(Whole(P), Whole(DROPPED)),
        product(Whole(P - 1), Whole(DROPPED)),
        times(2 * HIDDEN, KEPT, power(DROPPED)),
        times(HIDDEN, KEPT, power(DROPPED)),
        times(z3.IntVal(1), KEPT, power(DROPPED)),
    ]
    yield ran.statement("in full, cut", [DROPPED > 0, EXACT], FULL, z3.And(FULL, KEPT == 1), cut)
    filled = [
        product(Whole(LENGTH), Whole(-DROPPED)),
        product(Whole(LENGTH - 1), Whole(-DROPPED)),
        times(power(LENGTH - 1), n, power(-DROPPED)),
        times(n + 1, power(LENGTH), power(-DROPPED)),
    ]
    yield ran.statement("in full, filled", [DROPPED <= 0, EXACT], FULL, z3.And(FULL, KEPT == 1), filled)


def meanings() -> Iterator[Statement]:
    """The pattern that is made of KEPT and PLACE stands for n·2^t."""
    ran = integers.Ran("encode", (*ANY, *HELD, n >= 1), ())
    same = z3.And(SIGNIFICAND == KEPT, UNIT == PLACE)
    fields = [FULL, HIDDEN * e + f == MAGNITUDE]
    upper = PLACE - LEAST + z3.If(KEPT >= HIDDEN, 1, 0)
    lower = KEPT - z3.If(KEPT >= HIDDEN, HIDDEN, 0)
    hints = [unique(MAGNITUDE, HIDDEN, upper, lower), unique(MAGNITUDE, HIDDEN, e, f)]
    yield ran.statement("its fields", fields, same, z3.And(same, e == 0), hints)
    yield ran.statement("its number", [same, EXACT], stands_for(), z3.And(stands_for(), e == 0))


@proves(
    "smt.formats.encode",
    claim=CLAIM,
    part="corrected",
    decides=False,
    timeout=180,
    scope=f"{SCOPE}; every number ±n·2^t with integers n > 0 and t",
)
def encode() -> list[Statement]:
    """What `encode` returns stands for the number that it was given; where it refuses, no pattern stands for that.

    First: a pattern that stands for n·2^t has its last bit at one place only, that of `encode`. Then, path by path: the
    significand that is cut there is the number, exactly; or no pattern of this place stands for the number. Then, for
    all paths at once: such a significand has p bits (fewer at the last place of the format), and a pattern with this
    significand and place stands for n·2^t.
    """
    return [*laws(), *places(), *encodings(), *sizes(), *meanings()]


def _pair(*parts: str) -> Any:
    return named("unpack", *parts)


DECODE = Program(
    "decode",
    formats,
    {"mpfr": named("mpfr"), "scaled": named("scaled")},
    lambda: meant_format(unpack=staticmethod(_pair("sign", "significand", "unit"))).decode("bits"),
    """
    sign, significand, unit = unpack('bits')
    if (significand == 0):
        if sign:
            mpfr(-0.0)
            return mpfr(-0.0)
        unless sign:
            mpfr(0.0)
            return mpfr(0.0)
    unless (significand == 0):
        if sign:
            scaled(-significand, unit)
            return scaled(-significand, unit)
        unless sign:
            scaled(significand, unit)
            return scaled(significand, unit)
    """,
)
SMALL = [code.formats.Format(p, bits) for p in (2, 3, 5) for bits in (2, 3, 4)]


def number(fmt: Any, bits: int) -> Fraction | None:
    """The number that a pattern stands for, by the definition; None for infinities and NaN."""
    sign, exponent, fraction = (
        bits >> (fmt.precision - 1 + fmt.exponent_bits),
        bits >> (fmt.precision - 1) & (2**fmt.exponent_bits - 1),
        bits & (2 ** (fmt.precision - 1) - 1),
    )
    least = 3 - 2 ** (fmt.exponent_bits - 1) - fmt.precision
    if exponent == 2**fmt.exponent_bits - 1:
        return None
    significand = fraction + (2 ** (fmt.precision - 1) if exponent else 0)
    power = Fraction(2) ** (least + max(exponent, 1) - 1)
    size: Fraction = significand * power
    return -size if sign else size


def outcome(program: Any, *given: Any) -> Any:
    try:
        return program(*given)
    except ParameterError:
        return "refused"


def wrong_values() -> Iterator[str]:
    """Patterns, numbers and other things of which a small format makes something else than it should."""
    for fmt in SMALL:
        width = fmt.precision + fmt.exponent_bits
        value = {bits: number(fmt, bits) for bits in range(1 << width)}
        pattern = {x: bits for bits, x in reversed(value.items()) if x is not None}
        for bits, x in value.items():
            found = outcome(fmt.decode, bits)
            if x is None or isinstance(found, str):
                right = x is None and found == "refused"
            else:
                right = Fraction(*found.as_integer_ratio()) == x and gmpy2.is_signed(found) == bool(bits >> (width - 1))
                right = right and fmt.encode(found) == bits
            if not right:
                yield f"{fmt}: decode({bits}) is {found}"
        least, most = fmt.min_exponent - 3, fmt.max_exponent + 3
        for k in range(least, most):
            for n in range(1 - (1 << (fmt.precision + 2)), 1 << (fmt.precision + 2)):
                x = n * Fraction(2) ** k
                with gmpy2.context(precision=60):
                    given = [gmpy2.mpfr(x.numerator) / x.denominator, float(x), *([int(x)] if k >= 0 else [])]
                for one in given:
                    if outcome(fmt.encode, one) != pattern.get(x, "refused"):
                        yield f"{fmt}: encode({one!r}) is {outcome(fmt.encode, one)}"
    yield from wrong_ints()
    yield from wrong_others()


LARGE = [code.formats.BINARY64, *map(code.formats.working_format, (2, 11, 24, 53, 64, 113, 200, 300))]


def wrong_ints() -> Iterator[str]:
    """Large ints, and the same as numbers of MPFR: held where they have p bits, from the first 1 to the last, or fewer.

    Those beyond the largest number of the format are refused.
    """
    for fmt in LARGE:
        p, most = fmt.precision, fmt.max_exponent
        lengths = {p - 1, p, p + 1, p + 7, 30, 31, 34, 53, 54, 60, 61, 64, 65, 2 * p, 700, most, most + 1, most + 2}
        for length, sign in product_of(sorted(lengths - {0, 1}), (1, -1)):
            top, last = 1 << (length - 1), 1 << max(length - p, 0)
            for one in (top, top + last, 2 * top - last, top + last // 2, top + 1, 2 * top - 1, top + 3 * last // 2):
                held = one % last == 0 and length <= most + 1
                for given in (sign * one, exactly(sign * one)):
                    found = outcome(fmt.encode, given)
                    if (found == "refused") is held or (held and number(fmt, found) != sign * one):
                        yield f"{fmt}: encode of {sign * one:#x}, a {type(given).__name__}"


def exactly(n: int) -> Any:
    with gmpy2.context(precision=n.bit_length()):
        return gmpy2.mpfr(n)


def wrong_others() -> Iterator[str]:
    """What is no finite number: NaN and all that is no float or int is refused; ±∞ and ±0 have their patterns."""
    for fmt in (*SMALL, code.formats.BINARY64, code.formats.working_format(53), code.formats.working_format(200)):
        sign = 1 << (fmt.precision - 1 + fmt.exponent_bits)
        infinity = (2**fmt.exponent_bits - 1) << (fmt.precision - 1)
        kept = {0.0: 0, math.inf: infinity}
        for x, bits in kept.items():
            for one, wanted in ((x, bits), (-x, bits + sign)):
                for given in (one, gmpy2.mpfr(one)):
                    if outcome(fmt.encode, given) != wanted:
                        yield f"{fmt}: encode({given!r})"
        for other in (math.nan, gmpy2.nan(), True, False, "1", None, Fraction(1), 1j, gmpy2.mpz(1)):
            if outcome(fmt.encode, other) != "refused":
                yield f"{fmt}: encode({other!r})"


@obligation(
    "smt.formats.values",
    claim=CLAIM,
    kind="exhaustive",
    part="corrected",
    decides=False,
    scope="9 formats with 2, 3 or 5 bits and 2 to 4 exponent bits: every pattern, and every number n·2^t with up to "
    "two bits too many, from too small to too large, as a number of MPFR, a float or an int; NaN, ±∞, ±0, other types; "
    "in 9 large formats, ints with few ones, from 30 bits to too large",
)
def values(run: Run) -> Outcome:
    """`decode` gives the number, `encode` its pattern; each is the other's inverse; and the rest is refused."""
    return judged([DECODE], wrong_values())
