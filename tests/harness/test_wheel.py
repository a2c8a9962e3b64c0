"""What is installed works: the wheel, in an environment with nothing but what it declares, away from the checkout."""

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")
TARGET = """
class Target:
    def clamp(self, x, bound):
        if not (bound >= 0 and bound < float("inf") and x == x):
            raise ValueError("refused")
        return max(-bound, min(bound, x))
"""
SPEC = 'kind = "loss"\nscale = [1]\nbound = [8.25]\na = [7.25]\ngap = [1]\n'


def closure(requirements: list[str]) -> set[str]:
    """The distributions that these requirements bring, with theirs, as they are installed here. No extras."""
    found: set[str] = set()
    while requirements:
        requirement = requirements.pop()
        match = REQUIREMENT.match(requirement)
        assert match is not None
        name = match.group()
        marker = requirement.partition(";")[2]
        if name.lower() in found or "extra" in marker or "win32" in marker or 'platform_system == "Windows"' in marker:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # a marker says that this Python does not need it
            assert marker, f"{name} is not installed"
            continue
        found.add(name.lower())
        requirements += distribution.requires or []
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel. Its dependencies are links to those of this environment: exactly the
    distributions that the wheel declares, so that a missing declaration shows."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", str(ROOT), "--wheel-dir", str(folder)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("pip cannot get hatchling, which builds the wheel, without a package index")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    (site,) = environment.glob("lib/python*/site-packages")
    install = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps", "--no-index", "--target"]
    subprocess.run([sys.executable, *install, str(site), str(wheel)], check=True)
    (described,) = metadata.distributions(name="snapref", path=[str(site)])
    for name in closure(list(described.requires or [])):
        for path in top_level(metadata.distribution(name)):
            if not (site / path.name).exists():
                (site / path.name).symlink_to(path)
    return environment


def top_level(distribution: metadata.Distribution) -> Iterator[Path]:
    """The folders and files that a distribution has in site-packages."""
    for part in {Path(str(file)).parts[0] for file in distribution.files or [] if ".." not in Path(str(file)).parts}:
        if part not in ("__pycache__", "bin", "share"):
            yield Path(str(distribution.locate_file(part)))


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Run:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SNAPREF_DEBUG")}
    environment["SNAPREF_CACHE"] = str(tmp_path / "cache")

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [str(installed / "bin" / "python"), *args]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize(
    ("verb", "code", "shows"),
    [
        ("snap 3 --epsilon 1 --bound 10", 0, "released"),
        ("verify smt.clamp.widths theorem.graph", 0, "passed"),
        ("claims", 0, "135 claims"),
        ("claims --check", 1, "135 claims"),  # nothing was run here: every verdict is open
        ("loss --scale 1 --bound 10 --a 3.25 --b 4.25", 0, "the bound holds"),
        ("figure2 --scale 1 --bound 10 --a 3.25 --b 4.25 --case B", 0, "as it should be"),
        ("theorem --precision 5", 2, "nothing is proved below 7 bits"),  # after it imported every lemma
        ("accuracy --epsilon 0.5 --bound 100 --alpha 0.05", 0, "sound"),
        ("plan bound --query count --size 1000", 0, "bound B"),
        ("plan epsilon --accuracy 10 --alpha 0.05 --bound 1000", 0, "epsilon ε"),
        ("vectors --out vectors", 0, "vectors.schema.json"),
        ("crosscheck target:Target --cases 5 --releases 10", 3, "clamp"),
        ("sweep sweep.toml --jobs 1", 0, "largest constant"),
        ("bench --quick --rows 2", 0, "numpy is not installed: pip install 'snapref[batch]'"),
        ("verify --certificates smt.clamp.widths", 2, "pip install 'snapref[certificates]'"),
        ("sweep sweep.toml --scheduler tcp://127.0.0.1:1", 2, "pip install 'snapref[dask]'"),
        ("verify proofs.batch.same", 3, "pip install 'snapref[batch]'"),
        ("export --help", 0, "SMT-LIB"),
        ("report --help", 0, "dossier"),
    ],
)
def test_every_verb_runs(run: Run, tmp_path: Path, verb: str, code: int, shows: str) -> None:
    (tmp_path / "target.py").write_text(TARGET, encoding="utf-8")
    (tmp_path / "sweep.toml").write_text(SPEC, encoding="utf-8")
    done = run("-m", "snapref_harness", *verb.split())
    assert "internal error" not in done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    assert shows in done.stdout + done.stderr


def test_what_export_and_report_need_is_there(run: Run) -> None:
    """Both take a while over all obligations; one script and an empty page show that nothing is missing."""
    code = (
        "from snapref_harness.cli.registry import load_obligations\n"
        "load_obligations()\n"
        "from snapref_smt.engine.export import scripts\n"
        "print(next(iter(scripts()))[0])\n"
        "from snapref_harness.report.page import DRAWN, render\n"
        "from snapref_harness.report.provenance import provenance\n"
        "from snapref_ledger.cache import Cache\n"
        "from snapref_ledger.claims import load_claims\n"
        "from snapref_ledger.ledger import ledger\n"
        "from snapref_harness.cli.registry import default_run\n"
        "entries = ledger(load_claims().values(), load_obligations(), Cache(), default_run())\n"
        "assert '</html>' in render(entries, DRAWN['production libraries'](), provenance())\n"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr


def test_the_reference_imports_gmpy2_and_nothing_else(run: Run) -> None:
    code = (
        "import sys; before = set(sys.modules); import snapref, json\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)\n"
        "print(json.dumps(sorted(new)))"
    )
    assert json.loads(run("-c", code).stdout) == ["gmpy2", "snapref"]


def test_the_batch_says_what_to_install(run: Run) -> None:
    done = run("-c", "from snapref.batch.mechanism import BatchMechanism")
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: snapref.batch needs numpy: pip install 'snapref[batch]'"
    )


def test_the_command_is_installed(installed: Path) -> None:
    (described,) = metadata.distributions(name="snapref", path=[str(p) for p in installed.glob("lib/*/site-packages")])
    (script,) = described.entry_points.select(group="console_scripts")
    assert (script.name, script.value) == ("snapref", "snapref_harness.cli:main")
