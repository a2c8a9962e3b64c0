"""The snapping mechanism (001/002 §2.2 and §3): clamp_B(round_Λ(clamp_B(f(D)) ⊕ S⊗λ⊗LN(U*))).

`snapped` is the mechanism itself, on patterns, and what the proofs are about. `Mechanism`, `snap` and `certify` check
the parameters and run it; interface.py has them as users see them.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from gmpy2 import mpfr

from snapref import doubles
from snapref.arithmetic import Dyadic, add, multiply, scaled
from snapref.budget import Budget, certified_loss, plan_budget, show
from snapref.certificate import Certificate
from snapref.clamp import clamp
from snapref.errors import ParameterError, check_finite, positive, whole, written
from snapref.formats import BINARY64, Format, doubles_have_room, working_format
from snapref.lattice import lattice_exponent
from snapref.logarithm import ln
from snapref.randomness import SYSTEM, Source, draw
from snapref.rounding import round_to_lattice
from snapref.uniform import Uniform


def noise(sign: int, scale: mpfr, u: Dyadic, precision: int) -> mpfr:
    """S⊗λ⊗LN(u) for S = ±1. As LN(u) < 0, S = +1 moves down."""
    return multiply(multiply(sign, scale, precision), ln(u, precision), precision)


def snapped(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
    """The mechanism with its random part given: f(D), λ and B as patterns of `fmt`, S = ±1, U* = u."""
    inner = clamp(value, bound, fmt)
    noisy = add(fmt.decode(inner), noise(sign, fmt.decode(scale), u, fmt.precision), fmt.precision)
    rounded = round_to_lattice(fmt.encode(noisy), lattice_exponent(scale, fmt), fmt)
    return clamp(rounded, bound, fmt)


class Release(NamedTuple):
    """One private release. `value` is a float, or an MPFR number of p bits where p > 53."""

    value: float | mpfr
    certificate: Certificate
    randomness: str

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"Release({self.value}, ε = {show(self.certificate.budget.epsilon)}, randomness: {self.randomness})"

    def _repr_html_(self) -> str:
        """The release and its certificate as a table, for notebooks."""
        return self.certificate.as_table(str(self.value), self.randomness)


class Mechanism:
    """The mechanism for one set of public parameters. They are checked once, here."""

    def __init__(self, epsilon: float, bound: float, sensitivity: float = 1.0, precision: int = 53) -> None:
        budget = plan_budget(
            positive("epsilon", epsilon),
            positive("bound", bound),
            positive("sensitivity", sensitivity),
            whole("precision", precision),
        )
        self._format = working_format(precision)
        self._bound = encoded("bound", bound, self._format)
        self._scale = encoded("scale", dyadic(budget), self._format)
        self._uniform = Uniform(precision)  # unbounded: the law that the bound is about
        m = lattice_exponent(self._scale, self._format)
        if not BINARY64.min_exponent <= m <= BINARY64.max_exponent:
            raise ParameterError(f"the lattice Λ = 2**{m} of these parameters is not a double: rescale the data")
        if budget.bound >= 2**1024:  # an int: what is released would be no double
            raise ParameterError("bound must be below 2**1024, where doubles end: rescale the data")
        self.certificate = Certificate(budget, m)
        roomy = precision == 53 and doubles_have_room(budget.scale, budget.bound)
        self._in_doubles = doubles.program(float(budget.scale), 2.0**m, float(bound)) if roomy else None

    def __repr__(self) -> str:
        b = self.certificate.budget
        return f"Mechanism(ε = {show(b.epsilon)}, B = {show(b.bound)}, Δ = {show(b.sensitivity)}, p = {b.precision})"

    def release(self, value: float, source: Source | None = None) -> Release:
        """One release of f(D) = value, with the operating system's randomness unless another source is given."""
        source = SYSTEM if source is None else source
        check_finite("value", value, private=True)
        if self._in_doubles and isinstance(value, float):
            plain = float.__float__(value)  # numpy's float64 is a float, too, but computes with its own types
            return Release(self._in_doubles(plain, *draw(source, self._uniform)), self.certificate, source.name)
        bits = encoded("value", value, self._format, private=True)
        result = snapped(bits, self._scale, self._bound, *draw(source, self._uniform), self._format)
        number = self._format.decode(result)
        return Release(float(number) if self._format.precision <= 53 else number, self.certificate, source.name)


def snap(value: float, epsilon: float, bound: float, sensitivity: float = 1.0, precision: int = 53) -> Release:
    """One ε-differentially private release of `value`, which is clamped to [-bound, bound] first."""
    return Mechanism(epsilon, bound, sensitivity, precision).release(value)


@dataclass(frozen=True)
class Certified:
    """An upper bound on the privacy loss of given parameters, and the constant in the formula that gives it."""

    epsilon: Fraction
    constant: int | Fraction


def certify(scale: float, bound: float, sensitivity: float = 1.0, precision: int = 53) -> Certified:
    """The ε that the mechanism with this λ, B, Δ and p honours; an error where the bound does not cover them."""
    numbers = positive("scale", scale), positive("bound", bound), positive("sensitivity", sensitivity)
    certified = Certified(*certified_loss(*numbers, whole("precision", precision)))
    for name, number in (("scale", scale), ("bound", bound)):
        encoded(name, number, working_format(precision))
    return certified


def encoded(name: str, number: float | mpfr, fmt: Format, private: bool = False) -> int:
    """The pattern of a parameter. An error, which names the parameter, where the format does not hold it."""
    try:
        return fmt.encode(number)
    except ParameterError:
        shown = "" if private else f" = {written(number)}"
        raise ParameterError(
            f"{name}{shown} must be a number below 2**{fmt.max_exponent + 1} that {fmt.precision} bits hold exactly"
        ) from None


def dyadic(budget: Budget) -> mpfr:
    """λ as an MPFR number. Its denominator is a power of two, as the budget rounds λ to p bits."""
    return scaled(budget.scale.numerator, 1 - budget.scale.denominator.bit_length())
