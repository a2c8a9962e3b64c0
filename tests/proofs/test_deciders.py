"""`proofs.deciders` notices a procedure that skips a part of what it decides."""

from collections.abc import Callable
from typing import Any

import pytest

from snapref_ledger import Run
from snapref_proofs import deciders
from snapref_proofs.evaluate import boxes
from snapref_proofs.evaluate.boxes import halves
from snapref_proofs.inequalities import decide_boxes
from snapref_smt.engine.decide import decide_all

RUN = Run(solvers=("z3", "cvc5"))
SKIPPING: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "the first inequality": (deciders, "decide_boxes", lambda some, *rest: decide_boxes(list(some)[1:], *rest)),
    "the lower half": (boxes, "halves", lambda box, name: halves(box, name)[1:]),
    "the upper half": (boxes, "halves", lambda box, name: halves(box, name)[:1]),
    "the sign": (boxes, "holds", lambda quantity: quantity <= 1),
}


def test_it_passes_as_it_is() -> None:
    assert deciders.deciders(RUN).status == "proved"


@pytest.mark.parametrize("skipped", SKIPPING)
def test_a_skipped_part_of_a_box_is_noticed(skipped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*SKIPPING[skipped])
    assert next(deciders.mistaken(deciders.boxes()))


def test_a_skipped_statement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciders, "decide_all", lambda stated, run, count=None: decide_all(list(stated)[1:], run))
    assert deciders.deciders(RUN).status == "refuted"


def test_a_count_that_is_ignored_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciders, "decide_all", lambda stated, run, count=None: decide_all(stated, run))
    assert next(deciders.mistaken(deciders.statements(RUN)))
