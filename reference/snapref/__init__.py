"""snapref: the snapping mechanism (Mironov, CCS 2012), each stage as its documents define it.

Read in this order: formats, lattice, rounding, clamp, uniform, logarithm, arithmetic, mechanism, doubles; then budget.
"""

from snapref.budget import notes_precision
from snapref.certificate import Certificate
from snapref.errors import ParameterError
from snapref.mechanism import Certified, Mechanism, Release, certify, snap
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
