"""Examples for witnesses: one mechanism and one f, in real arithmetic and as the floating-point program computes it.

A probability of the ideal mechanism counts only after a replay: the exact probability of the floating-point program, at
53 bits, must be within 2^-40 of it. The obligations of this folder use such examples to refute printed sentences.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from snapref_proofs.accuracy.program import Computed
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.ideal.model import ExpSum, Ideal, constant, exponential, laplace_below

CLOSE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Example:
    """A mechanism and f."""

    parameters: Parameters
    value: Fraction

    @cached_property
    def ideal(self) -> Ideal:
        return Ideal(self.parameters)

    @cached_property
    def program(self) -> Computed:
        return Computed(self.parameters)

    def exceeds(self, a: Fraction | int) -> ExpSum:
        """P(N > a), replayed."""
        a = Fraction(a)
        return replayed(self.ideal.exceeds(a, self.value), self.program.exceeds(a, self.value))

    def probability(self, x: Fraction | int) -> ExpSum:
        """P(output = x), replayed; 0 where x is no output."""
        total = constant(0)
        for k in range(-self.ideal.last, self.ideal.last + 1):
            if self.ideal.output(k) == x:
                computed = self.program.up_to(k, self.value) - self.program.up_to(k - 1, self.value)
                total += replayed(self.ideal.probability(k, self.value), constant(computed))
        return total

    def error_is(self, a: Fraction | int) -> ExpSum:
        """P(N = a): a sum over the outputs f - a and f + a."""
        return sum((self.probability(x) for x in {self.value - a, self.value + a}), constant(0))

    def below(self, x: Fraction) -> ExpSum:
        """F(x)."""
        return laplace_below(x, self.ideal.scale)

    def z_at_most(self, z: Fraction | int) -> ExpSum:
        """F_Z(z) = P(|Y'| + Λ/2 ≤ z)."""
        reach = Fraction(z) - self.ideal.lattice / 2
        return 1 - exponential(-reach / self.ideal.scale) if reach >= 0 else constant(0)

    def __str__(self) -> str:
        m = self.parameters
        return f"λ' = {m.scale}, Λ = {m.lattice}, B = {m.bound}, f = {self.value}"


def example(scale: Fraction | int, bound: Fraction | int, f: Fraction | int) -> Example:
    """λ', B and f at 53 bits; Λ follows."""
    return Example(Parameters(Fraction(scale), Fraction(bound)), Fraction(f))


def replayed(ideal: ExpSum, computed: ExpSum) -> ExpSum:
    """The first, if the program's exact probability is close to it."""
    difference = ideal - computed
    if not (difference.at_most(CLOSE) and (-difference).at_most(CLOSE)):
        raise ArithmeticError(f"the program gives {float(computed)}, the ideal mechanism {float(ideal)}")
    return ideal
