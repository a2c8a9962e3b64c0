"""The lemmas of Theorem 1 are about the mechanism: what they assume is true of concrete configurations (004 §4).

Two solvers show that a lemma's conclusion follows from its hypotheses. That would be of little use if a hypothesis said
more than the program gives. So here the variables of the lemmas get the values that they have in a configuration: a
mechanism, an output x = kΛ, and two values c and c' on one side of it (replay.py). Every hypothesis is then evaluated,
in exact rationals. instances_cells.py does the same for the cells of rounded distances, and instances_program.py for
single draws. Configurations are sampled, so this decides nothing.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeVar, cast

import z3

from snapref.budget import eta, floor_log2
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.tails import boundary
from snapref_proofs.theorem1 import coarse, compose, coverage, every, inversion, premises
from snapref_proofs.theorem1.coverage import ANY, Unknowns
from snapref_proofs.theorem1.evaluating import Values, exact, is_true
from snapref_proofs.theorem1.replay import Configuration, Rounded, binade, rounded
from snapref_proofs.theorem1.scenarios import HALF, SMALL, patterns
from snapref_proofs.theorem1.statement import EIGHTEEN, EVERY, Regime
from snapref_smt.engine.statement import SOME_CASE, Statement

U = TypeVar("U", bound=Unknowns)


class Assumed(NamedTuple):
    """What a lemma assumes of a configuration, and the values of the variables there."""

    name: str
    hypotheses: Sequence[Any]
    values: Values


def assumed(statements: Iterable[Statement], values: Values, names: Iterable[str] = ()) -> Iterator[Assumed]:
    """What the statements of these names assume; what all of them assume, if there are no names."""
    chosen = set(names)
    own = [one for one in statements if not chosen or one.name in chosen]
    if missing := chosen - {one.name for one in own}:
        raise ValueError(f"there is no statement {', '.join(sorted(missing))}")
    return (Assumed(one.name, one.hypotheses, values) for one in own)


def false(one: Assumed) -> Iterator[str]:
    """The hypotheses that are not true at these values. There should be none."""
    values = exact(one.values)
    return (f"{one.name}: {h}" for h in one.hypotheses if not is_true(h, values))


@dataclass(frozen=True)
class OneSide:
    """A configuration with c and c' on one side of the output; c is the nearer one. `unit` P is that of coverage.py."""

    configuration: Configuration
    regime: Regime

    @cached_property
    def closed(self) -> bool:
        return self._distances[0]

    @cached_property
    def _distances(self) -> tuple[bool, tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        found = self.configuration.distances()
        assert found is not None, "c and c' are on one side"
        return found

    @cached_property
    def distances(self) -> dict[str, Fraction]:
        """τ2, τ1, τ2' and τ1'."""
        _, near, away = self._distances
        return dict(zip(("2", "1", "2'", "1'"), (*near, *away), strict=True))

    @property
    def far_closed(self) -> bool:
        """Whether the cells of far distances are closed."""
        return self.closed

    @cached_property
    def cells(self) -> dict[str, Rounded]:
        kinds = (self.closed, self.far_closed) * 2
        near_and_far = zip(self.distances.items(), kinds, strict=True)
        return {name: rounded(t, closed, self.precision) for (name, t), closed in near_and_far}

    @property
    def precision(self) -> int:
        return self.configuration.parameters.precision

    @property
    def eta(self) -> Fraction:
        return eta(self.precision)

    @property
    def unit(self) -> Fraction:
        return self.cells["1'"].power

    @property
    def values_of_f(self) -> tuple[Fraction, Fraction]:
        """c and c'."""
        near, away = sorted((self.configuration.c, self.configuration.c_p), reverse=self._distances[0])
        return near, away

    @cached_property
    def thresholds(self) -> list[tuple[Fraction, Fraction]]:
        """T1 and T2, each with the half gap below it."""
        m, k = self.configuration.parameters, self.configuration.k
        found = [(Fraction(2 * j + 1, 2) * m.lattice, boundary(m, j)) for j in (k - 1, k)]
        return [(t, t - to_fraction(at.number)) for t, at in found]

    @property
    def power_at_2b(self) -> Fraction:
        """The power of two at or below 2B."""
        return Fraction(2) ** floor_log2(2 * self.configuration.parameters.bound)

    @property
    def offset(self) -> Fraction:
        return self.distances["1"] - self.distances["2"] - self.configuration.parameters.lattice

    def in_units(self, unit: Fraction) -> dict[str, Any]:
        """The numbers that most lemmas name, in a unit of length."""
        m, (c, c_p) = self.configuration.parameters, self.values_of_f
        lengths = {"c": c, "c'": c_p, "x": self.configuration.k * m.lattice, "B": m.bound, "lambda": m.scale}
        lengths |= {"Lambda": m.lattice, "Delta": self.configuration.sensitivity, "d": abs(c - c_p)}
        lengths |= {name: gap for name, (_, gap) in zip(("g1", "g2"), self.thresholds, strict=True)}
        return {name: length / unit for name, length in lengths.items()}

    def assumptions(self) -> Iterator[Assumed]:
        yield from self._cases()
        yield from self._premises()
        yield from self._coverage()
        yield from self._sensitivity()
        yield from self._offsets()
        if EIGHTEEN.covers(self.precision, self.configuration.parameters.beta):
            yield from self._independent()

    def _cases(self) -> Iterator[Assumed]:
        """In units of Λ."""
        m, (c, c_p) = self.configuration.parameters, sorted(self.values_of_f)
        t1, t2 = (t - gap for t, gap in self.thresholds)
        lengths = {"c": c, "c'": c_p, "t1": t1, "t2": t2, "B": m.bound}
        own = {name: length / m.lattice for name, length in lengths.items()}
        own |= {"k": Fraction(self.configuration.k), "K": Fraction(m.last)}
        yield from assumed(built(compose.regions, *inversion.TIES_UP), own)

    def _independent(self) -> Iterator[Assumed]:
        """The coverage of `independent`, in units of τ1'."""
        unit = self.distances["1'"]
        own = self.in_units(unit)
        own |= {"t2'": self.distances["2'"] / unit, "delta": self.offset / unit, "eta_B": self.eta * own["B"]}
        own |= {"t": Fraction(1), "g": own["g2"] if self.closed else own["g1"]}
        yield from assumed(built(coverage.independent, EIGHTEEN), own)

    def _premises(self) -> Iterator[Assumed]:
        here, own = built(Unknowns, self.closed, ANY, self.regime), self.in_units(self.unit)
        tail = f", closed={self.closed}"
        sizes = {"size_c": abs(own["c"]), "size_c'": abs(own["c'"]), "size_x": abs(own["x"])}
        far_gap = own["g2"] if self.closed else own["g1"]
        yield from assumed(built(_sizes, self.regime), {**own, **sizes, "eta": self.eta, "g": far_gap})
        powers = [Fraction(2) ** floor_log2(abs(t)) / self.unit for t, _ in self.thresholds]
        halves = [gap / self.eta / self.unit for _, gap in self.thresholds]
        gaps = dict(zip(("Q1", "Q2", "q1", "q2"), (*powers, *halves), strict=True))
        yield from assumed(built(premises.places, here), {**self.unknowns(), **gaps}, [self.kind() + tail])
        own_sizes = [built(premises.offset, here), built(premises.small_spacing, here)]
        yield from assumed(own_sizes, self.unknowns())
        at_2b = self.configuration.sensitivity % self.configuration.parameters.spacing == 0
        more = {**self.unknowns(), "Delta_is_a_multiple_of_the_spacing_at_2B": at_2b, "Delta": own["Delta"]}
        more["Q_at_2B"] = self.power_at_2b / self.unit
        yield from assumed(built(premises.sensitivity, here), more)
        top = self.cells["1'"]
        for name, t in self.distances.items():
            cell = self.cells[name]
            own = {"tau": t / self.unit, "Q": cell.power / self.unit, "h": 2 * cell.spacing / top.spacing}
            where = f"binade -{binade(cell.power, top.power)}, closed={self.closed}"
            yield from assumed(built(premises.binades), own, [where])

    def kind(self) -> str:
        """The kind of k, as coverage.py and premises.py name it."""
        k = self.configuration.k
        if k == 0:
            return "k = 0"
        return "|k| no power of two" if abs(k) & (abs(k) - 1) else self.kind_of_power(k)

    def kind_of_power(self, k: int) -> str:
        return "k = -2**n" if k < 0 else "k = 2**n > 1" if k > 1 else "k = 1"

    def unknowns(self) -> dict[str, Any]:
        """The variables of coverage.Unknowns. t is 1 where s is as large as it can be."""
        own, u = self.in_units(self.unit), self.eta * self.unit
        own |= {"u": self.eta, "eta_x": self.eta * abs(own["x"]), "eta_Lambda": self.eta * own["Lambda"]}
        own |= {"eta_B": self.eta * own["B"], "delta/u": self.offset / u, "t": Fraction(1)}
        own |= {"g/u": (own["g1"] if self.closed else own["g2"]) / self.eta}
        fine = self.configuration.sensitivity % (2 * u) == 0
        return {**own, "Delta/u": self.configuration.sensitivity / u, "Delta_is_a_multiple_of_H": fine}

    def unknown(self, kind: type[U]) -> U:
        """The configuration of coverage.py, or of another module, that this one is."""
        ell, unknown = self.configuration.parameters.lattice / self.unit, cast(Hashable, kind)
        found: U = built(unknown, self.closed, (ell, ell) if ell > SMALL else (Fraction(0), SMALL), self.regime)
        return found

    def _coverage(self) -> Iterator[Assumed]:
        ell, here = self.configuration.parameters.lattice / self.unit, self.unknown(Unknowns)
        yield Assumed("coverage", built(Unknowns.facts, here), self.unknowns())
        if ell == HALF:  # where all that a row can ask for is needed; for the others it is the same program
            yield from self._families()
        yield from assumed(
            built(coverage.lattice_sizes, self.regime), self.unknowns(), [f"Λ < {here.widest}P, closed={self.closed}"]
        )
        scale = self.configuration.parameters.scale
        for cell in self.cells.values():
            v = cell.middle / scale
            power = Fraction(2) ** floor_log2(v)
            yield from assumed(built(coverage.binades), {"epsilon_V": v, "Q": power, "Lambda": ell * self.unit})

    def _families(self) -> Iterator[Assumed]:
        """The statements of coverage themselves, also for every Δ: what they share, and that one of them applies."""
        tables: list[tuple[Any, Regime]] = [(coverage.forward, self.regime), (coverage.backward, self.regime)]
        if EVERY.covers(self.precision, self.configuration.parameters.beta):
            tables += [(every.forward, EVERY), (every.other_ratio, EVERY)]
        for table, regime in tables:
            yield Assumed(f"{table.__qualname__}, {regime}", built(_facts, table, self.closed, regime), self.unknowns())

    def _sensitivity(self) -> Iterator[Assumed]:
        """How Δ compares with the spacing at 2B, in units of Λ; and how large c and c' are in units of Δ."""
        m, (low, high), (c, c_p) = self.configuration.parameters, self.thresholds, self.values_of_f
        lengths = {"B": m.bound, "g": (high if self.closed else low)[1], "t1": self.distances["1'"]}
        own: dict[str, Any] = {name: length / m.lattice for name, length in lengths.items()}
        own |= {"size_x": abs(self.configuration.k), "Q": self.power_at_2b / m.lattice}
        yield from assumed(built(coarse.spacing_at_2b), own)
        delta = self.configuration.sensitivity
        if delta == Fraction(2) ** floor_log2(delta):
            sizes = {"c": c / delta, "c'": c_p / delta, "2**p": 1 << self.precision}
            yield from assumed(built(coarse.few_values), sizes)

    def _offsets(self) -> Iterator[Assumed]:
        """The lemma `offsets` counts in units of Λ/2."""
        k = abs(self.configuration.k)
        if k & (k - 1):
            low, high = (1 << ((2 * k + sign).bit_length() - 1) for sign in (-1, 1))
            own = {"k": k, "low": low, "high": high, "size_x": 2 * k, "Lambda": 2}
            yield from assumed(built(coarse.offsets), own)


@cache
def built(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns, built once: statements take long to build, and are the same for all configurations."""
    return function(*arguments)


def some_pattern(here: Unknowns) -> list[Any]:
    return [z3.Or([here.pattern(p) for p in patterns()])]


def _facts(table: coverage.Table, closed: bool, regime: Regime) -> list[Any]:
    """What the statements of a table share, and that one of the cases that they treat occurs."""
    family = table(closed, (HALF, HALF), regime)
    cases = [z3.And(*one.hypotheses) for one in family.members if one.name != SOME_CASE]
    return [*family.common, z3.Or(*cases)]


def _sizes(regime: Regime) -> list[Statement]:
    return premises.sizes(Unknowns(False, ANY, regime))
