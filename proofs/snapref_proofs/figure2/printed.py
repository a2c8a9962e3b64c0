"""What 004 §4 prints for each case: the sets of u, their ends r … r̄ where they are given, and the bound on the ratio.

Nothing is corrected here. Where the document leaves the ends blank, they are computed from the printed expressions by
the printed rules of Figure 2. `findings` compares all this with the exact sets, at given parameters, and says what is
wrong. The claims are `F-T1-Ar`, `F-T1-Br`, `F-T1-…int`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.intervals import Enclosure, Engine, agreed, sign
from snapref_proofs.evaluate.tails import boundary, tail
from snapref_proofs.figure2.expressions import Expression, end
from snapref_proofs.figure2.semantics import Judgement, evaluate, exponential
from snapref_proofs.figure2.seven_cases import Case, Question


@dataclass(frozen=True)
class PrintedSet:
    """A printed set of u: its two ends (None for 0 or 1), its brackets, and the sign printed beside it (0 for none)."""

    lower: Expression | None
    upper: Expression | None
    brackets: str
    sign: int

    def __str__(self) -> str:
        sign = f" (s = {self.sign:+d})" if self.sign else ""
        lower, upper = self.lower or "0", self.upper or "1"
        return f"u ∈ {self.brackets[0]}{lower}, {upper}{self.brackets[1]}{sign}"


def _same_for_both(*sets: tuple[str, str, str, int]) -> tuple[tuple[PrintedSet, ...], tuple[PrintedSet, ...]]:
    """The sets for a, and the same sets for a' with f(a') in place of f(a)."""

    def build(f: str) -> tuple[PrintedSet, ...]:
        return tuple(PrintedSet(_end(low, f), _end(high, f), brackets, s) for low, high, brackets, s in sets)

    return build("f(a)"), build("f(a')")


def _end(text: str, f: str = "f(a)") -> Expression | None:
    return end(*text.replace("f", f).split()) if text else None


def _set(lower: str, upper: str, brackets: str, s: int) -> PrintedSet:
    def build(text: str) -> Expression | None:
        return end(*text.split()) if text else None

    return PrintedSet(build(lower), build(upper), brackets, s)


PRINTED: dict[Case, tuple[tuple[PrintedSet, ...], tuple[PrintedSet, ...]]] = {
    "A": _same_for_both(("", "-b ⊖ Λ/2 ⊖ f", "()", -1)),
    "B": (
        (_set("x ⊖ Λ/2 ⊖ f(a)", "x ⊖ Λ/2 ⊖ f(a)", "[)", -1),),
        (_set("x ⊖ Λ/2 ⊖ f(a')", "x ⊖ Λ/2 ⊖ f(a')", "[]", -1),),
    ),
    "C": (
        (_set("[f(a)] ⊖ Λ/2 ⊖ f(a)", "", "(]", -1), _set("f(a) ⊖ [f(a)] ⊖ Λ/2", "", "(]", 1)),
        (_set("[f(a)] ⊖ f(a') ⊖ Λ/2", "[f(a)] ⊖ f(a') ⊕ Λ/2", "()", -1),),
    ),
    "D": (
        (_set("f(a) ⊕ Λ/2 ⊖ [f(a)]", "f(a) ⊖ Λ/2 ⊖ [f(a)]", "(]", 1),),
        (_set("[f(a)] ⊖ f(a') ⊕ Λ/2", "[f(a)] ⊖ f(a') ⊖ Λ/2", "()", -1),),
    ),
    "E": (
        (_set("f(a) ⊖ Λ/2 ⊖ [f(a')]", "f(a) ⊕ Λ/2 ⊖ [f(a')]", "(]", 1),),
        (_set("[f(a)] ⊖ f(a') ⊖ Λ/2", "", "(]", -1), _set("f(a) ⊖ [f(a')] ⊖ Λ/2", "", "()", 1)),
    ),
    "F": _same_for_both(("f ⊕ Λ/2 ⊖ x", "f ⊖ Λ/2 ⊖ x", "(]", 1)),
    "G": _same_for_both(("", "-b ⊖ Λ/2 ⊕ f", "()", 0)),
}
EXPRESSIONS: tuple[Expression, ...] = tuple(
    expression
    for sides in PRINTED.values()
    for side in sides
    for printed in side
    for expression in (printed.lower, printed.upper)
    if expression is not None
)


def values(question: Question, k: int) -> dict[str, Fraction]:
    """What the names of the document stand for."""
    lattice = question.lattice
    return {
        "ε": 1 / question.scale,
        "x": question.output(k),
        "Λ/2": lattice / 2,
        "-b": -question.last_inside,
        "f(a)": question.a,
        "f(a')": question.b,
        "[f(a)]": question.rounded(question.a) * lattice,
        "[f(a')]": question.rounded(question.b) * lattice,
    }


def judgement(question: Question, k: int, expression: Expression) -> Judgement:
    """The printed rules applied to a printed end."""
    return evaluate(expression, values(question, k), question.parameters.precision, printed=True)


@dataclass(frozen=True)
class Ends:
    """The r and r̄ of one end: low·exp(low_exponent) and high·exp(high_exponent)."""

    low: Fraction
    low_exponent: Fraction
    high: Fraction
    high_exponent: Fraction

    def lower(self, engine: Engine) -> Enclosure:
        return exponential(engine, self.low_exponent) * engine.between(self.low, self.low)

    def upper(self, engine: Engine) -> Enclosure:
        return exponential(engine, self.high_exponent) * engine.between(self.high, self.high)

    def crossed(self, bits: int) -> bool:
        """Whether r > r̄, so that nothing lies between them."""
        return sign(lambda e: self.lower(e) - self.upper(e), bits) > 0


def printed_ends(question: Question, k: int, case: Case, f: Fraction) -> tuple[Ends, ...]:
    """The r, r̄ that are written out in cases A (the upper end) and B (both ends)."""
    eta, epsilon, one = question.eta, 1 / question.scale, Fraction(1)
    if case == "A":
        t = -question.last_inside - question.lattice / 2
        low, high = (t / (1 + eta) - f) * (1 + eta) ** 2, (t * (1 + eta) - f) / (1 + eta) ** 2
        return (Ends(one, epsilon * low, one, epsilon * high),)
    if case == "B":
        inner = [question.output(k) + way * question.lattice / 2 - f for way in (-1, 1)]
        return tuple(Ends(1 - eta, epsilon * d * (1 - eta) ** 2, 1 + eta, epsilon * d * (1 + eta) ** 2) for d in inner)
    return ()


def ends(question: Question, k: int, case: Case, f: Fraction, printed: PrintedSet) -> tuple[Ends | None, Ends | None]:
    """The lower and upper end of a printed set, written out or, where left blank, by the printed rules."""
    given = printed_ends(question, k, case, f)
    if given:
        return (None, given[0]) if case == "A" else (given[0], given[1])
    return _by_rules(question, k, printed.lower), _by_rules(question, k, printed.upper)


def _by_rules(question: Question, k: int, expression: Expression | None) -> Ends | None:
    if expression is None:
        return None
    (inner,) = judgement(question, k, expression).premises
    return Ends(1 - question.eta, inner.low, 1 + question.eta, inner.high)


def log_ratio(question: Question, k: int, case: Case) -> tuple[Fraction, Fraction] | None:
    """An enclosure of the logarithm of the printed bound on the ratio; None if a length is not positive.

    The bound is the largest length of the sets for a, divided by the smallest length of those for a'.
    """
    sides = [
        [ends(question, k, case, f, printed) for printed in side]
        for f, side in zip((question.a, question.b), PRINTED[case], strict=True)
    ]

    def length(engine: Engine, side: list[tuple[Ends | None, Ends | None]], most: bool) -> Enclosure:
        total = engine.between(Fraction(0), Fraction(0))
        for lower, upper in side:
            top = (
                engine.between(Fraction(1), Fraction(1))
                if upper is None
                else upper.upper(engine)
                if most
                else upper.lower(engine)
            )
            total += top if lower is None else top - (lower.lower(engine) if most else lower.upper(engine))
        return total / 2

    bits = question.bits
    if any(
        sign(partial(length, side=side, most=most), bits) <= 0 for side, most in zip(sides, (True, False), strict=True)
    ):
        return None
    return agreed(lambda e: e.log(length(e, sides[0], True) / length(e, sides[1], False)), bits)


def findings(question: Question, k: int, case: Case) -> Iterator[str]:
    """What is wrong with the printed sets and ends of a case at output number k, one sentence each."""
    if case == "CE":
        yield "the document has no such case: x = [f(a)] and x = [f(a')] both apply, with different sets of u"
        return
    for name, f, side in zip(("a", "a'"), (question.a, question.b), PRINTED[case], strict=True):
        true_sets = question.sets(k, f)
        if len(true_sets) != len(side):
            yield f"on {name}: {len(side)} set(s) of u printed, but {len(true_sets)} lead to x"
        for printed, true in zip(side, true_sets, strict=False):
            if printed.sign and printed.sign != true.sign:
                yield f"on {name}: s = {printed.sign:+d} printed, but x is reached with s = {true.sign:+d}"
            low, high = (
                judgement(question, k, e).value if e is not None else d
                for e, d in ((printed.lower, Fraction(0)), (printed.upper, Fraction(1)))
            )
            if low >= high:
                yield f"on {name}: the printed set is empty, from {float(low):.6g} to {float(high):.6g}"
            found = ends(question, k, case, f, printed)
            for which, r, exact_end in zip(
                ("lower", "upper"), found, exact_ends(question, k, f, true.sign), strict=True
            ):
                if r is None or exact_end is None:
                    continue
                if r.crossed(question.bits):
                    yield f"on {name}: {which} end: r > r̄, so nothing lies between them"
                elif not contains(question, r, exact_end):
                    yield f"on {name}: {which} end: the exact one, {float(exact_end):.17g}, is not between r and r̄"


def contains(question: Question, r: Ends, exact_end: Fraction) -> bool:
    """Whether r ≤ q ≤ r̄."""
    bits = question.bits
    below = sign(lambda e: e.between(exact_end, exact_end) - r.lower(e), bits)
    above = sign(lambda e: r.upper(e) - e.between(exact_end, exact_end), bits)
    return below >= 0 and above >= 0


def exact_ends(question: Question, k: int, c: Fraction, s: int) -> tuple[Fraction | None, Fraction | None]:
    """The exact ends [lower, upper) of the u that lead from c to output number k with the sign s; None for 0 or 1."""
    m, value = question.parameters, from_fraction(c)
    crossing: list[Fraction | None] = []
    for j in (k - 1, k):
        if not -m.last <= j < m.last:
            crossing.append(None)
            continue
        below, mass = tail(m, value, boundary(m, j))
        crossing.append(to_fraction(mass) if below == (s > 0) else None)
    low, high = crossing
    return (low, high) if s > 0 else (high, low)
