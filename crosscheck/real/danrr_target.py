"""Adapter for `SnappingMechanism` of danrr/Snapping-mechanism, from whose author diffprivlib's `Snapping` came later.

Theirs: the class; each stage is one of the methods that its `add_noise` calls. Ours: where the protocol gives the
randomness, it takes the place of the class's own. The bounds are -B and B.
"""

from types import SimpleNamespace
from typing import Any

import checkout
from diffprivlib_target import _Bits, _Reciprocal

FILE = "SnappingMechanism/SnappingMechanism.py"
WHAT = "a checkout of danrr/Snapping-mechanism"


class SnappingMechanism:
    def __init__(self) -> None:
        path = checkout.find(WHAT, FILE)
        self.module = checkout.module(path, path.parents[1])
        self.coins = self.module.secrets

    def describe(self) -> dict[str, object]:
        name = "danrr/Snapping-mechanism"
        return {"name": name, "ties": "up", "precision": 53, "uniform": "binary64", "lattice_unit": "sensitivity"}

    def make(self, epsilon: float = 1.0, bound: float = 10.0, sensitivity: float = 1.0) -> Any:
        return self.module.SnappingMechanism(-bound, bound, epsilon, sensitivity)

    def lattice(self, scale: float) -> float:
        return float(self.make()._get_next_power_of_2(scale))

    def round(self, x: float, lattice: float) -> float:
        return float(self.make(1 / lattice)._round_to_next_power_of_2(x))

    def clamp(self, x: float, bound: float) -> float:
        return float(self.make(bound=bound)._clamp_value(x))

    def log(self, u: float) -> float:
        return float(self.module.crlibm.log_rn(u))

    def uniform(self, exponent: int, mantissa: int) -> float:
        self.module.secrets = SimpleNamespace(randbits=_Bits(exponent, mantissa).getrandbits)
        try:
            return float(self.make()._sample_uniform())
        finally:
            self.module.secrets = self.coins

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        inner = _Reciprocal(1 / scale)
        inner.scale = scale
        return self.run(self.make(inner, bound), value, sign, u)

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return float(self.make(epsilon, bound, sensitivity).epsilon)  # its λ is 1/ε

    def run(self, made: Any, value: float, sign: int, u: float) -> float:
        made._sample_uniform = lambda: u
        self.module.secrets = SimpleNamespace(randbits=lambda count: int(sign < 0))
        try:
            return float(made.add_noise(value))
        finally:
            self.module.secrets = self.coins

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        """One release with this sign and this U*."""
        return self.run(self.make(epsilon, bound, sensitivity), value, sign, u)

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        made = self.make(epsilon, bound, sensitivity)
        return [float(made.add_noise(value)) for _ in range(count)]
