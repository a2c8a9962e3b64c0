"""The law of the uniform draw U* (001 and 002, §3), and 004's "the probability is the length of the range".

The notes draw U* = (1.m1m2…)_2 · 2^-e with random bits m and a geometric exponent e. They do not say whether e starts
at 0 or at 1, and they do not consider that the exponents of doubles end. Both matter. It also matters which end of an
interval belongs to it, because a single float has a positive probability. The claims are `N-3-…` and `F-T1-unif`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ulp

import z3

from snapref.arithmetic import Dyadic
from snapref.uniform import Uniform
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.bisection import least_outside
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves


def vanishes(polynomial: Callable[..., Fraction | int], variables: int, degree: int) -> bool:
    """Whether a polynomial, of at most this degree in each variable, is 0 everywhere.

    It is if and only if it is 0 at all points of {0, …, degree}^n, where n is the number of variables.
    """
    return all(polynomial(*point) == 0 for point in product(range(degree + 1), repeat=variables))


def geometric(e: int, start: int) -> Fraction:
    """P(e) for the geometric distribution of parameter 1/2 on {start, start + 1, …}."""
    return Fraction(1, 2) ** (e - start + 1)


def power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


@obligation(
    "proofs.exact.law.band.from_zero",
    claim="N-3-band",
    kind="exact",
    expected="refuted",
    scope="e geometric on {0, 1, 2, …}: the band of e = 0",
)
def band_from_zero(run: Run) -> Outcome:
    """If e starts at 0, half of all draws are in [1, 2), a band of length 1."""
    probability, length = geometric(0, start=0), power(1 - 0) - power(-0)
    if probability == length:
        return Outcome("proved")
    return Outcome("refuted", "", f"e = 0: P(U* in [1, 2)) = P(e = 0) = {probability}, the band is {length} long")


EXPONENTS = range(1, 1075)  # every band in which there is a double


def other_lengths(run: Run) -> Iterator[str]:
    """Exponents whose probability is not the length of their band. As a check: with e from 0 there must be one."""
    if all(geometric(e, start=0) == power(1 - e) - power(-e) for e in EXPONENTS):
        yield "e from 0 would do as well"
    yield from (f"e = {e}" for e in EXPONENTS if geometric(e, start=1) != power(1 - e) - power(-e))


@proves(
    "proofs.exact.law.band",
    claim="N-3-band",
    part="conditional",
    scope="e geometric on {1, 2, …}: all 2^52 mantissas and every e, with X = 2^-e as a real variable; "
    "P(e) = 2^(1-e) - 2^-e for every e up to 1074",
    beside=other_lengths,
)
def band() -> list[Statement]:
    """A draw lies in the band [2^-e, 2^(1-e)) of its own e, and in no other: P(e) = 2^-e is the length of the band."""
    m, x, y = z3.Int("m"), z3.Real("X"), z3.Real("Y")
    u = (1 + z3.ToReal(m) / 2**52) * x
    return [
        Statement("in the band", [m >= 0, m < 2**52, x > 0], z3.And(x <= u, u < 2 * x), u < x * 3 / 2),
        Statement("and in no lower one", [m >= 0, m < 2**52, x > 0, y > 0, 2 * y <= x], u >= 2 * y, u > 2 * y),
    ]


@obligation(
    "proofs.exact.law.ulp.from_zero",
    claim="N-3-U",
    kind="exact",
    expected="refuted",
    scope="e geometric on {0, 1, 2, …}: U* = 1; and e geometric on {1, 2, …}: U* = 2^-1074, a double",
)
def ulp_from_zero(run: Run) -> Outcome:
    """Two doubles, one for each reading, whose probability is not their unit in the last place (ulp)."""
    one, smallest = geometric(0, start=0) * power(-52), geometric(1074, start=1) * power(-52)
    if one == Fraction(ulp(1.0)) or smallest == Fraction(ulp(2.0**-1074)):
        return Outcome("proved")
    return Outcome(
        "refuted",
        "neither reading makes it true of every double",
        "e from 0: P(U* = 1) = P(e = 0)·2^-52 = 2^-53, ulp(1) = 2^-52\n"
        "e from 1: P(U* = 2^-1074) = P(e = 1074, m = 0) = 2^-1126, ulp(2^-1074) = 2^-1074",
    )


def other_ulps(run: Run) -> Iterator[str]:
    """Binades in which the reference's U* is not (2^52 + m)·2^(-52-e), or whose ulp is not 2^-e·2^-52."""
    draw = Uniform(53)
    for e in range(1, 1023):
        for mantissa in (0, 1, (1 << 52) - 1):
            if draw(e, mantissa) != Dyadic((1 << 52) + mantissa, -52 - e):
                yield f"e = {e}, m = {mantissa}: {draw(e, mantissa)}"
            if Fraction(ulp(float(to_fraction(draw(e, mantissa))))) != geometric(e, start=1) * power(-52):
                yield f"e = {e}, m = {mantissa}: another ulp"


@proves(
    "proofs.exact.law.ulp",
    claim="N-3-U",
    part="conditional",
    scope="e geometric on {1, 2, …}, U* ≥ 2^-1022: all 2^52 mantissas, and every binade of normal doubles in (0, 1)",
    beside=other_ulps,
)
def ulp_of_every_normal() -> list[Statement]:
    """A normal double of (0, 1) comes from one e ≥ 1 and one mantissa. So its probability is 2^-e·2^-52, its ulp."""
    m, n = z3.Ints("m n")
    mantissas = [m >= 0, m < 2**52, n >= 0, n < 2**52]
    s, r = 2**52 + m, 2**52 + n  # the significands
    return [
        Statement("a significand of 53 bits", mantissas, z3.And(s >= 2**52, s < 2**53), s < 2**53 - 1),
        Statement("one mantissa for each", [*mantissas, m < n], s < r, s + 1 < r),
    ]


@obligation(
    "proofs.exact.law.support",
    claim="N-3-D01",
    kind="exact",
    expected="refuted",
    scope="e geometric on {1, 2, …}: what is drawn with e ≥ 1023, and what it becomes as a double",
)
def support(run: Run) -> Outcome:
    """Not every draw is a double.

    If draws are cut down to doubles, the smallest has twice the probability of its ulp.
    """
    draw = Uniform(53)
    not_a_double = to_fraction(draw(1075, 0))
    cut = Uniform(53, -1074)
    bands = [e for e in (1073, 1074, 1075, 1076) if to_fraction(cut(e, 0)) == power(-1074)]
    # e = 1074 and every larger e end at 2^-1074
    share = power(-1074) + power(-1074)
    if float(not_a_double) != 0.0 or bands != [1074, 1075, 1076] or share == Fraction(ulp(2.0**-1074)):
        return Outcome("undecided", "the law is not what this witness assumes")
    return Outcome(
        "refuted",
        "the support is not 𝔻 ∩ (0, 1)",
        "P(U* < 2^-1074) = P(e ≥ 1075) = 2^-1074 > 0, and no double is there\n"
        "cut down to doubles: P(2^-1074) = P(e ≥ 1074) = 2^-1073 = 2·ulp, every other double has probability ulp",
    )


@obligation(
    "proofs.exact.law.binary64",
    claim="N-3-D01",
    kind="exhaustive",
    part="corrected",
    scope="U* cut down to doubles, e geometric on {1, 2, …}: every binade and every subnormal band of 𝔻 ∩ (0, 1)",
)
def binary64_law(run: Run) -> Outcome:
    """If draws are cut down to doubles, each double has the probability of its ulp, and 2^-1074 has twice that."""
    cut = Uniform(53, -1074)
    for e in range(1, 1075):
        dropped = max(0, e - 1022)  # how many mantissa bits lie below 2^-1074
        each = geometric(e, start=1) * power(-52) * 2**dropped  # 2^dropped mantissas fall together
        for top in (0, (1 << (52 - dropped)) - 1):  # the first and the last double of the band
            for low in (0, (1 << dropped) - 1):  # the first and the last mantissa that fall there
                value = cut(e, (top << dropped) | low)
                if to_fraction(value) != power(-e) + top * power(-e - 52 + dropped) or each != power(
                    max(-e - 52, -1074)
                ):
                    return Outcome("refuted", "", f"e = {e}: {value}, probability {each}")
    if any(to_fraction(cut(e, m)) != power(-1074) for e in (1075, 1076, 2000) for m in (0, (1 << 52) - 1)):
        return Outcome("refuted", "", "a draw below 2^-1074 does not become 2^-1074")
    return Outcome("proved", "1074 bands; what is below 2^-1074, of probability 2^-1074, goes to 2^-1074")


@obligation(
    "proofs.exact.law.small",
    claim="N-3-D01",
    kind="exhaustive",
    part="corrected",
    decides=False,
    scope="p = 2 … 6, smallest number 2^-1 … 2^-9: every draw (e, m) with e ≤ 14, and what remains",
)
def small_laws(run: Run) -> Outcome:
    """P(U* < t) = t for every number t that can be drawn but the smallest, where it is 0. All draws are counted."""
    grids = 0
    for p in range(2, 7):
        for smallest in (*range(-9, 0), None):
            grids += 1
            for t, below in counted_law(Uniform(p, smallest), bands=14):
                expected = Fraction(0) if smallest is not None and t == power(smallest) else t
                if t > power(-12) and below != expected:
                    return Outcome("refuted", "", f"p = {p}, smallest 2^{smallest}: P(U* < {t}) = {below}")
    return Outcome("proved", f"{grids} grids")


def counted_law(law: Uniform, bands: int) -> Iterator[tuple[Fraction, Fraction]]:
    """(t, P(U* < t)) for the numbers t that can be drawn with e <= bands; all other draws are below these."""
    masses: dict[Fraction, Fraction] = {}
    for e in range(1, bands + 1):
        for mantissa in range(1 << (law.precision - 1)):
            value = to_fraction(law(e, mantissa))
            masses[value] = masses.get(value, Fraction(0)) + power(1 - law.precision - e)
    rest = to_fraction(law(bands + 1, 0)) if law.smallest is not None else Fraction(0)
    masses[rest] = masses.get(rest, Fraction(0)) + power(-bands)
    below = Fraction(0)
    for value in sorted(masses):
        yield value, below
        below += masses[value]


@obligation(
    "proofs.exact.law.length.brackets",
    claim="F-T1-unif",
    kind="exact",
    expected="refuted",
    scope="U* unbounded, p = 53: the interval (1/2, 1]; U* binary64: the interval (0, 2^-1074)",
)
def length_brackets(run: Run) -> Outcome:
    """Two intervals whose probability is not their length.

    One is open below, as printed in cases C to F, and misses the mass of its lower end. The other is below 2^-1074,
    where there are no doubles.
    """
    half, tiny = power(-1), power(-1074)
    up_to_half = to_fraction(least_outside(Uniform(53), lambda u: to_fraction(u) <= half))
    below_doubles = to_fraction(least_outside(Uniform(53, -1074), lambda u: to_fraction(u) < tiny))
    if 1 - up_to_half == half or below_doubles == tiny:
        return Outcome("proved")
    if up_to_half != half + power(-53) or below_doubles != 0:
        return Outcome("error", f"P(U* ≤ 1/2) = {up_to_half}, P(U* < 2^-1074) = {below_doubles}")
    return Outcome(
        "refuted",
        "",
        "U* unbounded: P(U* in (1/2, 1]) = 1/2 - 2^-53, the length is 1/2\n"
        "U* binary64: P(U* in (0, 2^-1074)) = 0, the length is 2^-1074",
    )


@obligation(
    "proofs.exact.law.length",
    claim="F-T1-unif",
    kind="algebra",
    part="conditional",
    scope="U* unbounded, e from 1: intervals [s, t) with p-bit ends in [0, 1], for every p; X = 2^-e, H = 2^(1-p), "
    "m the mantissa of t = (1 + mH)·X",
)
def length(run: Run) -> Outcome:
    """P(U* < t) = t for t = (1 + m·2^(1-p))·2^-e, so an interval [s, t) has the probability t - s.

    The draws below t have a larger exponent k, or the exponent e and a mantissa below m:
    P(U* < t) = Σ_{k>e} 2^-k + m·2^-e·2^(1-p) = 2^-e + m·2^(1-p-e) = t.
    """
    right = vanishes(lambda x, h, m: x + m * x * h - (1 + m * h) * x, variables=3, degree=1)
    tail = vanishes(lambda x: 2 * x - x - x, variables=1, degree=1)  # Σ_{k>e} 2^-k: 2^-k = 2^-(k-1) - 2^-k telescopes
    twin = vanishes(lambda x, h, m: x + (m + 1) * x * h - (1 + m * h) * x, variables=3, degree=1)  # U* <= t: must fail
    detail = "X + mXH = (1 + mH)X; with U* ≤ t in place of U* < t it is not an identity"
    return Outcome("proved" if right and tail and not twin else "refuted", detail)
