"""The front door: what interface.py does before and after the mechanism, for all that it can be given.

As in release.py the code runs on names, and every question is answered both ways. mechanism.Mechanism and the batch are
names, too; what they do is decided by smt.release.* and proofs.batch.*. A parameter that is left out is None, which is
no name: each of these cases is a program of its own.

What the code does could depend on the kind of what it is given, and a name has none: that is for kinds.py.
"""

import inspect
import sys
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import snapref
from snapref import interface, mechanism
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
        (_Thing(ndim=DIMENSIONS, item=ITEM, dtype=_Thing()), TAKEN),
        (_Thing(ndim=DIMENSIONS, item=ITEM, dtype=_Thing(kind="f")), TAKEN),
        *((_Thing(ndim=DIMENSIONS, item=ITEM, dtype=_Thing(kind=time)), LEFT) for time in ("m", "M")),
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
    scope="Mechanism, release, release_many, snap: every value, parameter given or left out, and answer to a question",
)
def front_door(run: Run) -> Outcome:
    """What users import passes the parameters, the value and the source on, and clamps a release to the interval.

    Numbers of numpy become Python's by `item`, and nothing else is changed on the way. B is given, or is the larger of
    |lower| and |upper| with lower < upper. The private value reaches nothing but the inner release. What is no source
    is refused.
    """
    return judged([*constructions(), *releases(), *helpers()], around())
