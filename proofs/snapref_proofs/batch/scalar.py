"""The reference's program on doubles (snapref/doubles.py), compared with the batch path on unknown floats.

The batch path is proved to compute what the reference's program on bit patterns computes (proofs.batch.*). So the
program on doubles does, too, if it has the same stages, bit for bit, in the same order. Obligation:
proofs.doubles.same.
"""

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import z3

from snapref import doubles
from snapref.batch import mechanism
from snapref.formats import doubles_have_room
from snapref_proofs.batch.lanes import DOUBLE, DOWN, Lane
from snapref_proofs.batch.stages import complete, double, finite, lattices, paths
from snapref_proofs.batch.symbols import Symbol, named, taken
from snapref_smt.engine.executor import decide
from snapref_smt.engine.statement import Statement


class Unknown(Lane):
    """An unknown Python float. A branch on it goes both ways (`paths`).

    ⌊x⌋ is an int in Python; here it is the double of that int. For `nearest_integer` that makes no difference: if
    |x| < 2^52, everything is exact either way, and if |x| is larger, ⌊x⌋ is x, to which 0 is added. This a person must
    check by reading: code that asks for the type of ⌊x⌋, or treats zeros in its own way, would need another model.
    """

    def __bool__(self) -> bool:  # type: ignore[override]
        return decide(self.term)

    def __floor__(self) -> "Unknown":
        return Unknown(z3.fpRoundToIntegral(DOWN, self.term))


def same(
    name: str, program: Callable[..., Any], batch: Callable[..., Any], inputs: list[Any], hypotheses: list[Any]
) -> Iterator[Statement]:
    """The program, on each of its paths, returns what the batch path does; and the paths are all there are."""
    ways = paths(lambda: program(*map(Unknown, inputs)))
    yield complete(name, ways)
    expected = batch(*map(Lane, inputs)).term
    for i, path in enumerate(ways):
        found = path.result.term
        taken = [*hypotheses, *path.decisions]
        yield Statement(f"{name}, path {i + 1}", taken, found == expected, twin=z3.fpNeg(found) == expected)


def stages(
    clamp: Callable[..., Any] = doubles.clamp, nearest: Callable[..., Any] = doubles.nearest_integer
) -> Iterator[Statement]:
    """Clamping and rounding to an integer, for every finite x and B > 0."""
    x, bound = z3.FPs("x bound", DOUBLE)
    numbers = [z3.Not(z3.Or(z3.fpIsInf(number), z3.fpIsNaN(number))) for number in (x, bound)]
    positive = z3.fpGT(bound, z3.FPVal(0.0, DOUBLE))
    yield from same("clamp", clamp, mechanism.clamped, [x, bound], [*numbers, positive])
    yield from same("round", nearest, mechanism.nearest_integers, [x], numbers)


def room(have: Callable[..., Any] = doubles_have_room) -> Iterator[Statement]:
    """If `Mechanism` computes in doubles, λ, Λ and B are as `room` requires. The budget gives λ ≤ B ≤ 2^46·λ."""
    patterns = z3.BitVecs("scale bound", 64)
    e, power, _ = lattices()
    scale, bound = (double(bits) for bits in patterns)
    s, m, b = map(Lane, (scale, power, bound))
    budget = [fact.term for fact in (s <= b, b <= s * 2.0**46, s <= m, m <= s * 2.0)]
    given = [e != 2047, *map(finite, patterns), *budget]
    batch: Any = mechanism
    wanted = z3.And(*(condition.term for condition in batch.room(s, m, b)))
    for path in paths(lambda: bool(have(Unknown(scale), Unknown(bound)))):
        if path.result:
            yield Statement("room", [*given, *path.decisions], wanted, twin=z3.fpLT(bound, power))


def run(program: Any, sign: int) -> Symbol:
    return program.program(*map(Symbol, "λΛB"))(Symbol("x"), sign, Symbol("u"))  # type: ignore[no-any-return]


def unlinked(program: Any = doubles) -> Iterator[str]:
    """Says so if the program, run with names in place of its stages, is not clamp(round(clamp(f(D)) ⊕ S⊗λ⊗LN(U*)))."""
    names: dict[str, Any] = {"clamp": named("clamp"), "nearest_integer": named("round"), "ln": named("LN")}
    for sign, scale in ((1, "λ"), (-1, "-λ")):
        with patch.multiple(program, **names), patch.object(program, "float", lambda x: x, create=True):
            found = taken(run, program, sign)
        noisy = f"(clamp(x, B) ⊕ ({scale} ⊗ LN(u, 53)))"
        if found != f"clamp((round(({noisy} ⊗ 1/Λ)) ⊗ Λ), B)":
            yield f"S = {sign}: the program on doubles is {found}"
