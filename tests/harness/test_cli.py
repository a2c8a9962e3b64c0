"""The command line as a whole: help, version, errors, and being part of a pipe."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from snapref_harness import cli
from snapref_harness.cli import main, registry
from snapref_harness.cli.output import READER_LEFT, Failure, count, print_fields, wrapped
from tests.harness.conftest import HEADER
from tests.harness.test_verify import Capture

VERBS = (
    "snap",
    "verify",
    "claims",
    "loss",
    "figure2",
    "theorem",
    "accuracy",
    "plan",
    "vectors",
    "crosscheck",
    "sweep",
    "export",
    "report",
    "bench",
)


def snapref(*args: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "snapref_harness", *args], env=environment, capture_output=True, text=True, check=False
    )


def test_help_of_every_verb_has_an_example(capsys: Capture) -> None:
    for args in ([], *([verb] for verb in VERBS)):
        assert main([*args, "--help"]) == 0
        out = capsys.readouterr().out
        assert "Example: snapref " + " ".join(args) in out


def test_help_imports_nothing_heavy(environment: dict[str, str]) -> None:
    code = (
        "import sys; from snapref_harness.cli import main; main(['--help']); "
        "sys.exit(any(name in sys.modules for name in ('z3', 'gmpy2', 'rich', 'pydantic', 'snapref')))"
    )
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("snapref ")


@pytest.mark.parametrize("args", [["verfy"], ["--nope"], ["-3.5"], ["verify", "-x"]])
def test_bad_usage_is_one_line(capsys: Capture, args: list[str]) -> None:
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("args", [[], ["plan"]])
def test_alone_it_prints_its_help(capsys: Capture, args: list[str]) -> None:
    assert main(args) == 0
    assert capsys.readouterr().out.startswith(f"Usage: {' '.join(['snapref', *args])} ")


def broken() -> list[object]:
    raise RuntimeError("a secret 4242")


def test_an_internal_error_is_one_line_without_its_message(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load_obligations", broken)
    assert main(["verify"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("snapref: internal error: RuntimeError at test_cli.py:")
    assert "4242" not in err
    assert err.count("\n") == 1
    monkeypatch.setenv("SNAPREF_DEBUG", "1")
    assert main(["verify"]) == 2
    assert "Traceback" in capsys.readouterr().err


def interrupted() -> list[object]:
    raise KeyboardInterrupt


def test_an_interrupt_outside_the_runner_is_undecided(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load_obligations", interrupted)
    assert main(["verify"]) == 3
    assert capsys.readouterr().err == "snapref: interrupted\n"


def test_failures_keep_their_code(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> int:
        raise Failure("two\nlines", 1)

    monkeypatch.setattr(registry, "load_obligations", fails)
    assert main(["verify"]) == 1
    assert capsys.readouterr().err == "snapref: two lines\n"


SNAP = ["snap", "1", "--epsilon", "1", "--bound", "10"]


@pytest.mark.parametrize("args", [["theorem"], ["vectors", "--out", "made"], ["bench"]])
def test_where_the_json_goes_is_asked_before_the_work(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*args, "--json", "nowhere/it.json"]) == 2
    assert capsys.readouterr() == ("", "snapref: the directory nowhere does not exist; create it first\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("args", [["claims"], ["claims", "--json", "-"], SNAP])
def test_a_reader_that_leaves_is_no_traceback(environment: dict[str, str], args: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "snapref_harness", *args]
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.returncode == READER_LEFT
    assert done.stderr == ""


def test_both_readers_gone(environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "snapref_harness", "claims"]
    assert subprocess.run(command, env=environment, stdout=writer, stderr=writer, check=False).returncode == READER_LEFT
    os.close(writer)


def test_snap_can_be_quiet(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "release.json"
    assert main([*SNAP, "--quiet", "--json", str(target)]) == 0
    assert capsys.readouterr() == ("", "")
    assert '"value"' in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", [*(v for v in VERBS if v != "plan"), "plan bound", "plan epsilon"])
def test_every_verb_can_be_quiet(capsys: Capture, verb: str) -> None:
    assert main([*verb.split(), "--help"]) == 0
    assert "--quiet" in capsys.readouterr().out


def test_snap_fits_the_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(SNAP) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert "precision p" in lines
    assert any("53 bits" in line for line in lines)


def test_long_texts_are_wrapped_and_values_are_not_broken(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wrapped("so that x = 0x1.8p-1 holds", 12) == ["so that", "x = 0x1.8p-1", "holds"]
    assert wrapped("0x1.fffffffffffffp-2", 5) == ["0x1.fffffffffffffp-2"]
    assert wrapped("", 5) == [""]
    fields = [("a", "word " * 30 + "end"), ("label", "short")]
    print_fields(fields)
    assert capsys.readouterr().out == f"a      {fields[0][1]}\nlabel  short\n"
    for columns in (20, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        print_fields(fields)
        out = capsys.readouterr().out
        assert all(len(line) <= columns for line in out.splitlines())
        assert out.split() == ["a", *fields[0][1].split(), "label", "short"]


def test_plurals() -> None:
    assert [count(n, "claim") for n in (0, 1, 2)] == ["0 claims", "1 claim", "2 claims"]


def test_as_a_module_and_its_exit_code(environment: dict[str, str]) -> None:
    assert snapref("--version", environment=environment).returncode == 0
    assert snapref("verify", "no-such-obligation", environment=environment).returncode == 2


def test_completion_knows_the_verbs(environment: dict[str, str]) -> None:
    asked = {**environment, "_SNAPREF_COMPLETE": "complete_bash", "COMP_WORDS": "snapref ver", "COMP_CWORD": "1"}
    assert snapref(environment=asked).stdout.split() == ["verify"]


SCRIPT = """
import sys
from snapref_harness.cli import main, registry
if __name__ == "__main__":
    registry.MODULES = ("snapref_fake_terminal",)
    sys.exit(main(sys.argv[1:]))
"""
CHECKS = f"{HEADER}\n@register('x')\ndef x(run): return Outcome('proved')\n"


def on_a_terminal(tmp_path: Path, environment: dict[str, str], *args: str) -> str:
    """What a terminal of 60 columns would show, escape sequences included."""
    (tmp_path / "snapref_fake_terminal.py").write_text(CHECKS)
    (tmp_path / "script.py").write_text(SCRIPT)
    ours, theirs = pty.openpty()
    command = [sys.executable, str(tmp_path / "script.py"), "verify", *args]
    terminal = {**environment, "TERM": "xterm", "COLUMNS": "60"}
    process = subprocess.Popen(command, env=terminal, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:  # Linux's way to say that the other side was closed
            break
        if not chunk:
            break
        shown += chunk
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_colour_and_progress_on_a_terminal(tmp_path: Path, environment: dict[str, str]) -> None:
    environment.pop("NO_COLOR", None)
    shown = on_a_terminal(tmp_path, environment)
    assert "\x1b[32m" in shown
    assert "1/1" in shown
    assert "1 passed, 0 failed, 0 undecided" in shown


def test_no_color_and_quiet(tmp_path: Path, environment: dict[str, str]) -> None:
    assert "\x1b[32m" not in on_a_terminal(tmp_path, {**environment, "NO_COLOR": "1"})
    assert on_a_terminal(tmp_path, environment, "--quiet") == ""


def test_the_app_shows_no_rich_traceback() -> None:
    assert not cli.app.pretty_exceptions_enable
