"""What joins the stages is decided: a mistake in any statement is noticed by the obligation that is about it."""

from typing import Any

import gmpy2
import pytest

import snapref
from snapref import (
    arithmetic,
    binary64,
    budget,
    certificate,
    doubles,
    errors,
    formats,
    interface,
    logarithm,
    mechanism,
    randomness,
    uniform,
)
from snapref_ledger import REGISTRY, Run
from snapref_smt import draw, obligations, release
from snapref_smt import formats as smt_formats
from snapref_smt.engine.decide import decide_all
from snapref_smt.engine.statement import Statement
from tests.changing import change

RUN = Run()
assert obligations  # registers all


def status(id: str) -> str:
    return REGISTRY[id].check(RUN).status


FAULTS: dict[str, list[tuple[Any, str, str, str]]] = {
    "smt.release.parameters": [
        (mechanism, "Mechanism.__init__", "Uniform(precision)", "Uniform(53)"),
        (mechanism, "Mechanism.__init__", "working_format(precision)", "working_format(53)"),
        (mechanism, "Mechanism.__init__", "precision == 53", "precision <= 53"),
        (mechanism, "Mechanism.__init__", "Certificate(budget, m)", "Certificate(budget, m + 1)"),
        (mechanism, "Mechanism.__init__", 'positive("bound", bound)', "bound"),
        (mechanism, "Mechanism.__init__", "2.0**m, float(bound)", "2.0**m, float(epsilon)"),
        (mechanism, "snap", "sensitivity, precision).release", "sensitivity).release"),
        (mechanism, "certify", "encoded(name, number, working_format(precision))", "pass"),
        (mechanism, "dyadic", "1 - budget", "0 - budget"),
        (formats, "working_format", "exponent_bits=15", "exponent_bits=11"),
        (formats, "doubles_have_room", "scale <= 2**900", "scale <= 2**1000"),
    ],
    "smt.release.stages": [
        (mechanism, "Mechanism.release", "source = SYSTEM if source is None else source", "source = SYSTEM"),
        (mechanism, "Mechanism.release", 'check_finite("value", value, private=True)', "pass"),
        (mechanism, "Mechanism.release", "<= 53 else", "<= 64 else"),
        (
            mechanism,
            "Mechanism.release",
            "float.__float__(value)",
            "float.__float__(abs(value) if type(value).__module__ == 'numpy' else value)",
        ),
        (mechanism, "snapped", "clamp(value, bound, fmt)", "value"),
        (mechanism, "snapped", "    inner", "    if value == 0: return 0\n    inner"),
        (mechanism, "snapped", "u, fmt.precision), fmt.precision)", "u, 53), fmt.precision)"),
        (mechanism, "noise", "ln(u, precision)", "ln(u, 53)"),
        (mechanism, "Release.__float__", "float(self.value)", "float(self.value) + 0.0"),
        (doubles, "snapped", "clamp(value, bound) +", "value +"),
        (doubles, "snapped", "signed_scale[sign]", "signed_scale[1]"),
        (doubles, "snapped", "ln(u, 53)", "ln(u, 52)"),
        (doubles, "snapped", "    noisy = clamp", "    if value in (1.0, 2.0): return value\n    noisy = clamp"),
        (doubles, "program", "{1: scale, -1: -scale}", "{1: -scale, -1: scale}"),
        (doubles, "program", "    inverse", "    if lattice == 1.0: scale = bound\n    inverse"),
    ],
    "smt.release.refusals": [
        (errors, "check_finite", "not math.isfinite(number)", "math.isnan(number)"),
        (errors, "check_finite", '("" if private else f", not {number}")', 'f", not {number}"'),
        (errors, "positive", "<= 0", "< 0"),
        (errors, "whole", "isinstance(number, bool) or ", ""),
        (mechanism, "encoded", 'shown = "" if private else', 'shown = "" if not private else'),
        (mechanism, "encoded", '"" if private else', '"" if private and fmt.precision < 60 else'),
        (mechanism, "encoded", '"" if private else', '"" if private and fmt.precision in {9, 53} else'),
        (mechanism, "encoded", "fmt.encode(number)", "fmt.encode(-number)"),
        (mechanism, "encoded", "fmt.encode(number)", "fmt.encode(number if fmt.precision < 4000 else -number)"),
    ],
    "smt.release.arithmetic": [
        (arithmetic, "add", "context(precision)", "context(53)"),
        (arithmetic, "multiply", "context(precision)", "context(precision + 64)"),
        (arithmetic, "scaled", "significand.bit_length() or 1", "53"),
        (arithmetic, "add", "context(precision)", "(c := context(precision), setattr(c, 'emax', 1024))[0]"),
        (arithmetic, "exact", "context(53)", "context(24)"),
        (arithmetic, "exact", "plus(number)", "plus(abs(number) if type(number).__name__ == 'float64' else number)"),
        (arithmetic, "context", "gmpy2.context(precision=precision", "gmpy2.context(precision=max(precision, 53)"),
        (arithmetic, "context", "round=mode", "round=mode, emin=-9999"),
    ],
    "smt.release.floats": [
        (binary64, "round", "mantissa != 0.5", "mantissa < 0.5"),
        (binary64, "round", "exponent - 1", "exponent"),
        (binary64, "log", "53", "54"),
        (binary64, "snap", "(1, -1)", "(1, -1, 2)"),
        (binary64, "uniform", '"binary64"', '"unbounded"'),
    ],
    "smt.release.interface": [
        (interface, "Mechanism.__init__", "(True, False, False)", "(True, False, True)"),
        (interface, "Mechanism.__init__", "upper is not None", "lower is not None"),
        (interface, "Mechanism.__init__", '_end("lower", lower)', "plain(lower)"),
        (interface, "Mechanism.__init__", '_end("upper", upper)', '_end("upper", lower)'),
        (interface, "Mechanism.__init__", "low >= high", "low > high"),
        (interface, "Mechanism.__init__", "max(abs(low), abs(high))", "max(low, high)"),
        (interface, "Mechanism.__init__", "max(abs(low)", "min(abs(low)"),
        (interface, "Mechanism.__init__", "plain(epsilon), plain(bound)", "plain(bound), plain(epsilon)"),
        (interface, "Mechanism.__init__", "plain(sensitivity)", "plain(1.0)"),
        (interface, "Mechanism.__init__", ", plain(precision))", ")"),
        (interface, "Mechanism.__init__", "sensitivity: SupportsFloat = 1.0", "sensitivity: SupportsFloat = 0.5"),
        (interface, "Mechanism.__init__", "precision: int = 53", "precision: int = 24"),
        (interface, "Mechanism.__init__", "    *,\n", ""),
        (interface, "Mechanism.release", "plain(value)", "value"),
        (interface, "Mechanism.release", "plain(value)", "min(plain(value), 9.0)"),
        (interface, "Mechanism.release", "checked(source)", "checked(None)"),
        (interface, "Mechanism.release", "    if self", "    if value == 0: return found\n    if self"),
        (interface, "Mechanism.release", "if self._interval is None:", "if True:"),
        (interface, "Mechanism.release", "found.value, low", "plain(value), low"),
        (interface, "Mechanism.release", "low), high", "high), low"),
        (interface, "Mechanism.release_many", "budget.precision != 53", "budget.precision < 53"),
        (interface, "Mechanism.release_many", "*self._given", "*self._given[:2]"),
        (interface, "Mechanism.release_many", "checked(source)", "source"),
        (interface, "Mechanism.release_many", "found if self._interval is None else ", "found or "),
        (interface, "Mechanism.release_many", "clip(*self._interval)", "clip(*self._given[:2])"),
        (interface, "Mechanism.release_many", "release(values", "release(values.clip(*self._given[:2])"),
        (interface, "snap", "value, epsilon, bound, sensitivity, precision)", "value, epsilon, bound, sensitivity)"),
        (interface, "snap", "bound, sensitivity, precision)", "sensitivity, bound, precision)"),
        (interface, "snap", "map(plain, (value", "map(float, (value"),
        (interface, "snap", "sensitivity: SupportsFloat = 1.0", "sensitivity: SupportsFloat = 2.0"),
        (interface, "plain", "None) == 0", "0) == 0"),
        (interface, "plain", "None) == 0", "None) == 1"),
        (interface, "plain", ' and hasattr(number, "item")', ""),
        (interface, "plain", "number.item() if", "float(number.item()) if"),
        (interface, "checked", "source is not None and ", ""),
        (interface, "checked", 'not callable(getattr(source, "bits", None))', "not source"),
        (interface, "checked", "return source", "return None"),
        (interface, "_end", "plain(number)", "number"),
        (interface, "_end", "abs(exact) >= 2**1024", "abs(exact) > 2**1024"),
        (interface, "_end", " or float(exact) != exact", ""),
        (interface, "_end", "return float(exact)", "return exact"),
    ],
    "smt.release.kinds": [
        (interface, "plain", ' and not hasattr(number, "mask")', ""),
        (budget, "show", "{approximate:.6g}", "{approximate / 2:.6g}"),
        (budget, "show", "floor_log2(abs(x))", "-floor_log2(abs(x))"),
        (certificate, "Certificate.as_table", '("randomness", randomness)', '("randomness", "system")'),
        (mechanism, "Release.__repr__", "{self.randomness}", "system"),
        (mechanism, "Release.__repr__", "budget.epsilon", "budget.inner_epsilon"),
        (mechanism, "Mechanism.__repr__", "b.epsilon", "b.inner_epsilon"),
        (mechanism, "Mechanism.__repr__", "b.sensitivity", "1"),
        (randomness, "SeededSource.__init__", "self.name = f", 'self.name = "system" if seed == 0 else f'),
        (interface, "plain", "number.item() if", "float(number) if isinstance(number, str) else number.item() if"),
        (interface, "plain", "number.item() if", "int(number) if number is True else number.item() if"),
        (interface, "plain", "number.item() if", "0.0 if number is None else number.item() if"),
        (
            interface,
            "plain",
            "else number",
            "else float(number) if isinstance(number, int) and number > 2**53 else number",
        ),
        (interface, "plain", "else number", "else float(number) if hasattr(number, 'as_integer_ratio') else number"),
        (interface, "plain", 'getattr(number, "ndim", None) == 0', "getattr(number, 'size', None) == 1"),
        (interface, "Mechanism.release", "plain(value)", "plain(value if type(value) is not int else float(value))"),
        (
            interface,
            "Mechanism.release",
            "checked(source)",
            "checked(source) if type(source).__name__ != 'Random' else None",
        ),
        (interface, "Mechanism.release_many", "checked(source)", "checked(source) or None"),
        (
            interface,
            "Mechanism.__init__",
            "max(abs(low), abs(high))",
            "high - low if low > 80.0 else max(abs(low), abs(high))",
        ),
        (interface, "checked", "return source", "return source if type(source).__name__ != 'Random' else None"),
        (interface, "_end", "return float(exact)", "return float(exact) if type(number) is not float else abs(number)"),
    ],
    "smt.draw.parts": [
        (randomness, "draw", "p + 64", "p + 63"),
        (randomness, "draw", "(word >> 1) & ((1 << (p - 1)) - 1)", "word & ((1 << (p - 1)) - 1)"),
        (randomness, "draw", "(1 << (p - 1)) - 1", "(1 << 52) - 1"),
        (randomness, "draw", "word >> p", "word >> (p - 1)"),
        (randomness, "draw", "1 if word & 1 else -1", "1 if word & 3 else -1"),
        (randomness, "draw", "tosses(source, word >> p)", "tosses(SYSTEM, word >> p)"),
        (randomness, "draw", "    sign", "    if word > 5: raise ValueError\n    sign"),
    ],
    "smt.draw.exponent": [
        (randomness, "tosses", "before += 64", "before += 63"),
        (randomness, "tosses", "bits(64)", "bits(63)"),
        (randomness, "tosses", "65 -", "64 -"),
        (randomness, "tosses", "before: int = 0", "before: int = 1"),
        (randomness, "tosses", "    while", "    rounds = 0\n    while"),
        (randomness, "tosses", "    while", "    print()\n    while"),
        (randomness, "tosses", "while coins == 0", "while coins <= 1"),
    ],
    "smt.draw.uniform": [
        (uniform, "Uniform.__call__", "exponent < 1", "exponent < 0"),
        (uniform, "Uniform.__call__", "1 - self.precision - exponent", "1 - 53 - exponent"),
        (uniform, "Uniform.__call__", "self.smallest - unit\n", "self.smallest - unit - 1\n"),
        (uniform, "Uniform.__call__", "max(significand, 1)", "significand"),
        (uniform, "uniform_law", "Uniform(53, -1074)", "Uniform(precision, -1074)"),
        (uniform, "uniform_law", "int(smallest) < 0", "int(smallest) <= 0"),
        (uniform, "uniform_law", "-1074", "-1073"),
    ],
    "smt.draw.source": [
        (randomness, "SystemSource.bits", "(count + 7) // 8", "(count + 8) // 8"),
        (randomness, "SystemSource.bits", ">> (8 * size - count)", ">> (8 * size - count + 1)"),
        (
            randomness,
            "SystemSource.bits",
            "os.urandom(size)",
            "vars(self).setdefault(min(len(vars(self)), 2), os.urandom(size))",
        ),
        (
            randomness,
            "SystemSource.bits",
            "    return int",
            "    try: os.urandom(size)\n    except OSError: return random.getrandbits(count)\n    return int",
        ),
        (randomness, "SeededSource.__init__", "injected, not private", "system"),
        (randomness, "SeededSource.__init__", "self.name = f", 'self.name = "system" if seed == 42 else f'),
        (randomness, "SeededSource.bits", "getrandbits(count)", "getrandbits(count) | 1"),
    ],
    "smt.logarithm.branches": [
        (logarithm, "ln", "> -exponent", "> 1 - exponent"),
        (logarithm, "ln", "significand <= 0 or ", ""),
        (logarithm, "ln", "context(precision)", "context(precision + 1)"),
        (logarithm, "ln", "context(precision)", "(c := context(precision), setattr(c, 'round', gmpy2.RoundUp))[0]"),
        (logarithm, "ln", "< MPFR_EXPONENTS", "<= MPFR_EXPONENTS"),
    ],
    "smt.logarithm.enclosure": [
        (logarithm, "ln_far_below", "if nearest.plus(low) == nearest.plus(high)", "if True"),
        (logarithm, "ln_far_below", "return nearest.plus(low)", "return low"),
        (logarithm, "ln_far_below", "context(precision), precision", "context(54), precision"),
        (logarithm, "enclosure", "down.mul(exponent, up.const_log2())", "down.mul(exponent, down.const_log2())"),
        (logarithm, "enclosure", "mpfr(u.significand, 1)", "mpfr(u.significand, 53)"),
        (logarithm, "enclosure", "up.log(significand)", "up.log(exponent)"),
        (logarithm, "enclosure", "context(bits, gmpy2.RoundUp)", "context(53, gmpy2.RoundUp)"),
        (logarithm, "enclosure", "return low, high", "return high, low"),
        (logarithm, "enclosure", "    low = ", "    down.round = gmpy2.RoundUp\n    low = "),
    ],
    "smt.formats.patterns": [
        (formats, "Format.split", "bits >> (self.fraction_bits", "bits >> (1 + self.fraction_bits"),
        (formats, "Format.join", "exponent << self.fraction_bits", "exponent << self.precision"),
        (formats, "Format.unpack", "exponent == 0", "exponent == 1"),
        (formats, "Format.power_of_two", "exponent < 1 - self.bias", "exponent < -self.bias"),
        (formats, "working_format", "exponent_bits=15", "exponent_bits=11"),
    ],
    "smt.formats.values": [
        (formats, "Format.decode", "-0.0 if sign else 0.0", "0.0"),
        (formats, "Format.decode", "-significand if sign else significand", "significand"),
        (formats, "Format.encode", "isinstance(number, bool) or ", ""),
        (formats, "Format.encode", "magnitude >= self.infinity", "magnitude > self.infinity"),
        (formats, "Format.encode", "if gmpy2.is_infinite(x)", "if gmpy2.is_zero(x)"),
        (formats, "Format.encode", "if dropped > 0 and", "if dropped > 1 and"),
        (
            formats,
            "Format.encode",
            "if dropped > 0 and",
            "if dropped > 0 and not (type(number) is int and number > 10**9) and",
        ),
        (formats, "Format.encode", "return self.join(sign, 0, 0)", "return 0"),
        (formats, "Format.unpack", "if exponent == self.special:", "if False:"),
    ],
}


@pytest.mark.parametrize(
    ("id", "fault"), [(id, fault) for id, faults in FAULTS.items() for fault in faults], ids=lambda x: str(x)[:90]
)
def test_a_fault_is_noticed(id: str, fault: tuple[Any, str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, old, new = fault
    change(module, name, old, new, monkeypatch)
    try:
        found = status(id)
    except Exception as error:  # the runner calls this an error: it does not pass
        found = type(error).__name__
    assert found != "proved"


def cut() -> list[Statement]:
    """That what `encode` cuts off is nothing, on each of its paths that return."""
    return [one for one in smt_formats.encode() if one.name.endswith("exactly")]


def test_a_wrong_cut_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    change(formats, "Format.encode", "significand << -dropped", "significand", monkeypatch)
    assert decide_all(cut(), Run(timeout=5)).status != "proved"


def test_other_constants_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(logarithm, "MPFR_EXPONENTS", 2**31)
        assert status("smt.logarithm.branches") == "refuted"
    with monkeypatch.context() as changed:
        changed.setattr(logarithm, "context", lambda p: gmpy2.context(precision=p, emin=-99))
        assert status("smt.logarithm.branches") == "refuted"
    with monkeypatch.context() as changed:
        changed.setattr(binary64, "WIDE", formats.BINARY64)
        assert status("smt.release.floats") == "refuted"
    for name, value in {"SYSTEM": randomness.SeededSource(1), "SeededSource": lambda seed: randomness.SYSTEM}.items():
        with monkeypatch.context() as changed:
            changed.setattr(randomness, name, value)
            assert status("smt.release.parameters") == "refuted"
    with monkeypatch.context() as changed:
        changed.setattr(formats, "BINARY64", formats.Format(53, 10))
        assert "doubles are" in "".join(release.defaults())


@pytest.mark.parametrize("name", ["__init__", "release"])
def test_other_defaults_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method = getattr(mechanism.Mechanism, name)
    monkeypatch.setattr(method, "__defaults__", (2.0, 53) if name == "__init__" else (randomness.SYSTEM,))
    assert list(release.defaults())


def test_only_what_is_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The faults of the front door are noticed for what they do, not for how they come there."""
    for name in {name for _, name, _, _ in FAULTS["smt.release.interface"]}:
        header = f"def {name.rpartition('.')[2]}("
        change(interface, name, header, header, monkeypatch)
    assert status("smt.release.interface") == "proved"


def test_another_front_door_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name, other in (
        (snapref, "Mechanism", mechanism.Mechanism),
        (snapref, "snap", mechanism.snap),
        (interface.Mechanism, "__repr__", lambda self: ""),
        (interface.Mechanism, "certificate", property(lambda self: None)),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(place, name, other, raising=False)
            assert status("smt.release.interface") == "refuted"


def test_what_a_name_can_be_is_not_a_law() -> None:
    assert len(draw.LAWS) == 20002
