"""Adapter for smartnoise-core 0.1.0 to 0.2.3. It calls the functions of its shared library, by ctypes.

double snapping_mechanism(double value, double epsilon, double sensitivity, double min, double max, bool constant_time)
double snapping_mechanism_binding(…, double max, double binding_probability, bool constant_time)

The library is that of the installed package, or the one that SNAPREF_CHECKOUT names (`checkout.py`).
"""

import ctypes
import os
import sys
from importlib import metadata
from pathlib import Path

import checkout

DISTRIBUTION = "opendp-smartnoise-core"


def library() -> Path:
    """The shared library of the installed wheel. The Python package around it is not imported."""
    name = "libsmartnoise_ffi" + (".dylib" if sys.platform == "darwin" else ".so")
    return next(Path(str(f.locate())) for f in metadata.files(DISTRIBUTION) or [] if f.name == name)


class Smartnoise:
    """Offers releases only, as the library exports nothing else."""

    name = "smartnoise-core"

    def __init__(self) -> None:
        if os.environ.get(checkout.VARIABLE):
            shared = checkout.library("libsmartnoise_ffi of smartnoise-core")
        else:
            shared, self.name = ctypes.CDLL(str(library())), f"smartnoise-core {metadata.version(DISTRIBUTION)}"
        real = ctypes.c_double
        self.function = checkout.function(shared, "snapping_mechanism", real, *[real] * 5, ctypes.c_bool)
        self.binding = checkout.function(shared, "snapping_mechanism_binding", real, *[real] * 6, ctypes.c_bool)

    def describe(self) -> dict[str, object]:
        return {"name": self.name, "lattice_unit": "sensitivity"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [float(self.function(value, epsilon, sensitivity, -bound, bound, False)) for _ in range(count)]


class SmartnoiseUnitSensitivity(Smartnoise):
    """Refuses releases unless Δ = 1. This shows what else is wrong, beside the lattice in units of Δ."""

    def describe(self) -> dict[str, object]:
        return {"name": f"{self.name}, Δ = 1 only"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if sensitivity != 1:
            raise ValueError("left out: sensitivity is not 1")
        return super().release(value, epsilon, bound, sensitivity, count)
