"""The reference's own `clamp` does what it should (001/002 §2.2), for NaN and infinities too.

The statements are about the code itself, lifted, with all its paths in one formula. "≤" compares numbers, so the two
zeros are equal.
"""

import z3

from snapref.formats import Format
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves
from snapref_smt.models import Lifted, layout, lifted_clamp, on_formats, path_theorems, side_theorems
from snapref_smt.replay import replay_clamp

ALL = "every pattern of x and of B"
TAKEN = "every x that is not a NaN, infinities included, and every finite B ≥ 0"
CLAIM = "U-3.1.3a"  # the claim of 000 that uses the clamp: outside [-B, B], its result is -B or B


def _with_input(code: Lifted, term: z3.BitVecRef, x: z3.BitVecRef) -> z3.BitVecRef:
    """A term about the code, with another x in place of its input."""
    return z3.substitute(term, (code.variables[0], x))


@on_formats("smt.clamp.widths", claim=CLAIM, decides=False, scope=ALL)
def widths(fmt: Format) -> list[Statement]:
    """Each operation's exact result fits its width, and the result is a pattern."""
    return side_theorems(lifted_clamp(fmt))


@on_formats("smt.clamp.paths", claim=CLAIM, decides=False, scope=ALL)
def paths(fmt: Format) -> list[Statement]:
    """Every input takes one of the paths through the code, and no input takes two."""
    return path_theorems(lifted_clamp(fmt))


@on_formats("smt.clamp.refusals", claim=CLAIM, decides=False, scope=ALL)
def refusals(fmt: Format) -> Statement:
    """It raises exactly where x is a NaN, or B is a NaN, infinite or negative; a bound of -0 counts as 0."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    negative = z3.And(form.sign(bound), z3.Not(form.zero(bound)))
    owed = z3.Or(form.nan(x), z3.Not(form.finite(bound)), negative)
    twin = z3.Or(form.nan(x), z3.Not(form.finite(bound)), form.sign(bound))
    return Statement(
        "refusals",
        (),
        z3.Not(code.accepted) == owed,
        z3.Not(code.accepted) == twin,
        replay=replay_clamp(fmt),
        variables=(x, bound),
    )


@on_formats("smt.clamp.result", claim=CLAIM, decides=False, scope=TAKEN)
def result(fmt: Format) -> Statement:
    """Inside [-B, B] the result is x, outside it is the end on x's side, bit for bit: zeros keep their sign."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    clamped = code.merged()
    goal = form.clamps_to(x, bound, clamped)
    return Statement("result", (code.accepted,), goal, clamped == x, replay=replay_clamp(fmt), variables=(x, bound))


@on_formats("smt.clamp.range", claim=CLAIM, decides=False, scope=TAKEN)
def range_(fmt: Format) -> Statement:
    """-B ≤ clamp(x) ≤ B."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    clamped = code.merged()
    goal = z3.And(form.at_most(form.negated(bound), clamped), form.at_most(clamped, bound))
    return Statement(
        "range", (code.accepted,), goal, form.less(clamped, bound), replay=replay_clamp(fmt), variables=(x, bound)
    )


@on_formats("smt.clamp.identity", claim=CLAIM, decides=False, scope=f"{TAKEN}, -B ≤ x ≤ B")
def identity(fmt: Format) -> Statement:
    """Inside [-B, B] nothing changes, bit for bit, the sign of a zero included."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    inside = z3.And(form.at_most(form.negated(bound), x), form.at_most(x, bound))
    clamped = code.merged()
    return Statement(
        "identity",
        (code.accepted, inside),
        clamped == x,
        clamped == bound,
        replay=replay_clamp(fmt),
        variables=(x, bound),
    )


@on_formats("smt.clamp.infinities", claim=CLAIM, decides=False, scope="x = ±∞ and every finite B ≥ 0")
def infinities(fmt: Format) -> Statement:
    """+∞ goes to B and -∞ to -B."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    clamped = code.merged()
    end = z3.If(form.sign(x), form.negated(bound), bound)
    hypotheses = (code.accepted, form.magnitude(x) == form.infinity)
    return Statement(
        "infinities",
        hypotheses,
        form.same(clamped, end),
        form.same(clamped, bound),
        replay=replay_clamp(fmt),
        variables=(x, bound),
    )


@on_formats("smt.clamp.idempotent", claim=CLAIM, decides=False, scope=TAKEN)
def idempotent(fmt: Format) -> Statement:
    """Clamping a clamped number returns it, bit for bit."""
    code = lifted_clamp(fmt)
    x, bound = code.variables
    once = code.merged()
    twice = _with_input(code, once, once)
    again = _with_input(code, code.accepted, once)
    return Statement(
        "idempotent",
        (code.accepted,),
        z3.And(again, twice == once),
        once == x,
        replay=replay_clamp(fmt),
        variables=(x, bound),
    )


@on_formats("smt.clamp.monotone", claim=CLAIM, decides=False, timeout=180.0, scope=f"{TAKEN}, every pair x ≤ y")
def monotone(fmt: Format) -> Statement:
    """x ≤ y gives clamp(x) ≤ clamp(y)."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    y = form.pattern("y")
    low, high = code.merged(), _with_input(code, code.merged(), y)
    hypotheses = (code.accepted, _with_input(code, code.accepted, y), form.at_most(x, y))
    return Statement(
        "monotone",
        hypotheses,
        form.at_most(low, high),
        form.less(low, high),
        replay=replay_clamp(fmt),
        variables=(x, bound, y),
    )


@on_formats(
    "smt.clamp.lipschitz", claim=CLAIM, decides=False, timeout=180.0, scope=f"{TAKEN}, every pair of finite x ≤ y"
)
def lipschitz(fmt: Format) -> Statement:
    """clamp(x) = clamp(y), or x ≤ clamp(x) ≤ clamp(y) ≤ y. So |clamp(x) - clamp(y)| ≤ |x - y| (contraction, below)."""
    code, form = lifted_clamp(fmt), layout(fmt)
    x, bound = code.variables
    y = form.pattern("y")
    low, high = code.merged(), _with_input(code, code.merged(), y)
    between = z3.And(form.at_most(x, low), form.at_most(low, high), form.at_most(high, y))
    hypotheses = (
        code.accepted,
        _with_input(code, code.accepted, y),
        form.finite(x),
        form.finite(y),
        form.at_most(x, y),
    )
    return Statement(
        "lipschitz",
        hypotheses,
        z3.Or(form.same(low, high), between),
        between,
        replay=replay_clamp(fmt),
        variables=(x, bound, y),
    )


@proves("smt.clamp.contraction", claim=CLAIM, decides=False, scope="all reals")
def contraction() -> Statement:
    """Two numbers that are equal, or lie in order between x and y, are no farther apart than x and y."""
    x, y, low, high = variables = z3.Reals("x y low high")
    ordered = z3.And(x <= low, low <= high, high <= y)
    goal = z3.If(low <= high, high - low, low - high) <= y - x
    return Statement(
        "contraction", (x <= y, z3.Or(low == high, ordered)), goal, high - low < y - x, variables=tuple(variables)
    )
