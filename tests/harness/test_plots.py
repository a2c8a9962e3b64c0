"""`--plot`: pictures as files, SVG and PNG."""

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from snapref_harness.cli import main
from snapref_harness.report import standalone, svg
from tests.harness.test_verify import Capture

LOSS = "loss --scale 1 --bound 10 --a 3.25 --b 4.25"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(verb: str, target: Path) -> ElementTree.Element:
    assert main([*verb.split(), "--quiet", "--plot", str(target)]) == 0
    return ElementTree.parse(target).getroot()


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        (LOSS, ["the bound, 122 η above ε", "for a", "output x"]),
        (f"{LOSS} --uniform binary64", ["output x"]),
        ("figure2 --scale 0.49 --bound 5 --a 0.75 --b 1.75", ["case", "Figure 2, errors independent"]),
        ("accuracy --epsilon 0.5 --bound 100 --alpha 0.05", ["ε = 0.5: error ≤ 7.81509"]),
        ("plan epsilon --accuracy 10 --alpha 0.05 --bound 1000", ["wanted: 10"]),
    ],
)
def test_a_picture_for_each_verb(verb: str, words: list[str], tmp_path: Path) -> None:
    root = drawn(verb, tmp_path / "picture.svg")
    assert root.tag == f"{SVG}svg"
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert all(word in texts for word in words)
    places = [float(dot.get("cx", "nan")) for dot in root.iter(f"{SVG}circle")]
    assert all(0 <= x <= float(root.get("width", "0")) for x in places)


def test_every_output_is_a_dot_and_of_many_a_part_is_drawn(tmp_path: Path) -> None:
    few = drawn(LOSS, tmp_path / "few.svg")
    assert len(few.findall(f"{SVG}circle")) == 2 * 21 + 21 + 19 + 2  # two are far below ε; two are the legend's
    many = drawn("loss --scale 0.3 --bound 1000 --a 3.25 --b 4.25", tmp_path / "many.svg")
    described = many.findtext(f"{SVG}desc") or ""
    assert "400 of 4001 outputs are drawn" in described


def test_an_infinite_loss_is_a_cross(tmp_path: Path) -> None:
    target = tmp_path / "infinite.svg"
    verb = "loss --scale 1 --bound 64 --a 60 --b 61 --precision 8 --uniform bounded:-20"
    assert main([*verb.split(), "--quiet", "--plot", str(target)]) == 1
    assert "red stroke thick" in target.read_text("utf-8")


@pytest.mark.skipif(standalone.browser() is None, reason="Chromium is not installed")
def test_png(tmp_path: Path) -> None:
    target = tmp_path / "picture.png"
    assert main([*LOSS.split(), "--quiet", "--plot", str(target)]) == 0
    data = target.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1440, 1240)  # two pixels for each unit of the drawing


def test_what_cannot_be_drawn_is_said_before_the_work(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standalone, "browser", lambda: None)
    for name, complaint in (
        ("x.pdf", "must end in .svg or .png"),
        ("x.png", "PNG needs Chromium or Chrome"),
        ("nowhere/x.svg", "does not exist"),
    ):
        assert main([*LOSS.split(), "--plot", str(tmp_path / name)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert complaint in err
    many = ["figure2", "--scale", "1", "--bound", "1000", "--a", "1", "--b", "2", "--plot", str(tmp_path / "x.svg")]
    assert main(many) == 2
    assert "--plot draws up to 200 outputs" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_browser_that_fails(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standalone, "browser", lambda: "false")
    assert main([*LOSS.split(), "--plot", str(tmp_path / "x.png")]) == 2
    assert "false could not draw it; write .svg instead" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_disk_that_is_full(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "x.svg").symlink_to("/dev/full")
    assert main([*LOSS.split(), "--plot", str(tmp_path / "x.svg")]) == 2
    assert "No space left on device" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("low", "high", "numbers"), [(0, 1.15, [0, 0.5, 1]), (-10, 10, [-10, -5, 0, 5, 10]), (0, 131, [0, 50, 100])]
)
def test_round_numbers(low: float, high: float, numbers: list[float]) -> None:
    assert svg.round_numbers(low, high, 5) == pytest.approx(numbers)
