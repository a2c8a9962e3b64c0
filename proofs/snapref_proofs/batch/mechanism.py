"""The snapping mechanism on arrays (001/002 §2.2, §3): the stages of `snapref.mechanism.snapped`, each on many numbers.

Products and sums are the hardware's: IEEE 754 doubles, rounded to nearest even, which is ⊗ and ⊕ at 53 bits wherever
nothing over- or underflows, and `roomy_format` says where that is. Any other parameters are refused.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from snapref import Certificate, Mechanism, ParameterError, Source, SystemSource
from snapref.formats import BINARY64, roomy_format
from snapref.logarithm import ln
from snapref.uniform import Uniform
from snapref_proofs.batch.draws import Floats, Words, finish, random_words, read
from snapref_proofs.batch.logarithm import logarithms

CHUNK = 1 << 13  # releases that are computed together: their intermediate results stay in the processor's cache
TO_SIGN = np.uint64(63)


@dataclass(frozen=True)
class Releases:
    """Many private releases, and where their randomness came from."""

    values: Floats
    certificate: Certificate
    randomness: str


class Parameters(NamedTuple):
    """λ, Λ and B as doubles."""

    scale: float
    lattice: float
    bound: float


class BatchMechanism:
    """The mechanism for one set of public parameters, for many releases at once. Each of them spends its own ε."""

    def __init__(self, epsilon: float, bound: float, sensitivity: float = 1.0) -> None:
        self.certificate = Mechanism(epsilon, bound, sensitivity).certificate
        budget = self.certificate.budget
        if roomy_format(53, budget.scale, budget.bound) is not BINARY64:
            raise ParameterError("scale and bound must lie between 2**-900 and 2**900: release one by one instead")
        self.parameters = Parameters(float(budget.scale), float(self.certificate.lattice), float(budget.bound))

    def release(self, values: npt.ArrayLike, source: Source | None = None) -> Releases:
        """One release of each value, with the operating system's randomness unless another source is given."""
        source = source or SystemSource()
        numbers = checked(values)
        flat, results = numbers.ravel(), np.empty(numbers.size)
        for start in range(0, flat.size, CHUNK):
            chunk = flat[start : start + CHUNK]
            words = random_words(source, chunk.size)
            results[start : start + CHUNK] = snapped(chunk, self.parameters, words, source)
        return Releases(results.reshape(numbers.shape), self.certificate, source.name)


def checked(values: npt.ArrayLike) -> Floats:
    """The values as doubles; an error, which does not show them, where one is not a finite number that doubles hold."""
    try:
        given = np.asarray(values)
    except (ValueError, OverflowError):
        raise ParameterError("values must be an array of floats or ints") from None
    if given.dtype.kind not in "iuf" or given.dtype.itemsize > 8:
        raise ParameterError(f"values must be an array of floats or ints that doubles hold, not of {given.dtype}")
    numbers = given.astype(np.float64)
    if given.dtype.kind in "iu" and np.any((given > 2**53) | (given < -(2**53))):
        raise ParameterError("values must be numbers that 53 bits hold exactly: ints of at most 2**53")
    if not np.all(np.isfinite(numbers)):
        raise ParameterError("values must be finite")
    return numbers


def snapped(values: Floats, parameters: Parameters, words: Words, source: Source) -> Floats:
    """The mechanism on the draws that the words stand for; `source` goes on where a row shows no coin with a 1."""
    scale, lattice, bound = parameters
    inner = np.clip(values, -bound, bound)
    noise = -scale * rounded_logarithms(words, source)  # positive: the sign of S = -1
    signed = (noise.view(np.uint64) ^ (words[:, 0] << TO_SIGN)).view(np.float64)
    multiples = nearest_integers((inner + signed) * (1 / lattice))
    return np.clip(multiples * lattice, -bound, bound)


def rounded_logarithms(words: Words, source: Source) -> Floats:
    """LN(U*) of every row: the fast logarithm where it is certain, the reference's where it is not."""
    draws = read(words)
    value, certain = logarithms(draws.exponent, draws.mantissa)
    certain &= draws.exponent > 0
    uniform = Uniform(53)
    for i in np.flatnonzero(~certain):
        exponent = int(draws.exponent[i]) or finish(words[i], source)
        value[i] = float(ln(uniform(exponent, int(draws.mantissa[i])), 53))
    return value


def nearest_integers(x: Floats) -> Floats:
    """Each number to the nearest integer, ties toward +∞, and never -0."""
    below = np.floor(x)
    # x - below is exact wherever it is at most 1/2: proofs.batch.round.every-p
    return below + (x - below >= 0.5)
