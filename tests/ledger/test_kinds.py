"""The kinds of evidence in notes/trust.md are those of `snapref_ledger.obligations.KINDS`, in the same words."""

import re
from pathlib import Path

from snapref_ledger.obligations import KINDS

PAGE = Path(__file__).parents[2] / "notes" / "trust.md"


def listed(page: str) -> dict[str, str]:
    """What the page says about each kind, by its name. An item may go on in an indented line."""
    _, _, section = page.partition("## The kinds of evidence\n")
    section, _, _ = section.partition("\n## ")
    items = re.findall(r"^- `(\w+)`: (.*(?:\n  .*)*)", section, flags=re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in items}


def test_the_page_says_what_the_ledger_says() -> None:
    found = listed(PAGE.read_text(encoding="utf-8"))
    assert found == KINDS
    assert list(found) == list(KINDS)


def test_a_changed_page_is_noticed() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert listed(page.replace("never decides it", "decides it")) != KINDS
    assert listed(page.replace("- `exact`: ", "- exact: ")) != KINDS
