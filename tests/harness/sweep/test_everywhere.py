"""Every kind of sweep, by one local process, by two, and by a Dask cluster: the same bytes."""

from pathlib import Path
from typing import Any

import pytest

from snapref_harness.cli import main
from snapref_harness.sweep.pieces import KINDS

SPECS = {
    "loss": 'scale = [1, 1.5]\nbound = [4.25, 20.25]\na = [1.25, 4.25]\nuniform = ["unbounded", "binary64"]',
    "search": "seed = { from = 0, to = 5 }\nbudget = 20\nprecision = [24, 53]",
    "small": "precision = [3, 4]\nexponent = [-1, 0]\nratio = [0, 1]",
    "boxes": 'proof = "theorem"\nlemma = ["ends", "inside"]\nconstant = 11',
    "crosscheck": 'target = "tests.mutants.mechanisms:ClampMagnitude"\nseed = { from = 0, to = 4 }\n'
    'check = "clamp"\ncases = 10',  # of which some break
}


@pytest.mark.parametrize("kind", SPECS)
def test_the_same_bytes_everywhere(kind: str, tmp_path: Path, dask: Any) -> None:
    spec = tmp_path / "it.toml"
    spec.write_text(f'kind = "{kind}"\n{SPECS[kind]}\n', encoding="utf-8")
    ways = {"one": ["--jobs", "1"], "two": ["--jobs", "2"], "dask": ["--scheduler", dask.scheduler_address]}
    codes, files = set(), set()
    for name, options in ways.items():
        out = tmp_path / f"{name}.jsonl"
        codes.add(main(["sweep", str(spec), "--quiet", "--json", str(tmp_path / name), "--out", str(out), *options]))
        files.add(out.read_bytes())
    assert codes == {1 if kind == "crosscheck" else 0}
    assert len(files) == 1
    assert next(iter(files)).count(b"\n") > 5


def test_no_kind_is_left_out() -> None:
    assert set(SPECS) == set(KINDS)
