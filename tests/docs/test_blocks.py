"""Every command and every piece of code in README.md and notes/ does what it is shown to do."""

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from typer.main import get_command

from snapref_harness.cli import app
from snapref_harness.cli.registry import load_obligations
from tests.docs.blocks import LANGUAGES, ROOT, Block, Chapter, blocks, chapters, matches

GENERATED = ("api.md", "errata.md", "map.md")
MOST_NOT_RUN = 20  # blocks that are left out, in all chapters together
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def written() -> list[Path]:
    """The chapters that a person wrote."""
    return [path for path in chapters() if path.name not in GENERATED]


def prose(path: Path) -> str:
    """The text without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all chapters, and for all workers of xdist: what one page proved, the next one need not prove again."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache-of-the-chapters"


@pytest.mark.parametrize("path", written(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_of_the_chapter_runs(path: Path, tmp_path: Path, cache: Path) -> None:
    found = [block for block in blocks(path.read_text(encoding="utf-8")) if not block.not_run]
    if not found:
        return
    chapter = Chapter(tmp_path, cache)
    wrong = [(block, chapter.run(block)) for block in found]
    complaints = [f"{path.name}:{block.line} ({block.language})\n{said}" for block, said in wrong if said]
    assert not complaints, "\n\n".join(complaints)


def test_every_fence_names_a_language_that_is_known() -> None:
    for path in written():
        for block in blocks(path.read_text(encoding="utf-8")):
            assert block.language in LANGUAGES, f"{path.name}:{block.line}: {block.language or 'no language'}"


def test_no_command_hides_in_an_indented_block() -> None:
    for path in written():
        hidden = re.findall(r"^ {4,}\$? ?(?:snapref|make|pytest|python3?|pip) .*$", prose(path), flags=re.MULTILINE)
        assert not hidden, f"{path.name}: put this between ``` fences, so that it is run: {hidden}"


def test_few_blocks_are_left_out_and_each_says_why() -> None:
    left_out = [b for path in written() for b in blocks(path.read_text(encoding="utf-8")) if b.not_run]
    assert len(left_out) <= MOST_NOT_RUN
    assert all(len(block.not_run.split()) >= 3 for block in left_out)


def test_links_lead_somewhere() -> None:
    for path in chapters():
        targets = {target for target in LINK.findall(prose(path)) if ":" not in target}
        broken = sorted(target for target in targets if not (path.parent / target).exists())
        assert not broken, f"{path.relative_to(ROOT)} links to what is not there: {', '.join(broken)}"


def test_the_table_of_contents_names_every_chapter() -> None:
    contents = (ROOT / "notes" / "README.md").read_text(encoding="utf-8")
    for path in chapters()[1:]:
        assert path.name == "README.md" or f"({path.name})" in contents, path.name


def verbs() -> set[str]:
    return set(get_command(app).commands)  # type: ignore[attr-defined]


def test_the_readme_lists_the_verbs() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The command line")[2].partition("## ")[0]
    assert verbs() == set(re.findall(r"^\| `(\w+)", section, flags=re.MULTILINE))


def unknown(text: str, ids: list[str]) -> str:
    """The first word that looks like an obligation, or a pattern of some, and is none."""
    areas = {id.partition(".")[0] for id in ids}
    for word in (word.strip("'") for word in text.split()):
        area, dot, _ = word.partition(".")
        named = dot and area in areas and not word.endswith((".py", ".toml", ".json", ".md"))
        if named and not any(fnmatchcase(id, word) or id.startswith(f"{word}.") for id in ids):
            return word
    return ""


def test_the_verbs_and_obligations_that_the_text_names_exist() -> None:
    ids = [obligation.id for obligation in load_obligations()]
    for path in written():
        for code in INLINE.findall(prose(path)):
            words = code.split()
            if words[0] == "snapref" and len(words) > 1 and words[1].isalpha() and words[1].islower():
                assert words[1] in verbs(), f"{path.name}: `{code}`"
            assert not (word := unknown(code, ids)), f"{path.name}: there is no obligation `{word}`"
        for block in blocks(path.read_text(encoding="utf-8")):
            for command in re.findall(r"snapref verify (.*)", block.text):
                assert not (word := unknown(command, ids)), f"{path.name}:{block.line}: no obligation `{word}`"


# That the checks above can fail -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chapter(tmp_path_factory: pytest.TempPathFactory) -> Chapter:
    return Chapter(tmp_path_factory.mktemp("chapter"))


def only(markdown: str) -> Block:
    (block,) = blocks(markdown)
    return block


@pytest.mark.parametrize(
    "markdown",
    [
        "```sh\ntrue\n```",
        "```sh\necho a b\n```\n\n```text\na …\n```",
        "```console\n$ echo one; echo two; echo three\none\n…\nthree\n$ (exit 3)\n$ echo $?\n3\n```",
        "```console\n$ cat <<X\n> two\n> X\ntwo\n```",
        "```python\nfrom snapref import Mechanism\n```",
        "```python\n>>> 1 + 1\n2\n```",
        "```json\n[1]\n```",
    ],
)
def test_what_is_right_passes(chapter: Chapter, markdown: str) -> None:
    assert chapter.run(only(markdown)) == ""


@pytest.mark.parametrize(
    "markdown",
    [
        "```sh\nfalse\ntrue\n```",
        "```sh\necho a b\n```\n\n```text\na\n```",
        "```console\n$ echo one\ntwo\n```",
        "```console\n$ echo one; echo two\none\n```",
        "```console\n$ echo one\n```",
        "```console\n$ false\n```",
        "```console\n$ false\n$ echo $?\n0\n```",
        "```console\n$ exit 0\n$ echo two\ntwo\n```",
        "```console\nno command\n```",
        "```python\nraise ValueError\n```",
        "```python\n>>> 1 + 1\n3\n```",
        "```diff\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-not its first line\n+x\n```",
        "```toml\nx =\n```",
        "```yaml\nx: [\n```",
        "```json\n[1\n```",
    ],
)
def test_what_is_wrong_fails(chapter: Chapter, markdown: str) -> None:
    assert chapter.run(only(markdown)) != ""


def test_a_block_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    chapter = Chapter(tmp_path)
    change = "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n```"
    for markdown in ("```sh\nmkdir deep\ncd deep\necho old > x\n```", change, "```console\n$ cat x\nnew\n```"):
        assert chapter.run(only(markdown)) == ""


def test_a_block_that_needs_what_is_not_there_is_left_out(chapter: Chapter) -> None:
    assert chapter.run(only("<!-- needs: bash no-such-program -->\n```sh\nfalse\n```")) == ""
    assert chapter.run(only("<!-- needs: bash -->\n```sh\nfalse\n```")) != ""


def test_what_is_left_out_and_what_a_text_block_belongs_to() -> None:
    first, second = blocks(
        "<!-- not run: takes too long -->\n```sh\nx\n```\n\n```text\ny\n```\nwords\n\n```text\nz\n```\n"
    )
    assert (first.not_run, first.output, first.line) == ("takes too long", "y\n", 2)
    assert (second.language, second.not_run, second.output) == ("text", "", None)


def test_obligations_that_do_not_exist_are_found() -> None:
    ids = ["smt.clamp.range", "proofs.utility.closed"]
    assert unknown("snapref verify 'smt.clamp.*' smt.clamp --jobs 2 proofs.py", ids) == ""
    assert unknown("'proofs.utility.*' smt.clamp.rang", ids) == "smt.clamp.rang"
    assert unknown("'smt.lattice.*'", ids) == "smt.lattice.*"


def test_elisions() -> None:
    assert matches("a … c\n…\ne", "a b c  \nd\n\nd\ne\n\n")
    assert matches("…\na", "a")
    assert not matches("a … c", "a b\nc")
    assert not matches("a\n…\nc", "a\nb\n")
    assert not matches("", "a")
