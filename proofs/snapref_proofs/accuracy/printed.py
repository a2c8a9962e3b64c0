"""GETACCURACY and GETACCURACY2 as 002 §6.2 prints them, wrong as they are; for comparison and for witnesses.

The document assumes f ≥ 0; here |f| takes its place. λ' = 1/ε' is the noise scale for the sensitivity 1. For another
sensitivity it is multiplied by that. P_L^+, P_U^- and F_Z^- are the document's names.
"""

from dataclasses import dataclass
from fractions import Fraction

from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed
from snapref_proofs.ideal.model import ExpSum, exponential, laplace_below

BITS = 192


@dataclass(frozen=True)
class Printed:
    """What was returned, between two rationals, and the case that it came from."""

    low: Fraction
    high: Fraction
    case: int


def p_l_plus(scale: Fraction, bound: Fraction, f: Fraction) -> ExpSum:
    """P_L^+ = F(-B - f + λ')."""
    return laplace_below(-bound - f + scale, scale)


def p_u_minus(scale: Fraction, bound: Fraction, f: Fraction) -> ExpSum:
    """P_U^- = 1 - F(B - f - λ')."""
    return 1 - laplace_below(bound - f - scale, scale)


def f_z_minus(scale: Fraction, z: Fraction) -> ExpSum:
    """F_Z^-(z) = 1 - e^(1 - z/λ')."""
    return 1 - exponential(1 - z / scale)


def get_accuracy(scale: Fraction, bound: Fraction, f: Fraction, alpha: Fraction) -> Printed:
    """The four cases, in their order."""
    f = abs(f)
    lower, upper, edge = p_l_plus(scale, bound, f), p_u_minus(scale, bound, f), bound - f
    reached = f_z_minus(scale, edge)
    wanted = 1 + lower - alpha
    if (lower - alpha).sign() >= 0:
        return Printed(bound + f, bound + f, 1)
    if (reached - wanted).sign() >= 0:
        return Printed(*_one_minus_log(alpha - lower, scale), 2)
    if (reached + upper - wanted).sign() >= 0:
        return Printed(edge, edge, 3)
    return Printed(*_one_minus_log(alpha - lower + upper, scale), 4)


def get_accuracy2(scale: Fraction, bound: Fraction, alpha: Fraction) -> Printed:
    """(1/2 - ln(1 - α))/ε', capped at 2B."""
    low, high = _minus_log(ExpSum({Fraction(0): 1 - alpha}), Fraction(1, 2), scale)
    return Printed(low, high, 1) if high < 2 * bound else Printed(2 * bound, 2 * bound, 2)


def _one_minus_log(x: ExpSum, scale: Fraction) -> tuple[Fraction, Fraction]:
    return _minus_log(x, Fraction(1), scale)


def _minus_log(x: ExpSum, start: Fraction, scale: Fraction) -> tuple[Fraction, Fraction]:
    """(start - ln x)·λ'."""

    def expression(engine: Engine) -> Enclosure:
        return engine.between(scale, scale) * (engine.between(start, start) - engine.log(x.on(engine)))

    return agreed(expression, BITS)
