"""A witness: concrete numbers at which the privacy loss exceeds a bound.

It can be replayed: bisection through the reference must find the same probabilities as the evaluator. It can be printed
as a trace, with one name and value on each line. The obligations that refute a claim show such traces.
"""

from dataclasses import dataclass
from fractions import Fraction

from snapref.budget import eta, loss_bound
from snapref.mechanism import snapped
from snapref_proofs.evaluate.bisection import Program, probability_by_bisection, same
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Entry, Loss, entry_at
from snapref_proofs.evaluate.parameters import Parameters


@dataclass(frozen=True)
class Witness:
    """A mechanism, two values and one output, and how far apart the values may be."""

    parameters: Parameters
    a: Fraction
    b: Fraction
    x: Fraction
    sensitivity: Fraction = Fraction(1)

    @property
    def number(self) -> int:
        """k, the number of the output x."""
        m = self.parameters
        k = m.last if self.x == m.bound else -m.last if self.x == -m.bound else int(self.x / m.lattice)
        if to_fraction(output(m, k)) != self.x:
            raise ValueError(f"{self.x} is not an output")
        return k

    @property
    def entry(self) -> Entry:
        """The exact probabilities of x from a and from b, as the evaluator has them."""
        return entry_at(self.parameters, self.number, from_fraction(self.a), from_fraction(self.b))

    @property
    def loss(self) -> Loss:
        return self.entry.loss

    @property
    def loss_bound(self) -> Fraction:
        m = self.parameters
        return loss_bound(m.scale, m.bound, self.sensitivity, m.precision)

    def replays(self, program: Program = snapped) -> bool:
        """Whether bisection on u through the concrete program finds the same two probabilities."""
        entry, m = self.entry, self.parameters
        found = (probability_by_bisection(m, self.number, from_fraction(c), program) for c in (self.a, self.b))
        return all(same(mine, other) for mine, other in zip((entry.a, entry.b), found, strict=True))

    @property
    def command(self) -> str:
        """What a reader types to see it."""
        m = self.parameters
        named = (("scale", m.scale), ("bound", m.bound), ("a", self.a), ("b", self.b))
        numbers = " ".join(f"--{name} {float(number)!r}" for name, number in named)
        extra = "" if m.precision == 53 else f" --precision {m.precision}"
        extra += "" if m.uniform == "unbounded" else f" --uniform {m.uniform}"
        extra += "" if self.sensitivity == 1 else f" --sensitivity {float(self.sensitivity)!r}"
        return f"snapref loss {numbers}{extra} --output {float(self.x)!r}"

    def trace(self, bound: Fraction | None = None, replay: str = "") -> str:
        """Name and value on each line, in program order, and the command that replays it."""
        m, entry, limit = self.parameters, self.entry, self.loss_bound if bound is None else bound
        h, epsilon = eta(m.precision), self.sensitivity / m.scale
        other = "" if limit == self.loss_bound else " (the same loss; the bound that the command compares is another)"
        excess = "" if self.loss.infinite else f" = ε {signed(self.loss.in_units(epsilon, h))} η"
        return "\n".join(
            (
                f"λ = {m.scale}, B = {m.bound}, p = {m.precision}, U* {m.uniform}",
                f"f(a) = {self.a}, f(a') = {self.b}, output x = {self.x}",
                f"P(x|a)  = {entry.a.significand}·2^{entry.a.exponent}",
                f"P(x|a') = {entry.b.significand}·2^{entry.b.exponent}",
                f"loss  = {self.loss.text()}{excess}",
                f"bound = ε {signed(float((limit - epsilon) / h))} η",
                f"replay: {replay or self.command + other}",
            )
        )


def signed(x: float) -> str:
    return f"{'-' if x < 0 else '+'} {abs(x):.4f}"
