"""The fixed questions: inputs for every component operation. The flags of each say why it is there (flags.py).

They are the edges of every case, inputs for each path and for each pair of neighbouring cases, and logarithms that are
hard to round. Every target is asked these, and they are written as test vectors (vectors.py).
"""

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from itertools import product
from typing import NamedTuple

from snapref import binary64
from snapref_crosscheck.protocol import Args
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.tails import boundary, tail

LEAST, LARGEST, BELOW_ONE = 2.0**-1074, math.ldexp(2 - 2.0**-52, 1023), 1 - 2.0**-53
SEED = 2012


class Case(NamedTuple):
    """One question."""

    op: str
    args: Args
    flags: tuple[str, ...]
    comment: str


def up(x: float) -> float:
    return math.nextafter(x, math.inf)


def down(x: float) -> float:
    return math.nextafter(x, -math.inf)


def lattice_cases() -> Iterator[Case]:
    """Λ: around every power of two, subnormals, anything."""

    def case(scale: float, *flags: str, comment: str = "") -> Case:
        subnormal = ("Subnormal",) if 0 < scale < 2.0**-1022 else ()
        return Case("lattice", {"scale": scale}, (*flags, *subnormal), comment)

    for scale in (1.0, 0.75, 1.5, 10.0, 1 / 3):
        yield case(scale, "Ordinary")
    for k in sorted({*range(-1074, 1024, 11), -1074, -1073, -1072, *range(-1026, -1018), *range(-8, 9), 1022, 1023}):
        power = math.ldexp(1.0, k)
        yield case(power, "PowerOfTwo", comment=f"2**{k}")
        yield case(up(power), "NextToPowerOfTwo", *(["Overflow"] if k == 1023 else []), comment=f"above 2**{k}")
        if down(power) > 0:
            yield case(down(power), "NextToPowerOfTwo", comment=f"below 2**{k}")
    yield case(LARGEST, "Overflow", comment="the largest double")
    rng = random.Random(SEED)
    for _ in range(200):
        yield case(math.ldexp(rng.getrandbits(53) | 1 << 52, rng.randrange(-1126, 970)), "Anywhere")
    for bad, word in ((0.0, "zero"), (-1.0, "negative")):
        yield case(bad, "BadParameter", comment=word)
    yield case(math.nan, "NotANumber")


def round_cases() -> Iterator[Case]:
    """round_Λ: ties, multiples and what is next to them, and both sides of every edge between the four cases."""

    def case(x: float, lattice: float, *flags: str, comment: str = "") -> Case:
        return Case("round", {"x": x, "lattice": lattice}, flags, comment)

    exponents = (0, 1, -1, 4, -10, 52, 53, -53, 100, -500, 500, 900, -1000, -1022, -1030, -1073, -1074, 969, 1022, 1023)
    multiples = (0, 1, 2, 3, 4, 7, 1000, 2**31, 2**51 - 1, 2**51, 2**52 - 1, 2**52, 2**53 - 1)
    for m, k in product(exponents, multiples):
        unit = math.ldexp(1.0, m)
        if k.bit_length() + m > 1024:
            continue
        whole = math.ldexp(float(k), m)
        tie = math.ldexp(k + 0.5, m) if k < 2**52 and m > -1074 and (k + 1).bit_length() + m <= 1024 else None
        for sign in (1, -1):
            if tie is not None:
                carry = ("Carry",) if k & (k + 1) == 0 else ()
                yield case(sign * tie, unit, "Tie", *carry, comment=f"{sign}·({k} + 1/2)·2**{m}")
                yield case(sign * up(tie), unit, "NextToTie", *carry)
                if down(tie) > 0:
                    yield case(sign * down(tie), unit, "NextToTie")
            yield case(sign * whole, unit, "Zero" if k == 0 else "Multiple", comment=f"{sign}·{k}·2**{m}")
            for neighbour in (up(whole), down(whole)) if k else (LEAST,):
                if 0 < neighbour < math.inf:
                    yield case(sign * neighbour, unit, "NextToMultiple")
    for m, y, sign in product((0, 3, -7, 60, -900, 900, -1022), (-2, -1, 0, 1, 51, 52, 53), (1, -1)):
        edge = math.ldexp(1.0, m + y)
        for x in (edge, down(edge), up(edge)):
            yield case(sign * x, math.ldexp(1.0, m), "CaseEdge", comment=f"{sign}·2**{y}·Λ or next to it")
    rng = random.Random(SEED + 1)
    for _ in range(300):
        m = rng.randrange(-60, 60)
        x = math.ldexp(rng.getrandbits(53) * rng.choice((1, -1)), m - 53 + rng.randrange(-3, 56))
        yield case(x, math.ldexp(1.0, m), "Anywhere")
    yield case(LARGEST, 2.0**1023, "Overflow", comment="the largest double")
    yield case(LARGEST, 2.0**1000, "Overflow", comment="the largest double")
    for x in (math.nan, math.inf, -math.inf):
        yield case(x, 1.0, "NotANumber" if math.isnan(x) else "BadParameter")
    yield case(1.0, math.nan, "NotANumber")


def clamp_cases() -> Iterator[Case]:
    """clamp_B: at the bound, next to it, far inside and outside."""

    def case(x: float, bound: float, *flags: str) -> Case:
        return Case("clamp", {"x": x, "bound": bound}, flags, "")

    bounds = (1.0, 10.0, 0.1, 1e6, 2.0**52, 1e300, 1e-300, LARGEST, LEAST, 2.0**-1022, 100.3, 0.0)
    for bound, sign in product(bounds, (1, -1)):
        yield case(sign * bound, bound, "AtBound")
        if up(bound) < math.inf:
            yield case(sign * up(bound), bound, "NextToBound", "Outside")
        if bound > 0:
            yield case(sign * down(bound), bound, "NextToBound", "Inside")
        for factor in (0.5, 0.75, 2.0, 3.7, 1e10):
            x = sign * factor * bound
            if math.isfinite(x):
                yield case(x, bound, "Inside" if abs(x) <= bound else "Outside")
        yield case(sign * 0.0, bound, "Zero", "Inside")
        yield case(sign * math.inf, bound, "Infinity", "Outside")
        yield case(sign * LEAST, bound, "Subnormal", "Inside" if bound else "Outside")
        yield case(sign * LARGEST, bound, "Inside" if bound == LARGEST else "Outside")
    rng = random.Random(SEED + 2)
    for _ in range(200):
        x, bound = (math.ldexp(rng.getrandbits(53), rng.randrange(-60, -45)) for _ in range(2))
        yield case(rng.choice((x, -x)), bound, "Anywhere", "Inside" if x <= bound else "Outside")
    yield case(math.nan, 1.0, "NotANumber")
    for bound in (math.nan, math.inf, -1.0, -LEAST):
        yield case(0.5, bound, "NotANumber" if math.isnan(bound) else "BadParameter")


@lru_cache(maxsize=1)
def hard_logs() -> tuple[float, ...]:
    """u whose logarithm is within 2**-16 of a last place of the middle between two doubles, the hardest first."""
    text = resources.files("snapref_crosscheck").joinpath("hard_logs.txt").read_text("ascii")
    return tuple(float.fromhex(line) for line in text.split())


def log_cases() -> Iterator[Case]:
    """LN: hard to round, next to 1, powers of two, the ends, anything."""

    def case(u: float, *flags: str) -> Case:
        return Case("log", {"u": u}, (*flags, *(("Subnormal",) if u < 2.0**-1022 else ())), "")

    for u in (0.5, 0.25, 0.75, 0.1, 1 / math.e):
        yield case(u, "Ordinary")
    for u in (LEAST, up(LEAST), 2.0**-1022, down(2.0**-1022), BELOW_ONE):
        yield case(u, "ExtremeUniform")
    for u in hard_logs():
        yield case(u, "HardToRound")
    for k in range(1, 257):
        yield case(1 - k * 2.0**-53, "NearOne")
    for k in range(2, 1075, 9):
        yield case(math.ldexp(1.0, -k), "PowerOfTwo")
    rng = random.Random(SEED + 3)
    for exponent in (*range(1, 40), *range(40, 1075, 25)):
        for _ in range(12):
            yield case(math.ldexp((1 << 52) + rng.getrandbits(52), -52 - exponent) or LEAST, "Anywhere")
    yield case(math.nan, "NotANumber")


def uniform_cases() -> Iterator[Case]:
    """U* from its exponent and mantissa: every kind of mantissa, the subnormal range, and below it."""
    rng = random.Random(SEED + 4)
    mantissas = (0, 1, 2**52 - 1, 2**51, 2**51 - 1, 2**51 + 1, 0x5555555555555, 0xAAAAAAAAAAAAA)
    exponents = (1, 2, 3, 10, 52, 53, 54, 1000, 1020, 1021, 1022, *range(1023, 1080), 1100, 1127, 2000, 5000, 100000)
    for exponent in exponents:
        for mantissa in (*mantissas, rng.getrandbits(52)):
            flags = ["Mantissa"] if mantissa in mantissas else ["Anywhere"]
            if exponent > 1022:
                flags.append("Truncated")
            if exponent > 1074:
                flags.append("Smallest")
            yield Case("uniform", {"exponent": exponent, "mantissa": mantissa}, tuple(flags), "")


def snap_cases() -> Iterator[Case]:
    """The whole mechanism: exact ties, both sides of exact thresholds, both clamps, extreme U*, extreme parameters."""
    yield from _ordinary_snaps()
    yield from _tie_snaps()
    yield from _threshold_snaps()
    yield from _extreme_snaps()


def _snap(value: float, scale: float, bound: float, sign: int, u: float, *flags: str, comment: str = "") -> Case:
    unit = Fraction(binary64.lattice(scale)) if scale <= 2.0**1023 else Fraction(1)
    extra = ("OffLatticeBound",) if Fraction(bound) % unit else ()
    clamped = ("InputClamped",) if abs(value) > bound else ()
    args: Args = {"value": value, "scale": scale, "bound": bound, "sign": sign, "u": u}
    return Case("snap", args, (*flags, *clamped, *extra), comment)


MECHANISMS = ((1.0, 10.0), (1.5, 10.0), (1.4285714285714286, 10.3), (4.25, 100.0), (0.1, 2.5), (3.0, 1e6), (1e-3, 1.0))


def _ordinary_snaps() -> Iterator[Case]:
    for (scale, bound), sign in product(MECHANISMS, (1, -1)):
        for value, u in product(
            (0.0, 0.3 * bound, -0.71 * bound, bound, -bound, 1.7 * bound, -3 * bound), (0.5, 0.9, 0.01)
        ):
            yield _snap(value, scale, bound, sign, u, "Ordinary")
        for value, u in product((0.0, -0.0, bound, -bound, 0.5 * scale), (LEAST, 2.0**-1022, BELOW_ONE, 1e-300)):
            yield _snap(value, scale, bound, sign, u, "ExtremeUniform", *(["OutputClamped"] if u < 0.1 else []))


def _tie_snaps() -> Iterator[Case]:
    """Values for which the noisy value is exactly (k + ½)Λ. Some cancel, which shows a fused multiply-add."""
    rng = random.Random(SEED + 5)
    for (scale, bound), sign in product(MECHANISMS, (1, -1)):
        unit = binary64.lattice(scale)
        found = 0
        for _ in range(400):
            k = rng.randrange(-3, 3)
            u = rng.choice((rng.random(), rng.random() ** 4, 0.5, 0.25)) or 0.5
            tie = (k + 0.5) * unit
            noise = sign * scale * binary64.log(u)
            value = tie - noise
            if abs(value) <= bound and abs(tie) < bound and value + noise == tie:
                yield _snap(value, scale, bound, sign, u, "Tie")
                found += 1
            if found == 30:
                break


def _threshold_snaps() -> Iterator[Case]:
    """The u on both sides of the exact threshold of U* between two outputs. Inverting the mechanism finds it."""
    rng = random.Random(SEED + 6)
    for scale, bound in (*MECHANISMS, (1.0, 2.0**45), (0.7, 2.0**48), (1.1, 1e13)):
        mechanism = Parameters(Fraction(scale), Fraction(bound), uniform="binary64")
        large = ("LargeBound",) if bound > 2.0**40 else ()
        for _ in range(24):
            value = rng.choice((0.0, bound, -bound, rng.uniform(-bound, bound), rng.uniform(-bound, bound)))
            centre = int(Fraction(value) / mechanism.lattice)
            j = max(-mechanism.last, min(mechanism.last - 1, centre + rng.randrange(-6, 6)))
            below, mass = tail(mechanism, from_fraction(value), boundary(mechanism, j))
            edge = float(to_fraction(mass))
            for u in (edge, down(edge)):
                if 0 < u < 1:
                    comment = f"the threshold between outputs {j} and {j + 1}, in units of Λ"
                    yield _snap(value, scale, bound, 1 if below else -1, u, "ThresholdEdge", *large, comment=comment)


def _extreme_snaps() -> Iterator[Case]:
    sets = (
        (1e-310, 1e-300),
        (LEAST, 1.0),
        (1e300, 1e307),
        (2.0**-1022, 2.0**-1010),
        (2.0**1000, LARGEST),
        (1.0, LEAST),
    )
    for (scale, bound), sign, u in product(sets, (1, -1), (0.5, 0.3, LEAST, BELOW_ONE)):
        for value in (0.0, bound, -bound, bound / 3):
            yield _snap(value, scale, bound, sign, u, "UnderflowOrOverflow")


def inner_epsilon_cases() -> Iterator[Case]:
    """ε': ordinary parameters, and some for which the terms 2η and 12·B·η take a visible part of ε."""
    for epsilon, bound, sensitivity in product((1.0, 0.7, 0.1, 3.0), (10.0, 1000.3, 1e6), (1.0, 0.5, 4.0)):
        yield _inner(epsilon, bound, sensitivity, "Ordinary")
    for epsilon, bound, sensitivity in product((1.0, 0.25), (2.0**44, 2.0**45, 1e12), (1.0, 0.5)):
        yield _inner(epsilon, bound, sensitivity, "LargeLoss")
    for exponent in (-30, -40, -44):
        yield _inner(1.5 * 2.0**exponent, 2.0 ** (2 - exponent), 1.0, "SmallEpsilon", "LargeLoss")
        yield _inner(1.5 * 2.0**exponent, 2.0 ** (2 - exponent), 1024.0, "SmallEpsilon")
    for sensitivity in (3.0, 0.1, 7.0, 1e-3, 1000.0):
        yield _inner(0.7, 2.0**20 * sensitivity, sensitivity, "OddSensitivity")
        yield _inner(0.7, 2.0**43 * sensitivity, sensitivity, "OddSensitivity", "LargeLoss")


def _inner(epsilon: float, bound: float, sensitivity: float, *flags: str) -> Case:
    args: Args = {"epsilon": epsilon, "bound": bound, "sensitivity": sensitivity}
    return Case("inner_epsilon", args, flags, "")


GENERATORS: dict[str, Callable[[], Iterator[Case]]] = {
    "lattice": lattice_cases,
    "round": round_cases,
    "clamp": clamp_cases,
    "log": log_cases,
    "uniform": uniform_cases,
    "snap": snap_cases,
    "inner_epsilon": inner_epsilon_cases,
}


@lru_cache(maxsize=16)
def cases(op: str) -> tuple[Case, ...]:
    """The cases of an operation, each question once, in the order in which they are made."""
    seen: dict[tuple[str, ...], Case] = {}
    for case in GENERATORS[op]():
        seen.setdefault(tuple(f"{x!r}" for x in case.args.values()), case)
    return tuple(seen.values())
