"""Enclosures of the two transcendental functions that the evaluator needs: e**-x and ln(1 + r).

An enclosure is a pair of exact binary numbers with the value between them. Two independent engines compute it: Arb
(through python-flint; the fast one) and mpmath's intervals. When a user asks, Arb alone answers. When an obligation
asks, both do, and the answer covers both enclosures. A caller that must decide something asks for more bits until both
ends of the enclosure lead to the same decision.
"""

from collections.abc import Callable
from typing import Any

from flint import arb, ctx
from mpmath import libmp

from snapref.arithmetic import Dyadic
from snapref_ledger.engines import under_check, using
from snapref_proofs.evaluate.dyadics import subtract
from snapref_proofs.evaluate.intervals import Disagreement, widened

Enclosure = tuple[Dyadic, Dyadic]


def _arb_exp(n: int, e: int, bits: int) -> Enclosure:
    before, ctx.prec = ctx.prec, bits
    ball = arb((-n, e)).exp()
    ends = _ends(ball)
    ctx.prec = before
    return ends


def _arb_log1p(numerator: int, denominator: int, bits: int) -> Enclosure:
    before, ctx.prec = ctx.prec, bits
    ends = _ends((arb(numerator) / denominator).log1p())
    ctx.prec = before
    return ends


def _ends(ball: Any) -> Enclosure:
    (m, e), (n, f) = ball.lower().man_exp(), ball.upper().man_exp()
    return Dyadic(int(m), int(e)), Dyadic(int(n), int(f))


def _iv_exp(n: int, e: int, bits: int) -> Enclosure:
    x = libmp.from_man_exp(-n, e)
    return _iv_ends(widened(libmp.mpi_exp((x, x), bits), bits))


def _iv_log1p(numerator: int, denominator: int, bits: int) -> Enclosure:
    lost = max(0, denominator.bit_length() - numerator.bit_length()) + 4  # what the 1 in 1 + r hides of r
    ends = tuple(libmp.from_int(n) for n in (denominator + numerator, denominator))
    ratio = libmp.mpi_div((ends[0], ends[0]), (ends[1], ends[1]), bits + lost)
    return _iv_ends(widened(libmp.mpi_log(ratio, bits + lost), bits + lost))


def _iv_ends(interval: Any) -> Enclosure:
    return _from_mpf(interval[0]), _from_mpf(interval[1])


def _from_mpf(x: Any) -> Dyadic:
    sign, man, exponent, _ = x
    return Dyadic(-int(man) if sign else int(man), int(exponent))


Function = Callable[[int, int, int], Enclosure]
ENGINES: dict[str, tuple[Function, Function]] = {"Arb": (_arb_exp, _arb_log1p), "mpmath.iv": (_iv_exp, _iv_log1p)}


def exp_minus(n: int, e: int, bits: int) -> Enclosure:
    """e**-x for x = n * 2**e, to about `bits` significant bits."""
    found = _arb_exp(n, e, bits)
    return _with_both(found, _iv_exp(n, e, bits)) if under_check() else found


def log1p(numerator: int, denominator: int, bits: int) -> Enclosure:
    """ln(1 + numerator/denominator) for a positive fraction, to about `bits` significant bits."""
    found = _arb_log1p(numerator, denominator, bits)
    return _with_both(found, _iv_log1p(numerator, denominator, bits)) if under_check() else found


def _with_both(first: Enclosure, second: Enclosure) -> Enclosure:
    """The smallest interval that contains both enclosures: what it decides, each of the two engines decides alone."""
    for engine in ENGINES:
        using(engine)
    (low, high), (low2, high2) = first, second
    if _below(high, low2) or _below(high2, low):
        raise Disagreement(f"two enclosures that do not meet: {low}, {high} and {low2}, {high2}")
    return (low2 if _below(low2, low) else low), (high2 if _below(high, high2) else high)


def _below(a: Dyadic, b: Dyadic) -> bool:
    return subtract(a, b).significand < 0
