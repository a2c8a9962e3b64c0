"""Planning a release before it is made (001 and 002, §6.1): B from the bounds of the data, ε from a wanted accuracy.

B is the smallest double for which the inner clamp changes no f. ε is the smallest double for which the error exceeds
the wanted accuracy with probability at most α. Both come from public numbers only. Every comparison is in exact
arithmetic. planning_obligations.py decides that the formulas are right.
"""

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from snapref.budget import (
    WIDEST,
    Budget,
    check_precision,
    eta,
    inner_epsilon,
    plan_budget,
    round_to_bits,
    show,
)
from snapref.certificate import Certificate
from snapref.errors import ParameterError, finite, positive, whole
from snapref.mechanism import Mechanism
from snapref_proofs.accuracy.program import program_of
from snapref_proofs.accuracy.sound import program_tail
from snapref_proofs.ideal.model import ExpSum

Adjacency = Literal["add-remove", "replace-one"]


@dataclass(frozen=True)
class Data:
    """What is public about the data: every record lies in [lower, upper], and `size` limits their number.

    With the adjacency add-remove, the query says whether `size` is the most or the least number of records.
    """

    lower: Fraction
    upper: Fraction
    size: int
    adjacency: Adjacency

    @property
    def replace(self) -> bool:
        return self.adjacency == "replace-one"

    @property
    def width(self) -> Fraction:
        return self.upper - self.lower

    @property
    def magnitude(self) -> Fraction:
        return max(abs(self.lower), abs(self.upper))


@dataclass(frozen=True)
class Query:
    """A query f: `largest` is max |f| over all data, and `sensitivity` is how far one person can move f.

    Some data attain them, so no smaller numbers would do. `size` says what the size of the data means with the
    adjacency add-remove. `whole` says that f is an integer, whatever the data are.
    """

    says: str
    largest: Callable[[Data], Fraction]
    sensitivity: Callable[[Data], Fraction]
    size: Literal["at most", "at least"]
    whole: bool = False


def most_variance(data: Data) -> Fraction:
    """The largest variance: half of the records are at each end, and if their number is odd, one more at one end."""
    share = Fraction((data.size // 2) * ((data.size + 1) // 2), data.size**2) if data.replace else Fraction(1, 4)
    return share * data.width**2


def variance_sensitivity(data: Data) -> Fraction:
    """The largest change of the variance: all records are at one end, and one person comes or moves to the other."""
    n = data.size
    return (Fraction(n - 1, n**2) if data.replace else Fraction(n, (n + 1) ** 2)) * data.width**2


QUERIES = {
    "count": Query(
        "the number of records with some property",
        lambda data: Fraction(data.size),
        lambda data: Fraction(1),
        "at most",
        whole=True,
    ),
    "cell": Query(
        "the number of records in one cell of a histogram (replacing one record changes two cells)",
        lambda data: Fraction(data.size),
        lambda data: Fraction(1),
        "at most",
        whole=True,
    ),
    "sum": Query(
        "the sum of the records",
        lambda data: data.size * data.magnitude,
        lambda data: data.width if data.replace else data.magnitude,
        "at most",
    ),
    "mean": Query(
        "the mean of the records",
        lambda data: data.magnitude,
        lambda data: data.width / (data.size if data.replace else data.size + 1),
        "at least",
    ),
    "variance": Query(
        "the variance of the records, their mean square distance from the mean (division by their number)",
        most_variance,
        variance_sensitivity,
        "at least",
    ),
}


@dataclass(frozen=True)
class BoundPlan:
    """B and Δ for a query: as doubles, on the safe side, and the exact numbers that they come from."""

    query: str
    data: Data
    largest: Fraction  # max |f| over all data
    change: Fraction  # max |f - f'| over all neighbours
    bound: float
    sensitivity: float

    @property
    def assumes(self) -> tuple[str, ...]:
        """What the numbers rest on, one sentence each."""
        query, n = QUERIES[self.query], self.data.size
        count = f"exactly {n}" if self.data.replace else f"{query.size} {n}"
        rounding = (
            "f is a whole number of at most 2**53, so that it is a double"
            if self.exact
            else "f is computed exactly and rounded to the nearest double, once; a unit in the last place of B in the "
            "sensitivity pays for the rounding of two neighbours"
        )
        neighbours = "one record replaced by another" if self.data.replace else "one record added or removed"
        return (
            f"f is {query.says}",
            f"there are {count} records"
            + ("" if query.whole else f", each in [{show(self.data.lower)}, {show(self.data.upper)}]"),
            f"neighbouring data differ in {neighbours}",
            rounding,
        )

    @property
    def exact(self) -> bool:
        return QUERIES[self.query].whole and self.largest <= 2**53


def plan_bound(
    query: str, size: int, lower: float = 0.0, upper: float = 1.0, adjacency: Adjacency = "add-remove"
) -> BoundPlan:
    """The smallest double B for which clamp_B(f) = f for all data that these bounds allow, and the sensitivity of f."""
    if query not in QUERIES:
        raise ParameterError(f"query must be one of {', '.join(QUERIES)}, not {query!r}")
    if adjacency not in ("add-remove", "replace-one"):
        raise ParameterError(f"adjacency must be add-remove or replace-one, not {adjacency!r}")
    data = Data(finite("lower", lower), finite("upper", upper), whole("size", size), adjacency)
    if data.size < 1:
        raise ParameterError(f"size = {size} must be at least 1")
    if data.lower > data.upper:
        raise ParameterError(f"lower = {lower} must not be larger than upper = {upper}")
    largest, change = QUERIES[query].largest(data), QUERIES[query].sensitivity(data)
    if not largest or not change:
        raise ParameterError(f"the {query} is the same for all data within these bounds: there is nothing to release")
    bound = least_double("bound", largest)
    plan = BoundPlan(query, data, largest, change, bound, 0.0)
    rounding = 0 if plan.exact else Fraction(math.ulp(bound))  # half a unit for either of two neighbours
    return BoundPlan(query, data, largest, change, bound, least_double("sensitivity", change + rounding))


def least_double(name: str, x: Fraction) -> float:
    """The smallest double that is at least x > 0."""
    try:
        nearest = float(x)
    except OverflowError:
        nearest = math.inf
    found = nearest if nearest >= x else math.nextafter(nearest, math.inf)
    if math.isinf(found):
        raise ParameterError(f"the {name} that these parameters need, {show(x)}, is larger than every double")
    return found


@dataclass(frozen=True)
class EpsilonPlan:
    """The smallest ε that is accurate enough, and the certificate of a release with it."""

    epsilon: float
    certificate: Certificate
    accuracy: Fraction
    alpha: Fraction

    @property
    def exceeded(self) -> Fraction:
        """An upper bound of P(error > accuracy), rounded up to a double; 0 where such an error does not exist."""
        high = failure(self.certificate.budget, self.accuracy).enclosure()[1]
        return round_to_bits(high, 53, up=True) if high > 0 else Fraction(0)

    @property
    def command(self) -> str:
        """The release that is planned."""
        b = self.certificate.budget
        extra = "" if b.sensitivity == 1 else f" --sensitivity {float(b.sensitivity)!r}"
        extra += "" if b.precision == 53 else f" --precision {b.precision}"
        return f"snapref snap VALUE --epsilon {self.epsilon!r} --bound {float(b.bound)!r}{extra}"


def plan_epsilon(
    accuracy: float, alpha: float, bound: float, sensitivity: float = 1.0, precision: int = 53
) -> EpsilonPlan:
    """The smallest double ε with P(|f - release| > accuracy) ≤ α for every f in [-B, B].

    It uses the bound for the floating-point program that holds for every f (sound.py). α must be at most ½: there the
    bound does not rise as ε rises, so that bisection finds ε.
    """
    limits = positive("bound", bound), positive("sensitivity", sensitivity), whole("precision", precision)
    wanted, chance = positive("accuracy", accuracy), positive("alpha", alpha)
    check_precision(precision)
    if chance > Fraction(1, 2):
        raise ParameterError(f"alpha = {alpha} must be at most 0.5: the probability of a larger error, such as 0.05")

    def enough(epsilon: float) -> bool:
        """False up to some ε, and true beyond.

        It is also true of an ε too large for any release; that is refused below.
        """
        scale = noise_scale(Fraction(epsilon), *limits)
        if scale is None or scale > limits[0]:
            return False
        if limits[0] * eta(precision) > WIDEST.max_beta * scale:
            return True
        return failure(plan_budget(Fraction(epsilon), *limits), wanted).at_most(chance)

    epsilon = least_positive_double(enough)
    try:
        certificate = Mechanism(epsilon, bound, sensitivity, precision).certificate
    except ParameterError as error:
        raise ParameterError(
            f"accuracy = {accuracy} with alpha = {alpha} is out of reach, the epsilon that it needs is refused: {error}"
        ) from None
    return EpsilonPlan(epsilon, certificate, wanted, chance)


def noise_scale(epsilon: Fraction, bound: Fraction, sensitivity: Fraction, precision: int) -> Fraction | None:
    """λ for an ε, or None for an ε ≤ 2η, which no noise honours. It does not rise when ε does."""
    if epsilon <= 2 * eta(precision):
        return None
    return round_to_bits(sensitivity / inner_epsilon(epsilon, bound, sensitivity, precision), precision, up=True)


def failure(budget: Budget, accuracy: Fraction) -> ExpSum:
    """An upper bound of P(|f - release| > accuracy) over all f in [-B, B], for the floating-point program."""
    return program_tail(program_of(budget))(accuracy)


def least_positive_double(enough: Callable[[float], bool]) -> float:
    """The least positive double with a property that, once it holds, holds for all larger ones."""
    low, high = 0, _pattern(math.inf) - 1  # patterns of doubles are ordered as the doubles are
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(_double(middle)) else (middle, high)
    return _double(high)


def _pattern(x: float) -> int:
    return int.from_bytes(struct.pack(">d", x), "big")


def _double(pattern: int) -> float:
    return float(struct.unpack(">d", pattern.to_bytes(8, "big"))[0])
