"""That the batch path is the reference, bit for bit: each stage, and `proofs.batch.same`, which puts them together.

They are evidence beside others, and decide none of them alone, for the claims about U* (N-3-U), LN (N-3-118p), ⊕ and ⊗
(N-3-ops, F-PLUS), rounding (N-4.2) and clamp (U-3.1.3a): what is said of the reference there holds for what releases.

Both programs run as they are on unknown inputs (stages.py), the logarithm on what is known of a cell (log_error.py).
numpy and bitwuzla are extras, so each check imports what it checks; without them it is undecided. What is trusted: IEEE
754 doubles in hardware (round to nearest even), that numpy does to each element of an array what lanes.py says, MPFR.
"""

from collections.abc import Callable, Iterator
from functools import wraps

from snapref_ledger import REGISTRY, Outcome, Run, obligation
from snapref_smt.engine.statement import Statement, absolute
from snapref_smt.engine.stating import proves

EXTRAS = {"numpy": "batch", "bitwuzla": "solvers", "cvc5": "solvers"}


def needs_extras(check: Callable[[Run], Outcome]) -> Callable[[Run], Outcome]:
    """The check, or undecided where numpy or a solver is not installed."""

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


@proves(
    "proofs.batch.draws",
    claim="N-3-U",
    part="conditional",
    decides=False,
    scope="all 2^128 pairs of words; where none of the 64 coins shows 1, every next word that does",
)
def draws() -> list[Statement]:
    """Two words are read as the reference reads the same bits: sign, exponent and mantissa, and so U*."""
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
    """ln u lies between the two ends that the batch logarithm computes: what it calls certain is correctly rounded."""
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
    "signs); each step decided, their composition is read",
)
def two_sum() -> list[Statement]:
    """s = a ⊕ b: s - a and b - (s - a) are p-bit numbers, so both are computed exactly (Dekker).

    A p-bit number is an integer below P = 2^p in units of its last place u, and so is any integer below P. In units of
    u(b), a and b are integers, and so is s: it is a + b where that is below P, and a larger number is a multiple of a
    larger unit. s is the number nearest to a + b, and a is one: so |s - (a + b)| ≤ |b|. And rounding is monotone: where
    a + b lies between two p-bit numbers, such as a, 2a and a/2, s does.
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
    """The same for doubles, the operations inside the solvers: s - a and b - (s - a) are computed exactly."""
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
    """What the batch logarithm calls certain is what MPFR returns; and it is nearly always certain."""
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
    "proofs.batch.noise",
    claim="N-3-ops",
    decides=False,
    timeout=180,
    scope="every λ, Λ and B that the batch path accepts, every LN(U*) of fewer than 2^64 coins, every value",
    beside=wrong_logarithms,
)
def noise() -> list[Statement]:
    """⊗ and ⊕ of doubles are those of the reference: no result is subnormal or overflows, and S is the sign of it."""
    from snapref_proofs.batch import stages

    return [*stages.ranges(), *stages.noises()]


@proves(
    "proofs.batch.clamp", claim="U-3.1.3a", decides=False, scope="every finite double x and every finite double B > 0"
)
def clamp() -> list[Statement]:
    """Clamping elements of an array is the reference's clamp, bit for bit, the sign of a zero included."""
    from snapref_proofs.batch import stages

    return [*stages.clamps()]


def wrong_inverses(run: Run) -> Iterator[str]:
    from snapref_proofs.batch import stages

    return stages.wrong_inverses()


@proves(
    "proofs.batch.round.scale",
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
    """One part of what rounding to integers has to be."""

    @proves(id, claim="N-4.2", part="corrected", decides=False, timeout=180, scope=scope)
    def rounding() -> list[Statement]:
        """Rounding by ⌊x⌋ and x - ⌊x⌋ ≥ 1/2 is the reference's rounding with Λ = 1, bit for bit."""
        from snapref_proofs.batch import stages

        others = stages.beyond() if exponents[-1] == 51 else ()
        return [*stages.integers(sign, exponents), *others]


register_rounding(
    "proofs.batch.round.positive", 0, range(-1, 52), "every double 1/2 ≤ x < 2^52; |x| < 1/2 and 2^52 ≤ |x| < 2^66"
)
register_rounding("proofs.batch.round.negative", 1, range(-1, 26), "every double 1/2 ≤ -x < 2^26")
register_rounding(
    "proofs.batch.round.negative.large",
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


# The stages in the order in which a release takes them, and the obligations that say that both programs do the same.
STAGES = {
    "two words → S, e, mantissa → U*": ("proofs.batch.draws",),
    "U* → LN(U*)": ("proofs.batch.log", "proofs.batch.two-sum"),
    "f(D) → clamp(f(D))": ("proofs.batch.clamp",),
    "clamp(f(D)), S, λ, LN(U*) → clamp(f(D)) ⊕ S⊗λ⊗LN(U*)": ("proofs.batch.noise",),
    "→ round, to a multiple of Λ": (
        "proofs.batch.round.scale",
        "proofs.batch.round.positive",
        "proofs.batch.round.negative",
        "proofs.batch.round.negative.large",
    ),
    "→ clamp": ("proofs.batch.clamp",),
}


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
    """The stages together are the release: both programs take them one after the other, and each has its proof.

    The reference is its program on the patterns of doubles, `snapref.mechanism.snapped`. What a stage relies on, the
    one before it gives, as both state it by the same predicates (`room`, `held`, `integer` of stages.py). With
    --thorough each proof is gone through here again; without, each has its own verdict. Read, and compared on samples
    (proofs.batch.mechanism): what stands around the stages. That is `Mechanism`, `BatchMechanism`, how they make λ, Λ
    and B of the budget, the loop that asks the reference for the logarithms that are in doubt, and that `encode`,
    `decode`, `add` and `multiply` of the reference are what their names say.
    """
    from snapref_proofs.batch import stages

    faults = [*stages.unlinked(), *stages.reference_unlinked(), *unproved(run)]
    needed = {id for ids in STAGES.values() for id in ids}
    return (
        Outcome("refuted", "\n".join(faults))
        if faults
        else Outcome("proved", f"{len(STAGES)} stages, {len(needed)} proofs")
    )


def unlinked(run: Run) -> Iterator[str]:
    """Whatever says that a program takes other stages, or in another order, than those that are proved."""
    from snapref_proofs.batch import scalar, stages

    yield from scalar.unlinked()
    yield from stages.unlinked()
    yield from stages.reference_unlinked()
    yield from unproved(run)


@proves(
    "proofs.doubles.same",
    claim="N-3-ops",
    decides=False,
    timeout=600,
    scope="every finite value, every draw of fewer than 2^64 coins, every λ and B with which Mechanism computes in "
    "doubles; the int that math.floor returns is modelled by its double",
    beside=unlinked,
)
def scalar_same() -> list[Statement]:
    """The reference's program on doubles computes what the batch path does, which is its program on patterns.

    Each stage by both solvers, and that λ, Λ and B are as `room` has them, given what `plan_budget` has checked; the
    order of the stages, in all three programs, by running them with names in place of stages. The proofs of the batch
    path and what is read are as in proofs.batch.same; from doubles' patterns to wider ones leads proofs.doubles.wide.
    """
    from snapref_proofs.batch import scalar

    return [*scalar.stages(), *scalar.room()]


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

    So the program on patterns is one program, whichever of the two formats it runs in, wherever all that it computes is
    a normal double or zero (proofs.batch.noise). Decoding, adding and multiplying are about numbers, not about formats.
    """
    from snapref_proofs.batch import widening

    rounding = [*widening.roundings(0), *widening.roundings(1)]
    return [*widening.lattices(), *widening.clamps(), *rounding]


def unproved(run: Run) -> Iterator[str]:
    """Stages without a proof: it is not there, or it only compares samples, or (with --thorough) it fails."""
    for stage, ids in STAGES.items():
        for id in ids or ("nothing",):
            found = REGISTRY.get(id)
            if found is None or found.kind == "sampled" or found.expected != "proved":
                yield f"{stage}: {id} is no registered proof"
            elif run.thorough and (status := found.check(run).status) != "proved":
                yield f"{stage}: {id} is {status}"
