"""The formulas of 001/002 §4, literally, as functions on the bits of a double: what is printed, not what is right.

Each is plain integer code, so that the executor lifts it for all inputs and a counterexample is replayed by
calling it. S, (e_1…e_11)_2 and m_1…m_52 are the fields of a double; y = (f_1…f_11)_2 - 1023.
"""

FRACTION = 52
FIELDS = 1 << 11
BIAS = 1023
ALL_ONES = (1 << FRACTION) - 1  # m_i = 1 for all i


class NoField(ValueError):
    """A number that 11 bits do not hold as an exponent field."""


def fields(bits: int) -> tuple[int, int, int]:
    """S, (e_1…e_11)_2, (m_1…m_52)_2."""
    return bits >> 63, (bits >> FRACTION) & (FIELDS - 1), bits & ALL_ONES


def double(sign: int, field: int, mantissa: int) -> int:
    """(-1)^S (1.m_1…m_52)_2 · 2^(field - 1023), written into the fields."""
    if field < 0 or field >= FIELDS:
        raise NoField("the exponent does not fit 11 bits")
    return (sign << 63) | (field << FRACTION) | mantissa


def lattice(scale: int) -> int:
    """Eq. 4.1."""
    sign, field, mantissa = fields(scale)
    if mantissa == 0:
        return scale
    return double(sign, field + 1, 0)  # (1.0…0)_2 · 2^(E-1022)


def divide(x: int, m: int) -> int:
    """§4.2.1: (f_1…f_11)_2 = (e_1…e_11)_2 - m."""
    sign, field, mantissa = fields(x)
    return double(sign, field - m, mantissa)


def case2(quotient: int) -> int:
    """Eq. 4.2. The printed ∃i and ∀i have no range: all 52 of the m_i. (m'_1…m'_y)_2 has y bits."""
    sign, field, mantissa = fields(quotient)
    y = field - BIAS
    integral = mantissa >> (FRACTION - y)  # (m_1…m_y)_2
    half = (mantissa >> (FRACTION - 1 - y)) & 1  # m_{y+1}
    if half == 1 and mantissa != ALL_ONES:
        return double(sign, field, ((integral + 1) & ((1 << y) - 1)) << (FRACTION - y))
    if half == 1:
        return double(sign, field + 1, 0)
    return double(sign, field, integral << (FRACTION - y))


def case2_corrected(quotient: int) -> int:
    """Eq. 4.2 with ∃i ≤ y and ∀i ≤ y. Nearest, ties away from zero."""
    sign, field, mantissa = fields(quotient)
    y = field - BIAS
    integral = mantissa >> (FRACTION - y)
    half = (mantissa >> (FRACTION - 1 - y)) & 1
    if half == 1 and integral != (1 << y) - 1:
        return double(sign, field, (integral + 1) << (FRACTION - y))
    if half == 1:
        return double(sign, field + 1, 0)
    return double(sign, field, integral << (FRACTION - y))


def case2_half_up(quotient: int) -> int:
    """As `case2_corrected`, but a negative tie is cut off: nearest, ties toward +∞, as §2.2 defines."""
    sign, field, mantissa = fields(quotient)
    y = field - BIAS
    rest = mantissa & ((1 << (FRACTION - y)) - 1)  # (m_{y+1}…m_52)_2
    if sign == 1 and rest == 1 << (FRACTION - 1 - y):
        return double(sign, field, mantissa - rest)
    return case2_corrected(quotient)


def case2_text(quotient: int) -> int:
    """The text of case 2: m_{y+1} alone decides; up adds 1 to the integral part, a carry moves into the exponent."""
    sign, field, mantissa = fields(quotient)
    y = field - BIAS
    integral = mantissa >> (FRACTION - y)
    half = (mantissa >> (FRACTION - 1 - y)) & 1
    whole = (1 << y) + integral + half
    if whole == 1 << (y + 1):
        return double(sign, field + 1, 0)
    return double(sign, field, (whole - (1 << y)) << (FRACTION - y))


def case3(quotient: int) -> int:
    """Case 3: (-1)^S (1.0)_2 · 2^((01…1)_2 - 1023)."""
    sign, _, _ = fields(quotient)
    return double(sign, BIAS, 0)


def case3_corrected(quotient: int) -> int:
    """-1/2 is a tie, and goes up to 0."""
    sign, _, mantissa = fields(quotient)
    if sign == 1 and mantissa == 0:
        return 0
    return double(sign, BIAS, 0)


def case4(quotient: int) -> int:
    """Case 4: 0, "all 0s"."""
    return 0


def multiply_literally(integer: int, m: int) -> int:
    """§4.2.3 without its special case: m is added to the exponent field, modulo 2^11, whatever x'' is."""
    sign, field, mantissa = fields(integer)
    return (sign << 63) | (((field + m) & (FIELDS - 1)) << FRACTION) | mantissa


def multiply(integer: int, m: int) -> int:
    """§4.2.3: m is added to the exponent field, and 0 is dealt with apart."""
    sign, field, mantissa = fields(integer)
    if field == 0 and mantissa == 0:
        return integer
    return double(sign, field + m, mantissa)


def three_steps(x: int, m: int) -> int:
    """§4.2: x' = x/Λ, x'' = round(x'), Λ·x''."""
    quotient = divide(x, m)
    y = ((quotient >> FRACTION) & (FIELDS - 1)) - BIAS
    if y >= 52:
        return multiply(quotient, m)
    if y >= 0:
        return multiply(case2(quotient), m)
    if y == -1:
        return multiply(case3(quotient), m)
    return multiply(case4(quotient), m)
