"""A plain encoding of the same statements, to compare ours with: whole functions, in the theory of floating point.

This is what one would write first: the code as one formula with all its paths, what it should do in the solver's own
floating-point arithmetic, and one call of z3 for each statement.

Most statements need not be written again. `Floats` expresses the predicates of the specification (`Layout`) in the
theory of floating point. Our own functions that build statements then build them with these predicates, twins included.
Where ours go path by path, or through the specification, the statement is written here, about the code itself. What is
about bits (an exponent field, a mantissa) stays as it is.

Numbers are compared in a format of the same precision with wider exponents, in which x/Λ and its multiples are exact.
Other results are rounded in a direction that does not change the comparison. A wider precision would be slower.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import z3

from snapref.formats import BINARY64
from snapref_smt import models
from snapref_smt.engine.script import script
from snapref_smt.engine.solvers import Answer, ask
from snapref_smt.engine.statement import Stated, Statement
from snapref_smt.engine.stating import STATED, listed
from snapref_smt.models import Lifted, any_of, lifted_clamp, lifted_round
from snapref_smt.printed import obligations as printed_formulas
from snapref_smt.spec import Layout

EVEN, DOWN, UP = z3.RNE(), z3.RTN(), z3.RTP()


class Floats(Layout):
    """`Layout`, with its predicates about numbers expressed in the theory of floating point."""

    @property
    def broad(self) -> z3.FPSortRef:
        return z3.FPSort(self.exponent_bits + 2, self.precision)

    def exact(self, bits: z3.BitVecRef) -> z3.FPRef:
        return z3.fpToFP(EVEN, self.as_float(bits), self.broad)

    def power(self, m: z3.BitVecRef) -> z3.FPRef:
        """2^m in the broad format, for every m among its exponents."""
        sort = self.broad
        field = z3.Extract(sort.ebits() - 1, 0, m + z3.BitVecVal((1 << (sort.ebits() - 1)) - 1, m.size()))
        return z3.fpBVToFP(z3.Concat(z3.BitVecVal(0, 1), field, z3.BitVecVal(0, sort.sbits() - 1)), sort)

    def quotient(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.FPRef:
        """x/Λ."""
        return z3.fpMul(EVEN, self.exact(bits), self.power(-m))

    def nearest_multiple(self, bits: z3.BitVecRef, m: z3.BitVecRef, ties: str = "up") -> z3.FPRef:
        """Λ·⌊x/Λ + ½⌋, or Λ·⌈x/Λ - ½⌉ with ties down. ⌊v⌋ is a number of the format, so rounding v down first does not
        change it."""
        mode, half = {"up": (DOWN, 0.5), "down": (UP, -0.5)}[ties]
        shifted = z3.fpAdd(mode, self.quotient(bits, m), z3.FPVal(half, self.broad))
        return z3.fpMul(EVEN, self.power(m), z3.fpRoundToIntegral(mode, shifted))

    # The words of the specification

    def finite(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.Not(z3.Or(z3.fpIsNaN(self.as_float(bits)), z3.fpIsInf(self.as_float(bits))))

    def nan(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.fpIsNaN(self.as_float(bits))

    def zero(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.fpIsZero(self.as_float(bits))

    def less(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        return z3.fpLT(self.as_float(a), self.as_float(b))

    def at_most(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        return z3.fpLEQ(self.as_float(a), self.as_float(b))

    def same(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        return z3.fpEQ(self.as_float(a), self.as_float(b))

    def rounds_to(self, bits: z3.BitVecRef, m: z3.BitVecRef, result: z3.BitVecRef, ties: str = "up") -> z3.BoolRef:
        equal = z3.fpEQ(self.exact(result), self.nearest_multiple(bits, m, ties))
        return z3.And(equal, z3.Implies(self.zero(result), result == 0))

    def overflows(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        end = self.power(z3.BitVecVal(self.max_exponent + 1, 16))
        return z3.fpGEQ(z3.fpAbs(self.nearest_multiple(bits, m)), end)

    def is_lattice_point(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        quotient = self.quotient(bits, m)
        return z3.fpEQ(z3.fpRoundToIntegral(EVEN, quotient), quotient)

    def at_most_power(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        """|x| ≤ 2^m, for every 16-bit m. The format has no finite number above 2^(max_exponent+1), and only 0 below
        2^min_exponent."""
        compared = z3.fpLEQ(z3.fpAbs(self.exact(bits)), self.power(m))
        return z3.If(m > self.max_exponent, True, z3.If(m < self.min_exponent, self.zero(bits), compared))

    def clamps_to(self, bits: z3.BitVecRef, bound: z3.BitVecRef, result: z3.BitVecRef) -> z3.BoolRef:
        x, limit = self.as_float(bits), z3.fpAbs(self.as_float(bound))
        low = z3.fpNeg(limit)
        clamped = z3.If(z3.fpGT(x, limit), limit, z3.If(z3.fpLT(x, low), low, x))
        return self.as_float(result) == clamped  # identical: -0 is not +0

    def within_half(self, x: z3.BitVecRef, m: z3.BitVecRef, r: z3.BitVecRef, strict: bool = False) -> z3.BoolRef:
        """-Λ/2 < r - x ≤ Λ/2. As ±Λ/2 are numbers of the format, rounding the difference up does not move it across
        them."""
        half = z3.fpMul(EVEN, self.power(m), z3.FPVal(0.5, self.broad))
        difference = z3.fpSub(UP, self.exact(r), self.exact(x))
        upper = z3.fpLT(difference, half) if strict else z3.fpLEQ(difference, half)
        return z3.And(z3.fpLT(z3.fpNeg(half), difference), upper)


FORM = Floats(BINARY64.precision, BINARY64.exponent_bits)


def is_quotient(quotient: z3.BitVecRef) -> z3.BoolRef:
    """quotient·2^m = x, signs of zeros included, for the x and m of the printed formulas."""
    x, m = printed_formulas.X, printed_formulas.M
    return z3.And(z3.fpMul(EVEN, FORM.exact(quotient), FORM.power(m)) == FORM.exact(x), FORM.finite(quotient))


@contextmanager
def in_floating_point() -> Iterator[None]:
    """Inside this context the functions that build our statements use `Floats`. The code has to be lifted before."""
    with (
        patch.object(models, "Layout", Floats),
        patch.object(printed_formulas, "FORM", FORM),
        patch.object(printed_formulas, "_is_quotient", is_quotient),
    ):
        yield


# Statements about the code itself, where ours are made in another way


def _on(code: Lifted, term: z3.ExprRef, *inputs: z3.BitVecRef) -> z3.ExprRef:
    """A term about the code, with other inputs."""
    return z3.substitute(term, *zip(code.variables, inputs, strict=True))


def _rounding() -> tuple[z3.BitVecRef, z3.BitVecRef, z3.BitVecRef, tuple[z3.BoolRef, ...]]:
    """(x, m, the code's result, hypotheses). The hypotheses: x and m are in the domain, and the code returns."""
    code = lifted_round(BINARY64)
    x, m = code.variables
    return x, m, code.merged(), (FORM.finite(x), FORM.has_lattice(m), code.accepted)


def result() -> Statement:
    """The code returns the nearest multiple, in all four cases."""
    x, m, r, hypotheses = _rounding()
    return Statement(
        "result", hypotheses, FORM.rounds_to(x, m, r), FORM.rounds_to(x, m, r, ties="down"), variables=(x, m)
    )


def multiple() -> Statement:
    x, m, r, hypotheses = _rounding()
    return Statement(
        "multiple", hypotheses, FORM.is_lattice_point(r, m), FORM.is_lattice_point(r, m + 1), variables=(x, m)
    )


def distance() -> Statement:
    x, m, r, hypotheses = _rounding()
    return Statement(
        "distance", hypotheses, FORM.within_half(x, m, r), FORM.within_half(x, m, r, strict=True), variables=(x, m)
    )


def zero() -> Statement:
    x, m, r, hypotheses = _rounding()
    return Statement("zero", hypotheses, z3.Implies(FORM.zero(r), r == 0), z3.Not(FORM.zero(r)), variables=(x, m))


def idempotent() -> Statement:
    x, m, r, hypotheses = _rounding()
    code = lifted_round(BINARY64)
    again = z3.And(_on(code, code.accepted, r, m), _on(code, r, r, m) == r)
    return Statement("idempotent", hypotheses, again, r == x, variables=(x, m))


def monotone() -> Statement:
    x, m, r, hypotheses = _rounding()
    code, y = lifted_round(BINARY64), FORM.pattern("y")
    higher = _on(code, r, y, m)
    both = (*hypotheses, FORM.finite(y), _on(code, code.accepted, y, m), FORM.at_most(x, y))
    return Statement("monotone", both, FORM.at_most(r, higher), FORM.less(r, higher), variables=(x, m, y))


def _pipeline() -> tuple[tuple[z3.BitVecRef, ...], tuple[z3.BoolRef, ...]]:
    """((x, m, bound, rounded, clamped), hypotheses): the code of rounding, and then that of clamping."""
    x, m, r, hypotheses = _rounding()
    code = lifted_clamp(BINARY64)
    bound = code.variables[1]
    valid = z3.And(FORM.finite(bound), z3.Not(FORM.sign(bound)))
    return (x, m, bound, r, _on(code, code.merged(), r, bound)), (*hypotheses, valid)


def outputs() -> Statement:
    (x, m, bound, r, c), hypotheses = _pipeline()
    size, limit = z3.fpAbs(FORM.as_float(c)), FORM.as_float(bound)
    off = z3.And(z3.fpGT(z3.fpAbs(FORM.as_float(r)), limit), z3.Not(FORM.is_lattice_point(bound, m)))
    point = FORM.is_lattice_point(c, m)
    goal = z3.And(point == z3.Not(off), z3.Implies(off, z3.fpEQ(size, limit)), z3.fpLEQ(size, limit))
    return Statement("outputs", hypotheses, goal, point, variables=(x, m, bound))


def aligned() -> Statement:
    (x, m, bound, r, c), hypotheses = _pipeline()
    inside = z3.fpLEQ(z3.fpAbs(FORM.as_float(x)), FORM.as_float(bound))
    goal = z3.And(FORM.is_lattice_point(c, m), z3.Implies(inside, c == r))
    return Statement("aligned", (*hypotheses, FORM.is_lattice_point(bound, m)), goal, c == r, variables=(x, m, bound))


ON_CODE: dict[str, Callable[[], Statement]] = {
    "smt.round.case1": result,
    "smt.round.multiple": multiple,
    "smt.round.distance": distance,
    "smt.round.zero": zero,
    "smt.round.idempotent": idempotent,
    "smt.round.monotone": monotone,
    "smt.pipeline.outputs": outputs,
    "smt.pipeline.aligned": aligned,
}
# The obligations that have no plain form, and why. ("It" is the plain encoding.)
UNSAID: dict[str, str] = {
    **dict.fromkeys((f"smt.round.case{n}" for n in (2, 3, 4)), "said with case1, of the whole function at once"),
    **{f"smt.{f}.widths": "its terms are of our making" for f in ("clamp", "lattice", "round")},
    **{f"smt.{f}.paths": "it has one path" for f in ("clamp", "lattice", "round")},
    "smt.round.cases": "it has one path",
    **{f"smt.{f}.precisions": "no format has an unknown width" for f in ("clamp", "lattice", "round")},
    "smt.spec.nearest": "it has no other specification",
    "smt.spec.unique": "it has no other specification",
    "smt.spec.float": "it has no other specification",
    "smt.clamp.contraction": "it is about reals",
}


def statement(id: str) -> list[Stated] | None:
    """The statements of an obligation in the plain encoding. None where it has no plain form."""
    if id in UNSAID:
        return None
    if id in ON_CODE:
        return [ON_CODE[id]()]
    STATED[id]()  # so that the code is lifted, in bit-vectors
    with in_floating_point():
        return listed(STATED[id]())


def decided(statements: list[Stated], seconds: float) -> Answer:
    """One call of z3 about all of them at once: `unsat` if each holds, `sat` if one does not."""
    failing = [z3.And(*statement.negation) for statement in statements if isinstance(statement, Statement)]
    (answer,) = ask(script(([any_of(failing)], ())), (), ("z3",), seconds, lambda answers: False)
    return answer
