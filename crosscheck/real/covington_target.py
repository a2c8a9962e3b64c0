"""Adapters for `Snapping_Mechanism` of cc_snap.py, by the author of the notes 001 and 002.

Theirs: the class, from a checkout of ctcovington/floating_point, or of the branch CC_add_snapping of
privacytoolsproject/PSI-Library. Ours: B. The class takes a smallest B and adds a margin, and the protocol gives B
itself, so B is set afterwards, and their own `_parameter_setup` runs again. The class returns noise; the release is
value + noise, as PSI-Library computes it.
"""

from types import SimpleNamespace
from typing import Any

import checkout

WHAT = "a checkout of ctcovington/floating_point (or of PSI-Library, branch CC_add_snapping), or of its file cc_snap.py"
FILES = ("snapping_mechanism/implementation/cc_snap.py", "inst/python/cc_snap.py", "cc_snap.py")
TRIALS = 1024  # coins that it always flips for the exponent of U*


class Covington:
    """Release = value + noise."""

    name = "cc_snap.py, value + noise"

    def __init__(self) -> None:
        path = checkout.find(WHAT, *FILES)
        self.module = checkout.module(path, path.parent)
        self.coins = self.module.secrets

    def describe(self) -> dict[str, object]:
        return {
            "name": self.name,
            "ties": "away",
            "precision": 53,
            "uniform": "binary64",
            "lattice_unit": "sensitivity",
        }

    def make(self, value: float = 0.0, epsilon: float = 1.0, bound: float = 10.0, sensitivity: float = 1.0) -> Any:
        made = self.module.Snapping_Mechanism(value, sensitivity, bound, epsilon=epsilon)
        made.B = bound
        setup = made._parameter_setup()
        made._B_scaled, made.epsilon_prime, made.Lambda_prime, made._Lambda_prime_scaled, made._m = setup
        return made

    def lattice(self, scale: float) -> float:
        return float(self.make()._get_smallest_greater_or_eq_power_of_two(scale)[0])

    def round(self, x: float, lattice: float) -> float:
        made = self.make()
        return float(made._get_closest_multiple_of_Lambda(x, made._get_smallest_greater_or_eq_power_of_two(lattice)[1]))

    def clamp(self, x: float, bound: float) -> float:
        return float(self.make()._clamp(x, bound))

    def log(self, u: float) -> float:
        return float(self.module.crlibm.log_rn(u))

    def uniform(self, exponent: int, mantissa: int) -> float:
        coins = [int(trial == exponent - 1) for trial in range(TRIALS)] + [mantissa >> k & 1 for k in range(51, -1, -1)]
        left = iter(coins)
        self.module.secrets = SimpleNamespace(randbits=lambda count: next(left))
        try:
            return float(self.make()._sample_from_uniform())
        finally:
            self.module.secrets = self.coins

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return float(self.make(0.0, epsilon, bound, sensitivity).epsilon_prime)

    def finish(self, value: float, noise: float) -> float:
        return value + noise

    def given(self, value: float) -> float:
        """The value as it is handed to the class."""
        return value

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        """One release with this sign and this U*."""
        made = self.make(self.given(value), epsilon, bound, sensitivity)
        made._sample_from_uniform = lambda: u
        self.module.secrets = SimpleNamespace(randbits=lambda count: int(sign > 0))
        try:
            return self.finish(value, made.get_snapped_noise())
        finally:
            self.module.secrets = self.coins

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        made = self.make(self.given(value), epsilon, bound, sensitivity)
        return [self.finish(value, made.get_snapped_noise()) for _ in range(count)]


class _Kept(float):
    """A value that cannot be taken off again: x - value is x."""

    def __rsub__(self, other: float) -> float:
        return other


class CovingtonEstimate(Covington):
    """Release = what the class computes before it takes the value off. This shows what else there is to find."""

    name = "cc_snap.py, before the value is taken off"

    def given(self, value: float) -> float:
        return _Kept(value)

    def finish(self, value: float, noise: float) -> float:
        return noise
