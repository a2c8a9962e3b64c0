"""That the batch path is the reference: its draws, its logarithm with the error bound, its rounding; then all together.

numpy is an extra, so each check imports what it checks; without numpy it is undecided. What is trusted: IEEE 754
doubles in hardware (round to nearest even) and numpy's loops over them.
"""

from collections.abc import Callable
from functools import wraps

from snapref_harness.core import Outcome, Run, obligation


def needs_numpy(check: Callable[[Run], Outcome]) -> Callable[[Run], Outcome]:
    """The check, or undecided where numpy is not installed."""

    @wraps(check)
    def guarded(run: Run) -> Outcome:
        try:
            return check(run)
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                raise
            return Outcome("undecided", "numpy is not installed: pip install 'snapref[batch]'")

    return guarded


@obligation(
    "proofs.batch.draws",
    claim="N-3-U",
    kind="exhaustive",
    part="conditional",
    decides=False,
    scope="all 2^128 pairs of words: the exponent of every class of coins with the same leading 1 from the two ends of "
    "the class, as the conversion to doubles is monotone; sign and mantissa bit by bit",
)
@needs_numpy
def draws(run: Run) -> Outcome:
    """The batch path reads two words as the reference reads the same bits."""
    import numpy as np

    from snapref.randomness import draw
    from snapref_proofs.batch.draws import Begun, read, reference_word
    from snapref_proofs.batch.faults import NO_SOURCE

    everything = (1 << 64) - 1
    # A class has the leading bit 2^k. With the next bit cleared its numbers are from 2^k to below 1.5·2^k.
    coins = [c for k in range(64) for c in (1 << k, (2 << k) - 1, (1 << k) + (1 << k >> 1) - (k > 0))]
    ends = np.array([c for k in range(1, 64) for c in (1 << k, 3 << k - 1)], np.uint64)
    if not np.array_equal(np.frexp(ends.astype(np.float64))[1], np.repeat(np.arange(1, 64) + 1, 2)):
        return Outcome("refuted", "a class of coins is converted to doubles of more than one binade")
    firsts = [0, everything, *(1 << k for k in range(64)), *(everything ^ 1 << k for k in range(64))]
    rows = np.array([(firsts[i % len(firsts)], c) for i, c in enumerate(coins)] + [(f, 5) for f in firsts], np.uint64)
    found = read(rows)
    for i, row in enumerate(rows):
        expected = draw(Begun(reference_word(row), NO_SOURCE), 53)
        got = (1 if int(found.first[i]) & 1 else -1, int(found.exponent[i]), int(found.mantissa[i]))
        if got != tuple(expected):
            return Outcome("refuted", "", f"words {row}: the reference reads {expected}, the batch path {got}")
    silent = read(np.zeros((1, 2), np.uint64))
    if silent.exponent[0] != 0:
        return Outcome("refuted", "", "a row without a coin that shows 1 is taken for a draw")
    return Outcome("proved", f"{len(rows)} pairs of words, both ends of each of the 64 classes of coins among them")


@obligation(
    "proofs.batch.log",
    claim="N-3-118p",
    kind="interval",
    decides=False,
    scope="p = 53, every U* with an exponent of at most 64: all 2048 cells of the table, each over its whole range",
)
@needs_numpy
def log(run: Run) -> Outcome:
    """The error of the batch logarithm is at most 2^-51·r² + 2^-90: what it calls certain is correctly rounded."""
    from snapref_proofs.batch.log_error import failures
    from snapref_proofs.batch.logarithm import ERROR_REST, ERROR_SQUARE, TABLES

    wrong = next(failures(TABLES, ERROR_SQUARE, ERROR_REST), None)
    if wrong:
        return Outcome("undecided", wrong)
    for square, rest in ((ERROR_SQUARE / 2, ERROR_REST), (ERROR_SQUARE, ERROR_REST / 16)):  # these must not be proved
        if next(failures(TABLES, square, rest), None) is None:
            return Outcome("error", "a bound that is smaller than the sum of all roundings is proved too")
    return Outcome("proved", "2048 cells, each with every exponent; half of the first and 1/16 of the second term fail")


@obligation(
    "proofs.batch.two-sum",
    claim="F-PLUS",
    kind="smt",
    part="conditional",
    decides=False,
    scope="every p, every pair of p-bit numbers |a| ≥ |b| > 0 with exponents without limit, a > 0 (else change both "
    "signs); each step decided, their composition is read",
)
def two_sum(run: Run) -> Outcome:
    """s = a ⊕ b: s - a and b - (s - a) are p-bit numbers, so both are computed exactly (Dekker).

    A p-bit number is an integer below P = 2^p in units of its last place u, and so is any integer below P. In units of
    u(b), a and b are integers, and so is s: it is a + b where that is below P, and a larger number is a multiple of a
    larger unit. s is the number nearest to a + b, and a is one: so |s - (a + b)| ≤ |b|. And rounding is monotone: where
    a + b lies between two p-bit numbers, such as a, 2a and a/2, s does.
    """
    import z3

    from snapref_proofs.solving import Statement, absolute, decide_all

    a, b, s, most = z3.Ints("a b s P")
    held = (most >= 4, absolute(b) < most, b != 0)
    positive = (a > 0, a >= absolute(b))
    lost = b - (s - a)
    statements = [
        Statement(
            "what is lost is an integer below P, in u(b)",
            [*held, *positive, absolute(s - (a + b)) <= absolute(b)],
            absolute(lost) < most,
            twin=absolute(lost) < absolute(b),
        ),
        Statement(
            "b > 0: a ≤ a + b ≤ 2a",
            [*held, *positive, b > 0],
            z3.And(a <= a + b, a + b <= 2 * a),
            twin=a + b < 2 * a,
        ),
        Statement(
            "b > 0: s - a is an integer below P, in u(a)",
            [most >= 4, a > 0, a < most, a <= s, s <= 2 * a],
            z3.And(s - a >= 0, s - a < most),
            twin=s - a < a,
        ),
        Statement(
            "b < 0, a ≤ 2|b|: a + b is an integer below P, in u(b), so s is a + b and s - a is b",
            [*held, *positive, b < 0, a <= -2 * b],
            z3.And(a + b >= 0, a + b < most),
            twin=a + b < -b,
        ),
        Statement(
            "b < 0, a > 2|b|: a/2 ≤ a + b ≤ a",
            [*held, *positive, b < 0, a > -2 * b],
            z3.And(a <= 2 * (a + b), a + b <= a),
            twin=2 * a <= 3 * (a + b),
        ),
        Statement(
            "b < 0, a > 2|b|: a - s is an integer below P, in u(s)",
            [most >= 4, s > 0, s < most, a <= 2 * s, s <= a],
            z3.And(a - s >= 0, a - s < most),
            twin=a - s < s,
        ),
    ]
    decision = decide_all(statements)
    return Outcome(decision.status, decision.detail)


@obligation(
    "proofs.batch.log.compared",
    claim="N-3-118p",
    kind="sampled",
    decides=False,
    scope="both ends and the middle of each of the 2048 cells, with the exponents 1, 2, 3 and 64",
)
@needs_numpy
def log_compared(run: Run) -> Outcome:
    """What the batch logarithm calls certain is what MPFR returns; and it is nearly always certain."""
    import numpy as np

    from snapref.logarithm import ln
    from snapref.uniform import Uniform
    from snapref_proofs.batch.logarithm import CELL_BITS, CELLS, logarithms

    width = 1 << (52 - CELL_BITS)
    mantissas = [cell * width + place for cell in range(CELLS) for place in (0, width // 2, width - 1)]
    uniform, doubtful = Uniform(53), 0
    for exponent in (1, 2, 3, 64):
        found = logarithms(np.full(len(mantissas), exponent), np.array(mantissas, np.uint64))
        for mantissa, value, certain in zip(mantissas, found.value, found.certain, strict=True):
            doubtful += not certain
            expected = float(ln(uniform(exponent, mantissa), 53))
            if certain and value != expected:
                witness = f"e = {exponent}, m = {mantissa}: MPFR {expected.hex()}, the batch path {float(value).hex()}"
                return Outcome("refuted", "", witness)
    if doubtful > 100:
        return Outcome("refuted", f"{doubtful} of {4 * len(mantissas)} were left to MPFR: that is no fast path")
    return Outcome("proved", f"{4 * len(mantissas)} logarithms, {doubtful} of them left to MPFR")


@obligation(
    "proofs.batch.round",
    claim="N-4.2",
    kind="exhaustive",
    part="corrected",
    decides=False,
    scope="every finite binary16 number, and doubles: the first and last three of each binade of [2^-3, 2^55), both "
    "signs, and their distance to every half-integer's neighbours",
)
@needs_numpy
def rounding(run: Run) -> Outcome:
    """Rounding by ⌊x⌋ and x - ⌊x⌋ is rounding to the nearest integer with ties toward +∞; ⌊x + ½⌋ is not."""
    import numpy as np

    from snapref_proofs.batch.faults import misrounded
    from snapref_proofs.batch.mechanism import nearest_integers

    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    powers = np.ldexp(1.0, np.arange(-3, 56))
    near = np.concatenate([powers, np.arange(64) + 0.5, powers + 0.5, powers * 1.5])
    for _ in range(3):
        near = np.unique(np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)]))
    doubles = np.concatenate([near, -near])
    for numbers in (halves, doubles):
        wrong = misrounded(nearest_integers, numbers)
        if wrong is not None:
            return Outcome("refuted", "", f"x = {wrong.hex()} is not rounded to the nearest integer")
        if misrounded(lambda x: np.floor(x + x.dtype.type(0.5)), numbers) is None:
            return Outcome("error", "⌊x + ½⌋, which must fail, is not found wrong")
    return Outcome("proved", f"{halves.size} binary16 numbers and {doubles.size} doubles; ⌊x + ½⌋ fails on both")


@obligation(
    "proofs.batch.round.every-p",
    claim="N-4.2",
    kind="smt",
    part="corrected",
    decides=False,
    scope="every p ≥ 2, every p-bit x that is no integer (an integer has x - ⌊x⌋ = 0 and stays); each step decided, "
    "their composition is read",
)
def rounding_for_every_p(run: Run) -> Outcome:
    """x - ⌊x⌋ ≥ ½ is decided rightly on the rounded difference, and gives the nearest integer, ties toward +∞.

    From ½ on, x is an integer X in units u of its last place, 1 is N = 1/u ≤ P = 2^p of them, and ⌊x⌋ is the multiple Q
    of N with Q ≤ X < Q + N. Any integer below P is a p-bit number. So is ⌊x⌋ + 1, as ⌊x⌋ is below 2^(p-1) unless u ≥ 1.
    """
    import z3

    from snapref_proofs.solving import Statement, decide_all

    (x, below, one, most), r = z3.Ints("X Q N P"), z3.Real("x")
    floor = [one >= 1, one <= most, below <= x, x < below + one]
    up = 2 * (x - below) >= one
    nearest = z3.If(up, below + one, below)
    statements = [
        Statement(
            "|x| ≥ ½: the difference is an integer below P, so it is exact",
            floor,
            z3.And(x - below >= 0, x - below < most),
            twin=2 * (x - below) < most,
        ),
        Statement(
            "|x| ≥ ½: the result is within ½ of x, and above x at a tie",
            floor,
            z3.And(2 * (nearest - x) <= one, 2 * (x - nearest) < one),
            twin=2 * (nearest - x) < one,
        ),
        Statement(
            "-½ < x < 0: the difference 1 + x is above ½, rounded or not, and the result is 0",
            [2 * r > -1, r < 0],
            1 + r > z3.Q(1, 2),
            twin=1 + r > z3.Q(3, 4),
        ),
    ]  # 0 ≤ x < ½: ⌊x⌋ = 0, and the difference is x
    decision = decide_all(statements)
    return Outcome(decision.status, decision.detail)


@obligation(
    "proofs.batch.mechanism",
    claim="N-3-ops",
    kind="sampled",
    decides=False,
    scope="ten sets of parameters: values and U* at, just above and just below exact thresholds, at the smallest and "
    "largest U*, and at random, a coin toss that goes past 64 among them",
)
@needs_numpy
def mechanism(run: Run) -> Outcome:
    """The batch path releases bit for bit what the reference releases from the same bits."""
    from snapref_proofs.batch.faults import differences

    count, wrong = differences(randomly=20_000 if run.thorough else 1_000)
    if wrong:
        return Outcome("refuted", "", wrong[0])
    return Outcome("proved", f"{count} releases")
