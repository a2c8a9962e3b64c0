"""The seven cases of 004 §4, corrected, at given parameters: which u lead to an output, and which ratio follows.

The sign S = +1 moves down. An output x has two thresholds T1 = x - Λ/2 and T2 = x + Λ/2 (only one of them if x = ±B).
From c = f(a) it is reached
  in region I,    T2 ≤ c,       by S = +1 and u ∈ [q1, q2);
  in region II,   T1 ≤ c < T2,  by S = +1 and u ∈ [q1, 1), and by S = -1 and u ∈ [q2, 1);
  in region III,  c < T1,       by S = -1 and u ∈ [q2, q1).
Here q1 and q2 belong to T1 and T2: q is the probability that U* is so small that the noise carries c across T. It is
a value that U* can take, with
  exp(-ε(|c - T| + η|T|)(1 + η)²)  ≤  q  ≤  (1 + 2η)·exp(-ε·max(0, |c - T| - η|T|)(1 - η)²),  and q ≤ 1.
These are the bounds that 004 leaves blank after each "where r … have following values:". statements.py states them
(`ends_below`, `ends_above`, `grid_of_uniform`), and two solvers decide them. P(x|c) is half the length of the sets. If
x = ±B, the q of the missing threshold is 0.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from snapref.budget import CONSTANT, floor_log2, loss_bound
from snapref_proofs.evaluate.distribution import output, probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.intervals import Enclosure, Engine, sign
from snapref_proofs.evaluate.parameters import Parameters, smallest_lattice
from snapref_proofs.evaluate.tails import boundary

Case = Literal["A", "B", "C", "CE", "D", "E", "F", "G"]
CASES: tuple[Case, ...] = ("A", "B", "C", "CE", "D", "E", "F", "G")
MEANING: dict[Case, str] = {
    "A": "x = -B",
    "B": "-B < x < [f(a)]",
    "C": "x = [f(a)]",
    "CE": "x = [f(a)] = [f(a')]",
    "D": "[f(a)] < x < [f(a')]",
    "E": "x = [f(a')]",
    "F": "[f(a')] < x < B",
    "G": "x = B",
}
Route = Literal["independent", "shared"]
ROUTES: tuple[Route, ...] = ("independent", "shared")
ONE = Fraction(1)


@dataclass(frozen=True)
class End:
    """The end q of a set of u that belongs to a threshold: exp(low) ≤ q ≤ min(1, (1 + 2η)·exp(high))."""

    threshold: Fraction
    low: Fraction
    high: Fraction
    eta: Fraction

    def lower(self, engine: Engine) -> Enclosure:
        return engine.exp(engine.between(self.low, self.low))

    def upper(self, engine: Engine) -> Enclosure:
        spread = 1 + 2 * self.eta
        value = engine.exp(engine.between(self.high, self.high)) * engine.between(spread, spread)
        ends = engine.ends(value)
        return value if ends is None or ends[1] <= 1 else engine.between(min(ends[0], ONE), ONE)


@dataclass(frozen=True)
class USet:
    """The u of one sign that lead to the output: [lower, upper); None stands for 0 and for 1."""

    sign: int
    lower: End | None
    upper: End | None

    def at_most(self, engine: Engine) -> Enclosure:
        top = self.upper.upper(engine) if self.upper else engine.between(ONE, ONE)
        return top - self.lower.lower(engine) if self.lower else top

    def at_least(self, engine: Engine) -> Enclosure:
        top = self.upper.lower(engine) if self.upper else engine.between(ONE, ONE)
        return top - self.lower.upper(engine) if self.lower else top


@dataclass(frozen=True)
class Question:
    """A mechanism and f(a) ≤ f(a') in [-B, B], all p-bit numbers; η = 2^-p."""

    parameters: Parameters
    a: Fraction
    b: Fraction

    @property
    def scale(self) -> Fraction:
        return self.parameters.scale

    @property
    def bound(self) -> Fraction:
        return self.parameters.bound

    @property
    def lattice(self) -> Fraction:
        return self.parameters.lattice

    @property
    def eta(self) -> Fraction:
        return Fraction(1, 2**self.parameters.precision)

    @property
    def last_inside(self) -> Fraction:
        """b: the largest multiple of Λ that is smaller than B."""
        return (self.parameters.last - 1) * self.lattice

    @property
    def limit(self) -> Fraction:
        """ε + 12Bεη + 2η, of which the bound on the ratio is the exponential."""
        return loss_bound(self.scale, self.bound, ONE, self.parameters.precision)

    def rounded(self, value: Fraction) -> int:
        """[value]/Λ, ties toward +∞."""
        return (value / self.lattice + Fraction(1, 2)).__floor__()

    def case(self, k: int) -> Case:
        """The case of output number k, the first that applies."""
        last, a, b = self.parameters.last, self.rounded(self.a), self.rounded(self.b)
        tests: tuple[tuple[Case, bool], ...] = (
            ("A", k == -last),
            ("G", k == last),
            ("CE", k == a == b),
            ("C", k == a),
            ("E", k == b),
            ("B", k < a),
            ("D", k < b),
        )
        return next((case for case, applies in tests if applies), "F")

    def outputs(self, case: Case) -> range:
        """The numbers of the outputs of a case, in order."""
        last, a, b = self.parameters.last, self.rounded(self.a), self.rounded(self.b)
        inside = range(1 - last, last)
        ranges = {
            "A": range(-last, 1 - last),
            "G": range(last, last + 1),
            "B": range(inside.start, min(a, inside.stop)),
            "D": range(max(a + 1, inside.start), min(b, inside.stop)),
            "F": range(max(b + 1, inside.start), inside.stop),
        }
        if case in ranges:
            return ranges[case]
        k = b if case == "E" else a
        return range(k, k + 1) if k in inside and self.case(k) == case else range(0)

    def output(self, k: int) -> Fraction:
        return to_fraction(output(self.parameters, k))

    def exact(self, k: int, c: Fraction) -> Fraction:
        """P(x|c), from the exact evaluator."""
        return to_fraction(probability(self.parameters, k, from_fraction(c)))

    def end(self, j: int, c: Fraction, route: Route) -> End:
        """The end that belongs to the threshold (j + ½)Λ."""
        threshold = Fraction(2 * j + 1, 2) * self.lattice
        eta, wobble = self.eta, abs(threshold) * self.eta
        away = abs(c - threshold)
        if route == "shared":  # where ⊕ starts to reach the threshold: known exactly, and the same for every c
            away, wobble = abs(c - to_fraction(boundary(self.parameters, j).number)), Fraction(0)
        low = -(away + wobble) * (1 + eta) ** 2 / self.scale
        high = -max(Fraction(0), away - wobble) * (1 - eta) ** 2 / self.scale
        return End(threshold, low, high, eta)

    def sets(self, k: int, c: Fraction, route: Route = "independent") -> list[USet]:
        """The sets of u that lead from c to output number k, S = +1 first."""
        last = self.parameters.last
        low = self.end(k - 1, c, route) if k > -last else None
        high = self.end(k, c, route) if k < last else None
        if high and c >= high.threshold:
            return [USet(1, low, high)]
        if low and c < low.threshold:
            return [USet(-1, high, low)]
        return [USet(1, low, None), USet(-1, high, None)]

    def at_most(self, k: int, c: Fraction, route: Route, engine: Engine) -> Enclosure:
        """An upper bound of P(x|c), enclosed."""
        lengths = [found.at_most(engine) for found in self.sets(k, c, route)]
        return sum(lengths[1:], lengths[0]) / 2

    def at_least(self, k: int, c: Fraction, route: Route, engine: Engine) -> Enclosure:
        lengths = [found.at_least(engine) for found in self.sets(k, c, route)]
        return sum(lengths[1:], lengths[0]) / 2

    def log_ratio(self, k: int, route: Route, reverse: bool, engine: Engine) -> Enclosure:
        """ln of the bound on P(x|a)/P(x|a'), or on its inverse, enclosed."""
        a, b = (self.b, self.a) if reverse else (self.a, self.b)
        return engine.log(self.at_most(k, a, route, engine) / self.at_least(k, b, route, engine))

    @property
    def bits(self) -> int:
        """A first number of bits for the interval engines: enough to see errors of relative size η."""
        return 3 * self.parameters.precision + 64

    def bounded(self, k: int, route: Route) -> bool:
        """Whether both lower bounds are positive. Only then is there a bound on the ratio."""
        return all(sign(partial(self.at_least, k, c, route), self.bits) > 0 for c in (self.a, self.b))

    def holds(self, k: int, route: Route, reverse: bool) -> bool | None:
        """Whether the bound on the ratio is at most exp(ε + 12Bεη + 2η); None where the engines leave it open."""
        if not self.bounded(k, route):
            return False
        limit = self.limit
        found = sign(lambda e: e.between(limit, limit) - self.log_ratio(k, route, reverse, e), self.bits)
        return None if found == 0 else found > 0

    def constant(self, k: int, route: Route, reverse: bool, engine: Engine) -> Enclosure:
        """C for which the bound on the ratio is exp(ε + C·Bεη + 2η): what the 12 would have to be at this output."""
        unit, rest = self.bound * self.eta / self.scale, self.limit - CONSTANT * self.bound * self.eta / self.scale
        return (self.log_ratio(k, route, reverse, engine) - engine.between(rest, rest)) / engine.between(unit, unit)


def questions(seed: int, count: int, precision: int) -> Iterator[Question]:
    """Random questions: λ from 2^-6 to 2^6, B from λ to 2^8·λ, values anywhere, at ±B, at 0 and next to thresholds."""
    rng = random.Random(seed)

    def float_near(x: Fraction) -> Fraction:
        unit = Fraction(2) ** (floor_log2(abs(x)) + 1 - precision) if x else ONE
        return round(x / unit) * unit

    while count:
        scale = float_near(Fraction(rng.uniform(1, 2)) * Fraction(2) ** rng.randint(-6, 6))
        bound = float_near(scale * Fraction(rng.uniform(1, 2)) * 2 ** rng.randint(0, 7))
        lattice = smallest_lattice(scale)
        places = (rng.uniform(-1, 1) * bound, 0, bound, -bound, (rng.randint(-3, 3) + Fraction(1, 2)) * lattice)
        a = float_near(min(bound, max(-bound, Fraction(rng.choice(places)))))
        b = float_near(min(bound, a + min(ONE, Fraction(rng.choice((1, rng.random()))))))
        if 0 <= b - a <= 1 and abs(a) <= bound:
            count -= 1
            yield Question(Parameters(scale, bound, precision), a, b)
