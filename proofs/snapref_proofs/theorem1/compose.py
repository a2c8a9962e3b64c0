"""The proof of Theorem 1 put together: every lemma with what it says, what it uses, and the check that decides it.

    rounding, errors ──> cells, coarse, offsets, parity, reach ──> rows, premises, coverage ──> joined.* ──> the cases

The cases are `ends`, `inside`, `forward` and `backward`, and `cases` says that there are no others. For each case there
are inequalities that are optimised, and a lemma `joined.*`: they bound the loss. A *regime* is a constant C with its
conditions (statement.py). `prove` runs the whole chain for one regime; the theorem is proved when every lemma that it
needs is proved. As obligations the lemmas run one by one, and a claim that rests on the theorem has all of them as its
evidence (obligations.py). notes/theorem1.md explains the lemmas and the symbols in what they say.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from time import perf_counter
from typing import Any

import z3

from snapref_ledger.obligations import Kind, Outcome, Run
from snapref_proofs.evaluate.boxes import Box
from snapref_proofs.inequalities import Inequality, decide_boxes
from snapref_proofs.theorem1 import (
    calculus,
    coarse,
    coverage,
    grid,
    independent,
    interior,
    inversion,
    joined,
    joined_inside,
    meanings,
    misread,
    multiples,
    one_threshold,
    pages,
    parity,
    premises,
    replayed,
    rows,
    scenarios,
    slopes,
    two_sided,
    words,
)
from snapref_proofs.theorem1.interior import Numbers
from snapref_proofs.theorem1.inversion import in_bounds
from snapref_proofs.theorem1.pages import with_page
from snapref_proofs.theorem1.pages_of_tables import Table, everywhere, of_kept, of_other_ratio, of_table
from snapref_proofs.theorem1.scenarios import HALF, HEADS
from snapref_proofs.theorem1.statement import SHARP, TWELVE, Regime
from snapref_proofs.theorem1.subdivision import across_the_longest
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Family, Stated, Statement, absolute
from snapref_smt.engine.stating import besides

MOST_BOXES = 20_000  # per scenario
Check = Callable[[Regime], Iterable[str]]  # yields what is wrong


def nothing(regime: Regime) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Lemma:
    """One lemma, with its checks: `faults` that a program must not find, `states` for two solvers, `bounds` on boxes.

    Each check gets the regime. A lemma that is `common` to all regimes gets none, so that it cannot depend on it.
    `broken` is how `faults` looks at something that is wrong: it must notice. `page` says what the statements conclude
    (pages.py), and `count` how many there must be, with those that compare them with the page.
    """

    name: str
    says: str
    scope: str
    kind: Kind
    uses: tuple[str, ...]
    faults: Check = nothing
    broken: tuple[Check, ...] = ()
    states: Callable[[Regime], Iterable[Stated]] | None = None
    page: Callable[[Regime], Table] | None = None
    bounds: Callable[[Regime], Iterable[Inequality]] | None = None
    count: int = 0
    short: Fraction = Fraction(0)  # a constant that the inequalities do not reach: with it one of them fails
    common: bool = True

    @property
    def supporting(self) -> bool:
        """Whether the lemma only compares another one with the evaluator. The theorem does not need it."""
        return self.name.endswith(".replayed")

    def seen(self, regime: Regime) -> Any:
        """What the checks get."""
        return None if self.common else regime

    def stated(self, regime: Regime) -> list[Stated]:
        """The statements, and that they conclude what the page says."""
        assert self.states is not None
        built = [*self.states(self.seen(regime))]
        return built if self.page is None else with_page(built, self.page(self.seen(regime)))

    def incomplete(self) -> Iterator[str]:
        """What is missing from the lemma: a check, or what goes with it."""
        computes = self.faults is not nothing
        if not computes and self.states is None and self.bounds is None:
            yield f"nothing checks {self.name}"
        if computes != bool(self.broken):
            yield f"nothing shows that the check of {self.name} can fail, or there is none"
        if (self.states is not None) != bool(self.count):
            yield f"nothing says how many statements {self.name} has, or there are none"
        if self.states is not None and self.page is None and self.name not in WITHOUT_PAGE:
            yield f"no page says what {self.name} concludes"
        if self.name in JOINTS and not computes:
            yield f"{self.name} compares nothing"

    def check(self, regime: Regime, run: Run) -> Outcome:
        given = self.seen(regime)
        if computed := besides(self.faults(given), [one(given) for one in self.broken]):
            return computed
        if self.states is not None:
            return decide_all(self.stated(regime), run, self.count)
        if self.bounds is not None:
            too_sharp = self.bounds(replace(given, constant=self.short))
            return decide_boxes(self.bounds(given), too_sharp, MOST_BOXES, across_the_longest)
        return Outcome("proved", self.scope)


@dataclass(frozen=True)
class Result:
    lemma: Lemma
    outcome: Outcome
    seconds: float


def prove(regime: Regime, run: Run, known: dict[str, Result], supporting: bool = True) -> Iterator[Result]:
    """The result of every lemma of the regime; each comes after the lemmas that it uses.

    `known` keeps the results of the common lemmas, from one regime to the next.
    """
    for lemma in LEMMAS:
        if lemma.supporting and not supporting:
            continue
        if lemma.name not in known:
            start = perf_counter()
            outcome = lemma.check(regime, run)
            result = Result(lemma, outcome, perf_counter() - start)
            if lemma.common:
                known[lemma.name] = result
            yield result
        else:
            yield known[lemma.name]


def proved(results: Iterable[Result]) -> bool:
    """Whether the results include every lemma that the theorem needs, and all of them are proved."""
    found = {result.lemma.name: result.outcome.status for result in results}
    needed = {lemma.name for lemma in LEMMAS if not lemma.supporting}
    return needed <= set(found) and set(found.values()) == {"proved"}


def regions(low: bool, high: bool) -> list[Statement]:
    """Exactly one of six cases says where c ≤ c' lie around the interval of an output, from t1 to t2.

    low and high say whether its ends belong to it.
    """
    c, c_p, t1, t2 = z3.Reals("c c' t1 t2")
    first, second = (inversion.regions(v, t1, t2, low, high) for v in (c, c_p))
    pairs = (("I", "I"), ("II", "I"), ("II", "II"), ("III", "I"), ("III", "II"), ("III", "III"))
    cases = [z3.And(first[a], second[b]) for a, b in pairs]
    exactly_one = z3.Sum([z3.If(case, 1, 0) for case in cases]) == 1
    one_fewer = z3.Or(*cases[1:])
    k, last, bound = z3.Int("k"), z3.Int("K"), z3.Real("B")
    outputs = [last >= 1, absolute(k) <= last]
    ends_or_inside = z3.Or(k == last, k == -last, absolute(k) <= last - 1)
    return [
        Statement("six cases", [t1 < t2, c <= c_p], exactly_one, one_fewer),
        Statement("outputs", outputs, ends_or_inside, absolute(k) <= last - 1),
        # in units of Λ: (K - 1)Λ < B ≤ KΛ
        Statement(
            "|x| < B inside", [absolute(k) <= last - 1, last - 1 < bound], in_bounds(absolute(k), bound), k + 1 < bound
        ),
    ]


def _all_of(*groups: Callable[[], list[Statement]]) -> Callable[[Regime], list[Stated]]:
    return lambda regime: [statement for group in groups for statement in group()]


@cache
def _rows(fine: bool) -> list[Family]:
    """The statements about the rows; they are the same for every regime."""
    return [*rows.families(fine)]


def _stand_in(place: int) -> Check:
    return lambda regime: rows.stand_in(place)


def _forward(regime: Regime) -> Iterator[Inequality]:
    return interior.inequalities(scenarios.forward(), regime)


def _backward(regime: Regime) -> Iterator[Inequality]:
    return interior.backward_inequalities(interior.backward(), regime)


def _ends(regime: Regime) -> Iterator[Inequality]:
    return one_threshold.inequalities(regime)


def _inside(regime: Regime) -> Iterator[Inequality]:
    yield from two_sided.inequalities(regime)


def independent_inequalities(regime: Regime) -> Iterator[Inequality]:
    for case in independent.cases():
        yield Inequality(str(case), independent.excess(case, regime), independent.box_of(case, regime))
    yield from _ends(regime)
    yield from _inside(regime)


def _wrong_tables(regime: Regime) -> Iterator[str]:
    return (fault for p in (11, 12, 13, 14) for fault in replayed.boundary_table(p))


def _inverted(place: int) -> Check:
    """What `calculus.wrong` says if `at` has one derivative upside down."""
    wrong = [(below, above) if i == place else (above, below) for i, (above, below) in enumerate(calculus.DERIVATIVES)]
    return lambda regime: calculus.wrong(calculus.DERIVATIVES, wrong)


def _unlike_inside(listed: Iterable[Inequality], regime: Regime) -> Iterator[str]:
    return joined.unlike(listed, two_sided.inequalities(regime))


def _compared(numbers: type[Numbers]) -> Check:
    return lambda regime: meanings.wrong_comparisons(numbers)


# How the inequalities of a lemma are compared with those that are joined to the loss
UNLIKE: dict[str, joined.Compare] = {
    "ends": joined.unlike_ends,
    "inside": _unlike_inside,
    "forward": joined.unlike_forward,
    "backward": joined.unlike_backward,
}


def _unlike(name: str, wrong: Sequence[Check] = ()) -> dict[str, Any]:
    """That the list of a lemma is what is joined to the loss; and that a wrong list, or a wrong joint, is noticed."""
    return _beside([*joined.comparisons(UNLIKE[name], lambda regime: [*INEQUALITIES[name](regime)]), *wrong])


def _first_modes(regime: Regime) -> Iterator[str]:
    """Rows that are optimised in their first mode only."""
    listed = [*INEQUALITIES["forward"](regime)]
    return joined.unlike_forward(listed, regime, modes=lambda scenario: interior.modes(scenario)[:1])


def _beside(checks: Sequence[Check]) -> dict[str, Any]:
    """The first of the checks for a lemma, and the others, which must fail."""
    faults, *broken = checks
    return {"faults": faults, "broken": tuple(broken)}


def in_rows(table: coverage.Table, unknowns: type[coverage.Unknowns], *wrong: type[coverage.Unknowns]) -> list[Check]:
    """That every configuration has a row, and that rows which ask for too much are noticed."""

    def asking(*bases: type[coverage.Unknowns]) -> Check:
        return lambda regime: coverage.uncovered(coverage.at_half(table, regime, type("", bases, {})))

    return [asking(unknowns), *(asking(one, unknowns) for one in (*coverage.WRONG, *wrong))]


def in_boxes(stated: Callable[[Regime, coverage.Sides], Iterable[Statement]], boxes: Iterable[Box]) -> list[Check]:
    """That every configuration has a box, and that boxes of which one side is too short are noticed."""

    def asking(sides: coverage.Sides) -> Check:
        return lambda regime: coverage.uncovered(stated(regime, sides))

    names = sorted({name for box in boxes for name, (low, high) in box.items() if low < high})
    return [*map(asking, (coverage.between_sides, *map(coverage.lower_half, names)))]


REALS = "all real and integer values, any ratio of the spacings"
WHOLE = "all parameters of the regime: the whole box of κ, τ1', Λ and η, every pattern of binades"
CONFIGURATIONS = "all values of c, c', x, λ, Λ, B, η and Δ within the regime, both sides of c"
JOINED = "all values of the configuration; the formula of every inequality in the list that is optimised"
LEMMAS: tuple[Lemma, ...] = (
    Lemma(
        "rounding",
        "backwards through ⊕, ⊗ and LN: w ≥ T iff c ± Z ≥ t*, the middle below the threshold T; Z ≥ τ iff u < q",
        REALS,
        "smt",
        (),
        states=_all_of(inversion.rounding, inversion.walk),
        page=pages.of_rounding,
        count=12,
    ),
    Lemma(
        "errors",
        "-ln P(Z ≥ τ) = εV + E_y - E_u with |V - τ| ≤ h/2, |E_y| ≤ η·2**⌊log2 εV⌋, 0 ≤ E_u < ln(1 + 2η)",
        REALS,
        "smt",
        ("rounding",),
        states=_all_of(joined.sizes, joined.relative),
        page=pages.of_errors,
        count=8,
    ),
    Lemma(
        "probability",
        "P(x|c) is (q2 - q1)/2 on either side of the output's interval, 1 - q1/2 - q2/2 inside, q/2 or 1 - q/2 at ±B",
        "all real c, thresholds and Z > 0, both signs of the noise",
        "smt",
        ("rounding",),
        states=_all_of(lambda: inversion.probabilities(*inversion.TIES_UP)),
        page=lambda regime: pages.of_probability(True, False),
        count=16,
    ),
    Lemma(
        "probability.replayed",
        "the lemma `probability` agrees with the exact evaluator",
        "p = 5: every output from every value of a few mechanisms",
        "exhaustive",
        ("probability",),
        faults=lambda regime: replayed.wrong_probabilities(5),
        broken=(lambda regime: replayed.wrong_probabilities(4, part=HALF),),
    ),
    Lemma(
        "errors.replayed",
        "the lemma `errors` agrees with the exact evaluator",
        "p = 5: every λ of a binade, every quarter spacing of four binades, both kinds of ends",
        "exhaustive",
        ("errors",),
        faults=lambda regime: replayed.wrong_errors(5),
        broken=(lambda regime: replayed.wrong_errors(5, part=HALF),),
    ),
    Lemma(
        "boundaries",
        "a multiple of h never lies inside a cell of width h; what `cells` and the rows take for a multiple is one",
        REALS,
        "smt",
        (),
        faults=lambda regime: multiples.strays(),
        broken=(lambda regime: multiples.strays(every={}),),
        states=_all_of(grid.boundaries),
        page=pages.of_boundaries,
        count=4,
    ),
    Lemma(
        "cells",
        "D1, D2 ≥ 0, and D1 is at most Δ + (H - h1)/2, or H if 2Δ ≤ H; V1 - V2 is at least Λ - |δ| - (h1 + h2)/2",
        REALS,
        "smt",
        ("boundaries",),
        states=_all_of(grid.cells),
        page=pages.of_cells,
        count=12,
    ),
    Lemma(
        "offsets",
        "if k is neither 0 nor a power of two, |k| ≥ 3 and both thresholds lie in one binade, which makes δ = 0",
        "all integers k",
        "smt",
        (),
        states=_all_of(coarse.offsets),
        page=pages.of_offsets,
        count=2,
    ),
    Lemma(
        "offsets.replayed",
        "the thresholds and δ agree with the exact evaluator",
        "p = 11 … 14: every threshold up to B = 2**(p-7) Λ",
        "exhaustive",
        ("offsets",),
        faults=_wrong_tables,
        broken=(lambda regime: replayed.boundary_table(11, part=HALF),),
    ),
    Lemma(
        "parity",
        "if |x| = P/2 and |c'| ≥ P/2, δ pushes no distance of c' across a cell boundary; the same for c",
        REALS,
        "smt",
        (),
        states=_all_of(parity.parity),
        page=pages.of_parity,
        count=6,
    ),
    Lemma(
        "coarse",
        "H is at most the spacing at 2B; if Δ is a power of two, |c|, |c'| ≤ 2**p Δ; if 2Δ ≤ h2' and a power of two "
        "lies between τ2 and τ2', their binades are neighbours",
        REALS,
        "smt",
        (),
        states=_all_of(coarse.coarse),
        page=pages.of_coarse,
        count=7,
    ),
    Lemma(
        "parallel",
        "if D1 = D2 and the four εV lie in one binade of spacing h, E_y adds at most (1 + N)h",
        REALS,
        "smt",
        ("errors",),
        states=_all_of(inversion.parallel),
        page=pages.of_parallel,
        count=8,
    ),
    Lemma(
        "calculus",
        "the first three derivatives of f(w) = ln(1 - e**-w), as rational functions of e**w; `slopes` uses these",
        "all w > 0: identities of polynomials",
        "algebra",
        (),
        faults=lambda regime: calculus.wrong(calculus.DERIVATIVES, calculus.DERIVATIVES),
        broken=(
            lambda regime: calculus.wrong(calculus.DERIVATIVES[1:], calculus.DERIVATIVES),
            lambda regime: calculus.wrong(calculus.DERIVATIVES[::2], calculus.DERIVATIVES),
            *map(_inverted, range(len(calculus.DERIVATIVES))),
        ),
    ),
    Lemma(
        "slopes",
        "f is increasing and concave, f' convex, by the signs of its derivatives; the slopes of the two-sided cases",
        "all w > 0 by the formulas of the derivatives",
        "smt",
        ("calculus",),
        faults=lambda regime: slopes.unshown(slopes.statements()),
        broken=(lambda regime: slopes.unshown(slopes.statements()[1:]),),
        states=_all_of(slopes.statements),
        page=pages.of_slopes,
        count=20,
    ),
    Lemma(
        "cases",
        "x = ±B, or x = kΛ with |k| < K; then there are six ways in which c ≤ c' lie around the interval of x",
        REALS,
        "smt",
        (),
        states=_all_of(lambda: regions(*inversion.TIES_UP)),
        page=lambda regime: pages.of_cases(True, False),
        count=6,
    ),
    Lemma(
        "rows.fine",
        "Δ a multiple of H: the bounds on D2 - Δ, D2 - D1 and V1' - V2' in every row of the table hold",
        "every pattern of binades, every place of x, both sides of c",
        "smt",
        ("boundaries", "parity"),
        faults=lambda regime: rows.unproved(True, _rows(fine=True)),
        broken=(lambda regime: rows.unproved(True, _rows(fine=True)[1:]), *map(_stand_in, rows.STAND_INS)),
        states=lambda regime: _rows(fine=True),
        page=lambda regime: of_kept(True),
        count=716,
    ),
    Lemma(
        "rows.coarse",
        "Δ a power of two below H: the bounds on D2 - Δ, D2 - D1 and V1' - V2' in every row of the table hold",
        "every pattern of binades, every place of x, both sides of c",
        "smt",
        ("boundaries", "parity", "cells", "coarse"),
        faults=lambda regime: rows.unproved(False, _rows(fine=False)),
        broken=(lambda regime: rows.unproved(False, _rows(fine=False)[1:]),),
        states=lambda regime: _rows(fine=False),
        page=lambda regime: of_kept(False),
        count=548,
    ),
    Lemma(
        "premises",
        "what `coverage` starts from: the sizes of ηx, ηΛ, ηB and H, the half gaps of thresholds, the sizes of Δ, and "
        "the spacings of a pattern",
        CONFIGURATIONS,
        "smt",
        ("rounding", "offsets", "coarse"),
        states=premises.premises,
        page=pages.of_premises,
        count=40,
        common=False,
    ),
    Lemma(
        "coverage.lattices",
        "Λ/P is a power of two for which the tables have rows; εV and κV have the same binades; how sides are compared",
        CONFIGURATIONS,
        "smt",
        ("premises",),
        states=lambda regime: [*coverage.binades(), *coverage.comparisons(), *coverage.lattice_sizes(regime)],
        page=pages.of_binades,
        count=9,
        common=False,
    ),
    Lemma(
        "coverage.ends",
        "x = ±B: every configuration lies in the box of a case",
        CONFIGURATIONS,
        "smt",
        (),
        **_beside(in_boxes(coverage.ends, map(one_threshold.box_of, one_threshold.ends()))),
        states=coverage.ends,
        page=pages.of_ends,
        count=11,
        common=False,
    ),
    Lemma(
        "coverage.inside",
        "x inside, and its interval contains c or c', or lies between them: every configuration lies in the boxes",
        CONFIGURATIONS,
        "smt",
        ("premises",),
        **_beside(in_boxes(coverage.inside, (one.box for one in two_sided.inequalities(TWELVE)))),
        states=coverage.inside,
        page=pages.of_inside,
        count=19,
        common=False,
    ),
    Lemma(
        "coverage.forward",
        "x inside, c and c' on one side of it: every configuration has a row that applies to it, and lies in its box",
        CONFIGURATIONS,
        "smt",
        ("premises", "coverage.lattices"),
        **_beside(in_rows(coverage.forward, coverage.Unknowns, *coverage.OF_ROWS, coverage.Unsized, coverage.Odd)),
        states=lambda regime: coverage.tables(coverage.forward, regime),
        page=lambda regime: of_table(everywhere(regime), rows.table()),
        count=512,
        common=False,
    ),
    Lemma(
        "coverage.backward",
        "the same for the cases of ln(P(x|farther)/P(x|nearer))",
        CONFIGURATIONS,
        "smt",
        ("premises", "coverage.lattices"),
        **_beside(in_rows(coverage.backward, coverage.Unknowns, coverage.Unsized)),
        states=lambda regime: coverage.tables(coverage.backward, regime),
        page=lambda regime: of_other_ratio(everywhere(regime), [*interior.backward()], HEADS),
        count=96,
        common=False,
    ),
    Lemma(
        "meanings",
        "slope, y_error and step, which the quantities on boxes use, are what `joined.*` takes them for",
        "all reals; comparisons of enclosures on a grid, by both engines",
        "smt",
        ("calculus", "slopes"),
        faults=lambda regime: meanings.wrong_comparisons(),
        broken=tuple(map(_compared, meanings.WRONG)),
        states=meanings.meanings,
        page=pages.of_meanings,
        count=23,
        common=False,
    ),
    Lemma(
        "words",
        "what `joined.*` takes for known of a word follows from what `meanings`, `coverage` and `slopes` show of it",
        "all reals",
        "smt",
        ("meanings", "slopes"),
        states=words.words,
        count=15,
        common=False,
    ),
    Lemma(
        "joined.ends",
        "if the inequalities of `ends` hold, so does the theorem for x = ±B",
        JOINED,
        "smt",
        ("errors", "probability", "slopes", "coverage.ends"),
        **_unlike("ends"),
        states=joined.ends,
        page=pages.of_joined_ends,
        count=11,
        common=False,
    ),
    Lemma(
        "joined.inside",
        "if the inequalities of `inside` hold, so does the theorem where an interval contains c or c', or lies between",
        JOINED,
        "smt",
        ("errors", "probability", "slopes", "coverage.inside", "words"),
        **_unlike("inside", [misread.around_c]),
        states=joined_inside.inside,
        page=pages.of_joined_inside,
        count=11,
        common=False,
    ),
    Lemma(
        "joined.forward",
        "if the inequalities of `forward` hold, so does the theorem for ln(P(x|nearer)/P(x|farther))",
        JOINED,
        "smt",
        ("errors", "probability", "parallel", "slopes", "rows.fine", "rows.coarse", "coverage.forward", "words"),
        **_unlike("forward", [_first_modes, *misread.misreadings(misread.first_forward, misread.FORWARD)]),
        states=joined.forward,
        page=pages.of_forward,
        count=20,
        common=False,
    ),
    Lemma(
        "joined.backward",
        "if the inequalities of `backward` hold, so does the theorem for ln(P(x|farther)/P(x|nearer))",
        JOINED,
        "smt",
        ("errors", "probability", "cells", "slopes", "coverage.backward", "words"),
        **_unlike("backward", misread.misreadings(misread.first_backward, misread.BACKWARD)),
        states=joined.backward,
        page=pages.of_backward,
        count=26,
        common=False,
    ),
    Lemma(
        "ends",
        "x = ±B: loss ≤ εΔ + C·Bεη + 2η",
        WHOLE,
        "interval",
        ("joined.ends",),
        bounds=_ends,
        short=Fraction(9),
        common=False,
    ),
    Lemma(
        "inside",
        "x inside, and its interval contains c or c', or lies between them: loss ≤ εΔ + C·Bεη + 2η",
        WHOLE,
        "interval",
        ("joined.inside",),
        bounds=_inside,
        short=Fraction(4),
        common=False,
    ),
    Lemma(
        "forward",
        "x inside, c and c' on one side of it: ln(P(x|nearer)/P(x|farther)) ≤ εΔ + C·Bεη + 2η",
        WHOLE,
        "interval",
        ("joined.forward",),
        bounds=_forward,
        short=Fraction(109, 10),
        common=False,
    ),
    Lemma(
        "backward",
        "x inside, c and c' on one side of it: ln(P(x|farther)/P(x|nearer)) ≤ εΔ + C·Bεη + 2η",
        WHOLE,
        "interval",
        ("joined.backward",),
        bounds=_backward,
        short=Fraction(6),
        common=False,
    ),
)
INEQUALITIES = {lemma.name: lemma.bounds for lemma in LEMMAS if lemma.bounds is not None}
INDEPENDENT = Lemma(
    "independent",
    "every Δ > 0, all errors taken as independent: loss ≤ εΔ + 18·Bεη + 2η",
    "every sensitivity; all parameters with p ≥ 11, λ ≤ B, B·η/λ ≤ 2**-7",
    "interval",
    ("errors", "premises", "slopes", "cases"),
    bounds=independent_inequalities,
    short=Fraction(12),
    common=False,
)


def unlike_independent(listed: Sequence[Inequality], regime: Regime) -> Iterator[str]:
    """Inequalities of the constant 18 that are not in the list of `independent`."""
    cases = [
        Inequality(str(case), independent.excess(case, regime), independent.box_of(case, regime))
        for case in independent.cases()
    ]
    yield from joined.unlike(listed, cases)
    yield from joined.unlike_ends(listed, regime)
    yield from _unlike_inside(listed, regime)


# What the theorem needs, whatever `uses` says: its cases, and the lemmas that no configuration and no row is forgotten.
WITHOUT_PAGE = ("words",)  # what it concludes is what the joints call
CASES = ("cases", "ends", "inside", "forward", "backward")
TABLES = ("rows.fine", "rows.coarse", "premises", "coverage.lattices", "parallel", "meanings", "words", "probability")
JOINTS = tuple(f"{joint}.{case}" for joint in ("coverage", "joined") for case in CASES if case != "cases")
# The other chains: the obligations that each needs beside the lemmas above, and the claim that rests on it.
CHAINS: dict[str, tuple[str, tuple[str, ...]]] = {
    "theorem.every": ("F-T1", ("rows", "coverage", "joined", "")),
    "theorem.ties.even": ("N-4.2.2-priv", ("program", "rows", "coverage", "joined", "")),
}


def chain(name: str) -> list[str]:
    """The obligations of a chain; the last one has the inequalities."""
    return [f"{name}.{part}".rstrip(".") for part in CHAINS[name][1]]


TRUSTED = (
    "Lindemann: ln of a dyadic number other than 1 is irrational, so LN has no ties",
    "mean value theorem, and the trapezoid above a convex function",
    "the logarithm of a positive concave function is concave (1 - e**-α/2 - e**-γ/2 in two_sided.py)",
    "multiplying by a power of two is exact; of two powers of two the smaller divides the larger",
    "P(U* < t) = t for every p-bit t (claims N-3-U and N-3-band)",
    "the solvers z3 and cvc5 agree; Arb and mpmath.iv agree on every leaf",
    "that a statement says what its name says: this a person must check by reading (twins that fail help)",
)


def chain_faults() -> Iterator[str]:
    """What is wrong with `proved`: it must need every lemma but the supporting ones, and all of them proved."""
    every = [Result(lemma, Outcome("proved"), 0.0) for lemma in LEMMAS]
    if not proved(every):
        yield "the theorem is not proved by all of its lemmas"
    for i, one in enumerate(every):
        rest, undecided = [*every[:i], *every[i + 1 :]], replace(one, outcome=Outcome("undecided"))
        if proved([*rest, undecided]) or proved(rest) != one.lemma.supporting:
            yield f"the theorem is proved without {one.lemma.name}, or needs what only supports it"
    if not proved(one for one in every if not one.lemma.supporting):
        yield "the theorem is not proved by the lemmas that it needs"


def unchecked(run: Run, check: Callable[[Lemma, Regime, Run], Outcome] = Lemma.check) -> Iterator[str]:
    """What a lemma may get wrong, and the check does not notice. There should be nothing."""
    x, blank = z3.Real("x"), Lemma("", "", "", "algebra", (), common=False)
    true, above = Statement("", [x > 1], x > 0, x > 2), Inequality("", lambda engine, v: v["x"], {"x": (HALF, HALF)})
    below = above._replace(box={"x": (-HALF, -HALF)})
    stating = replace(blank, states=lambda regime: [true], count=1)
    false = Statement("", [], z3.BoolVal(False))
    wrong = {
        "a fault": replace(blank, faults=lambda regime: ["a fault"]),
        "a check that sees nothing": replace(blank, broken=(nothing,)),
        "a false statement": replace(blank, states=lambda regime: [false], count=1),
        "a fault beside a statement": replace(stating, faults=lambda regime: ["a fault"]),
        "a check beside a statement that sees nothing": replace(stating, broken=(nothing,)),
        "a regime that is common": replace(blank, states=lambda regime: [true] if regime else [], count=1, common=True),
        "a missing statement": replace(stating, count=2),
        "the same statement twice": replace(blank, states=lambda regime: [true, replace(true, name="other")], count=2),
        "less than its page says": replace(stating, page=lambda regime: {"": x > 2}, count=0),
        "a false inequality": replace(blank, bounds=lambda regime: [above]),
        "an inequality without a twin that fails": replace(blank, bounds=lambda regime: [below]),
        "a false inequality behind others": replace(
            blank, bounds=lambda regime: [*[below if regime.constant else above] * 30, above]
        ),
        "one check of two that sees nothing": replace(blank, broken=(nothing, lambda regime: ["a fault"])),
        "another one of two": replace(blank, broken=(lambda regime: ["a fault"], nothing)),
    }
    yield from (name for name, lemma in wrong.items() if check(lemma, TWELVE, run).status == "proved")
    sharper = {
        "a fault": replace(blank, faults=lambda regime: ["a fault"] if regime is SHARP else []),
        "a false statement": replace(blank, states=lambda regime: [false if regime is SHARP else true], count=1),
        "a page": replace(stating, page=lambda regime: {"": x > 2 if regime is SHARP else x > 0}, count=0),
        "an inequality": replace(
            blank, bounds=lambda regime: [above if regime.min_precision == SHARP.min_precision else below]
        ),
    }
    yield from (
        f"{name}, for another constant"
        for name, lemma in sharper.items()
        if check(lemma, SHARP, run).status == "proved"
    )
    right = replace(blank, bounds=lambda regime: [below if regime.constant else above])
    if any(check(lemma, TWELVE, run).status != "proved" for lemma in (right, blank)):
        yield "a lemma of which nothing is wrong is not proved"


def graph_faults(lemmas: Sequence[Lemma] | None = None) -> Iterator[str]:
    """What is wrong with the list of lemmas: an unknown name, a use before its proof, a lemma that is not needed."""
    known: set[str] = set()
    lemmas = LEMMAS if lemmas is None else lemmas
    for lemma in lemmas:
        yield from (f"{lemma.name} uses {name} before it is there" for name in lemma.uses if name not in known)
        known.add(lemma.name)
        yield from lemma.incomplete()
    yield from (f"{name} is missing" for name in (*CASES, *TABLES, *JOINTS) if name not in known)
    used = {*CASES, *(name for lemma in lemmas for name in lemma.uses)}
    yield from (f"nothing uses {one.name}" for one in lemmas if not (one.supporting or one.name in used))


def unnoticed() -> Iterator[str]:
    """Mistakes in the list of lemmas that `graph_faults` does not notice. There should be none."""
    more = replace(LEMMAS[0], name="one more")
    wrong = {"the last lemma is not used": [*LEMMAS, more], "the first lemma is not used": [more, *LEMMAS]}
    for i, lemma in enumerate(LEMMAS):
        before, after, name = LEMMAS[:i], LEMMAS[i + 1 :], lemma.name
        if not lemma.supporting:
            wrong[f"{name} is gone"] = [*before, *after]
        if name in (*CASES, *TABLES, *JOINTS):
            forgotten = (replace(one, uses=tuple(use for use in one.uses if use != name)) for one in (*before, *after))
            wrong[f"{name} is forgotten"] = list(forgotten)
        if lemma.uses:
            wrong[f"{name} comes first"] = [lemma, *before, *after]
        unchecked = replace(lemma, faults=nothing, broken=(), states=None, bounds=None, count=0)
        wrong[f"{name} is not checked"] = [*before, unchecked, *after]
        if lemma.broken:
            wrong[f"{name} cannot fail"] = [*before, replace(lemma, broken=()), *after]
            wrong[f"{name} computes nothing"] = [*before, replace(lemma, faults=nothing), *after]
        if lemma.page is not None:
            wrong[f"{name} has no page"] = [*before, replace(lemma, page=None), *after]
        if lemma.count:
            wrong[f"{name} is not counted"] = [*before, replace(lemma, count=0), *after]
            wrong[f"{name} states nothing"] = [*before, replace(lemma, states=None), *after]
        if lemma.broken and name in JOINTS:
            wrong[f"{name} compares nothing"] = [*before, replace(lemma, faults=nothing, broken=()), *after]
    yield from (f"nobody notices that {name}" for name, lemmas in wrong.items() if not any(graph_faults(lemmas)))
