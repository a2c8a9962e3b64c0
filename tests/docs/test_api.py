"""notes/api.md is what the sources say now."""

import pytest

import snapref
from snapref_harness import api
from tests.docs.blocks import ROOT


@pytest.fixture(scope="module")
def page() -> str:
    return api.page()


def test_the_page_is_current(page: str) -> None:
    written = (ROOT / "notes" / "api.md").read_text(encoding="utf-8")
    assert written == page, "run python -m snapref_harness.api > notes/api.md"


def test_it_says_how_things_are_called(page: str) -> None:
    assert "**`class Mechanism(epsilon: float, bound: float, sensitivity: float = 1.0, precision: int = 53)`**" in page
    assert "**`Mechanism.release(value: float, source: Source | None = None) -> Release`**" in page
    assert "**`Certificate.lattice -> Fraction`**" in page
    assert "**`class Dyadic(significand: int, exponent: int)`**" in page
    assert "**`Uniform.__call__(exponent: int, mantissa: int) -> Dyadic`**" in page
    assert r"S⊗λ⊗LN(U\*)" in page
    assert "_source" not in page


def test_everything_that_the_package_exports_is_described(page: str) -> None:
    for name in snapref.__all__:
        assert f"**`class {name}" in page or f"**`{name}(" in page, name
