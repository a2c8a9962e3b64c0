"""From below: parameters at p = 53 whose exact privacy loss comes close to what is proved (004 §4).

The proof says where to look: |x| a power of two just below B, κ = Λ/λ just above 1, Λ small against B, c and c' at most
Δ apart near ∓x so that the far threshold rounds across a cell between c and c' and the near one does not (the scenario
`fine, x = -1/2P, binades -1 -0 -1`). What is left to chance are the four errors of the division by λ: candidates are
drawn, ranked by these errors, and the best are put through the exact evaluator. The search is seeded and resumes from
its record; `record.json` holds the best so far, and the obligation theorem.below replays it.

    python -m snapref_proofs.theorem1.below --seed 7 --rounds 100000 --record record.json
"""

import argparse
import json
import math
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib import resources
from pathlib import Path

from snapref.budget import eta, round_to_bits
from snapref.certificate import hexadecimal
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Loss, entry_at
from snapref_proofs.evaluate.tails import Snapping, snapping
from snapref_proofs.evaluate.witness import Witness
from snapref_proofs.theorem1 import replay
from snapref_proofs.theorem1.replay import Configuration, rounded
from snapref_proofs.theorem1.statement import Regime

PRECISION = 53


@dataclass(frozen=True)
class Record:
    """One exact witness: Δ = 1, the numbers as C99 hex, k the number of the output."""

    scale: str
    bound: str
    a: str
    b: str
    k: int
    precision: int = PRECISION

    def mechanism(self) -> Snapping:
        scale, bound = (from_fraction(Fraction(float.fromhex(x))) for x in (self.scale, self.bound))
        return snapping(scale, bound, self.precision)

    def loss(self) -> Loss:
        a, b = (from_fraction(Fraction(float.fromhex(x))) for x in (self.a, self.b))
        return entry_at(self.mechanism(), self.k, a, b).loss

    def constant(self) -> tuple[Fraction, Fraction]:
        """An enclosure of (loss - ε - 2η)/(Bεη)."""
        h = eta(self.precision)
        scale, bound = Fraction(float.fromhex(self.scale)), Fraction(float.fromhex(self.bound))
        low, high = ((end - 1 / scale - 2 * h) * scale / (bound * h) for end in self.loss().enclosure(256))
        return low, high

    def witness(self) -> Witness:
        scale, bound, a, b = (Fraction(float.fromhex(x)) for x in (self.scale, self.bound, self.a, self.b))
        return Witness(scale, bound, a, b, self.k * Fraction(2) ** self.mechanism().lattice_exponent, self.precision)

    def configuration(self) -> Configuration:
        a, b = (Fraction(float.fromhex(x)) for x in (self.a, self.b))
        return Configuration(self.mechanism(), Fraction(1), self.k, a, b)

    def legal(self) -> bool:
        """|a - b| ≤ 1, both in [-B, B], λ ≤ B, and an interior output."""
        scale, bound, a, b = (Fraction(float.fromhex(x)) for x in (self.scale, self.bound, self.a, self.b))
        return (
            abs(a - b) <= 1 and max(abs(a), abs(b)) <= bound and scale <= bound and abs(self.k) < self.mechanism().last
        )


def record_file() -> Path:
    return Path(str(resources.files("snapref_proofs"))) / "theorem" / "record.json"


def load(path: Path | None = None) -> Record:
    return Record(**json.loads((path or record_file()).read_text(encoding="utf-8")))


def save(record: Record, path: Path) -> None:
    path.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")


def candidates(rng: random.Random, precision: int = PRECISION) -> Iterator[Configuration]:
    """In units of H, the spacing at τ1' = 2**(p-1): x = -2**(p-2), B = -x + 1/2, c' ≡ 1/2 and c ≡ 3/4 modulo 1.

    Then D2 = Δ and D1 = Δ - 1. In units of their spacing the four ε·V move by κ = 1 + small for every 1 that V
    moves, and small = 2**-t·(1 + …) for Δ = 2**t puts ε·V2 just below the end of a cell, ε·V1 and ε·V2' just above
    one, ε·V1' just below."""
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
        mechanism = snapping(from_fraction(scale), from_fraction(bound), p)
        yield Configuration(mechanism, sensitivity, int(-x / lattice), away - sensitivity + Fraction(1, 4), away)


def adversarial(rng: random.Random, regime: Regime) -> Iterator[Configuration]:
    """Parameters inside the conditions of a regime: those that replay.py draws, and candidates as above, by turns."""
    precisions = (regime.min_precision, regime.min_precision + 2, PRECISION)
    sources = [replay.configurations(rng, regime, most=Fraction(2**12))]
    sources += [candidates(rng, p) for p in precisions]
    while True:
        configuration = next(rng.choice(sources))
        mechanism = configuration.mechanism
        scale, bound = to_fraction(mechanism.scale), to_fraction(mechanism.bound)
        if scale <= bound <= regime.max_beta * 2**mechanism.precision * scale:
            yield configuration


def promise(configuration: Configuration) -> float:
    """The constant that the errors of z and y make to first order; E_u, which is smaller, is left to the evaluator."""
    found = configuration.distances()
    if found is None:
        return 0.0
    closed, near, away = found
    mechanism, p = configuration.mechanism, configuration.mechanism.precision
    scale, bound = to_fraction(mechanism.scale), to_fraction(mechanism.bound)
    g2, g1, g2p, g1p = (rounded(rounded(t, closed, p).middle / scale, closed, p).middle for t in (*near, *away))
    kappa = Fraction(2) ** mechanism.lattice_exponent / scale
    slope = 1 / (math.exp(kappa) - 1)
    unit = bound / scale * eta(p)
    gain = float((g2p - g2 - configuration.sensitivity / scale) / unit)
    return gain + slope * float(((g1 - g2) - (g1p - g2p)) / unit)


def as_record(configuration: Configuration) -> Record:
    """The same with everything divided by Δ, a power of two."""

    def text(x: Fraction) -> str:
        return ("-" if x < 0 else "") + hexadecimal(abs(x) / configuration.sensitivity)

    mechanism = configuration.mechanism
    scale, bound = to_fraction(mechanism.scale), to_fraction(mechanism.bound)
    return Record(text(scale), text(bound), text(configuration.c), text(configuration.c_p), configuration.k)


def search(seed: int, rounds: int, start: Record | None = None, elite: int = 20) -> Record:
    """The best of the start and of `rounds` candidates."""
    rng = random.Random(seed)
    best: list[tuple[float, int, Configuration]] = []
    for number, configuration in zip(range(rounds), candidates(rng), strict=False):
        best.append((promise(configuration), number, configuration))
        if len(best) > 50 * elite:
            best = sorted(best, key=lambda item: -item[0])[:elite]
    records = [as_record(configuration) for _, _, configuration in sorted(best, key=lambda item: -item[0])[:elite]]
    return max(([start] if start else []) + records, key=lambda record: record.constant()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="search for a large privacy loss; resumes from the record")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--record", type=Path, required=True)
    options = parser.parse_args()
    start = load(options.record) if options.record.exists() else None
    found = search(options.seed, options.rounds, start)
    save(found, options.record)
    print(f"{float(found.constant()[0]):.6f}")


if __name__ == "__main__":
    main()
