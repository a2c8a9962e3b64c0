"""The exported scripts: one for each obligation that solvers decide, and other people's programs read them."""

import re
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from snapref_harness.cli.registry import load_obligations
from snapref_proofs.batch import stages, widening
from snapref_proofs.theorem1 import compose, coverage, even, every, interior, joined, rows
from snapref_smt import budget
from snapref_smt.engine.export import obligation_script
from snapref_smt.engine.solvers import ask
from snapref_smt.engine.stating import STATED

OBLIGATIONS = {obligation.id: obligation for obligation in load_obligations()}
Z3 = Path(sys.executable).with_name("z3")


def test_every_obligation_of_the_solvers_has_a_script() -> None:
    assert set(STATED) == {id for id, obligation in OBLIGATIONS.items() if obligation.kind == "smt"}


def written(area: str) -> dict[str, str]:
    """Every script of an area. Of the long lists, whose statements differ little, a few: to write all of them takes a
    minute."""
    sizes, table, cases = list(coverage.lattices()), rows.table(), {case.coarse: case for case in interior.backward()}
    more, kinds = every.table()[::100], {(kind.mode, kind.loose): kind for kind in joined.KINDS[::-1]}
    ties = [row for row in even.table() if row.ell == sizes[-1]][::27]
    tie_kinds = {(kind.mode, kind.loose): kind for kind in even.KINDS[::-1]}
    with pytest.MonkeyPatch.context() as few:
        few.setattr(coverage, "lattices", lambda: iter(sizes[-1:]))
        few.setattr(every, "lattices", lambda: iter(sizes[-1:]))
        few.setattr(rows, "kept", lambda fine: list(islice((row for row in table if row.fine == fine), 0, None, 400)))
        few.setattr(compose, "_rows", lambda fine: [*rows.families(fine)])
        few.setattr(every, "table", lambda: more)
        few.setattr(even, "table", lambda: ties)
        few.setattr(even, "KINDS", tuple(tie_kinds.values()))
        few.setattr(even, "stated_rows", even.stated_rows.__wrapped__)  # the few are not kept for other tests
        few.setattr(joined, "KINDS", tuple(kinds.values()))
        few.setattr(interior, "backward", cases.values)
        few.setattr(budget, "DIGITS", 2)
        few.setattr(stages, "EXPONENTS", stages.EXPONENTS[:3])
        few.setattr(widening, "EXPONENTS", stages.EXPONENTS[:3])
        return {id: obligation_script(id) for id in STATED if id.partition(".")[0] == area}


def complaints(command: list[str], scripts: dict[str, str]) -> list[str]:
    """What a program says of scripts that ask nothing, line by line. It reads one after the other, and says the name of
    each first, unless it only parses."""
    text = "".join(f'(echo "{name}")\n{script}\n(reset)\n' for name, script in scripts.items())
    asked = re.sub(r"^\(check-sat\)$", "", text, flags=re.MULTILINE)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=600, check=False)
    said = (done.stdout + done.stderr).splitlines()
    return ([] if set(said) <= set(scripts) else said) or ([f"status {done.returncode}"] if done.returncode else [])


PROGRAMS = [[str(Z3), "-in"], ["cvc5", "--lang=smt2", "--parse-only"]]
AREAS = ("theorem", "smt", "proofs")  # the first words of ids


def installed() -> list[list[str]]:
    return [command for command in PROGRAMS if shutil.which(command[0])]


def test_the_programs_complain_of_what_is_wrong() -> None:
    right, wrong = (f"(set-logic QF_NRA)(declare-fun x () Real)(assert ({goal} x))" for goal in ("= 1", "power"))
    for command in installed():
        assert complaints(command, {"a": right}) == []
        assert complaints(command, {"a": right, "b": wrong})
        assert complaints(command, {"a": wrong, "b": right})


def test_no_area_is_left_out() -> None:
    assert {id.partition(".")[0] for id in STATED} == set(AREAS)


@pytest.mark.parametrize("area", AREAS)
def test_other_programs_read_the_scripts(area: str) -> None:
    scripts = written(area)
    for command in installed():
        assert complaints(command, scripts) == []
    if missing := [command[0] for command in PROGRAMS if command not in installed()]:
        pytest.skip(f"not installed: {', '.join(missing)}; the others read them")


@pytest.mark.parametrize("id", ["smt.clamp.refusals", "smt.printed.case3.fails"])
def test_a_script_says_what_to_expect(id: str) -> None:
    text = obligation_script(id)
    status = "unsat" if OBLIGATIONS[id].expected == "proved" else "sat"
    assert f"(set-info :status {status})" in text
    assert f"; scope: {OBLIGATIONS[id].scope}" in text
    for answer in ask(text, [], ["z3", "bitwuzla", "cvc5"], 60, lambda answers: False):
        assert answer.verdict == status


def test_an_obligation_of_several_statements_is_one_script() -> None:
    text = obligation_script("smt.clamp.paths")
    assert text.count("(check-sat)") == text.count("(push 1)") == text.count("(pop 1)") == 2
