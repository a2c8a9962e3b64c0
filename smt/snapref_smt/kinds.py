"""Things of many kinds at the front door: numbers, sources and intervals as people have them (smt.release.kinds).

interface.py is decided on names in the module of the same name here. What the code does could depend on the kind of
what it is given, and a name has none. So concrete things are put before it: each must reach the mechanism as it is, or
as the equal number of Python's, or be refused. Those of numpy are among them where it is installed.
"""

import math
import random
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from itertools import chain, product
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import gmpy2

import snapref
from snapref import mechanism
from snapref.errors import ParameterError
from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.engine.symbols import replaced
from snapref_smt.interface import prepared
from snapref_smt.release import CLAIM, names

code: Any = snapref  # without types: what is given has all kinds


class _Real(float):
    """A kind of float."""


# `plain` leaves these as they are
LEFT_ALONE: tuple[Any, ...] = (
    0.1, -0.0, 0.0, 5e-324, -2.5, math.nan, math.inf, -math.inf, _Real(2.5), 0, 7, -7, 2**53 + 1, -(2**70) - 1, 10**400,
    True, False, None, "1", "", b"1", 1j, Fraction(1, 3), Fraction(2), Decimal("0.1"), gmpy2.mpz(7), gmpy2.mpfr(2),
    [1.5], [], (1.5,), {}, {1.5}, float, object(),
)  # fmt: skip
DOUBLES = (0.0, 1.5, -2.5, 5e-324, -1e-310, 0.1, math.pi, 90.0, -9.0, 2.0**60, -1.7976931348623157e308)
# Not the end of an interval
NO_ENDS: tuple[Any, ...] = (
    2**53 + 1, -(2**53) - 1, 2**1024, 10**400, math.nan, math.inf, -math.inf, True, False, None, "1", Fraction(1, 2),
    Decimal(1), [1.5], 1j,
)  # fmt: skip
INTERVALS = ((90, 100), (-3, 5), (-9, -2), (-5, 3), (0, 7), (-7, 0), (-4, 4), (1, 2**60))


def arrays() -> list[Any]:
    """What numpy has that is no number: arrays, times, and numbers behind a mask."""
    if find_spec("numpy") is None:
        return []
    import numpy as np

    times = [np.timedelta64(5, "ns"), np.datetime64(5, "ns"), np.timedelta64(5, "s"), np.array(5, "m8[ns]")]
    several = [np.array([1.5, 2.5]), np.array(["1"]), np.array([5], "m8[ns]"), np.array([])]
    masked = [np.ma.masked, np.ma.masked_array(1.5, True), np.ma.masked_array(1.5, False), np.ma.masked_array([1.5])]
    return [np.array([1.5]), np.array([[1.5]]), np.array([1]), *several, *times, *masked]


def numpys() -> list[tuple[Any, Any]]:
    """Numbers of numpy, and Python's that are equal to them."""
    if find_spec("numpy") is None:
        return []
    import numpy as np

    kinds: list[tuple[Any, Any]] = [
        *((np.float64(x), x) for x in (*DOUBLES, -0.0, math.inf)),
        *((np.array(x), x) for x in (*DOUBLES, -0.0)),
        (np.float32(-0.1), -0.10000000149011612),
        (np.float16(0.1), 0.0999755859375),
        *((np.int64(n), n) for n in (0, 7, 2**53 + 1, -(2**63))),
        (np.array(-(2**53) - 1), -(2**53) - 1),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.int8(-3), -3),
        (np.True_, True),
        (np.array(False), False),
        (np.str_("1"), "1"),
    ]
    return kinds


def same(found: Any, wanted: Any) -> bool:
    """The same number, and of the same kind: 1 is not 1.0 here, and 0.0 is not -0.0."""
    return type(found) is type(wanted) and repr(found) == repr(wanted)


def outcome(program: Any, *given: Any, **options: Any) -> Any:
    try:
        return program(*given, **options)
    except ParameterError:
        return "refused"


class Inner:
    """What stands in place of the mechanism inside: it notes what it is given."""

    def __init__(self) -> None:
        self.given: tuple[Any, ...] = ()

    def note(self, *given: Any) -> Any:
        self.given = given
        return SimpleNamespace(values=None)


def handed_on(thing: Any) -> Iterator[tuple[str, Any]]:
    """What becomes of a value or a parameter on its way to the mechanism."""
    yield "plain", code.interface.plain(thing)
    inner = Inner()
    with replaced(mechanism.Mechanism, release=inner.note):
        prepared(False).release(thing)
    yield "the value", inner.given[0]
    with replaced(mechanism, snap=inner.note):
        code.interface.snap(*[thing] * 5)
    yield from (("snap", given) for given in inner.given)
    if thing is None:  # a bound that is left out
        return
    with replaced(mechanism.Mechanism, __init__=inner.note):
        code.interface.Mechanism(*[thing] * 4)
    yield from (("Mechanism", given) for given in inner.given)


def wrong_numbers() -> Iterator[str]:
    """Values and parameters that are changed on their way, and numbers of numpy that do not become Python's."""
    for thing in (*LEFT_ALONE, *arrays()):
        yield from (f"{where}: {thing!r} becomes {got!r}" for where, got in handed_on(thing) if got is not thing)
    for number, wanted in numpys():
        for where, got in handed_on(number):
            if not same(got, wanted):
                yield f"{where}: {number!r} becomes {got!r}"


def a_source(name: str, **more: Any) -> Any:
    """A source of a class of this name."""
    return type(name, (), {"name": name, "bits": lambda own, count: 0, **more})()


def sources() -> list[Any]:
    """Everything that has bits is a source, whatever it is called, and also where it counts as false."""
    named_so = ("Random", "SystemRandom", "Source", "SystemSource", "SeededSource", "NoneType", "int", "Symbol")
    false = a_source("Empty", __len__=lambda own: 0), a_source("False", __bool__=lambda own: False)
    own = type("Own", (snapref.randomness.SystemSource,), {"bits": lambda own, count: 0})()
    known = snapref.randomness.SYSTEM, snapref.randomness.SystemSource(), snapref.randomness.SeededSource(7)
    return [*map(a_source, named_so), *false, own, *known, SimpleNamespace(bits=len), None]


NO_SOURCES: tuple[Any, ...] = (
    7, 0, 2012, True, False, 1.5, "seed", "", b"bits", (), [], {}, random.Random(7), random.SystemRandom(), object(),
    len, SimpleNamespace(), SimpleNamespace(bits=7), SimpleNamespace(bits=None), {"bits": len}, Fraction(1),
)  # fmt: skip


def sources_in(source: Any) -> Iterator[tuple[str, Any]]:
    """What becomes of a source on its way to the mechanism, and to the batch."""
    yield "checked", outcome(code.interface.checked, source)
    for name in ("release", "release_many"):
        inner = Inner()
        made = prepared(False)
        made.certificate = SimpleNamespace(budget=SimpleNamespace(precision=53))
        batch = SimpleNamespace(BatchMechanism=lambda *given, inner=inner: SimpleNamespace(release=inner.note))
        with (
            replaced(mechanism.Mechanism, release=inner.note),
            patch.dict(sys.modules, {"snapref.batch.mechanism": batch}),
        ):
            refused = outcome(getattr(made, name), 1.5, source) == "refused"
        yield name, "refused" if refused else inner.given[-1]


def wrong_sources() -> Iterator[str]:
    """Sources in the place of which something else is used, and other things that are taken for sources."""
    for source in sources():
        yield from (f"{where}: {source!r} becomes {got!r}" for where, got in sources_in(source) if got is not source)
    for thing in NO_SOURCES:
        yield from (f"{where}: {thing!r} is a source" for where, got in sources_in(thing) if got != "refused")


def wrong_ends() -> Iterator[str]:
    """Ends of an interval that are not the double that is given, or are taken though they are none."""
    wholes = ((n, float(n)) for n in (0, 3, -9, 2**60, -(2**60), 2**1023))
    of_numpy = ((x, float(y)) for x, y in numpys() if type(y) is float and math.isfinite(y))
    for given, wanted in (*((x, x) for x in DOUBLES), *wholes, *of_numpy):
        found = outcome(code.interface._end, "lower", given)
        if type(found) is not float or found != wanted:
            yield f"the end {given!r} becomes {found!r}"
    for given in NO_ENDS:
        if (found := outcome(code.interface._end, "lower", given)) != "refused":
            yield f"the end {given!r} becomes {found!r}"


def kinds_of(n: int) -> Iterator[Any]:
    """A whole number as an int, as a float, and as numpy's."""
    yield from (n, float(n), _Real(n))
    if find_spec("numpy") is not None:
        import numpy as np

        yield from (np.float64(n), np.float32(n), np.int64(n), np.array(float(n)))


def wrong_intervals() -> Iterator[str]:
    """Intervals of which B is not the larger of |lower| and |upper|, or to which a release is not clamped."""
    for low, high in INTERVALS:
        for lower, upper in product(kinds_of(low), kinds_of(high)):
            inner, bound = Inner(), float(max(-low, high))
            with replaced(mechanism.Mechanism, __init__=inner.note):
                made = code.interface.Mechanism(0.5, lower=lower, upper=upper)
            parts = (*inner.given, *made._interval, *made._given)
            if not all(map(same, parts, (0.5, bound, 1.0, 53, float(low), float(high), 0.5, bound, 1.0))):
                yield f"from {lower!r} to {upper!r}: {parts}"
            for value in (low - 1.5, low, low + 0.5, high - 0.5, high, high + 1.5):
                released = mechanism.Release(float(value), *names("certificate randomness"))
                with replaced(mechanism.Mechanism, release=lambda *given, released=released: released):
                    found = made.release(1.5)
                if found != released._replace(value=float(min(max(value, low), high))):
                    yield f"from {lower!r} to {upper!r}: {value} becomes {found.value}"
        for lower, upper in ((high, low), (low, low), (float(high), float(low))):
            if outcome(code.interface.Mechanism, 0.5, lower=lower, upper=upper) != "refused":
                yield f"an interval from {lower} to {upper}"


SHOWN = (0, 1, Fraction(1, 3), Fraction(-1, 3), Fraction(1, 2), 7, 123456, Fraction(10**12 + 1, 7), Fraction(2) ** 2000)


def wrong_texts() -> Iterator[str]:
    """Numbers that messages and certificates show wrongly, and releases that do not say where their bits came from."""
    for shown in (*SHOWN, 1 / Fraction(2) ** 2000):
        x = Fraction(shown)
        text = code.budget.show(x)
        power = Fraction(2) ** int(text.removeprefix("about 2**")) if "about" in text else None
        near = power <= abs(x) < 2 * power if power is not None else abs(Fraction(text) - x) <= abs(x) / 10**5
        if not near:
            yield f"{x} is shown as {text}"
    for seed in (0, 1, 7, 2012, -3, 2**70):
        if str(seed) not in (name := code.SeededSource(seed).name) or "not private" not in name:
            yield f"the seed {seed} is called {name}"
    prepared = code.Mechanism(0.5, 2.0**45, 3.0)  # so large a B that ε' is another number
    if repr(prepared) != "Mechanism(ε = 0.5, B = 3.51844e+13, Δ = 3, p = 53)":
        yield f"a mechanism is shown as {prepared!r}"
    for where in ("system", "injected, not private (seed 7)", "elsewhere"):
        release = mechanism.Release(42.5, prepared.certificate, where)
        for text in (repr(release), release._repr_html_(), *many(prepared.certificate, where)):
            value, epsilon = "42.5" if "many" not in text else "many", "<td>0.5 (" if "<" in text else "ε = 0.5"
            missing = [word for word in (where, value, epsilon) if word not in text]
            if missing or ("system" in text) is not (where == "system"):
                yield f"a release with the bits of {where!r} is shown as {text}"


def many(certificate: Any, where: str) -> Iterator[str]:
    """How many releases are shown, of a number that is written as "many"."""
    if find_spec("numpy") is not None:
        from snapref.batch.mechanism import Releases

        values: Any = SimpleNamespace(size="many")
        releases = Releases(values, certificate, where)
        yield from (repr(releases), releases._repr_html_())


@obligation(
    "smt.release.kinds",
    claim=CLAIM,
    kind="exact",
    decides=False,
    scope="lists of numbers, sources and intervals: some eighty things of every kind that people have",
)
def kinds(run: Run) -> Outcome:
    """Numbers of numpy become Python's, which are equal to them; nothing else is changed on its way to the mechanism.

    Everything that has bits is a source, and nothing else is. B is the larger of |lower| and |upper|. What is shown of
    numbers, and of where the bits came from, is true.
    """
    wrong = chain(wrong_numbers(), wrong_sources(), wrong_ends(), wrong_intervals(), wrong_texts())
    if fault := next(wrong, None):
        return Outcome("refuted", fault)
    return Outcome("proved", "every number, source and interval of the lists")
