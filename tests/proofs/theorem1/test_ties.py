"""Theorem 1 with ties to even: what is taken away from the proof is noticed; bound and witness are evaluated."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from snapref_ledger import REGISTRY, Run
from snapref_proofs.evaluate.variants import with_ties
from snapref_proofs.theorem1 import (
    below,
    below_even,
    coverage,
    even,
    interior,
    joined,
    meanings,
    replay,
    replayed,
    rows,
    ties,
    ties_obligations,  # noqa: F401 - registers them
)
from snapref_proofs.theorem1.coverage import Ell
from snapref_proofs.theorem1.replay import Configuration
from snapref_proofs.theorem1.scenarios import Pattern, Scenario
from snapref_proofs.theorem1.statement import EVEN, SHARP
from snapref_smt.engine.decide import decide
from snapref_smt.engine.statement import Family
from tests.breaking import fails
from tests.changing import change

EIGHTH: Ell = (Fraction(1, 8), Fraction(1, 8))
CROSSING = Pattern(1, 0, 0)


def family(closed: bool, without: str = "", ell: Ell = EIGHTH) -> Family:
    """What coverage says of one Λ, if the rows of one place of x, or of one size of Δ, are taken out of the table."""
    mine = [row for row in even.table() if (row.closed, row.ell) == (closed, ell)]
    kept = [row for row in mine if without not in (row.place, row.head)]
    return coverage.some_row(even.Even(closed, ell, EVEN), kept)


def status(one: Family) -> str:
    return decide(one, Run(solvers=("z3",))).status


@pytest.mark.parametrize("without", [even.UP_TO_HALF, even.ABOVE_HALF, even.ABOVE_ONE, "|x| ≥ 2P", "fine", "H = 4Δ"])
def test_a_row_that_is_taken_out_is_noticed(without: str) -> None:
    outcome = decide(family(False, without), Run(solvers=("z3",)))
    assert outcome.status == "undecided"
    assert "B = " in outcome.detail


def test_an_interval_without_zero_is_noticed() -> None:
    assert status(family(True, "x = 0")) == "undecided"


@pytest.mark.parametrize("kind", ["k = 0", "|k| = 2**n, x > 0", "|k| = 2**n, x < 0", "|k| no power of two"])
def test_a_kind_of_k_that_is_left_out_is_noticed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = even.Even.places
    monkeypatch.setattr(even.Even, "places", lambda self: {k: v for k, v in right(self).items() if k != kind})
    outcome = REGISTRY["theorem.ties.even.program"].check(Run())
    assert "and there should be" in outcome.detail


def crossing_rows() -> Iterator[even.Row]:
    for row in even.table():
        if row.pattern == CROSSING and row.fine and row.place == even.ABOVE_HALF and row.ell == EIGHTH:
            yield row


@pytest.mark.parametrize("field", ["gain", "apart", "width"])
def test_a_bound_that_is_too_sharp_is_noticed(field: str) -> None:
    """The worst case attains D2 - Δ = H/4 and D2 - D1 = 5H/4; and V1' - V2' - Λ = -H is attained for an odd k."""
    found = []
    for row in crossing_rows():
        (one,) = row.scenarios
        sharper = getattr(one, field) + Fraction(1 if field == "width" else -1, 100)
        statement = even.stated(replace(row, scenarios=(replace(one, **{field: sharper}),)))
        facts = [*rows.facts(row.head, row.closed, not row.closed), *rows.widths(even.Four(row.closed), row.pattern)]
        found.append(decide(Family("row", facts, [statement]), Run(solvers=("z3",))).status)
    assert len(found) == 2
    assert "undecided" in found


def test_a_row_without_a_statement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(even.unstated(even.stated_rows()))
    few = list(even.stated_rows())[1:]
    monkeypatch.setattr(even, "stated_rows", lambda: few)
    assert "no statement is about it" in next(even.unstated(even.stated_rows()))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("excess", "n(scenario.apart)) + rest", "n(scenario.apart))"),
        ("excess", "n(scenario.apart) + y2 + y2p + rest", "n(scenario.apart) + y2 + rest"),
        ("excess", "top * (1 + eta), n(scenario.apart)", "top, n(scenario.apart)"),
        ("excess", "n.steps(kappa,", "n.steps(2 * kappa,"),
    ],
)
def test_a_term_of_the_formula_is_needed(name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, name, old, new, monkeypatch)
    kinds = [kind for kind in even.KINDS if kind.mode in ("steps", "monotone") and kind.reaches == 3]
    assert fails(joined.forward(EVEN, kinds))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ 2) / kappa", "+ 1) / kappa"),
        ("4 * self.y_error", "3 * self.y_error"),
        ("self.whole(kappa * apart / 2)", "self.whole(kappa / 2)"),
    ],
)
def test_the_number_of_steps_is_needed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(interior, "Numbers.steps", old, new, monkeypatch)
    assert fails(meanings.steps())


def test_an_inequality_that_is_not_optimised_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    few: list[Scenario] = [one for one in even.scenarios() if one.ell == EIGHTH and one.pattern == CROSSING]
    monkeypatch.setattr(even, "scenarios", lambda: few)
    assert not list(even.unlike([*even.inequalities(EVEN)], EVEN))
    listed = list(even.inequalities(EVEN))
    monkeypatch.setattr(even, "inequalities", lambda regime: listed[1:])
    assert "is not optimised on its box" in next(even.unlike([*even.inequalities(EVEN)], EVEN))


@pytest.mark.parametrize(("k", "halves"), [(0, 2), (1, -3), (-1, -3), (2, 6), (3, -8), (6, 16), (7, -16), (-8, 24)])
def test_the_offset_of_an_output(k: int, halves: int) -> None:
    """At p = 53, λ = Λ = 1, in units of η/2."""
    eta = Fraction(1, 2**53)
    assert ties.length(k, "even") - 1 == replayed.even_offset(k, eta) == halves * eta / 2


def test_a_wrong_table_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(replayed.even_table(11))
    monkeypatch.setattr(replayed, "even_offset", replayed.offset)
    assert list(replayed.even_table(11))


def near_the_worst(rng: random.Random) -> Iterator[Configuration]:
    """The configurations of Theorem 1's tests with ties to even; and the worst case, a few spacings off."""
    usual = below.adversarial(rng, SHARP)
    while True:
        found = next(usual)
        yield replace(found, parameters=replace(found.parameters, ties="even"))
        worst = below_even.worst(rng.randint(20, 60))
        spacing = worst.parameters.bound / 2 ** (worst.parameters.precision - 1)
        moved = [value + rng.randint(-3, 3) * spacing for value in (worst.c, worst.c_p)]
        limit = worst.parameters.bound
        c, c_p = (below.round_to_bits(min(limit, value), worst.parameters.precision, up=False) for value in moved)
        if 0 < abs(c - c_p) <= 1:
            yield replace(worst, c=c, c_p=c_p, k=worst.k + rng.choice((0, 0, 1, -1)))


def test_the_loss_does_not_exceed_the_bound() -> None:
    for configuration in islice(near_the_worst(random.Random(1)), 400):
        assert not replay.beyond(configuration, EVEN), configuration


def test_the_worst_case_of_ties_to_even_is_none_of_ties_up() -> None:
    found = below_even.worst()
    up = replace(found, parameters=replace(found.parameters, ties="up"))
    assert below.constant(found)[0] > Fraction(11983, 1000) > 11 > below.constant(up)[1]
    assert below.witness(found).replays(with_ties("even"))
    assert not below.witness(found).replays()
