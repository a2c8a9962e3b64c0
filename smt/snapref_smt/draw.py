"""S and U* are what 001/002 §3 asks for, at every precision: functions of fresh, disjoint bits, with the right law.

The code runs on unknown integers (engine/integers.py): p is unknown, and so is every bit. A random word of n bits is an
unknown integer of [0, 2^n). That the operating system's bits are fair and independent is trusted. The rest follows:

- `draw` asks for p + 64 bits, once. Sign, mantissa and 64 coins are three numbers from which the word can be put
  together again, and there are as many triples as words. So each triple is equally likely.
- `tosses` returns k for exactly 2^(64-k) of the 2^64 words of coins, k ≤ 64. If all show 0, which has probability
  2^-64, it goes on with 64 fresh coins, and returns 64 more. By induction k has probability 2^-k, for every k.
- `Uniform` makes of exponent and mantissa the number of the definition.
- `SystemSource` hands over the upper bits of fresh bytes, and drops fewer than 8.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product as product_of
from types import SimpleNamespace
from typing import Any

import z3

import snapref
from snapref import randomness, uniform
from snapref.errors import ParameterError
from snapref_ledger.obligations import Run
from snapref_smt.engine import integers
from snapref_smt.engine.integers import Whole, against, divided, laws, power, product, term_of, unique, wholes
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves
from snapref_smt.engine.symbols import Program, Symbol, replaced

code: Any = snapref  # without types: names and unknown integers take the place of numbers
CLAIM = "N-3-U"
COINS = 64
P = z3.Int("p")


class _NoMore(ParameterError):
    """The run ends here: a further word is asked for."""


class Words:
    """A source of unknown words. It notes how many bits it was asked for, and ends the run at the last but one."""

    name = "unknown"

    def __init__(self, most: int) -> None:
        self.most, self.asked, self.words = most, list[Any](), list[z3.ArithRef]()

    def bits(self, count: Any) -> Any:
        self.asked.append(term_of(count))
        if len(self.asked) > self.most:
            raise _NoMore("the source is asked for more")
        self.words.append(z3.Int(f"word{len(self.words)}"))
        return Whole(self.words[-1])


def words_between(most: int) -> list[z3.BoolRef]:
    """Coins of 64 bits each."""
    return [z3.And(word >= 0, word < 2**COINS) for word in (z3.Int(f"word{i}") for i in range(most))]


def parts() -> Iterator[Statement]:
    """The one word that `draw` asks for has p + 64 bits, and sign, mantissa and coins are its parts, in this order."""
    word = z3.Int("word0")
    hypotheses = [P >= 2, word >= 0, word < power(P + COINS)]

    def program() -> Any:
        source = Words(1)
        tossed: list[Any] = []

        def law(exponent: Any, mantissa: Any) -> Any:
            return exponent, mantissa

        def tosses(own: Any, coins: Any) -> str:
            tossed.append((own, coins))
            return "e"

        law.precision = Whole(P)  # type: ignore[attr-defined]
        with replaced(randomness, tosses=tosses):
            sign, (exponent, mantissa) = code.randomness.draw(source, law)
        (own, coins), *others = tossed
        if exponent != "e" or others or own is not source:
            raise TypeError("the exponent is not what `tosses` returns for this source")
        return sign, term_of(mantissa), term_of(coins), source.asked

    ran = integers.run("draw", program, hypotheses, ParameterError)
    yield from laws()
    yield from ran.complete()
    for path in ran.paths:
        sign, mantissa, coins, asked = path.result
        lowest = 1 if sign == 1 else 0
        ranges = z3.And(mantissa >= 0, mantissa < power(P - 1), coins >= 0, coins < 2**COINS)
        together = word == lowest + 2 * mantissa + power(P) * coins
        right = z3.And(sign in (1, -1), len(asked) == 1, asked[0] == P + COINS, ranges, together)
        upper, _ = divided(divided(word, z3.IntVal(2))[0], power(P - 1))
        hints = [product(Whole(P), COINS), unique(word, power(P), upper, lowest + 2 * mantissa)]
        twin = z3.And(right, mantissa < power(P - 2))
        yield ran.statement(f"S = {sign}", path.decisions, right, twin, hints)


def geometric() -> Iterator[Statement]:
    """k tosses of 64 are what exactly 2^(64-k) words of coins show. Where all show 0, there are 64 more."""
    coins, before = z3.Ints("coins before")
    hypotheses = [coins >= 0, coins < 2**COINS, before >= 0, *words_between(1)]

    def program() -> Any:
        source = Words(1)
        found = code.randomness.tosses(source, Whole(coins), Whole(before))
        return term_of(found), source

    ran = integers.run("tosses", program, hypotheses, ParameterError)
    yield from ran.complete()
    for path in ran.paths:
        if path.error is not None:  # a second word is asked for: only where no coin of the first two words shows 1
            silent = z3.And(coins == 0, z3.Int("word0") == 0)
            yield ran.statement("it goes on", path.decisions, silent, coins != 0)
            continue
        found, source = path.result
        further = len(source.words)
        last = source.words[0] if further else coins
        k = found - before - COINS * further
        shows = z3.And(k >= 1, k <= COINS, power(COINS - k) <= last, last < power(COINS + 1 - k))
        right = z3.And(shows, (coins == 0) == (further == 1), *(count == COINS for count in source.asked))
        hints = [against(Whole(COINS - k), COINS), against(Whole(COINS + 1 - k), 0)]
        yield ran.statement(f"{further} further words", path.decisions, right, z3.And(right, k <= COINS - 1), hints)


def remembered() -> Iterator[str]:
    """The loop of `tosses` has no other state than `before` and `coins`, and looks at nothing but its source."""
    compiled = code.randomness.tosses.__code__
    if set(compiled.co_varnames) != {"source", "coins", "before"} or compiled.co_freevars:
        yield f"tosses has the variables {compiled.co_varnames}"
    if set(compiled.co_names) != {"bits", "bit_length"}:
        yield f"tosses uses {compiled.co_names}"
    if code.randomness.tosses.__defaults__ != (0,):
        yield f"tosses starts with {code.randomness.tosses.__defaults__}"


@proves(
    "smt.draw.parts",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every p ≥ 2 and every word; fair bits of the source are assumed",
)
def drawn() -> list[Statement]:
    """Sign, mantissa and coins are disjoint parts of one fresh word, and no bit of it is left over."""
    return [*parts()]


@proves(
    "smt.draw.exponent",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every word of coins, and any number of words: the step from one to the next is decided for every state of "
    "the loop",
    beside=lambda run: remembered(),
)
def exponents() -> list[Statement]:
    """The exponent is k for exactly 2^(64-k) of the 2^64 words of coins; if none shows 1, 64 more than for fresh coins.

    So P(e = k) = 2^-k for k ≤ 64. For larger k it follows by induction: 2^-64 · 2^-(k-64) = 2^-k.
    """
    return [*geometric()]


def numbers(smallest: bool) -> Iterator[Statement]:
    """What `Uniform` makes of an exponent and a mantissa, and what it refuses."""
    e, m, s = z3.Ints("e m smallest")
    hypotheses = [P >= 1, *([s < 0] if smallest else [])]
    law = code.uniform.Uniform(Whole(P), Whole(s) if smallest else None)
    name = "U*, bounded" if smallest else "U*"
    ran = integers.run(name, lambda: tuple(map(term_of, law(*wholes("e m")))), hypotheses, ParameterError)
    yield from ran.complete()
    taken = z3.And(e >= 1, m >= 0, m < power(P - 1))
    significand, unit = power(P - 1) + m, 1 - P - e
    for i, path in enumerate(ran.paths):
        if path.error is not None:
            yield ran.statement(f"refusal {i}", path.decisions, z3.Not(taken), e < 1 if i % 2 else m < 0)
            continue
        n, k = path.result
        held = z3.And(n == significand, k == unit)
        if smallest:
            step = power(s - unit)
            cut = z3.Or(
                z3.And(n >= 1, n * step <= significand, significand < (n + 1) * step),
                z3.And(n == 1, significand < step),
            )
            held = z3.If(unit < s, z3.And(k == s, cut), held)
        twin = z3.And(taken, held, n == power(P - 1))
        yield ran.statement(f"path {i}", path.decisions, z3.And(taken, held), twin)


LAWS: dict[str, tuple[Any, ...]] = {
    "unbounded": (Symbol("p"),),
    "binary64": (53, -1074),
    **{f"bounded:{smallest}": (Symbol("p"), smallest) for smallest in range(-20000, 0)},
}
NO_LAWS = (
    "", "Unbounded", "binary32", "bounded", "bounded:", "bounded:-", "bounded:0", "bounded:5", "bounded:--5",
    "bounded:-5x", "bounded:- 5", "bounded:-5:-6", "unbounded:-5", "binary64:-5", "bound:-5", ":-5", "bounded:-²",
)  # fmt: skip


def wrong_laws(run: Run) -> Iterator[str]:
    """Names for which `uniform_law` gives another law than it should."""
    with replaced(uniform, Uniform=lambda *law: law):
        for kind, law in LAWS.items():
            if code.uniform.uniform_law(kind, law[0] if "p" in str(law) else Symbol("p")) != law:
                yield f"{kind} is another law"
        for kind in NO_LAWS:
            with suppress(ParameterError):
                yield f"{kind!r} is {code.uniform.uniform_law(kind, 53)}"


@proves(
    "smt.draw.uniform",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every p, every integer as exponent, mantissa and exponent of the smallest number; the names of the laws: "
    "all with EMIN from -20000 to -1",
    beside=wrong_laws,
)
def uniforms() -> list[Statement]:
    """U* is (1 + mantissa·2^-(p-1))·2^-e, cut to a multiple of the smallest number where there is one.

    It is refused exactly where e < 1 or where the mantissa has p bits or more, or is negative.
    """
    return [*numbers(False), *numbers(True)]


def handed_over() -> Iterator[Statement]:
    """`SystemSource.bits(count)`, five times: each the upper bits of the fewest fresh bytes that have so many."""
    count, data = z3.Int("count"), z3.Ints("data0 data1 data2 data3 data4")

    def program() -> Any:
        sizes: list[Any] = []

        def urandom(size: Any) -> int:
            sizes.append(term_of(size))
            return len(sizes) - 1

        read = SimpleNamespace(from_bytes=lambda given: Whole(data[given]))
        with replaced(randomness, os=SimpleNamespace(urandom=urandom), int=read):
            source = code.randomness.SystemSource()
            return [term_of(source.bits(Whole(count))) for _ in data], sizes

    ran = integers.run("SystemSource", program, [count >= 0], ParameterError)
    yield from ran.complete()
    for path in ran.paths:
        found, sizes = path.result
        for bits, size, given in zip(found, sizes, data, strict=True):
            dropped = 8 * size - count
            upper = z3.And(bits * power(dropped) <= given, given < (bits + 1) * power(dropped))
            right = z3.And(dropped >= 0, dropped < 8, upper, bits >= 0, bits < power(count))
            hypotheses = [*path.decisions, given >= 0, given < power(8 * size)]
            hints = [product(Whole(count), Whole(dropped))]
            yield ran.statement("the upper bits", hypotheses, right, z3.And(right, dropped < 7), hints)


def wrong_failures() -> Iterator[str]:
    """Errors of the operating system after which there are bits all the same; before them, bits are handed over."""
    for error, before in product_of((OSError("none"), NotImplementedError("none")), (0, 1, 3)):
        ready = [b"\xff"] * before

        def urandom(size: int, ready: list[bytes] = ready, error: Exception = error) -> bytes:
            if not ready:
                raise error
            return ready.pop()

        with replaced(randomness, os=SimpleNamespace(urandom=urandom)):
            source = code.randomness.SystemSource()
            if (found := [source.bits(8) for _ in range(before)]) != [255] * before:
                yield f"bytes of ones become {found}"
            try:
                yield f"after {error!r} the bits are {source.bits(8)}"
            except Exception as raised:
                if raised is not error:
                    yield f"{error!r} becomes {raised!r}"


def seeded() -> Any:
    source = code.randomness.SeededSource(Symbol("seed"))
    return source.name, source.bits(Symbol("n"))


NAMED = Program(
    "SeededSource",
    randomness,
    {"random": Symbol("random")},
    seeded,
    """
    random.Random(seed)
    random.Random(seed).getrandbits(n)
    return ('injected, not private (seed seed)', random.Random(seed).getrandbits(n))
    """,
)


def wrong_sources(run: Run) -> Iterator[str]:
    yield from NAMED.differences()
    yield from wrong_failures()


@proves(
    "smt.draw.source",
    claim=CLAIM,
    part="conditional",
    decides=False,
    scope="every number of bits; that the operating system's bytes are fair and independent is trusted",
    beside=wrong_sources,
)
def sources() -> list[Statement]:
    """The system's source hands over the upper bits of fresh bytes, drops fewer than 8, and uses none twice.

    Where the system has none, its error is passed on: there is no other randomness to fall back on.
    A seeded source calls itself not private.
    """
    return [*handed_over()]
