"""Adapter for `SnappingMechanism` of RelM (anusii/RelM; Python over Rust). It knows Δ = 1 only.

Theirs: the class, from a checkout whose Rust part has been built into it. Ours: a new object for each request, as an
object releases once; one request is one array of equal values.
"""

import checkout
from diffprivlib_target import _Reciprocal

FILE = "relm/mechanisms/output_perturbation.py"
WHAT = "a checkout of anusii/RelM, built"


class Relm:
    def __init__(self) -> None:
        path = checkout.find(WHAT, FILE)
        self.module = checkout.module(path, path.parents[2])

    def describe(self) -> dict[str, object]:
        return {"name": "RelM's SnappingMechanism", "ties": "away"}

    def lattice(self, scale: float) -> float:
        inner = _Reciprocal(1 / scale)
        inner.scale = scale
        return float(self.module.SnappingMechanism(inner, 4 * scale).quanta)

    def inner_epsilon(self, epsilon: float, bound: float, sensitivity: float) -> float:
        if sensitivity != 1:
            raise ValueError("SnappingMechanism has no sensitivity other than 1")
        return 1 / float(self.module.SnappingMechanism(epsilon, bound).lam)

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        if sensitivity != 1:
            raise ValueError("SnappingMechanism has no sensitivity other than 1")
        values = self.module.np.full(count, value)
        return [float(x) for x in self.module.SnappingMechanism(epsilon, bound).release(values)]
