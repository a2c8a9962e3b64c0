"""The four rules of Figure 2 (004 §3): where each is sound, and what to use instead. In real arithmetic, for every η.

A judgement e ⇓ c, (l, h) says that e evaluates to the floating-point number c, with l < c < h. A rule takes such
judgements of its operands, the premises, and gives an interval for the result, the conclusion. It is *sound* for given
premise intervals and η if, for all c1 and c2 inside them, every value that rounding may give lies in the conclusion.
Rounding c of an exact value v enters only through a law (fp_laws.py proves the laws, and says where they fail):

    nearest   (1+η)·|c - v| ≤ η·|v|    exactly what rounding to nearest may do. The printed rules are judged by it.
    within    |c - v| ≤ η·|v| + μ      weaker, so it covers more. The corrected rules need only this.

μ is half of the smallest positive number where the operation can underflow (×, ÷, constants), and 0 otherwise (+, -).

For each printed rule there are a counterexample; the exact condition under which it is sound (outside the condition,
formulas give c1, c2 and c that break it); and the corrected rule, on closed intervals. What fails is the intervals, not
the rounding. Only in narrow cases of TIMES and SUB does it take a rounding error to leave the printed interval.

SUB is printed for the expression e1 ⊕ e2. It is read as e1 ⊖ e2, since otherwise 1 ⊕ 1 would be both 2 and 0.

Trusted: the two solvers of each proof, for nonlinear real arithmetic. Each formula below is written once, and works on
solver terms and on exact fractions. So a counterexample is replayed through the very rule that the solver saw.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import z3

from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.engine.statement import NotReproduced, Statement
from snapref_smt.engine.stating import proves

Real = Any  # a solver term or a Fraction
Ends = tuple[Real, Real]
SOLVERS = ("z3", "cvc5")  # bitwuzla has no reals

eta, mu, r, c1, l1, h1, c2, l2, h2, c = z3.Reals("eta mu r c1 l1 h1 c2 l2 h2 c")
t, margin, slope, low, value, high = z3.Reals("t margin slope low value high")
BOX = (l1, h1, l2, h2)


# Words for solver terms and for fractions alike


def both(*conditions: Any) -> Any:
    return z3.And(*conditions) if any(z3.is_expr(condition) for condition in conditions) else all(conditions)


def least(*numbers: Real) -> Real:
    first, *rest = numbers
    for number in rest:
        smaller = number < first
        first = z3.If(smaller, number, first) if z3.is_expr(smaller) else (number if smaller else first)
    return first


def greatest(*numbers: Real) -> Real:
    return -least(*(-number for number in numbers))


def magnitude(v: Real) -> Real:
    return greatest(v, -v)


def nearest(c: Real, v: Real, eta: Real) -> Any:
    """The law of rounding to nearest: the relative error is at most η/(1+η)."""
    return both((1 + eta) * (c - v) <= eta * magnitude(v), (1 + eta) * (v - c) <= eta * magnitude(v))


def within(c: Real, v: Real, eta: Real, mu: Real) -> Any:
    """The law that the corrected rules need: |c - v| ≤ η|v| + μ."""
    return both(c - v <= eta * magnitude(v) + mu, v - c <= eta * magnitude(v) + mu)


def inside(c: Real, ends: Ends) -> Any:
    return both(ends[0] < c, c < ends[1])


def enclosed(c: Real, ends: Ends) -> Any:
    return both(ends[0] <= c, c <= ends[1])


# Figure 2 as printed: the ends of the open interval of each conclusion


def const(r: Real, eta: Real) -> Ends:
    return r * (1 - eta), r * (1 + eta)


def plus(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Ends:
    return (l1 + l2) * (1 - eta), (h1 + h2) * (1 + eta)


def times(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Ends:
    return l1 * l2 * (1 - eta), h1 * h2 * (1 + eta)


def sub(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Ends:
    return (l1 - l2) * (1 - eta), (h1 - h2) * (1 + eta)


# The corrected rules: the smallest interval with all exact results, widened by the rounding error, closed


def widened(lowest: Real, highest: Real, eta: Real, mu: Real) -> Ends:
    """[a - η|a| - μ, b + η|b| + μ]: everything that the values from a to b may be rounded to."""
    return lowest - eta * magnitude(lowest) - mu, highest + eta * magnitude(highest) + mu


def corrected_const(r: Real, eta: Real, mu: Real) -> Ends:
    return widened(r, r, eta, mu)


def corrected_plus(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Ends:
    return widened(l1 + l2, h1 + h2, eta, 0)


def corrected_sub(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Ends:
    return widened(l1 - h2, h1 - l2, eta, 0)


def corrected_times(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real, mu: Real) -> Ends:
    corners = (l1 * l2, l1 * h2, h1 * l2, h1 * h2)
    return widened(least(*corners), greatest(*corners), eta, mu)


def corrected_quotient(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real, mu: Real) -> Ends:
    """A rule for ⊘, which Figure 2 leaves out. It needs 0 < l2 or h2 < 0."""
    corners = (l1 / l2, l1 / h2, h1 / l2, h1 / h2)
    return widened(least(*corners), greatest(*corners), eta, mu)


# The exact conditions under which the printed rules are sound, for non-empty premises


def const_condition(r: Real, eta: Real) -> Any:
    return r > 0


def plus_condition(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Any:
    return l1 + l2 >= 0


def times_condition(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Any:
    """Both factors are non-negative; or both are non-positive and the products of the ends are almost equal."""
    sliver = (h1 <= 0, h2 <= 0, h1 * h2 * (1 + eta) ** 2 >= l1 * l2 * (1 + 2 * eta))
    if z3.is_expr(l1):
        return z3.Or(z3.And(l1 >= 0, l2 >= 0), z3.And(*sliver))
    return (l1 >= 0 and l2 >= 0) or all(sliver)


def sub_condition(l1: Real, h1: Real, l2: Real, h2: Real, eta: Real) -> Any:
    """The second operand lies below the first, and its interval is very narrow: about η² times the difference."""
    return both(
        l1 >= h2,
        h2 - l2 <= eta**2 * (l1 - l2),
        (h2 - l2) * (1 + 2 * eta) <= eta**2 * (h1 - h2),
    )


# Theorems

Rule = Callable[..., Ends]
Operation = Callable[[Real, Real], Real]
UNIT = (eta > 0, eta < 1)
OPEN = (l1 < c1, c1 < h1, l2 < c2, c2 < h2)
CLOSED = (l1 <= c1, c1 <= h1, l2 <= c2, c2 <= h2)
VARIABLES = (eta, c1, l1, h1, c2, l2, h2, c)


def added(x: Real, y: Real) -> Real:
    return x + y


def multiplied(x: Real, y: Real) -> Real:
    return x * y


def subtracted(x: Real, y: Real) -> Real:
    return x - y


def refutation(rule: Rule, operation: Operation) -> Statement:
    """States that the printed rule is sound for all premises. A counterexample is expected."""

    def replay(model: Mapping[str, Any]) -> str:
        return replayed(rule, operation, *(Fraction(model[str(v)]) for v in VARIABLES))

    hypotheses = (*UNIT, *OPEN, nearest(c, operation(c1, c2), eta))
    return Statement(
        "refutation", hypotheses, inside(c, rule(*BOX, eta)), replay=replay, solvers=SOLVERS, variables=VARIABLES
    )


def replayed(
    rule: Rule,
    operation: Operation,
    eta: Fraction,
    c1: Fraction,
    l1: Fraction,
    h1: Fraction,
    c2: Fraction,
    l2: Fraction,
    h2: Fraction,
    c: Fraction,
) -> str:
    """Applies the rule in exact fractions. Raises NotReproduced unless the premises hold and the conclusion fails."""
    exact, ends = operation(c1, c2), rule(l1, h1, l2, h2, eta)
    if not (0 < eta < 1 and l1 < c1 < h1 and l2 < c2 < h2 and nearest(c, exact, eta)):
        raise NotReproduced("the premises do not hold")
    if inside(c, ends):
        raise NotReproduced(f"{c} is inside ({ends[0]}, {ends[1]})")
    lines = [f"η = {eta}", f"e1 ⇓ {c1}, ({l1}, {h1})", f"e2 ⇓ {c2}, ({l2}, {h2})"]
    lines += [f"exact {exact}, rounded to {c}", f"printed: inside ({ends[0]}, {ends[1]})"]
    return "\n".join(lines)


def soundness(rule: Rule, operation: Operation, condition: Rule) -> Statement:
    """Inside its condition the printed rule is sound. Twin: the same with the ends not widened by η."""
    hypotheses = (*UNIT, *OPEN, nearest(c, operation(c1, c2), eta), condition(*BOX, eta))
    return Statement(
        "soundness",
        hypotheses,
        inside(c, rule(*BOX, eta)),
        inside(c, rule(*BOX, 0)),
        solvers=SOLVERS,
        variables=VARIABLES,
    )


def escape(
    rule: Rule, operation: Operation, case: tuple[Any, ...], definitions: tuple[Any, ...], low: bool, *extra: Any
) -> Statement:
    """Where `case` holds, the c1, c2 and c of `definitions` satisfy the premises, and c lies beyond an end of the
    conclusion (the lower one if `low`). Twin: it lies beyond it by 1.
    """
    lower, upper = rule(*BOX, eta)
    premises = (*OPEN, nearest(c, operation(c1, c2), eta))
    passed, far = (c <= lower, c <= lower - 1) if low else (c >= upper, c >= upper + 1)
    hypotheses = (*UNIT, l1 < h1, l2 < h2, *case, *definitions)
    return Statement(
        "escape",
        hypotheses,
        z3.And(*premises, passed),
        z3.And(*premises, far),
        solvers=SOLVERS,
        variables=(*VARIABLES, *extra),
    )


def correction(operation: Operation, ends: Ends, mu: Real) -> Statement:
    """The corrected rule on closed intervals. Twin: the same with an open conclusion."""
    hypotheses = (*UNIT, mu >= 0, *CLOSED, within(c, operation(c1, c2), eta, mu))
    variables = (*VARIABLES, mu) if z3.is_expr(mu) else VARIABLES
    return Statement(
        "correction",
        tuple(h for h in hypotheses if z3.is_expr(h)),
        enclosed(c, ends),
        inside(c, ends),
        solvers=SOLVERS,
        variables=variables,
    )


ANY = (
    "every real premise and every 0 < η < 1, for any fl with the law of rounding to nearest (no underflow, no overflow)"
)
EXACT = f"{ANY}; sound inside the condition, explicit counterexample outside it"
CORRECTED = "every real premise, every 0 < η < 1, any fl with |fl(v) - v| ≤ η|v|{}; no overflow"
UNDERFLOW = " + μ, any μ ≥ 0 (half the smallest positive number where underflow is possible)"


# CONST


@proves("smt.figure2.const.printed", claim="F-CONST", scope=ANY, expected="refuted")
def const_printed() -> Statement:
    """CONST as printed: fl(r) ∈ (r(1-η), r(1+η))."""

    def replay(model: Mapping[str, Any]) -> str:
        values = {name: Fraction(model[name]) for name in ("eta", "r", "c")}
        ends = const(values["r"], values["eta"])
        if not nearest(values["c"], values["r"], values["eta"]) or inside(values["c"], ends):
            raise NotReproduced(f"{values} against {ends}")
        return "\n".join([*(f"{name} = {v}" for name, v in values.items()), f"printed: inside ({ends[0]}, {ends[1]})"])

    return Statement(
        "const printed",
        (*UNIT, nearest(c, r, eta)),
        inside(c, const(r, eta)),
        replay=replay,
        solvers=SOLVERS,
        variables=(eta, r, c),
    )


@proves("smt.figure2.const.condition", claim="F-CONST", scope=EXACT, part="conditional")
def const_exactly() -> list[Statement]:
    """CONST is sound exactly when r > 0; for r ≤ 0 the printed interval is empty, whatever rounding does."""
    ends, law = const(r, eta), nearest(c, r, eta)
    return [
        Statement(
            "inside",
            (*UNIT, law, r > 0),
            inside(c, ends),
            inside(c, const(r, eta / 2)),
            solvers=SOLVERS,
            variables=(eta, r, c),
        ),
        Statement(
            "outside", (*UNIT, r <= 0), z3.Not(inside(c, ends)), c <= ends[0], solvers=SOLVERS, variables=(eta, r, c)
        ),
    ]


@proves(
    "smt.figure2.const.needs-nearest",
    claim="F-CONST",
    scope="every r > 0 and 0 < η < 1, fl any function with |fl(r) - r| ≤ η|r|",
    expected="refuted",
    part="conditional",
    decides=False,
)
def const_open_ends() -> Statement:
    """CONST, given only |fl(r) - r| ≤ η|r|: refuted, as fl(r) may be an end. The open ends need the bound η/(1+η)."""

    def replay(model: Mapping[str, Any]) -> str:
        e, x, y = (Fraction(model[name]) for name in ("eta", "r", "c"))
        if not (x > 0 and within(y, x, e, 0)) or inside(y, const(x, e)):
            raise NotReproduced(f"r = {x}, c = {y}")
        low, high = const(x, e)
        return f"η = {e}\nr = {x}\nc = {y}\nprinted: inside ({low}, {high})"

    law = within(c, r, eta, z3.RealVal(0))
    return Statement(
        "const open ends",
        (*UNIT, r > 0, law),
        inside(c, const(r, eta)),
        replay=replay,
        solvers=SOLVERS,
        variables=(eta, r, c),
    )


@proves("smt.figure2.const.corrected", claim="F-CONST", scope=CORRECTED.format(UNDERFLOW), part="corrected")
def const_corrected() -> Statement:
    """fl(r) ∈ [r - η|r| - μ, r + η|r| + μ]."""
    ends, law = corrected_const(r, eta, mu), within(c, r, eta, mu)
    return Statement(
        "const corrected",
        (*UNIT, mu >= 0, law),
        enclosed(c, ends),
        inside(c, ends),
        solvers=SOLVERS,
        variables=(eta, mu, r, c),
    )


# PLUS


@proves("smt.figure2.plus.printed", claim="F-PLUS", scope=ANY, expected="refuted")
def plus_printed() -> Statement:
    """PLUS as printed: fl(c1 + c2) ∈ ((l1+l2)(1-η), (h1+h2)(1+η))."""
    return refutation(plus, added)


@proves("smt.figure2.plus.condition", claim="F-PLUS", scope=EXACT, part="conditional")
def plus_exactly() -> list[Statement]:
    """PLUS is sound exactly when l1 + l2 ≥ 0. Outside, a sum that needs no rounding at all lies below the low end."""
    room = -eta * (l1 + l2) / 2
    steps = (c1 == l1 + least((h1 - l1) / 2, room), c2 == l2 + least((h2 - l2) / 2, room), c == c1 + c2)
    return [
        replace(soundness(plus, added, plus_condition), name="inside"),
        replace(escape(plus, added, (z3.Not(plus_condition(*BOX, eta)),), steps, True), name="outside"),
    ]


@proves("smt.figure2.plus.corrected", claim="F-PLUS", scope=CORRECTED.format(""), part="corrected")
def plus_corrected() -> Statement:
    """With a = l1 + l2 and b = h1 + h2: fl(c1 + c2) ∈ [a - η|a|, b + η|b|]."""
    return correction(added, corrected_plus(*BOX, eta), 0)


# TIMES


@proves("smt.figure2.times.printed", claim="F-TIMES", scope=ANY, expected="refuted")
def times_printed() -> Statement:
    """TIMES as printed: fl(c1·c2) ∈ (l1·l2(1-η), h1·h2(1+η))."""
    return refutation(times, multiplied)


@proves("smt.figure2.times.condition", claim="F-TIMES", scope=EXACT, part="conditional")
def times_exactly() -> list[Statement]:
    """TIMES is sound exactly when l1, l2 ≥ 0, or h1, h2 ≤ 0 with h1·h2·(1+η)² ≥ l1·l2·(1+2η).

    Outside this condition, points (c1, c2) near a corner of the box break the rule: those that are a small share t of
    the way to the opposite corner. At the corner itself the rule fails by `margin`, and over that way the product
    changes by at most t·`slope`.
    """
    w1, w2 = h1 - l1, h2 - l2
    first, second = (l1 < 0, h2 > 0), (l2 < 0, h1 > 0)
    negative = (h1 <= 0, h2 <= 0, h1 * h2 * (1 + eta) ** 2 < l1 * l2 * (1 + 2 * eta))
    cases = {  # case: hypotheses, margin at the corner, slope, the point and its rounding, which end it passes
        "c1 near l1 < 0, c2 near h2 > 0": (
            first,
            l1 * l2 * (1 - eta) - l1 * h2,
            w1 * h2 - l1 * w2,
            (c1 == l1 + t * w1, c2 == h2 - t * w2, c == c1 * c2),
            True,
        ),
        "c1 near h1 > 0, c2 near l2 < 0": (
            second,
            l1 * l2 * (1 - eta) - h1 * l2,
            w2 * h1 - l2 * w1,
            (c1 == h1 - t * w1, c2 == l2 + t * w2, c == c1 * c2),
            True,
        ),
        "both near their low ends, negative": (
            negative,
            l1 * l2 * (1 + 2 * eta) - h1 * h2 * (1 + eta) ** 2,
            -(w1 * l2 + l1 * w2) * (1 + 2 * eta),
            (c1 == l1 + t * w1, c2 == l2 + t * w2, c * (1 + eta) == c1 * c2 * (1 + 2 * eta)),
            False,
        ),
    }
    box = (*UNIT, l1 < h1, l2 < h2)
    unsound = z3.Not(times_condition(*BOX, eta))
    covered = z3.Or(*(z3.And(*case) for case, *_ in cases.values()))
    one_case = z3.Or(z3.And(*first), z3.And(*second))
    statements = [
        replace(soundness(times, multiplied, times_condition), name="inside"),
        Statement("outside, the cases", (*box, unsound), covered, one_case, solvers=SOLVERS, variables=(eta, *BOX)),
        Statement(
            "outside, a small t exists",
            (margin > 0, slope >= 0, t == margin / (slope + 1 + 2 * margin)),
            z3.And(t > 0, t < z3.Q(1, 2), t * slope <= margin),
            t < z3.Q(1, 4),
            solvers=SOLVERS,
            variables=(margin, slope, t),
        ),
    ]
    for name, (case, at_corner, moves, point, low) in cases.items():
        signs = z3.And(at_corner > 0, moves >= 0)
        statements.append(
            Statement(f"{name}: margin", (*box, *case), signs, at_corner > 1, solvers=SOLVERS, variables=(eta, *BOX))
        )
        small = (t > 0, t < z3.Q(1, 2), t * moves <= at_corner)
        statements.append(replace(escape(times, multiplied, case, (*small, *point), low, t), name=name))
    return statements


@proves("smt.figure2.times.corrected", claim="F-TIMES", scope=CORRECTED.format(UNDERFLOW), part="corrected")
def times_corrected() -> Statement:
    """With a, b the least and the greatest of the four products of ends: fl(c1·c2) ∈ [a - η|a| - μ, b + η|b| + μ]."""
    return correction(multiplied, corrected_times(*BOX, eta, mu), mu)


# SUB


@proves("smt.figure2.sub.printed", claim="F-SUB", scope=ANY, expected="refuted")
def sub_printed() -> Statement:
    """SUB as printed: fl(c1 - c2) ∈ ((l1-l2)(1-η), (h1-h2)(1+η))."""
    return refutation(sub, subtracted)


@proves("smt.figure2.sub.condition", claim="F-SUB", scope=EXACT, part="conditional")
def sub_exactly() -> list[Statement]:
    """SUB is sound exactly when l1 ≥ h2, h2-l2 ≤ η²(l1-l2) and (h2-l2)(1+2η) ≤ η²(h1-h2): a negligible width."""
    ordered, narrow_low, narrow_high = sub_condition(*BOX, eta).children()

    def steps(room: Real, low: bool, rounded: Any) -> tuple[Any, ...]:
        """c1 and c2 close to the corner where the difference is least, or greatest."""
        d1, d2 = least((h1 - l1) / 2, room), least((h2 - l2) / 2, room)
        return (c1 == l1 + d1, c2 == h2 - d2, rounded) if low else (c1 == h1 - d1, c2 == l2 + d2, rounded)

    exact, down, up = c == c1 - c2, c * (1 + eta) == c1 - c2, c * (1 + eta) == (c1 - c2) * (1 + 2 * eta)
    crossing = (l1 - l2) * (1 - eta) - (l1 - h2)
    below = (l1 - l2) * (1 - eta**2) - (l1 - h2)
    above = (h1 - l2) * (1 + 2 * eta) - (h1 - h2) * (1 + eta) ** 2
    outside = {
        "outside, l1 < h2": ((z3.Not(ordered),), steps(crossing / 2, True, exact), True),
        "outside, low end": ((ordered, z3.Not(narrow_low)), steps(below / 2, True, down), True),
        "outside, high end": ((ordered, z3.Not(narrow_high)), steps(above / 6, False, up), False),
    }
    return [
        replace(soundness(sub, subtracted, sub_condition), name="inside"),
        *(replace(escape(sub, subtracted, *how), name=name) for name, how in outside.items()),
    ]


@proves(
    "smt.figure2.sub.never",
    claim="F-SUB",
    scope="every non-empty real premise and every 0 < η < 1, for fl known only by |fl(v) - v| ≤ η|v|",
    part="conditional",
    decides=False,
)
def sub_never() -> list[Statement]:
    """If all that is known of fl is |fl(v) - v| ≤ η|v|, no premises at all make the printed SUB sound."""
    lower, _ = sub(*BOX, eta)
    premises = (*OPEN, within(c, c1 - c2, eta, z3.RealVal(0)))
    point = (c1 == l1 + least((h1 - l1) / 2, margin / 2), c2 == h2 - least((h2 - l2) / 2, margin / 2))
    cases = {
        "l1 < h2": (l1 < h2, margin == lower - (l1 - h2), c == c1 - c2),
        "l1 ≥ h2": (l1 >= h2, margin == h2 - l2, c == (c1 - c2) * (1 - eta)),
    }
    return [
        Statement(
            name,
            (*UNIT, l1 < h1, l2 < h2, *case, *point),
            z3.And(*premises, c <= lower),
            z3.And(*premises, c <= lower - 1),
            solvers=SOLVERS,
            variables=(*VARIABLES, margin),
        )
        for name, case in cases.items()
    ]


@proves("smt.figure2.sub.corrected", claim="F-SUB", scope=CORRECTED.format(""), part="corrected")
def sub_corrected() -> Statement:
    """With a = l1 - h2 and b = h1 - l2 (low pairs with high): fl(c1 - c2) ∈ [a - η|a|, b + η|b|]."""
    return correction(subtracted, corrected_sub(*BOX, eta), 0)


# What Figure 2 leaves out, and the derivations of §4 use: e^x, ln; and ⊘


@proves(
    "smt.figure2.function.corrected",
    claim="F-syn",
    scope=CORRECTED.format(UNDERFLOW)
    + "; e^x and ln enter only as increasing functions, v between the values at the ends",
    part="corrected",
    decides=False,
)
def function_corrected() -> Statement:
    """For increasing g (e^x, ln) and l ≤ c ≤ h: fl(g(c)) ∈ [a - η|a| - μ, b + η|b| + μ] with a = g(l), b = g(h)."""
    hypotheses = (*UNIT, mu >= 0, low <= value, value <= high, within(c, value, eta, mu))
    ends = widened(low, high, eta, mu)
    variables = (eta, mu, low, value, high, c)
    return Statement(
        "function corrected", hypotheses, enclosed(c, ends), inside(c, ends), solvers=SOLVERS, variables=variables
    )


@proves(
    "smt.figure2.quotient.corrected",
    claim="F-syn",
    scope=CORRECTED.format(UNDERFLOW) + "; the interval of the divisor does not meet 0",
    part="corrected",
    decides=False,
)
def quotient_corrected() -> list[Statement]:
    """If 0 ∉ [l2, h2], and a, b are the least and the greatest of the four quotients: [a - η|a| - μ, b + η|b| + μ].

    Proved here: the exact quotient lies between a and b. `smt.figure2.function.corrected` adds the rounding error.
    """
    corners = z3.Reals("q11 q12 q21 q22")
    quotients = zip((value, *corners), (c1, l1, l1, h1, h1), (c2, l2, h2, l2, h2), strict=True)
    defined = tuple(quotient * divisor == dividend for quotient, dividend, divisor in quotients)
    goal = z3.And(z3.Or(*(corner <= value for corner in corners)), z3.Or(*(value <= corner for corner in corners)))
    twin = z3.And(z3.Or(*(corner < value for corner in corners)), z3.Or(*(value < corner for corner in corners)))
    variables = (c1, l1, h1, c2, l2, h2, value, *corners)
    return [
        Statement(name, (*CLOSED, *defined, sign), goal, twin, solvers=SOLVERS, variables=variables)
        for name, sign in (("positive divisor", l2 > 0), ("negative divisor", h2 < 0))
    ]


# Figure 1: absolute errors

e1, e2, err, r1, r2 = z3.Reals("err1 err2 err r1 r2")
FIGURE1 = (eta, err, r1, e1, c1, r2, e2, c2, c)


def _near(x: Real, y: Real, error: Real) -> Any:
    return both(x - y <= error, y - x <= error)


def _figure1() -> tuple[Any, ...]:
    return (*UNIT, _near(c1, r1, e1), _near(c2, r2, e2), nearest(c, c1 + c2, eta))


@proves(
    "smt.figure1.plus.constant-err",
    claim="F-Fig1",
    scope="the reading of Figure 1 in which err is the constant η; every real premise, every 0 < η < 1",
    expected="refuted",
    decides=False,
)
def figure1_constant() -> Statement:
    """Figure 1 PLUS, with err a constant: refuted, as the error of a rounded sum grows with the sum."""

    def replay(model: Mapping[str, Any]) -> str:
        e, x1, d1, y1, x2, d2, y2, y = (Fraction(model[str(v)]) for v in FIGURE1 if v is not err)
        premises = _near(y1, x1, d1) and _near(y2, x2, d2) and nearest(y, y1 + y2, e)
        if not premises or abs(y - (x1 + x2)) <= d1 + d2 + e:
            raise NotReproduced("the error is within err1 + err2 + err")
        operands = f"(r1, err1) = ({x1}, {d1}), computed {y1}\n(r2, err2) = ({x2}, {d2}), computed {y2}"
        return f"err = η = {e}\n{operands}\nfl(c1 + c2) = {y}"

    variables = tuple(v for v in FIGURE1 if v is not err)
    return Statement(
        "figure1 constant",
        _figure1(),
        _near(c, r1 + r2, e1 + e2 + eta),
        replay=replay,
        solvers=SOLVERS,
        variables=variables,
    )


@proves(
    "smt.figure1.plus.corrected",
    claim="F-Fig1",
    scope="every real premise, every 0 < η < 1, ⊎ read as +, any fl with the law of rounding to nearest; no overflow",
    part="corrected",
)
def figure1_corrected() -> list[Statement]:
    """|fl(c1+c2) - (r1+r2)| ≤ err1 + err2 + err if err bounds the rounding error; η(|r1+r2| + err1 + err2) does."""
    goal, twin = _near(c, r1 + r2, e1 + e2 + err), _near(c, r1 + r2, e1 + err)
    rounding = _near(c, c1 + c2, err)
    chosen = err == eta * (magnitude(r1 + r2) + e1 + e2)
    half = _near(c, c1 + c2, err / 2)
    return [
        Statement("any such err", (*_figure1(), rounding), goal, twin, solvers=SOLVERS, variables=FIGURE1),
        Statement("one that serves", (*_figure1(), chosen), rounding, half, solvers=SOLVERS, variables=FIGURE1),
    ]


# The printed rules against binary64 itself: Python's floats, the ends in exact fractions

ETA = Fraction(1, 2**53)


def around(constant: Fraction) -> Ends:
    """The interval that CONST should give: the two ends in order. For positive constants it is the printed one."""
    ends = const(constant, ETA)
    return min(ends), max(ends)


def _escapes(name: str, rule: Rule, result: float, *judgements: tuple[float, Ends]) -> str:
    for computed, (low, high) in judgements:
        if not low < Fraction(computed) < high:
            raise NotReproduced(f"{name}: the premise {low} < {computed} < {high} does not hold")
    low, high = rule(*(end for _, ends in judgements for end in ends), ETA)
    if low < Fraction(result) < high:
        raise NotReproduced(f"{name}: {result.hex()} is inside the printed interval")
    return f"{name} = {result!r} = {result.hex()}{_missed(result, low, high)}"


def _missed(result: float, low: Fraction, high: Fraction) -> str:
    below, above = (low - Fraction(result)) / ETA, (Fraction(result) - high) / ETA
    end, distance = ("low", below) if below >= 0 else ("high", above)
    where = f"{float(distance):.6g} η beyond its {end} end" if distance else f"at its {end} end"
    return f": not in the printed interval{', which is empty' if low >= high else ''}; {where}"


@obligation(
    "smt.figure2.const.binary64",
    claim="F-CONST",
    kind="exact",
    scope="binary64; r = -1, 0 and 3·2^-1076 (underflow)",
    expected="refuted",
)
def const_in_binary64(run: Run) -> Outcome:
    """CONST as printed, on doubles: a negative constant, zero, and a positive one that underflows."""
    lines = []
    for constant in (Fraction(-1), Fraction(0), Fraction(3, 2**1076)):
        computed, (low, high) = float(constant), const(constant, ETA)  # the conversion rounds to nearest even
        if low < Fraction(computed) < high:
            raise NotReproduced(f"fl({constant}) is inside the printed interval")
        written = f"{constant.numerator}·2^-{constant.denominator.bit_length() - 1}"
        lines.append(f"fl({written}) = {computed.hex()}{_missed(computed, low, high)}")
    return Outcome("refuted", witness="\n".join(lines))


@obligation(
    "smt.figure2.plus.binary64",
    claim="F-PLUS",
    kind="exact",
    scope="binary64; -0.1 ⊕ -0.2, and 2^-60 ⊕ -1 inside the intervals (0, 2) and (-1-2^-60, 0)",
    expected="refuted",
)
def plus_in_binary64(run: Run) -> Outcome:
    """PLUS as printed, on doubles: two negative constants (an empty interval), and a sum of mixed signs."""
    tenth, fifth, tiny = Fraction(-1, 10), Fraction(-1, 5), Fraction(1, 2**60)
    lines = [
        _escapes("-0.1 ⊕ -0.2", plus, -0.1 + -0.2, (-0.1, around(tenth)), (-0.2, around(fifth))),
        _escapes(
            "2^-60 ⊕ -1", plus, 2.0**-60 - 1, (2.0**-60, (Fraction(0), Fraction(2))), (-1.0, (-1 - tiny, Fraction(0)))
        ),
    ]
    return Outcome("refuted", witness="\n".join(lines))


@obligation(
    "smt.figure2.times.binary64",
    claim="F-TIMES",
    kind="exact",
    scope="binary64; -3 ⊗ 5 and -3 ⊗ -5, the constants with their correct intervals",
    expected="refuted",
)
def times_in_binary64(run: Run) -> Outcome:
    """TIMES as printed, on doubles: one negative factor, two negative factors."""
    three, five = (-3.0, around(Fraction(-3))), Fraction(5)
    lines = [
        _escapes("-3 ⊗ 5", times, -3.0 * 5.0, three, (5.0, around(five))),
        _escapes("-3 ⊗ -5", times, -3.0 * -5.0, three, (-5.0, around(-five))),
    ]
    return Outcome("refuted", witness="\n".join(lines))


@obligation(
    "smt.figure2.sub.binary64",
    claim="F-SUB",
    kind="exact",
    scope="binary64; 1.1 ⊖ 1 and 1 ⊖ 1, from the constants by the rules of Figure 2 alone",
    expected="refuted",
)
def sub_in_binary64(run: Run) -> Outcome:
    """SUB as printed, on doubles: a cancellation from two positive constants, and the difference of equals."""
    one = (1.0, around(Fraction(1)))
    lines = [
        _escapes("1.1 ⊖ 1", sub, 1.1 - 1.0, (1.1, around(Fraction(11, 10))), one),
        _escapes("1 ⊖ 1", sub, 1.0 - 1.0, one, one),
    ]
    return Outcome("refuted", witness="\n".join(lines))
