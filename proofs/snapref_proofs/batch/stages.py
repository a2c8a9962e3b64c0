"""The stages on doubles and on bit patterns, on unknown inputs: the statements of proofs.doubles.* and proofs.batch.*.

The code runs as it is: the batch path's on one unknown element of its arrays (lanes.py), that of snapref.doubles on an
unknown float (scalar.py), that on patterns on unknown integers, path by path (executor.py). A statement says that two
results have the same 64 bits; its twin, a program that is nearly right, must differ.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

import z3

from snapref.batch import mechanism
from snapref.batch.draws import read
from snapref.batch.logarithm import LARGEST_EXPONENT
from snapref.clamp import clamp
from snapref.errors import ParameterError
from snapref.formats import BINARY64
from snapref.rounding import round_to_lattice
from snapref.uniform import Uniform
from snapref_proofs.batch.lanes import DOUBLE, EVEN, Lane, LaneWords
from snapref_proofs.batch.replayed import Begun, Draw, drawn, reference_word
from snapref_proofs.evaluate import enclosure
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_smt.engine import executor
from snapref_smt.engine.executor import Path, Symbolic, unknown
from snapref_smt.engine.statement import Statement

WIDTH = 160  # of the reference's integers: so many bits that none of them is lost
BIAS, FRACTION = 1023, 52
DISTANCES = range(FRACTION + 4)
LOWEST, HIGHEST = -900, 901  # the least and the largest exponent of Λ


def paths(program: Callable[[], Any], hypotheses: Sequence[Any] = ()) -> list[Path]:
    """Every path of program() that the hypotheses leave open. A ParameterError ends one; another error is raised, and
    one is where the bounds of an integer do not show that the width holds it."""
    found = executor.paths(program, WIDTH, hypotheses, ParameterError)
    for side in (side for path in found for side in path.sides):
        raise OverflowError(f"an integer could leave the width: {side.what}")
    return found


def term_of(number: Any) -> Any:
    """A known or unknown integer as a signed bit-vector."""
    return number.term if isinstance(number, Symbolic) else z3.BitVecVal(number, WIDTH)


def complete(name: str, found: Sequence[Path], hypotheses: Sequence[Any] = ()) -> Statement:
    """There are no other paths than these."""
    taken = [path.condition for path in found]
    return Statement(f"{name}: the paths are all", hypotheses, z3.Or(False, *taken), twin=z3.Or(False, *taken[1:]))


def pattern(number: Any) -> Any:
    """The pattern of a double, given as an integer, in 64 bits. `whole` states that no bit is cut off."""
    return z3.Extract(63, 0, term_of(number))


def whole(number: Any) -> Any:
    return term_of(number) == z3.ZeroExt(term_of(number).size() - 64, pattern(number))


def double(bits: Any) -> Any:
    return z3.fpBVToFP(bits, DOUBLE)


def finite(bits: Any) -> Any:
    return z3.Extract(62, FRACTION, bits) != 2047


def field(bits: Any) -> Any:
    """The exponent field, in 16 bits, so that differences of two do not overflow."""
    return z3.ZeroExt(5, z3.Extract(62, FRACTION, bits))


# The draw


class _Later:
    """A source of unknown bits: what comes after the first word, in words of 64 coin tosses."""

    name = "unknown"

    def __init__(self) -> None:
        self.words: list[Any] = []

    def bits(self, count: int) -> Any:
        self.words.append(z3.BitVec(f"later{len(self.words)}", count))
        return unknown(self.words[-1])


def draws(program: Callable[[Any], Any] = read) -> Iterator[Statement]:
    """The batch path reads the same sign, exponent and mantissa from two words as the reference.

    If no coin shows 1, the batch path gives the exponent 0, and then asks the reference for it, with the same words and
    source. In that case only sign and mantissa have to be the same.
    """
    first, coins = z3.BitVecs("first coins", 64)
    found = program(LaneWords(Lane(first), Lane(coins)))
    given = [*found.exponent.given, *found.mantissa.given]

    def reference() -> Draw:
        word: Any = reference_word(unknown(first), unknown(coins))
        return drawn(Begun(word, _Later()))

    shown, silent = [coins != 0], [coins == 0, z3.BitVec("later0", 64) != 0]
    for name, hypotheses in (("a coin shows 1", shown), ("none of 64 does, one of the next 64", silent)):
        ways = paths(reference, hypotheses)
        yield complete(name, ways, hypotheses)
        for path in ways:
            sign = z3.Extract(0, 0, found.first.term) == (1 if path.result.sign == 1 else 0)
            mantissa = z3.ZeroExt(96, found.mantissa.term) == term_of(path.result.mantissa)
            e = found.exponent.term
            exponent = e == 0
            if hypotheses is shown:  # and then it is one that the logarithm is proved for
                exponent = z3.And(z3.SignExt(96, e) == term_of(path.result.exponent), e >= 1, e <= LARGEST_EXPONENT)
            yield Statement(
                f"{name}, S = {path.result.sign}",
                [*given, *hypotheses, *path.decisions],
                z3.And(sign, mantissa, exponent),
                twin=z3.And(sign, mantissa, e == 1),
            )


def uniforms() -> Iterator[Statement]:
    """U* of an exponent and a mantissa is (2^52 + mantissa)·2^(-52 - exponent), as the logarithm's proof assumes."""
    exponent, mantissa = z3.BitVec("exponent", 64), z3.BitVec("mantissa", 52)
    hypotheses = [exponent != 0]
    uniform = Uniform(53)
    ways = paths(lambda: uniform(unknown(exponent), unknown(mantissa)), hypotheses)
    yield complete("U*", ways, hypotheses)
    for path in ways:
        significand, unit = (term_of(part) for part in path.result)
        wide = z3.ZeroExt(96, exponent)
        yield Statement(
            "U*",
            [*hypotheses, *path.decisions],
            z3.And(significand == z3.ZeroExt(108, mantissa) + (1 << 52), unit == -52 - wide),
            twin=unit == -53 - wide,
        )


# The logarithm: what a rounded sum loses (the rest of it is in log_error.py)


def sums(sign: int, distances: range = DISTANCES, mode: Any = EVEN) -> Iterator[Statement]:
    """For s = a ⊕ b with |a| ≥ |b|, s - a and b - (s - a) are doubles: rounding them down and up gives the same.

    There is one case for each number of binades by which b is smaller, and one for 55 or more. a > 0, and `sign` is the
    sign of b.
    """
    f, g, field_of_b = z3.BitVec("f", FRACTION), z3.BitVec("g", FRACTION), z3.BitVec("field", 11)
    positive, top = z3.BitVecVal(0, 1), z3.BitVecVal(BIAS, 11)
    a = z3.fpFP(positive, top, f)
    for distance in distances:
        far = distance == FRACTION + 3
        exponent = field_of_b if far else z3.BitVecVal(BIAS - distance, 11)
        b = z3.fpFP(z3.BitVecVal(sign, 1), exponent, g)
        hypotheses = [z3.ULE(field_of_b, BIAS - distance)] if far else [z3.UGE(f, g)] if distance == 0 else []
        total = z3.fpAdd(mode, a, b)
        moved = [z3.fpSub(directed, total, a) for directed in (z3.RTN(), z3.RTP())]
        left = [z3.fpSub(directed, b, moved[0]) for directed in (z3.RTN(), z3.RTP())]
        exact = z3.And(z3.fpEQ(*moved), z3.fpEQ(*left))
        # the twin: that nothing was rounded, or, where the sum is always a, that it is not
        twin = total != a if distance > FRACTION + 1 else left[0] == 0
        yield Statement(f"{distance} binades", hypotheses, exact, twin)


# The noise


def noises(program: Callable[..., Any] = mechanism.noise) -> Iterator[Statement]:
    """Changing the sign bit of -λ⊗LN if the lowest bit of the word is 1 gives S⊗λ⊗LN."""
    scale, logarithm, product = z3.FPs("scale logarithm product", DOUBLE)
    first = z3.BitVec("first", 64)
    positive, negative = z3.fpGT(scale, z3.FPVal(0.0, DOUBLE)), z3.fpLT(logarithm, z3.FPVal(0.0, DOUBLE))
    # of the product only this is used, which IEEE 754 says of ⊗: it changes its sign if a factor does
    hypotheses = [z3.Not(z3.fpIsNaN(product)), z3.fpIsPositive(product), positive, negative]
    found = program(Lane(scale), Lane(logarithm), Lane(first))
    named = [(z3.fpMul(EVEN, z3.fpNeg(scale), logarithm), product)]
    terms = [z3.substitute(fact, *named) for fact in (*found.given, found.term)]
    moved_down = z3.Extract(0, 0, first) == 1  # S = +1
    yield Statement(
        "S⊗λ⊗LN is the product, with its sign changed for S = +1",
        [*hypotheses, *terms[:-1]],
        terms[-1] == z3.If(moved_down, z3.fpNeg(product), product),
        twin=terms[-1] == product,
    )


# Clamp


def clamps(program: Callable[..., Any] = mechanism.clamped) -> Iterator[Statement]:
    """Clamping to [-B, B], for every x that is not a NaN and every finite B > 0; the sign of a zero counts."""
    x, bound = z3.BitVecs("x bound", 64)
    hypotheses = [finite(x), finite(bound), bound > 0]
    found = program(Lane(double(x)), Lane(double(bound)))
    ways = paths(lambda: clamp(unknown(x), unknown(bound), BINARY64), hypotheses)
    yield complete("clamp", ways, hypotheses)
    for i, path in enumerate(ways):
        if path.error:
            conclusion, twin = z3.BoolVal(False), None
        else:
            conclusion = z3.And(whole(path.result), found.term == double(pattern(path.result)))
            twin = found.term == double(pattern(path.result) ^ 1)
        yield Statement(f"clamp, path {i + 1}", [*hypotheses, *path.decisions], conclusion, twin)


# No result leaves the range of doubles: λ, Λ and B are as `room` requires, and |LN(U*)| lies between 2^-53 and 2^64

SMALLEST, LARGEST = -108, 65  # the range of ⌊log2|x/Λ|⌋ for x = clamp(f(D)) ⊕ noise


def lattices() -> tuple[Any, Any, Any]:
    """(the exponent field of Λ, Λ, 1/Λ)."""
    e = z3.BitVec("e", 11)
    zero, none = z3.BitVecVal(0, 1), z3.BitVecVal(0, FRACTION)
    return e, z3.fpFP(zero, e, none), z3.fpFP(zero, 2 * BIAS - e, none)


def inside(e: Any) -> list[Any]:
    """2^-900 ≤ Λ ≤ 2^901."""
    return [z3.UGE(e, BIAS + LOWEST), z3.ULE(e, BIAS + HIGHEST)]


def held(x: Any, e: Any) -> Any:
    """x is a zero, or a normal double with 2^-108 ≤ |x/Λ| < 2^66: what rounding may rely on."""
    difference = field(x) - z3.ZeroExt(5, e)
    normal = z3.And(field(x) >= 1, finite(x), difference >= SMALLEST, difference <= LARGEST)
    return z3.Or(z3.Extract(62, 0, x) == 0, normal)


def ranges(room: Callable[..., Any] = mechanism.room) -> Iterator[Statement]:
    """λ⊗LN is a normal double, and clamp(f(D)) ⊕ noise is a normal double or zero.

    So neither overflows nor underflows, and ⊗ and ⊕ of doubles are those of 53-bit numbers with unlimited exponents. It
    uses λ·2^-53 ≤ |λ⊗LN| ≤ λ·2^64, which is true because rounding is monotone.
    """
    scale, bound, noise, inner, total = z3.BitVecs("scale bound noise inner total", 64)
    e, lattice, _ = lattices()
    accepted = [condition.term for condition in room(*map(Lane, (double(scale), lattice, double(bound))))]
    positive = [finite(scale), finite(bound), e != 2047]
    size = Lane(z3.fpAbs(double(noise)))
    times = [(Lane(double(scale)) * 2.0**power).term for power in (-53, 64)]
    between = [finite(noise), (size >= Lane(times[0])).term, (size <= Lane(times[1])).term]
    yield Statement("Λ", [*positive, *accepted], z3.And(*inside(e)), twin=z3.ULT(e, BIAS + HIGHEST - 1))
    yield Statement(
        "λ⊗LN is a normal double",
        [*positive, *accepted, *between],
        z3.And(field(noise) >= 1, field(noise) <= 2046, field(noise) - z3.ZeroExt(5, e) >= -54),
        twin=field(noise) - z3.ZeroExt(5, e) >= -53,
    )
    added = (Lane(double(inner)) + Lane(double(noise))).term
    clamped = [finite(inner), (Lane(z3.fpAbs(double(inner))) <= Lane(double(bound))).term]
    yield Statement(
        "clamp(f(D)) ⊕ noise is a normal double or zero",
        [*positive, *accepted, *between, *clamped, double(total) == added],
        held(total, e),
        twin=z3.And(held(total, e), field(total) - z3.ZeroExt(5, e) >= -100),
    )


def wrong_logarithms() -> Iterator[str]:
    """Ends of the range of LN(U*) that are outside what `ranges` assumes; there should be none.

    The largest U* is 1 - 2^-53. Fewer than 2^64 coins are tossed, so U* > 2^-(2^64).
    """
    smallest = to_fraction(enclosure.log1p(1, 2**53 - 1, 160)[0])  # -ln(1 - 2^-53)
    largest = 2**64 * to_fraction(enclosure.log1p(1, 1, 160)[1])
    if smallest < Fraction(1, 2**53):
        yield "the smallest logarithm"
    if largest > 2**64:
        yield "the largest logarithm"


# Rounding to Λ, for x = ±1.f·2^y·Λ


def wrong_inverses() -> Iterator[str]:
    """Every Λ for which Λ or 1/Λ, as both mechanisms compute it, is not what `lattices` says."""
    for m in range(LOWEST, HIGHEST + 1):
        for lattice in (2.0**m, float(Fraction(2) ** m)):
            if BINARY64.encode(lattice) != (BIAS + m) << FRACTION:
                yield f"2**{m}"
            if BINARY64.encode(1 / lattice) != (BIAS - m) << FRACTION:
                yield f"1/2**{m}"


def scaled(bits: Any, by: Any) -> Any:
    """The pattern of a normal double times 2^by, if that is a normal double; a zero stays as it is."""
    moved = bits + z3.Concat(z3.BitVecVal(0, 1), by, z3.BitVecVal(0, FRACTION))
    sign = z3.Extract(63, 63, bits)
    return z3.If(z3.Extract(62, 0, bits) == 0, bits, z3.Concat(sign, z3.Extract(62, 0, moved)))


def integer(n: Any) -> Any:
    """n is +0, or a double with 1 ≤ |n| < 2^67."""
    return z3.Or(n == 0, z3.And(field(n) >= BIAS, field(n) <= BIAS + LARGEST + 1))


def scalings() -> Iterator[Statement]:
    """x/Λ, and Λ times an integer, are exact: only the exponent field changes."""
    e, lattice, inverse = lattices()
    x, n = z3.BitVecs("x n", 64)
    yield Statement(
        "x/Λ",
        [*inside(e), held(x, e)],
        (Lane(double(x)) * Lane(inverse)).term == double(scaled(x, BIAS - e)),
        twin=(Lane(double(x)) * Lane(inverse)).term == double(x),
    )
    yield Statement(
        "n·Λ",
        [*inside(e), integer(n)],
        (Lane(double(n)) * Lane(lattice)).term == double(scaled(n, e - BIAS)),
        twin=(Lane(double(n)) * Lane(lattice)).term == double(n),
    )
    difference = field(x) - z3.ZeroExt(5, e)
    one_by_one = z3.Or(*(difference == y for y in EXPONENTS))
    beside = z3.Or(z3.Extract(62, 0, x) == 0, difference < -1, difference >= FRACTION)
    yield Statement(
        "the cases of x/Λ", [*inside(e), held(x, e)], z3.Or(one_by_one, beside), twin=z3.And(one_by_one, beside)
    )


def returned(program: Callable[[], Any], hypotheses: Sequence[Any]) -> tuple[Any, Statement]:
    """(what the reference returns, whichever path it takes; the statement that it always returns)."""
    ways = [path for path in paths(program, hypotheses) if path.error is None]
    result = term_of(ways[0].result)
    for path in ways[1:]:
        result = z3.If(path.condition, term_of(path.result), result)
    always, not_always = (z3.Or(False, *(path.condition for path in some)) for some in (ways, ways[1:]))
    return z3.simplify(result), Statement("the reference returns", hypotheses, always, twin=not_always)


def reference_rounding(bits: Any, field: Any, y: int, hypotheses: Sequence[Any]) -> tuple[Any, Statement]:
    """(what the reference rounds to 2^(field - BIAS - y), as a pattern; that it always does, and is one)."""
    result, returns = returned(lambda: round_to_lattice(unknown(bits), unknown(field) - BIAS - y, BINARY64), hypotheses)
    cut = z3.Extract(63, 0, result)
    fits = result == z3.ZeroExt(result.size() - 64, cut)
    return z3.simplify(cut), replace(returns, conclusion=z3.And(returns.conclusion, fits))


EXPONENTS = range(-1, FRACTION)


def integers(
    sign: int, exponents: range = EXPONENTS, program: Callable[..., Any] = mechanism.nearest_integers
) -> Iterator[Statement]:
    """x/Λ to an integer is what the reference makes of it with Λ = 1, exponent by exponent from 1/2 to 2^52."""
    s, one, f = z3.BitVecVal(sign, 1), z3.BitVecVal(BIAS, 11), z3.BitVec("f", FRACTION)
    for y in exponents:
        quotient = z3.Concat(s, z3.BitVecVal(BIAS + y, 11), f)
        expected, returns = reference_rounding(quotient, one, 0, [])
        yield returns
        found = program(Lane(double(quotient))).term
        conclusion = z3.And(found == double(expected), integer(expected))
        yield Statement(f"y = {y}", [], conclusion, twin=found == double(expected ^ 1))


def beyond(program: Callable[..., Any] = mechanism.nearest_integers) -> Iterator[Statement]:
    """Numbers smaller than 1/2 round to +0, and numbers from 2^52 on, which are integers, stay as they are."""
    x = z3.BitVec("x", 64)
    for name, hypothesis, expected in (
        ("|x| < 1/2", field(x) < BIAS - 1, z3.BitVecVal(0, 64)),
        ("|x| ≥ 2^52", z3.And(field(x) >= BIAS + FRACTION, field(x) <= BIAS + LARGEST), x),
    ):
        found = program(Lane(double(x))).term
        conclusion = z3.And(found == double(expected), integer(expected))
        yield Statement(name, [hypothesis], conclusion, twin=found == double(expected ^ 1))


def every_lattice(sign: int) -> Iterator[Statement]:
    """The reference rounds at every Λ as it does at Λ = 1: the exponent fields move, and nothing else. A zero goes to
    +0, what is smaller than Λ/2 too, and what is at least 2^52·Λ stays."""
    s, one, f, x = z3.BitVecVal(sign, 1), z3.BitVecVal(BIAS, 11), z3.BitVec("f", FRACTION), z3.BitVec("x", 11)
    for y in EXPONENTS:
        e = x - y  # as x = Λ·2^y·1.f
        hypotheses = inside(e)
        at_one, _ = reference_rounding(z3.Concat(s, z3.BitVecVal(BIAS + y, 11), f), one, 0, [])
        found, returns = reference_rounding(z3.Concat(s, x, f), x, y, hypotheses)
        yield returns
        yield Statement(f"y = {y}", hypotheses, found == scaled(at_one, e - BIAS), twin=found == at_one)
    e, _, _ = lattices()
    difference = z3.ZeroExt(5, x) - z3.ZeroExt(5, e)
    outside = (
        ("zero", z3.And(x == 0, f == 0), z3.BitVecVal(0, 64)),
        ("y < -1", z3.And(x != 0, difference < -1, difference >= SMALLEST), z3.BitVecVal(0, 64)),
        ("y ≥ 52", z3.And(x != 2047, difference >= FRACTION, difference <= LARGEST), z3.Concat(s, x, f)),
    )
    for name, hypothesis, expected in outside:
        hypotheses = [*inside(e), hypothesis]
        found, returns = reference_rounding(z3.Concat(s, x, f), e, 0, hypotheses)
        yield returns
        yield Statement(f"{name}, every Λ", hypotheses, found == expected, twin=found == expected ^ 1)


# All together


def unlinked(program: Callable[..., Any] = mechanism.composed) -> Iterator[str]:
    """Says so if the batch program is not the stages of the other statements, one after the other."""
    value, scale, logarithm, bound = (Lane(x) for x in z3.FPs("value scale logarithm bound", DOUBLE))
    _, lattice, inverse = map(Lane, lattices())
    first, stages = Lane(z3.BitVec("first", 64)), cast(Any, mechanism)
    found = program(value, stages.Doubles(scale, lattice, inverse, bound), logarithm, first)
    noisy = stages.clamped(value, bound) + stages.noise(scale, logarithm, first)
    expected = stages.clamped(stages.nearest_integers(noisy * inverse) * lattice, bound)
    if not found.term.eq(expected.term):
        yield "the program is not clamp(round(clamp(f(D)) ⊕ noise)), each stage as it is proved"
