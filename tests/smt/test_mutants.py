"""A representative subset of the source mutants; `make mutants` runs all of them."""

import pytest

from snapref_smt.models import SUBJECTS
from snapref_smt.mutants import ORIGINALS, TRIALS, Mutant, judge, mutants

EVERY = [mutant for name in TRIALS for mutant in mutants(name)]


def find(function: str, before: str, after: str, nth: int = 0) -> Mutant:
    return [m for m in EVERY if (m.function, m.before, m.after) == (function, before, after)][nth]


def test_there_are_enough() -> None:
    assert len(EVERY) >= 60
    assert len(set(EVERY)) == len(EVERY)
    assert {m.function for m in EVERY} == set(TRIALS)


KILLED = [
    find("clamp", ">", ">="),
    find("clamp", ">", ">=", 1),
    find("clamp", "+", "-"),
    find("lattice_exponent", "-", "+"),
    find("lattice_exponent", ">", ">="),
    find("round_to_lattice", ">=", ">", 1),
    find("round_to_lattice", "and", "or", 1),
    find("round_to_lattice", "2", "1"),
]


@pytest.mark.parametrize("mutant", KILLED, ids=str)
def test_killed(mutant: Mutant) -> None:
    verdict = judge(mutant, timeout=120)
    assert verdict.fate == "killed"
    assert "expected" in verdict.witness
    assert SUBJECTS == ORIGINALS


def test_equivalent() -> None:
    verdict = judge(find("clamp", "<=", "<"), timeout=120)  # at |x| = B both branches give x
    assert verdict.fate == "equivalent"
    assert verdict.witness == ""
