"""Witnesses: concrete numbers at which the loss exceeds a bound, replayed through the reference, printed as a trace."""

from dataclasses import dataclass
from fractions import Fraction

from snapref.budget import eta, loss_bound
from snapref.mechanism import snapped
from snapref_proofs.evaluate.bisection import Program, probability_by_bisection, same
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.loss import Entry, Loss, entry_at
from snapref_proofs.evaluate.tails import snapping


@dataclass(frozen=True)
class Witness:
    """Parameters, two values and one output; `program` is what the evaluator's probabilities are replayed through."""

    scale: Fraction
    bound: Fraction
    a: Fraction
    b: Fraction
    x: Fraction
    precision: int = 53
    uniform: str = "unbounded"
    sensitivity: Fraction = Fraction(1)

    @property
    def number(self) -> int:
        """k, the number of the output x."""
        mechanism = snapping(from_fraction(self.scale), from_fraction(self.bound), self.precision, self.uniform)
        last, lattice = mechanism.last, Fraction(2) ** mechanism.lattice_exponent
        k = last if self.x == self.bound else -last if self.x == -self.bound else int(self.x / lattice)
        if to_fraction(output(mechanism, k)) != self.x:
            raise ValueError(f"{self.x} is not an output")
        return k

    @property
    def entry(self) -> Entry:
        """The exact probabilities of x from a and from b, as the evaluator has them."""
        mechanism = snapping(from_fraction(self.scale), from_fraction(self.bound), self.precision, self.uniform)
        return entry_at(mechanism, self.number, from_fraction(self.a), from_fraction(self.b))

    @property
    def loss(self) -> Loss:
        return self.entry.loss

    @property
    def loss_bound(self) -> Fraction:
        return loss_bound(self.scale, self.bound, self.sensitivity, self.precision)

    def replays(self, program: Program = snapped) -> bool:
        """Whether bisection on u through the concrete program finds the same two probabilities."""
        mechanism = snapping(from_fraction(self.scale), from_fraction(self.bound), self.precision, self.uniform)
        entry = self.entry
        found = (probability_by_bisection(mechanism, self.number, from_fraction(c), program) for c in (self.a, self.b))
        return all(same(mine, other) for mine, other in zip((entry.a, entry.b), found, strict=True))

    @property
    def command(self) -> str:
        """What a reader types to see it."""
        numbers = " ".join(f"--{name} {float(getattr(self, name))!r}" for name in ("scale", "bound", "a", "b"))
        extra = "" if self.precision == 53 else f" --precision {self.precision}"
        extra += "" if self.uniform == "unbounded" else f" --uniform {self.uniform}"
        extra += "" if self.sensitivity == 1 else f" --sensitivity {float(self.sensitivity)!r}"
        return f"snapref loss {numbers}{extra} --output {float(self.x)!r}"

    def trace(self, bound: Fraction | None = None, replay: str = "") -> str:
        """Name and value on each line, in program order, and the command that replays it."""
        entry, limit, h = self.entry, self.loss_bound if bound is None else bound, eta(self.precision)
        epsilon = self.sensitivity / self.scale
        other = "" if limit == self.loss_bound else " (the same loss; the bound that the command compares is another)"
        excess = "" if self.loss.infinite else f" = ε {signed(self.loss.in_units(epsilon, h))} η"
        return "\n".join(
            (
                f"λ = {self.scale}, B = {self.bound}, p = {self.precision}, U* {self.uniform}",
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
