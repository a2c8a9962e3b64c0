"""How good Theorem 1's constant is: parameters whose exact loss is as close to the bound as one likes (004 §4).

The proof shows where the worst case is (the scenario `fine, x = -1/2P, binades -1 -0 -1`): |x| is a power of two just
below B, c and c' lie at the other end, and Λ is small compared with B. Between c and c' the rounded distance of the far
threshold jumps to another cell, and that of the near one does not. κ = Λ/λ is just above 1, and the four errors of LN
have the worst sign and nearly their full size. `worst` solves these conditions: one set of parameters for every p. Its
constant tends to LIMIT = 4 + 12/(e - 1) as p and B/λ grow, with a gap of less than 32·2**-⌊(p-2)/3⌋. Nothing is
searched for. The obligations theorem.below and theorem.below.sequence evaluate what it returns.
"""

import random
from collections.abc import Iterator
from fractions import Fraction

from snapref.budget import eta, round_to_bits
from snapref_proofs.evaluate.intervals import Enclosure, Engine, sign
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.theorem1 import replay
from snapref_proofs.theorem1.replay import Configuration
from snapref_proofs.theorem1.statement import Regime

PRECISION = 53
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def limit(engine: Engine) -> Enclosure:
    """4 + 12/(e - 1) = 10.98372…"""
    one = engine.between(Fraction(1), Fraction(1))
    return 4 + 12 / (engine.exp(one) - 1)


def against_the_limit(x: Fraction) -> int:
    """The sign of x - LIMIT, by both interval engines."""
    return sign(lambda engine: engine.between(x, x) - limit(engine), 128)


def worst(precision: int = PRECISION) -> Configuration:
    """The worst case at p ≥ 12 bits, with Δ = 1; `phases` says which conditions it solves.

    In units of H, the spacing of floats at τ1' ≥ P = 2**(p-1): x = -P/2, B = P/2 + 1/2, Δ = 2**t, Λ = 2Δ²; c' ≡ 1/2 and
    c = c' - Δ + 1/4 ≡ 3/4 modulo 1. Then V2' - V2 = Δ, V1' - V1 = Δ - 1 and V1 - V2 = Λ + 3/4, and V2 ≡ 3/4. Let
    κ = 1 + 1/S. In units of the spacing of εV, which is that of κV, a whole number n adds n/S to the phase of κV.
    """
    t = (precision - 2) // 3
    half, step = Fraction(2) ** (precision - 2), Fraction(2) ** t
    bound, lattice = half + HALF, 2 * step**2
    wanted = (lattice + QUARTER) / (2 * step + QUARTER)  # makes φ = 1/2
    scale = round_to_bits(lattice / (1 + 1 / wanted), precision, up=False)
    s = 1 / (lattice / scale - 1)
    furthest = bound - step + half - lattice / 2 + QUARTER  # V2 where c' = B
    turns = (furthest - s / 4) // s
    while True:
        end = (turns + QUARTER) * s  # where κV would be at the end of a cell
        short = (end - Fraction(3, 4)) % 1
        if all(phase > 0 for phase in phases(step, lattice, s, short)):
            break
        turns -= 1
    far = bound - (furthest - (end - short))  # c'
    parameters = Parameters(scale / step, bound / step, precision)
    near = far - step + QUARTER
    return Configuration(parameters, Fraction(1), int(-half / lattice), near / step, far / step)


def phases(step: Fraction, lattice: Fraction, s: Fraction, short: Fraction) -> tuple[Fraction, ...]:
    """How far εV2, εV2', εV1 and εV1' are from the end of a cell that makes their error worst, in units of 1/S.

    εV2 and εV1' must lie just below the end of a cell, εV2' and εV1 just above one. `short` is what is missing at V2.
    From V2 to V2' the phase grows by θ/S, where θ = Δ - S; from V2 to V1 by φ/S, where Λ + 3/4 = (2Δ + 1/4)S + φ; and
    from V1 to V1' by (θ - 1)/S. If all four are positive, the errors are worst; then they lose at most 2/S together.
    """
    theta, phi = step - s, lattice + Fraction(3, 4) - (2 * step + QUARTER) * s
    return short, theta - short, phi - short, 1 - theta - phi + short


def constant(configuration: Configuration) -> tuple[Fraction, Fraction]:
    """An enclosure of (loss - Δ/λ - 2η)/(B·η/λ)."""
    m, epsilon = configuration.parameters, configuration.sensitivity / configuration.parameters.scale
    h, loss = eta(m.precision), witness(configuration).loss
    low, high = ((end - epsilon - 2 * h) * m.scale / (m.bound * h) for end in loss.enclosure(256))
    return low, high


def witness(configuration: Configuration) -> Witness:
    m, k = configuration.parameters, configuration.k
    return Witness(m, configuration.c, configuration.c_p, k * m.lattice, configuration.sensitivity)


def legal(configuration: Configuration) -> bool:
    """|a - b| ≤ Δ, both in [-B, B], λ ≤ B, and an interior output."""
    m, a, b = configuration.parameters, configuration.c, configuration.c_p
    near, held = abs(a - b) <= configuration.sensitivity, max(abs(a), abs(b)) <= m.bound
    return near and held and m.scale <= m.bound and abs(configuration.k) < m.last


def candidates(rng: random.Random, precision: int = PRECISION) -> Iterator[Configuration]:
    """Random configurations near the worst case, in units of H, the spacing at τ1' = 2**(p-1).

    x = -2**(p-2), B = -x + 1/2, c' ≡ 1/2 and c ≡ 3/4 modulo 1. Then D2 = Δ and D1 = Δ - 1. If V moves by 1, ε·V moves
    by κ = 1 + small, in units of its spacing. With Δ = 2**t, small = 2**-t·(1 + …) puts ε·V2 and ε·V1' just below the
    end of a cell, and ε·V1 and ε·V2' just above one.
    """
    p = precision
    x = Fraction(2) ** (p - 2)
    bound = x + Fraction(1, 2)
    while True:
        t = rng.randint(4, 12) if p >= 40 else rng.randint(0, p // 4)
        m = rng.randint(2 * t + 3, 2 * t + 12) if p >= 40 else rng.randint(5, p - 4)
        lattice, sensitivity = Fraction(2) ** m, Fraction(2) ** t
        aim = Fraction(1, 2**t) * (1 + Fraction(rng.uniform(0.05, 0.95)) / 2**t)
        first = Fraction(rng.uniform(0.05, 0.95)) * aim  # how far ε·V1 may lie above the end of its cell
        small = (round(aim * lattice) + first - Fraction(3, 4) * (1 + aim)) / lattice
        scale = round_to_bits(lattice / (1 + small), p, up=False)
        kappa = lattice / scale
        start = (2 * x - lattice / 2 - sensitivity + Fraction(3, 4)) * kappa % 1  # of ε·V2 where c' = B
        wanted = start + Fraction(rng.uniform(0.02, 0.6)) * aim + rng.randint(0, 7)
        if kappa == 1:
            continue
        away = bound - round(wanted / (kappa - 1))
        if away < x / 2:
            continue
        mechanism = Parameters(scale, bound, p)
        yield Configuration(mechanism, sensitivity, int(-x / lattice), away - sensitivity + Fraction(1, 4), away)


def adversarial(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """Configurations inside the conditions of a regime: some as replay.py draws them, some from `candidates`."""
    least = max(regime.min_precision, 11)  # with fewer bits there is no room for `candidates`
    precisions = (least, least + 2, PRECISION)
    sources = [replay.configurations(rng, regime, most=Fraction(2**12))]
    sources += [candidates(rng, p) for p in precisions]
    while True:
        configuration = next(rng.choice(sources))
        m = configuration.parameters
        if m.scale <= m.bound <= regime.max_beta * 2**m.precision * m.scale:
            yield configuration
