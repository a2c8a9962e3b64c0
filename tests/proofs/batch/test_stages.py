"""Each stage of the batch path against the reference on unknown inputs: a program that is nearly right is found."""

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
import z3

from snapref import ParameterError
from snapref.arithmetic import Dyadic
from snapref.batch import draws, mechanism
from snapref_ledger import REGISTRY, Run
from snapref_proofs.batch import obligations, stages
from snapref_proofs.batch.lanes import DOUBLE, Lane
from snapref_proofs.batch.replayed import Draw
from snapref_smt.engine.executor import unknown
from snapref_smt.engine.statement import Statement
from tests.breaking import fails_on_bits

RUN = Run()


def refuted(statements: Iterator[Statement]) -> bool:
    """One after the other, and none is built after the first that fails."""
    return any(fails_on_bits(statement) for statement in statements)


# Wrong programs


def read_with(**changed: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    def read(words: Any) -> Any:
        found = draws.read(words)
        return found._replace(**{name: change(found, words) for name, change in changed.items()})

    return read


@pytest.mark.parametrize(
    "program",
    [
        read_with(exponent=lambda found, words: found.exponent + 1),
        read_with(exponent=lambda found, words: found.exponent * (words[:, 1] != 1)),
        read_with(mantissa=lambda found, words: found.mantissa >> draws.ONE),
        read_with(first=lambda found, words: words[:, 1]),
        # the conversion to a double carries where the bit after the leading one is left
        read_with(exponent=lambda found, words: 1087 - (words[:, 1].astype(np.float64).view(np.int64) >> 52)),
    ],
)
def test_a_wrong_reading_is_found(program: Callable[[Any], Any]) -> None:
    assert refuted(stages.draws(program))


def test_a_wrong_sign_is_found() -> None:
    assert refuted(stages.noises(lambda scale, logarithm, first: mechanism.noise(scale, logarithm, ~first)))
    assert refuted(stages.noises(lambda scale, logarithm, first: -scale * logarithm))


@pytest.mark.parametrize(
    "program",
    [
        lambda x, bound: x,
        lambda x, bound: x.clip(-bound, 2 * bound),
        lambda x, bound: x.clip(-bound, bound) + 0.0,  # loses the sign of a zero
    ],
)
def test_a_wrong_clamp_is_found(program: Callable[[Any, Any], Any]) -> None:
    assert refuted(stages.clamps(program))


@pytest.mark.parametrize("dropped", range(6))
def test_without_a_condition_on_the_parameters_doubles_may_have_no_room(dropped: int) -> None:
    def room(*parameters: Any) -> Any:
        return [c for i, c in enumerate(mechanism.room(*parameters)) if i != dropped]

    assert refuted(stages.ranges(room))


def nearest(x: Any) -> Any:
    return mechanism.nearest_integers(x)


@pytest.mark.parametrize(
    ("program", "sign", "exponents"),
    [
        (lambda x: np.floor(x), 0, range(-1, 0)),
        (lambda x: -nearest(-x), 0, range(3, 4)),  # ties down
        (lambda x: -nearest(-x), 1, range(-1, 0)),
        (lambda x: np.floor(x) + (x - np.floor(x) > 0.5), 1, range(4, 5)),
    ],
)
def test_another_rounding_is_found(program: Callable[[Any], Any], sign: int, exponents: range) -> None:
    assert refuted(stages.integers(sign, exponents, program))


def test_other_roundings_of_small_numbers_are_found() -> None:
    """⌊x + ½⌋ is wrong at the double below ½, and a -0 counts as wrong."""
    assert refuted(stages.beyond(lambda x: np.floor(x + 0.5)))
    assert refuted(stages.beyond(lambda x: -nearest(-x)))


def test_a_wrong_reference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference's own code runs here: another one, and the same statements fail."""
    right_round, right_clamp, right_draw = stages.round_to_lattice, stages.clamp, stages.drawn
    monkeypatch.setattr(stages, "round_to_lattice", lambda x, m, fmt: right_round(x, m + 1, fmt))
    assert refuted(stages.integers(0, range(1)))
    monkeypatch.setattr(stages, "clamp", lambda x, bound, fmt: right_clamp(x, bound, fmt) & ((1 << 63) - 1))
    assert refuted(stages.clamps())
    monkeypatch.setattr(stages, "drawn", lambda source: Draw(-right_draw(source).sign, 1, 0))
    assert refuted(stages.draws())


@pytest.mark.parametrize(
    "program",
    [
        lambda values, p, logarithms, first: mechanism.composed(values, p._replace(bound=p.scale), logarithms, first),
        lambda values, p, logarithms, first: mechanism.rounded(
            mechanism.clamped(values, p.bound) + mechanism.noise(p.scale, logarithms, first), p.lattice, p.inverse
        ),
        lambda values, p, logarithms, first: mechanism.composed(values + 0.0, p, logarithms, first),
    ],
)
def test_another_composition_is_found(program: Callable[..., Any]) -> None:
    assert list(stages.unlinked(program))


def test_what_a_sum_loses_needs_rounding_to_nearest() -> None:
    assert refuted(stages.sums(1, range(54, 56), z3.RTN()))


def test_a_wrong_uniform_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "Uniform", lambda p: lambda e, mantissa: Dyadic(mantissa + (1 << 52), -53 - e))
    assert refuted(stages.uniforms())


def test_a_reference_that_is_right_at_one_lattice_only_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = stages.round_to_lattice
    monkeypatch.setattr(stages, "round_to_lattice", lambda x, m, fmt: right(x, m if isinstance(m, int) else m + 1, fmt))
    assert not refuted(stages.integers(0, range(1)))
    assert refuted(islice(stages.every_lattice(0), 8))


def test_an_inexact_scaling_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SMALLEST", -1900)  # x/Λ may be subnormal, and then it is rounded
    assert refuted(stages.scalings())


def test_logarithms_and_lattices_out_of_range_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(stages.enclosure, "log1p", lambda n, d, bits: (Dyadic(1, -60), Dyadic(2, 0)))
        assert len(list(stages.wrong_logarithms())) == 2
    monkeypatch.setattr(stages, "HIGHEST", 1023)  # 1/2**1023 is subnormal
    assert list(stages.wrong_inverses()) == ["1/2**1023"] * 2


# All together


@pytest.mark.parametrize("id", sorted({id for ids in obligations.BATCH.values() for id in ids}))
def test_a_missing_proof_is_found(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = REGISTRY[id]
    monkeypatch.delitem(REGISTRY, id)
    assert id in obligations.same(RUN).detail
    monkeypatch.setitem(REGISTRY, id, replace(found, kind="sampled"))
    assert id in obligations.same(RUN).detail


def test_a_stage_without_proofs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(obligations.BATCH, "clamp, round", ())
    assert obligations.same(RUN).status == "refuted"


def test_thoroughly_each_proof_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for ids in obligations.BATCH.values():
        for id in ids:
            monkeypatch.setitem(REGISTRY, id, replace(REGISTRY[id], check=lambda run: obligations.Outcome("proved")))
    assert obligations.same(Run(thorough=True)).status == "proved"
    undecided = replace(REGISTRY["proofs.batch.log"], check=lambda run: obligations.Outcome("undecided"))
    monkeypatch.setitem(REGISTRY, "proofs.batch.log", undecided)
    assert "proofs.batch.log is undecided" in obligations.same(Run(thorough=True)).detail


# The engines

DOUBLES = [0.0, -0.0, 5e-324, -5e-324, 0.49999999999999994, 0.5, -0.5, 1.5, -1.5, 2.0**52 + 1, -(2.0**53), 1e300, -2.5]
WORDS = [0, 1, 2, 3, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 3 << 62, 0xAAAAAAAAAAAAAAAA]


def value(lane: Lane) -> float | int:
    """What a lane of constants comes to."""
    solver = z3.Solver()
    result = z3.Const("result", lane.term.sort())
    bits = z3.BitVec("bits", 64)
    solver.add(
        *lane.given, result == lane.term, (z3.fpBVToFP(bits, DOUBLE) == result) if lane.is_double else bits == result
    )
    assert solver.check() == z3.sat
    word = solver.model().eval(bits).as_long()
    return (
        float(struct.unpack("<d", struct.pack("<Q", word))[0])
        if lane.is_double
        else word - (lane.signed and word >> 63) * 2**64
    )


def known(x: float) -> Any:
    return Lane(z3.FPVal(x, DOUBLE))


def same(a: float, b: float) -> bool:
    return a == b and math.copysign(1, a) == math.copysign(1, b)


@pytest.mark.parametrize("x", DOUBLES)
def test_a_lane_does_what_numpy_does_to_doubles(x: float) -> None:
    array = np.array([x])
    assert same(float(value(mechanism.nearest_integers(known(x)))), mechanism.nearest_integers(array)[0])
    assert same(float(value(mechanism.clamped(known(x), 1.25))), mechanism.clamped(array, 1.25)[0])
    assert same(float(value(mechanism.rounded(known(x), 0.25, 4.0))), mechanism.rounded(array, 0.25, 4.0)[0])
    assert same(float(value(-known(x) * 3.1 - 0.7)), (-array * 3.1 - 0.7)[0])
    for word in (4, 5):
        found: Any = mechanism.noise(0.3, known(x), Lane(z3.BitVecVal(word, 64)))  # type: ignore[arg-type]
        assert same(float(value(found)), mechanism.noise(0.3, array, np.array([word], np.uint64))[0])


@pytest.mark.parametrize("word", WORDS)
def test_a_lane_does_what_numpy_does_to_words(word: int) -> None:
    lane = stages.LaneWords(Lane(z3.BitVecVal(word, 64)), Lane(z3.BitVecVal(word, 64)))
    found: Any = draws.read(lane)  # type: ignore[arg-type]
    expected = draws.read(np.array([(word, word)], np.uint64))
    assert [value(part) for part in found] == [int(part[0]) for part in expected]


@pytest.mark.parametrize(
    "use", [bool, float, int, lambda x: [1, 2][x], np.rint, np.exp, lambda x: x ^ x, lambda x: x @ x]
)
def test_a_lane_is_not_taken_for_a_known_number(use: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        use(known(1.0))


@pytest.mark.parametrize("use", [lambda x: x << 100, lambda x: 1 << x, lambda x: x >> (x - 1), lambda x: x * x * x])
def test_an_integer_never_leaves_its_width(use: Callable[[Any], Any]) -> None:
    with pytest.raises(OverflowError):
        stages.paths(lambda: use(unknown(z3.BitVec("x", 64))))


def test_every_path_is_taken() -> None:
    x = z3.BitVec("x", 8)

    def program() -> Any:
        n = unknown(x)
        if n > 200:
            raise ParameterError("too large")
        return n + 1 if n & 1 else n.bit_length()

    found = stages.paths(program)
    assert [path.error is not None for path in found].count(True) == 1
    for number in range(256):
        taken = [p for p in found if z3.is_true(z3.simplify(z3.substitute(p.condition, (x, z3.BitVecVal(number, 8)))))]
        assert len(taken) == 1
        if number <= 200:
            result = z3.simplify(z3.substitute(stages.term_of(taken[0].result), (x, z3.BitVecVal(number, 8))))
            assert result.as_long() == (number + 1 if number & 1 else number.bit_length())
    some = stages.complete("a path is missing", found[1:])
    assert fails_on_bits(some)
