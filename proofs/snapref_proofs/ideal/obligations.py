"""Document 003, the ideal mechanism: which of its sentences hold (claims `V-…`), and what Props. 1 and 2 should say.

A sentence that fails is refuted by an example in which every probability is rational (dilation.py). The example is
replayed: the mechanism is run on the draws u at and around the ends of the intervals in question. A sentence that holds
is decided for all reals by two solvers (statements.py). That covers all distributions of u and all events, because the
proof moves an event as a whole and looks at one arbitrary point of it.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.ideal import statements
from snapref_proofs.ideal.dilation import HALF, Law, Snap, definition_2, definition_5, on_cells, uniform
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves

TWO = Fraction(2)  # e^ε: ε = ln 2, so 1/ε = 1.44… and Λ = 2
IDEAL = Snap(TWO, Fraction(2))
UNIFORM, FAR = uniform(0, 1), uniform(0, Fraction(1, 8))  # with FAR the noise is at least 3, up or down


def excess(snap: Snap, laws: tuple[Law, Law], values: tuple[int, int], v: int) -> tuple[Fraction, Fraction, str]:
    """P(Snap(μ1, a) = v), P(Snap(μ2, a') = v), and a line that says so, after a replay around every end."""
    f, g, out = Fraction(values[0]), Fraction(values[1]), Fraction(v)
    if not (snap.replays(f, out) and snap.replays(g, out)):
        raise AssertionError("the program does not do what its inverse image says")
    p, q = snap.probability(laws[0], f, out), snap.probability(laws[1], g, out)
    return p, q, f"f(a) = {f}, f(a') = {g}, output {v}: {p} from a, {q} from a'"


# ---- Definitions 2 and 5


@obligation(
    "proofs.dilation.defined.coarse",
    claim="V-D2",
    kind="exact",
    expected="refuted",
    scope="U = (0, 1], the events ∅, (0, ½], (½, 1], U; e^ε = 2",
)
def defined_coarse(run: Run) -> Outcome:
    """If e^(-ε)·E need not be an event when E is one, it has no probability, and D_ε has no value."""
    moved = Law(((Fraction(0), Fraction(1, 4), HALF), (HALF, Fraction(1), HALF)))
    events = [(Fraction(0), HALF), (HALF, Fraction(1)), (Fraction(0), Fraction(1))]
    if any(UNIFORM.mass(*event) != moved.mass(*event) for event in events):
        return Outcome("undecided", "the two laws differ on an event")
    found = [max(UNIFORM.mass(x, y) - 2 * law.mass(x / 2, y / 2) for x, y in events) for law in (UNIFORM, moved)]
    if found[0] == found[1]:
        return Outcome("undecided")
    return Outcome(
        "refuted",
        "the law of μ2 is not given on ½·E",
        "½·(½, 1] = (¼, ½] is no event: μ2 uniform, or with all of (0, ½] moved to (0, ¼], are the same on events\n"
        f"sup_E μ1(E) - 2·μ2(½E) for μ1 uniform: {found[0]} or {found[1]}",
    )


@proves(
    "proofs.dilation.defined",
    claim="V-D2",
    part="conditional",
    scope="U = (0, 1] with the Borel sets, every ε ≥ 0, all laws: scaling is one to one, keeps U, takes intervals to "
    "intervals, and so Borel sets to Borel sets; the supremum is in [0, 1]",
)
def defined() -> list[Statement]:
    """e^(-ε)·E is an event when E is, and the supremum exists."""
    return [*statements.scaling(), *statements.values()]


@obligation(
    "proofs.dilation.definitions.differ",
    claim="V-D5",
    kind="exact",
    expected="refuted",
    scope="μ1 = μ2 uniform on (0, 1), e^ε = 2",
)
def definitions_differ(run: Run) -> Outcome:
    """For the uniform law, which the mechanism uses, Def. 2 gives 0 and Def. 5 gives 1 - e^(-2ε)."""
    second, fifth = definition_2(UNIFORM, UNIFORM, TWO), definition_5(UNIFORM, UNIFORM, TWO)
    if second == fifth:
        return Outcome("proved")
    return Outcome("refuted", "", f"e^ε = 2, μ1 = μ2 uniform: Def. 2 gives {second}, Def. 5 gives {fifth} (E = U)")


@proves("proofs.dilation.definitions", claim="V-D5", part="corrected", scope="every ε ≥ 0, all laws, every event")
def definitions() -> list[Statement]:
    """Def. 5 is Def. 2 applied to μ1 and e^(-2ε)·μ2. It lies between Def. 2 and Def. 2 + e^ε - e^(-ε)."""
    return [*statements.two_definitions()]


# ---- the proof of Prop. 1, line by line


@obligation(
    "proofs.dilation.inverse.printed",
    claim="V-P1-S",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, Λ = 2, f(a) = 0: u = ½ with either sign",
)
def inverse_printed(run: Run) -> Outcome:
    """The printed interval of u is wrong for both signs.

    Dividing by S = -1 makes its ends negative. And ties go up, so the upper end belongs to the next output.
    """
    f, u = Fraction(0), HALF
    lines = []
    for sign, v in ((-1, 2), (1, -2)):
        ends = [TWO ** (v + step) / sign for step in (-1, 1)]
        printed, true = ends[0] <= u <= ends[1], IDEAL.output(f, sign, u) == v
        if printed == true:
            return Outcome("undecided", f"S = {sign}: the printed interval is right here")
        lines.append(
            f"S = {sign}, u = ½: round(0 + S·log2(½)) = {IDEAL.output(f, sign, u)}; "
            f"printed for {v}: u ∈ [{ends[0]}, {ends[1]}]"
        )
    return Outcome("refuted", "", "\n".join(lines))


@proves(
    "proofs.dilation.inverse",
    claim="V-P1-S",
    part="corrected",
    scope="every u > 0, f, ε > 0, Λ > 0, every multiple v of Λ, both signs",
)
def inverse() -> list[Statement]:
    """u^S ∈ [e^(ε(v - Λ/2 - f)), e^(ε(v + Λ/2 - f))), for each sign."""
    return [*statements.inverse_images()]


@obligation(
    "proofs.dilation.moved.printed",
    claim="V-P1-34",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, Λ = 2, f(a) = 0, v = 0: f(a') = -1 and 0 with S = 1, f(a') = 1 with S = -1",
)
def moved_printed(run: Run) -> Outcome:
    """If u gives v from a, e^(-ε)·u need not give v from a': not if f(a') is not f(a) + 1, and not if S = -1."""
    lines = []
    for sign, g in ((1, Fraction(-1)), (1, Fraction(0)), (-1, Fraction(1))):
        u = Fraction(3, 4) if g else Fraction(5, 8)
        outputs = IDEAL.output(Fraction(0), sign, u), IDEAL.output(g, sign, u / 2)
        if outputs[0] != 0 or outputs[1] == 0:
            return Outcome("undecided", f"S = {sign}, f(a') = {g}: {outputs}")
        lines.append(f"S = {sign}, f(a') = {g}: u = {u} gives 0 from a, u/2 = {u / 2} gives {outputs[1]} from a'")
    return Outcome("refuted", "", "\n".join(lines))


@proves(
    "proofs.dilation.moved",
    claim="V-P1-34",
    part="corrected",
    scope="every f(a), f(a'), ε > 0, Λ > 0, v, both signs, d = f(a') - f(a)",
)
def moved() -> list[Statement]:
    """I(a') = e^(-ε·S·d)·I(a), where I(a) is the set of u that give the output v from a with the sign S."""
    return [*statements.moved_images()]


@obligation(
    "proofs.dilation.delta.printed",
    claim="V-P1-delta",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, Λ = 2, f(a) = 0, f(a') = 1, output -2, μ1 uniform on (0, 1), μ2 uniform on (¼, 1)",
)
def delta_printed(run: Run) -> Outcome:
    """D_ε ≤ δ allows an excess of δ. The chain of inequalities drops it, and its last line fails although D_ε ≤ δ."""
    late = uniform(Fraction(1, 4), 1)
    delta = definition_2(UNIFORM, late, TWO)
    p, q, line = excess(IDEAL, (UNIFORM, late), (0, 1), -2)
    if not 2 * q < p <= 2 * q + delta:
        return Outcome("undecided", f"{line}; D_ε = {delta}")
    return Outcome(
        "refuted",
        "the chain ends in an inequality that its hypothesis does not give",
        f"D_ε(μ1, μ2) = {delta} =: δ; {line}: {p} > 2·{q}, and only {p} ≤ 2·{q} + δ",
    )


@proves(
    "proofs.dilation.delta",
    claim="V-P1-delta",
    part="corrected",
    scope="all laws, ε ≥ 0, f(a), f(a'), Λ, every set O of outputs, taken as one event that moves as a whole; and "
    "why not output by output: any masses of four outputs",
)
def delta() -> list[Statement]:
    """A set of outputs is one event, and needs one δ. Taken output by output, it would need as many δ as outputs."""
    return [*statements.transport(), *statements.one_delta_for_a_set()]


# ---- Props. 1 and 2


@obligation(
    "proofs.dilation.prop1.printed",
    claim="V-P1",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, Λ = 2: μ1 = μ2 uniform on (0, 1/8) with f(a) = 1, f(a') = 2, and uniform on (0, 1) with f(a) = 0, "
    "f(a') = 2; D_ε = 0 for both",
)
def prop1_printed(run: Run) -> Outcome:
    """D_ε = 0 concerns only S = 1 and f(a') = f(a) + 1, and Prop.

    1 does not bound the sensitivity: both make it fail.
    """
    lines = []
    for law, name, values, v in ((FAR, "(0, 1/8)", (1, 2), 4), (UNIFORM, "(0, 1)", (0, 2), -4)):
        p, q, line = excess(IDEAL, (law, law), values, v)
        if definition_2(law, law, TWO) != 0 or p <= 2 * q:
            return Outcome("undecided", line)
        lines.append(f"μ1 = μ2 uniform on {name}: D_ε = 0; {line}: {p} > 2·{q} + 0")
    return Outcome("refuted", "", "\n".join(lines))


@obligation(
    "proofs.dilation.prop2.printed",
    claim="V-P2",
    kind="exact",
    expected="refuted",
    scope="e^ε = 3/2, Λ = 4, B = 12, f(a) = 5, f(a') = 6, μ1 on one cell of log u, μ2 on the next, both of mass 1; and "
    "with Def. 2 in place of Def. 5: the witness of Prop. 1, B = 16",
)
def prop2_printed(run: Run) -> Outcome:
    """A dilation of at most δ in the sense of Def. 5 does not give (ε, δ)-differential privacy either.

    For laws of mass 1 the dilation of Def. 5 is at least 1 - e^(-ε).
    """
    growth, zero, one = Fraction(3, 2), Fraction(0), Fraction(1)
    laws = on_cells(growth, zero, zero, zero, zero, one), on_cells(growth, zero, zero, zero, zero, zero, one)
    snap, bound = Snap(growth, Fraction(4), Fraction(12)), definition_5(*laws, growth)
    p, q, line = excess(snap, laws, (5, 6), 8)
    clamped = Snap(TWO, Fraction(2), Fraction(16))
    p2, q2, line2 = excess(clamped, (FAR, FAR), (1, 2), 4)
    if p <= growth * q + bound or p2 <= 2 * q2 or definition_2(FAR, FAR, TWO) != 0:
        return Outcome("undecided", f"{line}; {line2}")
    return Outcome(
        "refuted",
        "",
        f"e^ε = 3/2, Λ = 4, B = 12, μ1 on ((2/3)^5, (2/3)^4), μ2 on ((2/3)^6, (2/3)^5): D_ε = {bound} =: δ\n"
        f"{line}: {p} > {growth}·{q} + {bound}\n"
        f"with Def. 2, e^ε = 2, Λ = 2, B = 16, μ1 = μ2 uniform on (0, 1/8): D_ε = 0; {line2}: {p2} > 2·{q2}",
    )


EVENTS = (
    "every ε > 0, Λ > 0, f(a), f(a') and, with clamps, B > 0; all laws of u on (0, 1) and all sets of outputs, each of "
    "which is one event of the noise. Trusted: exp and log are increasing inverses; a supremum over events of disjoint "
    "parts is the sum of the suprema"
)


@proves(
    "proofs.dilation.fix",
    claim="V-P1",
    part="corrected",
    scope=EVENTS,
    also=(("V-P2", "corrected"), ("V-L-iff", "corrected"), ("V-fix", "printed")),
)
def fix() -> list[Statement]:
    """What Props. 1 and 2 should say. A set of outputs is an event E of the noise from a, and the event E - d from a'.

    In terms of u it has three parts. For |d| ≤ 1 the uniform law has no excess on any of them.
    """
    events = [*statements.inverse_images(), *statements.transport()]
    return [*events, *statements.parts(), *statements.uniform_parts()]


@proves(
    "proofs.dilation.fix.uniform",
    claim="V-fix",
    scope="u uniform on (0, 1), every ε > 0, Λ > 0, |f(a) - f(a')| ≤ Δ, with or without clamps: every interval of each "
    "of the three parts, and so, as two measures are compared, every event",
)
def fix_uniform() -> list[Statement]:
    """For the uniform law the excess over e^(εΔ) is 0 on each part: (εΔ, 0)-differential privacy, both ways."""
    return [*statements.transport(), *statements.parts(), *statements.uniform_parts()]


@proves(
    "proofs.dilation.fix.attained",
    claim="V-fix",
    scope="u uniform on (0, 1), every ε > 0 and Λ > 0, f(a') = f(a) + 1: every output below round(f(a)); and the "
    "output -B for every B ≥ ½ with B + T ≥ 1",
)
def fix_attained() -> list[Statement]:
    """Below both values the ratio is exactly e^ε, so no smaller ε will do. For B < ½ values are at most 2B apart."""
    return [*statements.moved_images(), *statements.attained()]


@obligation(
    "proofs.dilation.fix.tight",
    claim="V-fix",
    kind="exact",
    decides=False,
    scope="u uniform on (0, 1), e^ε = 2, Λ = 2, f(a) = 0, f(a') = 1, without clamps and with B = 4: each output",
)
def fix_tight(run: Run) -> Outcome:
    """For the uniform law and f(a') = f(a) + 1 the loss is ε at an output below both, so no smaller ε will do."""
    for snap in (IDEAL, Snap(TWO, Fraction(2), Fraction(4))):
        ratios = []
        for v in (-4, -2, 0, 2, 4):
            p, q, _ = excess(snap, (UNIFORM, UNIFORM), (0, 1), v)
            ratios.append(p / q)
        if max(ratios) != 2 or min(ratios) < HALF:
            return Outcome("refuted", "", f"B = {snap.bound}: {', '.join(map(str, ratios))}")
    return Outcome("proved", "the largest ratio is exactly e^ε")


def cell_laws(cells: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """All tuples of masses that are multiples of 1/parts and whose sum is at most 1."""
    for counts in product(range(parts + 1), repeat=cells):
        if sum(counts) <= parts:
            yield tuple(Fraction(count, parts) for count in counts)


def three_parts(first: tuple[Fraction, ...], second: tuple[Fraction, ...], d: int, growth: Fraction) -> Fraction:
    """The bound on δ by three parts, ½(down + reflected + up), for laws on the cells of log_K(u) and d = 0 or 1."""

    def excess_of(pairs: Iterator[tuple[int, int]]) -> Fraction:
        mass = dict(enumerate(second))
        gaps = (first[k] - growth * mass.get(j, Fraction(0)) for k, j in pairs)
        return sum((gap for gap in gaps if gap > 0), Fraction(0))

    cells = range(len(first))
    down = excess_of((k, k + d) for k in cells)
    reflected = excess_of((k, d - 1 - k) for k in cells if k < d)
    up = excess_of((k, k - d) for k in cells if k >= d)
    return (down + reflected + up) / 2


@obligation(
    "proofs.dilation.fix.small",
    claim="V-fix",
    kind="exhaustive",
    decides=False,
    scope="e^ε = 2, Λ = 1: every pair of laws with masses in thirds on three cells of log u, d = -1, 0, 1, without "
    "clamps (where the bound is attained) and with B = 1/2, 3/2, 5/2",
)
def fix_small(run: Run) -> Outcome:
    """The largest P(O) - e^ε·P'(O) over sets O of outputs, compared with the bound by three parts.

    The two are equal without clamps. With clamps the former is at most the latter.
    """
    masses = list(cell_laws(3, 3))
    laws = {m: on_cells(TWO, *m) for m in masses}
    compared = 0
    for bound in (None, HALF, 3 * HALF, 5 * HALF):
        snap = Snap(TWO, Fraction(1), bound)
        centers = [HALF + k for k in (-1, 0, 1)]
        law_of: dict[tuple[tuple[Fraction, ...], Fraction], dict[Fraction, Fraction]] = {}
        for f in centers:
            outputs = list(snap.outputs(f, Fraction(1, 16)))
            for m in masses:
                law_of[m, f] = {v: snap.probability(laws[m], f, v) for v in outputs}
        for f, g in ((f, g) for f in centers for g in centers if abs(f - g) <= 1):
            for m, n in product(masses, repeat=2):
                second = law_of[n, g]
                gaps = (p - 2 * second.get(v, Fraction(0)) for v, p in law_of[m, f].items())
                needed = sum((gap for gap in gaps if gap > 0), Fraction(0))
                allowed = three_parts(m, n, int(abs(snap.clamp(f) - snap.clamp(g))), TWO)
                compared += 1
                if needed > allowed or (bound is None and needed != allowed):
                    return Outcome("refuted", "", f"B = {bound}, f = {f}, {g}, masses {m}, {n}: {needed}, {allowed}")
    return Outcome("proved", f"{compared} pairs of laws")


# ---- the lifting


Atoms = dict[tuple[Fraction, Fraction], Fraction]  # a law on finitely many pairs (u1, u2)


def pair_dilation(first: Atoms, second: Atoms, factors: tuple[Fraction, Fraction], weight: Fraction) -> Fraction:
    """sup_E μ_L(E) - weight·μ_R(factors·E) over sets E of pairs; each component is scaled by its own factor."""
    gaps = (m - weight * second.get((x * factors[0], y * factors[1]), Fraction(0)) for (x, y), m in first.items())
    return sum((gap for gap in gaps if gap > 0), Fraction(0))


LEFT: Atoms = {(Fraction(1), Fraction(1)): Fraction(1)}
RIGHT: Atoms = {(HALF, HALF): HALF}
READINGS = {"both": (HALF, HALF), "the first": (HALF, Fraction(1)), "the second": (Fraction(1), HALF)}


@obligation(
    "proofs.dilation.lifting.readings",
    claim="V-D3",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, μ_L all at (1, 1), μ_R = ½ at (½, ½): e^(-ε)·E with both components scaled, or one of them",
)
def lifting_readings(run: Run) -> Outcome:
    """Def. 2 scales numbers, not pairs. The ways to extend it to pairs give different dilations."""
    found = {name: pair_dilation(LEFT, RIGHT, factors, TWO) for name, factors in READINGS.items()}
    if len(set(found.values())) == 1:
        return Outcome("undecided", str(found))
    lines = (f"{name} scaled: D_ε = {value}" for name, value in found.items())
    return Outcome("refuted", "", "μ_L all at (1, 1), μ_R = ½ at (½, ½), e^ε = 2\n" + "\n".join(lines))


@proves(
    "proofs.dilation.lifting",
    claim="V-D3",
    part="conditional",
    scope="U1 = U2 = (0, 1] with the Borel sets, both components scaled, every ε ≥ 0, all laws on pairs",
)
def lifting() -> list[Statement]:
    """If both components are scaled, e^(-ε)·E is an event of pairs, and the diagonal stays the diagonal.

    The supremum is in [0, 1].
    """
    return [*statements.pair_scaling(), *statements.values()]


@obligation(
    "proofs.dilation.equality.readings",
    claim="V-L-eq",
    kind="exact",
    expected="refuted",
    scope="e^ε = 2, μ1 all at 1, μ2 = ½ at ½, δ = 0, one component scaled; witnesses on the diagonal are unique",
)
def equality_readings(run: Run) -> Outcome:
    """D_ε(μ1, μ2) = 0, but with only one component scaled the only witnesses on the diagonal have D_ε = 1."""
    plain = sum((m - TWO * RIGHT.get((x * HALF, x * HALF), Fraction(0)) for (x, _), m in LEFT.items()), Fraction(0))
    lifted = {name: pair_dilation(LEFT, RIGHT, factors, TWO) for name, factors in READINGS.items()}
    if plain != 0 or lifted["both"] != 0 or not lifted["the first"] > 0:
        return Outcome("undecided", f"{plain}, {lifted}")
    return Outcome(
        "refuted",
        "",
        f"e^ε = 2, μ1 all at 1, μ2 = ½ at ½: D_ε(μ1, μ2) = {plain} ≤ δ = 0\n"
        f"witnesses on the diagonal: (1, 1) and ½ at (½, ½); D_ε = {lifted['the first']} if one component is scaled",
    )


@proves(
    "proofs.dilation.equality",
    claim="V-L-eq",
    part="conditional",
    scope="all laws on U = (0, 1], every ε ≥ 0 and δ, both components scaled; every set of pairs",
)
def equality() -> list[Statement]:
    """A law on the diagonal is determined by its marginal, and scaling keeps that.

    So the lifting of = means D_ε ≤ δ.
    """
    return [*statements.on_the_diagonal(), *statements.pair_scaling()]


@obligation(
    "proofs.dilation.iff.printed",
    claim="V-L-iff",
    kind="exact",
    expected="refuted",
    scope="e^ε = 3/2, Λ = 4: f(a) = 0, f(a') = 1, u uniform on (2/3, 1); and the witness of Prop. 1, e^ε = 2, Λ = 2, u "
    "uniform on (0, 1/8)",
)
def iff_printed(run: Run) -> Outcome:
    """Neither direction of the equivalence holds.

    In the first example the mechanism is private, but the lifting does not relate its laws. In the second it does
    relate them, but the mechanism is not private.
    """
    growth = Fraction(3, 2)
    law, snap = uniform(1 / growth, 1), Snap(growth, Fraction(4))
    p, q, line = excess(snap, (law, law), (0, 1), 0)
    far, away, line2 = excess(IDEAL, (FAR, FAR), (1, 2), 4)
    needs = definition_2(law, law, growth)
    if not (p == q == 1 and needs > 0) or definition_2(FAR, FAR, TWO) != 0 or far <= 2 * away:
        return Outcome("undecided", f"{line}; {line2}")
    return Outcome(
        "refuted",
        "",
        f"e^ε = 3/2, Λ = 4, μ uniform on (2/3, 1): {line}, so (0, 0)-private, but D_ε(μ, μ) = {needs}\n"
        f"e^ε = 2, Λ = 2, μ uniform on (0, 1/8): D_ε(μ, μ) = 0, but {line2}: not (ε, 0)-private",
    )
