"""Hypothesis strategies for the numbers of the mechanism, with many numbers at which implementations go wrong.

    from hypothesis import given
    from snapref_crosscheck.strategies import doubles_near_ties, scales

    @given(x=doubles_near_ties(lattice=0.25))
    def test_rounding(x): ...

`requests` draws the arguments of a whole operation of the cross-check protocol.
"""

import math
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from snapref import binary64
from snapref_crosscheck.protocol import Args

__all__ = [
    "adjacent_values",
    "bounds",
    "doubles",
    "doubles_near_ties",
    "epsilons",
    "lattices",
    "requests",
    "scales",
    "uniforms",
]


def doubles(least: float = -1e300, most: float = 1e300) -> SearchStrategy[float]:
    """Finite doubles, subnormals and both zeros included."""
    return st.floats(least, most, allow_nan=False, allow_infinity=False)


def _near(x: float) -> SearchStrategy[float]:
    return st.integers(-3, 3).map(lambda n: _moved(x, n))


def _moved(x: float, n: int) -> float:
    """The double n places away."""
    for _ in range(abs(n)):
        x = math.nextafter(x, math.inf if n > 0 else -math.inf)
    return x


def lattices(least: int = -1074, most: int = 1000) -> SearchStrategy[float]:
    """Powers of two."""
    return st.one_of(st.integers(-8, 8), st.integers(least, most)).map(lambda m: math.ldexp(1.0, m))


def scales(least: int = -300, most: int = 300) -> SearchStrategy[float]:
    """λ: anywhere, and often a power of two or next to one."""
    powers = st.one_of(st.integers(-6, 6), st.integers(least, most)).map(lambda m: math.ldexp(1.0, m))
    return st.one_of(powers.flatmap(_near), st.floats(2.0**least, 2.0**most), st.floats(0.01, 100.0))


def bounds(least: float = 2.0**-300, most: float = 2.0**300) -> SearchStrategy[float]:
    """B: anywhere, often small and whole."""
    return st.one_of(st.integers(1, 1000).map(float), st.floats(least, most), st.floats(0.5, 1e6))


def doubles_near_ties(lattice: float = 1.0) -> SearchStrategy[float]:
    """Numbers at, or within three doubles of, a multiple of Λ/2; and any others."""
    halves = st.one_of(st.integers(-20, 20), st.integers(-(2**54), 2**54))
    near = halves.map(lambda k: float(k) * (lattice / 2) if lattice > 2.0**-1074 else float(k) * lattice)
    return st.one_of(near.filter(math.isfinite).flatmap(_near).filter(math.isfinite), doubles())


def uniforms() -> SearchStrategy[float]:
    """Values of U*: doubles of (0, 1), next to both ends and anywhere between, by magnitude."""
    mantissa = st.integers(0, 2**52 - 1)
    exponent = st.one_of(st.integers(1, 60), st.integers(1, 1100))
    return st.builds(binary64.uniform, exponent, mantissa)


def epsilons(least: float = 2.0**-20, most: float = 20.0) -> SearchStrategy[float]:
    """ε."""
    return st.one_of(st.sampled_from((1.0, 0.5, 0.1, 0.01)), st.floats(least, most))


def adjacent_values(sensitivity: float = 1.0, bound: float = 1000.0) -> SearchStrategy[tuple[float, float]]:
    """Two values of [-B, B] at most Δ apart, often exactly Δ apart."""

    def other(a: float) -> SearchStrategy[tuple[float, float]]:
        far = st.sampled_from((a - sensitivity, a + sensitivity))
        close = st.floats(max(-bound, a - sensitivity), min(bound, a + sensitivity))
        inside = st.one_of(far.map(lambda b: max(-bound, min(bound, b))), close)
        return inside.filter(lambda b: abs(a - b) <= sensitivity).map(lambda b: (a, b))

    return st.floats(-bound, bound).flatmap(other)


@st.composite
def _round_requests(draw: Any) -> Args:
    lattice = draw(lattices())
    return {"x": draw(doubles_near_ties(lattice)), "lattice": lattice}


@st.composite
def _snap_requests(draw: Any, only: float | None, least: float | None) -> Args:
    if only is None:
        scale = draw(scales(-30, 30))
        bound = draw(st.floats(0.5, 1e6).map(lambda factor: factor * scale))
        scale, bound = (scale, bound) if least is None or bound >= least else (scale * (least / bound), least)
    else:
        bound, scale = only, draw(st.floats(0.5, 1e6).map(lambda factor: only / factor))
    unit = binary64.lattice(scale)
    value = draw(st.one_of(st.floats(-1.5 * bound, 1.5 * bound), doubles_near_ties(unit)))
    return {
        "value": value,
        "scale": scale,
        "bound": bound,
        "sign": draw(st.sampled_from((1, -1))),
        "u": draw(uniforms()),
    }


def requests(op: str, only: float | None = None, least: float | None = None) -> SearchStrategy[Args]:
    """Arguments for a component operation of the cross-check protocol. `only` is the one bound that there is, `least`
    the smallest."""
    match op:
        case "lattice":
            return st.fixed_dictionaries({"scale": st.one_of(scales(-1074, 1023), scales())})
        case "round":
            return _round_requests()
        case "clamp":
            some = bounds() if only is None else st.just(only)
            return st.fixed_dictionaries({"x": doubles(-1e308, 1e308), "bound": some.map(lambda b: max(b, least or b))})
        case "log":
            return st.fixed_dictionaries({"u": uniforms()})
        case "uniform":
            exponent = st.one_of(st.integers(1, 60), st.integers(1, 1200))
            return st.fixed_dictionaries({"exponent": exponent, "mantissa": st.integers(0, 2**52 - 1)})
        case "snap":
            return _snap_requests(only, least)
    raise ValueError(f"{op} is not a component operation")
