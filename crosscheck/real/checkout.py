"""Where the code of others is: the environment variable SNAPREF_CHECKOUT names a checkout, a file or a shared library.

The adapters beside this file run code that others published. Nothing of it is here, and nothing here fetches or builds
it. Whoever wants to repeat a finding brings a checkout; without one, each adapter says so in one line.
"""

import ctypes
import importlib
import os
import sys
from pathlib import Path
from typing import Any

VARIABLE = "SNAPREF_CHECKOUT"


class Missing(ValueError):
    """There is no checkout, or it is not the one that was asked for: one line that says what to do."""


def find(what: str, *files: str) -> Path:
    """The first of `files` inside the checkout. The variable may also name that file itself."""
    given = os.environ.get(VARIABLE)
    if not given:
        raise Missing(f"{VARIABLE} is not set: it takes the path of {what}")
    root = Path(given).expanduser()
    for path in (root / file for file in files):
        if path.is_file():
            return path
    if root.is_file():
        return root
    wanted = " or ".join(files) or "a file"
    raise Missing(f"{VARIABLE}={given}: no {wanted} there; it takes the path of {what}")


def module(path: Path, root: Path) -> Any:
    """The Python file, imported; `root` is where its own imports start."""
    sys.path.insert(0, str(root))
    try:
        return importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
    except SyntaxError as error:
        raise Missing(f"{path.name} is no Python 3: line {error.lineno}, {error.msg}") from None
    except ImportError as error:
        raise Missing(f"{path.name} needs what is not installed: {error}") from None


def library(what: str) -> ctypes.CDLL:
    """The shared library that the variable names."""
    path = find(what)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise Missing(f"{VARIABLE}={path} cannot be loaded as a shared library: {error}") from None


def function(shared: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> Any:
    """One function of a shared library, with its types."""
    try:
        found = shared[name]
    except AttributeError:
        raise Missing(f"the shared library has no function {name}") from None
    found.restype, found.argtypes = result, arguments
    return found
