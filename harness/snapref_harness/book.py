"""What the book as a site needs beyond Sphinx (`make docs`): contents, real powers and indices, links out of the book.

The pages stay plain Markdown. The contents are those of notes/README.md. 2^(m-1) is a power, everywhere but in code. A
link such as ../README.md, which leaves the folder of the notes, leads to the file in the checkout, in which the site
stands. A link that leads nowhere is a warning, and `make docs` fails on warnings.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snapref_harness.report.maths import raised

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./|sweeps/|claims\.toml|\w+\.ipynb)[^)#\s]*)(#[^)]*)?\)")
PAGE = re.compile(r"\]\(([\w-]+)\.md\)")
PART = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)
TAG = re.compile(r"(<[^>]+>)")
VERBATIM = ("code", "pre", "script", "style", "svg")
TABLE_OF_CONTENTS = "\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


def setup(app: "Sphinx") -> dict[str, Any]:
    """Sphinx calls this, as the module is one of its extensions."""
    app.connect("source-read", lambda _, name, source: source.__setitem__(0, prepared(name, source[0])))
    app.connect("html-page-context", _show)
    app.connect("build-finished", _index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def prepared(name: str, markdown: str) -> str:
    """The page as Sphinx reads it: with links into the checkout, and README with a table of contents."""
    whole = markdown + "".join(contents(markdown)) if name == "README" else markdown
    return OUTSIDE.sub(_into_the_checkout, whole)


def contents(markdown: str) -> list[str]:
    """The list under "Contents", a part after the other, for the site's sidebar."""
    listed = markdown.partition("## Contents")[2]
    parts = PART.split(listed)[1:]
    named = zip(parts[::2], parts[1::2], strict=True)
    return [TABLE_OF_CONTENTS.format(caption=name, pages="\n".join(PAGE.findall(text))) for name, text in named]


def _into_the_checkout(found: re.Match[str]) -> str:
    words, path, anchor = found.group(1), found.group(2), found.group(3) or ""
    if not (ROOT / "notes" / path).exists():
        return found.group()  # Sphinx will say that it leads nowhere
    return f'<a href="{path if path.startswith("..") else f"../notes/{path}"}{anchor}">{words}</a>'


def _show(app: "Sphinx", name: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if "body" in context:
        context["body"] = with_powers(context["body"])


def with_powers(html: str) -> str:
    """Powers and indices in everything that is not code."""
    parts, depth = [], 0
    for part in TAG.split(html):
        if part.startswith("<"):
            name = re.split(r"[\s/>]", part.removeprefix("</").removeprefix("<"))[0]
            depth += 0 if name not in VERBATIM else -1 if part.startswith("</") else 1
            parts.append(part)
        else:
            parts.append(part if depth else str(raised(part)))
    return "".join(parts)


def _index(app: "Sphinx", error: Exception | None) -> None:
    """index.html, which people open first, is the page README."""
    if error is None and app.builder.format == "html":
        page = Path(app.outdir) / "README.html"
        (Path(app.outdir) / "index.html").write_bytes(page.read_bytes())
