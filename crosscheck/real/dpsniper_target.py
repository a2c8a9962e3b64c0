"""Adapter for `LaplaceFixed` of DP-Sniper (eth-sri/dp-sniper, dpsniper/mechanisms/laplace.py). It knows Δ = 1 only.

Theirs: the class. Ours: where a draw is given, it takes the place of `numpy.random`.
"""

from types import SimpleNamespace
from typing import Any

import checkout
from diffprivlib_target import _Reciprocal

FILE = "dpsniper/mechanisms/laplace.py"
WHAT = "a checkout of eth-sri/dp-sniper"


class _Numpy:
    """numpy, with this draw in the place of `numpy.random`."""

    def __init__(self, numpy: Any, sign: int, u: float) -> None:
        self.numpy = numpy
        flip = numpy.array([int(sign < 0)])
        self.random = SimpleNamespace(randint=lambda high, size: flip, uniform=lambda size: numpy.array([u]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.numpy, name)


class LaplaceFixed:
    def __init__(self) -> None:
        path = checkout.find(WHAT, FILE)
        self.module = checkout.module(path, path.parents[2])
        self.numpy = self.module.np

    def describe(self) -> dict[str, object]:
        return {"name": "dp-sniper's LaplaceFixed", "ties": "even", "precision": 53, "uniform": "binary64"}

    def make(self, epsilon: float = 1.0, bound: float = 100.0, sensitivity: float = 1.0) -> Any:
        if sensitivity != 1:
            raise ValueError("LaplaceFixed has no sensitivity other than 1")
        return self.module.LaplaceFixed(eps=epsilon, B=bound)

    def with_scale(self, scale: float, bound: float) -> Any:
        """The class with this λ, and with the Λ that its constructor finds for it."""
        inner = _Reciprocal(1 / scale)
        inner.scale = scale
        return self.make(inner, bound)

    def lattice(self, scale: float) -> float:
        return float(self.with_scale(scale, 4 * scale).Lambda)

    def round(self, x: float, lattice: float) -> float:
        made = self.make()
        made.Lambda = lattice
        return float(made.round_to_Lambda(self.numpy.float64(x)))

    def clamp(self, x: float, bound: float) -> float:
        made = self.make()
        made.B = bound
        return float(made.clamp(x))

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        return self.run(self.with_scale(scale, bound), value, sign, u)

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return 1 / float(self.make(epsilon, bound, sensitivity).scale)

    def run(self, made: Any, value: float, sign: int, u: float) -> float:
        self.module.np = _Numpy(self.numpy, sign, u)
        try:
            with self.numpy.errstate(divide="ignore"):  # log(0): one of its draws
                return float(made.m(self.numpy.array([value]))[0])
        finally:
            self.module.np = self.numpy

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        """One release with this sign and this U*."""
        return self.run(self.make(epsilon, bound, sensitivity), value, sign, u)

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        made = self.make(epsilon, bound, sensitivity)
        return [float(x) for x in made.m(self.numpy.array([value]), count)]
