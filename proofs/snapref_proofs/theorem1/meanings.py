"""What the words of Theorem 1's quantities mean (004 §4): the lemma `meanings`.

joined.py does not run all functions that a quantity of a box uses; for some it takes what they mean. Here each of these
runs on solver terms, down to four that compare the ends of enclosures: `power`, `whole`, `least` with `greatest`, and
`below` with `above_zero`. Those are tried on enclosures with all ends of a grid, by both interval engines.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import z3

from snapref.budget import floor_log2
from snapref_proofs.evaluate.intervals import Expression, both, enclose
from snapref_proofs.theorem1.calculus import at
from snapref_proofs.theorem1.interior import Numbers, numbers
from snapref_proofs.theorem1.inversion import errors_of_ln, in_binade, in_steps, narrower, powers
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.scenarios import HALF, QUARTER
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import (
    Terms,
    Unfolding,
    applied,
    cancelled,
    flat,
    in_proportion,
    multiplied,
    replaced,
)
from snapref_smt.engine.statement import Statement, largest

# Around 0, 1/4, 1/2, 1, 2 and 4
GRID = sorted([Fraction(n, 8) for n in range(-3, 34)] + [Fraction(1, 2**10), Fraction(3, 2**12)])


def meanings(regime: Regime) -> list[Statement]:
    step = [*_step(regime), *_step(regime, Touching, ", ℓ may be 0")]
    return [*theorem(regime), *_products(), *_words(), *_slopes(), *_error_of_ln(), *step, *steps()]


def theorem(regime: Regime) -> list[Statement]:
    """What the joints conclude of the loss: it is at most εΔ + (C + slope·β)·Bεη + 2η, or even εΔ + C·Bεη + 2η."""
    sensitivity, bound, eta, beta = z3.Reals("Delta B eta beta")
    most, least = (regime.limit(sensitivity, bound, eta, at) for at in (beta, 0))
    plain = sensitivity + number(regime.constant) * bound + 2 * eta
    meant = z3.And(most == plain + regime.slope * (beta * bound), least == plain)
    return [Statement("the theorem", [], meant, most <= sensitivity)]


def _products() -> list[Statement]:
    """What the joints use of products is true of all numbers."""
    x, y, factor = z3.Reals("x y factor")
    compared = z3.And(*in_proportion(x, x * factor, y, y * factor))
    return [
        Statement("multiplied", [], multiplied(x, y), x * y >= 0),
        Statement("cancelled", [], cancelled(x, y, factor), x * factor > y * factor),
        Statement("replaced", [], replaced(x, y, factor), x * factor == y * factor),
        Statement("in proportion", [], z3.Implies(factor > 0, compared), compared),
    ]


def _words() -> list[Statement]:
    """What the joints use of a least or greatest number, and of a quotient, is true of it."""
    x, y, z, factor = z3.Reals("x y z factor")
    values = {"least": -largest(-x, -y, -z), "greatest": largest(x, y, z), "quotient": x / y}
    known, statements = Unfolding(""), []
    known.factors = [factor]
    for name, value in values.items():
        facts = [z3.And(*known.known_of(name, one, [x, y, z])) for one in (value, value + 1)]
        statements.append(Statement(name, [], z3.Implies(y != 0, facts[0]), facts[1]))
    return statements


class Words(Unfolding):
    """The value of one function, as a variable. `power` is monotone: where κv ≤ x, 2**⌊log2 κv⌋ is at most power(x). So
    is `whole`: where a whole number n ≤ x, it is at most whole(x)."""

    def __init__(self, **own: Any) -> None:
        super().__init__("", **own)
        self.monotone: tuple[Any, Any] | None = None
        self.integers: tuple[Any, ...] = ()
        self.skips = None  # `steps` asks, and `steps` treats both answers

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        if name == "whole":
            return [z3.Implies(n <= args[0], at_most(n, value)) for n in self.integers]
        if name != "power":
            return []
        assert self.monotone is not None
        x, power = self.monotone
        return [z3.Implies(x <= args[0], at_most(power, value))]


def at_most(exact: Any, value: Any) -> Any:
    """How `power` and `whole` bound the power of two, or the whole number, at or below a number of the enclosure."""
    return exact <= value


def fits(size: Any, distance: Any) -> Any:
    """A rounded distance V/P is at most the distance that `y_error` or `steps` is given."""
    return size <= distance


def limit_of_steps(narrow: Any, value: Any) -> list[Any]:
    """What `steps` is for: it bounds w - w' without E_u, and it is at least 0."""
    return [narrow <= value, value >= 0]


def right_step(args: Sequence[Any], t: Any, bound: Any, kappa: Any, ell: Any, regime: Regime) -> list[Any]:
    """`step` is given the numbers of the configuration and of the regime, and a room of at most B/P."""
    given, room, *others = args
    right = kappa, ell, number(regime.max_beta), number(regime.eta)
    return [given == t, room <= bound, *(x == y for x, y in zip(others, right, strict=True))]


def share(t: Any) -> list[Any]:
    """s = ηεP is t times its largest possible value."""
    return [t >= 0, t <= 1]


def _slopes() -> list[Statement]:
    """`amplification` is the derivative of f that `calculus` has; `slope` is its average at the two ends."""
    w, low, apart, s, x, n = z3.Reals("w low apart s X N")
    here = Words(exp=x, quotient=n)
    term, facts = here.unfolded(lambda terms, v: Numbers.amplification(terms, w), applied("exp", w) > 0)
    ends = applied("N", low) + applied("N", low + s * apart)
    average, same = Words().unfolded(lambda terms, v: 2 * Numbers.slope(terms, low, apart, s), ends == ends)
    both_ends = same[0].arg(0)
    return [
        flat("N", facts, at(1, term, x - 1), at(1, term, x)),
        flat("slope", same, average == both_ends, average <= 0),
    ]


def _error_of_ln() -> list[Statement]:
    """`y_error`: if v ≤ distance, y = 2**⌊log2 κv⌋/κ ≤ v is at most its value."""
    v, y, kappa, distance, quotient = z3.Reals("V/P Y kappa distance quotient")
    here = Words(quotient=quotient)
    here.monotone = kappa * v, y * kappa
    facts = [kappa > 0, y >= 0, y * kappa <= kappa * v, fits(v, distance), multiplied(kappa, distance - v)]
    facts += [cancelled(y, v, kappa), cancelled(y, quotient, kappa)]
    term, known = here.unfolded(lambda terms, sides: Numbers.y_error(terms, distance, kappa), *facts)
    return [flat("y_error", known, y <= term, 2 * y <= term)]


class Touching(Terms):
    """The arithmetic of a part of a box in which ℓ may be 0."""

    def above_zero(self, x: Any) -> bool:
        return False


def _step(regime: Regime, terms: type[Terms] = Terms, tail: str = "") -> list[Statement]:
    """`step`: s·B/P ≤ β and s·Λ/P = ηκ, so for room ≤ B/P some t in [0, 1] makes it s."""
    t, s, room, kappa, ell, bound, most = z3.Reals("t s room kappa ell B/P most")
    here, (own_t, own_kappa, own_ell) = Words(least=most), z3.Reals("given_t given_kappa given_ell")
    here.terms = terms
    of_regime = number(regime.max_beta), number(regime.eta)
    right = right_step((own_t, room, own_kappa, own_ell, *of_regime), t, bound, kappa, ell, regime)
    facts = [s > 0, room > 0, kappa > 0, ell > 0, *right]
    facts += [s * bound <= number(regime.max_beta), s * ell <= number(regime.eta) * kappa, t * most == s]
    facts += [multiplied(s, bound - room), replaced(own_t, t, most), replaced(own_ell, ell, s)]
    facts += [cancelled(t, number(1), most), cancelled(number(0), t, most)]
    for limit, factor in ((number(regime.max_beta) / room, room), (number(regime.eta) * own_kappa / own_ell, own_ell)):
        facts.append(cancelled(s, limit, factor))
    term, known = here.unfolded(lambda terms, v: Numbers.step(terms, own_t, room, own_kappa, own_ell, regime), *facts)
    return [
        flat(f"step{tail}", known, term == s, 2 * term == s),
        flat(f"share{tail}", known, z3.And(*share(t)), 2 * t <= 1),
    ]


class Below(Terms):
    """The arithmetic of a part of a box in which every number is below its limit."""

    def below(self, x: Any, limit: Fraction) -> bool:
        super().below(x, limit)
        return True

    def conditions(self) -> list[Any]:
        """What was asked, and is so."""
        return [x < number(limit) for x, limit in self.asked]


def steps() -> list[Statement]:
    """`steps`: w - w' without E_u is at most n steps 2Y, n ≤ apart/(2Y) + 2, where κY = q, a power of two ≤ κV1'/P.

    If κ·top < 2, then q = 1, and n - 2, a whole number, is at most `whole` of κ·apart/2. Else Y is at most `y_error`.
    """
    narrow, y, q, v, kappa, top, apart = z3.Reals("w-w' Y q V1'/P kappa top apart")
    n, whole, most, quotient, d = z3.Reals("n whole y_error quotient D2-D1")
    errors = z3.Reals("E1 E2 E1' E2'")
    independent = [fact >= 0 for error in errors for fact in errors_of_ln(error, y)]
    independent += [narrow == d + narrower(*errors), d <= apart]
    facts = [kappa >= 1, v >= 1, multiplied(kappa - 1, v - 1), fits(v, top), multiplied(kappa, top - v)]
    facts += [powers(q, number(1))]
    facts += [kappa * y == q, in_binade(q, kappa * v)]
    facts += [*in_steps(kappa * narrow, n, kappa * apart, 2 * q), replaced(q, number(1), n)]
    here, part = Words(whole=whole, quotient=quotient), Below()
    here.integers = n - 2, number(0)
    term, known = here.unfolded(lambda terms, sides: Numbers.steps(part, kappa, top, apart), *facts)
    known += [*part.conditions(), apart >= 0, multiplied(kappa, apart)]
    known += [cancelled(narrow, term, kappa), cancelled(number(0), term, kappa)]
    other, far = Words(y_error=most).unfolded(lambda terms, sides: Numbers.steps(terms, kappa, top, apart), y >= 0)
    far += [*independent, y <= most, apart >= 0]
    return [
        flat("steps", known, z3.And(limit_of_steps(narrow, term)), narrow <= 0),
        flat("steps, κV1' ≥ 2P", far, z3.And(limit_of_steps(narrow, other)), narrow <= apart),
    ]


class Steep(Numbers):
    def exp(self, x: Any) -> Any:
        return super().exp(2 * x if self.below(x, Fraction(0)) else x)


class Vanishing(Numbers):
    def power(self, x: Any) -> Any:
        return super().power(x) * (0 if self.below(x, QUARTER / 2) else 1)


class Larger(Numbers):
    least = Numbers.greatest


class Smaller(Numbers):
    greatest = Numbers.least


class Downward(Numbers):
    def power(self, x: Any) -> Any:
        return super().power(x) / 2


class Early(Numbers):
    def whole(self, x: Any) -> Any:
        return super().whole(x) - 1


class Careless(Numbers):
    def below(self, x: Any, limit: Fraction) -> bool:
        return True


class Hopeful(Numbers):
    def above_zero(self, x: Any) -> bool:
        ends = self.engine.ends(x)
        return ends is not None and ends[0] >= 0


class Coarse(Numbers):
    def __call__(self, x: Fraction | int) -> Any:
        return super().__call__(Fraction(x).limit_denominator(1000))


class Half(Numbers):
    def y_error(self, distance: Any, kappa: Any) -> Any:
        found = super().y_error(distance, kappa)
        return found / 2 if self.below(distance, QUARTER) else found


# `wrong_comparisons` must notice each
WRONG = (Larger, Smaller, Downward, Vanishing, Early, Careless, Hopeful, Coarse, Half, Steep)
KAPPAS = ((Fraction(1), Fraction(1)), (Fraction(1), Fraction(2)), (HALF + 1, Fraction(2)))
CONSTANTS = (Fraction(1, 3), Fraction(1, 2**53), 1 - Fraction(1, 2**53), Fraction(10984, 1000), Fraction(2**70 + 1))


def _exp_at(x: Fraction) -> Expression:
    return lambda engine: engine.exp(engine.between(x, x))


def wrong_comparisons(numbers: Callable[[Any], Numbers] = numbers) -> Iterator[str]:
    """Enclosures for which `power`, `whole`, `least`, `greatest`, `below`, `above_zero` or `y_error` says too much;
    constants, and values of `exp`, that are not what they should be. There are none."""
    for engine, other in permutations(both(128)):
        n = numbers(engine)
        with engine.working():
            for c in CONSTANTS:
                ends = engine.ends(n(c))
                if ends is None or not ends[0] <= c <= ends[1] or ends[1] - ends[0] > c / 2**100:
                    yield f"{engine.name}: the constant {c}"
            kappas = [((low, high), engine.between(low, high)) for low, high in KAPPAS]
            enclosed = {ends: engine.between(*ends) for ends in combinations_with_replacement(GRID, 2)}
            for (low, high), x in enclosed.items():
                found, values = engine.ends(n.exp(x)), [enclose(_exp_at(end), other) for end in (low, high)]
                if found is None or any(found[1] < value[0] or value[1] < found[0] for value in values):
                    yield f"{engine.name}: exp over [{low}, {high}]"
                found, floor = engine.ends(n.power(x)), engine.ends(n.whole(x))
                power = Fraction(2) ** floor_log2(high) if high > 0 else Fraction(0)
                if found is None or not at_most(power, found[1]):
                    yield f"{engine.name}: the power of two below [{low}, {high}]"
                if floor is None or not at_most(high // 1, floor[1]):
                    yield f"{engine.name}: the whole number below [{low}, {high}]"
                for d, (ks, kappa) in product((low, high), kappas if low > 0 else ()):
                    top = engine.ends(n.y_error(x, kappa))
                    if top is None or any(Fraction(2) ** floor_log2(k * d) / k > top[1] for k in ks):
                        yield f"{engine.name}: the error Y at {d}"
                if (n.above_zero(x) and low <= 0) or n.below(x, low) or n.below(x, high):
                    yield f"{engine.name}: where [{low}, {high}] lies"
            for (a, x), (b, y) in product(list(enclosed.items())[::7], repeat=2):
                for value, function in ((n.least(x, y), min), (n.greatest(x, y), max)):
                    (low, high), found = map(function, a, b), engine.ends(value)
                    if found is None or low < found[0] or found[1] < high:
                        yield f"{engine.name}: least or greatest of {a} and {b}"
