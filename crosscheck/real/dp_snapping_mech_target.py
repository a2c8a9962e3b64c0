"""Adapter for `snapping_mechanism` of ryll-spectre/DP-Snapping-Mech (Rust), which exports it for other languages.

Theirs: the function, in the shared library that their Cargo.toml describes. Ours: λ = Δ/ε, as their README says.
"""

import ctypes

import checkout

WHAT = "the shared library snapping_mech of ryll-spectre/DP-Snapping-Mech"


class DpSnappingMech:
    def __init__(self) -> None:
        real = ctypes.c_double
        self._snap = checkout.function(checkout.library(WHAT), "snapping_mechanism", real, real, real, real)

    def describe(self) -> dict[str, object]:
        return {"name": "DP-Snapping-Mech"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [float(self._snap(value, sensitivity / epsilon, bound)) for _ in range(count)]
