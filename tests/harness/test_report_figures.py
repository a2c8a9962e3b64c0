"""The pictures of the dossier: that what they draw and what their captions say is what the code computes."""

import itertools
import math
from fractions import Fraction

import pytest

from snapref_harness.report import svg
from snapref_harness.report.figure import Figure
from snapref_harness.report.figures import (
    accuracy,
    constant,
    loss_by_output,
    production,
    small_formats,
    staircase,
)
from snapref_proofs.dyadics import from_fraction
from snapref_proofs.loss import entries


def figures() -> list[Figure]:
    found = production.results()
    return [
        loss_by_output.figure(),
        staircase.figure(),
        accuracy.figure(),
        small_formats.figure(range(2)),
        constant.figure(),
        production.checks(found),
        production.losses(found),
    ]


def test_every_figure_has_words_two_pictures_and_its_data() -> None:
    found = figures()
    assert len({figure.id for figure in found}) == len(found)
    for figure in found:
        assert figure.caption
        assert figure.command
        assert figure.legend
        assert all(len(row) == len(figure.table.columns) for row in figure.table.rows)
        for picture, width in ((figure.wide, 720), (figure.narrow, 350)):
            assert picture.startswith("<svg viewBox=")
            assert f'"0 0 {width} ' in picture
            assert "<title " in picture
            assert "<desc " in picture
            assert "nan" not in picture
            assert "style=" not in picture  # colours are the page's


def test_losses_are_those_of_the_exact_evaluator_and_below_what_is_derived() -> None:
    q = loss_by_output.QUESTION
    rows = loss_by_output.rows(q)
    a, b = from_fraction(q.a), from_fraction(q.b)
    assert [row.loss.text() for row in rows] == [entry.loss.text() for entry in entries(q.mechanism, a, b)]
    assert {row.case for row in rows} == set("ABCDEFG")
    for row in rows:
        assert all(row.exact <= bound for bound in row.derived.values())


def test_without_a_bound_the_derivation_is_shown_as_infinite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(loss_by_output.QUESTION), "bounded", lambda self, k, route: False)
    assert loss_by_output._derived(loss_by_output.QUESTION, 0, "shared") == math.inf


def test_the_tie_rules_differ_at_negative_ties_only() -> None:
    rows = staircase.rows()
    assert [r.x for r in rows if r.definition != r.away] == [-4.5, -3.5, -2.5, -1.5, -0.5]
    wrong = {abs(r.x): abs(r.printed) for r in rows if r.printed not in (r.definition, r.away)}
    assert wrong == {1.5: 1, 1.625: 1, 1.75: 1, 1.875: 1, 3.5: 2, 3.625: 2, 3.75: 2, 3.875: 2}


def test_accuracies_that_hold_are_told_from_those_that_do_not() -> None:
    alphas = [Fraction(1, 2), Fraction(1, 20), Fraction(1, 100)]
    rows = list(accuracy.rows(alphas=alphas))
    ideal, f = accuracy.IDEAL, accuracy.VALUE
    for row in rows:
        assert ideal.exceeds(row.exact, f).at_most(row.alpha)
        assert ideal.exceeds(row.sound, f).at_most(row.alpha)
        assert row.sound >= row.exact
    assert [row.printed_risk > row.alpha for row in rows] == [False, True, True]
    assert [row.printed2_risk > row.alpha for row in rows] == [False, True, True]
    assert rows[0].printed2 > rows[1].printed2 > rows[2].printed2  # it falls as α does
    steps = accuracy.law()
    assert all(later[1] < earlier[1] for earlier, later in itertools.pairwise(steps))
    assert steps[-1][1] == 0


def test_the_constants_are_in_order_and_the_exhibited_one_is_below_what_is_proved() -> None:
    values = [mark.value for mark in constant.marks()]
    assert values == sorted(values)
    assert [mark.kind for mark in constant.marks()] == ["exhibited", "limit", "proved", "proved", "proved"]


def test_squares_say_whether_the_bound_holds_and_cover_the_format() -> None:
    found = list(small_formats.cells(range(-1, 0)))
    assert {cell.scale for cell in found} == {Fraction(n, 32) for n in range(16, 32)}
    assert all(cell.colour.startswith("shade") == cell.worst.holds for cell in found)
    (large,) = small_formats.mechanisms(5, [(Fraction(1, 2), Fraction(16))])
    broken = small_formats.Cell(Fraction(1, 2), Fraction(16), small_formats.worst_loss(large, Fraction(1), -7))
    assert (broken.colour, broken.words) == ("infinite", "∞")
    (tiny,) = small_formats.mechanisms(5, [(Fraction(29), Fraction(1, 2))])
    step = small_formats.input_step(tiny)
    over = small_formats.Cell(Fraction(29), Fraction(1, 2), small_formats.worst_loss(tiny, Fraction(1), step))
    assert over.colour == "broken"
    assert over.words.endswith(" breaks")


def test_an_axis_puts_its_ends_where_they_belong() -> None:
    assert [svg.Axis(0, 10, 100, 200).at(x) for x in (0, 5, 10)] == [100, 150, 200]
    assert [round(svg.Axis(1, 100, 0, 10, log=True).at(x), 9) for x in (1, 10, 100)] == [0, 5, 10]


def test_markup_is_escaped() -> None:
    assert svg.element("text", "<b>", class_='"') == '<text class="&#34;">&lt;b&gt;</text>'
    assert (
        svg.element("g", svg.text(1.0, 2.5, "a"), data_x=None)
        == '<g><text x="1" y="2.5" text-anchor="middle">a</text></g>'
    )
    assert svg.power(10, -15) == "10⁻¹⁵"
    assert svg.power(10, 0) == "1"
