"""The book as a site: built, opened from a file, searched; a broken link fails the build."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from snapref_harness import book
from tests.docs.blocks import ROOT
from tests.harness.browser import Page, browser, find

pytest.importorskip("furo", reason="Sphinx is not installed: pip install 'snapref[docs]'")


def build(notes: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """As `make docs` does it."""
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(notes), str(target)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("book") / "site"
    done = build(ROOT / "notes", target)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def test_every_page_is_there(site: Path) -> None:
    pages = {path.stem for path in (ROOT / "notes").glob("*.md")} - {"README"} | {"index"}
    assert pages <= {path.stem for path in site.glob("*.html")}
    assert "The mechanism for one set of public parameters" in (site / "api.html").read_text("utf-8")  # a docstring


def test_powers_are_raised_but_not_in_code() -> None:
    html = "<p>B ≤ 2^(p-7) λ, <code>2^53</code>, clamp_B</p>"
    assert book.with_powers(html) == "<p>B ≤ 2<sup>p−7</sup> λ, <code>2^53</code>, clamp<sub>B</sub></p>"


def test_a_broken_link_fails(tmp_path: Path) -> None:
    """One page with three of them: to a page, to a heading, and out of the book."""
    shutil.copy(ROOT / "notes" / "conf.py", tmp_path)
    (tmp_path / "README.md").write_text(
        "# A book\n\n[a](nowhere.md) [b](#no-heading) [c](../no-file.md) [d](#a-book)\n", encoding="utf-8"
    )
    (tmp_path / "claims.toml").write_text("", encoding="utf-8")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert [word in done.stderr for word in ("nowhere.md", "no-heading", "no-file.md", "a-book")] == [True] * 3 + [
        False
    ]


def test_the_contents_of_the_site_are_those_of_the_first_page() -> None:
    first = (ROOT / "notes" / "README.md").read_text("utf-8")
    listed = "".join(book.contents(first))
    for path in (ROOT / "notes").glob("*.md"):
        assert path.stem == "README" or f"\n{path.stem}\n" in listed


@pytest.mark.skipif(find() is None, reason="needs Chromium (Debian: apt-get install chromium)")
def test_it_works_from_a_file(site: Path, tmp_path: Path) -> None:
    with browser(tmp_path / "profile") as page:
        for width, dark in ((1280, False), (390, True)):
            page.open(site / "budget.html", width, dark=dark)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.querySelectorAll('article sup').length") > 0
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == dark
            assert page.evaluate("document.body.dataset.theme") == "auto"  # and there is a button to change it
            outside = [address for address in page.requests() if not address.startswith(("file:", "data:", "blob:"))]
            assert outside == []
        page.open(site / "search.html", 1280)
        page.evaluate("location.search = '?q=sensitivity'")
        results = "document.querySelectorAll('#search-results li').length"
        found = f"new Promise(done => {{ let left = 400; const look = () => {results} || !left-- ? done({results})"
        assert _when_loaded(page, found + " : setTimeout(look, 50); look(); })") > 0


def _when_loaded(page: Page, expression: str) -> int:
    """The page is being loaded anew: an answer that is lost on the way is asked for again."""
    for _ in range(50):
        try:
            if count := page.evaluate(expression):
                return int(count)
        except AssertionError:
            pass
        time.sleep(0.1)
    return 0
