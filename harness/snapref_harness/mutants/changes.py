"""The mistakes: what can be put in the place of one expression or one statement.

Each change is one that people make: a comparison or an operator mixed up, a term, an argument, a row or a condition
dropped, a constant one off, a name taken for its neighbour, a precision ignored. A change that Python itself refuses
is a mutant like any other, and easily caught.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# What multiplies, divides or is an exponent is dropped (`_operation`), which is the likelier mistake.
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
# The order of their arguments does not matter, so none is swapped; instead, each is dropped in turn.
SYMMETRIC = {"min", "max", "And", "Or", "least", "greatest", "gcd"}
DOUBLE_PRECISION = 53  # what stands in the place of a precision that is ignored


@dataclass(frozen=True)
class Scope:
    """What a change may use of the place where it is made: the names that can be mistaken for each other."""

    function: str = ""  # qualified; empty at the top level of a module
    siblings: dict[str, str] = field(default_factory=dict)  # name → the parameter or constant taken for it
    attributes: dict[tuple[str, str], str] = field(default_factory=dict)  # (base, attribute) → the attribute beside it
    names: tuple[str, ...] = ()  # parameters, then variables in the order of their first assignment
    assigned: dict[str, int] = field(default_factory=dict)  # variable → how often it gets a value


def of_expression(node: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """Everything that may stand in the place of the expression."""
    match node:
        case ast.Compare():
            yield from _comparison(node)
        case ast.BinOp():
            yield from _operation(node)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            yield from _without_one(node.values, lambda rest: ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0])
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant():
            yield from _constant(node)
        case ast.Call():
            yield from _call(node)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            if any(isinstance(element, ast.Slice) for element in node.elts):
                return  # an index of an array
            yield from _without_one(node.elts, lambda rest: type(node)(rest, ast.Load()))
        case ast.Set() if len(node.elts) > 1:
            yield from _without_one(node.elts, ast.Set)
        case ast.Dict():
            for i in range(len(node.keys)):
                yield ast.Dict(node.keys[:i] + node.keys[i + 1 :], node.values[:i] + node.values[i + 1 :])
        case ast.Name(ctx=ast.Load()):
            if node.id in scope.siblings:
                yield _name(scope.siblings[node.id])
            if node.id == "precision":
                yield ast.Constant(DOUBLE_PRECISION)
        case ast.Attribute(ctx=ast.Load()):
            base = node.value.id if isinstance(node.value, ast.Name) else ""
            if (base, node.attr) in scope.attributes:
                yield ast.Attribute(node.value, scope.attributes[base, node.attr], ast.Load())
            if node.attr == "precision":
                yield ast.Constant(DOUBLE_PRECISION)


def of_condition(node: ast.expr, statement: ast.AST) -> Iterator[ast.expr]:
    """A condition that is always true, or always false. A loop that never ends is left out."""
    if not isinstance(statement, ast.While):
        yield ast.Constant(True)
    yield ast.Constant(False)


def of_iterable(node: ast.expr) -> Iterator[ast.expr]:
    """A loop that skips its first, or its last, element."""
    for part in (ast.Slice(lower=ast.Constant(1)), ast.Slice(upper=ast.UnaryOp(ast.USub(), ast.Constant(1)))):
        yield ast.Subscript(ast.Call(_name("list"), [node], []), part, ast.Load())


def of_return(node: ast.Return, scope: Scope) -> Iterator[ast.expr]:
    """Another variable is returned: the one that got its value last, or the last parameter."""
    own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} if isinstance(node.value, ast.Name) else set()
    names = [name for name in scope.names if name not in {"self", "cls"} | own]
    if names:
        yield _name(names[-1])


def is_dropped(statement: ast.stmt, scope: Scope) -> bool:
    """Whether the statement can be left out. An assignment without which its variable has no value is kept: Python
    would say so at once. An `if` that is left out is one whose condition is false (`of_condition`)."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return False  # a docstring
        case ast.Assign(targets=[target]):
            return not isinstance(target, ast.Name | ast.Tuple) or (
                isinstance(target, ast.Name) and bool(scope.function) and scope.assigned.get(target.id, 0) > 1
            )
        case (
            ast.Expr()
            | ast.AugAssign()
            | ast.Raise()
            | ast.Return()
            | ast.For()
            | ast.While()
            | ast.Continue()
            | ast.Break()
        ):
            return True
    return False


def _comparison(node: ast.Compare) -> Iterator[ast.expr]:
    for i, op in enumerate(node.ops):
        yield ast.Compare(node.left, [*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]], node.comparators)
    if len(node.ops) > 1:  # one end of a chain such as a <= b <= c
        yield ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])
        yield ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])


def _operation(node: ast.BinOp) -> Iterator[ast.expr]:
    if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return  # a text with values put into it
    if type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    yield node.left  # a term, a factor or a shift dropped
    alone = not (isinstance(node.left, ast.BinOp) and isinstance(node.left.op, type(node.op)))  # else it comes later
    if isinstance(node.op, ast.Add | ast.Mult | ast.BitAnd | ast.BitOr | ast.BitXor) and alone:
        yield node.right


def _constant(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield _integer(value + 1)
            yield _integer(value - 1)
        case float(value):
            yield ast.Constant(2 * value if value else 1.0)


def _integer(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _call(node: ast.Call) -> Iterator[ast.expr]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for i in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])
    texts = [isinstance(a, ast.Constant | ast.JoinedStr) and not _is_number(a) for a in node.args]
    if name in SYMMETRIC:
        if len(node.args) > 1:
            yield from _without_one(node.args, lambda rest: ast.Call(node.func, rest, node.keywords))
    else:
        for i in range(len(node.args) - 1):
            if not (texts[i] or texts[i + 1]):
                swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
                yield ast.Call(node.func, swapped, node.keywords)
    if name == "Fraction":
        yield ast.BinOp(ast.Constant(2), ast.Mult(), node)
    if node.args and not isinstance(node.args[0], ast.Starred) and not texts[0]:
        yield node.args[0]
    elif not node.args and isinstance(node.func, ast.Attribute):
        yield node.func.value


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _without_one(items: Sequence[ast.expr], build: Callable[[list[ast.expr]], ast.expr]) -> Iterator[ast.expr]:
    for i in range(len(items)):
        yield build([*items[:i], *items[i + 1 :]])


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
