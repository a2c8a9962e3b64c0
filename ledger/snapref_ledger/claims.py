"""Claims: the statements of the five documents (000 to 004), in our own words, read from notes/claims.toml.

README introduces the documents. A claim carries no verdict: that follows from the obligations that name the claim's id
(verdicts.py).
"""

import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path


@dataclass(frozen=True)
class Claim:
    """One statement that can be checked. Scripts rely on `id`; `statement` is in our words and notation."""

    id: str
    document: str  # "000" … "004"; several where documents agree: "001, 002"
    section: str
    statement: str
    hypotheses: str = ""  # what the document assumes around the statement
    condition: str = ""  # the side condition under which a `conditional` claim holds
    corrected: str = ""  # what a `false` claim should say
    missing: str = ""  # for an `open` claim: what is ill-formed or undecided
    completion: bool = False  # left open by the documents, answered here


PACKAGED = Path(str(resources.files("snapref_ledger"))) / "claims.toml"


def claims_file() -> Path:
    """The copy of claims.toml inside an installed wheel, or notes/claims.toml of the checkout."""
    return PACKAGED if PACKAGED.exists() else Path(__file__).parents[2] / "notes" / "claims.toml"


def notes_directory() -> Path | None:
    """The folder of the notes in a checkout; None in an installed wheel, which has no notes."""
    path = claims_file()
    return None if path == PACKAGED else path.parent


def load_claims(path: Path | None = None) -> dict[str, Claim]:
    """Every claim by its id, in the order of the file. A duplicate id or an unknown field is an error."""
    rows = tomllib.loads((path or claims_file()).read_text(encoding="utf-8")).get("claim", [])
    claims: dict[str, Claim] = {}
    for row in rows:
        try:
            claim = Claim(**row)
        except TypeError as error:  # an unknown or a missing field
            raise ValueError(f"claims.toml: {row.get('id', 'a claim without id')}: {error}") from None
        if claim.id in claims:
            raise ValueError(f"claims.toml: the id {claim.id} is there twice")
        claims[claim.id] = claim
    return claims
