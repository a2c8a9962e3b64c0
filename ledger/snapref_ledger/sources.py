"""Finds the files of the project that a module depends on, for the key of the cache.

It reads the text of the modules and does not run them. A module depends on

- the modules that it imports, and what these depend on;
- the modules, packages and Python files that it names in a string, such as "snapref_smt.engine" or "solver_process.py",
  because the program may import or run what the string names;
- the files that are not Python (tables, schemas) in the folder of any of these modules.

A name that is put together at run time is not found. So a check must name every file that it reads or runs in one of
these ways; tests/ledger/test_inputs.py looks for checks that do not.
"""

import ast
import hashlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

PREFIX = "snapref"


class Sources:
    """The files of one run. Each is read once; `unchanged` says whether all of them are still as they were then."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}
        self._modules: dict[str, tuple[Path, ...]] = {}
        self._imports: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._files: dict[Path, tuple[str, tuple[int, int]]] = {}
        self._digests: dict[frozenset[str], dict[str, str]] = {}

    def digests(self, modules: Iterable[str]) -> dict[str, str]:
        """File → sha256, for all that these modules depend on. The names do not depend on where the project lies."""
        asked = frozenset(modules)  # many obligations share their modules
        if asked not in self._digests:
            found: dict[str, str] = {}
            for module in self.closure(asked):
                for path in self._modules[module]:
                    found[f"{module}:{path.name}"] = self._read(path)
            self._digests[asked] = dict(sorted(found.items()))
        return self._digests[asked]

    def closure(self, modules: Iterable[str]) -> set[str]:
        """The modules themselves and all that they import or name, directly or not, inside the snapref packages."""
        seen: set[str] = set()
        todo = list(modules)
        while todo:
            module = todo.pop()
            if module not in seen and self.is_module(module):
                seen.add(module)
                found = (*self.imports_of(module), *self._names_in(module))
                todo.extend(name for name in found if name.partition(".")[0].startswith(PREFIX))
        return seen

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that were read for digests so far."""
        return tuple(self._files)

    def is_module(self, name: str) -> bool:
        return bool(self._files_of(name))

    def unchanged(self) -> bool:
        return all(_stamp(path) == stamp for path, (_, stamp) in self._files.items())

    def _files_of(self, module: str) -> tuple[Path, ...]:
        if module not in self._modules:
            self._modules[module] = tuple(_files_of(module, self._spec(module)))
        return self._modules[module]

    def _spec(self, module: str) -> ModuleSpec | None:
        """Where Python would find the module. importlib.util.find_spec would run the packages that it is in."""
        if module not in self._specs:
            package, _, _ = module.rpartition(".")
            above = self._spec(package) if package else None
            folders = above.submodule_search_locations if above else None
            found = None if package and folders is None else PathFinder.find_spec(module, folders)
            self._specs[module] = found
        return self._specs[module]

    def imports_of(self, module: str) -> tuple[str, ...]:
        """The names that the module itself imports."""
        if module not in self._imports:
            self._imports[module] = imports(self.text(module), self._package(module))
        return self._imports[module]

    def _names_in(self, module: str) -> tuple[str, ...]:
        if module not in self._names:
            self._names[module] = names(self.text(module), self._package(module))
        return self._names[module]

    def text(self, module: str) -> str:
        source = self._files_of(module)[0]
        return source.read_text(encoding="utf-8") if source.suffix == ".py" else ""

    def _package(self, module: str) -> str:
        """The package from which the module's relative imports start."""
        return module if self._files_of(module)[0].name == "__init__.py" else module.rpartition(".")[0]

    def _read(self, path: Path) -> str:
        if path not in self._files:
            stamp = _stamp(path)
            self._files[path] = (hashlib.sha256(path.read_bytes()).hexdigest(), stamp)
        return self._files[path][0]


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _files_of(module: str, spec: ModuleSpec | None) -> Iterator[Path]:
    """The file of the module, then the data files beside it. Nothing where there is no such module."""
    if spec is None or not spec.has_location or spec.origin is None:
        return
    source = Path(spec.origin)
    yield source
    if "." not in module and spec.submodule_search_locations is None:
        return  # it is in no package, so the files beside it need not belong to it
    for path in sorted(source.parent.iterdir()):
        if path.is_file() and path.suffix not in {".py", ".pyc", ".so", ".typed"}:
            yield path


def _once(find: Callable[[str, str], Iterator[str]]) -> Callable[[str, str], tuple[str, ...]]:
    """Each text is read once in a process, however many runs there are."""
    return cache(lambda text, package: tuple(find(text, package)))


@lru_cache(maxsize=1)  # a module is asked for its imports and then for its names
def _nodes(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(text)))


@_once
def imports(text: str, package: str) -> Iterator[str]:
    """Every module that the text may import, and the packages that Python runs first when it does. `package` is the one
    that the text belongs to."""
    yield from _with_parents(package)
    for node in _nodes(text):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield from _with_parents(base)
            for alias in node.names:  # a submodule or some other name; the latter is no module and adds nothing
                yield f"{base}.{alias.name}"


@_once
def names(text: str, package: str) -> Iterator[str]:
    """The modules that stand in a string of the text, by their own name or by the name of their file."""
    for node in _nodes(text):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(rf"{PREFIX}\w*(\.\w+)*", node.value):
                yield from _with_parents(node.value)
            elif package and (file := re.fullmatch(r"(\w+)\.py", node.value)):
                yield f"{package}.{file[1]}"


def _with_parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        if parts[0]:
            yield ".".join(parts[:length])
