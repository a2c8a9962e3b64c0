"""A second way to compute what tails.py computes: plain bisection on the draw u, with runs of the reference itself.

It relies on the function `snapref.mechanism.snapped`, and on that function being monotone in u. The possible draws are
numbered from the one next to 1 downward (the *rank* of a draw), so that bisection works on integers.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from time import perf_counter

from snapref.arithmetic import Dyadic, scaled
from snapref.budget import floor_log2, round_to_bits
from snapref.formats import Format, working_format
from snapref.lattice import lattice_exponent
from snapref.mechanism import snapped
from snapref.uniform import Uniform
from snapref_proofs.evaluate.dyadics import ONE, ZERO, add, from_fraction, subtract
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import Tail, boundary, tail

# The type of `snapped`: the bit patterns of f(D), λ and B, the sign, u and the format → the bit pattern of the output.
Program = Callable[[int, int, int, int, Dyadic, Format], int]


def grid_number(grid: Uniform, rank: int) -> Dyadic | None:
    """The draw of U* that has `rank` other draws between it and 1; None if there are not so many draws."""
    half = 1 << (grid.precision - 1)
    if grid.smallest is None:
        band, place = divmod(rank, half)
        return Dyadic(2 * half - 1 - place, -grid.precision - band)
    bands = max(0, 1 - grid.precision - grid.smallest)  # the binades that have all p bits
    if rank < bands * half:
        band, place = divmod(rank, half)
        return Dyadic(2 * half - 1 - place, -grid.precision - band)
    n = (1 << (-bands - grid.smallest)) - 1 - (rank - bands * half)  # below them: multiples of the smallest number
    return Dyadic(n, grid.smallest) if n > 0 else None


def mass(mechanism: Parameters, c: Dyadic, j: int, sign: int, program: Program = snapped) -> Dyadic:
    """The probability, given the sign, that the noise moves c across the threshold (j + ½)Λ.

    The sign +1 moves c down, to an output of at most jΛ; the sign -1 moves it up, to an output above jΛ.
    """
    fmt = working_format(mechanism.precision)
    value, scale, bound = (fmt.encode(scaled(*x)) for x in (c, *mechanism.held))
    _, (n, e) = mechanism.held
    reached = max(scaled(j, lattice_exponent(scale, fmt)), scaled(-n, e))  # the output number j

    def crosses(u: Dyadic) -> bool:
        out = fmt.decode(program(value, scale, bound, sign, u, fmt))
        return bool(out <= reached) if sign > 0 else bool(out > reached)

    return least_outside(mechanism.law, crosses)


def least_outside(grid: Uniform, crosses: Callable[[Dyadic], bool]) -> Dyadic:
    """P(crosses(U*)), where `crosses` holds for every u below some point and for none above it."""

    def inside(rank: int) -> bool:
        u = grid_number(grid, rank)
        return u is None or crosses(u)

    if inside(0):
        return ONE
    outside, within = 0, 1
    while not inside(within):  # gallop to smaller u
        outside, within = within, 2 * within
    while within - outside > 1:
        middle = (outside + within) // 2
        if inside(middle):
            within = middle
        else:
            outside = middle
    if grid_number(grid, within) is None:
        return ZERO
    least = grid_number(grid, outside)
    assert least is not None
    return least


def tail_by_bisection(mechanism: Parameters, c: Dyadic, j: int) -> tuple[Dyadic, Dyadic]:
    """(mass for S = +1, mass for S = -1). `tail` names one of the two sides and its mass; the other mass must be 1."""
    return mass(mechanism, c, j, 1), mass(mechanism, c, j, -1)


def agrees(found: Tail, down: Dyadic, up: Dyadic) -> bool:
    """Whether the inversion and the two bisections say the same."""
    mine, other = (down, up) if found.below else (up, down)
    return same(found.mass, mine) and same(other, ONE)


def same(a: Dyadic, b: Dyadic) -> bool:
    (m, e), (n, f) = a, b
    return m << max(0, e - f) == n << max(0, f - e)


def probability_by_bisection(mechanism: Parameters, k: int, c: Dyadic, program: Program = snapped) -> Dyadic:
    """The probability of the output number k, from four bisections. It checks `distribution.probability`."""
    last = mechanism.last
    down = [mass(mechanism, c, j, 1, program) if -last <= j < last else (ZERO, ONE)[j == last] for j in (k - 1, k)]
    up = [mass(mechanism, c, j, -1, program) if -last <= j < last else (ONE, ZERO)[j == last] for j in (k - 1, k)]
    n, e = add(subtract(down[1], down[0]), subtract(up[0], up[1]))
    return Dyadic(n, e - 1)


def random_question(rng: random.Random) -> tuple[Parameters, Dyadic, int]:
    """A random mechanism, value and threshold, where errors are likely.

    Many precisions and all kinds of U*; B from far below λ to far above it; λ and B often next to a power of two;
    values at 0, at ±B, at a threshold, next to 0, and anywhere.
    """
    p = rng.choice((2, 3, 5, 6, 7, 8, 9, 10, 11, 16, 24, 53, 53, 64, 113, 118))
    kind = rng.choice(("unbounded", "unbounded", "binary64", f"bounded:{-rng.randint(1, 3 * p)}"))

    def number(exponent: int) -> Fraction:
        """A p-bit number of [2**exponent, 2**(exponent+1))."""
        top = 1 << (p - 1)
        anything = top | rng.getrandbits(p - 1)
        s = rng.choice((top, top + 1, 2 * top - 1, anything, anything, anything))
        return Fraction(s, top) * Fraction(2) ** exponent

    exponent = rng.randint(-12, 12)
    scale = number(exponent)
    reach = rng.choice((rng.randint(-4, 1), rng.randint(0, 8), rng.randint(0, 8), rng.randint(p - 3, p + 3)))
    bound = number(exponent + min(reach, 14))
    mechanism = Parameters(scale, bound, p, kind)
    last = mechanism.last
    j = rng.choice((-last, last - 1, 0, -1, rng.randrange(-last, last), rng.randrange(-last, last)))
    at_threshold = round_to_bits(abs(Fraction(2 * j + 1, 2)) * mechanism.lattice, p, up=False)
    anywhere = number(floor_log2(bound) - rng.choice((0, 0, 1, 2, rng.randint(0, p + 3))))
    c = min(bound, rng.choice((Fraction(0), bound, anywhere, anywhere, anywhere, at_threshold, Fraction(1, 2**1074))))
    return mechanism, from_fraction(rng.choice((c, -c))), j


def disagreements(count: int, seed: int) -> Iterator[str]:
    """Random thresholds at which tails.py ("inversion") and bisection differ, in words; there should be none."""
    rng = random.Random(seed)
    for _ in range(count):
        mechanism, c, j = random_question(rng)
        found = tail(mechanism, c, boundary(mechanism, j))
        down, up = tail_by_bisection(mechanism, c, j)
        if not agrees(found, down, up):
            yield f"{mechanism}, c = {c}, j = {j}: {found}, but bisection finds {down} down and {up} up"


def compare_with_bisection(thresholds: int = 200, seed: int = 0) -> float:
    """How many times longer bisection takes than tails.py, measured once, for the same thresholds."""
    rng = random.Random(seed)
    mechanism = Parameters(Fraction(1), Fraction(1000))
    questions = [(from_fraction(rng.uniform(-1000, 1000)), rng.randrange(-1000, 1000)) for _ in range(thresholds)]
    start = perf_counter()
    tails = [tail(mechanism, c, boundary(mechanism, j)) for c, j in questions]
    middle = perf_counter()
    slow = [mass(mechanism, c, j, 1 if fast.below else -1) for (c, j), fast in zip(questions, tails, strict=True)]
    end = perf_counter()
    if not all(same(fast.mass, found) for fast, found in zip(tails, slow, strict=True)):
        raise AssertionError("inversion and bisection disagree")
    return (end - middle) / (middle - start)
