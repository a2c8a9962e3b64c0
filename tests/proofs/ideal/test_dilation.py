"""Document 003: exact laws and mechanism, and every check failing when it is broken."""

from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from snapref_ledger import Run
from snapref_proofs.ideal import obligations, statements
from snapref_proofs.ideal.dilation import Law, Snap, definition_2, definition_5, dilation, on_cells, uniform
from snapref_smt.engine.statement import Statement
from tests.breaking import fails, obligation_fails

TWO = Fraction(2)


def test_ties_toward_minus_infinity_break_the_inverse_image(monkeypatch):
    monkeypatch.setattr(statements, "rounded", lambda w: -z3.ToInt(-w + statements.HALF))
    assert obligation_fails("proofs.dilation.inverse")
    assert not obligation_fails("proofs.dilation.moved")  # which does not depend on the tie rule


def test_without_the_inner_clamp_d_is_another(monkeypatch):
    """An inner clamp that is not the outer one: the values do not come closer."""
    monkeypatch.setattr(statements, "clamped", lambda x, bound: 2 * x)
    assert fails(obligations.fix_uniform())


def test_more_noise_than_the_sensitivity_allows_is_not_private():
    """K·q ≥ 1 is what |d| ≤ Δ says: without it the uniform law has an excess."""
    x, g, q, growth = z3.Reals("x g q K")
    ranges = [x > 0, g > 0, x + g < 1, q > 0, q <= 1, growth >= 1]
    assert fails(Statement("down", ranges, g <= growth * q * g))


def test_a_part_that_is_left_out_is_missed(monkeypatch):
    """The reflected part is needed: without it the least δ is larger than what is allowed."""

    def without(first, second, d, growth):
        whole = obligations_three(first, second, d, growth)
        reflected = max(Fraction(0), first[0] - growth * second[0]) if d == 1 else Fraction(0)
        return whole - reflected / 2

    obligations_three = obligations.three_parts
    monkeypatch.setattr(obligations, "three_parts", without)
    assert obligations.fix_small(Run()).status == "refuted"


def test_witnesses_that_do_not_refute_are_undecided(monkeypatch):
    """The uniform law refutes nothing for sensitivity 1; and one whose program differs is an error, not a witness."""
    monkeypatch.setattr(obligations, "FAR", uniform(0, 1))
    for check in (obligations.prop1_printed, obligations.prop2_printed, obligations.iff_printed):
        assert check(Run()).status == "undecided"
    monkeypatch.setattr(Snap, "replays", lambda self, f, v: False)
    with pytest.raises(AssertionError, match="the program"):
        obligations.fix_tight(Run())


def test_the_other_witnesses_can_fail(monkeypatch):
    monkeypatch.setattr(obligations, "RIGHT", {(Fraction(1, 4), Fraction(1, 4)): Fraction(1)})
    assert obligations.lifting_readings(Run()).status == "undecided"
    assert obligations.equality_readings(Run()).status == "undecided"
    monkeypatch.setattr(obligations, "TWO", Fraction(1))  # ε = 0
    assert obligations.definitions_differ(Run()).status == "proved"
    monkeypatch.setattr(obligations, "UNIFORM", uniform(Fraction(1, 2), 1))
    assert obligations.delta_printed(Run()).status == "undecided"
    monkeypatch.setattr(Snap, "output", lambda self, f, sign, u: Fraction(0))
    assert obligations.moved_printed(Run()).status == "undecided"
    assert obligations.inverse_printed(Run()).status == "undecided"


def test_coarse_events_need_two_laws_that_agree_on_them(monkeypatch):
    monkeypatch.setattr(obligations, "UNIFORM", uniform(0, Fraction(1, 2)))
    assert obligations.defined_coarse(Run()).status == "undecided"
    monkeypatch.setattr(Law, "mass", lambda self, low, high: Fraction(0))
    assert obligations.defined_coarse(Run()).status == "undecided"


def test_tightness_can_fail(monkeypatch):
    monkeypatch.setattr(obligations, "UNIFORM", uniform(0, Fraction(1, 2)))
    monkeypatch.setattr(Snap, "probability", lambda self, law, f, v: Fraction(1))
    assert obligations.fix_tight(Run()).status == "refuted"


masses = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any)
centers = st.integers(-4, 4).map(Fraction)
bounds = st.sampled_from([None, Fraction(2), Fraction(3), Fraction(4)])


@given(masses, centers, bounds)
@settings(max_examples=60, deadline=None)
def test_the_outputs_have_all_of_the_mass(counts, f, bound):
    snap = Snap(TWO, Fraction(2), bound)
    law = on_cells(TWO, *(Fraction(n, sum(counts)) for n in counts))
    outputs = list(snap.outputs(f, Fraction(1, 32)))
    assert outputs == sorted(set(outputs))
    assert sum(snap.probability(law, f, v) for v in outputs) == 1
    assert all(snap.replays(f, v) for v in outputs)


@given(centers, st.sampled_from([1, -1]), st.fractions(Fraction(1, 100), Fraction(99, 100)), bounds)
@settings(max_examples=60, deadline=None)
def test_the_program_lands_where_the_intervals_say(f, sign, u, bound):
    snap = Snap(Fraction(3, 2), Fraction(2), bound)
    low, high = snap.interval(f, sign, snap.output(f, sign, u))
    assert low <= u <= high


@given(masses, masses)
@settings(max_examples=60, deadline=None)
def test_the_dilation_is_the_largest_over_unions_of_cells(first, second):
    laws = [on_cells(TWO, *(Fraction(n, sum(counts)) for n in counts)) for counts in (first, second)]
    cells = [(TWO ** -(k + 1), TWO**-k) for k in range(5)]
    best = Fraction(0)
    for chosen in range(1 << 5):
        events = [cell for k, cell in enumerate(cells) if chosen >> k & 1]
        best = max(best, sum(laws[0].mass(x, y) - 2 * laws[1].mass(x / 2, y / 2) for x, y in events))
    assert definition_2(*laws, TWO) == best
    assert best <= definition_5(*laws, TWO) <= best + Fraction(3, 2)


def test_dilation_at_small_examples():
    whole = uniform(0, 1)
    assert definition_2(whole, whole, TWO) == 0
    assert definition_5(whole, whole, TWO) == Fraction(3, 4)
    assert dilation(uniform(Fraction(1, 2), 1), whole, Fraction(1, 2), TWO) == Fraction(1, 2)


def test_thresholds_that_are_not_rational_are_refused():
    with pytest.raises(ValueError, match="not rational"):
        Snap(TWO, Fraction(1)).probability(uniform(0, 1), Fraction(0), Fraction(0))
