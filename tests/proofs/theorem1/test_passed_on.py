"""What passes from lemma to lemma: a lemma that shows less than the next one uses is noticed, and so is a joint that
takes more for known than is shown."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from snapref_ledger import REGISTRY, Run
from snapref_proofs.theorem1 import (
    coarse,
    compose,
    coverage,
    edges,
    even,
    every,
    faithful,
    graph_obligation,
    grid,
    interior,
    inversion,
    joined,
    joined_inside,
    meanings,
    misread,
    obligations,
    pages,
    parity,
    premises,
    rows,
    slopes,
    statement,
    terms,
    ties,
    ties_obligations,
    words,
)
from snapref_proofs.theorem1.scenarios import HALF
from snapref_proofs.theorem1.statement import EIGHTEEN, EVEN, EVERY, SHARP, TWELVE, Regime
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Stated, Statement
from snapref_smt.engine.stating import STATED, listed
from tests.breaking import fails
from tests.changing import change

# Where the list of lemmas has a function itself, a change of the function in its module would not reach it
LATE: dict[str, Callable[[Regime], Iterable[Stated]]] = {
    "rounding": lambda regime: [*inversion.rounding(), *inversion.walk()],
    "probability": lambda regime: inversion.probabilities(*inversion.TIES_UP),
    "slopes": lambda regime: slopes.statements(),
    "cases": lambda regime: compose.regions(*inversion.TIES_UP),
    "premises": lambda regime: premises.premises(regime),
    "errors": lambda regime: [*joined.sizes(), *joined.relative()],
    "boundaries": lambda regime: grid.boundaries(),
    "rows.fine": lambda regime: rows.families(fine=True),
    "rows.coarse": lambda regime: rows.families(fine=False),
    "coverage.ends": lambda regime: coverage.ends(regime),
    "coverage.inside": lambda regime: coverage.inside(regime),
    "joined.ends": lambda regime: joined.ends(regime),
}
LEMMAS = {one.name: replace(one, states=LATE.get(one.name, one.states)) for one in compose.LEMMAS}


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "LEMMAS", tuple(LEMMAS.values()))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables have only rows with Λ = P/2 and τ2' ≥ P: to build all of them takes long."""
    for module in (rows, every, even):
        some = [row for row in module.table() if row.ell == (HALF, HALF) and row.pattern.near_p == 0]
        monkeypatch.setattr(module, "table", lambda some=some: some)
    monkeypatch.setattr(even, "stated_rows", even.stated_rows.__wrapped__)


PAGES = [name for name, lemma in LEMMAS.items() if lemma.page is not None]
ELSEWHERE = [
    *(f"theorem.every.{part}" for part in ("rows", "coverage", "joined")),
    *(f"theorem.ties.even.{part}" for part in ("program", "rows", "coverage", "joined")),
    *("theorem.coverage.independent", "theorem.joined.independent", "theorem.faithful"),
]
assert edges.CLAIM  # the last one is registered there


def on_page(name: str, regime: Regime = TWELVE) -> list[Statement]:
    """That a lemma, or an obligation of another chain, concludes what its page says."""
    built = STATED[name]() if name in ELSEWHERE else LEMMAS[name].stated(regime)
    named = [one for one in listed(built) if isinstance(one, Statement)]
    return [one for one in named if one.name.endswith(": its page") or one.name.startswith("not stated: ")]


# The page, and what is wrong: (module, function, what stands there, what stands there instead). The right function is
# called so that it says less; or it starts from more, or is left out
LESS: dict[str, tuple[ModuleType, str, str, str]] = {
    "errors: E_u ≤ 4η": (joined, "sizes", "here.e_u(scale)", "here.e_u(2 * scale)"),
    "errors: V with 2η": (joined, "sizes", "here.v_and_y(eta)", "here.v_and_y(2 * eta)"),
    "errors: g with 4η": (
        joined, "relative",
        "both_errors(eta) * eta * a, eta)",
        "both_errors(eta) * eta * a, 2 * eta)",
    ),
    "coarse: c' twice": (coarse, "few_values", "few(c, c_p, power), few", "few(c_p, c_p, power), few"),
    "cells: a larger D1": (grid, "_cells", "four.d1 <= fine, ", "four.d1 <= fine + four.h1, "),
    "cells: another spacing": (
        grid, "_cells",
        "far_most(four.sensitivity, four.h1,",
        "far_most(four.sensitivity, four.h2,",
    ),
    "cells: a narrower interval": (grid, "wide_enough", "found >= least, ", "found >= least - four.h1, "),
    "rounding: w ≥ T in one direction": (
        inversion, "rounding",
        "facts, (w >= t) == reached,",
        "facts, z3.Implies(reached, w >= t),",
    ),
    "rounding: u < q in one direction": (
        inversion, "walk",
        "facts, event == (u < q),",
        "facts, z3.Implies(u < q, event),",
    ),
    "probability: P for small Z": (
        inversion, "probabilities",
        "place], both_signs / 2 == value",
        "place], z3.Or(z > 1, both_signs / 2 == value)",
    ),
    "boundaries: half of the one fact": (
        grid, "boundaries",
        "z3.And(cell.beside(m)), twin",
        "z3.And(cell.beside(m)[:1]), twin",
    ),
    "cases: two of six cases": (
        compose, "regions",
        "[t1 < t2, c <= c_p], exactly_one",
        "[t1 < t2, c <= c_p], z3.Or(c_p < t1 - 1, exactly_one)",
    ),
    "slopes: a tangent of no length": (slopes, "_tangent", "start, moved, most), rise", "start, moved, moved), rise"),
    "premises: no δ": (premises, "each_kind", "z3.And(*claimed)", "z3.And(*claimed[:-1])"),
    "premises: Δ that is no power": (
        premises, "sensitivity",
        "z3.And(*here.sensitivity())",
        "z3.Or(*here.sensitivity(), z3.Not(multiple))",
    ),
    "rows.fine: a row on one side": (
        rows, "statement",
        "own, one_of(Fraction(0))",
        "own, z3.Or(one_of(Fraction(0)), four.delta < 0) if closed else one_of(Fraction(0))",
    ),
    "coverage.forward: c below x < 0": (
        coverage, "some_row",
        "z3.Or(False, *",
        "z3.Or(here.x < 0 if here.closed else False, *",
    ),
    "premises: η|x| taken for 0": (premises, "sizes", "(here.eta_x, eta * x)", "(here.eta_x, number(0))"),
    "coverage.forward: a large B needs no row": (
        coverage, "some_row",
        "row.pattern == p))",
        "row.pattern == p), here.bound > 9)",
    ),
    "coverage.backward: a small Δ needs no case": (
        coverage, "backward",
        "for case in known))",
        "for case in known), here.size < 1)",
    ),
    "premises: |δ| ≤ 2ηB": (premises, "offset", "small_offset(delta, most,", "small_offset(delta, 2 * most,"),
    "premises: spacings of one binade": (
        premises, "binades",
        "facts, z3.And(claimed)",
        "facts, z3.Or(t < 1, z3.And(claimed))",
    ),
    "parity: one parity of two": (parity, "stated", "facts, z3.And(*claimed), ", "facts, z3.Or(*claimed), "),
    "coverage.ends: distances up to 4B": (
        coverage, "ends",
        "for limit in (bound, bound / 2)",
        "for limit in (2 * bound, bound / 2)",
    ),
    "coverage.ends: D - d with more": (coverage, "ends", "moved(vp - v - d, h, hp)", "moved(vp - v - d, h + hp, hp)"),
    "coverage.inside: c' further away": (
        coverage, "_furthest",
        "r == cp - high], r <= furthest",
        "r == cp - high], r <= 2 * furthest",
    ),
    "rows.fine: a worse width": (rows, "promised", "gain=s.gain - less", "gain=s.gain - less, width=s.width - TOP"),
    "rows.coarse: cells that are not Λ apart": (
        rows, "parallel",
        "near == four.lattice, far == four.lattice",
        "near == far",
    ),
    "theorem.faithful: E_u ≤ 4η°": (faithful, "errors", "here.e_u(scale)", "here.e_u(2 * scale)"),
    "theorem.faithful: larger gaps": (
        faithful, "gaps",
        "small_gap(g, larger * eta_t)",
        "small_gap(g, 2 * larger * eta_t)",
    ),
    "theorem.faithful: conditions of η": (
        faithful, "conditions",
        "(larger, larger_beta, EIGHTEEN)",
        "(eta, beta, EIGHTEEN)",
    ),
    "joined.forward: a loss that rises": (
        joined, "OneSide.bounded",
        "return self.loss",
        "return self.loss - self.rise",
    ),
    "joined.ends: more than C": (
        joined, "ends",
        "across(loss, g, gp)], loss <= most",
        "across(loss, g, gp)], loss <= most + eta_a",
    ),
    "joined.inside: c in II": (joined_inside, "_both", "loss <= regime.limit(", "loss <= up + regime.limit("),
    "joined.inside: outputs between": (
        joined_inside, "_across",
        "holds(term)], loss <= most",
        "holds(term)], loss <= most + width",
    ),
    "rows.fine: one of two scenarios": (
        rows, "statement",
        "own, one_of(Fraction(0))",
        "own, z3.Or(one_of(Fraction(0)), four.delta < 0 if row.scenarios[1:] else False)",
    ),
    "coverage.lattices: Λ < 8P": (
        coverage, "lattice_sizes",
        "facts, here.ell < limit,",
        "facts, here.ell < 2 * limit,",
    ),
    "coverage.lattices: any Λ < P": (
        coverage, "lattice_sizes",
        "held, z3.Or(*known),",
        "held, z3.Or(*known, here.ell < 1),",
    ),
    "coverage.lattices: binades of small εV": (coverage, "binades", "held, moved,", "held, z3.Or(v > 2, moved),"),
    "coverage.ends: a large B needs no case": (
        coverage, "ends",
        "facts, z3.Or(*covered),",
        "facts, z3.Or(*covered, bound > 1),",
    ),
    "coverage.inside: a box without a side": (
        coverage, "inside",
        "z3.And(*sides(one.box, own))",
        "z3.And(*sides(one.box, own)[1:])",
    ),
    "coverage.forward: a row that needs no δ": (
        coverage, "Unknowns.covered",
        "[self.pattern(row.pattern), *self.assumed(row), ",
        "[self.pattern(row.pattern), ",
    ),
    "meanings: 2Y": (meanings, "_error_of_ln", "known, y <= term,", "known, y <= 2 * term,"),
    "theorem.every.rows: a row on one side": (
        every, "stated",
        "facts, promised(four, s, ZERO),",
        "facts, z3.Or(promised(four, s, ZERO), four.delta < 0),",
    ),
    "theorem.every.rows: twice the gain": (every, "grains", "facts, d2 <= most,", "facts, d2 <= 2 * most,"),
    "theorem.every.rows: the gain of a grain": (
        every, "grains",
        "gain <= most_gain(h, hp, ZERO)",
        "gain <= most_gain(h, hp, -ONE)",
    ),
    "theorem.every.coverage: a large B needs no case": (
        every, "other_ratio",
        "[], some,",
        "[], z3.Or(some, here.bound > 9),",
    ),
    "theorem.ties.even.program: w ≥ T in one direction": (
        ties, "_even_thresholds",
        "down, (w >= t) == (r >= t - g),",
        "down, z3.Implies(r >= t - g, w >= t),",
    ),
    "theorem.ties.even.program: w > T in one direction": (
        ties, "_even_thresholds",
        "up, (w > t) == (r > t + g),",
        "up, z3.Implies(w > t, r > t + g),",
    ),
    "theorem.ties.even.program: one more step": (inversion, "steps", "count, apart, 1)", "count, apart + 1, 1)"),
    "theorem.ties.even.rows: a row on one side": (even, "stated", "own, right,", "own, z3.Or(right, four.delta < 0),"),
    "theorem.coverage.independent: a large B needs no case": (
        coverage, "independent",
        "facts, z3.Or(*covered),",
        "facts, z3.Or(*covered, bound > 9),",
    ),
    "theorem.every.coverage: Δ is known": (
        every, "forward",
        "some_row(unknowns(",
        "some_row(type('', (unknowns,), {'sensitivity': Unknowns.sensitivity})(",
    ),
    "theorem.ties.even.coverage: ties up, the other ratio": (
        even, "covered",
        "coverage.backward(closed, ell, regime, Even)",
        "coverage.backward(closed, ell, regime)",
    ),
    "theorem.ties.even.coverage: ties up, the sizes of Λ": (
        even, "covered",
        "lattice_sizes(regime, Even)",
        "lattice_sizes(regime)",
    ),
    "theorem.every.coverage: c anywhere": (coverage, "Unknowns.fits", "reaches=())", "reaches=(), reach_of_c=None)"),
    "coverage.backward: a case without a room": (
        coverage, "applies",
        "here.ell, here.eta), here.bound",
        "here.ell, here.eta)[1:], here.bound",
    ),
    "coverage.backward: one side": (coverage, "tables", "for closed in SIDES", "for closed in SIDES[1:]"),
    "premises: no binades": (premises, "premises", ", *binades()]", "]"),
    "theorem.joined.independent: one ratio": (joined, "independent", "(False, True))", "(False,))"),
}  # fmt: skip


# The joints of another chain, with a constant that is not theirs
CONSTANTS = {
    "theorem.every.joined": (every, "joints", "forward(regime)", "forward(replace(regime, constant=18))"),
    "theorem.ties.even.joined": (even, "joints", "backward(regime)", "backward(replace(regime, constant=12))"),
}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("id", CONSTANTS)
def test_a_constant_of_another_chain_is_noticed(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, old, new = CONSTANTS[id]
    monkeypatch.setattr(module, "replace", replace, raising=False)
    change(module, function, old, new, monkeypatch)
    assert fails(on_page(id))


MEANT = "left.pop(member.name, nothing)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"member.conclusion == {MEANT}", f"z3.Implies({MEANT}, member.conclusion)"),
        (f"member.conclusion == {MEANT}", f"z3.Implies(member.conclusion, {MEANT})"),
        ("z3.And(*common) == left.pop(one.name, nothing)", "z3.BoolVal(left.pop(one.name, nothing) is not None)"),
        (" or not universal", ""),
        ("for name in left)", "for name in ())"),
    ],
)
def test_a_page_that_sees_nothing_is_noticed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(pages.blind())
    change(pages, "compared", old, new, monkeypatch)
    assert list(pages.blind())


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", LESS)
def test_a_lemma_that_shows_less_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(*LESS[name], monkeypatch)
    assert fails(on_page(name.partition(": ")[0]))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("name", [*PAGES, *ELSEWHERE])
def test_a_lemma_that_shows_enough_is_on_its_page(name: str) -> None:
    found = on_page(name)
    assert found
    assert not fails(found)


@pytest.mark.usefixtures("few")
def test_every_lemma_that_states_something_has_a_page() -> None:
    assert [name for name, lemma in LEMMAS.items() if lemma.states is not None and lemma.page is None] == ["words"]
    stated = [one for name in PAGES for one in on_page(name, SHARP)]
    assert decide_all([*stated, *words.words(SHARP)], Run()).status == "proved"


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
    "a step of its own κ and ℓ": ("self.bound, self.kappa, self.ell,", "self.bound, *args[2:4],"),
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


# The same without a quantity: what a joint takes for known of a word does not follow
TAKEN: dict[str, tuple[ModuleType, str, str, str]] = {
    **{name: (joined, "OneSide.meaning", *MORE[name]) for name in MORE if "a step of" not in name},
    "Y is half of it": (joined, "OneSide.meaning", "self.scaled(value - one.y)", "self.scaled(value - 2 * one.y)"),
    "a product": (joined, "OneSide.meaning", "multiplied(self.average, room),", "self.average * room >= 0,"),
    "another product": (joined, "OneSide.meaning", "in_turn(self.s, x, rest)]", "(self.s * x * rest >= 0,)]"),
    "one step less": (joined, "OneSide.meaning", "t1p, t2p), value)", "t1p, t2p), value - 1)"),
    "fewer steps": (joined, "OneSide.meaning", "t1p, t2p), value)", "t1p, t2p) + 1, value)"),
    "a slope further on": (joined, "OneSide.meaning", "apart, self.further)", "apart, self.further + 1)"),
    "N anywhere": (joined, "OneSide.meaning", "value, low, self.s * self.start,", "value, low, low,"),
    "half of the slopes": (joined_inside, "Inside.concave", "<= x * e + y * f", "<= (x * e + y * f) / 2"),
    "larger slopes": (joined_inside, "Inside.concave", "<= x * e + y * f", "<= 2 * (x * e + y * f)"),
    "a tangent elsewhere": (joined_inside, "Inside.concave", "z3.And(p == a, q == g)", "p == a"),
    "a tangent below, elsewhere": (joined_inside, "Inside.concave", "a - p == self.h * e,", "a - p >= self.h * e,"),
    "a quotient": (joined_inside, "Inside.concave", "multiplied(most - self.quotient, rest)", "self.quotient <= most"),
    "N around c": (joined_inside, "Beside.concave", "start, moved, most)]", "start, moved, moved)]"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_a_word_of_which_more_is_taken_for_known_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not fails(words.words(TWELVE))
    change(*TAKEN[name], monkeypatch)
    assert fails(words.words(TWELVE))


def test_a_step_that_is_too_small_where_the_box_touches_0_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "Numbers.largest_steps", "else steps", "else [steps[0] / 2]", monkeypatch)
    assert not fails(meanings._step(TWELVE))
    assert fails(meanings.meanings(TWELVE))


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


# What is put before the interval engines, and what is registered


def half_of_the_list(regime: Regime) -> Iterable[Any]:
    return islice(even.inequalities(regime), 100)


FORWARD, IN_PART = LEMMAS["forward"], replace(ties_obligations.TIES_TO_EVEN, bounds=half_of_the_list)
OPTIMISED: dict[str, tuple[str, compose.Lemma, Regime]] = {
    "forward, 13": ("theorem.forward.12", FORWARD, replace(TWELVE, constant=13)),
    "forward, more β": ("theorem.forward.11", FORWARD, replace(SHARP, slope=65)),
    "every, 13": ("theorem.every", obligations.EVERY_DELTA, replace(EVERY, constant=13)),
    "every, more β": ("theorem.every", obligations.EVERY_DELTA, replace(EVERY, slope=33)),
    "every, a smaller box": ("theorem.every", obligations.EVERY_DELTA, replace(EVERY, min_precision=12)),
    "independent, 19": ("theorem.independent", compose.INDEPENDENT, replace(EIGHTEEN, constant=19)),
    "even, 12": ("theorem.ties.even", ties_obligations.TIES_TO_EVEN, replace(EVEN, constant=12)),
    "even, ties up": ("theorem.ties.even", ties_obligations.TIES_TO_EVEN, replace(EVEN, ties="up")),
    "even, a part of the list": ("theorem.ties.even", IN_PART, EVEN),
}


@pytest.mark.parametrize("name", OPTIMISED)
def test_other_inequalities_than_those_that_are_joined_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    id, lemma, regime = OPTIMISED[name]
    monkeypatch.setattr(graph_obligation, "OPTIMISED", {id: graph_obligation.OPTIMISED[id]})
    assert graph_obligation.optimised(Run()).status == "proved"
    monkeypatch.setitem(REGISTRY, id, replace(REGISTRY[id], check=lambda run: lemma.check(regime, run)))
    outcome = graph_obligation.optimised(Run())
    assert outcome.status == "refuted"
    assert outcome.detail.startswith(id)


@pytest.mark.parametrize(
    ("module", "function", "old", "new"),
    [
        (obligations, "register", "count=lemma.count,", ""),
        (obligations, "register", "return lemma.check(regime, run)", "return Outcome('proved')"),
        (compose, "Lemma.stated", "*self.states(self.seen(regime))", "*self.states(regime)"),
        (compose, "Lemma.stated", "*self.states(self.seen(regime))", "*self.states(self.seen(TWELVE))"),
        (compose, "Lemma.stated", "self.page(self.seen(regime))", "self.page(self.seen(TWELVE))"),
        (compose, "Lemma.check", "given = self.seen(regime)", "given = self.seen(TWELVE)"),
    ],
)
def test_a_lemma_that_is_registered_in_part_is_noticed(
    module: ModuleType, function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not list(compose.unchecked(Run(), graph_obligation.as_registered))
    change(module, function, old, new, monkeypatch)
    monkeypatch.setattr(graph_obligation, "register", obligations.register)
    assert list(compose.unchecked(Run(), graph_obligation.as_registered))


@pytest.mark.parametrize(
    ("module", "function", "old", "new"),
    [
        (obligations, "register", "return lemma.stated(regime)", "return lemma.states(lemma.seen(regime))"),
        (compose, "Lemma.stated", "built if self.page is None else", "built if True else"),
        (pages, "with_page", "[*built, *compared(built, page)]", "built"),
    ],
)
def test_a_lemma_without_its_page_is_noticed(
    module: ModuleType, function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert graph_obligation.as_registered(LEMMAS["offsets"], TWELVE, Run()).status == "proved"
    change(module, function, old, new, monkeypatch)
    monkeypatch.setattr(compose, "with_page", pages.with_page)
    monkeypatch.setattr(graph_obligation, "register", obligations.register)
    assert graph_obligation.as_registered(LEMMAS["offsets"], TWELVE, Run()).status == "error"


def test_a_constant_that_is_a_little_larger_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    id = "theorem.ends.12"
    monkeypatch.setattr(graph_obligation, "OPTIMISED", {id: graph_obligation.OPTIMISED[id]})
    change(terms, "Texts.__call__", "str(Fraction(x))", "f'{float(x):.2g}'", monkeypatch)
    assert graph_obligation.optimised(Run()).status == "error"


OF_A_KIND = ("parity", "head", "pattern", "loose")


@pytest.mark.parametrize("part", OF_A_KIND)
def test_a_row_that_stands_for_one_of_another_kind_is_noticed(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compose._rows(fine=True)  # before it is changed

    def kind(row: rows.Row) -> tuple[Any, ...]:
        return *(getattr(row, one) for one in OF_A_KIND if one != part), len(row.scenarios)

    place = OF_A_KIND.index(part)
    assert list(rows.stand_in(place))
    monkeypatch.setattr(rows.Row, "kind", property(kind))
    assert not list(rows.stand_in(place))
    assert LEMMAS["rows.fine"].check(TWELVE, Run()).status == "error"
