"""Component checks: every stage is compared with the reference bit for bit, on the fixed cases and on searched ones.

All cases are asked, whatever the first of them show, and each kind of mistake is reported with the simplest
counterexample. Hypothesis makes up the searched cases, and shrinks a counterexample that only they show. Only
`inner_epsilon` is not compared bit for bit: it has to be sound, and the check says how much of the budget it wastes.
"""

import contextlib
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from snapref_crosscheck import headlines
from snapref_crosscheck.cases import cases
from snapref_crosscheck.checks import (
    DOMAIN,
    NOT_OFFERED,
    OUTSIDE,
    PRIVACY,
    Context,
    Finding,
    Result,
    failed,
    not_judged,
    reason,
)
from snapref_crosscheck.expected import (
    ROUNDING_SLACK,
    expected,
    most_inner_epsilon,
    padding,
    reference_inner_epsilon,
)
from snapref_crosscheck.protocol import (
    Args,
    Broken,
    Description,
    Outcome,
    OutOfTime,
    Refused,
    TooSlow,
    Unsupported,
)
from snapref_crosscheck.targets import stream
from snapref_crosscheck.trace import counterexample, line

LATE = 2  # unanswered questions after which an operation is left


class Mismatch(Exception):
    """A wrong answer."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class Tally:
    """What the questions of one operation have shown so far."""

    def __init__(self) -> None:
        self.tried = 0
        self.unanswered: list[str] = []
        self.simplest: dict[str, tuple[int, Finding]] = {}  # by kind

    def add(self, args: Args, finding: Finding) -> None:
        size, kind = _size(args), headlines.kind(finding.headline)
        if kind not in self.simplest or size < self.simplest[kind][0]:
            self.simplest[kind] = size, finding

    @property
    def findings(self) -> list[Finding]:
        return [finding for _, finding in self.simplest.values()]


def component(name: str) -> Callable[[Context], Result]:
    """The check of one operation."""

    def check(context: Context) -> Result:
        tally, by_search, stopped = Tally(), False, ""
        try:
            _ask_all(context, name, list(_questions(context, name)), tally)
            by_search = not tally.findings
            _ask_all(context, name, examples(context, name), tally)
        except Unsupported as unsupported:
            return Result(name, "unsupported", 0, str(unsupported) if " " in str(unsupported) else NOT_OFFERED)
        except OutOfTime:
            stopped = f"the time was over after {tally.tried} cases"
        except TooSlow as slow:
            stopped = f"the target {slow}; {tally.tried} cases were answered"
        if tally.findings:
            found = _shrunk(context, name, tally) if by_search else tally.findings
            return failed(name, tally.tried, found, stopped or None)
        if stopped or tally.unanswered:
            late = f"{len(tally.unanswered)} questions were not answered in time" if tally.unanswered else ""
            why = stopped or f"{late}, {tally.tried} were"
            return not_judged(name, tally.tried, "\n".join([f"{why}, none of them wrong", *tally.unanswered[:1]]))
        return Result(name, "pass", tally.tried, _deviation(name, context.told))

    return check


def _questions(context: Context, op: str) -> Iterator[Args]:
    """The fixed cases that apply to a target with this description."""
    told, effort = context.told, context.effort
    if told.precision > 53 and op in ("log", "snap"):
        raise Unsupported(f"the cases of {op} are for 53 bits or fewer, and the target has {told.precision}")
    chosen = cases(op)[effort.seed % effort.stride :: effort.stride]
    for case in random.Random(op).sample(chosen, len(chosen)):  # so that the first part of them is a good choice too
        if op == "uniform" and told.uniform == "unbounded" and case.args["exponent"] > 1022:
            continue  # no double holds it
        args = _at_bound(case.args, told)
        if args is None:
            continue
        if op == "snap" and told.precision < 53:
            numbers = (args[name] for name in ("value", "scale", "bound"))
            if "UnderflowOrOverflow" in case.flags or not all(_held(x, told.precision) for x in numbers):
                continue
        yield args


def _at_bound(args: Args, told: Description) -> Args | None:
    """The question for a target that takes one bound only, or none below a smallest one. None: there is no such one."""
    bound = args.get("bound")
    if bound is None or (told.bound is None and told.min_bound is None):
        return args
    if told.bound is not None:
        return {**args, "bound": told.bound}
    return args if told.min_bound is not None and bound >= told.min_bound else None


def _held(x: float | int, precision: int) -> bool:
    numerator = abs(Fraction(x).numerator)
    return numerator == 0 or (numerator // (numerator & -numerator)).bit_length() <= precision


def _size(args: Args) -> int:
    """How far the arguments are from simple ones: a simple number has few bits, and is neither large nor small."""

    def length(x: float | int) -> int:
        if x == 0 or not math.isfinite(x):
            return 1
        n = abs(Fraction(x).numerator)
        return (n // (n & -n)).bit_length() + abs(math.frexp(x)[1] - 1) + (x < 0)

    return sum(map(length, args.values()))


def _ask_all(context: Context, op: str, questions: list[Args], tally: Tally) -> None:
    """Asks all questions, several at once."""

    def asked() -> Iterator[tuple[str, Args]]:
        for args in questions:
            if context.late():
                return
            yield op, args

    answered = 0
    for args, outcome in zip(questions, stream(context.target, asked()), strict=False):
        answered += 1
        if isinstance(outcome, OutOfTime | Unsupported):
            raise outcome
        if isinstance(outcome, TooSlow):
            tally.unanswered.append(_words(op, args))
            if len(tally.unanswered) >= LATE:
                raise outcome
            continue
        tally.tried += 1
        finding = judge(context, op, args, outcome)
        if finding is not None:
            tally.add(args, finding)
    if answered < len(questions):
        raise OutOfTime


def judge(context: Context, op: str, args: Args, outcome: Outcome) -> Finding | None:
    """What is wrong with this outcome; None if nothing is."""
    right = expected(op, args, context.told)
    if isinstance(outcome, Refused):
        if right.refusal:
            return None
        grade, headline = headlines.refused(op, args)
        got: str | float = f"a refusal: {outcome}"
    elif isinstance(outcome, Broken):
        return Finding(OUTSIDE if not right.results else DOMAIN, str(outcome), _words(op, args))
    else:
        assert isinstance(outcome, float)
        if right.allows(outcome):
            return None
        got = outcome
        grade, headline = headlines.judged(op, args, context.told, outcome, right)
    return Finding(grade, headline, counterexample(op, args, context.told, got, right))


def ask(context: Context, op: str, args: Args) -> None:
    """Asks one question. Raises a Mismatch if the answer is wrong."""
    try:
        outcome: Outcome = context.target.call(op, args)
    except (Refused, Broken) as trouble:
        outcome = trouble
    finding = judge(context, op, args, outcome)
    if finding is not None:
        raise Mismatch(finding)


def examples(context: Context, op: str) -> list[Args]:
    """What Hypothesis makes up, without asking the target yet: so that many can be asked at once."""
    found: list[Args] = []
    if context.effort.search and (context.told.precision == 53 or op != "snap"):
        from snapref_crosscheck.searching import generate

        generate(op, context, found.append)
    return found


def _shrunk(context: Context, op: str, tally: Tally) -> list[Finding]:
    """The findings of the search. If there is one kind only, Hypothesis may find a simpler counterexample of it."""
    if len(tally.findings) != 1 or not context.effort.search or (context.told.precision != 53 and op == "snap"):
        return tally.findings
    ((kind, _),) = tally.simplest.items()

    def attempt(args: Args) -> None:
        if context.late():
            return
        try:
            ask(context, op, args)
        except Mismatch as wrong:
            tally.add(args, wrong.finding)
            if headlines.kind(wrong.finding.headline) == kind:
                raise
        except (Unsupported, TooSlow, OutOfTime):
            return

    from snapref_crosscheck.searching import shrink

    with contextlib.suppress(Mismatch):  # found again, or not: what was seen is in the tally
        shrink(op, context, attempt)
    return tally.findings


def _words(op: str, args: Args) -> str:
    return "\n".join([f"{op}({', '.join(args)})", *(line(name, number) for name, number in args.items())])


def _deviation(op: str, told: Description) -> str | None:
    if op == "round" and told.ties != "up":
        return f"declared deviation: ties {told.ties}, and it does what it declares; the definition says up (toward +∞)"
    return None


def inner_epsilon(context: Context) -> Result:
    """ε' must not exceed what the bound allows. If it is smaller, the check says how much of the budget is wasted."""
    name, precision = "inner_epsilon", context.told.precision
    tally, wasted, over, unpadded = Tally(), 0.0, Fraction(0), False
    questions = [args for case in cases(name) if (args := _at_bound(case.args, context.told)) is not None]
    trouble: TooSlow | OutOfTime | None = None
    for args, got in zip(questions, stream(context.target, ((name, args) for args in questions)), strict=False):
        if isinstance(got, Unsupported):
            return Result(name, "unsupported", 0, NOT_OFFERED)
        if isinstance(got, Refused):
            continue  # a refusal is careful, and not wrong
        if isinstance(got, TooSlow | OutOfTime):
            trouble = got
            break
        tally.tried += 1
        if isinstance(got, Broken):
            tally.add(args, Finding(DOMAIN, str(got), _words(name, args)))
            continue
        assert isinstance(got, float)
        epsilon, bound, sensitivity = (float(x) for x in args.values())
        most = most_inner_epsilon(epsilon, bound, sensitivity, precision)
        if not 0 < got < float("inf"):
            tally.add(args, _unsound(args, got, most, "is no ε' at all"))
            continue
        excess = Fraction(got) / most - 1
        if excess > ROUNDING_SLACK:
            honoured = float(Fraction(epsilon) * (1 + excess))
            tally.add(args, _unsound(args, got, most, f"honours only ε = {honoured!r}"))
            continue
        over = max(over, excess)
        reference = reference_inner_epsilon(epsilon, bound, sensitivity, precision)
        unpadded |= padding(bound, sensitivity, precision) > 1 and Fraction(got) > reference * (1 + ROUNDING_SLACK)
        wasted = max(wasted, float(1 - Fraction(got) / reference))
    if tally.findings:
        return failed(name, tally.tried, tally.findings, reason(trouble) if trouble else None)
    if trouble:
        return not_judged(name, tally.tried, f"{reason(trouble)} after {tally.tried} cases, none of them wrong")
    if not tally.tried:
        return Result(name, "unsupported", 0, "the target refuses every parameter set")
    remarks = [f"wastes at most {max(wasted, 0.0):.2g} of the budget"]
    if over > 0:
        remarks.append(f"rounds to nearest, not down: ε' is up to {float(over):.2g} (relative) above the sound value")
    if unpadded:
        remarks.append("does not pad Δ as the reference does")
    return Result(name, "pass", tally.tried, "; ".join(remarks))


def _unsound(args: Args, got: float, most: Fraction, verdict: str) -> Finding:
    lines = [_words("inner_epsilon", args), line("expected, at most", float(most)), line("got", got)]
    kind = "ε' is not positive and finite" if "no ε'" in verdict else "ε' is larger than the bound on the loss allows"
    return Finding(PRIVACY, kind, "\n".join([*lines, f"the answer {verdict}"]))
