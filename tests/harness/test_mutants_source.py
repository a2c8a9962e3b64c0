"""The mistakes that are made, in place. The kinds of faults that an audit makes are among them."""

import ast

import pytest

from snapref_harness.mutants import survivors
from snapref_harness.mutants.__main__ import ROOT
from snapref_harness.mutants.campaign import all_mutants, targets
from snapref_harness.mutants.quick import chosen, read
from snapref_harness.mutants.source import AT_IMPORT, Mutant, blocks, mutants_of

SOURCE = '''"""A module."""

from fractions import Fraction

__all__ = ["loss", "rows"]
CONSTANT = 12
LIMIT = Fraction(1, 2**7)


def loss(scale: Fraction, bound: Fraction, precision: int) -> Fraction:
    """Not changed: 1 + 2."""
    if scale > bound:
        raise ValueError(f"scale = {scale + 1}")
    # Case 1
    return (
        bound / scale
        + CONSTANT * bound  # a comment
        + rounded(bound, precision, up=True)
    )


def rows(table):
    facts = [table.low >= 0, table.high <= 1]
    box = (0, 1)
    return Statement("name", facts, table.low + table.high <= 2, table.low <= 3), [row for row in table]
'''


@pytest.fixture(scope="module")
def found() -> dict[str, Mutant]:
    return {mutant.name: mutant for mutant in mutants_of("code.py", SOURCE)}


@pytest.mark.parametrize(
    "name",
    [
        "bound / scale + CONSTANT * bound + rounded(bound, precision, up=True) → bound / scale + CONSTANT * bound",
        "table → list(table)[1:]",  # a row skipped
        "(0, 1) → (1, 0)",  # the sides of a box
        "1 → 0 (2)",  # a side shrunk
        "table.high <= 1 → table.high < 1",  # a hypothesis strengthened
        "[table.low >= 0, table.high <= 1] → [table.high <= 1]",  # a hypothesis dropped
        "12 → 11",  # a constant that is typed twice
        "Fraction(1, 2 ** 7) → Fraction(2 ** 7, 1)",
        "precision → 53",  # a precision ignored
        "rounded(bound, precision, up=True) → rounded(bound, precision)",
        "True → False",  # rounded the wrong way
        "scale > bound → False",  # a condition that is not there
        'raise ValueError(f"scale = {scale + 1}") → pass',
        "bound → scale",  # one name taken for the other
        "rounded(bound, precision, up=True) → rounded(precision, bound, up=True)",
    ],
)
def test_the_kinds_of_faults(found: dict[str, Mutant], name: str) -> None:
    assert name in found


def test_what_is_not_changed(found: dict[str, Mutant]) -> None:
    lines = SOURCE.splitlines()
    changed = {lines[mutant.line - 1] for mutant in found.values()}
    assert not any("__all__" in line or "import" in line or "Not changed" in line for line in changed)
    assert not any("scale + 1 →" in name for name in found)  # what an error says
    assert not any(name.startswith(("table.low <= 3 →", "3 →")) for name in found)  # the twin


def test_formulas_are_arithmetic(found: dict[str, Mutant]) -> None:
    """Operators, constants and rows are changed there, names and arguments are not."""
    formulas = {mutant.name for mutant in mutants_of("code.py", SOURCE, formulas=True)}
    assert {"12 → 11", "table → list(table)[1:]", "scale > bound → False"} <= formulas
    assert "Fraction(1, 2 ** 7) → 2 * Fraction(1, 2 ** 7)" in formulas
    assert {
        "bound → scale",
        "rounded(bound, precision, up=True) → rounded(precision, bound, up=True)",
    } & formulas == set()


def test_what_only_says_something_is_not_changed() -> None:
    """A block that puts together what an error says, and a condition's words in the certificate."""
    refusal = "    if x > 1:\n        most = x + 2\n        raise ValueError(most)\n"
    text = f"def f(x):\n{refusal}    return Condition('x', x + 3)\n"
    names = {mutant.name for mutant in mutants_of("code.py", text)}
    assert "raise ValueError(most) → pass" in names
    assert not any(name.startswith(("x + 2", "2", "x + 3", "3")) for name in names)


def test_twins_are_not_changed() -> None:
    """They have names, too, and functions that build them; `stated` alone may be about something else."""
    text = """
def both(here, x):
    wrong = x + 1
    self.less = x + 2
    less, above = x + 3, x + 4
    return [flat("flat", [x > 5], x > 6, x > 7), here.stated("own", x + 8, [], x + 9), stated("own", x, [], x + 10)]

def half(x):
    \"\"\"The twin: half of x.\"\"\"
    return x / 11
"""
    names = {mutant.name for mutant in mutants_of("code.py", text, formulas=True)}
    changed = {n for n in range(1, 12) if f"{n} → {n - 1}" in names}
    assert changed == {3, 4, 5, 6, 8, 10}
    assert not any("self.less" in name for name in names)


def test_every_line_and_every_comment_stays_where_it_is(found: dict[str, Mutant]) -> None:
    lines = SOURCE.splitlines()
    for mutant in found.values():
        changed = mutant.applied(SOURCE)
        ast.parse(changed)
        assert len(changed.splitlines()) == len(lines)
        assert changed.splitlines()[13] == "    # Case 1"
        assert changed != SOURCE


def test_no_two_are_the_same(found: dict[str, Mutant]) -> None:
    every = mutants_of("code.py", SOURCE)
    assert len({mutant.applied(SOURCE) for mutant in every}) == len(every)
    assert len({(mutant.function, mutant.name) for mutant in every}) == len(every)


def test_a_mutant_knows_its_block(found: dict[str, Mutant]) -> None:
    starts = {body[0].lineno for body in blocks(ast.parse(SOURCE)) if body}
    assert found["12 → 11"].block == AT_IMPORT
    assert found["precision → 53"].block == 11
    assert found['raise ValueError(f"scale = {scale + 1}") → pass'].block == 13
    assert {mutant.block for mutant in found.values()} <= {AT_IMPORT, *starts}


def test_a_value_inside_a_text() -> None:
    (name,) = [m for m in mutants_of("code.py", 'def f(x):\n    return f"{x + y} {x}"\n') if m.name == "x + y → x"]
    assert name.applied('def f(x):\n    return f"{x + y} {x}"\n') == "def f(x):\n    return f'{x} {x}'\n"


def test_the_project() -> None:
    """Every file has mutants, each is Python, and the list of survivors names mutants that there are."""
    mutants = all_mutants(ROOT, targets(ROOT))
    assert {m.file for m in mutants} >= {"reference/snapref/clamp.py", "proofs/snapref_proofs/theorem1/interior.py"}
    assert len({(m.file, m.function, m.name) for m in mutants}) == len(mutants)
    for mutant in chosen(mutants, 3):
        ast.parse(mutant.applied((ROOT / mutant.file).read_text(encoding="utf-8")))
    known = {(m.file, m.function, m.name) for m in mutants}
    functions = {(m.file, m.function) for m in mutants}
    programs = {m.file for m in mutants if m.file.startswith("reference") and not m.file.endswith("__init__.py")}
    assert programs <= {m.file for m in mutants if m.key in read()}, "make mutants chooses anew what is tried quickly"
    for entry in survivors.read():
        assert (entry.file, entry.function) in functions, entry
        assert not {(entry.file, entry.function, name) for name in entry.mutants} - known, entry
