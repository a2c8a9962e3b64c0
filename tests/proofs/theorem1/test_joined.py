"""Theorem 1: what joins the lemmas. A term dropped, a row skipped, a side shrunk: each is noticed."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
import z3

from snapref_ledger import Run
from snapref_proofs.evaluate.boxes import establish
from snapref_proofs.inequalities import Inequality
from snapref_proofs.theorem1 import (
    below,
    compose,
    coverage,
    even,
    independent,
    interior,
    inversion,
    joined,
    joined_inside,
    meanings,
    obligations,
    one_threshold,
    premises,
    replay,
    replayed,
    rows,
    scenarios,
    terms,
    two_sided,
)
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, SHARP, TWELVE, Regime
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Family, Statement
from tests.breaking import fails
from tests.changing import change

LEMMAS = {lemma.name: lemma for lemma in compose.LEMMAS}
EIGHTH = (Fraction(1, 8), Fraction(1, 8))
SMALL = (Fraction(0), scenarios.SMALL)
ZERO, ONE = Fraction(0), Fraction(1)


def uncovered(family: Family) -> bool:
    outcome = decide(family, Run(solvers=("z3",)))
    return outcome.status == "undecided" and "B = " in outcome.detail


# A term is dropped from a quantity


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("excess", "n(scenario.gain) + y_gain", "y_gain"),
        ("excess", "+ y1 + y2 + y1p", "+ y2 + y1p"),
        ("excess", "y1p + y2p + rest", "y1p + y2p"),
        ("excess", "= y2 + y2p, n(", "= y2, n("),
        ("excess", "- y1p - y2p) -", "- y2p) -"),
        ("excess", " - s * rest / 2", ""),
        ("excess", "kappa + s * (", "kappa - s * ("),
        ("excess", "regime.max_beta * regime.offset", "0"),
        ("excess", "n.greatest(total, n(LOW) - low, ", "n.greatest(total, "),
        ("excess", "n(LOW) - low, -n(scenario.apart))", "n(LOW) - low)"),
        ("excess", "x * (1 + eta), kappa)", "x, kappa)"),
        ("excess", "(1 + eta) / 2", "(1 + eta) / 4"),
        ("excess", "y_gain, apart = 2 * y2,", "y_gain, apart = y2,"),
        ("excess", "n.step(t, room,", "n.step(t, 2 * room,"),
        ("excess", "ell, regime)", "ell, type(regime)(12, regime.min_precision, regime.max_beta / 2))"),
    ],
)
def test_a_term_of_the_forward_formula_is_needed(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(interior, name, old, new, monkeypatch)
    one_of_each = {(kind.mode, kind.loose): kind for kind in joined.KINDS}

    def one(kind: joined.Kind) -> list[Statement]:
        monkeypatch.setattr(joined, "KINDS", (kind,))
        return joined.forward(TWELVE)

    assert any(fails(one(kind)) for kind in one_of_each.values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2 * far_y + rest) -", "2 * far_y) -"),
        ("3 * slope - 2", "3 * slope - 3"),
        ("(2 + far_y", "(far_y"),
        ("total, slope - 1, ", "total, "),
        (", n(LOW) - low)", ")"),
        (" - n(regime.max_beta * regime.offset)", ""),
    ],
)
def test_a_term_of_the_backward_formula_is_needed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "backward_excess", old, new, monkeypatch)
    one_of_each = {case.coarse: case for case in interior.backward()}

    def one(case: interior.Backward) -> list[Statement]:
        monkeypatch.setattr(interior, "backward", lambda: iter([case]))
        return joined.backward(TWELVE)

    assert any(fails(one(case)) for case in one_of_each.values())


@pytest.mark.parametrize(
    ("old", "new"), [("2 * a", "a"), ("n(TOP) + ", ""), ("(1 + eta)", "1"), ("* end.room(", "* 2 * end.room(")]
)
def test_a_term_of_the_ends_is_needed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(one_threshold, "excess", old, new, monkeypatch)
    assert fails(joined.ends(TWELVE))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("inside_up", "UP)", "2 * UP)"),
        ("inside_down", "(2 + h) * g + 2", "(2 + h) * g"),
        ("_tangent", ", n(SPARE) - (2 - x - y))", ")"),
        ("beside_forward", "+ width * u)", ")"),
        ("beside_forward", "UP * u + ", ""),
        ("beside_forward", ", n(LOW) - low)", ")"),
        ("beside_reverse", "(1 + 2 * slope)", "slope"),
        ("beside_reverse", "+ DOWN ", ""),
        ("across", "(4 * beta + 2", "(2 * beta + 2"),
        ("across", " - width, n(LOW)", " - 2 * width, n(LOW)"),
    ],
)
def test_a_term_of_the_two_sided_formulas_is_needed(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(two_sided, name, old, new, monkeypatch)
    assert fails(joined_inside.inside(TWELVE))


def test_both_inside_needs_the_constant() -> None:
    assert fails(joined_inside.inside(replace(TWELVE, constant=5)))
    assert fails(joined.ends(replace(TWELVE, constant=4)))  # t* between c and c'


@pytest.mark.parametrize(
    ("old", "new"), [(" + offset", ""), ("total = 2 * twice", "total = twice"), ("- n(2 * regime.max_beta)", "")]
)
def test_a_term_of_the_independent_formula_is_needed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(independent, "excess", old, new, monkeypatch)
    assert fails(joined.independent(EIGHTEEN))


# What the words mean


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("amplification", "self.exp(w) - 1", "self.exp(w)"),
        ("slope", "averaged(self.amplification, low", "averaged(self.amplification, 2 * low"),
        ("y_error", ") / kappa)", ") / kappa / 2)"),
        ("step", "t *", "t / 2 *"),
        ("largest_steps", "self(regime.eta) *", "self(regime.eta / 2) *"),
    ],
)
def test_a_word_means_what_is_taken_for_its_meaning(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(interior, f"Numbers.{name}", old, new, monkeypatch)
    assert fails(meanings.meanings(TWELVE))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("power", "floor_log2(ends[1])", "floor_log2((ends[0] + 3 * ends[1]) / 4)"),
        ("above_zero", "ends[0] > 0", "ends[1] > 0"),
        ("below", "ends[1] < limit", "ends[0] < limit"),
        ("least", "smaller=True", "smaller=False"),
    ],
)
def test_a_comparison_that_says_too_much_is_noticed(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(interior, f"Numbers.{name}", old, new, monkeypatch)
    assert next(meanings.wrong_comparisons(), "")


def test_comparisons_say_no_more_than_they_know() -> None:
    assert list(meanings.wrong_comparisons()) == []


# A row is skipped


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[rows.Row]:
    """A few rows, one of them with D1 = D2; the list that is optimised is made of the same."""
    table = rows.table()
    parallel = (row for row in table if row.scenarios[0].parallel and interior.box_of(row.scenarios[0], TWELVE))
    found = [*table[:12], next(parallel)]
    kept = [scenario for row in found for scenario in row.scenarios]
    monkeypatch.setattr(rows, "table", lambda: found)
    monkeypatch.setattr(scenarios, "forward", lambda: iter(kept))
    return found


def missing(listed: list[Inequality]) -> list[str]:
    return list(joined.unlike_forward(listed, TWELVE))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        ("modes", '("parallel", "spread")', '("parallel",)'),
        ("modes", '("independent",)', '("parallel", "spread")'),
        ("excess", "n.places(scenario,", "n.places(type(scenario)(**{**vars(scenario), 'reach_of_c': HALF}),"),
    ],
)
def test_a_mode_or_a_distance_of_another_row_is_noticed(
    function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(interior, function, old, new, monkeypatch)
    assert missing(list(compose.INEQUALITIES["forward"](TWELVE)))


def test_all_binades_of_ties_to_even_are_optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "modes", '("steps", "spread")', '("steps",)', monkeypatch)
    assert any("for all binades" in fault for fault in even.unlike(list(even.inequalities(EVEN)), EVEN))


@pytest.mark.usefixtures("few")
def test_every_row_is_optimised() -> None:
    listed = list(compose.INEQUALITIES["forward"](TWELVE))
    assert missing(listed) == []
    assert "is not optimised on its box" in missing(listed[1:])[0]
    modes = [one for one in listed if not one.name.endswith("spread")]
    assert "spread is not optimised" in missing(modes)[0]
    smaller = {**listed[0].box, "kappa": (ONE, Fraction(3, 2))}
    assert missing([listed[0]._replace(box=smaller), *listed[1:]])
    other = [listed[0]._replace(quantity=listed[1].quantity), *listed[1:]]
    assert "is not the formula" in missing(other)[0]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if skipped(", "if scenario.pattern.far == 0 or skipped("),
        ("skipped(n, scenario, a,", "skipped(n, scenario, a - ell,"),
        ("n(scenario.gain)", "n(scenario.gain - 1 if scenario.apart == 0 else scenario.gain)"),
    ],
)
def test_a_row_with_a_formula_of_its_own_is_noticed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "excess", old, new, monkeypatch)
    assert missing(list(compose.INEQUALITIES["forward"](TWELVE)))


def test_a_row_that_promises_a_negative_distance_is_noticed(few: list[rows.Row]) -> None:
    scenario = few[-1].scenarios[0]
    quantity, box = interior.excess(replace(scenario, apart=-ONE), TWELVE), interior.box_of(scenario, TWELVE)
    assert box is not None
    assert establish(quantity, box).status == "fails"


def test_a_quantity_that_skips_a_part_of_its_box_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "backward_excess", "gain = 3", "gain = 0 if n.below(a, HALF) else 3", monkeypatch)
    with pytest.raises(ValueError, match="it skips a part of its box"):
        joined.backward(TWELVE)


@pytest.mark.parametrize("wrong", range(5))
@pytest.mark.parametrize("name", ["ends", "forward", "backward", "inside"])
def test_a_list_with_something_wrong_is_noticed(name: str, wrong: int) -> None:
    (lemma,) = [one for one in compose.LEMMAS if one.name == f"joined.{name}"]
    assert next(iter(lemma.broken[wrong](TWELVE)))


@pytest.mark.parametrize("name", ["ends", "backward", "inside"])
def test_every_case_is_optimised(name: str) -> None:
    lemma, listed = LEMMAS[f"joined.{name}"], list(compose.INEQUALITIES[name](TWELVE))
    assert list(lemma.faults(TWELVE)) == []
    check: dict[str, Callable[..., Any]] = {
        "ends": joined.unlike_ends,
        "backward": joined.unlike_backward,
        "inside": compose._unlike_inside,
    }
    assert list(check[name](listed[:-1], TWELVE))
    other = listed[0]._replace(quantity=lambda engine, v: interior.numbers(engine)(-1))
    assert list(check[name]([other, *listed[1:]], TWELVE))


def test_the_constant_18_is_joined_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlike() -> list[str]:
        return list(compose.unlike_independent([*compose.independent_inequalities(EIGHTEEN)], EIGHTEEN))

    assert unlike() == []
    monkeypatch.setattr(compose, "_inside", lambda regime: iter(()))
    assert unlike()


# A side of a box shrinks


@pytest.mark.parametrize(
    ("name", "side", "ell"),
    [
        ("kappa", (ONE, Fraction(3, 2)), EIGHTH),
        ("t", (ZERO, Fraction(1, 2)), EIGHTH),
        ("ell", (Fraction(1, 128), scenarios.SMALL), SMALL),
    ],
)
def test_a_side_that_shrinks_is_noticed(
    name: str, side: coverage.Ell, ell: coverage.Ell, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, back = interior.box_of, interior.backward_box

    def smaller(scenario: Any, regime: Regime) -> Any:
        box = right(scenario, regime)
        return box and {**box, name: side}

    monkeypatch.setattr(interior, "box_of", smaller)
    monkeypatch.setattr(interior, "backward_box", lambda case, regime: {**back(case, regime), name: side})
    assert uncovered(coverage.forward(False, ell, TWELVE))
    assert uncovered(coverage.backward(False, ell, TWELVE))


@pytest.mark.parametrize("name", ["K", "part", "h", "kappa", "e", "u", "beta"])
@pytest.mark.parametrize("upper", [False, True])
def test_a_side_inside_that_shrinks_is_noticed(name: str, upper: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    right = two_sided.inequalities

    def smaller(regime: Regime) -> list[Inequality]:
        found = []
        for one in right(regime):
            low, high = one.box.get(name, (ZERO, ZERO))
            middle = (low + high) / 2
            side = {name: (low, middle) if upper else (middle, high)} if name in one.box else {}
            found.append(one._replace(box={**one.box, **side}))
        return found

    monkeypatch.setattr(two_sided, "inequalities", smaller)
    assert fails(coverage.inside(TWELVE))


@pytest.mark.parametrize("name", ["a", "ell"])
def test_a_side_at_the_ends_that_shrinks_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = one_threshold.box_of
    monkeypatch.setattr(one_threshold, "box_of", lambda end: {**right(end), name: (ONE, Fraction(3, 2))})
    assert fails(coverage.ends(TWELVE))


@pytest.mark.parametrize("name", ["kappa", "ell", "t", "a"])
def test_a_side_of_the_independent_box_that_shrinks_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = independent.box_of
    half = (ZERO, Fraction(1, 2))
    monkeypatch.setattr(independent, "box_of", lambda case, regime: {**right(case, regime), name: half})
    assert fails(coverage.independent(EIGHTEEN))


def test_a_part_that_is_skipped_too_soon_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "skipped", "a - ell + slack", "a - 4 * ell", monkeypatch)
    assert uncovered(coverage.forward(False, SMALL, TWELVE))


def test_a_distance_to_the_interval_that_is_too_short_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(two_sided, "furthest", "2 - lattice", "1 - lattice", monkeypatch)
    assert fails(coverage.inside(TWELVE))


# A hypothesis is stronger than the program


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("sizes", "64 * self.unit", "256 * self.unit"),
        ("sizes", "self.eta_x <= self.eta_bound]", "2 * self.eta_x <= self.eta_bound]"),
        ("sizes", "self.eta_ell <= 2 * self.eta_bound", "self.eta_ell <= self.eta_bound"),
        ("places", "gaps((w / 4, xi / 4), (w, xi))", "gaps((w / 2, xi / 2), (w, xi))"),
        ("places", "gaps((w, xi), (w / 2, xi / 2))", "gaps((w / 2, xi / 2), (w, xi))"),
        ("places", "xi >= 3 * ell", "xi >= 4 * ell"),
        ("sensitivity", "absolute(self.c) <= self.size", "2 * absolute(self.c) <= self.size"),
    ],
)
def test_a_hypothesis_that_is_stronger_is_noticed(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(coverage, f"Unknowns.{name}", old, new, monkeypatch)
    assert fails(premises.premises(TWELVE))


def test_a_kind_of_output_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = coverage.Unknowns.places
    fewer = lambda self: {name: facts for name, facts in right(self).items() if name != "k = 1"}  # noqa: E731
    monkeypatch.setattr(coverage.Unknowns, "places", fewer)
    lemma = next(lemma for lemma in compose.LEMMAS if lemma.name == "premises")
    assert "and there should be" in lemma.check(TWELVE, Run()).detail


def test_a_wrong_spacing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rows.spacings
    monkeypatch.setattr(rows, "spacings", lambda binade: tuple(h / 2 for h in right(binade)))
    assert fails(premises.binades())


def test_the_sizes_need_the_conditions() -> None:
    assert fails(premises.premises(replace(SHARP, max_beta=Fraction(1, 16))))


# The probability of an output


@pytest.mark.parametrize("name", ["one_side", "between", "tail", "beyond"])
def test_a_lost_factor_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(inversion, name)
    monkeypatch.setattr(inversion, name, lambda *q: 2 * right(*q))
    monkeypatch.setattr(replayed, name, lambda *q: 2 * right(*q))
    assert fails(inversion.probabilities(*inversion.TIES_UP))
    assert next(replayed.wrong_probabilities(4), "")


# Exact losses against their own rows


def test_the_record_lies_below_its_row_and_close_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    record = below.worst()
    assert record.above_its_row(SHARP) == ""
    change(interior, "excess", "+ y1 + y2 + y1p", "+ y2 + y1p", monkeypatch)
    monkeypatch.setattr(replay, "excess", interior.excess)
    assert "above" in record.above_its_row(SHARP)


def test_losses_lie_below_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = islice(below.adversarial(random.Random(4), TWELVE), 60)
    assert [fault for c in found if (fault := c.above_its_row(TWELVE))] == []
    monkeypatch.setattr(below, "adversarial", lambda rng, regime: iter(()))
    assert obligations.own_rows(Run()).status == "proved"  # the record alone
    monkeypatch.setattr(replay, "table", dict)
    assert obligations.own_rows(Run()).status == "refuted"


# The terms


def test_products_are_variables_of_their_own() -> None:
    x, y = z3.Reals("x y")
    half = Fraction(1, 2)
    assert terms.polynomial(-(x - 2) * (y + x) / 2) == {("x", "y"): -half, ("x", "x"): -half, ("y",): 1, ("x",): 1}
    with pytest.raises(ValueError, match="is not a polynomial"):
        terms.polynomial(x / y)
    assert fails(terms.flat("square", [x >= 0], x * x >= 0, x >= 1))  # a product is any number, unless a fact says more


def test_products_are_multiplied_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = z3.Reals("x y_of_a_wrong_product")
    monkeypatch.setattr(terms, "times", lambda p, q: {names: 2 * factor for names, factor in p.items()})
    with pytest.raises(ArithmeticError, match="has another polynomial"):
        terms.flat("product", [], x * y >= 0, x >= 0)


def test_a_function_without_a_meaning_is_not_used() -> None:
    x = z3.Real("x")
    with pytest.raises(ValueError, match="nothing is known of exp"):
        terms.Unfolding("x").unfolded(lambda n, sides: n.exp(sides["x"]))
    assert terms.Unfolding("x").unfolded(lambda n, sides: n.least(sides["x"], x))[1]


# Every row and every table is stated


def test_a_row_that_is_not_stated_is_noticed(few: list[rows.Row], monkeypatch: pytest.MonkeyPatch) -> None:
    fine = few[0].fine
    assert list(rows.unproved(fine, list(rows.families(fine)))) == []
    monkeypatch.setattr(rows, "SIDES", (False,))
    assert "no statement is about it" in next(rows.unproved(fine, list(rows.families(fine))))


def test_a_row_that_follows_from_no_other_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If rows were dropped that do not follow from others, the others would not keep what they promise."""
    monkeypatch.setattr(rows.Row, "implies", lambda self, other: True)
    stated = [Family("", [], [rows.statement(row, side) for row in rows.kept(True) for side in (False, True)])]
    assert next(rows.unproved(True, stated), "")
