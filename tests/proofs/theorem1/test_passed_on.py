"""What passes from lemma to lemma: a lemma that shows less than the next one uses is noticed, and so is a joint that
takes more for known than is shown."""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from snapref_ledger import Run
from snapref_proofs.theorem1 import (
    coarse,
    compose,
    coverage,
    even,
    every,
    faithful,
    grid,
    inversion,
    joined,
    joined_inside,
    meanings,
    misread,
    parity,
    passed_on,
    premises,
    rows,
    slopes,
    statement,
)
from snapref_proofs.theorem1.statement import EVERY, SHARP, TWELVE, Regime
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Statement
from tests.breaking import fails
from tests.changing import change

# Where the list of lemmas has a function itself, a change of the function in its module would not reach it
LATE: dict[str, Callable[[Regime], list[Statement]]] = {
    "rounding": lambda regime: [*inversion.rounding(), *inversion.walk()],
    "probability": lambda regime: inversion.probabilities(*inversion.TIES_UP),
    "slopes": lambda regime: slopes.statements(),
    "cases": lambda regime: compose.regions(*inversion.TIES_UP),
    "premises": lambda regime: premises.premises(regime),
    "errors": lambda regime: [*joined.sizes(), *joined.relative()],
    "boundaries": lambda regime: grid.boundaries(),
    "coverage.ends": lambda regime: coverage.ends(regime),
    "joined.ends": lambda regime: joined.ends(regime),
}
LEMMAS = {one.name: replace(one, states=LATE.get(one.name, one.states)) for one in compose.LEMMAS}


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "LEMMAS", tuple(LEMMAS.values()))


# (module, function, what stands there, what stands there instead): the right function, called so that it says less
LESS: dict[str, tuple[ModuleType, str, str, str]] = {
    "E_u ≤ 4η": (joined, "sizes", "here.e_u(scale)", "here.e_u(2 * scale)"),
    "V with 2η": (joined, "sizes", "here.v_and_y(eta)", "here.v_and_y(2 * eta)"),
    "g with 4η": (joined, "relative", "both_errors(eta) * eta * a, eta)", "both_errors(eta) * eta * a, 2 * eta)"),
    "c' twice": (coarse, "few_values", "few(c, c_p, power), few", "few(c_p, c_p, power), few"),
    "a larger D1": (grid, "_cells", "four.d1 <= fine, ", "four.d1 <= fine + four.h1, "),
    "another spacing": (grid, "_cells", "far_most(four.sensitivity, four.h1,", "far_most(four.sensitivity, four.h2,"),
    "a narrower interval": (grid, "wide_enough", "found >= least, ", "found >= least - four.h1, "),
    "w ≥ T in one direction": (
        inversion, "rounding",
        "facts, (w >= t) == reached,",
        "facts, z3.Implies(reached, w >= t),",
    ),
    "u < q in one direction": (inversion, "walk", "facts, event == (u < q),", "facts, z3.Implies(u < q, event),"),
    "P for small Z": (
        inversion, "probabilities",
        "place], both_signs / 2 == value",
        "place], z3.Or(z > 1, both_signs / 2 == value)",
    ),
    "half of the one fact": (grid, "boundaries", "z3.And(cell.beside(m)), twin", "z3.And(cell.beside(m)[:1]), twin"),
    "two of six cases": (
        compose, "regions",
        "[t1 < t2, c <= c_p], exactly_one",
        "[t1 < t2, c <= c_p], z3.Or(c_p < t1 - 1, exactly_one)",
    ),
    "a tangent of no length": (slopes, "_tangent", "start, moved, most), rise", "start, moved, moved), rise"),
    "no δ": (premises, "each_kind", "z3.And(*claimed)", "z3.And(*claimed[:-1])"),
    "Δ that is no power": (
        premises, "sensitivity",
        "z3.And(*here.sensitivity())",
        "z3.Or(*here.sensitivity(), z3.Not(multiple))",
    ),
    "a row on one side": (
        rows, "statement",
        "own, one_of(Fraction(0))",
        "own, z3.Or(one_of(Fraction(0)), four.delta < 0) if closed else one_of(Fraction(0))",
    ),
    "c below x < 0": (coverage, "some_row", "z3.Or(False, *", "z3.Or(here.x < 0 if here.closed else False, *"),
    "η|x| taken for 0": (premises, "sizes", "(here.eta_x, eta * x)", "(here.eta_x, number(0))"),
    "a large B needs no row": (coverage, "some_row", "row.pattern == p))", "row.pattern == p), here.bound > 9)"),
    "a small Δ needs no case": (coverage, "backward", "for case in known))", "for case in known), here.size < 1)"),
    "|δ| ≤ 2ηB": (premises, "offset", "small_offset(delta, most,", "small_offset(delta, 2 * most,"),
    "spacings of one binade": (premises, "binades", "facts, z3.And(claimed)", "facts, z3.Or(t < 1, z3.And(claimed))"),
    "one parity of two": (parity, "stated", "facts, z3.And(*claimed), ", "facts, z3.Or(*claimed), "),
    "distances up to 4B": (coverage, "ends", "for limit in (bound, bound / 2)", "for limit in (2 * bound, bound / 2)"),
    "D - d with more": (coverage, "ends", "moved(vp - v - d, h, hp)", "moved(vp - v - d, h + hp, hp)"),
    "c' further away": (coverage, "_furthest", "r == cp - high], r <= furthest", "r == cp - high], r <= 2 * furthest"),
    "a worse width": (rows, "promised", "gain=s.gain - less", "gain=s.gain - less, width=s.width - TOP"),
    "cells that are not Λ apart": (rows, "parallel", "near == four.lattice, far == four.lattice", "near == far"),
    "faithful, E_u ≤ 4η°": (faithful, "errors", "here.e_u(scale)", "here.e_u(2 * scale)"),
    "faithful, larger gaps": (faithful, "gaps", "small_gap(g, larger * eta_t)", "small_gap(g, 2 * larger * eta_t)"),
    "conditions of η": (faithful, "conditions", "(larger, larger_beta, EIGHTEEN)", "(eta, beta, EIGHTEEN)"),
    "a loss that rises": (joined, "OneSide.bounded", "return self.loss", "return self.loss - self.rise"),
    "more than C": (joined, "ends", "across(loss, g, gp)], loss <= most", "across(loss, g, gp)], loss <= most + eta_a"),
    "c in II": (joined_inside, "_both", "loss <= regime.limit(", "loss <= up + regime.limit("),
    "outputs between": (joined_inside, "_across", "holds(term)], loss <= most", "holds(term)], loss <= most + width"),
}  # fmt: skip


# The joints of another chain, with a constant that is not theirs
ELSEWHERE = {
    "every": (every, "joints", "joined.forward(regime)", "joined.forward(replace(regime, constant=18))"),
    "even": (even, "joints", "joined.backward(regime)", "joined.backward(replace(regime, constant=12))"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_constant_of_another_chain_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, old, new = ELSEWHERE[name]
    monkeypatch.setattr(module, "replace", replace, raising=False)
    change(module, function, old, new, monkeypatch)
    assert fails([one for chain in passed_on.other_chains() for one in passed_on.compared(*chain)])


def test_a_page_that_sees_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(passed_on.blind())
    change(passed_on, "compared", "found[name] == meant", "z3.Or(found[name], z3.Not(meant))", monkeypatch)
    assert list(passed_on.blind())


@pytest.mark.parametrize("name", LESS)
def test_a_lemma_that_shows_less_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, old, new = LESS[name]
    change(module, function, old, new, monkeypatch)
    assert fails(list(passed_on.passed_on(TWELVE)))


def test_every_lemma_of_the_page_is_one_of_the_proof() -> None:
    assert passed_on.PASSED_ON.keys() <= LEMMAS.keys()
    assert decide_all(passed_on.passed_on(SHARP), Run()).status == "proved"


@pytest.mark.parametrize("more", ["(self.slope + (self.slope > 0)) * beta", "self.slope * beta + self.slope // 32"])
def test_the_bound_of_the_theorem_is_what_the_regime_says(more: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(statement, "Regime.at", "self.slope * beta", more, monkeypatch)
    assert fails(meanings.theorem(SHARP)) or fails(meanings.theorem(EVERY))


# What a joint takes for known of a word, if it is given the wrong numbers
MORE = {
    "y_error of another κ": ("kappa == self.kappa, z3.And(known)", "kappa == kappa, z3.And(known)"),
    "y_error of τ": ("fits(one.size, distance)", "fits(one.tau, distance)"),
    "places of other numbers": ("zip(args, (self.a, self.ell, self.slack),", "zip(args, args,"),
    "a place of V": ('].tau <= value', '].size <= value'),
    "a step of its own room": ("right_step(args, self.t, self.bound,", "right_step(args, self.t, args[1],"),
    "a step of its own κ and ℓ": ("self.bound, self.kappa, self.ell)", "self.bound, *args[2:])"),
    "a slope of another s": ("z3.Implies(s == self.s, known)", "known"),
}  # fmt: skip


@pytest.mark.parametrize("name", MORE)
def test_a_joint_that_takes_more_for_known_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(joined, "OneSide.meaning", *MORE[name], monkeypatch)
    noticed = []
    for joint in ("joined.forward", "joined.backward"):
        lemma = replace(LEMMAS[joint], states=None, count=0)
        noticed.append(lemma.check(TWELVE, Run()).status == "error")
    assert any(noticed)


def test_a_quantity_that_is_assumed_to_be_smaller_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(joined, "OneSide.stated", "[holds(term)]", "[holds(term + self.scale)]", monkeypatch)
    assert replace(LEMMAS["joined.forward"], states=None, count=0).check(TWELVE, Run()).status == "error"


def test_a_quantity_of_another_constant_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = "replace(regime, constant=10)"
    change(joined, "_forward", "interior.excess(row, regime,", f"interior.excess(row, {other},", monkeypatch)
    assert replace(LEMMAS["joined.forward"], states=None, count=0).check(TWELVE, Run()).status == "error"
    change(joined_inside, "inside", "optimised or regime", other, monkeypatch)
    monkeypatch.setattr(joined_inside, "replace", replace, raising=False)
    assert replace(LEMMAS["joined.inside"], states=None, count=0).check(TWELVE, Run()).status == "error"


@pytest.mark.parametrize("place", range(3))
def test_the_steps_of_ties_to_even_need_the_right_numbers(place: int) -> None:
    check = misread.misreadings(even.in_steps, [misread.STEPS[place]])[-1]
    assert next(check(statement.EVEN))


# Sides and cases


SAME = {
    "boundaries": (grid, "boundaries", "z3.RealVal(1), lo, closed)", "z3.RealVal(1), lo, False)"),
    "parity": (parity, "stated", "(closed, ANY, TWELVE), Four(closed)", "(False, ANY, TWELVE), Four(False)"),
    "coverage.backward": (coverage, "backward", "unknowns(closed, ell, regime)", "unknowns(False, ell, regime)"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_one_side_that_is_stated_twice_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(*SAME[name], monkeypatch)
    outcome = LEMMAS[name].check(TWELVE, Run())
    assert outcome.status == "error"
    assert "different statements" in outcome.detail


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        ("backward", "[here.head(head)], covered", "[here.head(head), here.t2p <= here.t1], covered"),
        ("backward", "for head in HEADS:", "for head in list(HEADS)[1:]:"),
        ("some_row", "[here.pattern(p)], covered", "[here.pattern(p), here.t2p <= here.t1], covered"),
    ],
)
def test_a_case_that_is_left_out_is_noticed(function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(coverage, function, old, new, monkeypatch)
    half = coverage.HALF, coverage.HALF
    table = coverage.backward if function == "backward" else coverage.forward
    assert fails(table(False, half, TWELVE))


def test_a_size_of_the_sensitivity_that_is_not_asked_for_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a row assumes of Δ is what coverage asks for: one formula, which the rows need."""
    change(rows, "has_size", "of_size(sensitivity, size)", "z3.BoolVal(True)", monkeypatch)
    assert fails(next(family for family in rows.families(fine=False) if "H = 2Δ" in family.name))
