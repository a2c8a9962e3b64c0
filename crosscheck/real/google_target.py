"""Adapter for `LaplaceMechanism` of google/differential-privacy as it was from September 2019 to June 2020 (C++).

Until commit b351a7f this class was the snapping mechanism, with B = 2^39 whatever Δ is. Today's class is another
mechanism. Theirs: the class. Ours: google_driver.cc, a C interface to it, in one shared library with their sources.
"""

import ctypes

import checkout

WHAT = "a shared library of google_driver.cc and google/differential-privacy before its commit b351a7f"
BOUND = 2.0**39


class Google:
    def __init__(self) -> None:
        real = ctypes.c_double
        kinds = (ctypes.c_int, real, real, real, ctypes.c_size_t, ctypes.POINTER(real))
        self._release = checkout.function(checkout.library(WHAT), "google_release", *kinds)

    def describe(self) -> dict[str, object]:
        return {"name": "google/differential-privacy, 2019 to 2020", "ties": "up", "bound": BOUND}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if bound != BOUND:
            raise ValueError("its bound is 2^39, and cannot be changed")
        results = (ctypes.c_double * count)()
        if self._release(value, epsilon, sensitivity, count, results) != 0:
            raise ValueError("its Builder refuses these parameters")
        return list(results)
