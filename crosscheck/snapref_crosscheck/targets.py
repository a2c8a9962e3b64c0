"""Targets: the implementations under check. Whatever they are, all of them have the same methods for the checks."""

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from snapref_crosscheck.protocol import (
    OPERATIONS,
    AdapterError,
    Answer,
    Args,
    Broken,
    Description,
    Outcome,
    OutOfTime,
    Refused,
    TooSlow,
    Unsupported,
    checked,
    description,
    printable,
    shown,
)


class Target(Protocol):
    """An implementation under check."""

    name: str

    def describe(self) -> Description:
        """What the target says about itself, or the defaults of the protocol where it says nothing."""
        ...

    def call(self, op: str, args: Args) -> Answer:
        """One request. Raises Refused, Unsupported, Broken, TooSlow or OutOfTime."""
        ...

    def close(self) -> None:
        """Ends the target, and any process of it."""
        ...


def stream(target: Target, requests: Iterable[tuple[str, Args]]) -> Iterator[Outcome]:
    """The outcome of each request, in order: several in flight where the target can do that, else one by one."""
    several: Callable[..., Iterator[Outcome]] | None = getattr(target, "stream", None)
    if several is not None:
        yield from several(requests)
        return
    for op, args in requests:
        try:
            yield target.call(op, args)
        except (Refused, Unsupported, Broken, TooSlow, OutOfTime) as outcome:
            yield outcome


class PythonTarget:
    """A Python object with methods of the protocol's names: keyword arguments, floats in and out.

    Or it is a function, which then makes one release: f(value, epsilon, bound, sensitivity). A method that is missing,
    or raises NotImplementedError, is not offered. Any other exception is a refusal. `describe` returns a dictionary. A
    method with other arguments is an AdapterError. It may take `lower` and `upper` in place of `bound`; `release` may
    leave out `count`, and return one float; and it may leave out `sensitivity` if that is always 1."""

    def __init__(self, implementation: object, name: str = "") -> None:
        self.implementation = implementation
        self.name = name or getattr(implementation, "__name__", None) or type(implementation).__name__
        offered = {op: getattr(implementation, op, None) for op in OPERATIONS}
        if callable(implementation) and not any(map(callable, offered.values())):
            offered = {"release": implementation}
        self.methods = {op: _fitted(op, method) for op, method in offered.items() if callable(method)}

    def describe(self) -> Description:
        method = getattr(self.implementation, "describe", None)
        if not callable(method):
            return Description(self.name)
        try:
            told = method()
            if not isinstance(told, dict):
                raise ValueError(f"returned {shown(told)}, not a dictionary")
            return description({"name": self.name, **told})
        except (ValueError, Broken) as error:
            raise Broken(f"describe: {error}") from None
        except Exception as error:
            raise Broken(f"describe raised {type(error).__name__}: {shown(str(error))}") from None

    def call(self, op: str, args: Args) -> Answer:
        method = self.methods.get(op)
        if method is None:
            raise Unsupported(op)
        try:
            result = method(args)
        except NotImplementedError:
            raise Unsupported(op) from None
        except (Refused, Unsupported):
            raise
        except Exception as error:
            raise Refused(printable(f"{type(error).__name__}: {error}")) from None
        return checked(op, args, result)

    def close(self) -> None:
        pass


def _fitted(op: str, method: Callable[..., Any]) -> Callable[[Args], Any]:
    """The method as a function of the protocol's arguments. An AdapterError says what a method should look like."""
    names = list(OPERATIONS[op])
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # some built-in functions do not tell
        return lambda args: method(**args)
    taken = signature.parameters
    if any(p.kind is p.VAR_KEYWORD for p in taken.values()):
        return lambda args: method(**args)
    if "bound" in names and {"lower", "upper"} <= set(taken):
        at = names.index("bound")
        names[at : at + 1] = ["lower", "upper"]
    single = op == "release" and "count" not in taken
    unit = "sensitivity" in names and "sensitivity" not in taken and len(taken) < len(names) - single
    left_out = {"count"} if single else set()
    names = [name for name in names if name not in left_out | ({"sensitivity"} if unit else set())]
    wanted = set(names)
    by_place = all(p.kind is p.POSITIONAL_ONLY for p in taken.values())
    try:
        signature.bind(*names) if by_place else signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        usual = f"{op}({', '.join(OPERATIONS[op])})"
        raise AdapterError(
            f"{getattr(method, '__name__', op)}{signature} does not take the protocol's arguments ({error}): "
            f"expected {usual}, with these names"
        ) from None

    def once(args: Args) -> Any:
        if args.keys() == wanted and not by_place:
            return method(**args)
        bound = args.get("bound", args.get("upper", 0.0))
        known = {"bound": bound, "lower": -bound, "upper": bound, **args}
        if unit and args["sensitivity"] != 1:
            raise Refused("it takes no sensitivity, so that must be 1")
        chosen = {name: known[name] for name in names}
        return method(*chosen.values()) if by_place else method(**chosen)

    def many(args: Args) -> list[Any]:
        return [once(args) for _ in range(int(args["count"]))]

    return many if single else once


def load(spec: str) -> Any:
    """The object behind `module:attribute`; a class is called without arguments. A ValueError says what is wrong."""
    module, colon, attribute = spec.partition(":")
    if not module or (colon and not attribute):
        raise ValueError(f"{spec!r} is not module:attribute")
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise ValueError(f"cannot import {module!r}: {error}") from None
    for part in attribute.split(".") if attribute else []:
        if not hasattr(found, part):
            raise ValueError(f"{module} has no attribute {attribute!r}")
        found = getattr(found, part)
    return found() if isinstance(found, type) else found
