"""LN, correctly rounded (001/002 §3): what the reference asks of MPFR, and what follows if MPFR keeps its promise.

MPFR promises that an operation to nearest gives the number nearest to the exact result, and that one rounded down (up)
gives a number that is at most (at least) the exact result. Where u is inside MPFR's range, LN(u) is one operation, to
nearest, at p bits. Below it, the reference encloses ln u, and returns only where both ends round to the same number.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import gmpy2
import z3

import snapref
from snapref import logarithm
from snapref.arithmetic import Dyadic
from snapref.errors import ParameterError
from snapref_ledger.obligations import Run
from snapref_smt.engine import integers
from snapref_smt.engine.integers import Whole, power, term_of, wholes
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import proves
from snapref_smt.engine.symbols import Program, Symbol, named, replaced

code: Any = snapref  # without types: names and unknown integers take the place of numbers
CLAIM = "N-3-118p"
RANGE = 2**29  # the exponents that are left to MPFR


class Nearest(NamedTuple):
    """A context that rounds to nearest. It is the reference's own for this precision: nothing of it may be set."""

    precision: Any

    def log(self, x: Any) -> Any:
        return "MPFR", term_of(self.precision), x


def branches() -> Iterator[Statement]:
    """`ln` refuses what is not in (0, 1), asks MPFR for RN(ln u) at p bits where it holds u, else `ln_far_below`."""
    n, k, p = z3.Ints("n k p")
    u = Dyadic(*wholes("n k"))

    def program() -> Any:
        stages: dict[str, Any] = {
            "context": Nearest,
            "scaled": lambda *number: tuple(map(term_of, number)),
            "ln_far_below": lambda given, precision: ("below", term_of(precision), tuple(map(term_of, given))),
        }
        with replaced(logarithm, **stages):
            return code.logarithm.ln(u, Whole(p))

    ran = integers.run("ln", program, (), ParameterError)
    yield from ran.complete()
    inside = z3.And(n > 0, k < 0, n < power(-k))
    for path in ran.paths:
        if path.error is not None:
            yield ran.statement(
                f"refused ({len(path.decisions)})", path.decisions, z3.Not(inside), z3.And(n > 0, k < 0)
            )
            continue
        who, precision, number = path.result
        right = z3.And(inside, precision == p, number[0] == n, number[1] == k, (who == "MPFR") == (-k < RANGE))
        yield ran.statement(who, path.decisions, right, z3.And(right, k == -1))


def holds_them(run: Run) -> Iterator[str]:
    """MPFR holds 2^-RANGE, in every context that the reference makes."""
    lowest = max(code.logarithm.context(p).emin for p in (1, 11, 53, 4096))
    if lowest - 1 > -RANGE or not gmpy2.is_regular(code.logarithm.scaled(1, 1 - RANGE)):
        yield f"MPFR's numbers end at 2^{lowest - 1}"
    if code.logarithm.MPFR_EXPONENTS != RANGE:
        yield f"u is left to MPFR where its exponent is less than {code.logarithm.MPFR_EXPONENTS}"


class Directed:
    """A context that rounds down or up: each result is an unknown number, of which only its side is known."""

    __slots__ = ("known", "up")  # nothing else can be set

    def __init__(self, up: bool, known: list[Any], bits: Any) -> None:
        self.up, self.known = up, known
        if bits != "bits":
            raise TypeError("another precision than the one that is asked for")

    def _rounded(self, exact: Any) -> Any:
        result = z3.Real(f"r{len(self.known)}")
        self.known.append(result >= exact if self.up else result <= exact)
        return result

    def log(self, x: Any) -> Any:
        if str(x) != "significand":
            raise TypeError(f"the logarithm of {x}")
        return self._rounded(LOG)

    def const_log2(self) -> Any:
        return self._rounded(LOG2)

    def add(self, a: Any, b: Any) -> Any:
        return self._rounded(a + b)

    def mul(self, a: Any, b: Any) -> Any:
        return self._rounded(a * b)


LOG, LOG2, EXPONENT = z3.Reals("log_significand log2 exponent")
SIDES = {gmpy2.RoundDown: False, gmpy2.RoundUp: True}


def converted(number: Any, precision: int) -> Any:
    """`mpfr(n, 1)`: an int without rounding."""
    if precision != 1:
        raise TypeError("an int is rounded")
    return number


def enclosed() -> Iterator[Statement]:
    """low ≤ ln(significand) + exponent·ln 2 ≤ high, for every negative exponent, however the operations round."""
    known: list[Any] = []
    stages = {"context": lambda bits, mode: Directed(SIDES[mode], known, bits), "mpfr": converted}
    with replaced(logarithm, **stages):
        low, high = code.logarithm.enclosure(Dyadic(z3.Real("significand"), EXPONENT), "bits")
    exact = LOG + EXPONENT * LOG2
    for name, conclusion in (("low", low <= exact), ("high", exact <= high)):
        yield Statement(
            name, [EXPONENT < 0, *known], conclusion, z3.And(conclusion, low == high), solvers=("z3", "cvc5")
        )
    nearest = z3.Function("nearest", z3.RealSort(), z3.RealSort())
    monotone = [z3.Implies(a <= b, nearest(a) <= nearest(b)) for a, b in ((low, exact), (exact, high))]
    yield Statement(
        "where both ends round to one number, ln u does",
        [low <= exact, exact <= high, *monotone, nearest(low) == nearest(high)],
        nearest(exact) == nearest(low),
        low == high,
        solvers=("z3", "cvc5"),
    )


def ends() -> Any:
    """An enclosure that is only named; after the third the run ends."""
    count = iter((1, 2, 3))

    def enclosure(u: Any, bits: Any) -> Any:
        i = next(count)
        if i == 3:
            raise ParameterError("and so on")
        return named("enclosure", f"low{i}", f"high{i}")(u, bits)

    return enclosure


def looped() -> Any:
    with replaced(logarithm, enclosure=ends()):
        return code.logarithm.ln_far_below(Symbol("u"), Symbol("p"))


LOOP = Program(
    "ln_far_below",
    logarithm,
    {"context": named("context")},
    looped,
    """
    context(p)
    low1, high1 = enclosure(u, (p + (p + 64)))
    context(p).plus(low1)
    context(p).plus(high1)
    if (context(p).plus(low1) == context(p).plus(high1)):
        context(p).plus(low1)
        return context(p).plus(low1)
    unless (context(p).plus(low1) == context(p).plus(high1)):
        low2, high2 = enclosure(u, ((p + (p + 64)) + (p + 64)))
        context(p).plus(low2)
        context(p).plus(high2)
        unless (context(p).plus(low2) == context(p).plus(high2)): raise ParameterError
        context(p).plus(low2)
        return context(p).plus(low2)
    """,
)


def wrong_loop(run: Run) -> Iterator[str]:
    yield from LOOP.differences()


@proves(
    "smt.logarithm.branches",
    claim=CLAIM,
    part="corrected",
    decides=False,
    scope="every p, every pair of integers as significand and exponent; that MPFR rounds correctly is trusted",
    beside=holds_them,
)
def ln() -> list[Statement]:
    """LN(u) is one operation of MPFR, to nearest at p bits, where MPFR holds u; what is not in (0, 1) is refused."""
    return [*branches()]


@proves(
    "smt.logarithm.enclosure",
    claim=CLAIM,
    part="corrected",
    decides=False,
    scope="every p, every u too small for MPFR, any number of bits; that MPFR rounds down and up is trusted",
    beside=wrong_loop,
)
def enclosures() -> list[Statement]:
    """Below MPFR's range ln u lies between the two ends, and the loop ends only where both round to one p-bit number.

    The loop is followed for two rounds. It remembers nothing but the number of bits, and that grows.
    """
    return [*enclosed()]
