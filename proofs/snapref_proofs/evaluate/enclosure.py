"""The two transcendental functions of the exact evaluator, enclosed: e**-x and ln(1 + r) between exact binary numbers.

Two independent engines: Arb balls (python-flint, the fast one) and mpmath's intervals, which stand in where
python-flint is not installed. Neither is trusted near a boundary: callers ask for more bits until both ends
decide the same.
"""

from collections.abc import Callable
from typing import Any

from mpmath import libmp

from snapref.arithmetic import Dyadic

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
    return _iv_ends(libmp.mpi_exp((x, x), bits))


def _iv_log1p(numerator: int, denominator: int, bits: int) -> Enclosure:
    lost = max(0, denominator.bit_length() - numerator.bit_length()) + 4  # what the 1 in 1 + r hides of r
    ends = tuple(libmp.from_int(n) for n in (denominator + numerator, denominator))
    ratio = libmp.mpi_div((ends[0], ends[0]), (ends[1], ends[1]), bits + lost)
    return _iv_ends(libmp.mpi_log(ratio, bits + lost))


def _iv_ends(interval: Any) -> Enclosure:
    return _from_mpf(interval[0]), _from_mpf(interval[1])


def _from_mpf(x: Any) -> Dyadic:
    sign, man, exponent, _ = x
    return Dyadic(-int(man) if sign else int(man), int(exponent))


Exp = Callable[[int, int, int], Enclosure]
Log1p = Callable[[int, int, int], Enclosure]
ENGINES: dict[str, tuple[Exp, Log1p]] = {"iv": (_iv_exp, _iv_log1p)}
try:
    from flint import arb, ctx
except ImportError:  # an extra: mpmath's intervals do the same, more slowly
    pass
else:
    ENGINES = {"arb": (_arb_exp, _arb_log1p), **ENGINES}

exp_minus: Exp
"""e**-x for x = n * 2**e, to about `bits` significant bits."""
log1p: Log1p
"""ln(1 + numerator/denominator) for a positive fraction, to about `bits` significant bits."""
exp_minus, log1p = next(iter(ENGINES.values()))
