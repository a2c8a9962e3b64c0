"""Adapter for `snap_laplace` of Ektelo (dpcomp-org/ektelo, branch float_pt, ektelo/private_laplace.py).

Theirs: the function, and its λ = Δ/ε, which `Laplace.measure` of that branch computes. Ours: where a draw is given, it
is passed as the argument `r` that the function has for this, and the sign takes the place of `random.random`.
"""

from types import SimpleNamespace

import checkout

FILE = "ektelo/private_laplace.py"
WHAT = "a checkout of dpcomp-org/ektelo, branch float_pt"


class Ektelo:
    def __init__(self) -> None:
        path = checkout.find(WHAT, FILE)
        self.module = checkout.module(path, path.parents[1])
        self.coins = self.module.random

    def describe(self) -> dict[str, object]:
        return {"name": "ektelo's snap_laplace", "ties": "up", "precision": 53, "uniform": "binary64"}

    def lattice(self, scale: float) -> float:
        return float(self.module.Lambda(scale))

    def round(self, x: float, lattice: float) -> float:
        return float(self.module.Lambda_round(x, lattice))

    def clamp(self, x: float, bound: float) -> float:
        return float(self.module.clamp(x, bound))

    def snap(self, value: float, scale: float, bound: float, sign: int, u: float) -> float:
        self.module.random = SimpleNamespace(random=lambda: float(sign > 0))
        try:
            return float(self.module.snap_laplace(value, scale, B=bound, r=u))
        finally:
            self.module.random = self.coins

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        return epsilon  # its λ is Δ/ε

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        """One release with this sign and this r."""
        return self.snap(value, sensitivity / epsilon, bound, sign, u)

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        return [float(self.module.snap_laplace(value, sensitivity / epsilon, B=bound)) for _ in range(count)]
