"""What stands around the stages of the batch path: rows, chunks, checks and parameters. Obligation: proofs.batch.rows.

The functions run as they are, on small arrays, with stages in place of which something only notes what it was given.
What they do with a row does not depend on the numbers in it, so a few rows show it. `BatchMechanism` itself runs on
names (snapref_smt.engine.symbols), so that λ, Λ and B are unknown.
"""

import inspect
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from snapref.batch import draws, mechanism
from snapref.errors import ParameterError
from snapref.randomness import SYSTEM, SystemSource
from snapref.uniform import Uniform
from snapref_smt.engine.symbols import Program, Symbol, named, replaced

SIZES, CHUNKS = range(8), (1, 2, 3, 8)


class Counting:
    """A source of which every bit is different from all others: byte i of what it hands over has the value i."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[int] = []

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return int.from_bytes(bytes(range(count // 8)), "little")


def wrong_words() -> Iterator[str]:
    """Rows of random words that are not the next 16 bytes of the source, or words that are used twice."""
    for count in SIZES:
        wanted = np.frombuffer(bytes(range(16 * count)), "<u8").reshape(count, 2)
        source, fresh = Counting(), list[int]()

        def urandom(size: int, fresh: list[int] = fresh) -> bytes:
            fresh.append(size)
            return bytes(range(size))

        with replaced(draws, os=SimpleNamespace(urandom=urandom)):
            of_system = draws.random_words(SystemSource(), count)
            of_other = draws.random_words(source, count)
        if fresh != [16 * count] or source.asked != [128 * count]:
            yield f"{count} releases: the system is asked for {fresh} bytes, another source for {source.asked} bits"
        for found in (of_system, of_other):
            if found.dtype != np.uint64 or found.shape != wanted.shape or (found != wanted).any():
                yield f"{count} releases: the words are {found.tolist()}"


def wrong_chunks() -> Iterator[str]:
    """Sizes for which not every value has its own row of fresh words, and its own place in the result."""
    batch = object.__new__(mechanism.BatchMechanism)
    batch.certificate, batch.parameters = Symbol("certificate"), Symbol("parameters")  # type: ignore[assignment]
    for size, chunk in product(SIZES, CHUNKS):
        values = np.arange(size, dtype=np.float64).reshape(size, 1)
        for given in (Counting(), None):
            source, rows = SYSTEM if given is None else given, list[Any]()

            def words(own: Any, count: int, rows: list[Any] = rows) -> Any:
                rows.append((own, count))
                return len(rows)

            def snapped(x: Any, parameters: Any, drawn: int, own: Any, rows: list[Any] = rows) -> Any:
                if drawn != len(rows) or rows[-1] != (own, x.size) or parameters is not batch.parameters:
                    raise ParameterError("other words")
                return 1000.0 * drawn + x

            stages = {"random_words": words, "snapped": snapped, "CHUNK": chunk, "checked": np.negative}
            with replaced(mechanism, **stages):
                found = batch.release(values, given)
            wanted = 1000.0 * (1 + np.arange(size).reshape(size, 1) // chunk) - values
            right = found.values.shape == values.shape and (found.values == wanted).all()
            sources = all(own is source for own, _ in rows) and found.randomness == source.name
            if not right or not sources or found.certificate is not batch.certificate:
                yield f"{size} values in chunks of {chunk}: {found}"


def wrong_logarithms() -> Iterator[str]:
    """Rows in which LN(U*) is not the fast logarithm where that is certain, and the reference's where it is not."""
    states = tuple(product((0, 3), (False, True)))  # (exponent, certain)
    for rows in product(states, repeat=3):
        read = draws.Draws(
            np.zeros(3, np.uint64), np.array([e for e, _ in rows], np.int64), np.array([5, 6, 7], np.uint64)
        )
        fast = np.array([-0.25, -0.5, -0.75]), np.array([certain for _, certain in rows])
        tossed: list[Any] = []

        def logarithms(exponent: Any, mantissa: Any, read: Any = read, fast: Any = fast) -> Any:
            return fast if exponent is read.exponent and mantissa is read.mantissa else None

        def tosses(source: Any, coins: int, tossed: list[Any] = tossed) -> int:
            tossed.append((source, coins))
            return 2000 + len(tossed)  # far below the smallest double

        stages = {"read": lambda words, read=read: read if words == "words" else None, "logarithms": logarithms}
        slow = {
            "tosses": tosses,
            "ln": lambda u, p: (u.significand - 2**52) * 10_000 - (u.exponent + 52) * 10 + (p == 53),
        }
        with replaced(mechanism, **stages, **slow):
            found = mechanism.rounded_logarithms("words", "source")  # type: ignore[arg-type]
        coins, wanted = 2000, []
        for i, (exponent, certain) in enumerate(rows):
            coins += exponent == 0
            e = exponent or coins
            wanted.append((-0.25, -0.5, -0.75)[i] if certain and exponent else (5 + i) * 10_000 + e * 10 + 1)
        if found.tolist() != wanted or any(call != ("source", 0) for call in tossed):
            yield f"{rows}: {found.tolist()}, and not {wanted}"


class ArrayLike:
    """What numpy can make an array of, as pandas' columns are."""

    def __array__(self, *args: Any, **options: Any) -> Any:
        return np.array([2.5])


ONES = float(2**53)
TAKEN: tuple[tuple[Any, list[float]], ...] = (
    ([1, 2.5, -3], [1.0, 2.5, -3.0]),
    ([2**53, -(2**53), 2**60], [ONES, -ONES, 2.0**60]),
    (np.array([1, 2], np.int8), [1.0, 2.0]),
    (np.array([2**53, 2**53 + 2, -(2**53) - 2]), [ONES, ONES + 2, -ONES - 2]),
    (np.array([2**63, 2**53], np.uint64), [2.0**63, ONES]),
    (np.array([0.5, -0.0], np.float32), [0.5, -0.0]),
    (np.array([1.5], np.float16), [1.5]),
    (np.array([1.5, 5e-324]), [1.5, 5e-324]),
    (np.array([np.float32(0.5), 3, np.int64(7)], object), [0.5, 3.0, 7.0]),
    (ArrayLike(), [2.5]),
    ([], []),
)
REFUSED: tuple[Any, ...] = (
    [2**53 + 1], [1.5, 2**53 + 1], [-(2**53) - 1], [10**400], [math.nan], [math.inf], [True], [1, False], ["1"], [None],
    [Fraction(1, 2)], [Decimal(1)], [1j], [np.True_],
    np.array([2**53 + 1]), np.array([-(2**53) - 1]), np.array([2**64 - 1], np.uint64), np.array([np.nan]),
    np.array([np.inf]), np.array([-np.inf], np.float32), np.array([True]), np.array(["1"]), np.array([1j]),
    np.array([1.5], np.longdouble), np.ma.masked_array([1.0, 2.0], [True, False]), np.array(["2020-01-01"], "M8[D]"),
    [np.ones((2, 1)), np.ones((2, 2))],
)  # fmt: skip


def wrong_checks() -> Iterator[str]:
    """Values that are refused, or taken, although they should not be."""
    for given, wanted in TAKEN:
        found = mechanism.checked(given)
        same = [math.copysign(1, x) for x in found.tolist()] == [math.copysign(1, x) for x in wanted]
        if found.dtype != np.float64 or found.tolist() != wanted or not same:
            yield f"{given!r} is taken for {found.tolist()}"
    if mechanism.checked([[1, 2], [3, 4]]).shape != (2, 2) or mechanism.checked(np.ones((3, 1, 2))).shape != (3, 1, 2):
        yield "another shape"
    for given in REFUSED:
        try:
            fault = f"is taken for {mechanism.checked(given).tolist()}"
        except ParameterError as error:
            fault = "is shown" if any(shown in str(error) for shown in ("nan", "inf", str(2**53 + 1))) else ""
        if fault:
            yield f"{given!r} {fault}"
    given = np.array([1.0])
    mechanism.checked(given)[0] = 2.0
    if given[0] != 1.0:
        yield "the caller's array is changed"


def prepared() -> Any:
    return vars(mechanism.BatchMechanism(Symbol("ε"), Symbol("B"), Symbol("Δ")))  # type: ignore[arg-type]


BUDGET = "Mechanism(ε, B, Δ).certificate.budget"
EXACT = (f"{BUDGET}.scale", "Mechanism(ε, B, Δ).certificate.lattice", f"{BUDGET}.bound")
ROUNDED = [f"Fraction(float({x}))" for x in EXACT]
CONSTRUCTION = Program(
    "BatchMechanism",
    mechanism,
    {
        "Mechanism": named("Mechanism"),
        "room": lambda *numbers: [Symbol(f"room of {', '.join(map(str, numbers))}")],
        "Fraction": named("Fraction"),
        "float": named("float"),
    },
    prepared,
    "\n".join(
        [
            "Mechanism(ε, B, Δ)",
            f"unless room of {', '.join(EXACT)}: raise ParameterError",
            *(line for x, y in zip(EXACT, ROUNDED, strict=True) for line in (f"float({x})", y)),
            *(f"unless ({x} == {y}): raise ParameterError" for x, y in zip(EXACT, ROUNDED, strict=True)),
            *(f"float({x})" for x in EXACT),
            "return {certificate: Mechanism(ε, B, Δ).certificate, parameters: Doubles(" + ", ".join(
                f"{name}={value}"
                for name, value in {
                    "scale": f"float({EXACT[0]})",
                    "lattice": f"float({EXACT[1]})",
                    "inverse": f"(1 / float({EXACT[1]}))",
                    "bound": f"float({EXACT[2]})",
                }.items()
            ) + ")}",
        ]
    ),
)  # fmt: skip


def wrong_order() -> Iterator[str]:
    """`snapped` takes LN(U*) and the signs from the same words, and hands all to `composed`."""
    program = Program(
        "snapped",
        mechanism,
        {"composed": named("composed"), "rounded_logarithms": named("LN")},
        lambda: mechanism.snapped(*(Symbol(name) for name in ("values", "parameters", "words", "source"))),  # type: ignore[arg-type]
        """
        LN(words, source)
        composed(values, parameters, LN(words, source), words[(None to None, 0)])
        return composed(values, parameters, LN(words, source), words[(None to None, 0)])
        """,
    )
    yield from program.differences()
    yield from CONSTRUCTION.differences()
    defaults = inspect.signature(mechanism.BatchMechanism).parameters["sensitivity"].default
    if defaults != 1.0 or inspect.signature(mechanism.BatchMechanism.release).parameters["source"].default is not None:
        yield "other defaults"
    code: Any = mechanism
    if code.Uniform is not Uniform or code.SYSTEM is not SYSTEM:
        yield "another law, or another source"


def faults() -> Iterator[str]:
    yield from wrong_words()
    yield from wrong_chunks()
    yield from wrong_logarithms()
    yield from wrong_checks()
    yield from wrong_order()
