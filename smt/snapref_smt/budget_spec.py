"""The specification of the budget (001/002 §5; Theorem 1 of 004 as it is proved). It does not import the code.

Everything is real arithmetic: p enters as η = 2**-p. `Numbers` has the integers and the powers of two among the reals.
Functions that are proved apart (rounding, padding, ε') occur as variables. What is known of them is here, under
"Contracts": that is proved of the function's own code, and then relied on wherever it is called.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from snapref_smt.engine.rationals import Numbers

Term = Any  # a z3 term of sort Real
MAX_PRECISION = 4096  # the largest p that the reference takes


def exact(x: Fraction | int) -> Term:
    return z3.RealVal(str(x))


def at_least(eta: Term, precision: int) -> z3.BoolRef:
    """p ≥ precision."""
    return eta <= exact(Fraction(1, 2**precision))


@dataclass(frozen=True)
class Row:
    """A constant with which the bound is proved, and its conditions: p ≥ min_precision and B·η/λ ≤ max_beta."""

    constant: Fraction | int
    min_precision: int
    max_beta: Fraction

    def covers(self, eta: Term, bound: Term, scale: Term) -> z3.BoolRef:
        """Every condition of the theorem on p, B and λ."""
        small = bound * eta <= exact(self.max_beta) * scale
        return z3.And(at_least(eta, self.min_precision), scale <= bound, small)


@dataclass(frozen=True)
class Specification:
    """What each function has to return, for arithmetic with η = 2**-p."""

    numbers: Numbers
    eta: Term

    # p-bit numbers: n·2**k with integers n and k, |n| ≤ 2**p

    def spacing(self, x: Term) -> Term:
        """The distance of neighbouring p-bit numbers at x > 0: 2η·2**⌊log2 x⌋."""
        return 2 * self.eta * self.numbers.power_below(x)

    def multiple(self, x: Term, step: Term, up: bool) -> Term:
        """The largest multiple of the step that is at most x, or (up) the least that is at least x."""
        sign = -1 if up else 1
        return sign * self.numbers.floor(self.numbers.quotient(sign * x, step)) * step

    # The bound

    def bound(self, scale: Term, bound: Term, sensitivity: Term, constant: Term) -> Term:
        """Δ/λ + C·B·η/λ + 2η."""
        return self.numbers.quotient(sensitivity + constant * bound * self.eta, scale) + 2 * self.eta

    def before_rounding(self, epsilon: Term, bound: Term, sensitivity: Term, constant: Term) -> Term:
        """ε' = (ε - 2η)/(Δ'/Δ + C·(B/Δ)·η), that is (ε - 2η)·Δ/(Δ' + C·B·η)."""
        whole = self.padded(sensitivity, bound) + constant * bound * self.eta
        return self.numbers.quotient((epsilon - 2 * self.eta) * sensitivity, whole)

    # Contracts

    def rounded(self, x: Term, up: bool) -> Term:
        name = "up" if up else "down"
        return self.numbers.function(name, (x, self.eta), lambda r: self.is_rounded(x, r, up))

    def is_rounded(self, x: Term, r: Term, up: bool) -> list[z3.BoolRef]:
        """For x > 0 and p ≥ 1."""
        valid = z3.And(x > 0, at_least(self.eta, 1))
        return [z3.Implies(valid, z3.And(r > 0, x <= r if up else r <= x))]

    def padded(self, sensitivity: Term, bound: Term) -> Term:
        return self.numbers.function(
            "padded", (sensitivity, bound, self.eta), lambda d: self.is_padded(sensitivity, bound, d)
        )

    def is_padded(self, sensitivity: Term, bound: Term, padded: Term) -> list[z3.BoolRef]:
        return [z3.Implies(z3.And(sensitivity > 0, bound > 0), padded >= sensitivity)]

    def inner(self, epsilon: Term, bound: Term, sensitivity: Term, constant: Term) -> Term:
        return self.numbers.function(
            "inner",
            (epsilon, bound, sensitivity, self.eta),
            lambda e: self.is_inner(epsilon, bound, sensitivity, constant, e),
        )

    def is_inner(self, epsilon: Term, bound: Term, sensitivity: Term, constant: Term, inner: Term) -> list[z3.BoolRef]:
        """ε'·(Δ' + C·B·η) ≤ (ε - 2η)·Δ, where ε > 2η."""
        whole = self.padded(sensitivity, bound) + constant * bound * self.eta
        honoured = inner * whole <= (epsilon - 2 * self.eta) * sensitivity
        valid = z3.And(epsilon > 2 * self.eta, bound > 0, sensitivity > 0, at_least(self.eta, 1))
        return [z3.Implies(valid, z3.And(inner > 0, honoured))]

    # What is accepted

    def precise(self, least: int) -> z3.BoolRef:
        return z3.And(at_least(self.eta, least), self.eta >= exact(Fraction(1, 2**MAX_PRECISION)))

    def smallest(self, rows: Iterable[Row], constant: Any, bound: Term, scale: Term) -> z3.BoolRef:
        """The constant is that of a row whose conditions hold, and no such row has a smaller one."""
        covered = [(row.constant, row.covers(self.eta, bound, scale)) for row in rows]
        own = z3.Or(*(holds for c, holds in covered if c == constant))
        return z3.And(own, z3.Not(z3.Or(*(holds for c, holds in covered if c < constant))))
