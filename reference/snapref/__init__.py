"""snapref: the snapping mechanism (Mironov, CCS 2012), each stage as the documents 001 and 002 define it.

README introduces the documents. Read the modules in this order:

    formats      floating-point numbers as integers (patterns)
    lattice      Λ, the power of two to round to
    rounding     rounding to a multiple of Λ, in four cases
    clamp        clamping to [-B, B]
    uniform      U*, the uniform variate
    logarithm    LN, the correctly rounded logarithm
    arithmetic   ⊕ and ⊗, the rounded sum and product
    mechanism    all of it together
    interface    the same for users: numbers as they have them
    doubles      the same on the machine's own doubles
    budget       from ε to the noise scale λ, and the conditions of the privacy bound

Small helpers: `errors` (checks of parameters), `randomness` (where random bits come from), `certificate` (which ε a
release honours, and why), `binary64` (the stages as functions of floats). `batch` releases many values at once.
"""

from snapref.budget import notes_precision
from snapref.certificate import Certificate
from snapref.errors import ParameterError
from snapref.interface import Mechanism, snap
from snapref.mechanism import Certified, Release, certify
from snapref.randomness import SeededSource, Source, SystemSource

__version__ = "0.1.0"
__all__ = [
    "Certificate",
    "Certified",
    "Mechanism",
    "ParameterError",
    "Release",
    "SeededSource",
    "Source",
    "SystemSource",
    "certify",
    "notes_precision",
    "snap",
]
