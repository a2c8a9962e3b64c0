"""One check as evidence for several claims: each sees it with its own part, and it runs once."""

from pathlib import Path

from snapref_ledger import Outcome, Run
from snapref_ledger.cache import Cache
from snapref_ledger.claims import Claim
from snapref_ledger.ledger import ledger, problems
from snapref_ledger.obligations import Obligation


def check(run: Run) -> Outcome:
    return Outcome("proved")


SHARED = Obligation("o", "C-1", "exact", "a test", check, also=(("C-2", "conditional"),))


def test_each_claim_sees_its_own_part() -> None:
    assert [(view.id, view.claim, view.part) for view in SHARED.views] == [
        ("o", "C-1", "printed"),
        ("o", "C-2", "conditional"),
    ]


def test_every_claim_of_it_has_it_as_evidence(tmp_path: Path) -> None:
    claims = {id: Claim(id, "004", "§4", "a statement") for id in ("C-1", "C-2")}
    entries = ledger(claims.values(), [SHARED], Cache(tmp_path), Run())
    assert [[piece.obligation.part for piece in entry.pieces] for entry in entries] == [["printed"], ["conditional"]]


def test_a_claim_that_does_not_exist_is_noticed() -> None:
    claims = {"C-1": Claim("C-1", "004", "§4", "a statement")}
    assert list(problems(claims, [SHARED], [])) == ["o: there is no claim C-2"]
