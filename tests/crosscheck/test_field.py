"""The adapters of public implementations (crosscheck/real): without a checkout they say so in one line; and exact.py,
which computes their losses through their own code, agrees with the evaluator on the reference."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from snapref.arithmetic import Dyadic, scaled
from snapref.formats import BINARY64
from snapref.mechanism import snapped
from snapref_proofs.evaluate.distribution import probability
from snapref_proofs.evaluate.dyadics import from_fraction, to_fraction
from snapref_proofs.evaluate.parameters import Parameters
from tests.crosscheck.conftest import ROOT, Snapref

REAL = ROOT / "crosscheck" / "real"
ADAPTERS = {
    "covington_target": "Covington",
    "danrr_target": "SnappingMechanism",
    "dp_snapping_mech_target": "DpSnappingMech",
    "dpsniper_target": "LaplaceFixed",
    "ektelo_target": "Ektelo",
    "google_target": "Google",
    "motion_target": "Motion",
    "relm_target": "Relm",
}


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """crosscheck/real on the path, and no checkout."""
    monkeypatch.syspath_prepend(REAL)
    monkeypatch.delenv("SNAPREF_CHECKOUT", raising=False)
    yield
    for name in (*ADAPTERS, "checkout", "exact", "findings", "diffprivlib_target"):
        sys.modules.pop(name, None)


@pytest.fixture
def exact(real: None) -> ModuleType:
    return importlib.import_module("exact")


def test_every_adapter_is_listed_here() -> None:
    installed = {"diffprivlib_target", "smartnoise_target"}
    assert {path.stem for path in REAL.glob("*_target.py")} == set(ADAPTERS) | installed


@pytest.mark.parametrize("module", ADAPTERS)
def test_an_adapter_imports_without_its_checkout_and_then_asks_for_it(real: None, module: str) -> None:
    adapter = getattr(importlib.import_module(module), ADAPTERS[module])
    with pytest.raises(ValueError, match=r"^SNAPREF_CHECKOUT is not set: it takes the path of [^\n]+$"):
        adapter()


@pytest.mark.parametrize("module", ADAPTERS)
def test_a_path_that_is_not_there_is_one_line(real: None, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPREF_CHECKOUT", "/nowhere")
    adapter = getattr(importlib.import_module(module), ADAPTERS[module])
    with pytest.raises(ValueError, match=r"^SNAPREF_CHECKOUT=/nowhere: no [^\n]+$"):
        adapter()


def test_the_command_line_says_it_too(snapref: Snapref, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SNAPREF_CHECKOUT", raising=False)
    done = snapref("crosscheck", "danrr_target:SnappingMechanism", cwd=REAL)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "SNAPREF_CHECKOUT is not set" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "usage: findings.py NAME [PATH]"),
        (("nobody", "."), "usage: findings.py NAME [PATH]"),
        (("danrr", "/nowhere"), "findings.py: SNAPREF_CHECKOUT=/nowhere: no SnappingMechanism/SnappingMechanism.py"),
        (("motion", __file__), "cannot be loaded as a shared library"),
    ],
)
def test_findings_without_a_checkout(arguments: tuple[str, ...], said: str) -> None:
    command = [sys.executable, str(REAL / "findings.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_file_that_is_no_python(real: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cc_snap.py").write_text("def f():\n        x = 1\n\tif x:\n\t    pass\n", encoding="utf-8")
    monkeypatch.setenv("SNAPREF_CHECKOUT", str(tmp_path))
    adapter = importlib.import_module("covington_target").Covington
    with pytest.raises(ValueError, match=r"^cc_snap\.py is no Python 3: line 3, "):
        adapter()


class Reference:
    """The reference, with its draw given."""

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        given = (BINARY64.encode(scaled(*from_fraction(x))) for x in (value, sensitivity / epsilon, bound))
        out = snapped(*given, sign, Dyadic(*from_fraction(u)), BINARY64)
        return float(BINARY64.decode(out))


class UpAndDown(Reference):
    """Not monotone: -0 of the reference's outputs is taken for B."""

    def draw(self, value: float, epsilon: float, bound: float, sensitivity: float, sign: int, u: float) -> float:
        out = super().draw(value, epsilon, bound, sensitivity, sign, u)
        return bound if out == -1 else out


def test_exact_probabilities_are_those_of_the_evaluator(exact: ModuleType) -> None:
    setting = exact.Setting(Reference(), 0.7, 10.0)
    mechanism = Parameters(Fraction(1 / 0.7), Fraction(10), uniform="binary64")
    for value, k in ((0.3, 0), (0.3, 2), (-4.1, -1), (3.25, mechanism.last), (9.9, -mechanism.last)):
        output = max(-10.0, min(10.0, float(k * mechanism.lattice)))
        assert setting.probability(value, output) == to_fraction(probability(mechanism, k, from_fraction(value)))


def test_the_worst_loss_is_that_of_the_reference(exact: ModuleType) -> None:
    loss, _ = exact.Setting(Reference(), 1.0, 10.0).worst(3.25, 4.25, [0.9, 0.5, 0.2, 0.1, 0.01])
    assert loss.exceeds(Fraction(1))  # λ = 1/ε sets nothing aside
    assert not loss.exceeds(Fraction(1) + Fraction(12 * 10 + 2, 2**53))


def test_what_exact_refuses(exact: ModuleType) -> None:
    with pytest.raises(ValueError, match="not monotone"):
        exact.Setting(UpAndDown(), 1.0, 10.0).worst(0.0, 1.0, [0.9, 0.5, 0.2, 0.1, 0.01])
    with pytest.raises(ValueError, match="more than Δ"):
        exact.Setting(Reference(), 1.0, 10.0).loss(0.1, 1.1, 0.0)  # these two doubles are more than 1 apart


def test_the_laws_of_u(exact: ModuleType) -> None:
    for law in (exact.doubles, exact.equally_spaced):
        assert law(lambda u: u < 0.25) == Fraction(1, 4)
        assert law(lambda u: False) == 0
    assert exact.equally_spaced(lambda u: u <= 0) == Fraction(1, 2**53)
    assert exact.doubles(lambda u: u <= 0) == 0
    assert exact.decimal_draws(lambda r: r < 10) == Fraction(1, 2) + Fraction(1, 2**53)  # n = 0, e > 1
    assert exact.decimal_draws(lambda r: True) == 1
    assert exact.decimal_draws(lambda r: r == 0) == Fraction(1, 2**52)
