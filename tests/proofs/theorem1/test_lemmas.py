"""Theorem 1: each lemma fails when it is broken (a sign, a dropped term, a larger box)."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
import z3

from snapref_ledger import REGISTRY, Outcome, Run
from snapref_proofs.evaluate.boxes import establish
from snapref_proofs.inequalities import Inequality, decide_boxes
from snapref_proofs.theorem1 import (
    below,
    calculus,
    coarse,
    compose,
    coverage,
    every,
    graph_obligation,
    grid,
    interior,
    inversion,
    reach,
    replay,
    replayed,
    rows,
    scenarios,
    statement,
    two_sided,
    uniform64,
)
from snapref_proofs.theorem1.grid import Four
from snapref_proofs.theorem1.statement import EIGHTEEN, EVERY, SHARP, TWELVE, Regime
from snapref_proofs.theorem1.subdivision import across_the_longest
from snapref_smt.engine.decide import decide, decide_all
from snapref_smt.engine.statement import Family, Statement
from tests.breaking import fails
from tests.changing import change

LEMMAS = {lemma.name: lemma for lemma in compose.LEMMAS}
RUN = Run()


def status(name: str, regime: Regime = TWELVE) -> str:
    return LEMMAS[name].check(regime, RUN).status


def broken(name: str) -> bool:
    """Whether a statement of the lemma has a counterexample."""
    states = LEMMAS[name].states
    assert states is not None
    return fails(states(TWELVE))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is expected to fail need not be looked at for long."""
    monkeypatch.setattr(compose, "MOST_BOXES", 1500)


def test_the_whole_chain_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose.Lemma, "check", lambda lemma, regime, run: Outcome("proved"))
    results = list(compose.prove(TWELVE, RUN, {}))
    assert compose.proved(results)
    assert not compose.proved(results[:-1])  # one lemma short is no proof
    assert compose.proved([result for result in results if not result.lemma.supporting])
    assert not compose.proved([*results[:-1], replace(results[-1], outcome=Outcome("undecided"))])


def test_what_both_regimes_share_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Fraction]] = []

    def check(lemma: compose.Lemma, regime: Regime, run: Run) -> Outcome:
        asked.append((lemma.name, regime.constant))
        return Outcome("proved")

    monkeypatch.setattr(compose.Lemma, "check", check)
    known: dict[str, compose.Result] = {}
    for regime in (TWELVE, SHARP):
        assert compose.proved(compose.prove(regime, RUN, known))
    assert len(asked) == len(set(asked))
    assert {name for name, constant in asked if constant == SHARP.constant} == {
        x.name for x in compose.LEMMAS if not x.common
    }


# statements for the solvers


QUARTER = Fraction(1, 4)


@pytest.fixture
def new_table() -> Iterator[None]:
    rows.table.cache_clear()
    yield
    rows.table.cache_clear()


@pytest.fixture
def few_rows(new_table: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of the table: Λ = P and Λ = P/4, and a few patterns of binades."""
    binades = ((0, 0, 0), (1, 0, 0), (1, 0, 1), (2, 0, 2), (2, 1, 1), (3, 0, 0), (3, 2, 2))
    monkeypatch.setattr(scenarios, "patterns", lambda: iter([scenarios.Pattern(*one) for one in binades]))
    monkeypatch.setattr(scenarios, "lattices", lambda: iter([(Fraction(1), Fraction(1)), (QUARTER, QUARTER)]))


def scaled(factor: Fraction) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return lambda formula: lambda *args: formula(*args) * factor


def negated(formula: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: -formula(*args)


def without_extra(formula: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: formula(*args[:-1], 0)


@pytest.mark.parametrize(
    ("formula", "change"),
    [
        ("near_gain", scaled(Fraction(1, 2))),
        ("near_gain", negated),
        ("apart_aligned", scaled(Fraction(3, 4))),
        ("apart_aligned", negated),
        ("apart_wider", scaled(Fraction(9, 10))),
        ("apart_wider", without_extra),
        ("apart_narrower", scaled(Fraction(9, 10))),
        ("apart_narrower", without_extra),
        ("apart_any", scaled(Fraction(3, 4))),
        ("width_aligned", negated),
        ("width_aligned", scaled(Fraction(1, 2))),
        ("width_any", negated),
        ("width_any", without_extra),
    ],
)
@pytest.mark.usefixtures("few_rows")
def test_a_broken_formula_is_caught(
    formula: str, change: Callable[[Callable[..., Any]], Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenarios, formula, change(getattr(scenarios, formula)))
    assert fails(rows.families(fine=True))


@pytest.mark.parametrize("formula", ["anywhere", "at_zero", "opposite", "beyond"])
def test_a_larger_bound_on_b_is_caught(formula: str, new_table: None, monkeypatch: pytest.MonkeyPatch) -> None:
    right, sizes = getattr(reach, formula), [(size, size) for size in (Fraction(1, 2), Fraction(1))]
    monkeypatch.setattr(reach, formula, lambda a, ell, *rest: right(a, ell / 2, *rest))
    families = (coverage.forward(closed, size, TWELVE) for closed in grid.SIDES for size in sizes)
    found = (decide(family, Run(solvers=("z3",))) for family in families)
    assert any("B = " in one.detail for one in found)  # a counterexample


def test_cells_without_boundaries_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid.Cell, "beside", lambda self, multiple: [z3.BoolVal(True)])
    assert fails(grid.cells())


def test_a_wrong_boundary_makes_the_hypotheses_contradict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that is no multiple of the spacing, passed off as one."""
    right = grid.Four.facts

    def wrong(self: grid.Four) -> list[Any]:
        wrong = [*self.c2.beside(self.t2_in_h1.lo + self.h2 / 2), self.t2 == self.c2.lo + self.h2 / 4]
        return [*right(self), *wrong, self.h2 == self.h1]

    monkeypatch.setattr(grid.Four, "facts", wrong)
    assert status("cells") != "proved"


def test_parity_needs_a_multiple_of_half_the_spacing() -> None:
    n, lo, moved = z3.Ints("n lo moved")
    t = z3.ToReal(4 * n + 2)
    cells = (grid.Cell(t, z3.RealVal(16), z3.ToReal(16 * lo), False),)
    cells += (grid.Cell(t + 2, z3.RealVal(16), z3.ToReal(16 * moved), False),)
    facts = [fact for cell in cells for fact in cell.around()]
    assert fails(Statement("multiples of H/4", facts, lo == moved))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("absolute(c) >= number(HALF)", "absolute(c) >= 0"),  # then c need not be a multiple of H/2
        ("self.xi == number(HALF)", "self.xi >= 0"),  # then δ may be larger
        ('"both": (self.c, self.cp)', '"both": (self.cp, self.cp)'),
    ],
)
def test_what_coverage_finds_is_what_parity_needs(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(coverage, "Unknowns.parity", before, after, monkeypatch)
    assert broken("parity")


def test_neighbouring_binades_need_a_small_distance() -> None:
    statement = coarse.next_binade()[0]
    further = [fact for fact in statement.hypotheses if "Delta" not in str(fact)]
    assert fails(Statement("any distance", further, statement.conclusion))


def test_parallel_needs_equal_moves() -> None:
    statement = inversion.parallel()[0]
    less, _ = inversion.cell(z3.Real("v1") + z3.Real("e") - 1, z3.Int("n1p"), z3.Bool("zeta'_is_even"))
    assert fails(Statement("unequal", [*statement.hypotheses[:-1], less], statement.conclusion))


# inequalities over boxes


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("name", "constant"), [("forward", 10), ("ends", 9), ("inside", 8), ("backward", 8)])
def test_a_smaller_constant_is_not_proved(name: str, constant: int) -> None:
    assert status(name, replace(TWELVE, constant=constant)) != "proved"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", ["forward", "backward", "inside"])
def test_a_larger_box_is_not_proved(name: str) -> None:
    assert status(name, replace(TWELVE, max_beta=Fraction(1, 2**2))) != "proved"


@pytest.mark.usefixtures("impatient")
def test_eleven_is_not_proved_up_to_the_limits_of_twelve() -> None:
    assert status("forward", replace(TWELVE, constant=11)) != "proved"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("field", ["gain", "apart", "width"])
def test_a_scenario_that_promises_less_fails(field: str) -> None:
    """The tightest scenario leaves no room for a wrong table."""
    tight = next(s for s in scenarios.forward() if str(s) == "fine, x = -1/2P, binades -1 -0 -1, ℓ ≤ 1/64")
    worse = replace(tight, **{field: getattr(tight, field) + (-40 if field == "width" else Fraction(1, 2))})
    box = interior.box_of(tight, SHARP)
    assert box is not None
    regime = replace(SHARP, max_beta=Fraction(1, 2**7)) if field == "width" else SHARP
    wrong = Inequality("worse", interior.excess(worse, regime), box)
    outcome = decide_boxes([wrong], [wrong], compose.MOST_BOXES, across_the_longest)
    assert outcome.status == "refuted" or "most" in outcome.detail


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", ["UP", "DOWN"])
def test_two_sided_errors_are_not_smaller(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_sided, name, getattr(two_sided, name) - 2)
    assert status("inside") != "proved"


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_wrong_derivative_is_noticed(monkeypatch: pytest.MonkeyPatch, order: int) -> None:
    wrong = [*calculus.DERIVATIVES]
    numerator, denominator = wrong[order]
    wrong[order] = ([2 * coefficient for coefficient in numerator], denominator)
    monkeypatch.setattr(calculus, "DERIVATIVES", tuple(wrong))
    assert status("calculus") == "refuted"


def test_nothing_to_check_is_not_a_proof() -> None:
    assert replace(LEMMAS["backward"], bounds=lambda regime: []).check(TWELVE, RUN).status == "undecided"


def test_inequalities_that_are_not_sharp_are_not_proved() -> None:
    """A constant that is hardly smaller has to fail somewhere; twice the one that is proved does not."""
    assert "no twin" in replace(LEMMAS["ends"], short=Fraction(24)).check(TWELVE, RUN).detail


def test_independent_errors_do_not_prove_seventeen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "MOST_BOXES", 1500)
    assert compose.INDEPENDENT.check(replace(EIGHTEEN, constant=17), RUN).status != "proved"


# the graph


def test_the_graph_is_complete() -> None:
    assert list(compose.graph_faults()) == []


@pytest.mark.parametrize("name", ["forward", "cells", "cases"])
def test_a_missing_lemma_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "LEMMAS", tuple(lemma for lemma in compose.LEMMAS if lemma.name != name))
    assert list(compose.graph_faults())


@pytest.mark.parametrize("missing", ["theorem.every.rows", "theorem.ties.even.joined", "theorem.coverage.independent"])
def test_a_chain_that_is_not_whole_is_noticed(missing: str) -> None:
    assert list(graph_obligation.incomplete(REGISTRY)) == []
    fewer = {id: one for id, one in REGISTRY.items() if id != missing}
    assert missing in next(graph_obligation.incomplete(fewer))


@pytest.mark.parametrize("name", ["theorem.every", "theorem.ties.even"])
def test_a_chain_that_is_not_in_the_list_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(compose.CHAINS, name)
    assert list(graph_obligation.incomplete(REGISTRY)) == [f"{name} is joined, and no chain has this name"]


def test_a_lemma_without_a_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "LEMMAS", tuple(replace(lemma, count=0) for lemma in compose.LEMMAS))
    assert "nothing says how many statements rounding has, or there are none" in list(compose.graph_faults())


@pytest.mark.parametrize("name", [lemma.name for lemma in compose.LEMMAS if not lemma.common])
def test_a_lemma_that_depends_on_the_regime_is_not_common(name: str) -> None:
    with pytest.raises((AttributeError, TypeError)):
        replace(LEMMAS[name], common=True).check(TWELVE, RUN)


def test_a_lemma_without_a_check_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    without = replace(LEMMAS["joined.ends"], faults=compose.nothing, broken=())
    assert list(without.incomplete()) == ["joined.ends compares nothing"]
    assert list(replace(without, name="x", states=None, count=0).incomplete()) == ["nothing checks x"]


@pytest.mark.parametrize("name", ["rounding", "cells", "offsets", "premises"])
def test_a_statement_that_is_left_out_is_noticed(name: str) -> None:
    lemma = next(lemma for lemma in compose.LEMMAS if lemma.name == name)
    assert lemma.states is not None
    first, *rest = lemma.states(lemma.seen(TWELVE))
    shorter = replace(lemma, states=lambda regime: rest)
    assert f"not stated: {first.name}" in [one.name for one in shorter.stated(TWELVE)]
    assert shorter.check(TWELVE, RUN).status != "proved"
    counted = replace(shorter, page=None, count=len([first, *rest]))
    assert "and there should be" in counted.check(TWELVE, RUN).detail


# concrete numbers


def some(regime: Regime, count: int, seed: int = 3) -> Iterator[replay.Configuration]:
    rng = random.Random(seed)
    yield from (c for c, _ in zip(replay.configurations(rng, regime), range(count), strict=False))


@pytest.mark.parametrize("field", ["gain", "apart", "width"])
def test_a_wrong_scenario_is_missed(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Fraction(1, 4) if field == "width" else -Fraction(1, 4)

    def worse(row: rows.Row) -> rows.Row:
        return replace(row, scenarios=tuple(replace(s, **{field: getattr(s, field) + step}) for s in row.scenarios))

    wrong = {key: [worse(row) for row in own] for key, own in replay.table().items()}
    monkeypatch.setattr(replay, "table", lambda: wrong)
    assert any(c.missed(TWELVE) for c in some(TWELVE, 3000))


@pytest.mark.parametrize("place", ["parity", "|x| ≥ 2P", "x = 0"])
def test_a_forgotten_scenario_is_missed(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {key: [row for row in own if place not in row.place] for key, own in replay.table().items()}
    monkeypatch.setattr(replay, "table", lambda: kept)
    assert any(c.missed(TWELVE) for c in some(TWELVE, 3000))


def test_the_evaluator_stays_within_the_bound() -> None:
    found = [c for c, _ in zip(below.adversarial(random.Random(8), TWELVE), range(400), strict=False)]
    assert not any(replay.beyond(c, TWELVE) for c in found)
    assert any(replay.beyond(c, replace(TWELVE, constant=6)) for c in found)


def test_a_wrong_error_bound_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = replayed.rounded

    def wrong(t: Fraction, closed: bool, p: int) -> replay.Rounded:
        cell = right(t, closed, p)
        return replace(cell, middle=cell.middle + cell.spacing / 2)

    monkeypatch.setattr(replayed, "rounded", wrong)
    assert next(replayed.wrong_errors(4), "")


def test_a_wrong_offset_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = replayed.offset
    monkeypatch.setattr(replayed, "offset", lambda k, eta: right(k, eta) if k != 1 else right(2, eta) / 2)
    assert status("offsets.replayed") == "refuted"


def test_the_limit_of_binary64() -> None:
    assert uniform64.fits()
    assert not uniform64.fits(uniform64.LIMIT + 1)
    assert list(uniform64.differences(50, seed=1)) == []


# from below


def test_the_worst_case_is_replayed() -> None:
    found = below.worst()
    low, high = below.constant(found)
    assert below.legal(found)
    assert Fraction(109835, 10000) < low <= high < Fraction(10984, 1000)
    assert below.witness(found).replays()


@pytest.mark.parametrize("precision", [12, 13, 14, 24, 53, 113])
def test_the_worst_case_stays_below_the_limit(precision: int) -> None:
    low, high = below.constant(below.worst(precision))
    assert below.against_the_limit(high) == -1
    assert below.against_the_limit(low + Fraction(32, 2 ** ((precision - 2) // 3))) == 1


def test_the_rows_of_the_reference_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(statement.unproved(statement.PROVED)) == []
    assert not SHARP.implies(replace(TWELVE, constant=Fraction(109, 10)))
    monkeypatch.setattr(statement, "REGIMES", {12: TWELVE})
    assert len(list(statement.unproved(statement.PROVED))) == 2


# every sensitivity


def test_every_sensitivity_needs_its_constant() -> None:
    tight = [one for one in every.inequalities(replace(EVERY, constant=12)) if "x = -1/2P, grain 1/2" in one.name]
    assert any(establish(one.quantity, one.box, 2000, across_the_longest).status == "fails" for one in tight)


def test_exact_losses_stay_within_the_bound_for_every_sensitivity() -> None:
    """With Δ = |c - c'|, whatever that is a multiple of."""
    found = islice(below.adversarial(random.Random(19), EVERY), 300)
    own = [replace(c, sensitivity=abs(c.c - c.c_p)) for c in (below.worst(), *found)]
    assert not any(replay.beyond(c, EVERY) for c in own)
    assert replay.beyond(own[0], replace(EVERY, constant=Fraction(1198, 100), slope=0))


def test_a_grain_that_is_too_coarse_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If floats of P/4 had the grain u, D2 - d would be smaller than it can be."""
    right = every.gain_any
    monkeypatch.setattr(every, "gain_any", lambda h2, h2p, extra: right(h2, h2p, extra / 2))
    assert fails(every.grains())


def test_a_row_for_every_sensitivity_that_is_left_out_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [row for row in every.table() if row.place != "x = -1/2P"]
    monkeypatch.setattr(every, "table", lambda: kept)
    here = every.forward(False, (Fraction(1, 8), Fraction(1, 8)), EVERY)
    assert decide_all([here], RUN).status != "proved"


def test_a_row_of_the_table_that_promises_too_much_is_refuted() -> None:
    """Each of gain, apart and width, moved a little, is no longer what the facts about cells give."""
    found = {"gain": 0, "apart": 0, "width": 0}
    for row in rows.kept(fine=True):
        if row.place not in ("δ = 0", "|x| ≤ P/4") or row.pattern.near == scenarios.DEEP:
            continue
        assert not row_fails(row)
        little = Fraction(1, 100)
        for name, value in (("gain", -little), ("apart", -little), ("width", little)):
            (scenario,) = row.scenarios
            sharper = replace(scenario, **{name: getattr(scenario, name) + value})
            found[name] += row_fails(replace(row, scenarios=(sharper,)))
        if min(found.values()) >= 3:
            return
    raise AssertionError(found)


def row_fails(row: rows.Row) -> bool:
    family = Family(
        "row", [*rows.facts(row.head, False), *rows.widths(Four(False), row.pattern)], [rows.statement(row, False)]
    )
    return "z3 sat" in decide(family, Run(solvers=("z3",))).detail
