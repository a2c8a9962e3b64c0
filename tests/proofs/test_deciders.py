"""`proofs.deciders` notices a procedure that skips a part of what it decides."""

from collections.abc import Callable
from typing import Any

import pytest

from snapref_ledger import Run
from snapref_proofs import deciders, inequalities
from snapref_proofs.evaluate import boxes, left_out
from snapref_proofs.evaluate.boxes import halves
from snapref_proofs.inequalities import decide_boxes
from snapref_proofs.theorem1.subdivision import across_the_longest
from snapref_smt.engine import decide, script
from snapref_smt.engine.decide import decide_all
from tests.changing import change

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


SHORTER = {
    "1 % of each side": "engine.between(ends[0], ends[1] - (ends[1] - ends[0]) / 100)",
    "a little of each side": "engine.between(ends[0] + (ends[1] - ends[0]) / 2**40, ends[1])",
    "a side, by mpmath.iv": "engine.between(ends[0], ends[engine.name == 'Arb'])",
}


@pytest.mark.parametrize("name", SHORTER)
def test_a_part_that_every_leaf_leaves_out_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(boxes, "over", "engine.between(*ends)", SHORTER[name], monkeypatch)
    assert next(deciders.mistaken(deciders.parts()))


def test_a_half_that_the_cut_of_the_theorem_skips_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(deciders.CUTS, "across the longest", lambda *given: across_the_longest(*given)[1:])
    assert len(list(deciders.mistaken(deciders.parts()))) == 2


def test_an_engine_that_takes_lower_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_out, "engines", left_out.broken)
    assert len(list(deciders.mistaken(deciders.engines()))) == 2


def test_a_broken_engine_that_is_not_noticed_counts_as_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_out, "broken", left_out.engines)
    assert len(list(deciders.mistaken(deciders.engines()))) == 6


def test_a_skipped_statement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciders, "decide_all", lambda stated, run, count=None: decide_all(list(stated)[1:], run))
    assert deciders.deciders(RUN).status == "refuted"


@pytest.mark.parametrize(
    ("module", "name", "old", "new"),
    [
        (decide, "decide_all", "in sorted(listed,", "in sorted(listed[:60],"),
        (inequalities, "decide_boxes", "box in inequalities:", "box in list(inequalities)[:1000]:"),
        (script, "_asked", '*check, "(pop 1)\\n"]', "*check]"),
    ],
)
def test_what_stands_behind_many_is_decided(
    module: Any, name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(module, name, old, new, monkeypatch)
    monkeypatch.setattr(deciders, "decide_all", decide.decide_all)
    monkeypatch.setattr(deciders, "decide_boxes", inequalities.decide_boxes)
    assert deciders.deciders(RUN).status == "refuted"


def test_a_count_that_is_ignored_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciders, "decide_all", lambda stated, run, count=None: decide_all(stated, run))
    assert next(deciders.mistaken(deciders.statements(RUN)))
