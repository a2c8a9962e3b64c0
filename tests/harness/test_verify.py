"""`snapref verify`: exit codes, what it prints, JSON and JUnit."""

import json
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from snapref_harness.cli import main, registry
from snapref_harness.cli.output import worst
from tests.harness.conftest import Write

CHECKS = """
@register("a.pass")
def a_pass(run):
    "Something that holds."
    return Outcome("proved", engines={"z3": {"answer": "unsat", "seconds": 0.25}})
@register("a.expected", expected="refuted", claim="C-2")
def a_expected(run): return Outcome("refuted", witness="x = 1")
@register("b.fail")
def b_fail(run):
    "Something that does not hold."
    return Outcome("refuted", "the detail", "x = 0x1p+0\\x00")
@register("b.surprise", expected="refuted")
def b_surprise(run): return Outcome("proved")
@register("c.undecided")
def c_undecided(run): return Outcome("undecided", "the solver gave up")
@register("d.error")
def d_error(run): raise ValueError("broken")
@register("t.thorough", thorough=True)
def t_thorough(run): return Outcome("proved" if run.thorough else "error")
"""

Capture = pytest.CaptureFixture[str]


def schema(name: str) -> Any:
    return json.loads((resources.files("snapref_harness") / "schemas" / f"{name}.schema.json").read_text("utf-8"))


def rows(capsys: Capture, *args: str) -> dict[str, dict[str, Any]]:
    main(["verify", *args, "--json", "-"])
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("verify"))
    return {row["id"]: row for row in document["obligations"]}


@pytest.mark.parametrize(
    ("patterns", "code"),
    [
        (["a.*"], 0),
        (["a.expected"], 0),
        (["b.fail"], 1),
        (["b.surprise"], 1),
        (["c.*"], 3),
        (["d.*"], 2),
        (["a.*", "c.*"], 3),
        (["b.*", "c.*"], 1),
        (["b.*", "c.*", "d.*"], 2),
        (["c.*", "d.*"], 2),
        ([], 2),
    ],
)
def test_exit_codes(write: Write, patterns: list[str], code: int) -> None:
    write(CHECKS)
    for _ in range(2):  # afresh, and with what the cache kept
        assert main(["verify", *patterns, "--jobs", "2"]) == code


def test_two_before_one_before_three() -> None:
    assert [worst(codes) for codes in ([], [0], [0, 3], [3, 1, 0], [3, 1, 2, 0])] == [0, 0, 3, 1, 2]


def test_exitfirst_stops_at_the_first_that_is_not_as_expected(write: Write, capsys: Capture, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    write(
        CHECKS
        + f"""
@register("z.late")
def z_late(run):
    open({str(marker)!r}, "w").close()
    return Outcome("proved")
"""
    )
    assert main(["verify", "a.*", "b.fail", "z.late", "--jobs", "1", "--exitfirst"]) == 1
    out = capsys.readouterr().out
    assert "FAILED b.fail" in out
    assert "2 passed, 1 failed, 0 undecided" in out
    assert "stopped there, with 1 not run" in out
    assert not marker.exists()
    found = rows(capsys, "--jobs", "1", "--exitfirst", "--no-cache")
    assert set(found) == {"a.pass", "a.expected", "b.fail"}
    assert main(["verify", "a.*", "z.late", "--exitfirst"]) == 0
    assert marker.exists()


def test_json(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    found = rows(capsys)
    assert {name: row["status"] for name, row in found.items()} == {
        "a.pass": "proved",
        "a.expected": "refuted",
        "b.fail": "refuted",
        "b.surprise": "proved",
        "c.undecided": "undecided",
        "d.error": "error",
    }
    keys = {"id", "claim", "kind", "expected", "status", "scope", "engines", "solvers", "seconds"}
    assert set(found["a.pass"]) == keys
    assert found["a.pass"]["engines"] == found["a.pass"]["solvers"] == {"z3": {"answer": "unsat", "seconds": 0.25}}
    assert rows(capsys).keys() == found.keys()


def test_json_summary(write: Write, tmp_path: Path) -> None:
    write(CHECKS)
    for cached in (0, 4):
        main(["verify", "--json", str(tmp_path / "out.json")])
        summary = json.loads((tmp_path / "out.json").read_text())["summary"]
        del summary["seconds"]
        assert summary == {"total": 6, "passed": 2, "failed": 2, "undecided": 1, "error": 1, "cached": cached}


def test_lines_and_summary(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    assert main(["verify", "a.*"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == 3
    assert sorted(line.split()[:3] for line in lines[:2]) == [
        ["passed", "a.expected", "C-2"],
        ["passed", "a.pass", "C-1"],
    ]
    assert "(z3 0.2 s)" in out
    assert lines[-1].startswith("2 passed, 0 failed, 0 undecided in ")
    assert err == ""
    main(["verify", "a.*"])
    out = capsys.readouterr().out
    assert out.count("cached") == 2
    assert out.splitlines()[-1].endswith("(2 from the cache)")


def test_what_failed_is_shown_in_full(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["verify"])
    out = capsys.readouterr().out
    for text in (
        "FAILED b.fail",
        "Something that does not hold.",
        "the detail",
        "x = 0x1p+0",
        "proved, got refuted",
        "UNDECIDED c.undecided",
        "the solver gave up",
        "ERROR d.error",
        "ValueError: broken",
        "2 passed, 2 failed, 1 undecided, 1 error in ",
    ):
        assert text in out


def test_quiet_shows_only_what_is_unexpected(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    assert main(["verify", "a.*", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["verify", "a.*", "b.fail", "--quiet"]) == 1
    out = capsys.readouterr().out
    assert "FAILED b.fail" in out
    assert "a.pass" not in out


def test_with_json_on_standard_output_failures_go_to_standard_error(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["verify", "--json", "-"])
    out, err = capsys.readouterr()
    json.loads(out)
    assert "FAILED b.fail" in err


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_lines_fit_the_terminal(write: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    write("for n in range(3): register(f'x.{n}.' + 'long' * 12)(lambda run: Outcome('proved'))")
    main(["verify"])
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= columns for line in lines[:-1])


def test_thorough(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    assert "t.thorough" not in rows(capsys)
    assert rows(capsys, "--thorough")["t.thorough"]["status"] == "proved"
    assert main(["verify", "t.*"]) == 2
    assert "only with --thorough" in capsys.readouterr().err


def test_no_cache(write: Write, capsys: Capture) -> None:
    write(CHECKS)
    main(["verify", "a.*"])
    main(["verify", "a.*", "--no-cache"])
    assert "cached" not in capsys.readouterr().out


def test_options_reach_the_check(write: Write, capsys: Capture) -> None:
    write("@register('x', timeout=99.0)\ndef x(run): return Outcome('proved', engines={'run': repr(run)})")
    assert "timeout=99.0, solvers=('z3'" in rows(capsys)["x"]["solvers"]["run"]
    found = rows(capsys, "--timeout", "0x1.8p+5", "--solver", "cvc5,z3", "--certificates", "--jobs", "1", "--thorough")
    assert found["x"]["solvers"]["run"] == (
        "Run(timeout=48.0, solvers=('z3', 'cvc5'), thorough=True, certificates=True)"
    )


def test_nothing_registered_is_not_a_pass(capsys: Capture, tmp_path: Path) -> None:
    assert main(["verify"]) == 3
    assert "nothing was checked" in capsys.readouterr().err
    assert main(["verify", "--json", str(tmp_path / "out.json")]) == 3
    jsonschema.validate(json.loads((tmp_path / "out.json").read_text()), schema("verify"))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nope.*"], "no obligation matches 'nope.*'"),
        (["a.*", "a.pss"], "did you mean a.pass"),
        (["--jobs", "0"], "--jobs"),
        (["--jobs", "-1"], "--jobs"),
        (["--jobs", "two"], "--jobs"),
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "-5"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--timeout", "inf"], "--timeout"),
        (["--timeout", "soon"], "--timeout"),
        (["--solver", "z4"], "z4"),
        (["--solver", ""], "--solver"),
        (["--solver", "z3,"], "--solver"),
        (["--json", "/nonexistent/out.json"], "/nonexistent"),
        (["--junit", "/"], "directory"),
        (["--json", "-", "--junit", "-"], "both"),
        (["--frobnicate"], "--frobnicate"),
        (["--json"], "--json"),
    ],
)
def test_bad_usage_is_one_line(write: Write, capsys: Capture, args: list[str], said: str) -> None:
    write(CHECKS)
    assert main(["verify", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert err.count("\n") == 1
    assert said in err


def test_a_solver_that_is_not_installed(write: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    write(CHECKS)
    monkeypatch.setattr(registry, "installed_solvers", lambda: ("z3",))
    assert main(["verify", "--solver", "cvc5"]) == 2
    assert "pip install cvc5" in capsys.readouterr().err
    assert registry.default_run().solvers == ("z3",)


def test_junit(write: Write, tmp_path: Path) -> None:
    write(CHECKS)
    file = tmp_path / "junit.xml"
    main(["verify", "--junit", str(file)])
    suite = ElementTree.parse(file).getroot().find("testsuite")
    assert suite is not None
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "6",
        "failures": "2",
        "errors": "2",
    }
    children = {case.get("name"): [child.tag for child in case] for case in suite}
    assert children == {
        "a.pass": [],
        "a.expected": [],
        "b.fail": ["failure"],
        "b.surprise": ["failure"],
        "c.undecided": ["error"],
        "d.error": ["error"],
    }


def test_obligations_come_from_the_named_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "MODULES", ("snapref_absent.obligations", "json.obligations"))
    assert registry.load_obligations() == []
    (tmp_path / "snapref_broken_import.py").write_text("import snapref_not_there")
    monkeypatch.setattr(registry, "MODULES", ("snapref_broken_import",))
    assert main(["verify"]) == 2
    err = capsys.readouterr().err
    assert "internal error: ModuleNotFoundError at snapref_broken_import.py:1" in err
    assert "SNAPREF_DEBUG" in err


def test_a_narrow_terminal_has_status_id_and_time(
    write: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "a.very.long.name.of.an.obligation.that.goes.on"
    write(f"@register('{long}', claim='C-1')\ndef long(run): return Outcome('proved')")
    main(["verify"])
    capsys.readouterr()
    for columns, id in ((72, long), (50, long[:28] + "…")):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["verify"]) == 0
        line = capsys.readouterr().out.splitlines()[0]
        assert line.split() == ["passed", id, "cached"]
        assert len(line) <= columns
