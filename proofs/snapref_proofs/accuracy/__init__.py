"""Accuracy: how far a release may be from f(D), and with which probability (001 and 002, §6).

    >>> from snapref_proofs.accuracy import accuracy
    >>> float(accuracy(epsilon=0.5, bound=100.0, alpha=0.05, value=37.25))
    6.75

This package exports only what is sound. In the order to read it:

- `program` computes the exact error probabilities of the floating-point program. `sound` has error bounds that hold.
  `printed` has the algorithms of 002 as they are printed, wrong as they are. `compare` puts all of them side by side.
- `planning` chooses B, the sensitivity and ε before a release (§6.1).
- `statements` says what is true in §6 for all reals. `examples` and `judging` are tools for the obligations.
- `error_obligations` is about the error and its distribution (§6.1 and the beginning of §6.2), `accuracy_obligations`
  about the printed algorithms, `completion_obligations` about the sound bounds, and `planning_obligations` about
  `planning`. Their claims are `N-6…`, `N1-6…`, `N2-…` and `N-GA`.
"""

from fractions import Fraction

from snapref.budget import plan_budget
from snapref.errors import ParameterError, finite, positive, whole
from snapref_proofs.accuracy.program import Computed, program_of
from snapref_proofs.accuracy.sound import as_double, least_accuracy, program_tail, quantile
from snapref_proofs.evaluate.dyadics import from_fraction, is_held

__all__ = ["accuracy", "check_alpha", "check_guess"]


def accuracy(
    epsilon: float,
    bound: float,
    alpha: float,
    sensitivity: float = 1.0,
    value: float | None = None,
    precision: int = 53,
) -> Fraction:
    """An a such that a release of the floating-point program is off by more than a with probability at most α.

    Without a value, a holds for every f(D) in [-B, B] that the format holds. A value is a guess of f(D) that the user
    supplies; it must never come from the data. Then a is the least that holds if f(D) is that value. It is rounded up
    to a double, so that float() changes nothing.
    """
    budget = plan_budget(
        positive("epsilon", epsilon),
        positive("bound", bound),
        positive("sensitivity", sensitivity),
        whole("precision", precision),
    )
    level, program = check_alpha(alpha), program_of(budget)
    if value is None:
        return as_double(least_accuracy(program_tail(program), level))
    return as_double(quantile(program, level, check_guess(value, program)))


def check_alpha(alpha: float) -> Fraction:
    """0 < α < 1, or an error."""
    level = positive("alpha", alpha)
    if level >= 1:
        raise ParameterError(f"alpha = {alpha} must be less than 1: it is the probability of a larger error")
    return level


def check_guess(value: float, program: Computed) -> Fraction:
    """A guess inside [-B, B] that the program's format holds, or an error."""
    guess, m = finite("value", value), program.parameters
    if abs(guess) > m.bound:
        raise ParameterError(f"value = {value} is outside [-B, B] with B = {float(m.bound)}: guess a value inside")
    if not is_held(from_fraction(guess), m.precision):
        raise ParameterError(f"value = {value} must be a number that {m.precision} bits hold exactly")
    return guess
