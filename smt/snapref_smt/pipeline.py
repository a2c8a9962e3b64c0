"""Rounding and then clamping (001/002 §2.2): which outputs are multiples of Λ when B is not one.

The statements are about the specifications, which the code meets: r is the rounded x, and c is r clamped to [-B, B].
"""

import z3

from snapref.formats import Format
from snapref_smt.engine.statement import Statement
from snapref_smt.models import layout, on_formats
from snapref_smt.spec import Layout

SCOPE = "every finite x, every m that the format holds, every finite B ≥ 0"
CLAIM = "U-3.1.3a"


def _outputs(
    fmt: Format,
) -> tuple[Layout, tuple[z3.BitVecRef, ...], tuple[z3.BoolRef, ...]]:
    form = layout(fmt)
    x, m, bound, r, c = (form.pattern("x"), form.lattice(), *map(form.pattern, ("bound", "r", "c")))
    valid = z3.And(form.finite(bound), z3.Not(form.sign(bound)))
    hypotheses = (
        form.finite(x),
        form.has_lattice(m),
        valid,
        form.rounds_to(x, m, r),
        form.clamps_to(r, bound, c),
    )
    return form, (x, m, bound, r, c), hypotheses


@on_formats("smt.pipeline.outputs", claim=CLAIM, decides=False, scope=SCOPE)
def outputs(fmt: Format) -> Statement:
    """The output is a multiple of Λ in [-B, B], or ±B. It is no multiple of Λ exactly where |r| > B and B is none."""
    form, (x, m, bound, r, c), hypotheses = _outputs(fmt)
    off = z3.And(z3.UGT(form.magnitude(r), form.magnitude(bound)), z3.Not(form.is_lattice_point(bound, m)))
    goal = z3.And(
        form.is_lattice_point(c, m) == z3.Not(off),
        z3.Implies(off, form.magnitude(c) == form.magnitude(bound)),
        z3.ULE(form.magnitude(c), form.magnitude(bound)),
    )
    return Statement("outputs", hypotheses, goal, form.is_lattice_point(c, m), variables=(x, m, bound, r, c))


@on_formats("smt.pipeline.aligned", claim=CLAIM, decides=False, scope=f"{SCOPE}, B a multiple of Λ")
def aligned(fmt: Format) -> Statement:
    """If B is a multiple of Λ, every output is one, and the outer clamp changes nothing where |x| ≤ B."""
    form, (x, m, bound, r, c), hypotheses = _outputs(fmt)
    inside = z3.ULE(form.magnitude(x), form.magnitude(bound))
    goal = z3.And(form.is_lattice_point(c, m), z3.Implies(inside, c == r))
    aligned_bound = (*hypotheses, form.is_lattice_point(bound, m))
    return Statement("aligned", aligned_bound, goal, c == r, variables=(x, m, bound, r, c))
