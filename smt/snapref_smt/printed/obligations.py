"""The printed formulas of 001/002 §4, compared with the definition: for each a proof, or where exactly it fails.

The names of the obligations end in

    fails       states the formula as printed, and is refuted. The witness has the solver's counterexample, and beside
                it the smallest and the most natural ones.
    exact       proves that the formula is right exactly outside a given set of inputs
    corrected   proves what the document should say

"Right" means: as spec.py says, on doubles. Here X is the x' of the notes, with the fields S, (f_1…f_11)_2, m_1…m_52.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import z3

from snapref.formats import BINARY64
from snapref_smt.engine.executor import Path, explore
from snapref_smt.engine.statement import NotReproduced, Replay, Statement
from snapref_smt.engine.stating import proves
from snapref_smt.models import any_of, layout
from snapref_smt.oracle import number, pattern, rounded, smallest_exponent
from snapref_smt.printed import formulas as printed
from snapref_smt.replay import show, signed
from snapref_smt.spec import EXPONENT_WIDTH, resize
from snapref_smt.trace import float_line, integer_line, trace

FORM = layout(BINARY64)
WIDTH = 80
ONE = z3.BitVecVal(0, 16)  # m = 0: rounding to integers
X = FORM.pattern("x")
M = FORM.lattice("m")
ONES = z3.BitVecVal(printed.ALL_ONES, 52)


def bits(value: float) -> int:
    result = pattern(Fraction(value), FORM)
    assert result is not None
    return result


# The formulas, lifted


@dataclass(frozen=True)
class Formula:
    """A printed formula, lifted: `value` is its value where it has one, and `defined` says where that is."""

    defined: z3.BoolRef
    value: z3.BitVecRef
    sides: z3.BoolRef  # the side conditions of the arithmetic, which statements about the formula include


@cache
def lifted(name: str, hypothesis: Callable[[], z3.BoolRef], with_m: bool = False) -> Formula:
    """printed.<name> on x (and m), for inputs that meet the hypothesis."""
    arguments = [z3.ZeroExt(WIDTH - 64, X)] + ([z3.SignExt(WIDTH - 16, M)] if with_m else [])
    paths = explore(getattr(printed, name), arguments, WIDTH, [hypothesis()], expected_error=printed.NoField)
    value = z3.BitVecVal(0, 64)
    returning = [path for path in paths if path.result is not None]
    for path in returning:
        value = z3.If(path.condition, z3.Extract(63, 0, path.result), value)
    return Formula(any_of([path.condition for path in returning]), value, z3.And(*map(_owed, paths)))


def _owed(path: Path) -> z3.BoolRef:
    owed = [z3.Implies(side.reached, side.condition) for side in path.sides]
    if path.result is not None:
        fits = z3.And(path.result >= 0, path.result < z3.BitVecVal(1 << 64, WIDTH))
        owed.append(z3.Implies(path.condition, fits))
    return z3.And(*owed, z3.BoolVal(True))


def exactly(right: z3.BoolRef, outside: z3.BoolRef, formula: Formula) -> z3.BoolRef:
    """right ⟺ not in the failing set, and the arithmetic of the formula is sound."""
    return z3.And(formula.sides, right == z3.Not(outside))


# Replays


def replay_with(
    witnesses: Mapping[str, tuple[int, ...]], check: Callable[..., tuple[list[str], str | None]], names: Sequence[str]
) -> Replay:
    """A replay: runs the printed formula, as concrete code, on the solver's counterexample and on the named witnesses.

    `check` gives the lines of the trace and what was expected, or None in place of the latter if the formula is right.
    """

    def replay(model: Mapping[str, Any]) -> str:
        own = tuple(signed(model[n]) if n == "m" else model[n] for n in names)
        shown = []
        for title, values in {"counterexample": own, **witnesses}.items():
            lines, expected = check(*values)
            if expected is None:
                raise NotReproduced("\n".join([title, *lines, "is right"]))
            shown.append(f"{title}:\n{trace(lines, expected)}")
        return "\n".join(shown)

    return replay


def _outcome(function: Callable[..., int], *arguments: int) -> int | str:
    try:
        return function(*arguments)
    except printed.NoField as error:
        return f"{error}"


def _integer_check(function: Callable[[int], int], nearest: bool) -> Callable[[int], tuple[list[str], str | None]]:
    """Compares x'' = function(x') with the integer nearest to x', ties toward +∞; with `nearest`, ties either way."""

    def check(x: int) -> tuple[list[str], str | None]:
        got = _outcome(function, x)
        lines = [float_line("x'", x, FORM), show("x''", got, FORM)]
        wanted = rounded(number(x, FORM), 0)
        finite = isinstance(got, int) and got & (2047 << 52) != 2047 << 52
        value = number(int(got), FORM) if finite else None
        near = value is not None and value.denominator == 1 and abs(value - number(x, FORM)) <= Fraction(1, 2)
        return lines, None if value == wanted or (nearest and near) else f"{wanted}"

    return check


# Eq. 4.1


def _positive() -> z3.BoolRef:
    return z3.And(FORM.finite(X), z3.Not(FORM.sign(X)), z3.Not(FORM.zero(X)))


def _smallest() -> z3.BoolRef:
    """2^m is the smallest power of two ≥ x."""
    return z3.And(FORM.at_most_power(X, M), z3.Not(FORM.at_most_power(X, M - 1)), M > -2000, M < 2000)


def _lattice_check(scale: int) -> tuple[list[str], str | None]:
    got = _outcome(printed.lattice, scale)
    m = smallest_exponent(number(scale, FORM))
    wanted = pattern(Fraction(2) ** m, FORM)
    lines = [float_line("λ", scale, FORM), show("Λ by eq. 4.1", got, FORM)]
    return lines, None if got == wanted else f"2^{m}" + ("" if wanted else ", which no double holds")


@proves("smt.printed.eq41.fails", claim="N-4.1", expected="refuted", scope="every positive finite double λ")
def eq41_fails() -> Statement:
    """Eq. 4.1 gives the smallest power of two ≥ λ."""
    formula = lifted("lattice", _positive)
    witnesses = {"smallest": (1,), "most natural": (bits(1e-310),), "at the other end": (bits(1.5 * 2.0**1023),)}
    return Statement(
        "eq41 fails",
        (_positive(), _smallest()),
        z3.And(formula.defined, formula.value == FORM.power_of_two(M), FORM.has_lattice(M)),
        replay=replay_with(witnesses, _lattice_check, ("x",)),
        variables=(X, M),
    )


@proves("smt.printed.eq41.exact", claim="N-4.1", part="conditional", scope="every positive finite double λ")
def eq41_exact() -> Statement:
    """Eq. 4.1 is right exactly for 2^-1023 < λ ≤ 2^1023: for every normal λ up to 2^1023, and half the subnormals."""
    formula = lifted("lattice", _positive)
    right = z3.And(formula.defined, formula.value == FORM.power_of_two(M), FORM.has_lattice(M))
    fails = z3.Or(z3.ULE(X, bits(2.0**-1023)), z3.UGT(X, bits(2.0**1023)))
    subnormal = z3.Or(FORM.field(X) == 0, z3.UGT(X, bits(2.0**1023)))
    hypotheses = (_positive(), _smallest())
    return Statement(
        "eq41 exact", hypotheses, exactly(right, fails, formula), exactly(right, subnormal, formula), variables=(X, M)
    )


# §4.1: powers of two and the mantissa


def _power_check(x: int) -> tuple[list[str], str | None]:
    value = number(x, FORM)
    power = value == Fraction(2) ** smallest_exponent(value)
    bare = x & printed.ALL_ONES == 0
    lines = [float_line("x", x, FORM), f"{'m_1…m_52':<12} = {'all 0' if bare else 'not all 0'}"]
    return lines, None if power == bare else f"{'a' if power else 'no'} power of two"


@proves("smt.printed.powers.fails", claim="N-4.1b", expected="refuted", scope="every positive finite double")
def powers_fail() -> Statement:
    """A positive double is a power of two if and only if its mantissa bits are all 0."""
    witnesses = {"smallest": (1,), "most natural": (bits(2.0**-1023),)}
    power = FORM.power_of_two(M) == X
    goal = power == (FORM.fraction(X) == 0)
    replay = replay_with(witnesses, _power_check, ("x",))
    return Statement(
        "powers fail", (_positive(), _smallest(), FORM.has_lattice(M)), goal, replay=replay, variables=(X, M)
    )


@proves("smt.printed.powers.exact", claim="N-4.1b", part="conditional", scope="every positive finite double")
def powers_exact() -> Statement:
    """It fails exactly at the 52 subnormal powers of two, 2^-1074 to 2^-1023; so it holds for every normal double."""
    power = FORM.power_of_two(M) == X
    holds = power == (FORM.fraction(X) == 0)
    fails = z3.And(FORM.field(X) == 0, X & (X - 1) == 0)
    hypotheses = (
        _positive(),
        z3.Or(z3.And(_smallest(), FORM.has_lattice(M)), z3.And(z3.UGT(X, bits(2.0**1023)), M == 0)),
    )
    return Statement(
        "powers exact", hypotheses, holds == z3.Not(fails), holds == (FORM.field(X) != 0), variables=(X, M)
    )


# §4.2.1: x/Λ by subtraction in the exponent field


def _wide_field() -> z3.BitVecRef:
    return z3.ZeroExt(EXPONENT_WIDTH - 11, FORM.field(X))


def _domain() -> z3.BoolRef:
    return z3.And(FORM.finite(X), FORM.has_lattice(M))


def _is_quotient(quotient: z3.BitVecRef) -> z3.BoolRef:
    """quotient·2^m = x, exactly: the significands are equal, once shifted by the difference of the units."""
    step = FORM.unit(X) - resize(M, EXPONENT_WIDTH) - FORM.unit(quotient)  # x/2^m = s_x·2^step in units of the quotient
    up, down = resize(step, FORM.integer_width), resize(-step, FORM.integer_width)
    s, q = FORM.significand(X), FORM.significand(quotient)
    equal = z3.If(
        step >= 0,
        z3.And(step < FORM.precision, s << up == q),
        z3.And(-step < FORM.precision, q << down == s),
    )
    zero = z3.And(FORM.zero(X), FORM.zero(quotient))
    nonzero = z3.And(z3.Not(FORM.zero(X)), z3.Not(FORM.zero(quotient)), equal)
    return z3.And(FORM.finite(quotient), FORM.sign(quotient) == FORM.sign(X), z3.Or(zero, nonzero))


def _divide_check(x: int, m: int) -> tuple[list[str], str | None]:
    got = _outcome(printed.divide, x, m)
    lines = [float_line("x", x, FORM), integer_line("m", m), show("x' = x/2^m", got, FORM)]
    wanted = number(x, FORM) / Fraction(2) ** m
    finite = isinstance(got, int) and got & (2047 << 52) != 2047 << 52
    held = pattern(wanted, FORM)
    text = "a number that no double holds" if held is None else float_line("", held, FORM).lstrip(" =")
    return lines, None if finite and number(int(got), FORM) == wanted else text


@proves(
    "smt.printed.divide.fails",
    claim="N-4.2.1",
    expected="refuted",
    scope="every finite double x and every m from -1074 to 1023",
)
def divide_fails() -> Statement:
    """x/Λ is written by subtracting m from the exponent field."""
    formula = lifted("divide", _domain, with_m=True)
    witnesses = {
        "smallest": (1, 1),
        "most natural": (bits(2.0**-1022), 1),
        "beyond 11 bits": (bits(1.0), -1074),
    }
    return Statement(
        "divide fails",
        (_domain(),),
        z3.And(formula.defined, _is_quotient(formula.value)),
        replay=replay_with(witnesses, _divide_check, ("x", "m")),
        variables=(X, M),
    )


@proves(
    "smt.printed.divide.exact",
    claim="N-4.2.1",
    part="conditional",
    scope="every finite double x and every m from -1074 to 1023",
)
def divide_exact() -> Statement:
    """It is right exactly where m = 0, or x is normal and 1 ≤ E - m ≤ 2046, so that x/Λ is a normal double too."""
    formula = lifted("divide", _domain, with_m=True)
    f = _wide_field() - resize(M, EXPONENT_WIDTH)
    holds = z3.Or(M == 0, z3.And(_wide_field() >= 1, f >= 1, f <= 2046))
    right = z3.And(formula.defined, _is_quotient(formula.value))
    lax = z3.Or(M == 0, z3.And(_wide_field() >= 1, f >= 0, f <= 2047))
    return Statement(
        "divide exact",
        (_domain(),),
        exactly(right, z3.Not(holds), formula),
        exactly(right, z3.Not(lax), formula),
        variables=(X, M),
    )


# §4.2.2: x' to an integer


def _y() -> z3.BitVecRef:
    return _wide_field() - printed.BIAS


def _in_case1() -> z3.BoolRef:
    return z3.And(FORM.finite(X), _y() >= 52)


def _in_case2() -> z3.BoolRef:
    return z3.And(_y() >= 0, _y() <= 51)


def _in_case3() -> z3.BoolRef:
    return _y() == -1


def _in_case4() -> z3.BoolRef:
    return _y() < -1


def _half_bit() -> z3.BitVecRef:
    """m_{y+1}."""
    return z3.LShR(FORM.fraction(X), resize(51 - _y(), 52)) & 1


def _integral_ones() -> z3.BoolRef:
    """m_i = 1 for all i ≤ y."""
    return z3.LShR(~FORM.fraction(X), resize(52 - _y(), 52)) == 0


def _is_tie() -> z3.BoolRef:
    """m_{y+1} = 1 and m_i = 0 for all i > y+1: x' is midway between two integers."""
    low = z3.BitVecVal(1, 52) << resize(52 - _y(), 52)
    rest = z3.If(_y() == 0, FORM.fraction(X), FORM.fraction(X) & (low - 1))
    return rest == z3.BitVecVal(1, 52) << resize(51 - _y(), 52)


def _half_up(value: z3.BitVecRef) -> z3.BoolRef:
    return FORM.rounds_to(X, ONE, value)


def _nearest(value: z3.BitVecRef) -> z3.BoolRef:
    """A nearest integer, whichever way a tie goes."""
    return z3.Or(FORM.rounds_to(X, ONE, value), FORM.rounds_to(X, ONE, value, ties="down"))


@proves("smt.printed.case1", claim="N-4.2.2-1", scope="every finite double x' with y ≥ 52")
def case1() -> Statement:
    """Case 1: x' is an integer, and its own rounding."""
    return Statement(
        "case1",
        (_in_case1(),),
        z3.And(FORM.is_lattice_point(X, ONE), _half_up(X)),
        FORM.is_lattice_point(X, ONE + 1),
        variables=(X,),
    )


@proves("smt.printed.case2.text", claim="N-4.2.2-2text", timeout=180.0, scope="every double x' with 0 ≤ y ≤ 51")
def case2_text() -> Statement:
    """m_{y+1} alone decides: adding it to the integral part gives a nearest integer (at a tie, the one away from 0)."""
    formula = lifted("case2_text", _in_case2)
    goal = z3.And(formula.sides, formula.defined, _nearest(formula.value))
    return Statement("case2 text", (_in_case2(),), goal, z3.And(goal, _half_up(formula.value)), variables=(X,))


EQ42 = {"smallest": (bits(1.5) + 1,), "most natural": (bits(1.75),), "further": (bits(3.75),)}


@proves("smt.printed.eq42.fails", claim="N-4.2.2-eq", expected="refuted", scope="every double x' with 0 ≤ y ≤ 51")
def eq42_fails() -> Statement:
    """Eq. 4.2 gives a nearest integer."""
    formula = lifted("case2", _in_case2)
    replay = replay_with(EQ42, _integer_check(printed.case2, nearest=True), ("x",))
    return Statement(
        "eq42 fails", (_in_case2(),), z3.And(formula.defined, _nearest(formula.value)), replay=replay, variables=(X,)
    )


def _eq42_wraps() -> z3.BoolRef:
    """m_{y+1} = 1, m_i = 1 for all i ≤ y, and m_i = 0 for some i > y+1: the first branch, where a carry is lost."""
    return z3.And(_half_bit() == 1, _integral_ones(), FORM.fraction(X) != ONES)


@proves(
    "smt.printed.eq42.exact",
    claim="N-4.2.2-eq",
    part="conditional",
    timeout=180.0,
    scope="every double x' with 0 ≤ y ≤ 51",
)
def eq42_exact() -> Statement:
    """Eq. 4.2 is wrong exactly where m_1…m_{y+1} are 1 and a later m_i is 0, except at ±1.5, a tie that gives ±1."""
    formula = lifted("case2", _in_case2)
    right = z3.And(formula.defined, _nearest(formula.value))
    by_accident = z3.And(_y() == 0, _is_tie())
    fails = z3.And(_eq42_wraps(), z3.Not(by_accident))
    return Statement(
        "eq42 exact",
        (_in_case2(),),
        exactly(right, fails, formula),
        exactly(right, _eq42_wraps(), formula),
        variables=(X,),
    )


@proves(
    "smt.printed.eq42.corrected",
    claim="N-4.2.2-eq",
    part="corrected",
    timeout=180.0,
    scope="every double x' with 0 ≤ y ≤ 51",
)
def eq42_corrected() -> Statement:
    """With ∃i ≤ y and ∀i ≤ y, eq. 4.2 gives a nearest integer."""
    formula = lifted("case2_corrected", _in_case2)
    goal = z3.And(formula.sides, formula.defined, _nearest(formula.value))
    return Statement("eq42 corrected", (_in_case2(),), goal, z3.And(goal, _half_up(formula.value)), variables=(X,))


def _tied() -> tuple[z3.BoolRef, ...]:
    return _in_case2(), _is_tie()


@proves("smt.printed.ties.fails", claim="N-4.2.2-tie", expected="refuted", scope="every tie x', 0 ≤ y ≤ 51")
def ties_fail() -> Statement:
    """Eq. 4.2 sends every tie toward +∞."""
    formula = lifted("case2", _in_case2)
    witnesses = {"smallest": (bits(1.5),), "most natural": (bits(-2.5),)}
    replay = replay_with(witnesses, _integer_check(printed.case2, nearest=False), ("x",))
    return Statement(
        "ties fail", _tied(), z3.And(formula.defined, _half_up(formula.value)), replay=replay, variables=(X,)
    )


@proves(
    "smt.printed.ties.exact", claim="N-4.2.2-tie", part="conditional", timeout=180.0, scope="every tie x', 0 ≤ y ≤ 51"
)
def ties_exact() -> Statement:
    """It is wrong exactly at every negative tie except -1.5, and at the positive ties 2^(y+1) - 1/2 with y ≤ 50."""
    formula = lifted("case2", _in_case2)
    right = z3.And(formula.defined, _half_up(formula.value))
    positive = z3.And(z3.Not(FORM.sign(X)), _integral_ones(), _y() <= 50)
    negative = z3.And(FORM.sign(X), _y() != 0)
    all_negative = z3.Or(positive, FORM.sign(X))
    return Statement(
        "ties exact",
        _tied(),
        exactly(right, z3.Or(positive, negative), formula),
        exactly(right, all_negative, formula),
        variables=(X,),
    )


@proves(
    "smt.printed.ties.corrected",
    claim="N-4.2.2-tie",
    part="corrected",
    timeout=180.0,
    scope="every double x' with 0 ≤ y ≤ 51",
)
def ties_corrected() -> Statement:
    """With ∃i ≤ y, ∀i ≤ y, and a negative tie cut off instead, eq. 4.2 is the definition of §2.2."""
    formula = lifted("case2_half_up", _in_case2)
    goal = z3.And(formula.sides, formula.defined, _half_up(formula.value))
    down = FORM.rounds_to(X, ONE, formula.value, ties="down")
    return Statement("ties corrected", (_in_case2(),), goal, z3.And(goal, down), variables=(X,))


@proves("smt.printed.case3.fails", claim="N-4.2.2-3", expected="refuted", scope="every double x' with y = -1")
def case3_fails() -> Statement:
    """Case 3: x'' is ±1, with the sign of x'."""
    formula = lifted("case3", _in_case3)
    replay = replay_with({"smallest": (bits(-0.5),)}, _integer_check(printed.case3, nearest=False), ("x",))
    return Statement(
        "case3 fails", (_in_case3(),), z3.And(formula.defined, _half_up(formula.value)), replay=replay, variables=(X,)
    )


@proves("smt.printed.case3.exact", claim="N-4.2.2-3", part="conditional", scope="every double x' with y = -1")
def case3_exact() -> Statement:
    """Case 3 is wrong exactly at x' = -1/2."""
    formula = lifted("case3", _in_case3)
    right = z3.And(formula.defined, _half_up(formula.value))
    both = z3.Or(bits(-0.5) == X, bits(0.5) == X)
    return Statement(
        "case3 exact",
        (_in_case3(),),
        exactly(right, bits(-0.5) == X, formula),
        exactly(right, both, formula),
        variables=(X,),
    )


@proves("smt.printed.case3.corrected", claim="N-4.2.2-3", part="corrected", scope="every double x' with y = -1")
def case3_corrected() -> Statement:
    """Case 3: ±1, but 0 at x' = -1/2."""
    formula = lifted("case3_corrected", _in_case3)
    goal = z3.And(formula.sides, formula.defined, _half_up(formula.value))
    return Statement("case3 corrected", (_in_case3(),), goal, z3.And(goal, formula.value != 0), variables=(X,))


@proves("smt.printed.case4", claim="N-4.2.2-4", scope="every double x' with y < -1, zero included")
def case4() -> Statement:
    """Case 4: x'' = 0."""
    return Statement("case4", (_in_case4(),), _half_up(z3.BitVecVal(0, 64)), _half_up(X), variables=(X,))


# §4.2.3: Λ·x'' by addition in the exponent field


def _zero_check(m: int) -> tuple[list[str], str | None]:
    got = printed.multiply_literally(0, m)
    lines = [float_line("x''", 0, FORM), integer_line("m", m), show("x''·2^m", got, FORM)]
    return lines, None if got else "something other than 0, says §4.2.3"


@proves("smt.printed.zero.fails", claim="N-4.2.3", expected="refuted", scope="x'' = 0, every m from -1074 to 1023")
def zero_fails() -> Statement:
    """Adding m to the exponent field of 0 does not give 0."""
    formula = lifted("multiply_literally", _domain, with_m=True)
    replay = replay_with({"the only one": (0,)}, _zero_check, ("m",))
    return Statement("zero fails", (_domain(), X == 0), formula.value != 0, replay=replay, variables=(X, M))


@proves("smt.printed.zero.exact", claim="N-4.2.3", part="conditional", scope="x'' = 0, every m from -1074 to 1023")
def zero_exact() -> Statement:
    """It does not give 0 exactly where m ≠ 0 (fields are taken modulo 2^11)."""
    formula = lifted("multiply_literally", _domain, with_m=True)
    hypotheses = (_domain(), X == 0)
    return Statement(
        "zero exact", hypotheses, exactly(formula.value != 0, M == 0, formula), formula.value != 0, variables=(X, M)
    )


# The three steps together (§4.2)


def _steps_check(x: int, m: int) -> tuple[list[str], str | None]:
    got = _outcome(printed.three_steps, x, m)
    wanted = pattern(rounded(number(x, FORM), m), FORM)
    lines = [float_line("x", x, FORM), integer_line("m", m), show("result", got, FORM)]
    text = "no double: the nearest multiple overflows" if wanted is None else float_line("", wanted, FORM).lstrip(" =")
    return lines, None if got == wanted else text


def _steps_domain() -> z3.BoolRef:
    """x normal, Λ any."""
    return z3.And(_domain(), _wide_field() >= 1)


@proves(
    "smt.printed.steps.fails",
    claim="N-4.2",
    expected="refuted",
    scope="every normal double x and every m from -1074 to 1023",
)
def steps_fail() -> Statement:
    """The three steps, each on the representation, give the nearest multiple of Λ."""
    formula = lifted("three_steps", _steps_domain, with_m=True)
    witnesses = {
        "smallest": (bits(2.0**-1022), 2),
        "most natural": (bits(1.75), 0),
        "a negative tie": (bits(-2.5), 0),
        "x = 0": (0, -1022),
    }
    return Statement(
        "steps fail",
        (_steps_domain(),),
        z3.And(formula.defined, FORM.rounds_to(X, M, formula.value)),
        replay=replay_with(witnesses, _steps_check, ("x", "m")),
        variables=(X, M),
    )


@proves(
    "smt.printed.steps.exact",
    claim="N-4.2",
    part="conditional",
    timeout=180.0,
    scope="every normal double x and every m from -1074 to 1023",
)
def steps_exact() -> Statement:
    """Wrong exactly where E - m exceeds 11 bits, eq. 4.2 loses a carry, a negative tie goes down, or x overflows."""
    formula = lifted("three_steps", _steps_domain, with_m=True)
    f = _wide_field() - resize(M, EXPONENT_WIDTH)
    y = f - printed.BIAS
    fraction = FORM.fraction(X)
    ones = z3.LShR(~fraction, resize(52 - y, 52)) == 0
    half = z3.LShR(fraction, resize(51 - y, 52)) & 1 == 1
    rest = z3.If(y == 0, fraction, fraction & ((z3.BitVecVal(1, 52) << resize(52 - y, 52)) - 1))
    tie = rest == z3.BitVecVal(1, 52) << resize(51 - y, 52)
    case2 = z3.And(y >= 0, y <= 51)
    # At -1.5·Λ two mistakes cancel: the carry is lost, and the tie goes in the wrong direction.
    lost = z3.And(half, ones, fraction != ONES, z3.Not(z3.And(y == 0, tie, FORM.sign(X))))
    down = z3.And(FORM.sign(X), tie, y != 0)
    case3 = z3.And(y == -1, FORM.sign(X), fraction == 0)
    unwritable = z3.Or(f < 0, f > 2047)
    fails = z3.Or(unwritable, z3.And(case2, z3.Or(lost, down)), case3, FORM.overflows(X, M))
    right = z3.And(formula.defined, FORM.rounds_to(X, M, formula.value))
    milder = z3.Or(unwritable, z3.And(case2, z3.Or(lost, down)), FORM.overflows(X, M))
    elsewhere = z3.Or(bits(-0.5) != X, M != 0)  # the twin fails at -Λ/2, and for solvers at once if it says where
    return Statement(
        "steps exact",
        (_steps_domain(),),
        exactly(right, fails, formula),
        z3.Or(elsewhere, exactly(right, milder, formula)),
        variables=(X, M),
    )
