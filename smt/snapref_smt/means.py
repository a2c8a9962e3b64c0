"""What the reference may use, and nothing else: it has no means to keep a value, to show one, or to hide an error.

release.py and its neighbours run the programs on names, once. They would not see a value that is kept for the next
release, or printed, or a fault that waits for the second call. So here every statement of the reference and of the
batch program is read, and the lists below say what it may consist of. They are short, because the reference is small.

Such a program also puts names in the place of functions that are proved elsewhere. That is sound only if a name means
the proved function in every module (`homeless`, `shadowed`), and if no code can tell a name from a number (`asked`).
"""

import ast
import builtins
import dataclasses
import functools
import html
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import snapref
from snapref_ledger.obligations import Outcome, Run, obligation

BUILTINS = {
    "abs", "all", "bool", "callable", "divmod", "enumerate", "float", "getattr", "hasattr", "int", "isinstance", "list",
    "map", "max", "min", "object", "property", "range", "repr", "round", "str", "super", "tuple", "type", "zip",
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
# With these the code can ask what kind of thing it was given, and tell a number from the name that stands for it in a
# program on names. So where they are called, and with what, is a list, too
ASKING = {"callable", "getattr", "hasattr", "isinstance", "repr", "str", "type"}
ASKED = {
    ("errors.py", "check_finite", "isinstance(number, float)"),
    ("errors.py", "check_finite", "isinstance(number, bool)"),
    ("errors.py", "check_finite", "isinstance(number, int)"),
    ("errors.py", "check_finite", "type(number)"),
    ("errors.py", "written", "isinstance(number, int)"),
    ("errors.py", "written", "str(number)"),
    ("errors.py", "whole", "isinstance(number, bool)"),
    ("errors.py", "whole", "isinstance(number, int)"),
    ("errors.py", "whole", "type(number)"),
    ("arithmetic.py", "exact", "isinstance(number, int)"),
    ("arithmetic.py", "exact", "isinstance(number, float)"),
    ("interface.py", "plain", "getattr(number, 'dtype', None)"),
    ("interface.py", "plain", "getattr(getattr(number, 'dtype', None), 'kind', None)"),
    ("interface.py", "plain", "getattr(number, 'ndim', None)"),
    ("interface.py", "plain", "hasattr(number, 'item')"),
    ("interface.py", "plain", "hasattr(number, 'mask')"),
    ("interface.py", "checked", "callable(getattr(source, 'bits', None))"),
    ("interface.py", "checked", "getattr(source, 'bits', None)"),
    ("interface.py", "checked", "type(source)"),
    ("mechanism.py", "_repr_html_", "str(self.value)"),
    ("mechanism.py", "release", "isinstance(value, float)"),
    ("budget.py", "suggest", "repr(float(safe))"),
    ("formats.py", "encode", "isinstance(number, bool)"),
    ("formats.py", "encode", "isinstance(number, (int, float, mpfr))"),
    ("batch/draws.py", "random_words", "type(source)"),
    ("batch/mechanism.py", "checked", "isinstance(values, np.ma.MaskedArray)"),
    ("batch/mechanism.py", "checked", "hasattr(values, '__array__')"),
    ("batch/mechanism.py", "listed", "isinstance(values, (list, tuple, range))"),
    ("batch/mechanism.py", "listed", "hasattr(values, '__array__')"),
    ("batch/mechanism.py", "listed", "getattr(values, 'ndim', 0)"),
    ("batch/mechanism.py", "double", "isinstance(number, np.generic)"),
}
ONCE = {"cache", "cached_property", "lru_cache"}  # what keeps a result may only be a decorator
RENAMED = {None, "np", "npt", "clamp_pattern"}  # other names that imports get
# Names that several modules define, and how many. Any other name has one home
SEVERAL = {"Mechanism": 2, "checked": 2, "clamp": 3, "noise": 2, "snap": 3, "snapped": 3}
LIBRARY = {name for module in (dataclasses, functools, html) for name in dir(module) if not name.startswith("_")}
OWN = {("binary64.py", "round")}  # the protocol's names are those of the stages
Scope = ast.FunctionDef | None
Above = tuple[ast.AST, ...]  # what a node is part of, the nearest first


def scopes(node: ast.AST, scope: Scope = None, above: Above = ()) -> Iterator[tuple[ast.AST, Scope, Above]]:
    """Every node, with the innermost function around it. Annotations are left out: they do nothing."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, scope, (node, *above)
                yield from scopes(child, child if isinstance(child, ast.FunctionDef) else scope, (node, *above))


def faults(file: str, source: str) -> Iterator[str]:
    """What the file uses, and may not."""
    tree = ast.parse(source)
    for node, scope, above in scopes(tree):
        for wrong in (state, output, swallowed, asked):
            if (fault := wrong(node, scope, above, file)) is not None:
                yield f"{file}:{getattr(node, 'lineno', 1)}: {fault}"
    other = (name for name in shadowed(tree) if (file, name) not in OWN)
    yield from (f"{file}: {name} is not what is imported, or built in" for name in other)


def state(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A way to keep something after a call."""
    match node:
        case ast.Name(id=name) if name in ONCE and not _decorates(node, above):
            return f"{name} keeps something"
        case ast.List() | ast.Dict() | ast.Set() if scope is None and not _named_all(above):
            return "a value of the module that can be changed"
        case ast.AugAssign(target=ast.Name(id=name)) if _is_alias(name, scope):
            return f"{name} is not the function's own"
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


def output(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
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
            in_text = any(isinstance(outer, ast.JoinedStr) for outer in above)
            named = name in ("__init__", "__float__") or (name == "__name__" and in_text)
            return None if named else f"{name} is not on the list"
    return None


def swallowed(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """An error that is caught, and is not on the list."""
    if not isinstance(node, ast.ExceptHandler):
        return None
    caught = "" if scope is None else scope.name, "" if node.type is None else ast.unparse(node.type)
    return None if caught in CAUGHT else f"{caught[0]} catches {caught[1] or 'everything'}"


def asked(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A question about the kind of a thing, or about the name of a parameter, that is not on the list."""
    match node:
        case ast.Match():
            return "match asks for kinds"
        case ast.Name(id=name) if name in ASKING:
            question = file, "" if scope is None else scope.name, ast.unparse(above[0])
            return None if question in ASKED and isinstance(above[0], ast.Call) else f"{question[2]} is not on the list"
        case ast.Name(id="name", ctx=ast.Load()) if scope is not None and "name" in _parameters(scope):
            told = isinstance(above[0], ast.FormattedValue | ast.Call | ast.keyword)
            return None if told else "the name of a parameter is for messages"
    return None


def shadowed(tree: ast.Module) -> Iterator[str]:
    """Names that a module imports, or that Python has, and to which it gives another meaning; and those that it
    imports under another name. What obligations prove of a function they prove of the one that the name stands for."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    yield from (f"{one.name} as {one.asname}" for node in imports for one in node.names if one.asname not in RENAMED)
    taken = [one.asname or one.name for node in imports for one in node.names]
    given = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    given += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    yield from sorted(set(given) & {*taken, *dir(builtins)} | {one for one in taken if taken.count(one) > 1})


def defined(tree: ast.Module) -> Iterator[str]:
    """What a module defines itself."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        for target in node.targets if isinstance(node, ast.Assign) else []:
            yield from (inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name))


def homeless(texts: Mapping[str, str]) -> Iterator[str]:
    """Names that two modules define, or that a module imports from where they are not defined. What is proved of a
    function is then proved of what every other module calls by its name."""
    trees = {name.removesuffix(".py").replace("/", "."): ast.parse(text) for name, text in texts.items()}
    homes = {name: set(defined(tree)) for name, tree in trees.items()}
    counts = Counter(one for found in homes.values() for one in found)
    yield from (
        f"{count} modules define {one}"
        for one, count in counts.items()
        if SEVERAL.get(one, 1) != count and one != "__all__"
    )
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("snapref."):
                home = homes.get((node.module or "").removeprefix("snapref."), set())
                yield from (f"{name} imports {one.name} from elsewhere" for one in node.names if one.name not in home)
    yield from (f"{one} is a name of Python's library" for one in sorted(counts.keys() & LIBRARY))
    door = trees.get("__init__", ast.Module([], []))
    yield from (f"the package defines {one}" for one in defined(door) if one not in ("__all__", "__version__"))


def _decorates(node: ast.AST, above: Above) -> bool:
    part, whole = (node, above[0]) if not isinstance(above[0], ast.Call) else above[:2]
    return isinstance(whole, ast.FunctionDef | ast.ClassDef) and part in whole.decorator_list


def _named_all(above: Above) -> bool:
    """Whether it is the value of `__all__`."""
    return any(isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "__all__" for one in above)


def _is_local(node: ast.expr, scope: Scope) -> bool:
    """Whether it is a variable of the function, and what it stands for was made there: no other name for something."""
    if scope is None or not isinstance(node, ast.Name):
        return False
    made = list(_made(node.id, scope))
    return bool(made) and not any(isinstance(value, ast.Name | ast.Attribute | ast.Subscript) for value in made)


def _is_alias(name: str, scope: Scope) -> bool:
    """Whether it is another name for something outside of the function. A number may have several names."""
    if scope is None:
        return True
    names = (inner for inner in ast.walk(scope) if isinstance(inner, ast.Name))
    inside = {*_parameters(scope), *(inner.id for inner in names if isinstance(inner.ctx, ast.Store))}
    return any(
        isinstance(value, ast.Attribute | ast.Subscript) or (isinstance(value, ast.Name) and value.id not in inside)
        for value in _made(name, scope)
    )


def _parameters(scope: ast.FunctionDef) -> list[str]:
    return [node.arg for node in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)]


def _made(name: str, scope: ast.FunctionDef) -> Iterator[ast.expr]:
    """What the function gives to a name."""
    for inner in ast.walk(scope):
        if isinstance(inner, ast.Assign):
            yield from _given(inner, name)


def _given(node: ast.Assign, name: str) -> Iterator[ast.expr]:
    """What an assignment gives to a name."""
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple):
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(target.elts)
            pairs = list(zip(target.elts, parts, strict=True))
        yield from (value for one, value in pairs if isinstance(one, ast.Name) and one.id == name)


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
    "kept = LAST\n    kept[0] = value",
    "kept = LAST\n    kept += [value]",
    "kept = self.last\n    kept += [value]",
    "x = lru_cache(value)",
    "return type(value) is int",
    "return isinstance(value, int)",
    "return hasattr(value, 'real')",
    "return getattr(value, 'real', None)",
    "return '5' in str(value)",
    "ask = isinstance",
    "match value:\n        case int(): return 0",
    "float = kept",
    "def inner(name): return name == 'epsilon'",
    "def inner(name): return {name: 1}",
)
# The same at the top level of a module
WRONG_MODULES = (
    "from snapref.budget import plan_budget\ndef plan_budget(): pass",
    "from snapref.budget import plan_budget\nplan_budget = 1",
    "from snapref.budget import plan_budget\nfrom snapref.errors import plan_budget",
    "from snapref.budget import eta as plan_budget",
    "class int: pass",
    "KEPT = [0]",
    "KEPT = {}",
    "draw = lru_cache(maxsize=64)(draw)",
)


WRONG_PACKAGES = (
    {"budget.py": "def plan_budget(): pass", "mechanism.py": "def plan_budget(): pass"},
    {
        "budget.py": "eta = 1",
        "mechanism.py": "from snapref.budget import eta",
        "errors.py": "from snapref.mechanism import eta",
    },
    {"__init__.py": "certify = 1"},
    {"interface.py": "def replace(found, values): return found"},
)


def unnoticed() -> Iterator[str]:
    """Programs that `faults` takes for right, and are not."""
    for body in WRONG:
        if next(faults("mechanism.py", f"def release(self, value, kept):\n    {body}\n"), None) is None:
            yield f"nothing is seen in {body!r}"
    for text in WRONG_MODULES:
        if next(faults("mechanism.py", text), None) is None:
            yield f"nothing is seen in {text!r}"
    for texts in WRONG_PACKAGES:
        if next(homeless(texts), None) is None:
            yield f"nothing is seen in {texts}"
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

    What it may use is a list: builtins, modules, decorators, the errors that it catches, and where it asks what kind of
    thing it was given. Attributes are set in __init__ only. A name that is imported means what it means where it comes
    from.
    """
    texts = inputs()
    read = chain(homeless(texts), (fault for name, text in texts.items() for fault in faults(name, text)))
    if fault := next(chain(unnoticed(), read), None):
        return Outcome("refuted", fault)
    return Outcome("proved", f"{len(texts)} files")
