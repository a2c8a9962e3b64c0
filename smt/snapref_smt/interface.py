"""The front door: what interface.py does before and after the mechanism, for all that it can be given.

As in release.py the code runs on names, and every question is answered both ways. mechanism.Mechanism and the batch are
names, too; what they do is decided by smt.release.* and proofs.batch.*. A parameter that is left out is None, which is
no name: each of these cases is a program of its own.

What the code does could depend on the kind of what it is given, and a name has none. So numbers, sources and intervals
of many kinds are put before it besides (`wrong_kinds`). Those of numpy are among them where it is installed.
"""

import inspect
import math
import random
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from itertools import product
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import gmpy2

import snapref
from snapref import interface, mechanism
from snapref.errors import ParameterError
from snapref_ledger.obligations import Outcome, Run, obligation
from snapref_smt.engine.symbols import Program, Symbol, judged, named, replaced, shown
from snapref_smt.release import CLAIM, FLOAT, names

code: Any = snapref  # without types: names take the place of numbers


def end(name: str, number: Any) -> Any:
    """An end of the interval: the lower one is called low, the upper one high."""
    return named("end", {"lower": "low", "upper": "high"}[name])(name, number)


def asked_callable(thing: Any) -> Any:
    """`callable`, where it is unknown what a name stands for."""
    return Symbol(f"callable({thing})") if isinstance(thing, Symbol) else callable(thing)


SIZES = {name: named(name) for name in ("abs", "max", "min")}
DOOR = {**SIZES, "plain": named("plain"), "checked": named("checked"), "_end": end, "replace": named("replace")}
ENDS = names("low high")


def constructed(**given: Any) -> Any:
    """What an instance consists of; the inner mechanism's constructor is a name."""
    epsilon, sensitivity, precision = names("ε Δ p")
    with replaced(mechanism.Mechanism, __init__=staticmethod(named("mechanism.Mechanism"))):
        if "bound" in given:  # in their places
            bound = given.pop("bound")
            return vars(code.interface.Mechanism(epsilon, bound, sensitivity, precision, **given))
        return vars(code.interface.Mechanism(epsilon, sensitivity=sensitivity, precision=precision, **given))


def constructions() -> Iterator[Program]:
    """With each of bound, lower and upper given, or left out: two of the eight are allowed."""
    bound, lower, upper = names("B lower upper")
    allowed = {
        ("bound",): """
        plain(ε)
        plain(B)
        plain(Δ)
        plain(p)
        mechanism.Mechanism(plain(ε), plain(B), plain(Δ), plain(p))
        return {_interval: None, _given: (plain(ε), plain(B), plain(Δ))}
        """,
        ("lower", "upper"): """
        low = end('lower', lower)
        high = end('upper', upper)
        if (low >= high): raise ParameterError
        abs(low)
        abs(high)
        max(abs(low), abs(high))
        plain(ε)
        plain(max(abs(low), abs(high)))
        plain(Δ)
        plain(p)
        mechanism.Mechanism(plain(ε), plain(max(abs(low), abs(high))), plain(Δ), plain(p))
        return {_interval: (low, high), _given: (plain(ε), plain(max(abs(low), abs(high))), plain(Δ))}
        """,
    }
    for chosen in range(8):
        each = (("bound", bound), ("lower", lower), ("upper", upper))
        given = {name: number for place, (name, number) in enumerate(each) if chosen >> place & 1}
        expected = allowed.get(tuple(given), "raise ParameterError")
        yield Program(f"Mechanism({', '.join(given)})", interface, DOOR, partial(constructed, **given), expected)


def prepared(interval: bool) -> Any:
    made = object.__new__(code.interface.Mechanism)
    made._given, made._interval = tuple(names("ε B Δ")), tuple(ENDS) if interval else None
    made.certificate = Symbol("certificate")
    return made


def released(interval: bool) -> Any:
    with replaced(mechanism.Mechanism, release=staticmethod(named("mechanism.release", "found"))):
        return prepared(interval).release(*names("value source"))


def released_many(interval: bool) -> Any:
    batch = SimpleNamespace(BatchMechanism=named("BatchMechanism", "batch"))
    with patch.dict(sys.modules, {"snapref.batch.mechanism": batch}):  # so that numpy is not needed
        return prepared(interval).release_many(*names("values source"))


ONE = """
plain(value)
checked(source)
found = mechanism.release(plain(value), checked(source))
"""
MANY = """
if (certificate.budget.precision != 53): raise ParameterError
batch = BatchMechanism(ε, B, Δ)
checked(source)
batch.release(values, checked(source))
"""
CLAMPED = """
max(found.value, low)
min(max(found.value, low), high)
found._replace(value=min(max(found.value, low), high))
return found._replace(value=min(max(found.value, low), high))
"""
CLIPPED = """
FOUND.values.clip(low, high)
replace(FOUND, values=FOUND.values.clip(low, high))
return replace(FOUND, values=FOUND.values.clip(low, high))
"""


def releases() -> Iterator[Program]:
    """One value, and many: with a bound they are the inner releases, with an interval these are clamped to it."""
    after = {
        "release": (released, ONE, "return found", CLAMPED),
        "release_many": (released_many, MANY, "return FOUND", CLIPPED),
    }
    for name, (run, before, as_is, clamped) in after.items():
        for interval in (False, True):
            expected = before.strip() + "\n" + (clamped if interval else as_is).strip()
            expected = expected.replace("FOUND", "batch.release(values, checked(source))")
            yield Program(name, interface, DOOR, partial(run, interval), expected)


class _Thing(SimpleNamespace):
    """Something with these attributes and no others."""

    def __repr__(self) -> str:
        return "thing"


ITEM, DIMENSIONS = named("thing.item"), Symbol("thing.ndim")
TAKEN = """
if (thing.ndim == 0):
    thing.item()
    return thing.item()
unless (thing.ndim == 0):
    return thing
"""
LEFT = """
if (thing.ndim == 0):
    return thing
unless (thing.ndim == 0):
    return thing
"""


def helpers() -> Iterator[Program]:
    """Numbers and sources of every kind, the ends of an interval, and one release by `snap`."""
    asked = {**SIZES, "float": FLOAT, "callable": asked_callable}
    for thing, expected in (
        (_Thing(ndim=DIMENSIONS, item=ITEM), TAKEN),
        (_Thing(ndim=DIMENSIONS), LEFT),
        (_Thing(item=ITEM), "return thing"),
        (_Thing(), "return thing"),
    ):
        yield Program("plain", interface, asked, partial(code.interface.plain, thing), expected)
    for source, expected in (
        (Symbol("source"), "unless callable(source.bits): raise ParameterError\nreturn source"),
        (_Thing(), "raise ParameterError"),
        (None, "return None"),
    ):
        yield Program("checked", interface, asked, partial(code.interface.checked, source), expected)
    yield Program(
        "_end",
        interface,
        {**asked, "plain": named("plain"), "finite": named("finite", "exact")},
        lambda: code.interface._end("lower", Symbol("x")),
        """
        plain(x)
        exact = finite('lower', plain(x))
        abs(exact)
        if (abs(exact) >= 2**1024): raise ParameterError
        float(exact)
        if (float(exact) != exact): raise ParameterError
        float(exact)
        return float(exact)
        """,
    )
    passed_on = "mechanism.snap(plain(value), plain(ε), plain(B), plain(Δ), plain(p))"
    yield Program(
        "snap",
        interface,
        {**DOOR, "mechanism": Symbol("mechanism")},
        lambda: code.interface.snap(*names("value ε B Δ p")),
        f"plain(value)\nplain(ε)\nplain(B)\nplain(Δ)\nplain(p)\n{passed_on}\nreturn {passed_on}",
    )


# Things of many kinds


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
    """Arrays of numpy that are no numbers."""
    if find_spec("numpy") is None:
        return []
    import numpy as np

    return [np.array([1.5]), np.array([[1.5]]), np.array([1]), np.array([]), np.array([1.5, 2.5]), np.array(["1"])]


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


def wrong_kinds() -> Iterator[str]:
    yield from wrong_numbers()
    yield from wrong_sources()
    yield from wrong_ends()
    yield from wrong_intervals()


def parameters_of(function: Any) -> dict[str, str]:
    """The name of each parameter, with its kind and its default."""
    found = inspect.signature(function).parameters
    return {name: f"{p.kind.description} = {shown(p.default)}" for name, p in found.items()}


def around() -> Iterator[str]:
    """What stands around the programs: what users import, what is inherited, and the defaults."""
    door, inner = code.interface, code.mechanism
    if snapref.Mechanism is not door.Mechanism or snapref.snap is not door.snap:
        yield "users do not import the front door"
    own = {name for name, thing in vars(door.Mechanism).items() if hasattr(type(thing), "__get__")}
    if door.Mechanism.__bases__ != (inner.Mechanism,) or own != {"__init__", "release", "release_many"}:
        yield f"the front door is a {door.Mechanism.__bases__}, with its own {sorted(own)}"
    left_out = {"bound": "positional or keyword = None"}
    ends = dict.fromkeys(("lower", "upper"), "keyword-only = None")
    for ours, theirs, changed in (
        (door.snap, inner.snap, {}),
        (door.Mechanism, inner.Mechanism, {**left_out, **ends}),
        (door.Mechanism.release, inner.Mechanism.release, {}),
    ):
        if list(parameters_of(ours).items()) != list({**parameters_of(theirs), **changed}.items()):
            yield f"{ours.__qualname__} takes {parameters_of(ours)}, and the one inside {parameters_of(theirs)}"
    if inspect.signature(door.Mechanism.release_many).parameters["source"].default is not None:
        yield "release_many has another default source"


@obligation(
    "smt.release.interface",
    claim=CLAIM,
    kind="algebra",
    decides=False,
    scope="Mechanism, release, release_many, snap: every value, parameter given or left out, and answer to a question; "
    "lists of numbers, sources and intervals of many kinds",
)
def front_door(run: Run) -> Outcome:
    """What users import passes the parameters, the value and the source on, and clamps a release to the interval.

    Numbers of numpy become Python's by `item`, and nothing else is changed on the way. B is given, or is the larger of
    |lower| and |upper| with lower < upper. The private value reaches nothing but the inner release. What is no source
    is refused.
    """
    wrong = list(around())  # then it is refuted, and nothing more needs to be tried
    return judged([*constructions(), *releases(), *helpers()], wrong or wrong_kinds())
