"""Replays what notes/production.md says about the implementations that need a checkout, through their own code.

    python findings.py NAME [PATH] [--keep]

NAME is one of the names below, PATH what its adapter takes (what is installed needs none). Each finding is replayed,
and says what was seen. An exact statement is decided by bisection through their code (exact.py); where a release must
not happen, one is enough. Exit code 0: every finding replays, and with --keep the dossier shows it; 1: one does not;
2: wrong usage, or there is no such checkout.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import checkout
from exact import Setting, decimal_draws, equally_spaced

from snapref_proofs.evaluate.loss import Loss

DRAWS = [math.exp(-t / 4) for t in range(1, 40)]  # u from 0.78 down to 6·10^-5
KEPT = Path(__file__).parents[2] / "harness" / "snapref_harness" / "report" / "field.json"
SEEN = 400  # releases, where one kind of output must be among them


class NotReplayed(Exception):
    """The finding could not be seen again."""


class Finding(NamedTuple):
    """One finding: its name in notes/production.md, what it means for a user, and how to see it."""

    name: str
    means: str
    replay: Callable[[], str]


BREAKS, WRONG, HARMLESS = "breaks ε", "wrong results, ε not touched", "harmless"
MARGIN = "keeps a margin"
CALLER = "for the caller to know, who sets λ"


def need(condition: bool, seen: object) -> None:
    if not condition:
        raise NotReplayed(str(seen))


def above(loss: Loss, epsilon: float) -> str:
    """The loss, and by how much it is above ε; NotReplayed if it is not."""
    need(loss.exceeds(Fraction(epsilon)), loss.text(20))
    if loss.infinite:
        return "loss infinite"
    excess = float(loss.enclosure(200)[0] - Fraction(epsilon))
    return f"loss {loss.text(17)} where ε = {epsilon:g}, {excess:.1e} above"


def overspends(setting: Setting, a: float, b: float, draws: list[float] | None = None) -> Callable[[], str]:
    """The largest loss at the outputs of some draws is above ε."""

    def replay() -> str:
        loss, x = setting.worst(a, b, draws or DRAWS)
        p, q = (float(setting.probability(value, x)) for value in (a, b))
        where = f"B = {setting.bound:g}, Δ = {setting.sensitivity:g}: output {x!r} has"
        return f"{where} P = {p:.3g} from {a!r} and {q:.3g} from {b!r}; {above(loss, setting.epsilon)}"

    return replay


def probe(target: Any, bound: float | None = None) -> Callable[[], str]:
    """With Δ = 1 and ε = 2^k a sound λ is larger than 2^-k, so Λ ≥ 2·2^-k. One odd multiple of 2^-k inside ±B shows
    that ε' ≥ ε: nothing was set aside."""

    def replay() -> str:
        said = []
        for k in (-3, 0, 3):
            unit = 2.0**-k
            limit = bound or 1000 * unit
            released = target.release(0.25 * unit, 2.0**k, limit, 1.0, SEEN)
            odd = [x for x in released if (x / unit) % 2 == 1 and abs(x) < limit]
            need(bool(odd), f"no odd multiple of {unit:g} in {SEEN} releases")
            said.append(f"{len(odd)} at ε = {2.0**k:g}")
        return f"odd multiples of 1/ε in {SEEN} releases: " + ", ".join(said) + "; so ε' ≥ ε"

    return replay


def sets_aside(target: Any) -> Callable[[], str]:
    """The other way round: a sound implementation shows no odd multiple. Releases support this; they prove nothing."""

    def replay() -> str:
        for k in (-3, 0, 3):
            unit = 2.0**-k
            released = target.release(0.25 * unit, 2.0**k, 1000 * unit, 1.0, SEEN)
            need(all((x / unit) % 2 == 0 for x in released), released[:5])
        return f"no odd multiple of 1/ε in {SEEN} releases at ε = 0.125, 1 and 8: it sets something aside"

    return replay


def released_nan(target: Any, value: float = math.nan, bound: float = 10.0) -> Callable[[], str]:
    def replay() -> str:
        released = target.release(value, 1.0, bound, 1.0, 50)
        need(all(math.isnan(x) for x in released), released[:3])
        return f"the value {value} came out as nan in 50 of 50 releases: loss infinite"

    return replay


def covington() -> list[Finding]:
    from covington_target import Covington, CovingtonEstimate

    noise, estimate = Covington(), CovingtonEstimate()
    a = 0.7000000000000003  # 0x1.6666666666669p-1
    shifted = Setting(noise, 1.0, 10.0)

    def off_the_lattice() -> str:
        loss = shifted.loss(a, a - 1, -1.0)
        released = noise.release(a, 1.0, 10.0, 1.0, SEEN)
        off = sum(x != round(x) for x in released)
        need(off > 0 and -1.0 not in released, released[:5])
        p, q = (float(shifted.probability(value, -1.0)) for value in (a, a - 1))
        text = f"ε = 1, B = 10: the output -1 has P = {p:.3g} from {a!r} and {q:.3g} from {a - 1!r}; {above(loss, 1.0)}"
        return f"{text}; {off} of {SEEN} releases of {a!r} are no multiple of Λ = 1"

    middle = 3 * 2.0**51
    return [
        Finding("C1", BREAKS, off_the_lattice),
        Finding("C2", BREAKS, released_nan(noise)),
        Finding("C2", BREAKS, released_nan(noise, math.inf)),
        Finding("C3", BREAKS, overspends(Setting(estimate, 1.0, 10.0), -0.3, 0.7)),
        Finding("C3", BREAKS, overspends(Setting(estimate, 1.0, 1e16, 3.0), middle - 2, middle + 1)),
        Finding("C3", BREAKS, probe(estimate)),
    ]


def dpsniper() -> list[Finding]:
    from dpsniper_target import LaplaceFixed

    target = LaplaceFixed()
    drawn, ideal = Setting(target, 1.0, 100.0, mass=equally_spaced), Setting(target, 1.0, 100.0)
    far = [k * 2.0**-53 for k in (1, 2, 4, 8)]

    def sound_otherwise() -> str:
        loss, x = ideal.worst(0.0, 1.0, DRAWS)
        need(not loss.exceeds(Fraction(1)), loss.text(20))
        return f"with U* over the doubles the largest loss found is {loss.text(17)}, at {x!r}: below ε = 1"

    return [
        Finding("N1", BREAKS, overspends(drawn, 0.0, 1.0, far)),
        Finding("N1", BREAKS, overspends(drawn, -0.7, 0.3, far)),
        Finding("N2", MARGIN, sound_otherwise),
    ]


def danrr() -> list[Finding]:
    from danrr_target import SnappingMechanism

    target = SnappingMechanism()
    middle = 3 * 2.0**51

    def refuses() -> str:
        try:
            target.release(10.5, 1.0, 10.0, 1.0, 1)
        except ValueError as error:
            need("10.5" in str(error), error)
            return f"the value 10.5 with B = 10 is refused, and the message has it: {error}"
        raise NotReplayed("released")

    def rounds() -> str:
        rounded = [target.round(x, 1.0) for x in (-0.51, -0.99, -1.99)]
        need(rounded == [0.0, 0.0, -1.0], rounded)
        released = target.release(-50.0, 1.0, 100.0, 1.0, 20000)
        mean = math.fsum(released) / len(released)
        need(mean > -49.7, mean)
        return f"-0.51, -0.99, -1.99 are rounded to {rounded}; 20000 releases of -50 have the mean {mean:.2f}"

    def formula() -> str:
        real = float(target.make(1.0, 10.0).compute_real_epsilon())
        need(real > 100, real)
        return f"compute_real_epsilon() at ε = 1, B = 10 is {real:.6g}; the bound is 1.0000000000000135"

    return [
        Finding("R1", "breaks ε where the query can leave the bounds", refuses),
        Finding("R2", BREAKS, overspends(Setting(target, 1.0, 10.0), 0.0, 1.0)),
        Finding("R2", BREAKS, overspends(Setting(target, 1.0, 1e16, 3.0), middle - 2, middle + 1)),
        Finding("R3", WRONG, rounds),
        Finding("R4", HARMLESS, formula),
    ]


def ektelo() -> list[Finding]:
    from ektelo_target import Ektelo

    target = Ektelo()
    setting = Setting(target, 1.0, 100.0, mass=decimal_draws)

    def too_large() -> str:
        draws = [float(target.module.select_ulp_random()) for _ in range(SEEN)]
        outside = sum(r > 1 for r in draws)
        need(outside > SEEN / 2, sorted(draws)[:5])
        return f"{outside} of {SEEN} draws of its number in (0, 1) are above 1, the largest is {max(draws):.3g}"

    return [
        Finding("E1", BREAKS, overspends(setting, 0.0, 1.0, [2.5, 4.0, 10.0, 40.0])),
        Finding("E1", BREAKS, too_large),
        Finding("E2", BREAKS, probe(target)),
    ]


def motion() -> list[Finding]:
    from motion_target import Motion

    target = Motion()

    def minus_zero() -> str:
        u = 0.75
        small, large = target.snap(0.001, 0.01, 1.9, 1, u), target.snap(0.1, 1.5, 10.0, 1, u)
        need(small == 1.9 and -1e-300 < large < 0, (small, large))
        us = [(k + 0.5) / 500 for k in range(500)]
        share = sum(target.snap(0.001, 0.01, 1.9, sign, u) == 1.9 for sign in (1, -1) for u in us) / (2 * len(us))
        text = f"λ = 0.01, B = 1.9: 0.001 with u = 0.75 gives {small!r}, and so do {share:.0%} of all draws"
        return f"{text}; λ = 1.5, B = 10: 0.1 with u = 0.75 gives {large!r}"

    def doubled() -> str:
        lattices = {scale: target.lattice(scale) for scale in (0.5, 1.0, 2.0)}
        need(all(lattice == 2 * scale for scale, lattice in lattices.items()), lattices)
        return f"Λ for λ = 0.5, 1, 2 is {', '.join(f'{x:g}' for x in lattices.values())}"

    return [
        Finding("M1", WRONG, minus_zero),
        Finding("M2", HARMLESS, doubled),
        Finding("M3", CALLER, overspends(Setting(target, 1.0, 10.0), -0.3, 0.7)),
    ]


def dp_snapping_mech() -> list[Finding]:
    from dp_snapping_mech_target import DpSnappingMech

    target = DpSnappingMech()
    released = target.release(12.0, 1.0, 10000.0, 1.0, 4000)

    def upwards() -> str:
        need(min(released) >= 12, min(released))
        smallest = f"the smallest of {len(released)} releases of 12 is {min(released)!r}"
        return f"{smallest}: what is below 12 can come from 11, and not from 12"

    def decimal() -> str:
        mean = math.fsum(released) / len(released) - 12
        need(abs(mean - 1 / math.log(10)) < 0.04, mean)
        return f"λ = 1: the mean of the noise is {mean:.2f}, which is λ/ln 10 = 0.43: a loss of 2.3 ε even with a sign"

    def unrounded() -> str:
        need(not any(x == round(x) for x in released), released[:5])
        return f"λ = 1: none of {len(released)} releases is a multiple of Λ = 1; the first is {released[0]!r}"

    def endless() -> str:
        code = "from dp_snapping_mech_target import DpSnappingMech as T; T().release(-5.0, 1.0, 1000.0, 1.0, 1)"
        try:
            subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(__file__) or ".", timeout=20, check=False)
        except subprocess.TimeoutExpired:
            return "a release of -5 (λ = 1, B = 1000) had not ended after 20 s"
        raise NotReplayed("it ended")

    return [
        Finding("P1", BREAKS, upwards),
        Finding("P2", BREAKS, decimal),
        Finding("P3", BREAKS, unrounded),
        Finding("P4", WRONG, endless),
    ]


def google() -> list[Finding]:
    from google_target import BOUND, Google

    target = Google()

    def bound() -> str:
        released = target.release(1e300, 1.0, BOUND, 2.0**40, 50)
        need(max(map(abs, released)) == BOUND, released[:3])
        same = target.release(2.0**38, 1.0, BOUND, 2.0**-20, SEEN)
        need(set(same) == {2.0**38}, set(same))
        return (
            f"Δ = 2^40: every release is within ±2^39; Δ = 2^-20: 2^38 came back unchanged in {SEEN} of {SEEN} releases"
        )

    return [
        Finding("G1", BREAKS, released_nan(target, bound=BOUND)),
        Finding("G2", "as documented", probe(target, BOUND)),
        Finding("G3", "undocumented for Δ other than 1", bound),
    ]


def relm() -> list[Finding]:
    from relm_target import Relm

    target = Relm()

    def small_lattice() -> str:
        scale = 16 * (1 + 2.0**-52)
        need(target.lattice(scale) == 16, target.lattice(scale))
        unit = 2.0**-9
        odd = sum(abs(x) < 0.19 and (x / unit) % 2 != 0 for x in target.release(0.0, 1 / unit, 0.1959, 1.0, SEEN))
        need(odd > 0, odd)
        return f"Λ is 16 for the next λ above 16; {odd} of {SEEN} releases at ε = 512, B = 0.1959 show it"

    return [
        Finding("L1", BREAKS, released_nan(target)),
        Finding("L2", MARGIN, sets_aside(target)),
        Finding("L3", HARMLESS, small_lattice),
    ]


def smartnoise() -> list[Finding]:
    from smartnoise_target import Smartnoise

    target = Smartnoise()

    def binding() -> str:
        shares = {}
        for wanted in (0.5, 0.05, 1e-6):
            released = [float(target.binding(10.0, 1.0, 1.0, -10.0, 10.0, wanted, False)) for _ in range(10000)]
            shares[wanted] = released.count(max(released)) / len(released)
        need(shares[1e-6] > 0.1, shares)
        text = ", ".join(f"{share:.1%} (asked for at most {wanted:g})" for wanted, share in shares.items())
        return f"ε = 1, bounds ±10, value 10: the last clamp binds in {text} of 10000 releases"

    return [
        Finding("S1", BREAKS, probe(target)),
        Finding("S2", BREAKS, released_nan(target)),
        Finding("S7", WRONG, binding),
    ]


def diffprivlib() -> list[Finding]:
    from diffprivlib_target import Diffprivlib

    target = Diffprivlib()

    def one_point() -> str:
        rounded = target.round(-0.49999999999999994, 1.0)
        need(rounded == 2.0**-54, rounded)
        return f"-0.49999999999999994 is rounded to {rounded!r}, where the nearest multiple of 1 is 0"

    return [
        Finding("D1", BREAKS, released_nan(target)),
        Finding("D4", HARMLESS, one_point),
        Finding("D9", MARGIN, sets_aside(target)),
    ]


class Implementation(NamedTuple):
    """An implementation: the name for the command line, what it is called, what it promises, and what was found."""

    name: str
    title: str
    promises: str
    findings: Callable[[], list[Finding]]


# The worst first, as in notes/production.md.
IMPLEMENTATIONS = (
    Implementation("dp_snapping_mech", "DP-Snapping-Mech", "ε + 2⁻⁴⁹B/λ", dp_snapping_mech),
    Implementation("covington", "cc_snap.py", "ε", covington),
    Implementation("ektelo", "ektelo, a branch", "ε", ektelo),
    Implementation("danrr", "danrr", "ε", danrr),
    Implementation("smartnoise", "smartnoise-core", "ε", smartnoise),
    Implementation("google", "Google's C++, 2019–2020", "1.001 ε", google),
    Implementation("dpsniper", "dp-sniper", "ε", dpsniper),
    Implementation("relm", "RelM", "ε", relm),
    Implementation("diffprivlib", "diffprivlib", "ε", diffprivlib),
    Implementation("motion", "MOTION, in the clear", "nothing: it takes λ", motion),
)


def keep(implementation: Implementation, found: list[dict[str, str]]) -> None:
    """Puts what was seen into the file that the dossier shows, in the place of what was seen before."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["implementations"] if KEPT.exists() else []
    entries = {entry["title"]: entry for entry in kept}
    entries[implementation.title] = {
        "title": implementation.title,
        "promises": implementation.promises,
        "findings": found,
    }
    ordered = [entries[one.title] for one in IMPLEMENTATIONS if one.title in entries]
    text = json.dumps({"implementations": ordered}, indent=1, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    known = {implementation.name: implementation for implementation in IMPLEMENTATIONS}
    name, *path = [argument for argument in arguments if argument != "--keep"] or [""]
    if name not in known or len(path) > 1:
        print(f"usage: findings.py NAME [PATH] [--keep], where NAME is one of {', '.join(known)}", file=sys.stderr)
        return 2
    if path:
        os.environ[checkout.VARIABLE] = os.path.abspath(path[0])
    try:
        findings = known[name].findings()
    except (checkout.Missing, ImportError) as missing:
        print(f"findings.py: {missing}", file=sys.stderr)
        return 2
    replayed, complete = [], True
    for finding in findings:
        try:
            seen = finding.replay()
            print(f"{finding.name}  {finding.means}: {seen}", flush=True)
            replayed.append({"name": finding.name, "means": finding.means, "seen": seen})
        except NotReplayed as other:
            print(f"{finding.name}  NOT REPLAYED: {other}", flush=True)
            complete = False
    if complete and "--keep" in arguments:
        keep(known[name], replayed)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
