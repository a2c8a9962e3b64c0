"""Adapter for smartnoise-core 0.2.3. It calls the function `snapping_mechanism` of its shared library, by ctypes.

double snapping_mechanism(double value, double epsilon, double sensitivity, double min, double max, bool constant_time)
"""

import ctypes
import sys
from importlib import metadata
from pathlib import Path

DISTRIBUTION = "opendp-smartnoise-core"


def library() -> Path:
    """The shared library of the installed wheel. The Python package around it is not imported."""
    name = "libsmartnoise_ffi" + (".dylib" if sys.platform == "darwin" else ".so")
    return next(Path(str(f.locate())) for f in metadata.files(DISTRIBUTION) or [] if f.name == name)


class Smartnoise:
    """Offers releases only, as the library exports nothing else."""

    def __init__(self) -> None:
        self.function = ctypes.CDLL(str(library())).snapping_mechanism
        self.function.argtypes = [ctypes.c_double] * 5 + [ctypes.c_bool]
        self.function.restype = ctypes.c_double

    def describe(self) -> dict[str, object]:
        return {"name": "smartnoise-core 0.2.3"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [float(self.function(value, epsilon, sensitivity, -bound, bound, False)) for _ in range(count)]


class SmartnoiseUnitSensitivity(Smartnoise):
    """Refuses releases unless Δ = 1. This shows what else is wrong, beside the lattice in units of Δ."""

    def describe(self) -> dict[str, object]:
        return {"name": "smartnoise-core 0.2.3, Δ = 1 only"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if sensitivity != 1:
            raise ValueError("left out: sensitivity is not 1")
        return super().release(value, epsilon, bound, sensitivity, count)
