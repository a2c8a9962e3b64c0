"""Adapter for the snapping mechanism in the clear of MOTION (encryptogroup/MOTION, pull request 29).

Theirs: the functions of src/motioncore/utility/MOTION_dp_mechanism_helper/snapping_mechanism.cpp, in a shared library.
They are the model that MOTION's tests compare the secure computation with. Ours: `draw` sets λ = Δ/ε, because MOTION
takes λ and leaves ε to its caller. The functions print at every step; that goes nowhere.
"""

import ctypes
import os
import struct
from typing import Any

import checkout

WHAT = "a shared library with MOTION's snapping_mechanism.cpp"


def bits(x: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def double(pattern: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", pattern))[0])


def quiet(call: Any, *arguments: Any) -> Any:
    """The call, with what it prints thrown away."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        return call(*arguments)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class Motion:
    def __init__(self) -> None:
        shared, pattern, real = checkout.library(WHAT), ctypes.c_uint64, ctypes.c_double
        self._power = checkout.function(shared, "_Z39get_smallest_greater_or_eq_power_of_twom", pattern, pattern)
        self._round = checkout.function(shared, "_Z29get_closest_multiple_of_sigmamm", pattern, pattern, pattern)
        self._clamp = checkout.function(shared, "_Z5clampdd", real, real, real)
        name = "_Z18snapping_mechanismddbdd"
        self._snap = checkout.function(shared, name, real, real, real, ctypes.c_bool, real, real)

    def describe(self) -> dict[str, object]:
        return {"name": "MOTION's snapping mechanism, in the clear", "ties": "away"}

    def lattice(self, scale: float) -> float:
        return float(2.0 ** ctypes.c_int64(quiet(self._power, bits(scale))).value)

    def round(self, x: float, lattice: float) -> float:
        return double(
            quiet(self._round, bits(0.75 * lattice), bits(x))
        )  # it takes a λ, and this one has the Λ asked for

    def clamp(self, x: float, bound: float) -> float:
        return float(quiet(self._clamp, bound, x))

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return float(quiet(self._snap, value, bound, sign < 0, scale, u))

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        """One release with this sign and this U*."""
        return self.snap(value, sensitivity / epsilon, bound, sign, u)
