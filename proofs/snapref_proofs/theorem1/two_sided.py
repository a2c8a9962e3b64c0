"""Interior outputs whose interval [t1*, t2*) contains c or c', or lies between them: the lemma `inside` of Theorem 1.

These are the cases C, D and E of 004 §4. A = ε(c - t1*) and G = ε(t2* - c) are exact distances, with
A + G = K = ε(Λ + δ) and |εδ| ≤ offset·β. The exponents α and γ at the two thresholds lie between A - η(2+η)A - 2η and
A + η(2+η)A, and the same for G: here all errors are taken as independent.

Region II is the interval itself. For c in II, P = 1 - e**-α/2 - e**-γ/2. Its logarithm is increasing and concave in (α,
γ), and changes by at most ε|c - c'| between c and c' (slopes.py). Region I is above the interval,
at the distance R = ε(c' - t2*); region III is its mirror image below.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from snapref_proofs.evaluate.boxes import Quantity
from snapref_proofs.evaluate.intervals import Enclosure, Engine
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1.calculus import LOW
from snapref_proofs.theorem1.interior import Box, Numbers, numbers
from snapref_proofs.theorem1.reach import spare
from snapref_proofs.theorem1.statement import Regime

UP, DOWN = 2, 6  # in region II errors can raise ln P by at most 2η, and lower it by at most 6η
SPARE = Fraction(1, 4)  # the inequalities on boxes check that 2 - e**-α - e**-γ does not fall below it


def inequalities(regime: Regime) -> list[Inequality]:
    zero, one, beta = Fraction(0), Fraction(1), regime.max_beta
    widths = (1 - regime.offset * beta, 2 + regime.offset * beta)
    small = {"h": (zero, regime.eta)}
    inside: Box = {"K": widths, "part": (zero, one), **small}
    beside: Box = {"kappa": (one, Fraction(2)), "e": (-one, one), "u": (zero, one), "beta": (zero, beta), **small}
    return [
        Inequality("II up", inside_up, inside),
        Inequality("II down", inside_down, inside),
        Inequality("I,II", beside_forward(regime), beside),
        Inequality("I,II reverse", beside_reverse(regime), {"K": widths, **small}),
        Inequality("I,III", across, {"K": widths, "beta": (zero, beta), **small}),
    ]


def places(v: Mapping[str, Any]) -> tuple[Any, Any]:
    """A and G."""
    return v["part"] * v["K"], (1 - v["part"]) * v["K"]


def inside_up(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
    """An upper bound on (ln P(A + error, G + error) - ln P(A, G))/η - UP, by the tangent at (A, G)."""
    a, g = places(v)
    return _tangent(numbers(engine), (a, g), ((2 + v["h"]) * a, (2 + v["h"]) * g), UP)


def inside_down(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
    """An upper bound on (ln P(A, G) - ln P(A - error, G - error))/η - DOWN, by the tangent at the lower point."""
    h = v["h"]
    a, g = places(v)
    error_a, error_g = (2 + h) * a + 2, (2 + h) * g + 2
    return _tangent(numbers(engine), (a - h * error_a, g - h * error_g), (error_a, error_g), DOWN)


def _tangent(n: Numbers, at: tuple[Any, Any], errors: tuple[Any, Any], most: int) -> Enclosure:
    """The slope of ln P at a point, times the errors, minus `most`."""
    x, y = (n.exp(-exponent) for exponent in at)
    return n.greatest((x * errors[0] + y * errors[1]) / (2 - x - y) - n(most), n(SPARE) - (2 - x - y))


def furthest(lattice: Enclosure, h: Enclosure) -> Enclosure:
    """The largest R in units of b, where Λ is `lattice` in units of B."""
    return 2 - lattice / 2 + h * (1 + lattice / 2)


def apart(r1: Any, r2: Any, width: Any, sensitivity: Any, bound: Any) -> tuple[Any, Any]:
    """Both at least 0, if c and c' are at the distances R1 and R2 on either side of the interval."""
    return sensitivity - r1 - r2 - width, spare(r1, r2, bound)


def beside_forward(regime: Regime) -> Quantity:
    """c in II and c' in I, the ratio P(x|c)/P(x|c'); everything is divided by ηb.

    R ≤ 2b - κ/2 + η(b + κ/2), u = 1/b ≤ 1 and β = ηb.
    """

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n = numbers(engine)
        kappa, u, beta, h = v["kappa"], v["u"], v["beta"], v["h"]
        width = kappa + v["e"] * beta * n(regime.offset)
        r = furthest(kappa * u, h)
        low = width - (2 + h) * (2 * beta * r + h * width) - 2 * h
        errors = (2 + h) * (2 * r + width * u) + 2 * u
        total = UP * u + (2 + h) * r + n.amplification(low) * errors - n(regime.constant) - 2 * u
        return n.greatest(total, n(LOW) - low)

    return quantity


def beside_reverse(regime: Regime) -> Quantity:
    """c in II and c' in I, the ratio P(x|c')/P(x|c): a margin of 2R exceeds all errors that grow with R."""

    def quantity(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
        n, width, h = numbers(engine), v["K"], v["h"]
        slope = n.amplification(width)
        rest = slope * ((2 + h) * width + 2) + DOWN - n(regime.constant)
        spare = h * (2 + h) * (1 + 2 * slope) - 2  # the coefficient of R
        return n.greatest(rest, spare)

    return quantity


def across(engine: Engine, v: Mapping[str, Enclosure]) -> Enclosure:
    """c in III and c' in I: R1 + R2 + K = ε|c - c'| leaves a margin of K, and η(R1 + R2) ≤ 2β."""
    n, width, beta, h = numbers(engine), v["K"], v["beta"], v["h"]
    low = width - (2 + h) * (4 * beta + h * width) - 2 * h
    errors = (2 + h) * (4 * beta + 2 * h * width) + 4 * h
    return n.greatest((2 + h) * 2 * beta + n.amplification(low) * errors - width, n(LOW) - low)
