"""Targets: the implementations under check. Whatever they are, all of them have the same methods for the checks."""

import importlib
from typing import Any, Protocol

from snapref_crosscheck.protocol import (
    OPERATIONS,
    Answer,
    Args,
    Broken,
    Description,
    Refused,
    Unsupported,
    checked,
    description,
    shown,
)


class Target(Protocol):
    """An implementation under check."""

    name: str

    def describe(self) -> Description:
        """What the target says about itself, or the defaults of the protocol where it says nothing."""
        ...

    def call(self, op: str, args: Args) -> Answer:
        """One request. Raises Refused, Unsupported, Broken or OutOfTime."""
        ...

    def close(self) -> None:
        """Ends the target, and any process of it."""
        ...


class PythonTarget:
    """A Python object with methods of the protocol's names: keyword arguments, floats in and out.

    An exception is a refusal, a missing method is unsupported; `describe` returns a dictionary."""

    def __init__(self, implementation: object, name: str = "") -> None:
        self.implementation = implementation
        self.name = name or type(implementation).__name__

    def describe(self) -> Description:
        method = getattr(self.implementation, "describe", None)
        if method is None:
            return Description(self.name)
        try:
            fields = method()
            return description({"name": self.name, **fields})
        except ValueError as error:
            raise Broken(f"describe: {error}") from None
        except Exception as error:
            raise Broken(f"describe raised {type(error).__name__}: {shown(str(error))}") from None

    def call(self, op: str, args: Args) -> Answer:
        method = getattr(self.implementation, op, None) if op in OPERATIONS else None
        if method is None:
            raise Unsupported(op)
        try:
            result = method(**args)
        except NotImplementedError:
            raise Unsupported(op) from None
        except Exception as error:
            raise Refused(f"{type(error).__name__}: {error}") from None
        return checked(op, args, result)

    def close(self) -> None:
        pass


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
