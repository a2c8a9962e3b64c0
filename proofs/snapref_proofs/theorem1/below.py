"""How good Theorem 1's constant is: a search for parameters at p = 53 whose exact loss is close to the bound (004 §4).

The proof shows where to look. |x| is a power of two just below B, κ = Λ/λ is just above 1, and Λ is small compared with
B. c and c' are at most Δ apart, near ∓x. Between c and c' the rounded distance of the far threshold jumps to another
cell, and that of the near one does not (the scenario `fine, x = -1/2P, binades -1 -0 -1`). The four errors of the
division by λ are left to chance. Candidates are drawn at random and ranked by these errors, and the best go through the
exact evaluator. The search is seeded, and continues from its record. `record.json` holds the best that was found, and
the obligation theorem.below replays it.

    python -m snapref_proofs.theorem1.below --seed 7 --rounds 100000 --record record.json
"""

import argparse
import json
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from importlib import resources
from pathlib import Path

from snapref.budget import eta, round_to_bits
from snapref.certificate import hexadecimal
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.theorem1 import replay
from snapref_proofs.theorem1.replay import Configuration, rounded
from snapref_proofs.theorem1.statement import Regime

PRECISION = 53


def record_file() -> Path:
    return Path(str(resources.files("snapref_proofs"))) / "theorem1" / "record.json"


def load(path: Path | None = None) -> Configuration:
    """The configuration in a file, with Δ = 1. Its numbers are in C99 hex, and k is the number of the output."""
    kept = json.loads((path or record_file()).read_text(encoding="utf-8"))
    scale, bound, a, b = (Fraction(float.fromhex(kept[name])) for name in ("scale", "bound", "a", "b"))
    return Configuration(Parameters(scale, bound, kept["precision"]), Fraction(1), kept["k"], a, b)


def save(configuration: Configuration, path: Path) -> None:
    m = configuration.parameters
    numbers = {"scale": m.scale, "bound": m.bound, "a": configuration.c, "b": configuration.c_p}
    texts = {name: ("-" if x < 0 else "") + hexadecimal(abs(x)) for name, x in numbers.items()}
    kept = {**texts, "k": configuration.k, "precision": m.precision}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def constant(configuration: Configuration) -> tuple[Fraction, Fraction]:
    """An enclosure of (loss - ε - 2η)/(Bεη)."""
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
    precisions = (regime.min_precision, regime.min_precision + 2, PRECISION)
    sources = [replay.configurations(rng, regime, most=Fraction(2**12))]
    sources += [candidates(rng, p) for p in precisions]
    while True:
        configuration = next(rng.choice(sources))
        m = configuration.parameters
        if m.scale <= m.bound <= regime.max_beta * 2**m.precision * m.scale:
            yield configuration


def promise(configuration: Configuration) -> float:
    """The constant to first order, from the errors of ⊗ and LN. E_u, which is smaller, is left to the evaluator."""
    found = configuration.distances()
    if found is None:
        return 0.0
    closed, near, away = found
    m, p = configuration.parameters, configuration.parameters.precision
    g2, g1, g2p, g1p = (rounded(rounded(t, closed, p).middle / m.scale, closed, p).middle for t in (*near, *away))
    kappa = m.lattice / m.scale
    slope = 1 / (math.exp(kappa) - 1)
    unit = m.bound / m.scale * eta(p)
    gain = float((g2p - g2 - configuration.sensitivity / m.scale) / unit)
    return gain + slope * float(((g1 - g2) - (g1p - g2p)) / unit)


def per_sensitivity(configuration: Configuration) -> Configuration:
    """The same with everything divided by Δ, a power of two."""
    m, size = configuration.parameters, configuration.sensitivity
    parameters = Parameters(m.scale / size, m.bound / size, m.precision)
    return Configuration(parameters, Fraction(1), configuration.k, configuration.c / size, configuration.c_p / size)


def search(seed: int, rounds: int, start: Configuration | None = None, elite: int = 20) -> Configuration:
    """The best of the start and of `rounds` candidates."""
    rng = random.Random(seed)
    best: list[tuple[float, int, Configuration]] = []
    for number, configuration in zip(range(rounds), candidates(rng), strict=False):
        best.append((promise(configuration), number, configuration))
        if len(best) > 50 * elite:
            best = sorted(best, key=lambda item: -item[0])[:elite]
    found = [per_sensitivity(configuration) for _, _, configuration in sorted(best, key=lambda item: -item[0])[:elite]]
    return max(([start] if start else []) + found, key=lambda configuration: constant(configuration)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="search for a large privacy loss; resumes from the record")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--record", type=Path, required=True)
    options = parser.parse_args()
    start = load(options.record) if options.record.exists() else None
    found = search(options.seed, options.rounds, start)
    save(found, options.record)
    print(f"{float(constant(found)[0]):.6f}")


if __name__ == "__main__":
    main()
