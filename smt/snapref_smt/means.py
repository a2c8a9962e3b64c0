"""What the reference may use, and nothing else: it has no means to keep a value, to show one, or to hide an error.

release.py and its neighbours run the programs on names, once. They would not see a value that is kept for the next
release, or printed, or a fault that waits for the second call. So here every statement of the reference and of the
batch program is read, and the lists below say what it may consist of. They are short, because the reference is small.
"""

import ast
import builtins
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import snapref
from snapref_ledger.obligations import Outcome, Run, obligation

BUILTINS = {
    "abs", "all", "bool", "callable", "divmod", "enumerate", "float", "getattr", "hasattr", "int", "isinstance", "map",
    "max", "min", "object", "property", "range", "repr", "round", "str", "super", "tuple", "type", "zip",
    "ModuleNotFoundError", "OverflowError", "ValueError",
}  # fmt: skip
MODULES = {
    "collections.abc", "dataclasses", "decimal", "fractions", "functools", "gmpy2", "html", "importlib.util", "math",
    "numpy", "numpy.typing", "os", "random", "typing",
}  # fmt: skip
DECORATORS = {"dataclass(frozen=True)", "property", "cached_property"}
KEPT = {("context", "lru_cache(maxsize=64)")}  # a context of MPFR has no state: nothing sets its attributes
CHANGING = {
    "append", "clear", "discard", "extend", "fill", "insert", "itemset", "pop", "popitem", "put", "remove", "resize",
    "reverse", "seed", "setdefault", "setflags", "sort", "update", "write",
}  # fmt: skip
# The errors that are caught, and where: another error follows, or a number is too large to be shown as a float
CAUGHT = {
    ("checked", "(ValueError, OverflowError)"),
    ("double", "OverflowError"),
    ("encoded", "ParameterError"),
    ("show", "OverflowError"),
    ("suggest", "OverflowError"),
}
Scope = ast.FunctionDef | None


def scopes(node: ast.AST, scope: Scope = None) -> Iterator[tuple[ast.AST, Scope]]:
    """Every node, with the innermost function around it. Annotations are left out: they do nothing."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, scope
                yield from scopes(child, child if isinstance(child, ast.FunctionDef) else scope)


def faults(file: str, source: str) -> Iterator[str]:
    """What the file uses, and may not."""
    tree = ast.parse(source)
    texts = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    for node, scope in scopes(tree):
        for wrong in (state, output, swallowed):
            if (fault := wrong(node, scope, file, id(node) in texts)) is not None:
                yield f"{file}:{getattr(node, 'lineno', 1)}: {fault}"


def state(node: ast.AST, scope: Scope, file: str, in_text: bool) -> str | None:
    """A way to keep something after a call."""
    match node:
        case ast.Global() | ast.Nonlocal() | ast.Delete() | ast.NamedExpr():
            return "a name that a statement of its own must set"
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            initialises = scope is not None and scope.name == "__init__" and ast.unparse(node.value) == "self"
            return None if initialises else f"{ast.unparse(node)} is set outside of __init__"
        case ast.Subscript(ctx=ast.Store() | ast.Del()):
            return None if _is_local(node.value, scope) else f"{ast.unparse(node)} is not the function's own"
        case ast.Attribute(attr=name) if name in CHANGING:
            return f"{name} changes something"
        case ast.arguments():
            defaults = [default for default in (*node.defaults, *node.kw_defaults) if default is not None]
            named = all(isinstance(default, ast.Constant | ast.Name | ast.Attribute) for default in defaults)
            return None if named else "a default that can be changed"
        case ast.FunctionDef() | ast.ClassDef():
            used = {ast.unparse(decorator) for decorator in node.decorator_list} - DECORATORS
            kept = {text for name, text in KEPT if name == node.name}
            return None if used <= kept else f"{node.name} has the decorators {sorted(used)}"
    return None


def output(node: ast.AST, scope: Scope, file: str, in_text: bool) -> str | None:
    """A way to the outside: another module, a function that writes or looks around, an attribute behind the scenes."""
    match node:
        case ast.Import():
            return next((one.name for one in node.names if one.name not in MODULES), None)
        case ast.ImportFrom(module=str(module)):
            return None if module in MODULES or module.split(".")[0] == "snapref" else module
        case ast.Name(id=name) if hasattr(builtins, name):
            return None if name in BUILTINS else f"{name} is not on the list"
        case ast.Attribute(attr=name, value=ast.Name(id="os")):
            return None if name == "urandom" else f"os.{name}"
        case ast.Attribute(attr=name) if name.startswith("__"):
            named = name in ("__init__", "__float__") or (name == "__name__" and in_text)
            return None if named else f"{name} is not on the list"
    return None


def swallowed(node: ast.AST, scope: Scope, file: str, in_text: bool) -> str | None:
    """An error that is caught, and is not on the list."""
    if not isinstance(node, ast.ExceptHandler):
        return None
    caught = "" if scope is None else scope.name, "" if node.type is None else ast.unparse(node.type)
    return None if caught in CAUGHT else f"{caught[0]} catches {caught[1] or 'everything'}"


def _is_local(node: ast.expr, scope: Scope) -> bool:
    """Whether it is a variable to which the function itself gives a value."""
    if scope is None or not isinstance(node, ast.Name):
        return False
    given = {inner.id for inner in ast.walk(scope) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    return node.id in given


# Bodies of a function `release(self, value, kept)`. Each must be noticed
WRONG = (
    "global last\n    last = value",
    "self.last = value",
    "self.last += value",
    "release.last = value",
    "LAST[0] = value",
    "kept[0] = value",
    "LAST.append(value)",
    "LAST.setdefault(0, value)",
    "vars(self).update(last=value)",
    "release.__dict__[0] = value",
    "globals()['last'] = value",
    "setattr(self, 'last', value)",
    "print(value)",
    "open('last', 'w')",
    "import logging",
    "from sys import stderr",
    "os.environ",
    "x = (y := value)",
    "return type(value).__name__ == 'float64'",
    "@cache\n    def inner(x): return x",
    "def inner(x=[]): return x",
    "def inner(x=value()): return x",
    "try: value()\n    except OSError: return 0",
    "try: value()\n    except: return 0",
)


def unnoticed() -> Iterator[str]:
    """Programs that `faults` takes for right, and are not."""
    for body in WRONG:
        if next(faults("mechanism.py", f"def release(self, value, kept):\n    {body}\n"), None) is None:
            yield f"nothing is seen in {body!r}"
    if next(faults("mechanism.py", "def release(self, value): return value"), None) is not None:
        yield "a program that is right is refused"


def inputs() -> dict[str, str]:
    """Every file of the reference, also those that nothing here imports."""
    folder = Path(snapref.__file__).parent
    paths = (path for path in sorted(folder.rglob("*.py")) if path.name != "__main__.py")
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@obligation(
    "smt.release.means",
    claim="N-3-ops",
    kind="algebra",
    decides=False,
    scope="every statement of snapref and snapref.batch, by its syntax; that modules of the lists do no more than "
    "their documentation says is trusted",
    inputs=inputs,
)
def means(run: Run) -> Outcome:
    """The reference keeps nothing from one call to the next, writes nothing, and hides no error: it has no means to.

    What it may use is a list: builtins, modules, decorators, and the errors that it catches. Attributes are set in
    __init__ only.
    """
    texts = inputs()
    read = (fault for name, text in texts.items() for fault in faults(Path(name).name, text))
    if fault := next(chain(unnoticed(), read), None):
        return Outcome("refuted", fault)
    return Outcome("proved", f"{len(texts)} files")
