"""The reference's program on doubles (snapref/doubles.py) on unknown floats.

Its stages are compared with the reference's program on bit patterns directly (stages.py: proofs.doubles.*). The batch
path then only has to be the same on doubles (proofs.batch.stages).
"""

from collections.abc import Callable, Iterator
from typing import Any

import z3

from snapref import doubles
from snapref.batch import mechanism
from snapref.formats import doubles_have_room
from snapref_proofs.batch.lanes import DOUBLE, DOWN, EVEN, Lane
from snapref_proofs.batch.stages import BIAS, FRACTION, LARGEST, complete, double, field, finite, lattices, paths
from snapref_smt.engine.executor import Path, decide
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.symbols import replaced


class Unknown(Lane):
    """An unknown Python float. A branch on it goes both ways (`paths`)."""

    def __bool__(self) -> bool:  # type: ignore[override]
        return decide(self.term)

    def __floor__(self) -> "Floor":
        return Floor(self)


class Floor:
    """The int ⌊x⌋. All that one may do with it is to make it a float again."""

    def __init__(self, x: Unknown) -> None:
        self.x = x

    def as_float(self) -> Unknown:
        """The double that is ⌊x⌋; an int knows no -0. (`floors` proves it of the int.)"""
        return Unknown(floor(self.x.term))


def floor(x: Any) -> Any:
    whole = z3.fpRoundToIntegral(DOWN, x)
    return z3.If(z3.fpIsZero(whole), z3.FPVal(0.0, DOUBLE), whole)


def as_float(number: Any) -> Any:
    """Python's `float`."""
    return number.as_float() if isinstance(number, Floor) else float(number)


def floors() -> Iterator[Statement]:
    """⌊x⌋ as an int, and that int as the nearest double, is ⌊x⌋ as a double, for every |x| < 2^66."""
    x = z3.BitVec("x", 64)
    whole = z3.fpToSBV(DOWN, double(x), z3.BitVecSort(68))
    back, wanted = z3.fpSignedToFP(EVEN, whole, DOUBLE), floor(double(x))
    small, large = field(x) < BIAS + FRACTION + 1, field(x) >= BIAS + FRACTION + 1
    for name, hypotheses in (("|x| < 2^53", [small]), ("|x| ≥ 2^53", [large, field(x) <= BIAS + LARGEST])):
        yield Statement(name, hypotheses, back == wanted, twin=back == z3.fpNeg(wanted))


def run(program: Callable[..., Any], *inputs: Any) -> list[Path]:
    """The paths of a program on unknown floats."""
    with replaced(doubles, float=as_float):
        return paths(lambda: program(*map(Unknown, inputs)))


def merged(program: Callable[..., Any]) -> Callable[..., Any]:
    """A program on floats as a function of unknown elements: whichever path it takes, in one formula.

    The last path has no condition of its own: that there are no others is stated apart (`same`).
    """

    def function(*inputs: Lane) -> Lane:
        ways = run(program, *(x.term for x in inputs))
        term = ways[-1].result.term
        for path in ways[:-1]:
            term = z3.If(path.condition, path.result.term, term)
        return Lane(term)

    return function


clamp, nearest = merged(doubles.clamp), merged(doubles.nearest_integer)


def products() -> Iterator[Statement]:
    """S⊗λ is λ or -λ, for S = ±1 and every finite λ: so both programs multiply the same numbers."""
    scale = z3.FP("scale", DOUBLE)
    known = [z3.Not(z3.Or(z3.fpIsNaN(scale), z3.fpIsInf(scale)))]
    for sign, wanted in ((1.0, scale), (-1.0, z3.fpNeg(scale))):
        found = z3.fpMul(EVEN, z3.FPVal(sign, DOUBLE), scale)
        yield Statement(f"S = {sign:+.0f}", known, found == wanted, twin=found == z3.fpAbs(wanted))


def same(
    name: str, program: Callable[..., Any], batch: Callable[..., Any], inputs: list[Any], hypotheses: list[Any]
) -> Iterator[Statement]:
    """The program, on each of its paths, returns what the batch path does; and the paths are all there are."""
    ways = run(program, *inputs)
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
