"""The settings of the black-box checks: parameters of releases, and why each is there.

λ keeps away from powers of two, where a rounding error could change Λ. A target that takes only one bound, or none
below a smallest one, gets settings of its own.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from snapref.budget import floor_log2, plan_budget
from snapref_crosscheck.checks import Context
from snapref_crosscheck.protocol import Args, Broken, Description, OutOfTime, Refused, TooSlow, Unsupported

JUMP = Fraction(1, 2**20)  # if λ is this close to a power of two, a rounding error could change Λ
KNOWN_SCALE = 2.0**30  # of B/λ: beyond, honest targets that do not tell their ε' may differ in λ so that it shows
BINARY64_LIMIT = 353  # of B/λ: how far Theorem 1 holds for a U* that is a double (theorem.binary64)
TOO_FAR = (
    "a bound beyond 353λ was accepted: with U* over the doubles no ε is proved there, and from 400λ on a loss can be "
    "infinite; refuse it, or draw U* without limits"
)
REFERENCE_SCALE = "λ taken from the reference, as the target does not tell its ε'"


class Setting(NamedTuple):
    """Parameters of a release, and why they are here."""

    value: float
    epsilon: float
    bound: float
    sensitivity: float
    reason: str

    def args(self, count: int) -> Args:
        names = ("value", "epsilon", "bound", "sensitivity")
        return {**dict(zip(names, self[:4], strict=True)), "count": count}

    def __str__(self) -> str:
        return f"value {self.value!r}, ε {self.epsilon!r}, B {self.bound!r}, Δ {self.sensitivity!r}"


# No bound but those of whole or short numbers is a float of 24 bits. The last is drawn in one long sequence.
SETTINGS = (
    Setting(0.0, 0.7, 10.0, 1.0, "ordinary"),
    Setting(3.296875, 0.7, 10.3, 1.0, "an off-lattice bound of 53 bits"),
    Setting(100.0, 0.3, 100.0, 1.0, "the value at B"),
    Setting(-101.7, 0.3, 101.7, 1.0, "the value at -B, off the lattice"),
    Setting(1.703125, 0.7, 50.1, 3.0, "Δ = 3"),
    Setting(0.37, 0.7, 2.5, 0.1, "Δ = 0.1"),
    Setting(250.0, 0.35, 20.6, 1.0, "a value above the bounds"),
    Setting(-250.0, 0.45, 30.7, 1.0, "a value below the bounds"),
    Setting(-12345.678, 0.15, 1e6 + 0.1, 1.0, "a large bound"),
    Setting(1.0, 0.7, 10.0, 1.0, "the value half-way between two outputs"),
    Setting(0.5, 0.7, 1.75, 1.0, "a tight bound"),
    Setting(-0.3125, 6.0, 4.0, 1.0, "a large ε"),
    Setting(5.0, 0.55, 64.0, 2.0, "Δ = 2"),
    Setting(-0.16, 0.5155, 77.7, 1.0, "Λ little more than λ"),
    Setting(0.0, 0.6024, 12.1, 1.0, "the value at an output"),
    Setting(1.1e-4, 0.8, 0.00337, 1e-4, "a small Δ"),
    Setting(-77777.7, 0.55, 1e6 / 3, 12345.678, "a large Δ"),
    Setting(314159.26535, 0.7, 1498000.3, 1.0, "B/λ = 2**20"),
    Setting(6.0e11 / 7, 0.7, 2.0**40 / 0.7, 1.0, "B/λ = 2**40"),
    Setting(-6.0e13 / 7, 0.68, 2.0**46 / 0.7, 1.0, "B/λ close to 2**46"),
    Setting(1.234567890123, 0.6, 2.0**46 / 0.606, 1.0, "B/λ close to 2**46, a small value"),
    Setting(0.3, 5.6, 2.0**46 / 5.63, 1.0, "B/λ close to 2**46, a large ε"),
    Setting(0.1543209862654, 0.6, 2.0**43 / 0.606, 0.125, "B/λ close to 2**46, Δ = 1/8"),
    Setting(0.12, 0.578, 40.3, 1.0, "a long sequence"),
)


def settings(told: Description) -> tuple[Setting, ...]:
    """The settings for a target with this description; the last is that of the long sequence."""
    if told.bound is not None:
        return _at_one_bound(told.bound)
    if told.min_bound is None:
        return SETTINGS
    return tuple(_enlarged(setting, told.min_bound) for setting in SETTINGS)


def _enlarged(setting: Setting, least: float) -> Setting:
    """The same with value, B and Δ times a power of two, so that B is at least the smallest bound."""
    if setting.bound >= least:
        return setting
    factor = 2.0 ** math.ceil(math.log2(least / setting.bound))
    value, epsilon, bound, sensitivity, why = setting
    return Setting(value * factor, epsilon, bound * factor, sensitivity * factor, f"{why}, times {factor:g}")


# Of a target with one bound: about B/λ, and the value in units of B.
PLACES = ((7.3, 0.0), (3.1, 0.31), (26.0, 1.0), (11.0, -1.0), (90.0, -2.5), (300.0, 0.777), (14.3, 0.043))


def _at_one_bound(bound: float) -> tuple[Setting, ...]:
    """Settings for one B: other Λ, values and sensitivities. Some have Δ = 1, as a target may take no other."""
    found = []
    for ratio, place in PLACES:
        unit = Fraction(2) ** floor_log2(Fraction(bound / ratio))
        scale = 0.865 * 2 * float(unit)
        for sensitivity in (1.0, float(unit)):
            why = f"B/λ = {bound / scale:.3g}, the value at {place:g}·B"
            found.append(Setting(place * bound, sensitivity / scale, bound, sensitivity, why))
    *others, last = dict.fromkeys(found)
    return (*others, last._replace(reason="a long sequence"))


def target_scale(context: Context, setting: Setting) -> tuple[Fraction, bool]:
    """λ = Δ/ε', with the target's own ε' if it tells it, else with that of the reference; and whether it told."""
    args: Args = {"epsilon": setting.epsilon, "bound": setting.bound, "sensitivity": setting.sensitivity}
    try:
        own = context.target.call("inner_epsilon", args)
        if isinstance(own, float) and 0 < own < math.inf:
            return Fraction(setting.sensitivity) / Fraction(own), True
    except (Unsupported, Refused, Broken, TooSlow, OutOfTime):
        pass
    epsilon, bound, sensitivity = (Fraction(x) for x in (setting.epsilon, setting.bound, setting.sensitivity))
    return plan_budget(epsilon, bound, sensitivity, context.told.precision).scale, False


def is_clear(scale: Fraction, unit: Fraction) -> bool:
    """Whether Λ is beyond doubt: λ is not too close to a power of two."""
    relative = scale / unit
    power = Fraction(2) ** floor_log2(relative)
    return (1 + JUMP) * power < relative < (2 - JUMP) * power
