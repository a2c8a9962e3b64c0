"""Theorem 1: no configuration is left out of the tables, and a table that leaves one out is noticed, with a model."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
import z3

from snapref_ledger import Run
from snapref_proofs.theorem1 import (
    compose,
    coverage,
    grid,
    independent,
    instances,
    instances_obligations,
    interior,
    inversion,
    joined,
    joined_inside,
    multiples,
    one_threshold,
    reach,
    replay,
    rows,
    two_sided,
)
from snapref_proofs.theorem1.grid import Four
from snapref_proofs.theorem1.scenarios import DEEP, Pattern, Scenario
from snapref_proofs.theorem1.statement import EIGHTEEN, SHARP, TWELVE, Regime
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Family
from snapref_smt.engine.stating import besides
from tests.breaking import fails
from tests.changing import change

EIGHTH = (Fraction(1, 8), Fraction(1, 8))
HALF = (Fraction(1, 2), Fraction(1, 2))
ONE, TWO = (Fraction(1), Fraction(1)), (Fraction(2), Fraction(2))
REAL = rows.table()
LEMMAS = {lemma.name: lemma for lemma in compose.LEMMAS}


def uncovered(family: Family) -> bool:
    """Whether a member fails, with a model: a configuration that nothing covers. One solver is enough to see it."""
    outcome = decide(family, Run(solvers=("z3",)))
    return outcome.status == "undecided" and "B = " in outcome.detail


# A table that says nothing is not proved


def test_a_conclusion_that_is_true_is_noticed() -> None:
    family = coverage.forward(False, TWO, TWELVE)
    first, second, *others = family.members
    broken = replace(family, members=[first, replace(second, conclusion=z3.BoolVal(True)), *others])
    outcome = decide(broken, Run())
    assert outcome.status == "error"
    assert f"{second.name}: the conclusion holds without the hypotheses" in outcome.detail


def test_members_without_twins_are_noticed() -> None:
    family = coverage.backward(True, TWO, TWELVE)
    without = replace(family, members=[replace(member, twin=None) for member in family.members])
    assert "no member has a twin that fails" in decide(without, Run()).detail


def test_facts_that_contradict_each_other_are_noticed() -> None:
    family = coverage.backward(True, TWO, TWELVE)
    bound = z3.Real("B")
    outcome = decide(replace(family, common=[*family.common, bound < 0]), Run())
    assert outcome.status == "error"
    assert "the common hypotheses are unsat" in outcome.detail


@pytest.mark.parametrize("fine", [True, False])
def test_a_row_that_says_nothing_is_noticed(fine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    few = rows.kept(fine)[:2]
    monkeypatch.setattr(rows, "kept", lambda fine: few)
    family = next(rows.families(fine))
    first, *others = family.members
    assert decide(family, Run()).status == "proved"
    assert decide(family, Run(solvers=("z3",))).status == "undecided"
    for broken, words in (
        (replace(first, conclusion=z3.BoolVal(True)), "the conclusion holds without the hypotheses"),
        (replace(first, twin=None), "its twin does not fail"),
        (replace(first, hypotheses=[z3.BoolVal(False)]), "its twin does not fail"),
    ):
        outcome = decide(replace(family, members=[broken, *others]), Run())
        assert outcome.status == "error"
        assert f"{first.name}: {words}" in outcome.detail


# What is left out of a table is noticed


@pytest.mark.parametrize(
    ("place", "closed", "ell"),
    [
        ("δ = 0", False, EIGHTH),
        ("x = 0", True, ONE),  # elsewhere |x| ≤ P/4 has room for it
        ("|x| ≤ P/4", True, EIGHTH),
        ("x = -1/2P", False, EIGHTH),
        ("x = 1/2P", True, EIGHTH),
        ("x = 1/2P, parity of c'", True, HALF),
        ("x = 1P", True, HALF),
        ("|x| = 1/2P", False, EIGHTH),
        ("|x| = 1/2P, parity of both", True, EIGHTH),
        ("|x| ≥ 2P", False, EIGHTH),
    ],
)
def test_a_place_that_is_left_out_is_noticed(
    place: str, closed: bool, ell: coverage.Ell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "table", lambda: [row for row in REAL if row.place != place])
    assert uncovered(coverage.forward(closed, ell, TWELVE))


@pytest.mark.parametrize("head", list(coverage.HEADS))
def test_a_size_of_delta_that_is_left_out_is_noticed(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "table", lambda: [row for row in REAL if row.head != head])
    assert uncovered(coverage.forward(False, EIGHTH, TWELVE))


def test_a_pattern_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "patterns", lambda: iter([Pattern(0, 0, 0), Pattern(DEEP, DEEP, DEEP)]))
    assert uncovered(coverage.forward(False, EIGHTH, TWELVE))


def test_a_wrong_offset_is_not_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    right = rows.offset_limits

    def narrow(place: str, ell: Fraction) -> rows.Limits:
        low, high = right(place, ell)
        return (low, high) if place != "x = 0" or high is None else (low, high / 2)

    monkeypatch.setattr(rows, "offset_limits", narrow)
    assert uncovered(coverage.forward(False, ONE, TWELVE))


def test_a_lower_bound_of_b_that_is_too_large_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "anywhere", lambda a, ell, eta: a / 2)
    monkeypatch.setattr(rows, "table", rows.table.__wrapped__)  # the table anew, with the wrong bound
    assert uncovered(coverage.forward(False, HALF, TWELVE))
    assert uncovered(coverage.backward(False, HALF, TWELVE))


def test_a_box_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = interior.box_of

    def smaller(scenario: Any, regime: Regime) -> Any:
        box = right(scenario, regime)
        return box and {**box, "a": (box["a"][0], box["a"][1] - Fraction(1, 8))}

    monkeypatch.setattr(interior, "box_of", smaller)
    assert uncovered(coverage.forward(True, EIGHTH, TWELVE))


def test_distances_larger_than_they_are_taken_for_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = interior.Numbers.places
    monkeypatch.setattr(interior.Numbers, "places", lambda self, *args: (right(self, *args)[0],) * 3 + (self(0),))
    assert uncovered(coverage.forward(True, EIGHTH, TWELVE))


@pytest.mark.parametrize("place", ["|x| ≤ 4P", "|x| ≥ 8P"])  # x = 0 is a case of the first, with a larger B
def test_a_case_of_the_other_ratio_that_is_left_out_is_noticed(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [case for case in interior.backward() if case.place != place]
    monkeypatch.setattr(interior, "backward", lambda: iter(kept))
    assert uncovered(coverage.backward(True, ONE, SHARP))  # where p may be 7, the first covers the second


def test_an_end_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [end for end in one_threshold.ends() if end.steps != "K = 1"]
    monkeypatch.setattr(one_threshold, "ends", lambda: iter(kept))
    assert fails(coverage.ends(TWELVE))


def test_conditions_beyond_the_regime_are_not_covered() -> None:
    """Without B·η/λ ≤ 2**-7 thresholds move by more than the boxes allow for."""
    assert fails(coverage.lattice_sizes(replace(TWELVE, max_beta=Fraction(2))))
    assert fails(coverage.inside(replace(TWELVE, max_beta=Fraction(4, 3))))


# the walk back from ⊕ to u


def test_the_walk_needs_the_parity_of_the_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    right = inversion._around
    monkeypatch.setattr(inversion, "_around", lambda t, low, high, closed: right(t, low, high, z3.BoolVal(True)))
    assert fails(inversion.walk())


def test_the_walk_needs_rounding_to_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    right = inversion.to_nearest
    monkeypatch.setattr(inversion, "to_nearest", lambda r, a, b, result, even: right(r, a, b, result, z3.Bool("any")))
    assert fails(inversion.walk())


# the facts that the rows start from


def test_every_multiple_is_one() -> None:
    assert list(multiples.strays()) == []


@pytest.mark.parametrize("name", ["Lambda", "H", "h2p"])
def test_a_number_that_is_no_multiple_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(multiples.DIVISORS, name, frozenset())
    assert list(multiples.strays())
    assert LEMMAS["boundaries"].check(TWELVE, Run()).status == "refuted"


def test_half_a_spacing_is_no_multiple(monkeypatch: pytest.MonkeyPatch) -> None:
    right = grid.Four.fine
    monkeypatch.setattr(grid.Four, "fine", lambda self: right(self) + self.c2.beside(self.c2.lo + self.h2 / 2))
    with pytest.raises(ValueError, match="is not a sum"):
        list(multiples.strays())
    x, y = z3.Reals("x y")
    assert multiples.terms(2 * x - y + 3 - y) == {"x": 2, "y": -2, "": 3}


def test_a_use_that_asks_nothing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid.Four, "edges", lambda self: [])
    assert any("nothing is asked" in stray for stray in multiples.strays())


# the same on real numbers


def test_the_facts_about_cells_are_true_of_real_configurations() -> None:
    """A false fact would prove anything: each row's facts are consistent with the exact numbers of a configuration."""
    found = 0
    for configuration in islice(replay.configurations(random.Random(11), TWELVE), 120):
        numbers = exact_cells(configuration)
        if numbers is None:
            continue
        closed, head, pattern, place, values = numbers
        same = [r for r in REAL if (r.head, r.pattern, r.place, r.ell) == (head, pattern, *place)]
        for row in same:
            solver = z3.Solver()
            solver.add(
                *rows.facts(head, closed), *rows.widths(Four(closed), pattern), *rows.statement(row, closed).hypotheses
            )
            solver.add(*(z3.Real(name) == rows.number(value) for name, value in values.items()))
            assert solver.check() == z3.sat, (configuration, row)
            found += 1
    assert found > 20


def exact_cells(configuration: replay.Configuration) -> Any:
    """The variables of grid.Four, in units of u, with the row that replay.py finds."""
    distances = configuration.distances()
    if distances is None or configuration.c == configuration.c_p:
        return None
    closed, (t2, t1), (t2p, t1p) = distances
    p, lattice = configuration.parameters.precision, configuration.parameters.lattice
    r2, r1, r2p, top = (replay.rounded(t, closed, p) for t in (t2, t1, t2p, t1p))
    unit, delta = top.spacing / 2, t1 - t2 - lattice
    head, scenario = configuration.head(top), configuration.row(TWELVE)
    assert isinstance(scenario, Scenario)
    place = scenario.name.split(", ", 1)[1]
    pattern = Pattern(*(replay.binade(r.power, top.power) for r in (r2, r1, r2p)))

    def low(t: Fraction, h: Fraction) -> Fraction:
        return t if h == 0 else ((-(-t // h) - 1) * h if closed else t // h * h)

    h2, h1, h2p = r2.spacing, r1.spacing, r2p.spacing
    lows = {"c2": (t2, h2), "c1": (t1, h1), "c2p": (t2p, h2p), "c1p": (t1p, top.spacing)}
    lows |= {"t2_in_h1": (t2, h1), "t2_in_h2p": (t2, h2p), "t2p_in_H": (t2p, top.spacing)}
    lows |= {"t2+delta_in_h1": (t2 + delta, h1), "t2p+delta_in_H": (t2p + delta, top.spacing)}
    values = {f"lo_{name}": low(t, h) for name, (t, h) in lows.items()}
    values |= {"t2": t2, "d": t2p - t2, "delta": delta, "Delta": configuration.sensitivity, "Lambda": lattice}
    values |= {"h2": h2, "h1": h1, "h2p": h2p, "H": top.spacing}
    size = max(lattice / top.power, replay.SMALL)
    ell = next(row.ell for row in REAL if row.ell[1] == size)
    assert configuration.parameters.bound >= abs(configuration.c)
    return closed, head, pattern, (place, ell), {name: value / unit for name, value in values.items()}


# the lemmas, on a part of their tables


def test_a_row_that_promises_too_much_is_found_among_others(monkeypatch: pytest.MonkeyPatch) -> None:
    few = rows.kept(fine=True)[:3]
    wrong = replace(few[0], scenarios=tuple(replace(s, apart=s.apart - 1) for s in few[0].scenarios))
    monkeypatch.setattr(rows, "kept", lambda fine: [*few, wrong])
    found = [decide(family, Run(solvers=("z3",))).detail for family in rows.families(fine=True)]
    assert sum("z3 sat" in detail for detail in found) == 2  # on both sides of c
    monkeypatch.setattr(rows, "kept", lambda fine: [])
    assert list(rows.families(fine=True)) == []


def test_a_row_implies_only_what_it_is_sharper_than() -> None:
    row = next(row for row in REAL if row.place == "|x| ≤ P/4")
    less = replace(row, scenarios=tuple(replace(s, gain=s.gain + 1) for s in row.scenarios))
    assert row.implies(less)
    assert not less.implies(row)
    assert not row.implies(replace(less, scenarios=tuple(replace(s, parallel=True) for s in less.scenarios)))


def test_every_table_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both directions, both sides of c, every Λ; and one that is empty fails."""
    sizes = [TWO, (Fraction(0), Fraction(1, 64))]
    monkeypatch.setattr(coverage, "lattices", lambda: iter(sizes))
    monkeypatch.setattr(interior, "backward", lambda: iter([]))
    families = [*coverage.tables(coverage.forward, TWELVE), *coverage.tables(coverage.backward, TWELVE)]
    assert len(families) == len({family.name for family in families}) == 8
    assert [uncovered(family) for family in families if family.name.startswith("backward")] == [True] * 4


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        ("between_sides", "low * unit <= value, ", ""),
        ("between_sides", "value <= high * unit", "value <= high"),
        ("between_sides", "in box.items()", "in list(box.items())[1:]"),
        ("Extreme.__ge__", "z3.And if self.least", "z3.Or if self.least"),
        ("Extreme.__sub__", "one - term", "one"),
    ],
)
def test_what_compares_with_a_box_leaves_out_nothing(
    function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(coverage, function, old, new, monkeypatch)
    assert fails(coverage.comparisons())


def test_a_row_whose_box_does_not_hold_the_configuration_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    instances.built.cache_clear()
    right, low = interior.box_of, Fraction(1)

    def smaller(scenario: Scenario, regime: Regime) -> Any:
        box = right(scenario, regime)
        return box and {**box, "kappa": (low, low)}

    monkeypatch.setattr(interior, "box_of", smaller)
    monkeypatch.setattr(coverage.Unknowns, "in_box", lambda self, box: [])
    assert "box" in instances_obligations.of_rows(Run()).witness
    instances.built.cache_clear()


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        ("Unknowns._fitting", "*self.in_box(box), ", ""),
        ("Unknowns._fitting", ", *self.no_further(most, (self.t2, self.t1, self.t2p))", ""),
        ("Unknowns._fitting", ", self.tried(scenario)]", "]"),
        ("Unknowns._fitting", "if scenario.loose", "if False"),
        ("Unknowns.no_further", "zip(distances, most, strict=True)", "[*zip(distances, most, strict=True)][1:]"),
        ("applies", ", here.small_offset()", ""),
        ("Unknowns.covered", "*self.assumed(row), ", ""),
        ("Unknowns.covered", ", *self.parity(row.parity)", ""),
        ("Unknowns.covered", "z3.BoolVal(False)", "z3.BoolVal(True)"),
        ("applies", "facts = here.in_box(interior.backward_box(case, here.regime))", "facts = []"),
    ],
)
def test_rows_that_ask_for_less_are_noticed(function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(coverage, function, old, new, monkeypatch)
    for name in ("coverage.forward", "coverage.backward"):
        lemma = replace(LEMMAS[name], states=None)
        if lemma.check(TWELVE, Run()).status == "error":
            return
    pytest.fail("nobody notices")


BOXES: dict[str, tuple[Regime, list[Any]]] = {
    "ends": (TWELVE, [*map(one_threshold.box_of, one_threshold.ends())]),
    "inside": (TWELVE, [one.box for one in two_sided.inequalities(TWELVE)]),
    "independent": (EIGHTEEN, independent.boxes(EIGHTEEN)),
}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ends", "*sides(box, own)", ""),
        ("inside", "*sides(one.box, own)", ""),
        ("independent", ", *sides(figure2.box_of(case, regime), own)", ""),
    ],
)
def test_boxes_that_are_not_asked_for_are_noticed(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    regime, boxes = BOXES[name]
    for broken in (False, True):
        if broken:
            change(coverage, name, old, new, monkeypatch)
        usual, *wrong = compose.in_boxes(getattr(coverage, name), boxes)
        outcome = besides(usual(regime), [one(regime) for one in wrong])
        assert (outcome is not None and outcome.status == "error") == broken


@pytest.mark.parametrize(
    ("place", "name", "old", "new"),
    [
        (one_threshold, "End.applies", "near <= far, ", ""),
        (one_threshold, "End.applies", "far <= a, ", ""),
        (one_threshold, "End.applies", ", *reach.reached([self.room(n, a, ell, eta)], bound)", ""),
        (one_threshold, "moved", "2 * more <= h + h_p, ", ""),
        (one_threshold, "moved", ", -2 * more <= h + h_p", ""),
        (reach, "reached", " in rooms", " in [*rooms][1:]"),
        (two_sided, "apart", " - width", ""),
        (two_sided, "apart", "spare(r1, r2, bound)", "spare(r1, 0, bound)"),
        (reach, "spare", " - second", ""),
        (coverage, "small_gap", "-most <= g, ", ""),
        (coverage, "small_gap", ", g <= most", ""),
        (coverage, "small_offset", "number(regime.offset) * eta_bound", "2 * number(regime.offset) * eta_bound"),
        (coverage, "conditions", "eta <= number(regime.eta), ", ""),
        (coverage, "conditions", ", beta <= number(regime.max_beta)", ""),
    ],
)
def test_what_passes_from_coverage_to_the_joints_is_needed(
    place: Any, name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(place, name, old, new, monkeypatch)
    for users in (joined, coverage, two_sided):
        monkeypatch.setattr(users, "spare", reach.spare)
    for others in (joined, coverage):
        monkeypatch.setattr(others, "reached", reach.reached)
    covered = [*coverage.ends(EIGHTEEN), *coverage.inside(EIGHTEEN), *coverage.independent(EIGHTEEN)]
    stated = [*covered, *joined.ends(EIGHTEEN), *joined_inside.inside(EIGHTEEN)]
    assert fails([*stated, *joined.independent(EIGHTEEN)])
