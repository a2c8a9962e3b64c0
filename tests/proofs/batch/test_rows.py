"""What stands around the stages of the batch path: each mistake in it is found."""

from typing import Any

import pytest

from snapref.batch import draws, mechanism
from snapref_ledger import REGISTRY, Run
from snapref_proofs.batch import obligations, on_names, rows
from tests.changing import change

assert obligations  # registers


def test_nothing_is_wrong() -> None:
    assert REGISTRY["proofs.batch.rows"].check(Run()).status == "proved"


@pytest.mark.parametrize(
    ("module", "name", "old", "new"),
    [
        (draws, "random_words", "os.urandom(BYTES * count)", "os.urandom(BYTES) * count"),
        (draws, "random_words", "8 * BYTES * count", "4 * BYTES * count"),
        (draws, "random_words", '"little"', '"big"'),
        (draws, "random_words", "type(source) is SystemSource", "isinstance(source, SystemSource)"),
        (
            draws,
            "random_words",
            "os.urandom(BYTES * count)",
            "(os.urandom(min(BYTES * count, 256)) * count)[: 16 * count]",
        ),
        (draws, "random_words", "source.bits(8 * BYTES * count)", "(source.bits(8 * BYTES * min(count, 4000)))"),
        (
            draws,
            "random_words",
            "        data = os.urandom(BYTES * count)",
            "        try:\n            data = os.urandom(BYTES * count)\n"
            "        except OSError:\n            data = bytes(BYTES * count)",
        ),
        (mechanism, "BatchMechanism.release", "random_words(source, chunk.size)", "random_words(SYSTEM, chunk.size)"),
        (mechanism, "BatchMechanism.release", "SYSTEM if source is None else source", "source or SYSTEM"),
        (mechanism, "BatchMechanism.release", "np.empty(numbers.size)", "np.empty(numbers.size, np.float32)"),
        (mechanism, "BatchMechanism.release", "numbers.ravel()", "numbers.ravel(order='K')"),
        (mechanism, "BatchMechanism.release", "reshape(numbers.shape)", "reshape(numbers.shape, order='F')"),
        (mechanism, "BatchMechanism.release", "reshape(numbers.shape)", "reshape(numbers.shape or (1,))"),
        (
            mechanism,
            "BatchMechanism.release",
            "np.empty(numbers.size)",
            "vars(self).setdefault(str(numbers.size), np.empty(numbers.size))",
        ),
        (
            mechanism,
            "BatchMechanism.release",
            "random_words(source, chunk.size)",
            "random_words(source, chunk.size) if start < 100 * CHUNK else words",
        ),
        (mechanism, "BatchMechanism.release", "SYSTEM if source is None else source", "SYSTEM"),
        (
            mechanism,
            "BatchMechanism.release",
            "random_words(source, chunk.size)",
            "random_words(source, chunk.size) if start < 1 << 20 else words[: chunk.size]",
        ),
        (
            mechanism,
            "BatchMechanism.release",
            "random_words(source, chunk.size)",
            "random_words(source, chunk.size) if start < 1 << 24 else words[: chunk.size]",
        ),
        (
            mechanism,
            "BatchMechanism.release",
            "SYSTEM if source is None else",
            "SYSTEM if source is None or np.size(values) > 5000 else",
        ),
        (mechanism, "rounded_logarithms", "np.flatnonzero(~certain)", "np.flatnonzero(~certain[:4096])"),
        (mechanism, "checked", "np.isfinite(numbers)", "np.isfinite(numbers.ravel()[: 10**6])"),
        (mechanism, "checked", "given.astype(np.float64)", "given.view(np.float64).copy()"),
        (mechanism, "listed", "checked(values).tolist() if is_array", "values.tolist() if is_array"),
        (mechanism, "listed", "else double(values)", "else values"),
        (mechanism, "listed", "> 0", ">= 0"),
        (mechanism, "BatchMechanism.release", "results.reshape(numbers.shape)", "results"),
        (mechanism, "BatchMechanism.release", "results[start : start + CHUNK]", "results[:CHUNK]"),
        (mechanism, "rounded_logarithms", "certain &= draws.exponent > 0", "certain |= draws.exponent > 0"),
        (mechanism, "rounded_logarithms", "np.flatnonzero(~certain)", "np.flatnonzero(~certain)[1:]"),
        (mechanism, "rounded_logarithms", "np.flatnonzero(~certain)", "np.flatnonzero(~certain)[:100]"),
        (mechanism, "rounded_logarithms", "coins=0", "coins=1"),
        (mechanism, "rounded_logarithms", "Uniform(53)", "Uniform(53, -1074)"),
        (mechanism, "checked", "> 2**53)", "> 2**54)"),
        (mechanism, "checked", "    if isinstance(values, np.ma.MaskedArray)", "    if False"),
        (mechanism, "checked", "isinstance(values, np.ma.MaskedArray)", "type(values) is np.ma.MaskedArray"),
        (mechanism, "checked", "if not np.all(np.isfinite(numbers))", "if False"),
        (mechanism, "checked", "np.all(np.isfinite(numbers))", "np.any(np.isfinite(numbers))"),
        (mechanism, "checked", "np.all(np.isfinite(numbers))", "np.isfinite(numbers.sum())"),
        (mechanism, "checked", "np.isfinite(numbers)", "np.isfinite(numbers.flat[:64])"),
        (mechanism, "checked", "np.any((given", "np.all((given"),
        (mechanism, "checked", "np.any((given > 2**53)", "np.any((given.max() > 2**53)"),
        (mechanism, "checked", "in given.flat", "in given.T.flat"),
        (mechanism, "checked", '"iuf"', '"iufm"'),
        (mechanism, "checked", '"iuf"', '"iufS"'),
        (mechanism, "double", "np.generic", "(np.generic, np.ndarray)"),
        (
            mechanism,
            "double",
            "    check_f",
            "    number = int(number) if type(number).__name__ == 'mpz' else number\n    check_f",
        ),
        (mechanism, "checked", "given.astype(np.float64)", "given.astype(np.float64, copy=False)"),
        (mechanism, "checked", "np.float64).reshape(given.shape)", "np.float64)"),
        (mechanism, "checked", ' if hasattr(values, "__array__") else listed(values)', ""),
        (mechanism, "double", "if float(number) == number", "if True"),
        (mechanism, "double", "return float(number)", "return min(float(number), 2.0**64) if number < 2**100 else 0.0"),
        (mechanism, "double", "return float(number)", "return abs(float(number))"),
        (mechanism, "double", 'check_finite("values", number, private=True)', "pass"),
        (mechanism, "snapped", "words[:, 0]", "words[:, 1]"),
        (mechanism, "BatchMechanism.__init__", "not all(room(*exact)) or ", ""),
        (mechanism, "BatchMechanism.__init__", "1 / lattice", "1 / scale"),
        (mechanism, "BatchMechanism.__init__", "sensitivity: float = 1.0", "sensitivity: float = 2.0"),
    ],
)
def test_a_fault_is_found(module: Any, name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    change(module, name, old, new, monkeypatch)
    try:
        found = REGISTRY["proofs.batch.rows"].check(Run()).status
    except Exception as error:  # the runner calls this an error: it does not pass
        found = type(error).__name__
    assert found != "proved"


def test_another_law_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "Uniform", lambda p: None)
    assert list(on_names.faults())


def test_words_that_are_not_those_of_the_values_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    change(mechanism, "BatchMechanism.release", "words, source)", "words, SYSTEM)", monkeypatch)
    with pytest.raises(ValueError, match="other words"):
        list(rows.wrong_chunks())
