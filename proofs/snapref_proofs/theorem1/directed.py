"""Rounding in one direction: is rounding to nearest needed for Theorem 1 (004 §4)? Parameters that are solved for.

Let ⊕, ⊗ and LN all round up, down, toward 0 or away from 0. Then the proof's V, the number that the noise must reach
before ⊗, is an end of its cell and not its middle, and so is the number that -ln u must reach. Within one binade this
shifts all exponents by the same amount, and nothing changes. Between two binades it does: where τ2 < P ≤ τ2', D2 - Δ is
u for V at the upper end (toward 0), and 0 for V at the lower end. And t* is the threshold T, or the float below it.

For each direction a `Spot` names the tight place. In units of u = ηP, with x = ±P/2 and κ = Λ/λ = 1 + 1/S, it says how
far V2', V1 and V1' are from V2, and on which side of a multiple of 2 each κV must lie, as closely as possible. `solve`
walks along the few progressions on which they can: λ from 2iS ≈ Λ, Δ from jS, and V2 from nS. Nothing else is searched
for. To first order, on paper, the constants tend to 6 + 10/(e-1) = 11.82 (up, toward 0), 4 + 12/(e-1) = 10.98 (away
from 0) and 6 + 8/(e-1) = 10.66 (down). The obligation theorem.needed.rounding_mode evaluates what `solve` returns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import gmpy2

from snapref.arithmetic import Dyadic, context, scaled
from snapref.budget import round_to_bits
from snapref.clamp import clamp
from snapref.formats import Format
from snapref.lattice import lattice_exponent
from snapref.rounding import round_to_lattice
from snapref_proofs.evaluate.bisection import Program
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.theorem1.directed_law import Direction
from snapref_proofs.theorem1.replay import Configuration

HALF = Fraction(1, 2)
TRIED = 400  # places of V2 for one λ and one Δ


def program(mode: int) -> Program:
    """The mechanism whose ⊕, ⊗ and LN all round in one direction."""

    def run(value: int, scale: int, bound: int, sign: int, u: Dyadic, fmt: Format) -> int:
        arithmetic = context(fmt.precision, mode)
        noise = arithmetic.mul(arithmetic.mul(sign, fmt.decode(scale)), arithmetic.log(scaled(*u)))
        noisy = arithmetic.add(fmt.decode(clamp(value, bound, fmt)), noise)
        return clamp(round_to_lattice(fmt.encode(noisy), lattice_exponent(scale, fmt), fmt), bound, fmt)

    return run


@dataclass(frozen=True)
class Spot:
    """A tight place: c and c' on one side of x = -P/2 (`above`) or x = P/2, at the other end of [-B, B].

    With |c| = V2 - P/2 + Λ/2 - `behind` and |c'| = |c| + Δ - `short`, the rounded distances are V2' = V2 + Δ + `push`,
    V1 = V2 + Λ + `push` and V1' = V1 + Δ - `jump`. V2 is an integer, odd or even.
    """

    above: bool
    odd: int
    behind: int
    short: Fraction
    push: int
    jump: int
    turn: int  # V2 is just below a multiple 2n + turn of S, and so is Δ + push (just above it)
    loose: bool  # V1 and V1' need not be close to a multiple of 2; half a step after and before one is enough
    crossing: bool  # κV2 < P: then its step is 1, and not 2
    ratio: Fraction  # S·Λ/P

    def phases(self, kappa: Fraction, near: Fraction, step: Fraction, lattice: Fraction) -> tuple[Fraction, ...]:
        """How far κV2, κV2', κV1 and κV1' are from where they should be; all must be positive, and as small as 2/S."""
        far = near + lattice + self.push
        grid = 1 if self.crossing else 2
        return (
            -kappa * near % grid,
            kappa * (near + step + self.push) % 2,
            kappa * far % 2,
            -kappa * (far + step - self.jump) % 2,
        )

    def close(self, kappa: Fraction, moved: Fraction) -> bool:
        """Whether κV can be just below a whole number for one V and just above one for V + moved + push."""
        return kappa * (moved + self.push) % 1 < 4 * (kappa - 1)

    def tight(self, kappa: Fraction, near: Fraction, step: Fraction, lattice: Fraction) -> bool:
        phases = self.phases(kappa, near, step, lattice)
        most = 2 * (kappa - 1)
        if self.loose:
            return all(0 < phase < most for phase in phases[:2]) and all(0 < phase < 1 for phase in phases[2:])
        return all(0 < phase < most for phase in phases)


UP = Spot(True, 1, 1, Fraction(0), 1, 0, 0, False, True, Fraction(3, 2))  # and toward 0
AWAY = Spot(False, 0, -1, HALF, 0, 2, 0, False, False, Fraction(3, 5))
DOWN = Spot(False, 1, 0, Fraction(0), 1, 0, 1, True, False, Fraction(3, 5))
SPOTS: dict[Direction, tuple[int, Spot]] = {
    "up": (gmpy2.RoundUp, UP),
    "toward 0": (gmpy2.RoundToZero, UP),
    "away from 0": (gmpy2.RoundAwayZero, AWAY),
    "down": (gmpy2.RoundDown, DOWN),
}


def solve(spot: Spot, precision: int = 53) -> Configuration:
    """Parameters at the tight place."""
    return next(solutions(spot, precision))


def solutions(spot: Spot, precision: int) -> Iterator[Configuration]:
    """Parameters at the tight place, with Λ = P·2**-⌊p/3⌋; in units of u = ηP. From p = 24 on there are some."""
    power = Fraction(2) ** precision
    lattice = power / 2 ** (precision // 3)
    for scale, s in scales(spot, lattice, precision):
        kappa = lattice / scale
        if not (spot.loose or spot.close(kappa, lattice)):
            continue
        for step in filter(partial(spot.close, kappa), steps(spot, s, lattice)):
            for near in places(spot, s, power, lattice, step):
                if spot.tight(kappa, near, step, lattice):
                    yield configuration(spot, scale, near, step, power, lattice, precision)


def scales(spot: Spot, lattice: Fraction, precision: int) -> Iterator[tuple[Fraction, Fraction]]:
    """λ with Λ + push ≈ 2iS + 1/2, and its S = 1/(κ - 1): from S = ratio·P/Λ on upward."""
    least = int(lattice**2 / (2 * spot.ratio * 2**precision))
    for i in range(least, 0, -1):
        wanted = (lattice + spot.push - HALF) / (2 * i)
        scale = round_to_bits(lattice * wanted / (wanted + 1), precision, up=False)
        yield scale, scale / (lattice - scale)


def steps(spot: Spot, s: Fraction, lattice: Fraction) -> Iterator[Fraction]:
    """A few even Δ next to (2j + turn)·S; for V2' ≥ P they are a little larger than Λ, else smaller than Λ/4."""
    first = int(lattice / (2 * s)) + 1 if spot.push else 1
    for j in range(first, first + 8):
        end = (2 * j + spot.turn) * s - spot.push
        yield Fraction(2 * (end // 2))
        yield Fraction(2 * (end // 2) + 2)


def places(spot: Spot, s: Fraction, power: Fraction, lattice: Fraction, step: Fraction) -> Iterator[Fraction]:
    """V2 just below (2n + turn)·S, where the distances lie in the binades that the spot needs."""
    crossing = power * s / (s + 1)  # κV2 = P
    highest = crossing if spot.crossing else power - 1 if spot.push else power - lattice / 2 - step - 1
    lowest = max(power - lattice, 0 if spot.crossing else crossing, power - step if spot.push else 0)
    first = int((highest / s - spot.turn) / 2)
    for n in range(first, first - TRIED, -1):
        end = (2 * n + spot.turn) * s
        near = Fraction(2 * ((end - spot.odd) // 2) + spot.odd)
        if lowest <= near < highest:
            yield near


def configuration(
    spot: Spot, scale: Fraction, near: Fraction, step: Fraction, power: Fraction, lattice: Fraction, precision: int
) -> Configuration:
    side = 1 if spot.above else -1
    c = near - power / 2 + lattice / 2 - spot.behind
    away = c + step - spot.short
    bound = max(away, power / 2 + 1)  # |x| < B
    parameters = Parameters(scale, bound, precision)
    return Configuration(parameters, step, int(-side * power / 2 / lattice), side * c, side * away)
