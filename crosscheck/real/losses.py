"""The exact privacy loss of what diffprivlib and smartnoise-core compute, with bounds -B and B: `python losses.py`.

Both work in units of Δ: value/Δ is rounded, and then the mechanism runs with Δ = 1. Their arithmetic is modelled here
step by step, following their sources. Each probability is found by bisection through the model, so the loss that is
printed is exact for the model. notes/production.md says what was confirmed on the installed binaries.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from gmpy2 import mpfr

from snapref.arithmetic import Dyadic, add, context, multiply, scaled
from snapref.formats import Format
from snapref.lattice import lattice_exponent
from snapref.logarithm import ln
from snapref.mechanism import snapped
from snapref_proofs.evaluate.bisection import Program, probability_by_bisection
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import Loss, entry_at, loss_of, nearest
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.variants import nearest_integer

WORKING_BITS = 118  # smartnoise-core's precision of ln, and its η is 2**-118


def smartnoise_program(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
    """ln and its product with λ at 118 bits, then one rounding to a double; the sum in doubles; ties away from zero."""
    product = multiply(multiply(mpfr(sign), fmt.decode(scale), 53), ln(u, WORKING_BITS), WORKING_BITS)
    noisy = add(fmt.decode(value), context(53).plus(product), 53)
    numerator, denominator = noisy.as_integer_ratio()
    m = lattice_exponent(scale, fmt)
    multiple = nearest_integer(Fraction(int(numerator), int(denominator)) / Fraction(2) ** m, "away")
    limit = fmt.decode(bound)
    return fmt.encode(max(-limit, min(limit, scaled(multiple, m))))


@dataclass(frozen=True)
class Library:
    """A model of a library: its η, how it prepares a value, and the mechanism that it then runs."""

    name: str
    eta: float
    prepare: Callable[[float, float, float], float]  # value, B, Δ → the value in units of Δ
    program: Program

    def scale(self, epsilon: float, bound: float, sensitivity: float) -> float:
        """λ in units of Δ."""
        return 1.0 / ((epsilon - 2 * self.eta) / (1 + 12 * (bound / sensitivity) * self.eta))


def smartnoise_value(value: float, bound: float, sensitivity: float) -> float:
    return max(-bound, min(bound, value)) / sensitivity


def diffprivlib_value(value: float, bound: float, sensitivity: float) -> float:
    """value/Δ - B/Δ - (-B)/Δ, each step rounded."""
    half = bound / sensitivity
    return max(-half, min(half, value / sensitivity - half + half))


SMARTNOISE = Library("smartnoise", 2.0**-WORKING_BITS, smartnoise_value, smartnoise_program)
DIFFPRIVLIB = Library("diffprivlib", 2.0**-53, diffprivlib_value, snapped)


@dataclass(frozen=True)
class Found:
    """The largest loss found."""

    loss: Loss
    a: float
    b: float
    output: int  # in units of Λ

    def __str__(self) -> str:
        return f"a = {self.a!r}, b = {self.b!r}, output {self.output}·Λ"


def neighbours(bound: float, sensitivity: float, library: Library, count: int = 400) -> Iterator[tuple[float, float]]:
    """A few pairs of doubles at most Δ apart: those that are farthest apart once the library has prepared them."""
    rng = random.Random(0)
    pairs = [(0.0, sensitivity)]
    power = 2.0 ** math.floor(math.log2(bound / sensitivity))
    for _ in range(count):  # anywhere, and on both sides of a power of two in units of Δ, where the spacing changes
        anywhere = rng.uniform(-bound, bound - sensitivity)
        a = rng.choice((anywhere, sensitivity * power - sensitivity * rng.random()))
        b = a + sensitivity
        if Fraction(b) - Fraction(a) > Fraction(sensitivity):
            b = math.nextafter(b, -math.inf)
        pairs.append((a, b))

    def apart(pair: tuple[float, float]) -> Fraction:
        a, b = (Fraction(library.prepare(x, bound, sensitivity)) for x in pair)
        return a - b

    return iter(sorted(pairs, key=apart)[:6] + pairs[:1])


def worst_loss(library: Library, epsilon: float, bound: float, sensitivity: float) -> Found:
    """The largest loss over a few pairs and the outputs around them. The evaluator picks the output, and bisection
    gives the exact loss there."""
    scale, half = library.scale(epsilon, bound, sensitivity), bound / sensitivity
    mechanism = Parameters(Fraction(scale), Fraction(half), uniform="binary64")
    best: Found | None = None
    for a, b in neighbours(bound, sensitivity, library):
        c, d = (from_fraction(library.prepare(x, bound, sensitivity)) for x in (a, b))
        around = {max(-mechanism.last, min(mechanism.last, nearest(mechanism, c) + step)) for step in range(-5, 6)}
        losses = {k: entry_at(mechanism, k, c, d) for k in around}
        k = max(losses, key=lambda k: losses[k].loss.in_units(Fraction(0), Fraction(1)))
        p, q = (probability_by_bisection(mechanism, k, x, library.program) for x in (c, d))
        found = Found(loss_of(p, q), a, b, k)
        if best is None or found.loss.above(best.loss):
            best = found
    assert best is not None
    return best


def main() -> list[dict[str, object]]:
    """Prints the table, and returns its rows."""
    rows: list[dict[str, object]] = []
    print(f"{'library':12} {'ε':>4} {'B':>8} {'Δ':>4}  {'loss found':20} {'loss/ε - 1':>10}  guarantee")
    for bound, sensitivity in ((10.0, 1.0), (100.0, 3.0), (1e4, 3.0), (1e6, 3.0), (1e9, 3.0), (1e12, 3.0), (1e16, 3.0)):
        for library in (SMARTNOISE, DIFFPRIVLIB):
            for epsilon in (1.0, 0.7):
                found = worst_loss(library, epsilon, bound, sensitivity)
                low, _ = found.loss.enclosure(200)
                excess = float(low / Fraction(epsilon) - 1)
                holds = not found.loss.exceeds(Fraction(epsilon))
                row = f"{library.name:12} {epsilon:4} {bound:8.0e} {sensitivity:4}  {float(low):<20.17g}"
                print(f"{row} {excess:+10.1e}  {'holds ' if holds else 'BROKEN'}  {found}")
                parameters = {"epsilon": epsilon, "bound": bound, "sensitivity": sensitivity}
                rows.append(
                    {"library": library.name}
                    | {name: value.hex() for name, value in parameters.items()}
                    | {"loss": found.loss.text(), "excess": excess, "holds": holds}
                )
    return rows


if __name__ == "__main__":
    main()
