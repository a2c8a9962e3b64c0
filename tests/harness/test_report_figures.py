"""The pictures of the dossier: that what they draw and what their captions say is what the code computes."""

import itertools
import json
import math
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from snapref_harness.cli import main
from snapref_harness.report import svg
from snapref_harness.report.figure import NARROW, WIDE, Figure
from snapref_harness.report.figures import (
    accuracy,
    constant,
    field,
    lemma_graph,
    loss_by_output,
    production,
    small_formats,
    staircase,
)
from snapref_proofs.evaluate.dyadics import from_fraction
from snapref_proofs.evaluate.loss import entries
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.ideal.model import Ideal


def figures() -> list[Figure]:
    found = production.results()
    return [
        loss_by_output.figure(),
        staircase.figure(),
        accuracy.figure(),
        small_formats.figure(range(2)),
        constant.figure(),
        field.figure(field.results()),
        production.checks(found),
        production.losses(found),
    ]


def test_every_figure_has_words_two_pictures_and_its_data() -> None:
    found = figures()
    assert len({figure.id for figure in found}) == len(found)
    for figure in found:
        assert figure.caption
        assert figure.commands
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
    assert [row.loss.text() for row in rows] == [entry.loss.text() for entry in entries(q.parameters, a, b)]
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
    alphas = [Fraction(3, 5), Fraction(1, 20), Fraction(1, 100)]
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


def test_the_levels_of_alpha_are_distinct_and_are_what_a_command_line_gives() -> None:
    assert len(set(accuracy.ALPHAS)) == len(accuracy.ALPHAS) == 50
    assert list(accuracy.ALPHAS) == sorted(accuracy.ALPHAS, reverse=True)
    assert all(Fraction(float(f"{float(alpha):g}")) == alpha for alpha in accuracy.ALPHAS)  # as the table shows it


def test_the_command_of_the_accuracies_computes_what_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    found = accuracy.figure()
    (command,) = found.commands
    program, *arguments = shlex.split(command)
    assert program == "snapref"
    assert main([*arguments, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    scale, lattice, bound, value, alpha = (
        Fraction(float.fromhex(told[name])) for name in ("scale", "lattice", "bound", "guess", "alpha")
    )
    assert Ideal(Parameters(scale, bound, lattice=lattice)) == accuracy.IDEAL
    assert value == accuracy.VALUE
    for words in (f"ε = {float.fromhex(told['epsilon']):g}", f"λ' = {float(scale):g}", f"Λ = {float(lattice):g}"):
        assert words in found.caption
    assert f"B = {float(bound):g}" in found.caption
    assert f"f = {float(value):g}" in found.caption
    (row,) = accuracy.rows(alphas=[alpha])
    assert row.alpha in accuracy.ALPHAS
    bounds = {(b["name"].partition(", case")[0], b["law"], b["source"]): b["accuracy"] for b in told["bounds"]}
    drawn = {
        ("GETACCURACY", "ideal", "printed"): row.printed,
        ("GETACCURACY2", "ideal", "printed"): row.printed2,
        ("GETACCURACY2, corrected", "ideal", "corrected"): row.sound,
        ("ideal mechanism", "ideal", "exact"): row.exact,
    }
    assert {key: Fraction(float.fromhex(bounds[key])) for key in drawn} == drawn


def test_the_corrected_curve_never_runs_below_the_law() -> None:
    """As it is drawn: straight lines on a logarithmic scale, and at a step the right end of it."""
    ideal, curve = accuracy.IDEAL, accuracy.corrected(end=Fraction(6))
    assert [a for a, _ in curve] == sorted(a for a, _ in curve)
    pieces = [(p, q) for p, q in itertools.pairwise(curve) if p[0] < q[0]]
    values = [accuracy.VALUE, Fraction(0), ideal.lattice / 2, Fraction(1, 1000), Fraction(-37, 10), ideal.bound]
    for (a, high), (b, low) in pieces:
        assert low <= high
        for weight in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(999, 1000)):
            drawn = math.exp((1 - weight) * math.log(high) + weight * math.log(low))
            x = a + (b - a) * weight
            assert all(float(ideal.exceeds(x, f)) <= drawn * (1 + 1e-9) for f in values)
    # Joined by straight lines, the samples of a(α) did: the steps are what keeps it above.
    rows = list(accuracy.rows())
    assert any(
        float(ideal.exceeds((p.sound + q.sound) / 2, accuracy.VALUE)) > math.sqrt(p.alpha * q.alpha)
        for p, q in itertools.pairwise(rows)
    )


def test_the_constants_are_in_order_and_the_exhibited_one_is_below_what_is_proved() -> None:
    values = [mark.value for mark in constant.marks()]
    assert values == sorted(values)
    assert [mark.kind for mark in constant.marks()] == ["exhibited", "limit", *["proved"] * 3]
    caption = constant.figure().caption
    assert "10.984 needs p ≥ 18, λ ≤ B, Bη/λ ≤ 2⁻⁷, and the condition on Δ" in caption
    assert "12 needs p ≥ 7, λ ≤ B, Bη/λ ≤ 2⁻⁷, and the condition on Δ" in caption
    assert "12.42 needs p ≥ 11, λ ≤ B, Bη/λ ≤ 2⁻⁷, for every Δ; plus 32·Bη/λ" in caption


def test_the_commands_of_the_losses_have_the_parameters_of_the_picture() -> None:
    q = loss_by_output.QUESTION
    for command in loss_by_output.figure().commands:
        words = shlex.split(command)
        given = dict(zip(words[2::2], words[3::2], strict=True))
        assert {name: Fraction(float(text)) for name, text in given.items()} == {
            "--scale": q.scale,
            "--bound": q.bound,
            "--a": q.a,
            "--b": q.b,
        }


def test_the_sweep_that_the_map_names_is_there() -> None:
    (command,) = (c for c in small_formats.figure(range(2)).commands if "sweep" in c)
    assert (Path(__file__).parents[2] / command.split()[-1]).is_file()


@pytest.mark.parametrize(("width", "most"), [(WIDE, 5), (NARROW, 3)])
def test_no_arrow_touches_a_lemma_that_it_skips(width: int, most: int) -> None:
    """Between two lines an arrow is a curve inside the gap; past a line it is straight, and beside every box of it."""
    placed = lemma_graph.layout(width, most)
    half = placed.width / 2
    boxes = {name: (placed.x[name, line], line) for name, line in placed.boxes.items()}
    assert all(half <= x <= width - half for x, _ in boxes.values())
    assert all(end[1] == start[1] + 1 for start, end in placed.steps())
    for place, x in placed.x.items():
        for name, (center, line) in boxes.items():
            if line == place[1] and name != place[0]:
                assert abs(x - center) > half + (half if placed.is_box(place) else 3)
    reached = set()
    for start, end in placed.arrows:
        way = [(start, line) for line in range(placed.boxes[start], placed.boxes[end])]
        assert set(itertools.pairwise([*way, (end, placed.boxes[end])])) <= set(placed.steps())
        reached |= set(itertools.pairwise([*way, (end, placed.boxes[end])]))
    assert reached == set(placed.steps())


def test_squares_say_whether_the_bound_holds_and_cover_the_format() -> None:
    found = list(small_formats.squares(range(-1, 0)))
    assert {square.scale for square in found} == {Fraction(n, 32) for n in range(16, 32)}
    assert all(square.colour.startswith("shade") == square.worst.holds for square in found)
    (large,) = small_formats.mechanisms(5, [(Fraction(1, 2), Fraction(16))])
    broken = small_formats.Square(small_formats.worst_loss(large, Fraction(1), -7))
    assert (broken.colour, broken.words) == ("infinite", "∞")
    (tiny,) = small_formats.mechanisms(5, [(Fraction(29), Fraction(1, 2))])
    step = small_formats.input_step(tiny)
    over = small_formats.Square(small_formats.worst_loss(tiny, Fraction(1), step))
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
