"""Obligations on the budget notice each fault: the source of a function with one mistake, in the place of the code."""

from types import ModuleType

import pytest

from snapref import budget, certificate
from snapref_ledger import REGISTRY, Run
from snapref_smt import budget as obligations
from snapref_smt import budget_spec

RUN = Run(timeout=5)


def broken(module: ModuleType, before: str, after: str) -> ModuleType:
    """A copy of the module, with one place of its source changed."""
    assert module.__file__ is not None
    with open(module.__file__, encoding="utf-8") as file:
        source = file.read()
    assert source.count(before) == 1, f"{before!r} is there {source.count(before)} times"
    copy = ModuleType(module.__name__)
    copy.__file__ = module.__file__
    exec(compile(source.replace(before, after), module.__file__, "exec"), vars(copy))
    return copy


def noticed(name: str) -> bool:
    """Whether the obligation is not proved."""
    try:
        return REGISTRY[f"smt.budget.{name}"].check(RUN).status != "proved"
    except Exception:  # broken code may break down on unknown numbers: the runner calls that an error
        return True


def few_digits(monkeypatch: pytest.MonkeyPatch, subject: ModuleType) -> None:
    """Smaller numbers, in the code and in what is demanded of it: with some like 2**-4096, a model is found slowly."""
    for module in (subject, budget_spec):
        monkeypatch.setattr(module, "MAX_PRECISION", 128)
    monkeypatch.setattr(obligations, "DIGITS", 2)  # of a text: each is a turn of the loop that writes it


@pytest.mark.parametrize("name", ["constants", "certificate", "eta", "padding", "certified", "plan", "hexadecimal"])
def test_the_code_as_it_is_passes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few_digits(monkeypatch, budget)
    assert not noticed(name)


# Obligation, the code, and the mistake
FAULTS = [
    ("constants", "constant=12,", "constant=11,"),
    ("constants", "constant=12,", "constant=13,"),
    ("constants", "min_precision=11", "min_precision=10"),
    ("constants", "min_precision=24, max_beta=Fraction(1, 2**13)", "min_precision=23, max_beta=Fraction(1, 2**13)"),
    ("constants", "Fraction(1, 2**7)", "Fraction(1, 2**6)"),
    ("constants", "Fraction(1, 2**13)", "Fraction(1, 2**12)"),
    ("constants", "return eta(self.min_precision)", "return eta(self.min_precision + 1)"),
    ("constants", "    Regime(constant=11, min_precision=24, max_beta=Fraction(1, 2**13)),\n", ""),
    ("eta", "Fraction(1, 2**precision)", "Fraction(2, 2**precision)"),
    ("precision", "WIDEST.min_precision <= precision", "WIDEST.min_precision - 1 <= precision"),
    ("precision", "precision <= MAX_PRECISION:", "precision < MAX_PRECISION:"),
    ("precision", "MAX_PRECISION = 4096", "MAX_PRECISION = 8192"),
    ("floor_log2", "** k <= x else", "** k < x else"),
    ("floor_log2", "else k - 1", "else k"),
    ("floor_log2", "x.denominator.bit_length()", "x.denominator.bit_length() + 1"),
    ("rounded_up", "(floor_log2(x) + 1 - precision)", "(floor_log2(x) - precision)"),
    ("rounded_down", "(floor_log2(x) + 1 - precision)", "(floor_log2(x) + 2 - precision)"),
    ("rounded_up", "denominator) if up else", "denominator) if not up else"),
    ("rounded_up", "-(-multiple.numerator //", "(1 + multiple.numerator //"),
    ("padding", "floor_log2(2 * bound)", "floor_log2(bound)"),
    ("padding", "-(-sensitivity // spacing) * spacing", "(sensitivity // spacing) * spacing"),
    ("padding", "-(-sensitivity // spacing) * spacing", "(1 + sensitivity // spacing) * spacing"),
    ("padding", "if sensitivity == Fraction(2) ** floor_log2(sensitivity):", "if True:"),
    ("padding", "        return sensitivity\n", "        return 2 * sensitivity\n"),
    ("loss_bound", ") / scale + 2 * eta(precision)", ") / scale + eta(precision)"),
    ("loss_bound", ") / scale + 2 * eta(precision)", ") / scale"),
    ("loss_bound", "sensitivity + constant * bound * eta", "sensitivity - constant * bound * eta"),
    ("loss_bound", "constant: int | Fraction = CONSTANT", "constant: int | Fraction = CONSTANT - 1"),
    ("certified", "    check_precision(precision)\n    beta", "    beta"),
    ("certified", "if scale > bound:\n        raise", "if scale >= bound:\n        raise"),
    ("certified", "if scale > bound:\n        raise", "if scale > 2 * bound:\n        raise"),
    ("certified", "if beta > WIDEST.max_beta:", "if beta > 2 * WIDEST.max_beta:"),
    ("certified", "constant = min(", "constant = max("),
    ("certified", "precision >= self.min_precision and", "precision > self.min_precision and"),
    ("certified", "and beta <= self.max_beta", "and beta < self.max_beta"),
    ("certified", "precision >= self.min_precision and beta", "beta"),
    ("certified", "bound, padded, precision, constant)", "bound, sensitivity, precision, constant)"),
    ("inner_epsilon", "if epsilon <= 2 * h:", "if epsilon < 2 * h:"),
    ("inner_epsilon", "if epsilon <= 2 * h:", "if epsilon <= 4 * h:"),
    ("inner_epsilon", "round_to_bits((epsilon - 2 * h)", "round_to_bits(epsilon"),
    ("inner_epsilon", "sensitivity * h), precision, up=False)", "sensitivity * h), precision, up=True)"),
    ("inner_epsilon", "(padding + CONSTANT", "(1 + CONSTANT"),
    ("inner_epsilon", "CONSTANT * bound / sensitivity * h", "CONSTANT * bound * h"),
    ("plan", "    check_precision(precision)\n    h = eta(precision)\n    inner", "    h = eta(precision)\n    inner"),
    ("plan", "precision, up=True)\n    padded", "precision, up=False)\n    padded"),
    ("plan", "bound, padded, precision)\n", "bound, sensitivity, precision)\n"),
    ("plan", "if scale > bound:\n        advice", "if scale > 2 * bound:\n        advice"),
    ("plan", "if scale > bound:\n        advice", "if scale >= bound:\n        advice"),
    ("plan", "if bound * h > WIDEST.max_beta * scale:", "if bound * h >= WIDEST.max_beta * scale:"),
    ("plan", "if bound * h > WIDEST.max_beta * scale:", "if False:"),
    ("plan", "        padded,\n        precision,\n", "        sensitivity,\n        precision,\n"),
    ("plan", "f\"λ = {show(scale)} ≤ B = {show(bound)}\"", "f\"λ = {show(bound)} ≤ B = {show(scale)}\""),
    ("notes_precision", "floor_log2(1 / epsilon)", "-floor_log2(epsilon)"),
    ("notes_precision", "max(m + 2, logarithm_bits)", "max(m + 1, logarithm_bits)"),
    ("notes_precision", "logarithm_bits: int = 118", "logarithm_bits: int = 53"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), FAULTS, ids=[f"{name}: {after}" for name, _, after in FAULTS])
def test_a_fault_in_the_budget_is_noticed(name: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = broken(budget, before, after)
    if name != "precision":
        few_digits(monkeypatch, subject)
    monkeypatch.setattr(obligations, "SUBJECT", subject)
    assert noticed(name)


MISPRINTS = [
    ("certificate", '("scale λ", exact_text(b.scale))', '("scale λ", exact_text(b.bound))'),
    ("certificate", "b.honoured, 53, up=True", "b.honoured, 53, up=False"),
    ("certificate", "upper_text(b.honoured)", "exact_text(b.honoured)"),
    ("certificate", 'sensitivity": hexadecimal(b.padded_', 'sensitivity": hexadecimal(b.'),
    ("certificate", "{CONSTANT}·B·η/λ", "{CONSTANT - 1}·B·η/λ"),
    ("certificate", "Fraction(2) ** self.lattice_exponent", "Fraction(2) ** (self.lattice_exponent + 1)"),
    ("certificate", "Fraction(float(x)) == x", "Fraction(float(x)) != x"),
    ("hexadecimal", "divmod(16 * rest, 1)", "divmod(8 * rest, 1)"),
    ("hexadecimal", "{'-' if x < 0 else ''}0x1", "0x1"),
    ("hexadecimal", "while rest:", "while rest and len(digits) < 40:"),
    ("hexadecimal", "p{exponent:+d}", "p{exponent + 1:+d}"),
    ("upper", "above = round_to_bits(x, 53, up=True)", "above = round_to_bits(x, 53, up=False)"),
    ("upper", "rounding=ROUND_CEILING", 'rounding="ROUND_FLOOR"'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), MISPRINTS, ids=[after for _, _, after in MISPRINTS])
def test_a_misprint_in_the_certificate_is_noticed(
    name: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_digits(monkeypatch, budget)
    monkeypatch.setattr(obligations, "CERTIFICATE", broken(certificate, before, after))
    assert noticed(name)
