"""A picture as a file of its own: SVG with its style inside, or PNG, for which a browser draws the SVG.

PNG needs no package: Chromium, which many machines have, draws what it would draw in a page.
"""

import re
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path

from markupsafe import Markup

KINDS = (".svg", ".png")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120  # seconds for a browser to draw one picture
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


class PlotError(Exception):
    """The picture cannot be written; the message says why."""


class Picture:
    """A picture for a notebook, which shows it."""

    def __init__(self, picture: Markup) -> None:
        self.text = standalone(picture)

    def _repr_svg_(self) -> str:
        return self.text


def check_kind(target: str) -> None:
    """An error unless pictures of this kind can be written here. Asked before the work."""
    kind = Path(target).suffix.lower()
    if kind not in KINDS:
        raise PlotError(f"--plot {target}: the name of the file must end in {' or '.join(KINDS)}")
    if kind == ".png" and browser() is None:
        raise PlotError(f"--plot {target}: PNG needs Chromium or Chrome, which is not installed; write .svg instead")


def browser() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def save(picture: Markup, target: str) -> None:
    """Writes the picture, as its name says: SVG or PNG."""
    text = standalone(picture)
    if Path(target).suffix.lower() == ".svg":
        Path(target).write_text(text, encoding="utf-8")
    else:
        _draw_with_browser(text, Path(target))


def standalone(picture: Markup) -> str:
    """The SVG as a file: with its namespace, its size, and the part of the page's style that is about pictures."""
    width, height = _size(picture)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
    return str(picture).replace("<svg ", head, 1).replace(">", f"><style>{_style()}</style>", 1) + "\n"


def _size(picture: Markup) -> tuple[int, int]:
    found = SIZE.search(picture)
    assert found is not None, "every drawing has a viewBox"
    return round(float(found.group(1))), round(float(found.group(2)))


def _style() -> str:
    css = (resources.files("snapref_harness.report") / "style.css").read_text(encoding="utf-8")
    colours = css[css.index(":root") : css.index("* {")]
    rules = "\n".join(line for line in css.splitlines() if line.startswith("svg "))
    return f'{colours}{rules}\nsvg {{ background: var(--page); font-family: system-ui, "DejaVu Sans", sans-serif; }}'


def _draw_with_browser(text: str, target: Path) -> None:
    program = browser()
    assert program is not None, "check_kind asked for it"
    width, height = _size(Markup(text))
    with tempfile.TemporaryDirectory() as scratch:
        page, picture = Path(scratch) / "picture.html", Path(scratch) / "picture.png"
        page.write_text(f'<meta charset="utf-8"><body style="margin:0">{text}', encoding="utf-8")
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--force-device-scale-factor=2", f"--window-size={width},{height}", f"--user-data-dir={scratch}/p"]
        try:
            subprocess.run(
                [*command, f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=PATIENCE, check=True
            )
            target.write_bytes(picture.read_bytes())
        except (subprocess.SubprocessError, FileNotFoundError) as error:
            raise PlotError(f"--plot {target}: {program} could not draw it; write .svg instead") from error
