"""What the reference may use, and nothing else: it has no means to keep a value, to show one, or to hide an error.

release.py and its neighbours run the programs on names, once. They would not see a value that is kept for the next
release, or printed, or a fault that waits for the second call. So here every statement of the reference and of the
batch program is read, and lists say what it may consist of (means_lists.py).

Such a program also puts names in the place of functions that are proved elsewhere. That is sound only if a name means
the proved function in every module (`homeless`, `shadowed`), and if no code can tell a name from a number (`asked`,
`text`).
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
from snapref_smt.means_lists import (
    ASKED,
    ASKING,
    ATTRIBUTES,
    BUILTINS,
    CAUGHT,
    DECORATORS,
    DEFAULTS,
    HIDDEN,
    KEPT,
    LOADED,
    MODULES,
    ONCE,
    OWN,
    RENAMED,
    SEVERAL,
    STEPS,
    TEXTS,
)

LIBRARY = {name for module in (dataclasses, functools, html) for name in dir(module) if not name.startswith("_")}
Scope = ast.FunctionDef | None
Above = tuple[ast.AST, ...]  # what a node is part of, the nearest first
# What an annotation may consist of: names, and what stands in brackets
PASSIVE = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Constant, ast.BinOp, ast.BitOr, ast.Load)


def scopes(node: ast.AST, scope: Scope = None, above: Above = ()) -> Iterator[tuple[ast.AST, Scope, Above]]:
    """Every node, with the innermost function around it. Annotations are left out: they do nothing (`defining`)."""
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
        for wrong in (defining, state, output, swallowed, asked, text):
            if (fault := wrong(node, scope, above, file)) is not None:
                yield f"{file}:{getattr(node, 'lineno', 1)}: {fault}"
    other = (name for name in shadowed(tree) if (file, name) not in OWN)
    yield from (f"{file}: {name} is not what is imported, or built in" for name in other)


def defining(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A definition that does something by itself, or that Python calls by itself."""
    match node:
        case ast.AsyncFunctionDef() | ast.Lambda():
            return "another kind of function"
        case ast.FunctionDef() | ast.ClassDef() if scope is not None:
            return f"{node.name} is defined inside a function"
        case ast.FunctionDef(name=name) if name.startswith("_") and name not in HIDDEN:
            return f"{name} may be called by itself"
        case ast.FunctionDef() | ast.ClassDef():
            used = {ast.unparse(decorator) for decorator in node.decorator_list} - DECORATORS
            if not all((file, node.name, one) in KEPT for one in used):
                return f"{node.name} has the decorators {sorted(used)}"
    annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
    if annotation is not None and not all(isinstance(one, PASSIVE) for one in ast.walk(annotation)):
        return f"the annotation {ast.unparse(annotation)} does something"
    return None


def state(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A way to keep something after a call."""
    match node:
        case ast.Name(id=name) if name in ONCE and not _decorates(node, above):
            return f"{name} keeps something"
        case ast.List() | ast.Dict() | ast.Set() if scope is None and not _named_all(above):
            return "a value of the module that can be changed"
        case ast.ListComp() | ast.DictComp() | ast.SetComp() | ast.GeneratorExp() if scope is None:
            return "a value of the module that can be changed"
        case ast.Call(func=func) if scope is None and ast.unparse(func) not in LOADED:
            return f"{ast.unparse(func)} is called when the module is loaded"
        case ast.Global() | ast.Nonlocal() | ast.Delete() | ast.NamedExpr():
            return "a name that a statement of its own must set"
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            initialises = scope is not None and scope.name == "__init__" and ast.unparse(node.value) == "self"
            return None if initialises else f"{ast.unparse(node)} is set outside of __init__"
        case ast.AugAssign(target=changed) | (ast.Subscript(ctx=ast.Store() | ast.Del()) as changed):
            known = (*_place(scope, file), ast.unparse(changed)) in STEPS
            return None if known else f"{ast.unparse(changed)} is changed"
        case ast.arguments():
            defaults = [default for default in (*node.defaults, *node.kw_defaults) if default is not None]
            named = all(isinstance(one, ast.Constant) or ast.unparse(one) in DEFAULTS for one in defaults)
            return None if named else "a default that is not on the list"
    return None


def output(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A way to the outside: another module, a function that writes or looks around, an attribute behind the scenes."""
    match node:
        case ast.Import(names=found):
            return next((one.name for one in found if one.name not in MODULES), None)
        case ast.ImportFrom(module=module, names=found, level=level):
            if level == 0 and str(module).split(".")[0] == "snapref":
                return None
            listed = MODULES.get(str(module), "").split()
            return next((f"{module}.{one.name}" for one in found if level or one.name not in listed), None)
        case ast.Name(id=name) if hasattr(builtins, name) or name.startswith("__"):
            return None if name in BUILTINS else f"{name} is not on the list"
        case ast.Attribute(attr=name, value=ast.Name(id=module)) if RENAMED.get(module, module) in MODULES:
            return None if name in MODULES[RENAMED.get(module, module)].split() else f"{module}.{name}"
        case ast.Attribute(attr="__name__") if any(isinstance(outer, ast.JoinedStr) for outer in above):
            return None
        case ast.Attribute(attr=name):
            return None if name in ATTRIBUTES | attributes() else f"{name} is not on the list"
    return None


@functools.cache
def attributes() -> frozenset[str]:
    """What the reference defines: functions, classes, fields, and what __init__ sets. Python's own methods are left
    out."""
    nodes = [node for source in inputs().values() for node in ast.walk(ast.parse(source))]
    named = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    fields = {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AnnAssign)}
    set_here = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return frozenset(name for name in named | fields | set_here if not name.startswith("__")) - HIDDEN


def swallowed(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """An error that is caught, and is not on the list."""
    if not isinstance(node, ast.ExceptHandler):
        return None
    caught = *_place(scope, file), "" if node.type is None else ast.unparse(node.type)
    return None if caught in CAUGHT else f"{caught[1]} catches {caught[2] or 'everything'}"


def asked(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A question about the kind of a thing, or about the name of a parameter, that is not on the list."""
    match node:
        case ast.Match():
            return "match asks for kinds"
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in ASKING:
            question = (*_place(scope, file), ast.unparse(above[0]))
            return None if question in ASKED and isinstance(above[0], ast.Call) else f"{question[2]} is not on the list"
        case ast.Compare() if _tells_apart(node):
            question = (*_place(scope, file), ast.unparse(node))
            return None if question in ASKED else f"{question[2]} is not on the list"
        case ast.Name(id="name", ctx=ast.Load()) if scope is not None and "name" in _parameters(scope):
            told = isinstance(above[0], ast.FormattedValue | ast.Call | ast.keyword)
            return None if told else "the name of a parameter is for messages"
    return None


def text(node: ast.AST, scope: Scope, above: Above, file: str) -> str | None:
    """A text that is made of something, and is not for a message."""
    match node:
        case ast.BinOp(op=ast.Mod()):
            return "% makes texts"
        case ast.JoinedStr() if _place(scope, file) not in TEXTS and not any(map(_tells, above)):
            return "a text that is no message"
    return None


def shadowed(tree: ast.Module) -> Iterator[str]:
    """Names that a module imports, or that Python has, and to which it gives another meaning; and those that it
    imports under another name. What obligations prove of a function they prove of the one that the name stands for."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    yield from (
        f"{one.name} as {one.asname}" for node in imports for one in node.names if one.asname not in {None, *RENAMED}
    )
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


def _place(scope: Scope, file: str) -> tuple[str, str]:
    return file, "" if scope is None else scope.name


def _tells_apart(node: ast.Compare) -> bool:
    """Whether two things are compared by `is`, or a text is compared. Whether something is None may be asked."""
    same = [isinstance(sign, ast.Is | ast.IsNot) for sign in node.ops]
    texts = [
        isinstance(one, ast.Constant) and isinstance(one.value, str | bytes) for one in (node.left, *node.comparators)
    ]
    nothing = [isinstance(one, ast.Constant) and one.value is None for one in node.comparators]
    return any(texts) or any(one and not none for one, none in zip(same, nothing, strict=True))


def _tells(node: ast.AST) -> bool:
    """Whether it is an error, a branch that ends in one, or a condition of the certificate."""
    if isinstance(node, ast.If | ast.ExceptHandler):
        return isinstance(node.body[-1], ast.Raise)
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and ast.unparse(node.func) == "Condition")


def _parameters(scope: ast.FunctionDef) -> list[str]:
    return [node.arg for node in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)]


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
    "def inner(): return value",
    "return lambda: value",
    "value += kept",
    "for kept[0] in value: pass",
    "value.tofile('last')",
    "return context(53).inexact",
    "from os import write",
    "from . import batch",
    "return numpy.random",
    "return np.save('last', value)",
    "return __file__",
    "return find_spec('snapref_ledger')",
    "return os.urandom(8)",
    "return value is SYSTEM",
    "return value.name == 'system'",
    "return '5' in value.name",
    "return value == f'{kept}'",
    "return '%s' % value",
    "if value:\n        last = f'{value}'\n        raise last\n    return f'{value}'",
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
    "COUNT = enumerate(range(9))",
    "COUNT = (n for n in range(9))",
    "ROUND = round(5)",
    "import functools\nWORD = functools.cache(draw)",
    "import logging",
    "import logging as np",
    "def release() -> exec('x'): pass",
    "def release(value: print(1)): pass",
    "value: print(1) = 1",
    "@cache\ndef release(value): return value",
    "@lru_cache(maxsize=64)\ndef release(value): return value",
    "class Release:\n    @cached_property\n    def drawn(self): return 1",
    "class Release:\n    def __reduce__(self): return ()",
    "class Release:\n    def _repr_png_(self): return ()",
    "class Release:\n    release = lambda self: 1",
    "async def release(value): return value",
    "def release(kept=[]): return kept",
    "def release(kept=value()): return kept",
    "def release(kept=KEPT): return kept",
    "def release(*, kept=KEPT): return kept",
    "def release(name): return name == 'epsilon'",
    "def release(name): return {name: 1}",
    "def encoded(value):\n    try: value()\n    except OverflowError: return 0",
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

    What it may use is a list: builtins, what it takes from other modules, attributes, decorators, the errors that it
    catches, where it asks what kind of thing it was given, and where it makes a text. Attributes are set in __init__
    only, and what a module keeps is set when it is loaded. A name that is imported means what it means where it comes
    from.
    """
    texts = inputs()
    read = chain(homeless(texts), (fault for name, text in texts.items() for fault in faults(name, text)))
    if fault := next(chain(unnoticed(), read), None):
        return Outcome("refuted", fault)
    return Outcome("proved", f"{len(texts)} files")
