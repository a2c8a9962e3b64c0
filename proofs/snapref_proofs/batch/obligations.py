"""The programs on doubles are the program on patterns, bit for bit: an obligation for each stage.

`snapref.doubles` is compared with the program on patterns directly (proofs.doubles.*). `snapref.batch`, which releases
many values at once, is compared with it where both compute with doubles, and has its own draws and logarithm
(proofs.batch.*). So what the claims say of the reference carries over, about U* (N-3-U), LN (N-3-118p), ⊕ and ⊗
(N-3-ops, F-PLUS), rounding (N-4.2) and clamp (U-3.1.3a). The obligations support these claims, and decide none of them
alone. In which order a release takes its stages is decided by smt.release.stages.

The programs run as they are on unknown inputs (stages.py, scalar.py). The logarithm runs on what is known of a cell of
its table (log_error.py). numpy is optional, so each check imports what it needs; without it the check is undecided.
What is trusted: that the hardware's doubles are those of IEEE 754, rounding to nearest even; that numpy does to each
element of an array what lanes.py says; and MPFR.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps

from snapref_ledger import REGISTRY, Outcome, Run, obligation
from snapref_smt.engine.statement import Statement, absolute
from snapref_smt.engine.stating import proves

EXTRAS = {"numpy": "batch"}


def needs_extras(check: Callable[[Run], Outcome]) -> Callable[[Run], Outcome]:
    """The same check, but undecided if numpy is not installed."""

    @wraps(check)
    def guarded(run: Run) -> Outcome:
        try:
            return check(run)
        except ModuleNotFoundError as missing:
            if missing.name not in EXTRAS:
                raise
            return Outcome(
                "undecided", f"{missing.name} is not installed: pip install 'snapref[{EXTRAS[missing.name]}]'"
            )

    return guarded


@obligation(
    "proofs.batch.rows",
    claim="N-3-ops",
    kind="exhaustive",
    decides=False,
    scope="up to 1000 rows of words, and 250 chunks; 3 rows in every state of exponent and certainty; a list of arrays "
    "to take and to refuse; BatchMechanism with every λ, Λ and B, every chunk of a release, every element of a list",
)
@needs_extras
def rows(run: Run) -> Outcome:
    """Each value gets its own row of fresh words and its own place; what is in doubt, the reference computes.

    Values are taken that are doubles, or ints that doubles hold; all others are refused. λ, Λ and B are those of
    `Mechanism`, and are refused where they are no doubles, or doubles have no room.
    """
    from snapref_proofs.batch.rows import faults

    wrong = list(faults())
    return Outcome("refuted", "\n".join(wrong)) if wrong else Outcome("proved", "words, chunks, logarithms, checks")


@proves(
    "proofs.batch.draws",
    claim="N-3-U",
    part="conditional",
    decides=False,
    scope="all 2^128 pairs of words; if none of the 64 coins shows 1, every next word in which one does",
)
def draws() -> list[Statement]:
    """The batch path reads sign, exponent and mantissa, and so U*, from two words as the reference does."""
    from snapref_proofs.batch import stages

    return [*stages.draws(), *stages.uniforms()]


@obligation(
    "proofs.batch.log",
    claim="N-3-118p",
    kind="interval",
    decides=False,
    scope="p = 53, every U* with an exponent of at most 64: all 2048 cells of the table, each over its whole range",
)
@needs_extras
def log(run: Run) -> Outcome:
    """ln u lies between the two ends that the batch logarithm computes.

    So a result that it calls certain is RN(ln u).
    """
    from snapref.batch.logarithm import TABLES
    from snapref_proofs.batch.log_error import failures

    wrong = next(failures(TABLES), None)
    if wrong:
        return Outcome("undecided", wrong)
    square, rest = TABLES.error_square, TABLES.error_rest
    for smaller in (TABLES._replace(error_square=square / 2), TABLES._replace(error_rest=rest / 32)):
        if next(failures(smaller), None) is None:
            return Outcome("error", "a margin that is smaller than the sum of all roundings is proved too")
    return Outcome("proved", "2048 cells, each with every exponent; half of the first and 1/32 of the second term fail")


@proves(
    "proofs.batch.two-sum",
    claim="F-PLUS",
    part="conditional",
    decides=False,
    scope="every p, every pair of p-bit numbers |a| ≥ |b| > 0 with exponents without limit, a > 0 (else change both "
    "signs); each step is decided; that together they give the result, a person must check by reading",
)
def two_sum() -> list[Statement]:
    """For s = a ⊕ b, s - a and b - (s - a) are p-bit numbers, so both are computed exactly (Dekker).

    Let P = 2^p, and let u(x) be the unit in the last place of x. A p-bit number x is an integer below P in units of
    u(x), and conversely every integer below P is a p-bit number. In units of u(b), a and b are integers. So is s: if
    a + b is below P, s is a + b; a larger p-bit number is a multiple of a larger unit. s is the p-bit number nearest to
    a + b, and a is a p-bit number, so |s - (a + b)| ≤ |b|. Rounding is monotone: if a + b lies between two p-bit
    numbers, such as a and 2a, or a/2 and a, so does s.
    """
    import z3

    a, b, s, most = z3.Ints("a b s P")
    held = (most >= 4, absolute(b) < most, b != 0)
    positive = (a > 0, a >= absolute(b))
    lost = b - (s - a)
    return [
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


@proves(
    "proofs.batch.two-sum.doubles",
    claim="F-PLUS",
    part="conditional",
    decides=False,
    timeout=1200,
    thorough=True,
    scope="every pair of doubles 1 ≤ a < 2 and |b| ≤ a, both signs of b: all others are multiples by a power of two",
)
def two_sum_of_doubles() -> list[Statement]:
    """For doubles and s = a ⊕ b, s - a and b - (s - a) are computed exactly; the solvers know the arithmetic itself."""
    from snapref_proofs.batch import stages

    return [*stages.sums(0), *stages.sums(1)]


@obligation(
    "proofs.batch.log.compared",
    claim="N-3-118p",
    kind="sampled",
    decides=False,
    scope="both ends and the middle of each of the 2048 cells, with the exponents 1, 2, 3 and 64",
)
@needs_extras
def log_compared(run: Run) -> Outcome:
    """A result that the batch logarithm calls certain is what MPFR returns; and nearly all results are certain."""
    import numpy as np

    from snapref.batch.logarithm import CELL_BITS, CELLS, logarithms
    from snapref.logarithm import ln
    from snapref.uniform import Uniform

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


def wrong_logarithms(run: Run) -> Iterator[str]:
    from snapref_proofs.batch import stages

    return stages.wrong_logarithms()


@proves(
    "proofs.doubles.noise",
    claim="N-3-ops",
    decides=False,
    timeout=180,
    scope="every λ, Λ and B that `room` allows, every LN(U*) of fewer than 2^64 coins, every value",
    beside=wrong_logarithms,
)
def ranges() -> list[Statement]:
    """⊗ and ⊕ of doubles are those of 53 bits: no result is subnormal or overflows; and S⊗λ is ±λ."""
    from snapref_proofs.batch import scalar, stages

    return [*stages.ranges(), *scalar.products()]


@proves("proofs.batch.noise", claim="N-3-ops", decides=False, scope="every λ > 0, every LN < 0, every word")
def noise() -> list[Statement]:
    """The batch path's noise is S⊗λ⊗LN, with the sign that the word says."""
    from snapref_proofs.batch import stages

    return [*stages.noises()]


@proves(
    "proofs.doubles.clamp", claim="U-3.1.3a", decides=False, scope="every finite double x and every finite double B > 0"
)
def clamp() -> list[Statement]:
    """Clamping doubles is clamping their patterns, bit for bit, the sign of a zero included."""
    from snapref_proofs.batch import scalar, stages

    return [*stages.clamps(scalar.clamp)]


@proves(
    "proofs.doubles.floor",
    claim="N-4.2",
    part="corrected",
    decides=False,
    timeout=180,
    scope="every double |x| < 2^66; that math.floor is ⌊x⌋, and that float(int) rounds to nearest, is Python's promise",
)
def floor() -> list[Statement]:
    """float(math.floor(x)) is ⌊x⌋, without rounding, and +0 where that is 0."""
    from snapref_proofs.batch import scalar

    return [*scalar.floors()]


def wrong_inverses(run: Run) -> Iterator[str]:
    from snapref_proofs.batch import stages

    return stages.wrong_inverses()


@proves(
    "proofs.doubles.round.scale",
    claim="N-4.2",
    part="corrected",
    decides=False,
    timeout=180,
    scope="every Λ from 2^-900 to 2^901, every double x that is 0 or has 2^-108 ≤ |x/Λ| < 2^66",
    beside=wrong_inverses,
)
def scale() -> list[Statement]:
    """x/Λ and Λ times an integer are exact, and the reference rounds at every Λ as it does at Λ = 1."""
    from snapref_proofs.batch import stages

    return [*stages.scalings(), *stages.every_lattice(0), *stages.every_lattice(1)]


def register_rounding(id: str, sign: int, exponents: range, scope: str) -> None:
    """Registers the rounding to integers for one sign and a range of exponents."""

    @proves(id, claim="N-4.2", part="corrected", decides=False, timeout=180, scope=scope)
    def rounding() -> list[Statement]:
        """Rounding by ⌊x⌋ and x - ⌊x⌋ ≥ 1/2 is the reference's rounding with Λ = 1, bit for bit."""
        from snapref_proofs.batch import scalar, stages

        others = stages.beyond(scalar.nearest) if exponents[-1] == 51 else ()
        return [*stages.integers(sign, exponents, scalar.nearest), *others]


register_rounding(
    "proofs.doubles.round.positive", 0, range(-1, 52), "every double 1/2 ≤ x < 2^52; |x| < 1/2 and 2^52 ≤ |x| < 2^66"
)
register_rounding("proofs.doubles.round.negative", 1, range(-1, 26), "every double 1/2 ≤ -x < 2^26")
register_rounding(
    "proofs.doubles.round.negative.large",
    1,
    range(26, 52),
    "every double 2^26 ≤ -x < 2^52; |x| < 1/2 and 2^52 ≤ |x| < 2^66",
)


@obligation(
    "proofs.batch.mechanism",
    claim="N-3-ops",
    kind="sampled",
    decides=False,
    scope="ten sets of parameters: values and U* at, just above and just below exact thresholds, at the smallest and "
    "largest U*, and at random, a coin toss that goes past 64 among them",
)
@needs_extras
def mechanism(run: Run) -> Outcome:
    """The batch path releases bit for bit what the reference releases from the same bits."""
    from snapref_proofs.batch.faults import differences

    count, wrong = differences(randomly=20_000 if run.thorough else 1_000)
    if wrong:
        return Outcome("refuted", "", wrong[0])
    return Outcome("proved", f"{count} releases")


@proves("proofs.batch.stages", claim="N-4.2", part="corrected", decides=False, scope="every finite double x and B > 0")
def batch_stages() -> list[Statement]:
    """Clamping and rounding of the batch path are those of the program on doubles, bit for bit."""
    from snapref_proofs.batch import scalar

    return [replace(one, solvers=("bitwuzla", "cvc5", "z3")) for one in scalar.stages()]  # z3 is slow here


# The stages in the order in which a release takes them, and the obligations that say that two programs do the same:
# that on doubles and that on patterns,
DOUBLES = {
    "f(D) → clamp(f(D))": ("proofs.doubles.clamp",),
    "clamp(f(D)), S, λ, LN(U*) → clamp(f(D)) ⊕ S⊗λ⊗LN(U*)": ("proofs.doubles.noise",),
    "→ round, to a multiple of Λ": (
        "proofs.doubles.floor",
        "proofs.doubles.round.scale",
        "proofs.doubles.round.positive",
        "proofs.doubles.round.negative",
        "proofs.doubles.round.negative.large",
    ),
    "→ clamp": ("proofs.doubles.clamp",),
    "patterns of doubles → patterns of the working format": ("proofs.doubles.wide",),
}
# and the batch path and that on doubles.
BATCH = {
    "values, words → draws, one row for each value": ("proofs.batch.rows",),
    "two words → S, e, mantissa → U*": ("proofs.batch.draws",),
    "U* → LN(U*)": ("proofs.batch.log", "proofs.batch.two-sum"),
    "S, λ, LN(U*) → S⊗λ⊗LN(U*)": ("proofs.batch.noise",),
    "clamp, round": ("proofs.batch.stages",),
    "all others": ("proofs.doubles.same",),
}


def unlinked(run: Run) -> Iterator[str]:
    """Where the batch program takes other stages than those that are proved, or a stage has no proof."""
    from snapref_proofs.batch import stages

    yield from stages.unlinked()
    yield from unproved(run, BATCH)


@obligation(
    "proofs.batch.same",
    claim="N-3-ops",
    kind="algebra",
    decides=False,
    timeout=600,
    scope="every value, every draw of fewer than 2^64 coins, every set of parameters that BatchMechanism accepts",
)
@needs_extras
def same(run: Run) -> Outcome:
    """The batch path takes the stages of the program on doubles in the same order, and each stage has its proof.

    What a stage assumes, the stage before it guarantees: both say it with the same predicates (`room`, `held`,
    `integer` of stages.py). With --thorough each proof is run here again; without, each has its own verdict.
    """
    faults = [*unlinked(run)]
    needed = {id for ids in BATCH.values() for id in ids}
    return (
        Outcome("refuted", "\n".join(faults))
        if faults
        else Outcome("proved", f"{len(BATCH)} stages, {len(needed)} proofs")
    )


@proves(
    "proofs.doubles.same",
    claim="N-3-ops",
    decides=False,
    timeout=600,
    scope="every finite value, every draw of fewer than 2^64 coins, every λ and B with which Mechanism computes in "
    "doubles",
    beside=lambda run: unproved(run, DOUBLES),
)
def scalar_same() -> list[Statement]:
    """The program on doubles releases what the program on patterns does: each stage has its proof, and there is room.

    Here it is decided that λ, Λ and B are as `room` requires, given what `plan_budget` has checked. That both programs
    take the same stages in the same order is decided by smt.release.stages. proofs.doubles.wide leads from the patterns
    of doubles to those of the wider format.
    """
    from snapref_proofs.batch import scalar

    return [*scalar.room()]


@proves(
    "proofs.doubles.wide",
    claim="N-3-ops",
    decides=False,
    timeout=180,
    scope="every x that is zero or a normal double with 2^-108 ≤ |x/Λ| < 2^66, every Λ from 2^-900 to 2^901, every "
    "normal λ and B",
)
def wide() -> list[Statement]:
    """Λ, round and clamp are the same on the patterns of doubles and on those with the reference's wider exponents.

    So the program on patterns releases the same number in either format, as long as all that it computes is a normal
    double or zero (proofs.doubles.noise). Decoding, adding and multiplying work on numbers, not on patterns.
    """
    from snapref_proofs.batch import widening

    rounding = [*widening.roundings(0), *widening.roundings(1)]
    return [*widening.lattices(), *widening.clamps(), *rounding]


def unproved(run: Run, stages: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Stages without a proof: there is none, or it only compares samples, or (with --thorough) it fails."""
    for stage, ids in stages.items():
        for id in ids or ("nothing",):
            found = REGISTRY.get(id)
            if found is None or found.kind == "sampled" or found.expected != "proved":
                yield f"{stage}: {id} is no registered proof"
            elif run.thorough and (status := found.check(run).status) != "proved":
                yield f"{stage}: {id} is {status}"
