"""The worst privacy loss of a mechanism on a small floating-point format, by going through all values.

One run covers: all p-bit numbers of [-B, B] that are multiples of 2**step (this makes them finitely many); every pair
of them that is at most one sensitivity apart; every output; and every draw u, as the thresholds of tails.py are exact.
Within that scope the worst loss found is the worst loss there is. The obligations are in exact/small_obligations.py.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from snapref.arithmetic import Dyadic
from snapref.budget import eta, loss_bound
from snapref.uniform import Uniform
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import at_least, from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Loss
from snapref_proofs.evaluate.parameters import Parameters, Ties, smallest_lattice
from snapref_proofs.evaluate.tails import Boundary, boundary, reaches_number


@dataclass(frozen=True)
class Worst:
    """The worst loss of one run, where it is, and how much was covered."""

    parameters: Parameters
    sensitivity: Fraction
    step: int
    values: int
    pairs: int
    outputs: int
    loss: Loss
    a: Fraction
    b: Fraction
    x: Fraction

    @property
    def bound(self) -> Fraction:
        m = self.parameters
        return loss_bound(m.scale, m.bound, self.sensitivity, m.precision)

    @property
    def holds(self) -> bool:
        return not self.loss.exceeds(self.bound)

    @property
    def constant(self) -> float:
        """C with loss = ε + C·B·ε·η + 2η: the theorem says at most 12."""
        m, h = self.parameters, eta(self.parameters.precision)
        return self.loss.in_units(self.sensitivity / m.scale + 2 * h, m.bound / m.scale * h)


def inputs(precision: int, bound: Fraction, step: int) -> list[int]:
    """Every p-bit number of [-B, B] that is a multiple of 2**step, in units of it, in order."""
    limit = int(bound / Fraction(2) ** step // 1)
    full = 1 << precision
    positive = list(range(1, min(limit, full - 1) + 1))
    stride = 2
    while stride * full // 2 <= limit:  # the binade from 2**(p-1) * stride on: every stride-th number
        positive += range(stride * full // 2, min(limit, stride * (full - 1)) + 1, stride)
        stride *= 2
    return [-n for n in reversed(positive)] + [0] + positive


def worst_loss(mechanism: Parameters, sensitivity: Fraction, step: int, values: Sequence[int] | None = None) -> Worst:
    """The worst pair and output of the format. `values` in units of 2**step, in order; by default all of [-B, B]."""
    reach = int(sensitivity / Fraction(2) ** step // 1)
    if values is None:
        values = inputs(mechanism.precision, mechanism.bound, step)
    law = Cumulative(mechanism, step, max(abs(values[0]), abs(values[-1])))
    last = mechanism.last
    lower = [0] * len(values)
    best, where = Loss(1, 1), (0, 0, 0)
    for k in range(-last, last + 1):
        upper = law.below(boundary(mechanism, k), values) if k < last else [law.one] * len(values)
        masses = list(map(int.__sub__, upper, lower))
        lower = upper
        for i, top in enumerate(window_maxima(values, masses, reach)):
            if masses[top] * best.smaller > best.larger * masses[i]:
                best, where = Loss(masses[top], masses[i]), (top, i, k)
    unit = Fraction(2) ** step
    return Worst(
        mechanism,
        sensitivity,
        step,
        len(values),
        count_pairs(values, reach),
        2 * last + 1,
        best,
        values[where[0]] * unit,
        values[where[1]] * unit,
        to_fraction(output(mechanism, where[2])),
    )


class Cumulative:
    """P(w < T), the probability that the noisy value w is below the threshold T, as an integer.

    All are multiples of one unit: half the smallest mass that any threshold of the mechanism has.
    """

    def __init__(self, mechanism: Parameters, step: int, largest: int) -> None:
        self.parameters, self.step = mechanism, step
        self.known = _known(mechanism.scale, mechanism.precision, mechanism.law)
        farthest = largest * Fraction(2) ** step + (mechanism.last + 1) * mechanism.lattice
        mass = self._reaches(*from_fraction(farthest), strict=False, down=True)
        self.digits = (-mass.exponent if mass.significand else -(mechanism.law.smallest or 0)) + 1
        self.one = 1 << self.digits

    def boundary(self, j: int) -> Boundary:
        """t* for the threshold T = (j + ½)Λ."""
        return boundary(self.parameters, j)

    def below(self, at: Boundary, values: Sequence[int]) -> list[int]:
        """P(w < T) for the values c, which are in units of 2**step."""
        (n, e), closed = at
        unit = min(e, self.step)
        threshold, shift = n << (e - unit), self.step - unit
        return [self._below((c << shift) - threshold, unit, closed) for c in values]

    def _below(self, distance: int, unit: int, closed: bool) -> int:
        """As `tails.tail`, for c - t* = distance * 2**unit."""
        if distance > 0:
            n, e = self._reaches(distance, unit, closed, down=True)
            return n << (e + self.digits - 1)
        if distance < 0:
            n, e = self._reaches(-distance, unit, not closed, down=False)
            return self.one - (n << (e + self.digits - 1))
        return self.one >> 1

    def _reaches(self, n: int, e: int, strict: bool, down: bool) -> Dyadic:
        """As `tails.reaches`, with a memory: in a small format the same few numbers z occur again and again.

        `down` says which sign of the noise is asked about. To nearest, both have the same law.
        """
        z = at_least(n, e, self.parameters.precision, strict)
        mass = self.known.get(z)
        if mass is None:
            mass = self.known[z] = reaches_number(self.parameters, *z)
        return mass


@lru_cache(maxsize=1)
def _known(scale: Fraction, precision: int, law: Uniform) -> dict[tuple[int, int], Dyadic]:
    """The values P(Z >= z) computed so far, by z. Mechanisms with the same noise share them."""
    return {}


def window_maxima(values: Sequence[int], masses: Sequence[int], reach: int) -> Iterator[int]:
    """For every i, which j with |values[j] - values[i]| <= reach has the largest mass. One pass, no loop over pairs."""
    queue: deque[int] = deque()  # candidates, their masses falling
    entering = 0
    for value in values:
        while entering < len(values) and values[entering] <= value + reach:
            while queue and masses[queue[-1]] <= masses[entering]:
                queue.pop()
            queue.append(entering)
            entering += 1
        while values[queue[0]] < value - reach:
            queue.popleft()
        yield queue[0]


def count_pairs(values: Sequence[int], reach: int) -> int:
    """How many ordered pairs of different values are at most `reach` apart."""
    count = start = 0
    for i, value in enumerate(values):
        while values[start] < value - reach:
            start += 1
        count += i - start
    return 2 * count


def small_numbers(precision: int, exponents: Iterable[int]) -> Iterator[Fraction]:
    """Every p-bit number of the binades [2**e, 2**(e+1))."""
    for e in exponents:
        for s in range(1 << (precision - 1), 1 << precision):
            yield Fraction(s) * Fraction(2) ** (e + 1 - precision)


@dataclass
class Survey:
    """Many runs together: how much was covered, the largest constant, and the runs that break the bound."""

    runs: int = 0
    pairs: int = 0
    outputs: int = 0
    worst: Worst | None = None
    broken: list[Worst] = field(default_factory=list)

    def add(self, found: Worst) -> None:
        self.runs += 1
        self.pairs += found.pairs
        self.outputs += found.pairs * found.outputs
        if self.worst is None or found.constant > self.worst.constant:
            self.worst = found
        if not found.holds:
            self.broken.append(found)

    def text(self) -> str:
        worst = "" if self.worst is None else f"; worst: {describe(self.worst)}"
        return (
            f"{self.runs} sets of parameters, {self.pairs} pairs of values, {self.outputs} pairs with an output, "
            f"{len(self.broken)} sets break the bound{worst}"
        )


def survey(mechanisms: Iterable[Parameters], sensitivity: Fraction = Fraction(1)) -> Survey:
    """The worst loss of every mechanism, each over all its pairs and outputs."""
    found = Survey()
    for mechanism in mechanisms:
        found.add(worst_loss(mechanism, sensitivity, input_step(mechanism)))
    return found


def describe(w: Worst) -> str:
    m = w.parameters
    size = "infinite loss" if w.loss.infinite else f"loss = ε + 2η + {w.constant:.3f} B·ε·η"
    return f"p = {m.precision}, λ = {m.scale}, B = {m.bound}, f(a) = {w.a}, f(a') = {w.b}, x = {w.x}: {size}"


def input_step(mechanism: Parameters) -> int:
    """The step: values are multiples of 2**step = Λ·2**-(p+1), but at most 1/4.

    This is fine enough for values in every interval that the rounding of a sum distinguishes.
    """
    return min(mechanism.lattice_exponent - mechanism.precision - 1, -2)


def grid(
    precision: int, scales: Iterable[Fraction], ratios: Iterable[int], uniform: str = "unbounded", ties: Ties = "up"
) -> Iterator[Parameters]:
    """Mechanisms for every λ in `scales` and every r in `ratios`, with four bounds B each.

    The bounds are 2**r·Λ, the p-bit numbers just below and just above it, and the middle between it and 2**(r+1)·Λ.
    """
    step = Fraction(1, 1 << (precision - 1))
    for scale in scales:
        for ratio in ratios:
            for factor in (1 - step / 2, Fraction(1), 1 + step, Fraction(3, 2)):
                yield Parameters(scale, factor * smallest_lattice(scale) * 2**ratio, precision, uniform, ties)
