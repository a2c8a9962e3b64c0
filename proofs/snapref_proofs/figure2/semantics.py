"""Figure 2 of 004, a big-step semantics with relative errors: as printed, and as it should be.

A judgement e ⇓ c, (low, high) says that the rounded expression e evaluates to the float c, and that c lies between low
and high. The figure has the rules CONST, PLUS, TIMES and SUB. The proof in §4 also uses a rule EXP without stating it.
Floats (Λ/2, x, f(a), …) have no error. Everything is computed exactly except the exponentials, which two interval
engines enclose, rounding outward. The rules are decided in smt; here they are applied to numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from snapref.budget import round_to_bits
from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed
from snapref_proofs.figure2.expressions import Apply, Expression, Leaf

Interval = tuple[Fraction, Fraction]
NAMES = {"⊕": "PLUS", "⊖": "SUB", "⊗": "TIMES"}


@dataclass(frozen=True)
class Judgement:
    """One line of a derivation."""

    rule: str
    expression: Expression
    value: Fraction
    low: Fraction
    high: Fraction
    premises: tuple["Judgement", ...] = ()

    @property
    def holds(self) -> bool:
        """Whether low ≤ value ≤ high.

        The printed intervals are open; here they are closed, as rounding may be exact.
        """
        return self.low <= self.value <= self.high


def nearest(x: Fraction, precision: int) -> Fraction:
    """x rounded to p bits, ties to even, exponents without limit."""
    if x == 0:
        return x
    low, high = (round_to_bits(abs(x), precision, up=up) for up in (False, True))
    middle = (low + high) / 2
    if abs(x) == middle:
        unit = high - low
        found = low if unit == 0 or (low / unit).numerator % 2 == 0 else high
    else:
        found = low if abs(x) < middle else high
    return found if x > 0 else -found


def exponential(engine: Engine, x: Fraction) -> Enclosure:
    return engine.exp(engine.between(x, x))


def evaluate(expression: Expression, values: Mapping[str, Fraction], precision: int, printed: bool) -> Judgement:
    """The derivation of an expression, whose leaves have the given values, by the printed or by the corrected rules."""
    eta = Fraction(1, 2**precision)
    if isinstance(expression, Leaf):
        value = values[expression.name]
        if expression.production == "r":
            spread = abs(value) * eta
            low, high = (value * (1 - eta), value * (1 + eta)) if printed else (value - spread, value + spread)
            return Judgement("CONST", expression, nearest(value, precision), low, high)
        return Judgement("FLOAT", expression, value, value, value)
    if isinstance(expression, Apply):
        if expression.production != "EXP":
            raise ValueError(f"no rule evaluates {expression.production}")
        inner = evaluate(expression.argument, values, precision, printed)
        bits = 3 * precision + 64
        low = agreed(partial(exponential, x=inner.low), bits)[0] * (1 - eta)
        high = agreed(partial(exponential, x=inner.high), bits)[1] * (1 + eta)
        value = nearest(agreed(partial(exponential, x=inner.value), bits)[0], precision)
        return Judgement("EXP", expression, value, low, high, (inner,))
    left, right = (evaluate(side, values, precision, printed) for side in (expression.left, expression.right))
    rule = NAMES[expression.production]
    value = nearest(_EXACT[rule](left.value, right.value), precision)
    low, high = (_printed if printed else _corrected)(rule, (left.low, left.high), (right.low, right.high), eta)
    return Judgement(rule, expression, value, low, high, (left, right))


_EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "PLUS": lambda a, b: a + b,
    "SUB": lambda a, b: a - b,
    "TIMES": lambda a, b: a * b,
}


def _printed(rule: str, left: Interval, right: Interval, eta: Fraction) -> Interval:
    """The rule as Figure 2 prints it: low with low and high with high, times (1 - η) below and (1 + η) above.

    It is wrong for SUB, for negative factors, and wherever an end is negative.
    """
    exact = _EXACT[rule]
    return exact(left[0], right[0]) * (1 - eta), exact(left[1], right[1]) * (1 + eta)


def _corrected(rule: str, left: Interval, right: Interval, eta: Fraction) -> Interval:
    """The corrected rule: the extremes over all pairs of ends, then one rounding error outward, η times the end."""
    exact = _EXACT[rule]
    corners = [exact(a, b) for a in left for b in right]
    low, high = min(corners), max(corners)
    return low - eta * abs(low), high + eta * abs(high)
