"""Where output goes: encodings, closed streams, full disks. Nothing is an internal error, and no release is lost."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from snapref import Mechanism, Release, SeededSource, Source
from snapref_harness.cli import main, streams
from snapref_harness.cli.output import READER_LEFT
from tests.harness.test_verify import Capture

FULL = Path("/dev/full")  # a device on which every write finds the disk full
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
SNAP = "snap 3 --epsilon 1 --bound 10"
# The verbs that are quick. `theorem` and the others print through the same functions.
VERBS = (
    SNAP,
    f"{SNAP} --json -",
    "loss --scale 1 --bound 10 --a 3.25 --b 4.25",
    "loss --scale 1 --bound 10 --a 3.25 --b 4.25 --json -",
    "figure2 --scale 1 --bound 10 --a 3.25 --b 4.25 --case B",
    "accuracy --epsilon 0.5 --bound 100 --alpha 0.05 --value 95",
    "plan epsilon --accuracy 10 --alpha 0.05 --bound 1000",
    "claims",
    "claims N-4.1",
    "--help",
    "plan --help",
    "theorem --help",
)


@pytest.fixture
def run(environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs `snapref` in a shell, so that redirections are those that people write."""

    def run(line: str, **extra: str) -> subprocess.CompletedProcess[bytes]:
        command = f'"$PYTHON" -m snapref_harness {line}'
        env = {**environment, "PYTHON": sys.executable, **extra}
        return subprocess.run(["sh", "-c", command], env=env, capture_output=True, check=False)

    return run


Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize("verb", VERBS)
def test_what_cannot_be_encoded_is_written_in_ascii(run: Run, verb: str) -> None:
    done = run(verb, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    if "--json" in verb:
        json.loads(text)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_release_arrives_in_every_encoding(run: Run, encoding: str, tmp_path: Path) -> None:
    target = tmp_path / "release.json"
    done = run(f"{SNAP} --json '{target}'", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    lines = done.stdout.decode(encoding).splitlines()
    found = json.loads(target.read_text("utf-8"))
    value = f"{found['decimal']['value']} ({found['value']})"
    assert lines[-1].split(maxsplit=1) == ["released", value]
    assert any("eps" in line and "<=" in line and "lambda" in line for line in lines)
    assert "≤" in found["certificate"]["basis"]  # files are UTF-8 whatever the terminal is


def test_signs_letters_and_the_rest_in_ascii() -> None:
    text = "ε ≤ ½·Δ/λ ± η² ⊕ Λ⁻¹, ⌊r̄⌋ ∈ ℝ, é, 日, \udc80"
    spelled = "eps <= 1/2*Delta/lambda +- eta^2 (+) Lambda^-^1, floor(r_bar) in R, e, \\u65e5, \\udc80"
    assert text.encode("ascii", "snapref").decode() == spelled
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", "snapref")


@needs_full
@pytest.mark.parametrize("verb", VERBS)
def test_a_full_disk_is_one_line(run: Run, verb: str) -> None:
    done = run(f"{verb} > {FULL}")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "snapref: standard output cannot be written: No space left on device\n"


@pytest.mark.parametrize("verb", VERBS)
def test_a_closed_output_is_refused_before_the_work(run: Run, verb: str) -> None:
    done = run(f"{verb} >&-")
    assert done.returncode == 2
    assert done.stderr.decode().startswith("snapref: standard output is closed")


def test_a_closed_stream_that_is_not_needed_is_no_matter(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "release.json"
    assert run(f"{SNAP} --quiet --json '{target}' <&- >&- 2>&-").returncode == 0
    assert "value" in json.loads(target.read_text("utf-8"))  # and nothing else got into the file
    assert run(f"{SNAP} 2>&-").returncode == 0
    assert run("snap nonsense --epsilon 1 --bound 10 2>&-").returncode == 2
    assert run("snap - --epsilon 1 --bound 10 <&-").stderr == b"snapref: VALUE is - but standard input is closed\n"
    given = _file(tmp_path, b"\xff\xfe3")
    done = run(f"snap - --epsilon 1 --bound 10 < '{given}'", PYTHONIOENCODING="utf-8")
    assert done.stderr == b"snapref: VALUE is not a number: standard input is not text\n"


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "input"
    path.write_bytes(content)
    return path


def test_help_to_a_reader_that_left(environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "snapref_harness", "--help"]
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (READER_LEFT, b"")


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How often the system's randomness was drawn from."""
    drawn: list[float] = []
    release = Mechanism.release

    def counted(self: Mechanism, value: float, source: Source | None = None) -> Release:
        if source is None:
            drawn.append(1)
        return release(self, value, SeededSource(7) if source is None else source)

    monkeypatch.setattr(Mechanism, "release", counted)
    return drawn


@needs_full
@pytest.mark.parametrize("extra", [["--json", str(FULL)], ["--quiet", "--json", str(FULL)]])
def test_a_file_that_is_full_shows_before_anything_is_drawn(
    capsys: Capture, draws: list[float], extra: list[str]
) -> None:
    assert main([*SNAP.split(), *extra]) == 2
    assert capsys.readouterr() == ("", f"snapref: {FULL} cannot be written: No space left on device\n")
    assert draws == []


def test_a_refused_value_leaves_the_file_as_it_was(capsys: Capture, draws: list[float], tmp_path: Path) -> None:
    target = _file(tmp_path, b"an earlier release")
    assert main(["snap", "nan", "--epsilon", "1", "--bound", "10", "--json", str(target)]) == 2
    assert main(["snap", "0.1", "--epsilon", "1", "--bound", "10", "--precision", "20", "--json", str(target)]) == 2
    assert target.read_bytes() == b"an earlier release"
    assert draws == []


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), BrokenPipeError(), KeyboardInterrupt()])
def test_output_that_fails_after_the_draw_says_what_was_released_and_spent(
    capsys: Capture, draws: list[float], monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    settled: list[object] = []

    def fails_after_the_draw(stream: object) -> None:
        settled.append(stream)
        if draws:
            raise error

    monkeypatch.setattr("snapref_harness.cli.snap.settle", fails_after_the_draw)
    monkeypatch.setattr(streams, "abandon", lambda stream: None)
    code = main(SNAP.split())
    assert len(settled) == 2
    assert code == (READER_LEFT if isinstance(error, BrokenPipeError) else 2)
    message = capsys.readouterr().err
    assert message.startswith("snapref: released ")
    assert "ε = 1.0 (0x1p+0) is spent, but the result was not written" in message
    assert message.count("\n") == 1


def test_quiet_prints_the_value_alone(capsys: Capture, draws: list[float]) -> None:
    assert main([*SNAP.split(), "--quiet"]) == 0
    out = capsys.readouterr().out
    assert main(SNAP.split()) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[1] == out.strip()
    assert main([*SNAP.split(), "--precision", "118", "--bound", "10.125", "--quiet"]) == 0
    assert abs(float(capsys.readouterr().out)) <= 10.125


def test_errors_that_are_not_of_the_output_are_named() -> None:
    assert "x.json cannot be read or written" in str(streams.explained(OSError(13, "Permission denied", "x.json")))
    assert str(streams.explained(OSError(11, "Try again"))) == "input or output failed: Try again"
