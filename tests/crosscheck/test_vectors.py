"""The vectors: valid by their schema, the same every time, thousands, and right by an independent implementation."""

import importlib.util
import json
import math
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

from snapref_crosscheck.protocol import from_wire
from snapref_harness.cli import main
from tests.crosscheck.conftest import EXAMPLES, ROOT, SCHEMAS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vectors")
    assert main(["vectors", "--out", str(folder), "--quiet"]) == 0
    return folder


def documents(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json")) if "schema" not in path.name]


def test_they_follow_their_schema(folder: Path) -> None:
    schema = json.loads((folder / "vectors.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for document in documents(folder):
        validator.validate(document)
        ids = [test["tcId"] for group in document["testGroups"] for test in group["tests"]]
        assert ids == list(range(1, document["numberOfTests"] + 1))
        flags = {flag for group in document["testGroups"] for test in group["tests"] for flag in test["flags"]}
        assert flags == set(document["notes"])


def test_a_strange_key_is_not_allowed(folder: Path) -> None:
    schema = json.loads((folder / "vectors.schema.json").read_text())
    document = json.loads((folder / "clamp.json").read_text())
    document["testGroups"][0]["tests"][0]["extra"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_there_are_thousands_and_they_are_the_same_every_time(folder: Path, tmp_path: Path) -> None:
    assert sum(document["numberOfTests"] for document in documents(folder)) > 5000
    assert main(["vectors", "--out", str(tmp_path / "again"), "--json", str(tmp_path / "summary.json")]) == 0
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    summary = json.loads((tmp_path / "summary.json").read_text())
    jsonschema.validate(summary, json.loads((SCHEMAS / "vectors_summary.schema.json").read_text()))


def test_those_in_the_repository_are_current(folder: Path) -> None:
    """To write them anew: snapref vectors --out crosscheck/vectors."""
    kept = ROOT / "crosscheck" / "vectors"
    assert {path.name for path in kept.iterdir()} == {path.name for path in folder.iterdir()} | {"README.md"}
    for path in folder.iterdir():
        assert path.read_bytes() == (kept / path.name).read_bytes(), path.name


def test_the_readme_explains_every_flag(folder: Path) -> None:
    text = (ROOT / "crosscheck" / "vectors" / "README.md").read_text(encoding="utf-8")
    explained = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    used = {flag: why for document in documents(folder) for flag, why in document["notes"].items()}
    assert {flag: explained.get(flag) for flag in used} == used
    for document in documents(folder):
        assert f"| `{document['operation']}.json` | {document['numberOfTests']} |" in text


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_snapping", EXAMPLES / "python" / "snapping.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_implementation_that_shares_no_code_agrees(folder: Path) -> None:
    """All but the groups of other tie rules, replayed as a user of the vectors would."""
    implementation = example().Snapping()
    for document in documents(folder):
        for group in document["testGroups"]:
            if group.get("ties", "up") != "up":
                continue
            for test in group["tests"]:
                args = {name: x if isinstance(x, int) else from_wire(x) for name, x in test["args"].items()}
                try:
                    got = getattr(implementation, document["operation"])(**args)
                except (ValueError, OverflowError):
                    got = None
                check(test, got)


def check(test: dict[str, Any], got: float | None) -> None:
    if test["result"] == "invalid":
        assert got is None, test
    elif "most" in test:
        assert got is not None
        assert got <= from_wire(test["most"]), test
        assert got > 0.99 * from_wire(test["expected"]), test
    elif got is None:
        assert None in test.get("alternatives", []), test
    else:
        right = [from_wire(x) for x in (test["expected"], *test.get("alternatives", [])) if x is not None]
        assert any(got == x or (math.isnan(got) and math.isnan(x)) for x in right), test


def test_where_nothing_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["vectors", "--out", str(tmp_path / "file" / "below")]) == 2
    assert "cannot be written" in capsys.readouterr().err
