"""`snapref report`: what the page says, that it says it safely and alone, and the verb around it."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import gmpy2
import jsonschema
import pytest

from snapref_harness.bench.machine import machine
from snapref_harness.cli import main
from snapref_harness.report import evidence, page, provenance
from snapref_harness.report.figure import Figure, Table
from snapref_harness.report.figures import field, lemma_graph, production, staircase
from snapref_harness.report.maths import formula
from snapref_ledger import claims as claims_module
from snapref_ledger.claims import Claim
from snapref_ledger.ledger import Entry, Piece
from snapref_ledger.obligations import Expected, Obligation, Outcome, Part, Run
from snapref_ledger.runner import Result
from snapref_ledger.verdicts import Evidence, judge
from snapref_proofs.theorem1.compose import CASES, LEMMAS
from tests.harness.conftest import Write
from tests.harness.test_claims import CHECKS, LEDGER
from tests.harness.test_verify import Capture, schema

NASTY = """<script>alert("1")</script> & 'quotes' </style></details>"""
FIXED = provenance.Provenance("0.0", "0123456789abcdef", "2000-01-01 00:00 UTC", "a machine", (("z3-solver", "1"),))


def nothing(run: Run) -> Outcome:
    """What it checks."""
    raise AssertionError("a report runs nothing")


def piece(
    id: str,
    claim: str,
    outcome: Outcome | None,
    *,
    expected: Expected = "proved",
    part: Part = "printed",
    thorough: bool = False,
) -> Piece:
    obligation = Obligation(id, claim, "exact", NASTY, nothing, expected, part, thorough=thorough)
    return Piece(obligation, Result(obligation, outcome, 1.5, cached=True) if outcome else None)


def entry(claim: Claim, *pieces: Piece) -> Entry:
    """As the ledger makes it: what only --thorough runs may be absent."""
    found = [
        Evidence(p.obligation, p.result.outcome if p.result else Outcome("undecided"))
        for p in pieces
        if p.result or not p.obligation.thorough
    ]
    return Entry(claim, judge(claim, found), pieces)


def entries() -> list[Entry]:
    """One of each verdict, with text that would break a page that does not escape it."""
    engines = {"z3": {"answer": "unsat", "seconds": 0.5}, "arb": "agrees"}
    proved, refuted = Outcome("proved", NASTY, "", engines), Outcome("refuted", "", NASTY)
    return [
        entry(Claim("C-true", "001, 002", NASTY, NASTY, NASTY), piece("c.true", "C-true", proved)),
        entry(
            Claim("C-cond", "001", "§2", "It holds if.", condition=NASTY),
            piece("c.cond.printed", "C-cond", refuted, expected="refuted"),
            piece("c.cond.inside", "C-cond", proved, part="conditional"),
        ),
        entry(
            Claim("C-false", "003", "§3", "It does not hold.", corrected=NASTY),
            piece("c.false.printed", "C-false", refuted, expected="refuted"),
            piece("c.false.corrected", "C-false", proved, part="corrected"),
            piece("c.false.big", "C-false", None, thorough=True),
        ),
        entry(Claim("C-open", "004", "§4", "Who knows?", missing=NASTY), piece("c.open", "C-open", None)),
        entry(Claim("C-answer", "004", "§5", "Asked.", completion=True), piece("c.answer", "C-answer", None)),
    ]


def tiny(id: str = "tiny") -> Figure:
    found = staircase.figure()
    return replace(found, id=id, caption=NASTY, table=Table((NASTY, "n"), [("a,b", '"1"')]))


def render(found: Sequence[Entry], figures: Sequence[Figure] = (), checkout: str | None = None) -> str:
    return page.render(found, figures, FIXED, checkout)


class Outline(HTMLParser):
    """What a test asks about a page: its elements with their attributes, and whether they nest."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.stack: list[str] = []
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def of_claim(text: str, id: str) -> str:
    """The part of the page about one claim."""
    return text[text.index(f'id="claim-{id}"') :].partition('<details class="claim"')[0]


def test_the_page_is_well_formed_and_escapes_everything() -> None:
    text = render(entries(), [tiny()])
    assert NASTY not in text
    assert text.count("<script>") == 1
    assert "&lt;script&gt;alert(&#34;1&#34;)" in text
    outline = Outline(text)
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [str(a["href"]) for a in outline.all("a")]
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)


def test_the_page_needs_nothing_from_outside() -> None:
    outline = Outline(render(entries(), [tiny()]))
    for _, attributes in outline.elements:
        for name in ("src", "href", "action", "srcset", "data"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
    policy = next(m for m in outline.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert str(policy["content"]).startswith("default-src 'none';")
    style = (resources.files("snapref_harness.report") / "style.css").read_text(encoding="utf-8")
    assert "url(" not in style
    assert "@import" not in style


def test_a_screen_reader_finds_its_way() -> None:
    outline = Outline(render(entries(), [tiny()]))
    assert outline.all("html") == [{"lang": "en"}]
    for name in ("main", "header", "nav", "h1"):
        assert len(outline.all(name)) == 1
    assert outline.all("a")[0]["class"] == "skip"
    assert all("scope" in attributes for attributes in outline.all("th"))
    pictures = [a for a in outline.all("svg") if a.get("role") == "img"]
    assert pictures
    ids = {attributes.get("id") for _, attributes in outline.elements}
    for attributes in pictures:
        assert set(str(attributes["aria-labelledby"]).split()) <= ids
    assert all(a.get("role") == "img" or a.get("aria-hidden") == "true" for a in outline.all("svg"))
    fields = [tag for tag, _ in outline.elements if tag in ("input", "select")]
    assert fields == [*5 * ["input"], "input", "select", "select", "select"]  # the sliders, and the filter
    assert len(outline.all("label")) == len(fields)


def test_what_was_not_run_is_never_a_pass() -> None:
    found = entries()
    text = render(found)
    summary = evidence.summarise(found)
    assert summary.verdicts == {"true": 1, "conditional": 1, "false": 1, "open": 2}
    assert summary.states == {"passed": 5, "failed": 0, "not run": 2, "thorough only": 1}
    assert summary.open_for_lack_of_a_run == 2
    assert not summary.as_expected
    assert "5 of 7 obligations were run and came out as expected; the others have <strong>no result</strong>" in text
    part = of_claim(text, "C-open")
    assert "<strong>not run</strong>" in part
    assert "✓" not in part
    assert "Open for now: 1 of 1 obligations" in part
    assert "<strong>thorough only</strong>" in of_claim(text, "C-false")


def test_an_obligation_of_two_claims_counts_once() -> None:
    claims = [Claim(id, "001", "§1", "It holds.") for id in ("C-1", "C-2")]
    found = [entry(claim, piece("c.both", claim.id, Outcome("proved"))) for claim in claims]
    assert evidence.summarise(found).states["passed"] == 1
    assert "All 1 obligations were run" in render(found)


def test_a_surprise_is_loud() -> None:
    claim = Claim("C-1", "001", "§1", "It holds.")
    text = render([entry(claim, piece("c.1", "C-1", Outcome("refuted")))])
    assert "1 of 1 obligations did <strong>not</strong> come out as expected" in text
    assert "<strong>refuted</strong>, expected proved" in text
    good = render([entry(claim, piece("c.1", "C-1", Outcome("proved")))])
    assert "All 1 obligations were run and came out as expected." in good


def test_a_claim_unfolds_to_its_evidence() -> None:
    part = of_claim(render(entries()), "C-true")
    assert 'data-document="001 002" data-verdict="true" data-evidence="exact"' in part
    assert "exact, on the printed sentence · 1.5 s · z3 unsat 0.5 s · arb agrees" in part
    assert "What it checks." in part
    part = of_claim(render(entries()), "C-false")
    assert "Read instead" in part
    assert "<strong>refuted</strong>, as expected" in part
    assert "<dt>Witness</dt>" in part


def test_engines_that_the_detail_names_already_are_not_repeated() -> None:
    engines = {"z3": {"answer": "unsat", "seconds": 0.5}}
    assert evidence.engines(piece("c", "C", Outcome("proved", "z3 unsat 0.5 s; twin fails", "", engines))) == []
    assert evidence.engines(piece("c", "C", None)) == []


def test_the_errata_are_those_that_do_not_hold() -> None:
    text = render(entries())
    section = text[text.index('<section id="errata"') : text.index('<section id="trust"')]
    assert "False: to be rewritten (1)" in section
    assert '<a href="#claim-C-false">' in section
    assert '<a href="#claim-C-true">' not in section
    assert 'download="errata.md"' in section


def test_the_same_input_gives_the_same_page() -> None:
    first = render(entries(), [tiny()])
    lemma_graph.layout.cache_clear()
    assert first == render(entries(), [tiny()])


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("B ≤ 2^46 λ < 2^(m-1)", "B ≤ 2<sup>46</sup> λ &lt; 2<sup>m−1</sup>"),
        ("η = 2**-53, e^(-d/λ), 2^(2^(k))", "η = 2<sup>−53</sup>, e<sup>−d/λ</sup>, 2<sup>2<sup>k</sup></sup>"),
        ("clamp_B(x), m_52, (1.0)_2", "clamp<sub>B</sub>(x), m<sub>52</sub>, (1.0)<sub>2</sub>"),
        ("inner_epsilon and log2|x|", "inner_epsilon and log<sub>2</sub>|x|"),
        ("a\n `b` <b>", "a b &lt;b&gt;"),
    ],
)
def test_formulas_have_powers_and_indices(text: str, markup: str) -> None:
    assert formula(text) == markup


def test_in_a_checkout_it_links_to_the_notes_and_the_source() -> None:
    links = [str(a["href"]) for a in Outline(render(entries(), [tiny()], checkout="../here")).all("a")]
    assert "../here/notes/theorem1.md" in links
    assert page._source("..", replace(entries()[0].pieces[0].obligation, module="snapref_ledger.claims")) == (
        "../ledger/snapref_ledger/claims.py"
    )


def test_the_findings_are_those_of_the_ledger() -> None:
    text = render(entries(), [tiny()])
    assert text.index('id="found"') < text.index('id="pictures"') < text.index('id="ledger"')
    assert "Of 5 claims, 1 are false" in text
    assert "<strong>not complete</strong>" in text  # F-T1 is not among these claims


def test_a_table_downloads_as_csv() -> None:
    address = Table(("λ", "n"), [("a,b", '"1"')]).download()
    assert address == "data:text/csv;charset=utf-8,%CE%BB%2Cn%0A%22a%2Cb%22%2C%22%22%221%22%22%22%0A"


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_enough_in_the_light_and_in_the_dark() -> None:
    """WCAG: 4.5 for text, 3 for the lines and marks of a picture."""
    style = (resources.files("snapref_harness.report") / "style.css").read_text(encoding="utf-8")
    themes = [
        dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{.*?\}", style, re.S)
    ]
    light, dark = (theme for theme in themes if theme)
    assert light.keys() == dark.keys()
    for theme in (light, dark):
        for paper in (theme["page"], theme["raised"]):
            assert all(
                contrast(theme[ink], paper) >= 4.5 for ink in ("ink", "muted", "link", "green", "red", "blue", "purple")
            )
            assert contrast(theme["orange"], paper) >= 3
        for verdict in ("true", "conditional", "false", "open"):
            assert contrast(theme[verdict], theme[f"{verdict}-ink"]) >= 4.5
        assert all(contrast(theme[name], theme["page"]) >= 3 for name in ("infinite", "muted"))


def test_the_lemma_graph_has_every_lemma_and_only_arrows_that_are_needed() -> None:
    uses = lemma_graph.main_lemmas()
    levels = lemma_graph.levels(uses)
    names = [name for level in levels for name in level]
    assert sorted(names) == sorted([m.name for m in LEMMAS if not m.supporting] + ["theorem"])
    depth = {name: number for number, level in enumerate(levels) for name in level}
    arrows = lemma_graph.arrows(uses)
    assert all(depth[a] < depth[b] for a, b in arrows)

    def reach(name: str, edges: Sequence[tuple[str, str]]) -> set[str]:
        found = {b for a, b in edges if a == name}
        return found.union(*(reach(other, edges) for other in found))

    every = [(used, name) for name, direct in uses.items() for used in direct]
    assert all(reach(name, arrows) == reach(name, every) for name in uses)
    for arrow in arrows:
        assert arrow[1] not in reach(arrow[0], [a for a in arrows if a != arrow])


def test_a_lemma_counts_as_proved_only_where_all_its_obligations_are() -> None:
    lemma = next(m for m in LEMMAS if not m.common)
    ids = [f"theorem.{lemma.name}.{constant}" for constant in (11, 12)]
    found = {id: piece(id, "F-T1", Outcome("proved")) for id in ids}
    assert lemma_graph.statuses(found)[lemma.name] == "proved"
    assert lemma_graph.statuses(found)[CASES[0]] == "not run"
    found[ids[0]] = piece(ids[0], "F-T1", None)
    assert lemma_graph.statuses(found)[lemma.name] == "not run"
    found[ids[0]] = piece(ids[0], "F-T1", Outcome("refuted"))
    assert lemma_graph.statuses(found)[lemma.name] == "refuted"


def test_the_theorem_is_marked_proved_by_the_verdict_of_its_claim_alone() -> None:
    every = {f"theorem.{m.name}": piece(f"theorem.{m.name}", "F-T1", Outcome("proved")) for m in LEMMAS}
    assert "theorem: open" in lemma_graph.figure(every, "open").wide
    assert "theorem: proved" in lemma_graph.figure(every, "true").wide


def test_what_the_production_libraries_did_is_kept_as_its_schema_says() -> None:
    found = production.results()
    jsonschema.validate(found, schema("production"))
    for target in found["targets"].values():
        jsonschema.validate(target, schema("crosscheck"))


def test_what_was_found_in_public_implementations_is_kept_as_its_schema_says_and_told_in_the_notes() -> None:
    found = field.results()
    jsonschema.validate({"implementations": found}, schema("field"))
    told = (Path(__file__).parents[2] / "notes" / "production.md").read_text(encoding="utf-8")
    for implementation in found:
        for finding in implementation["findings"]:
            assert re.search(rf"\b{finding['name']}\b", told), finding["name"]


def report(*args: str) -> int:
    return main(["report", *args])


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write) -> Path:
    """A ledger of three claims, one picture, and where the page goes."""
    path = tmp_path / "claims.toml"
    path.write_text(LEDGER, encoding="utf-8")
    monkeypatch.setattr(claims_module, "claims_file", lambda: path)
    monkeypatch.setattr(page, "DRAWN", {"one": lambda: [tiny()]})
    write(CHECKS)
    return tmp_path / "dossier.html"


def test_without_evidence_the_page_is_written_and_the_exit_code_says_undecided(small: Path, capsys: Capture) -> None:
    assert report("--out", str(small)) == 3
    out, err = capsys.readouterr()
    assert out.startswith(f"{small}: ")
    assert out.endswith("0 true, 0 conditional, 0 false, 3 open\n")
    assert err.startswith("snapref: 5 of 6 obligations have not been run for the code as it is now")
    assert err.count("\n") == 1
    assert "○" in small.read_text(encoding="utf-8")


def test_run_verifies_first(small: Path, capsys: Capture) -> None:
    assert report("--out", str(small), "--run", "--json", str(small.with_suffix(".json"))) == 0
    assert "5 passed" in capsys.readouterr().out
    assert "All 5 obligations were run and came out as expected." in small.read_text(encoding="utf-8")
    summary = json.loads(small.with_suffix(".json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema("report"))
    assert summary["verdicts"] == {"true": 1, "conditional": 1, "false": 1, "open": 0}
    assert summary["obligations"] == {"passed": 5, "failed": 0, "not_run": 0, "thorough_only": 1}
    assert summary["as_expected"] is True
    assert report("--out", str(small), "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_a_surprise_is_exit_code_1(small: Path, write: Write, capsys: Capture) -> None:
    write('@register("c.wrong", claim="C-true")\ndef wrong(run): return Outcome("refuted")')
    assert report("--out", str(small), "--run") == 1
    assert "did <strong>not</strong> come out as expected" in small.read_text(encoding="utf-8")


def test_an_obligation_that_breaks_is_no_result_and_exit_code_2(small: Path, write: Write, capsys: Capture) -> None:
    write('@register("c.broken", claim="C-true")\ndef broken(run): raise RuntimeError("why")')
    assert report("--out", str(small), "--run") == 2
    assert "5 of 6 obligations were run" in small.read_text(encoding="utf-8")
    assert "<strong>not run</strong>" in of_claim(small.read_text(encoding="utf-8"), "C-true")


def test_the_page_goes_to_standard_output(small: Path, capsys: Capture) -> None:
    assert report("--out", "-") == 3
    assert capsys.readouterr().out.startswith("<!doctype html>\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--out", "/nowhere/dossier.html"], "the directory /nowhere does not exist; create it first"),
        (["--out", "/"], "/ is a directory; name a file"),
        (["--out", "-", "--json", "-"], "--out and --json cannot both go to standard output"),
        (["--out", "-", "--run"], "--run shows results on standard output, so --out and --json must name files"),
        ([], "missing option '--out' (see snapref report --help)"),
    ],
)
def test_bad_usage_is_one_line(small: Path, capsys: Capture, args: list[str], message: str) -> None:
    assert report(*args) == 2
    assert capsys.readouterr() == ("", f"snapref: {message}\n")


def test_an_interrupt_ends_cleanly(small: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> list[Figure]:
        raise KeyboardInterrupt

    monkeypatch.setattr(page, "DRAWN", {"one": interrupt})
    assert report("--out", str(small)) == 3
    assert capsys.readouterr().err == "snapref: interrupted\n"
    assert not small.exists()


def test_provenance_names_versions_and_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    found = provenance.provenance()
    assert found.date == "1970-01-01 00:00 UTC"
    engines = dict(found.engines)
    assert {"z3-solver", "bitwuzla", "cvc5", "MPFR", "FLINT with Arb", "CaDiCaL"} <= engines.keys()
    assert engines["MPFR"] == f"{gmpy2.mpfr_version().removeprefix('MPFR ')}, in gmpy2"
    assert str(machine()["cpu"]) in found.machine
    assert provenance._told("none", "snapref.no_such_module", str) == ""
    assert provenance._commit(tmp_path) == provenance.UNKNOWN
    assert replace(found, commit=provenance.UNKNOWN).short_commit == ""
    monkeypatch.setenv("PATH", "")
    assert provenance._git(tmp_path, "status") == ""
