"""The mistakes: what can be put in the place of one expression or one statement.

Each change is one that people make: a comparison or an operator mixed up, a term, an argument, a row or a condition
dropped, a constant one off, a name taken for its neighbour, a precision ignored. A change that Python itself refuses
is a mutant like any other, and easily caught.

Every statement, comparison, operator, constant, argument and row gets a change. It does not get two that an obligation
could hardly tell apart: a term is dropped and not also subtracted, an integer is one off in one direction, a loop skips
its first element, a call of several arguments has two of them swapped, and a name is mistaken for its neighbour only
where it is no operand of something that is itself changed. In formulas, which are arithmetic, no names, arguments and
calls are changed: the operators, constants, comparisons and rows around them are already (`Scope.formulas`).
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
# An operand of the other operators is dropped (`_operation`), which is the likelier mistake.
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
# The order of their arguments does not matter, so none is swapped; instead, each is dropped in turn.
SYMMETRIC = {"min", "max", "And", "Or", "least", "greatest", "gcd", "add", "mul"}
# Arguments that stay: `strict` of zip compares lengths; with `short` and `broken` a check of a lemma must fail
UNCHANGED = {"strict", "short", "broken"}
DOUBLE_PRECISION = 53  # what stands in the place of a precision that is ignored


@dataclass(frozen=True)
class Scope:
    """What a change may use of the place where it is made: the names that can be mistaken for each other."""

    function: str = ""  # qualified; empty at the top level of a module
    siblings: dict[str, str] = field(default_factory=dict)  # name → the parameter or constant taken for it
    attributes: dict[tuple[str, str], str] = field(default_factory=dict)  # (base, attribute) → the attribute beside it
    names: tuple[str, ...] = ()  # parameters, then variables in the order of their first assignment
    assigned: dict[str, int] = field(default_factory=dict)  # variable → how often it gets a value
    formulas: bool = False  # whether the file holds formulas rather than a program


def of_expression(node: ast.expr, scope: Scope, operand: bool = False) -> Iterator[ast.expr]:
    """Everything that may stand in the place of the expression. An `operand` is one that is dropped elsewhere."""
    match node:
        case ast.Compare():
            yield from _comparison(node)
        case ast.BinOp():
            yield from _operation(node)
        case ast.BoolOp():
            yield from _without_one(node.values, lambda rest: ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0])
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant():
            yield from _constant(node)
        case ast.Call():
            yield from _call(node, scope)
        case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            yield from _row(node)
        case ast.Set() if len(node.elts) > 1:
            yield from _without_one(node.elts, ast.Set)
        case ast.Dict():
            for i in range(len(node.keys)):
                yield ast.Dict(node.keys[:i] + node.keys[i + 1 :], node.values[:i] + node.values[i + 1 :])
        case ast.Name(ctx=ast.Load()):
            if node.id in scope.siblings and not (operand or scope.formulas):
                yield _name(scope.siblings[node.id])
            if node.id == "precision":
                yield ast.Constant(DOUBLE_PRECISION)
        case ast.Attribute(ctx=ast.Load()):
            base = node.value.id if isinstance(node.value, ast.Name) else ""
            if (base, node.attr) in scope.attributes and not (operand or scope.formulas):
                yield ast.Attribute(node.value, scope.attributes[base, node.attr], ast.Load())
            if node.attr == "precision":
                yield ast.Constant(DOUBLE_PRECISION)


def of_condition(node: ast.expr, statement: ast.AST) -> Iterator[ast.expr]:
    """A condition that is always true, or always false. A loop that never ends is left out."""
    if not isinstance(statement, ast.While):
        yield ast.Constant(True)
    if not isinstance(statement, ast.comprehension):  # else the loop skips everything, which is more than a mistake
        yield ast.Constant(False)


def of_iterable(node: ast.expr) -> Iterator[ast.expr]:
    """A loop that skips its first element; or, where the elements are written down, one of them."""
    if isinstance(node, ast.Tuple | ast.List):
        yield from _without_one(node.elts, lambda rest: type(node)(rest, ast.Load()))
        return
    yield ast.Subscript(ast.Call(_name("list"), [node], []), ast.Slice(lower=ast.Constant(1)), ast.Load())


def of_return(node: ast.Return, scope: Scope) -> Iterator[ast.expr]:
    """Another variable is returned: the one that got its value last, or the last parameter."""
    if not isinstance(node.value, ast.Name):
        return  # what is returned is changed itself
    names = [name for name in scope.names if name not in {"self", "cls", node.value.id}]
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
        return
    commutes = isinstance(node.op, ast.Add | ast.Mult)
    if not (commutes and isinstance(node.left, ast.Constant)):
        yield node.left  # a term, a factor or a shift dropped
    alone = not (isinstance(node.left, ast.BinOp) and isinstance(node.left.op, type(node.op)))  # else it comes later
    number = isinstance(node.left, ast.Constant), isinstance(node.right, ast.Constant)
    if (isinstance(node.op, ast.Add) and alone and not any(number)) or (commutes and number[0]):
        yield node.right


def _row(node: ast.Tuple | ast.List) -> Iterator[ast.expr]:
    """Without one of the elements. In a tuple whose elements are not of one kind each has its place, so two of them are
    swapped instead: a pair that lacks one is no pair."""
    if any(isinstance(element, ast.Slice) for element in node.elts):
        return  # an index of an array
    kinds = {type(element) for element in node.elts}
    if isinstance(node, ast.Tuple) and (len(kinds) > 1 or kinds <= {ast.Name, ast.Attribute, ast.Constant}):
        if len(node.elts) > 1:
            yield ast.Tuple([node.elts[1], node.elts[0], *node.elts[2:]], ast.Load())
        return
    yield from _without_one(node.elts, lambda rest: type(node)(rest, ast.Load()))


def _constant(node: ast.Constant) -> Iterator[ast.expr]:
    match node.value:
        case bool(value):
            yield ast.Constant(not value)
        case int(value):
            yield _integer(value - 1 if value > 0 else value + 1)
        case float(value):
            yield ast.Constant(2 * value if value else 1.0)


def _integer(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _call(node: ast.Call, scope: Scope) -> Iterator[ast.expr]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for i, keyword in enumerate(node.keywords):
        if keyword.arg not in UNCHANGED:
            yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])
    texts = [isinstance(a, ast.Constant | ast.JoinedStr) and not _is_number(a) for a in node.args]
    if name in SYMMETRIC:
        if len(node.args) > 1:
            yield from _without_one(node.args, lambda rest: ast.Call(node.func, rest, node.keywords))
    elif not scope.formulas:
        for i in range(len(node.args) - 1):
            if not (texts[i] or texts[i + 1]):
                yield ast.Call(
                    node.func, [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]], node.keywords
                )
                return
    if name == "Fraction":
        if not all(isinstance(a, ast.Constant) for a in node.args):  # a number that is one off already
            yield ast.BinOp(ast.Constant(2), ast.Mult(), node)
    elif scope.formulas:
        return
    elif len(node.args) == 1 and not isinstance(node.args[0], ast.Starred) and not texts[0]:
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
