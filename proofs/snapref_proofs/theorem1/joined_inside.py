"""The joints of Theorem 1's outputs whose interval contains c or c', or lies between them: the lemma `joined.inside`.

As in joined.py, the quantities of two_sided.py run on solver terms. Where they are at most 0, the loss is at most
εΔ + C·Bεη + 2η. The unit of length is λ, and η is called h as in the boxes; b = Bε, u = 1/b, β = ηb. P0 is P with exact
exponents; A, G, K and R are those of two_sided.py, and `relative` gives the errors of the exponents.
"""

from itertools import permutations
from typing import Any

import z3

from snapref_proofs.evaluate.boxes import holds
from snapref_proofs.theorem1 import slopes, two_sided
from snapref_proofs.theorem1.grid import at_least_zero
from snapref_proofs.theorem1.joined import both_errors, limits, within
from snapref_proofs.theorem1.rows import number
from snapref_proofs.theorem1.statement import Regime
from snapref_proofs.theorem1.terms import Unfolding, cancelled, flat, in_turn, multiplied, replaced
from snapref_smt.engine.statement import Statement


def inside(regime: Regime, optimised: Regime | None = None) -> list[Statement]:
    """`optimised`: the regime of the quantities, if it is another one."""
    quantities = {one.name: one.quantity for one in two_sided.inequalities(optimised or regime)}
    return [
        *_tangents(quantities),
        *_both(regime),
        *_beside(regime, quantities["I,II"]),
        *_reverse(regime, quantities["I,II reverse"]),
        *_across(regime, quantities["I,III"]),
    ]


class Inside(Unfolding):
    """c in II: how far errors move ln P, in units of η. ln P is concave and increasing in its two exponents."""

    def __init__(self, up: bool) -> None:
        self.quotient = z3.Real("quotient")
        super().__init__("K part h", quotient=self.quotient)
        width, part, self.h = self.sides.values()
        self.exact = part * width, (1 - part) * width
        self.moved = z3.Real("ln_P/eta")
        self.up, self.powers = up, list[tuple[Any, Any]]()

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        assert name == "exp"
        self.powers.append((value, -args[0]))
        return [value > 0]

    def concave(self, errors: tuple[Any, Any], most: int) -> list[Any]:
        """The tangent at the point of the two exponentials, if it is the right one, times 2 - x - y.

        Upward the point is (A, G), and the errors are those of the exponents. Downward the point is lower than the
        exponents by their errors, and ln P is increasing.
        """
        (a, g), (e, f), rest = self.exact, errors, 2 - sum(power for power, _ in self.powers)
        facts = [cancelled(self.moved, most, rest), multiplied(most - self.quotient, rest)]
        for (x, p), (y, q) in permutations(self.powers):
            right = z3.And(p == a, q == g) if self.up else z3.And(a - p == self.h * e, g - q == self.h * f)
            facts.append(z3.Implies(z3.And(right, rest > 0), self.moved * rest <= x * e + y * f))
        return facts


def _tangents(quantities: dict[str, Any]) -> list[Statement]:
    """Errors raise ln P by at most UP·η, and lower it by at most DOWN·η."""
    statements = []
    for name, up, most in (("II up", True, two_sided.UP), ("II down", False, two_sided.DOWN)):
        here = Inside(up)
        term, facts = here.unfolded(quantities[name])
        first, second = (both_errors(here.h) * exact + (0 if up else 2) for exact in here.exact)  # `relative`
        facts += here.concave((first, second), most)
        statements.append(flat(name, [*facts, holds(term)], here.moved <= most, here.moved <= 0))
    return statements


def _both(regime: Regime) -> list[Statement]:
    """c and c' in II: from c to c' ln P0 changes by at most ε|c - c'| (`slopes`)."""
    moved, up, down, sensitivity, eta, beta, loss = z3.Reals("ln_P0 up down Delta eta beta loss")
    facts = [eta > 0, beta >= eta, slopes.carried(moved, sensitivity), loss <= moved + up + down]
    facts += [up <= two_sided.UP * eta, down <= two_sided.DOWN * eta]
    return [Statement("II, II", facts, loss <= regime.limit(sensitivity, beta, eta), loss <= sensitivity)]


class Beside(Unfolding):
    """One value or none in II. `rise` is what f adds: f(w) - f(w') ≤ N(low)·(w - w') if w' ≥ low > 0."""

    def __init__(self, sides: str) -> None:
        self.slope, self.rise = z3.Reals("N rise")
        super().__init__(sides, N=self.slope)
        self.low: Any = None

    def meaning(self, name: str, value: Any, args: list[Any]) -> list[Any]:
        assert name == "N"
        (self.low,) = args
        return []  # `concave` says what is known

    def concave(self, start: Any, moved: Any, most: Any, *products: tuple[Any, ...]) -> list[Any]:
        """The rise from w' = start to w = start + moved, moved ≤ most; and products of factors ≥ 0, also with N."""
        facts = [slopes.tangent(self.rise, self.slope, self.low, start, moved, most)]
        for factors in products:
            facts += [*map(at_least_zero, factors), *in_turn(*factors, self.slope)]
        return facts


def _beside(regime: Regime, quantity: Any) -> list[Statement]:
    """c in II and c' in I, P(x|c)/P(x|c'): ln P0 changes by at most ε|c - c'| up to t2*, and by R beyond it.

    In units of ηb, and without ε|c - c'|. R is r·b, and w' = K - β(K - w').
    """
    here = Beside("kappa e u beta h")
    kappa, e, u, beta, h = here.sides.values()
    r, near, far, up, loss = z3.Reals("R/b g2'-R g1'-R-K up loss")
    width, furthest = kappa + e * beta * number(regime.offset), two_sided.furthest(kappa * u, h)
    moved, errors = near - far, both_errors(h) * (2 * r + width * u) + 2 * u
    term, facts = here.unfolded(quantity)
    close = [*limits(near, 0, both_errors(h) * r, u), *limits(far, 0, both_errors(h) * (r + width * u), u)]
    facts += [beta >= 0, *map(at_least_zero, close), *(multiplied(beta, one) for one in close)]
    facts += [up <= two_sided.UP * u, loss <= up + near + here.rise]
    facts += [beta * u == h, *(replaced(beta * u, h, x) for x in (h, width, h * width))]  # β = ηb
    facts += in_turn(both_errors(h), furthest - r, beta)
    products = (both_errors(h), furthest - r), (both_errors(h), width, u), (both_errors(h), r), (u,)
    facts += here.concave(width - beta * moved, moved, errors, *products)
    return [flat("I, II", [*facts, holds(term)], loss <= regime.limit(0, 1, u), loss <= 0)]


def _reverse(regime: Regime, quantity: Any) -> list[Statement]:
    """c in II and c' in I, P(x|c')/P(x|c): ln P0 changes by at most ε|c - c'| - 2R."""
    here = Beside("K h")
    width, h = here.sides.values()
    r, near, far, down, beta, exact, sensitivity, loss = z3.Reals("R g2'-R g1'-R-K down beta ln_P0 Delta loss")
    here.factors = [h, r]
    term, facts = here.unfolded(quantity)
    errors = h * both_errors(h) * (2 * r + width) + 2 * h
    facts += [h > 0, r >= 0, width > 0, beta >= h, exact <= sensitivity - 2 * r, down <= two_sided.DOWN * h]
    facts += within(near, 0, h * both_errors(h) * r, h) + within(far, 0, h * both_errors(h) * (r + width), h)
    facts += [multiplied(h, -term), multiplied(r, -term), loss <= exact - near + here.rise + down]
    facts += here.concave(width, far - near, errors, (h, both_errors(h), r), (h, both_errors(h), width))
    most = regime.limit(sensitivity, beta, h)
    return [flat("I, II reverse", [*facts, holds(term)], loss <= most, loss <= sensitivity - 2 * r)]


def _across(regime: Regime, quantity: Any) -> list[Statement]:
    """c in III at the distance R1 and c' in I at the distance R2, or the other way round: R1 + R2 + K = ε|c - c'|."""
    here = Beside("K beta h")
    width, beta, h = here.sides.values()
    r1, r2, sensitivity, bound, loss = z3.Reals("R1 R2 Delta b loss")
    near, far, near_p, far_p = z3.Reals("g2-R1 g1-R1-K g2'-R2 g1'-R2-K")
    term, facts = here.unfolded(quantity)
    errors = h * both_errors(h) * (2 * r1 + 2 * r2 + 2 * width) + 4 * h
    longer, spare = two_sided.apart(r1, r2, width, sensitivity, bound)
    facts += [r1 >= 0, r2 >= 0, h > 0, beta >= h, at_least_zero(longer), loss <= r2 - r1 + near_p - near + here.rise]
    facts += [h * bound == beta, *(replaced(h * bound, beta, x) for x in (h, here.slope, h * here.slope))]  # β = ηb
    for g, a in ((near, r1), (far, r1 + width), (near_p, r2), (far_p, r2 + width)):
        facts += within(g, 0, h * both_errors(h) * a, h)
    products = [(h, both_errors(h), x) for x in (spare, r1, r2, width)]
    facts += here.concave(width + far_p - near_p, far - near - (far_p - near_p), errors, *products)
    most = regime.limit(sensitivity, beta, h)
    return [flat("I, III", [*facts, holds(term)], loss <= most, loss <= sensitivity - width)]
