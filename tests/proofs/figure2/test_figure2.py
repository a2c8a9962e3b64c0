"""Figure 2: the corrected bounds contain the exact values, the printed ones do not, and every check can fail."""

from fractions import Fraction
from functools import partial

import pytest
import z3

from snapref_proofs.evaluate.boxes import over
from snapref_proofs.evaluate.intervals import Arb, agreed
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.figure2 import obligations as figure2_obligations
from snapref_proofs.figure2 import statements as lemmas
from snapref_proofs.figure2.expressions import DEFINITION_2, PRINTED_PRODUCTIONS, end, productions
from snapref_proofs.figure2.printed import PRINTED, findings, log_ratio
from snapref_proofs.figure2.rates import FAMILIES, MODELS, Scope, excess
from snapref_proofs.figure2.semantics import evaluate, nearest
from snapref_proofs.figure2.seven_cases import CASES, ROUTES, Question, questions
from snapref_smt.engine.statement import Statement
from tests.breaking import fails

QUESTION = Question(Parameters(Fraction(1), Fraction(10)), Fraction(13, 4), Fraction(17, 4))


@pytest.mark.parametrize("precision", [5, 8, 11, 24, 53, 113])
def test_enclosures_contain_the_exact_probabilities(precision):
    for question in questions(precision + 100, 12, precision):
        last = question.parameters.last
        for k in {-last, 1 - last, 0, last - 1, last}:
            for c in (question.a, question.b):
                exact = question.exact(k, c)
                for route in ROUTES:
                    assert agreed(partial(question.at_least, k, c, route), question.bits)[1] <= exact
                    assert exact <= agreed(partial(question.at_most, k, c, route), question.bits)[0]


def test_a_smaller_error_would_not_contain_them(monkeypatch):
    """Half the η is too little: the containment that is checked above is not idle."""
    monkeypatch.setattr(Question, "eta", property(lambda self: Fraction(1, 2 ** (self.parameters.precision + 2))))
    escaped = 0
    for question in questions(1, 20, 11):
        last = question.parameters.last
        for k in range(1 - last, min(last, 3)):
            exact = question.exact(k, question.a)
            low = agreed(partial(question.at_least, k, question.a, "shared"), question.bits)[1]
            high = agreed(partial(question.at_most, k, question.a, "shared"), question.bits)[0]
            escaped += not low <= exact <= high
    assert escaped > 0


def test_the_cases_partition_the_outputs():
    for precision in (8, 53):
        for question in questions(3, 30, precision):
            last = question.parameters.last
            listed = [(k, case) for case in CASES for k in question.outputs(case)]
            assert sorted(k for k, _ in listed) == list(range(-last, last + 1))
            assert all(question.case(k) == case for k, case in listed)


def coordinates(question, k):
    """The variables of rates.py for a question: case B below zero, case A for B > Λ."""
    s, kappa = question.lattice / question.bound, question.lattice / question.scale
    x = question.output(k) / question.bound
    if question.case(k) == "A":
        t = (question.last_inside + question.lattice / 2) / question.bound
        place = [(c / question.bound + t) / (1 + t) for c in (question.a, question.b)]
        return 3, {"κ": kappa, "s": s, "t": (t - 1 + s / 2) / s, "a": place[0], "b": place[1]}
    upper = x + s / 2
    place = [(c / question.bound - upper) / (1 - upper) for c in (question.a, question.b)]
    return 1, {"κ": kappa, "s": s, "x": (-x - s) / (1 - s), "a": place[0], "b": place[1]}


@pytest.mark.parametrize("case", ["A", "B"])
@pytest.mark.parametrize("route", ROUTES)
def test_rates_bound_what_the_semantics_gives_at_points(case, route):
    """The constant at a point, from the bounds themselves, is at most the rate at that point of the box."""
    close = 0
    for question in questions(11, 60, 53):
        k = -question.parameters.last + (case == "B")
        if question.case(k) != case or question.output(k) >= 0 or question.lattice >= question.bound:
            continue
        if case == "A" and question.a < -question.last_inside - question.lattice / 2:
            continue
        index, point = coordinates(question, k)
        scope = Scope(question.eta, question.bound * question.eta / question.scale)
        quantity = excess(FAMILIES[case][index], MODELS[route], scope, "forward", Fraction(0))
        rate = over(quantity, {name: (value, value) for name, value in point.items()}, Arb(256))[1]
        constant = agreed(partial(question.constant, k, route, False), question.bits)[0]
        assert rate is not None
        assert constant <= rate + Fraction(1, 10**9)
        if question.b - question.a == 1:  # the exact loss is ε; where no bound is cut off at 1, the two agree
            close += rate - constant < Fraction(1, 10**6)
    assert close > 5


def test_forward_rules():
    """The printed rules lose a negative value; the corrected ones contain it."""
    values = {"ε": Fraction(1), "x": Fraction(-3), "Λ/2": Fraction(1, 2), "f(a)": Fraction(13, 4)}
    expression = end("x", "⊖", "Λ/2", "⊖", "f(a)")
    printed, corrected = (evaluate(expression, values, 53, printed=flag) for flag in (True, False))
    assert printed.low > printed.high
    assert not printed.holds
    assert corrected.holds
    assert corrected.value == printed.value == Fraction(float(printed.value))


def test_nearest_is_the_rounding_of_doubles():
    for text in ("0.1", "1e-300", "123456789.123456789", "-2.5"):
        assert nearest(Fraction(text), 53) == Fraction(float(text))
    assert nearest(Fraction(2**53 + 1), 53) == 2**53
    assert nearest(Fraction(2**53 + 3), 53) == 2**53 + 4


def test_syntax():
    assert not set(productions(DEFINITION_2)) <= PRINTED_PRODUCTIONS
    assert str(end("x", "⊖", "Λ/2", "⊖", "f(a)")) == "EXP(ε ⊗ (x ⊖ Λ/2 ⊖ f(a)))"


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("CE", "D")])
def test_every_printed_case_has_something_wrong(case):
    k = QUESTION.outputs(case)[0]
    assert list(findings(QUESTION, k, case))


def test_the_printed_bound_of_case_b_is_below_epsilon():
    """So it cannot be a bound: the exact ratio is larger."""
    k = QUESTION.outputs("B")[0]
    ratio = log_ratio(QUESTION, k, "B")
    assert ratio is not None
    assert ratio[1] < 1
    assert QUESTION.exact(k, QUESTION.a) / QUESTION.exact(k, QUESTION.b) > Fraction(27182818284, 10**10)


def test_printed_sets_name_what_the_document_names():
    assert str(PRINTED["C"][1][0]) == "u ∈ (EXP(ε ⊗ ([f(a)] ⊖ f(a') ⊖ Λ/2)), EXP(ε ⊗ ([f(a)] ⊖ f(a') ⊕ Λ/2))) (s = -1)"


def test_ends_need_every_error_term():
    """Without the error of ⊕ the lemma on the ends is false."""
    first, _ = lemmas.ends_below()
    c, t, scale, eta, y = z3.Reals("c T lambda eta y")
    careless = Statement("no error of ⊕", first.hypotheses, scale * y >= (c - t) * (1 - eta) * (1 - eta), first.twin)
    assert fails(careless)


def test_a_constant_that_is_too_small_is_not_proved():
    outcome = figure2_obligations.boxes("shared", "A", figure2_obligations.WIDE, Fraction(9), ("forward",), Fraction(8))
    assert outcome.status == "refuted"
    assert "fails" in outcome.detail
