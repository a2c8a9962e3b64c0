"""notes/api.md is what the sources say now."""

from snapref_harness import api
from tests.docs.blocks import ROOT


def test_the_page_is_current() -> None:
    page = (ROOT / "notes" / "api.md").read_text(encoding="utf-8")
    assert page == api.page(), "run python -m snapref_harness.api > notes/api.md"


def test_it_says_how_things_are_called() -> None:
    page = api.page()
    assert "**`class Mechanism(epsilon: float, bound: float, sensitivity: float = 1.0, precision: int = 53)`**" in page
    assert "**`Mechanism.release(value: float, source: Source | None = None) -> Release`**" in page
    assert "**`Certificate.lattice -> Fraction`**" in page
    assert "**`class Dyadic(significand: int, exponent: int)`**" in page
    assert "**`Uniform.__call__(exponent: int, mantissa: int) -> Dyadic`**" in page
    assert r"S⊗λ⊗LN(U\*)" in page
    assert "_source" not in page


def test_everything_that_the_package_exports_is_described() -> None:
    import snapref

    page = api.page()
    for name in snapref.__all__:
        assert f"**`class {name}" in page or f"**`{name}(" in page, name
