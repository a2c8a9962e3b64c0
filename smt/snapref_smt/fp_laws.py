"""The laws of rounding on which the error analysis rests (004 §3, Figure 2; η of 001/002 §5), and where they hold.

fl(v) is the number of the format nearest to v. With p the precision, η = 2^-p, 2^emin the smallest normal number, and μ
half of the smallest positive number, the laws are:

    error      |fl(v) - v| ≤ η|v|, and the sharper |fl(v) - v| ≤ η/(1+η)·|v|
    monotone   v ≤ v' implies fl(v) ≤ fl(v')
    underflow  ⊕ and ⊖ are exact where their result is tiny. ⊗ obeys the error law above 2^emin - μ, and fails it
               there. Up to 2^emin, |fl(v) - v| ≤ μ.

There are three layers, from the most general to the most literal:

1. `smt.laws.every-*`: any p and any real v, in real arithmetic. All that is used of fl(v) is that it is a number of the
   format, and that no other is nearer. ⊕, ⊖, ⊗ and ⊘ are by definition the exact result, rounded once. So the laws
   hold for them in binary64 too.
2. `smt.laws.binary64.*` and `smt.laws.binary16.*`: rounding from the next wider format, for all values of it, in the
   theory of floating point. Products of the narrow format are exact in the wider one. So are sums, except sums of
   doubles in which one operand is too small to matter. This is proved, not assumed: where rounding down and rounding
   up agree, nothing was rounded.
3. `smt.laws.*.add|mul|div.*`: the operations themselves inside the solver, with the exact value in a wider format. This
   is done for 4-bit arithmetic, and for sums of binary16 (with --thorough). For products of all binary16 or binary64
   numbers only one solver (bitwuzla) has an answer, so they are not claimed here: layers 1 and 2 cover them. a ⊖ b is
   a ⊕ -b, which is proved.

Trusted: the semantics of floating point in SMT-LIB, as the solvers implement it. bitwuzla and cvc5 use the same library
for it (SymFPU), z3 does not. Layer 1 needs none of it.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from snapref_smt.engine.solvers import SOLVERS
from snapref_smt.engine.statement import NotReproduced, Statement
from snapref_smt.engine.stating import Built, proves

Term = Any
SMALL, HALF, SINGLE, DOUBLE, QUAD = (z3.FPSort(*sizes) for sizes in ((3, 4), (5, 11), (8, 24), (11, 53), (15, 113)))
WORK = z3.FPSort(5, 12)  # holds every sum and product of SMALL numbers
EVEN, DOWN, UP = z3.RNE(), z3.RTN(), z3.RTP()
OPERATIONS: dict[str, Callable[..., Term]] = {"add": z3.fpAdd, "mul": z3.fpMul, "div": z3.fpDiv}


# Layer 1: any p, any real value

v, w, c, d, u, n, x = z3.Reals("v w c d u n x")
k, m, odd = z3.Ints("k m odd")
# In the order in which they are asked. Where z3 is the quicker one, the order is SOLVERS.
REALS, FLOATS = ("z3", "cvc5"), ("bitwuzla", "cvc5", "z3")


def magnitude(number: Term) -> Term:
    return z3.If(number >= 0, number, -number)


@proves(
    "smt.laws.every-p.error",
    claim="F-CONST",
    scope="every p ≥ 1, every real v of the normal range, any rounding to nearest",
    part="conditional",
    decides=False,
)
def error_for_every_p() -> Statement:
    """|fl(v) - v| ≤ η/(1+η)·|v|, with η = 2^-p. Twin: the strict inequality, which fails as equality occurs.

    Between two powers of two the numbers are u apart, and the lowest is n·u with n = 2^(p-1) = 1/(2η). So fl(v) is
    within u/2 of v, and no farther from v than that lowest number is. In these terms the law is
    (2n+1)·|fl(v) - v| ≤ |v|.
    """
    error = magnitude(c - v)
    hypotheses = (u > 0, n >= 1, n * u <= magnitude(v), 2 * error <= u, error <= magnitude(v) - n * u)
    goal, twin = (2 * n + 1) * error <= magnitude(v), (2 * n + 1) * error < magnitude(v)
    return Statement(
        "error for every p", hypotheses, goal, z3.Or(error == 0, twin), solvers=REALS, variables=(v, c, u, n)
    )


@proves(
    "smt.laws.every-format.monotone",
    claim="F-CONST",
    scope="every set of numbers to round to, every real v < w, any rounding to nearest, whatever its ties",
    part="conditional",
    decides=False,
)
def monotone_for_every_format() -> list[Statement]:
    """Rounding to nearest is monotone; so are x + y in x, and x·y in x for y ≥ 0, and therefore ⊕ and ⊗."""
    c_is_nearest = magnitude(c - v) <= magnitude(
        d - v
    )  # d is a number of the format too: it is no nearer to v than c is
    d_is_nearest = magnitude(d - w) <= magnitude(c - w)
    return [
        Statement(
            "rounding", (v < w, c_is_nearest, d_is_nearest), c <= d, c < d, solvers=REALS, variables=(v, w, c, d)
        ),
        Statement("sum", (v <= w,), v + x <= w + x, v + x < w + x, solvers=REALS, variables=(v, w, x)),
        Statement("product", (v <= w, x >= 0), v * x <= w * x, v * x < w * x, solvers=REALS, variables=(v, w, x)),
    ]


@proves(
    "smt.laws.every-p.eta",
    claim="N-5-eta",
    scope="every p ≥ 2, every real x ≥ 0, rounding to nearest with ties to even (IEEE 754's default)",
)
def eta_for_every_p() -> list[Statement]:
    """1 ⊕ x = 1 exactly for 0 ≤ x ≤ 2^-p: the largest such x is η. Twin: x = η already makes a difference.

    From 1 to 2 the numbers are the multiples of 2η, and 1 = 2^(p-1)·2η is an even multiple. So fl(1 + x) = 1 + 2ηk,
    where k is the integer nearest to x/(2η), the even one at a tie. (In the statement x stands for x/(2η).) From 2 on:
    2 is a number of the format, so nothing above 2 is rounded below it.
    """
    nearest = (2 * (x - k) <= 1, 2 * (x - k) >= -1, k == 2 * m + odd, odd >= 0, odd <= 1)
    ties_to_even = z3.Implies(z3.Or(2 * (x - k) == 1, 2 * (x - k) == -1), odd == 0)
    hypotheses = (x >= 0, *nearest, ties_to_even)
    beyond = (v >= 2, magnitude(c - v) <= v - 2)
    return [
        Statement(
            "1 + x ≤ 2",
            hypotheses,
            (k == 0) == (2 * x <= 1),
            (k == 0) == (2 * x < 1),
            solvers=REALS,
            variables=(x, k, m, odd),
        ),
        Statement("1 + x ≥ 2", beyond, c >= 2, c > 2, solvers=REALS, variables=(v, c)),
    ]


# Layers 2 and 3: the theory of floating point


def finite(*numbers: Term) -> tuple[Term, ...]:
    return tuple(z3.Not(z3.Or(z3.fpIsNaN(number), z3.fpIsInf(number))) for number in numbers)


def number(sort: Term, value: Fraction) -> Term:
    """A constant of a floating-point sort. The value has to be a positive normal number of the sort."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    fraction = value / Fraction(2) ** exponent
    if fraction < 1:
        exponent, fraction = exponent - 1, fraction * 2
    significand = fraction * 2 ** (sort.sbits() - 1)
    field = exponent + 2 ** (sort.ebits() - 1) - 1
    if significand.denominator != 1 or not 0 < field < 2 ** sort.ebits() - 1:
        raise ValueError(f"no normal number of {sort} holds {value}")
    pattern = (field << (sort.sbits() - 1)) + int(significand) - (1 << (sort.sbits() - 1))
    return z3.fpBVToFP(z3.BitVecVal(pattern, sort.ebits() + sort.sbits()), sort)


def eta(sort: Term) -> Fraction:
    return Fraction(1, 2 ** sort.sbits())


def smallest_normal(sort: Term) -> Fraction:
    return Fraction(2, 2 ** (2 ** (sort.ebits() - 1) - 1))


def half_quantum(sort: Term) -> Fraction:
    """μ: half of the smallest positive number, which is η times the smallest normal one."""
    return smallest_normal(sort) * eta(sort)


def wide(term: Term, sort: Term) -> Term:
    return z3.fpToFP(EVEN, term, sort)


def obeys(rounded: Term, exact: Term, sort: Term) -> Term:
    """|rounded - exact| ≤ η|exact|, as rounded ≤ exact + η|exact| and rounded ≥ exact - η|exact|.

    The right sides are rounded so that the condition becomes stricter. `rounded` is a number of the same format, so
    this changes nothing.
    """
    slack = z3.fpMul(EVEN, number(exact.sort(), eta(sort)), z3.fpAbs(exact))
    return z3.And(z3.fpLEQ(rounded, z3.fpAdd(DOWN, exact, slack)), z3.fpGEQ(rounded, z3.fpSub(UP, exact, slack)))


def obeys_sharply(rounded: Term, exact: Term, sort: Term) -> Term:
    """|rounded - exact| ≤ η/(1+η)·exact for positive values: (1+η)·rounded ≤ (1+2η)·exact, exact ≤ (1+η)·rounded.

    Again each rounding makes the condition stricter.
    """

    def times(mode: Term, term: Term, factor: Fraction) -> Term:
        return z3.fpAdd(mode, term, z3.fpMul(mode, number(term.sort(), factor), term))

    above = z3.fpLEQ(times(UP, rounded, eta(sort)), times(DOWN, exact, 2 * eta(sort)))
    return z3.And(above, z3.fpLEQ(exact, times(DOWN, rounded, eta(sort))))


FORMATS = {"binary16": (HALF, SINGLE), "binary64": (DOUBLE, QUAD)}
FROM = {
    "binary16": "rounding to binary16 of every binary32 value, among them every product of two binary16 numbers",
    "binary64": "rounding to binary64 of every binary128 value, among them every product of two doubles, and every sum"
    " of two doubles whose exponents differ by at most 59",
}


def _rounding(narrow: Term, broad: Term) -> tuple[Term, Term]:
    exact = z3.FP("exact", broad)
    return exact, z3.fpToFP(EVEN, exact, narrow)


def error_of_rounding(name: str) -> Statement:
    """|fl(v) - v| ≤ η|v| where |v| is at least the smallest normal number."""
    narrow, broad = FORMATS[name]
    exact, rounded = _rounding(narrow, broad)
    normal = z3.fpGEQ(z3.fpAbs(exact), number(broad, smallest_normal(narrow)))
    result = wide(rounded, broad)
    hypotheses = (*finite(exact, rounded), normal)
    return Statement(
        "error of rounding",
        hypotheses,
        obeys(result, exact, narrow),
        z3.fpEQ(result, exact),
        solvers=FLOATS,
        variables=(exact,),
    )


def sharp_error_of_rounding(name: str) -> list[Statement]:
    """|fl(v) - v| ≤ η/(1+η)·|v| where v is at least the smallest normal number; and fl(-v) = -fl(v)."""
    narrow, broad = FORMATS[name]
    exact, rounded = _rounding(narrow, broad)
    result = wide(rounded, broad)
    normal = (*finite(exact, rounded), z3.fpGEQ(exact, number(broad, smallest_normal(narrow))))
    tighter = z3.fpLEQ(exact, z3.fpAdd(UP, result, z3.fpMul(UP, number(broad, eta(narrow) / 2), result)))
    mirrored = z3.fpEQ(z3.fpToFP(EVEN, z3.fpNeg(exact), narrow), z3.fpNeg(rounded))
    return [
        Statement(
            "positive", normal, obeys_sharply(result, exact, narrow), tighter, solvers=SOLVERS, variables=(exact,)
        ),
        Statement("negative", finite(exact), mirrored, z3.fpEQ(result, exact), solvers=SOLVERS, variables=(exact,)),
    ]


def error_when_tiny(name: str) -> Statement:
    """|fl(v) - v| ≤ μ where 0 ≤ v ≤ the smallest normal number. Twin: the same with μ/2."""
    narrow, broad = FORMATS[name]
    exact, rounded = _rounding(narrow, broad)
    result, mu = wide(rounded, broad), half_quantum(narrow)
    tiny = z3.And(z3.fpGEQ(exact, z3.FPVal(0.0, broad)), z3.fpLEQ(exact, number(broad, smallest_normal(narrow))))
    goal, twin = (
        z3.And(z3.fpLEQ(result, z3.fpAdd(DOWN, exact, bound)), z3.fpGEQ(result, z3.fpSub(UP, exact, bound)))
        for bound in (number(broad, mu), number(broad, mu / 2))
    )
    return Statement("error when tiny", (tiny,), goal, twin, solvers=FLOATS, variables=(exact,))


def monotone_rounding(name: str) -> Statement:
    """v ≤ w implies fl(v) ≤ fl(w), infinities included."""
    narrow, broad = FORMATS[name]
    a, b = z3.FP("v", broad), z3.FP("w", broad)
    fa, fb = z3.fpToFP(EVEN, a, narrow), z3.fpToFP(EVEN, b, narrow)
    return Statement(
        "monotone rounding",
        (z3.fpLEQ(a, b),),
        z3.fpLEQ(fa, fb),
        z3.Implies(z3.fpLT(a, b), z3.fpLT(fa, fb)),
        solvers=FLOATS,
        variables=(a, b),
    )


def product_threshold(name: str) -> list[Statement]:
    """For values of at most 2p bits, such as products, the error law holds above 2^emin - μ, and fails at it."""
    narrow, broad = FORMATS[name]
    pattern = z3.BitVec("exact", broad.ebits() + broad.sbits())
    exact = z3.fpBVToFP(pattern, broad)
    rounded = z3.fpToFP(EVEN, exact, narrow)
    surplus = broad.sbits() - 2 * narrow.sbits()  # bits of the broad significand that a product leaves at zero
    product = z3.Extract(surplus - 1, 0, pattern) == 0
    threshold = number(broad, smallest_normal(narrow) - half_quantum(narrow))
    law = obeys(wide(rounded, broad), exact, narrow)
    at, above = z3.fpEQ(z3.fpAbs(exact), threshold), z3.fpGT(z3.fpAbs(exact), threshold)
    unrounded = z3.fpEQ(wide(rounded, broad), exact)
    return [
        Statement(
            "above", (*finite(exact, rounded), product, above), law, unrounded, solvers=SOLVERS, variables=(pattern,)
        ),
        Statement("at", (at,), z3.Not(law), z3.fpIsNegative(exact), solvers=SOLVERS, variables=(pattern,)),
    ]


def exact_product(name: str) -> Statement:
    """Products of the narrow format are exact in the wider one: rounded down and rounded up, they are the same."""
    narrow, broad = FORMATS[name]
    a, b = z3.FP("a", narrow), z3.FP("b", narrow)
    down, up = (z3.fpMul(mode, wide(a, broad), wide(b, broad)) for mode in (DOWN, UP))
    return Statement(
        "exact product",
        finite(a, b),
        z3.fpEQ(down, up),
        z3.fpEQ(z3.fpMul(DOWN, a, b), z3.fpMul(UP, a, b)),
        solvers=FLOATS,
        variables=(a, b),
    )


def operation_error(name: str, narrow: Term, broad: Term) -> Statement:
    """|fl(a∘b) - a∘b| ≤ η|a∘b|, where the solver computes both the operation and the exact value."""
    operation = OPERATIONS[name]
    a, b = z3.FP("a", narrow), z3.FP("b", narrow)
    rounded = operation(EVEN, a, b)
    left, right, result = (wide(term, broad) for term in (a, b, rounded))
    hypotheses = finite(a, b, rounded)
    if name == "div":  # as |q·b - a| ≤ η|a|, which needs no division in the wider format
        exact, result = left, z3.fpMul(EVEN, result, right)
        floor = z3.fpMul(UP, number(broad, smallest_normal(narrow)), z3.fpAbs(right))
        hypotheses += (z3.fpGEQ(z3.fpAbs(left), floor), z3.Not(z3.fpIsZero(b)))
    else:
        exact = operation(EVEN, left, right)
    if name == "mul":
        bound = number(broad, smallest_normal(narrow) - half_quantum(narrow))
        hypotheses += (z3.fpGT(z3.fpAbs(exact), bound),)
    return Statement(
        "operation error",
        hypotheses,
        obeys(result, exact, narrow),
        z3.fpEQ(result, exact),
        solvers=FLOATS,
        variables=(a, b),
    )


def monotone_operation(name: str, sort: Term) -> Statement:
    """a < b implies a∘c ≤ b∘c (for ⊗ if c ≥ 0), where the solver computes both operations. Twin: a∘c < b∘c."""
    operation = OPERATIONS[name]
    a, b, other = z3.FP("a", sort), z3.FP("b", sort), z3.FP("c", sort)
    sign = (z3.fpGEQ(other, z3.FPVal(0.0, sort)),) if name == "mul" else ()
    hypotheses = (*finite(a, b, other), z3.fpLT(a, b), *sign)
    left, right = operation(EVEN, a, other), operation(EVEN, b, other)
    return Statement(
        "monotone operation",
        hypotheses,
        z3.fpLEQ(left, right),
        z3.fpLT(left, right),
        solvers=FLOATS,
        variables=(a, b, other),
    )


def register(id: str, claim: str, scope: str, build: Callable[..., Built], *arguments: Any, **options: Any) -> None:
    def state() -> Built:
        return build(*arguments)

    state.__doc__, state.__name__ = build.__doc__, build.__name__
    proves(id, claim=claim, scope=scope, **options)(state)


SUPPORT: dict[str, Any] = {"part": "conditional", "decides": False, "timeout": 120.0}
LONG: dict[str, Any] = {**SUPPORT, "thorough": True, "timeout": 300.0}
for _name, _scope in FROM.items():
    register(f"smt.laws.{_name}.rounding.error", "F-CONST", _scope, error_of_rounding, _name, **SUPPORT)
    register(
        f"smt.laws.{_name}.rounding.sharp",
        "F-CONST",
        _scope,
        sharp_error_of_rounding,
        _name,
        **(LONG if _name == "binary64" else SUPPORT),
    )
    register(f"smt.laws.{_name}.rounding.tiny", "F-CONST", f"{_scope}; v ≥ 0", error_when_tiny, _name, **SUPPORT)
    register(
        f"smt.laws.{_name}.rounding.monotone", "F-CONST", f"{_scope}; every pair", monotone_rounding, _name, **SUPPORT
    )
    register(
        f"smt.laws.{_name}.mul.threshold",
        "F-TIMES",
        f"rounding to {_name} of every value with at most twice its bits, above 2^emin - μ, and at it",
        product_threshold,
        _name,
        **SUPPORT,
    )
    register(
        f"smt.laws.{_name}.mul.exact", "N-3-ops", f"every pair of {_name} numbers", exact_product, _name, **SUPPORT
    )
for _name in OPERATIONS:
    register(
        f"smt.laws.small.{_name}.error",
        "F-CONST",
        "every pair of numbers of the 7-bit format with 3 exponent bits and p = 4; where ⊗ and ⊘ do not underflow",
        operation_error,
        _name,
        SMALL,
        WORK,
        **SUPPORT,
    )
register(
    "smt.laws.binary16.add.error",
    "F-CONST",
    "every pair of binary16 numbers whose sum is finite",
    operation_error,
    "add",
    HALF,
    DOUBLE,
    **LONG,
)


for _name in ("add", "mul"):
    _scope = "every three numbers of the 7-bit format with 3 exponent bits and p = 4"
    register(f"smt.laws.small.{_name}.monotone", "F-CONST", _scope, monotone_operation, _name, SMALL, **SUPPORT)
register(
    "smt.laws.binary16.add.monotone",
    "F-CONST",
    "every three binary16 numbers",
    monotone_operation,
    "add",
    HALF,
    **LONG,
)


# Sums


def difference(sort: Term) -> Statement:
    """a ⊖ b = a ⊕ -b: what holds of ⊕ holds of ⊖."""
    a, b = z3.FP("a", sort), z3.FP("b", sort)
    minus = z3.fpSub(EVEN, a, b)
    goal, twin = (z3.fpEQ(minus, z3.fpAdd(EVEN, *terms)) for terms in ((a, z3.fpNeg(b)), (z3.fpNeg(a), b)))
    return Statement("difference", finite(a, b), goal, twin, solvers=FLOATS, variables=(a, b))


for _name, _sort in (("small", SMALL), ("binary16", HALF), ("binary64", DOUBLE)):
    register(f"smt.laws.{_name}.sub", "F-SUB", "every pair of finite numbers", difference, _sort, **SUPPORT)


def patterned(name: str, sort: Term) -> tuple[Term, Term, Term]:
    """A pattern, its number, and its exponent field. Subnormals have the unit of field 1, so 1 is their field here."""
    pattern = z3.BitVec(name, sort.ebits() + sort.sbits())
    field = z3.ZeroExt(1, z3.Extract(sort.ebits() + sort.sbits() - 2, sort.sbits() - 1, pattern))
    return pattern, z3.fpBVToFP(pattern, sort), z3.If(field == 0, z3.BitVecVal(1, sort.ebits() + 1), field)


def exact_sum(narrow: Term, broad: Term, gap: int) -> Statement:
    """Sums of numbers whose exponents differ by at most `gap` are exact in the wider format. Twin: all sums are."""
    pa, a, ea = patterned("a", narrow)
    pb, b, eb = patterned("b", narrow)
    down, up = (z3.fpAdd(mode, wide(a, broad), wide(b, broad)) for mode in (DOWN, UP))
    near = z3.And(z3.UGE(ea, eb), z3.ULE(ea - eb, gap))
    exact = z3.fpEQ(down, up)
    return Statement(
        "exact sum",
        finite(a, b),
        z3.Implies(near, exact),
        z3.Implies(z3.UGE(ea, eb), exact),
        solvers=FLOATS,
        variables=(pa, pb),
    )


@proves(
    "smt.laws.binary16.add.exact",
    claim="F-PLUS",
    scope="every pair of binary16 numbers",
    **SUPPORT,
)
def half_sums() -> Statement:
    """Sums of binary16 numbers are exact in binary64. Twin: they are exact in binary32."""
    a, b = z3.FP("a", HALF), z3.FP("b", HALF)
    goal, twin = (
        z3.fpEQ(z3.fpAdd(DOWN, wide(a, sort), wide(b, sort)), z3.fpAdd(UP, wide(a, sort), wide(b, sort)))
        for sort in (DOUBLE, SINGLE)
    )
    return Statement("half sums", finite(a, b), goal, twin, solvers=FLOATS, variables=(a, b))


@proves(
    "smt.laws.binary64.add.reduction",
    claim="F-PLUS",
    scope="every pair of doubles a, b with finite sum, a having the larger exponent (⊕ is commutative)",
    **SUPPORT,
)
def double_sums() -> list[Statement]:
    """Exponents at most 59 apart: a + b is a binary128 number. 55 or more apart: a ⊕ b = a, and (2^53+1)·|b| ≤ |a|.

    In the first case the error law for a ⊕ b is that of rounding from binary128. In the second case the error is |b|,
    and |b| ≤ η(|a| - |b|) ≤ η|a + b|. So the law holds for all sums of doubles that do not overflow.
    """
    pa, a, ea = patterned("a", DOUBLE)
    pb, b, eb = patterned("b", DOUBLE)
    smaller, larger = z3.fpAbs(wide(b, QUAD)), z3.fpAbs(wide(a, QUAD))
    scaled = z3.fpAdd(UP, z3.fpMul(UP, number(QUAD, 1 / eta(DOUBLE)), smaller), smaller)
    absorbed = z3.And(z3.fpEQ(z3.fpAdd(EVEN, a, b), a), z3.fpLEQ(scaled, larger))
    far = (z3.UGE(ea, eb), z3.UGE(ea - eb, 55))
    return [
        replace(exact_sum(DOUBLE, QUAD, 59), name="near", solvers=SOLVERS),
        Statement(
            "far", (*finite(a, b), *far), absorbed, z3.fpEQ(z3.fpAdd(UP, a, b), a), solvers=SOLVERS, variables=(pa, pb)
        ),
    ]


def exact_when_tiny(name: str) -> Statement:
    """A sum or difference below twice the smallest normal number is exact. Twin: below four times."""
    sort = FORMATS[name][0]
    a, b = z3.FP("a", sort), z3.FP("b", sort)
    down, up = z3.fpAdd(DOWN, a, b), z3.fpAdd(UP, a, b)
    tiny, more = (z3.fpLT(z3.fpAbs(down), number(sort, factor * smallest_normal(sort))) for factor in (2, 4))
    exact = z3.fpEQ(down, up)
    return Statement(
        "exact when tiny",
        finite(a, b),
        z3.Implies(tiny, exact),
        z3.Implies(more, exact),
        solvers=FLOATS,
        variables=(a, b),
    )


for _name in FORMATS:
    _scope = f"every pair of {_name} numbers (a ⊖ b is a ⊕ -b)"
    register(f"smt.laws.{_name}.add.tiny", "F-PLUS", _scope, exact_when_tiny, _name, **SUPPORT)


# Products without the condition that they do not underflow

OVER = "every pair of doubles with a finite product"


@proves("smt.laws.binary64.mul.unconditional", claim="F-TIMES", scope=OVER, expected="refuted", **SUPPORT)
def products_that_underflow() -> Statement:
    """|a ⊗ b - a·b| ≤ η|a·b| for all doubles. This is refuted: products underflow."""
    pa, a, _ = patterned("a", DOUBLE)
    pb, b, _ = patterned("b", DOUBLE)
    exact, rounded = z3.fpMul(EVEN, wide(a, QUAD), wide(b, QUAD)), z3.fpMul(EVEN, a, b)

    def replay(model: Mapping[str, Any]) -> str:
        x, y = (struct.unpack(">d", int(model[name]).to_bytes(8, "big"))[0] for name in ("a", "b"))
        error, product = abs(Fraction(x * y) - Fraction(x) * Fraction(y)), abs(Fraction(x) * Fraction(y))
        if error <= eta(DOUBLE) * product:
            raise NotReproduced(f"{x.hex()} ⊗ {y.hex()} obeys the law")
        ratio = float(error / product / eta(DOUBLE))
        return f"a = {x.hex()}\nb = {y.hex()}\na ⊗ b = {(x * y).hex()}\nrelative error {ratio:.6g} η"

    return Statement(
        "products that underflow",
        finite(a, b, rounded),
        obeys(wide(rounded, QUAD), exact, DOUBLE),
        replay=replay,
        solvers=FLOATS,
        variables=(pa, pb),
    )


# η itself, in the solver's arithmetic


def largest_absorbed(name: str) -> Statement:
    """1 ⊕ x = 1 exactly for 0 ≤ x ≤ 2^-p. Twin: the same with ties away from zero, where 1 ⊕ 2^-p > 1."""
    sort = FORMATS[name][0]
    term, one = z3.FP("x", sort), number(sort, Fraction(1))
    small = z3.fpLEQ(term, number(sort, eta(sort)))
    nothing, away = (z3.fpEQ(z3.fpAdd(mode, one, term), one) for mode in (EVEN, z3.RNA()))
    return Statement(
        "largest absorbed",
        (z3.fpGEQ(term, z3.FPVal(0.0, sort)),),
        nothing == small,
        away == small,
        solvers=FLOATS,
        variables=(term,),
    )


for _name in FORMATS:
    _scope = f"every x ≥ 0 of {_name}, ties to even"
    register(f"smt.laws.{_name}.eta", "N-5-eta", _scope, largest_absorbed, _name, decides=False)


# Working precision: rounding twice


def rounding_twice(narrow: Term, broad: Term) -> Statement:
    """⊕ computed with 2p + 2 bits, and then rounded to p bits, is ⊕. Twin: the first of the two roundings is exact."""
    a, b = z3.FP("a", narrow), z3.FP("b", narrow)
    first, up = (z3.fpAdd(mode, wide(a, broad), wide(b, broad)) for mode in (EVEN, UP))
    goal = z3.fpEQ(z3.fpToFP(EVEN, first, narrow), z3.fpAdd(EVEN, a, b))
    return Statement("rounding twice", finite(a, b), goal, z3.fpEQ(first, up), solvers=FLOATS, variables=(a, b))


for _name, _sorts, _scope in (
    ("small", (z3.FPSort(4, 4), z3.FPSort(6, 10)), "of the 8-bit format with p = 4, through 10 bits"),
    ("binary16", (HALF, SINGLE), "of binary16, p = 11, through 24 bits"),
):
    _id = f"smt.laws.{_name}.add.double-rounding"
    _scope = f"every pair of numbers {_scope}"
    register(_id, "N-3-ops", _scope, rounding_twice, *_sorts, decides=False, thorough=_name != "small", timeout=120.0)


def sums_through(work: Term, gap: int) -> list[Statement]:
    """Where the exponents are close, a + b is exact at the working precision. Far apart, a ⊕ b = a either way."""
    pa, a, ea = patterned("a", DOUBLE)
    pb, b, eb = patterned("b", DOUBLE)
    first = z3.fpAdd(EVEN, wide(a, work), wide(b, work))
    far = (*finite(a, b), z3.UGE(ea, eb), z3.UGE(ea - eb, 55))
    goal = z3.And(z3.fpEQ(z3.fpAdd(EVEN, a, b), a), z3.fpEQ(z3.fpToFP(EVEN, first, DOUBLE), a))
    twin = z3.fpEQ(first, wide(a, work))
    return [
        replace(exact_sum(DOUBLE, work, gap), name="near"),
        Statement("far", far, goal, twin, solvers=FLOATS, variables=(pa, pb)),
    ]


for _bits, _sort, _gap in ((113, QUAD, 59), (118, z3.FPSort(15, 118), 64)):
    register(
        f"smt.laws.binary64.add.{_bits}-bits",
        "N-3-ops",
        f"every pair of doubles a, b, a having the larger exponent: at most {_gap} apart, and 55 or more apart",
        sums_through,
        _sort,
        _gap,
        **{**LONG, "part": "printed"},
    )
