"""Adapters for `diffprivlib.mechanisms.Snapping` of IBM diffprivlib 0.6.6.

The library works in units of Δ, centred between its bounds, which are -B and B here. Each stage is one of the methods
that the library's `randomise` calls. Where the protocol gives the randomness, it takes the place of the library's.
"""

import importlib
import sys
from typing import Any


class _Reciprocal(float):
    """An ε' whose reciprocal is exactly the λ that was asked for: the library computes λ as 1.0/ε'."""

    scale: float

    def __rtruediv__(self, one: object) -> float:
        return self.scale


class _Bits:
    """Random bits that lead to a given exponent and mantissa of U*."""

    def __init__(self, exponent: int, mantissa: int) -> None:
        self.mantissa = mantissa
        self.words, last = divmod(exponent - 1, 32)
        self.last = 1 << (31 - last)

    def getrandbits(self, count: int) -> int:
        if count == 52:
            return self.mantissa
        self.words -= 1
        return 0 if self.words >= 0 else self.last


class Diffprivlib:
    """As installed: with crlibm's logarithm if crlibm is there."""

    name = "diffprivlib 0.6.6"

    def __init__(self) -> None:
        self.module: Any = importlib.import_module("diffprivlib.mechanisms.snapping")
        self.logarithm = "crlibm" if sys.modules.get("crlibm") else "numpy"

    def describe(self) -> dict[str, object]:
        return {"name": f"{self.name} ({self.logarithm} log)", "ties": "up", "precision": 53, "uniform": "binary64"}

    def make(self, epsilon: float = 1.0, bound: float = 10.0, sensitivity: float = 1.0) -> Any:
        return self.module.Snapping(epsilon=epsilon, sensitivity=sensitivity, lower=-bound, upper=bound)

    def lattice(self, scale: float) -> float:
        return float(self.module.Snapping._get_nearest_power_of_2(scale))

    def round(self, x: float, lattice: float) -> float:
        return float(self.make()._round_to_nearest_power_of_2(x, lattice))

    def clamp(self, x: float, bound: float) -> float:
        return float(self.make(bound=bound)._truncate(x))

    def log(self, u: float) -> float:
        return float(self.module.Snapping._laplace_sampler(0, u))

    def uniform(self, exponent: int, mantissa: int) -> float:
        mechanism = self.make()
        mechanism._rng = _Bits(exponent, mantissa)
        return float(mechanism._uniform_sampler())

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        mechanism = self.make(bound=bound)
        inner = _Reciprocal(1 / scale)
        inner.scale = scale
        mechanism.effective_epsilon = lambda: inner
        mechanism._getrandbits = lambda count: 0 if sign > 0 else 1
        mechanism._uniform_sampler = lambda: u
        return float(mechanism.randomise(value))

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return float(self.make(epsilon, bound, sensitivity).effective_epsilon())

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        mechanism = self.make(epsilon, bound, sensitivity)
        return [float(mechanism.randomise(value)) for _ in range(count)]


class DiffprivlibWithoutCrlibm(Diffprivlib):
    """With numpy's logarithm, as where crlibm is not installed."""

    def __init__(self) -> None:
        sys.modules["crlibm"] = None  # type: ignore[assignment]
        super().__init__()


class DiffprivlibUnitSensitivity(Diffprivlib):
    """Refuses releases unless Δ = 1. This shows what else is wrong, beside the lattice in units of Δ."""

    name = "diffprivlib 0.6.6, Δ = 1 only"

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if sensitivity != 1:
            raise ValueError("left out: sensitivity is not 1")
        return super().release(value, epsilon, bound, sensitivity, count)
