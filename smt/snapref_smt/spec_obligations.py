"""What follows from the specification of rounding alone (spec.py). It holds for all code that meets the specification,
so for the reference's (rounding.py).

The specification allows one result only, and that is the nearest multiple of Λ. It agrees with the theory of floating
point. It has the properties that 000 §3.1 and the proofs of privacy use. In the statements, r is any pattern that the
specification allows as the rounded x, for Λ = 2^m.
"""

import z3

from snapref.formats import BINARY64, Format
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves
from snapref_smt.models import layout, on_formats
from snapref_smt.spec import EXPONENT_WIDTH, Layout, resize

DOMAIN = "every finite x and every m that the format holds"
MEETS = f"{DOMAIN}; every r that meets the specification, which the code's result does by smt.round.case1 to case4"


def _inputs(fmt: Format) -> tuple[Layout, z3.BitVecRef, z3.BitVecRef, z3.BitVecRef, tuple[z3.BoolRef, ...]]:
    """(form, x, m, r, hypotheses). The hypotheses say that x and m are in the domain, and that r is the rounded x."""
    form = layout(fmt)
    x, m, r = form.pattern("x"), form.lattice(), form.pattern("r")
    return form, x, m, r, (form.finite(x), form.has_lattice(m), form.rounds_to(x, m, r))


@on_formats("smt.spec.nearest", claim="N-4.2", part="corrected", decides=False, scope=f"Λ > unit of x; {DOMAIN}")
def nearest(fmt: Format) -> list[Statement]:
    """The specified multiple is within Λ/2 of x, with ties by the rule, and no other multiple is."""
    form = layout(fmt)
    x, m, units = form.pattern("x"), form.lattice(), z3.BitVec("units", form.integer_width)
    domain = (form.finite(x), form.has_lattice(m), form.cut(x, m) >= 1)
    room = z3.And(units >= 0, units <= 1 << (form.precision + 2))
    specified = form.rounded_units(x, m)
    return [
        Statement(
            "within Λ/2",
            domain,
            form.is_nearest(x, m, specified),
            form.is_nearest(x, m, specified + 1),
            variables=(x, m),
        ),
        Statement(
            "the only one",
            (*domain, room, form.is_nearest(x, m, units)),
            units == specified,
            units == form.rounded_units(x, m, ties="down"),
            variables=(x, m, units),
        ),
    ]


@on_formats("smt.spec.unique", claim="N-4.2", part="corrected", decides=False, scope=DOMAIN)
def unique(fmt: Format) -> list[Statement]:
    """At most one pattern meets the specification, and none does where the result overflows."""
    form, x, m, r, hypotheses = _inputs(fmt)
    other = form.pattern("other")
    return [
        Statement(
            "one pattern", (*hypotheses, form.rounds_to(x, m, other)), r == other, r == x, variables=(x, m, r, other)
        ),
        Statement(
            "none on overflow", hypotheses, z3.Not(form.overflows(x, m)), form.overflows(x, m), variables=(x, m, r)
        ),
    ]


@proves(
    "smt.spec.float",
    claim="N-4.2",
    part="corrected",
    decides=False,
    timeout=180.0,
    scope="Λ = 1: every finite double; other Λ: every x and Λ with x, Λ and x/Λ normal doubles",
)
def floating_point() -> list[Statement]:
    """The specification agrees with fp.roundToIntegral at Λ = 1, and is the same at every other Λ, as x/Λ is exact."""
    form = layout(BINARY64)
    x, m, r = form.pattern("x"), form.lattice(), form.pattern("r")
    one = z3.BitVecVal(0, 16)  # m = 0, Λ = 1
    wide = resize(m, EXPONENT_WIDTH)

    def field(bits: z3.BitVecRef) -> z3.BitVecRef:
        return z3.ZeroExt(EXPONENT_WIDTH - form.exponent_bits, form.field(bits))

    def divided(bits: z3.BitVecRef) -> z3.BitVecRef:
        """bits/Λ by subtraction in the exponent field; 0 stays 0."""
        quotient = z3.Concat(
            z3.Extract(form.width - 1, form.width - 1, bits),
            z3.Extract(form.exponent_bits - 1, 0, field(bits) - wide),
            form.fraction(bits),
        )
        return z3.If(form.zero(bits), bits, quotient)

    def stays_normal(bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.And(field(bits) >= 1, field(bits) <= 2046, field(bits) - wide >= 1, field(bits) - wide <= 2046)

    normal_lattice = z3.And(m >= 1 - form.max_exponent, m <= form.max_exponent)
    quotient, lattice = form.as_float(divided(x)), form.as_float(form.power_of_two(m))
    number = form.as_float(x)
    return [
        Statement(
            "to integers",
            (form.finite(x), form.rounds_to(x, one, r)),
            form.as_float(r) == form.float_round_half_up(number),
            form.as_float(r) == z3.fpRoundToIntegral(z3.RNE(), number),
            solvers=("bitwuzla", "cvc5", "z3"),
            variables=(x, r),
        ),
        Statement(
            "at every scale",
            (form.has_lattice(m), stays_normal(x), z3.Or(form.zero(r), stays_normal(r))),
            form.rounds_to(x, m, r) == form.rounds_to(divided(x), one, divided(r)),
            form.rounds_to(x, m, r) == form.rounds_to(x, one, r),
            variables=(x, m, r),
        ),
        Statement(
            "the quotient is exact",
            (normal_lattice, stays_normal(x)),
            z3.fpMul(z3.RNE(), quotient, lattice) == number,
            quotient == number,
            variables=(x, m),
        ),
    ]


@on_formats("smt.round.multiple", claim="N-4.2", part="corrected", decides=False, scope=MEETS)
def multiple(fmt: Format) -> Statement:
    """The result is a multiple of Λ."""
    form, x, m, r, hypotheses = _inputs(fmt)
    return Statement(
        "multiple", hypotheses, form.is_lattice_point(r, m), form.is_lattice_point(r, m + 1), variables=(x, m, r)
    )


def _within(form: Layout, x: z3.BitVecRef, m: z3.BitVecRef, r: z3.BitVecRef, strict: bool) -> z3.BoolRef:
    """x - Λ/2 < r ≤ x + Λ/2; with `strict`, r < x + Λ/2. Compared in units of x; Λ/2 is one unit or more."""
    half = z3.LShR(form.lattice_units(x, m), 1)
    significand = form.significand(x)
    defined, units = form.in_units(x, r)
    negative = form.sign(x)
    upper = units < significand + half if strict else units <= significand + half
    above = z3.And(significand < units + half, upper)
    lower = significand < units + half if strict else significand <= units + half
    below = z3.And(lower, units < significand + half)
    same_side = z3.Or(form.zero(r), form.sign(r) == negative)
    near = z3.And(form.finite(r), defined, same_side, z3.If(negative, below, above))
    return z3.If(form.cut(x, m) >= 1, near, form.same(r, x))


@on_formats("smt.round.distance", claim="U-3.1.2a", decides=False, scope=MEETS)
def distance(fmt: Format) -> Statement:
    """x - Λ/2 < round(x) ≤ x + Λ/2. So |round(x) - x| ≤ Λ/2, and a tie goes to the larger multiple."""
    form, x, m, r, hypotheses = _inputs(fmt)
    return Statement(
        "distance",
        hypotheses,
        _within(form, x, m, r, strict=False),
        _within(form, x, m, r, strict=True),
        variables=(x, m, r),
    )


@on_formats("smt.round.zero", claim="N-4.2", part="corrected", decides=False, scope=MEETS)
def positive_zero(fmt: Format) -> Statement:
    """A zero result is +0."""
    form, x, m, r, hypotheses = _inputs(fmt)
    return Statement(
        "positive zero", hypotheses, z3.Implies(form.zero(r), r == 0), z3.Not(form.zero(r)), variables=(x, m, r)
    )


@on_formats("smt.round.idempotent", claim="N-4.2", part="corrected", decides=False, scope=MEETS)
def idempotent(fmt: Format) -> Statement:
    """Rounding a rounded number returns it, bit for bit."""
    form, x, m, r, hypotheses = _inputs(fmt)
    return Statement(
        "idempotent", hypotheses, form.rounds_to(r, m, r), form.rounds_to(r, m + 1, r), variables=(x, m, r)
    )


@on_formats("smt.round.monotone", claim="N-4.2", part="corrected", decides=False, timeout=180.0, scope=MEETS)
def monotone(fmt: Format) -> Statement:
    """round(x) ≤ round(x') if x' is the next number above x. By steps from one to the next, it holds for all x ≤ x'."""
    form, x, m, r, hypotheses = _inputs(fmt)
    higher = form.pattern("higher")
    up = z3.If(form.sign(x), x - 1, x + 1)  # -0 is left out: it rounds as +0 does
    negative_zero = z3.BitVecVal(1 << (form.width - 1), form.width)
    step = (x != negative_zero, form.finite(up), form.rounds_to(up, m, higher))
    return Statement(
        "monotone", (*hypotheses, *step), form.at_most(r, higher), form.less(r, higher), variables=(x, m, r, higher)
    )


# Over the reals, where 000 and 001/002 §6.2 state it


def _reals() -> tuple[z3.ArithRef, ...]:
    return tuple(z3.Reals("x scale lattice rounded"))


def _lattice_of(scale: z3.ArithRef, lattice: z3.ArithRef) -> tuple[z3.BoolRef, ...]:
    """Λ is the smallest power of two that is at least λ. Of "smallest" only this is needed: Λ/2, which is a power of
    two as well, is not at least λ."""
    none_smaller = z3.Implies(lattice / 2 >= scale, lattice <= lattice / 2)
    return scale > 0, lattice > 0, lattice >= scale, none_smaller


@proves("smt.reals.lattice", claim="U-2.2b", scope="every real λ > 0")
def lattice_bounds() -> Statement:
    """2^(m-1) < λ ≤ 2^m where 2^m is the smallest power of two that is at least λ."""
    _, scale, lattice, _ = _reals()
    goal = z3.And(lattice / 2 < scale, scale <= lattice)
    return Statement(
        "lattice bounds", _lattice_of(scale, lattice), goal, z3.And(goal, scale < lattice), variables=(scale, lattice)
    )


@proves("smt.reals.lattice-half", claim="N-6-Lam", scope="every real λ' > 0")
def lattice_half() -> Statement:
    """λ'/2 ≤ Λ/2 < λ'."""
    _, scale, lattice, _ = _reals()
    goal = z3.And(scale / 2 <= lattice / 2, lattice / 2 < scale)
    return Statement(
        "lattice half",
        _lattice_of(scale, lattice),
        goal,
        z3.And(goal, scale / 2 < lattice / 2),
        variables=(scale, lattice),
    )


def _rounded(x: z3.ArithRef, lattice: z3.ArithRef, rounded: z3.ArithRef) -> z3.BoolRef:
    """`rounded` is the nearest multiple of Λ, ties up: no farther from x than the multiple below it, and nearer than
    the one above it."""

    def distance(multiple: z3.ArithRef) -> z3.ArithRef:
        return z3.If(x >= multiple, x - multiple, multiple - x)

    return z3.And(distance(rounded) <= distance(rounded - lattice), distance(rounded) < distance(rounded + lattice))


@proves("smt.reals.distance", claim="U-3.1.1a", scope="every real x = f + Y, every real λ > 0")
def real_distance() -> Statement:
    """|x - round(x)| ≤ Λ/2 < λ."""
    x, scale, lattice, rounded = variables = _reals()
    size = z3.If(x >= rounded, x - rounded, rounded - x)
    hypotheses = (*_lattice_of(scale, lattice), _rounded(x, lattice, rounded))
    goal = z3.And(size <= lattice / 2, lattice / 2 < scale)
    return Statement(
        "real distance", hypotheses, goal, z3.And(size < lattice / 2, lattice / 2 < scale), variables=tuple(variables)
    )


@proves("smt.reals.ends", claim="U-3.1.2a", scope="every real x = B + Y, every real Λ > 0")
def real_ends() -> Statement:
    """x - Λ/2 < round(x) ≤ x + Λ/2."""
    x, _, lattice, rounded = _reals()
    goal = z3.And(x - lattice / 2 < rounded, rounded <= x + lattice / 2)
    strict = z3.And(x - lattice / 2 < rounded, rounded < x + lattice / 2)
    return Statement(
        "real ends", (lattice > 0, _rounded(x, lattice, rounded)), goal, strict, variables=(x, lattice, rounded)
    )
