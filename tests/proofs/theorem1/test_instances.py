"""What the lemmas of Theorem 1 assume is true of configurations; and a hypothesis that says too much is noticed."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
import z3

from snapref_ledger import Outcome, Run
from snapref_proofs.theorem1 import (
    coarse,
    compose,
    coverage,
    evaluating,
    even,
    every,
    faithful,
    grid,
    instances,
    inversion,
    joined,
    joined_inside,
    meanings,
    premises,
    rows,
    slopes,
    ties,
)
from snapref_proofs.theorem1 import instances_obligations as module
from snapref_proofs.theorem1.instances_program import draws
from snapref_smt.engine.statement import satisfies, variables_of
from tests.changing import change


@pytest.fixture(autouse=True)
def _built_anew() -> Iterator[None]:
    instances.built.cache_clear()
    yield
    instances.built.cache_clear()


CONFIGURATION, CELLS, ROWS, DRAWS = module.of_configurations, module.of_cells, module.of_rows, module.of_draws
JOINTS, AROUND, EVEN = module.of_joints, module.of_outputs_around, module.of_ties_to_even
STRONGER: dict[str, tuple[Callable[[Run], Outcome], Any, str, str, str]] = {
    "to nearest beyond b": (DRAWS, inversion, "to_nearest", "z3.And(middle < r, r <= b)", "middle < r"),
    "a wrong power": (CONFIGURATION, coarse, "offsets", "threshold < 2 * power", "threshold < power"),
    "the least p is left out": (CONFIGURATION, premises, "sizes", "eta <= most,", "eta < most,"),
    "no largest B": (CONFIGURATION, premises, "sizes", "eta * bound <= number", "eta * bound < number"),
    "a small half gap": (CONFIGURATION, premises, "sizes", "g <= eta * (x + ell / 2)", "g <= eta"),
    "a Δ of u/2": (CONFIGURATION, premises, "sensitivity", "number(HALF / 2)", "number(HALF)"),
    "a wrong binade": (CONFIGURATION, premises, "places", "power <= absolute(t)", "power < absolute(t)"),
    "a wrong end": (CELLS, grid, "far_and_coarse", "for step in (0, 1, 2)", "for step in (1, 2, z3.RealVal(1) / 2)"),
    "a larger λ": (DRAWS, inversion, "walk", "scale > 0", "scale > 1"),
    "parity of c as well": (ROWS, rows, "statement", "four.aligned(row.parity)", "four.aligned('both')"),
    "the grain of c' alone": (ROWS, every, "Anywhere.assumed", "in (self.c, self.cp) if", "in (self.cp,) if"),
    "a smaller E_u": (DRAWS, joined, "sizes", "t < least,", "2 * t < least,"),
    "c inside": (AROUND, coverage, "inside", "absolute(cp) <= b,", "absolute(cp) <= b / 2,"),
    "c at the end": (AROUND, coverage, "ends", "small_gap(g, eta * (q + ell / 2))", "small_gap(g, 0 * ell)"),
    "a tangent of ln P": (AROUND, joined_inside, "Inside.concave", "<= x * e + y * f", "<= x * e"),
    "a slope beside c": (AROUND, slopes, "tangent", "rise <= slope * most", "rise <= -slope * most"),
    "c next to the interval": (AROUND, joined_inside, "_across", "(far, r1 + width)", "(far, width)"),
    "c' next to the interval": (AROUND, joined_inside, "_across", "(far_p, r2 + width)", "(far_p, r2)"),
    "B > λ, c in II": (AROUND, joined_inside, "_reverse", "beta >= h", "beta > h"),
    "B > λ, c in III": (AROUND, joined_inside, "_across", "beta >= h", "beta > h"),
    "η between them": (AROUND, joined_inside, "_across", "h > 0, beta >= h", "h > 1, beta >= h"),
    "a tie that is not met": (EVEN, ties, "mirrored", "held = [rn <= b,", "held = [rn < b,"),
    "x > 0, rounded": (EVEN, ties, "mirrored", "_down(x, down)]", "_down(x, down), x > 0]"),
    "no large x, rounded": (EVEN, ties, "mirrored", "_down(x, down)]", "_down(x, down), x < 2**60]"),
    "no x beyond B, clamped": (EVEN, ties, "mirrored", "[bound > 0], clamped", "[bound > 0, x <= bound], clamped"),
    "c before c'": (EVEN, ties, "mirrored", '"conditions", []', '"conditions", [c <= cp]'),
    "x ≥ 0, away from zero": (EVEN, ties, "away", '"away from zero", []', '"away from zero", [w >= 0]'),
    "no tie away from zero": (EVEN, ties, "away", '"away from zero", []', '"away from zero", [2 * w != 2 * n + 1]'),
    "k even and positive": (EVEN, ties, "_nearest_even", "[k == 2 * half],", "[k == 2 * half, k >= 0],"),
    "k odd and small": (EVEN, ties, "_nearest_even", "[k == 2 * half + 1],", "[k == 2 * half + 1, k < 2**60],"),
    "a mirror without ties": (
        EVEN,
        ties,
        "_nearest_even",
        "*to_even(-x, mirrored)]",
        "*to_even(-x, mirrored), x < high]",
    ),
    "odd neighbours on one side": (EVEN, ties, "_even_thresholds", "[even >= 1]", "[even >= 1, other >= 1]"),
    "c in the interval": (EVEN, inversion, "probabilities", "[z > 0, t1 < t2, place]", "[z > 0, t1 < t2, c >= t2]"),
    "no output ±B": (EVEN, compose, "regions", "absolute(k) <= last]", "absolute(k) < last]"),
    "rows of a small Δ": (EVEN, even, "stated_rows", "pattern)]", "pattern), named(closed).d < 1]"),
    "powers of two up to |x|": (EVEN, even, "multiples", "[k >= 1, q >= 1]", "[k >= 1, q >= 1, q <= k]"),
    "cells of one kind": (EVEN, inversion, "steps", "facts = [above(0", "facts = [kinds[0] == kinds[1], above(0"),
    "Λ ≤ P": (JOINTS, meanings, "_step", "ell > 0, *right]", "ell > 0, ell <= 1, *right]"),
    "half of what is nearly alike": (JOINTS, joined, "forward_facts", "here.d2, 2 * t2.y)", "here.d2, t2.y)"),
    "not the largest β": (JOINTS, joined, "independent_facts", "<= number(regime.max", "< number(regime.max"),
    "c is the nearer one": (AROUND, joined, "ends", "z3.Or(a - ap == d, ap - a == d)", "ap - a == d"),
    "Y < V": (JOINTS, meanings, "_error_of_ln", "y * kappa <= kappa * v", "y * kappa < kappa * v"),
    "w without D2 - D1": (EVEN, meanings, "steps", "d + narrower(*errors)", "narrower(*errors)"),
    "Y ≥ λ/P": (JOINTS, meanings, "steps", "apart), y >= 0)", "apart), y >= 1)"),
    "n ≥ 1": (EVEN, meanings, "steps", "number(1))]", "number(1)), n >= 1]"),
    "w' without a move": (JOINTS, joined, "OneSide.__init__", "else (w_p, w)", "else (w_p, w_p)"),
    "w without a move": (JOINTS, joined, "OneSide.__init__", "(w, w_p) if back", "(w, w) if back"),
    "the rise from w": (JOINTS, joined, "OneSide.__init__", "(w, w_p) if back", "(w_p, w) if back"),
    "a faithful V": (module.of_faithful_arithmetic, faithful, "errors", "around(x, lo, lo + 1)", "around(x, lo, lo)"),
    "a remainder of a sixth": (module.of_slopes, slopes, "_concave", "/ 12", "/ 6"),
    "a mean too far away": (module.of_slopes, slopes, "_tangent", "mean >= start", "mean >= 2 * start"),
    "a slope of ln P": (module.of_slopes, slopes, "_carried", "== x - y, slope", "== x, slope"),
    "no interval without length": (module.of_slopes, slopes, "_limited", "apart >= 0", "apart > 0"),
    "multiples above the cell": (CELLS, grid, "boundaries", "cell.around(),", "[*cell.around(), m >= lo],"),
    "c is not 0": (CONFIGURATION, coverage, "Unknowns.facts", "share(self.t)", "[*share(self.t), self.c != 0]"),
    "c' is not 0": (CONFIGURATION, coverage, "Unknowns.facts", "share(self.t)", "[*share(self.t), self.cp != 0]"),
    "c is not in the interval": (DRAWS, inversion, "probabilities", "t2, place]", "t2, place, z3.Or(c < t1, c >= t2)]"),
    "c is far from ±B": (DRAWS, inversion, "probabilities", "place]", "place, *([z >= c - t] if 'B' in name else [])]"),
    "the row of a joint": (JOINTS, joined, "forward_facts", "slack >= 0]", "slack >= 0, row.apart > 0]"),
}


@pytest.mark.parametrize("name", STRONGER)
def test_a_hypothesis_that_says_too_much_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, where, function, before, after = STRONGER[name]
    change(where, function, before, after, monkeypatch)
    assert check(Run()).status == "refuted"


def test_instances_that_see_nothing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ENOUGH", 0)
    assert module.of_cells(Run()).detail == "a hypothesis that is false is not noticed"


def test_edges_on_the_wrong_side_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(grid, "Four.edges", "if first.closed", "if True", monkeypatch)
    assert "monotone" in module.of_cells(Run()).witness


def test_a_statement_without_a_configuration_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "draws", lambda one: (each for each in draws(one) if each.name != "II"))
    assert "no configuration meets II" in module.of_draws(Run()).witness


def test_a_size_without_a_configuration_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "widest", lambda rng, regime: module.edges(rng, regime, None))
    assert "no configuration meets Λ = 2P" in module.of_joints(Run()).witness


def test_formulas_are_evaluated_as_z3_does() -> None:
    rng, x, y, n, b = random.Random(1), *z3.Reals("x y"), z3.Int("n"), z3.Bool("b")
    terms = [x + y / 3, -x * y, x - y - 1, z3.If(b, x, y), z3.ToReal(n) / 2, z3.ToReal(n % 3)]
    formulas = [f for p in terms for q in terms for f in (p <= q, p < q, p >= q, p > q, p == q, p != q)]
    formulas += [z3.And(b, x < y), z3.Or(b, x < y), z3.Not(b), z3.Implies(b, x < y), z3.BoolVal(True), b == (x < y)]
    for _ in range(3):
        values = {"x": Fraction(rng.randint(-4, 4), 2), "y": Fraction(rng.randint(-4, 4), 3)}
        values |= {"n": rng.randint(0, 9), "b": rng.random() < 0.5}
        for formula in formulas:
            assert evaluating.is_true(formula, values) == satisfies([formula], variables_of([formula]), values)


def test_a_product_and_a_function_that_is_only_named_are_evaluated() -> None:
    x, y, product = z3.Reals("x y x·y")
    greatest = z3.Function("greatest", *[z3.RealSort()] * 3)
    values = {"x": Fraction(2), "y": Fraction(3)}
    assert evaluating.is_true(z3.And(product == 6, greatest(x, y) == 3), values)
