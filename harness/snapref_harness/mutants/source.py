"""The mutants of a file: changes of its text, one at a time, that keep every line where it is.

Obligations read line numbers and comments such as "# Case 1" of the code, so a mutant has them where the original has
them. Not changed are annotations, docstrings, decorators, imports, `__all__`, assertions, and `__repr__`; what an error
says when it is raised, and how a block that ends in `raise` puts that together; the words of a condition that a
certificate prints; and the twins of statements: a twin is no part of a proof, it shows that the statement can fail. A
twin is the fourth argument of a function in STATING, what is assigned to a name in TWINS, what is passed by a name in
changes.UNCHANGED, or what a function builds whose docstring begins with "The twin".
"""

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from snapref_harness.mutants import changes
from snapref_harness.mutants.changes import Scope

AT_IMPORT = 0  # the block of what runs when the module is imported
STATING = {"Statement", "flat", "here.stated"}  # called with a name, hypotheses, a conclusion and a twin
TWINS = {"twin", "less", "wrong"}
LONGEST = 100  # characters of the original that a mutant's name shows


@dataclass(frozen=True)
class Mutant:
    """One change to the text of one file."""

    file: str  # from the root of the checkout
    function: str  # qualified; empty at the top level
    line: int
    block: int  # the first line of the innermost block around it (`blocks`)
    name: str  # "what stands there → what stands there instead", unique in the function
    start: int  # in bytes of the file
    end: int
    text: str

    @property
    def key(self) -> str:
        """Its name among all mutants. It has no line, so it stays where something else in the file changes."""
        return f"{self.file} {self.function} {self.name}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function or '(top level)'}: {self.name}"

    def applied(self, source: str) -> str:
        data = source.encode()
        return (data[: self.start] + self.text.encode() + data[self.end :]).decode()


def mutants_of(file: str, source: str, formulas: bool = False) -> list[Mutant]:
    """Every mutant of the file, each different text once. `formulas`: as in changes.Scope."""
    tree = ast.parse(source)
    offsets = list(itertools.accumulate((len(line) for line in source.encode().splitlines(keepends=True)), initial=0))
    seen = {source}
    counts: Counter[tuple[str, str]] = Counter()
    found: list[Mutant] = []
    for change in _Walk(source, tree, formulas).changes():
        start = offsets[change.node.lineno - 1] + change.node.col_offset
        assert change.node.end_lineno is not None
        assert change.node.end_col_offset is not None
        end = offsets[change.node.end_lineno - 1] + change.node.end_col_offset
        text = _padded(change.text, source.encode()[start:end].decode(), isinstance(change.node, ast.stmt))
        name = f"{_short(change.before)} → {_short(change.after)}"
        counts[change.scope.function, name] += 1
        if (number := counts[change.scope.function, name]) > 1:
            name = f"{name} ({number})"
        mutant = Mutant(file, change.scope.function, change.line, change.block, name, start, end, text)
        changed = mutant.applied(source)
        if changed not in seen and change.before != change.after:
            seen.add(changed)
            found.append(mutant)
    return found


def _padded(text: str, replaced: str, statement: bool) -> str:
    """The new text, with as many lines as the old one. Lines that are comments stay."""
    _, *rest = replaced.split("\n")
    if not rest:
        return text
    if statement:
        return "\n".join([text, *(line if line.lstrip().startswith("#") else "" for line in rest)])
    return "(" + text + "\n" * len(rest) + ")"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


@dataclass(frozen=True)
class _Change:
    node: ast.expr | ast.stmt  # what is replaced
    text: str  # by this
    before: str
    after: str
    line: int
    block: int
    scope: Scope


class _Walk:
    """Goes through a module and proposes changes."""

    def __init__(self, source: str, tree: ast.Module, formulas: bool = False) -> None:
        self.source, self.tree, self.formulas = source, tree, formulas
        self.modules = _imported_names(tree)
        constants = sorted(
            {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id.isupper() and len(n.id) > 1}
        )
        self.constants = dict(zip(constants, constants[1:] + constants[:1], strict=True)) if constants[1:] else {}
        self.attributes = _attribute_siblings(tree, self.modules)
        self.scope = Scope("", self.constants, self.attributes, formulas=formulas)
        self.block = AT_IMPORT
        self.last = [n.body[-1] for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        self.outer: ast.JoinedStr | None = None  # the text with values around an expression: its parts have no place

    def changes(self) -> Iterator[_Change]:
        yield from self._body(self.tree.body, AT_IMPORT)

    def _body(self, body: list[ast.stmt], block: int) -> Iterator[_Change]:
        before, self.block = self.block, block
        for statement in body[-1:] if _only_refuses(body) else body:
            yield from self._statement(statement)
        self.block = before

    def _inner(self, body: list[ast.stmt]) -> Iterator[_Change]:
        """A block inside a statement. At the top level it runs at import, like everything there."""
        if body:
            yield from self._body(body, body[0].lineno if self.scope.function else AT_IMPORT)

    def _statement(self, node: ast.stmt) -> Iterator[_Change]:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).removeprefix("self.") in TWINS:
            return
        last = isinstance(node, ast.Return) and node in self.last
        if changes.is_dropped(node, self.scope) and not last:
            first = (ast.get_source_segment(self.source, node) or "").split("\n")[0]
            yield _Change(node, "pass", first, "pass", node.lineno, self.block, self.scope)
        match node:
            case ast.FunctionDef(name="__repr__") | ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return
            case ast.FunctionDef():
                yield from self._function(node)
            case ast.ClassDef():
                outside = self.scope
                self.scope = Scope(outside.function, self.constants, self.attributes, formulas=self.formulas)
                yield from self._class(node)
                self.scope = outside
            case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Raise():
                return
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                return
            case ast.Assign(value=ast.Subscript()) if not self.scope.function:
                return  # the name of a type
            case ast.AnnAssign():
                if node.value is not None:
                    yield from self._expression(node.value)
            case ast.If() | ast.While():
                yield from self._condition(node.test, node)
                yield from self._inner(node.body)
                yield from self._inner(node.orelse)
            case ast.For():
                yield from self._iterable(node.iter)
                yield from self._inner(node.body)
                yield from self._inner(node.orelse)
            case ast.Try():
                for body in (node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                    yield from self._inner(body)
            case ast.With():
                for item in node.items:
                    yield from self._expression(item.context_expr)
                yield from self._body(node.body, self.block)
            case ast.Return():
                if node.value is not None:
                    for other in changes.of_return(node, self.scope):
                        yield self._replaced(node.value, other)
                    yield from self._expression(node.value)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self._expression(child)

    def _class(self, node: ast.ClassDef) -> Iterator[_Change]:
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name != "__repr__":
                yield from self._function(statement, node.name)
            else:
                yield from self._statement(statement)

    def _function(self, node: ast.FunctionDef, owner: str = "") -> Iterator[_Change]:
        if (ast.get_docstring(node) or "").startswith("The twin"):
            return
        outside, block = self.scope, self.block
        self.block = node.body[0].lineno  # a default matters where the function is called
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            yield from self._expression(default)
        self.block = block
        parts = [part for part in (outside.function, owner, node.name) if part]
        self.scope = _scope_of(node, ".".join(parts), self.constants, self.attributes, outside)
        yield from self._inner(node.body)
        self.scope = outside

    def _condition(self, node: ast.expr, statement: ast.AST) -> Iterator[_Change]:
        for other in changes.of_condition(node, statement):
            yield self._replaced(node, other)
        yield from self._expression(node)

    def _iterable(self, node: ast.expr) -> Iterator[_Change]:
        for other in changes.of_iterable(node):
            yield self._replaced(node, other)
        parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
        for part in parts:
            yield from self._expression(part.value if isinstance(part, ast.Starred) else part)

    def _expression(self, node: ast.expr, operand: bool = False) -> Iterator[_Change]:
        for other in changes.of_expression(node, self.scope, operand):
            yield self._replaced(node, other)
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple() as among]):
                yield from self._expression(node.left, operand=True)
                yield from self._iterable(among)
            case ast.BinOp() | ast.Compare():
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self._expression(child, operand=True)
            case ast.JoinedStr():
                outside, self.outer = self.outer, self.outer or node
                for value in node.values:
                    if isinstance(value, ast.FormattedValue):
                        yield from self._expression(value.value)
                self.outer = outside
            case ast.IfExp():
                yield from self._condition(node.test, node)
                yield from self._expression(node.body)
                yield from self._expression(node.orelse)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                yield from self._expression(node.elt)
                yield from self._generators(node.generators)
            case ast.DictComp():
                yield from self._expression(node.key)
                yield from self._expression(node.value)
                yield from self._generators(node.generators)
            case ast.Call(args=[_, hypotheses, conclusion, *_]) if ast.unparse(node.func) in STATING:
                yield from self._expression(hypotheses)
                yield from self._expression(conclusion)
            case ast.Call(func=ast.Name(id="Condition")):
                return
            case ast.Lambda():
                yield from self._expression(node.body)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.keyword) and child.arg in changes.UNCHANGED:
                        continue
                    if isinstance(child, ast.keyword | ast.Starred):
                        yield from self._expression(child.value)
                    elif isinstance(child, ast.expr):
                        yield from self._expression(child)

    def _generators(self, generators: list[ast.comprehension]) -> Iterator[_Change]:
        for generator in generators:
            yield from self._iterable(generator.iter)
            for test in generator.ifs:
                yield from self._condition(test, generator)

    def _replaced(self, node: ast.expr, other: ast.expr) -> _Change:
        anchor = self.outer or node
        changed = copy.deepcopy(anchor, {id(node): other}) if self.outer else other
        text = ast.unparse(changed)
        if not isinstance(changed, ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.JoinedStr):
            text = f"({text})"
        return _Change(anchor, text, ast.unparse(node), ast.unparse(other), node.lineno, self.block, self.scope)


def blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The blocks inside functions: lists of statements of which the first runs if any does. A block is named by the
    line on which it begins."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                for name in ("body", "orelse", "finalbody"):
                    body = getattr(node, name, None)
                    if isinstance(body, list) and not isinstance(node, ast.With | ast.ClassDef):
                        yield body


def _only_refuses(body: list[ast.stmt]) -> bool:
    """Whether the block puts together what an error says, raises it, and does nothing else."""
    inner = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.stmt)]
    return isinstance(body[-1], ast.Raise) and all(isinstance(node, ast.Assign | ast.If | ast.Raise) for node in inner)


def _scope_of(
    node: ast.FunctionDef, name: str, constants: dict[str, str], attributes: dict[tuple[str, str], str], outside: Scope
) -> Scope:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    kinds: dict[str, list[str]] = {}
    for argument in arguments:
        if argument.annotation is not None:
            kinds.setdefault(ast.dump(argument.annotation), []).append(argument.arg)
    siblings = dict(constants)
    for same in kinds.values():
        if len(same) > 1:
            siblings |= dict(zip(same, same[1:] + same[:1], strict=True))
    assigned: Counter[str] = Counter(argument.arg for argument in arguments)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            assigned[inner.id] += 1
    local = _variables(node)
    names = (*(argument.arg for argument in arguments), *(n for n in local if n not in {a.arg for a in arguments}))
    return Scope(name, outside.siblings | siblings, attributes, names, dict(assigned), outside.formulas)


def _variables(node: ast.FunctionDef) -> list[str]:
    """The variables to which statements of the function itself assign, in order."""
    found: dict[str, None] = {}
    for statement in node.body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Assign):
                for target in inner.targets:
                    found |= {n.id: None for n in ast.walk(target) if isinstance(n, ast.Name)}
    return list(found)


def _imported_names(tree: ast.Module) -> set[str]:
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def _attribute_siblings(tree: ast.Module, modules: set[str]) -> dict[tuple[str, str], str]:
    """For an attribute of a variable, the next one, by name, that the module uses of the same variable. Methods that
    are called are kept apart from values."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    groups: dict[tuple[str, bool], set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in modules:
            groups.setdefault((node.value.id, id(node) in called), set()).add(node.attr)
    siblings: dict[tuple[str, str], str] = {}
    for (base, _), attributes in groups.items():
        ordered = sorted(attributes)
        if len(ordered) > 1:
            siblings |= {(base, a): b for a, b in zip(ordered, ordered[1:] + ordered[:1], strict=True)}
    return siblings


@cache
def block_starts(source: str) -> frozenset[int]:
    return frozenset(body[0].lineno for body in blocks(ast.parse(source)) if body)
