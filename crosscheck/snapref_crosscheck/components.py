"""Component checks: every stage is compared with the reference bit for bit, on the fixed cases and then by search.

Hypothesis does the search, and makes a counterexample as simple as it can. Only `inner_epsilon` is not compared bit for
bit: it has to be sound, and the check says how much of the budget it wastes.
"""

import random
import time
from collections.abc import Callable, Iterator
from fractions import Fraction

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisException

from snapref_crosscheck.cases import cases
from snapref_crosscheck.checks import Context, Result
from snapref_crosscheck.expected import (
    ROUNDING_SLACK,
    Expected,
    expected,
    most_inner_epsilon,
    padding,
    reference_inner_epsilon,
)
from snapref_crosscheck.protocol import (
    OPERATIONS,
    TIE_RULES,
    Args,
    Broken,
    Description,
    OutOfTime,
    Refused,
    Unsupported,
    shown,
)
from snapref_crosscheck.strategies import requests
from snapref_crosscheck.trace import counterexample, line
from snapref_proofs.evaluate.parameters import Ties

TIE_PROBES = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)


class Mismatch(Exception):
    """A wrong answer, with its trace."""


def component(name: str) -> Callable[[Context], Result]:
    """The check of one operation."""

    def check(context: Context) -> Result:
        tried = 0
        try:
            for args in _questions(context, name):
                tried += 1
                ask(context, name, args)
            tried += search(context, name)
        except Unsupported:
            return Result(name, "unsupported", 0, "the target does not offer it")
        except Mismatch as mismatch:
            return Result(name, "fail", tried, str(mismatch))
        except Broken as broken:
            return Result(name, "fail", tried, f"the target {broken}")
        except OutOfTime:
            return Result(name, "unsupported", tried, f"the time was over after {tried} cases, none of them wrong")
        return Result(name, "pass", tried, _deviation(name, context.told))

    return check


def _questions(context: Context, op: str) -> Iterator[Args]:
    """The fixed cases that apply to a target with this description."""
    told, effort = context.told, context.effort
    if told.precision > 53 and op in ("log", "snap"):
        raise Unsupported(op)
    for case in cases(op)[effort.seed % effort.stride :: effort.stride]:
        if op == "uniform" and told.uniform == "unbounded" and case.args["exponent"] > 1022:
            continue  # no double holds it
        if op == "snap" and told.precision < 53:
            numbers = (case.args[name] for name in ("value", "scale", "bound"))
            if "UnderflowOrOverflow" in case.flags or not all(_held(x, told.precision) for x in numbers):
                continue
        yield case.args


def _held(x: float | int, precision: int) -> bool:
    numerator = abs(Fraction(x).numerator)
    return numerator == 0 or (numerator // (numerator & -numerator)).bit_length() <= precision


def ask(context: Context, op: str, args: Args) -> None:
    """Asks one question. Raises a Mismatch if the answer is wrong."""
    if context.effort.deadline is not None and time.monotonic() > context.effort.deadline:
        raise OutOfTime
    right = expected(op, args, context.told)
    try:
        got = context.target.call(op, args)
    except Refused as refusal:
        if right.refusal:
            return
        raise Mismatch(_explained(context, op, args, f"a refusal: {shown(str(refusal), 200)}", right)) from None
    except Broken as broken:
        asked = [f"{op}({', '.join(args)})", *(line(name, number) for name, number in args.items())]
        raise Broken("\n".join([str(broken), *asked])) from None
    assert isinstance(got, float)
    if not right.allows(got):
        raise Mismatch(_explained(context, op, args, got, right))


def search(context: Context, op: str) -> int:
    """Searches for a wrong answer, and returns how many examples were tried. It raises the last wrong answer, which is
    the simplest that Hypothesis found."""
    tried = 0
    last: list[Exception] = []

    def attempt(args: Args) -> None:
        nonlocal tried
        args = {name: args[name] for name in OPERATIONS[op]}
        tried += 1
        try:
            ask(context, op, args)
        except (Mismatch, Broken) as wrong:
            last.append(wrong)
            raise

    told = context.told
    if not context.effort.search or (told.precision != 53 and op == "snap"):
        return 0
    asked = requests(op)
    if op == "uniform" and told.uniform == "unbounded":
        asked = asked.filter(lambda args: args["exponent"] <= 1022)
    attempted = given(asked)(attempt)
    limits = settings(
        max_examples=context.effort.search,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    try:
        seed(random.Random(f"{context.effort.seed} {op}").getrandbits(64))(limits(attempted))()
    except (Mismatch, Broken):
        raise last[-1] from None
    except HypothesisException:  # the target answered the same question differently
        raise (last[-1] if last else Broken(f"{op}: the search could not repeat its own steps")) from None
    return tried


def _explained(context: Context, op: str, args: Args, got: str | float, right: Expected) -> str:
    """The trace of a wrong answer. Where the target rounds by another tie rule than it declares, it names both."""
    text = counterexample(op, args, context.told, got, right)
    if op in ("round", "snap") and isinstance(got, float):
        behaves = observed_ties(context)
        if behaves and context.told.ties not in behaves:
            text = f"declares ties {context.told.ties}, rounds ties {' or '.join(behaves)}\n{text}"
        elif not behaves and op == "round":
            text = f"declares ties {context.told.ties}; no tie rule explains its rounding\n{text}"
    return text


def observed_ties(context: Context) -> list[str]:
    """The tie rules that agree with the target's own `round` on a few ties. Empty where it has no `round`."""
    answers: dict[float, object] = {}
    for x in TIE_PROBES:
        try:
            answers[x] = context.target.call("round", {"x": x, "lattice": 1.0})
        except (Refused, Unsupported, Broken, OutOfTime):
            return []

    def rule(ties: Ties) -> Description:
        return Description(ties=ties)

    return [
        name
        for name in TIE_RULES
        if all(answers[x] in expected("round", {"x": x, "lattice": 1.0}, rule(name)).results for x in TIE_PROBES)  # type: ignore[arg-type]
    ]


def _deviation(op: str, told: Description) -> str | None:
    if op == "round" and told.ties != "up":
        return f"declared deviation: ties {told.ties}, and it does what it declares; the definition says up (toward +∞)"
    return None


def inner_epsilon(context: Context) -> Result:
    """ε' must not exceed what the bound allows. If it is smaller, the check says how much of the budget is wasted."""
    name, tried, wasted, over, unpadded = "inner_epsilon", 0, 0.0, Fraction(0), False
    precision = context.told.precision
    for case in cases(name):
        args = case.args
        epsilon, bound, sensitivity = (float(x) for x in args.values())
        most = most_inner_epsilon(epsilon, bound, sensitivity, precision)
        if context.effort.deadline is not None and time.monotonic() > context.effort.deadline:
            return Result(name, "unsupported", tried, f"the time was over after {tried} cases, none of them wrong")
        try:
            got = context.target.call(name, args)
        except Unsupported:
            return Result(name, "unsupported", 0, "the target does not offer it")
        except Refused:
            continue  # a refusal is careful, and not wrong
        except OutOfTime:
            return Result(name, "unsupported", tried, f"the time was over after {tried} cases, none of them wrong")
        except Broken as broken:
            return Result(name, "fail", tried, f"the target {broken}")
        tried += 1
        assert isinstance(got, float)
        if not 0 < got < float("inf"):
            return Result(name, "fail", tried, _unsound(args, got, most, "is no ε' at all"))
        excess = Fraction(got) / most - 1
        if excess > ROUNDING_SLACK:
            honoured = float(Fraction(epsilon) * (1 + excess))
            return Result(name, "fail", tried, _unsound(args, got, most, f"honours only ε = {honoured!r}"))
        over = max(over, excess)
        reference = reference_inner_epsilon(epsilon, bound, sensitivity, precision)
        unpadded |= padding(bound, sensitivity, precision) > 1 and Fraction(got) > reference * (1 + ROUNDING_SLACK)
        wasted = max(wasted, float(1 - Fraction(got) / reference))
    if not tried:
        return Result(name, "unsupported", 0, "the target refuses every parameter set")
    remarks = [f"wastes at most {max(wasted, 0.0):.2g} of the budget"]
    if over > 0:
        remarks.append(f"rounds to nearest, not down: ε' is up to {float(over):.2g} (relative) above the sound value")
    if unpadded:
        remarks.append("does not pad Δ as the reference does")
    return Result(name, "pass", tried, "; ".join(remarks))


def _unsound(args: Args, got: float, most: Fraction, verdict: str) -> str:
    lines = ["inner_epsilon(epsilon, bound, sensitivity)", *(line(name, x) for name, x in args.items())]
    lines += [line("expected, at most", float(most)), line("got", got), f"the answer {verdict}"]
    return "\n".join(lines)
