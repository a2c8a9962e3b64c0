"""Accuracies a side by side: printed (002 §6.2), corrected and exact; each with the exact P(N > a) and a verdict.

An accuracy is *sound* if P(N > a) ≤ α. With a guess of f, the exact P(N > a) there decides. Without one, a is sound if
the proved bound on P(N > a) for every f is at most α. It is not sound if some f is found with P(N > a) > α. Otherwise
it is not decided. Every a is a double, rounded up. `snapref accuracy` shows the table.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal

from snapref.budget import round_to_bits
from snapref_proofs.accuracy.printed import get_accuracy, get_accuracy2
from snapref_proofs.accuracy.program import Computed
from snapref_proofs.accuracy.sound import as_double, ideal_tail, least_accuracy, program_tail, quantile
from snapref_proofs.ideal.model import ExpSum, Ideal

Model = Ideal | Computed
Origin = Literal["printed", "corrected", "exact"]


@dataclass(frozen=True)
class ErrorBound:
    """One accuracy a; P(N > a) at f = `at`, the guess or the worst f that was found; and whether a is sound."""

    name: str
    source: Origin
    law: Literal["ideal", "program"]
    uses_guess: bool
    accuracy: Fraction
    probability: ExpSum
    at: Fraction
    sound: bool | None  # None: not decided


def compare(program: Computed, alpha: Fraction, guess: Fraction | None) -> list[ErrorBound]:
    """Every bound for these parameters: those at the guess, if there is one, and those that need none."""
    ideal = program.ideal
    rows = [] if guess is None else _at_guess(program, alpha, guess)
    second = get_accuracy2(ideal.scale, ideal.bound, alpha)
    return [
        *rows,
        _anywhere("GETACCURACY2", "printed", ideal, second.high, alpha),
        _anywhere("GETACCURACY2, corrected", "corrected", ideal, least_accuracy(ideal_tail(ideal), alpha), alpha),
        _anywhere("floating-point program", "corrected", program, least_accuracy(program_tail(program), alpha), alpha),
    ]


def _at_guess(program: Computed, alpha: Fraction, guess: Fraction) -> list[ErrorBound]:
    ideal = program.ideal
    first = get_accuracy(ideal.scale, ideal.bound, guess, alpha)

    def row(name: str, source: Origin, law: Model, exact: Fraction) -> ErrorBound:
        a = as_double(exact)
        probability = law.exceeds(a, guess)
        return ErrorBound(name, source, _word(law), True, a, probability, guess, probability.at_most(alpha))

    return [
        row(f"GETACCURACY, case {first.case}", "printed", ideal, first.high),
        row("GETACCURACY, corrected", "corrected", ideal, least_accuracy(ideal_tail(ideal, guess), alpha)),
        row("ideal mechanism", "exact", ideal, quantile(ideal, alpha, guess)),
        row("floating-point program", "exact", program, quantile(program, alpha, guess)),
    ]


def _anywhere(name: str, source: Origin, law: Model, exact: Fraction, alpha: Fraction) -> ErrorBound:
    """A bound for every f: P(N > a) at the worst f that is found, and the verdict from the bound on the tail."""
    a = as_double(exact)
    ideal, tail = (law.ideal, program_tail(law)) if isinstance(law, Computed) else (law, ideal_tail(law))
    at = max(_candidates(ideal, a, law), key=lambda f: float(law.exceeds(a, f)))
    probability = law.exceeds(a, at)
    sound = True if tail(a).at_most(alpha) else None if probability.at_most(alpha) else False
    return ErrorBound(name, source, _word(law), False, a, probability, at, sound)


def _candidates(ideal: Ideal, a: Fraction, law: Model) -> list[Fraction]:
    """Values of f at which errors tend to be large: next to a change of the output, halfway, and at the ends."""
    start = worst_value(ideal, a)
    nearest_b = start + floor((ideal.bound - start) / ideal.lattice) * ideal.lattice
    values = [Fraction(0), ideal.bound, start, nearest_b, ideal.lattice / 2]
    precision = law.parameters.precision if isinstance(law, Computed) else None
    held = [f if precision is None or f <= 0 else round_to_bits(f, precision, up=True) for f in values]
    return [f for f in held if abs(f) <= ideal.bound]


def _word(law: Model) -> Literal["ideal", "program"]:
    return "program" if isinstance(law, Computed) else "ideal"


def worst_value(ideal: Ideal, a: Fraction) -> Fraction:
    """An f near 0 with f - a just above a multiple of Λ: the threshold below is hardly more than a - Λ/2 away."""
    return a - floor(a / ideal.lattice) * ideal.lattice + ideal.lattice / 2**40
