"""What `snapref figure2` shows: the derivations as JSON, and as a person would write them down."""

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from snapref.budget import show
from snapref.certificate import hexadecimal
from snapref_proofs.evaluate.intervals import agreed
from snapref_proofs.figure2.printed import PRINTED, ends, exact_ends, findings, judgement, log_ratio
from snapref_proofs.figure2.semantics import Judgement
from snapref_proofs.figure2.seven_cases import MEANING, ROUTES, Case, End, Question, Route, USet

EXAMINED = 64  # outputs of one case that are examined at most; they are spread evenly, with both ends included
DIRECTIONS = ("forward", "reverse")
JSON = dict[str, Any]
DIGITS = 45


def decimal(x: Fraction, up: bool = False) -> str:
    """A decimal of 45 digits, rounded down or up, so that a bound remains a bound."""
    context = Context(prec=DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
    return str(context.divide(Decimal(x.numerator), Decimal(x.denominator)))


def derive(question: Question, cases: Sequence[Case], printed: bool, corrected: bool) -> JSON:
    """For every case that has an output: whether the bound is derived, and the derivation at the worst output."""
    found = [_case(question, case, printed, corrected) for case in cases if len(question.outputs(case))]
    return {
        "scale": hexadecimal(question.scale),
        "bound": hexadecimal(question.bound),
        "lattice": hexadecimal(question.lattice),
        "precision": question.parameters.precision,
        "a": hexadecimal(question.a),
        "b": hexadecimal(question.b),
        "limit": decimal(question.limit),
        "cases": found,
    }


def _spread(outputs: range) -> list[int]:
    if len(outputs) <= EXAMINED:
        return list(outputs)
    return sorted({outputs[i * (len(outputs) - 1) // (EXAMINED - 1)] for i in range(EXAMINED)})


def _case(question: Question, case: Case, printed: bool, corrected: bool) -> JSON:
    examined = _spread(question.outputs(case))
    k = max(examined, key=lambda k: _badness(question, k))
    return {
        "case": case,
        "meaning": MEANING[case],
        "outputs": len(question.outputs(case)),
        "examined": len(examined),
        "x": hexadecimal(question.output(k)),
        "corrected": _corrected(question, k, examined) if corrected else None,
        "printed": _printed(question, k, case) if printed else None,
    }


def _badness(question: Question, k: int) -> Fraction:
    """The constant that the derivation needs at this output, on the better route, in the worse direction."""
    found = [_constant(question, k, "shared", reverse) for reverse in (False, True)]
    return max(Fraction(10) ** 9 if constant is None else constant for constant in found)


def _constant(question: Question, k: int, route: Route, reverse: bool) -> Fraction | None:
    """The C of the derived bound ε + C·Bεη + 2η, rounded up. None where the derivation gives no bound at all."""
    if not question.bounded(k, route):
        return None
    return agreed(partial(question.constant, k, route, reverse), question.bits)[1]


def _corrected(question: Question, k: int, examined: list[int]) -> JSON:
    verdicts = [_both_directions(question, other) for other in examined]
    return {
        "sets_a": [_set(question, k, question.a, found) for found in question.sets(k, question.a)],
        "sets_b": [_set(question, k, question.b, found) for found in question.sets(k, question.b)],
        "probability_a": _probability(question, k, question.a),
        "probability_b": _probability(question, k, question.b),
        "routes": {route: _route(question, k, route) for route in ROUTES},
        "holds": None if None in verdicts and False not in verdicts else all(verdicts),
    }


def _both_directions(question: Question, k: int) -> bool | None:
    """Whether in each direction one of the routes gives the bound."""
    answers = []
    for reverse in (False, True):
        found = [question.holds(k, route, reverse) for route in reversed(ROUTES)]
        answers.append(True if True in found else None if None in found else False)
    return False if False in answers else None if None in answers else True


def _route(question: Question, k: int, route: Route) -> JSON:
    return {
        direction: {
            "constant": None if (c := _constant(question, k, route, reverse)) is None else decimal(c, up=True),
            "holds": question.holds(k, route, reverse),
        }
        for direction, reverse in zip(DIRECTIONS, (False, True), strict=True)
    }


def _set(question: Question, k: int, c: Fraction, found: USet) -> JSON:
    low, high = exact_ends(question, k, c, found.sign)
    return {
        "sign": found.sign,
        "lower": None if found.lower is None else _end(question, c, found.lower, low),
        "upper": None if found.upper is None else _end(question, c, found.upper, high),
    }


def _end(question: Question, c: Fraction, end: End, exact: Fraction | None) -> JSON:
    """The four steps back from the threshold to u, each with the interval that its rule gives."""
    low, high = agreed(end.lower, question.bits)[0], agreed(end.upper, question.bits)[1]
    eta, wobble = question.eta, abs(end.threshold) * question.eta
    away = max(Fraction(0), abs(c - end.threshold) - wobble), abs(c - end.threshold) + wobble
    noise = away[0] * (1 - eta) / question.scale, away[1] * (1 + eta) / question.scale
    return {
        "threshold": hexadecimal(end.threshold),
        "plus": [decimal(away[0]), decimal(away[1], up=True)],
        "times": [decimal(noise[0]), decimal(noise[1], up=True)],
        "ln": [decimal(-end.high), decimal(-end.low, up=True)],
        "low": decimal(low),
        "high": decimal(high, up=True),
        "exact": decimal(Fraction(1) if exact is None else exact),
        "low_in_eta": decimal(_units(question, low, exact)),
        "high_in_eta": decimal(_units(question, high, exact), up=True),
    }


def _units(question: Question, bound: Fraction, exact: Fraction | None) -> Fraction:
    """(bound/exact - 1)/η."""
    return (bound / (exact or Fraction(1)) - 1) / question.eta


def _probability(question: Question, k: int, c: Fraction) -> JSON:
    low = agreed(partial(question.at_least, k, c, "independent"), question.bits)[0]
    high = agreed(partial(question.at_most, k, c, "independent"), question.bits)[1]
    return {"low": decimal(low), "exact": decimal(question.exact(k, c)), "high": decimal(high, up=True)}


def _printed(question: Question, k: int, case: Case) -> JSON:
    """The printed sets, the derivations of their ends, what is wrong with them, and the printed bound on the ratio."""
    wrong = list(findings(question, k, case))
    if case == "CE":
        return {"sets_a": [], "sets_b": [], "findings": wrong, "log_ratio": None, "holds": False}
    ratio = log_ratio(question, k, case)
    within: bool | None = ratio is not None and ratio[1] <= question.limit
    sides = [
        [
            {
                "set": str(printed),
                "sign": printed.sign or None,
                "ends": [
                    {
                        "low": decimal(agreed(r.lower, question.bits)[0]),
                        "high": decimal(agreed(r.upper, question.bits)[1], up=True),
                        "crossed": r.crossed(question.bits),
                    }
                    for r in ends(question, k, case, f, printed)
                    if r is not None
                ],
                "rules": [
                    line
                    for expression in dict.fromkeys((printed.lower, printed.upper))
                    if expression is not None
                    for line in _rules(judgement(question, k, expression))
                ],
            }
            for printed in side
        ]
        for f, side in zip((question.a, question.b), PRINTED[case], strict=True)
    ]
    return {
        "sets_a": sides[0],
        "sets_b": sides[1],
        "findings": wrong,
        "log_ratio": None if ratio is None else decimal(ratio[1], up=True),
        "holds": within and not wrong,
    }


def _rules(found: Judgement) -> Iterator[str]:
    """One line for each rule of a derivation, premises first."""
    for premise in found.premises:
        yield from _rules(premise)
    if found.rule != "FLOAT":
        inverted = "  ← low > high" if found.low > found.high else "" if found.holds else "  ← not inside"
        interval = f"({_short(found.low)}, {_short(found.high)})"
        yield f"{found.rule:5} {found.expression} ⇓ {_short(found.value)}, {interval}{inverted}"


def _short(x: Fraction) -> str:
    """At most seventeen digits."""
    return f"{float(x):.17g}"


def print_report(report: JSON) -> None:
    scale, bound = (Fraction(float.fromhex(report[name])) for name in ("scale", "bound"))
    lattice, a, b = (Fraction(float.fromhex(report[name])) for name in ("lattice", "a", "b"))
    p = report["precision"]
    print(f"λ = {show(scale)}, Λ = {show(lattice)}, B = {show(bound)}, ε = 1/λ, p = {p}, η = 2^-{p}")
    print(f"f(a) = {float(a)!r}, f(a') = {float(b)!r}; wanted: ln ratio ≤ ε + 12Bεη + 2η = {_digits(report['limit'])}")
    for entry in report["cases"]:
        x = float.fromhex(entry["x"])
        print(f"\ncase {entry['case']}: {entry['meaning']}")
        if entry["outputs"] > 1:
            print(f"  {entry['outputs']} outputs, {entry['examined']} examined; shown where the bound is worst")
        print(f"  x = {x!r}")
        if entry["printed"] is not None:
            _print_printed(entry["printed"])
        if entry["corrected"] is not None:
            _print_corrected(entry["corrected"])


def _print_printed(found: JSON) -> None:
    print("  as printed")
    for name, side in (("a", found["sets_a"]), ("a'", found["sets_b"])):
        for printed in side:
            print(f"    on {name:2}  {printed['set']}")
            for line in printed["rules"]:
                print(f"            {line}")
            for r in printed["ends"]:
                crossed = "  ← r > r̄" if r["crossed"] else ""
                print(f"            r = {_digits(r['low'])}, r̄ = {_digits(r['high'])}{crossed}")
    for finding in found["findings"]:
        print(f"    wrong   {finding}")
    ratio = (
        "no bound: a length is not positive" if found["log_ratio"] is None else f"ln ratio ≤ {found['log_ratio'][:24]}"
    )
    print(f"    {ratio}; the printed argument {'holds here' if found['holds'] else 'does not hold here'}")


def _print_corrected(found: JSON) -> None:
    print("  as it should be")
    for name, sets, probability in (
        ("a", found["sets_a"], found["probability_a"]),
        ("a'", found["sets_b"], found["probability_b"]),
    ):
        for one in sets:
            lower, upper = ("0" if one["lower"] is None else "q1"), ("1" if one["upper"] is None else "q2")
            print(f"    on {name:2}  s = {one['sign']:+d}, u ∈ [{lower}, {upper})")
            for label, end in (("q1", one["lower"]), ("q2", one["upper"])):
                if end is not None:
                    _print_end(label, end, one["sign"], name)
        print(f"            P(x|{name}) = {_digits(probability['exact'])}, half the length,")
        print(f"            between {_digits(probability['low'])} and {_digits(probability['high'])}")
    for route, words in (
        ("independent", "every rounding errs on its own"),
        ("shared", "⊕ errs alike on a and a'"),
    ):
        for direction, ratio in (("forward", "P(x|a)/P(x|a')"), ("reverse", "P(x|a')/P(x|a)")):
            one = found["routes"][route][direction]
            text = "no bound" if one["constant"] is None else _constant_text(one["constant"])
            verdict = {True: "≤ exp(ε + 12Bεη + 2η)", False: "NOT within 12", None: "undecided"}[one["holds"]]
            print(f"    {words:30}  {ratio:14} ≤ {text}: {verdict}")


def _constant_text(constant: str) -> str:
    value = float(constant)
    return f"exp(ε + {value:.4f}·Bεη + 2η)" if value > -1000 else "exp(ε - much more than η)"


def _print_end(label: str, end: JSON, s: int, name: str) -> None:
    distance = f"f({name}) - t" if s > 0 else f"t - f({name})"
    between = {rule: "[{}, {}]".format(*map(_digits, end[rule])) for rule in ("plus", "times", "ln")}
    print(f"      {label}: w {'<' if s > 0 else '≥'} T = {float.fromhex(end['threshold'])!r}")
    print(f"        PLUS    ⟺ Z beyond {distance}, t ∈ T(1 ± η):  {between['plus']}")
    print(f"        TIMES   ⟺ Y beyond Z/λ, Z within (1 ± η):  {between['times']}")
    print(f"        LN      ⟺ -ln u beyond Y, within (1 ± η):  {between['ln']}")
    print(f"        GRID    ⟺ u < {label}, up to 1 + 2η above:  [{_digits(end['low'])}, {_digits(end['high'])}]")
    low, high = float(end["low_in_eta"]), float(end["high_in_eta"])
    print(f"        exactly {_digits(end['exact'])}: r = {label}(1 {low:+.3f}η), r̄ = {label}(1 {high:+.3f}η)")


def _digits(text: str) -> str:
    """Seventeen digits of a decimal."""
    return f"{Decimal(text):.17g}"
