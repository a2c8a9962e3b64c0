"""What rests on Theorem 1: verdicts with every lemma proved, and with one that is not; the conditions it needs."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import gmpy2
import pytest

import snapref_proofs.obligations  # noqa: F401  registers every obligation
from snapref import budget
from snapref.arithmetic import Dyadic, context, scaled
from snapref.logarithm import ln
from snapref_ledger import REGISTRY, Outcome, Run
from snapref_ledger.claims import load_claims
from snapref_ledger.verdicts import Evidence, judge
from snapref_proofs.theorem1 import below, compose, needed, obligations, ties
from snapref_proofs.theorem1.graph_obligation import graph
from tests.breaking import fails
from tests.changing import change

CLAIMS = load_claims()
VERDICTS = {
    "F-T1": "true",
    "N-5-mir": "conditional",
    "F-T1-x": "false",
    "F-T1-smallB": "conditional",
    "F-T1-bigB": "conditional",
    "F-T1-tail": "conditional",
    "F-T1-caseB": "conditional",
    "F-T1-caseD": "conditional",
    "F-T1-caseE": "conditional",
    "F-T1-dir": "false",
    "F-D2-clamp": "false",
    "N-4.2.2-priv": "conditional",
    "N-5-prec": "false",
}


def verdict(claim: str, unproved: str = "") -> str:
    """Everything as expected, except for one obligation."""
    views = [view for o in REGISTRY.values() for view in o.views if view.claim == claim and not view.thorough]
    evidence = [Evidence(v, Outcome("undecided" if v.id == unproved else v.expected)) for v in views]
    return judge(CLAIMS[claim], evidence)


def test_every_claim_that_rests_on_the_theorem_is_listed() -> None:
    assert {claim for claim, _ in obligations.RESTING} | {"F-T1"} == set(VERDICTS)


@pytest.mark.parametrize("claim", VERDICTS)
def test_the_verdict_when_everything_is_proved(claim: str) -> None:
    assert verdict(claim) == VERDICTS[claim]


@pytest.mark.parametrize("claim", [claim for claim, found in VERDICTS.items() if found != "open"])
def test_one_lemma_that_is_not_proved_leaves_the_claim_open(claim: str) -> None:
    for lemma in compose.LEMMAS:
        for regime in obligations.REGIMES.values():
            if claim in {"F-T1", *dict(obligations.resting(regime))}:
                assert verdict(claim, obligations.name_of(lemma, regime)) == "open", lemma.name
    assert verdict(claim, "theorem.graph") == "open"


def test_tables_that_nobody_asks_for_any_more_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [replace(x, uses=tuple(set(x.uses) - set(compose.TABLES))) for x in compose.LEMMAS]
    monkeypatch.setattr(compose, "LEMMAS", tuple(x for x in kept if x.name not in compose.TABLES))
    assert {f"{name} is missing" for name in compose.TABLES} <= set(compose.graph_faults())


def test_what_the_reference_relies_on_is_what_is_proved() -> None:
    assert obligations.PROVED is budget.PROVED
    assert obligations.rows_of_the_reference(Run()).status == "proved"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return computed", "pass"),
        ("self.states is not None", "False"),
        ("self.bounds is not None", "False"),
        ("run, self.count", "run"),
    ],
)
def test_what_checks_a_lemma_is_checked(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(compose, "Lemma.check", before, after, monkeypatch)
    monkeypatch.setattr(compose.unchecked, "__defaults__", (compose.Lemma.check,))  # it took the right one before
    assert graph(Run()).status == "refuted"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("graph_faults", lambda lemmas=None: iter(())),  # sees nothing
        ("proved", lambda results: True),
        ("proved", lambda results: False),
        ("proved", lambda results: len(list(results)) == len(compose.LEMMAS)),  # needs what only supports
    ],
)
def test_what_judges_the_list_is_checked(name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, name, wrong)
    assert graph(Run()).status == "refuted"


def test_a_lemma_that_is_no_evidence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTRY, "theorem.coverage.forward.12")
    assert graph(Run()).status == "refuted"


def test_a_witness_inside_the_conditions_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    unbounded = replace(obligations.CASE_D.parameters, uniform="unbounded")
    monkeypatch.setattr(obligations, "CASE_D", replace(obligations.CASE_D, parameters=unbounded))
    wider = replace(obligations.CASE_E.parameters, bound=Fraction(2**31))
    monkeypatch.setattr(obligations, "CASE_E", replace(obligations.CASE_E, parameters=wider))
    assert obligations.case_d(Run()).status == "undecided"
    assert obligations.case_e(Run()).status == "undecided"


def test_the_steered_logarithm_is_faithful_and_monotone() -> None:
    log = needed.against(below.worst())
    for number in (*log.easy, *log.hard):
        near = context(53).exp(-number)  # u around the place where -LN(u) reaches the number
        n, d = map(int, near.as_integer_ratio())
        shift = 53 - n.bit_length()
        first = Dyadic(n << shift, 1 - d.bit_length() - shift)
        values = []
        for step in range(-3, 4):
            u = Dyadic(first.significand + step, first.exponent)
            low, high = (context(53, mode).log(scaled(*u)) for mode in (gmpy2.RoundDown, gmpy2.RoundUp))
            assert log(u, 53) in (low, high)
            values.append(log(u, 53))
        assert values == sorted(values)
    far = Dyadic(3, -2)
    assert log(far, 53) == ln(far, 53)


def test_ties_toward_minus_infinity_are_the_mirror_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "_down", ties._up)
    assert fails(ties.mirrored())
    assert fails(ties.away())
