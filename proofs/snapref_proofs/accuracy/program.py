"""The error of the floating-point program itself, exactly: P(N > a) from two thresholds of the evaluator (exact.py)."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from snapref.budget import Budget, show
from snapref.errors import ParameterError
from snapref_proofs.evaluate.dyadics import from_fraction, is_held, to_fraction
from snapref_proofs.evaluate.tails import Snapping, snapping
from snapref_proofs.ideal.model import ExpSum, Ideal, constant


@dataclass(frozen=True)
class Program:
    """The mechanism as it is computed. `ideal` has the same λ, Λ and B, and so the same outputs and thresholds."""

    mechanism: Snapping

    @cached_property
    def ideal(self) -> Ideal:
        m = self.mechanism
        return Ideal(to_fraction(m.scale), to_fraction(m.bound), Fraction(2) ** m.lattice_exponent)

    def up_to(self, k: int, f: Fraction) -> Fraction:
        """P(output ≤ number k): a rational number, as U* has finitely many bits."""
        if not -self.ideal.last <= k < self.ideal.last:
            return Fraction(int(k >= self.ideal.last))
        tail = self.mechanism.tail(from_fraction(f), self.mechanism.boundary(k))
        mass = to_fraction(tail.mass) / 2
        return mass if tail.below else 1 - mass

    def exceeds(self, a: Fraction, f: Fraction) -> ExpSum:
        """P(N > a) for N = |f - output|, f a float of [-B, B]."""
        below = self.up_to(self.ideal.first_not_below(f - a) - 1, f)
        return constant(below + 1 - self.up_to(self.ideal.last_not_above(f + a), f))


def program_of(budget: Budget, uniform: str = "unbounded") -> Program:
    """The program that a release with this budget runs."""
    scale, bound = from_fraction(budget.scale), from_fraction(budget.bound)
    if not is_held(bound, budget.precision):
        raise ParameterError(f"bound = {show(budget.bound)} must be a number that {budget.precision} bits hold exactly")
    return Program(snapping(scale, bound, budget.precision, uniform))
