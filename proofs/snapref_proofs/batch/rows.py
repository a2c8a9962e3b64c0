"""What stands around the stages of the batch path: rows, chunks, checks and parameters. Obligation: proofs.batch.rows.

The functions run as they are, on small arrays, with stages in place of which something only notes what it was given.
What they do with a row does not depend on the numbers in it, so a few rows show it. on_names.py has what they do with
parameters, chunks and words that are unknown.
"""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any, Literal

import gmpy2
import numpy as np

from snapref.batch import draws, mechanism
from snapref.errors import ParameterError
from snapref.randomness import SYSTEM, SystemSource
from snapref_proofs.batch import on_names
from snapref_smt.engine.symbols import Symbol, replaced

SIZES, CHUNKS = range(8), (1, 2, 3, 8)
MANY, TIMES = (8, 33, 300, 1000, mechanism.CHUNK), 3  # up to the most that a release asks for; and how often
ODD = 0x9E3779B97F4A7C15  # its multiples are different modulo 2^64
STREAM = b"".join((n * ODD % 2**64).to_bytes(8, "little") for n in range(2 * max(MANY) * TIMES))


class Stream:
    """Bytes of which no word of 8 occurs twice, one after the other."""

    def __init__(self) -> None:
        self.place, self.sizes = 0, list[int]()

    def next(self, size: int) -> bytes:
        self.sizes.append(size)
        self.place += size
        return STREAM[self.place - size : self.place]


class Counting:
    """A source of which every word is different from all others."""

    name = "counting"

    def __init__(self) -> None:
        self.stream, self.asked = Stream(), list[int]()

    def bits(self, count: int) -> int:
        self.asked.append(count)
        return int.from_bytes(self.stream.next(count // 8), "little")


class Empty(Counting):
    """A source that counts as false where somebody asks for its truth."""

    name = "empty"

    def __len__(self) -> int:
        return 0


class Own(Counting, SystemSource):
    """A kind of the system's source, with bits of its own."""

    name = "own"


KINDS: tuple[type[SystemSource] | type[Counting], ...] = (SystemSource, Counting, Empty, Own)


def wrong_words() -> Iterator[str]:
    """Rows of random words that are not the next 16 bytes of the source, or words that are used twice."""
    for count, kind in product((*SIZES, *MANY), KINDS):
        source, stream = kind(), Stream()
        with replaced(draws, os=SimpleNamespace(urandom=stream.next)):
            found = [draws.random_words(source, count) for _ in range(TIMES)]
        asked = stream.sizes, source.asked if isinstance(source, Counting) else []  # bytes of the system, and bits
        if asked != (([16 * count] * TIMES, []) if kind is SystemSource else ([], [128 * count] * TIMES)):
            yield f"{count} releases: the system is asked for {asked[0]} bytes, another source for {asked[1]} bits"
        wanted = np.frombuffer(STREAM[: 16 * count * TIMES], "<u8").reshape(TIMES, count, 2)
        for words, right in zip(found, wanted, strict=True):
            if words.dtype != np.uint64 or words.shape != right.shape or (words != right).any():
                yield f"{count} releases, {kind.__name__}: the words are {words.tolist()}"


def wrong_failures() -> Iterator[str]:
    """Errors of the operating system after which there are words all the same."""
    for error in (OSError("no randomness"), NotImplementedError("no randomness")):

        def urandom(size: int, error: Exception = error) -> bytes:
            raise error

        with replaced(draws, os=SimpleNamespace(urandom=urandom)):
            try:
                yield f"after {error!r} the words are {draws.random_words(SystemSource(), 3).tolist()}"
            except Exception as found:
                if found is not error:
                    yield f"{error!r} becomes {found!r}"


def arrays() -> Iterator[Any]:
    """Numbers that float32 does not hold: no number to hundreds, in rows, in columns, and one without a dimension."""
    thirds = (1 + 3 * np.arange(250)) / 3
    for size in SIZES:
        yield thirds[:size].reshape(size, 1)
    yield thirds[0].reshape(())
    yield thirds  # in chunks of 1 and 2 these are more than 100 chunks
    rows = thirds[:24].reshape(2, 3, 4)
    yield from (rows, rows[0], rows.T, np.asfortranarray(rows[0]), np.moveaxis(rows, 0, 1), rows[:, ::-1, ::2])


class Noting:
    """Stages of a release that note which words are drawn, and for which values they are used."""

    def __init__(self, parameters: Any) -> None:
        self.parameters, self.rows = parameters, list[Any]()

    def words(self, source: Any, count: int) -> int:
        self.rows.append((source, count))
        return len(self.rows)

    def snapped(self, x: Any, parameters: Any, drawn: int, source: Any) -> Any:
        if drawn != len(self.rows) or self.rows[-1] != (source, x.size) or parameters is not self.parameters:
            raise ParameterError("other words")
        return 1000.0 * drawn + x


def wrong_chunks() -> Iterator[str]:
    """Arrays of which not every value has its own row of fresh words, and its own place in the result.

    Each is released twice; what was released first must still be there after that.
    """
    batch = object.__new__(mechanism.BatchMechanism)
    batch.certificate, batch.parameters = Symbol("certificate"), Symbol("parameters")  # type: ignore[assignment]
    for values, chunk, given in product(arrays(), CHUNKS, (Counting(), Empty(), Own(), None)):
        source, released = SYSTEM if given is None else given, list[Any]()
        for x in (values, np.asarray(values + 1)):
            noting = Noting(batch.parameters)
            stages = {"random_words": noting.words, "snapped": noting.snapped, "CHUNK": chunk}
            with replaced(mechanism, **stages, checked=lambda x: np.asarray(-x)):
                released.append((x, noting.rows, batch.release(x, given)))
        for x, rows, found in released:
            wanted = 1000.0 * (1 + np.arange(x.size).reshape(x.shape) // chunk) - x
            right = found.values.shape == x.shape and (found.values == wanted).all()
            sources = all(own is source for own, _ in rows) and found.randomness == source.name
            kept = found.values.dtype == np.float64 and found.certificate is batch.certificate
            if not (right and sources and kept):
                yield f"{x.shape} values in chunks of {chunk}: {found.values.tolist()} of {found.randomness}"


def wrong_lengths() -> Iterator[str]:
    """Long arrays, in chunks as they are, of which one has no words of its own; or the last number is not looked at."""
    size = (1 << 20) + 3 * mechanism.CHUNK + 5
    noting = Noting(None)
    batch = object.__new__(mechanism.BatchMechanism)
    batch.certificate, batch.parameters = Symbol("certificate"), None  # type: ignore[assignment]
    values, given = np.zeros(size), Counting()
    with replaced(mechanism, random_words=noting.words, snapped=noting.snapped):
        found = batch.release(values, given)
    wanted = 1000.0 * (1 + np.arange(size) // mechanism.CHUNK)
    if not (found.values == wanted).all() or not all(own is given for own, _ in noting.rows):
        yield f"{size} values"
    values[-1] = math.nan
    try:
        mechanism.checked(values)
    except ParameterError:
        return
    yield "NaN behind many numbers"


def states() -> Iterator[tuple[tuple[int, bool], ...]]:
    """(exponent, certain) of some rows: three rows in every state, and hundreds, few and all of them in doubt."""
    each = tuple(product((0, 3), (False, True)))
    yield from product(each, repeat=3)
    yield tuple(each[i * i % 7 % 4] for i in range(500))
    yield tuple((i % 65, i % 2 == 0) for i in range(500))
    yield from (((e, False),) * 300 for e in (0, 3))
    yield (*((3, True),) * (mechanism.CHUNK - 1), (3, False))  # a whole chunk, and the last row in doubt


def wrong_logarithms() -> Iterator[str]:
    """Rows in which LN(U*) is not the fast logarithm where that is certain, and the reference's where it is not."""
    for rows in states():
        mantissas, quick = np.arange(5, 5 + len(rows), dtype=np.uint64), [-0.25 * (i + 1) for i in range(len(rows))]
        read = draws.Draws(np.zeros(len(rows), np.uint64), np.array([e for e, _ in rows], np.int64), mantissas)
        fast = np.array(quick), np.array([certain for _, certain in rows])
        tossed: list[Any] = []

        def logarithms(exponent: Any, mantissa: Any, read: Any = read, fast: Any = fast) -> Any:
            return fast if exponent is read.exponent and mantissa is read.mantissa else None

        def tosses(source: Any, coins: int, tossed: list[Any] = tossed) -> int:
            tossed.append((source, coins))
            return 2000 + len(tossed)  # far below the smallest double

        stages = {"read": lambda words, read=read: read if words == "words" else None, "logarithms": logarithms}
        slow = {
            "tosses": tosses,
            "ln": lambda u, p: (u.significand - 2**52) * 10**6 - (u.exponent + 52) * 10 + (p == 53),
        }
        with replaced(mechanism, **stages, **slow):
            found = mechanism.rounded_logarithms("words", "source")  # type: ignore[arg-type]
        coins, wanted = 2000, []
        for i, (exponent, certain) in enumerate(rows):
            coins += exponent == 0
            e = exponent or coins
            wanted.append(quick[i] if certain and exponent else (5 + i) * 10**6 + e * 10 + 1)
        if found.tolist() != wanted or any(call != ("source", 0) for call in tossed):
            yield f"{rows}: {found.tolist()}, and not {wanted}"


class ArrayLike:
    """What numpy can make an array of, as pandas' columns are."""

    def __array__(self, *args: Any, **options: Any) -> Any:
        return np.array([2.5])


class Masked(np.ma.MaskedArray[Any, Any]):
    """A kind of masked array."""


ONES = float(2**53)
ORDERS: tuple[Literal["C", "F"], ...] = ("C", "F")
GRID = [[1.5, -2.0, 3.0], [4.0, 5.0, -0.0]]
LARGE = [[2**53, 2**54, 3], [4, 2**60, -(2**62)]]
TAKEN: tuple[tuple[Any, Any], ...] = (
    ([1, 2.5, -3], [1.0, 2.5, -3.0]),
    ([2**53, -(2**53), 2**60], [ONES, -ONES, 2.0**60]),
    (np.array([1, 2], np.int8), [1.0, 2.0]),
    (np.array([2**53, 2**53 + 2, -(2**53) - 2]), [ONES, ONES + 2, -ONES - 2]),
    (np.array([2**63, 2**53], np.uint64), [2.0**63, ONES]),
    (np.array([0.5, -0.0], np.float32), [0.5, -0.0]),
    (np.array([1.5], np.float16), [1.5]),
    (np.array([1.5, 5e-324]), [1.5, 5e-324]),
    *((np.array([1.0, -3.0, 7.0], kind), [1.0, -3.0, 7.0]) for kind in (">f8", ">i8", ">f4", "<f8", "<i2")),
    ([np.array([1.5, 2.5]), np.array([3, 4])], [[1.5, 2.5], [3.0, 4.0]]),
    (((1, 2.5), [3, 4]), [[1.0, 2.5], [3.0, 4.0]]),
    (range(3), [0.0, 1.0, 2.0]),
    (np.array([np.float32(0.5), 3, np.int64(7)], object), [0.5, 3.0, 7.0]),
    (ArrayLike(), [2.5]),
    ([], []),
    (np.array([], int), []),
    (np.array([], object), []),
    (np.zeros((2, 0)), np.zeros((2, 0))),
    ([1e308, 1e308], [1e308, 1e308]),
    (np.array([1e308, 1e308, -1e308]), [1e308, 1e308, -1e308]),
    (np.array([0.1] * 3), [0.1] * 3),
    (2.5, 2.5),
    (np.array(2.5), 2.5),
    (np.array(7), 7.0),
    (GRID, GRID),
    *((np.array(GRID, kind, order=order), GRID) for kind in (float, np.float32, object) for order in ORDERS),
    *((np.array(GRID, kind).T, np.array(GRID).T) for kind in (float, object)),
    (LARGE, LARGE),
    *((np.array(LARGE, kind, order=order), LARGE) for kind in (int, object) for order in ORDERS),
    (np.array(LARGE)[::-1, ::2], np.array(LARGE)[::-1, ::2]),
    (np.ones((3, 1, 2)), np.ones((3, 1, 2))),
)
INSIDE = np.empty(1, object)
INSIDE[0] = np.array([1.0])  # an array as an element of an array
REFUSED: tuple[Any, ...] = (
    [2**53 + 1], [1.5, 2**53 + 1], [-(2**53) - 1], [10**400], [math.nan], [math.inf], [True], [1, False], ["1"], [None],
    [Fraction(1, 2)], [Decimal(1)], [1j], [np.True_], [b"1"], [[1.0], 2.0], [np.array(1.0)], ["nan"],
    [np.float64("nan")], [gmpy2.mpz(1)], [gmpy2.mpz(2**70 + 1)], [gmpy2.mpfr(1)], [np.int64(2**53 + 1)],
    [np.longdouble(1.5)], [np.timedelta64(5, "ns")], [np.datetime64(5, "ns")],
    np.array([2**53 + 1]), np.array([-(2**53) - 1]), np.array([2**64 - 1], np.uint64), np.array([np.nan]),
    np.array([np.inf]), np.array([-np.inf], np.float32), np.array([True]), np.array(["1"]), np.array([1j]),
    np.array([1.5], np.longdouble), np.ma.masked_array([1.0, 2.0], [True, False]), np.array(["2020-01-01"], "M8[D]"),
    [np.ones((2, 1)), np.ones((2, 2))], [np.ma.masked_array([1.0, 2.0], [False, True])], [np.array([5, 6], "m8[ns]")],
    [np.array([5, 6], "M8[ns]")], [np.ma.masked], [np.ma.masked_array(1.0, True)], bytearray(b"ab"), memoryview(b"ab"),
    [bytearray(b"a")], [np.array([True])], [np.array([2**53 + 1])], [np.complex128(1j)], [np.complex64(1)], {1.0: 2.0},
    np.array([1], "m8"), np.array([1], "m8[s]"), np.array([b"1"]), np.zeros(1, "V8"), np.zeros(1, [("a", "f8")]),
    INSIDE, np.array([gmpy2.mpz(2**70 + 1)], object), np.array([True], object), np.array(["1"], object),
    np.array([np.timedelta64(5, "ns")], object),
    np.array([None], object), np.array([math.nan], object), np.array([], bool), np.array([], "U1"), np.array(math.nan),
    np.array(2**53 + 1), Masked([1.0]), np.ma.masked_array([1.0]), "1", None, True, math.nan, 2**53 + 1,
)  # fmt: skip
GOOD = 99  # elements that would be taken


def among(given: Any) -> Iterator[Any]:
    """The same alone, and behind, before and between good elements of its kind, in a row and in two orders."""
    yield given
    if isinstance(given, list):
        yield from ([1.5, *given], [*given, 1.5], [[2.5, 1.5], *([1.5, x] for x in given)])
        yield [0.5] * GOOD + given + [0.5] * GOOD
    elif isinstance(given, np.ndarray) and not isinstance(given, np.ma.MaskedArray) and given.ndim == 1:
        good = np.zeros(GOOD, given.dtype)
        yield from (np.concatenate(parts) for parts in ((good, given), (given, good), (good, given, good)))
        yield from (np.array([good[: given.size], given], order=order) for order in ORDERS)


def outcome(given: Any) -> Any:
    """The numbers for which something is taken, or the error."""
    try:
        return mechanism.checked(given)
    except Exception as error:
        return error


def wrong_checks() -> Iterator[str]:
    """Values that are refused, or taken, although they should not be; or that are taken for others, bit by bit."""
    for given, numbers in TAKEN:
        found, wanted = outcome(given), np.array(numbers, np.float64)
        taken = isinstance(found, np.ndarray) and found.dtype == np.float64 and found.shape == wanted.shape
        if not taken or found.tobytes() != wanted.tobytes():  # in the order of rows
            yield f"{given!r} is taken for {found!r}"
    for given in (thing for refused in REFUSED for thing in among(refused)):
        found = outcome(given)
        if not isinstance(found, ParameterError):
            yield f"{given!r} is taken for {found!r}"
        elif any(shown in str(found) for shown in ("nan", "inf", str(2**53 + 1))):
            yield f"{given!r} is shown"
    given = np.array([1.0])
    mechanism.checked(given)[0] = 2.0
    if given[0] != 1.0:
        yield "the caller's array is changed"


def faults() -> Iterator[str]:
    yield from wrong_words()
    yield from wrong_failures()
    yield from wrong_chunks()
    yield from wrong_lengths()
    yield from wrong_logarithms()
    yield from wrong_checks()
    yield from on_names.faults()
