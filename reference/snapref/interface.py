"""The front door: the mechanism as people use it, with numbers as they have them.

What is released is what mechanism.py releases, and the proofs are about that. Here numpy's numbers become Python's own,
exactly; bounds on either side of the value become B; and many values go to the batch path.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, SupportsFloat

from snapref import mechanism
from snapref.errors import ParameterError, finite
from snapref.mechanism import Release
from snapref.randomness import Source

if TYPE_CHECKING:
    from snapref.batch.mechanism import Releases


class Mechanism(mechanism.Mechanism):
    """The mechanism for one set of public parameters. They are checked once, here.

    Give `bound`, or `lower` and `upper`: then B is the larger of |lower| and |upper|, and what is released is clamped
    to [lower, upper] afterwards. That is post-processing, which costs no privacy.
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        bound: SupportsFloat | None = None,
        sensitivity: SupportsFloat = 1.0,
        precision: int = 53,
        *,
        lower: SupportsFloat | None = None,
        upper: SupportsFloat | None = None,
    ) -> None:
        given = bound is not None, lower is not None, upper is not None
        if given not in ((True, False, False), (False, True, True)):
            raise ParameterError("give a bound, or lower and upper, and not both")
        self._interval = None if bound is not None else (_end("lower", lower), _end("upper", upper))
        if self._interval is not None:
            low, high = self._interval
            if low >= high:
                raise ParameterError(f"lower = {low} must be smaller than upper = {high}")
            bound = max(abs(low), abs(high))
        self._given = plain(epsilon), plain(bound), plain(sensitivity)
        super().__init__(*self._given, plain(precision))

    def release(self, value: SupportsFloat, source: Source | None = None) -> Release:
        """One release of f(D) = value, with the operating system's randomness unless another source is given."""
        found = super().release(plain(value), checked(source))
        if self._interval is None:
            return found
        low, high = self._interval
        return found._replace(value=min(max(found.value, low), high))

    def release_many(self, values: Any, source: Source | None = None) -> "Releases":
        """One release of each value of an array, each of which spends its own ε. It needs numpy: snapref[batch]."""
        from snapref.batch.mechanism import BatchMechanism  # numpy is loaded where it is asked for

        if self.certificate.budget.precision != 53:
            raise ParameterError("release_many computes with 53 bits: release one by one, or leave precision out")
        found = BatchMechanism(*self._given).release(values, checked(source))
        return found if self._interval is None else replace(found, values=found.values.clip(*self._interval))


def snap(
    value: SupportsFloat,
    epsilon: SupportsFloat,
    bound: SupportsFloat,
    sensitivity: SupportsFloat = 1.0,
    precision: int = 53,
) -> Release:
    """One ε-differentially private release of `value`, which is clamped to [-bound, bound] first."""
    return mechanism.snap(*map(plain, (value, epsilon, bound, sensitivity, precision)))


def plain(number: Any) -> Any:
    """A number of numpy's as one of Python's, which is equal to it. Anything else is left to the checks as it is. So is
    a time of numpy's, or a number behind a mask: `item` may take the unit or the mask away."""
    is_time = getattr(getattr(number, "dtype", None), "kind", None) in ("m", "M")
    is_number = getattr(number, "ndim", None) == 0 and hasattr(number, "item") and not hasattr(number, "mask")
    return number.item() if is_number and not is_time else number


def checked(source: Any) -> Any:
    """The source of randomness; an error if it is none, such as a bare seed."""
    if source is not None and not callable(getattr(source, "bits", None)):
        raise ParameterError(
            f"source must be a source of randomness, not a {type(source).__name__}: for a test, SeededSource(2012)"
        )
    return source


def _end(name: str, number: Any) -> float:
    """An end of the interval, as a double."""
    exact = finite(name, plain(number))
    if abs(exact) >= 2**1024 or float(exact) != exact:
        raise ParameterError(f"{name} must be a double")
    return float(exact)
