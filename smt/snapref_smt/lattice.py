"""Λ: the reference's own `lattice_exponent` gives the smallest power of two that is at least λ (001/002 §2.2, §4.1)."""

import z3

from snapref.formats import Format
from snapref_smt.engine.executor import Path
from snapref_smt.engine.statement import Statement
from snapref_smt.models import Lifted, any_of, layout, lifted_lattice, on_formats, path_theorems, side_theorems
from snapref_smt.replay import replay_lattice

ALL = "every pattern of λ"


def _exponent(code: Lifted, path: Path) -> z3.BitVecRef:
    """m as a 16-bit number. That it fits is proved by `smt.lattice.widths`."""
    assert path.result is not None
    return z3.Extract(15, 0, path.result)


@on_formats("smt.lattice.widths", claim="N-4.1", part="corrected", decides=False, scope=ALL)
def widths(fmt: Format) -> list[Statement]:
    """Each operation's exact result fits its width, and m lies among the exponents of the format."""
    code, form = lifted_lattice(fmt), layout(fmt)
    statements = side_theorems(code, pattern=False)
    for i, path in enumerate(code.returning()):
        m = path.result
        assert m is not None
        inside = z3.And(m >= form.min_exponent, m <= form.max_exponent)
        statements.append(
            Statement(f"m of path {i}", path.decisions, inside, m == form.min_exponent, variables=code.variables)
        )
    return statements


@on_formats("smt.lattice.paths", claim="N-4.1", part="corrected", decides=False, scope=ALL)
def paths(fmt: Format) -> list[Statement]:
    """Every λ takes one of the paths through the code, and none takes two."""
    return path_theorems(lifted_lattice(fmt))


@on_formats("smt.lattice.covers", claim="N-4.1", part="corrected", scope=f"{ALL} that is not refused")
def covers(fmt: Format) -> list[Statement]:
    """λ ≤ 2^m."""
    code, form = lifted_lattice(fmt), layout(fmt)
    (scale,) = code.variables
    return [
        Statement(
            f"path {i}",
            path.decisions,
            form.at_most_power(scale, _exponent(code, path)),
            form.at_most_power(scale, _exponent(code, path) - 1),
            replay=replay_lattice(fmt),
            variables=(scale,),
        )
        for i, path in enumerate(code.returning())
    ]


@on_formats("smt.lattice.minimal", claim="N-4.1", part="corrected", scope=f"{ALL} that is not refused, every 16-bit m'")
def minimal(fmt: Format) -> list[Statement]:
    """No smaller power of two is at least λ: if λ ≤ 2^m', then m ≤ m'. So 2^(m-1) < λ ≤ 2^m."""
    code, form = lifted_lattice(fmt), layout(fmt)
    (scale,) = code.variables
    other = form.lattice("other")
    return [
        Statement(
            f"path {i}",
            (*path.decisions, form.at_most_power(scale, other)),
            _exponent(code, path) <= other,
            _exponent(code, path) < other,
            replay=replay_lattice(fmt),
            variables=(scale, other),
        )
        for i, path in enumerate(code.returning())
    ]


@on_formats("smt.lattice.refusals", claim="N-4.1", part="corrected", scope=ALL)
def refusals(fmt: Format) -> Statement:
    """It raises exactly where λ is a NaN, infinite, zero, negative, or above the largest power of two of the format."""
    code, form = lifted_lattice(fmt), layout(fmt)
    (scale,) = code.variables
    refused = any_of([path.condition for path in code.paths if path.error is not None])
    top = z3.BitVecVal(form.max_exponent, 16)
    positive = z3.And(form.finite(scale), z3.Not(form.zero(scale)), z3.Not(form.sign(scale)))
    owed = z3.Not(z3.And(positive, form.at_most_power(scale, top)))
    return Statement(
        "refusals", (), refused == owed, refused == z3.Not(positive), replay=replay_lattice(fmt), variables=(scale,)
    )
