"""A mutant of a proof that proves at least as much is told from one that proves less: on a small proof."""

import json
import sys
from pathlib import Path

import pytest
import z3

from snapref_harness.cli.registry import default_run
from snapref_harness.mutants import campaign
from snapref_harness.mutants.__main__ import main
from snapref_harness.mutants.stronger import compared
from snapref_smt.engine.statement import Family, Statement
from tests.harness.conftest import Write

PROOF = '''"""The proof."""

import z3

from snapref_smt.engine.statement import Statement


def statements():
    x, y, z = z3.Reals("x y z")
    facts = [x > 1, y >= 2, z == 0]
    if len(facts) != 3:
        raise ValueError("a check")
    return [Statement("positive", facts, z3.And(x >= 0, y >= 0), x > 2)]


def shared(x):
    return [x > 5]
'''
CHECKS = """
import z3
from snapref_small import proof
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves

@proves("stronger.states", claim="C-1", scope="a test")
def states(): return proof.statements()

@proves("stronger.shared", claim="C-1", scope="a test")
def shared(): return Statement("shared", proof.shared(z3.Real("x")), z3.Real("x") > 1, z3.Real("x") > 9)

@register("stronger.counts")
def counts(run): return Outcome("proved" if len(proof.shared(z3.Real("x"))) == 1 else "refuted")
"""


@pytest.fixture
def fates(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    package = tmp_path / "lib" / "snapref_small"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "proof.py").write_text(PROOF, encoding="utf-8")
    (tmp_path / "survivors.toml").touch()
    monkeypatch.syspath_prepend(tmp_path / "lib")
    monkeypatch.setattr(campaign, "THEOREM", "lib/snapref_small")
    for name in [name for name in sys.modules if name.startswith("snapref_small")]:
        del sys.modules[name]
    write(CHECKS)
    out = tmp_path / "out.json"
    options = ["--jobs", "1", "--survivors", str(tmp_path / "survivors.toml"), "--json", str(out)]
    for _ in range(2):  # afresh, and with what the cache kept
        assert main(options, tmp_path.resolve(), [package.resolve() / "proof.py"]) == 1
        document = json.loads(out.read_text(encoding="utf-8"))
    assert document["summary"]["stronger"] == 7
    return {row["name"]: row["fate"] for row in document["mutants"]}


def test_fates(fates: dict[str, str]) -> None:
    assert fates["x > 1 → x >= 1"] == "stronger"  # a hypothesis weakened
    assert fates["[x > 1, y >= 2, z == 0] → [x > 1, y >= 2]"] == "error"  # the check notices
    assert fates["2 → 1"] == "stronger"  # y >= 1
    assert fates["x >= 0 → x > 0"] == "stronger"  # a conclusion strengthened
    assert fates["y >= 0 → y > 0"] == "stronger"
    assert fates["y >= 2 → y > 2"] == "survived"  # a hypothesis strengthened
    assert fates["z3.And(x >= 0, y >= 0) → z3.And(x >= 0)"] == "survived"  # a conclusion weakened
    assert fates["len(facts) != 3 → False"] == "survived"  # a check, and no statement
    assert fates["x > 5 → x >= 5"] == "survived"  # another obligation runs it, too, which states nothing


X, Y = z3.Reals("x y")
NEVER = z3.BoolVal(False)


def stronger(original: Statement | Family, mutant: Statement | Family) -> bool:
    return compared([original], [mutant], default_run()).status == "proved"


def test_a_hypothesis_left_out() -> None:
    original = Statement("one", [X > 1, Y > 0], X > 0, NEVER)
    assert stronger(original, Statement("one", [X > 1], X > 0, NEVER))
    assert not stronger(Statement("one", [X > 1], X > 0, NEVER), original)


def test_a_hypothesis_that_follows_from_the_others() -> None:
    original = Statement("one", [X > Y, Y > 1], X > 0, NEVER)
    assert stronger(original, Statement("one", [X > Y, Y > 1, X > 1], X > 0, NEVER))
    assert stronger(original, Statement("one", [X > Y, X > 1], X > 0, NEVER))


def test_other_statements() -> None:
    original = Statement("one", [X > 1, Y > 0], X > 0, NEVER)
    assert not stronger(original, Statement("other", [X > 1], X > 0, NEVER))
    assert compared([original, original], [Statement("one", [X > 1], X > 0, NEVER)], default_run()).status == "refuted"


def test_the_order_of_hypotheses_and_the_twin_are_no_difference() -> None:
    assert not stronger(Statement("one", [X > 1, Y > 0], X > 0, NEVER), Statement("one", [Y > 0, X > 1], X > 0, X > 2))


def test_families() -> None:
    """A case that never occurs (X < 0) may be among the members."""

    def family(common: z3.BoolRef, *own: z3.BoolRef) -> Family:
        return Family("all", [common], [Statement(str(i), [f], Y > 0, NEVER) for i, f in enumerate(own)], cases=True)

    original = family(X > 1, X < 0, X > Y)
    assert stronger(original, family(X >= 1, X < 0, X > Y))
    assert stronger(original, family(X > 1, X < -1, X > Y))
    assert not stronger(original, family(X > 1, X < 0, X > Y + 1))
    assert not stronger(original, family(X >= 1, X < 0))
