"""The constants that the pages name are those of the proof (snapref_proofs.theorem1.statement)."""

from pathlib import Path

import pytest

from snapref_proofs.theorem1.statement import EVEN, EVERY, SHARP, Regime

ROOT = Path(__file__).parents[2]


def words(page: str) -> str:
    """The page in one line, without signs for quotations and bold print."""
    lines = (line.removeprefix("> ") for line in (ROOT / page).read_text(encoding="utf-8").splitlines())
    return " ".join(" ".join(lines).replace("**", "").split())


@pytest.mark.parametrize("regime", [SHARP, EVERY], ids=str)
def test_theorem_1_states_what_is_proved(regime: Regime) -> None:
    limit = regime.most.replace("2**", "2^")
    assert f"C = {regime} if p ≥ {regime.min_precision} and B·η/λ ≤ {limit}" in words("notes/theorem1.md")


@pytest.mark.parametrize("page", ["README.md", "notes/theorem1.md"])
@pytest.mark.parametrize("regime", [EVERY, EVEN], ids=str)
def test_the_other_chains_are_named(page: str, regime: Regime) -> None:
    assert str(regime) in words(page)


def test_the_claims_name_them() -> None:
    claims = words("notes/claims.toml").replace("\\ ", "").replace("Bη/λ", "B·η/λ")
    assert all(str(regime) in claims for regime in (SHARP, EVERY, EVEN))
