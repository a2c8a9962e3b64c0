"""The scenarios of Theorem 1's hard case (004 §4): c and c' lie on one side of an interior output x.

Every such situation falls into one of finitely many scenarios. The unit of length is P, the power of two with P ≤ τ1' <
2P. The unit of errors is u = ηP, so that the spacing at τ1' is H = 2 (TOP). A pattern says in which binades the other
three distances lie, counted down from that of τ1': 0, 1, 2, or 3 for "3 or more" (DEEP). A scenario states three bounds
in units of u: D2 - Δ ≤ gain, D2 - D1 ≤ apart and V1' - V2' - Λ ≥ width. In units of P it states lower bounds on B
(`reaches`). widths.py explains the distances; rows.py proves the bounds, and interior.py uses them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from snapref_proofs.theorem1 import reach
from snapref_proofs.theorem1.widths import (
    apart_aligned,
    apart_any,
    apart_narrower,
    apart_wider,
    near_gain,
    width_aligned,
    width_any,
)

TOP, DEEP = Fraction(2), 3
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
SMALL = Fraction(1, 2**6)  # ℓ = Λ/P is a power of two: each from 2 down to here, and all smaller ones as an interval
SIZES = (Fraction(1), HALF, QUARTER)  # of a Δ below H, in units of u; the last one is an upper bound
Reach = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class Pattern:
    """How many binades τ2, τ1 and τ2' are below the binade of τ1'."""

    near: int
    far: int
    near_p: int

    def worst(self, formula: Callable[..., Fraction]) -> Fraction:
        """The largest value of a formula in h2, h1 and h2' that is convex in each: at the ends of their intervals."""
        return max(formula(*widths) for widths in product(*map(spacings, (self.near, self.far, self.near_p))))

    @property
    def aligned(self) -> Fraction:
        """The largest D2 - D1, if δ = 0 or δ is too small to push a distance across a cell boundary."""
        return self.worst(lambda h2, h1, h2p: apart_aligned(h2, h1, h2p, TOP))

    @property
    def free(self) -> Fraction:
        """The largest D2 - D1, for every δ."""
        return self.worst(lambda h2, h1, h2p: apart_any(h2, h1, h2p, TOP))

    def wider(self, delta: Fraction) -> Fraction:
        """The largest D2 - D1, for 0 ≤ δ ≤ delta."""
        extra = Fraction(0) if delta <= min(spacings(self.near)) else delta
        return self.worst(lambda h2, h1, h2p: apart_wider(h2, h1, h2p, TOP, extra))

    def narrower(self, delta: Fraction) -> Fraction:
        """The largest D2 - D1, for -delta ≤ δ ≤ 0."""
        extra = Fraction(0) if delta <= min(spacings(self.near_p)) else delta
        return self.worst(lambda h2, h1, h2p: apart_narrower(h2, h1, h2p, TOP, extra))

    @property
    def low(self) -> Fraction:
        """The smallest V1' - V2' - Λ, if δ ≥ 0 or δ is too small to push a distance across a cell boundary."""
        return -self.worst(lambda h2, h1, h2p: -width_aligned(h2p, TOP))

    def any_width(self, delta: Fraction) -> Fraction:
        """The smallest V1' - V2' - Λ, for |δ| ≤ delta."""
        return -self.worst(lambda h2, h1, h2p: -width_any(h2p, TOP, delta))


@dataclass(frozen=True)
class Scenario:
    name: str
    pattern: Pattern
    ell: tuple[Fraction, Fraction]
    gain: Fraction
    apart: Fraction
    width: Fraction
    reaches: tuple[Reach, ...]
    parallel: bool = False  # D1 = D2
    mode: str = "independent"
    loose: bool = False  # the binades of τ2, τ1 and τ2' are not used
    reach_of_c: Fraction | None = None  # |x| + |c| is at most this: then τ1 is, too, but for Λ/2

    def __str__(self) -> str:
        p = self.pattern
        return f"{self.name}, binades -{p.near} -{p.far} -{p.near_p}, ℓ ≤ {self.ell[1]}"

    def rooms(self, a: Any, ell: Any, eta: Any) -> list[Any]:
        """Lower bounds on B."""
        return [reach(a, ell, eta) for reach in self.reaches]


@cache
def spacings(binade: int) -> tuple[Fraction, ...]:
    """The spacing in a binade; for "3 or more" the two ends of the interval in which it lies."""
    return (TOP / 2**binade,) if binade < DEEP else (Fraction(0), TOP / 2**DEEP)


@cache
def lowest(binade: int) -> Fraction:
    return Fraction(1, 2**binade) if binade < DEEP else Fraction(0)


@cache
def highest(binade: int) -> Fraction:
    return Fraction(2, 2**binade)


def lattices() -> Iterator[tuple[Fraction, Fraction]]:
    for n in range(-1, 6):
        yield Fraction(2) ** -n, Fraction(2) ** -n
    yield Fraction(0), SMALL


def patterns() -> Iterator[Pattern]:
    """All patterns; τ2 is the smallest of the four distances."""
    for near, far, near_p in product(range(DEEP + 1), repeat=3):
        if near >= max(far, near_p):
            yield Pattern(near, far, near_p)


def forward() -> Iterator[Scenario]:
    """All scenarios for the ratio P(x|c)/P(x|c'), where c is the nearer to x."""
    for ell in lattices():
        for pattern in patterns():
            yield from _fine(ell, pattern)
            yield from _coarse(ell, pattern)


def three_steps(a: Any, ell: Any, eta: Any) -> Any:
    return 3 * ell  # |k| ≥ 3 where it is neither 0 nor a power of two


@cache  # one function for one number, so that coverage.py states its bound on B once
def at_least(xi: Fraction) -> Reach:
    return lambda a, ell, eta: at_point(eta, xi)


@cache
def opposite(xi: Fraction) -> Reach:
    return lambda a, ell, eta: reach.opposite(a, ell, eta, at_point(eta, xi))


@cache
def beyond(limit: Fraction) -> Reach:
    return lambda a, ell, eta: reach.beyond(a, ell, eta, at_point(eta, limit))


def at_point(point: Any, x: Fraction) -> Any:
    """The number x in the arithmetic of `point`, which may be an enclosure of one point or a solver term."""
    return (0 * point + x.numerator) / x.denominator


def _fine(ell: tuple[Fraction, Fraction], p: Pattern) -> Iterator[Scenario]:
    """The scenarios in which Δ is a multiple of H."""
    gain = p.worst(lambda h2, h1, h2p: near_gain(h2, h2p))

    def scenario(name: str, gain: Fraction, apart: Fraction, width: Fraction, *reaches: Reach) -> Scenario:
        return Scenario(f"fine, {name}", p, ell, gain, apart, width, reaches)

    yield scenario("δ = 0", gain, p.aligned, p.low, reach.anywhere, three_steps)
    yield scenario("x = 0", gain, p.wider(ell[1] / 4), p.low, reach.at_zero)
    if ell[1] <= QUARTER:
        small = 3 * QUARTER / 4
        yield scenario("|x| ≤ P/4", gain, p.free, p.any_width(small), reach.anywhere, opposite(QUARTER))
    for xi in (HALF, Fraction(1)):
        if ell[1] > xi:
            continue
        delta = 3 * xi / 4 if ell[1] == xi else xi / 2  # x = Λ, or a larger power of two
        reaches = (reach.anywhere, at_least(xi), opposite(xi))
        if p == Pattern(1, 0, 0):
            yield scenario(f"x = -{xi}P, at most Δ + H/4", gain, TOP / 4, p.low, *reaches)
            yield scenario(f"x = -{xi}P, at most Δ - H/4", -TOP / 4, p.wider(xi / 2), p.low, *reaches)
        else:
            yield scenario(f"x = -{xi}P", gain, p.wider(xi / 2), p.low, *reaches)
        if xi == HALF and p.near_p == 0:  # the lemma `parity`
            apart = p.worst(lambda h2, h1, h2p: (h1 - h2) / 2)
            yield scenario(f"x = {xi}P, parity of c'", gain, apart, Fraction(0), *reaches)
        else:
            yield scenario(f"x = {xi}P", gain, p.narrower(delta), p.any_width(delta), *reaches)
    yield Scenario(
        "fine, |x| ≥ 2P", p, ell, gain, p.free, p.any_width(Fraction(0)), (at_least(Fraction(2)),), loose=True
    )


def _coarse(ell: tuple[Fraction, Fraction], p: Pattern) -> Iterator[Scenario]:
    """The scenarios in which Δ is a power of two: H/2, H/4, or at most H/8. Note that 2**p·Δ = (Δ/u)·P."""
    for sensitivity in SIZES:
        if (found := coarse_move(p, sensitivity)) is not None:
            yield from _coarse_at(ell, p, sensitivity, *found)


def coarse_move(p: Pattern, sensitivity: Fraction) -> tuple[Fraction, Fraction] | None:
    """Upper bounds on D2 and on D2 - Δ if Δ is a power of two below H; None if the pattern is impossible.

    Δ < H ≤ Λ/32 makes τ2' < τ1.
    """
    if p.far > p.near_p:
        return None
    moves = [_near(h2, h2p, sensitivity) for h2, h2p in product(spacings(p.near), spacings(p.near_p))]
    possible = [move for move in moves if move is not None]
    if not possible:
        return None
    move = max(possible)
    if sensitivity > QUARTER:
        return move, move - sensitivity
    # Δ may be smaller: D2 is at most h2', or Δ + (h2' - h2)/2 if h2' ≤ Δ
    gain = max(move, p.worst(lambda h2, h1, h2p: max(h2p, near_gain(h2, h2p))))
    return max(move, p.worst(lambda h2, h1, h2p: h2p)), gain


def head_of(sensitivity: Fraction | None) -> str:
    """How the name of a scenario says the size of Δ: a multiple of H (None), or Δ/u."""
    if sensitivity is None:
        return "fine"
    return f"H = {2 / sensitivity}Δ" if sensitivity > QUARTER else "H ≥ 8Δ"


HEADS = {head_of(size): size for size in (None, *SIZES)}


def _coarse_at(
    ell: tuple[Fraction, Fraction], p: Pattern, sensitivity: Fraction, move: Fraction, gain: Fraction
) -> Iterator[Scenario]:
    aligned = min(move, p.aligned)
    if p == Pattern(1, 0, 0):
        aligned = Fraction(0)
    parallel = p == Pattern(0, 0, 0)
    size = head_of(sensitivity)

    def scenario(name: str, apart: Fraction, width: Fraction, *reaches: Reach, parallel: bool = False) -> Scenario:
        return Scenario(f"{size}, {name}", p, ell, gain, apart, width, (*reaches, beyond(sensitivity)), parallel)

    yield scenario("δ = 0", aligned, p.low, reach.anywhere, three_steps, parallel=parallel)
    yield scenario("x = 0", move, p.low, reach.at_zero)
    if ell[1] <= QUARTER:
        yield scenario("|x| ≤ P/4", move, p.any_width(3 * QUARTER / 4), reach.anywhere, opposite(QUARTER))
    for xi in (HALF, Fraction(1)):
        if ell[1] > xi:
            continue
        width = p.any_width(3 * xi / 4)
        if xi == HALF and p.near_p == 0:  # the lemma `parity`; if H ≥ 4Δ, there is no such τ2'
            if sensitivity == 1:
                yield scenario(
                    f"|x| = {xi}P, parity of both",
                    aligned,
                    Fraction(0),
                    reach.anywhere,
                    at_least(xi),
                    opposite(xi),
                    parallel=parallel,
                )
        else:
            yield scenario(f"|x| = {xi}P", move, width, reach.anywhere, at_least(xi), opposite(xi))
    far = Scenario(
        f"{size}, |x| ≥ 2P", p, ell, gain, move, p.any_width(Fraction(0)), (at_least(Fraction(2)),), loose=True
    )
    yield far


def _near(h2: Fraction, h2p: Fraction, sensitivity: Fraction) -> Fraction | None:
    """The largest D2, or None if the pattern is impossible."""
    if h2p <= sensitivity:
        return Fraction(sensitivity + near_gain(h2, h2p))
    if h2 == h2p:
        return h2p
    return Fraction(h2p * 3 / 4) if 2 * h2 == h2p else None
