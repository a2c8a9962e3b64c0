"""Which source files a module depends on: its imports, and theirs, inside the snapref packages.

Found statically, from the text of the modules. An import that is computed at run time is not seen, so obligations do
not use any. Files that are not Python (tables, schemas) count when they stand in the directory of a module that does.
"""

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path

PREFIX = "snapref"


class Sources:
    """The files of one run, read once. `unchanged` says whether they are still what was read."""

    def __init__(self) -> None:
        self._modules: dict[str, tuple[Path, ...]] = {}
        self._imports: dict[str, tuple[str, ...]] = {}
        self._files: dict[Path, tuple[str, tuple[int, int]]] = {}

    def digests(self, modules: Iterable[str]) -> dict[str, str]:
        """File → sha256, for all that these modules depend on. The names do not depend on where the project lies."""
        found: dict[str, str] = {}
        for module in self.closure(modules):
            for path in self._modules[module]:
                found[f"{module}:{path.name}"] = self._read(path)
        return dict(sorted(found.items()))

    def closure(self, modules: Iterable[str]) -> set[str]:
        """The modules themselves and all that they import, directly or not, inside the snapref packages."""
        seen: set[str] = set()
        todo = list(modules)
        while todo:
            module = todo.pop()
            if module not in seen and self.is_module(module):
                seen.add(module)
                todo.extend(name for name in self.imports_of(module) if name.partition(".")[0].startswith(PREFIX))
        return seen

    def is_module(self, name: str) -> bool:
        return bool(self._files_of(name))

    def unchanged(self) -> bool:
        return all(_stamp(path) == stamp for path, (_, stamp) in self._files.items())

    def _files_of(self, module: str) -> tuple[Path, ...]:
        if module not in self._modules:
            self._modules[module] = tuple(_files_of(module))
        return self._modules[module]

    def imports_of(self, module: str) -> tuple[str, ...]:
        """What the text of the module itself imports."""
        if module not in self._imports:
            source = self._files_of(module)[0]
            text = source.read_text(encoding="utf-8") if source.suffix == ".py" else ""
            self._imports[module] = tuple(imports(text, module, is_package=source.name == "__init__.py"))
        return self._imports[module]

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


def _files_of(module: str) -> Iterator[Path]:
    """The module's own file first, then the data files beside it; nothing where there is no such module."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):  # its parent is no package; or it is a script
        return
    if spec is None or not spec.has_location or spec.origin is None:
        return
    source = Path(spec.origin)
    yield source
    if "." not in module and spec.submodule_search_locations is None:
        return  # in no package, so its directory is anybody's
    for path in sorted(source.parent.iterdir()):
        if path.is_file() and path.suffix not in {".py", ".pyc", ".so", ".typed"}:
            yield path


def imports(text: str, module: str, *, is_package: bool) -> Iterator[str]:
    """Every name that the text may import as a module, with the packages that importing it runs first."""
    package = module if is_package else module.rpartition(".")[0]
    yield from _with_parents(package)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield from _with_parents(base)
            for alias in node.names:  # a submodule, or a mere name, which is then no module and adds nothing
                yield f"{base}.{alias.name}"


def _with_parents(module: str) -> Iterator[str]:
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        if parts[0]:
            yield ".".join(parts[:length])
