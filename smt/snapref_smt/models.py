"""The three exact functions of the reference (Λ, rounding, clamp), lifted.

The executor runs a function on unknown inputs and finds its *paths*: ways through the code. For each path there is a
formula that says when it is taken, and a formula for what it computes, for all inputs of a format at once.

`SUBJECTS` names the functions under proof. All of this package takes "the code" from here. So another function that is
put in the place of one is lifted in the very same way.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import z3

from snapref.clamp import clamp
from snapref.errors import ParameterError
from snapref.formats import BINARY64, Format, working_format
from snapref.lattice import lattice_exponent
from snapref.rounding import round_to_lattice
from snapref_ledger.obligations import Part
from snapref_smt.engine.executor import Path, Side, explore
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import Built, proves
from snapref_smt.spec import Layout

SUBJECTS: dict[str, Callable[..., int]] = {
    "round_to_lattice": round_to_lattice,
    "lattice_exponent": lattice_exponent,
    "clamp": clamp,
}

WORKING = working_format(53)  # the format in which the mechanism computes, with exponents wide enough for all of it
FORMATS: dict[str, Format] = {"binary64": BINARY64, "working": WORKING}
SCOPES = {"binary64": "binary64, 2^64 patterns", "working": "53 bits with 15-bit exponents, 2^68 patterns"}


def layout(fmt: Format) -> Layout:
    return Layout(fmt.precision, fmt.exponent_bits)


def subject(name: str) -> Callable[..., int]:
    return SUBJECTS[name]


@dataclass(frozen=True)
class Lifted:
    """A function with its inputs as variables."""

    fmt: Format
    variables: tuple[z3.BitVecRef, ...]
    width: int
    paths: tuple[Path, ...]
    labels: tuple[str, ...]  # for each path: "Case n", from the comment in the source under which it ends, or ""

    def returning(self, label: str | None = None) -> list[Path]:
        return [p for p, own in zip(self.paths, self.labels, strict=True) if p.error is None and label in (None, own)]

    @property
    def accepted(self) -> z3.BoolRef:
        """The condition under which the function returns, and does not raise."""
        return any_of([path.condition for path in self.returning()])

    def labelled(self, label: str) -> list[Path]:
        return [path for path, own in zip(self.paths, self.labels, strict=True) if own == label]

    def pattern(self, path: Path) -> z3.BitVecRef:
        """The result as a pattern. That nothing is cut off here is a side condition of its own (`sides`)."""
        assert path.result is not None
        return z3.Extract(layout(self.fmt).width - 1, 0, path.result)

    def merged(self) -> z3.BitVecRef:
        """The result as one formula over all paths, as a pattern. It means nothing where the function raises."""
        result = z3.BitVecVal(0, layout(self.fmt).width)
        for path in self.returning():
            result = z3.If(path.condition, self.pattern(path), result)
        return result

    def sides(self, path: Path, pattern: bool = True) -> list[Side]:
        """The side conditions of a path: what its arithmetic relies on, and that its result is a pattern."""
        sides = list(path.sides)
        if pattern and path.result is not None:
            limit = z3.BitVecVal(1 << layout(self.fmt).width, self.width)
            fits = z3.simplify(z3.And(path.result >= 0, path.result < limit))
            sides.append(Side("the result is a pattern", path.decisions, fits))
        return sides


@cache
def lifted_round(fmt: Format) -> Lifted:
    form = layout(fmt)
    return _lift("round_to_lattice", fmt, (form.pattern("x"), form.lattice("m")), signed=(False, True))


@cache
def lifted_lattice(fmt: Format) -> Lifted:
    return _lift("lattice_exponent", fmt, (layout(fmt).pattern("scale"),), signed=(False,))


@cache
def lifted_clamp(fmt: Format) -> Lifted:
    form = layout(fmt)
    return _lift("clamp", fmt, (form.pattern("x"), form.pattern("bound")), signed=(False, False))


def _lift(name: str, fmt: Format, variables: tuple[z3.BitVecRef, ...], signed: tuple[bool, ...]) -> Lifted:
    function = subject(name)
    width = layout(fmt).width + 8
    arguments = [
        z3.SignExt(width - v.size(), v) if s else z3.ZeroExt(width - v.size(), v)
        for v, s in zip(variables, signed, strict=True)
    ]
    paths = explore(function, arguments, width, constants=[fmt], expected_error=ParameterError)
    return Lifted(fmt, variables, width, tuple(paths), tuple(_label(function, path.line) for path in paths))


def _label(function: Callable[..., Any], line: int) -> str:
    """The last comment `# Case n` above a line of the function's source, without the #."""
    source, first = inspect.getsourcelines(function)
    labels = [re.match(r"\s*# (Case \d)", text) for text in source[: line - first + 1]]
    return next((label[1] for label in reversed(labels) if label), "")


def side_theorems(code: Lifted, pattern: bool = True) -> list[Statement]:
    """Statements that every side condition holds, given the decisions that lead to it; a few in each statement.

    Several paths share their first decisions. What is owed there is proved once.
    """
    owed: dict[tuple[int, ...], dict[int, Side]] = {}
    for path in code.paths:
        for side in code.sides(path, pattern):
            prefix = tuple(decision.get_id() for decision in side.decisions)
            owed.setdefault(prefix, {})[side.condition.get_id()] = side
    groups = [list(sides.values()) for sides in owed.values()]
    statements: list[Statement] = []
    for start in range(0, len(groups), 4):
        together = [side for group in groups[start : start + 4] for side in group]
        reached = [side.reached for side in together]
        goal = z3.And(*(z3.Implies(r, side.condition) for r, side in zip(reached, together, strict=True)))
        name = f"side conditions {start // 4 + 1}: {' '.join(side.what for side in together)}"
        statements.append(Statement(name, (), goal, z3.Not(reached[-1]), variables=code.variables))
    return statements


def path_theorems(code: Lifted) -> list[Statement]:
    """Statements that every input takes some path, and that no input takes two."""
    conditions = [path.condition for path in code.paths]
    overlaps = [z3.And(a, b) for i, a in enumerate(conditions) for b in conditions[:i]]
    return [
        Statement("complete", (), any_of(conditions), any_of(conditions[1:]), variables=code.variables),
        Statement("disjoint", (), z3.Not(any_of(overlaps)), z3.Not(any_of(conditions)), variables=code.variables),
    ]


def on_formats(
    id: str,
    *,
    claim: str,
    scope: str,
    part: Part = "printed",
    decides: bool = True,
    timeout: float | None = None,
    thorough: bool = False,
) -> Callable[[Callable[[Format], Built]], Callable[[Format], Built]]:
    """Registers statements about a format twice: for binary64, and (id with `.working`) for the format in which the
    mechanism computes."""

    def register(build: Callable[[Format], Built]) -> Callable[[Format], Built]:
        for name, fmt in FORMATS.items():
            proves(
                id if fmt is BINARY64 else f"{id}.{name}",
                claim=claim,
                scope=f"{scope}; {SCOPES[name]}",
                part=part,
                decides=decides and fmt is BINARY64,  # the documents speak of binary64
                timeout=timeout,
                thorough=thorough,
            )(_on_format(build, fmt))
        return build

    return register


def _on_format(build: Callable[[Format], Built], fmt: Format) -> Callable[[], Built]:
    def stated() -> Built:
        return build(fmt)

    stated.__doc__, stated.__module__, stated.__name__ = build.__doc__, build.__module__, build.__name__

    return stated


def any_of(terms: list[z3.BoolRef]) -> z3.BoolRef:
    return z3.Or(*terms) if len(terms) != 1 else terms[0]
