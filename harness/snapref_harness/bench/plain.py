"""The plain encoding, to compare ours with: a whole function at once, specified in the theory of floating point.

This is what one writes first: the code as one formula, and what it should do in the solver's own arithmetic. Exactness
is had by computing in a wider format. One call of z3 each.
"""

from collections.abc import Callable

import z3

from snapref.formats import BINARY64
from snapref_smt.models import any_of, layout, lifted_clamp, lifted_lattice, lifted_round

DOUBLE, BROAD = z3.FPSort(11, 53), z3.FPSort(15, 113)
EVEN = z3.RNE()


def number(pattern: z3.BitVecRef) -> z3.FPRef:
    return z3.fpBVToFP(pattern, DOUBLE)


def broad(x: z3.FPRef) -> z3.FPRef:
    return z3.fpToFP(EVEN, x, BROAD)


def power(m: z3.BitVecRef) -> z3.FPRef:
    """2^m in the wider format, for 16-bit m within its exponents."""
    field = z3.Extract(14, 0, m + z3.BitVecVal(16383, 16))
    return z3.fpBVToFP(z3.Concat(z3.BitVecVal(0, 1), field, z3.BitVecVal(0, 112)), BROAD)


def lattice() -> list[z3.BoolRef]:
    """Λ/2 < λ ≤ Λ."""
    code = lifted_lattice(BINARY64)
    (scale,) = code.variables
    m = z3.BitVecVal(0, 16)
    for path in code.returning():
        assert path.result is not None
        m = z3.If(path.condition, z3.Extract(15, 0, path.result), m)
    returns = any_of([path.condition for path in code.returning()])
    value, half = broad(number(scale)), z3.fpMul(EVEN, power(m), z3.FPVal(0.5, BROAD))
    return [returns, z3.Not(z3.And(z3.fpLEQ(value, power(m)), z3.fpLT(half, value)))]


def rounding() -> list[z3.BoolRef]:
    """-Λ/2 < r - x ≤ Λ/2, and r/Λ is whole."""
    code, form = lifted_round(BINARY64), layout(BINARY64)
    x, m = code.variables
    returns = any_of([path.condition for path in code.returning()])
    unit = power(m if m.size() == 16 else z3.SignExt(16 - m.size(), m))
    half = z3.fpMul(EVEN, unit, z3.FPVal(0.5, BROAD))
    result, exact = broad(number(code.merged())), broad(number(x))
    difference, multiple = z3.fpSub(EVEN, result, exact), z3.fpDiv(EVEN, result, unit)
    whole = z3.fpEQ(z3.fpRoundToIntegral(EVEN, multiple), multiple)
    near = z3.And(z3.fpLT(z3.fpNeg(half), difference), z3.fpLEQ(difference, half))
    return [form.finite(x), form.has_lattice(m), returns, z3.Not(z3.And(whole, near))]


def clamping() -> list[z3.BoolRef]:
    """min(max(x, -B), B)."""
    code = lifted_clamp(BINARY64)
    x, bound = code.variables
    returns = any_of([path.condition for path in code.returning()])
    value, limit = number(x), number(bound)
    clamped = z3.If(z3.fpGT(value, limit), limit, z3.If(z3.fpLT(value, z3.fpNeg(limit)), z3.fpNeg(limit), value))
    return [returns, z3.Not(z3.fpEQ(number(code.merged()), clamped))]


# The function → its plain encoding, and the obligations that say the same in ours.
FUNCTIONS: dict[str, tuple[Callable[[], list[z3.BoolRef]], tuple[str, ...]]] = {
    "clamp": (clamping, ("smt.clamp.paths", "smt.clamp.result")),
    "lattice": (lattice, ("smt.lattice.paths", "smt.lattice.covers", "smt.lattice.minimal")),
    "round": (rounding, ("smt.round.paths", *(f"smt.round.case{n}" for n in (1, 2, 3, 4)))),
}


def ask(formulas: list[z3.BoolRef], seconds: float) -> str:
    """z3's answer: unsat, sat or unknown."""
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(*formulas)
    return str(solver.check())
