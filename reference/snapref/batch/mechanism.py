"""The snapping mechanism on arrays (001/002 §2.2, §3): the stages of `snapref.mechanism.snapped`, each on many numbers.

Products and sums are those of the hardware: IEEE 754 doubles, rounded to nearest, ties to even. They are ⊗ and ⊕ at 53
bits where nothing overflows or underflows. `room` says for which parameters that holds; all others are refused. Each
stage treats every element by itself, so the obligations can run it on one unknown element (snapref_proofs.batch.lanes).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from snapref import Certificate, Mechanism, ParameterError, Source
from snapref.batch.draws import Floats, Words, random_words, read
from snapref.batch.logarithm import logarithms
from snapref.budget import show
from snapref.errors import check_finite
from snapref.logarithm import ln
from snapref.randomness import SYSTEM, tosses
from snapref.uniform import Uniform

CHUNK = 1 << 13  # releases that are computed together: their intermediate results stay in the processor's cache
TO_SIGN = np.uint64(63)


@dataclass(frozen=True)
class Releases:
    """Many private releases, and where their randomness came from."""

    values: Floats
    certificate: Certificate
    randomness: str

    def __repr__(self) -> str:
        epsilon = show(self.certificate.budget.epsilon)
        return f"Releases({self.values.size} values, ε = {epsilon} for each, randomness: {self.randomness})"

    def _repr_html_(self) -> str:
        """How many there are, and the certificate of each, as a table for notebooks."""
        return self.certificate.as_table(f"{self.values.size} values", self.randomness)


class Doubles(NamedTuple):
    """λ, Λ, 1/Λ and B as doubles, for the stages below. The exact parameters are in the certificate."""

    scale: float
    lattice: float
    inverse: float
    bound: float


class BatchMechanism:
    """The mechanism for one set of public parameters, for many releases at once. Every release spends its own ε."""

    def __init__(self, epsilon: float, bound: float, sensitivity: float = 1.0) -> None:
        self.certificate = Mechanism(epsilon, bound, sensitivity).certificate
        budget = self.certificate.budget
        exact = (budget.scale, self.certificate.lattice, budget.bound)
        if not all(room(*exact)) or exact != tuple(Fraction(float(x)) for x in exact):
            raise ParameterError("scale and bound must lie between 2**-900 and 2**900: release one by one instead")
        scale, lattice, bound = map(float, exact)
        self.parameters = Doubles(scale, lattice, 1 / lattice, bound)

    def release(self, values: npt.ArrayLike, source: Source | None = None) -> Releases:
        """One release of each value, with the operating system's randomness unless another source is given."""
        source = SYSTEM if source is None else source
        numbers = checked(values)
        flat, results = numbers.ravel(), np.empty(numbers.size)
        for start in range(0, flat.size, CHUNK):
            chunk = flat[start : start + CHUNK]
            words = random_words(source, chunk.size)
            results[start : start + CHUNK] = snapped(chunk, self.parameters, words, source)
        return Releases(results.reshape(numbers.shape), self.certificate, source.name)


def checked(values: npt.ArrayLike) -> Floats:
    """The values as doubles. Where one is no double, an error, which does not show the values. (The reference differs:
    it also takes longer ints, and of numpy's numbers only float64.)"""
    if isinstance(values, np.ma.MaskedArray):
        raise ParameterError("values must be an array without a mask")
    found = values if hasattr(values, "__array__") else listed(values)
    try:
        given = np.asarray(found)
    except (ValueError, OverflowError):
        raise ParameterError("values must be an array of floats or ints") from None
    if given.dtype.kind in "iu" and np.any((given > 2**53) | (given < -(2**53))):
        given = given.astype(object)
    if given.dtype.kind == "O":
        return np.array([double(number) for number in given.flat], np.float64).reshape(given.shape)
    if given.dtype.kind not in "iuf" or given.dtype.itemsize > 8:
        raise ParameterError(f"values must be an array of floats or ints that doubles hold, not of {given.dtype}")
    numbers = given.astype(np.float64)
    if not np.all(np.isfinite(numbers)):
        raise ParameterError("values must be finite")
    return numbers


def listed(values: Any) -> Any:
    """A list of doubles, or one. Each element is checked by itself: numpy would take True for 1, round an int beside a
    float, and take the unit or the mask of an array in a list away."""
    if isinstance(values, (list, tuple, range)):
        return [listed(value) for value in values]
    is_array = hasattr(values, "__array__") and getattr(values, "ndim", 0) > 0
    return checked(values).tolist() if is_array else double(values)


def double(number: Any) -> float:
    """An element of a list, or of an array of objects, as a double. An error where the reference would refuse it."""
    if isinstance(number, np.generic) and number.dtype.kind not in "mM":  # of a time, `item` may take the unit away
        number = number.item()
    check_finite("values", number, private=True)
    try:
        if float(number) == number:
            return float(number)
    except OverflowError:
        pass
    raise ParameterError("values must be doubles, or ints that doubles hold exactly")


def room(scale: Fraction, lattice: Fraction, bound: Fraction) -> tuple[bool, ...]:
    """The conditions under which doubles have room for all that is computed. The reference has already checked all of
    them but the first two."""
    return (
        scale >= 2.0**-900,
        bound <= 2.0**900,
        scale <= bound,
        bound <= 2**46 * scale,
        scale <= lattice,
        lattice <= 2 * scale,
    )


def snapped(values: Floats, parameters: Doubles, words: Words, source: Source) -> Floats:
    """The mechanism on the draws in the words, one row for each value. Where no coin of a row shows 1, `source` tosses
    on."""
    return composed(values, parameters, rounded_logarithms(words, source), words[:, 0])


def composed(values: Floats, parameters: Doubles, logarithms: Floats, first: Words) -> Floats:
    """The mechanism, given LN(U*) and the words whose lowest bits are the signs."""
    scale, lattice, inverse, bound = parameters
    noisy = clamped(values, bound) + noise(scale, logarithms, first)
    return clamped(rounded(noisy, lattice, inverse), bound)


def clamped(x: Floats, bound: float) -> Floats:
    """Each number clamped to [-B, B]."""
    return x.clip(-bound, bound)


def noise(scale: float, logarithms: Floats, first: Words) -> Floats:
    """S⊗λ⊗LN. The lowest bit of each first word is the sign: 1 means S = +1."""
    size = -scale * logarithms  # positive: the noise of S = -1
    return (size.view(np.uint64) ^ (first << TO_SIGN)).view(np.float64)


def rounded(x: Floats, lattice: float, inverse: float) -> Floats:
    """Each number to the nearest multiple of Λ, ties toward +∞."""
    return nearest_integers(x * inverse) * lattice


def rounded_logarithms(words: Words, source: Source) -> Floats:
    """LN(U*) of every row: the fast logarithm where it is certain, the reference's where it is not."""
    draws = read(words)
    value, certain = logarithms(draws.exponent, draws.mantissa)
    certain &= draws.exponent > 0
    uniform = Uniform(53)
    for i in np.flatnonzero(~certain):
        exponent = int(draws.exponent[i]) or tosses(source, coins=0)
        value[i] = float(ln(uniform(exponent, int(draws.mantissa[i])), 53))
    return value


def nearest_integers(x: Floats) -> Floats:
    """Each number to the nearest integer, ties toward +∞, and never -0."""
    below = np.floor(x)
    return below + (x - below >= 0.5)
