"""What Λ, rounding and clamp have to do (001/002 §2.2), stated without any knowledge of the code: it is not imported.

Rounding is stated twice. In bit-vectors scaled by the unit in the last place: |x| is significand·2^unit, Λ = 2^m is
2^cut of those units, and |x| lies between two neighbouring multiples of Λ, the nearer of which is the result (a tie
goes toward +∞: up in magnitude if x > 0, down if x < 0). And in IEEE floating-point theory, with fp.roundToIntegral.
That the two agree, that the first is the only number within Λ/2 that the tie rule admits, and that one pattern encodes
it, are obligations of their own (spec_obligations.py).

Integers are signed bit-vectors, wide enough for every value that can occur.
"""

from dataclasses import dataclass

import z3

EXPONENT_WIDTH = 20  # signed: differences of exponents of formats with up to 15 exponent bits


@dataclass(frozen=True)
class Layout:
    """A binary interchange format: sign, exponent field, fraction."""

    precision: int
    exponent_bits: int

    @property
    def width(self) -> int:
        return self.precision + self.exponent_bits

    @property
    def integer_width(self) -> int:
        """Room for a significand, for 2^(p+2), for their sum and a sign."""
        return self.precision + 6

    @property
    def max_exponent(self) -> int:
        """2^1023 is the largest power of two among the doubles."""
        return int((1 << (self.exponent_bits - 1)) - 1)

    @property
    def min_exponent(self) -> int:
        """2^-1074 is the smallest among the doubles."""
        return 1 - self.max_exponent - (self.precision - 1)

    # Patterns

    def pattern(self, name: str) -> z3.BitVecRef:
        return z3.BitVec(name, self.width)

    def sign(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.Extract(self.width - 1, self.width - 1, bits) == 1

    def field(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        """The exponent field, (e_1 … e_11)_2."""
        return z3.Extract(self.width - 2, self.precision - 1, bits)

    def fraction(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        """m_1 … m_52."""
        return z3.Extract(self.precision - 2, 0, bits)

    def magnitude(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        """The pattern without its sign: among patterns of one sign, the order of the numbers."""
        return z3.Extract(self.width - 2, 0, bits)

    @property
    def infinity(self) -> z3.BitVecRef:
        """The magnitude of ±∞."""
        return z3.Concat(z3.BitVecVal(-1, self.exponent_bits), z3.BitVecVal(0, self.precision - 1))

    def finite(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return self.field(bits) != z3.BitVecVal(-1, self.exponent_bits)

    def nan(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return z3.UGT(self.magnitude(bits), self.infinity)

    def zero(self, bits: z3.BitVecRef) -> z3.BoolRef:
        return self.magnitude(bits) == 0

    def less(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        """a < b as numbers, infinities included, neither a NaN. The two zeros are equal."""
        return z3.If(
            self.sign(a),
            z3.If(
                self.sign(b),
                z3.UGT(self.magnitude(a), self.magnitude(b)),
                z3.Not(z3.And(self.zero(a), self.zero(b))),
            ),
            z3.And(z3.Not(self.sign(b)), z3.ULT(self.magnitude(a), self.magnitude(b))),
        )

    def at_most(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        """a ≤ b as numbers."""
        return z3.Not(self.less(b, a))

    def same(self, a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BoolRef:
        """Equal as numbers."""
        return z3.Or(a == b, z3.And(self.zero(a), self.zero(b)))

    def negated(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        return bits ^ z3.BitVecVal(1 << (self.width - 1), self.width)

    # Numbers: |x| = significand · 2^unit

    def significand(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        hidden = z3.If(self.field(bits) == 0, z3.BitVecVal(0, 1), z3.BitVecVal(1, 1))
        return z3.ZeroExt(self.integer_width - self.precision, z3.Concat(hidden, self.fraction(bits)))

    def signed_significand(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        return z3.If(self.sign(bits), -self.significand(bits), self.significand(bits))

    def unit(self, bits: z3.BitVecRef) -> z3.BitVecRef:
        field = z3.ZeroExt(EXPONENT_WIDTH - self.exponent_bits, self.field(bits))
        return z3.If(field == 0, z3.BitVecVal(1, EXPONENT_WIDTH), field) + (self.min_exponent - 1)

    # Rounding, in units in the last place

    def lattice(self, name: str = "m") -> z3.BitVecRef:
        """m, for Λ = 2^m: any 16-bit integer; `has_lattice` says which of them the format holds."""
        return z3.BitVec(name, 16)

    def has_lattice(self, m: z3.BitVecRef) -> z3.BoolRef:
        return z3.And(m >= self.min_exponent, m <= self.max_exponent)

    def cut(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BitVecRef:
        """Λ is worth 2^cut units in the last place of x."""
        return z3.SignExt(EXPONENT_WIDTH - m.size(), m) - self.unit(bits)

    def log2(self, name: str = "log2") -> z3.BitVecRef:
        return z3.BitVec(name, 8)

    def is_log2(self, bits: z3.BitVecRef, log2: z3.BitVecRef) -> z3.BoolRef:
        """log2 = ⌊log2 significand⌋, for x ≠ 0."""
        amount = resize(log2, self.integer_width)
        return z3.And(log2 >= 0, log2 < self.precision, self.significand(bits) >> amount == 1)

    def cases(self, bits: z3.BitVecRef, m: z3.BitVecRef, log2: z3.BitVecRef) -> dict[int, z3.BoolRef]:
        """The cases of §4.2.2 by y = ⌊log2|x|⌋ - m, given `is_log2`; x = 0 counts as y < -1."""
        y = resize(log2, EXPONENT_WIDTH) - self.cut(bits, m)
        nonzero = z3.Not(self.zero(bits))
        return {
            1: z3.And(nonzero, y >= self.precision - 1),
            2: z3.And(nonzero, y >= 0, y <= self.precision - 2),
            3: z3.And(nonzero, y == -1),
            4: z3.Or(self.zero(bits), y < -1),
        }

    def lattice_units(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BitVecRef:
        """Λ in units of x, where cut ≥ 0. A cut beyond p+1 is read as p+1: |x| < Λ/2 and the result is 0 either way."""
        cut = self.cut(bits, m)
        limit = z3.BitVecVal(self.precision + 1, EXPONENT_WIDTH)
        amount = resize(z3.If(cut > limit, limit, cut), self.integer_width)
        return z3.BitVecVal(1, self.integer_width) << amount

    def rounded_units(self, bits: z3.BitVecRef, m: z3.BitVecRef, ties: str = "up") -> z3.BitVecRef:
        """|round(x)| in units of x, where cut ≥ 1: the nearer one of the two multiples of Λ around |x|."""
        lattice, significand = self.lattice_units(bits, m), self.significand(bits)
        half = z3.LShR(lattice, 1)
        above = significand & (lattice - 1)
        below = significand & ~(lattice - 1)
        away = {"up": z3.Not(self.sign(bits)), "down": self.sign(bits), "away": z3.BoolVal(True)}[ties]
        return z3.If(z3.Or(above > half, z3.And(above == half, away)), below + lattice, below)

    def in_units(self, bits: z3.BitVecRef, result: z3.BitVecRef) -> tuple[z3.BoolRef, z3.BitVecRef]:
        """(whether it is defined, |result| in units of x): for a zero, and in the binade of x or the one above."""
        step = self.unit(result) - self.unit(bits)
        significand = self.significand(result)
        units = z3.If(z3.And(step == 1, z3.Not(self.zero(result))), significand << 1, significand)
        return z3.Or(self.zero(result), step == 0, step == 1), units

    def rounds_to(self, bits: z3.BitVecRef, m: z3.BitVecRef, result: z3.BitVecRef, ties: str = "up") -> z3.BoolRef:
        """The specification: `result` is the pattern of the multiple of 2^m nearest to x; that of 0 is +0."""
        units = self.rounded_units(bits, m, ties)
        defined, value = self.in_units(bits, result)
        nonzero = z3.And(self.finite(result), self.sign(result) == self.sign(bits), defined, value == units)
        return z3.If(
            z3.And(self.cut(bits, m) <= 0, z3.Not(self.zero(bits))),
            result == bits,  # x is a multiple of its own unit, and so of Λ
            z3.If(z3.Or(self.zero(bits), units == 0), result == 0, nonzero),
        )

    def overflows(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        """|x| ≥ 2^(max_exponent+1) - Λ/2 if x > 0, |x| > … if x < 0: the nearest multiple is 2^(max_exponent+1)."""
        top = self.field(bits) == z3.BitVecVal(2 * self.max_exponent, self.exponent_bits)
        reached = self.significand(bits) + z3.LShR(self.lattice_units(bits, m), 1)
        end = z3.BitVecVal(1 << self.precision, self.integer_width)
        return z3.And(top, self.cut(bits, m) >= 1, z3.If(self.sign(bits), reached > end, reached >= end))

    # What the result has to be, property by property

    def is_lattice_point(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        """significand·2^unit is a multiple of 2^m."""
        cut = self.cut(bits, m)
        low = (z3.BitVecVal(1, self.integer_width) << resize(cut, self.integer_width)) - 1
        inside = z3.And(cut < self.precision, self.significand(bits) & low == 0)
        return z3.Or(self.zero(bits), cut <= 0, inside)

    def is_nearest(self, bits: z3.BitVecRef, m: z3.BitVecRef, units: z3.BitVecRef) -> z3.BoolRef:
        """For cut ≥ 1 and 0 ≤ units: ±units is a multiple of Λ with -Λ/2 < ±units - x ≤ Λ/2."""
        lattice, significand = self.lattice_units(bits, m), self.significand(bits)
        half = z3.LShR(lattice, 1)
        positive = z3.And(significand < units + half, units <= significand + half)
        negative = z3.And(significand <= units + half, units < significand + half)
        return z3.And(units & (lattice - 1) == 0, z3.If(self.sign(bits), negative, positive))

    # Λ: the smallest power of two that is at least λ (001/002 §2.2)

    def at_most_power(self, bits: z3.BitVecRef, m: z3.BitVecRef) -> z3.BoolRef:
        """|x| ≤ 2^m, for every 16-bit m: significand ≤ 2^(m-unit)."""
        cut = self.cut(bits, m)
        power = z3.BitVecVal(1, self.integer_width) << resize(cut, self.integer_width)
        return z3.Or(cut >= self.precision, z3.And(cut >= 0, self.significand(bits) <= power), self.zero(bits))

    def power_of_two(self, m: z3.BitVecRef) -> z3.BitVecRef:
        """The pattern of 2^m, where the format holds it."""
        exponent = resize(m, EXPONENT_WIDTH)
        field = z3.Extract(self.exponent_bits - 1, 0, exponent + self.max_exponent)
        normal = z3.Concat(z3.BitVecVal(0, 1), field, z3.BitVecVal(0, self.precision - 1))
        subnormal = z3.BitVecVal(1, self.width) << resize(exponent - self.min_exponent, self.width)
        return z3.If(exponent < 1 - self.max_exponent, subnormal, normal)

    # Clamp

    def clamps_to(self, bits: z3.BitVecRef, bound: z3.BitVecRef, result: z3.BitVecRef) -> z3.BoolRef:
        """result is x where -B ≤ x ≤ B, else the end of [-B, B] on the side of x. For a finite bound ≥ 0."""
        limit = z3.Concat(z3.BitVecVal(0, 1), self.magnitude(bound))  # a bound of -0 counts as 0
        return z3.If(
            self.less(limit, bits),
            result == limit,
            z3.If(self.less(bits, self.negated(limit)), result == self.negated(limit), result == bits),
        )

    # Rounding to an integer in the theory of floating point

    def float_sort(self) -> z3.FPSortRef:
        return z3.FPSort(self.exponent_bits, self.precision)

    def as_float(self, bits: z3.BitVecRef) -> z3.FPRef:
        return z3.fpBVToFP(bits, self.float_sort())

    def float_round_half_up(self, x: z3.FPRef) -> z3.FPRef:
        """The integer nearest to x, ties toward +∞, zero as +0.

        IEEE 754 rounds to the nearest integer with ties away from zero; where that went down by 1/2, round up instead.
        """
        sort = self.float_sort()
        away = z3.fpRoundToIntegral(z3.RNA(), x)
        went_down = z3.fpEQ(z3.fpSub(z3.RNE(), x, away), z3.FPVal(0.5, sort))
        up = z3.fpRoundToIntegral(z3.RTP(), x)
        return z3.fpAdd(z3.RNE(), z3.If(went_down, up, away), z3.FPVal(0.0, sort))  # -0 + 0 is +0


def resize(term: z3.BitVecRef, width: int) -> z3.BitVecRef:
    """A signed term in another width; the caller knows that it fits."""
    return z3.Extract(width - 1, 0, term) if width <= term.size() else z3.SignExt(width - term.size(), term)
