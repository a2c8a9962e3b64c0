"""The exact error of the floating-point program: P(N > a) for N = |f - output| (001 and 002, §6, but with rounding).

It relies on two thresholds of the evaluator (evaluate/tails.py), however many outputs there are.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from snapref.budget import Budget, show
from snapref.errors import ParameterError
from snapref_proofs.evaluate.dyadics import from_fraction, is_held, to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail
from snapref_proofs.ideal.model import ExpSum, Ideal, constant


@dataclass(frozen=True)
class Computed:
    """The mechanism as it is computed. `ideal` has the same parameters, and so the same outputs and thresholds."""

    parameters: Parameters

    @cached_property
    def ideal(self) -> Ideal:
        return Ideal(self.parameters)

    def up_to(self, k: int, f: Fraction) -> Fraction:
        """P(output ≤ number k): a rational number, as U* has finitely many bits."""
        m = self.parameters
        if not -m.last <= k < m.last:
            return Fraction(int(k >= m.last))
        below, mass = tail(m, from_fraction(f), boundary(m, k))
        half = to_fraction(mass) / 2
        return half if below else 1 - half

    def exceeds(self, a: Fraction, f: Fraction) -> ExpSum:
        """P(N > a) for N = |f - output|, f a float of [-B, B]."""
        below = self.up_to(self.ideal.first_not_below(f - a) - 1, f)
        return constant(below + 1 - self.up_to(self.ideal.last_not_above(f + a), f))


def program_of(budget: Budget, uniform: str = "unbounded") -> Computed:
    """The program that a release with this budget runs."""
    if not is_held(from_fraction(budget.bound), budget.precision):
        raise ParameterError(f"bound = {show(budget.bound)} must be a number that {budget.precision} bits hold exactly")
    return Computed(Parameters(budget.scale, budget.bound, budget.precision, uniform))
