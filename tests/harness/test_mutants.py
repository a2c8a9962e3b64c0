"""Mutants are put before obligations, and what becomes of each is said: on a small program, and on the exact stages."""

import json
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from snapref_harness.cli.registry import default_run
from snapref_harness.mutants import equivalence, quick
from snapref_harness.mutants.__main__ import ROOT, main
from snapref_harness.mutants.source import Mutant, mutants_of
from snapref_harness.mutants.summary import Verdict
from snapref_ledger.obligations import REGISTRY, Obligation
from tests.harness.conftest import Write

CODE = '''"""The program."""


def larger(x, y):
    """The larger of two numbers."""
    if x > y:
        return x
    return y


def unused(x):
    return x + 1
'''
CHECKS = """
from snapref_small.code import larger
@register("t.left")
def left(run): return Outcome("proved" if larger(2, 1) == 2 else "refuted")
@register("t.right")
def right(run): return Outcome("proved" if larger(1, 2) == 2 else "refuted")
"""
SURVIVORS = """
[[entry]]
file = "lib/snapref_small/code.py"
function = "larger"
reason = "equal numbers are both the larger one"
mutants = ["x > y → x >= y"]

[[entry]]
file = "lib/snapref_small/code.py"
function = "unused"
reason = "nobody calls it"
every = true
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "lib" / "snapref_small"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "code.py").write_text(CODE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    forget()
    write(CHECKS)
    return tmp_path.resolve()


def forget() -> None:
    """Lets the program be imported anew: each test has its own."""
    for name in [name for name in sys.modules if name.startswith("snapref_small")]:
        del sys.modules[name]


def run(project: Path, survivors: str, *arguments: str) -> int:
    (project / "survivors.toml").write_text(survivors, encoding="utf-8")
    options = ["--jobs", "1", "--survivors", str(project / "survivors.toml"), *arguments]
    return main(options, project, [project / "lib" / "snapref_small" / "code.py"])


def test_what_survives_must_be_listed(project: Path, capsys: Capture) -> None:
    for _ in range(2):  # afresh, and with what the cache kept
        assert run(project, SURVIVORS, "--json", str(project / "out.json"), "--verbose") == 0
        document = json.loads((project / "out.json").read_text(encoding="utf-8"))
        schema = (resources.files("snapref_harness") / "schemas" / "mutants.schema.json").read_text("utf-8")
        jsonschema.validate(document, json.loads(schema))
        fates = {(row["function"], row["name"]): (row["fate"], row["by"]) for row in document["mutants"]}
        assert fates["larger", "x > y → True"] == ("refuted", "t.right")
        assert fates["larger", "x > y → False"] == ("refuted", "t.left")
        assert fates["larger", "x > y → x >= y"] == ("listed", "")
        assert fates["unused", "1 → 0"] == ("listed", "")
        assert document["summary"]["survived"] == 0
    assert "refuted    lib/snapref_small/code.py:6 larger: x > y → True   (t.right)" in capsys.readouterr().out


def test_one_that_is_not_listed(project: Path, capsys: Capture) -> None:
    assert run(project, SURVIVORS.partition("\n[[entry]]\nfile")[0]) == 1
    out = capsys.readouterr().out
    assert "survived   lib/snapref_small/code.py:6 larger: x > y → x >= y" in out
    assert "survived   lib/snapref_small/code.py:12 unused: x + 1 → x" in out


def test_one_that_is_listed_and_killed(project: Path, capsys: Capture) -> None:
    """It is only tried if somebody asks for it."""
    more = SURVIVORS.replace('["x > y → x >= y"]', '["x > y → x >= y", "x > y → True"]')
    assert run(project, more, "--verbose") == 0
    assert "listed     lib/snapref_small/code.py:6 larger: x > y → True" not in capsys.readouterr().out
    assert run(project, more, "--listed") == 1
    assert "x > y → True does not survive any more" in capsys.readouterr().out


def test_one_that_is_listed_and_no_mutant(project: Path, capsys: Capture) -> None:
    assert run(project, SURVIVORS.replace("x >= y", "x > z")) == 1
    assert "x > y → x > z does not survive any more" in capsys.readouterr().out


def test_an_error_is_counted_apart(project: Path, capsys: Capture) -> None:
    code = CODE.replace("    return y\n", "    return max(y, 0)\n")
    (project / "lib" / "snapref_small" / "code.py").write_text(code, encoding="utf-8")
    run(project, SURVIVORS, "--verbose")
    assert "error      lib/snapref_small/code.py:8 larger: max(y, 0) → max(y)   (t.right)" in capsys.readouterr().out


def test_an_obligation_that_the_mutant_does_not_have(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """It kills nothing: `snapref verify` would not miss it. What the mutant has in its place can."""
    (project / "lib" / "snapref_small" / "code.py").write_text(
        f"{CODE}\n\nCONSTANT = 12\nOTHER = 7\n", encoding="utf-8"
    )
    forget()
    write(
        """
from snapref_small import code
@register(f"u.{code.CONSTANT}")
def numbered(run): return Outcome("refuted" if code.CONSTANT == 11 else "proved")
@register(f"u.other.{code.OTHER}")
def other(run): return Outcome("proved")
"""
    )
    monkeypatch.setattr("snapref_harness.cli.registry.MODULES", (registered()[-1].module,))
    run(project, SURVIVORS, "--verbose")
    out = capsys.readouterr().out
    assert "refuted    lib/snapref_small/code.py:15 (top level): 12 → 11   (u.11)" in out
    assert "survived   lib/snapref_small/code.py:16 (top level): 7 → 6" in out


def registered() -> list[Obligation]:
    return list(REGISTRY.values())


def test_an_obligation_that_looks_at_the_code(project: Path, write: Write, capsys: Capture) -> None:
    """It would notice that blocks are counted, so it is asked about every mutant."""
    write(
        """
from snapref_small.code import unused
@register("v.names")
def names(run):
    same = unused.__code__.co_names == () and unused.__code__.co_consts == (None, 1)
    return Outcome("proved" if same else "refuted")
"""
    )
    run(project, SURVIVORS.partition("\n[[entry]]\nfile")[0], "--verbose")
    assert "refuted    lib/snapref_small/code.py:12 unused: 1 → 0   (v.names)" in capsys.readouterr().out


def test_a_quick_look(project: Path, capsys: Capture) -> None:
    """Only the obligation that is named is asked."""
    for by, code, fate in (("t.right", 0, "refuted"), ("t.left", 1, "survived")):
        selection = {"lib/snapref_small/code.py larger x > y → True": by, "lib/snapref_small/code.py larger gone": by}
        (project / "quick.json").write_text(json.dumps(selection), encoding="utf-8")
        assert run(project, SURVIVORS, "--quick", "--selection", str(project / "quick.json")) == code
        assert f"1 mutants: 1 {fate}" in capsys.readouterr().out


def test_what_the_quick_look_takes(tmp_path: Path) -> None:
    """What died soon, a few of each file; of files that were not mutated now, what was there."""
    file = "reference/snapref/clamp.py"
    mutants = mutants_of(file, (ROOT / file).read_text(encoding="utf-8"))[:8]
    slow, kept = Verdict(mutants[0], "refuted", "t.slow", "", 60.0), {"elsewhere.py f 1 → 0": "t.other"}
    (tmp_path / "quick.json").write_text(json.dumps(kept), encoding="utf-8")
    soon = [Verdict(mutant, "refuted", "t.soon", "", 1.0) for mutant in mutants[1:]]
    quick.write([slow, *soon, Verdict(mutants[0], "survived")], tmp_path / "quick.json")
    chosen = quick.read(tmp_path / "quick.json")
    assert chosen["elsewhere.py f 1 → 0"] == "t.other"
    assert list(chosen.values()).count("t.soon") == quick.OF_EACH_FILE
    assert "t.slow" not in chosen.values()


def test_what_takes_long_is_put_off(project: Path, capsys: Capture) -> None:
    assert run(project, SURVIVORS, "--patience", "0", "--verbose") == 3
    assert "open       lib/snapref_small/code.py:6 larger: x > y → True" in capsys.readouterr().out
    assert run(project, SURVIVORS) == 0


def test_only_some_obligations(project: Path, capsys: Capture) -> None:
    assert run(project, SURVIVORS, "--ask", "t.left") == 1
    assert "survived   lib/snapref_small/code.py:6 larger: x > y → True" in capsys.readouterr().out


def test_obligations_must_pass_before_anything_is_changed(project: Path, write: Write, capsys: Capture) -> None:
    write('@register("t.wrong")\ndef wrong(run): return Outcome("refuted")\n')
    assert run(project, SURVIVORS) == 2
    assert "before anything is changed, t.wrong: refuted" in capsys.readouterr().err


def test_a_list_that_cannot_be_read(project: Path, capsys: Capture) -> None:
    for text, complaint in (("nobody calls it", "needs a reason"), ("every", "cannot be read")):
        assert run(project, SURVIVORS.replace(text, "")) == 2
        assert complaint in capsys.readouterr().err


def test_no_such_file(project: Path, capsys: Capture) -> None:
    assert run(project, SURVIVORS, "elsewhere") == 2
    assert "no file that is mutated matches elsewhere" in capsys.readouterr().err


def of_clamp(name: str) -> Mutant:
    file = "reference/snapref/clamp.py"
    return next(m for m in mutants_of(file, (ROOT / file).read_text(encoding="utf-8")) if m.name == name)


def test_equivalent_by_two_solvers() -> None:
    assert equivalence.equivalent(of_clamp("magnitude <= limit → magnitude < limit"), ROOT, default_run())


def test_not_equivalent() -> None:
    assert not equivalence.equivalent(of_clamp("magnitude <= limit → True"), ROOT, default_run())
