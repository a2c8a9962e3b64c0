"""The dossier in a real browser: opened from disk, filtered, unfolded, on a desktop, on a telephone, in the dark."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from snapref_harness.cli import main
from snapref_harness.report import page as dossier
from tests.harness.browser import Page, browser, find
from tests.harness.test_report import FIXED, entries
from tests.harness.test_report_figures import figures

pytestmark = pytest.mark.skipif(find() is None, reason="needs Chromium (Debian: apt-get install chromium)")
SHOWN = "[...document.querySelectorAll('.claim')].filter(c => c.checkVisibility()).map(c => c.id).join(' ')"
DESKTOP, PHONE = 1280, 390


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dossier") / "dossier.html"
    path.write_text(dossier.render(entries(), figures(), FIXED), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for all; each test opens the file anew."""
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def choose(page: Page, name: str, value: str) -> str:
    """Sets a field of the filter as a person would, and says which claims are left."""
    page.evaluate(
        f"(() => {{ const field = document.querySelector('#filter [name={name}]'); field.value = {value!r};"
        "field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    return str(page.evaluate(SHOWN))


def test_filters_and_unfolds_without_a_complaint_or_a_request(page: Page, file: Path) -> None:
    page.open(file, DESKTOP)
    everything = page.evaluate(SHOWN)
    assert everything == "claim-C-true claim-C-cond claim-C-false claim-C-open claim-C-answer"
    assert choose(page, "document", "002") == "claim-C-true"
    assert page.evaluate("document.getElementById('shown').textContent") == "1 of 5 claims"
    assert choose(page, "document", "") == everything
    assert choose(page, "verdict", "open") == "claim-C-open claim-C-answer"
    assert choose(page, "evidence", "exact") == "claim-C-open claim-C-answer"
    assert choose(page, "text", "KNOWS c.open") == "claim-C-open"
    assert choose(page, "text", "nothing of the kind") == ""
    assert page.evaluate("document.getElementById('none').checkVisibility()")
    page.evaluate("document.querySelector('#filter [type=reset]').click()")
    assert page.evaluate(f"new Promise(done => setTimeout(() => done({SHOWN})))") == everything

    page.evaluate("document.querySelector('a[data-verdict=false]').click()")
    assert page.evaluate(SHOWN) == "claim-C-false"
    witness = "document.querySelector('#claim-C-false pre').checkVisibility()"
    assert not page.evaluate(witness)
    page.evaluate("document.querySelector('#claim-C-false > summary').click()")
    assert page.evaluate(witness)
    page.evaluate("document.getElementById('fold').click()")
    assert not page.evaluate(witness)
    page.evaluate("document.getElementById('unfold').click()")
    assert page.evaluate(witness)

    # A link to a claim that the filter hides brings it back, unfolded.
    page.evaluate("new Promise(done => { onhashchange = () => setTimeout(done); location.hash = '#claim-C-cond'; })")
    assert page.evaluate("document.getElementById('claim-C-cond').open")
    assert page.evaluate(SHOWN) == everything

    assert page.complaints() == []
    assert {address.partition(":")[0] for address in page.requests()} == {"file"}


def test_the_keyboard_is_enough(page: Page, file: Path) -> None:
    page.open(file, DESKTOP)
    page.key("Tab", 9)
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.evaluate("document.querySelector('#claim-C-true > summary').focus()")
    page.key("Enter", 13)
    assert page.evaluate("document.getElementById('claim-C-true').open")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_it_fits_the_window(page: Page, file: Path, width: int, dark: bool) -> None:
    page.open(file, width, dark=dark)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    pictures = "[...document.querySelectorAll('.picture')].filter(p => p.checkVisibility())"
    shape = "narrow" if width == PHONE else "wide"
    assert page.evaluate(f"{pictures}.length === document.querySelectorAll('figure').length")
    assert page.evaluate(f"{pictures}.every(p => p.classList.contains('{shape}'))")
    smallest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.picture text')].filter(t => t.checkVisibility())"
        ".map(t => parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getScreenCTM().a))"
    )
    assert smallest >= 11  # pixels
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(20, 24, 29)" if dark else "rgb(255, 255, 255)")
    assert page.complaints() == []
    shot = file.with_name(f"{width}-{'dark' if dark else 'light'}.png")
    page.screenshot(shot)
    assert shot.read_bytes().startswith(b"\x89PNG")


def test_no_words_of_a_picture_leave_it(page: Page, file: Path) -> None:
    for width in (DESKTOP, PHONE):
        page.open(file, width)
        outside = page.evaluate(
            "[...document.querySelectorAll('.picture text')].filter(t => t.checkVisibility()).filter(t => {"
            " const word = t.getBoundingClientRect(), frame = t.ownerSVGElement.getBoundingClientRect();"
            " return word.left < frame.left - 1 || word.right > frame.right + 1; }).map(t => t.textContent).join('; ')"
        )
        assert outside == ""


def test_the_words_of_a_lemma_stay_in_its_box_and_apart(page: Page, file: Path) -> None:
    for width in (DESKTOP, PHONE):
        page.open(file, width)
        wrong = page.evaluate(
            "[...document.querySelectorAll('#lemmas .picture g')].filter(g => g.checkVisibility()).filter(g => {"
            " const box = g.querySelector('rect').getBoundingClientRect();"
            " const words = [...g.querySelectorAll('text')].map(t => t.getBoundingClientRect());"
            " return words.some(w => w.left < box.left + 1 || w.right > box.right - 1) ||"
            " words.slice(1).some((w, i) => i > 0 && w.left < words[i].right); }).map(g => g.textContent).join('; ')"
        )
        assert wrong == ""


def test_on_paper_the_claims_are_a_list_and_what_is_unfolded_is_printed(page: Page, file: Path) -> None:
    page.open(file, DESKTOP)
    page.evaluate("document.getElementById('claim-C-false').open = true")
    page.emulate("print")
    visible = "[...document.querySelectorAll({})].map(e => e.checkVisibility({{contentVisibilityAuto: true}}))"
    assert page.evaluate(visible.format("'.claim .statement'")) == 5 * [True]
    assert page.evaluate(visible.format("'#claim-C-false pre'")) == [True]
    assert page.evaluate(visible.format("'#claim-C-true .body'")) == [False]
    assert not any(page.evaluate(visible.format("'nav, form, .data, #play'")))
    assert len(page.command("Page.printToPDF")["data"]) > 1000


@pytest.mark.parametrize(
    ("sliders", "given"),
    [
        ({"epsilon": 0, "bound": 10, "sensitivity": 1, "a": 0.3, "gap": 1}, (1, 10, 1, 3, 4)),
        ({"epsilon": -1, "bound": 21, "sensitivity": 1, "a": -1, "gap": 0.5}, (0.5, 21, 1, -21, -20.5)),
        ({"epsilon": 1, "bound": 7, "sensitivity": 0.5, "a": 1, "gap": 1}, (2, 7, 0.5, 7, 7)),
        ({"epsilon": 1, "bound": 3, "sensitivity": 4, "a": 0, "gap": 0.5}, (2, 3, 4, 0, 2)),
    ],
)
def test_the_picture_to_play_with_shows_what_snapref_loss_computes(
    page: Page, file: Path, tmp_path: Path, sliders: dict[str, float], given: tuple[float, ...]
) -> None:
    page.open(file, DESKTOP)
    for name, value in sliders.items():
        page.evaluate(f"document.querySelector('#play-form [name={name}]').value = {value}")
    page.evaluate("document.getElementById('play-form').dispatchEvent(new Event('input', {bubbles: true}))")
    epsilon, bound, sensitivity, a, b = given
    chosen = page.evaluate("chosen()")
    assert [chosen[name] for name in ("epsilon", "bound", "sensitivity", "a", "b")] == pytest.approx(list(given))
    target = tmp_path / "loss.json"
    numbers = {"scale": sensitivity / epsilon, "bound": bound, "a": a, "b": b, "sensitivity": sensitivity}
    options = [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
    assert main(["loss", *options, "--json", str(target), "--quiet"]) == 0
    exact = json.loads(target.read_text("utf-8"))["outputs"]
    shown = page.evaluate(f"outputs({json.dumps(dict(zip(chosen, given, strict=True)))}).rows")
    assert [row["x"] for row in shown] == [float.fromhex(row["x"]) for row in exact]
    for mine, theirs in zip(shown, exact, strict=True):
        assert mine["p"] == pytest.approx(float(Fraction(theirs["probability_a"])), rel=1e-9)
        assert mine["q"] == pytest.approx(float(Fraction(theirs["probability_b"])), rel=1e-9)
        assert mine["loss"] == pytest.approx(float(theirs["loss"]), rel=1e-9, abs=1e-12)
    assert page.evaluate("document.querySelectorAll('#play-picture circle').length") == len(exact)
    assert page.complaints() == []


def test_parameters_without_a_release_are_said(page: Page, file: Path) -> None:
    page.open(file, PHONE)
    page.evaluate("document.querySelector('#play-form [name=epsilon]').value = -4")
    page.evaluate("document.querySelector('#play-form [name=bound]').value = 1")
    page.evaluate("document.getElementById('play-form').dispatchEvent(new Event('input', {bubbles: true}))")
    assert "no release is made like this" in page.evaluate("document.getElementById('play-says').textContent")
    assert page.evaluate("document.querySelectorAll('#play-picture circle').length") == 0
