"""One line about a wrong answer: what this question and this answer show, and nothing beyond them."""

import math
from fractions import Fraction

from snapref_crosscheck.checks import DOMAIN, OUTSIDE, PRIVACY, Grade
from snapref_crosscheck.expected import Expected, expected, snap_steps
from snapref_crosscheck.protocol import TIE_RULES, Args, Description, description

AS = " as ties"


def kind(headline: str) -> str:
    """What headlines of the same kind of mistake have in common."""
    return headline.partition(AS)[0]


def judged(op: str, args: Args, told: Description, got: float, right: Expected) -> tuple[Grade, str]:
    """The grade and the headline of an answer that is not among the right ones."""
    if not right.results:
        return OUTSIDE, f"answers where it must refuse: {bad_argument(args)}"
    if math.isnan(got):
        return DOMAIN, "answers NaN where there is a result"
    return _BY_OPERATION[op](args, told, got, right.results[0])


def refused(op: str, args: Args) -> tuple[Grade, str]:
    return DOMAIN, f"refuses {op} of arguments that are allowed"


def bad_argument(args: Args) -> str:
    """Which argument should have been refused."""
    for name, x in args.items():
        if math.isnan(x):
            return f"{name} is NaN"
    for name, x in args.items():
        if math.isinf(x):
            return f"{name} is infinite"
    for name, x in args.items():
        if name in ("scale", "bound", "lattice", "u") and (x < 0 or (x == 0 and name != "bound")):
            return f"{name} is {'zero' if x == 0 else 'negative'}"
    return "an argument outside its domain"


def _lattice(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    if not 0 < got < math.inf or math.frexp(got)[0] != 0.5:
        return DOMAIN, "Λ is no power of two"
    return DOMAIN, "Λ is smaller than λ" if got < args[
        "scale"
    ] else "Λ is not the smallest power of two that is at least λ"


def _round(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    return _rounded(Fraction(args["x"]), args["lattice"], told, got, "round", args)


def _rounded(x: Fraction, lattice: float, told: Description, got: float, op: str, args: Args) -> tuple[Grade, str]:
    if not math.isfinite(got) or Fraction(got) % Fraction(lattice):
        return PRIVACY if op == "snap" else DOMAIN, "the result is no multiple of Λ" + (
            ", nor ±B" if op == "snap" else ""
        )
    if x / Fraction(lattice) % 1 == Fraction(1, 2):
        rules = [ties for ties in TIE_RULES if got in expected(op, args, description({"ties": ties})).results]
        if rules:
            return DOMAIN, f"declares ties {told.ties}, but sends this tie{AS} {' or '.join(rules)} would"
    if x % Fraction(lattice) == 0:
        return DOMAIN, "what is a multiple of Λ already is moved to another"
    return DOMAIN, "the result is a multiple of Λ, but not the nearest"


def _clamp(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    if abs(got) > args["bound"]:
        return DOMAIN, "the result lies outside [-B, B]"
    if abs(args["x"]) <= args["bound"]:
        return DOMAIN, "changes a number that is inside the bounds"
    return DOMAIN, "a number outside the bounds does not come out as the bound next to it"


def _log(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    if math.isinf(got) or got > 0:
        return DOMAIN, "ln u is no negative number"
    units = abs(Fraction(got) - Fraction(right)) / Fraction(math.ulp(right))
    far = "one unit" if units <= 1 else "more than one unit" if units < 1000 else "more than a thousand units"
    return DOMAIN, f"ln u is off by {far} in the last place"


def _uniform(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    if not 0 < got < 1:
        return DOMAIN, "U* lies outside (0, 1)"
    where = "below 2**-1022" if args["exponent"] > 1022 else "among the normal numbers"
    return DOMAIN, f"U* is not (1 + M·2**-52)·2**-E, {where}"


def _snap(args: Args, told: Description, got: float, right: float) -> tuple[Grade, str]:
    if abs(got) > args["bound"]:
        return PRIVACY, "the output lies outside [-B, B]"
    if abs(args["value"]) > args["bound"]:
        return PRIVACY, "a value outside the bounds does not count as the bound"
    if abs(got) == args["bound"]:
        return DOMAIN, "the output is ±B where it should be inside"
    steps = snap_steps(**args, told=told)  # type: ignore[arg-type]
    lattice = float(steps["Λ"])
    if not lattice or not math.isfinite(float(steps["noisy"])):
        return DOMAIN, "the output is wrong"
    return _rounded(Fraction(float(steps["noisy"])), lattice, told, got, "snap", args)


_BY_OPERATION = {
    "lattice": _lattice,
    "round": _round,
    "clamp": _clamp,
    "log": _log,
    "uniform": _uniform,
    "snap": _snap,
}
