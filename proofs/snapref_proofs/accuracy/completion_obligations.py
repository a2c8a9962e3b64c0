"""Claim N-GA, what 002 §6.2 looks for: accuracies that hold, for a given f and for every f.

They are for the ideal mechanism and for the floating-point program. Two things are decided for all parameters: the
exact distribution of the error N, from which the quantile at f follows, and a bound on P(N > a) for every f. The code
that turns them into numbers (sound.py) is compared with the exact distribution, output by output.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from snapref.budget import round_to_bits
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.accuracy import statements as s
from snapref_proofs.accuracy.compare import worst_value
from snapref_proofs.accuracy.judging import BOTH_SIGNS, states
from snapref_proofs.accuracy.program import Computed
from snapref_proofs.accuracy.sound import ideal_tail, least_accuracy, program_tail, quantile
from snapref_proofs.evaluate.parameters import Parameters, smallest_lattice
from snapref_proofs.figure2 import statements as figure2
from snapref_proofs.ideal.model import HALF, Ideal, constant
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves

CLAIM = "N-GA"

states(
    "exact_law",
    CLAIM,
    "P(N > x) = F((k - ½)Λ - f) for x < B + f, plus 1 - F((l + ½)Λ - f) for x < B - f, kΛ the first multiple ≥ f - x "
    "and lΛ the last ≤ f + x; so the smallest x with P(N > x) ≤ α exists, and is one of the errors |f - output|.",
    f"{BOTH_SIGNS}; every real x ≥ 0, every λ' > 0",
    s.exact_law,
    s.steps_are_closed_on_the_left,
)
states(
    "tail",
    CLAIM,
    "a ≥ Λ/2, M = ⌊2a/Λ⌋: P(N > a) ≤ ½(e^-(a - Λ/2)/λ' + e^-(MΛ - a + Λ/2)/λ'); without the second term for "
    "a ≥ B - |f|; 0 for a ≥ B + |f|.",
    f"{BOTH_SIGNS}; every real a ≥ Λ/2, every λ' > 0",
    s.exact_law,
    s.thresholds_apart,
    s.one_side_beyond,
    s.tail_at_most_exponential,
    s.two_tails,
)
states(
    "plain",
    CLAIM,
    "a = Λ/2 + λ'·ln(1/α), or 2B where that is less: P(N > a) ≤ α for every f.",
    f"{BOTH_SIGNS}; λ' ≤ Λ < 2λ'; every α in (0, 1]",
    s.z_reaches,
    s.clamp_helps,
    s.largest_error,
)


@proves(
    "proofs.accuracy.program",
    claim=CLAIM,
    scope="every p ≥ 2, λ, B, floats |f| ≤ B, a ≥ Λ/2, U* unbounded: each of the two tails of the program",
)
def program_bound() -> list[Statement]:
    """The program's tail is at most 1 + 2η times the ideal tail at the scale λ/(1 - η)² and nearer by η(B + Λ/2).

    A noisy value beyond a threshold T at the distance d needs a draw u with -ln u ≥ (d - η|T|)(1 - η)²/λ, where
    |T| < B + Λ/2. That U* has p bits costs the factor 1 + 2η.
    """
    ends = (*figure2.ends_below(), *figure2.ends_above(), *figure2.signs())
    inside = (*s.thresholds_apart(), *s.thresholds_inside())
    return [*inside, figure2.rounding_error(), *ends, figure2.grid_of_uniform()]


def random_mechanisms(count: int, seed: int) -> Iterator[tuple[Computed, Fraction, Fraction, Fraction]]:
    """A program of 5 to 53 bits, an f that it holds, an a (a threshold, an error, an end, anything), and an α."""
    rng = random.Random(seed)
    for _ in range(count):
        p = rng.choice((5, 8, 11, 24, 53))
        top = 1 << (p - 1)
        scale = Fraction(rng.choice((top, top + 1, 2 * top - 1, top + rng.randrange(top))), top)
        bound = round_to_bits(scale * rng.choice((HALF, 1, 3, 9)) * Fraction(rng.randint(8, 16), 8), p, up=True)
        program = Computed(Parameters(scale, bound, p))
        ideal = program.ideal
        inside = bound * Fraction(rng.randint(1, 63), 64)
        values = (Fraction(0), bound, round_to_bits(inside, p, up=False), min(bound, ideal.lattice / 2))
        f = rng.choice((1, -1)) * rng.choice(values)
        errors = abs(f - ideal.output(rng.randint(-ideal.last, ideal.last)))
        steps = ideal.lattice / 2 * rng.randint(1, 6)
        a = rng.choice((errors, errors, steps, bound - abs(f), bound, 2 * inside))
        yield program, f, a, Fraction(rng.randint(1, 97), 100)


@obligation(
    "proofs.accuracy.code",
    claim=CLAIM,
    kind="exact",
    decides=False,
    timeout=300,
    scope="random λ, B, f, a, p = 5 to 53, corners among them: the code against the exact law, output by output",
)
def code(run: Run) -> Outcome:
    """The tails, bounds and quantiles of sound.py agree with the exact laws of the ideal mechanism and the program."""
    count = 3000 if run.thorough else 300
    for program, f, a, alpha in random_mechanisms(count, seed=6):
        ideal, where = program.ideal, f"{program.ideal}, p = {program.parameters.precision}, f = {f}, a = {a}"
        law = list(ideal.law(f))
        if sum((p for x, p in law if abs(x - f) > a), constant(0)) != ideal.exceeds(a, f):
            return Outcome("refuted", "P(N > a) is not the sum over the outputs", where)
        for kind, exact, tails in (
            ("ideal", ideal.exceeds(a, f), (ideal_tail(ideal, f), ideal_tail(ideal))),
            ("program", program.exceeds(a, f), (program_tail(program, f), program_tail(program))),
        ):
            at_f, anywhere = (tail(a) for tail in tails)
            if (at_f - exact).sign() < 0 or (anywhere - at_f).sign() < 0:
                return Outcome("refuted", f"{kind}: the tail is larger than its bound", where)
        errors = sorted({abs(f - x) for x, _ in law})
        for mechanism in (ideal, program):
            smallest = next(e for e in errors if mechanism.exceeds(e, f).at_most(alpha))
            if quantile(mechanism, alpha, f) != smallest:
                return Outcome("refuted", "the quantile is another", f"{where}, α = {alpha}")
    return Outcome("proved", f"{count} mechanisms")


@obligation(
    "proofs.accuracy.tight",
    claim=CLAIM,
    kind="exact",
    decides=False,
    timeout=300,
    scope="λ = 1, 5/4, 7/4, 2 - 2^-20, B = 64Λ, α from 10^-9 to 0.9: a less by Λ·2^-20 fails at some f",
)
def tight(run: Run) -> Outcome:
    """The accuracy for every f cannot be smaller: for an a that is a little less, some f has P(N > a) > α."""
    shown = 0
    for scale in (Fraction(1), Fraction(5, 4), Fraction(7, 4), 2 - Fraction(1, 2**20)):
        ideal = Ideal(Parameters(scale, 64 * smallest_lattice(scale)))
        for alpha in (Fraction(1, 10**9), *(Fraction(n, 1000) for n in (1, 5, 20, 50, 100, 250, 500, 900))):
            a = least_accuracy(ideal_tail(ideal), alpha) - ideal.lattice / 2**20
            if ideal.exceeds(a, worst_value(ideal, a)).at_most(alpha):
                return Outcome("refuted", "", f"{ideal}, α = {alpha}: a = {float(a)} is enough, too")
            shown += 1
    return Outcome("proved", f"{shown} pairs of λ and α")
