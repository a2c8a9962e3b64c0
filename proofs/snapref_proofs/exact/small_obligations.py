"""Small floating-point formats, exhaustively: where the bound of Theorem 1 (004 §4) holds, and where it fails.

Each run is a proof for its format and its parameters, and for nothing more. It shows which side condition matters. A
run goes through every pair of values at most 1 apart, every output and every draw u (evaluate/small_formats.py). The
values are all p-bit numbers of [-B, B] that are multiples of Λ·2^-(p+1), or of 1/4 if that is smaller. The claims are
`F-T1…`, and a few others that the same computation serves.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from snapref.budget import eta, loss_bound
from snapref.uniform import Uniform
from snapref_ledger import Outcome, Run, obligation
from snapref_proofs.evaluate.dyadics import from_fraction, is_held
from snapref_proofs.evaluate.loss import Loss
from snapref_proofs.evaluate.parameters import Parameters, Ties
from snapref_proofs.evaluate.small_formats import (
    Survey,
    Worst,
    describe,
    grid,
    input_step,
    inputs,
    small_numbers,
    survey,
    worst_loss,
)


def edges(precision: int, exponents: Iterable[int]) -> Iterator[Fraction]:
    """Some λ of each binade: the powers of two, the numbers next to them, and a few in between."""
    top = 1 << (precision - 1)
    for e in exponents:
        for s in (top, top + 1, 5 * top // 4, 3 * top // 2, 29 * top // 16, 2 * top - 2, 2 * top - 1):
            yield Fraction(s, top) * Fraction(2) ** e


def inside(mechanisms: Iterable[Parameters]) -> Iterator[Parameters]:
    """Those with λ <= B and B·η/λ <= 1/4."""
    for m in mechanisms:
        ratio = m.bound / m.scale
        if 1 <= ratio <= Fraction(1 << m.precision, 4):
            yield m


def holding(found: Survey) -> Outcome:
    """`proved` if no run breaks the bound; otherwise `refuted`, with the smallest violation."""
    if found.broken:
        return Outcome("refuted", found.text(), witness(found.broken))
    return Outcome("proved", found.text())


def breaking(found: Survey) -> Outcome:
    """`refuted`, with the smallest violation, if some run breaks the bound; for obligations that expect this."""
    if not found.broken:
        return Outcome("proved", found.text())
    return Outcome("refuted", found.text(), witness(found.broken))


def witness(broken: list[Worst]) -> str:
    """The smallest of the violations: fewest outputs, then the simplest numbers."""
    w = min(broken, key=lambda w: (w.outputs, sum(n for n, _ in w.parameters.held)))
    return f"{describe(w)}\n{replay(w)}"


def replay(w: Worst) -> str:
    m, law = w.parameters, w.parameters.law
    kind = "" if law.smallest is None else f" --uniform bounded:{law.smallest}"
    numbers = f"--scale {float(m.scale)!r} --bound {float(m.bound)!r}"
    return f"replay: snapref loss {numbers} --a {float(w.a)!r} --b {float(w.b)!r} --precision {m.precision}{kind}"


@obligation(
    "proofs.small.bound.p5",
    claim="F-T1",
    kind="exhaustive",
    decides=False,
    scope="p = 5: every λ in [1/4, 16), B at, just below, just above and 3/2 of Λ, 2Λ, 4Λ with λ ≤ B ≤ 2^(p-2)·λ; "
    "every pair, output and u",
    timeout=600,
)
def bound_5(run: Run) -> Outcome:
    """The bound holds in a format of 5 bits."""
    return holding(survey(inside(grid(5, small_numbers(5, range(-2, 4)), range(3)))))


@obligation(
    "proofs.small.bound.p6",
    claim="F-T1",
    kind="exhaustive",
    decides=False,
    scope="p = 6: every λ in [1/2, 2), B at, just below, just above and 3/2 of Λ, 2Λ, 4Λ with λ ≤ B ≤ 2^(p-2)·λ; every "
    "pair, output and u; thorough: every λ in [1/8, 16), up to 8Λ",
    timeout=3600,
)
def bound_6(run: Run) -> Outcome:
    """The bound holds in a format of 6 bits."""
    exponents, ratios = (range(-3, 4), range(4)) if run.thorough else (range(-1, 1), range(3))
    return holding(survey(inside(grid(6, small_numbers(6, exponents), ratios))))


@obligation(
    "proofs.small.bound.p7to10",
    claim="F-T1",
    kind="exhaustive",
    decides=False,
    scope="p = 7, 8, 9, 10: seven λ next to and between powers of two in [1/2, 1) and [2, 4) (p = 10: in [1, 2)), B "
    "at, just below, just above and 3/2 of Λ and 2Λ with λ ≤ B; every pair, output and u; thorough: [1/4, 8), up to 8Λ",
    timeout=3600,
)
def bound_7_to_10(run: Run) -> Outcome:
    """The bound holds in formats of 7 to 10 bits."""
    found = Survey()
    for p in range(7, 11):
        exponents: Iterable[int] = range(-2, 3) if run.thorough else (0,) if p == 10 else (-1, 1)
        for m in inside(grid(p, edges(p, exponents), range(4 if run.thorough else 2))):
            found.add(worst_loss(m, Fraction(1), input_step(m)))
    return holding(found)


@obligation(
    "proofs.small.bound.large",
    claim="F-T1",
    kind="exhaustive",
    decides=False,
    thorough=True,
    scope="p = 7, 8: seven λ next to and between powers of two in [1/2, 1) and [2, 4), B at, just below, just above "
    "and 3/2 of 8Λ, 16Λ, … with λ ≤ B ≤ 2^(p-2)·λ, where B·η/λ is up to 1/4; every pair, output and u",
    timeout=3600,
)
def bound_large(run: Run) -> Outcome:
    """The bound holds in small formats far beyond B·η/λ ≤ 2^-7."""
    found = Survey()
    for p in (7, 8):
        for m in inside(grid(p, edges(p, (-1, 1)), range(3, p - 1))):
            found.add(worst_loss(m, Fraction(1), input_step(m)))
    return holding(found)


@obligation(
    "proofs.small.small_bound",
    claim="F-T1-smallB",
    kind="exhaustive",
    expected="refuted",
    scope="p = 5, 6: every λ in [16, 64), B = 1/2, 3/4, 1, 2, all far below λ; every pair, output and u",
)
def small_bound(run: Run) -> Outcome:
    """If B is far below λ, the bound's 12·B·ε·η + 2η shrinks to about 2η, but the rounding errors do not shrink."""
    found = Survey()
    for p in (5, 6):
        bounds = (Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(2))
        for m in mechanisms(p, ((scale, bound) for scale in small_numbers(p, (4, 5)) for bound in bounds)):
            found.add(worst_loss(m, Fraction(1), input_step(m)))
    return breaking(found)


@obligation(
    "proofs.small.big_bound",
    claim="F-T1-bigB",
    kind="exhaustive",
    expected="refuted",
    scope="p = 5: every λ in [1/2, 2), B = 16, 17, 20, 24, 32 times λ where 5 bits hold it; every pair, output and u",
)
def big_bound(run: Run) -> Outcome:
    """If B is above 2^(p-1)·λ, numbers near 2B are further apart than Λ, and some outputs need one of two values."""
    scales = small_numbers(5, (-1, 0))
    found = survey(mechanisms(5, ((scale, scale * n) for scale in scales for n in (16, 17, 20, 24, 32))))
    least = min((w.parameters.bound / w.parameters.scale for w in found.broken), default=None)
    outcome = breaking(found)
    return replace(outcome, detail=f"{outcome.detail}; smallest B/λ that breaks: {least} (2^p = 32)")


@obligation(
    "proofs.small.tail",
    claim="F-T1-tail",
    kind="exhaustive",
    expected="refuted",
    decides=False,
    scope="p = 6, U* bounded:-16 (numbers have all 6 bits down to 2^-11): λ = 1, 3/2, 31/16 and B = 1, 2, … 12; every "
    "pair, output and u",
)
def tail(run: Run) -> Outcome:
    """If U* has a smallest number, the noise has a largest: an output that only one value reaches has infinite loss."""
    found = survey(bounded_mechanisms(range(1, 13)))
    text = ", ".join(sorted({f"B = {w.parameters.bound} at λ = {w.parameters.scale}" for w in found.broken}))
    return replace(breaking(found), detail=f"{found.text()}; broken: {text}")


@obligation(
    "proofs.small.tail.inside",
    claim="F-T1-tail",
    kind="exhaustive",
    part="conditional",
    decides=False,
    scope="p = 6, U* bounded:-16: the same λ and B where 2B + Λ ≤ 11·ln 2·λ, so that every threshold has all 6 bits",
)
def tail_inside(run: Run) -> Outcome:
    """A smallest number of U* does no harm as long as every threshold stays where U* has all its bits."""
    limit = Fraction(69, 100) * 11  # a little below 11·ln 2
    return holding(survey(m for m in bounded_mechanisms(range(1, 13)) if 2 * m.bound + m.lattice <= limit * m.scale))


def bounded_mechanisms(bounds: Iterable[int]) -> Iterator[Parameters]:
    scales = (Fraction(1), Fraction(3, 2), Fraction(31, 16))
    return mechanisms(6, ((scale, Fraction(b)) for scale in scales for b in bounds), "bounded:-16")


@obligation(
    "proofs.small.no_inner_clamp",
    claim="F-D2-clamp",
    kind="exhaustive",
    expected="refuted",
    scope="p = 6, λ = 1 and 15/8, B = 2: every value of [-64, 64] on the grid of Λ/128, unclamped; every output and u",
)
def no_inner_clamp(run: Run) -> Outcome:
    """Without the inner clamp the loss exceeds the bound for values far outside [-B, B]."""
    found = Survey()
    for m in mechanisms(6, ((Fraction(1), Fraction(2)), (Fraction(15, 8), Fraction(2)))):
        step = input_step(m)
        found.add(worst_loss(m, Fraction(1), step, inputs(6, Fraction(64), step)))
    outcome = breaking(found)
    return replace(
        outcome, witness=outcome.witness.partition("\n")[0] + "\nreplay: snapref verify proofs.small.no_inner_clamp"
    )


@obligation(
    "proofs.small.fewer_bits",
    claim="N-5-prec",
    kind="exhaustive",
    expected="refuted",
    decides=False,
    scope="arithmetic at p = 9, U* of 5 bits: λ = 1, 5/4, 3/2, 31/16, B = 2, 4; every pair, output and u; η = 2^-9",
)
def fewer_bits(run: Run) -> Outcome:
    """If the arithmetic has more bits than U*, the loss still shows the coarser steps of U*."""
    found = survey(coarse_mechanisms())
    outcome = breaking(found)
    return replace(
        outcome, witness=outcome.witness.partition("\n")[0] + "\nreplay: snapref verify proofs.small.fewer_bits"
    )


@obligation(
    "proofs.small.fewer_bits.corrected",
    claim="N-5-prec",
    kind="exhaustive",
    part="corrected",
    decides=False,
    scope="arithmetic at p = 9, U* of 5 bits, the same λ and B: bound Δ/λ + 12·B·2^-9/λ + 2·2^-9 + 5·2^-5",
)
def fewer_bits_corrected(run: Run) -> Outcome:
    """With q bits in U* and p in the arithmetic, the bound holds with an additional 5·2^-q for the steps of U*."""
    worst: Worst | None = None
    for m in coarse_mechanisms():
        w = worst_loss(m, Fraction(1), input_step(m))
        worst = w if worst is None or w.loss.above(worst.loss) else worst
        if w.loss.exceeds(coarse_bound(m)):
            return Outcome("refuted", "", describe(w))
    return Outcome("proved", "" if worst is None else f"worst: {describe(worst)}")


def coarse_mechanisms() -> Iterator[Parameters]:
    scales = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(31, 16))
    return mechanisms(9, ((scale, Fraction(b)) for scale in scales for b in (2, 4)), Uniform(5))


def coarse_bound(m: Parameters) -> Fraction:
    """The bound of Theorem 1, plus 5η_q for the steps of U*, where η_q = 2^-q.

    At each threshold these steps cost less than ln(1 + 2η_q) ≤ 2η_q. The two thresholds of an output amplify it by at
    most 1 + 2/(e^κ - 1) < 2.17, for κ = Λ/λ ≥ 1.
    """
    fine = loss_bound(m.scale, m.bound, Fraction(1), m.precision)
    return fine + 5 * eta(m.law.precision)


@obligation(
    "proofs.small.definition_2",
    claim="F-D2-eps",
    kind="exhaustive",
    expected="refuted",
    decides=False,
    scope="p = 6, ε = 1/2 and 3/4, noise LN(u) ⊗ ε, Λ the least power of two ≥ 1/ε, B = 4: every pair, output and u",
)
def definition_2(run: Run) -> Outcome:
    """With the noise that Definition 2 prints, the loss is far above ε: it is near 1/ε."""
    worst: list[str] = []
    for epsilon in (Fraction(1, 2), Fraction(3, 4)):
        m = Parameters(epsilon, Fraction(4), 6, lattice=Fraction(2))
        w = worst_loss(m, Fraction(1), input_step(m))
        if not w.loss.exceeds(loss_bound(1 / epsilon, Fraction(4), Fraction(1), 6)):
            return Outcome("proved", f"ε = {epsilon}: within the bound")
        worst.append(
            f"ε = {epsilon}: f(a) = {w.a}, f(a') = {w.b}, x = {w.x}, loss {w.loss.text(6)}, 1/ε = {1 / epsilon}"
        )
    return Outcome("refuted", "", "\n".join([*worst, "replay: snapref verify proofs.small.definition_2"]))


@obligation(
    "proofs.small.ties",
    claim="N-4.2.2-priv",
    kind="exhaustive",
    decides=False,
    scope="p = 5: every λ in [1/2, 2), B at, just below, just above and 3/2 of Λ and 2Λ, λ ≤ B; ties up, down, away "
    "from zero and to even; every pair, output and u",
)
def ties(run: Run) -> Outcome:
    """The bound holds with every tie rule. Rounding ties down has the same worst losses as rounding them up."""
    rules: tuple[Ties, ...] = ("up", "down", "away", "even")
    found = {rule: Survey() for rule in rules}
    losses: dict[Ties, list[Loss]] = {rule: [] for rule in rules}
    for rule in rules:
        for m in inside(grid(5, small_numbers(5, (-1, 0)), range(2), ties=rule)):
            w = worst_loss(m, Fraction(1), input_step(m))
            found[rule].add(w)
            losses[rule].append(w.loss)
    for rule in rules:
        if found[rule].broken:
            return Outcome("refuted", f"ties {rule}", describe(found[rule].broken[0]))
    if any(one.above(other) or other.above(one) for one, other in zip(losses["up"], losses["down"], strict=True)):
        return Outcome("refuted", "ties up and ties down are not mirror images")
    return Outcome("proved", "\n".join(f"ties {rule}: {found[rule].text()}" for rule in rules))


def mechanisms(
    precision: int, parameters: Iterable[tuple[Fraction, Fraction]], uniform: str | Uniform = "unbounded"
) -> Iterator[Parameters]:
    """A mechanism for each (λ, B) that `precision` bits hold."""
    for scale, bound in parameters:
        if is_held(from_fraction(bound), precision):
            yield Parameters(scale, bound, precision, uniform)
