"""The certificate of a release: which ε it honours, with which parameters, and under which conditions."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from html import escape

from snapref.budget import CONSTANT, Budget, floor_log2, round_to_bits, show

UPWARD = Context(prec=17, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class Certificate:
    """A budget together with the lattice Λ = 2**lattice_exponent that follows from it."""

    budget: Budget
    lattice_exponent: int

    @property
    def lattice(self) -> Fraction:
        return Fraction(2) ** self.lattice_exponent

    @property
    def basis(self) -> str:
        """What the certificate rests on: the bound, and where its proof is to be read and to be run."""
        return f"loss ≤ Δ/λ + {CONSTANT}·B·η/λ + 2η: Theorem 1 (notes/theorem1.md, snapref theorem)"

    def lines(self) -> list[tuple[str, str]]:
        """The certificate for people, as pairs of a label and a text."""
        b = self.budget
        padding = "" if b.padded_sensitivity == b.sensitivity else f", padded to {exact_text(b.padded_sensitivity)}"
        return [
            ("epsilon ε", exact_text(b.epsilon)),
            ("honoured", f"{upper_text(b.honoured)} (an upper bound of the loss)"),
            ("inner epsilon ε'", exact_text(b.inner_epsilon)),
            ("scale λ", exact_text(b.scale)),
            ("lattice Λ", f"2**{self.lattice_exponent} = {show(self.lattice)}"),
            ("bound B", exact_text(b.bound)),
            ("sensitivity Δ", exact_text(b.sensitivity) + padding),
            ("precision p", f"{b.precision} bits, η = 2**-{b.precision}"),
            *((f"condition: {c.name}", c.statement) for c in b.conditions),
            ("rests on", self.basis),
        ]

    def as_table(self, released: str, randomness: str) -> str:
        """What was released, and the certificate, as a table for notebooks."""
        rows = [("released", released), *self.lines(), ("randomness", randomness)]
        cells = (f"<tr><th>{escape(label)}</th><td>{escape(text)}</td></tr>" for label, text in rows)
        return f"<table>{''.join(cells)}</table>"

    def as_json(self) -> dict[str, object]:
        """The certificate for machines. Numbers are C99 hex; `honoured` is rounded up to a double."""
        b = self.budget
        return {
            "epsilon": hexadecimal(b.epsilon),
            "inner_epsilon": hexadecimal(b.inner_epsilon),
            "scale": hexadecimal(b.scale),
            "lattice": hexadecimal(self.lattice),
            "bound": hexadecimal(b.bound),
            "sensitivity": hexadecimal(b.sensitivity),
            "padded_sensitivity": hexadecimal(b.padded_sensitivity),
            "precision": b.precision,
            "honoured": hexadecimal(round_to_bits(b.honoured, 53, up=True)),
            "conditions": [{"name": c.name, "statement": c.statement} for c in b.conditions],
            "basis": self.basis,
        }


def hexadecimal(x: Fraction) -> str:
    """A number whose denominator is a power of two, as C99 hex, exactly: 1.5 is 0x1.8p+0."""
    if x == 0:
        return "0x0p+0"
    exponent = floor_log2(abs(x))
    digits = ""
    rest = abs(x) / Fraction(2) ** exponent - 1
    while rest:
        digit, rest = divmod(16 * rest, 1)
        digits += f"{int(digit):x}"
    return f"{'-' if x < 0 else ''}0x1{'.' if digits else ''}{digits}p{exponent:+d}"


def exact_text(x: Fraction) -> str:
    """A decimal and the exact hex. For doubles the decimal is what Python prints; otherwise it has about six digits."""
    approximate = show(x)
    is_double = "2**" not in approximate and Fraction(float(x)) == x
    return f"{float(x)!r} ({hexadecimal(x)})" if is_double else f"{approximate} ({hexadecimal(x)})"


def upper_text(x: Fraction) -> str:
    """An upper bound of x: rounded up to 53 bits in hex, and that rounded up again to 17 digits in decimal."""
    above = round_to_bits(x, 53, up=True)
    return f"{UPWARD.divide(Decimal(above.numerator), Decimal(above.denominator))} ({hexadecimal(above)})"
