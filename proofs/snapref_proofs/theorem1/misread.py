"""Joints of Theorem 1 that do not hold (004 §4): the lemmas `joined.*` must notice each.

joined.py does not run all functions that the quantity of a box uses; of some it takes what they mean, if they are given
the right numbers (`OneSide.meaning`). Here a function is given a wrong number. So what is known of it does not apply,
and nothing bounds the loss. If a joint held all the same, it would take for known what `meanings` does not show. Nor
may a joint hold if the quantity is only known to be at most λ/P, or for a smaller constant than the quantity has.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from snapref_proofs.theorem1 import interior, joined, joined_inside
from snapref_proofs.theorem1.coverage import uncovered
from snapref_proofs.theorem1.joined import OneSide
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.statement import SHARP, Regime
from snapref_proofs.theorem1.terms import Terms
from snapref_smt.engine.statement import Statement

Wrong = tuple[str, int, Fraction]  # a word, which of the numbers that it is given is wrong, and by what factor
LARGER = 1 + SHARP.eta  # no more than V may exceed τ
SMALLER = 1 / LARGER
FORWARD: tuple[Wrong, ...] = (
    *(("place", i, LARGER) for i in range(3)),
    *(("step", i, LARGER) for i in range(6)),
    *(("slope", i, factor) for i, factor in enumerate((LARGER, SMALLER, LARGER))),
    *(("y_error", i, factor) for i, factor in enumerate((SMALLER, LARGER))),
)
BACKWARD: tuple[Wrong, ...] = (*(one for one in FORWARD if one[0] in ("step", "y_error")), ("N", 0, LARGER))
STEPS: tuple[Wrong, ...] = tuple(("steps", i, factor) for i, factor in enumerate((LARGER, SMALLER, SMALLER)))


def misread(word: str, place: int, factor: Fraction) -> type[OneSide]:
    """A configuration of which the quantity gives one word a wrong number."""

    class Words(Terms):
        def applied(self, name: str, *xs: Any) -> Any:
            given = list(xs)
            if name.split()[0] == word:
                given[place] = given[place] * number(factor)
            return super().applied(name, *given)

    class Misread(OneSide):
        terms = Words

    return Misread


class Lenient(OneSide):
    """A configuration of which the quantity may be a little larger than 0."""

    def unfolded(self, quantity: Callable[[Any, Any], Any], *facts: Any) -> tuple[Any, list[Any]]:
        return super().unfolded(lambda engine, sides: quantity(engine, sides) - self.scale, *facts)


class Sharper(OneSide):
    """A configuration of which a smaller loss is claimed than the quantity allows."""

    def bounded(self) -> Any:
        return self.loss <= sharper(self.regime).limit(self.sensitivity, self.bound, self.scale, self.s * self.bound)


def sharper(regime: Regime) -> Regime:
    return replace(regime, constant=regime.constant - 1)


def around_c(regime: Regime) -> Iterator[str]:
    """The joints of outputs around c, for a smaller constant than the quantities are optimised for."""
    return uncovered(joined_inside.inside(sharper(regime), regime))


def misreadings(
    stated: Callable[[Regime, type[OneSide]], Iterable[Statement]], wrong: Iterable[Wrong]
) -> list[Callable[[Regime], Iterator[str]]]:
    """Joints that do not hold, because the quantity or the claim is not the right one, or a word is given a wrong
    number. Each must be noticed."""

    def noticed(one_side: type[OneSide]) -> Callable[[Regime], Iterator[str]]:
        return lambda regime: uncovered(stated(regime, one_side))

    return [noticed(Lenient), noticed(Sharper), *(noticed(misread(*one)) for one in wrong)]


def first_forward(regime: Regime, one_side: type[OneSide]) -> list[Statement]:
    """The joint of rows of one kind."""
    return joined.forward(regime, joined.KINDS[:1], one_side)


def first_backward(regime: Regime, one_side: type[OneSide]) -> list[Statement]:
    """The joint of one case of the other ratio."""
    return joined.backward(regime, [next(interior.backward())], one_side=one_side)
