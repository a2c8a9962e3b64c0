"""`snapref sweep`: specifications, what each kind finds, the file of results, and exit codes."""

import fcntl
import json
import os
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from snapref_harness.cli import main
from snapref_harness.sweep import boxes_pieces, spec, store, work
from snapref_harness.sweep.exact_loss import judged
from snapref_harness.sweep.pieces import KINDS, Piece, piece
from snapref_harness.sweep.spec import MAX_TEXT, Sweep, sweep_of
from snapref_harness.sweep.store import Store, StoreError
from snapref_harness.sweep.table import SpecError
from snapref_proofs.evaluate.boxes import Box
from snapref_proofs.evaluate.parameters import Parameters
from snapref_proofs.evaluate.search import Search
from snapref_proofs.evaluate.small_formats import grid, small_numbers, survey
from snapref_proofs.evaluate.witness import Witness
from tests.harness.test_verify import Capture, schema

ROOT = Path(__file__).parents[3]
LOSS = {"kind": "loss", "scale": [1, 1.5], "bound": 4.25, "a": [1.25, 4.25]}
SMALL_B = {"kind": "loss", "scale": 92, "bound": 1, "a": 0.75}  # B far below λ: the bound does not hold (F-T1-smallB)
REALLY_WRITE = os.write
Write = Callable[[dict[str, Any]], str]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a specification to a file; results go beside it."""
    monkeypatch.chdir(tmp_path)

    def write(data: dict[str, Any]) -> str:
        def toml(value: Any) -> str:
            if isinstance(value, dict):
                return "{ " + ", ".join(f"{key} = {toml(v)}" for key, v in value.items()) + " }"
            return json.dumps(value)

        Path("it.toml").write_text("".join(f"{key} = {toml(value)}\n" for key, value in data.items()), encoding="utf-8")
        return "it.toml"

    return write


def results(path: str = "it.jsonl") -> list[dict[str, Any]]:
    """The results of a file, each line checked against the schema."""
    lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        jsonschema.validate(line, schema("sweep_results"))
    assert "sweep" in lines[0]
    return lines[1:]


def found(data: dict[str, Any]) -> list[dict[str, Any]]:
    """What comes of every piece, in this process."""
    return [work.attempt(p) for p in sweep_of(data).pieces()]


# ---- specifications


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "kind is missing: one of loss, search, small, boxes, crosscheck"),
        ({"kind": "lost"}, "kind = 'lost' is not allowed: one of loss,"),
        ({"kind": ["loss"]}, "kind = ['loss'] is not allowed"),
        ({"kind": "loss"}, "scale is missing"),
        ({**LOSS, "scale": -1}, "scale = -1 is not allowed: a positive number"),
        ({**LOSS, "scale": []}, "scale = [] is not allowed: at least one value"),
        ({**LOSS, "scale": "one"}, "scale = 'one' is not a number"),
        ({**LOSS, "scale": True}, "scale = True is not allowed: a number"),
        ({**LOSS, "scale": float("inf")}, "scale = inf is not allowed: a finite number that a double holds"),
        ({**LOSS, "scale": 2**53 + 1}, f"scale = {2**53 + 1} is not allowed: a finite number that a double holds"),
        ({**LOSS, "scale": 10**400}, "is not allowed: a number that a double holds"),
        ({**LOSS, "scale": 0.1, "precision": 24}, "is not a number that 24 bits hold exactly"),
        (
            {**LOSS, "a": {"from": 1, "to": 0}},
            "a = {'from': 1, 'to': 0} is not allowed: { from = …, to = …, step = … }",
        ),
        ({**LOSS, "a": {"from": 0, "to": 1, "by": 1}}, "is not allowed: { from"),
        ({**LOSS, "a": {"from": 0, "to": 1, "step": 0.1}}, "a has 10808639105689191/36028797018963968 in its range"),
        ({**LOSS, "a": {"from": 0, "to": 1, "step": 1e-9}}, "a has 1000000000 values: at most 1000000 are allowed"),
        ({**LOSS, "gap": 2}, "gap = 0x1p+1 is not allowed: at most the sensitivity 0x1p+0"),
        ({**LOSS, "precision": 1}, "precision = 1 is not allowed: a whole number from 2 to"),
        ({**LOSS, "precision": {"from": 2.5, "to": 3}}, "all of them whole numbers"),
        ({**LOSS, "uniform": "flat"}, "uniform = 'flat' is not allowed: unbounded, binary64 or bounded:EMIN"),
        ({**LOSS, "bound": 1e9}, "outputs, more than max_outputs = 2000000"),
        ({**LOSS, "max_outputs": [1, 2]}, "max_outputs has 2 values: exactly one is allowed"),
        ({**LOSS, "scales": 1}, "'scales' is no key of this kind of sweep: one of scale, bound, a, gap"),
        ({"kind": "search"}, "seed is missing"),
        ({"kind": "search", "seed": -1}, "seed = -1 is not allowed: a whole number from 0"),
        ({"kind": "search", "seed": 1, "budget": 0}, "budget = 0 is not allowed"),
        ({"kind": "search", "seed": 1, "a": 0, "b": 2}, "a and b are 0x1p+1 apart: more than the sensitivity"),
        (
            {"kind": "search", "seed": 1, "scale": 2, "bound": 1},
            "bound = 0x1p+0 is not allowed: at least the scale 0x1p+1",
        ),
        ({"kind": "search", "seed": 1, "a": 0.1, "precision": 11}, "a = 0x1.999999999999ap-4 is not a number that 11"),
        ({"kind": "small", "precision": 60}, "precision = 60 is not allowed: a whole number from 2 to 16"),
        (
            {"kind": "small", "precision": 5, "exponent": 0, "ratio": 0, "inside": 1},
            "inside = 1 is not allowed: true or",
        ),
        ({"kind": "small", "precision": 5, "exponent": 0, "ratio": 9}, "ratio = [9] leaves no bound"),
        (
            {"kind": "small", "precision": 5, "exponent": 0, "ratio": 0, "sensitivity": 1.015625},
            "sensitivity = 0x1.04p+0 is not a number that 5 bits hold",
        ),
        ({"kind": "boxes"}, "constant is missing"),
        ({"kind": "boxes", "constant": "much"}, "constant = 'much' is not allowed: a decimal number or a fraction"),
        ({"kind": "boxes", "constant": 12, "case": "H"}, "case = 'H' is not allowed: one of A, B, C, CE, D"),
        ({"kind": "boxes", "constant": 12, "case": "CE", "direction": "reverse"}, "leaves nothing of case = ['CE']"),
        ({"kind": "boxes", "proof": "theorem", "constant": 13}, "constant = 13 is not allowed"),
        ({"kind": "crosscheck", "seed": 0}, "target or command is missing"),
        ({"kind": "crosscheck", "seed": 0, "command": ""}, "command = '' is not allowed: a text"),
        ({"kind": "crosscheck", "seed": [0, 2], "command": "x"}, "seed = [0, 2] is not allowed: consecutive numbers"),
        ({"kind": "crosscheck", "seed": 0, "command": "x", "alpha": 1}, "alpha = 1 is not allowed: a number between"),
        (
            {"kind": "crosscheck", "seed": 0, "command": "x", "alpha": 2},
            "alpha = 2 is not allowed: a positive",
        ),
        (
            {"kind": "crosscheck", "seed": 0, "command": "x", "timeout": 1e300},
            "timeout = 1e+300 is not allowed",
        ),
        (
            {"kind": "crosscheck", "seed": 0, "command": "'"},
            "command = \"'\" is not allowed: the command ' cannot be split into words: No closing quotation",
        ),
        ({"kind": "crosscheck", "seed": 0, "target": "x"}, "target = 'x' is not allowed: module:attribute, or a .toml"),
        ({**LOSS, "\x1b[31m": 1}, "'\\x1b[31m' is no key of this kind of sweep"),
        ({**LOSS, "scale": "x" * 9999}, "scale = 'xxx"),
        (
            {"kind": "search", "seed": 1 << 99999},
            "seed = a number of thousands of digits is not allowed: a",
        ),
        ({"kind": "search", "seed": {"from": 0, "to": 1 << 99999}}, "seed has a number of thousands of digits values"),
        (
            {"kind": "search", "seed": 1, "a": 2, "bound": 1},
            "a = 0x1p+1 is not allowed: from -B to B",
        ),
        (
            {"kind": "boxes", "constant": "1e999999999"},
            "constant = '1e999999999' is not allowed: a decimal",
        ),
        (
            {"kind": "small", "precision": 16, "exponent": {"from": -1000, "to": 1000}, "ratio": 15},
            "precision = [16] is not allowed: with this many exponents it has 65568768 scales, more than 1000000",
        ),
        ({"kind": "crosscheck", "seed": 0, "command": "x", "check": "speed"}, "check = 'speed' is not allowed: one of"),
    ],
)
def test_a_bad_specification_is_refused_in_one_line(data: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as error:
        sweep_of(data)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_too_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "MAX_PIECES", 3)
    with pytest.raises(SpecError, match="more than 3 pieces"):
        sweep_of(LOSS)


def test_two_pieces_never_share_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twins:
        @staticmethod
        def pieces(table: object) -> list[Piece]:
            return [piece("loss", {"a": 1}), piece("loss", {"a": 1})]

    monkeypatch.setattr(spec, "kind", lambda name: Twins)
    with pytest.raises(SpecError, match="two pieces are the same: a=1"):
        sweep_of(LOSS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind = ", "is not TOML"),
        ('kind = "lost"', "kind = 'lost'"),
        (f"kind = {'9' * 9999}", "is not TOML"),
        (f"kind = {'[' * 9999}", "is not TOML: nested too deeply"),
        ("kind = '\0'", "is not TOML"),
        ("#" * (MAX_TEXT + 1), "is not TOML: longer than 16777216 characters"),
    ],
    ids=lambda text: text[:20],
)
def test_a_bad_file_is_one_line(written: Write, capsys: Capture, text: str, message: str) -> None:
    path = written({})
    Path(path).write_text(text, encoding="utf-8")
    assert main(["sweep", path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("snapref: it.toml: ")
    assert message in err
    assert err.count("\n") == 1


def test_no_file_and_bad_options(written: Write, capsys: Capture) -> None:
    path = written(LOSS)
    for args, message in (
        (["absent.toml"], "absent.toml: cannot be read: No such file or directory"),
        ([path, "--jobs", "0"], "--jobs must be at least 1"),
        ([path, "--jobs", "1", "--scheduler", "tcp://localhost:1"], "exclude each other"),
        ([path, "--out", "nowhere/it.jsonl"], "the directory nowhere does not exist"),
        ([path, "--out", "-"], "--out - is not allowed: results need a file of their own"),
        ([path, "--out", "it.json", "--json", "./it.json"], "--out it.json is not allowed: results need a file"),
        ([path, "--out", path], "it.toml is there and holds no sweep"),
    ):
        assert main(["sweep", *args]) == 2
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1


def test_the_digest_is_about_the_pieces_not_about_the_file() -> None:
    same = {"kind": "loss", "a": [1.25, "0x1.1p+2"], "bound": "4.25", "scale": [1.0, "1.5"], "precision": 53}
    assert sweep_of(same).digest == sweep_of(LOSS).digest
    assert sweep_of({**LOSS, "a": [4.25, 1.25]}).digest != sweep_of(LOSS).digest


@pytest.mark.parametrize("name", sorted(p.name for p in (ROOT / "notes" / "sweeps").glob("*.toml")))
def test_the_examples_are_specifications(name: str) -> None:
    data = tomllib.loads((ROOT / "notes" / "sweeps" / name).read_text(encoding="utf-8"))
    for p in sweep_of(data).pieces():
        assert json.loads(json.dumps(p)) == p  # all that travels is plain


def test_there_is_an_example_of_each_kind() -> None:
    files = (ROOT / "notes" / "sweeps").glob("*.toml")
    assert {tomllib.loads(f.read_text(encoding="utf-8"))["kind"] for f in files} == set(KINDS)


# ---- what each kind finds


def test_loss_is_what_snapref_loss_says(capsys: Capture) -> None:
    rows = found({**LOSS, "gap": [1, 0.25], "uniform": ["unbounded", "binary64"]})
    assert len(rows) == 16
    for row in rows[::5]:
        words = dict(word.split("=") for word in row["id"].split())
        args = [
            f"--{name}={words[name]}" for name in ("scale", "bound", "a", "b", "sensitivity", "precision", "uniform")
        ]
        code = main(["loss", *args, "--json", "-"])
        said = json.loads(capsys.readouterr().out)
        assert (code, row["status"]) == (0, "holds")
        assert (row["loss"], row["outputs"]) == (said["max_loss"], len(said["outputs"]))
        assert next(o["loss"] for o in said["outputs"] if o["x"] == row["x"]) == row["loss"]


def test_values_outside_are_clamped() -> None:
    (row,) = found({**LOSS, "scale": 1, "a": 5})
    assert (row["a"], row["b"]) == ("0x1.1p+2", "0x1p+2")


def test_a_violation_has_a_witness_that_replays(capsys: Capture) -> None:
    (row,) = found(SMALL_B)
    assert row["status"] == "breaks"
    command = row["witness"].splitlines()[-1].removeprefix("replay: snapref ")
    assert main(command.split()) == 1
    capsys.readouterr()


def test_a_violation_that_does_not_replay_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Witness, "replays", lambda self: False)
    (row,) = found(SMALL_B)
    assert row["status"] == "error"
    assert "does not replay" in row["why"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"a": 5}, "the bound says nothing"),
        ({"x": 4, "uniform": "bounded:-3"}, "impossible from both"),
    ],
)
def test_what_is_no_violation_is_not_judged(changes: dict[str, Any], message: str) -> None:
    given = {"a": -4, "b": -3, "x": 0, "uniform": "unbounded", **changes}
    parameters = Parameters(Fraction(1), Fraction(4), 11, given.pop("uniform"))
    witness = Witness(parameters, **{name: Fraction(number) for name, number in given.items()})
    with pytest.raises(AssertionError, match=message):
        judged({"id": "it"}, witness, "holds")


def test_search_finds_what_its_seed_finds() -> None:
    rows = found({"kind": "search", "seed": [3, 4], "budget": 30, "precision": 24, "bound": 16})
    for seed, row in zip((3, 4), rows, strict=True):
        pair = Search(24, fixed={"bound": Fraction(16)}).run(30, seed).pair
        assert row["status"] == "nothing_found"
        assert [Fraction(float.fromhex(row[name])) for name in ("scale", "bound", "a", "b")] == list(
            pair.numbers.values()
        )


def test_search_reports_what_breaks() -> None:
    (row,) = found({"kind": "search", "seed": 0, "budget": 60, "precision": 11, "scale": 1, "bound": 2048})
    assert (row["status"], row["loss"]) == ("breaks", "inf")  # B = 2^p·λ (F-T1-bigB)


def test_a_search_with_nothing_to_search_is_no_success() -> None:
    (row,) = found({"kind": "search", "seed": 0, "scale": 1, "a": 1, "b": 1})
    assert row["status"] == "error"
    assert "leaves no two values" in row["why"]


def test_small_is_the_survey() -> None:
    rows = found({"kind": "small", "precision": 4, "exponent": 0, "ratio": [1], "inside": False})
    whole = survey(grid(4, small_numbers(4, [0]), [1]))
    assert whole.worst is not None
    assert sum(row["formats"] for row in rows) == whole.runs
    assert sum(row["pairs"] for row in rows) == whole.pairs
    assert sum(row["pairs_with_output"] for row in rows) == whole.outputs
    assert max(float.fromhex(row["constant"]) for row in rows) == whole.worst.constant
    assert {row["status"] for row in rows} == {"breaks" if whole.broken else "holds"}


def test_small_reports_what_breaks() -> None:
    data = {"kind": "small", "precision": 5, "exponent": 0, "ratio": 5, "inside": False}  # B = 2^p·Λ (F-T1-bigB)
    row = work.attempt(next(sweep_of(data).pieces()))
    assert (row["status"], row["loss"], row["constant"]) == ("breaks", "inf", "inf")


def test_small_without_a_pair_is_no_success() -> None:
    (row, *_) = found({"kind": "small", "precision": 3, "exponent": 0, "ratio": 0, "sensitivity": 2.0**-40})
    assert row["status"] == "error"
    assert "no two values" in row["why"]


def test_boxes_hold_break_and_give_up() -> None:
    data = {"kind": "boxes", "case": "A", "direction": "forward", "cuts": 1}
    assert {row["status"] for row in found({**data, "constant": 13.1})} == {"holds"}
    broken = [row for row in found({**data, "constant": 12}) if row["status"] != "holds"]
    assert broken
    assert {row["status"] for row in broken} == {"breaks"}
    assert all(row["where"] for row in broken)
    assert "undecided" in {row["status"] for row in found({**data, "constant": 13.1, "most": 1})}


def test_cells_fill_the_box() -> None:
    box: Box = {"x": (Fraction(0), Fraction(3)), "y": (Fraction(1), Fraction(2))}
    cells = [boxes_pieces.cell(box, 4, n) for n in range(16)]
    middles = {tuple((low + high) / 2 for low, high in cell.values()) for cell in cells}
    assert len(middles) == 16  # no two overlap, as all have the same size …
    assert sum((c["x"][1] - c["x"][0]) * (c["y"][1] - c["y"][0]) for c in cells) == 3
    assert all(box[side][0] <= c[side][0] < c[side][1] <= box[side][1] for c in cells for side in box)


def test_theorem_boxes() -> None:
    rows = found({"kind": "boxes", "proof": "theorem", "lemma": "ends", "constant": [11, 12]})
    assert {row["status"] for row in rows} == {"holds"}
    assert len(rows) == len(boxes_pieces.inequalities("ends", 11)) + len(boxes_pieces.inequalities("ends", 12))


def test_two_inequalities_never_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(boxes_pieces.INEQUALITIES, "ends", lambda regime: iter([("x", None, {}), ("x", None, {})]))
    boxes_pieces.inequalities.cache_clear()
    with pytest.raises(AssertionError, match="share a name"):
        boxes_pieces.inequalities("ends", 11)


def campaign(target: str, **more: Any) -> list[dict[str, Any]]:
    return found({"kind": "crosscheck", "target": target, "seed": {"from": 5, "to": 6}, "cases": 5, **more})


def test_crosscheck_of_an_honest_target() -> None:
    rows = campaign("tests.mutants.honest:Honest", check=["inner_epsilon", "release"], releases=200)
    assert [row["status"] for row in rows] == ["nothing_found"] * 3  # inner_epsilon has no seed: once is enough
    assert all(row["cases"] > 0 for row in rows)


def test_crosscheck_of_a_wrong_target() -> None:
    clamp, lattice = campaign("tests.mutants.mechanisms:ClampMagnitude", check=["clamp", "lattice"], seed=0)
    assert (clamp["status"], lattice["status"]) == ("breaks", "nothing_found")
    assert "clamp" in clamp["witness"]


def test_crosscheck_without_a_target_is_an_error() -> None:
    assert {row["status"] for row in campaign("no_such_module:X", check="clamp")} == {"error"}


def test_crosscheck_that_asked_nothing_is_no_success() -> None:
    data = {"kind": "crosscheck", "target": "tests.mutants.honest:Honest", "seed": {"from": 0, "to": 9999}, "cases": 0}
    *_, last = sweep_of({**data, "check": "clamp"}).pieces()
    assert work.attempt(last)["status"] == "undecided"


def test_an_error_is_an_error_of_one_piece() -> None:
    assert work.attempt({"id": "it", "kind": "loss"}) == {"id": "it", "status": "error", "why": "KeyError: 'scale'"}


# ---- the file of results


def the_store(path: Path, data: dict[str, Any] | None = None, **versions: str) -> Store:
    sweep = sweep_of(data or LOSS)
    return Store(path, sweep, {**work.made_by(sweep.kind), **versions})


def sweep_results() -> tuple[Sweep, list[dict[str, Any]]]:
    return sweep_of(LOSS), [{"id": identity, "status": "holds"} for identity in sweep_of(LOSS).ids]


def test_results_are_kept_and_put_in_order(tmp_path: Path) -> None:
    path = tmp_path / "it.jsonl"
    _, rows = sweep_results()
    with the_store(path) as one:
        for row in reversed(rows[1:]):
            one.add(row)
    with the_store(path) as two:
        assert list(two.results()) == rows[1:]
        assert not two.complete
        two.add(rows[0])
        assert two.complete
        two.put_in_order()
    assert results(str(path)) == rows
    assert [p.name for p in tmp_path.iterdir()] == ["it.jsonl"]
    with the_store(path) as three:
        assert three.complete
        assert list(three.results()) == rows


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "it.jsonl"
    _, rows = sweep_results()
    with the_store(path) as one:
        one.add(rows[0])
        one.add(rows[1])
    path.write_bytes(path.read_bytes()[:-cut])
    with the_store(path) as two:
        assert list(two.results()) == rows[:1]
        two.add(rows[2])
    assert results(str(path)) == [rows[0], rows[2]]


@pytest.mark.parametrize("length", [0, 1, 40])
def test_a_torn_manifest_is_written_again(tmp_path: Path, length: int) -> None:
    path = tmp_path / "it.jsonl"
    with the_store(path):
        whole = path.read_bytes()
    path.write_bytes(whole[:length])
    with the_store(path):
        assert path.read_bytes() == whole


def test_errors_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "it.jsonl"
    _, rows = sweep_results()
    with the_store(path) as one:
        one.add(rows[0])
        one.add({"id": rows[1]["id"], "status": "error", "why": "bad luck"})
    with the_store(path) as two:
        assert list(two.results()) == rows[:1]
        two.add(rows[1])
    with the_store(path) as three:
        assert list(three.results()) == rows[:2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"precious\n", "is there and holds no sweep"),
        (b"precious", "is there and holds no sweep"),
        (b'["x"]\n', "is there and holds no sweep"),
        (
            b'{"sweep": 1, "kind": "small", "pieces": 7}\n',
            r"holds another sweep \(small, 7 pieces\): the specification",
        ),
    ],
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "it.jsonl"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=message):
        the_store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [b"{}\n", b'{"id": "x", "status": "holds"}\n', b'{"id": 1}\n', b"torn\n", b"[]\n"])
def test_a_line_that_is_no_result_is_refused(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "it.jsonl"
    with the_store(path):
        pass
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(StoreError, match="line 2 is no result of this sweep"):
        the_store(path)


def test_another_specification_or_other_versions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.jsonl"
    with the_store(path):
        pass
    with pytest.raises(StoreError, match="the specification has changed"):
        the_store(path, {**LOSS, "a": [1.25, 4]})
    with pytest.raises(StoreError, match=r"begun with gmpy2 .* instead of 0\.1;"):
        the_store(path, gmpy2="0.1")
    with pytest.raises(StoreError, match="begun with other code of snapref"):
        the_store(path, code="0")


def test_one_file_one_sweep_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "it.jsonl"
    with the_store(path), pytest.raises(StoreError, match="being written by another sweep"):
        the_store(path)


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/full")):
        with pytest.raises(StoreError, match="is no file"):
            the_store(path)
    (tmp_path / "pipe").unlink()
    with pytest.raises(StoreError, match="cannot be written: File name too long"):
        the_store(tmp_path / ("x" * 300))
    with the_store(tmp_path / "it.jsonl") as one:
        monkeypatch.setattr(os, "fsync", _full)
        with pytest.raises(StoreError, match="cannot be put in order: No space left"):
            one.put_in_order()
    assert [p.name for p in tmp_path.iterdir()] == ["it.jsonl"]


def _full(fd: int, data: bytes = b"") -> int:
    """A disk that has room for ten bytes of a line."""
    if len(data) > 10:
        return REALLY_WRITE(fd, data[:10])
    raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_no_half_line(written: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(LOSS)
    calls: list[int] = []

    def filling(fd: int, data: bytes) -> int:
        calls.append(fd)
        return REALLY_WRITE(fd, data) if len(calls) <= 3 else _full(fd, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", filling)
        assert main(["sweep", path, "--jobs", "1"]) == 2
    assert capsys.readouterr().err == "snapref: it.jsonl cannot be written: No space left on device\n"
    assert len(results()) == 2  # whole lines
    assert main(["sweep", path, "--jobs", "1", "--quiet"]) == 0
    assert len(results()) == 4


def test_lines_reach_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(store, "SYNC", -1.0)
    monkeypatch.setattr(os, "fsync", synced.append)
    _, rows = sweep_results()
    with the_store(tmp_path / "it.jsonl") as one:
        before = len(synced)
        one.add(rows[0])
        assert len(synced) == before + 1


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to("it.jsonl")
    with the_store(tmp_path / "link.jsonl") as one:
        one.put_in_order()
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "it.jsonl").stat().st_size > 0


def test_nothing_is_left_of_an_interrupted_ordering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ctrl_c(fd: int) -> None:
        raise KeyboardInterrupt

    with the_store(tmp_path / "it.jsonl") as one:
        monkeypatch.setattr(os, "fsync", ctrl_c)
        with pytest.raises(KeyboardInterrupt):
            one.put_in_order()
    assert [p.name for p in tmp_path.iterdir()] == ["it.jsonl"]


def test_a_file_that_is_replaced_while_it_is_opened_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "it.jsonl"
    with the_store(path) as one:
        fcntl.flock(one.file, fcntl.LOCK_UN)  # it comes to its end just now …
        lock = fcntl.flock

        def late(file: Any, how: int) -> None:
            lock(file, how)
            one.put_in_order()  # … between our opening and our lock

        monkeypatch.setattr(fcntl, "flock", late)
        with pytest.raises(StoreError, match="being written by another sweep"):
            the_store(path)


def test_the_code_behind_a_kind_is_part_of_what_made_it() -> None:
    assert work.made_by("loss")["code"] != work.made_by("crosscheck")["code"]
    assert set(work.made_by("loss")) == {"code", "python", *work.ENGINES}


# ---- the verb


def test_the_verb(written: Write, capsys: Capture) -> None:
    path = written(LOSS)
    assert main(["sweep", path, "--jobs", "1", "--json", "-"]) == 0
    first = json.loads(capsys.readouterr().out)
    jsonschema.validate(first, schema("sweep"))
    assert (first["pieces"], first["done"], first["done_before"], first["complete"]) == (4, 4, 0, True)
    assert [row["id"] for row in results()] == list(sweep_of(LOSS).ids)
    before = Path("it.jsonl").read_bytes()
    assert main(["sweep", path, "--json", "-"]) == 0  # all is there: nothing is done again
    second = json.loads(capsys.readouterr().out)
    assert (second["done"], second["done_before"]) == (0, 4)
    assert {**second, "done": 4, "done_before": 0, "seconds": 0, "work_seconds": 0} == {
        **first,
        "seconds": 0,
        "work_seconds": 0,
    }
    assert Path("it.jsonl").read_bytes() == before
    assert main(["sweep", path, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["sweep", path]) == 0
    out, err = capsys.readouterr()
    assert "loss: 4 holds; " in out
    assert "4 from before" in out
    assert err == ""


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (SMALL_B, 1, ["breaks  scale=0x1.7p+6", "replay: snapref loss"]),
        ({"kind": "boxes", "case": "A", "constant": 13.1, "most": 1}, 3, ["undecided  proof=figure2"]),
        (
            {"kind": "crosscheck", "target": "no_such:X", "seed": 0, "check": "clamp"},
            2,
            ["error  check=clamp", "no_such"],
        ),
        (
            {"kind": "crosscheck", "target": "builtins:object", "seed": 0, "check": "clamp"},
            3,
            ["crosscheck: 1 unsupported"],
        ),
    ],
)
def test_exit_codes(written: Write, capsys: Capture, data: dict[str, Any], code: int, words: list[str]) -> None:
    assert main(["sweep", written(data), "--jobs", "1", "--quiet", "--json", "it.json"]) == code
    out, err = capsys.readouterr()
    assert all(word in out for word in words)
    assert err == ""
    jsonschema.validate(json.loads(Path("it.json").read_text(encoding="utf-8")), schema("sweep"))
    results()


def test_a_changed_specification_is_refused(written: Write, capsys: Capture) -> None:
    assert main(["sweep", written({**LOSS, "a": 1.25}), "--jobs", "1", "--quiet"]) == 0
    kept = Path("it.jsonl").read_bytes()
    assert main(["sweep", written(LOSS), "--jobs", "1"]) == 2
    err = capsys.readouterr().err
    assert "it.jsonl holds another sweep (loss, 2 pieces): the specification has changed" in err
    assert err.count("\n") == 1
    assert Path("it.jsonl").read_bytes() == kept


def test_a_locked_file_is_one_line(written: Write, capsys: Capture) -> None:
    path = written(LOSS)
    with open("it.jsonl", "a+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert main(["sweep", path]) == 2
    assert "being written by another sweep" in capsys.readouterr().err


def test_a_worker_of_another_version_is_refused(
    written: Write, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = {**work.made_by("loss"), "gmpy2": "0.1"}
    monkeypatch.setattr(work, "made_by", lambda name: ours)
    assert main(["sweep", written(LOSS), "--jobs", "1"]) == 2
    err = capsys.readouterr().err
    assert "a worker runs gmpy2" in err
    assert "instead of 0.1; make them alike" in err
    assert results() == []


def test_differences_in_words() -> None:
    assert store.difference(None, {"code": "x", "mpmath": "1"}) == "other code of snapref and mpmath None instead of 1"
    assert store.difference({"new": "x"}, {}) == "something that this version does not know"
