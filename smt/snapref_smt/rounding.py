"""Rounding to a multiple of Λ: the reference's own code, path by path, meets the specification (001/002 §2.2, §4.2.2).

First the engine's side: widths hold, paths are complete and disjoint, and each is in the case of §4.2.2 that the source
says. Then the code: in each case its result is what `Layout.rounds_to` says, and it refuses exactly what it should.
What follows from the specification alone (nearest, idempotent, monotone, …) is in spec_obligations.py.
"""

from dataclasses import replace

import z3

from snapref.formats import Format
from snapref_smt.engine.statement import Stated, Statement
from snapref_smt.engine.stating import listed
from snapref_smt.models import Lifted, any_of, layout, lifted_round, on_formats, path_theorems, side_theorems
from snapref_smt.replay import replay_round

ALL = "every pattern of x and every 16-bit m"
DOMAIN = "every finite x and every m that the format holds"


def in_domain(code: Lifted) -> tuple[z3.BoolRef, z3.BoolRef]:
    """x is finite and the format holds Λ = 2^m."""
    x, m = code.variables
    return layout(code.fmt).finite(x), layout(code.fmt).has_lattice(m)


@on_formats("smt.round.widths", claim="N-4.2", part="corrected", decides=False, timeout=180.0, scope=ALL)
def widths(fmt: Format) -> list[Statement]:
    """Each operation's exact result fits the width it was computed in, and each shift is by a valid amount."""
    return side_theorems(lifted_round(fmt))


@on_formats("smt.round.paths", claim="N-4.2", part="corrected", decides=False, scope=ALL)
def paths(fmt: Format) -> list[Statement]:
    """Every input takes one of the paths through the code, and no input takes two."""
    return path_theorems(lifted_round(fmt))


@on_formats("smt.round.cases", claim="N-4.2", part="corrected", decides=False, timeout=180.0, scope=DOMAIN)
def cases(fmt: Format) -> list[Statement]:
    """The paths that the source puts under "Case n" are taken exactly in case n, with y as it is defined."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    log2 = form.log2()
    hypotheses = (*in_domain(code), z3.Or(form.zero(x), form.is_log2(x, log2)))
    statements: list[Statement] = []
    for n, case in form.cases(x, m, log2).items():
        taken = any_of([path.condition for path in code.labelled(f"Case {n}")])
        statements.append(Statement(f"case {n}", hypotheses, taken == case, z3.Not(taken), variables=(x, m, log2)))
    return statements


def _case(fmt: Format, n: int) -> list[Statement]:
    """Each path of case n that returns a number returns the pattern that the specification asks for."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    statements: list[Statement] = []
    for path in code.returning(f"Case {n}"):
        result = code.pattern(path)
        statements.append(
            Statement(
                f"path {code.paths.index(path) + 1}, line {path.line}",
                (*in_domain(code), *path.decisions),
                form.rounds_to(x, m, result),
                form.rounds_to(x, m, result + 1),
                replay=replay_round(fmt),
                variables=(x, m),
            )
        )
    return statements


@on_formats("smt.round.case1", claim="N-4.2", part="corrected", scope=f"y ≥ 52; {DOMAIN}")
def case1(fmt: Format) -> list[Statement]:
    """Case 1: x is returned as it is, and that is the nearest multiple."""
    return _case(fmt, 1)


@on_formats("smt.round.case2", claim="N-4.2", part="corrected", scope=f"0 ≤ y ≤ 51; {DOMAIN}", timeout=180.0)
def case2(fmt: Format) -> list[Statement]:
    """Case 2: the significand is cut at the bit that is worth Λ, and a carry raises the exponent."""
    return _case(fmt, 2)


@on_formats("smt.round.case3", claim="N-4.2", part="corrected", scope=f"y = -1; {DOMAIN}")
def case3(fmt: Format) -> list[Statement]:
    """Case 3: ±Λ, and 0 at the tie -Λ/2."""
    return _case(fmt, 3)


@on_formats("smt.round.case4", claim="N-4.2", part="corrected", scope=f"y < -1; {DOMAIN}")
def case4(fmt: Format) -> list[Statement]:
    """Case 4: +0."""
    return _case(fmt, 4)


@on_formats("smt.round.refusals", claim="N-4.2", part="corrected", scope=ALL)
def refusals(fmt: Format) -> Statement:
    """It raises exactly where x is not finite, the format does not hold Λ, or the nearest multiple overflows."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    refused = any_of([path.condition for path in code.paths if path.error is not None])
    finite, held = in_domain(code)
    owed = z3.Or(z3.Not(finite), z3.Not(held), form.overflows(x, m))
    twin = refused == z3.Or(z3.Not(finite), z3.Not(held))  # as if nothing could overflow
    return Statement("refusals", (), refused == owed, twin, replay=replay_round(fmt), variables=(x, m))


@on_formats("smt.round.whole", claim="N-4.2", part="corrected", scope=ALL, thorough=True, timeout=600.0)
def whole(fmt: Format) -> list[Stated]:
    """The whole function, as one verdict: one path for every input, each returns what is specified, refusals are owed.

    It decides nothing that the obligations above do not. All paths in a single formula is beyond two of three solvers.
    """
    of_cases = [replace(s, name=f"case {n}, {s.name}") for n in (1, 2, 3, 4) for s in _case(fmt, n)]
    return [*path_theorems(lifted_round(fmt)), *of_cases, *listed(refusals(fmt))]
