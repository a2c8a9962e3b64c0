"""Whole releases of the batch path and of the reference, compared on samples; there should be no difference.

The obligation `proofs.batch.mechanism` and the tests use it.
"""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

import snapref.mechanism as reference
from snapref import Mechanism, SeededSource, Source
from snapref.arithmetic import Dyadic
from snapref.batch.draws import Floats, Words
from snapref.batch.mechanism import BatchMechanism, Doubles, snapped
from snapref.formats import BINARY64, Format, working_format
from snapref.randomness import draw
from snapref.uniform import Uniform
from snapref_proofs.batch.replayed import Begun, Draw, reference_word
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail

BatchProgram = Callable[[Floats, Doubles, Words, Source], Floats]
# ε, B, Δ, such that λ is at, just above or far from a power of two, Λ is finer or coarser than the values, or B extreme
PARAMETERS = (
    (1.0, 10.0, 1.0),
    (0.5, 100.0, 1.0),
    (0.3, 777.5, 2.5),
    (2.0, 1.0, 1.0),
    (0.7, 1e6, 3.0),
    (1e-3, 1e9, 1.0),
    (3.0, 2.0**40, 1.0),
    (1.0, 2.0**-880, 2.0**-890),
    (1.0, 2.0**890, 2.0**880),
    (0.1, 12.0, 1.0),
)


class _NoSource:
    """A source of random bits that must not be used."""

    name = "none"

    def bits(self, count: int) -> int:
        raise AssertionError("asked for more bits")


NO_SOURCE = _NoSource()


def words_of(random_part: Draw) -> tuple[int, int]:
    """Two random words that the batch path reads as this draw, for exponents up to 64."""
    return (random_part.sign == 1) | random_part.mantissa << 1, 1 << (64 - random_part.exponent)


def draw_of(u: Dyadic, sign: int) -> Draw | None:
    """The draw that gives this U*; None if its exponent is more than 64."""
    n, unit = u
    if n & (n - 1) == 0:  # a power of two may be written with 54 bits
        n, unit = 1, unit + n.bit_length() - 1
    spare = 53 - n.bit_length()
    exponent = spare - unit - 52
    return Draw(sign, exponent, (n << spare) - (1 << 52)) if 1 <= exponent <= 64 else None


def hard_cases(prepared: Mechanism, rng: random.Random, thresholds: int) -> Iterator[tuple[float, Draw]]:
    """Values and draws at the edges: exact thresholds of the mechanism, their neighbours, and the ends of U*."""
    budget = prepared.certificate.budget
    exact = Parameters(budget.scale, budget.bound)
    bound = float(budget.bound)
    values = [0.0, -0.0, bound, -bound, 2 * bound, float(budget.scale), float(prepared.certificate.lattice) / 2, 5e-324]
    values += [rng.uniform(-bound, bound) for _ in range(4)]
    for value in values:
        for sign in (1, -1):
            for exponent in (1, 2, 64):
                for mantissa in (0, 1, (1 << 52) - 2, (1 << 52) - 1, rng.getrandbits(52)):
                    yield value, Draw(sign, exponent, mantissa)
        c = from_fraction(max(-budget.bound, min(budget.bound, Fraction(value))))
        nearest = int(Fraction(value) / prepared.certificate.lattice)
        for _ in range(thresholds):
            j = max(-exact.last, min(exact.last - 1, nearest + rng.randint(-9, 8)))
            below, mass = tail(exact, c, boundary(exact, j))
            edge = draw_of(mass, 1 if below else -1) if mass.significand else None
            for step in (-1, 0, 1) if edge else ():
                assert edge is not None
                moved = edge.mantissa + step
                if 0 <= moved < 1 << 52:
                    yield value, edge._replace(mantissa=moved)


def differences(randomly: int, program: BatchProgram = snapped, thresholds: int = 12) -> tuple[int, list[str]]:
    """(how many releases were compared, those that differ, in words)."""
    rng = random.Random(0)
    count, wrong = 0, list[str]()
    for parameters in PARAMETERS:
        batch, prepared = BatchMechanism(*parameters), Mechanism(*parameters)
        cases = [(value, words_of(part)) for value, part in hard_cases(prepared, rng, thresholds)]
        bound = batch.parameters.bound
        cases += [(rng.uniform(-bound, bound), (rng.getrandbits(64), rng.getrandbits(64))) for _ in range(randomly)]
        cases += [(rng.uniform(-bound, bound), (rng.getrandbits(64), 0))]  # the coins go on after these 64
        values, words = np.array([v for v, _ in cases]), np.array([w for _, w in cases], np.uint64)
        found = program(values, batch.parameters, words, SeededSource(1))
        count += len(cases)
        for value, row, result in zip(values, words, found, strict=True):
            word = reference_word(*map(int, row))
            released = prepared.release(float(value), Begun(word, SeededSource(1))).value
            patterns = [
                on_patterns(float(value), batch.parameters, Begun(word, SeededSource(1)), fmt)
                for fmt in (BINARY64, working_format(53))
            ]
            for expected in (released, *patterns):
                if np.float64(expected).tobytes() != result.tobytes():  # the sign of a zero counts
                    wrong.append(f"{parameters}, value {value}, words {row}: reference {expected}, batch {result}")
    return count, wrong


def on_patterns(value: float, parameters: Doubles, source: Source, fmt: Format) -> float:
    """What the reference's program on patterns releases. The batch path is proved to release the same."""
    x, scale, bound = map(fmt.encode, (value, parameters.scale, parameters.bound))
    result = reference.snapped(x, scale, bound, *draw(source, Uniform(53)), fmt)
    return float(fmt.decode(result))
