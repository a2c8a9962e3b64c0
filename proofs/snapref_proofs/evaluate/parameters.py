"""The parameters of one running mechanism, clamp_B(round_Λ(clamp_B(f(D)) ⊕ S⊗λ⊗LN(U*))) (001 and 002, §2.2 and §3).

What a user asks for (ε, B, Δ, p) is another record, the reference's `Budget`, which chooses λ. Everything in this
package works on the record here: the exact distribution of the floating-point program (tails.py), the ideal mechanism
in real arithmetic, which looks at λ, Λ and B only, and every witness and example.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Literal

from snapref.arithmetic import Dyadic
from snapref.budget import eta, floor_log2
from snapref.errors import ParameterError
from snapref.uniform import Uniform, uniform_law
from snapref_proofs.evaluate.dyadics import from_fraction, is_held

Ties = Literal["up", "down", "away", "even"]  # where round_Λ sends (j + ½)Λ; the reference: up, toward +∞


def smallest_lattice(scale: Fraction) -> Fraction:
    """Λ: the smallest power of two that is at least λ (001 and 002, §2.2)."""
    below = Fraction(2) ** floor_log2(scale)
    return below if below == scale else 2 * below


@dataclass(frozen=True)
class Parameters:
    """λ, B, p, the law of U* (its name, or the law itself), the tie rule, and Λ (by default the smallest 2^m ≥ λ)."""

    scale: Fraction
    bound: Fraction
    precision: int = 53
    uniform: str | Uniform = "unbounded"
    ties: Ties = "up"
    lattice: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.precision < 2:
            raise ParameterError(f"precision = {self.precision} is too small: ties to even need at least 2 bits")
        for name in ("scale", "bound"):
            if getattr(self, name) <= 0:
                raise ParameterError(f"{name} must be positive")
        if self.lattice < 0:
            raise ParameterError("lattice must be positive")
        if not self.lattice:
            object.__setattr__(self, "lattice", smallest_lattice(self.scale))
        if isinstance(self.uniform, str):
            uniform_law(self.uniform, self.precision)  # an error where there is no such law

    @cached_property
    def law(self) -> Uniform:
        """The law of U*."""
        return uniform_law(self.uniform, self.precision) if isinstance(self.uniform, str) else self.uniform

    @property
    def beta(self) -> Fraction:
        """B·η/λ."""
        return self.bound * eta(self.precision) / self.scale

    @property
    def spacing(self) -> Fraction:
        """Of p-bit floats at 2B."""
        return Fraction(2) ** (floor_log2(2 * self.bound) + 1 - self.precision)

    @cached_property
    def lattice_exponent(self) -> int:
        """m with Λ = 2^m."""
        return floor_log2(self.lattice)

    @cached_property
    def last(self) -> int:
        """K = ⌈B/Λ⌉. The outputs are -B, the multiples kΛ with |k| < K, and B.

        The thresholds between them are (j + ½)Λ for -K ≤ j < K.
        """
        return ceil(self.bound / self.lattice)

    @cached_property
    def held(self) -> tuple[Dyadic, Dyadic]:
        """λ and B as p-bit numbers for the floating-point program; an error if p bits do not hold them exactly."""
        if self.lattice != Fraction(2) ** self.lattice_exponent:
            raise ParameterError("lattice must be a power of two")
        scale, bound = (self._held(name) for name in ("scale", "bound"))
        return scale, bound

    def _held(self, name: str) -> Dyadic:
        number: Fraction = getattr(self, name)
        if number.denominator & (number.denominator - 1) or not is_held(from_fraction(number), self.precision):
            raise ParameterError(f"{name} must be a number that {self.precision} bits hold exactly")
        return from_fraction(number)
