"""What a target should answer: what the reference gives, extended to the other tie rules.

Sometimes several answers are right. The two zeros count as equal. Where the scale is so small or so large that products
underflow or overflow, both the exact answer and that of IEEE 754 doubles are right. Where no double holds the result,
an infinity or a refusal is right.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gmpy2 import mpfr

from snapref import ParameterError, binary64
from snapref.arithmetic import add, multiply
from snapref.budget import CONSTANT, eta, inner_epsilon, padded_sensitivity
from snapref.formats import Format, working_format
from snapref.lattice import lattice_exponent
from snapref.logarithm import ln
from snapref_crosscheck.protocol import OPERATIONS, Args, Description
from snapref_proofs.evaluate.parameters import Ties
from snapref_proofs.evaluate.variants import nearest_integer

ROUNDING_SLACK = Fraction(1, 2**50)  # the relative error that an ε' may have if it is computed in doubles


@dataclass(frozen=True)
class Expected:
    """The right answers. `refusal`: an error is right as well, or a NaN from a function that cannot raise one."""

    results: tuple[float, ...]
    refusal: bool = False

    def allows(self, result: float) -> bool:
        return any(result == right for right in self.results) or (self.refusal and math.isnan(result))

    def __str__(self) -> str:
        words = [f"{x!r} ({x.hex()})" for x in self.results]
        return " or ".join([*words, *(["a refusal"] if self.refusal else [])])


MUST_REFUSE = Expected((), refusal=True)


@lru_cache(maxsize=1 << 14)
def _expected(op: str, args: tuple[float | int, ...], negative: tuple[bool, ...], told: Description) -> Expected:
    """`negative` tells the two zeros apart, which are equal as keys of the cache."""
    if any(isinstance(x, float) and math.isnan(x) for x in args):
        return MUST_REFUSE
    match op:
        case "lattice":
            return lattice(*args)
        case "round":
            return round_to(args[0], args[1], told.ties)
        case "clamp":
            return clamp(*args)
        case "log":
            return _guarded(lambda: float(ln(binary64.exactly(args[0]), min(told.precision, 53))))
        case "uniform":
            exponent, mantissa = int(args[0]), int(args[1])
            return _guarded(lambda: binary64.uniform(exponent, mantissa))
        case _:
            value, scale, bound, sign, u = args
            return snap(value, scale, bound, int(sign), u, told)


def expected(op: str, args: Args, told: Description) -> Expected:
    """The right answers to a component operation, for a target that describes itself like this."""
    numbers = tuple([args[name] for name in OPERATIONS[op]])
    negative = tuple([math.copysign(1.0, x) < 0 for x in numbers]) if 0 in numbers else ()
    return _expected(op, numbers, negative, told)


def lattice(scale: float) -> Expected:
    """Λ. For a scale above 2**1023 no double is large enough."""
    if 2.0**1023 < scale < math.inf:
        return Expected((math.inf,), refusal=True)
    return _guarded(lambda: binary64.lattice(scale))


def clamp(x: float, bound: float) -> Expected:
    return _guarded(lambda: binary64.clamp(x, bound))


def round_to(x: float, lattice: float, ties: Ties) -> Expected:
    """x to the nearest multiple of Λ, by the declared tie rule. The result may be larger than any double."""
    if math.isinf(x) or not 0 < lattice < math.inf or math.frexp(lattice)[0] != 0.5:
        return MUST_REFUSE
    multiple = nearest_integer(Fraction(x) / Fraction(lattice), ties) * Fraction(lattice)
    try:
        return Expected((float(multiple),))
    except OverflowError:
        return Expected((math.copysign(math.inf, x),), refusal=True)


def snap(value: float, scale: float, bound: float, sign: int, u: float, told: Description) -> Expected:
    """The whole mechanism with unlimited exponents; and also in IEEE doubles, where these give something else."""
    steps = snap_steps(value, scale, bound, sign, u, told)
    exact = float(steps["result"])
    if told.precision != 53:
        return Expected((exact,))
    try:
        inner = max(-bound, min(bound, value))
        noisy = inner + (sign * scale) * binary64.log(u)
        rounded = round_to(noisy, binary64.lattice(scale), told.ties)
    except (ParameterError, OverflowError):
        return Expected((exact,), refusal=True)
    if not rounded.results or rounded.refusal:
        return Expected((exact,), refusal=True)
    ieee = max(-bound, min(bound, rounded.results[0]))
    return Expected((exact,) if ieee == exact else (exact, ieee))


def snap_steps(value: float, scale: float, bound: float, sign: int, u: float, told: Description) -> dict[str, mpfr]:
    """Every intermediate number of the mechanism, in the order of the program, for the trace of a counterexample."""
    fmt: Format = working_format(told.precision)
    inner = max(-bound, min(bound, value))
    logarithm = ln(binary64.exactly(u), fmt.precision)
    signed = multiply(mpfr(sign), mpfr(scale), fmt.precision)
    noise = multiply(signed, logarithm, fmt.precision)
    noisy = add(mpfr(inner), noise, fmt.precision)
    m = lattice_exponent(fmt.encode(scale), fmt)
    unit = Fraction(2) ** m
    multiple = nearest_integer(_fraction(noisy) / unit, told.ties) * unit
    rounded = float(multiple) if abs(multiple) < Fraction(2) ** 1024 else (math.inf if multiple > 0 else -math.inf)
    return {
        "clamp_B(value)": mpfr(inner),
        "LN(u)": logarithm,
        "S⊗λ⊗LN(u)": noise,
        "noisy": noisy,
        "Λ": mpfr(math.ldexp(1.0, m)) if -1075 < m < 1024 else mpfr(0),
        "round_Λ(noisy)": mpfr(rounded),
        "result": mpfr(max(-bound, min(bound, rounded))),
    }


def most_inner_epsilon(epsilon: float, bound: float, sensitivity: float, precision: int) -> Fraction:
    """The largest sound ε': with λ = Δ/ε', Δ/λ + 12·B·η/λ + 2η is ε."""
    h = eta(precision)
    return (Fraction(epsilon) - 2 * h) / (1 + CONSTANT * Fraction(bound) / Fraction(sensitivity) * h)


def reference_inner_epsilon(epsilon: float, bound: float, sensitivity: float, precision: int) -> Fraction:
    """What the reference uses: rounded down, and Δ padded where it must be."""
    return inner_epsilon(Fraction(epsilon), Fraction(bound), Fraction(sensitivity), precision)


def padding(bound: float, sensitivity: float, precision: int) -> Fraction:
    """Δ'/Δ, the padding of the reference."""
    return padded_sensitivity(Fraction(sensitivity), Fraction(bound), precision) / Fraction(sensitivity)


def _fraction(x: mpfr) -> Fraction:
    numerator, denominator = x.as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


def _guarded(compute: Callable[[], float]) -> Expected:
    try:
        return Expected((compute(),))
    except ParameterError:
        return MUST_REFUSE
