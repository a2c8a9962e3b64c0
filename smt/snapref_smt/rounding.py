"""Rounding to a multiple of Λ: the reference's own code, path by path, meets the specification (001/002 §2.2, §4.2.2).

First the engine's side: widths hold, paths are complete and disjoint, and each is in the case of §4.2.2 that the source
says. Then the code: in each case its result is what `Layout.rounds_to` says, and it refuses exactly what it should.
What follows from the specification alone (nearest, idempotent, monotone, …) is in specification.py.
"""

import z3

from snapref.formats import Format
from snapref_smt.engine.prove import Theorem, named
from snapref_smt.models import Lifted, any_of, layout, lifted_round, on_formats, path_theorems, side_theorems
from snapref_smt.replay import replay_round

ALL = "every pattern of x and every 16-bit m"
DOMAIN = "every finite x and every m that the format holds"


def in_domain(code: Lifted) -> tuple[z3.BoolRef, z3.BoolRef]:
    """x is finite and the format holds Λ = 2^m."""
    x, m = code.variables
    return layout(code.fmt).finite(x), layout(code.fmt).has_lattice(m)


@on_formats("smt.round.widths", claim="N-4.2", part="corrected", decides=False, timeout=180.0, scope=ALL)
def widths(fmt: Format) -> dict[str, Theorem]:
    """Each operation's exact result fits the width it was computed in, and each shift is by a valid amount."""
    return side_theorems(lifted_round(fmt))


@on_formats("smt.round.paths", claim="N-4.2", part="corrected", decides=False, scope=ALL)
def paths(fmt: Format) -> dict[str, Theorem]:
    """Every input takes one of the paths through the code, and no input takes two."""
    return path_theorems(lifted_round(fmt))


@on_formats("smt.round.cases", claim="N-4.2", part="corrected", decides=False, timeout=180.0, scope=DOMAIN)
def cases(fmt: Format) -> dict[str, Theorem]:
    """The paths that the source puts under "Case n" are taken exactly in case n, with y as it is defined."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    log2 = form.log2()
    hypotheses = (*in_domain(code), z3.Or(form.zero(x), form.is_log2(x, log2)))
    theorems = {}
    for n, case in form.cases(x, m, log2).items():
        taken = any_of([path.condition for path in code.labelled(f"Case {n}")])
        theorems[f"case {n}"] = Theorem((x, m, log2), hypotheses, taken == case, twin=z3.Not(taken))
    return theorems


def _case(fmt: Format, n: int) -> dict[str, Theorem]:
    """Each path of case n that returns a number returns the pattern that the specification asks for."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    theorems = {}
    for path in code.returning(f"Case {n}"):
        result = code.pattern(path)
        theorems[f"path {code.paths.index(path) + 1}, line {path.line}"] = Theorem(
            (x, m),
            (*in_domain(code), *path.decisions),
            goal=form.rounds_to(x, m, result),
            twin=form.rounds_to(x, m, result + 1),  # no other pattern qualifies
            replay=replay_round(fmt),
        )
    return theorems


@on_formats("smt.round.case1", claim="N-4.2", part="corrected", scope=f"y ≥ 52; {DOMAIN}")
def case1(fmt: Format) -> dict[str, Theorem]:
    """Case 1: x is returned as it is, and that is the nearest multiple."""
    return _case(fmt, 1)


@on_formats("smt.round.case2", claim="N-4.2", part="corrected", scope=f"0 ≤ y ≤ 51; {DOMAIN}", timeout=180.0)
def case2(fmt: Format) -> dict[str, Theorem]:
    """Case 2: the significand is cut at the bit that is worth Λ, and a carry raises the exponent."""
    return _case(fmt, 2)


@on_formats("smt.round.case3", claim="N-4.2", part="corrected", scope=f"y = -1; {DOMAIN}")
def case3(fmt: Format) -> dict[str, Theorem]:
    """Case 3: ±Λ, and 0 at the tie -Λ/2."""
    return _case(fmt, 3)


@on_formats("smt.round.case4", claim="N-4.2", part="corrected", scope=f"y < -1; {DOMAIN}")
def case4(fmt: Format) -> dict[str, Theorem]:
    """Case 4: +0."""
    return _case(fmt, 4)


@on_formats("smt.round.refusals", claim="N-4.2", part="corrected", scope=ALL)
def refusals(fmt: Format) -> Theorem:
    """It raises exactly where x is not finite, the format does not hold Λ, or the nearest multiple overflows."""
    code, form = lifted_round(fmt), layout(fmt)
    x, m = code.variables
    refused = any_of([path.condition for path in code.paths if path.error is not None])
    finite, held = in_domain(code)
    owed = z3.Or(z3.Not(finite), z3.Not(held), form.overflows(x, m))
    twin = refused == z3.Or(z3.Not(finite), z3.Not(held))  # as if nothing could overflow
    return Theorem((x, m), (), refused == owed, twin, replay_round(fmt))


@on_formats("smt.round.whole", claim="N-4.2", part="corrected", scope=ALL, thorough=True, timeout=600.0)
def whole(fmt: Format) -> dict[str, Theorem]:
    """The whole function, as one verdict: one path for every input, each returns what is specified, refusals are owed.

    It decides nothing that the obligations above do not. All paths in a single formula is beyond two of three solvers.
    """
    parts = {
        "paths": named(paths(fmt)),
        **{f"case {n}": _case(fmt, n) for n in (1, 2, 3, 4)},
        "refusals": named(refusals(fmt)),
    }
    return {f"{part} {name}".strip(): theorem for part, theorems in parts.items() for name, theorem in theorems.items()}
