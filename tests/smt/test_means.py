"""smt.release.means: the reference has no means to keep a value, to show one, or to hide an error."""

from pathlib import Path

import pytest

import snapref
from snapref_ledger.obligations import Run
from snapref_smt import means

FOLDER = Path(snapref.__file__).parent
# (file, what stands there, what stands there instead): faults that no program on names would see
FAULTS = {
    "a draw that is used again": ("mechanism.py", "self._bound, *draw(", "self._bound, *self._kept.setdefault("),
    "a value is kept": ("mechanism.py", "number = self._format.decode", "number = self._last = self._format.decode"),
    "the first mechanism is kept": ("interface.py", "mechanism.snap(", "snap.__dict__.get('kept', mechanism).snap("),
    "the interval is forgotten": (
        "interface.py",
        "        low, high = self._interval\n        return",
        "        self._interval = 0\n        return",
    ),
    "the private value is printed": ("interface.py", "found = super()", "print(value); found = super()"),
    "another generator where the system fails": (
        "randomness.py",
        "        return int.from_bytes(os.urandom(size)) >> (8 * size - count)",
        "        try: return int.from_bytes(os.urandom(size)) >> (8 * size - count)\n        except OSError: return 0",
    ),
    "one draw for all releases": (
        "mechanism.py",
        "    def release(self,",
        "    @cached_property\n    def drawn(self): return draw(SYSTEM, self._uniform)\n\n    def release(self,",
    ),
    "a precision as a text": (
        "arithmetic.py",
        "context(precision).add",
        "context(53 if f'{precision}' == '60' else 60).add",
    ),
    "a precision by what it is": (
        "arithmetic.py",
        "context(precision).add",
        "context(53 if precision is 113 else 60).add",
    ),
    "the system's source gets other signs": ("randomness.py", "word & 1 else", "word & 1 or source is SYSTEM else"),
    "by its name": ("randomness.py", "word & 1 else", "word & 1 or source.name == 'system' else"),
    "where the harness is not installed": (
        "randomness.py",
        "word & 1 else",
        "word & 1 or find_spec('snapref_smt') else",
    ),
    "where it is installed": ("randomness.py", "word & 1 else", "word & 1 or 'site' in __file__ else"),
    "values in a file": ("batch/mechanism.py", "numbers.ravel(),", "numbers.ravel(), numbers.tofile('values'),"),
    "a flag of MPFR": (
        "mechanism.py",
        "inner = clamp(value, bound, fmt)",
        "inner = value if context(53).divzero else bound",
    ),
    "a default format": ("rounding.py", "fmt: Format = BINARY64", "fmt: Format = WIDER"),
    "a copy with another Δ": ("mechanism.py", "def __float__(self)", "def __reduce__(self)"),
    "a type is asked for by its name": ("arithmetic.py", "(53).plus(number)", "(53).plus(type(number).__name__)"),
}


def test_the_reference_has_none_of_these_means() -> None:
    assert means.means(Run()).status == "proved"


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed(name: str) -> None:
    file, old, new = FAULTS[name]
    source = (FOLDER / file).read_text(encoding="utf-8")
    assert source.count(old) == 1
    assert not list(means.faults(file, source))
    assert list(means.faults(file, source.replace(old, new)))


@pytest.mark.parametrize("name", ["defining", "state", "output", "swallowed", "asked", "text", "shadowed", "homeless"])
def test_what_sees_nothing_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = iter(()) if name in ("shadowed", "homeless") else None
    monkeypatch.setattr(means, name, lambda *given: nothing)
    assert means.means(Run()).status == "refuted"


def test_what_refuses_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(means, "state", lambda *given: "wrong")
    assert "is refused" in means.means(Run()).detail
