"""Choosing B from the bounds of the data, and what a sensitivity other than 1 changes (001 and 002, §6.1).

The claims are `N2-fn7`, `N1-6-minB` and `N2-6-df`; the last obligation supports `N-GA`. The formulas of planning.py are
decided here. Two solvers decide, over all reals and all sizes, that no data exceed them. That some data attain them is
shown by trying all data on a grid.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import nextafter
from typing import Any

import z3

from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.accuracy.planning import Adjacency, least_double, plan_bound
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.exact.law_obligations import vanishes
from snapref_proofs.ideal.model import Ideal, clamp
from snapref_smt.engine.statement import Statement, absolute, clamped
from snapref_smt.engine.stating import proves

HALF = z3.Q(1, 2)


# 002, footnote 7: a bound exists


def finite_covers() -> list[Statement]:
    """Why a continuous f on a compact X is bounded.

    The sets {|f| < n}, n = 1, 2, …, are open, because f is continuous, and they cover X. As X is compact, finitely many
    of them cover it. The largest n among these is a bound of |f|, by induction on their number: a point in one of the
    first sets, whose indices are at most N, or in the next one, of index n, has |f| < max(N, n).
    """
    value, bound, next_one = z3.Reals("v N n")
    integer = z3.ToInt(absolute(value)) + 1
    covered = z3.Or(absolute(value) < bound, absolute(value) < next_one)
    largest, smallest = (z3.If(test, bound, next_one) for test in (bound > next_one, bound < next_one))
    return [
        Statement("every point is in one of the sets", [], absolute(value) < integer, absolute(value) < integer - 1),
        Statement("one more set", [covered], absolute(value) < largest, absolute(value) < smallest),
        Statement("clamp_B(f) = f", [absolute(value) < bound], clamped(value, bound) == value, value <= 0),
    ]


@proves(
    "proofs.planning.compact",
    claim="N2-fn7",
    scope="every compact X and continuous f: X → ℝ, entering by their definitions (finite subcovers, open preimages)",
)
def compact() -> list[Statement]:
    """A finite subcover of the sets {|f| < n} gives a bound B of |f|, for which the inner clamp does not bind."""
    return finite_covers()


# 001: the least B


def least_bound() -> list[Statement]:
    """M = |f(D*)| ≥ |f(D)| for every D. Then the inner clamp is the identity on all data if and only if B ≥ M."""
    f, top, bound, largest = z3.Reals("f f* B M")
    facts = [bound > 0, largest == absolute(top), absolute(f) <= largest]
    identity = z3.And(clamped(f, bound) == f, clamped(top, bound) == top)
    return [
        Statement("B ≥ M suffices", [*facts, bound >= largest], identity, bound > largest),
        Statement("B < M binds at D*", [*facts, bound < largest], clamped(top, bound) != top, clamped(f, bound) != f),
    ]


@obligation(
    "proofs.planning.least.printed",
    claim="N1-6-minB",
    kind="exact",
    expected="refuted",
    scope="variance of 3 records in [0, 1], bounded by (1 - 0)²; sum of 3 records in [0, 0.7], rounded to nearest",
)
def least_printed(run: Run) -> Outcome:
    """A bound that no data attain is not the least, and one that is rounded to nearest may be too small."""
    simple, least = Fraction(1), plan_bound("variance", 3, 0.0, 1.0, "replace-one").largest
    largest = 3 * Fraction(0.7)
    nearest = Fraction(float(largest))
    if least >= simple or nearest >= largest or clamp(largest, nearest) == largest:
        return Outcome("proved")
    return Outcome(
        "refuted",
        "",
        f"variance of 3 records in [0, 1]: (1 - 0)² = 1 bounds it, and so does {least}, which 0, 0, 1 attain\n"
        f"sum of 3 records in [0, 0.7], the double: the largest is 3·0.7 = {largest}; the nearest double, "
        f"{float(nearest).hex()}, is smaller, so that clamp_B(f) ≠ f for 0.7, 0.7, 0.7",
    )


def not_rounded_up(run: Run) -> Iterator[str]:
    largest = 3 * Fraction(0.7)
    up = least_double("bound", largest)
    if not Fraction(nextafter(up, 0.0)) < largest <= Fraction(up):
        yield "the bound is not rounded up to the next double"


@proves(
    "proofs.planning.least",
    claim="N1-6-minB",
    part="conditional",
    scope="every f, every B > 0, and data D* at which |f| takes its largest value",
    beside=not_rounded_up,
)
def least() -> list[Statement]:
    """If some data attain the largest |f|, it is the least B. As a float, B is the least float that is not smaller."""
    return least_bound()


# The bounds and sensitivities of planning.py


def in_range(x: Any, low: Any, high: Any) -> Any:
    return z3.And(low <= x, x <= high)


def sums_and_means() -> list[Statement]:
    """Sums S and means of n records in [l, u], so that nl ≤ S ≤ nu: one record x is added, or x replaces y."""
    low, high, n, total, x, y = z3.Reals("l u n S x y")
    size = [low < high, n >= 1, total >= n * low, total <= n * high, in_range(x, low, high), in_range(y, low, high)]
    largest = z3.If(absolute(low) > absolute(high), absolute(low), absolute(high))
    mean, longer = z3.Reals("m m+")
    added = [*size, mean * n == total, longer * (n + 1) == total + x]
    return [
        Statement("|x| ≤ max(|l|, |u|)", size, absolute(x) <= largest, absolute(x) <= largest / 2),
        Statement("replaced in a sum", size, absolute(x - y) <= high - low, absolute(x - y) <= (high - low) / 2),
        Statement("a mean lies in [l, u]", [*size, mean * n == total], in_range(mean, low, high), mean < high),
        Statement("added to a mean", added, absolute(longer - mean) * (n + 1) <= high - low, longer >= mean),
    ]


def variance_update(n: Fraction, m: Fraction, v: Fraction, x: Fraction) -> Fraction:
    """0 everywhere, which means that (n+1)²·V(x) = n(n+1)·v + n·(x - m)².

    V(x) is the variance after x has joined n records of mean m and variance v.
    """
    total, squares = n * m, n * v + n * m**2
    return (n + 1) * (squares + x**2) - (total + x) ** 2 - (n * (n + 1) * v + n * (x - m) ** 2)


def split_evenly(n: int, k: int) -> int:
    """0 everywhere, which means 4k(n - k) = n² - (n - 2k)²."""
    return 4 * k * (n - k) - (n * n - (n - 2 * k) ** 2)


def variances() -> list[Statement]:
    """Variances of n records of mean m and variance v, in units of u - l, with l = 0 and u = 1.

    x and y are records that come or go; d = x - m, q = d² and r = (y - m)².
    """
    n, v, d, q, r = z3.Reals("n v d q r")
    unit = [in_range(q, 0, 1), in_range(r, 0, 1)]
    x, slope, end = z3.Reals("x s e")
    difference = z3.Int("j")
    return [
        Statement("(x - m)²", [in_range(d, -1, 1)], in_range(d * d, 0, 1), d * d <= HALF),
        # one of n + 1 replaced: V(x) - V(y) = n/(n+1)²·(q - r)
        Statement("replaced", unit, absolute(q - r) <= 1, absolute(q - r) < 1),
        # one added: V(x) - v = (n·q - (n+1)·v)/(n+1)², where 0 ≤ v ≤ ¼
        Statement(
            "added",
            [n >= 1, in_range(v, 0, z3.Q(1, 4)), *unit],
            z3.And(n * q - v * (n + 1) <= n, v * (n + 1) - n * q <= n),
            n * q - v * (n + 1) <= n / 2,
        ),
        # The largest: V(x) - V(0) = x·s(x), with s(x) ≤ s(1) = V(1) - V(0) as V is convex in each record. So V is
        # largest with all records at 0 or 1, k of them at 1: k(n - k)/n², and n - 2k is odd where n is.
        Statement(
            "at an end", [in_range(x, 0, 1), slope <= end], z3.Or(x * slope <= 0, x * slope <= end), x * slope <= 0
        ),
        Statement("even", [], difference * difference >= 0, difference * difference >= 1),
        Statement("odd", [difference % 2 == 1], difference * difference >= 1, difference * difference >= 2),
    ]


def false_identities(run: Run) -> Iterator[str]:
    if not (vanishes(variance_update, variables=4, degree=2) and vanishes(split_evenly, variables=2, degree=2)):
        yield "an identity about variances fails"


@proves(
    "proofs.planning.formulas",
    claim="N1-6-minB",
    part="conditional",
    decides=False,
    scope="count, sum, mean and variance of n ≥ 1 records of [l, u], every l < u and n: one added, or one replaced",
    beside=false_identities,
)
def formulas() -> list[Statement]:
    """No data within their bounds exceed the B and the sensitivity that planning.py computes for them."""
    return [*sums_and_means(), *variances()]


def statistic(query: str, records: tuple[Fraction, ...]) -> Fraction:
    total = sum(records, Fraction(0))
    if query == "sum":
        return total
    if query in ("count", "cell"):
        return Fraction(sum(x > 0 for x in records))
    mean = total / len(records)
    return mean if query == "mean" else sum(((x - mean) ** 2 for x in records), Fraction(0)) / len(records)


def neighbours(
    grid: list[Fraction], size: int, adjacency: Adjacency, least: int, most: int
) -> Iterator[tuple[tuple[Fraction, ...], tuple[Fraction, ...]]]:
    """All pairs of neighbouring data on the grid whose sizes the query allows."""
    sizes = (size,) if adjacency == "replace-one" else range(least, most)
    for n in sizes:
        kept_size = n - 1 if adjacency == "replace-one" else n
        for kept in combinations_with_replacement(grid, kept_size):
            for x in grid:
                if adjacency == "add-remove":
                    yield kept, (*kept, x)
                else:
                    yield from ((((*kept, x)), (*kept, y)) for y in grid)


@obligation(
    "proofs.planning.attained",
    claim="N1-6-minB",
    kind="exhaustive",
    part="conditional",
    decides=False,
    scope="all data on 4-point grids of [0, 1], [-3, 2], [-2, -1], sizes 2 … 4, both kinds of neighbours",
)
def attained(run: Run) -> Outcome:
    """Some data attain the B and the sensitivity that planning.py computes. So they are the least."""
    cases = 0
    for low, high in ((0.0, 1.0), (-3.0, 2.0), (-2.0, -1.0)):
        grid = [Fraction(low) + Fraction(high - low) * i / 3 for i in range(4)]
        for query in ("count", "sum", "mean", "variance"):
            for adjacency in ("add-remove", "replace-one"):
                for size in (2, 3, 4):
                    plan = plan_bound(query, size, low, high, adjacency)
                    least, most = (size, size + 3) if query in ("mean", "variance") else (0, size)
                    points = [Fraction(0), Fraction(1)] if query == "count" else grid
                    pairs = list(neighbours(points, size, adjacency, least, most))
                    values = [(statistic(query, a), statistic(query, b)) for a, b in pairs]
                    largest = max(abs(v) for pair in values for v in pair)
                    change = max(abs(a - b) for a, b in values)
                    cases += len(pairs)
                    if (largest, change) != (plan.largest, plan.change):
                        found = f"max |f| = {largest}, max |f - f'| = {change}"
                        return Outcome(
                            "refuted", f"{query} in [{low}, {high}], {adjacency}, size {size}: {found}; {plan}"
                        )
    return Outcome("proved", f"{cases} pairs of neighbouring data")


# 002: another sensitivity


def scaling() -> list[Statement]:
    """Multiplying v by s > 0 multiplies its clamp and its rounding by s, if B and Λ are multiplied too.

    n is round(v/Λ), and M is sΛ.
    """
    v, bound, s = z3.Reals("v B s")
    facts = [s > 0, bound > 0]
    scaled, product, n = z3.Reals("sv M n")
    lattice = z3.Real("Lambda")
    nearest = z3.And(n * lattice - lattice / 2 <= v, v < n * lattice + lattice / 2)
    rounding = [s > 0, lattice > 0, scaled == s * v, product == s * lattice, nearest]
    f, x = z3.Reals("f x")
    return [
        Statement("clamp", facts, clamped(s * v, s * bound) == s * clamped(v, bound), clamped(s * v, bound) == v),
        Statement(
            "round",
            rounding,
            z3.And(n * product - product / 2 <= scaled, scaled < n * product + product / 2),
            scaled < n * product,
        ),
        Statement("|sf - sx| = s·|f - x|", facts, absolute(s * f - s * x) == s * absolute(f - x), f == x),
    ]


@obligation(
    "proofs.planning.sensitivity.printed",
    claim="N2-6-df",
    kind="exact",
    expected="refuted",
    scope="ideal mechanism, ε' = 1, B = f = 2, α = 2^-10: Δf = 1 and Δf = 4 with the same B; and Δf = 3 with 3B",
)
def sensitivity_printed(run: Run) -> Outcome:
    """The accuracy is not proportional to Δf: with the same B it is at most 2B; with 3B at Δf = 3, Λ is 4 and not 3."""
    bound, alpha = Fraction(2), Fraction(1, 2**10)
    one, four = (Ideal(Parameters(Fraction(s), bound)) for s in (1, 4))
    for ideal in (one, four):  # errors are at most 2B, and equal to it too often for anything smaller
        if ideal.exceeds(2 * bound, bound).sign() != 0 or ideal.reaches(2 * bound, bound).at_most(alpha):
            return Outcome("undecided", "the accuracy at α is not 2B")
    three = Ideal(Parameters(Fraction(3), 3 * bound))
    if three.lattice == 3 * one.lattice:
        return Outcome("proved")
    return Outcome(
        "refuted",
        "",
        "ε' = 1, f = B = 2, α = 2^-10: the accuracy is 2B = 4 at Δf = 1 and 2B = 4 at Δf = 4, not 16\n"
        f"Δf = 3 with B = 6: λ = 3 and Λ = {three.lattice}; three times the mechanism of Δf = 1 has outputs 3 apart",
    )


@proves(
    "proofs.planning.sensitivity",
    claim="N2-6-df",
    part="conditional",
    scope="every Δf = s > 0, every f, B, Λ and noise: f, B, Λ and the noise multiplied by s",
)
def sensitivity() -> list[Statement]:
    """If the mechanism runs on f/Δf with B/Δf, and its output is multiplied by Δf, error and accuracy are Δf times."""
    return scaling()


# Planning ε: the bound on P(error > a) falls as ε rises


def falling() -> list[Statement]:
    """Why the bound of sound.py on P(N > a) does not rise when ε rises.

    The bound is ½(e^((s - d1)/λ) + e^((s - d2)/λ)) with d1 = a - Λ/2 and d2 = ⌊2a/Λ⌋Λ - d1. A larger ε makes λ smaller,
    and Λ stays or is halved (several times). In units of Λ, a is z/2 and n is ⌊z⌋; k is ⌊2z⌋, after Λ is halved.
    """
    distance, first, second = z3.Reals("d l1 l2")
    z, n, k = z3.Reals(
        "z n k"
    )  # that n and k are whole enters as: k is at most j or at least j + 1, for j = 2n - 1, 2n
    floors = [z >= 1, n <= z, z < n + 1, k <= 2 * z, 2 * z < k + 1]
    floors += [z3.Or(k <= j, k >= j + 1) for j in (2 * n - 1, 2 * n, 2 * n + 1)]
    near, far = (z - 1) / 2, n - (z - 1) / 2
    near_after, far_after = (z - HALF) / 2, k / 2 - (z - HALF) / 2
    quarter = z3.Q(1, 4)
    both_grow = z3.And(near_after == near + quarter, far_after >= far + quarter)
    closer = z3.And(near_after == near + quarter, far_after == far - quarter, far_after >= near_after)
    e1, e2, y = z3.Reals("e1 e2 y")
    return [
        Statement(
            "smaller λ, same Λ",
            [distance >= 0, first > second, second > 0],
            -distance / second <= -distance / first,
            -distance / second < -distance / first,
        ),
        Statement("Λ halves: the distances", floors, z3.Or(both_grow, closer), both_grow),
        # y = e^(-Λ/(4λ)): both terms are multiplied by y; or one is, and the other is divided by y and stays below it
        Statement(
            "Λ halves: the sum",
            [e1 > 0, e2 > 0, y > 0, y < 1],
            z3.And(e1 * y + e2 * y <= e1 + e2, z3.Implies(e2 <= e1 * y * y, e1 * y * y + e2 <= (e1 + e2) * y)),
            e1 * y * y + e2 <= (e1 + e2) * y,
        ),
        # if the distance is less than the shift s for rounding errors, the bound is above ½, and so above every α ≤ ½
        Statement("near Λ/2", [e1 >= 1, e2 > 0], (e1 + e2) / 2 > HALF, (e1 + e2) / 2 > 1),
    ]


@proves(
    "proofs.planning.epsilon",
    claim="N-GA",
    decides=False,
    scope="every a ≥ Λ/2, λ and Λ; α ≤ ½: the bound of accuracy/sound.py for every f, as λ and Λ fall",
)
def epsilon() -> list[Statement]:
    """The bound on P(error > a) does not rise when ε rises. So bisection finds the smallest ε that is enough."""
    return falling()
