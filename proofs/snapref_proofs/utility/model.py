"""Formulas for what document 000 leaves open: the distribution of a distance (§3.1.3, §3.1.4), and utility (§2.3).

The Laplace mechanism outputs f + Y and the snapping mechanism clamp_B(round_Λ(clamp_B(f) + Y)), with the same noise Y ~
Laplace(λ). 000 asks for the distance between the two outputs. The *outer clamp binds* if the rounded value is outside
[-B, B]; 000 calls the distance then dist_3 if |f| ≤ B, and dist_4 if f is outside. In both cases it is the distance of
a Laplace variable from a point, on one side of a threshold: a `Side`. There is one side above and one below, with the
same formula. The claims are `U-C3`, `U-C4` and `U-util`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from snapref.budget import plan_budget
from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.ideal.model import HALF, ExpSum, Ideal, clamp, constant, exponential, laplace_below


def at_least(x: Fraction, scale: Fraction) -> ExpSum:
    """G(x) = P(Y ≥ x)."""
    return 1 - laplace_below(x, scale)


def mean_excess(x: Fraction, scale: Fraction) -> ExpSum:
    """I(x) = E max(Y - x, 0) = max(-x, 0) + ½λe^(-|x|/λ). It falls to 0, and its derivative is -G."""
    return scale * HALF * exponential(-abs(x) / scale) + max(-x, Fraction(0))


@dataclass(frozen=True)
class Side:
    """The variable X = g + Y on the side X ≥ T of a threshold T, and its distance |X - b| from a point b."""

    center: Fraction  # g
    threshold: Fraction  # T
    target: Fraction  # b
    scale: Fraction  # λ

    @property
    def probability(self) -> ExpSum:
        """P(X ≥ T)."""
        return at_least(self.threshold - self.center, self.scale)

    def exceeds(self, t: Fraction) -> ExpSum:
        """P(X ≥ T and |X - b| > t), t ≥ 0: X > b + t, or T ≤ X < b - t."""
        far = at_least(max(self.threshold, self.target + t) - self.center, self.scale)
        if self.target - t <= self.threshold:
            return far
        return far + self.probability - at_least(self.target - t - self.center, self.scale)

    @property
    def expectation(self) -> ExpSum:
        """E |X - b| where X ≥ T, 0 elsewhere: the integral of `exceeds`."""
        rest = mean_excess(self.threshold - self.center, self.scale)
        beside = abs(self.threshold - self.target) * self.probability
        if self.threshold >= self.target:
            return rest + beside
        return 2 * mean_excess(self.target - self.center, self.scale) - rest + beside

    @property
    def settled(self) -> Fraction:
        """From this t on, the event is X > b + t, beyond the center g. So its probability is ½e^(-(b + t - g)/λ)."""
        return max(abs(self.threshold - self.target), self.center - self.target)


def binding_threshold(mechanism: Ideal) -> Fraction:
    """T = (⌊B/Λ⌋ + ½)Λ. The rounded value is above B iff the noisy value is ≥ T, and below -B iff that is < -T."""
    return (floor(mechanism.bound / mechanism.lattice) + HALF) * mechanism.lattice


def sides(mechanism: Ideal, f: Fraction) -> tuple[Side, Side]:
    """The two sides on which the outer clamp binds: above, and below. The one below is mirrored at 0."""
    bound, center = mechanism.bound, clamp(f, mechanism.bound)
    threshold, beyond = binding_threshold(mechanism), f - center
    above = Side(center, threshold, bound - beyond, mechanism.scale)
    return above, Side(-center, threshold, bound + beyond, mechanism.scale)


def clamped_probability(mechanism: Ideal, f: Fraction) -> ExpSum:
    """P(the outer clamp binds): the probability of 000's case 3 if |f| ≤ B, and of its case 4 otherwise."""
    above, below = sides(mechanism, f)
    return above.probability + below.probability


def distance_exceeds(mechanism: Ideal, f: Fraction, t: Fraction) -> ExpSum:
    """P(the outer clamp binds and the distance is more than t) for t ≥ 0: the tail of dist_3 or of dist_4."""
    return sum((side.exceeds(t) for side in sides(mechanism, f)), constant(0))


def distance_expectation(mechanism: Ideal, f: Fraction) -> ExpSum:
    """The expectation of dist_3 or dist_4, where the distance counts as 0 if the outer clamp does not bind."""
    return sum((side.expectation for side in sides(mechanism, f)), constant(0))


def settled(mechanism: Ideal, f: Fraction) -> Fraction:
    """The t0 from which on the tail is e^(-(B + t)/λ)·cosh(f/λ), in case 3 and in case 4 alike. In case 3 t0 ≤ Λ/2."""
    return max(side.settled for side in sides(mechanism, f))


def distance_bound(mechanism: Ideal, f: Fraction, beta: Fraction, bits: int = 96) -> Fraction:
    """A t such that P(the outer clamp binds and the distance exceeds t) ≤ β.

    It is t0, or λ·ln(cosh(f/λ)/β) - B rounded up, whichever is more. If it is more than t0, no smaller t will do.
    """

    def solution(engine: Engine) -> Enclosure:
        def number(x: Fraction) -> Enclosure:
            return engine.between(x, x)

        ratio = number(f / mechanism.scale)
        cosh = (engine.exp(ratio) + engine.exp(-ratio)) / number(Fraction(2))
        return number(mechanism.scale) * engine.log(cosh / number(beta)) - number(mechanism.bound)

    return max(settled(mechanism, f), agreed(solution, bits)[1])


# ---- utility: the expected loss E ℓ(|output - f|), for ℓ(x) = x in units of λ, and for ℓ(x) = x² in units of λ²
#
# Without clamps it depends only on κ = Λ/λ ∈ [1, 2) and on φ, where f = (n + φ)Λ with an integer n and |φ| ≤ ½. The
# Laplace mechanism has 1 and 2.


def absolute_error(engine: Engine, box: Mapping[str, Enclosure]) -> Enclosure:
    """E|round(f + Y) - f|/λ = κφ(1 - e^(-(½-φ)κ)) + r·cosh(φκ), r = (κ/2)/sinh(κ/2), 0 ≤ φ ≤ ½."""
    kappa, phi = box["κ"], box["φ"]
    return kappa * phi * (1 - engine.exp((phi - half(engine)) * kappa)) + ratio(engine, kappa) * cosh(
        engine, phi * kappa
    )


def squared_error(engine: Engine, box: Mapping[str, Enclosure]) -> Enclosure:
    """E(round(f + Y) - f)²/λ² = a² + 2r²·cosh(κ/2)·cosh(a) - 2r·a·sinh(a), a = φκ, r = (κ/2)/sinh(κ/2), 0 ≤ φ ≤ ½."""
    kappa, a = box["κ"], box["φ"] * box["κ"]
    r = ratio(engine, kappa)
    return a * a + 2 * r * (r * cosh(engine, kappa / 2) * cosh(engine, a) - a * sinh(engine, a))


def half(engine: Engine) -> Enclosure:
    return engine.between(HALF, HALF)


def ratio(engine: Engine, kappa: Enclosure) -> Enclosure:
    """(κ/2)/sinh(κ/2)."""
    return kappa / 2 / sinh(engine, kappa / 2)


def cosh(engine: Engine, x: Enclosure) -> Enclosure:
    return (engine.exp(x) + engine.exp(-x)) / 2


def sinh(engine: Engine, x: Enclosure) -> Enclosure:
    return (engine.exp(x) - engine.exp(-x)) / 2


def expected_loss(mechanism: Ideal, f: Fraction, power: int) -> ExpSum:
    """E|output - f|^power, clamps included: a finite sum over the outputs."""
    return sum((abs(f - x) ** power * p for x, p in mechanism.law(f)), constant(0))


@dataclass(frozen=True)
class AgainstLaplace:
    """Snapping compared with Laplace at the same ε: its E|output - f| and E(output - f)² as multiples of Laplace's."""

    absolute: float
    squared: float


def compare(
    epsilon: Fraction, bound: Fraction, f: Fraction, sensitivity: Fraction = Fraction(1), precision: int = 53
) -> AgainstLaplace:
    """Laplace noise of scale Δ/ε, and the snapping mechanism with the λ that the reference uses for ε and B."""
    scale = sensitivity / epsilon
    mechanism = Ideal(Parameters(plan_budget(epsilon, bound, sensitivity, precision).scale, bound, precision))
    absolute = expected_loss(mechanism, f, 1) * (1 / scale)
    return AgainstLaplace(float(absolute), float(expected_loss(mechanism, f, 2) * (1 / (2 * scale * scale))))


# ---- Σ c·x^i·e^(j·x), differentiated exactly

ExpPolynomial = Mapping[tuple[int, int], Fraction]  # {(i, j): c}


def derivative(terms: ExpPolynomial) -> dict[tuple[int, int], Fraction]:
    """d/dx of Σ c·x^i·e^(jx) = Σ c·(i·x^(i-1) + j·x^i)·e^(jx)."""
    result: dict[tuple[int, int], Fraction] = {}
    for (i, j), c in terms.items():
        for key, value in (((i - 1, j), i * c), ((i, j), j * c)):
            result[key] = result.get(key, Fraction(0)) + value
    return {key: value for key, value in result.items() if value}
