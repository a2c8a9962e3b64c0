"""How precisely to compute (001 and 002, §3): exact and faithful rounding, the 118 bits for logarithms, ⊕ and ⊗.

The claims are `N-3-LN0`, `N-3-faith`, `N-3-118`, `N-3-118p` and `N-3-ops`. RN_p is rounding to the nearest p-bit
number, ties to even. "w bits decide" means: every approximation with a relative error of at most 2^-w rounds to the
right p-bit number. "Through w bits" means: first rounded to w bits, then to p.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import nextafter, ulp
from typing import Any

import gmpy2
import z3

from snapref.arithmetic import Dyadic, context, scaled
from snapref.logarithm import ln
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.dyadics import from_mpfr, to_fraction
from snapref_proofs.evaluate.small_formats import small_numbers
from snapref_proofs.figure2.semantics import nearest
from snapref_proofs.precision.model import (
    HARDEST,
    NEAREST,
    bits_needed,
    every_number,
    logarithm,
    rounded_logarithm,
    to_number,
)
from snapref_smt.engine.statement import Statement, absolute
from snapref_smt.engine.stating import proves

LARGEST_LOGARITHM = 745.2  # |ln x| of no double is larger: the extremes are ln 2^-1074 = -744.44 and 1024 ln 2 = 709.78


# Exact rounding: nearer to ln x, not to x


def nearer_than(a: Any, b: Any, point: Any) -> Any:
    """|a - point| < |b - point|."""
    return absolute(a - point) < absolute(b - point)


@obligation(
    "proofs.precision.nearer.printed",
    claim="N-3-LN0",
    kind="exact",
    expected="refuted",
    scope="x = 2: the two doubles around ln 2, their distances from 2 and from ln 2",
)
def nearer_printed(run: Run) -> Outcome:
    """Of the two doubles a < ln 2 < b, b is nearer to 2, but a is nearer to ln 2. The printed rule selects b."""
    x = Fraction(2)
    low, high = logarithm(x, 200)
    a = float(low)
    a = a if Fraction(a) < low else nextafter(a, 0.0)
    b = nextafter(a, 1.0)
    returned = rounded_logarithm(x, 53)
    if not Fraction(a) < low <= high < Fraction(b) or returned != from_mpfr(context(53).log(2)):
        return Outcome("error", "a and b are not the neighbours of ln 2, or MPFR rounds it otherwise")
    by_print = a if abs(Fraction(a) - x) < abs(Fraction(b) - x) else b
    if Fraction(by_print) == returned:
        return Outcome("proved", "at x = 2 the printed rule selects the nearest double")
    return Outcome(
        "refuted",
        "",
        f"x = 2, a = {a.hex()}, b = {b.hex()}, a < ln 2 < b\n"
        f"|a - x| - |b - x| = {float(abs(Fraction(a) - x) - abs(Fraction(b) - x)):.3g} > 0: the rule selects b\n"
        f"|b - ln x| - |a - ln x| = {float(Fraction(b) + Fraction(a) - 2 * low):.3g} > 0: the nearest double is a",
    )


def nearest_of_all() -> Statement:
    """Of two neighbouring floats a < ln x < b, the nearer to ln x is the nearest of all floats c (each ≤ a or ≥ b).

    Twin: the same with the distances from x.
    """
    a, b, c, x, logarithm = z3.Reals("a b c x l")
    facts = [a < logarithm, logarithm < b, z3.Or(c <= a, c >= b), logarithm <= x - 1]

    def rule(point: Any) -> Any:
        """The one of a and b that is nearer to the point is at least as near to ln x as c is."""
        cases = ((nearer_than(a, b, point), a), (nearer_than(b, a, point), b))
        return z3.And(
            *(z3.Implies(case, absolute(c - logarithm) >= absolute(found - logarithm)) for case, found in cases)
        )

    return Statement("nearest of all", facts, rule(logarithm), rule(x))


@proves(
    "proofs.precision.nearer",
    claim="N-3-LN0",
    part="corrected",
    scope="every real ln x strictly between two neighbouring floats a and b of any format, and every float c",
)
def nearer() -> Statement:
    """Of the two neighbours, the one that is nearer to ln x (not to x) is at least as near to ln x as any float."""
    return nearest_of_all()


@proves(
    "proofs.precision.nearer.never",
    claim="N-3-LN0",
    part="corrected",
    decides=False,
    scope="every double x > 0 and its neighbours a < ln x < b; ln x ≤ x - 1 and b - a ≤ ulp(745.2) = 2^-43 are given",
)
def nearer_never() -> Statement:
    """The printed condition |a - x| < |b - x| holds for no double x. So the printed rule would always select b."""
    a, b, x, logarithm = z3.Reals("a b x l")
    gap = Fraction(ulp(LARGEST_LOGARITHM))
    facts = [logarithm <= x - 1, a < logarithm, logarithm < b, b - a <= z3.Q(gap.numerator, gap.denominator)]
    never = z3.Not(nearer_than(a, b, x))
    return Statement("never", facts, never, nearer_than(a, b, x))


# Faithful rounding


def down(u: Dyadic, precision: int) -> Fraction:
    """A faithful logarithm: ln u rounded toward -∞, always one of the two neighbours."""
    rounded = context(precision, gmpy2.RoundDown).log(scaled(*u))
    return from_mpfr(rounded)


@obligation(
    "proofs.precision.faithful.printed",
    claim="N-3-faith",
    kind="exhaustive",
    expected="refuted",
    scope="p = 11, every u of [2^-12, 1) with the probability that U* gives it: two deterministic logarithms; and one "
    "double",
)
def faithful_printed(run: Run) -> Outcome:
    """A faithful logarithm may return the nearer neighbour half of the time, an unfaithful one nearly always."""
    precision, bands = 11, 12
    right, total = Fraction(0), Fraction(0)
    for u in every_number(precision, bands):
        weight = Fraction(2) ** u.exponent  # P(U* = u) is its unit in the last place
        total += weight
        exact = from_mpfr(ln(u, precision))
        right += weight * (down(u, precision) == exact)
    share = right / total
    half = Dyadic(1, -1)
    never, always = down(half, 53), from_mpfr(ln(half, 53))
    if never == always:
        return Outcome("undecided", "at u = 1/2 rounding down is rounding to nearest")
    spoilt = to_fraction(Dyadic(1 << (precision - 1), 1 - precision - bands))  # one u, where it returns 0
    almost = 1 - Fraction(2) ** (1 - precision - bands) / total
    if not Fraction(2, 5) < share < Fraction(3, 5):
        return Outcome("proved", f"rounding down returns the nearer neighbour with probability {float(share):.4f}")
    return Outcome(
        "refuted",
        "neither follows from the other; and for a given x a deterministic logarithm returns a always or never",
        f"u = 1/2, doubles: ln rounded toward -∞ is faithful, and returns {float(never).hex()}, never the nearer "
        f"{float(always).hex()}\n"
        f"p = 11: ln rounded toward -∞ returns the nearer neighbour with probability {float(share):.4f}\n"
        f"LN but for 0 at u = {spoilt} returns the nearer neighbour with probability {float(almost):.8f}, and is not "
        f"faithful: ln u = {float(-logarithm(spoilt, 60)[0]):.4f}",
    )


def faithful_rules() -> list[Statement]:
    """Statements about the result r of a logarithm, in units of b - a: a = 0, b = 1, and ln x = l in (0, 1).

    Inside a binade every float other than a and b is at most -1 or at least 2. If a is a power of two, the float below
    it is -1/2, and may have an error below one unit.
    """
    logarithm, r, d = z3.Reals("l r delta")
    half = z3.Q(1, 2)
    facts = [logarithm > 0, logarithm < 1, d >= 0, d < half]
    faithful, elsewhere = z3.Or(r == 0, r == 1), z3.Or(r <= -1, r >= 2)
    inside, edge = z3.Or(faithful, elsewhere), z3.Or(faithful, elsewhere, r == -half)
    one_unit = (absolute(r - logarithm) < 1) == faithful
    accurate = [*facts, faithful, absolute(r - logarithm) < half + d]
    nearer_one = r == z3.If(logarithm < half, z3.RealVal(0), z3.RealVal(1))
    away = absolute(logarithm - half) >= d
    return [
        Statement(
            "inside a binade: a or b iff the error is below 1", [*facts, edge], z3.Implies(inside, one_unit), one_unit
        ),
        Statement("the nearer one, δ or more away from the middle", accurate, z3.Implies(away, nearer_one), nearer_one),
        Statement("δ = 0: exact", [*accurate, d == 0, logarithm != half], nearer_one, r == 0),
        Statement(  # ln x evenly spread over (0, 1): what is left out has the probability 2δ
            "within δ of the middle is an interval of length 2δ inside (0, 1)",
            facts,
            z3.And(half - d > 0, half + d < 1, (half + d) - (half - d) == 2 * d),
            (half + d) - (half - d) == d,
        ),
    ]


@proves(
    "proofs.precision.faithful",
    claim="N-3-faith",
    part="conditional",
    scope="every real ln x between neighbouring floats a and b of any format, in units of b - a, and every δ in [0, ½)",
)
def faithful() -> list[Statement]:
    """What the definitions of faithful, accurate-faithful and exact rounding give, for the neighbours a < ln x < b.

    A faithful logarithm returns a or b. An accurate-faithful one has an error below ½ + δ besides. So it returns the
    nearer neighbour unless ln x is within δ of the middle. If ln x is evenly spread, that has the probability 2δ. An
    exact one has δ = 0.
    """
    return faithful_rules()


# The 118 bits


def decided_by() -> list[Statement]:
    """If a midpoint is further than 2^-w·|ln u| from ln u, a y with a relative error ≤ 2^-w is on ln u's side of it."""
    logarithm, y, middle, error = z3.Reals("l y m error")
    facts = [logarithm > 0, error > 0, error < 1, absolute(y - logarithm) <= error * logarithm]
    apart = absolute(logarithm - middle) > error * logarithm
    same = z3.And((y < middle) == (logarithm < middle), y != middle)
    nearer = z3.Implies(absolute(logarithm - middle) > error * logarithm / 2, same)
    return [Statement("same side of every midpoint", facts, z3.Implies(apart, same), nearer)]


@proves(
    "proofs.precision.log118.rule",
    claim="N-3-118",
    decides=False,
    scope="every value of the logarithm, midpoint and relative error 2^-w: what remains to be known is a distance",
)
def log118_rule() -> list[Statement]:
    """118 bits suffice if, for every double x, no midpoint is within 2^-118·|ln x| of ln x: that needs a search."""
    return decided_by()


@obligation(
    "proofs.precision.log118.hardest",
    claim="N-3-118",
    kind="exact",
    decides=False,
    scope="the five doubles that Lefèvre and Muller report as the hardest for ln, and 1 - 2^-52: p = 53, to nearest",
)
def log118_hardest(run: Run) -> Outcome:
    """At the hardest arguments on record 118 bits decide the rounding to nearest, and 113 bits get one wrong.

    Two of them need 114 bits. The others are hard for rounding toward 0 or ±∞, which is where the number 118 comes
    from; the notes round to nearest.
    """
    arguments = [*HARDEST, (1 - 2.0**-52).hex()]
    exact = {text: Fraction(float.fromhex(text)) for text in arguments}
    needed = {text: bits_needed(x, 53) for text, x in exact.items()}
    directed = {text: bits_needed(x, 53, to_number) for text, x in exact.items()}
    lines = "\n".join(
        f"x = {text}: {bits} bits to nearest, {directed[text]} toward 0 or ±∞" for text, bits in needed.items()
    )
    hard = Fraction(float.fromhex(NEAREST))
    wrong = nearest(rounded_logarithm(hard, 113), 53) != rounded_logarithm(hard, 53)
    if max(needed.values()) > 118:
        return Outcome("refuted", "", lines)
    return Outcome("proved" if wrong else "undecided", f"{lines}\nthrough 113 bits ln {NEAREST} is rounded wrongly")


@obligation(
    "proofs.precision.log118.small",
    claim="N-3-118",
    kind="exhaustive",
    decides=False,
    scope="p = 3 … 9 (thorough: 12), every u of [2^-8, 1): the bits that each needs; the analogue of 118 is 2p + 12",
    timeout=600,
)
def log118_small(run: Run) -> Outcome:
    """In small formats 2p + 12 bits decide every logarithm; the detail says how many need how many bits."""
    lines = []
    for precision in range(3, 13 if run.thorough else 10):
        needed = Counter(bits_needed(to_fraction(u), precision) for u in every_number(precision, 8))
        worst, total = max(needed), sum(needed.values())
        after = [sum(n for w, n in needed.items() if w > precision + k) / total for k in (2, 4, 6)]
        lines.append(
            f"p = {precision}: up to {worst} bits; of {total} arguments {after[0]:.3f}, {after[1]:.3f}, {after[2]:.3f} "
            "need more than p + 2, p + 4, p + 6"
        )
        if worst > 2 * precision + 12:
            return Outcome("refuted", "\n".join(lines))
    return Outcome("proved", "\n".join(lines))


# What a p-bit logarithm needs, and what to do instead of a fixed number


def series() -> list[Statement]:
    """Why |ln u| for u = 1 - t, t = 2^(1-p), is very near to the midpoint t + t²/2.

    First, t + t²/2 + t³/3 ≤ -ln(1 - t) ≤ t + t²/2 + t³/(3(1 - t)): the three are equal at t = 0, and their slopes are
    in this order. The slope of the one in the middle is 1/(1 - t). The distance to the midpoint follows.
    """
    t, value = z3.Reals("t L")
    small = [t > 0, t <= z3.Q(1, 4)]
    below, above = 1 + t + t * t, 1 + t + (3 * t * t - 2 * t * t * t) / (3 * (1 - t) * (1 - t))
    slope = 1 / (1 - t)
    enclosed = [value >= t + t * t / 2 + t * t * t / 3, value <= t + t * t / 2 + t * t * t / (3 * (1 - t))]
    distance = value - (t + t * t / 2)
    return [
        Statement("slope below", small, below <= slope, below + t * t * t / 2 >= slope + t * t),
        Statement("slope above", small, above >= slope, above >= slope + t * t),
        Statement(
            "the midpoint is within 2^-(2p-1)·|ln u|, and is not ln u",
            [*small, *enclosed],
            z3.And(distance > 0, distance < t * t / 2 * value),
            distance < t * t / 4 * value,
        ),
    ]


def other_needs(run: Run) -> Iterator[str]:
    """Every p, of those tried, for which the logarithm of 1 - 2^(1-p) needs another number of bits than 2p."""
    for precision in (*range(3, 61), 118, 1000):
        needed = bits_needed(1 - Fraction(1, 2 ** (precision - 1)), precision)
        if needed != 2 * precision:
            yield f"p = {precision}: u = 1 - 2^{1 - precision} needs {needed} bits"


@proves(
    "proofs.precision.log.lower",
    claim="N-3-118p",
    scope="every p ≥ 3, with t = 2^(1-p) ≤ ¼ as a real variable: u = 1 - t; replayed for p = 3 … 60, 118, 1000",
    beside=other_needs,
)
def lower() -> list[Statement]:
    """A p-bit logarithm needs at least 2p bits: at the p-bit number u = 1 - 2^(1-p), 2p - 1 bits do not decide.

    So 118 bits are too few for every p ≥ 60. At the notes' own p = 118 a fixed number would have to be 236 or more.
    """
    return series()


def refinement() -> list[Statement]:
    """An enclosure low ≤ l ≤ high can be refined until both ends round to the same number, and that number is RN(l).

    RN is monotone, so if both ends round to the same number, so does l. And once the enclosure is narrower than the
    distance from l to the nearest midpoint on either side, it contains no midpoint. Then both ends do round alike.
    """
    rn = z3.Function("RN", z3.RealSort(), z3.RealSort())
    low, value, high, below, above = z3.Reals("low l high m1 m2")
    monotone = [z3.Implies(a <= b, rn(a) <= rn(b)) for a, b in ((low, value), (value, high))]
    enclosed = [low <= value, value <= high]
    between = [below < value, value < above, high - low < value - below, high - low < above - value]
    same = rn(low) == rn(high)
    return [
        Statement("ends that agree are right", [*enclosed, *monotone, same], rn(value) == rn(low), rn(value) < rn(low)),
        Statement(
            "a tight enclosure holds no midpoint",
            [*enclosed, *between],
            z3.And(below < low, high < above),
            high - low < (above - below) / 4,
        ),
    ]


@proves(
    "proofs.precision.log.refinement",
    claim="N-3-118p",
    scope="every monotone rounding, every value of ln u that is no midpoint (Lindemann), every enclosure of it",
)
def refine() -> list[Statement]:
    """What to use in place of 118 bits: enclose ln u more and more tightly until both ends round to the same number.

    The result is right and the loop ends, whatever p is. No number of bits has to be known beforehand.
    """
    return refinement()


@obligation(
    "proofs.precision.log.reference",
    claim="N-3-118p",
    kind="exhaustive",
    decides=False,
    scope="p = 2 … 9, every u of [2^-8, 1), and the hardest u on record at 53 and 118 bits, and 1 - 2^(1-p), p ≤ 118: "
    "the reference's LN against enclosures by mpmath.iv and Arb",
)
def reference(run: Run) -> Outcome:
    """The reference's logarithm, which refines an enclosure, returns RN_p(ln u)."""
    hard = [float.fromhex(text).as_integer_ratio() for text in HARDEST if float.fromhex(text) < 1]
    numbers = [(Dyadic(n, 1 - d.bit_length()), p) for n, d in hard for p in (53, 118)]
    numbers += [(Dyadic((1 << (p - 1)) - 1, 1 - p), p) for p in range(3, 119)]
    numbers += [(u, p) for p in range(2, 10) for u in every_number(p, 8)]
    for u, precision in numbers:
        found = from_mpfr(ln(u, precision))
        if found != rounded_logarithm(to_fraction(u), precision):
            return Outcome("refuted", "", f"u = {to_fraction(u)}, p = {precision}: {found}")
    return Outcome("proved", f"{len(numbers)} logarithms")


# ⊕ and ⊗ through a working precision


def sums(precision: int, work: int) -> list[Statement]:
    """x ⊕ y through `work` bits is rounded right, for |x| ≥ |y|, scaled to 1 ≤ x < 2. U = 2^(1-p) is x's last place.

    Near: if |y| > U/8, y is a multiple of 2^-(2p+1), the unit of the first statement. So x + y has fewer than 2p + 4
    bits, and the first rounding changes nothing. Far: if |y| ≤ U/8, then x + y and its first rounding are less than U/4
    away from x. Every number that near to x rounds to x (U/4 is needed only below x = 1; elsewhere U/2 is enough).
    """
    x, y = z3.Ints("x y")  # the near case, in units of 2^-(2p+1): x is a multiple of U = 2^(p+2) units
    near = [x >= 2 ** (2 * precision + 1), x < 2 ** (2 * precision + 2), absolute(y) <= x]
    a, b, first = z3.Reals("a b first")
    last, error = Fraction(1, 2 ** (precision - 1)), Fraction(1, 2**work)
    unit, relative = z3.Q(last.numerator, last.denominator), z3.Q(error.numerator, error.denominator)
    far = [a >= 1, a < 2, absolute(b) <= unit / 8, absolute(first - (a + b)) <= relative * absolute(a + b)]
    return [
        Statement(
            f"near: x + y has at most {work} bits",
            near,
            absolute(x + y) < 2**work,
            absolute(x + y) < 2 ** (2 * precision + 2),
        ),
        Statement(
            "far: both roundings give x",
            far,
            z3.And(absolute(first - a) < unit / 4, absolute(a + b - a) < unit / 4),
            first == a,
        ),
    ]


def products(precision: int, work: int) -> list[Statement]:
    """The product of two p-bit significands is an integer of at most 2p bits: exact in `work` ≥ 2p bits."""
    m, n = z3.Ints("m n")
    whole = [m >= 1, m < 2**precision, n >= 1, n < 2**precision]
    bounded = z3.And(m * n <= (2**precision - 1) * n, (2**precision - 1) * n < 2**work)
    return [Statement(f"product has at most {work} bits", whole, bounded, m * n < 2 ** (2 * precision - 1))]


def easy_logarithm(run: Run) -> Iterator[str]:
    hard = Fraction(float.fromhex(NEAREST))
    if nearest(rounded_logarithm(hard, 113), 53) == rounded_logarithm(hard, 53):
        yield f"113 bits are enough for ln {NEAREST}: it does not show that ln needs more than ⊕"


@proves(
    "proofs.precision.operations",
    claim="N-3-ops",
    beside=easy_logarithm,
    scope="every pair of doubles, p = 53: ⊕ and ⊗ through 118 bits and through 109, exponents without limit; and "
    "one u whose logarithm 113 bits get wrong",
)
def operations() -> list[Statement]:
    """⊗ is exact in 106 bits, ⊕ is rounded right through 109 and through 118 bits; a logarithm needs more than 113."""
    return [s for work in (109, 118) for s in sums(53, work)] + products(53, 106) + products(53, 118)


def fewest_bits(precision: int) -> int:
    """The least w with RN_p(RN_w'(x + y)) = RN_p(x + y) for all w' ≥ w, over every sum of a small format."""
    numbers = list(small_numbers(precision, (0,)))
    others = [sign * y for y in small_numbers(precision, range(-precision - 4, 1)) for sign in (1, -1)]
    found = precision
    for x, y in product(numbers, others):
        for work in range(2 * precision + 4, found - 1, -1):
            if nearest(nearest(x + y, work), precision) != nearest(x + y, precision):
                found = work + 1
                break
    return found


@obligation(
    "proofs.precision.operations.small",
    claim="N-3-ops",
    kind="exhaustive",
    decides=False,
    scope="p = 3, 4 (thorough: 5): every x of [1, 2) and every y with 2^-(p+4) ≤ |y| < 2, through up to 2p + 4 bits",
)
def operations_small(run: Run) -> Outcome:
    """In small formats, 2p + 1 is the fewest bits through which every sum is rounded right; at p = 53 that is 107."""
    found = {precision: fewest_bits(precision) for precision in ((3, 4, 5) if run.thorough else (3, 4))}
    text = ", ".join(f"p = {p}: {w}" for p, w in found.items())
    return Outcome("proved" if all(w == 2 * p + 1 for p, w in found.items()) else "refuted", text)
