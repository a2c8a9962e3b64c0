"""The expression language of 004 §2 as data, with the productions that §§2 to 4 use without printing them.

The printed grammar is e ::= r | c | x | f(x) | e ⊕ e | e ⊗ e. Definition 2, Figure 2 and the proof also use ⊖, the
rounded logarithm and exponential, sequences of assignments, random draws, rounding to multiples of Λ, and clamp_B. ⊘ is
added to complete the arithmetic. The claim is `F-syn`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

PRINTED_PRODUCTIONS = frozenset({"r", "c", "x", "f(x)", "⊕", "⊗"})
PRODUCTIONS = PRINTED_PRODUCTIONS | {"⊖", "⊘", "LN", "EXP", "draw", "round", "clamp", ":=", ";"}


@dataclass(frozen=True)
class Leaf:
    """A real r (to be rounded), a float c, a variable x, or the query f(x), by name."""

    production: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Operation:
    """A rounded operation: ⊕ ⊖ ⊗ ⊘."""

    production: str
    left: "Expression"
    right: "Expression"

    def __str__(self) -> str:
        right = f"({self.right})" if isinstance(self.right, Operation) else str(self.right)
        return f"{self.left} {self.production} {right}"


@dataclass(frozen=True)
class Apply:
    """A function of one expression: LN and EXP (rounded), round (to Λ), clamp (to [-B, B]), draw (from a law)."""

    production: str
    argument: "Expression"

    def __str__(self) -> str:
        return f"{self.production}({self.argument})"


Expression = Leaf | Operation | Apply


@dataclass(frozen=True)
class Assignments:
    """name := expression; …"""

    steps: tuple[tuple[str, Expression], ...]

    def __str__(self) -> str:
        return "; ".join(f"{name} := {expression}" for name, expression in self.steps)


def productions(syntax: Expression | Assignments) -> Iterator[str]:
    """The productions that generate the expression or program."""
    if isinstance(syntax, Assignments):
        for _, expression in syntax.steps:
            yield ":="
            yield from productions(expression)
        yield ";"
        return
    yield syntax.production
    if isinstance(syntax, Operation):
        yield from productions(syntax.left)
        yield from productions(syntax.right)
    elif isinstance(syntax, Apply):
        yield from productions(syntax.argument)


def real(name: str) -> Leaf:
    return Leaf("r", name)


def number(name: str) -> Leaf:
    return Leaf("c", name)


def variable(name: str) -> Leaf:
    return Leaf("x", name)


def query(name: str) -> Leaf:
    return Leaf("f(x)", name)


def chain(first: Expression, *rest: tuple[str, Expression]) -> Expression:
    """first ∘ e1 ∘ e2 …, from the left."""
    for operator, operand in rest:
        first = Operation(operator, first, operand)
    return first


LAW, SIGNS = variable("μ"), variable("{-1, 1}")
DEFINITION_2 = Assignments(
    (
        ("u", Apply("draw", LAW)),
        ("y", Operation("⊗", Apply("LN", variable("u")), real("ε"))),
        ("s", Apply("draw", SIGNS)),
        ("z", Operation("⊗", variable("s"), variable("y"))),
        ("x", query("f(a)")),
        ("w", Operation("⊕", variable("x"), variable("z"))),
        ("w'", Apply("round", variable("w"))),
        ("r", Apply("clamp", variable("w'"))),
    )
)
FIGURE_2 = tuple(Operation(operator, variable("e1"), variable("e2")) for operator in "⊕⊗⊖")


def end(*exponent: str) -> Expression:
    """EXP(ε ⊗ (…)), the form of every interval end of the proof: end("x", "⊖", "Λ/2", "⊖", "f(a)")."""
    operands = [query(name) if name.startswith("f(") else number(name) for name in exponent[::2]]
    inner = chain(operands[0], *zip(exponent[1::2], operands[1:], strict=True))
    return Apply("EXP", Operation("⊗", real("ε"), inner))
